"""Tables of cases and strange values for tests, and what every answer of the server has and has not."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest

SECURITY = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
#: Nothing like this may stand in an answer to anybody.
GIVEN_AWAY = ("Traceback", 'File "/', "site-packages", "sqlalchemy", "sqlite3", "pydantic_core", "/src/facedown")


def errors(records: list[logging.LogRecord]) -> list[str]:
    """What the server, or what it stands on, has logged as an error, or of something that was raised."""
    return [record.getMessage() for record in records if record.levelno >= logging.ERROR or record.exc_info]


def unsafe(headers: dict[str, str]) -> list[str]:
    """The security headers that an answer has not got."""
    found = [name for name, value in SECURITY.items() if headers.get(name) != value]
    policy = headers.get("content-security-policy", "")
    good = "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "'unsafe" not in policy
    return found if good else [*found, "content-security-policy"]


#: Strange values, addresses, headers and messages, by what they are strange for.
STRANGE: dict[str, list[Any]] = json.loads(Path(__file__).with_name("strange.json").read_text(encoding="utf-8"))
#: What is sent, and what the server is to answer, by topic.
CASES: dict[str, list[Any]] = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
#: Values of the wrong type, too large, too deep, or of strange letters.
LARGE = [10**400, "e\u0301" * 200, "\U0001f0cf" * 30, "x" * 5000, ["me"] * 1000]
NASTY = st.sampled_from(STRANGE["values"] + LARGE)
#: Pieces of an address.
SEGMENTS = st.sampled_from([*STRANGE["segments"], "K7QM" * 60, "9" * 400])
#: What a form may say that it is.
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data")


def cases(topic: str) -> pytest.MarkDecorator:
    """Parametrize a test by a table of `cases.json`, the first row of which names the parameters."""
    names, *rows = CASES[topic]
    return pytest.mark.parametrize(names, rows)
