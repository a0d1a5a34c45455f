"""Compiled and interpreted rules agree on rare actions; common ones are tested in test_check_game_passes.py."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.check.compiled_parity import position_hash_lines

ROOT = Path(__file__).resolve().parents[2]
#: Actions that random play rarely chooses: their word, and the number of a match of seed 0 that has one.
RARE_ACTIONS = {
    "detect": {"remove": 5, "leave": 45},
    "reveille": {"nello": 0},
    "uncovered": {"turn": 3, "leave": 3},
}
#: The actions occur before this ply.
MAX_PLY = 180


@pytest.mark.slow
@pytest.mark.parametrize("name", RARE_ACTIONS)
def test_compiled_and_interpreted_rules_agree_on_rare_actions(name: str) -> None:
    """A match for each kind of rare action; in Detect, one match in a hundred asks about a set."""
    numbers = set(RARE_ACTIONS[name].values())
    call = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "facedown.check.compiled_parity",
        name,
        "0",
        str(MAX_PLY),
        *map(str, numbers),
    ]
    environment = {**os.environ, "FACEDOWN_INTERPRETED": "1"}
    plain = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert plain.returncode == 0, plain.stderr
    slow, fast = plain.stdout.splitlines(), position_hash_lines(name, 0, numbers, MAX_PLY)
    for interpreted, compiled in zip(slow, fast, strict=True):
        assert interpreted == compiled
    done = {step.rpartition(" after ")[2].split()[0] for step in fast}
    assert RARE_ACTIONS[name].keys() <= done, "find other numbers: the generator or the rules draw otherwise"
