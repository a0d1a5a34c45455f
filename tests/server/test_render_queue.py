"""The queue of pages to be rendered: who comes first, and what is read in between."""

from __future__ import annotations

import asyncio

from facedown.server.process.render_queue import RenderQueue
from tests.server.live_tables import scene
from tests.waiting import run_ready_tasks


class Screen(RenderQueue):
    """A queue of pages that notes in which order they are drawn."""

    def __init__(self, patience: float = 60.0) -> None:
        super().__init__(patience)
        self.order: list[str] = []

    async def draw(self, name: str, urgent: bool) -> None:
        await self.enqueue(urgent)
        self.order.append(name)


@scene
async def test_whoever_is_to_act_is_first_and_a_page_that_is_closed_keeps_nobody_waiting() -> None:
    screen = Screen()
    names = ("looks on", "waits", "is to act", "is to act, too")
    gone, *pages = (asyncio.ensure_future(screen.draw(name, name.startswith("is to"))) for name in ("is to go", *names))
    await run_ready_tasks(1)
    gone.cancel()
    await asyncio.gather(*pages)
    assert screen.order == ["is to act", "is to act, too", "looks on", "waits"]


@scene
async def test_nobody_waits_longer_than_their_patience() -> None:
    """Those who are to act come faster than they can be drawn: one of them always waits."""
    screen, seen = Screen(0.02), asyncio.Event()
    # Of the time of a busy machine all may go by between two pages: here each takes a millisecond.
    asyncio.get_running_loop().time = lambda: len(screen.order) / 1000  # type: ignore[method-assign]

    async def acts() -> None:
        while not seen.is_set():
            await screen.draw("is to act", True)

    crowd = [asyncio.ensure_future(acts()) for _ in range(4)]
    await run_ready_tasks(1)
    await screen.draw("looks on", False)
    seen.set()
    await asyncio.gather(*crowd)
    assert screen.order.index("looks on") > 4
    assert screen.order.count("looks on") == 1


@scene
async def test_a_page_that_waits_can_become_urgent() -> None:
    screen = Screen()
    turns = [screen.enqueue(False) for _ in range(3)]
    for name, turn in zip("abc", turns, strict=True):
        turn.add_done_callback(lambda _, name=name: screen.order.append(name))  # type: ignore[misc]
    screen.make_due(turns[2])
    await asyncio.gather(*turns)
    screen.make_due(turns[2])
    await screen.draw("after", True)
    assert screen.order == ["c", "a", "b", "after"]


@scene
async def test_what_comes_in_is_heard_between_two_pages() -> None:
    screen = Screen()

    def hear(left: int) -> None:
        screen.order.append("heard")
        if left:
            asyncio.get_running_loop().call_soon(hear, left - 1)

    pages = [asyncio.ensure_future(screen.draw("drawn", True)) for _ in range(4)]
    asyncio.get_running_loop().call_soon(hear, 12)
    await asyncio.gather(*pages)
    assert "drawn drawn" not in " ".join(screen.order)
    assert screen.order.count("drawn") == 4
