"""The contract of every game with rules compiled by plain Numba, as on a version that ours was not tested with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.core.game_registry import catalogue
from tests.nightly_selection import mostly

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = [
    f"tests/every_game/test_{name}.py" for name in ("golden", "laws", "non_interference", "steps", "two_speeds")
]
GAMES = tuple(catalogue())
#: The game of which every landing compiles the rules this way.
LANDING = ("reveal",)


def run_with_plain_numba(*arguments: str) -> None:
    """Run the everyday tests that are named, in a process whose rules plain Numba compiles."""
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not slow and not nightly and not alone", *arguments]
    environment = {**os.environ, "FACEDOWN_PLAIN_NUMBA": "1"}
    environment = {name: value for name, value in environment.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", mostly(GAMES, (), LANDING))
def test_a_game_keeps_the_contract_with_plain_numba(game: str) -> None:
    run_with_plain_numba("-k", game, *CONTRACT)


@pytest.mark.nightly
@pytest.mark.timeout(1800)
def test_the_rest_of_the_contract_holds_with_plain_numba() -> None:
    run_with_plain_numba("-k", f"not ({' or '.join(GAMES)})", *CONTRACT)


@pytest.mark.nightly
@pytest.mark.timeout(1800)
def test_rules_are_compiled_and_kept_with_plain_numba() -> None:
    run_with_plain_numba("tests/core/test_compiling.py", "tests/core/test_kept.py")
