"""What the commands share: bad input, what several ask for, and words that any terminal can show."""

from __future__ import annotations

import codecs
import contextlib
import difflib
import io
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from facedown.terminal.i18n import _

#: The exit codes: all went well; something else failed; the input was bad.
SUCCESS = 0
FAILED = 1
BAD_INPUT = 2


class CommandError(Exception):
    """Something the caller can put right; its text is the one line they read."""

    def __init__(self, text: str, code: int = BAD_INPUT) -> None:
        super().__init__(text)
        self.code = code


class PlayerLeft(BaseException):
    """The person leaves the table, or is made to: no `except Exception` on the way keeps them there."""


# --- what is asked for ------------------------------------------------------------------------------------------------


def parse_game_name(text: str) -> str:
    """Return the game of a name or title, ignoring case. `CommandError` suggests the nearest one."""
    from facedown.core.game_registry import catalogue, info

    known = catalogue()
    meant = {said.casefold().rstrip("!"): name for name, about in known.items() for said in (name, about.title)}
    word = text.strip().casefold().rstrip("!")
    if word in meant:
        return meant[word]
    near = difflib.get_close_matches(word, meant, 1, 0.6)
    if near:
        raise CommandError(_("unknown game {text}: did you mean {meant}?", text=text, meant=meant[near[0]]))
    return info(text).name


GameName = Annotated[
    str, typer.Argument(metavar="GAME", parser=parse_game_name, help="A game’s name: see “facedown games”.")
]
MatchPath = Annotated[Path, typer.Argument(metavar="FILE", help="A match file.")]
OptionList = Annotated[
    list[str] | None,
    typer.Option("--options", "--option", metavar="NAME=VALUE", help="An option; may be given several times."),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress bar.")]
Seats = Annotated[int | None, typer.Option(help="How many play; otherwise as few as can.")]
Seed = Annotated[str | None, typer.Option(help="64 hex digits, or any text; otherwise a new random seed.")]


def current_folder() -> str:
    """The current folder, where the bots of whoever calls lie; nothing if it is gone."""
    try:
        return str(Path.cwd())
    except OSError:
        return ""


# --- where words go ---------------------------------------------------------------------------------------------------

#: What stands for a sign that the terminal's encoding lacks; one for one, so that columns stay columns.
PLAIN_SIGNS = str.maketrans(
    "─┄┈━│┊┌┐└┘├┤┬┴┼╭╮╰╯░▐▌●○·›“”‘’„…–—−→✓×↑↓" + "\u00a0",
    "---" + "-||+++++++++++++" + ":||*o.>" + '""' + "''" + '"' + ".---" + ">vx^v" + " ",
)


def replace_unencodable(problem: UnicodeError) -> tuple[str, int]:
    """The handler of characters that cannot be encoded: each becomes a plain one."""
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    text = problem.object[problem.start : problem.end].translate(PLAIN_SIGNS)
    return "".join(char if char.isascii() else "?" for char in text), problem.end


def prepare_streams() -> None:
    """Make the streams take any text: what their encoding lacks is shown by plainer signs, what is no text by "?"."""
    codecs.register_error("facedown", replace_unencodable)
    for stream, errors in ((sys.stdout, "facedown"), (sys.stderr, "facedown"), (sys.stdin, "replace")):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError, OSError):
                stream.reconfigure(errors=errors)


def discard_output() -> None:
    """Nothing more can be written to the standard output: let what waits there go, so that the exit stays quiet."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextlib.contextmanager
def progress(
    says: str, steps: int, *, quiet: bool = False, counted: bool = True, aloud: bool = False
) -> Iterator[Callable[..., None]]:
    """Show a progress bar on the error stream, if that is a terminal and it is not to be `quiet`.

    Gives what updates it: a function of how much is done, and of a new text. It shows the time that passed, and how
    much is done or, if that cannot be `counted`, the time that is left. Without a bar a line says the same if `aloud`.
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    times = (MofNCompleteColumn(), TimeElapsedColumn()) if counted else (TimeElapsedColumn(), TimeRemainingColumn())
    columns = (TextColumn("{task.description}"), BarColumn(), *times)
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        if aloud and bar.disable:
            print(f"{says} …", file=sys.stderr, flush=True)
        task = bar.add_task(says, total=steps)
        yield lambda done, now=None: bar.update(task, completed=done, description=now)
