"""Whose page is drawn first, and that what comes in is heard between two of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from facedown.server.process.turn_queues import RenderQueue
from tests.server.serving import awaited
from tests.wait import run_ready_tasks


def drawn_in_order(scene: Callable[[RenderQueue, list[str]], Coroutine[Any, Any, None]], patience: float) -> list[str]:
    """The order in which a scene's pages are drawn."""

    async def play() -> list[str]:
        order: list[str] = []
        await scene(RenderQueue(patience), order)
        return order

    return awaited(play())


async def page(queue: RenderQueue, order: list[str], name: str, urgent: bool) -> None:
    """A page that waits for its turn."""
    await queue.turn(urgent)
    order.append(name)


def test_whoever_is_to_act_is_first() -> None:
    async def scene(queue: RenderQueue, order: list[str]) -> None:
        names = ("looks on", "waits", "is to act", "is to act, too")
        await asyncio.gather(*(page(queue, order, name, name.startswith("is to")) for name in names))

    assert drawn_in_order(scene, 60.0) == ["is to act", "is to act, too", "looks on", "waits"]


def test_nobody_waits_longer_than_their_patience() -> None:
    """Those who are to act come faster than they can be drawn: one of them always waits."""

    async def scene(queue: RenderQueue, order: list[str]) -> None:
        seen = asyncio.Event()
        # Of the time of a busy machine all may go by between two pages: here each takes a millisecond.
        asyncio.get_running_loop().time = lambda: len(order) / 1000  # type: ignore[method-assign]

        async def acts() -> None:
            while not seen.is_set():
                await page(queue, order, "is to act", True)

        crowd = [asyncio.ensure_future(acts()) for _ in range(4)]
        await run_ready_tasks(1)
        await page(queue, order, "looks on", False)
        seen.set()
        await asyncio.gather(*crowd)

    order = drawn_in_order(scene, 0.02)
    assert order.index("looks on") > 4
    assert order.count("looks on") == 1


def test_a_page_that_waits_can_become_urgent() -> None:
    async def scene(queue: RenderQueue, order: list[str]) -> None:
        async def waits(name: str, turn: asyncio.Future[None]) -> None:
            await turn
            order.append(name)

        turns = [queue.turn(False) for _ in range(3)]
        waiting = [asyncio.ensure_future(waits(name, turn)) for name, turn in zip("abc", turns, strict=True)]
        queue.hurry(turns[2])
        await asyncio.gather(*waiting)
        queue.hurry(turns[2])
        await page(queue, order, "after", True)

    assert drawn_in_order(scene, 60.0) == ["c", "a", "b", "after"]


def test_what_comes_in_is_heard_between_two_pages() -> None:
    async def scene(queue: RenderQueue, order: list[str]) -> None:
        def hear(left: int) -> None:
            order.append("heard")
            if left:
                asyncio.get_running_loop().call_soon(hear, left - 1)

        pages = [asyncio.ensure_future(page(queue, order, "drawn", True)) for _ in range(4)]
        asyncio.get_running_loop().call_soon(hear, 12)
        await asyncio.gather(*pages)

    order = drawn_in_order(scene, 60.0)
    assert "drawn drawn" not in " ".join(order)
    assert order.count("drawn") == 4


def test_a_page_that_is_closed_keeps_nobody_waiting() -> None:
    async def scene(queue: RenderQueue, order: list[str]) -> None:
        gone = asyncio.ensure_future(page(queue, order, "gone", True))
        here = asyncio.ensure_future(page(queue, order, "here", True))
        await run_ready_tasks(1)
        gone.cancel()
        await here

    assert drawn_in_order(scene, 60.0) == ["here"]
