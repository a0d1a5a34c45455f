"""Randomness: ChaCha for every deal, and a quick generator for playouts.

A deal must not be predictable from seen cards, so shuffles expand a 256-bit key. Each shuffle uses a *stream* of its
own (the nonce), so that how many words an earlier shuffle rejected never matters, and cannot be seen.
The quick generator only chooses moves in simulations; it never touches a deal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.core.state import Ints, Position

MASK32 = np.uint64(0xFFFFFFFF)
SIGMA = (0x61707865, 0x3320646E, 0x79622D32, 0x6B206574)
#: Twelve rounds, as the generators of several standard libraries have: well beyond what any known attack reaches.
DOUBLE_ROUNDS = 6
#: The twenty rounds of RFC 8439, whose test vectors `chacha_block` is held against.
RFC_DOUBLE_ROUNDS = 10
BLOCK_WORDS = 16


@rule
def add32(a: Any, b: Any) -> Any:
    """a + b modulo 2**32."""
    return np.uint32((np.uint64(a) + np.uint64(b)) & MASK32)


@rule
def rotate(x: Any, n: int) -> Any:
    """`x` rotated left by `n` bits."""
    # Cast at every step, so that the compiler sees that it is one instruction.
    word = np.uint32(x)
    return np.uint32(word << np.uint32(n)) | np.uint32(word >> np.uint32(32 - n))


@rule
def quarter(a: Any, b: Any, c: Any, d: Any) -> Any:
    """A quarter round of ChaCha (RFC 8439, 2.1)."""
    a = add32(a, b)
    d = rotate(d ^ a, 16)
    c = add32(c, d)
    b = rotate(b ^ c, 12)
    a = add32(a, b)
    d = rotate(d ^ a, 8)
    c = add32(c, d)
    b = rotate(b ^ c, 7)
    return a, b, c, d


@rule
def chacha_block(
    words: NDArray[np.uint32], at: int, counter: int, nonce: int, out: NDArray[np.uint32], double_rounds: int
) -> None:
    """Write the 16 words of one ChaCha block (RFC 8439, 2.3) into `out`; the nonce's other two words are zero.

    The key is words[at : at + 8], so that no slice has to be made of an array that holds more.
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
        x0, x4, x8, x12 = quarter(x0, x4, x8, x12)
        x1, x5, x9, x13 = quarter(x1, x5, x9, x13)
        x2, x6, x10, x14 = quarter(x2, x6, x10, x14)
        x3, x7, x11, x15 = quarter(x3, x7, x11, x15)
        x0, x5, x10, x15 = quarter(x0, x5, x10, x15)
        x1, x6, x11, x12 = quarter(x1, x6, x11, x12)
        x2, x7, x8, x13 = quarter(x2, x7, x8, x13)
        x3, x4, x9, x14 = quarter(x3, x4, x9, x14)
    out[0], out[1], out[2], out[3] = add32(x0, s0), add32(x1, s1), add32(x2, s2), add32(x3, s3)
    out[4], out[5], out[6], out[7] = add32(x4, k0), add32(x5, k1), add32(x6, k2), add32(x7, k3)
    out[8], out[9], out[10], out[11] = add32(x8, k4), add32(x9, k5), add32(x10, k6), add32(x11, k7)
    out[12], out[13], out[14], out[15] = add32(x12, s12), add32(x13, s13), x14, x15


#: A generator is an array of words: a block, the key, the nonce, the next block's counter, how many words of the block
#: are used.
_KEY = BLOCK_WORDS
_NONCE = BLOCK_WORDS + 8
_COUNTER = BLOCK_WORDS + 9
_USED = BLOCK_WORDS + 10
GENERATOR_WORDS = BLOCK_WORDS + 11
WORD = 1 << 32
LOW = WORD - 1
#: A shuffle makes so many draws of one word: the word is cut into 256 * 255 * 254 parts or fewer.
DRAWS_PER_WORD = 3


@rule
def generator(key: NDArray[np.uint32], stream: int) -> NDArray[np.uint32]:
    """A fresh generator for stream number `stream` of a key of eight words: an array of `GENERATOR_WORDS` words."""
    g = np.empty(GENERATOR_WORDS, np.uint32)
    for i in range(8):
        g[_KEY + i] = key[i]
    g[_NONCE] = stream
    g[_COUNTER] = 0
    g[_USED] = BLOCK_WORDS
    return g


@rule
def refill(g: NDArray[np.uint32]) -> None:
    """Fill the block of the generator `g` anew."""
    chacha_block(g, _KEY, g[_COUNTER], g[_NONCE], g, DOUBLE_ROUNDS)
    g[_COUNTER] += np.uint32(1)


@rule
def next_word(g: NDArray[np.uint32]) -> int:
    """The next 32 random bits of the generator `g`."""
    # Signed 64-bit throughout: Numba would make a float of unsigned and signed together.
    used = np.int64(g[_USED])
    if used == BLOCK_WORDS:
        refill(g)
        used = np.int64(0)
    g[_USED] = used + 1
    return np.int64(g[used])  # type: ignore[return-value]


