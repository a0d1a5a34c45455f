"""Live lines in a crowd: one person's many do not slow the others, and what many are shown is made once."""

from __future__ import annotations

import contextlib
import json
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from facedown.play import Refusal
from facedown.server import look
from facedown.server.connection.connection_counts import HOUSEHOLD, Crowd
from facedown.server.process.settings import ServerSettings
from tests.clock import ManualClock
from tests.server.serving import (
    WIDE,
    Calls,
    Live,
    Serve,
    Server,
    lobby,
    module_server,
    open_table,
    refusals,
    shared_table,
)

#: As a server is set that nobody has set.
USUAL = {name: ServerSettings.model_fields[name].default for name in WIDE}
#: A server with the limits that it has by itself, but for new tables.
usual = module_server(**USUAL | {"new_things_a_minute": 1e6})


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """How often pages are drawn."""
    found = Calls()
    found.of(monkeypatch, look, "TablePage")
    return found


@pytest.mark.slow
def test_a_hundred_lines_with_one_cookie_cost_less_than_ten(
    usual: Server, calls: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is refused is refused before anybody is looked up or anything is drawn; somebody else plays on meanwhile."""
    with ExitStack() as stack:
        eve, ben = stack.enter_context(usual.client()), stack.enter_context(usual.client())
        hers, his = open_table(eve, "low", name="Eve"), open_table(ben, "low", name="Ben")
        live = stack.enter_context(Live(usual, ben, his))
        message = live.until_yours(live.hello())
        calls.clear()
        calls.of(monkeypatch, usual.rooms.repository, "person")
        flood = [stack.enter_context(Live(usual, eve, hers)) for _ in range(100)]
        most = usual.app.state.settings.sockets_of_person_at_table
        for refused in flood[most:]:
            error = json.loads(refused.socket.recv())
            assert (error["type"], error["code"]) == ("error", "too-fast")
            assert refused.until_closed() == 1013
        for taken in flood[:most]:
            for _ in range(4):
                taken.send(type="hello", version=0, sections=True)
        for taken in flood[:most]:
            taken.get("table")
        # Each is looked up at the door, and once more when it begins to listen: its key may have been changed since.
        assert calls["person"] <= 2 * most
        # Eight times four whole pages were asked for at once: the table has not changed, so one drawing shows it.
        assert calls["TablePage"] <= 4
        assert calls["encoded"] <= 8
        live.until_yours(live.play(message))
    with usual.client() as eve_again:
        eve_again.cookies = eve.cookies
        with Live(usual, eve_again, hers) as again:
            assert again.hello()["type"] == "table"


def test_whole_pages_that_are_asked_for_too_often_come_later(served: Serve) -> None:
    before, small = refusals("hellos"), served(hellos_at_once=2, hellos_a_minute=120.0)
    (ada,) = small.guests(1)
    # Half a second after the first the third would come at once: until it is answered that it waits, none passes.
    with small.clock.stopped(), lobby(small, open_table(ada, "open"), ada, ada) as (_, other):
        # Both lines share what the person may ask for; the third comes, but not at once.
        other.send(type="hello", version=0)
        other.send(type="ping")
        assert json.loads(other.socket.recv())["type"] == "pong"
        small.advance(0.5)
        other.get("lobby")
    assert refusals("hellos") > before


def test_messages_count_over_all_lines_of_a_person(served: Serve) -> None:
    small = served(messages_at_once=6, messages_a_second=0.001)
    ada, ben = small.guests(2)
    url = shared_table(ada, ben)
    with Live(small, ada, url) as one, Live(small, ada, url) as other, Live(small, ben, url) as his:
        for live in (one, other) * 3:
            live.settle()
        for live in (one, other):
            assert live.refusal(type="ping")["code"] == "too-fast"
        his.settle()
        # It may be cut off before all of them are sent.
        with contextlib.suppress(ConnectionClosed):
            for _ in range(100):
                one.send(type="ping")
        one.until_closed()


def test_a_table_has_only_so_many_who_watch(served: Serve) -> None:
    small = served(watchers_of_table=2)
    ada, *clients = small.guests(4)
    url = open_table(ada, "low")
    for client in clients:
        client.post(f"{url}/watch")
    with ExitStack() as stack:
        first, second, third, hers = (stack.enter_context(Live(small, one, url)) for one in (*clients, ada))
        for live in (first, second):
            live.hello()
        assert "Too many people are watching" in third.get("error")["reason"]
        third.until_closed()
        # Who plays there is not concerned.
        hers.hello()


def crowd_of(**settings: Any) -> Crowd:
    """A crowd that may have so much. Its time stands still: after some seconds an address could open more lines."""
    return Crowd(ServerSettings(database="sqlite://", **settings), ManualClock(1000.0))


def test_what_a_crowd_may_have() -> None:
    crowd = crowd_of(sockets_of_address=6, sockets_of_person=3, sockets_of_person_at_table=2, sockets_a_minute=100)
    line, cookie = crowd.line, "a" * 32
    lines = [line("192.0.2.1", cookie, code) for code in ("AAAA", "AAAA")]
    with pytest.raises(Refusal, match="this table open"):
        line("192.0.2.1", cookie, "AAAA")
    lines.append(line("192.0.2.1", cookie, "BBBB"))
    with pytest.raises(Refusal, match="too many tables open"):
        line("192.0.2.2", cookie, "CCCC")
    lines += [line("192.0.2.1", str(number) * 32, "AAAA") for number in range(3)]
    with pytest.raises(Refusal, match="from your address"):
        line("192.0.2.1", "b" * 32, "AAAA")
    lines.append(line("198.51.100.1", "b" * 32, "AAAA"))
    for each in (*lines, lines[0]):
        each.close()
    # Nothing is left of them, nor of those that were refused.
    assert [len(one) for one in (crowd.of_address, crowd.of_person, crowd.of_person_at_table)] == [0, 0, 0]


def test_lines_are_opened_only_so_often() -> None:
    line = crowd_of(sockets_a_minute=3).line
    for _ in range(3):
        line("192.0.2.1", "a" * 32, "AAAA").close()
    with pytest.raises(Refusal, match="too often"):
        line("192.0.2.1", "a" * 32, "AAAA")
    # With a new cookie each time, the address is what counts.
    opened = 0
    for number in range(100):
        with contextlib.suppress(Refusal):
            line("192.0.2.1", f"{number:032}", "AAAA").close()
            opened += 1
    assert opened == HOUSEHOLD * 3 - 4
