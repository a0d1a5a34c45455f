"""Changes that wait for the disk: together, in order, and each with an answer of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, cast

import pytest

from facedown.play import Change
from facedown.server.table import write_queue
from facedown.server.table.write_queue import TOGETHER, WriteQueue
from facedown.store import Conflict
from tests.clock import pass_time
from tests.server.serving import awaited
from tests.wait import run_ready_tasks


class Disk:
    """A disk that is slow, and can be full."""

    def __init__(self) -> None:
        self.written: list[list[str]] = []
        self.may = asyncio.Event()
        self.full = False

    async def write_all(self, changes: Sequence[Change]) -> list[Conflict | None]:
        await self.may.wait()
        if self.full:
            raise OSError("the disk is full")
        words = cast("list[str]", list(changes))
        self.written.append(words)
        return [Conflict(word) if word == "late" else None for word in words]


def change(word: str) -> Any:
    """A change, as far as a queue is concerned."""
    return word


def test_what_comes_while_others_are_written_goes_together() -> None:
    async def scene() -> None:
        disk = Disk()
        queue = WriteQueue(disk.write_all)
        waiting = [asyncio.ensure_future(queue.write(change("first")))]
        await run_ready_tasks()
        waiting += [asyncio.ensure_future(queue.write(change(word))) for word in ("a", "late", "b")]
        await run_ready_tasks()
        assert not any(one.done() for one in waiting), "nothing counts before it is on disk"
        disk.may.set()
        found = await asyncio.gather(*waiting, return_exceptions=True)
        assert disk.written == [["first"], ["a", "late", "b"]]
        assert [type(one) for one in found] == [type(None), type(None), Conflict, type(None)]
        await queue.write(change("after"))
        assert disk.written[2:] == [["after"]]

    awaited(scene())


def test_what_comes_while_the_writer_rests_goes_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_queue, "REST", 10_000)
    monkeypatch.setattr(write_queue, "LONGEST_REST", 3600.0)

    async def scene() -> None:
        disk = Disk()
        queue = WriteQueue(disk.write_all)
        first = asyncio.ensure_future(queue.write(change("first")))
        await run_ready_tasks()
        await pass_time(1)
        disk.may.set()
        await first
        rested = asyncio.ensure_future(queue.write(change("a")))
        await pass_time(3000)
        assert not rested.done()
        with_it = asyncio.ensure_future(queue.write(change("b")))
        await pass_time(600)
        assert rested.done()
        assert with_it.done()
        assert disk.written == [["first"], ["a", "b"]]

    awaited(scene())


def test_who_lost_against_another_process_does_not_wait_for_a_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_queue, "REST", 10_000_000)
    monkeypatch.setattr(write_queue, "LONGEST_REST", 3600.0)

    async def scene() -> None:
        disk = Disk()
        disk.may.set()
        queue = WriteQueue(disk.write_all)
        with pytest.raises(Conflict):
            await queue.write(change("late"))
        await queue.write(change("again"), at_once=True)
        assert disk.written == [["late"], ["again"]]

    awaited(scene())


def test_a_disk_that_is_full_is_told_to_all_and_tried_again() -> None:
    async def scene() -> None:
        disk = Disk()
        disk.full = True
        disk.may.set()
        queue = WriteQueue(disk.write_all)
        found = await asyncio.gather(*(queue.write(change(word)) for word in "ab"), return_exceptions=True)
        assert [str(one) for one in found] == ["the disk is full"] * 2
        disk.full = False
        await queue.write(change("c"))
        assert disk.written == [["c"]]

    awaited(scene())


def test_whoever_is_gone_keeps_nobody_from_the_disk() -> None:
    async def scene() -> None:
        disk = Disk()
        queue = WriteQueue(disk.write_all)
        gone, here = (asyncio.ensure_future(queue.write(change(word))) for word in ("gone", "here"))
        await run_ready_tasks()
        gone.cancel()
        disk.may.set()
        await here
        assert disk.written == [["gone", "here"]]
        with pytest.raises(asyncio.CancelledError):
            await gone

    awaited(scene())


def test_no_transaction_is_too_long() -> None:
    async def scene() -> None:
        disk = Disk()
        disk.may.set()
        queue = WriteQueue(disk.write_all)
        await asyncio.gather(*(queue.write(change(str(number))) for number in range(2 * TOGETHER + 1)))
        assert [len(batch) for batch in disk.written] == [TOGETHER, TOGETHER, 1]

    awaited(scene())
