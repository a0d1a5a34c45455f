"""Commands for operators of a server: show its settings, back up its database, and manage its tables and players."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from facedown.core.translation import isolate_right_to_left
from facedown.terminal.command_common import FAILED, SUCCESS, CommandError
from facedown.terminal.command_help import PEOPLE, TABLES, Commands
from facedown.terminal.i18n import N_, _

if TYPE_CHECKING:
    from sqlalchemy.engine import Engine

    from facedown.server.process.server_settings import ServerSettings
    from facedown.store.bans import BanKind

ConfigFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="Settings file (default: the one named by FACEDOWN_CONFIG)."),
]
Database = Annotated[
    str | None,
    typer.Option(
        "--database",
        "--data",
        metavar="ADDRESS",
        help="Database: a folder, an SQLite file or an address (default: from the settings).",
    ),
]


def settings_of(file: Path | None, database: str | None) -> ServerSettings:
    """Return the settings that the server would use with this configuration file and this database.

    If `file` is None, use the file named by the environment variable ``FACEDOWN_CONFIG``, if any. If `database` is
    None, use the database named in the settings.
    """
    from facedown.server.process.configuration import load_configuration

    return load_configuration({"database": database}, file).settings


def config(
    file: ConfigFile = None,
    database: Database = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Only check that the settings are valid (exit code 0 if they are, otherwise 2)."),
    ] = False,
    example: Annotated[
        bool, typer.Option("--example", help="Print an example file that explains all settings.")
    ] = False,
) -> None:
    """Show a server’s settings and where each one comes from."""
    from facedown.server.process import configuration as server

    if example:
        print(server.example_configuration(), end="")
        return
    found = server.load_configuration({"database": database}, file)
    if check:
        print(_("All settings are valid."))
        return
    print(*server.settings_lines(found), sep="\n")


# --- backups ----------------------------------------------------------------------------------------------------------

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup file.")]


def backup(
    file: BackupFile,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Back up the database to a file, even while a server uses it. The file contains the seeds of running matches."""
    from facedown.store.backups import backup as copy

    copy(settings_of(config, database).database, file, force)
    print(
        _(
            "Backed up to {file}; the copy passed its integrity check. Keep the copy as secret as the database.",
            file=file,
        )
    )


