"""The sentence that ends a match names two scores against each other only where two play."""

from __future__ import annotations

import pytest

from facedown.core.language import speaking
from facedown.core.match import Match
from facedown.core.state import DECIDED, SPECTATOR
from facedown.core.table import Sitter
from facedown.games.detect import log as detect
from facedown.games.scout import log as scout

SITTERS = (Sitter("Mara"), Sitter("Gus"), Sitter("Juniper", bot=True))
Ending = tuple[str, tuple[tuple[int, ...], int]]
#: Totals of a game where the lowest wins, and the viewer's seat.
TWO = ((29, 21), SPECTATOR)
THREE = ((29, 34, 21), SPECTATOR)
SHARED_SECOND = ((29, 29, 21), 1)
SHARED_WIN = ((21, 34, 21), SPECTATOR)


def said(name: str, totals: tuple[int, ...], viewer: int, code: str) -> str:
    """The result of a match that ends with these totals; where the highest wins, each is taken from 50."""
    match = Match(name, len(totals), seed=bytes(32))
    match.state.over, match.state.viewer = DECIDED, viewer
    lowest = name == "detect"
    match.state.total[: len(totals)] = totals if lowest else [50 - total for total in totals]
    with speaking(code):
        return (detect.result_of if lowest else scout.result_of)(match.state, SITTERS[: len(totals)])


GERMAN = {
    ("detect", TWO): "Gus gewinnt mit 21 zu 29.",
    ("detect", THREE): "Juniper gewinnt mit 21 vor Mara mit 29.",
    ("detect", SHARED_SECOND): "Juniper gewinnt mit 21 vor Mara und dir mit 29.",
    ("detect", SHARED_WIN): "Mara und Juniper teilen sich den Sieg mit 21.",
    ("scout", TWO): "Gus gewinnt 29 zu 21.",
    ("scout", THREE): "Juniper gewinnt mit 29 vor Mara mit 21.",
    ("scout", SHARED_SECOND): "Juniper gewinnt mit 29 vor Mara und dir mit 21.",
    ("scout", SHARED_WIN): "Mara und Juniper teilen sich den Sieg mit 29.",
}
ENGLISH = {
    ("detect", TWO): "Gus wins, 21 to 29.",
    ("detect", THREE): "Juniper wins with 21, ahead of Mara with 29.",
    ("detect", SHARED_SECOND): "Juniper wins with 21, ahead of Mara and you with 29.",
    ("detect", SHARED_WIN): "Mara and Juniper share the win with 21.",
    ("scout", TWO): "Gus wins, 29 to 21.",
    ("scout", THREE): "Juniper wins with 29, ahead of Mara with 21.",
    ("scout", SHARED_SECOND): "Juniper wins with 29, ahead of Mara and you with 21.",
    ("scout", SHARED_WIN): "Mara and Juniper share the win with 29.",
}


@pytest.mark.parametrize(("code", "sentences"), [("de", GERMAN), ("en", ENGLISH)])
def test_two_scores_are_set_against_each_other_where_two_play(code: str, sentences: dict[Ending, str]) -> None:
    assert {ending: said(ending[0], *ending[1], code) for ending in sentences} == sentences
