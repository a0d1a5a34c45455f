"""The table of nightly tests: it has every file with such tests, and sources that exist."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from tools.nightly_sources import NIGHTLY, due_tests, is_below

from tests.nightly_selection import MOST_DUE

ROOT = Path(__file__).resolve().parents[2]
#: Matches a marker of nightly tests.
NIGHTLY_MARK = re.compile(r"pytest\.mark\.(?:nightly|alone)\b")
#: Files that mention nightly tests and have none.
FILES_ABOUT_NIGHTLY = ("tests/nightly_selection.py", "tests/project/test_nightly.py")


def has_nightly_test(text: str) -> bool:
    """Return whether a file marks a test, or some parameters of one (`mostly` with a third argument), as nightly."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "mostly"]
    return bool(NIGHTLY_MARK.search(text)) or any(len(call.args) > 2 for call in named)


@cache
def nightly_files() -> list[str]:
    files = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sorted(ROOT.glob("tests/**/*.py"))}
    return [name for name, text in files.items() if name not in FILES_ABOUT_NIGHTLY and has_nightly_test(text)]


def test_every_file_with_nightly_tests_is_covered_by_the_table_of_nightly_tests() -> None:
    files = nightly_files()
    assert len(files) > 10
    assert [file for file in files if not is_below(file, NIGHTLY)] == []


def test_every_entry_of_the_nightly_test_table_names_existing_tests_and_source_files() -> None:
    assert 10 <= len(NIGHTLY) <= 20
    for row, sources in NIGHTLY.items():
        assert any(is_below(file, [row]) for file in nightly_files()), row
        for source in sources:
            assert (ROOT / source).exists(), f"{row}: {source}"


def test_a_changed_source_file_selects_the_nightly_tests_that_depend_on_it() -> None:
    assert due_tests(["docs/notes/README.md"]) == ["tests/docs"]
    assert due_tests(["README.md", "tests/docs/test_site.py"]) == []


def run_pytest(folder: Path, test: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run pytest with the selection of nightly tests over one test file."""
    file = folder / test
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        "import pytest\n\n\n@pytest.mark.parametrize('n', range(99))\n@pytest.mark.nightly\ndef test_it(n): ...\n"
    )
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "tests.nightly_selection",
        f"--rootdir={folder}",
        str(folder),
    ]
    command += ["-c", str(ROOT / "pyproject.toml"), *options]
    # Options of the outer run would change the output.
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def test_pytest_fails_if_a_nightly_test_is_not_covered_by_the_table_of_nightly_tests(tmp_path: Path) -> None:
    """Pytest itself refuses it, for any way of marking."""
    done = run_pytest(tmp_path, "test_it.py")
    assert "is nightly: name its sources in tools/nightly_sources.py" in done.stdout + done.stderr
    assert done.returncode != 0


def test_each_commit_runs_a_different_sample_if_too_many_nightly_tests_are_selected(tmp_path: Path) -> None:
    def chosen(commit: str) -> list[str]:
        options = ["--collect-only", "-m", "not nightly or due", "--due", "tests/browser", "--due-seed", commit]
        found = run_pytest(tmp_path, "tests/browser/test_it.py", *options).stdout
        return [line for line in found.splitlines() if "::" in line]

    first, second = chosen("a"), chosen("b")
    assert len(first) == len(second) == MOST_DUE
    assert first != second
