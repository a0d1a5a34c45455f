"""Circles of objects are looked for rarely, and not forgotten."""

from __future__ import annotations

import gc
import subprocess
import sys

import pytest

from facedown.server.process import gc_tuning
from facedown.server.process.gc_tuning import MANY, SHARE, SHORTEST, Collector
from tests.wait import wait_until


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
