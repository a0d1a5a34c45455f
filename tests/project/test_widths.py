"""Numbers of a record are signed, so that compiled sums of them neither wrap nor become floats; and casts are few.

Interpreted, a record reads as Python's own numbers (`core.state.Row`), so neither speed needs a number widened by hand.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from facedown.core.game_registry import catalogue, game
from tests.project.test_files import ROOT

#: Functions that change what a number is.
CASTS = frozenset({"int", "bool", "float", "wide", "cast", "np.int64", "np.int32", "np.int16", "np.int8", "np.float64"})
#: Moves, cards, faces and answers are texts there, and numbers are read off them.
READING = frozenset({"action_text", "cards", "info", "art", "sheet"})
#: Where they stand in games and tables: fewer than this, each with its reason beside it.
FEW = 30


def fields_of(dtype: np.dtype[np.void]) -> Iterator[tuple[str, np.dtype[np.generic]]]:
    """The numbers of a record, those inside it included."""
    for name in dtype.names or ():
        kind = dtype[name].base
        if kind.names:
            yield from fields_of(kind)
        else:
            yield name, kind


@pytest.mark.parametrize("name", catalogue())
def test_numbers_of_a_record_are_signed(name: str) -> None:
    unsigned = {field for field, kind in fields_of(game(name).dtype) if kind.kind != "i"}
    assert unsigned == {"key"}, "a key is made of words that wrap, everything else is counted"


def casts_in(path: Path) -> Iterator[str]:
    """Where a number that is one already is made another: not in the modules that read numbers off texts."""
    if path.stem in READING:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) in CASTS and node.args:
            yield f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}"


def test_casts_are_few() -> None:
    found = [cast for path in sorted((ROOT / "src/facedown/games").rglob("*.py")) for cast in casts_in(path)]
    assert len(found) < FEW, "\n".join(found)
