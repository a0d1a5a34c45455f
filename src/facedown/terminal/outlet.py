"""Where a command's words go: whatever the terminal can show, and without a traceback where nothing can be written."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import sys
from typing import Any

#: What stands for a sign that the terminal's encoding lacks; one for one, so that columns stay columns.
PLAINER = str.maketrans(
    "─┄┈━│┊┌┐└┘├┤┬┴┼╭╮╰╯░▐▌●○·›“”‘’„…–—−→✓×↑↓" + "\u00a0",
    "---" + "-||+++++++++++++" + ":||*o.>" + '""' + "''" + '"' + ".---" + ">vx^v" + " ",
)


def plainer(problem: UnicodeError) -> tuple[str, int]:
    """The handler of characters that cannot be encoded: each becomes a plain one."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    text = problem.object[problem.start : problem.end].translate(PLAINER)
    return "".join(char if char.isascii() else "?" for char in text), problem.end


def prepare() -> None:
    """Make the streams take any text: what their encoding lacks is shown by plainer signs, what is no text by "?"."""
    codecs.register_error("facedown", plainer)
    for stream, errors in ((sys.stdout, "facedown"), (sys.stderr, "facedown"), (sys.stdin, "replace")):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError, OSError):
                stream.reconfigure(errors=errors)


def abandon() -> None:
    """Nothing more can be written to the standard output: let what waits there go, so that the exit stays quiet."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def bar(quiet: bool = False) -> Any:
    """A progress bar on the error stream; switched off where that is no terminal, or where it is to be `quiet`."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal)
