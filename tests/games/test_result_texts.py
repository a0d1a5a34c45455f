"""The sentence about the result of a match compares two scores only between two players."""

from __future__ import annotations

import pytest

from facedown.core.match import Match
from facedown.core.state import DECIDED
from facedown.core.table import Sitter
from facedown.core.translation import use_language
from facedown.games.detect import log as detect
from facedown.games.scout import log as scout
from tests.games.case_files import cases

SITTERS = (Sitter("Mara"), Sitter("Gus"), Sitter("Juniper", bot=True))
RESULT_OF = {"detect": detect.match_result_sentence, "scout": scout.match_result_sentence}


@pytest.mark.parametrize(("game", "totals", "viewer", "german", "english"), cases(".", "results"))
def test_result_texts_compare_the_two_scores_only_if_there_are_two_players(
    game: str, totals: list[int], viewer: int, german: str, english: str
) -> None:
    match = Match(game, len(totals), seed=bytes(32))
    match.state.over, match.state.viewer = DECIDED, viewer
    match.state.total[: len(totals)] = totals
    assert RESULT_OF[game](match.state, SITTERS) == english
    with use_language("de"):
        assert RESULT_OF[game](match.state, SITTERS) == german
