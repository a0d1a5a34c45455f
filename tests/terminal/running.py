"""Commands, run in the process of the tests."""

from __future__ import annotations

import pytest

from facedown.terminal.cli import run


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code, the output and the error output of a command."""
    code = run(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err
