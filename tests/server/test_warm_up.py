"""Warm-up: a process outside of the server compiles bots and coach once, and ends with the server."""

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
from tests.server.test_scheduling import SlowBots
from tests.waiting import wait_until

#: Stand-in for Python that writes its process id and arguments, and keeps running.
STAYING = """#!/bin/sh
echo "$$ $*" >> "{told}"
exec sleep 600
"""
#: Stand-in for Python that writes its arguments and exits.
DONE = """#!/bin/sh
echo "$*" >> "{told}"
"""
#: Stand-in for Python that prints the stages from a pipe until it is closed.
STAGED = """#!/bin/sh
exec cat "{told}"
"""


def is_running(process: int) -> bool:
    """Return whether a process exists. A zombie counts as ended."""
    with contextlib.suppress(ChildProcessError):
        # The server may stop before its child has ended. Then its loop no longer reaps the child.
        if os.waitpid(process, os.WNOHANG)[0]:
            return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def fake_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Replace Python by a script and set the games to warm up. Return the file that the script uses."""

    def pretended(script: str, *games: str) -> Path:
        told = tmp_path / "told"
        if script == STAGED:
            os.mkfifo(told)
        write_script(tmp_path / "python", script, told)
        monkeypatch.setattr(game_compiler, "games_to_warm_up", lambda: list(games))
        monkeypatch.setattr(compile_process.sys, "executable", str(tmp_path / "python"))
        return told

    return pretended


def write_script(program: Path, script: str, told: Path) -> None:
    program.write_text(script.format(told=told))
    program.chmod(0o755)


def lines(path: Path, count: int) -> list[str]:
    """Wait until a file has this number of lines and return them."""
    wait_until(lambda: path.exists() and len(path.read_text().splitlines()) >= count)
    return path.read_text().splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="a shell stands in for Python")
def test_warm_up_runs_in_a_separate_process_that_ends_with_the_server(
    tmp_path: Path, fake_python: Callable[..., Path]
) -> None:
    told = fake_python(STAYING, "reveal", "scout")
    with serving(tmp_path, warm_up=True):
        number, _, command = lines(told, 1)[0].partition(" ")
        assert command == "-m facedown.bots.warm_up reveal"
        assert is_running(int(number))
    # The process ends with the server.
    wait_until(lambda: not is_running(int(number)))


@pytest.mark.skipif(sys.platform == "win32", reason="a shell stands in for Python")
def test_games_of_open_tables_are_compiled_first_during_warm_up(
    tmp_path: Path, fake_python: Callable[..., Path]
) -> None:
    told = fake_python(STAYING, *catalogue())
    with serving(tmp_path, warm_up=True) as server:
        first = lines(told, 1)[0]
        with server.client() as client:
            open_table(client, "low", game="uncovered")
        write_script(tmp_path / "another", DONE, told)
        (tmp_path / "another").replace(tmp_path / "python")
        os.kill(int(first.split()[0]), signal.SIGTERM)
        games = [line.split()[-1] for line in lines(told, 5)]
    assert games[1] == "uncovered"
    assert sorted(games) == sorted(catalogue())


def test_games_compiled_during_warm_up_are_recorded_in_the_cache_and_left_out_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
def test_table_and_hint_show_warm_up_progress(tmp_path: Path, fake_python: Callable[..., Path]) -> None:
    pipe, bots = fake_python(STAGED, "detect"), SlowBots()
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
def test_review_starts_only_after_warm_up_has_compiled_the_code_of_the_coach(
    tmp_path: Path, fake_python: Callable[..., Path]
) -> None:
    pipe = fake_python(STAGED, "reveal")
    with serving(tmp_path, warm_up=True) as server, server.client() as ada:
        code = finished(server, ada).rpartition("/")[2]
        address = f"/api/v1/matches/{code}/review"
        assert not ada.get(address).json()["ready"]
        with pipe.open("w") as stages:
            stages.write("rules\n")
            stages.flush()
            wait_until(lambda: server.rooms.preparations.current_stage_and_stage_count("reveal", "coach") == (2, 4))
            assert ada.get(address).json()["done"] == 0
        wait_until(lambda: ada.get(address).json()["ready"])


#: Script for a process with an empty cache: the first page of every game and one move, without compiled rules.
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
def test_first_pages_and_moves_compile_nothing_in_the_server_process(tmp_path: Path) -> None:
    """With an empty cache, the server runs no compiled function before another process has compiled it."""
    environment = {**os.environ, "FACEDOWN_CACHE": str(tmp_path / "cache"), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", FIRST_PAGES, str(tmp_path)], env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
