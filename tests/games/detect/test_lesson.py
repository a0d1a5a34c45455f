"""Detect's first lesson: it can be played, and its sentences name the cards on the table."""

from __future__ import annotations

import re

import pytest

from facedown.core.table import Choice, Table, TouchStep
from facedown.core.translation import languages
from tests.games.lesson_reader import lesson_touches, load_lesson

LANGUAGES = tuple(languages())
OPEN, DRAW, KEEP, THROW, THREE, LAST = range(6)


def number_at(table: Table, place: str) -> int | None:
    """Return the number of a face-up card at a place; None for a face-down one."""
    piece = next(piece for zone in table.zones for piece in zone.pieces if piece.place == place)
    return int(piece.face) if piece.kind == "face" else None


def touched_choices(step: TouchStep) -> list[Choice]:
    return [choice for choice, _step in lesson_touches(step)]


def numbers_in(text: str) -> list[int]:
    """Return the numbers in a sentence that are written in digits."""
    return [int(word.replace("−", "-")) for word in re.findall(r"−?\d+", text)]


def own_points(table: Table) -> int:
    """Return the sum of the learner's face-up cards."""
    return next(panel.shows or 0 for panel in table.seats if panel.you)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_detect_lesson_has_five_headings_short_texts_and_at_most_ten_taps(code: str) -> None:
    found = load_lesson("detect", code)
    assert len(found.headings) == 5
    assert len(found.steps) == 6
    assert sum(len(touched_choices(found.table(at).step)) for at in range(6)) <= 10
    assert len(found.learnt) == 3
    for step in found.steps:
        assert len(step.says) <= 80
        assert len(step.why) <= 100
        for said in (step.says, step.why, step.wrong, *step.then, *step.touches.values()):
            assert said.endswith(".")


@pytest.mark.parametrize("code", LANGUAGES)
def test_numbers_in_the_texts_of_the_detect_lesson_match_the_cards_on_the_table(code: str) -> None:
    found = load_lesson("detect", code)
    assert [choice.touch for choice in touched_choices(found.table(OPEN).step)] == ["p0-a1", "p0-c2", "turn-two"]

    table = found.table(DRAW)
    assert numbers_in(found.steps[DRAW].why) == [number_at(table, "p0-a1")] == [12]
    assert numbers_in(found.steps[DRAW].touches["discard"]) == [number_at(table, "discard")] == [6]

    table = found.table(KEEP)
    assert touched_choices(table.step)[0].touch == "p0-a1"
    assert numbers_in(table.step.prompt) == [number_at(table, "p0-a1"), number_at(table, "drawn")] == [12, 1]
    assert own_points(table) - own_points(found.matches[KEEP + 1].table(0, found.sitters)) == 11

    table = found.table(THROW)
    thrown, turned = touched_choices(table.step)
    assert thrown.touch == "discard"
    assert numbers_in(table.step.prompt) == [number_at(table, "drawn")] == [11]
    assert thrown.then is not None
    # "The card above your 5" is one row up in its column.
    assert numbers_in(thrown.then.prompt) == [number_at(table, "p0-c2")] == [5]
    assert turned.touch == "p0-c1"
    assert number_at(table, "p0-c1") is None

    table = found.table(THREE)
    taken, laid = touched_choices(table.step)
    assert taken.touch == "discard"
    assert numbers_in(table.step.prompt) == [number_at(table, "discard")] == [5]
    assert number_at(table, "p0-c1") == number_at(table, "p0-c2") == 5
    assert laid.touch == "p0-c3"
    assert laid.says

    table = found.table(LAST)
    backs = [piece.place for zone in table.zones if zone.seat == 0 for piece in zone.pieces if piece.kind == "back"]
    assert [choice.touch for choice in touched_choices(table.step)] == backs == ["p0-d3"]
    assert numbers_in(table.step.prompt) == [number_at(table, "drawn")] == [0]
    juniper = next(panel for panel in table.seats if not panel.you)
    assert numbers_in(table.step.help) == [own_points(table), juniper.shows] == [13, 17]
    hidden = [piece for zone in table.zones if zone.seat == 1 for piece in zone.pieces if piece.kind == "back"]
    assert len(hidden) == 4


def test_the_detect_lesson_ends_at_scoring_with_both_grids_shown() -> None:
    found = load_lesson("detect", "en")
    end = found.table(len(found.steps))
    assert end.phase == "scoring"
    assert [row.points for row in end.scores] == [13, 32]
    assert end.step.prompt == "Now you know the basics."
    assert not end.step.choices
    counted = sum(1 for zone in end.zones if zone.kind == "grid" for piece in zone.pieces if piece.kind == "face")
    assert counted == 9 + 12
