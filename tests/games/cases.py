"""Cases that stand in a file beside a game's tests: tables with a case on each line, and worked cases."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _tables(game: str) -> dict[str, list[list[Any]]]:
    text = (Path(__file__).parent / game / "cases.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


def cases(game: str, table: str) -> list[list[Any]]:
    """The rows of a table of ``GAME/cases.json``, for `pytest.mark.parametrize`."""
    return _tables(game)[table]


def worked_cases(game: str) -> dict[str, Any]:
    """The worked cases of ``GAME/worked_cases.toml`` by their titles."""
    return tomllib.loads((Path(__file__).parent / game / "worked_cases.toml").read_text(encoding="utf-8"))
