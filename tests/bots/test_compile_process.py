"""Preparation of a game: another process compiles, and the caller is shown its progress."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest

from facedown.bots import compile_process
from facedown.bots.compile_process import Preparation
from facedown.bots.warm_up import STAGES
from facedown.core.rule import INTERPRETED
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a shell stands in for Python")


def replace_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Replace the Python interpreter with a shell script."""
    program = tmp_path / "python"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(compile_process.sys, "executable", str(program))


def test_a_wait_for_one_stage_of_a_games_compilation_ends_before_later_stages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipe = tmp_path / "stages"
    os.mkfifo(pipe)
    replace_python(tmp_path, monkeypatch, f'exec cat "{pipe}"')
    changes: list[int] = []
    found = Preparation("detect", lambda: changes.append(found.done))
    found.start()
    shown: list[str] = []
    with pipe.open("w", buffering=1) as stages:
        assert not found.is_ready("rules")

        def show(text: str) -> None:
            shown.append(text)
            stages.write("a stage\n")

        found.wait("strong", show)
        assert found.is_ready("strong")
        assert not found.is_ready("master")
        assert not found.is_ready("a bot from elsewhere")
    found.wait("coach", shown.append)
    assert found.is_ready("a bot from elsewhere")
    wait_until(lambda: changes == [1, 2, len(STAGES)])
    assert [line.rpartition("Step ")[2] for line in shown[:2]] == ["1 of 4…", "2 of 4…"]


def test_a_wait_for_the_compile_process_ends_with_a_warning_if_that_process_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    replace_python(tmp_path, monkeypatch, "exit 3")
    found = Preparation("detect")
    with caplog.at_level(logging.WARNING):
        found.start()
        found.wait("coach", lambda text: None)
    assert caplog.messages == ["The warm-up of detect ended with 3."]


def test_the_process_that_compiles_a_game_ends_when_the_compilation_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace_python(tmp_path, monkeypatch, "exec sleep 600")
    found = Preparation("detect")
    found.start()
    process = found._process
    assert process is not None
    assert process.poll() is None
    found.stop()
    assert process.poll() is not None


#: Prints which rules `facedown play` compiles before its first prompt; runs in a separate process with an empty cache.
PLAY_IN_TERMINAL = """
import io, sys
import numba.core.dispatcher
from facedown.terminal.cli import main
numba.core.dispatcher.Dispatcher.add_overload = lambda self, result: print("compiled", self.__name__)
sys.stdin = io.StringIO("l\\nq\\n")
main(["play", sys.argv[1], "--plain", "--bots", "casual"])
"""


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_the_terminal_program_compiles_nothing_in_its_own_process_during_a_first_match(tmp_path: Path) -> None:
    environment = {**os.environ, "FACEDOWN_CACHE": str(tmp_path / "cache"), "FACEDOWN_DATA": str(tmp_path / "data")}
    done = subprocess.run(
        [sys.executable, "-c", PLAY_IN_TERMINAL, "scout"], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Saved:" in done.stdout
    assert "compiled" not in done.stdout
