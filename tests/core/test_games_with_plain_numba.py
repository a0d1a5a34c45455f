"""The tests of every game with rules compiled by plain Numba, as on a version that the project was not tested with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.core.game_registry import catalogue
from tests.nightly_selection import mostly

ROOT = Path(__file__).resolve().parents[2]
TEST_FILES = [
    f"tests/every_game/test_{name}.py"
    for name in ("compiled_parity", "game_law_violations", "golden_files", "step_leak_checker", "view_leak_checker")
]
GAMES = tuple(catalogue())
#: The games whose tests run this way before every merge.
BEFORE_EVERY_MERGE = ("reveal",)


def run_with_plain_numba(*arguments: str) -> None:
    """Run the given everyday tests in a process that compiles with plain Numba."""
    command = [sys.executable, "-m", "pytest", "-q", "-m", "not slow and not nightly and not alone", *arguments]
    environment = {**os.environ, "FACEDOWN_PLAIN_NUMBA": "1"}
    environment = {name: value for name, value in environment.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", mostly(GAMES, (), BEFORE_EVERY_MERGE))
def test_tests_of_every_game_pass_with_plain_numba(game: str) -> None:
    run_with_plain_numba("-k", game, *TEST_FILES)


@pytest.mark.nightly
@pytest.mark.timeout(1800)
def test_game_tests_with_no_game_in_their_name_pass_with_plain_numba() -> None:
    run_with_plain_numba("-k", f"not ({' or '.join(GAMES)})", *TEST_FILES)


@pytest.mark.nightly
@pytest.mark.timeout(1800)
def test_compile_and_cache_tests_pass_with_plain_numba() -> None:
    run_with_plain_numba("tests/core/test_compile.py", "tests/core/test_compile_cache.py")
