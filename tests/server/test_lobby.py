"""A lobby with a host over pages, lines and forms: who is away, who is removed, who sits where."""

from __future__ import annotations

import json

import pytest
from httpx import Client

from facedown.play.presence import AWAY, FREE
from tests.server.programs import joined
from tests.server.serving import Live, Server, code_of, lobby, missing, open_table, shared_table, sit
from tests.server.test_scorekeeper import Form
from tests.wait import wait_until


@pytest.fixture
def shared(ada: Client, ben: Client) -> str:
    """The address of a table of Ada and Ben, with a third seat."""
    return shared_table(ada, ben, "open")


def names(server: Server, url: str) -> list[str]:
    """Who sits where; a dash for an open seat."""
    return [seat.name or "-" for seat in server.session(url).record.seats]


def test_whoever_is_removed_reads_so_and_does_not_get_back_by_the_link(
    server: Server, ada: Client, ben: Client, shared: str
) -> None:
    with lobby(server, shared, ada, ben) as (hers, his):
        hers.send(type="remove", seat=1)
        assert his.get("go")["url"] == shared
        hers.until_said("Ben left the table.")
    page = ben.get(shared)
    assert missing(page.text, "The host has given the seat to somebody else.", 'href="/"') == []
    assert "/preview.png" not in page.text
    again = (ben.post(f"{shared}/sit", data={"name": "Somebody"}), ben.post(f"{shared}/watch"))
    for refused in (page, *again, ben.get(f"{shared}/preview.png")):
        assert refused.status_code == 403
    assert names(server, shared) == ["Ada", "-", "-"]
    # Whoever comes with the same link for the first time is let in.
    with server.client() as cleo:
        sit(cleo, shared, "Cleo")
    assert ask(ada, shared, type="admit", name="Ben") == 303
    sit(ben, shared)
    assert names(server, shared) == ["Ada", "Cleo", "Ben"]


@pytest.mark.parametrize("wishes", [False, True])
def test_a_guest_without_a_line_is_shown_as_away_and_may_lose_the_seat(
    server: Server, ada: Client, ben: Client, wishes: bool
) -> None:
    url = shared_table(ada, ben, **({"free-away": "on"} if wishes else {}))
    presence = server.session(url).presence
    with lobby(server, url, ada) as (hers,), server.clock.stopped():
        with lobby(server, url, ben):
            server.advance(AWAY + 1)
            assert ">away<" not in hers.hello(kind="lobby")["html"]
        wait_until(lambda: not presence.connected(1))
        server.advance(AWAY - 1)
        assert ">away<" not in hers.hello(kind="lobby")["html"]
        server.advance(2)
        html = hers.until_shown(">away<")
        assert missing(html, "Ben is away.", "Everybody is here") == ["Everybody is here"]
        server.advance(FREE - AWAY - 10)
        assert "Open the seat" not in hers.hello(kind="lobby")["html"]
        server.advance(10)
        if wishes:
            hers.until_said("The seat of Ben is open.")
        else:
            hers.until_shown("Open the seat")
            hers.send(type="open", seat=1)
        wait_until(lambda: names(server, url) == ["Ada", "-"])
    sit(ben, url)


def test_a_seat_is_opened_while_nobody_has_the_page_open_but_not_of_who_comes_back_in_time(
    server: Server, ada: Client, ben: Client
) -> None:
    url = shared_table(ada, ben, **{"free-away": "on"})
    room = server.room(url)
    with server.clock.stopped():
        with lobby(server, url, ada) as (hers,):
            server.advance(FREE - 10)
            with lobby(server, url, ben):
                hers.until(lambda message: ">away<" not in message["html"], "lobby")
                server.advance(FREE)
        wait_until(lambda: not room.watchers)
        server.advance(FREE - 1)
        assert names(server, url) == ["Ada", "Ben"]
        server.advance(2)
        wait_until(lambda: names(server, url) == ["Ada", "-"])


def ask(client: Client, url: str, **message: object) -> int:
    """Send what a page would send over its line by a form."""
    return client.post(f"{url}/request", data={"request": json.dumps(message)}).status_code


def test_the_host_does_all_of_it_without_scripts(server: Server, ada: Client, ben: Client, shared: str) -> None:
    assert ask(ada, shared, type="bot", seat=2, level="low") == 303
    assert ask(ada, shared, type="add") == 303
    assert ask(ada, shared, type="swap", seat=1, other=3) == 303
    assert names(server, shared) == ["Ada", "-", "Juniper", "Ben"]
    assert ask(ada, shared, type="close", seat=1) == 303
    assert names(server, shared) == ["Ada", "Juniper", "Ben"]
    assert [ask(client, shared, type="remove", seat=0) for client in (ada, ben)] == [403, 403]
    assert ask(ada, shared, type="move", action=1, version=0) == ask(ada, shared, type="hello", version=0) == 422
    assert ada.post(f"{shared}/request").status_code == 422
    assert [ask(client, shared, type="ready", ready=True) for client in (ben, ada)] == [303, 303]
    assert ask(ada, shared, type="remove", seat=2) == 409


def test_house_rules_may_be_changed_until_the_deal(server: Server, ada: Client, ben: Client) -> None:
    rules = {"clock": "300+10", "memory": "on", "hints": "on", "option-mode": "intermediate"}
    url = shared_table(ada, ben, game="uncovered", **rules)
    ask(ben, url, type="ready", ready=True)
    room = server.room(url)
    before = room.session.record
    # The form stands at what is chosen: sent as it comes, it changes nothing.
    form = Form(ada.get(f"{url}/rules").text).checked

    def sent(client: Client, **changes: str) -> int:
        return client.post(f"{url}/rules", data=form | changes).status_code

    assert sent(ada) == 303
    assert room.session.record == before
    assert [sent(ada, clock="1"), sent(ada, **{"option-mode": "hardest"})] == [422, 422]
    assert [ben.get(f"{url}/rules").status_code, sent(ben)] == [403, 403]
    assert sent(ada, clock="60", **{"free-away": "on"}) == 303
    after = room.session.record
    assert (after.settings.clock, after.settings.increment, after.settings.free_away) == (60, 0, True)
    assert after.options == before.options
    assert not after.seats[1].ready
    assert missing(ben.get(url).text, "a minute a turn", "the seat is open after three minutes") == []


def test_talk_is_there_where_somebody_hears_it(server: Server, ada: Client, ben: Client) -> None:
    waiting, table = open_table(ada, "low", "open"), open_table(ada, "low", **{"watchers-talk": "on"})
    talk = ('id="say-text"', 'id="phrases"', 'data-page="said"')
    for url in (waiting, table):
        assert missing(ada.get(url).text, *talk) == [*talk]
    sit(ben, waiting)
    assert 'id="say-text"' in ada.get(waiting).text
    ben.post(f"{table}/watch")
    with Live(server, ada, table) as hers, Live(server, ben, table) as his:
        message = hers.hello()
        while 'id="say-text"' not in message["html"]:
            message = hers.get("table")
        assert 'data-page="said"' in message["html"]
        his.hello()
        his.send(type="chat", text="Hello")
        hers.get("chat")
    assert 'id="chat-lines"' in ada.get(table).text, "what was said stays"


def test_a_program_is_told_that_it_was_removed(server: Server, ada: Client, ben: Client) -> None:
    url = open_table(ada, "open")
    program = joined(ben, code_of(url), "Program", ready=False)
    assert ask(ada, url, type="remove", seat=1) == 303
    assert program.ask("GET", "view").status_code == 401
