"""Test cases and strange values from JSON files, and checks of every response."""

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
#: Internals that no response may contain.
INTERNALS = ("Traceback", 'File "/', "site-packages", "sqlalchemy", "sqlite3", "pydantic_core", "/src/facedown")


def logged_errors(records: list[logging.LogRecord]) -> list[str]:
    """Return log messages of errors and of records with an exception."""
    return [record.getMessage() for record in records if record.levelno >= logging.ERROR or record.exc_info]


def bad_security_headers(headers: dict[str, str]) -> list[str]:
    """Return the names of missing or wrong security headers."""
    found = [name for name, value in SECURITY.items() if headers.get(name) != value]
    policy = headers.get("content-security-policy", "")
    good = "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "'unsafe" not in policy
    return found if good else [*found, "content-security-policy"]


#: Strange values, addresses, headers and messages by kind.
STRANGE: dict[str, list[Any]] = json.loads(Path(__file__).with_name("strange.json").read_text(encoding="utf-8"))
#: Requests with the expected response, by topic.
CASES: dict[str, list[Any]] = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))
#: Values of the wrong type, too large, too deeply nested, or with unusual characters.
LARGE = [10**400, "e\u0301" * 200, "\U0001f0cf" * 30, "x" * 5000, ["me"] * 1000]
NASTY = st.sampled_from(STRANGE["values"] + LARGE)
#: Segments of a URL path.
SEGMENTS = st.sampled_from([*STRANGE["segments"], "K7QM" * 60, "9" * 400])
#: Content types of form requests.
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data")


def cases(topic: str) -> pytest.MarkDecorator:
    """Parametrize a test with a table of `cases.json`. Its first row names the parameters."""
    names, *rows = CASES[topic]
    return pytest.mark.parametrize(names, rows)
