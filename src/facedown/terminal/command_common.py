"""Common parts of the commands: exceptions, arguments and options, output streams, progress bars."""

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

#: Exit codes: success, failure, and failure because of bad input.
SUCCESS = 0
FAILED = 1
BAD_INPUT = 2


class CommandError(Exception):
    """Error that the user can correct. Its text is shown in one line, and `code` is the exit code of the program."""

    def __init__(self, text: str, code: int = BAD_INPUT) -> None:
        super().__init__(text)
        self.code = code


class PlayerLeft(BaseException):
    """Exception that ends a match or lesson, because the player leaves it or the process must end.

    It is a `BaseException`, so that ``except Exception`` does not catch it.
    """


# --- arguments and options --------------------------------------------------------------------------------------------


def parse_game_name(text: str) -> str:
    """Return the name of the game with this name or title, ignoring case.

    Raises:
        CommandError: No game has this name, but a game has a similar one. The error text suggests the similar name.
        UnknownGame: No game has this name or a similar one.
    """
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
    str,
    typer.Argument(metavar="GAME", parser=parse_game_name, help="Name of the game; “facedown games” lists all games."),
]
MatchPath = Annotated[Path, typer.Argument(metavar="FILE", help="The match file.")]
OptionList = Annotated[
    list[str] | None,
    typer.Option("--options", "--option", metavar="NAME=VALUE", help="Set a game option; can be repeated."),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Hide the progress bar.")]
Seats = Annotated[int | None, typer.Option(help="Number of players (default: the fewest the game allows).")]
Seed = Annotated[str | None, typer.Option(help="Seed of the deal: 64 hex digits or any text (default: random).")]


def current_folder() -> str:
    """Return the current folder, which is searched for a user's own bots; an empty string if the folder no longer
    exists.
    """
    try:
        return str(Path.cwd())
    except OSError:
        return ""


# --- output streams ---------------------------------------------------------------------------------------------------

#: ASCII characters that replace characters missing in the terminal's encoding. Each replaces one, so that columns stay
#: aligned.
PLAIN_SIGNS = str.maketrans(
    "─┄┈━│┊┌┐└┘├┤┬┴┼╭╮╰╯░▐▌●○·›“”‘’„…–—−→✓×↑↓" + "\u00a0",
    "---" + "-||+++++++++++++" + ":||*o.>" + '""' + "''" + '"' + ".---" + ">vx^v" + " ",
)


def replace_unencodable(problem: UnicodeError) -> tuple[str, int]:
    """Handle an encoding error: put similar ASCII characters in place of the characters that cannot be encoded.

    A character without a similar ASCII character becomes "?". Return (replacement text, position in the text at which
    encoding continues), as Python requires of an encoding error handler.
    """
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    text = problem.object[problem.start : problem.end].translate(PLAIN_SIGNS)
    return "".join(char if char.isascii() else "?" for char in text), problem.end


def set_stream_error_handlers() -> None:
    """Set the error handlers of the standard streams, so that no text can make reading or writing fail.

    Characters of the output that the encoding lacks are replaced, and so are invalid bytes of the input.
    """
    codecs.register_error("facedown", replace_unencodable)
    for stream, errors in ((sys.stdout, "facedown"), (sys.stderr, "facedown"), (sys.stdin, "replace")):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError, OSError):
                stream.reconfigure(errors=errors)


def redirect_output_to_null() -> None:
    """Redirect standard output to the null device, so that Python can flush it at exit without an error."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


@contextlib.contextmanager
def progress_bar(
    says: str, steps: int, *, quiet: bool = False, counted: bool = True, aloud: bool = False
) -> Iterator[Callable[..., None]]:
    """Show a progress bar on the error stream during the ``with`` block.

    The bar has the text `says` and the elapsed time. If `counted` is set, the bar also shows the number of steps done
    and the total, `steps`. Otherwise it shows the estimated remaining time.

    No bar is shown in two cases: if `quiet` is set, and if the error stream is not a terminal. In these cases `says` is
    printed once on the error stream if `aloud` is set; otherwise nothing is printed.

    Yield a function that updates the bar. Its arguments are the number of steps done and, optionally, a new text.
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
