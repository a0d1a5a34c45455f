"""The legal actions for hands of any size, compared with a plain implementation of the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from facedown.core.match import Match
from facedown.core.state import cast_record
from facedown.games.scout.info import KINDS, PAIRS, TURNED, card_word, is_in_full_deck
from facedown.games.scout.legal_actions import PLACES, Act
from facedown.games.scout.state import MAX_HAND, MAX_SET, ScoutPosition, slot_of_discard_or_table_card
from tests.games.scout.positions import active_numbers, hand_numbers, pose

#: Positions for each size of a hand.
POSITION_COUNT = 60


def set_strength(ups: Sequence[int]) -> tuple[int, bool, int]:
    """Return the strength of a set: more cards, then match before run, then the higher lowest number (SCT-3).

    Cards that are no set have no strength (rules 5.4).
    """
    ways = {right - left for left, right in pairwise(ups)}
    if not ups or len(ways) > 1 or not ways <= {-1, 0, 1}:
        return 0, False, 0
    return len(ups), ways == {0}, min(ups)


def shows_that_beat(hand: Sequence[int], beat: tuple[int, bool, int]) -> Iterator[int]:
    """Yield the Shows of a hand that beat a set."""
    for place in range(len(hand)):
        for cards in range(1, min(MAX_SET, len(hand) - place) + 1):
            if set_strength(hand[place : place + cards]) > beat:
                yield Act.SHOW + place * MAX_SET + cards - 1


def all_legal(hand: Sequence[int], active: Sequence[int], ends: Sequence[tuple[int, int]], marker: bool) -> list[int]:
    """Return every legal action of a hand; `ends` are the leftmost and the rightmost card, each as it is and turned."""
    found = list(shows_that_beat(hand, set_strength(active)))
    plain, both = [], []
    # A single card counts as the left one (SCT-1).
    for way in range(0 if not active else 2 if len(active) == 1 else 4):
        left = active[1:] if way < 2 else active[:-1]
        for place in range(len(hand) + 1):
            more = [*hand[:place], ends[way // 2][way % 2], *hand[place:]]
            plain.append(Act.SCOUT + way * PLACES + place)
            if marker and list(shows_that_beat(more, set_strength(left))):
                both.append(Act.SCOUT_AND_SHOW + way * PLACES + place)
    return [*found, *plain, *both]


def random_row(lot: random.Random, kinds: list[int], cards: int) -> list[str]:
    """Take cards out of `kinds` for a hand; most of them continue a set."""
    row: list[tuple[int, int]] = []
    while len(row) < cards:
        step, last = lot.choice((-1, 0, 1)), PAIRS[row[-1][0]][row[-1][1]] if row else 0
        ways = [(kind, way) for kind in kinds for way in range(2)]
        fitting = [one for one in ways if PAIRS[one[0]][one[1]] == last + step]
        row.append(lot.choice(fitting if fitting and lot.random() < 0.7 else ways))
        kinds.remove(row[-1][0])
    return [card_word(kind + TURNED * way) for kind, way in row]


def random_set(lot: random.Random, kinds: list[int]) -> list[str]:
    """Take cards out of `kinds` for an Active Set, or none."""
    number, step, row = lot.randint(1, 10), lot.choice((-1, 0, 0, 1)), []
    for _ in range(lot.choice((0, 1, 1, 2, 3, 4))):
        fitting = [(kind, PAIRS[kind].index(number)) for kind in kinds if number in PAIRS[kind]]
        if fitting:
            kind, way = lot.choice(fitting)
            kinds.remove(kind)
            row.append(card_word(kind + TURNED * way))
            number += step
    return row


def random_position(lot: random.Random, cards: int) -> Match:
    """Return a position of four players whose second player has `cards` cards and is to act."""
    kinds = [kind for kind in range(KINDS) if is_in_full_deck(4, kind)]
    active = random_set(lot, kinds) if cards + 7 <= MAX_HAND + 3 else []
    hands = [random_row(lot, kinds, size) for size in (1, cards, 1, 1)]
    m = pose([" ".join(hand) for hand in hands], " ".join(active), 0, 1)
    cast_record(m.state, ScoutPosition).marker[1] = lot.randrange(2)
    return m


@pytest.mark.parametrize("cards", [1, 2, 7, 8, 11, 15, 16, 17, 31, 33, MAX_HAND])
def test_legal_actions_equal_those_of_a_plain_implementation_of_the_rules(cards: int, seed: int) -> None:
    lot = random.Random(seed)
    for _ in range(POSITION_COUNT):
        m = random_position(lot, cards)
        s = cast_record(m.state, ScoutPosition)
        hand = [int(up) for up in hand_numbers(m, 1).split()]
        active = [int(up) for up in active_numbers(m).split()]
        lie = [
            (s.card[slot], s.flip[slot])
            for slot in (
                slot_of_discard_or_table_card(s.out),
                slot_of_discard_or_table_card(s.out + max(s.active, 1) - 1),
            )
        ]
        ends = [(PAIRS[kind][way], PAIRS[kind][1 - way]) for kind, way in lie] if active else []
        assert m.legal(1) == all_legal(hand, active, ends, bool(s.marker[1]))
