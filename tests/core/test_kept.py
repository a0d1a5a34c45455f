"""Compiled rules are found again by their sources and by the game, and nothing of Numba's own is changed."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from facedown.core.rule import INTERPRETED, rule
from tests.core.processes import python

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

RULES = """
from typing import Annotated
from facedown.core.rule import rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import Position, I1, Ints
from {package}.parts import PRIZE, prize

class Toy(Position):
    points: I1
    card: Annotated[Ints, "i1", (2,)]
    known: Annotated[Ints, "i2", (2,)]

@rule
def apply(s, seat, action):
    s.points += prize(action)

@rule
def mask_secrets(s, viewer):
    s.points += PRIZE

@rule
def unused(s):
    pass

RULES = RuleSet(
    record=Toy,
    actions=1,
    kinds=1,
    deck=None,
    deal=unused,
    legal=unused,
    apply=apply,
    returns=unused,
    shown=unused,
    pools=unused,
    mask_secrets=mask_secrets,
)

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
from facedown.core import dispatch
from facedown.core.slots import mask_unknown
from facedown.core.rule import rule
from facedown.core.state import blank
import {names}
@rule
def twice(s):
    dispatch.apply(s, 0, 1)
    dispatch.apply(s, 0, 1)
for package in ({names},):
    dispatch.register_rules(package.__name__, package.rules.RULES)
    s = blank(package.rules.RULES.dtype)
    dispatch.rules_of(s).apply(s, 0, 1)
    mask_unknown(s, 0)
    print(int(s.points))
print(numba.config.CACHE_DIR == before)
"""


def toy(folder: Path, package: str, prize: int) -> None:
    (folder / package).mkdir(exist_ok=True)
    (folder / package / "__init__.py").write_text(f"from {package} import rules\n")
    (folder / package / "parts.py").write_text(PARTS.format(prize=prize))
    (folder / package / "rules.py").write_text(RULES.format(package=package))


def run(folder: Path, *packages: str, **environment: str) -> list[str]:
    return python(PROGRAM.format(names=", ".join(packages)), folder, **environment).split("\n")


@pytest.mark.slow
def test_games_with_the_same_layout_play_their_own_rules(tmp_path: Path) -> None:
    toy(tmp_path, "north", 3)
    toy(tmp_path, "south", 5)
    assert run(tmp_path, "north", "south") == ["6", "10", "True"]
    assert run(tmp_path, "south") == ["10", "True"], "found again under its own name"
    assert run(tmp_path, "south", "north") == ["10", "6", "True"]


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["FACEDOWN_CACHE", "NUMBA_CACHE_DIR"])
def test_an_edit_of_a_part_is_seen(tmp_path: Path, setting: str) -> None:
    toy(tmp_path, "north", 3)
    kept = {setting: str(tmp_path / "cache")}
    assert run(tmp_path, "north", **kept) == ["6", "True"]
    toy(tmp_path, "north", 4)
    assert run(tmp_path, "north", **kept) == ["8", "True"]
    assert list((tmp_path / "cache").rglob("*.code")), "and all is kept where it was asked for"


def test_a_folder_that_takes_nothing_costs_a_line(tmp_path: Path) -> None:
    toy(tmp_path, "north", 3)
    (tmp_path / "cache").write_text("no folder")
    answer, unchanged, line = run(tmp_path, "north")
    assert (answer, unchanged) == ("6", "True")
    assert line.startswith("Compiled rules cannot be kept in")


SHOP = """
from facedown.core.rule import rule
from {package}.prices import price

@rule
def bill(pieces):
    return price(pieces)
"""
PRICES = """
from facedown.core.rule import rule
EACH = {each}

@rule
def price(pieces):
    \"\"\"{sentence}\"\"\"
    return pieces * EACH  # {sentence}
"""
BUY = """
from numba.core import event
with event.install_recorder("numba:compile") as seen:
    from {package}.shop import bill
    answer = bill(2)
print(answer, len(seen.buffer) > 0)
"""


@pytest.mark.slow
def test_a_changed_sentence_compiles_nothing_and_a_changed_number_does(tmp_path: Path) -> None:
    """In a package from elsewhere, whose rules call a rule of another module."""
    package = tmp_path / "corner"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "shop.py").write_text(SHOP.format(package="corner"))

    def bought(each: int, sentence: str) -> str:
        (package / "prices.py").write_text("\n" * len(sentence) + PRICES.format(each=each, sentence=sentence))
        return python(BUY.format(package="corner"), tmp_path)

    assert bought(3, "All cost the same.") == "6 True"
    assert bought(3, "Everything costs the same.") == "6 False"
    assert bought(4, "Everything costs the same.") == "8 True"
    assert bought(3, "All cost the same.") == "6 False", "what was kept before is still there"


@rule
def tripled(number: int) -> int:
    return number * 3


def test_it_is_told_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from facedown.core.compile.compile_cache import is_kept

    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    assert not is_kept(tripled, 2)
    assert tripled(2) == 6
    assert is_kept(tripled, 2)
    assert is_kept(tripled, np.uint8(2)), "small integers share their code"
    assert not is_kept(tripled, 2.0)


@pytest.mark.slow
def test_a_file_that_was_cut_short_costs_only_time(tmp_path: Path) -> None:
    (tmp_path / "single.py").write_text(SHOP.replace("from {package}.prices import price\n", "price = abs\n"))
    program = BUY.format(package="single").replace("single.shop", "single")
    assert python(program, tmp_path) == "2 True"
    (file,) = (tmp_path / "cache").rglob("*.code")
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    assert python(program, tmp_path) == "2 True"
    assert python(program, tmp_path) == "2 False"
    assert not list((tmp_path / "cache").rglob("*.part"))


def test_what_is_used_looks_used(tmp_path: Path) -> None:
    (tmp_path / "single.py").write_text(SHOP.replace("from {package}.prices import price\n", "price = abs\n"))
    program = BUY.format(package="single").replace("single.shop", "single")
    python(program, tmp_path)
    (file,) = (tmp_path / "cache").rglob("*.code")
    os.utime(file, (0, 0))
    assert python(program, tmp_path) == "2 False"
    assert file.stat().st_mtime > 0


WEIGHING = """
import sys
import numpy as np
from facedown.core.rule import rule

@rule
def weigh(number):
    return np.zeros(number), np.ones(number)

@rule
def one(number):
    return weigh(number)[1].sum()

@rule
def other(number):
    return weigh(number)[0].sum()

for name in sys.argv[1:]:
    print(globals()[name](3))
"""


@pytest.mark.slow
def test_what_an_entry_needs_of_python_is_not_that_of_a_part(tmp_path: Path) -> None:
    """Numba counts functions, so a rule that is a part here may bear the name that it had as an entry elsewhere."""
    for name in ("one", "other"):
        answer = python(WEIGHING, tmp_path, name, "weigh")
        assert answer.endswith("(array([0., 0., 0.]), array([1., 1., 1.]))")
