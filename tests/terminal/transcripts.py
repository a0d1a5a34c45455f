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
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from facedown.bots import compile_process
from facedown.bots.warm_up import STAGES
from facedown.play import Session, new_table
from facedown.store import Person, Repository, url_of
from facedown.store.admin import close_table
from facedown.terminal.cli import run
from tests.play.table import LowBots

FOLDER = Path(__file__).with_name("transcripts")
PROMPT = "›"
#: Stands where no more lines are typed.
END = "^D"
#: A time of today or later, in seconds, in words, and in a file's name.
NOW = re.compile(r"\b\d{10}\.\d+|\b2\d{3}-\d\d-\d\d \d\d:\d\d\b|(?<=-)2\d{7}[-T]\d{6}")


class Keyboard:
    """Typed lines, which the terminal shows, also where no prompt asks for them."""

    def __init__(self, lines: Sequence[str], screen: io.StringIO) -> None:
        self.lines = iter(lines)
        self.screen = screen

    def isatty(self) -> bool:
        """It is no terminal."""
        return False

    def __iter__(self) -> Iterator[str]:
        return iter(self.readline, "")

    def read(self) -> str:
        """All lines."""
        return "".join(self)

    def readline(self) -> str:
        """The next line, "" at the end."""
        line = next(self.lines, END)
        prompt = "" if self.screen.getvalue().endswith(f"{PROMPT} ") else f"{PROMPT} "
        print(prompt + line, file=self.screen)
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
    settings = {"FACEDOWN_LANG": "en", "COLUMNS": "80", "LINES": "24", "NO_COLOR": "1"}
    settings |= {"FACEDOWN_DATA": str(data), "FACEDOWN_DATABASE_URL": str(data / "server"), "FACEDOWN_CONFIG": ""}
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.dict(os.environ, settings),
        patch.object(
            compile_process, "start_if_needed", lambda game: compile_process.Preparation(game, done=len(STAGES))
        ),
        patch.object(sys, "stdin", Keyboard(typed, out)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = run(shlex.split(command.replace("DATA", str(data))))
    text = out.getvalue() + "".join(f"! {line}\n" for line in err.getvalue().splitlines())
    text = NOW.sub("NOW", text.replace(str(data), "DATA"))
    return [*map(str.rstrip, text.splitlines()), *([f"[{code}]"] if code else [])]


def serve(data: Path) -> None:
    """Two people who are called Ada on a server; one plays at two tables, of which one is ended."""
    with closing(Repository(url_of(data / "server"))) as repository:
        ada = repository.new_person("Ada", "t" * 40, 1.0)
        repository.new_person("Ada", None, 1.0)
        for code in ("ABCD", "EFGH"):
            open_table(repository, ada, "detect", bytes(32), code)
        close_table(repository.engine, "EFGH", 100.0)


def open_table(repository: Repository, host: Person, game: str, seed: bytes, code: str) -> Session:
    """A running table of somebody and a bot."""
    seats = ["me", "low"]
    record = replace(new_table(game, seats, LowBots(), 1.0, host=host.id, host_name=host.name, seed=seed), code=code)
    repository.create(record)
    session = Session(record)
    change = session.ready(host.id, True, 2.0)
    assert change is not None
    repository.write(change)
    session.apply(change)
    return session


#: What is done before a transcript begins.
BEFORE = {"admin": serve}


def begun(path: Path, data: Path) -> str:
    """The transcript of a file as it comes out now."""
    if path.stem in BEFORE:
        BEFORE[path.stem](data)
    return played(path.read_text(encoding="utf-8"), data)


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.txt")):
        with tempfile.TemporaryDirectory() as folder:
            path.write_text(begun(path, Path(folder)), encoding="utf-8")
            print(path.stem)
