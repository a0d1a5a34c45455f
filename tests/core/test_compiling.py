"""How rules are compiled: parts for rules, entries for Python, one version for small integers; or by plain Numba."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from packaging.requirements import Requirement

from facedown.core.compile.jit import IS_PLAIN_NUMBA, TESTED_VERSIONS
from facedown.core.rule import INTERPRETED, rule
from tests.core.processes import python

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

#: Our own pipeline, and plain Numba.
WAYS = pytest.mark.parametrize("plain", ["0", "1"], ids=["parts", "plain"])


@rule
def doubled(number: int) -> int:
    return number * 2


@rule
def twice_doubled(number: int) -> int:
    return doubled(doubled(number))


@rule
def doubled_and_more(number: int) -> int:
    """Called in one test alone: in which order tests run is not known."""
    return doubled(number) + 1


@rule
def last_of(numbers: Any, back: int) -> int:
    if back > len(numbers):
        raise ValueError("so far back there is nothing")
    return int(numbers[len(numbers) - back])


@rule
def last_two(numbers: Any) -> int:
    return last_of(numbers, 1) + last_of(numbers, np.uint8(2))  # type: ignore[arg-type]


def versions(of: Any) -> list[Any]:
    return list(of.nopython_signatures)


@pytest.mark.skipif(IS_PLAIN_NUMBA, reason="plain Numba emits every rule")
def test_a_rule_that_only_rules_call_gets_no_entry() -> None:
    before = len(versions(doubled))
    assert doubled_and_more(3) == 7
    assert len(versions(doubled)) == before
    assert len(versions(doubled_and_more)) == 1
    # It can be called from Python all the same.
    assert doubled(4) == 8
    assert len(versions(doubled)) == before + 1


def test_all_small_integers_share_a_version() -> None:
    numbers = np.arange(5, dtype=np.uint8)
    numbers_of_one: list[Any] = [1, np.uint8(1), np.int32(1), True]
    assert last_two(numbers) == 7
    assert [twice_doubled(n) for n in numbers_of_one] == [4, 4, 4, 4]
    assert len(versions(twice_doubled)) <= 2  # bool is no integer to Numba


def test_an_error_inside_a_part_reaches_python() -> None:
    with pytest.raises(ValueError, match="so far back there is nothing"):
        last_two(np.arange(1))
    assert last_two(np.arange(2)) == 1


A_MOVE = """
from numba.core import event
from facedown.games.uncovered.rules import legal
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
with event.install_recorder('numba:compile') as seen:
    match = Match('uncovered', 2, seed=seed_from_text('cache'))
    match.play(match.acting[0], match.legal(match.acting[0])[0])
print(len(seen.buffer), match.seed.hex(), match.state.tobytes().hex())
"""


@pytest.mark.slow
def test_what_is_kept_is_found_by_another_process(tmp_path: Path) -> None:
    """A second process compiles nothing, and both ways play alike, each with what it has kept itself."""
    played = {}
    for plain in ("0", "1"):
        cold, cached = (python(A_MOVE, tmp_path, FACEDOWN_PLAIN_NUMBA=plain).split() for _ in range(2))
        assert int(cold[0]) > 0
        assert cached == ["0", *cold[1:]]
        played[plain] = cold[1:]
        if plain == "0":
            kept = {path.name.split(".")[1].split("-")[0] for path in tmp_path.rglob("*.code")}
            assert "deal" in kept
            assert "clear" not in kept, "only rules call it"
    assert played["0"] == played["1"]


ROWS = """
import numpy as np
from facedown.core.rule import rule

@rule
def row_of(length):
    return np.zeros(length, np.uint32)

@rule
def rows_in_all(length):
    return len(row_of(length)) + len(row_of(length + 1))

print(rows_in_all(2) == 5 and row_of(3).tolist() == [0, 0, 0])
"""


PAIR = """
from __future__ import annotations
import numpy as np
from typing import Annotated
from facedown.core import dispatch
from facedown.core.compile import jit
from facedown.core.rule import rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import Ints, Position, blank

PRIZE = {prize}

class Pair(Position):
    low: Annotated[int, "u1"]
    high: Annotated[int, "u1"]
    card: Annotated[Ints, "i1", (2,)]
    known: Annotated[Ints, "i2", (2,)]

@rule
def less(a, b):
    return a - b

@rule
def apply(s, seat, action):
    s.low = less(s.low, s.high) + action * PRIZE

@rule
def mask_secrets(s, viewer):
    s.low += PRIZE

@rule
def difference(s):
    return less(s.low, s.high)

@rule
def applied(s):
    dispatch.apply(s, 0, 9)
    return s.low

@rule
def unused(s):
    pass

RULES = RuleSet(
    record=Pair, actions=1, kinds=1, deck=None, deal=unused, legal=unused, apply=apply, returns=unused, shown=unused,
    pools=unused, mask_secrets=mask_secrets,
)
dispatch.register_rules(__name__, RULES)
s = blank(RULES.dtype)
s.low, s.high = 3, 5
# A version for 64-bit unsigned numbers, in which differences wrap, is none for small ones.
large = less(np.uint64(5), np.uint64(3))
answers = difference(s), applied(s), less(np.uint8(3), np.uint8(5))
"""


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    """A folder with a toy game, its module `pair`."""
    (tmp_path / "pair.py").write_text(PAIR.format(prize=1))
    return tmp_path


TWO_GAMES = """
import sys
import numba
before = numba.config.CACHE_DIR
from facedown.core import dispatch
from facedown.core.hidden_cards import mask_unknown
from facedown.core.state import blank
for name in sys.argv[1:]:
    s = blank(__import__(name).RULES.dtype)
    dispatch.rules_of(s).apply(s, 0, 1)
    mask_unknown(s, 0)
    print(int(s.low))
