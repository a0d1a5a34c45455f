"""Random numbers: the stream cipher ChaCha for every deal, and a faster random number generator for simulations.

Players must not be able to predict unseen cards from the cards that they have seen. So all shuffles use the output of
the cipher for a secret 256-bit key. Each shuffle has a *stream* of its own: the output of the cipher for a number (the
nonce) that no other shuffle uses.

Drawing a card without bias sometimes discards a random word. Because each shuffle has its own stream, the number of
discarded words does not change later shuffles and cannot be deduced from them. The faster generator only chooses moves
in simulations and never affects a deal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.core.state import Ints, Position

MASK32 = np.uint64(0xFFFFFFFF)
SIGMA = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
#: Number of double rounds of ChaCha: six are twelve rounds, as in the random generators of several standard libraries.
#: Known attacks break far fewer rounds.
DOUBLE_ROUNDS = 6
#: Number of double rounds in RFC 8439, whose ChaCha has twenty rounds. Tests use it to compare `chacha_block` with the
#: RFC's examples.
RFC_DOUBLE_ROUNDS = 10
BLOCK_WORDS = 16


@rule
def add_uint32(a: Any, b: Any) -> Any:
    """Return a + b modulo 2**32."""
    return np.uint32((np.uint64(a) + np.uint64(b)) & MASK32)


@rule
def rotate_left(x: Any, n: int) -> Any:
    """Return the 32-bit word `x` rotated left by `n` bits."""
    # Converting to 32 bits at every step lets the compiler emit a single instruction.
    word = np.uint32(x)
    return np.uint32(word << np.uint32(n)) | np.uint32(word >> np.uint32(32 - n))


@rule
def quarter_round(a: Any, b: Any, c: Any, d: Any) -> Any:
    """Return the four words that a ChaCha quarter round (RFC 8439, 2.1) makes of the words a, b, c and d."""
    a = add_uint32(a, b)
    d = rotate_left(d ^ a, 16)
    c = add_uint32(c, d)
    b = rotate_left(b ^ c, 12)
    a = add_uint32(a, b)
    d = rotate_left(d ^ a, 8)
    c = add_uint32(c, d)
    b = rotate_left(b ^ c, 7)
    return a, b, c, d


@rule
def chacha_block(
    words: NDArray[np.uint32], at: int, counter: int, nonce: int, out: NDArray[np.uint32], double_rounds: int
) -> None:
    """Write the 16 words of one ChaCha block (RFC 8439, 2.3) into `out`.

    * The key is the eight words ``words[at : at + 8]``.
    * `counter`: the number of the block.
    * `nonce`: the first word of the cipher's nonce. The other two words of the nonce are zero.
    * `double_rounds`: the number of double rounds, which is `DOUBLE_ROUNDS` for every deal.
    """
    s0, s1, s2, s3 = np.uint32(SIGMA[0]), np.uint32(SIGMA[1]), np.uint32(SIGMA[2]), np.uint32(SIGMA[3])
    k0, k1, k2, k3 = words[at], words[at + 1], words[at + 2], words[at + 3]
    k4, k5, k6, k7 = words[at + 4], words[at + 5], words[at + 6], words[at + 7]
    s12, s13 = np.uint32(counter), np.uint32(nonce)
    x0, x1, x2, x3 = s0, s1, s2, s3
    x4, x5, x6, x7 = k0, k1, k2, k3
    x8, x9, x10, x11 = k4, k5, k6, k7
    x12, x13, x14, x15 = s12, s13, np.uint32(0), np.uint32(0)
    for _ in range(double_rounds):
        x0, x4, x8, x12 = quarter_round(x0, x4, x8, x12)
        x1, x5, x9, x13 = quarter_round(x1, x5, x9, x13)
        x2, x6, x10, x14 = quarter_round(x2, x6, x10, x14)
        x3, x7, x11, x15 = quarter_round(x3, x7, x11, x15)
        x0, x5, x10, x15 = quarter_round(x0, x5, x10, x15)
        x1, x6, x11, x12 = quarter_round(x1, x6, x11, x12)
        x2, x7, x8, x13 = quarter_round(x2, x7, x8, x13)
        x3, x4, x9, x14 = quarter_round(x3, x4, x9, x14)
    out[0], out[1], out[2], out[3] = add_uint32(x0, s0), add_uint32(x1, s1), add_uint32(x2, s2), add_uint32(x3, s3)
    out[4], out[5], out[6], out[7] = add_uint32(x4, k0), add_uint32(x5, k1), add_uint32(x6, k2), add_uint32(x7, k3)
    out[8], out[9], out[10], out[11] = add_uint32(x8, k4), add_uint32(x9, k5), add_uint32(x10, k6), add_uint32(x11, k7)
    out[12], out[13], out[14], out[15] = add_uint32(x12, s12), add_uint32(x13, s13), x14, x15


#: Indexes into a generator, which is an array of 32-bit words:
#:
#: * 0 to 15: the current block of random words.
#: * 16 to 23, from `_KEY` on: the key.
#: * 24, `_NONCE`: the nonce.
#: * 25, `_COUNTER`: the counter of the next block.
#: * 26, `_USED`: how many words of the current block are used up.
_KEY = BLOCK_WORDS
_NONCE = BLOCK_WORDS + 8
_COUNTER = BLOCK_WORDS + 9
_USED = BLOCK_WORDS + 10
GENERATOR_WORDS = BLOCK_WORDS + 11
WORD = 1 << 32
LOW = WORD - 1
#: Number of cards that `shuffle` draws with one random 32-bit word. It gets at most 256 cards, so three draws have at
#: most 256 * 255 * 254 outcomes. These are fewer than the 2**32 values of a word.
DRAWS_PER_WORD = 3


@rule
def generator(key: NDArray[np.uint32], stream: int) -> NDArray[np.uint32]:
    """Return a new random number generator. Its numbers are the output of the cipher ChaCha for a key and a nonce.

    * `key`: the key of the cipher, as eight 32-bit words.
    * `stream`: the nonce of the cipher, an integer. Generators with the same key and different nonces are independent.

    A generator is an array of `GENERATOR_WORDS` 32-bit words. The functions that draw random numbers change it in
    place.
    """
    g = np.empty(GENERATOR_WORDS, np.uint32)
    for i in range(8):
        g[_KEY + i] = key[i]
    g[_NONCE] = stream
    g[_COUNTER] = 0
    g[_USED] = BLOCK_WORDS
    return g


@rule
def refill(g: NDArray[np.uint32]) -> None:
    """Replace the used-up block of the generator `g` by the next 16 random words."""
    chacha_block(g, _KEY, g[_COUNTER], g[_NONCE], g, DOUBLE_ROUNDS)
    g[_COUNTER] += np.uint32(1)


@rule
def next_word(g: NDArray[np.uint32]) -> int:
    """Return the next 32 random bits of the generator `g`."""
    # Numba would turn a mix of unsigned and signed integers into a float, so all numbers here are signed 64-bit.
    used = np.int64(g[_USED])
    if used == BLOCK_WORDS:
        refill(g)
        used = np.int64(0)
    g[_USED] = used + 1
    return np.int64(g[used])  # type: ignore[return-value]


@rule
def random_below(g: NDArray[np.uint32], n: int) -> int:
    """Return a random integer in [0, n) from the generator `g`, without bias; n is at most 2**31.

    The method is Lemire's (2019), for 32-bit words.
    """
    product = next_word(g) * n
    if product & LOW < n:
        threshold = WORD % n
        while product & LOW < threshold:
            product = next_word(g) * n
    return product >> 32


@rule
def shuffle(g: NDArray[np.uint32], cards: Ints, first: int, end: int, shuffled_end: int) -> None:
    """Move a random selection of cards[first:end], in random order, to cards[first:shuffled_end] (Fisher–Yates).

    If `shuffled_end` equals `end`, all these cards are shuffled. A smaller `shuffled_end` saves time if only the cards
    before it will be dealt. At most 256 cards are allowed. `g` is a random number generator (`generator`).

    One random word gives three draws without bias, because each draw uses the part of the word that the previous draw
    left unused (Brackett-Rozinsky and Lemire 2024).
    """
    i = first
    used = np.int64(g[_USED])
    while i < shuffled_end:
        if used == BLOCK_WORDS:
            refill(g)
            used = np.int64(0)
        left = end - i
        left2 = left - 1 if i + 1 < shuffled_end else 1
        left3 = left - 2 if i + 2 < shuffled_end else 1
        draw = np.int64(g[np.uint64(used)]) * left
        used += 1
        draw2 = (draw & LOW) * left2
        draw3 = (draw2 & LOW) * left3
        ways = left * left2 * left3
        if draw3 & LOW < ways and draw3 & LOW < WORD % ways:
            continue
        # The swaps are inlined because a call would cost more than the draw, and unsigned indexes avoid the check for
        # negative ones.
        here, there = np.uint64(i), np.uint64(i + (draw >> 32))
        cards[here], cards[there] = cards[there], cards[here]
        if i + 1 < shuffled_end:
            here, there = np.uint64(i + 1), np.uint64(i + 1 + (draw2 >> 32))
            cards[here], cards[there] = cards[there], cards[here]
        if i + 2 < shuffled_end:
            here, there = np.uint64(i + 2), np.uint64(i + 2 + (draw3 >> 32))
            cards[here], cards[there] = cards[there], cards[here]
        i += DRAWS_PER_WORD
    g[_USED] = used


@rule
def given_or_random_seat(s: Position, first: int) -> int:
    """Return `first` if it is a seat, or a random seat if it is negative.

    In both cases `s.stream` goes up by one, so that later shuffles do not depend on `first`.
    """
    seat = first
    if seat < 0:
        seat = random_below(generator(s.key, s.stream), s.seats)
    s.stream += 1
    return seat


@rule
def stack_deck(cards: Ints, n: int, deck: NDArray[np.int64]) -> int:
    """Move the cards that `deck` lists to the front of cards[:n], in the order of `deck`. Return ``len(deck)``.

    cards[:n] must contain every card of `deck`. `match.check_deck_contains_listed_cards` has checked this.
    """
    for i in range(len(deck)):
        for j in range(i, n):
            if cards[j] == deck[i]:
                cards[j] = cards[i]
                cards[i] = deck[i]
                break
    return len(deck)


# --- fast random number generator for simulations --------------------------------------------------------------------

_MWC = np.uint64(4294957665)


@rule
def quick_generator(key: NDArray[np.uint32], stream: int) -> NDArray[np.uint64]:
    """Return the state of a new fast random number generator for simulations: an array of one 64-bit word.

    The generator is Marsaglia's multiply-with-carry generator. Its seed is taken from the output of the cipher ChaCha
    for the key `key` (eight 32-bit words) and the nonce `stream` (an integer). So equal arguments give equal
    generators, and different nonces give independent ones.
    """
    words = np.empty(BLOCK_WORDS, np.uint32)
    chacha_block(key, 0, 0, stream, words, DOUBLE_ROUNDS)
    q = np.empty(1, np.uint64)
    init_quick(q, words, 0)
    return q


@rule
def init_quick(q: NDArray[np.uint64], words: NDArray[np.uint32], at: int) -> None:
    """Seed a fast random number generator with the random 32-bit words ``words[at]`` and ``words[at + 1]``.

    `q` is the array in which the state of the generator is stored (`quick_generator`).
    """
    q[0] = (np.uint64(words[at]) << np.uint64(32)) | np.uint64(words[at + 1]) | np.uint64(1)


@rule
def quick_randint(q: NDArray[np.uint64], n: int) -> int:
    """Return a random integer in [0, n); the bias is below n / 2**32.

    `q` is the state of a fast random number generator (`quick_generator`).
    """
    state = q[0]
    low = state & MASK32
    high = state >> np.uint64(32)
    q[0] = low * _MWC + high
    return np.int64(((low ^ high) * np.uint64(n)) >> np.uint64(32))  # type: ignore[return-value]


@rule
def fork_quick(q: NDArray[np.uint64]) -> np.uint64:
    """Draw a random state for another fast random number generator, and return it.

    `q` is the state of the generator from which it is drawn (`quick_generator`). Simulations that start with the same
    state get the same random numbers.
    """
    return np.uint64(quick_randint(q, 1 << 31)) << np.uint64(32) | np.uint64(quick_randint(q, 1 << 31) | 1)


def key_of(seed: bytes) -> NDArray[np.uint32]:
    """Return the 256-bit key of a 32-byte seed as eight little-endian words; `ValueError` for any other length."""
    if len(seed) != 32:
        raise ValueError(f"a seed must have 32 bytes, not {len(seed)}")
    return np.frombuffer(seed, dtype="<u4").astype(np.uint32)
