"""Lines come in a few at a time, in their order, and pages are drawn by urgency; nobody holds up others for long."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from facedown.server.process import turn_queues
from facedown.server.process.turn_queues import TABLE_GROUP, Admission, AdmissionQueue, RenderQueue
from tests.clock import pass_time
from tests.server.scenes import scene
from tests.server.serving import Live, begun, lobby, serving, shared_table
from tests.wait import run_ready_tasks, wait_until


@pytest.fixture(autouse=True)
def nobody_is_hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this machine is, nobody goes on only because their time is up, unless that is looked at."""
    monkeypatch.setattr(turn_queues, "ADMISSION_TIMEOUT", 3600.0)


class Crowd:
    """Lines that want to come in, by name."""

    def __init__(self, at: AdmissionQueue) -> None:
        self.at = at
        self.inside: list[str] = []
        self.passing: dict[str, Admission] = {}

    def comes(self, name: str, address: str = "here", code: str = "") -> asyncio.Task[None]:
        """Somebody comes to the table of a code, or to one of their own."""
        return asyncio.create_task(self._come(name, address, code or name))

    async def _come(self, name: str, address: str, code: str) -> None:
        self.passing[name] = await self.at.admit(address, code)
        self.inside.append(name)


@scene
async def test_so_many_are_on_their_way_in_and_the_others_follow_in_their_order() -> None:
    crowd = Crowd(AdmissionQueue(2))
    coming = [crowd.comes(name) for name in "abcde"]
    await run_ready_tasks()
    assert crowd.inside == ["a", "b"]
    crowd.passing["b"].close()
    crowd.passing["b"].close()
    await run_ready_tasks()
    assert crowd.inside == ["a", "b", "c"]
    for name in ("a", "c"):
        crowd.passing[name].close()
    await asyncio.gather(*coming)
    assert crowd.inside == list("abcde")


@scene
async def test_a_crowd_from_one_address_lets_others_go_before_it() -> None:
    crowd = Crowd(AdmissionQueue(1))
    coming = [crowd.comes(name) for name in "abcd"]
    coming.append(crowd.comes("z", "there"))
    await run_ready_tasks()
    for name in "abz":
        crowd.passing[name].close()
        await run_ready_tasks()
    assert crowd.inside == ["a", "b", "z", "c"]
    crowd.passing["c"].close()
    await asyncio.gather(*coming)


@scene
async def test_with_the_first_of_a_table_comes_its_company_but_no_crowd() -> None:
    crowd = Crowd(AdmissionQueue(1))
    names = ["at the door", "a1", "b1", "a2", "b2", *(f"a{number}" for number in range(3, TABLE_GROUP + 4))]
    coming = [crowd.comes(name, code=name[0]) for name in names]
    await run_ready_tasks()
    for _ in range(len(names) - 1):
        crowd.passing[crowd.inside[-1]].close()
        await run_ready_tasks()
    first = [f"a{number}" for number in range(1, TABLE_GROUP + 1)]
    assert crowd.inside[1:] == [
        *first,
        "b1",
        "b2",
        *(f"a{number}" for number in range(TABLE_GROUP + 1, TABLE_GROUP + 4)),
    ]
    await asyncio.gather(*coming)


@scene
async def test_whoever_goes_away_takes_no_place_with_them() -> None:
    crowd = Crowd(AdmissionQueue(1))
    first, gone, called, last = (crowd.comes(name) for name in "abcd")
    await run_ready_tasks()
    gone.cancel()
    await run_ready_tasks()
    crowd.passing["a"].close()
    # Its turn has come, but it is gone before it takes it.
    called.cancel()
    await run_ready_tasks()
    assert crowd.inside == ["a", "d"]
    crowd.passing["d"].close()
    crowd.passing["e"] = await crowd.at.admit("here", "e")
    assert not crowd.at._of_address
    assert not crowd.at._of_table
    assert [task.cancelled() for task in (first, gone, called, last)] == [False, True, True, False]


@scene
async def test_whoever_says_nothing_is_not_waited_for() -> None:
    crowd = Crowd(AdmissionQueue(1))
    silent, other = crowd.comes("silent"), crowd.comes("other")
    await run_ready_tasks()
    crowd.passing["silent"].expect_hello()
    await pass_time(turn_queues.HELLO_TIMEOUT)
    assert crowd.inside == ["silent", "other"]
    await asyncio.gather(silent, other)


@scene
async def test_whoever_waits_for_the_database_does_not_keep_the_others_out() -> None:
    crowd = Crowd(AdmissionQueue(1))
    both = crowd.comes("hangs"), crowd.comes("other")
    await run_ready_tasks()
    assert crowd.inside == ["hangs"]
    await pass_time(turn_queues.ADMISSION_TIMEOUT)
    assert crowd.inside == ["hangs", "other"]
    await asyncio.gather(*both)
    crowd.passing["hangs"].expect_hello()
    crowd.passing["hangs"].close()
    crowd.passing["other"].close()
    await pass_time(turn_queues.ADMISSION_TIMEOUT)
    assert crowd.at._free == 1


def test_the_lines_of_a_table_pass_through_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as server, server.client() as ada, server.client() as ben:
        server.rooms.admissions = AdmissionQueue(1)
        url = shared_table(ada, ben)
        with lobby(server, url, ada, ben) as lines:
            begun(*lines)
        # Each has left the doorway, by its first page or by leaving.
        monkeypatch.setattr(turn_queues, "HELLO_TIMEOUT", 3600.0)
        with Live(server, ada, url) as again:
            again.hello()
            # The page is here before the line that has sent it goes on.
            wait_until(lambda: server.rooms.admissions._free == 1)
        wait_until(lambda: len(server.app.state.crowd.of_person) == 0)
        assert server.rooms.admissions._free == 1


# --- whose page is drawn first ----------------------------------------------------------------------------------------


class Screen(RenderQueue):
    """A queue of pages that notes in which order they are drawn."""

    def __init__(self, patience: float = 60.0) -> None:
        super().__init__(patience)
        self.order: list[str] = []

    async def draw(self, name: str, urgent: bool) -> None:
        """Draw a page when it is its turn."""
        await self.turn(urgent)
        self.order.append(name)


@scene
async def test_whoever_is_to_act_is_first() -> None:
    screen = Screen()
    names = ("looks on", "waits", "is to act", "is to act, too")
    await asyncio.gather(*(screen.draw(name, name.startswith("is to")) for name in names))
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

    async def waits(name: str, turn: asyncio.Future[None]) -> None:
        await turn
        screen.order.append(name)

    turns = [screen.turn(False) for _ in range(3)]
    waiting = [asyncio.ensure_future(waits(name, turn)) for name, turn in zip("abc", turns, strict=True)]
    screen.hurry(turns[2])
    await asyncio.gather(*waiting)
    screen.hurry(turns[2])
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


@scene
async def test_a_page_that_is_closed_keeps_nobody_waiting() -> None:
    screen = Screen()
    gone, here = (asyncio.ensure_future(screen.draw(name, True)) for name in ("gone", "here"))
    await run_ready_tasks(1)
    gone.cancel()
    await here
    assert screen.order == ["here"]
