"""Queue of pages to render: their order, and reading messages in between."""

from __future__ import annotations

import asyncio

from facedown.server.process.render_queue import RenderQueue
from tests.server.live_tables import with_manual_clock
from tests.waiting import run_ready_tasks


class RecordingQueue(RenderQueue):
    """A queue of pages that records the order of rendering."""

    def __init__(self, patience: float = 60.0) -> None:
        super().__init__(patience)
        self.order: list[str] = []

    async def draw(self, name: str, urgent: bool) -> None:
        await self.enqueue(urgent)
        self.order.append(name)


@with_manual_clock
async def test_render_queue_serves_acting_players_first_and_skips_closed_pages() -> None:
    screen = RecordingQueue()
    names = ("looks on", "waits", "is to act", "is to act, too")
    gone, *pages = (asyncio.ensure_future(screen.draw(name, name.startswith("is to"))) for name in ("is to go", *names))
    await run_ready_tasks(1)
    gone.cancel()
    await asyncio.gather(*pages)
    assert screen.order == ["is to act", "is to act, too", "looks on", "waits"]


@with_manual_clock
async def test_render_queue_limits_the_wait_of_spectators() -> None:
    """Acting players request pages faster than they can be rendered, so one of them always waits."""
    screen, seen = RecordingQueue(0.02), asyncio.Event()
    # A fake time: on a busy machine the whole patience could pass between two pages. Here a page takes 1 ms.
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


@with_manual_clock
async def test_waiting_render_request_that_becomes_urgent_is_served_first() -> None:
    screen = RecordingQueue()
    turns = [screen.enqueue(False) for _ in range(3)]
    for name, turn in zip("abc", turns, strict=True):
        turn.add_done_callback(lambda _, name=name: screen.order.append(name))  # type: ignore[misc]
    screen.make_due(turns[2])
    await asyncio.gather(*turns)
    screen.make_due(turns[2])
    await screen.draw("after", True)
    assert screen.order == ["c", "a", "b", "after"]


@with_manual_clock
async def test_render_queue_yields_to_incoming_messages_between_pages() -> None:
    screen = RecordingQueue()

    def hear(left: int) -> None:
        screen.order.append("heard")
        if left:
            asyncio.get_running_loop().call_soon(hear, left - 1)

    pages = [asyncio.ensure_future(screen.draw("drawn", True)) for _ in range(4)]
    asyncio.get_running_loop().call_soon(hear, 12)
    await asyncio.gather(*pages)
    assert "drawn drawn" not in " ".join(screen.order)
    assert screen.order.count("drawn") == 4