def restore(
    file: BackupFile,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Restore the database from a backup while no server is using it. The old database is kept."""
    from facedown.store.backups import restore as bring_back

    aside = bring_back(settings_of(config, database).database, file)
    print(_("Restored the database from {file}.", file=file))
    if aside is not None:
        print(_("The previous database was moved to {aside}.", aside=aside))


# --- tables -----------------------------------------------------------------------------------------------------------

#: Help text of the command group ``admin``.
ABOUT = "Manage a server’s tables and people."

admin = typer.Typer(name="admin", cls=Commands, rich_markup_mode=None, help=ABOUT, invoke_without_command=True)
STATUSES = ("lobby", "running", "finished")
#: Pattern of a typed duration of a ban: a number of hours, days or weeks, such as 12h, 30d or 8w.
SPAN = re.compile(r"(\d{1,5})([hdw])")
SECONDS = {"h": 3600.0, "d": 86_400.0, "w": 7 * 86_400.0}

Code = Annotated[str, typer.Argument(metavar="CODE", help="Code of the table.")]
BanTarget = Annotated[str, typer.Argument(metavar="WHO", help="A person’s ID, an IP address or a network.")]
PersonArgument = Annotated[str, typer.Argument(metavar="PERSON", help="A person’s ID, name or token.")]


def _open_database(config: ConfigFile, database: Database) -> AbstractContextManager[Engine]:
    """Return a context manager that opens the database that the server would use with these options (`settings_of`)."""
    from facedown.store.engine import open_existing_engine

    return open_existing_engine(settings_of(config, database).database)


def _format_utc_time(at: float) -> str:
    """Format a Unix time in UTC; 0 means never and gives "-".

    >>> _format_utc_time(0.0), _format_utc_time(86400.0)
    ('-', '1970-01-02 00:00')
    """
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M") if at else "-"


def _aligned_lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield one line of text for each row. The cells of a column are aligned."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(word.ljust(width) for word, width in zip(row, widths, strict=True)).rstrip()


@admin.command("list", rich_help_panel=TABLES)
def list_tables(
    status: Annotated[
        str, typer.Option(metavar="STATUS", help="Show only tables with this status: lobby, running or finished.")
    ] = "",
    game: Annotated[str, typer.Option(metavar="GAME", help="Show only tables for this game.")] = "",
    quiet_days: Annotated[
        float | None, typer.Option("--quiet-days", min=0, help="Show only tables with no activity for this many days.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Show at most this many tables, newest first.")] = 50,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """List tables with their game, status, players, time opened and time of the last move (all times in UTC)."""
    from facedown.store.admin import table_summaries

    if status and status not in STATUSES:
        raise CommandError(_("--status {status}: must be one of {known}", status=status, known=", ".join(STATUSES)))
    before = None if quiet_days is None else time.time() - quiet_days * SECONDS["d"]
    with _open_database(config, database) as engine:
        found = table_summaries(engine, status, game, before, limit)
    if not found:
        print(_("No tables."))
        return
    head = (_("code"), _("game"), _("status"), _("seats"), _("people"), _("bots"), _("opened"), _("last move"))
    rows = [
        (
            t.code,
            t.game,
            t.status,
            str(t.seats),
            str(t.people),
            str(t.bots),
            _format_utc_time(t.created),
            _format_utc_time(t.last),
        )
        for t in found
    ]
    print(*_aligned_lines([head, *rows]), sep="\n")


@admin.command(rich_help_panel=TABLES)
def show(code: Code, database: Database = None, config: ConfigFile = None) -> None:
    """Show a table as spectators see it, without hidden cards."""
    from facedown.core.state import SPECTATOR
    from facedown.play import Refusal, Session
    from facedown.play.user_input import clean_code
    from facedown.store import Repository

    with (
        _open_database(config, database) as engine,
        # `Repository` would migrate an old database. But `_open_database` has already refused any database with an old
        # schema.
        closing(Repository(engine.url.render_as_string(hide_password=False))) as repository,
    ):
        found = repository.load(clean_code(code))
    if found is None:
        raise CommandError(_("table {code} does not exist", code=clean_code(code)), FAILED)
    record = found.record
    try:
        session = Session(record, found.moves, found.chat)
    except Refusal as refusal:
        raise CommandError(refusal.reason, FAILED) from None
    print(_("Table {code}: {game}, {status}", code=record.code, game=record.game, status=record.status))
    print(_("opened {at}", at=_format_utc_time(record.created)))
    if session.closed:
        print(_("closed before the end of the match"))
    if session.match is None:
        for seat in record.seats:
            name = isolate_right_to_left(seat.name) or _("open seat")
            print(f"  {name} ({seat.kind} {seat.level})" if seat.level else f"  {name}")
        return
    table = session.table(SPECTATOR)
    print(", ".join(table.where))
    points = {row.seat: row.total for row in table.scores}
    for panel in table.seats:
        words = [isolate_right_to_left(panel.name), points.get(panel.seat, ""), panel.line, panel.state]
        print("  " + ", ".join(word for word in words if word))
    if table.result:
        print(table.result.replace("**", ""))


@admin.command(rich_help_panel=TABLES)
def close(code: Code, database: Database = None, config: ConfigFile = None) -> None:
    """Close a table: end its match without a result, or delete the table if it is still waiting for players."""
    from facedown.play.user_input import clean_code
    from facedown.store.admin import close_table

    with _open_database(config, database) as engine:
        was = close_table(engine, clean_code(code), time.time())
    told = N_("Ended the match at table {code} without a result.")
    if was == "lobby":
        told = N_("Deleted table {code}, which was still waiting for players.")
    print(_(told, code=clean_code(code)))


@admin.command(rich_help_panel=TABLES)
def purge(
    finished_days: Annotated[
        int | None,
        typer.Option(
            min=0, help="Delete finished matches older than this many days (default: from the settings; 0: never)."
        ),
    ] = None,
    lobby_days: Annotated[
        int | None,
        typer.Option(
            min=0,
            help=(
                "Delete tables where no match started, if they are older than this many days (default: from the "
                "settings; 0: never)."
            ),
        ),
    ] = None,
    people_days: Annotated[
        int | None,
        typer.Option(
            min=0,
            help=(
                "Delete the data of people without a table who haven’t visited for this many days (default: from "
                "the settings; 0: never)."
            ),
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Delete the data instead of only showing how much there is.")
    ] = False,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Delete old data; without --yes, only show how much would be deleted."""
    from facedown.store.retention import RetentionPolicy, count_expired, delete_all_expired

    settings = settings_of(config, database)
    set_days = (settings.keep_finished_days, settings.keep_lobby_days, settings.keep_people_days)
    asked = (finished_days, lobby_days, people_days)
    keeping = RetentionPolicy(*(days if own is None else own for days, own in zip(set_days, asked, strict=True)))
    with _open_database(config, database) as engine:
        found = (delete_all_expired if yes else count_expired)(engine, keeping, time.time())
    print(_("finished matches: {count}", count=found.finished))
    print(_("tables where no match started: {count}", count=found.lobbies))
    print(_("inactive people: {count}", count=found.people))
    print(_("old reports: {count}", count=found.reports))
    print(_("All of these were deleted.") if yes else _("Nothing was deleted. Use --yes to delete."))


# --- bans -------------------------------------------------------------------------------------------------------------


def _parse_ban_target(who: str) -> tuple[BanKind, str]:
    from facedown.store.bans import parse_ban_target

    try:
        return parse_ban_target(who)
    except ValueError:
        raise CommandError(_("{who}: expected a person’s ID, an IP address or a network", who=who)) from None


def _ban_end_time(span: str, now: float) -> float | None:
    """Return the Unix time at which a duration such as "12h" ends if it begins at `now`. An empty text means forever
    and gives None.

    >>> _ban_end_time("2h", 100.0), _ban_end_time("2d", 100.0), _ban_end_time("", 100.0)
    (7300.0, 172900.0, None)
    """
    if not span:
        return None
    if not (found := SPAN.fullmatch(span.strip())) or not int(found[1]):
        raise CommandError(_("--for {span}: expected a duration such as 12h, 30d or 8w", span=span))
    return now + int(found[1]) * SECONDS[found[2]]


@admin.command(rich_help_panel=PEOPLE)
def ban(
    who: BanTarget,
    reason: Annotated[str, typer.Option(help="Reason, shown in the list of bans.")] = "",
    span: Annotated[
        str, typer.Option("--for", metavar="SPAN", help="Duration such as 12h, 30d or 8w (default: forever).")
    ] = "",
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Ban a person, an IP address or a network."""
    from facedown.store import bans
    from facedown.store.personal_data import find_person_ids

    kind, value = _parse_ban_target(who)
    if len(reason) > 200:
        raise CommandError(_("--reason must be at most {most} characters long", most=200))
    now = time.time()
    until = _ban_end_time(span, now)
    with _open_database(config, database) as engine:
        if kind == "person" and int(value) not in find_person_ids(engine, value):
            raise CommandError(_("person {number} does not exist", number=value), FAILED)
        bans.add_or_replace_ban(engine, kind, value, reason, now, until)
    print(_("Banned {who}; this takes effect within seconds.", who=_ban_target_text(kind, value)))


@admin.command(rich_help_panel=PEOPLE)
def unban(who: BanTarget, database: Database = None, config: ConfigFile = None) -> None:
    """Lift a ban."""
    from facedown.store import bans

    kind, value = _parse_ban_target(who)
    with _open_database(config, database) as engine:
        if not bans.remove_ban(engine, kind, value):
            raise CommandError(_("{who} is not banned", who=_ban_target_text(kind, value)), FAILED)
    print(_("Lifted the ban on {who}.", who=_ban_target_text(kind, value)))


@admin.command("bans", rich_help_panel=PEOPLE)
def list_bans(database: Database = None, config: ConfigFile = None) -> None:
    """List bans with their end times and reasons."""
    from facedown.store import bans

    with _open_database(config, database) as engine:
        found = bans.bans_in_force(engine, time.time())
    if not found:
        print(_("Nobody is banned."))
        return
    rows = [(_ban_target_text(one.kind, one.value), _format_utc_time(one.until or 0.0), one.reason) for one in found]
    print(*_aligned_lines([(_("who"), _("until"), _("reason")), *rows]), sep="\n")


@admin.command(rich_help_panel=PEOPLE)
def reports(
    done: Annotated[
        int | None, typer.Option("--done", metavar="NUMBER", help="Delete the report with this number.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="Show at most this many reports, newest first.")] = 50,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """List reports of players’ names and words, each with the player’s last chat messages (all times in UTC)."""
    from facedown.store import blocks

    with _open_database(config, database) as engine:
        if done is not None:
            if not 0 < done < 2**31 or not blocks.delete_report(engine, done):
                raise CommandError(_("report {number} does not exist", number=done), FAILED)
            print(_("Deleted report {number}.", number=done))
            return
        found = blocks.reports(engine, limit)
    if not found:
        print(_("No reports."))
        return
    kinds = {"name": _("name"), "words": _("words")}
    head = (_("number"), _("time"), _("kind"), _("by"), _("about"))
    rows = []
    for one in found:
        reporter, person = (_ban_target_text("person", str(number)) for number in (one.reporter, one.person))
        about = f"{person}, {isolate_right_to_left(one.name)}"
        rows.append((str(one.id), _format_utc_time(one.created), kinds[one.kind], reporter, about))
    heading, *lines = _aligned_lines([head, *rows])
    print(heading)
    for line, one in zip(lines, found, strict=True):
        words = [one.text] * bool(one.text) + [f"> {said}" for said in one.said]
        print(line, *(f"  {isolate_right_to_left(text)}" for text in words), sep="\n")


def _ban_target_text(kind: str, value: str) -> str:
    return _("person {number}", number=value) if kind == "person" else value


# --- personal data ----------------------------------------------------------------------------------------------------


@admin.command(rich_help_panel=PEOPLE)
def find(
    who: Annotated[str, typer.Argument(metavar="PERSON", help="A person’s name, ID or token.")],
    database: Database = None,
    config: ConfigFile = None,
) -> int:
    """Print everything stored about a person as JSON; if several people share the name, print it for each of them."""
    from facedown.store.personal_data import data_for_operator, find_person_ids

    with _open_database(config, database) as engine:
        found = [data_for_operator(engine, person) for person in find_person_ids(engine, who)]
    print(json.dumps(found, indent=2, ensure_ascii=False))
    return SUCCESS if found else FAILED


@admin.command(rich_help_panel=PEOPLE)
def forget(
    who: PersonArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Delete the data instead of only showing whose it is.")] = False,
    database: Database = None,
    config: ConfigFile = None,
) -> None:
    """Delete a person’s data. Their matches with others are kept, with a guest in their seat."""
    from facedown.store.personal_data import data_for_operator, erase_personal_data, find_person_ids

    with _open_database(config, database) as engine:
        found = find_person_ids(engine, who)
        if not found:
            raise CommandError(_("nobody has this name, ID or token"), FAILED)
        if len(found) > 1:
            numbers = ", ".join(map(str, found))
            raise CommandError(_("several people have this name; give one of these IDs: {numbers}", numbers=numbers))
        data = data_for_operator(engine, found[0])
        seats = len(data["seats"])
        if yes:
            erase_personal_data(engine, found[0])
            print(_("Deleted the data of person {number}. Tables joined: {count}.", number=found[0], count=seats))
            return
        person = N_("Person {number}, “{name}”. Tables joined: {count}.")
        print(_(person, number=found[0], name=data["name"], count=seats))
        print(_("Nothing was deleted. Use --yes to delete."))
