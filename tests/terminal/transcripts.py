"""Transcripts of the command line: what is typed, and all that comes out, compared to the letter.

A transcript has comments (``# …``), commands (``$ facedown …``), lines that a person types (``› …``), and what the
program says: lines of the error stream with a ``!``, and an exit code that is not 0 in brackets. Write them all anew
with ``python -m tests.terminal.transcripts``, and read the difference before you commit it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import patch

from facedown.bots.preparation import Preparation
from facedown.bots.rehearsal import STAGES
from facedown.terminal import starting
from facedown.terminal.cli import run

FOLDER = Path(__file__).with_name("transcripts")
PROMPT = "›"
#: Stands where no more lines are typed.
END = "^D"


class Keyboard:
    """Typed lines, which the terminal shows."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = iter(lines)

    def isatty(self) -> bool:
        """It is no terminal."""
        return False

    def readline(self) -> str:
        """The next line, "" at the end."""
        line = next(self.lines, END)
        print(line)
        return "" if line == END else f"{line}\n"


def played(text: str, data: Path) -> str:
    """A transcript with what its commands say now, when its lines are typed; matches are saved in a folder."""
    told: list[str] = []
    for part in re.split(r"^(?=\$ |# )", text, flags=re.MULTILINE):
        head, *lines = part.splitlines() or [""]
        told += ["", head] if told and head.startswith("#") else [head]
        if head.startswith("$ "):
            typed = [line.removeprefix(PROMPT).strip() for line in lines if line.startswith(PROMPT)]
            told += said(f"{head} ".removeprefix("$ facedown "), typed, data)
    return "\n".join(told).strip() + "\n"


def said(command: str, typed: Sequence[str], data: Path) -> list[str]:
    """What a command says."""
    settings = {"FACEDOWN_DATA": str(data), "FACEDOWN_LANG": "en", "COLUMNS": "80", "LINES": "24", "NO_COLOR": "1"}
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.dict(os.environ, settings),
        patch.object(starting, "prepare", lambda game: Preparation(game, done=len(STAGES))),
        patch.object(sys, "stdin", Keyboard(typed)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = run(shlex.split(command.replace("DATA", str(data))))
    lines = [line.rstrip() for line in out.getvalue().replace(str(data), "DATA").splitlines()]
    wrong = [f"! {line}".replace(str(data), "DATA") for line in err.getvalue().splitlines()]
    return [*lines, *wrong, *([f"[{code}]"] if code else [])]


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.txt")):
        with tempfile.TemporaryDirectory() as folder:
            path.write_text(played(path.read_text(encoding="utf-8"), Path(folder)), encoding="utf-8")
            print(path.stem)
