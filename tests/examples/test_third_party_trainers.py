"""Trainers of other libraries: each learns in our environments for some seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: These libraries pin other versions than we do, and therefore have their own environment.
ENVIRONMENT = ROOT / ".venv-trainers"
PYTHON = ENVIRONMENT / "bin" / "python"
#: Seconds of training. On an idle machine this gains 20 points a round. The examples ask for 3.
SECONDS = 15


@pytest.fixture(scope="module")
def trainers() -> Path:
    """The Python of an environment with these libraries. Skips if their wheels cannot be installed."""
    if not PYTHON.exists():
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
    listed = str(ROOT / "requirements" / "trainers.in")
    done = subprocess.run(
        [str(PYTHON), "-m", "pip", "install", "--quiet", "-r", listed], capture_output=True, text=True
    )
    if done.returncode != 0:
        pytest.skip(f"the libraries cannot be installed here: {done.stderr.strip().splitlines()[-1]}")
    return PYTHON


@pytest.mark.alone
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("library", ["sb3", "torchrl", "rllib"])
def test_third_party_reinforcement_learning_trainer_learns_to_play_in_our_environment(
    library: str, trainers: Path
) -> None:
    command = [str(trainers), f"examples/research/train_{library}.py", "--seconds", str(SECONDS), "--check"]
    environment = {**os.environ, "PYTHONPATH": "src"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
