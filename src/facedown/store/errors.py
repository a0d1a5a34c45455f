"""Database errors, each classified by one word for logs and metrics. The words contain no stored data."""

from __future__ import annotations

import sqlite3

from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnection

#: Words that classify database errors, by SQLite's primary result code.
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
#: Words that classify database errors, by PostgreSQL's SQLSTATE code. A key of two characters stands for all other
#: codes that start with it.
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
#: All words that classify database errors. They appear in logs, in the answer of `/ready`, and as labels of metrics.
#: The docstring of `error_class_word` lists what they mean.
WORDS = {*_SQLITE.values(), *_STATES.values(), "lost", "unsettled", "slow", "conflict", "refused"}


class StoreError(RuntimeError):
    """Error: the database cannot be used. The message gives the reason in one line."""


class DatabaseFileReplaced(SQLAlchemyError):
    """Error: the database file was deleted or replaced while it was open, so new writes would be lost."""


class CommitUnknown(SQLAlchemyError):
    """Error: the connection was lost during a commit, and it is unknown whether the commit succeeded."""


def error_class_word(wrong: BaseException) -> str:
    """Return the word that classifies a database error for logs and metrics.

    * "locked": another transaction holds a lock for too long, or the transaction was rolled back after a deadlock.
    * "read-only": the database may not be written to.
    * "disk": reading or writing the disk failed.
    * "full": the disk is full.
    * "broken": the database is damaged, or the file is not a database.
    * "unreachable": the database cannot be opened or connected to, or is shutting down.
    * "slow": the database took too long, or no connection became free in time.
    * "lost": the database file was deleted or replaced.
    * "unsettled": the connection was lost during a commit, and it is unknown whether the commit succeeded.
    * "conflict": a constraint of the schema was violated.
    * "refused": any other error.

    >>> error_class_word(DatabaseFileReplaced())
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
    # The error has no SQLSTATE if the driver could not connect or lost the connection.
    return "unreachable" if lost or type(cause).__name__ == "OperationalError" else "refused"


def unusable_database_message(url: str, wrong: Exception) -> str:
    """Return a one-line message about why a database cannot be used. It contains the URL without its password."""
    text = (str(getattr(wrong, "orig", None) or wrong).strip().splitlines() or ["?"])[0]
    named = make_url(url).set(query={}).render_as_string(hide_password=True)
    return f"the database {named} cannot be used: {text}"
