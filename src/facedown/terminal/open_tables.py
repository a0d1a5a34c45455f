"""The command ``open``, which lists the open tables of a server."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.core.translation import join_names, language
from facedown.terminal.command_common import FAILED, CommandError, parse_game_name
from facedown.terminal.i18n import _, n_

if TYPE_CHECKING:
    from facedown.client.messages import OpenTable, OpenTableList, TableInfo

#: Environment variable with the address of the server, if none is given.
SERVER_VARIABLE = "FACEDOWN_SERVER"


def open_tables(
    server: Annotated[
        str, typer.Argument(metavar="SERVER", help="Address of the server (default: FACEDOWN_SERVER).")
    ] = "",
    game: Annotated[str | None, typer.Option("--game", metavar="GAME", help="Only tables of this game.")] = None,
) -> None:
    """List the open tables of a server, with a link to each."""
    only = "" if game is None else parse_game_name(game)
    found = _ask(server or os.environ.get(SERVER_VARIABLE, ""), only)
    for one in found.tables:
        print(_row(one))
    if not found.tables:
        print(_("No one is waiting right now."))
    if found.seekers:
        print(n_("{count} person is looking for a seat.", "{count} people are looking for a seat.", found.seekers))


def _ask(server: str, game: str) -> OpenTableList:
    from facedown.client import ClientError, NoAnswer
    from facedown.client import open_tables as tables_of

    try:
        return tables_of(server, game, language=language(), patience=0.0)
    except ValueError as wrong:
        raise CommandError(str(wrong)) from None
    except NoAnswer as wrong:
        raise CommandError(_("{server} does not answer: {why}", server=server, why=wrong), FAILED) from None
    except ClientError as wrong:
        raise CommandError(str(wrong), FAILED) from None


def _row(one: OpenTable) -> str:
    """Return two lines about an open table: the game with its people, and what a person can do there, with the link."""
    from facedown.core.game_registry import catalogue
    from facedown.play import Settings
    from facedown.server.connection.clock_text import time_limit_text

    table, people = one.table, [seat.name for seat in one.table.seats if seat.kind == "person"]
    title = catalogue()[table.game].title if table.game in catalogue() else table.game
    if people:
        title = _("{game} with {names}", game=title, names=join_names(people))
    if one.joins == "now":
        does = n_("one seat free", "{count} seats free", one.free)
    else:
        does = _("you take over a bot in the next round") if one.joins == "next-round" else _("you can watch")
    settings = Settings(clock=table.clock, increment=table.increment)
    pace = time_limit_text(settings) if table.clock else _("no time limit")
    return f"{title}: {', '.join((does, pace, *_unusual_options(table)))}\n  {table.url}"


def _unusual_options(table: TableInfo) -> list[str]:
    """Return the game options of a table that differ from their defaults, in words.

    The list is empty if the game, or this version of its rules, is not installed here.
    """
    from facedown.core.game_registry import catalogue

    info = catalogue().get(table.game)
    if info is None or info.version != table.rules_version:
        return []
    return [
        f"{option.label}: {option.describe_value(table.options[option.name])}"
        for option in info.options.visible_options(table.options)
        if table.options[option.name] != option.normalize(option.default_text)
    ]
