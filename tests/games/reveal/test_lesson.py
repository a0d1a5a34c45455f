"""Reveal's first lesson: every move is one of the rules, and every sentence speaks of the cards that lie there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from facedown.core.language import languages, speaking
from facedown.core.state import SPECTATOR
from facedown.core.table import Step
from facedown.games.reveal.cards import COLOURS, NAMES, WILD
from facedown.games.reveal.naming import card_name, the_card
from facedown.games.reveal.rules import COLUMNS, FINALS, ROWS, Phase, base_slot, side
from facedown.play.lessons import Lesson
from tests.games.taught import learn, texts, unanswered

#: As a German sentence names a colour.
STEMS = dict(zip(COLOURS, ("pink", "weiß", "blau", "gelb", "orange", "schwarz", "rot", "grün"), strict=True))


def asked(found: Lesson, at: int) -> Iterator[tuple[str, str, Step]]:
    """The touches of a step, each with the sentence that asks for it and the step where it is made."""
    step: Step | None = found.table(at).step
    for touch in found.steps[at].path:
        assert step is not None
        yield touch, step.prompt, step
        step = next(choice.then for choice in step.choices if choice.touch == touch)


@pytest.mark.parametrize("code", list(languages()))
def test_the_lesson_goes_from_the_first_card_to_the_grand_reveal(code: str) -> None:
    found = learn("reveal", code)
    assert len(found.steps) == 4
    assert sum(len(step.path) for step in found.steps) == 9
    assert len(found.learnt) == 3
    end = found.matches[-1]
    assert end.state.phase == Phase.SCORING
    assert [int(points) for points in end.state.score] == [8, 6]
    assert found.table(len(found.steps)).step.prompt == found.end
    assert found.table(len(found.steps)).slips


@pytest.mark.parametrize("code", list(languages()))
def test_a_sentence_names_the_card_that_is_touched(code: str) -> None:
    found = learn("reveal", code)
    named = 0
    for at in range(len(found.steps)):
        faces = {p.place: p.face for z in found.table(at).zones for p in z.pieces if p.kind == "face"}
        for touch, prompt, step in asked(found, at):
            offered = [choice.touch for choice in step.choices if not choice.refuses]
            assert offered[0] == touch
            if touch.startswith("hand-"):
                kind = NAMES.index(faces[touch])
                with speaking(code):
                    assert the_card(kind) in prompt or card_name(kind) in prompt
                named += 1
    assert named == 3


@pytest.mark.parametrize(("code", "aim"), [("en", "one column with one colour"), ("de", "eine Spalte mit einer Farbe")])
def test_it_says_first_what_it_is_about(code: str, aim: str) -> None:
    found = learn("reveal", code)
    assert aim in found.table(0).step.prompt.partition(". ")[0]
    assert aim in found.aim


def test_the_words_fit_the_cards() -> None:
    found = learn("reveal", "en")
    first, second, third, last = found.matches[:4]
    base = [NAMES[first.state.card[base_slot(0, column)]] for column in range(COLUMNS)]
    assert base == ["red", "blue", "white"]
    hand = [NAMES[first.state.card[side(0, 0, place)]] for place in range(COLUMNS)]
    assert hand == ["red", "black", "white"]
    # The black card goes, the top card of the pile is a wild; it takes the middle.
    assert second.state.card[side(0, 0, 1)] == WILD
    assert third.state.card[side(0, 0, 1)] == WILD
    left = [NAMES[third.state.card[base_slot(row, 0)]] for row in range(ROWS)]
    assert left.count("red") == 2
    assert all(NAMES[third.state.card[side(0, row, 0)]] == "red" for row in range(ROWS))
    middle = [NAMES[third.state.card[base_slot(row, 1)]] for row in range(ROWS)]
    assert middle.count("blue") == 2
    mine = [NAMES[third.state.card[side(0, row, 1)]] for row in range(ROWS)]
    assert ("wild" in mine, "blue" in mine) == (True, False)
    assert [NAMES[third.state.card[side(1, row, 1)]] for row in range(ROWS)] == ["blue"] * ROWS
    assert len({NAMES[third.state.card[base_slot(row, 2)]] for row in range(ROWS)}) == ROWS
    assert int(last.state.choice[1]) == 1
    assert "red" in {NAMES[last.state.card[side(1, row, 0)]] for row in range(ROWS)}
    assert last.state.card[FINALS] == WILD


@pytest.mark.parametrize("code", list(languages()))
def test_any_other_touch_is_answered(code: str) -> None:
    assert not unanswered(learn("reveal", code), ("hand-", "p0-", "end0-"))


def test_the_german_lesson_is_german() -> None:
    for one, other in zip(texts(learn("reveal", "en")), texts(learn("reveal", "de")), strict=True):
        assert one != other
        for colour, stem in STEMS.items():
            assert (colour in one.lower()) <= (stem in other.lower()), (one, other)


def test_a_spectator_of_the_lessons_end_reads_who_won() -> None:
    found = learn("reveal", "en")
    assert found.matches[-1].table(SPECTATOR, found.sitters).step.prompt.startswith("You win the hand, 8 to 6.")
