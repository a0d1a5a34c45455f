"""Compilation of rules: inner rules, entry points for Python, one version for small integers, and plain Numba."""

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
from tests.core.processes import run_python

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")

#: The project's own compile pipeline and plain Numba.
BOTH_COMPILERS = pytest.mark.parametrize("plain", ["0", "1"], ids=["parts", "plain"])


@rule
def doubled(number: int) -> int:
    return number * 2


@rule
def twice_doubled(number: int) -> int:
    return doubled(doubled(number))


@rule
def doubled_and_more(number: int) -> int:
    """Called in one test only, because the order of tests is not fixed."""
    return doubled(number) + 1


@rule
def last_of(numbers: Any, back: int) -> int:
    if back > len(numbers):
        raise ValueError("so far back there is nothing")
    return int(numbers[len(numbers) - back])


@rule
def last_two(numbers: Any) -> int:
    return last_of(numbers, 1) + last_of(numbers, np.uint8(2))  # type: ignore[arg-type]


def compiled_signatures(of: Any) -> list[Any]:
    return list(of.nopython_signatures)


@pytest.mark.skipif(IS_PLAIN_NUMBA, reason="plain Numba emits every rule")
def test_a_rule_called_only_by_other_rules_gets_no_compiled_entry_point_for_python() -> None:
    before = len(compiled_signatures(doubled))
    assert doubled_and_more(3) == 7
    assert len(compiled_signatures(doubled)) == before
    assert len(compiled_signatures(doubled_and_more)) == 1
    # The rule `doubled` can still be called from Python.
    assert doubled(4) == 8
    assert len(compiled_signatures(doubled)) == before + 1


def test_a_rule_has_one_compiled_version_for_all_small_integer_types() -> None:
    numbers = np.arange(5, dtype=np.uint8)
    numbers_of_one: list[Any] = [1, np.uint8(1), np.int32(1), True]
    assert last_two(numbers) == 7
    assert [twice_doubled(n) for n in numbers_of_one] == [4, 4, 4, 4]
    assert len(compiled_signatures(twice_doubled)) <= 2  # Numba does not count bool as an integer.


def test_an_exception_in_a_rule_called_by_another_rule_reaches_python() -> None:
    with pytest.raises(ValueError, match="so far back there is nothing"):
        last_two(np.arange(1))
    assert last_two(np.arange(2)) == 1


PLAY_A_MOVE = """
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
def test_another_process_loads_compiled_rules_from_the_cache(tmp_path: Path) -> None:
    """A second process compiles nothing. Both compilers play alike, each from its own cache."""
    played = {}
    for plain in ("0", "1"):
        cold, cached = (run_python(PLAY_A_MOVE, tmp_path, FACEDOWN_PLAIN_NUMBA=plain).split() for _ in range(2))
        assert int(cold[0]) > 0
        assert cached == ["0", *cold[1:]]
        played[plain] = cold[1:]
        if plain == "0":
            kept = {path.name.split(".")[1].split("-")[0] for path in tmp_path.rglob("*.code")}
            assert "deal" in kept
            assert "clear" not in kept, "only rules call it"
    assert played["0"] == played["1"]


ARRAY_RULES = """
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


TOY_GAME = """
from __future__ import annotations
import numpy as np
from typing import Annotated
from facedown.core import rule_dispatch as dispatch
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
def toy_game(tmp_path: Path) -> Path:
    """A folder with the module `pair`, a toy game."""
    (tmp_path / "pair.py").write_text(TOY_GAME.format(prize=1))
    return tmp_path


TWO_GAMES = """
import sys
import numba
before = numba.config.CACHE_DIR
from facedown.core import rule_dispatch as dispatch
from facedown.core.hidden_cards import to_known_view
from facedown.core.state import blank
for name in sys.argv[1:]:
    s = blank(__import__(name).RULES.dtype)
    dispatch.rules_of(s).apply(s, 0, 1)
    to_known_view(s, 0)
    print(int(s.low))
