"""``facedown check-game`` finds no problem in any game of the project, nor in its research variants."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from facedown.check import checks
from facedown.check.random_matches import GAMES, GAMES_WITH_RESEARCH_OPTIONS
from tests.conftest import TIMES

#: Checks of random matches. They also run for research variants, and longer at night. Layouts are checked by
#: tests/browser/test_layout_regressions.py.
RANDOM_MATCH_CHECKS = ("laws", "two-speeds", "non-interference", "steps", "take-backs", "reasons")
#: Factors of the number of positions that each check looks at in a long run.
LONG = {"MATCHES": 2 * TIMES, "PLIES": 2, "SITUATIONS": 3 * TIMES, "TAKE_BACKS": 2 * TIMES, "STEPS": 4 * TIMES}
#: A nightly run with interpreted rules takes longer than other tests may.
LONG_MARKS = (pytest.mark.nightly, pytest.mark.timeout(1800))
CASES = [
    *((name, check, False, {}) for name in GAMES for check in checks.CHECK_NAMES if check != "layout"),
    *(
        (name, check, True, {})
        for name in GAMES_WITH_RESEARCH_OPTIONS
        for check in RANDOM_MATCH_CHECKS
        if check not in ("take-backs", "reasons")
    ),
    *(pytest.param(name, check, False, LONG, marks=LONG_MARKS) for name in GAMES for check in RANDOM_MATCH_CHECKS),
]


@pytest.mark.parametrize(("name", "check", "research", "times"), CASES)
def test_the_check_game_command_finds_no_problem_in_any_game(
    name: str, check: str, research: bool, times: Mapping[str, int], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for amount, factor in times.items():
        monkeypatch.setattr(checks, amount, factor * getattr(checks, amount))
    (found,) = checks.Checks(name, seed, research).run([check])
    assert found.problems == []
