"""How rules are compiled: parts for rules, entries for Python, one version for all small integers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from facedown.core.rule import INTERPRETED, rule

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


@rule
def doubled(number: int) -> int:
    return number * 2


@rule
def twice_doubled(number: int) -> int:
    return doubled(doubled(number))


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


def test_a_rule_that_only_rules_call_gets_no_entry() -> None:
    before = len(versions(doubled))
    assert twice_doubled(3) == 12
    assert len(versions(doubled)) == before
    assert len(versions(twice_doubled)) == 1
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


def test_what_is_kept_is_found_by_another_process(tmp_path: Path) -> None:
    """The cache holds entries alone, and a second process compiles nothing."""
    program = (
        "from numba.core import event\n"
        "from facedown.games.uncovered.rules import legal\n"
        "from facedown.core.match import Match, seed_from_text\n"
        "with event.install_recorder('numba:compile') as seen:\n"
        "    match = Match('uncovered', 2, seed=seed_from_text('cache'))\n"
        "    match.play(match.acting[0], match.legal(match.acting[0])[0])\n"
        "print(len(seen.buffer), match.seed.hex(), match.state.tobytes().hex())\n"
    )

    def run() -> list[str]:
        found = subprocess.run(
            [sys.executable, "-c", program],
            env={"FACEDOWN_CACHE": str(tmp_path), "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        )
        return found.stdout.split()

    cold, cached = run(), run()
    assert int(cold[0]) > 0
    assert cached == ["0", *cold[1:]]
    kept = {path.name.split(".")[1].split("-")[0] for path in tmp_path.rglob("*.nbi")}
    assert "deal" in kept
    assert "clear" not in kept, "only rules call it"


ROWS = """
import numpy as np
from facedown.core.rule import rule

@rule
def row_of(length):
    return np.zeros(length, np.uint32)

@rule
def rows_in_all(length):
    return len(row_of(length)) + len(row_of(length + 1))

print(rows_in_all(2), row_of(3).tolist())
"""


def test_an_entry_from_the_cache_works_beside_one_that_it_is_a_part_of(tmp_path: Path) -> None:
    """An array is made with what its entry holds in Python: the same rule inside another entry must not hide that."""
    (tmp_path / "rows.py").write_text(ROWS)
    for _ in ("compiled", "from the cache"):
        done = subprocess.run(
            [sys.executable, "-c", "import rows"],
            env={"FACEDOWN_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(tmp_path), "PATH": ""},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout == "5 [0, 0, 0]\n", done.stderr
