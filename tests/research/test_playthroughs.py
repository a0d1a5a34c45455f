"""OpenSpiel playthroughs: a round of every game is the same as on file, and the example of a search plays."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from facedown.core.rule import INTERPRETED
from tests.research.playthroughs import FOLDER, playthrough
from tests.research.tree_test_settings import SETTINGS

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "research"


@pytest.mark.parametrize("name", SETTINGS)
def test_openspiel_playthrough_of_each_game_equals_the_stored_one(name: str) -> None:
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_there_is_exactly_one_stored_openspiel_playthrough_for_each_game() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SETTINGS)


@pytest.mark.skipif(INTERPRETED, reason="whole rounds, many times")
def test_example_of_an_openspiel_search_bot_beats_random_play(capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(EXAMPLES / "openspiel_ismcts.py"))["main"]
    assert main("facedown_reveille", 25, 2) > 0
    assert capsys.readouterr().out.startswith("facedown_reveille: 4 rounds, 25 simulations a move, mean return +")