print(numba.config.CACHE_DIR == before)
"""


@pytest.mark.slow
def test_games_with_the_same_layout_play_their_own_rules(tmp_path: Path) -> None:
    """Each is found again under its own name, and nothing of Numba's own is changed."""
    for name, prize in (("north", 3), ("south", 5)):
        (tmp_path / f"{name}.py").write_text(PAIR.format(prize=prize))
    for names, prizes in ((("north", "south"), "6 10"), (("south",), "10"), (("south", "north"), "10 6")):
        assert python(TWO_GAMES, tmp_path, *names).split() == [*prizes.split(), "True"]


@WAYS
def test_both_ways_mean_the_same(pair: Path, plain: str) -> None:
    """Narrow unsigned numbers do not wrap between rules, and generic functions find the game."""
    program = "import pair; print(pair.jit.IS_PLAIN_NUMBA, *map(int, pair.answers))"
    assert python(program, pair, FACEDOWN_PLAIN_NUMBA=plain).split() == [str(plain == "1"), "-2", "7", "-2"]


NEWER = """
import logging, sys
import numba.core.codegen
from numba.core import event
{change}
logging.basicConfig(level=logging.INFO, stream=sys.stdout)
with event.install_recorder('numba:compile') as seen:
    import pair
print(pair.jit.IS_PLAIN_NUMBA, *map(int, pair.answers), len(seen.buffer) > 0)
"""
UNTESTED = "numba.__version__ = '0.99.1'"
LACKING = "del numba.core.codegen.JITCodeLibrary"
NOTHING_KEPT = "from numba.core.compiler import CompileResult; del CompileResult._reduce"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "wish", "says", "plain"),
    [
        (UNTESTED, "", r"WARNING.*0\.99\.1", True),
        (UNTESTED, "0", "", False),
        (LACKING, "", "WARNING.*JITCodeLibrary", True),
        ("", "1", "INFO.*FACEDOWN_PLAIN_NUMBA", True),
        ("", "", "", False),
    ],
    ids=["another version", "another version, insisted", "something is missing", "as one wishes", "a tested version"],
)
def test_plain_numba_is_chosen_where_ours_was_not_tested(
    pair: Path, change: str, wish: str, says: str, plain: bool
) -> None:
    *said, answer = python(NEWER.format(change=change), pair, FACEDOWN_PLAIN_NUMBA=wish).splitlines()
    assert answer.split() == [str(plain), "-2", "7", "-2", "True"]
    lines = [line for line in said if "plain Numba" in line]
    assert len(lines) == plain
    assert all(re.search(says, line) for line in lines)


def test_only_tested_versions_of_numba_are_installed() -> None:
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    allowed = next(one for one in map(Requirement, project["project"]["dependencies"]) if one.name == "numba").specifier
    minors = {(major, minor) for major in range(2) for minor in range(100) if f"{major}.{minor}.1" in allowed}
    assert minors == TESTED_VERSIONS


@pytest.mark.slow
def test_a_numba_that_cannot_be_kept_compiles_anew(pair: Path) -> None:
    for _ in range(2):
        *said, answer = python(NEWER.format(change=NOTHING_KEPT), pair).splitlines()
        assert answer.split()[1:] == ["-2", "7", "-2", "True"]
        assert len([line for line in said if "cannot be kept" in line]) == 1
    assert not list(pair.rglob("*.code"))


A_LONG_RULE = """
from facedown.core.rule import rule

@rule
def folded(numbers, start):
    total = start
    for number in numbers:
        for factor in (3, 5, 7, 11, 13, 17, 19, 23):
            if number % factor == total % factor:
                total = total * factor % 1_000_003 + number
            elif number % (factor + 1) < 2:
                total = total // factor + number * factor
            else:
                total = (total ^ number) + factor
    return total

@rule
def folded_twice(numbers):
    return folded(numbers, 1), folded(numbers, 2)
"""

A_PART_AND_ITS_ENTRY = """
import numpy as np
from facedown.core.rule import python_function
numbers = np.arange(100)
twice = folded_twice(numbers)
plain = python_function(folded)
print(twice == (folded(numbers, 1), folded(numbers, 2)) == tuple(plain(range(100), n) for n in (1, 2)))
"""


@pytest.mark.slow
@WAYS
@pytest.mark.parametrize("program", [ROWS, A_LONG_RULE + A_PART_AND_ITS_ENTRY], ids=["its constants", "its code"])
def test_a_part_is_not_taken_for_the_entry_of_its_rule(tmp_path: Path, plain: str, program: str) -> None:
    """What an entry holds in Python, such as how an array is made, or how a part is called within another entry."""
    (tmp_path / "toy.py").write_text(program)
    for _ in ("compiled", "from the cache"):
        assert python("import toy", tmp_path, FACEDOWN_PLAIN_NUMBA=plain) == "True"