@rule
def below(g: NDArray[np.uint32], n: int) -> int:
    """A random integer of the generator `g` in [0, n), n at most 2**31, without bias (Lemire 2019, 32-bit words)."""
    product = next_word(g) * n
    if product & LOW < n:
        threshold = WORD % n
        while product & LOW < threshold:
            product = next_word(g) * n
    return product >> 32


@rule
def shuffle(g: NDArray[np.uint32], cards: Ints, first: int, end: int, stop: int) -> None:
    """Put a uniformly random choice of cards[first:end], in random order, into cards[first:stop] (Fisher–Yates).

    With ``stop == end`` all of them are shuffled; a smaller `stop` shuffles only as many as will ever be dealt.
    Three draws are made of each random word, without bias: what the first leaves of it serves the second
    (Brackett-Rozinsky and Lemire 2024). There are at most 256 cards; `g` is the generator (`generator`).
    """
    i = first
    used = np.int64(g[_USED])
    while i < stop:
        if used == BLOCK_WORDS:
            refill(g)
            used = np.int64(0)
        left = end - i
        left2 = left - 1 if i + 1 < stop else 1
        left3 = left - 2 if i + 2 < stop else 1
        draw = np.int64(g[np.uint64(used)]) * left
        used += 1
        draw2 = (draw & LOW) * left2
        draw3 = (draw2 & LOW) * left3
        ways = left * left2 * left3
        if draw3 & LOW < ways and draw3 & LOW < WORD % ways:
            continue
        # Written out: a call a card would cost more than the draw. Unsigned places are no counts from the end.
        here, there = np.uint64(i), np.uint64(i + (draw >> 32))
        cards[here], cards[there] = cards[there], cards[here]
        if i + 1 < stop:
            here, there = np.uint64(i + 1), np.uint64(i + 1 + (draw2 >> 32))
            cards[here], cards[there] = cards[there], cards[here]
        if i + 2 < stop:
            here, there = np.uint64(i + 2), np.uint64(i + 2 + (draw3 >> 32))
            cards[here], cards[there] = cards[there], cards[here]
        i += DRAWS_PER_WORD
    g[_USED] = used


@rule
def seat_by_chance(s: Position, first: int) -> int:
    """The seat that is named `first`, or below 0 a random one; a stream of the key is used up in any case."""
    seat = first
    if seat < 0:
        seat = below(generator(s.key, s.stream), s.seats)
    s.stream += 1
    return seat


@rule
def stack_deck(cards: Ints, n: int, deck: NDArray[np.int64]) -> int:
    """Bring the cards of an explicit deal to the front of cards[:n], in order; return how many there are.

    The deal must be part of the deck (`match.check_deal` sees to it).
    """
    for i in range(len(deck)):
        for j in range(i, n):
            if cards[j] == deck[i]:
                cards[j] = cards[i]
                cards[i] = deck[i]
                break
    return len(deck)


# --- the quick generator -------------------------------------------------------------------------------------------

_MWC = np.uint64(4294957665)


@rule
def quick_generator(key: NDArray[np.uint32], stream: int) -> NDArray[np.uint64]:
    """A quick generator for simulations (Marsaglia's multiply-with-carry): an array of one word, seeded from a key."""
    words = np.empty(BLOCK_WORDS, np.uint32)
    chacha_block(key, 0, 0, stream, words, DOUBLE_ROUNDS)
    q = np.empty(1, np.uint64)
    seed_quick_generator(q, words, 0)
    return q


@rule
def seed_quick_generator(q: NDArray[np.uint64], words: NDArray[np.uint32], at: int) -> None:
    """Start the quick generator `q` (`quick_generator`) from the two random words at words[at]."""
    q[0] = (np.uint64(words[at]) << np.uint64(32)) | np.uint64(words[at + 1]) | np.uint64(1)


@rule
def quick_below(q: NDArray[np.uint64], n: int) -> int:
    """A random integer in [0, n) of the quick generator `q`; the bias is below n / 2**32."""
    state = q[0]
    low = state & MASK32
    high = state >> np.uint64(32)
    q[0] = low * _MWC + high
    return np.int64(((low ^ high) * np.uint64(n)) >> np.uint64(32))  # type: ignore[return-value]


@rule
def draw_quick_seed(q: NDArray[np.uint64]) -> np.uint64:
    """The word of another quick generator, drawn from `q`: what several trials share that are to have equal luck."""
    return np.uint64(quick_below(q, 1 << 31)) << np.uint64(32) | np.uint64(quick_below(q, 1 << 31) | 1)


def key_of(seed: bytes) -> NDArray[np.uint32]:
    """The 256-bit key of a 32-byte seed, as eight little-endian words; `ValueError` for a seed of another length."""
    if len(seed) != 32:
        raise ValueError(f"a seed has 32 bytes, not {len(seed)}")
    return np.frombuffer(seed, dtype="<u4").astype(np.uint32)
