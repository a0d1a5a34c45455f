"""Queues: lines come in a few at a time, pages are drawn by urgency, requests to the database are batched."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any

import pytest

from facedown.server.process import batching, turn_queues
from facedown.server.process.batching import MAX_BATCH, Batcher, lookup
from facedown.server.process.turn_queues import TABLE_GROUP, Admission, AdmissionQueue, RenderQueue
from facedown.store import Conflict
from tests.clock import pass_time
from tests.server.scenes import scene
from tests.server.serving import Live, Serve, begun, lobby, shared_table
from tests.wait import run_ready_tasks, wait_until


@pytest.fixture(autouse=True)
def nobody_is_hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this machine is, nobody goes on only because their time is up, unless that is looked at."""
    monkeypatch.setattr(turn_queues, "ADMISSION_TIMEOUT", 3600.0)


class Crowd:
    """Lines that want to come in, by name; so many are on their way in at the same time."""

    def __init__(self, at_once: int) -> None:
        self.at = AdmissionQueue(at_once)
        self.inside: list[str] = []
        self.passing: dict[str, Admission] = {}

    async def comes(self, *names: str, address: str = "here", code: str = "") -> list[asyncio.Task[None]]:
        """These come to the table of a code, or to one of their own."""
        tasks = [asyncio.create_task(self._come(name, address, code or name)) for name in names]
        await run_ready_tasks()
        return tasks

    async def _come(self, name: str, address: str, code: str) -> None:
        self.passing[name] = await self.at.admit(address, code)
        self.inside.append(name)

    async def goes_on(self, *names: str) -> None:
        """These are in, and no longer on their way."""
        for name in names:
            self.passing[name].close()
            await run_ready_tasks()


@scene
async def test_so_many_are_on_their_way_in_and_the_others_follow_in_their_order() -> None:
    crowd = Crowd(2)
    await crowd.comes(*"abcde")
    assert crowd.inside == ["a", "b"]
    await crowd.goes_on("b", "b")
    assert crowd.inside == ["a", "b", "c"]
    await crowd.goes_on("a", "c")
    assert crowd.inside == list("abcde")


@scene
async def test_a_crowd_from_one_address_lets_others_go_before_it() -> None:
    crowd = Crowd(1)
    await crowd.comes(*"abcd")
    await crowd.comes("z", address="there")
    await crowd.goes_on(*"abzc")
    assert crowd.inside == ["a", "b", "z", "c", "d"]


@scene
async def test_with_the_first_of_a_table_comes_its_company_but_no_crowd() -> None:
    crowd = Crowd(1)
    company = [f"a{number}" for number in range(1, TABLE_GROUP + 4)]
    for name in ("at the door", "a1", "b1", "a2", "b2", *company[2:]):
        await crowd.comes(name, code=name[0])
    while len(crowd.inside) < len(company) + 3:
        await crowd.goes_on(crowd.inside[-1])
    assert crowd.inside[1:] == [*company[:TABLE_GROUP], "b1", "b2", *company[TABLE_GROUP:]]


@scene
async def test_whoever_goes_away_takes_no_place_with_them() -> None:
    crowd = Crowd(1)
    first, gone, called, last = await crowd.comes(*"abcd")
    gone.cancel()
    await run_ready_tasks()
    crowd.passing["a"].close()
    # Its turn has come, but it is gone before it takes it.
    called.cancel()
    await run_ready_tasks()
    assert crowd.inside == ["a", "d"]
    await crowd.goes_on("d")
    await crowd.comes("e")
    assert not crowd.at._of_address
    assert not crowd.at._of_table
    assert [task.cancelled() for task in (first, gone, called, last)] == [False, True, True, False]


@scene
async def test_whoever_says_nothing_or_waits_for_the_database_does_not_keep_the_others_out() -> None:
    crowd = Crowd(1)
    await crowd.comes("silent", "hangs", "other")
    crowd.passing["silent"].expect_hello()
    await pass_time(turn_queues.HELLO_TIMEOUT)
    assert crowd.inside == ["silent", "hangs"]
    await pass_time(turn_queues.ADMISSION_TIMEOUT)
    assert crowd.inside == ["silent", "hangs", "other"]
    crowd.passing["hangs"].expect_hello()
    await crowd.goes_on("hangs", "other")
    await pass_time(turn_queues.ADMISSION_TIMEOUT)
    assert crowd.at._free == 1


def test_the_lines_of_a_table_pass_through_one_place(served: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = served()
    ada, ben = server.guests(2)
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
        await self.turn(urgent)
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
    turns = [screen.turn(False) for _ in range(3)]
    for name, turn in zip("abc", turns, strict=True):
        turn.add_done_callback(lambda _, name=name: screen.order.append(name))  # type: ignore[misc]
    screen.hurry(turns[2])
    await asyncio.gather(*turns)
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
    # An urgent change does not wait for a rest.
    await batcher.submit("again", urgent=True)
    assert disk.batches == [["first"], ["a", "b"], ["again"]]


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
