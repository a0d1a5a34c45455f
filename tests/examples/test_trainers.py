"""Trainers of other libraries learn on our environments, each for some seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: Their packages pin versions that differ from ours: they have an environment of their own.
ENVIRONMENT = ROOT / ".venv-trainers"
PYTHON = ENVIRONMENT / "bin" / "python"
#: Seconds of training: enough to gain 20 points a round on an idle machine, of which the examples ask for 3.
SECONDS = 15


@pytest.fixture(scope="module")
def trainers() -> Path:
    """The Python of an environment with these libraries; skip where their wheels cannot be installed."""
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
def test_a_trainer_of_another_library_learns(library: str, trainers: Path) -> None:
    command = [str(trainers), f"examples/research/train_{library}.py", "--seconds", str(SECONDS), "--check"]
    environment = {**os.environ, "PYTHONPATH": "src"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
