"""Commands, run in the process of the tests or in one of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from facedown.terminal.cli import run


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code, the output and the error output of a command."""
    code = run(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def facedown(
    *arguments: str, data: Path, typed: bytes = b"", out: int | IO[bytes] = subprocess.PIPE, **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """A command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "facedown", *arguments],
        input=typed,
        stdout=out,
        stderr=subprocess.PIPE,
        env={**os.environ, "FACEDOWN_INTERPRETED": "1", "FACEDOWN_DATA": str(data), **environment},
    )
