"""``facedown config``, and what all commands for whoever runs a server share: its settings and its database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.terminal.shared import Problem
from facedown.terminal.texts import _

if TYPE_CHECKING:
    from facedown.server.process.configuration import Configuration

ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="A file of settings; otherwise the one that FACEDOWN_CONFIG names."),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database", "--data", metavar="ADDRESS", help="A folder, an SQLite file or an address; otherwise as set."
    ),
]


def configuration(file: Path | None, database: str | None = None) -> Configuration:
    """The settings that hold; `Problem` names what cannot."""
    from facedown.server.process.configuration import BadSettings, load

    try:
        return load({"database": database}, file)
    except BadSettings as wrong:
        raise Problem(str(wrong)) from None


def config(
    file: ConfigFile = None,
    database: Database = None,
    check: Annotated[bool, typer.Option("--check", help="Only say whether they are valid: exit code 0 or 2.")] = False,
    example: Annotated[bool, typer.Option("--example", help="Print a file of all settings, explained.")] = False,
) -> None:
    """Show the settings of a server, and where each comes from."""
    from facedown.server.process import configuration as server

    if example:
        print(server.example(), end="")
        return
    found = configuration(file, database)
    if check:
        print(_("All settings are valid."))
        return
    for line in server.lines(found):
        print(line)
