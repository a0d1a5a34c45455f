"""Style, types and import layers, as checked by tools."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Largest number of lines of a source file.
MAX_LINES = 750


def output_of(*command: str) -> tuple[int, str]:
    """Run a Python program; return its exit code and all its output."""
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("command", [("ruff", "check"), ("ruff", "format", "--check")], ids=" ".join)
def test_ruff_finds_no_style_errors(command: tuple[str, ...]) -> None:
    code, said = output_of("-m", *command, "--quiet", "--no-cache", ".")
    assert code == 0, said


def test_mypy_finds_no_type_errors() -> None:
    code, said = output_of("-m", "mypy")
    assert code == 0, said


def test_lower_layers_do_not_import_upper_layers() -> None:
    lint = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"
    code, said = output_of("-c", lint)
    assert code == 0, said
    assert "0 broken" in said


def test_no_source_file_has_more_than_750_lines() -> None:
    sources = [file for folder in ("src", "tests", "benchmarks") for file in ROOT.glob(f"{folder}/**/*.py")]
    assert len(sources) > 50
    assert [str(file) for file in sources if len(file.read_text(encoding="utf-8").splitlines()) > MAX_LINES] == []
