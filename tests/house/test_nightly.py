"""The table of nightly tests: it names every file that has one, and sources that exist."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from tools.nightly import NIGHTLY, due_tests, is_below

ROOT = Path(__file__).resolve().parents[2]
#: A marker of nightly tests.
MARK = re.compile(r"pytest\.mark\.(?:nightly|alone)\b")
#: These speak of nightly tests, and have none.
ABOUT = ("tests/selection.py", "tests/house/test_nightly.py")


def has_nightly_test(text: str) -> bool:
    """Whether a file marks a test, or some parameters of one (`mostly` with a third argument), as nightly."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    named = [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "mostly"]
    return bool(MARK.search(text)) or any(len(call.args) > 2 for call in named)


@cache
def nightly_files() -> list[str]:
    """All test files with a nightly test."""
    files = {str(path.relative_to(ROOT)): path.read_text("utf-8") for path in sorted(ROOT.glob("tests/**/*.py"))}
    return [name for name, text in files.items() if name not in ABOUT and has_nightly_test(text)]


def test_every_nightly_test_is_in_the_table() -> None:
    files = nightly_files()
    assert len(files) > 10
    assert [file for file in files if not is_below(file, NIGHTLY)] == []


def test_every_row_has_nightly_tests_and_sources_that_exist() -> None:
    assert 10 <= len(NIGHTLY) <= 20
    for row, sources in NIGHTLY.items():
        assert any(is_below(file, [row]) for file in nightly_files()), row
        for source in sources:
            assert (ROOT / source).exists(), f"{row}: {source}"


def test_a_changed_source_makes_its_tests_due() -> None:
    assert due_tests(["docs/notes/README.md"]) == ["tests/docs"]
    assert due_tests(["README.md", "tests/docs/test_site.py"]) == []


def test_a_nightly_test_outside_of_the_table_ends_the_run(tmp_path: Path) -> None:
    """Pytest itself refuses it, wherever its mark comes from."""
    (tmp_path / "conftest.py").write_text("from tests.selection import *\n")
    (tmp_path / "test_it.py").write_text("import pytest\n\n\n@pytest.mark.alone\ndef test_it() -> None: ...\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--rootdir={tmp_path}", str(tmp_path)]
    done = subprocess.run(
        [*command, "-c", str(ROOT / "pyproject.toml")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "test_it is nightly: name its sources in tools/nightly.py" in done.stdout + done.stderr
    assert done.returncode != 0
