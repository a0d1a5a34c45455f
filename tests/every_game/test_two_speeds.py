"""Compiled and interpreted rules agree on what random matches (test_checks.py) seldom come to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.check.compiled_parity import match_hashes

ROOT = Path(__file__).resolve().parents[2]
#: What random play seldom comes to: its word, and a match of seed 0 in which it is done.
RARE = {
    "detect": {"remove": 5, "leave": 45},
    "reveille": {"nello": 0},
    "uncovered": {"turn": 3, "leave": 3},
}
#: By this ply.
LATE = 180


@pytest.mark.slow
@pytest.mark.parametrize("name", RARE)
def test_they_agree_on_what_is_seldom_done(name: str) -> None:
    """A match for each kind of action that eight matches rarely have: in Detect, one in a hundred asks about a set."""
    numbers = set(RARE[name].values())
    call = [
        sys.executable,
        "-W",
        "error",
        "-m",
        "facedown.check.compiled_parity",
        name,
        "0",
        str(LATE),
        *map(str, numbers),
    ]
    environment = {**os.environ, "FACEDOWN_INTERPRETED": "1"}
    plain = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert plain.returncode == 0, plain.stderr
    slow, fast = plain.stdout.splitlines(), match_hashes(name, 0, numbers, LATE)
    for interpreted, compiled in zip(slow, fast, strict=True):
        assert interpreted == compiled
    done = {step.rpartition(" after ")[2].split()[0] for step in fast}
    assert RARE[name].keys() <= done, "find other numbers: the generator or the rules draw otherwise"
