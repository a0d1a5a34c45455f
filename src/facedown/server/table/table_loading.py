"""A table as it is written down, made ready to be played on: or a refusal, where what is written cannot be believed."""

from __future__ import annotations

from facedown.core import game_registry as registry
from facedown.core.language import LazyText
from facedown.play import Bots, Refusal, Session, TableRecord
from facedown.play.user_input import shown_code
from facedown.server.i18n import N_, _
from facedown.store.row_conversion import StoredTable

#: The length of a seed in bytes.
SEED = 32
#: Number of complaints that are remembered.
MAX_LOGGED_ERRORS = 10_000


class LoggedErrors:
    """What was written to the log already, so that a table that is broken is not complained of at every sweep."""

    def __init__(self) -> None:
        self._made: set[tuple[str, str]] = set()

    def add_if_new(self, code: str, wrong: object) -> bool:
        """Is this the first time that just this is wrong with a table? After very much else it is so once more."""
        made = code, f"{type(wrong).__name__}: {wrong}"
        if made in self._made:
            return False
        if len(self._made) >= MAX_LOGGED_ERRORS:
            self._made.clear()
        self._made.add(made)
        return True


def open_session(found: StoredTable, bots: Bots, now: float) -> Session:
    """The session of a table; `Refusal` for one of other rules, any other exception for one that is broken."""
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
        raise ValueError(f"there is no bot {min(strange)[:40]!r}")


def unreadable_table_refusal(code: str) -> Refusal:
    """What everybody is told of a table that cannot be read."""
    text = N_("The stored data of table {code} cannot be read. The operator of this server can see why.")
    return Refusal("closed", LazyText(_, text, {"code": shown_code(code)}))
