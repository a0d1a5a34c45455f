"""``facedown check-game`` finds nothing wrong with any game of the house, nor with its small variants."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from facedown.check import checks
from facedown.check.random_matches import GAMES, GAMES_WITH_RESEARCH_OPTIONS
from tests.conftest import TIMES

#: Checks of random matches: they are run for small variants, and at length for every landing. Layouts have tests of
#: their own (tests/browser/test_layout_regressions.py).
DRAWN = ("laws", "two-speeds", "non-interference", "steps", "reasons")
#: How much more each check looks at then.
LONG = {"MATCHES": 2 * TIMES, "PLIES": 2, "SITUATIONS": 3 * TIMES, "STEPS": 4 * TIMES}
#: A night's interpreted rules take longer than other tests may.
AT_LENGTH = (pytest.mark.slow, pytest.mark.timeout(1800))
CASES = [
    *((name, check, False, {}) for name in GAMES for check in checks.CHECK_NAMES if check != "layout"),
    *((name, check, True, {}) for name in GAMES_WITH_RESEARCH_OPTIONS for check in DRAWN if check != "reasons"),
    *(pytest.param(name, check, False, LONG, marks=AT_LENGTH) for name in GAMES for check in DRAWN),
]


@pytest.mark.parametrize(("name", "check", "research", "times"), CASES)
def test_check_game_finds_nothing_wrong(
    name: str, check: str, research: bool, times: Mapping[str, int], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for amount, factor in times.items():
        monkeypatch.setattr(checks, amount, factor * getattr(checks, amount))
    (found,) = checks.Checks(name, seed, research).run([check])
    assert found.problems == []
