"""A server that stands tries bots and coach out beside itself, once, and takes that along when it stops."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from facedown.bots import compile_process, warm_up
from facedown.core.game_registry import catalogue
from facedown.core.rule import INTERPRETED
from facedown.server.scheduling import game_compiler
from tests.server.http_server import Live, finished, open_table, serving
from tests.server.test_thinking import SlowBots
from tests.waiting import wait_until

#: Stands in for Python: says who it is and how it was called, and stays.
STAYING = """#!/bin/sh
echo "$$ $*" >> "{told}"
exec sleep 600
"""
#: Stands in for Python: says how it was called, and is done.
DONE = """#!/bin/sh
echo "$*" >> "{told}"
"""
#: Stands in for Python: prints the stages that it reads from a pipe, until that is closed.
STAGED = """#!/bin/sh
exec cat "{told}"
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


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Let a script stand in for Python, with these games yet to be tried out; the file that it uses."""

    def pretended(script: str, *games: str) -> Path:
        told = tmp_path / "told"
        if script == STAGED:
            os.mkfifo(told)
        stand_in(tmp_path / "python", script, told)
        monkeypatch.setattr(game_compiler, "games_to_warm_up", lambda: list(games))
        monkeypatch.setattr(compile_process.sys, "executable", str(tmp_path / "python"))
        return told

    return pretended


def stand_in(program: Path, script: str, told: Path) -> None:
    program.write_text(script.format(told=told))
    program.chmod(0o755)


def lines(path: Path, count: int) -> list[str]:
    """The lines of a file that is being written, once there are so many."""
    wait_until(lambda: path.exists() and len(path.read_text().splitlines()) >= count)
    return path.read_text().splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell stands in for Python")
def test_a_game_is_tried_out_beside_the_server(tmp_path: Path, pretend: Callable[..., Path]) -> None:
    told = pretend(STAYING, "reveal", "scout")
    with serving(tmp_path, warm_up=True):
        number, _, command = lines(told, 1)[0].partition(" ")
        assert command == "-m facedown.bots.warm_up reveal"
        assert lives(int(number))
    # It does not outlive the server.
    wait_until(lambda: not lives(int(number)))


@pytest.mark.skipif(sys.platform == "win32", reason="a shell stands in for Python")
def test_the_games_of_open_tables_go_first(tmp_path: Path, pretend: Callable[..., Path]) -> None:
    told = pretend(STAYING, *catalogue())
    with serving(tmp_path, warm_up=True) as server:
        first = lines(told, 1)[0]
        with server.client() as client:
            open_table(client, "low", game="uncovered")
        stand_in(tmp_path / "another", DONE, told)
        (tmp_path / "another").replace(tmp_path / "python")
        os.kill(int(first.split()[0]), signal.SIGTERM)
        games = [line.split()[-1] for line in lines(told, 5)]
    assert games[1] == "uncovered"
    assert sorted(games) == sorted(catalogue())


def test_what_was_tried_out_is_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "INTERPRETED", False)
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path / "cache"))
    assert "scout" in warm_up.games_to_warm_up()
    with monkeypatch.context() as plain:
        plain.setattr(warm_up, "INTERPRETED", True)
        warm_up.mark_warmed_up("scout")
    assert "scout" in warm_up.games_to_warm_up(), "as plain Python nothing is compiled"
    warm_up.mark_warmed_up("scout")
    assert "scout" not in warm_up.games_to_warm_up()
    assert "detect" in warm_up.games_to_warm_up()
    monkeypatch.setenv("FACEDOWN_CACHE", "/dev/null/cache")
    warm_up.mark_warmed_up("scout")
    assert "scout" in warm_up.games_to_warm_up()


@pytest.mark.skipif(INTERPRETED or sys.platform == "win32", reason="nothing is compiled; a shell stands in for Python")
def test_a_bot_that_thinks_and_a_hint_say_how_far_they_are(tmp_path: Path, pretend: Callable[..., Path]) -> None:
    pipe, bots = pretend(STAGED, "detect"), SlowBots()
    with serving(tmp_path, warm_up=True, bots=bots) as server, server.client() as ada:
        url = open_table(ada, "low", hints="on")
        with Live(server, ada, url) as live, pipe.open("w", buffering=1) as stages:
            assert "getting ready, 1 of 4" in live.hello()["html"]
            live.send(type="hint")
            first, second = live.get("thinking"), stages.write("rules\n") and live.get("thinking")
            told = [(told["preparing"], told["done"], told["of"]) for told in (first, second)]
            assert told == [(True, 1, 4), (True, 2, 4)]
            live.send(type="hello", version=0)
            assert "getting ready, 2 of 4" in live.get("table")["html"]
            assert not bots.shown, "it would compile in this process"
            stages.close()
            assert live.get("hint")["moves"]
            live.send(type="hello", version=0)
            assert "getting ready" not in live.get("table")["html"]
            wait_until(lambda: bots.shown)


@pytest.mark.skipif(INTERPRETED or sys.platform == "win32", reason="nothing is compiled; a shell stands in for Python")
def test_a_look_back_waits_for_the_coach(tmp_path: Path, pretend: Callable[..., Path]) -> None:
    pipe = pretend(STAGED, "reveal")
    with serving(tmp_path, warm_up=True) as server, server.client() as ada:
        code = finished(server, ada).rpartition("/")[2]
        address = f"/api/v1/matches/{code}/review"
        assert not ada.get(address).json()["ready"]
        with pipe.open("w") as stages:
            stages.write("rules\n")
            stages.flush()
            wait_until(lambda: server.rooms.preparations.progress("reveal", "coach") == (2, 4))
            assert ada.get(address).json()["done"] == 0
        wait_until(lambda: ada.get(address).json()["ready"])


#: In a process of its own with an empty cache: each page that deals, and one move, without any compiled rule.
FIRST_PAGES = """
import sys
from pathlib import Path
import numba.core.dispatcher
from facedown.core.game_registry import catalogue
from tests.server.http_server import Live, open_table, serving
compiled = []
numba.core.dispatcher.Dispatcher.add_overload = lambda self, result: compiled.append(self.__name__)
with serving(Path(sys.argv[1]), warm_up=True) as server, server.client() as ada:
    for game, info in catalogue().items():
        assert ada.get(f"/learn/{game}").status_code == 200
        others = ("high" if game == "uncovered" else "low",) * (info.seats[0] - 1)
        with Live(server, ada, open_table(ada, *others, game=game)) as live:
            message = live.until_yours(live.hello())
            if message["yours"]:
                live.play(message)
    print(compiled)
"""


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_first_pages_and_moves_wait_for_no_compiler(tmp_path: Path) -> None:
    """A server on an empty cache calls nothing compiled before another process has compiled it."""
    environment = {**os.environ, "FACEDOWN_CACHE": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PAGES, str(tmp_path)], env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
