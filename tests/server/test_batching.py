"""Requests to the database: batched, in order, and each with a result of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any

import pytest

from facedown.server.process import batching
from facedown.server.process.batching import MAX_BATCH, Batcher, lookup
from facedown.store import Conflict
from tests.clock import pass_time
from tests.server.scenes import scene
from tests.wait import run_ready_tasks

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
    monkeypatch.setattr(batching, "MAX_REST", 3600.0)
    return Disk()


async def started(*requests: Coroutine[Any, Any, Any]) -> list[asyncio.Task[Any]]:
    """Tasks of requests that have reached the batcher."""
    tasks = [asyncio.create_task(request) for request in requests]
    await run_ready_tasks()
    return tasks


@scene
async def test_changes_that_arrive_during_a_write_are_written_together(disk: Disk) -> None:
    batcher = Batcher(disk.write)
    tasks = await started(batcher.submit("first"))
    tasks += await started(*(batcher.submit(word) for word in ("a", "late", "b")))
    assert not any(task.done() for task in tasks), "nothing counts before it is on disk"
    disk.ready.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert disk.batches == [["first"], ["a", "late", "b"]]
    assert [type(result) for result in results] == [type(None), type(None), Conflict, type(None)]
    await batcher.submit("after")
    assert disk.batches[2:] == [["after"]]


@scene
async def test_keys_that_arrive_during_a_lookup_are_looked_up_together(disk: Disk) -> None:
    batcher = lookup(disk.find)
    tasks = await started(batcher.submit(1))
    tasks += await started(*(batcher.submit(key) for key in (2, 3, 2, 0)))
    assert disk.batches == [[1]]
    disk.ready.set()
    assert await asyncio.gather(*tasks) == ["word 1", "word 2", "word 3", "word 2", None]
    assert disk.batches == [[1], [2, 3, 0]]


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


@scene
async def test_an_urgent_change_does_not_wait_for_a_rest(disk: Disk) -> None:
    disk.ready.set()
    batcher = Batcher(disk.write, ALWAYS)
    with pytest.raises(Conflict):
        await batcher.submit("late")
    await batcher.submit("again", urgent=True)
    assert disk.batches == [["late"], ["again"]]


@pytest.mark.parametrize("kind", ["write", "lookup"])
@scene
async def test_an_error_is_raised_to_all_of_its_batch_and_not_to_the_next(kind: str, disk: Disk) -> None:
    batcher: Batcher[Any, Any] = Batcher(disk.write) if kind == "write" else lookup(disk.find)
    disk.error = OSError("the disk is full")
    tasks = await started(*(batcher.submit(number) for number in (1, 2)))
    disk.ready.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [str(result) for result in results] == ["the disk is full"] * 2
    disk.error = None
    assert await batcher.submit(3) == (None if kind == "write" else "word 3")
    assert disk.batches[-1] == [3]


@scene
async def test_a_cancelled_caller_does_not_stop_the_batch(disk: Disk) -> None:
    batcher = Batcher(disk.write)
    gone, here = await started(batcher.submit("gone"), batcher.submit("here"))
    gone.cancel()
    disk.ready.set()
    await here
    assert disk.batches == [["gone", "here"]]
    with pytest.raises(asyncio.CancelledError):
        await gone


@scene
async def test_cancelled_callers_take_nothing_from_others_with_the_same_key(disk: Disk) -> None:
    batcher = lookup(disk.find)
    (first,) = await started(batcher.submit(1))
    gone, here = await started(batcher.submit(2), batcher.submit(2))
    gone.cancel()
    first.cancel()
    disk.ready.set()
    assert await here == "word 2"
    with pytest.raises(asyncio.CancelledError):
        await gone


@pytest.mark.parametrize("kind", ["write", "lookup"])
@scene
async def test_a_batch_has_a_largest_size(kind: str, disk: Disk) -> None:
    disk.ready.set()
    batcher: Batcher[Any, Any] = Batcher(disk.write) if kind == "write" else lookup(disk.find)
    numbers = range(1, 2 * MAX_BATCH + 2)
    results = await asyncio.gather(*(batcher.submit(number) for number in numbers))
    assert results == [None if kind == "write" else disk.words[number] for number in numbers]
    assert [len(batch) for batch in disk.batches] == [MAX_BATCH, MAX_BATCH, 1]
