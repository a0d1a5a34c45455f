"""Time budgets of the test folders, and the table printed at the end of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.folder_time_report import BUDGETS, folder_of, table

TESTS = Path(__file__).resolve().parents[1]


def phase_report(nodeid: str, seconds: float, when: str = "call") -> pytest.TestReport:
    return pytest.TestReport(nodeid, (nodeid, 0, nodeid), {}, "passed", None, when, duration=seconds)  # type: ignore[arg-type]


def test_every_test_folder_has_a_time_budget() -> None:
    folders = {folder_of(f"tests/{path.relative_to(TESTS)}") for path in TESTS.rglob("test_*.py")}
    assert folders | {folder_of("README.md")} == set(BUDGETS)


def test_a_test_folder_over_its_time_budget_is_marked_in_the_printed_table() -> None:
    over = BUDGETS["tests/store"][0] + 1.0
    reports = [phase_report("tests/store/test_a.py::test_a", over), phase_report("tests/play/test_b.py::test_b", 0.5)]
    reports.append(phase_report("tests/play/test_b.py::test_b", 0.25, "setup"))
    assert [" ".join(line.split()) for line in table(reports, "everyday")] == [
        "folder tests seconds budget",
        f"tests/store 1 {over:.1f} {BUDGETS['tests/store'][0]} over",
        f"tests/play 1 0.8 {BUDGETS['tests/play'][0]}",
    ]
    assert not any("over" in line for line in table(reports, "landing"))
    assert [line.split()[-1] for line in table(reports, "nightly")] == ["budget", f"{over:.1f}", "0.8"]
