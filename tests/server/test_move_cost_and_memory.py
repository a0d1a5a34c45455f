"""Cost of one move at a table of four with twenty spectators, and memory of an idle server."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any

import pytest

import facedown
from facedown.core import hidden_cards
from facedown.core.game_registry import GameModule, catalogue, game
from facedown.core.match import Match
from facedown.server.http import ban_list
from facedown.server.http.connection_limits import LimitedWebSocketProtocol
from facedown.server.process import gc_tuning
from facedown.server.process.gc_tuning import SHARE, SHORTEST
from facedown.server.process.store_threads import StoreThreads
from facedown.server.rendering import table_html
from tests.server.http_server import Calls, Live, Serve, Server, lobby, open_table, shared_table, sit, start_match
from tests.waiting import run_ready_tasks, wait_until

SEATS, SPECTATORS = 4, 20
#: Settings without periodic work.
NO_PERIODIC_WORK = dict.fromkeys(("sweep", "pulse", "look_every", "jobs_every"), 3600.0)
#: The server is idle after this number of clock steps without a counted call, each of this number of seconds.
TURNS, TURN = 10, 0.05


@pytest.fixture(autouse=True)
def no_ban_reload(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ban_list, "RELOAD_INTERVAL", NO_PERIODIC_WORK["sweep"])


@pytest.fixture
def call_counts(monkeypatch: pytest.MonkeyPatch) -> Calls:
    found = Calls()
    found.count(monkeypatch, StoreThreads, "run", "threads")
    found.count(monkeypatch, Match, "check", "judged")
    found.count(monkeypatch, GameModule, "legal", "legal actions")
    found.count(monkeypatch, hidden_cards, "_view", "views")
    found.count(monkeypatch, table_html, "sections_of", "drawings")
    rules = game("detect").rules
    monkeypatch.setitem(vars(rules), "apply", found.counting(rules.apply, "applied"))
    run = StoreThreads.run

    async def seen_through(*given: Any) -> Any:
        found["under way"] += 1
        try:
            return await run(*given)
        finally:
            found["under way"] -= 1

    monkeypatch.setattr(StoreThreads, "run", seen_through)
    return found


def wait_until_idle(server: Server, counts: Calls) -> None:
    def nothing_happens() -> bool:
        before = counts.copy()
        for _ in range(TURNS):
            server.advance(TURN)
            server.within(run_ready_tasks())
        return before == counts and not counts["under way"]

    wait_until(nothing_happens)


@pytest.mark.slow
def test_move_is_applied_once_and_rendered_once_per_viewer(start_server: Serve, call_counts: Calls) -> None:
    server = start_server(**NO_PERIODIC_WORK)
    stranger, *clients = server.guests(SEATS + 1)
    url = open_table(clients[0], *["open"] * (SEATS - 1))
    for number, client in enumerate(clients[1:]):
        sit(client, url, f"B{number}")
    with ExitStack() as stack:
        lives = stack.enter_context(lobby(server, url, *clients))
        start_match(*lives)
        stranger.post(f"{url}/watch", data={"name": "Eve"})
        lives += [stack.enter_context(Live(server, stranger, url)) for _ in range(SPECTATORS)]
        shown = [live.hello() for live in lives]
        for mover in (0, 1):
            # The first move finds no caches of an earlier one.
            wait_until_idle(server, call_counts)
            call_counts.clear()
            lives[mover].move(shown[mover])
            shown = [live.beyond(before["version"]) for live, before in zip(lives, shown, strict=True)]
        wait_until_idle(server, call_counts)
        found = dict(+call_counts)
    viewers = SEATS + 1
    assert found == {
        "applied": 1,
        "judged": 1,
        # The legal actions of each seat before and after are compared, because unchanged pages stay valid.
        "legal actions": SEATS,
        "views": viewers,
        "drawings": viewers,
        # To the disk and back.
        "threads": 1,
    }


# --- functions that a move calls --------------------------------------------------------------------------------------


SOURCE = str(Path(facedown.__file__).parent)
#: Moves of each match that are counted; the first is excluded because caches are empty then.
MOVES = 8
#: Largest mean numbers per move of our files and of calls of functions in them: 1.5 times the usual numbers.
MOST_FILES = 75
MOST_CALLS = {"reveal": 9000, "detect": 2600, "reveille": 3600, "uncovered": 3600, "scout": 9000}


class FunctionCalls:
    """Calls of functions in `src/facedown` in all threads but the test's own, while `counting`."""

    def __init__(self) -> None:
        self.counting = False
        self.found: Counter[tuple[str, str]] = Counter()

    def __call__(self, frame: FrameType, event: str, _given: Any) -> None:
        if self.counting and event == "call" and frame.f_code.co_filename.startswith(SOURCE):
            self.found[frame.f_code.co_filename[len(SOURCE) :], frame.f_code.co_qualname] += 1

    @property
    def files(self) -> int:
        """Number of files with a called function."""
        return len({file for file, _name in self.found})


