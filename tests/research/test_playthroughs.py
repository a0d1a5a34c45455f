"""OpenSpiel is told the same of every game, and a round of it comes out to the letter; the example plays."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from facedown.core.rule import INTERPRETED
from tests.research.playthroughs import FOLDER, playthrough
from tests.research.tree_games import SETTINGS

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "research"


@pytest.mark.parametrize("name", SETTINGS)
def test_the_playthrough_is_the_one_on_file(name: str) -> None:
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_no_playthrough_is_left_behind() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SETTINGS)


@pytest.mark.skipif(INTERPRETED, reason="whole rounds, many times")
def test_the_search_of_the_example_wins_against_chance(capsys: pytest.CaptureFixture[str]) -> None:
    main = runpy.run_path(str(EXAMPLES / "openspiel_ismcts.py"))["main"]
    assert main("facedown_reveille", 25, 2) > 0
    assert capsys.readouterr().out.startswith("facedown_reveille: 4 rounds, 25 simulations a move, mean return +")
