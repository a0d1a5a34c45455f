"""A bus without a server: what it sends, and that it stops."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from facedown.server.cluster.bus import Bus, Message, parse
from facedown.server.cluster.bus_backends import LONGEST, TOGETHER, WAITS, CarriedBus, bus_of
from tests.clock import pass_time
from tests.server.scenes import scene
from tests.services import Redis
from tests.wait import PATIENCE, run_ready_tasks


class Loud(CarriedBus):
    """A bus whose line is in the test's hand."""

    name = "loud"

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[str] = []
        self.works = True

    async def listen(self, up: Callable[[], None]) -> None:
        """Wait forever; no message comes."""
        up()
        await asyncio.Event().wait()

    async def send(self, text: str) -> None:
        """Send, if the line is up."""
        if not self.works:
            raise OSError("the line is down")
        self.sent.append(text)

    async def hang_up(self) -> None:
        """Nothing is open."""


@scene
async def test_news_that_come_together_go_together_and_none_is_too_long() -> None:
    bus = Loud()
    await bus.start(3)
    for number in range(3000):
        bus.publish(Message(3, {number: 1}))
        bus.publish(Message(3, {number: 2 * number}))
    await run_ready_tasks()
    await pass_time(TOGETHER)
    sent = list(bus.sent)
    await bus.stop()
    assert len(sent) < 20
    assert max(map(len, sent)) < 8000
    assert LONGEST < 8000
    told: dict[int, int] = {}
    for message in map(parse, sent):
        assert message is not None
        assert message.sender == 3
        told |= message.news
    assert told == {number: max(1, 2 * number) for number in range(3000)}


@scene
async def test_news_that_were_not_taken_are_sent_when_the_line_is_back() -> None:
    bus = Loud()
    bus.works = False
    await bus.start(3)
    bus.publish(Message(3, {7: 12}))
    await run_ready_tasks()
    await pass_time(TOGETHER)
    bus.works = True
    assert bus.sent == []
    await pass_time(WAITS[0])
    await pass_time(TOGETHER)
    sent = list(bus.sent)
    await bus.stop()
    assert any('"news":[[7,12]]' in text for text in sent)


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "[]", "{}", '{"from": "1", "news": [], "here": [], "dismissed": [], "leaves": false}',
        '{"from": 1, "news": [[1]], "here": [], "dismissed": [], "leaves": false}',
        '{"from": 1, "news": [[1, -1]], "here": [], "dismissed": [], "leaves": false}',
        '{"from": 1, "news": [[1, true]], "here": [], "dismissed": [], "leaves": false}',
        '{"from": 1, "news": [], "here": [[1, 2, 3]], "dismissed": [], "leaves": false}', "[" * 10_000, "\ud800",
    ],
)  # fmt: skip
def test_what_is_no_message_is_passed_over(text: str) -> None:
    assert parse(text) is None


def test_a_message_comes_back_as_it_was() -> None:
    whole = {"from": 4, "news": [[7, 12], [8, 1]], "here": [[7, [0, 2], [41]]], "dismissed": [5], "leaves": True}
    message = parse(json.dumps(whole))
    assert message is not None
    assert json.loads(message.text()) == whole
    assert not Bus().far


@pytest.mark.postgres
@pytest.mark.redis
@pytest.mark.parametrize("name", ["postgresql", "redis"])
def test_a_bus_stops_whenever_it_is_asked_to(name: str, postgres_url: str, redis_server: Redis) -> None:
    async def scene() -> None:
        for turns in range(120):
            bus = bus_of(redis_server.url if name == "redis" else "", postgres_url)
            assert bus.name == name
            await bus.start(1)
            bus.publish(Message(1, {7: 12}))
            await run_ready_tasks(5 * turns)
            async with asyncio.timeout(PATIENCE):
                await bus.stop()

    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, scene()).result()
