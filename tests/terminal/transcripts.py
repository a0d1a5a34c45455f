"""Transcripts of the command line: typed lines and all output, compared exactly.

A transcript has these lines:

* ``# …``: a comment;
* ``$ facedown …``: a command;
* ``› …``: a typed line;
* ``! …``: a line of the error stream;
* all others: the program's output. An exit code other than 0 is in brackets.

Write all transcripts with ``python -m tests.terminal.transcripts``, and read the difference before you commit it.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
import time
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
from facedown.store.blocks import store_report
from facedown.terminal.cli import run
from tests.play.table import LowBots

FOLDER = Path(__file__).with_name("transcripts")
PROMPT = "›"
#: Marks the end of the typed lines.
END = "^D"
#: Matches the current time or later: in seconds, in words, and in a file's name.
NOW = re.compile(r"\b\d{10}\.\d+|\b2\d{3}-\d\d-\d\d \d\d:\d\d\b|(?<=-)2\d{7}[-T]\d{6}")


class Keyboard:
    """Standard input that returns typed lines and echoes them to the screen, even without a prompt."""

    def __init__(self, lines: Sequence[str], screen: io.StringIO) -> None:
        self.lines = iter(lines)
        self.screen = screen

    def isatty(self) -> bool:
        """Return False: it is not a terminal."""
        return False

    def __iter__(self) -> Iterator[str]:
        return iter(self.readline, "")

    def read(self) -> str:
        """Return all remaining lines."""
        return "".join(self)

    def readline(self) -> str:
        """Return the next line, or "" at the end."""
        line = next(self.lines, END)
        prompt = "" if self.screen.getvalue().endswith(f"{PROMPT} ") else f"{PROMPT} "
        print(prompt + line, file=self.screen)
        return "" if line == END else f"{line}\n"


def transcript_text(text: str, data: Path) -> str:
    """Return a transcript with the current output of its commands, for the same typed lines; matches are saved in
    `data`.
    """
    told: list[str] = []
    for part in re.split(r"^(?=\$ |# )", text, flags=re.MULTILINE):
        head, *lines = part.splitlines() or [""]
        told += ["", head] if told and head.startswith("#") else [head]
        if head.startswith("$ "):
            typed = [line.removeprefix(PROMPT).strip() for line in lines if line.startswith(PROMPT)]
            told += command_output(f"{head} ".removeprefix("$ facedown "), typed, data)
    return "\n".join(told).strip() + "\n"


def command_output(command: str, typed: Sequence[str], data: Path) -> list[str]:
    """Return the output lines of a command."""
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


def create_server_data(data: Path) -> None:
    """Create a server database with two players called Ada, of whom one reported the other twice.

    One of them plays at two tables, of which one is closed.
    """
    with closing(Repository(url_of(data / "server"))) as repository:
        ada = repository.store_new_person("Ada", "t" * 40, 1.0)
        other = repository.store_new_person("Ada", None, 1.0)
        said, now = ["first", "second"], time.time()
        store_report(repository.engine, other.id, ada.id, "Ada", "words", "so rude", said, "", now)
        store_report(repository.engine, other.id, ada.id, "Ada", "name", "", [], "", now)
        for code in ("ABCD", "EFGH"):
            open_table(repository, ada, "detect", bytes(32), code)
        close_table(repository.engine, "EFGH", 100.0)


def open_table(repository: Repository, host: Person, game: str, seed: bytes, code: str) -> Session:
    """Create a running table of `host` and a bot."""
    seats = ["me", "low"]
    record = replace(new_table(game, seats, LowBots(), 1.0, host=host.id, host_name=host.name, seed=seed), code=code)
    repository.create(record)
    session = Session(record)
    change = session.ready(host.id, True, 2.0)
    assert change is not None
    repository.write(change)
    session.apply(change)
    return session


#: Functions that run before a transcript, by its name.
PREPARATIONS = {"admin": create_server_data}


def current_transcript(path: Path, data: Path) -> str:
    """Return the current transcript for a file."""
    if path.stem in PREPARATIONS:
        PREPARATIONS[path.stem](data)
    return transcript_text(path.read_text(encoding="utf-8"), data)


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.txt")):
        with tempfile.TemporaryDirectory() as folder:
            path.write_text(current_transcript(path, Path(folder)), encoding="utf-8")
            print(path.stem)
