"""Time budgets of the test folders, and a table of their times at the end of a run with several folders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import pytest

#: Seconds for all tests of a folder, in `check.py` and in `.ci/run`, with three worker processes on two idle cores; due
#: nightly tests are extra. A folder that needs more moves its slowest tests to a rarer run.
BUDGETS: dict[str, tuple[int, int]] = {
    "tests/browser": (90, 500),
    "tests/server": (200, 500),
    "tests/wire_secrecy": (45, 210),
    "tests/core": (15, 150),
    "tests/every_game": (75, 150),
    "tests/terminal": (60, 120),
    "tests/examples": (20, 90),
    "tests/games": (50, 80),
    "tests/project": (80, 90),
    "tests/store": (45, 60),
    "tests/corpus": (25, 60),
    "tests/research": (30, 65),
    "tests/check": (15, 50),
    "tests/simulate": (30, 65),
    "tests/bots": (10, 35),
    "tests/client": (20, 25),
    "tests/docs": (10, 10),
    "examples in docstrings and docs": (10, 10),
    "tests/faults": (5, 5),
    "tests/play": (5, 5),
    "tests/deploy": (5, 5),
}
#: Index of each tier in a row of `BUDGETS`; nightly runs have no budget.
COLUMNS = {"everyday": 0, "landing": 1}
#: Smallest number of lines worth printing: a heading and one folder are not.
LEAST_LINES = 2


def folder_of(nodeid: str) -> str:
    """Return the folder under which a test is counted.

    >>> folder_of("tests/server/rendering/test_page.py::test_it"), folder_of("README.md::README.md")
    ('tests/server', 'examples in docstrings and docs')
    """
    first, *rest = nodeid.split("::")[0].split("/")
    return f"{first}/{rest[0]}" if first == "tests" and len(rest) > 1 else "examples in docstrings and docs"


def table(reports: Iterable[pytest.TestReport], tier: str) -> list[str]:
    """Return lines with the tests and the seconds of each folder, with set-up and tear-down, and its budget."""
    seconds: defaultdict[str, float] = defaultdict(float)
    tests: defaultdict[str, set[str]] = defaultdict(set)
    for report in reports:
        folder = folder_of(report.nodeid)
        seconds[folder] += report.duration
        tests[folder].add(report.nodeid)
    lines = [f"{'folder':34}{'tests':>6}{'seconds':>9}{'budget':>8}"]
    for folder in sorted(seconds, key=lambda name: -seconds[name]):
        budget = BUDGETS[folder][COLUMNS[tier]] if folder in BUDGETS and tier in COLUMNS else None
        over = "  over" if budget is not None and seconds[folder] > budget else ""
        lines.append(
            f"{folder:34}{len(tests[folder]):6}{seconds[folder]:9.1f}{'' if budget is None else budget:>8}{over}"
        )
    return lines
