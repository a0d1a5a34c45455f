"""A server that stands tries bots and coach out beside itself, once, and takes that along when it stops."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path

import pytest

from facedown.bots import rehearsal
from facedown.core.game import catalogue
from facedown.server.live import rooms
from tests.server.serving import open_table, serving
from tests.wait import wait_until

#: Stands in for Python: says who it is and how it was called, and stays.
STAYING = """#!/bin/sh
echo "$$ $*" >> "{told}"
exec sleep 600
"""
#: Stands in for Python: says how it was called, and is done.
DONE = """#!/bin/sh
echo "$*" >> "{told}"
"""


def lives(process: int) -> bool:
    """Is there such a process? One that has ended is none, whoever was to bury it."""
    with contextlib.suppress(ChildProcessError):
        # A server that has told it to end may be gone before it has: then its loop hears of that no more.
        if os.waitpid(process, os.WNOHANG)[0]:
            return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def stand_in(program: Path, script: str, told: Path) -> None:
    """Make a program of a script that tells into a file."""
    program.write_text(script.format(told=told))
    program.chmod(0o755)


def lines(path: Path, count: int) -> list[str]:
    """The lines of a file that is being written, once there are so many."""
    wait_until(lambda: path.exists() and len(path.read_text().splitlines()) >= count)
    return path.read_text().splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell stands in for Python")
def test_a_game_is_tried_out_beside_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, program = tmp_path / "told", tmp_path / "python"
    stand_in(program, STAYING, told)
    monkeypatch.setattr(rooms, "unrehearsed", lambda: ["reveal", "scout"])
    monkeypatch.setattr(rooms.sys, "executable", str(program))
    with serving(tmp_path, warm_up=True):
        number, _, command = lines(told, 1)[0].partition(" ")
        assert command == "-m facedown.bots.rehearsal reveal"
        assert lives(int(number))
    # It does not outlive the server.
    wait_until(lambda: not lives(int(number)))


@pytest.mark.skipif(sys.platform == "win32", reason="a shell stands in for Python")
def test_the_games_of_open_tables_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, program = tmp_path / "told", tmp_path / "python"
    stand_in(program, STAYING, told)
    monkeypatch.setattr(rooms, "unrehearsed", lambda: list(catalogue()))
    monkeypatch.setattr(rooms.sys, "executable", str(program))
    with serving(tmp_path, warm_up=True) as server:
        first = lines(told, 1)[0]
        with server.client() as client:
            open_table(client, "low", game="uncovered")
        other = tmp_path / "another"
        stand_in(other, DONE, told)
        other.replace(program)
        os.kill(int(first.split()[0]), signal.SIGTERM)
        games = [line.split()[-1] for line in lines(told, 5)]
    assert games[1] == "uncovered"
    assert sorted(games) == sorted(catalogue())


def test_what_was_tried_out_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "INTERPRETED", False)
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path / "cache"))
    assert "scout" in rehearsal.unrehearsed()
    with monkeypatch.context() as plain:
        plain.setattr(rehearsal, "INTERPRETED", True)
        rehearsal.remember("scout")
    assert "scout" in rehearsal.unrehearsed(), "as plain Python nothing is compiled"
    rehearsal.remember("scout")
    assert "scout" not in rehearsal.unrehearsed()
    assert "detect" in rehearsal.unrehearsed()
    monkeypatch.setenv("FACEDOWN_CACHE", "/dev/null/cache")
    rehearsal.remember("scout")
    assert "scout" in rehearsal.unrehearsed()
