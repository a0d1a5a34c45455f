"""The compile cache: rules are stored by fingerprint, in the configured folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from facedown.core.compile.compile_cache import is_cached
from facedown.core.rule import INTERPRETED, rule
from tests.core.processes import run_python

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
#: Buys two pieces at a price each; returns the total, and whether something was compiled.
Buy = Callable[..., str]


@pytest.fixture
def buy_two(tmp_path: Path) -> Buy:
    """A function that runs a toy package whose rules call a rule of another module."""
    package = tmp_path / "corner"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "shop.py").write_text(SHOP)

    def buy(each: int, sentence: str = "All cost the same.", **environment: str) -> str:
        (package / "prices.py").write_text("\n" * len(sentence) + PRICES.format(each=each, sentence=sentence))
        return run_python(BUY, tmp_path, **environment)

    return buy


def cached_files(folder: Path) -> list[Path]:
    return list((folder / "cache").rglob("*.code"))


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["FACEDOWN_CACHE", "NUMBA_CACHE_DIR"])
def test_a_changed_constant_compiles_a_cached_rule_again_and_a_changed_docstring_does_not(
    buy_two: Buy, tmp_path: Path, setting: str
) -> None:
    there = {setting: str(tmp_path / "cache")}
    assert buy_two(3, **there) == "6 True"
    assert buy_two(3, "Everything costs the same.", **there) == "6 False"
    assert buy_two(4, "Everything costs the same.", **there) == "8 True"
    assert buy_two(3, **there) == "6 False", "what was kept before is still there"
    assert cached_files(tmp_path), "all is kept where it was asked for"


def test_rules_still_run_with_an_unwritable_cache_folder_and_one_line_is_logged(buy_two: Buy, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("no folder")
    answer, line = buy_two(3).split("\n")
    assert answer == "6 True"
    assert line.startswith("Compiled rules cannot be saved in")


@pytest.mark.slow
def test_a_rule_with_a_truncated_cache_file_is_compiled_again(buy_two: Buy, tmp_path: Path) -> None:
    assert buy_two(3) == "6 True"
    for file in cached_files(tmp_path):
        whole = file.read_bytes()
        file.write_bytes(whole[: len(whole) // 2])
    assert buy_two(3) == "6 True"
    assert buy_two(3) == "6 False"
    assert not list((tmp_path / "cache").rglob("*.part"))


def test_the_cache_file_of_a_rule_gets_a_new_modification_time_when_the_rule_is_used(
    buy_two: Buy, tmp_path: Path
) -> None:
    buy_two(3)
    for file in cached_files(tmp_path):
        os.utime(file, (0, 0))
    assert buy_two(3) == "6 False"
    assert any(file.stat().st_mtime > 0 for file in cached_files(tmp_path))


@rule
def tripled(number: int) -> int:
    return number * 3


def test_function_is_cached_returns_true_only_for_argument_types_with_compiled_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    assert not is_cached(tripled, 2)
    assert tripled(2) == 6
    assert is_cached(tripled, 2)
    assert is_cached(tripled, np.uint8(2)), "small integers share their code"
    assert not is_cached(tripled, 2.0)


ARRAY_RULES = """
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
def test_a_cached_rule_keeps_its_constants_if_numba_gave_its_name_to_another_function(tmp_path: Path) -> None:
    """Numba numbers functions, so an inner rule here may have the name of an entry point elsewhere."""
    for name in ("one", "other"):
        answer = run_python(ARRAY_RULES, tmp_path, name, "weigh")
        assert answer.endswith("(array([0., 0., 0.]), array([1., 1., 1.]))")
