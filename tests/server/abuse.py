"""What tests of attacks share: everything the server says in its log, what every answer has, and nasty values."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator

import hypothesis.strategies as st

SPEAKERS = ("", "uvicorn", "uvicorn.error", "uvicorn.access", "asyncio", "facedown")
SECURITY = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
#: Nothing like this may stand in an answer to anybody.
GIVEN_AWAY = ("Traceback", 'File "/', "site-packages", "sqlalchemy", "sqlite3", "pydantic_core", "/src/facedown")


class Heard(logging.Handler):
    """Keeps what is an error, or was raised."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.errors: list[str] = []
        self._of_ours = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        """Keep it."""
        if record.levelno >= logging.ERROR or record.exc_info:
            with self._of_ours:
                self.errors.append(self.format(record))


@contextlib.contextmanager
def overheard() -> Iterator[list[str]]:
    """All errors that the server, or what it stands on, says in its log."""
    handler = Heard()
    speakers = [logging.getLogger(name) for name in SPEAKERS]
    for speaker in speakers:
        speaker.addHandler(handler)
    try:
        yield handler.errors
    finally:
        for speaker in speakers:
            speaker.removeHandler(handler)


def unsafe(headers: dict[str, str]) -> list[str]:
    """The security headers that an answer has not got."""
    found = [name for name, value in SECURITY.items() if headers.get(name) != value]
    policy = headers.get("content-security-policy", "")
    good = "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "'unsafe" not in policy
    return found if good else [*found, "content-security-policy"]


#: Values of the wrong type, too large, too deep, or of strange letters.
NASTY = st.sampled_from(
    [
        None,
        True,
        False,
        -1,
        0,
        1.5,
        1e308,
        2**31,
        2**63,
        -(2**63) - 1,
        10**400,
        "",
        " ",
        "\x00",
        "a\x00b",
        "\ud800",
        "\u202e\u2066",
        "\u200b",
        "e\u0301" * 200,
        "\U0001f0cf" * 30,
        "x" * 5000,
        "1",
        "true",
        "../../etc/passwd",
        "<script>alert(1)</script>",
        "'; DROP TABLE people; --",
        "{{7*7}}",
        "%s%n%x",
        "a\r\nSet-Cookie: x=y",
        [],
        {},
        [[[[]]]],
        {"a": {"a": {"a": {}}}},
        ["me"] * 1000,
        [None],
        {"__proto__": 1, "constructor": 2},
    ]
)
#: Pieces of an address.
SEGMENTS = st.sampled_from(
    [
        "NOPE",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e",
        "%00",
        "%0d%0aSet-Cookie:x=y",
        "%ff%fe",
        "%ED%A0%80",
        "%E2%80%AE",
        "%F0%9F%83%8F",
        "K7QM" * 60,
        "-1",
        "1e9",
        "%D9%A3",
        "9" * 400,
        "'%20OR%201=1",
        "%3Cscript%3E",
        "{{7*7}}",
        "%25s",
        "%5c%5cevil.example",
        "a%20b",
        ";x=y",
    ]
)
