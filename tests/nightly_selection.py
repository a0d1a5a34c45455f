"""Selection and order of the tests for every check, before a merge and at night, and a check for missing programs.

Unmarked tests run in `check.py`. `.ci/run` adds those marked `slow`, and `.ci/nightly` runs those marked `nightly` or
`alone`. `check.py` passes a marker expression; this module does the rest.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from typing import Any

import pytest
from tools.nightly_sources import row_of

from facedown.check.launch_chromium import find_chromium
from tests.database_servers import find_postgres, redis_program

#: In continuous integration no test may be skipped because a program is missing.
STRICT = os.environ.get("CI", "") not in ("", "0", "false")
#: Programs that some tests need: marker, name of the program, and Debian package.
PROGRAMS = {
    "browser": ("Chromium", "chromium-headless-shell"),
    "postgres": ("PostgreSQL", "postgresql"),
    "redis": ("Redis", "redis-server"),
}
#: Number of nightly tests before a merge: more would exceed its 20 minutes.
MOST_DUE = 12
#: Start of the reason for skipping a test that needs a missing program.
MISSING = "not installed: "


def mostly(
    values: Iterable[Any], daily: Container[Any], landing: Container[Any] | None = None, one: bool = False
) -> list[Any]:
    """Return `values` as parameters of a test, with marks that say when the test runs.

    * values in `daily`: unmarked;
    * values in `landing`, or all others if `landing` is None: marked `slow`;
    * the rest: marked `nightly`.

    A tuple holds several parameters, unless `one` is true.
    """

    def parameter(value: Any) -> Any:
        if value in daily:
            return value
        marker = pytest.mark.slow if landing is None or value in landing else pytest.mark.nightly
        return pytest.param(*(value if isinstance(value, tuple) and not one else (value,)), marks=marker)

    return [parameter(value) for value in values]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options with which `check.py` names the tier and the due tests."""
    parser.addoption("--tier", default="everyday", help="whose time budgets are shown: everyday, landing or nightly")
    parser.addoption(
        "--due", action="append", default=[], help="a row of tools/nightly_sources.py: mark its tests `due`"
    )
    parser.addoption("--due-seed", default="", help="chooses which tests are marked where many could be")


def is_nightly(item: pytest.Item) -> bool:
    """Return whether a test runs at night only."""
    return any(item.get_closest_marker(name) for name in ("nightly", "alone"))


def long_name(item: pytest.Item) -> str:
    """Return the name of the long version of a test."""
    name, bracket, parameters = item.nodeid.partition("[")
    return f"{name}_at_length{bracket}{parameters}"


def timeout_of(item: pytest.Item) -> float:
    """Return the time limit that a test sets, in seconds; 0 if it sets none."""
    marker = item.get_closest_marker("timeout")
    return float(marker.args[0]) if marker else 0.0


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Mark due tests, let pytest select, drop short versions, and run the longest tests first."""
    due = []
    for item in filter(is_nightly, items):
        row = row_of(item.location[0])
        if row is None:
            raise pytest.UsageError(f"{item.nodeid} is nightly: name its sources in tools/nightly_sources.py")
        if row in config.getoption("due"):
            due.append(item)
    for item in random.Random(config.getoption("due_seed")).sample(due, min(MOST_DUE, len(due))):
        item.add_marker("due")
    yield
    names = {item.nodeid for item in items}
    short = [item for item in items if long_name(item) in names]
    if short:
        config.hook.pytest_deselected(items=short)
        items[:] = [item for item in items if item not in short]
    # A long test that started last would keep the other workers waiting.
    items.sort(key=timeout_of, reverse=True)
    if not STRICT:
        skip_without_programs(items)


def skip_without_programs(items: list[pytest.Item]) -> None:
    """Skip the tests that need a program which is not installed."""
    there = {"browser": find_chromium(), "postgres": find_postgres(), "redis": redis_program()}
    for item in items:
        wanted = [marker for marker in PROGRAMS if not there[marker] and item.get_closest_marker(marker)]
        if wanted:
            item.add_marker(pytest.mark.skip(reason=MISSING + ", ".join(PROGRAMS[marker][0] for marker in wanted)))


def missing_line(reasons: Iterable[str]) -> str:
    """Return one line about the tests skipped because of missing programs, from the reasons of all skipped tests.

    >>> skipped = ["Skipped: not installed: Redis", "Skipped: no reason", "Skipped: not installed: PostgreSQL, Redis"]
    >>> missing_line(skipped).split(". ")[0]
    'Not run: 1 tests without PostgreSQL, 2 tests without Redis'
    >>> missing_line(skipped).split(". ")[1]
    'On Debian or Ubuntu: sudo apt-get install postgresql redis-server'
    """
    missing = [reason.partition(MISSING)[2] for reason in reasons if MISSING in reason]
    skipped = Counter(program for programs in missing for program in programs.split(", "))
    if not skipped:
        return ""
    tests = ", ".join(f"{count} tests without {program}" for program, count in sorted(skipped.items()))
    packages = " ".join(package for program, package in PROGRAMS.values() if program in skipped)
    return f"Not run: {tests}. On Debian or Ubuntu: sudo apt-get install {packages}"
