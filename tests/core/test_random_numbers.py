"""The random number generator: test vectors of RFC 8439, unbiased bounds, shuffles, streams."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from numpy.typing import NDArray

from facedown.core.random_numbers import (
    RFC_DOUBLE_ROUNDS,
    WORD,
    chacha_block,
    generator,
    key_of,
    next_word,
    quick_generator,
    quick_randint,
    random_below,
    shuffle,
    stack_deck,
)
from facedown.core.rule import python_function

KEY = key_of(bytes(range(32)))


def test_chacha_block_equals_test_vectors_of_rfc_8439() -> None:
    """RFC 8439, section 2.3.2 is not used: its nonce 00:00:00:09:00:00:00:4a:00:00:00:00 has a second word that is not
    0.

    In 2.4.2 and A.1 that word is 0.
    """
    zero = np.zeros(8, np.uint32)
    out = np.zeros(16, np.uint32)
    chacha_block(zero, 0, 0, 0, out, RFC_DOUBLE_ROUNDS)  # A.1, vector 1
    assert out.astype("<u4").tobytes().hex() == (
        "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
        "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"
    )
    chacha_block(zero, 0, 1, 0, out, RFC_DOUBLE_ROUNDS)  # A.1, vector 2
    second = "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed"
    assert out.astype("<u4").tobytes().hex().startswith(second)


def test_interpreted_and_compiled_chacha_block_are_equal() -> None:
    for rounds in (6, 10):
        for counter, nonce in ((0, 0), (1, 7), (2**32 - 1, 2**32 - 1)):
            a, b = np.zeros(16, np.uint32), np.zeros(16, np.uint32)
            chacha_block(KEY, 0, counter, nonce, a, rounds)
            python_function(chacha_block)(KEY, 0, counter, nonce, b, rounds)
            assert (a == b).all()


def test_random_streams_of_one_key_are_equal_for_equal_stream_numbers_and_differ_otherwise() -> None:
    draws = [[next_word(g) for _ in range(100)] for g in (generator(KEY, 0), generator(KEY, 1), generator(KEY, 0))]
    assert draws[0] == draws[2] != draws[1]
    assert all(0 <= d < WORD for d in draws[0])


@pytest.mark.parametrize("n", [1, 2, 3, 7, 66, 150, 65536, 1 << 31])
def test_bounded_random_numbers_stay_in_range_and_are_uniform(n: int) -> None:
    g = generator(KEY, n)
    draws = [random_below(g, n) for _ in range(20_000)]
    assert 0 <= min(draws) <= max(draws) < n
    if n <= 150:
        expected = len(draws) / n
        chi2 = sum((count - expected) ** 2 / expected for count in Counter(draws).values())
        # The seed is fixed: a sum five standard deviations above the mean would show a broken generator.
        assert chi2 < n + 5 * math.sqrt(2 * n)


def generator_returning(*words: int) -> NDArray[np.uint32]:
    g = generator(KEY, 0)
    next_word(g)
    for i, word in enumerate(words, 1):
        g[i] = word
    return g


def test_bounded_random_numbers_skip_random_words_that_would_bias_the_result() -> None:
    """The first 2**32 mod n words of 2**32 would bias the result, so they are skipped."""
    assert WORD % 3 == 1
    assert random_below(generator_returning(0, WORD - 1), 3) == 2, "the word 0 is thrown away"
    assert random_below(generator_returning(1, WORD - 1), 3) == 0
    n = (1 << 31) - 1
    assert WORD % n == 2
    assert random_below(generator_returning(0, 7 << 20), n) == (7 << 20) * n >> 32


def test_shuffle_uses_one_32_bit_random_word_to_choose_three_card_positions() -> None:
    """The word selects one of 7 * 6 * 5 equal parts; the part's number, in mixed radix, holds the three positions."""
    ways = 7 * 6 * 5
    for part in (0, 1, 6, 100, ways - 1):
        word = -(-part * WORD // ways) + 3
        cards = np.arange(7, dtype=np.uint8)
        shuffle(generator_returning(word), cards, 0, 7, 3)
        plain = list(range(7))
        for i, draw in enumerate((part // 30, part // 5 % 6, part % 5)):
            plain[i], plain[i + draw] = plain[i + draw], plain[i]
        assert cards.tolist() == plain


def test_shuffle_skips_random_words_that_would_bias_the_result() -> None:
    ways = 150 * 149 * 148
    assert WORD % ways > 0
    first, second = np.arange(150, dtype=np.uint8), np.arange(150, dtype=np.uint8)
    shuffle(generator_returning(0, 12345), first, 0, 150, 3)
    shuffle(generator_returning(12345), second, 0, 150, 3)
    assert first.tolist() == second.tolist(), "the word 0 is thrown away"


@pytest.mark.parametrize("stop", range(9))
def test_shuffle_of_any_length_keeps_the_same_cards(stop: int) -> None:
    cards = np.arange(8, dtype=np.uint8)
    shuffle(generator(KEY, stop), cards, 0, 8, min(stop, 8))
    assert sorted(cards.tolist()) == list(range(8))


def test_shuffle_gives_all_orders_of_four_cards_equally_often() -> None:
    g = generator(KEY, 9)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(24_000):
        cards = np.arange(4, dtype=np.uint8)
        shuffle(g, cards, 0, 4, 4)
        seen[tuple(cards.tolist())] += 1
    assert len(seen) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in seen.values()) < 23 + 5 * math.sqrt(46)


def test_partial_shuffle_puts_any_card_of_the_deck_in_front_about_equally_often() -> None:
    g, firsts = generator(KEY, 10), Counter[int]()
    for _ in range(5_000):
        cards = np.arange(10, dtype=np.uint8)
        shuffle(g, cards, 0, 10, 3)
        assert sorted(cards.tolist()) == list(range(10))
        firsts.update(cards[:3].tolist())
    assert min(firsts.values()) > 1300


def test_function_stack_deck_moves_the_given_cards_to_the_front_of_the_deck() -> None:
    cards = np.array([5, 5, 6, 7, 8], np.uint8)
    assert stack_deck(cards, 5, np.array([8, 5, 5], np.uint8)) == 3
    assert cards[:3].tolist() == [8, 5, 5]
    assert sorted(cards.tolist()) == [5, 5, 6, 7, 8]


def test_key_from_a_seed_of_other_than_32_bytes_raises_an_error() -> None:
    with pytest.raises(ValueError, match="32 bytes, not 5"):
        key_of(b"short")


def test_the_quick_random_number_generator_is_roughly_uniform() -> None:
    q = quick_generator(KEY, 1)
    counts = Counter(quick_randint(q, 13) for _ in range(26_000))
    assert len(counts) == 13
    assert min(counts.values()) > 1750
