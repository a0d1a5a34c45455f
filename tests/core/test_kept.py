"""Compiled rules are found again by their sources and by the game, and nothing of Numba's own is changed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.core.rule import INTERPRETED

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

RULES = """
from typing import Annotated, Protocol
import numpy as np
from numpy.typing import NDArray
from facedown.core.rule import rule
from facedown.core.state import Common, U1, layout
from {package}.parts import PRIZE, prize

class State(Common, Protocol):
    points: U1
    card: Annotated[NDArray[np.uint8], "u1", (2,)]
    known: Annotated[NDArray[np.uint16], "u2", (2,)]

DTYPE = layout(State)

@rule
def apply(s, seat, action):
    s.points += prize(action)

@rule
def conceal(s, viewer):
    s.points += PRIZE

"""
PARTS = """
from facedown.core.rule import rule
PRIZE = {prize}

@rule
def prize(action):
    return action * PRIZE
"""
PROGRAM = """
import numba
before = numba.config.CACHE_DIR
from facedown.core import generic
from facedown.core.slots import hide
from facedown.core.rule import rule
from facedown.core.state import blank
import {names}
@rule
def twice(s):
    generic.apply(s, 0, 1)
    generic.apply(s, 0, 1)
for package in ({names},):
    generic.register_rules(package.rules)
    s = blank(package.rules.DTYPE)
    generic.rules_of(s).apply(s, 0, 1)
    hide(s, 0)
    print(int(s.points))
print(numba.config.CACHE_DIR == before)
"""


def toy(folder: Path, package: str, prize: int) -> None:
    (folder / package).mkdir(exist_ok=True)
    (folder / package / "__init__.py").write_text(f"from {package} import rules\n")
    (folder / package / "parts.py").write_text(PARTS.format(prize=prize))
    (folder / package / "rules.py").write_text(RULES.format(package=package))


def run(folder: Path, *packages: str, **environment: str) -> list[str]:
    clean = {k: v for k, v in os.environ.items() if k not in ("NUMBA_CACHE_DIR", "FACEDOWN_CACHE")}
    program = folder / "program.py"
    program.write_text(PROGRAM.format(names=", ".join(packages)))
    found = subprocess.run(
        [sys.executable, str(program)],
        env={**clean, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return [*found.stdout.split(), *found.stderr.splitlines()]


def test_games_with_the_same_layout_play_their_own_rules(tmp_path: Path) -> None:
    toy(tmp_path, "north", 3)
    toy(tmp_path, "south", 5)
    kept = {"FACEDOWN_CACHE": str(tmp_path / "cache")}
    assert run(tmp_path, "north", "south", **kept) == ["6", "10", "True"]
    assert run(tmp_path, "south", **kept) == ["10", "True"], "found again under its own name"
    assert run(tmp_path, "south", "north", **kept) == ["10", "6", "True"]


@pytest.mark.parametrize("setting", ["FACEDOWN_CACHE", "NUMBA_CACHE_DIR"])
def test_an_edit_of_a_part_is_seen(tmp_path: Path, setting: str) -> None:
    toy(tmp_path, "north", 3)
    kept = {setting: str(tmp_path / "cache")}
    assert run(tmp_path, "north", **kept) == ["6", "True"]
    toy(tmp_path, "north", 4)
    assert run(tmp_path, "north", **kept) == ["8", "True"]
    assert list((tmp_path / "cache").rglob("*.nbi")), "and all is kept where it was asked for"


def test_a_folder_that_takes_nothing_costs_a_line(tmp_path: Path) -> None:
    toy(tmp_path, "north", 3)
    (tmp_path / "cache").write_text("no folder")
    answer, unchanged, line = run(tmp_path, "north", FACEDOWN_CACHE=str(tmp_path / "cache"))
    assert (answer, unchanged) == ("6", "True")
    assert line.startswith("Compiled rules cannot be kept in")
