"""Run commands in the process of the tests, or in a separate process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from facedown.terminal.cli import run


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command in this process; return its exit code, output and error output."""
    code = run(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def facedown(
    *arguments: str, data: Path, typed: bytes = b"", out: int | IO[bytes] = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a separate process."""
    return subprocess.run(
        [sys.executable, "-m", "facedown", *arguments],
        input=typed,
        stdout=out,
        stderr=subprocess.PIPE,
        env={**os.environ, "FACEDOWN_INTERPRETED": "1", "FACEDOWN_DATA": str(data), **environment},
    )
