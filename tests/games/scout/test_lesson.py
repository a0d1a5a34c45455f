"""SCOUT's first lesson: its moves are legal, and its sentences name the cards on the table."""

from __future__ import annotations

import re

import pytest

from facedown.core.state import cast_record
from facedown.core.table import TouchStep
from facedown.core.translation import languages
from facedown.games.scout.legal_actions import Act
from facedown.games.scout.state import ScoutPosition
from tests.games.lesson_reader import accepted_touches, load_lesson, pieces_by_place

CODES = list(languages())


@pytest.mark.parametrize("code", CODES)
def test_the_scout_lesson_consists_of_a_flip_a_show_a_scout_and_another_show(code: str) -> None:
    found = load_lesson("scout", code)
    words = [found.matches[at].game.words.words(step.action) for at, step in enumerate(found.steps)]
    assert words == ["flip", "show 1-2", "scout left kept at 2", "show 2-4"]


@pytest.mark.parametrize("code", CODES)
def test_texts_of_the_scout_lesson_name_the_card_to_touch(code: str) -> None:
    found, named = load_lesson("scout", code), 0
    for at, step in enumerate(found.steps):
        lying = pieces_by_place(found, at)
        for touch, says in zip(step.path, (step.says, *step.then), strict=True):
            if touch.startswith(("hand-", "active-")):
                up = lying[touch].face.split("/")[0]
                assert up in re.findall(r"\d+", says), (says, touch)
                named += 1
    assert named == 5


@pytest.mark.parametrize("code", CODES)
def test_the_scout_lesson_describes_cards_and_points_correctly(code: str) -> None:
    found = load_lesson("scout", code)
    kept, flipped = (next(zone for zone in found.table(0).zones if zone.id == name) for name in ("keep", "flip"))
    assert (len(kept.spans), len(flipped.spans)) == (0, 3)
    lie = [
        [pieces_by_place(found, at)[f"active-{i + 1}"].face[0] for i in range(n)] for at, n in ((1, 1), (2, 4), (3, 3))
    ]
    assert lie == [["6"], ["7"] * 4, ["1", "2", "3"]]
    assert not [action for action in found.matches[2].legal(0) if action < Act.SCOUT]  # nothing beats four 7s
    end = found.table(4)
    assert [slip.points for slip in end.slips] == ["7", "−6", "−7"]
    assert cast_record(found.matches[4].state, ScoutPosition).hand[0] == 8
    coins = [int(cast_record(found.matches[at].state, ScoutPosition).coins[0]) for at in range(5)]
    assert coins == [0, 0, 1, 1, 3]


@pytest.mark.parametrize("code", CODES)
def test_the_scout_lesson_answers_every_wrong_touch_with_a_reason(code: str) -> None:
    found = load_lesson("scout", code)
    for at, step in enumerate(found.steps):
        asked: TouchStep | None = found.table(at).step
        for touch in step.path:
            assert asked is not None
            refused = dict(asked.refusals)
            there = [place for place, piece in pieces_by_place(found, at).items() if piece.kind == "face"]
            touched = {*step.path[: step.path.index(touch)], *accepted_touches(asked)}
            if at:
                assert not [place for place in there if place not in refused and place not in touched]
            assert all(reason.endswith(".") for reason in refused.values())
            asked = next(choice for choice in asked.choices if choice.touch == touch).then
