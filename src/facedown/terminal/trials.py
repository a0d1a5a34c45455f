"""What ``simulate``, ``compare`` and ``arena`` ask for alike, and how they print figures."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from facedown.terminal.shared import Problem
from facedown.terminal.texts import _

if TYPE_CHECKING:
    from rich.console import Console

FORMATS = ("text", "csv", "json")

#: What is said of the bots, whether they are an option or arguments.
ABOUT_BOTS = (
    "Levels, level@simulations, MODULE:NAME or “program:COMMAND”; the last one takes the seats that are left. "
    "Playing together, each is a team (a+b: in turn)."
)
Seats = Annotated[int | None, typer.Option(help="How many sit at the table; otherwise as many as bots.")]
Seed = Annotated[str, typer.Option(help="Any text: the same one gives the same deals and choices.")]
Address = Annotated[
    str | None, typer.Option("--ray-address", metavar="ADDRESS", help="A cluster of Ray that runs already.")
]
Limit = Annotated[float, typer.Option(metavar="SECONDS", help="What a program may take for a move.")]
Form = Annotated[str, typer.Option("--format", metavar="FORMAT", help="text, csv or json.")]


def check_form(form: str) -> None:
    """Raise `Problem` unless figures can be printed in this form."""
    if form not in FORMATS:
        raise Problem(_("--format {form}: there are {forms}", form=form, forms=", ".join(FORMATS)))


def print_csv(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows that all have the same keys; these are the first line."""
    writer = csv.DictWriter(sys.stdout, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)


def console(width: int) -> Console:
    """What prints a table: as wide as the terminal, or so wide where there is none.

    A narrow terminal or a file must not cut figures off.
    """
    from rich.console import Console

    return Console() if sys.stdout.isatty() else Console(width=width)
