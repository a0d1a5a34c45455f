"""Structured logs of a server: events with fields, written as JSON lines or as text.

Logs are kept for a long time and read by many people. So they contain nothing that would give a reader access, and
nothing that a user wrote: no codes, tokens, cookies, names, chat messages or seeds.

* A match is identified by the beginning of its commitment: the public hash of its seed, which the database stores.
* A client's address is identified by a hash. The key of the hash is new at every start of the server.
* An exception is logged as its type and traceback. Its message is logged only if it cannot contain user data.
* Lines from other libraries' loggers are shortened, because they may contain such data.
"""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import secrets
import sqlite3
import sys
import traceback
from collections.abc import Iterator
from typing import Any, Literal, TextIO, cast

import structlog
from sqlalchemy.exc import SQLAlchemyError
from structlog.types import EventDict

from facedown.play import Session
from facedown.play.records import TableRecord
from facedown.store.errors import error_class_word

Form = Literal["auto", "text", "json"]
Level = Literal["debug", "info", "warning", "error"]
Addresses = Literal["none", "hash", "network"]
Log = structlog.stdlib.BoundLogger

#: Number of characters of a commitment (hash of a match's seed) that identify the match in logs.
MATCH_NAME_LENGTH = 12
#: Key of the hashes under which client addresses are logged. It exists only in this process.
_KEY = secrets.token_bytes(32)
#: Exception types whose messages contain nothing that a user sent.
SAFE_EXCEPTIONS = (OSError, ImportError, MemoryError, RecursionError, TimeoutError)
#: Maximum number of characters that are logged of an exception's message, or of a message of another library.
LONGEST = 200


def logger(name: str = "facedown.server") -> Log:
    """Return a logger whose events have fields: `log.info("table_opened", match=…)`."""
    return cast(
        Log,
        structlog.wrap_logger(
            logging.getLogger(name),
            wrapper_class=structlog.stdlib.BoundLogger,
            processors=[
                structlog.stdlib.filter_by_level,
                structlog.contextvars.merge_contextvars,
                structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
            ],
        ),
    )


def match_log_name(table: Session | TableRecord) -> str:
    """Return the name of a match in logs: the beginning of its commitment, the public hash of its seed."""
    record = table.record if isinstance(table, Session) else table
    return match_log_name_from_commitment(record.commitment)


def match_log_name_from_commitment(commitment: str) -> str:
    """Return the name of a match in logs: the first digits of `commitment`, the hash of its seed ("sha256:…")."""
    return commitment.rpartition(":")[2][:MATCH_NAME_LENGTH]


def anonymize_address(text: str | None, how: Addresses = "hash") -> str:
    """Return an IP address in the form in which it may be logged.

    `how` is one of:

    * "hash": return a hash of the text. The key of the hash is new at every start of the server.
    * "network": return the address's network (/24 for IPv4, /48 for IPv6). Return "" if `text` is not an IP address.
    * "none": always return "".

    If `text` is None or "", return "".

    >>> anonymize_address("192.0.2.77", "network"), anonymize_address("2001:db8:1:2::5", "network")
    ('192.0.2.0/24', '2001:db8:1::/48')
    >>> anonymize_address("192.0.2.77", "none")
    ''
    """
    if how == "none" or not text:
        return ""
    if how == "hash":
        return hashlib.blake2b(text.encode(), key=_KEY, digest_size=6).hexdigest()
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return ""
    return str(ipaddress.ip_network((found, 24 if found.version == 4 else 48), strict=False))


def configure_logging(form: Form = "auto", level: Level = "info", stream: TextIO | None = None) -> None:
    """Write all logs of this process in one format to `stream`, by default standard error.

    `form` "auto" means text on a terminal and JSON lines elsewhere. `level` is the lowest level that is logged.
    """
    out = stream or sys.stderr
    renderer: Any = structlog.processors.JSONRenderer(ensure_ascii=False)
    if form == "text" or (form == "auto" and out.isatty()):
        renderer = structlog.dev.ConsoleRenderer(colors=out.isatty(), exception_formatter=structlog.dev.plain_traceback)
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*shared[:2], _cut_arguments_from_log_event],
        processors=[
            *shared,
            _replace_exception_by_lines,
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            renderer,
        ],
        use_get_message=False,
        pass_foreign_args=True,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    for old in list(root.handlers):
        if isinstance(old.formatter, structlog.stdlib.ProcessorFormatter):
            root.removeHandler(old)
    root.addHandler(handler)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        # An earlier server in this process may have given uvicorn's loggers their own handlers.
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
    # Log other libraries only from the level "warning" on: below that level they log whole messages and SQL statements.
    root.setLevel(logging.WARNING)
    logging.getLogger("facedown").setLevel(level.upper())


def _cut_arguments_from_log_event(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Remove the values that another library has put into its log line, because they may contain user data.

    The parameters are those of a structlog processor.
    """
    record: logging.LogRecord = event["_record"]
    arguments = event.pop("positional_args", None)
    words = str(event["event"])
    if arguments and record.name.startswith("facedown"):
        words = words % arguments
    # asyncio's messages about tasks and callbacks include their arguments after "<" or "(", so cut them there.
    first = words.strip().partition("\n")[0].partition("<")[0].partition("(")[0]
    event["event"] = first.strip()[:LONGEST] or record.name
    return event


def _replace_exception_by_lines(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Replace an exception in a log event by lines with its type and traceback (`exception_lines`).

    The parameters are those of a structlog processor.
    """
    found = event.pop("exc_info", None)
    event.pop("stack_info", None)
    if found is True:
        found = sys.exc_info()
    wrong = found[1] if isinstance(found, tuple) else found
    if isinstance(wrong, BaseException):
        event["exception"] = "\n".join(exception_lines(wrong))
    return event


def exception_lines(wrong: BaseException) -> list[str]:
    """Return lines that describe an exception and its causes, without data that a user sent."""
    lines: list[str] = []
    for one in _exception_chain(wrong):
        words = safe_error_text(one)
        lines.append(f"{type(one).__module__}.{type(one).__qualname__}{f': {words}' if words else ''}")
        lines += [
            f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in traceback.extract_tb(one.__traceback__)
        ]
    return lines


def _exception_chain(wrong: BaseException) -> Iterator[BaseException]:
    """Yield an exception, its causes and the members of exception groups, each once."""
    seen: set[int] = set()
    waiting: list[BaseException] = [wrong]
    while waiting:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, BaseExceptionGroup):
            waiting += one.exceptions
        before = one.__cause__ or (None if one.__suppress_context__ else one.__context__)
        if before is not None:
            waiting.append(before)


def safe_error_text(wrong: BaseException) -> str:
    """Return the message of an exception if it cannot contain user data, else an empty string.

    For a database error, return one of the words in `store.errors.WORDS`, or SQLite's name of the error.
    """
    if isinstance(wrong, SQLAlchemyError):
        return error_class_word(wrong)
    if isinstance(wrong, sqlite3.Error):
        return getattr(wrong, "sqlite_errorname", None) or ""
    if isinstance(wrong, OSError):
        return wrong.strerror or ""
    return str(wrong).partition("\n")[0][:LONGEST] if isinstance(wrong, SAFE_EXCEPTIONS) else ""


def new_request_id() -> str:
    """Return a random id that identifies a request in the log; clients cannot choose it."""
    return secrets.token_hex(5)
