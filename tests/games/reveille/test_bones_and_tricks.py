"""The bones of Reveille under every contract: suits, ranks, tricks and points."""

from __future__ import annotations

import pytest

from facedown.games.reveille.cards import (
    BONES,
    COUNTER_POINTS,
    DOUBLES,
    NELLO,
    NO_CONTRACT,
    NUMBERS,
    bone_name,
    bone_named,
    is_in_suit,
    led_suit,
    rank,
    reply_wins,
    trick_points,
)


def suit_bones(contract: int, suit: int) -> str:
    """Return the bones of a suit by rank, highest first."""
    inside = [x for x in range(BONES) if is_in_suit(contract, x, suit)]
    return " ".join(bone_name(x) for x in sorted(inside, key=lambda x: -rank(x, suit)))


def test_bones_of_a_suit_are_ranked_according_to_the_contract() -> None:
    assert suit_bones(3, 3) == "33 63 53 43 32 31 30"
    assert suit_bones(3, 5) == "55 65 54 52 51 50"
    assert suit_bones(NELLO, DOUBLES) == "66 55 44 33 22 11 00"
    assert suit_bones(NELLO, 6) == "65 64 63 62 61 60"
    assert suit_bones(NO_CONTRACT, 2) == "22 62 52 42 32 21 20"


#: By contract: a lead, the replies that win, and the replies that lose.
TRICKS = [
    (3, "65", "30 66", ""),
    (3, "44", "30", ""),
    (3, "63", "33", ""),
    (3, "33", "", "63"),
    (3, "53", "", "43 55 54 66"),
    (6, "54", "55", "50"),
    (0, "54", "65", ""),
    (4, "00", "", "50"),
    (NO_CONTRACT, "53", "65 54 55", "66 43"),
    (NO_CONTRACT, "60", "66", ""),
    (NO_CONTRACT, "22", "", "62"),
    (NO_CONTRACT, "10", "61", "00"),
    (NO_CONTRACT, "43", "44", ""),
    (NELLO, "66", "", "22"),
    (NELLO, "00", "11", ""),
    (NELLO, "10", "", "66"),
]


@pytest.mark.parametrize(("contract", "lead", "winning", "losing"), TRICKS)
def test_whether_a_reply_wins_the_trick_depends_on_its_suit_its_rank_and_trumps(
    contract: int, lead: str, winning: str, losing: str
) -> None:
    for reply in (*winning.split(), *losing.split()):
        assert reply_wins(contract, bone_named(lead), bone_named(reply)) == (reply in winning.split())


@pytest.mark.parametrize(
    ("lead", "reply", "points"),
    [("66", "50", 6), ("55", "51", 11), ("64", "43", 11), ("32", "54", 6), ("55", "64", 21), ("00", "10", 1)],
)
def test_a_trick_is_worth_one_point_plus_the_points_of_its_counting_bones(lead: str, reply: str, points: int) -> None:
    assert trick_points(bone_named(lead), bone_named(reply)) == points


def test_a_bone_named_by_its_two_ends_in_either_order_has_the_same_bone_number() -> None:
    assert [bone_named(f"{a}{b}") for a in range(NUMBERS) for b in range(a + 1)] == list(range(BONES))
    for x in range(BONES):
        name = bone_name(x)
        assert bone_named(name) == bone_named(name[::-1]) == x
    assert sum(COUNTER_POINTS) == 35
    for wrong in ("", "6", "67", "666", "a1", "٣٣"):
        with pytest.raises(ValueError, match="not a bone"):
            bone_named(wrong)


def test_the_first_bone_of_a_trick_belongs_to_the_suit_that_must_be_followed() -> None:
    for contract in range(NO_CONTRACT + 1):
        for x in range(BONES):
            assert is_in_suit(contract, x, led_suit(contract, x))
            assert rank(x, led_suit(contract, x)) >= 0
