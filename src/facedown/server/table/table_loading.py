"""Loading of tables: a stored table becomes a session, or a refusal if its data are invalid."""

from __future__ import annotations

from facedown.core import game_registry as registry
from facedown.core.language import LazyText
from facedown.play import Bots, Refusal, Session, TableRecord
from facedown.play.user_input import shown_code
from facedown.server.i18n import N_, _
from facedown.store.row_conversion import StoredTable

#: Length of a seed in bytes.
SEED = 32
#: Maximum number of errors that are remembered as logged.
MAX_LOGGED_ERRORS = 10_000


class LoggedErrors:
    """Errors of tables that are in the log already, so that a broken table is not logged again at every sweep."""

    def __init__(self) -> None:
        self._made: set[tuple[str, str]] = set()

    def add_if_new(self, code: str, wrong: object) -> bool:
        """Remember an error of a table, and return whether it is new. The memory is cleared when it is full."""
        made = code, f"{type(wrong).__name__}: {wrong}"
        if made in self._made:
            return False
        if len(self._made) >= MAX_LOGGED_ERRORS:
            self._made.clear()
        self._made.add(made)
        return True


def open_session(found: StoredTable, bots: Bots, now: float) -> Session:
    """Return the session of a stored table.

    Raise `Refusal` if it was played by another version of the rules, any other exception if its data are invalid.
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
        _check_bots(record, bots)
    return session


def _check_bots(record: TableRecord, bots: Bots) -> None:
    there = {level.key for level in bots.levels}
    strange = {record.level_of(seat) for seat in range(len(record.seats))} - there - {""}
    if strange:
        raise ValueError(f"bot {min(strange)[:40]!r} does not exist")


def unreadable_table_refusal(code: str) -> Refusal:
    """Return the refusal that all visitors of a table get whose stored data cannot be read."""
    text = N_("The saved data of table {code} cannot be read. The operator of this server can find out why.")
    return Refusal("closed", LazyText(_, text, {"code": shown_code(code)}))
