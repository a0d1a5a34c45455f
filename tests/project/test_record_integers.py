"""Integers of records: signed, so that compiled sums neither wrap nor become floats, with few casts.

In interpreted code a record reads as Python's own numbers (`core.state.Row`), so no number has to be widened by hand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from facedown.core.game_registry import catalogue, game
from tests.project.test_lock_files_and_links import ROOT

#: Functions that change the type of a number.
CASTS = frozenset({"int", "bool", "float", "wide", "cast", "np.int64", "np.int32", "np.int16", "np.int8", "np.float64"})
#: Modules in which moves, cards, faces and answers are texts from which numbers are read.
TEXT_MODULES = frozenset({"action_text", "cards", "info", "art", "sheet"})
#: Largest number of casts in games and tables, each with its reason.
MAX_CASTS = 30


def fields_of(dtype: np.dtype[np.void]) -> Iterator[tuple[str, np.dtype[np.generic]]]:
    """Yield the numeric fields of a record, nested ones included."""
    for name in dtype.names or ():
        kind = dtype[name].base
        if kind.names:
            yield from fields_of(kind)
        else:
            yield name, kind


@pytest.mark.parametrize("name", catalogue())
def test_all_fields_of_position_records_except_the_random_key_are_signed_integers(name: str) -> None:
    unsigned = {field for field, kind in fields_of(game(name).dtype) if kind.kind != "i"}
    assert unsigned == {"key"}, "a key is made of words that wrap, everything else is counted"


def casts_in(path: Path) -> Iterator[str]:
    """Yield the places where a number is cast, except in the modules that read numbers from texts."""
    if path.stem in TEXT_MODULES:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in CASTS and node.args:
            yield f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"


def test_code_of_the_games_has_fewer_than_30_number_casts() -> None:
    found = [cast for path in sorted((ROOT / "src/facedown/games").rglob("*.py")) for cast in casts_in(path)]
    assert len(found) < MAX_CASTS, "\n".join(found)
