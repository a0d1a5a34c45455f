"""Events and queues that take no room while nobody waits do what asyncio's do."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

import pytest

from facedown.server import lean
from tests.server.serving import awaited
from tests.wait import run_ready_tasks

EVENTS = pytest.mark.parametrize("made", [asyncio.Event, lean.Event])
QUEUES = pytest.mark.parametrize("made", [asyncio.Queue, lean.Queue])


@EVENTS
def test_all_who_wait_go_on_when_it_happens(made: Callable[[], asyncio.Event]) -> None:
    async def scene() -> None:
        event = made()
        waiting = [asyncio.create_task(event.wait()) for _ in range(3)]
        await run_ready_tasks()
        waiting[1].cancel()
        await run_ready_tasks()
        assert not any(task.done() for task in (waiting[0], waiting[2]))
        event.set()
        event.clear()
        await asyncio.wait_for(asyncio.gather(waiting[0], waiting[2]), 5)
        assert not event.is_set()
        event.set()
        await asyncio.wait_for(event.wait(), 5)

    awaited(scene())


@EVENTS
def test_whoever_waits_anew_waits_for_the_next_time(made: Callable[[], asyncio.Event]) -> None:
    async def scene() -> None:
        event = made()
        event.set()
        event.clear()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(event.wait(), 0.01)
        event.set()
        await asyncio.wait_for(event.wait(), 5)

    awaited(scene())


@QUEUES
def test_what_comes_is_taken_in_its_order(made: Callable[[], asyncio.Queue[int]]) -> None:
    async def scene() -> None:
        queue, taken = made(), list[int]()

        async def take(many: int) -> None:
            for _ in range(many):
                taken.append(await queue.get())

        taking = asyncio.create_task(take(4))
        await run_ready_tasks()
        for item in (1, 2):
            queue.put_nowait(item)
        await run_ready_tasks()
        assert taken == [1, 2]
        assert queue.empty()
        for item in (3, 4, 5):
            queue.put_nowait(item)
        await asyncio.wait_for(taking, 5)
        assert taken == [1, 2, 3, 4]
        assert not queue.empty()

    awaited(scene())


@QUEUES
def test_whoever_does_not_wait_any_more_takes_nothing(made: Callable[[], asyncio.Queue[int]]) -> None:
    async def scene() -> None:
        queue = made()
        gone, there = asyncio.create_task(queue.get()), asyncio.create_task(queue.get())
        await run_ready_tasks()
        queue.put_nowait(1)
        gone.cancel()
        assert await asyncio.wait_for(there, 5) == 1
        with pytest.raises(asyncio.CancelledError):
            await gone
        # Who gives up waiting is not counted among those who do.
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(queue.get(), 0.01)
        queue.put_nowait(2)
        assert await asyncio.wait_for(queue.get(), 5) == 2

    awaited(scene())


def test_those_who_wait_no_more_do_not_pile_up() -> None:
    async def scene() -> None:
        event = lean.Event()
        for _ in range(50):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(event.wait(), 0.001)
        assert event._waiters is not None
        assert len(event._waiters) == 1

    awaited(scene())
