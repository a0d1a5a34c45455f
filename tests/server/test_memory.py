"""What an idle server keeps in memory: circles of objects, open lines, tables at which nobody looks."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from facedown.server.http.connection_limits import WebSocketConnection
from facedown.server.process import gc_tuning
from facedown.server.process.gc_tuning import MANY, SHARE, SHORTEST, Collector
from tests.server.serving import PATIENCE, Live, Server, begun, lobby, open_table, serving, shared_table
from tests.wait import run_ready_tasks, wait_until


class Heap:
    """What the collector is asked, with a clock that only looking moves."""

    def __init__(self, takes: float) -> None:
        self.time, self.takes, self.looked, self.more = 0.0, takes, 0, 0

    def now(self) -> float:
        return self.time

    def collect(self) -> int:
        self.looked += 1
        self.time += self.takes
        self.more = 0
        return 0

    def get_count(self) -> tuple[int, int, int]:
        return self.more, 0, 0


def heap_of(patch: pytest.MonkeyPatch, takes: float) -> tuple[Heap, Collector]:
    heap = Heap(takes)
    patch.setattr(gc_tuning, "gc", heap)
    return heap, Collector(heap.now)


def test_a_small_server_is_looked_through_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    heap, collector = heap_of(monkeypatch, takes=0.01)
    for second in range(20 * int(SHORTEST)):
        heap.time = max(heap.time, float(second))
        collector.glance()
    assert 18 <= heap.looked <= 20


def test_a_large_one_is_looked_through_the_more_rarely_the_longer_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    heap, collector = heap_of(monkeypatch, takes=2.0)
    for second in range(4000):
        heap.time = max(heap.time, float(second))
        collector.glance()
    assert heap.looked >= 2
    assert heap.looked * heap.takes <= 4000 * SHARE + heap.takes


def test_many_new_objects_are_looked_through_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    heap, collector = heap_of(monkeypatch, takes=2.0)
    heap.more = MANY
    assert collector.glance()
    assert not collector.glance()


WATCHED = """
import gc, threading, weakref
from facedown.server.process import gc_tuning
gc_tuning.SHORTEST = gc_tuning.GLANCE = 0.05
# Who looked too early, and was held up meanwhile, looks again all the same.
gc_tuning.SHARE = 1.0
gc_tuning.collect_rarely()
class Thing: pass
one, other = Thing(), Thing()
one.other, other.one = other, one
gone = threading.Event()
there = weakref.ref(one, lambda _: gone.set())
del one, other
assert not gc.isenabled()
gone.wait(60)
print(there())
"""


def test_a_circle_goes_in_the_end() -> None:
    # While something is compiled, for whoever was here before, nobody looks here either.
    wait_until(gc.isenabled)
    found = subprocess.run([sys.executable, "-c", WATCHED], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "None"


# --- open lines -------------------------------------------------------------------------------------------------------


def packing(server: Server) -> Any:
    """How the messages of the one open line are packed."""
    (line,) = [each for each in server.server.server_state.connections if isinstance(each, WebSocketConnection)]
    (found,) = line.conn.extensions
    return found


def test_a_line_that_waits_holds_no_memory_for_packing(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.client() as ada, lobby(server, open_table(ada, "open"), ada) as (live,):
        live.settle()
        found = packing(server)
        assert found.local_no_context_takeover
        assert found.remote_no_context_takeover
        assert not hasattr(found, "encoder")
        assert not hasattr(found, "decoder")


# --- tables at which nobody looks -------------------------------------------------------------------------------------


def counted_sweeps(server: Server) -> SimpleQueue[None]:
    """Something for each sweep that a server has ended, from now on."""
    ended: SimpleQueue[None] = SimpleQueue()
    sweep = server.rooms.sweep

    async def swept() -> None:
        await sweep()
        ended.put(None)

    server.rooms.sweep = swept  # type: ignore[method-assign]
    return ended


def test_a_table_rests_while_nobody_looks(tmp_path: Path) -> None:
    with serving(tmp_path, rests=60.0, sweep=30.0) as server, server.client() as ada, server.client() as ben:
        sweeps = counted_sweeps(server)
        url = shared_table(ada, ben)
        with Live(server, ada, url) as one, Live(server, ben, url) as other:
            shown = begun(one, other)[0]
            before = one.play(shown) if shown["yours"] else shown
            (room,) = server.rooms.all_in_memory()
            assert room.session._viewer_logs
            for _ in range(4):
                server.advance(31)
                sweeps.get(timeout=PATIENCE)
                # It waits for the next one.
                server.within(run_ready_tasks())
            # Somebody looks: nothing is put away.
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
