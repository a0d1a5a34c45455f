"""Style, types and layers, as the tools see them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: The most lines that a file may have.
LONGEST = 750


def output_of(*command: str) -> tuple[int, str]:
    """The exit code of a Python program and all it said."""
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("command", [("ruff", "check"), ("ruff", "format", "--check")], ids=" ".join)
def test_style(command: tuple[str, ...]) -> None:
    code, said = output_of("-m", *command, "--quiet", "--no-cache", ".")
    assert code == 0, said


def test_types() -> None:
    code, said = output_of("-m", "mypy")
    assert code == 0, said


def test_lower_floors_never_import_upper_ones() -> None:
    lint = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"
    code, said = output_of("-c", lint)
    assert code == 0, said
    assert "0 broken" in said


def test_no_file_grows_without_bounds() -> None:
    sources = [file for folder in ("src", "tests", "benchmarks") for file in ROOT.glob(f"{folder}/**/*.py")]
    assert len(sources) > 50
    assert [str(file) for file in sources if len(file.read_text(encoding="utf-8").splitlines()) > LONGEST] == []
