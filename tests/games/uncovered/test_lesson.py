"""The first lesson of Uncovered!: its sentences fit the cards on the table, and it ends in a perfect game."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from facedown.core.table import Table
from facedown.core.translation import use_language
from facedown.games.uncovered.view import position_without_remembered_cards, would_uncovering_win
from facedown.play.lessons import Lesson
from tests.games.lesson_reader import lesson_touches, load_lesson

CODES = ("en", "de")


@pytest.fixture(params=CODES)
def uncovered_lesson(request: pytest.FixtureRequest) -> Iterator[Lesson]:
    found = load_lesson("uncovered", request.param)
    with use_language(request.param):
        yield found


def faces(table: Table) -> dict[str, str]:
    return {piece.place: piece.face for zone in table.zones for piece in zone.pieces}


def test_the_uncovered_lesson_takes_five_taps_for_two_swaps_and_then_uncovering_the_hands(
    uncovered_lesson: Lesson,
) -> None:
    touched = [
        [choice.touch for choice, _ in lesson_touches(uncovered_lesson.table(at).step)]
        for at in range(len(uncovered_lesson.steps))
    ]
    assert touched == [["p0-1", "p1-3"], ["p0-2", "p1-4"], ["uncover"]]
    assert len(uncovered_lesson.headings) == len(uncovered_lesson.learnt) == 3


def test_prompts_of_the_uncovered_lesson_name_the_cards_to_touch(uncovered_lesson: Lesson) -> None:
    swaps = 0
    for at in range(len(uncovered_lesson.steps)):
        table = uncovered_lesson.table(at)
        for choice, step in lesson_touches(table.step):
            text, touch = step.prompt, choice.touch
            if re.match(r"p\d-\d", touch):
                # The number of a card that the learner sees, and its place.
                assert re.search(rf"(position|Stelle) {touch[-1]}\b", text), text
                card = faces(table)[touch]
                assert not card or re.search(rf"\b{card}\b", text), text
                swaps += bool(card)
    assert swaps == 3, "the first card of one's own is not seen yet"


def test_swaps_in_the_uncovered_lesson_move_the_cards_that_its_texts_name(uncovered_lesson: Lesson) -> None:
    first, second, uncovering = (uncovered_lesson.table(at) for at in range(3))
    assert faces(first)["p1-3"] == "1"
    assert [faces(first)[f"p0-{place}"] for place in (1, 2, 3, 4)] == [""] * 4, "nobody sees the own hand"
    # Juniper moved the learner's 1 to place 1, gave a 4, and still has to move a 3 away from place 2.
    assert (faces(second)["p0-1"], faces(second)["p1-1"]) == ("1", "1")
    assert (faces(second)["p0-2"], faces(second)["p1-2"], faces(second)["p1-4"]) == ("4", "3", "2")
    # Seven cards are in place, and the eighth was never seen: it can only be the 4.
    seen = [face for face in faces(uncovering).values() if face]
    assert sorted(seen) == list("1122334")
    assert faces(uncovering)["p0-4"] == ""
    assert (
        would_uncovering_win(
            position_without_remembered_cards(uncovered_lesson.matches[2].known(uncovered_lesson.viewer))
        )
        is True
    )


def test_the_uncovered_lesson_ends_with_a_win_in_the_fewest_possible_turns(uncovered_lesson: Lesson) -> None:
    end = uncovered_lesson.matches[-1]
    assert end.over
    assert end.returns == [0.0, 0.0]
    assert len(end.moves) == 5, "four swaps, and the uncovering"
    assert re.search(r"\b(four|vier)\b", uncovered_lesson.table(3).step.prompt)


def test_the_uncovered_lesson_refuses_uncovering_too_early_with_a_reason(uncovered_lesson: Lesson) -> None:
    for at in range(len(uncovered_lesson.steps)):
        step = uncovered_lesson.table(at).step
        assert lesson_touches(step)[0][0].touch == "uncover" or dict(step.refusals)["uncover"]
