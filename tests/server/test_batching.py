"""Connections are admitted a few at a time, and requests to the database are batched."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any

import pytest

from facedown.server.process import admission_queue, query_batching
from facedown.server.process.admission_queue import Admission, admit
from facedown.server.process.query_batching import MAX_BATCH, Batcher, lookup
from facedown.store import Conflict
from tests.manual_clock import pass_time
from tests.server.http_server import Live, Serve, begun, lobby, shared_table
from tests.server.live_tables import scene
from tests.waiting import run_ready_tasks, wait_until


@pytest.fixture(autouse=True)
def nobody_is_hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this machine is, nobody goes on only because their time is up, unless that is looked at."""
    monkeypatch.setattr(admission_queue, "ADMISSION_TIMEOUT", 3600.0)


class Crowd:
    """Connections that want to be admitted, by name; so many are on their way in at the same time."""

    def __init__(self, places: int) -> None:
        self.places = asyncio.Semaphore(places)
        self.admitted: dict[str, Admission] = {}

    async def arrive(self, names: str) -> list[asyncio.Task[None]]:
        tasks = [asyncio.create_task(self._admit(name)) for name in names]
        await run_ready_tasks()
        return tasks

    async def _admit(self, name: str) -> None:
        self.admitted[name] = await admit(self.places)

    async def show(self, names: str) -> None:
        """These are sent their first page, one after the other."""
        for name in names:
            self.admitted[name].close()
            await run_ready_tasks()


@scene
async def test_a_few_are_admitted_at_a_time_in_their_order_and_who_leaves_takes_no_place() -> None:
    crowd = Crowd(2)
    *_others, gone, called, _last = await crowd.arrive("abcdefgh")
    assert list(crowd.admitted) == ["a", "b"]
    await crowd.show("bb")
    assert list(crowd.admitted) == ["a", "b", "c"]
    await crowd.show("ac")
    assert list(crowd.admitted) == list("abcde")
    gone.cancel()
    await run_ready_tasks()
    crowd.admitted["d"].close()
    # Its turn has come, but it has left before it takes it.
    called.cancel()
    await run_ready_tasks()
    assert list(crowd.admitted) == list("abcdeh")


@scene
async def test_whoever_says_nothing_or_waits_for_the_database_does_not_keep_the_others_out() -> None:
    crowd = Crowd(1)
    await crowd.arrive("shw")
    crowd.admitted["s"].expect_hello()
    await pass_time(admission_queue.HELLO_TIMEOUT)
    assert list(crowd.admitted) == ["s", "h"]
    await pass_time(admission_queue.ADMISSION_TIMEOUT)
    assert list(crowd.admitted) == ["s", "h", "w"]
    crowd.admitted["h"].expect_hello()
    await crowd.show("hw")
    await pass_time(admission_queue.ADMISSION_TIMEOUT)
    assert crowd.places._value == 1, "a place is free once"


def test_the_lines_of_a_table_pass_through_one_place(served: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = served()
    ada, ben = server.guests(2)
    places = server.rooms.admissions = asyncio.Semaphore(1)
    url = shared_table(ada, ben)
    with lobby(server, url, ada, ben) as lines:
        begun(*lines)
    # Each has freed the place, by its first page or by leaving.
    monkeypatch.setattr(admission_queue, "HELLO_TIMEOUT", 3600.0)
    with Live(server, ada, url) as again:
        again.hello()
        # The page is here before the line that has sent it goes on.
        wait_until(lambda: not places.locked())
    wait_until(lambda: len(server.app.state.crowd.of_person) == 0)
    assert places._value == 1


#: A factor that makes the writer rest for the longest time after any batch.
ALWAYS = 10_000_000


class Disk:
    """A slow disk, and a database that looks words up."""

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
    """A disk that is not ready yet; whoever rests after a write may do so for an hour."""
    monkeypatch.setattr(query_batching, "MAX_REST", 3600.0)
    return Disk()


def batcher_of(disk: Disk, kind: str) -> Batcher[Any, Any]:
    return Batcher(disk.write) if kind == "write" else lookup(disk.find)


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
@scene
async def test_what_arrives_during_a_batch_goes_together(
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


@scene
async def test_an_answer_is_not_older_than_its_question(disk: Disk) -> None:
    batcher = lookup(disk.find)
    tasks = await started(batcher.submit(1))
    disk.words[1] = "another"
    tasks += await started(batcher.submit(1))
    disk.ready.set()
    assert await asyncio.gather(*tasks) == ["word 1", "another"]


@scene
async def test_changes_that_arrive_while_the_writer_rests_are_written_together(disk: Disk) -> None:
    batcher = Batcher(disk.write, ALWAYS)
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
@scene
async def test_an_error_is_raised_to_all_of_its_batch_and_not_to_the_next(kind: str, disk: Disk) -> None:
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
@scene
async def test_cancelled_callers_take_nothing_from_others(kind: str, disk: Disk) -> None:
    """Also not from those who ask for the same."""
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
@scene
async def test_a_batch_has_a_largest_size(kind: str, disk: Disk) -> None:
    disk.ready.set()
    batcher, numbers = batcher_of(disk, kind), range(1, 2 * MAX_BATCH + 2)
    results = await asyncio.gather(*(batcher.submit(number) for number in numbers))
    assert results == [None if kind == "write" else disk.words[number] for number in numbers]
    assert [len(batch) for batch in disk.batches] == [MAX_BATCH, MAX_BATCH, 1]
