"""Lessons as data: reading, playing, and errors with file and line."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from facedown.core.game_registry import catalogue
from facedown.core.table import TouchStep, touch_sequences
from facedown.core.translation import languages, use_language
from facedown.play.lessons import Lesson, LessonError, lesson, read_lesson
from tests.not_none import given

SMALL = Path(__file__).with_name("short_lesson.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('move = "draw"', 'move = "keep a1"', "lesson.toml:21: 'keep a1' is not allowed now."),
        ('move = "draw"', 'move = "sing"', "lesson.toml:21: 'sing' is not a move"),
        ('before = ["P1 open a1 b2"]', 'before = ["P1 draw"]', "lesson.toml:10: P1 draw: 'draw' is not allowed now."),
        ('name = "Draw."', 'nane = "Draw."', "lesson.toml:18: unknown key nane"),
        ('says = "You know enough."', "", "lesson.toml:24: says is missing"),
        ("seats = 2", "seats = 9", "lesson.toml:1: Detect is for 2 to 8 players, not 9"),
        ('deal = "12', 'deal = "13', "lesson.toml:5: the deal lists 13 too many times (copies in the deck: 0)"),
        ('wrong = "That one stays."', 'path = ["discard"]', "lesson.toml:22: no touches discard make this move"),
        ("title =", "title", "lesson.toml: "),
    ],
)
def test_an_invalid_lesson_file_raises_an_error_with_file_and_line(old: str, new: str, says: str) -> None:
    assert old in SMALL
    with pytest.raises(LessonError) as wrong:
        read_lesson("detect", SMALL.replace(old, new))
    assert str(wrong.value).startswith(says)


def test_a_lesson_step_offers_only_its_move_and_refuses_other_touches() -> None:
    found = read_lesson("detect", SMALL)
    table = found.table(0)
    assert [choice.touch for choice in table.step.choices if not choice.refuses] == ["p0-a1", "p0-c2"]
    own = {piece.place for zone in table.zones for piece in zone.pieces if piece.place.startswith("p0-")}
    refused = dict(table.step.refusals)
    assert own - {"p0-a1", "p0-c2"} <= set(refused)
    # A reason from the rules comes before the lesson's general refusal.
    assert {refused[place] for place in own - {"p0-a1", "p0-c2"}} == {"That one stays down."}


def touch_count(step: TouchStep) -> int:
    """Return the number of touches of the longest path through a step."""
    return max(len(way) for way in touch_sequences(step))


@pytest.fixture(params=product(catalogue(), languages()), ids="-".join)
def found(request: pytest.FixtureRequest) -> Iterator[Lesson]:
    """The lesson of a game in one language, with that language active."""
    name, code = request.param
    with use_language(code):
        yield given(lesson(name))


def test_every_lesson_takes_5_to_16_taps_and_gives_a_reason_for_each_step(found: Lesson) -> None:
    # That each step answers a wrong touch is checked by check-game.
    assert 5 <= sum(touch_count(found.table(at).step) for at in range(len(found.steps))) <= 16
    assert 3 <= len(found.headings) <= 6
    assert len(found.learnt) == 3
    assert all(step.why for step in found.steps)
    assert not found.table(len(found.steps)).step.choices


def test_the_touches_of_a_lesson_move_can_be_made_in_any_order_that_the_game_allows(found: Lesson) -> None:
    for at, step in enumerate(found.steps):
        every = touch_sequences(found.matches[at].table(found.viewer, found.sitters).step)
        made = {tuple(one.touch for one in way) for way in every if way[-1].action == step.action}
        made = {path for path in made if len(path) <= len(step.path)}
        offered = {tuple(one.touch for one in way) for way in touch_sequences(found.table(at).step)}
        assert offered == made
        assert all(dict(found.table(at).step.refusals).keys().isdisjoint(path[:1]) for path in made)


def test_each_prompt_of_a_lesson_appears_just_before_the_touch_that_it_asks_for(found: Lesson) -> None:
    """In any order, the prompt for a touch and its second line are shown when that touch is due."""
    for at, lesson_step in enumerate(found.steps):
        says = dict(zip(lesson_step.path, (lesson_step.says, *lesson_step.then), strict=False))
        steps = [found.table(at).step]
        assert steps[0].choices[0].touch == lesson_step.path[0]
        for step in steps:
            steps += [one.then for one in step.choices if one.then is not None]
            if step.choices:
                touch = step.choices[0].touch
                assert step.prompt == says.get(touch, step.prompt)
                assert step.help == (lesson_step.why if touch == lesson_step.path[0] else "")


def test_the_pair_in_the_scout_lesson_can_be_touched_from_either_end() -> None:
    found = given(lesson("scout"))
    first = found.table(1).step
    other = given(next(choice for choice in first.choices if choice.touch == "hand-2").then)
    assert (other.prompt, [choice.touch for choice in other.choices if not choice.refuses]) == (
        found.steps[1].says,
        ["hand-1"],
    )
