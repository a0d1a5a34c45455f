"""Compiled and interpreted rules agree, step for step, on random matches with random options."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract.driver import GAMES
from tests.contract.worker import trace

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", GAMES)
def test_compiled_and_interpreted_rules_agree(name: str) -> None:
    seed = random.SystemRandom().randrange(10**9)
    print(f"seed {seed}")
    call = [sys.executable, "-W", "error", "-m", "tests.contract.worker", name, str(seed), "8", "40"]
    environment = {**os.environ, "FACEDOWN_INTERPRETED": "1"}
    plain = subprocess.run(call, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert plain.returncode == 0, plain.stderr
    slow, fast = plain.stdout.splitlines(), trace(name, seed, 8, 40)
    for interpreted, compiled in zip(slow, fast, strict=True):
        assert interpreted == compiled
