"""Reveille's first lesson: its texts fit the bones to touch, in both languages."""

from __future__ import annotations

import re

import pytest

from facedown.games.reveille.action_text import bone_label
from facedown.games.reveille.rules import Act
from tests.games.lesson_reader import load_lesson, pieces_by_place
from tests.not_none import given

BONE = re.compile(r"\d·\d")
#: Start of an answer to a wrong touch: it names the bone touched.
OPENING = re.compile(r"(?:The|Die|Auch die) (\d·\d)\b")


@pytest.mark.parametrize("code", ["en", "de"])
def test_texts_of_the_reveille_lesson_name_the_bone_to_touch(code: str) -> None:
    found = load_lesson("reveille", code)
    for at, step in enumerate(found.steps):
        kind, number = Act.decode(step.action)
        if kind == Act.PLAY:
            assert bone_label(number) in BONE.findall(step.says)
            assert pieces_by_place(found, at)[step.path[0]].face == bone_label(number).replace("·", "")
            for touch, answer in step.touches.items():
                assert given(OPENING.match(answer))[1] == "·".join(pieces_by_place(found, at)[touch].face), (
                    "the answer speaks of the bone touched"
                )
                assert BONE.findall(answer)[-1] == bone_label(number), "and leads back to the one that is asked"
            assert BONE.findall(step.wrong) == [bone_label(number)]
        if kind == Act.BID:
            assert re.findall(r"\d+", step.says)[-1] == step.path[0].removeprefix("bid-")


def test_texts_of_the_reveille_lesson_describe_bones_and_points_correctly() -> None:
    found = load_lesson("reveille", "en")
    first, second, _third, fourth, last = found.steps
    up = pieces_by_place(found, 0)
    assert (up["prize"].face, up["lead"].face) == ("66", "53")
    told = [line.text for frame in found.frames(0) for line in frame.lines]
    assert "**You** replied with the 0·0, and Juniper took the 6·4. You drew the 6·0 and revealed the 6·6." in told
    assert "6·4" in second.why
    assert "66" in {piece.face for piece in pieces_by_place(found, 1).values()}, "the bone that was won is in hand"
    match = found.matches[3].copy()
    match.play(0, fourth.action)
    juniper = [bone_label(bone) for bone in range(28) if Act.PLAY + bone in match.legal(1)]
    assert [bone for bone in juniper if "6" in bone] == ["6·4"], fourth.why
    state = found.matches[4].state
    assert (int(state.points[0]), int(state.high)) == (11, 11), last.why
    assert found.matches[5].state.marks.tolist() == [1, 0], found.end
    assert "5·4" in first.says
