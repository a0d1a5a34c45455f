"""Loading of tables: conversion of a stored table to a session, and checks of its data."""

from __future__ import annotations

from facedown.core import game_registry as registry
from facedown.core.translation import LazyText
from facedown.play import Bots, Refusal, Session, TableRecord
from facedown.play.user_input import format_code
from facedown.server.i18n import N_, _
from facedown.store.row_conversion import StoredTable

#: Length of a seed in bytes.
SEED = 32
#: Maximum number of errors that are remembered as logged.
MAX_LOGGED_ERRORS = 10_000


class LoggedErrors:
    """Record of the errors logged so far, by table.

    An operation that fails at a table, such as loading it, is retried many times. The same error is logged only once.
    """

    def __init__(self) -> None:
        self._made: set[tuple[str, str]] = set()

    def add_if_new(self, code: str, wrong: object) -> bool:
        """Record the error `wrong` of the table `code`, and return whether it was not recorded before.

        If there are too many records, all are deleted.
        """
        made = code, f"{type(wrong).__name__}: {wrong}"
        if made in self._made:
            return False
        if len(self._made) >= MAX_LOGGED_ERRORS:
            self._made.clear()
        self._made.add(made)
        return True


def session_from_stored_table(found: StoredTable, bots: Bots, now: float) -> Session:
    """Return a new session for a stored table. `now` is the Unix time in seconds.

    A session is the state of a table in memory. It uses neither the network nor the database. Raise `Refusal` if the
    table uses another version of the game's rules. If the stored data are invalid, raise `ValueError` or another
    exception, so callers must expect exceptions of any type.
    """
    record = found.record
    session = Session(record, found.moves, found.chat, now=now)
    if len(record.seed) != SEED:
        raise ValueError(f"its seed has {len(record.seed)} bytes")
    if record.status == "lobby":
        registry.info(record.game).check_seats(len(record.seats))
        session.game.check_options(len(record.seats), dict(record.options))
    elif record.status == "running" and session.dealt_match.over:
        raise ValueError(f"it is {record.status}, but its moves say otherwise")
    if record.status != "finished":
        _check_bot_levels_exist(record, bots)
    return session


def _check_bot_levels_exist(record: TableRecord, bots: Bots) -> None:
    there = {level.key for level in bots.levels}
    strange = {record.bot_level_at(seat) for seat in range(len(record.seats))} - there - {""}
    if strange:
        raise ValueError(f"bot {min(strange)[:40]!r} does not exist")


def unreadable_table_refusal(code: str) -> Refusal:
    """Return the refusal that every visitor of the table `code` gets because its stored data cannot be read."""
    text = N_("The saved data of table {code} cannot be read. The operator of this server can find out why.")
    return Refusal("closed", LazyText(_, text, {"code": format_code(code)}))
