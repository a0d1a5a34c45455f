"""What a hand holds, read in bits, against the same told card by card; hands of any size."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from facedown.core.match import Match
from facedown.core.state import copy
from facedown.games.scout.cards import KINDS, PAIRS
from facedown.games.scout.sets import PART, above, lowest, read, steps
from facedown.games.scout.state import MAX_HAND


@pytest.mark.parametrize("cards", [1, 2, 11, PART - 1, PART, PART + 1, 2 * PART - 1, MAX_HAND])
def test_a_hand_is_read_to_its_last_card(cards: int, seed: int) -> None:
    lot = random.Random(seed + cards)
    s = copy(Match("scout", 4, seed=bytes(32)).state)
    for low in range(11):
        first = lot.randrange(45 - cards)
        kinds = lot.sample(range(KINDS), cards)
        ways = [lot.randrange(2) for _ in kinds]
        for i, (kind, way) in enumerate(zip(kinds, ways, strict=True)):
            s.card[first + i], s.flip[first + i] = kind, way
        ups = [PAIRS[kind][way] for kind, way in zip(kinds, ways, strict=True)]
        ahead = [right - left for left, right in pairwise(ups)]
        masks = [sum((step == wanted) << place for place, step in enumerate(ahead)) for wanted in (0, 1, -1)]
        higher = sum((up > low) << place for place, up in enumerate(ups))
        hand = read(s, first, cards)
        assert (*steps(hand, cards), above(hand, low)) == (*masks, higher)


def test_the_lowest_bit() -> None:
    lot = random.Random(5)
    for place in range(62):
        for _ in range(5):
            assert lowest((lot.getrandbits(62) >> place << place | 1 << place) & (1 << 62) - 1) == place
