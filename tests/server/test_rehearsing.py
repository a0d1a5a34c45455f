"""A server that stands tries the coach out beside itself, once, and takes that along when it stops."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

from facedown.bots import rehearsal
from facedown.server.live import rooms
from tests.server.serving import PATIENCE, serving

#: Stands in for Python: says who it is and how it was called, and stays.
STAYING = """#!/bin/sh
echo "$$ $*" > "{told}"
exec sleep 600
"""


def lives(process: int) -> bool:
    """Is there such a process?"""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.skipif(sys.platform == "win32", reason="a shell stands in for Python")
def test_the_coach_is_tried_out_beside_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told, program = tmp_path / "told", tmp_path / "python"
    program.write_text(STAYING.format(told=told))
    program.chmod(0o755)
    monkeypatch.setattr(rooms, "rehearsed", lambda: False)
    monkeypatch.setattr(rooms.sys, "executable", str(program))
    with serving(tmp_path, warm_up=True):
        until = time.monotonic() + PATIENCE
        while not (told.exists() and told.read_text()):
            assert time.monotonic() < until
            time.sleep(0.05)
        number, _, command = told.read_text().partition(" ")
        assert command == "-m facedown.bots.rehearsal\n"
        assert lives(int(number))
    until = time.monotonic() + PATIENCE
    while lives(int(number)):
        assert time.monotonic() < until, "it outlives the server"
        time.sleep(0.05)


def test_what_was_tried_out_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "INTERPRETED", False)
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path / "cache"))
    assert not rehearsal.rehearsed()
    with monkeypatch.context() as plain:
        plain.setattr(rehearsal, "INTERPRETED", True)
        rehearsal.remember()
    assert not rehearsal.rehearsed(), "as plain Python nothing is compiled"
    rehearsal.remember()
    assert rehearsal.rehearsed()
    monkeypatch.setenv("FACEDOWN_CACHE", "/dev/null/cache")
    rehearsal.remember()
    assert not rehearsal.rehearsed()
