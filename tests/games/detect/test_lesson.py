"""Detect's first lesson: it can be played, its sentences name the cards that lie there, and each step pays off."""

from __future__ import annotations

import re

import pytest

from facedown.core.language import languages
from facedown.core.table import Choice, Table, TouchStep
from tests.games.lesson_reader import asked, learn

LANGUAGES = tuple(languages())
OPEN, DRAW, KEEP, THROW, THREE, LAST = range(6)


def number_at(table: Table, place: str) -> int | None:
    """The number that lies open at a place; None for a back."""
    piece = next(piece for zone in table.zones for piece in zone.pieces if piece.place == place)
    return int(piece.face) if piece.kind == "face" else None


def touched(step: TouchStep) -> list[Choice]:
    return [choice for choice, _step in asked(step)]


def numbers_in(text: str) -> list[int]:
    """The numbers that a sentence says in digits."""
    return [int(word.replace("−", "-")) for word in re.findall(r"−?\d+", text)]


def mine(table: Table) -> int:
    """What the learner's open cards come to."""
    return next(panel.shows or 0 for panel in table.seats if panel.you)


@pytest.mark.parametrize("code", LANGUAGES)
def test_five_things_are_learnt_in_a_few_touches(code: str) -> None:
    found = learn("detect", code)
    assert len(found.headings) == 5
    assert len(found.steps) == 6
    assert sum(len(touched(found.table(at).step)) for at in range(6)) <= 10
    assert len(found.learnt) == 3
    for step in found.steps:
        assert len(step.says) <= 80
        assert len(step.why) <= 100
        for said in (step.says, step.why, step.wrong, *step.then, *step.touches.values()):
            assert said.endswith(".")


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_cards_that_are_named_are_those_that_lie_there(code: str) -> None:
    found = learn("detect", code)
    assert [choice.touch for choice in touched(found.table(OPEN).step)] == ["p0-a1", "p0-c2", "turn-two"]

    table = found.table(DRAW)
    assert numbers_in(found.steps[DRAW].why) == [number_at(table, "p0-a1")] == [12]
    assert numbers_in(found.steps[DRAW].touches["discard"]) == [number_at(table, "discard")] == [6]

    table = found.table(KEEP)
    assert touched(table.step)[0].touch == "p0-a1"
    assert numbers_in(table.step.prompt) == [number_at(table, "p0-a1"), number_at(table, "drawn")] == [12, 1]
    assert mine(table) - mine(found.matches[KEEP + 1].table(0, found.sitters)) == 11

    table = found.table(THROW)
    thrown, turned = touched(table.step)
    assert thrown.touch == "discard"
    assert numbers_in(table.step.prompt) == [number_at(table, "drawn")] == [11]
    assert thrown.then is not None
    # "The card above your 5": one row up in its column.
    assert numbers_in(thrown.then.prompt) == [number_at(table, "p0-c2")] == [5]
    assert turned.touch == "p0-c1"
    assert number_at(table, "p0-c1") is None

    table = found.table(THREE)
    taken, laid = touched(table.step)
    assert taken.touch == "discard"
    assert numbers_in(table.step.prompt) == [number_at(table, "discard")] == [5]
    assert number_at(table, "p0-c1") == number_at(table, "p0-c2") == 5
    assert laid.touch == "p0-c3"
    assert laid.says

    table = found.table(LAST)
    backs = [piece.place for zone in table.zones if zone.seat == 0 for piece in zone.pieces if piece.kind == "back"]
    assert [choice.touch for choice in touched(table.step)] == backs == ["p0-d3"]
    assert numbers_in(table.step.prompt) == [number_at(table, "drawn")] == [0]
    juniper = next(panel for panel in table.seats if not panel.you)
    assert numbers_in(table.step.help) == [mine(table), juniper.shows] == [13, 17]
    hidden = [piece for zone in table.zones if zone.seat == 1 for piece in zone.pieces if piece.kind == "back"]
    assert len(hidden) == 4


def test_it_ends_with_the_fewest_points_and_both_grids_on_the_table() -> None:
    found = learn("detect", "en")
    end = found.table(len(found.steps))
    assert end.phase == "scoring"
    assert [row.points for row in end.scores] == [13, 32]
    assert end.step.prompt == "Now you know the basics."
    assert not end.step.choices
    counted = sum(1 for zone in end.zones if zone.kind == "grid" for piece in zone.pieces if piece.kind == "face")
    assert counted == 9 + 12
