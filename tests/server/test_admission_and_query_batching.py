"""Admission of a few connections at a time, and batching of database requests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any

import pytest

from facedown.server.process import admission_queue, query_batching
from facedown.server.process.admission_queue import Admission, wait_for_admission
from facedown.server.process.query_batching import MAX_BATCH, Batcher, lookup_batcher
from facedown.store import Conflict
from tests.manual_clock import pass_time
from tests.server.http_server import Live, Serve, lobby, shared_table, start_match
from tests.server.live_tables import with_manual_clock
from tests.waiting import run_ready_tasks, wait_until


@pytest.fixture(autouse=True)
def long_admission_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set an admission timeout that no test reaches unless it advances the clock."""
    monkeypatch.setattr(admission_queue, "ADMISSION_TIMEOUT", 3600.0)


class WaitingConnections:
    """Connections that wait for admission, by name. `places` is the number admitted at a time."""

    def __init__(self, places: int) -> None:
        self.places = asyncio.Semaphore(places)
        self.admitted: dict[str, Admission] = {}

    async def arrive(self, names: str) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(self._admit(name)) for name in names]
        await run_ready_tasks()
        return tasks

    async def _admit(self, name: str) -> None:
        self.admitted[name] = await wait_for_admission(self.places)

    async def show(self, names: str) -> None:
        """Send the first page to these connections, one after the other."""
        for name in names:
            self.admitted[name].close()
            await run_ready_tasks()


@with_manual_clock
async def test_admission_queue_admits_a_few_connections_in_order_and_skips_cancelled_ones() -> None:
    crowd = WaitingConnections(2)
    *_others, gone, called, _last = await crowd.arrive("abcdefgh")
    assert list(crowd.admitted) == ["a", "b"]
    await crowd.show("bb")
    assert list(crowd.admitted) == ["a", "b", "c"]
    await crowd.show("ac")
    assert list(crowd.admitted) == list("abcde")
    gone.cancel()
    await run_ready_tasks()
    crowd.admitted["d"].close()
    # The next connection is admitted, but cancelled before it uses its place.
    called.cancel()
    await run_ready_tasks()
    assert list(crowd.admitted) == list("abcdeh")


@with_manual_clock
async def test_admission_queue_frees_the_place_of_a_silent_or_slow_connection_after_a_timeout() -> None:
    crowd = WaitingConnections(1)
    await crowd.arrive("shw")
    crowd.admitted["s"].start_hello_timeout()
    await pass_time(admission_queue.HELLO_TIMEOUT)
    assert list(crowd.admitted) == ["s", "h"]
    await pass_time(admission_queue.ADMISSION_TIMEOUT)
    assert list(crowd.admitted) == ["s", "h", "w"]
    crowd.admitted["h"].start_hello_timeout()
    await crowd.show("hw")
    await pass_time(admission_queue.ADMISSION_TIMEOUT)
    assert crowd.places._value == 1, "a place is free once"


