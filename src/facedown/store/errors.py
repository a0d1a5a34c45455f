"""Errors of the database, each with one word for logs and counters that holds nothing of what was to be written."""

from __future__ import annotations

import sqlite3

from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection

#: SQLite's primary result codes.
_SQLITE = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_PERM: "read-only",
    sqlite3.SQLITE_IOERR: "disk",
    sqlite3.SQLITE_CORRUPT: "broken",
    sqlite3.SQLITE_NOTADB: "broken",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_CANTOPEN: "unreachable",
}
#: PostgreSQL's states; of the others, the first two letters name the class.
_STATES = {
    "25006": "read-only",
    "53100": "full",
    "55P03": "locked",
    "57014": "slow",
    "08": "unreachable",
    "53": "unreachable",
    "57": "unreachable",
    "58": "disk",
    "XX": "broken",
    "40": "locked",
}
#: All words there are: for logs, for what `/ready` answers, for the labels of what is counted.
WORDS = {*_SQLITE.values(), *_STATES.values(), "lost", "unsettled", "slow", "conflict", "refused"}


class StoreError(RuntimeError):
    """The database cannot be used; the text says why in one line."""


class DatabaseFileReplaced(SQLAlchemyError):
    """The file behind the connection is no longer the one at its path: what is written there is lost."""


class CommitUnknown(SQLAlchemyError):
    """The database was lost while it wrote: whether what was to be written stands shows when it is back."""


def word_of(wrong: BaseException) -> str:
    """What is wrong with the database, in one of `WORDS`.

    >>> word_of(DatabaseFileReplaced())
    'lost'
    """
    if isinstance(wrong, DatabaseFileReplaced):
        return "lost"
    if isinstance(wrong, CommitUnknown):
        return "unsettled"
    if isinstance(wrong, IntegrityError):
        return "conflict"
    if isinstance(wrong, (TimeoutError, NoConnection)):
        return "slow"
    cause = getattr(wrong, "orig", wrong)
    if isinstance(cause, sqlite3.Error):
        return _SQLITE.get((getattr(cause, "sqlite_errorcode", None) or 0) & 0xFF, "refused")
    state = getattr(cause, "sqlstate", None)
    if state:
        return _STATES.get(state) or _STATES.get(state[:2], "refused")
    lost = isinstance(wrong, DBAPIError) and wrong.connection_invalidated
    # A driver that could not even connect, or whose line broke, has no state to tell.
    return "unreachable" if lost or type(cause).__name__ == "OperationalError" else "refused"


def unusable(url: str, wrong: Exception) -> str:
    """Why a database cannot be used, in one line and without its password."""
    text = (str(getattr(wrong, "orig", None) or wrong).strip().splitlines() or ["?"])[0]
    named = make_url(url).set(query={}).render_as_string(hide_password=True)
    return f"the database {named} cannot be used: {text}"
