"""What tests of attacks share: everything the server says in its log, what every answer has, and nasty values."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


#: Strange values, addresses, headers and messages, by what they are strange for.
STRANGE: dict[str, list[Any]] = json.loads(Path(__file__).with_name("strange.json").read_text(encoding="utf-8"))
#: Values of the wrong type, too large, too deep, or of strange letters.
LARGE = [10**400, "e\u0301" * 200, "\U0001f0cf" * 30, "x" * 5000, ["me"] * 1000]
NASTY = st.sampled_from(STRANGE["values"] + LARGE)
#: Pieces of an address.
SEGMENTS = st.sampled_from([*STRANGE["segments"], "K7QM" * 60, "9" * 400])
#: What a form may say that it is.
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data")