def test_websockets_of_all_players_of_a_table_connect_even_with_a_single_admission_slot(
    start_server: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = start_server()
    ada, ben = server.guests(2)
    places = server.rooms.admissions = asyncio.Semaphore(1)
    url = shared_table(ada, ben)
    with lobby(server, url, ada, ben) as lines:
        start_match(*lines)
    # Each connection freed the place by its first page or by leaving.
    monkeypatch.setattr(admission_queue, "HELLO_TIMEOUT", 3600.0)
    with Live(server, ada, url) as again:
        again.hello()
        # The page arrives before the server has freed the place.
        wait_until(lambda: not places.locked())
    wait_until(lambda: len(server.app.state.crowd.of_person) == 0)
    assert places._value == 1


#: A factor with which the writer pauses for the longest time after any batch.
LONGEST_PAUSE_FACTOR = 10_000_000


class Disk:
    """A slow disk with a table of words."""

    def __init__(self) -> None:
        self.batches: list[list[Any]] = []
        self.ready = asyncio.Event()
        self.error: Exception | None = None
        self.words = {number: f"word {number}" for number in range(1, 1000)}

    async def write(self, words: Sequence[str]) -> list[Conflict | None]:
        await self.ready.wait()
        if self.error is not None:
            raise self.error
        self.batches.append(list(words))
        return [Conflict(word) if word == "late" else None for word in words]

    async def find(self, keys: Sequence[int]) -> Mapping[int, str]:
        self.batches.append(list(keys))
        found = {key: self.words[key] for key in keys if key in self.words}
        await self.ready.wait()
        if self.error is not None:
            raise self.error
        return found


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """A disk that is not ready yet. The writer may pause for up to an hour after a batch."""
    monkeypatch.setattr(query_batching, "MAX_REST", 3600.0)
    return Disk()


def batcher_of(disk: Disk, kind: str) -> Batcher[Any, Any]:
    return Batcher(disk.write) if kind == "write" else lookup_batcher(disk.find)


async def started(*requests: Coroutine[Any, Any, Any]) -> list[asyncio.Task[Any]]:
    tasks = [asyncio.create_task(request) for request in requests]
    await run_ready_tasks()
    return tasks


@pytest.mark.parametrize(
    ("kind", "first", "others", "answers", "batch"),
    [
        ("write", "first", ("a", "late", "b"), [None, None, "late", None], ["a", "late", "b"]),
        ("lookup", 1, (2, 3, 2, 0), ["word 1", "word 2", "word 3", "word 2", None], [2, 3, 0]),
    ],
)
@with_manual_clock
async def test_database_requests_that_arrive_during_a_batch_form_the_next_batch(
    disk: Disk, kind: str, first: Any, others: tuple[Any, ...], answers: list[Any], batch: list[Any]
) -> None:
    batcher = batcher_of(disk, kind)
    tasks = await started(batcher.submit(first))
    tasks += await started(*(batcher.submit(each) for each in others))
    assert not any(task.done() for task in tasks), "nothing counts before it is on disk"
    disk.ready.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [str(result) if isinstance(result, Conflict) else result for result in results] == answers
    await batcher.submit(first)
    assert disk.batches == [[first], batch, [first]]


@with_manual_clock
async def test_batched_database_lookup_never_returns_a_value_read_before_it_was_requested(disk: Disk) -> None:
    batcher = lookup_batcher(disk.find)
    tasks = await started(batcher.submit(1))
    disk.words[1] = "another"
    tasks += await started(batcher.submit(1))
    disk.ready.set()
    assert await asyncio.gather(*tasks) == ["word 1", "another"]


@with_manual_clock
async def test_database_writes_that_arrive_during_the_delay_after_a_batch_are_saved_together(disk: Disk) -> None:
    batcher = Batcher(disk.write, LONGEST_PAUSE_FACTOR)
    (first,) = await started(batcher.submit("first"))
    await pass_time(1)
    disk.ready.set()
    await first
    rested = asyncio.ensure_future(batcher.submit("a"))
    await pass_time(3000)
    assert not rested.done()
    with_it = asyncio.ensure_future(batcher.submit("b"))
    await pass_time(600)
    assert rested.done()
    assert with_it.done()
    assert disk.batches == [["first"], ["a", "b"]]


@pytest.mark.parametrize("kind", ["write", "lookup"])
@with_manual_clock
async def test_batch_error_is_raised_to_all_callers_of_that_batch_only(kind: str, disk: Disk) -> None:
    batcher = batcher_of(disk, kind)
    disk.error = OSError("the disk is full")
    tasks = await started(*(batcher.submit(number) for number in (1, 2)))
    disk.ready.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [str(result) for result in results] == ["the disk is full"] * 2
    disk.error = None
    assert await batcher.submit(3) == (None if kind == "write" else "word 3")
    assert disk.batches[-1] == [3]


@pytest.mark.parametrize("kind", ["write", "lookup"])
@with_manual_clock
async def test_cancelled_caller_does_not_affect_other_requests_in_the_batch(kind: str, disk: Disk) -> None:
    """This includes callers with the same request."""
    batcher = batcher_of(disk, kind)
    first, gone, here = [*await started(batcher.submit(1)), *await started(batcher.submit(2), batcher.submit(2))]
    for task in (gone, first):
        task.cancel()
    disk.ready.set()
    assert await here == (None if kind == "write" else "word 2")
    for task in (gone, first):
        with pytest.raises(asyncio.CancelledError):
            await task


@pytest.mark.parametrize("kind", ["write", "lookup"])
@with_manual_clock
async def test_query_batch_size_is_limited(kind: str, disk: Disk) -> None:
    disk.ready.set()
    batcher, numbers = batcher_of(disk, kind), range(1, 2 * MAX_BATCH + 2)
    results = await asyncio.gather(*(batcher.submit(number) for number in numbers))
    assert results == [None if kind == "write" else disk.words[number] for number in numbers]
    assert [len(batch) for batch in disk.batches] == [MAX_BATCH, MAX_BATCH, 1]
