"""What ``simulate``, ``compare`` and ``arena`` ask for alike, and how they print figures."""

from __future__ import annotations

import csv
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from facedown.terminal.shared import Problem
from facedown.terminal.texts import _

FORMATS = ("text", "csv", "json")
#: Columns between two columns of a table, and the least of a long name.
GAP, NAME = 3, 16
#: Columns of what is printed where the output is no terminal: a file must not cut figures off.
UNBOUNDED = 130

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


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of a name and figures below their heads; in a window too narrow for that, one figure a line."""
    from rich import box
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    room = window()
    # The first column gives way: a name may be a whole command line. Figures stay whole.
    figures = [max(map(len, column)) for column in zip(heads, *rows, strict=True)][1:]
    if sum(figures) + GAP * len(heads) + min(NAME, max(len(row[0]) for row in rows)) > room:
        for name, *cells in rows:
            print_lines(f"{heads[0]}: {name}")
            for head, cell in zip(heads[1:], cells, strict=True):
                print_lines(f"  {head}: {cell}")
        return
    found = Table(box=box.SIMPLE, pad_edge=False)
    for at, head in enumerate(heads):
        found.add_column(head, justify="right" if at else "left", no_wrap=at > 0, overflow="fold")
    for row in rows:
        found.add_row(*map(escape, row))
    Console(width=room).print(found)


def print_lines(text: str) -> None:
    """Print text in lines that fit the window."""
    from facedown.terminal.blocks import filled

    print(filled(text, window()))


def window() -> int:
    """The columns that there are for what is printed."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else UNBOUNDED