@pytest.fixture
def function_calls() -> Any:
    """Count in every thread that starts from now on."""
    found = FunctionCalls()
    threading.setprofile(found)
    yield found
    threading.setprofile(None)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("game", catalogue())
def test_number_of_functions_and_source_files_run_by_one_move_is_limited(
    function_calls: FunctionCalls, start_server: Serve, game: str
) -> None:
    files, entries, server = [], [], start_server(usual_loop=True, **NO_PERIODIC_WORK)
    ada, ben = server.guests(2)
    with lobby(server, shared_table(ada, ben, game=game), ada, ben) as lives:
        start_match(*lives)
        for live in lives:
            live.send(type="hello", version=0, sections=True)
        shown = [live.get("table") for live in lives]
        for move in range(MOVES + 1):
            mover = next(at for at, message in enumerate(shown) if message["yours"])
            function_calls.found.clear()
            function_calls.counting = True
            lives[mover].move(shown[mover])
            shown = [live.get("table") for live in lives]
            function_calls.counting = False
            if move:
                files.append(function_calls.files)
                entries.append(function_calls.found.total())
            if any(message["over"] for message in shown):
                break
        print(f"{game}: {sum(files) / len(files):.0f} files, {sum(entries) / len(entries):.0f} calls a move")
    assert sum(files) / len(files) <= MOST_FILES
    assert sum(entries) / len(entries) <= MOST_CALLS[game]


def test_time_between_garbage_collections_grows_with_the_duration_of_a_collection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []
    took = iter([0.01, 2.0])

    def tidied() -> float:
        return next(took)

    monkeypatch.setattr(gc_tuning, "collect_and_trim", tidied)
    monkeypatch.setattr(gc_tuning, "time", SimpleNamespace(sleep=waits.append))
    with pytest.raises(StopIteration):
        gc_tuning._collect_loop()
    assert waits == [SHORTEST, SHORTEST, 2.0 / SHARE]


CYCLE_SCRIPT = """
import gc, threading, weakref
from facedown.server.process import gc_tuning
gc_tuning.SHORTEST = 0.05
# A collection that runs too early must be followed by another one soon.
gc_tuning.SHARE = 1.0
gc_tuning.start_collector_thread()
class Thing: pass
one, other = Thing(), Thing()
one.other, other.one = other, one
gone = threading.Event()
there = weakref.ref(one, lambda _: gone.set())
del one, other
assert gc.get_threshold()[0] == gc_tuning.MANY
gone.wait(60)
print(there())
"""


def test_garbage_collector_thread_frees_an_unreachable_reference_cycle() -> None:
    # Compilation for an earlier test disables garbage collection in this process.
    wait_until(gc.isenabled)
    found = subprocess.run([sys.executable, "-c", CYCLE_SCRIPT], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "None"


def test_idle_websocket_holds_no_compression_buffers(start_server: Serve) -> None:
    server = start_server()
    (ada,) = server.guests(1)
    with lobby(server, open_table(ada, "open"), ada) as (live,):
        live.settle()
        (line,) = [
            each for each in server.server.server_state.connections if isinstance(each, LimitedWebSocketProtocol)
        ]
        packing: Any
        (packing,) = line.conn.extensions
        assert packing.local_no_context_takeover
        assert packing.remote_no_context_takeover
        assert not hasattr(packing, "encoder")
        assert not hasattr(packing, "decoder")


def test_table_without_viewers_drops_its_caches_and_works_again_when_viewed(start_server: Serve) -> None:
    server, swept = start_server(rests=60.0, sweep=30.0), Calls()
    ada, ben = server.guests(2)
    url = shared_table(ada, ben)
    sweep = server.rooms.sweep

    async def counted() -> None:
        await sweep()
        swept["sweeps"] += 1

    server.rooms.sweep = counted  # type: ignore[method-assign]
    with Live(server, ada, url) as one, Live(server, ben, url) as other:
        shown = start_match(one, other)[0]
        before = one.play(shown) if shown["yours"] else shown
        (room,) = server.rooms.all_in_memory()
        assert room.session._viewer_logs
        for at in range(4):
            server.advance(31)
            wait_until(lambda at=at: swept["sweeps"] > at)  # type: ignore[misc]
            # The sweep waits for the next interval.
            server.within(run_ready_tasks())
        # A player is connected: the caches stay.
        assert room.session._viewer_logs
    presence = room.session.presence
    wait_until(lambda: not presence.connected(0) and not presence.connected(1))
    server.advance(61)
    wait_until(lambda: not room.session._viewer_logs and not room.pages and not room.session._tables)
    with Live(server, ada, url) as one, Live(server, ben, url) as other:
        again = [line.hello() for line in (one, other)]
        assert server.rooms.all_in_memory() == [room]
        assert again[0]["version"] == before["version"]
        whose = one if again[0]["yours"] else other
        assert whose.play(again[0] if whose is one else again[1])["version"] > before["version"]