print(numba.config.CACHE_DIR == before)
"""


@pytest.mark.slow
def test_games_with_equal_record_layout_use_their_own_cached_rules(tmp_path: Path) -> None:
    """Each game's rules are loaded from the cache under its own name. Numba's configuration does not change."""
    for name, prize in (("north", 3), ("south", 5)):
        (tmp_path / f"{name}.py").write_text(TOY_GAME.format(prize=prize))
    for names, prizes in ((("north", "south"), "6 10"), (("south",), "10"), (("south", "north"), "10 6")):
        assert run_python(TWO_GAMES, tmp_path, *names).split() == [*prizes.split(), "True"]


@BOTH_COMPILERS
def test_the_projects_own_rule_compiler_and_plain_numba_give_equal_results(toy_game: Path, plain: str) -> None:
    """Narrow unsigned numbers do not wrap between rules, and generic functions find the game."""
    program = "import pair; print(pair.jit.IS_PLAIN_NUMBA, *map(int, pair.answers))"
    assert run_python(program, toy_game, FACEDOWN_PLAIN_NUMBA=plain).split() == [str(plain == "1"), "-2", "7", "-2"]


LOG_COMPILER = """
import logging, sys
import numba.core.codegen
from numba.core import event
{change}
logging.basicConfig(level=logging.INFO, stream=sys.stdout)
with event.install_recorder('numba:compile') as seen:
    import pair
print(pair.jit.IS_PLAIN_NUMBA, *map(int, pair.answers), len(seen.buffer) > 0)
"""
UNTESTED_VERSION = "numba.__version__ = '0.99.1'"
MISSING_CLASS = "del numba.core.codegen.JITCodeLibrary"
NO_CACHING = "from numba.core.compiler import CompileResult; del CompileResult._reduce"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "wish", "says", "plain"),
    [
        (UNTESTED_VERSION, "", r"WARNING.*0\.99\.1", True),
        (UNTESTED_VERSION, "0", "", False),
        (MISSING_CLASS, "", "WARNING.*JITCodeLibrary", True),
        ("", "1", "INFO.*FACEDOWN_PLAIN_NUMBA", True),
        ("", "", "", False),
    ],
    ids=["another version", "another version, insisted", "something is missing", "as one wishes", "a tested version"],
)
def test_with_an_untested_numba_version_plain_numba_compiles_the_rules_and_it_is_logged(
    toy_game: Path, change: str, wish: str, says: str, plain: bool
) -> None:
    *said, answer = run_python(LOG_COMPILER.format(change=change), toy_game, FACEDOWN_PLAIN_NUMBA=wish).splitlines()
    assert answer.split() == [str(plain), "-2", "7", "-2", "True"]
    lines = [line for line in said if "plain Numba" in line]
    assert len(lines) == plain
    assert all(re.search(says, line) for line in lines)


def test_pyproject_allows_only_tested_numba_versions() -> None:
    project = tomllib.loads((Path(__file__).resolve().parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    allowed = next(one for one in map(Requirement, project["project"]["dependencies"]) if one.name == "numba").specifier
    minors = {(major, minor) for major in range(2) for minor in range(100) if f"{major}.{minor}.1" in allowed}
    assert minors == TESTED_VERSIONS


@pytest.mark.slow
def test_each_process_compiles_the_rules_anew_if_numba_cannot_cache(toy_game: Path) -> None:
    for _ in range(2):
        *said, answer = run_python(LOG_COMPILER.format(change=NO_CACHING), toy_game).splitlines()
        assert answer.split()[1:] == ["-2", "7", "-2", "True"]
        assert len([line for line in said if "cannot be saved" in line]) == 1
    assert not list(toy_game.rglob("*.code"))


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

CALL_LONG_RULE = """
import numpy as np
from facedown.core.rule import python_function
numbers = np.arange(100)
twice = folded_twice(numbers)
plain = python_function(folded)
print(twice == (folded(numbers, 1), folded(numbers, 2)) == tuple(plain(range(100), n) for n in (1, 2)))
"""


@pytest.mark.slow
@BOTH_COMPILERS
@pytest.mark.parametrize("program", [ARRAY_RULES, A_LONG_RULE + CALL_LONG_RULE], ids=["its constants", "its code"])
def test_cached_code_and_constants_of_a_rule_are_not_mixed_up_with_those_of_a_rule_it_calls(
    tmp_path: Path, plain: str, program: str
) -> None:
    """The cache must separate an entry point's constants (for making an array) and code from those of the inner
    rule.
    """
    (tmp_path / "toy.py").write_text(program)
    for _ in ("compiled", "from the cache"):
        assert run_python("import toy", tmp_path, FACEDOWN_PLAIN_NUMBA=plain) == "True"
