"""Questions to the database that come together are asked together."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

import pytest

from facedown.server.table.query_batching import TOGETHER, Asking
from tests.server.serving import awaited
from tests.wait import run_ready_tasks


class Book:
    """Looks up slowly, and keeps note of what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[int]] = []
        self.may_answer = asyncio.Event()
        self.wrong: Exception | None = None
        self.words = {number: f"word {number}" for number in range(1, 1000)}

    async def look_up(self, keys: Sequence[int]) -> Mapping[int, str]:
        """What stands under these keys, as soon as it may be said."""
        self.asked.append(list(keys))
        found = {key: self.words[key] for key in keys if key in self.words}
        await self.may_answer.wait()
        if self.wrong is not None:
            raise self.wrong
        return found


def test_whoever_comes_first_waits_for_nobody_and_those_who_come_meanwhile_are_asked_for_together() -> None:
    async def scene() -> None:
        book = Book()
        asking: Asking[int, str] = Asking(book.look_up)
        first = asyncio.create_task(asking.ask(1))
        await run_ready_tasks()
        others = [asyncio.create_task(asking.ask(key)) for key in (2, 3, 2, 0)]
        await run_ready_tasks()
        assert book.asked == [[1]]
        book.may_answer.set()
        assert await asyncio.gather(first, *others) == ["word 1", "word 2", "word 3", "word 2", None]
        assert book.asked == [[1], [2, 3, 0]]

    awaited(scene())


def test_an_answer_is_not_older_than_its_question() -> None:
    async def scene() -> None:
        book = Book()
        asking: Asking[int, str] = Asking(book.look_up)
        before = asyncio.create_task(asking.ask(1))
        await run_ready_tasks()
        book.words[1] = "another"
        after = asyncio.create_task(asking.ask(1))
        await run_ready_tasks()
        book.may_answer.set()
        assert await asyncio.gather(before, after) == ["word 1", "another"]

    awaited(scene())


def test_of_a_crowd_so_many_are_asked_for_at_once() -> None:
    async def scene() -> None:
        book = Book()
        book.may_answer.set()
        asking: Asking[int, str] = Asking(book.look_up)
        found = await asyncio.gather(*(asking.ask(key) for key in range(1, 2 * TOGETHER + 6)))
        assert found == [book.words[key] for key in range(1, 2 * TOGETHER + 6)]
        assert [len(keys) for keys in book.asked] == [TOGETHER, TOGETHER, 5]

    awaited(scene())


def test_what_goes_wrong_is_told_to_all_who_asked_together_and_to_nobody_else() -> None:
    async def scene() -> None:
        book = Book()
        asking: Asking[int, str] = Asking(book.look_up)
        book.wrong = ConnectionError("the database is gone")
        asked = [asyncio.create_task(asking.ask(key)) for key in (1, 2)]
        await run_ready_tasks()
        book.may_answer.set()
        told = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(one) for one in told] == [ConnectionError, ConnectionError]
        book.wrong = None
        assert await asking.ask(3) == "word 3"

    awaited(scene())


def test_whoever_does_not_wait_any_more_takes_nothing_from_the_others() -> None:
    async def scene() -> None:
        book = Book()
        asking: Asking[int, str] = Asking(book.look_up)
        first = asyncio.create_task(asking.ask(1))
        await run_ready_tasks()
        gone, there = asyncio.create_task(asking.ask(2)), asyncio.create_task(asking.ask(2))
        await run_ready_tasks()
        gone.cancel()
        first.cancel()
        book.may_answer.set()
        assert await there == "word 2"
        with pytest.raises(asyncio.CancelledError):
            await gone

    awaited(scene())
