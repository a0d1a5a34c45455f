"""Compiled rules are found again by what they are made of, and where they were asked to be kept."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from facedown.core.compile.compile_cache import is_cached
from facedown.core.rule import INTERPRETED, rule
from tests.core.processes import python

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

SHOP = """
from facedown.core.rule import rule
from corner.prices import price

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
    from corner.shop import bill
    answer = bill(2)
print(answer, len(seen.buffer) > 0)
"""
#: Buys two pieces at a price each: what they cost, and whether something was compiled for it.
Buy = Callable[..., str]


@pytest.fixture
def bought(tmp_path: Path) -> Buy:
    """A package from elsewhere, whose rules call a rule of another module."""
    package = tmp_path / "corner"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "shop.py").write_text(SHOP)

    def buy(each: int, sentence: str = "All cost the same.", **environment: str) -> str:
        (package / "prices.py").write_text("\n" * len(sentence) + PRICES.format(each=each, sentence=sentence))
        return python(BUY, tmp_path, **environment)

    return buy


def kept(folder: Path) -> list[Path]:
    return list((folder / "cache").rglob("*.code"))


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["FACEDOWN_CACHE", "NUMBA_CACHE_DIR"])
def test_a_changed_sentence_compiles_nothing_and_a_changed_number_does(
    bought: Buy, tmp_path: Path, setting: str
) -> None:
    there = {setting: str(tmp_path / "cache")}
    assert bought(3, **there) == "6 True"
    assert bought(3, "Everything costs the same.", **there) == "6 False"
    assert bought(4, "Everything costs the same.", **there) == "8 True"
    assert bought(3, **there) == "6 False", "what was kept before is still there"
    assert kept(tmp_path), "all is kept where it was asked for"


def test_a_folder_that_takes_nothing_costs_a_line(bought: Buy, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    answer, line = bought(3).split("\n")
    assert answer == "6 True"
    assert line.startswith("Compiled rules cannot be saved in")


@pytest.mark.slow
def test_a_file_that_was_cut_short_costs_only_time(bought: Buy, tmp_path: Path) -> None:
    assert bought(3) == "6 True"
    for file in kept(tmp_path):
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
    assert bought(3) == "6 True"
    assert bought(3) == "6 False"
    assert not list((tmp_path / "cache").rglob("*.part"))


def test_what_is_used_looks_used(bought: Buy, tmp_path: Path) -> None:
    bought(3)
    for file in kept(tmp_path):
        os.utime(file, (0, 0))
    assert bought(3) == "6 False"
    assert any(file.stat().st_mtime > 0 for file in kept(tmp_path))


@rule
def tripled(number: int) -> int:
    return number * 3


def test_it_is_told_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    assert not is_cached(tripled, 2)
    assert tripled(2) == 6
    assert is_cached(tripled, 2)
    assert is_cached(tripled, np.uint8(2)), "small integers share their code"
    assert not is_cached(tripled, 2.0)


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
