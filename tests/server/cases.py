"""Tables of cases: what is sent, and what the server is to answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CASES = json.loads(Path(__file__).with_name("cases.json").read_text(encoding="utf-8"))


def cases(topic: str) -> pytest.MarkDecorator:
    """Parametrize a test by a table of `cases.json`, the first row of which names the parameters."""
    names, *rows = CASES[topic]
    return pytest.mark.parametrize(names, rows)
