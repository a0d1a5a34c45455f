"""A lobby with a host over pages, lines and forms: who is away, who is removed, who sits where."""

from __future__ import annotations

import json

import httpx
import pytest

from facedown.play.presence import AWAY, FREE
from tests.server.serving import Live, Server, open_table
from tests.server.test_scorekeeper import Form
from tests.wait import wait_until


def sits(client: httpx.Client, url: str, name: str) -> httpx.Response:
    """Somebody takes a seat."""
    return client.post(f"{url}/sit", data={"name": name})


def names(server: Server, url: str) -> list[str]:
    """Who sits where; a dash for an open seat."""
    room = server.within(server.rooms.room(url.rsplit("/", 1)[1]))
    return [seat.name or "-" for seat in room.session.record.seats]


def test_whoever_is_removed_reads_so_and_does_not_get_back_by_the_link(
    server: Server, ada: httpx.Client, ben: httpx.Client
) -> None:
    url = open_table(ada, "open", "open")
    sits(ben, url, "Ben")
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        hers.hello(kind="lobby")
        his.hello(kind="lobby")
        hers.send(type="remove", seat=1)
        assert his.get("go")["url"] == url
        while "Ben left the table." not in hers.get("lobby")["say"]:
            pass
    page = ben.get(url)
    assert page.status_code == 403
    assert "The host has given the seat to somebody else." in page.text
    assert 'href="/"' in page.text
    for refused in (sits(ben, url, "Somebody"), ben.post(f"{url}/watch")):
        assert refused.status_code == 403
    assert "/preview.png" not in page.text
    assert ben.get(f"{url}/preview.png").status_code == 403
    assert names(server, url) == ["Ada", "-", "-"]
    # Whoever comes with the same link for the first time is let in.
    with server.client() as cleo:
        assert sits(cleo, url, "Cleo").status_code == 303
    ada.post(f"{url}/request", data={"request": json.dumps({"type": "admit", "name": "Ben"})})
    assert sits(ben, url, "Ben").status_code == 303
    assert names(server, url) == ["Ada", "Cleo", "Ben"]


@pytest.mark.parametrize("wishes", [False, True])
def test_a_guest_without_a_line_is_shown_as_away_and_may_lose_the_seat(
    server: Server, ada: httpx.Client, ben: httpx.Client, wishes: bool
) -> None:
    url = open_table(ada, "open", **({"free-away": "on"} if wishes else {}))
    sits(ben, url, "Ben")
    room = server.within(server.rooms.room(url.rsplit("/", 1)[1]))
    with Live(server, ada, url) as hers, server.clock.stopped():
        with Live(server, ben, url) as his:
            his.hello(kind="lobby")
            hers.hello(kind="lobby")
            server.advance(AWAY + 1)
            assert ">away<" not in hers.hello(kind="lobby")["html"]
        wait_until(lambda: not room.session.presence.connected(1))
        server.advance(AWAY - 1)
        assert ">away<" not in hers.hello(kind="lobby")["html"]
        server.advance(2)
        while ">away<" not in (html := hers.get("lobby")["html"]):
            pass
        assert "Ben is away." in html
        assert "Everybody is here" not in html
        server.advance(FREE - AWAY - 10)
        assert "Open the seat" not in hers.hello(kind="lobby")["html"]
        server.advance(10)
        if wishes:
            while "The seat of Ben is open." not in hers.get("lobby")["say"]:
                pass
            assert names(server, url) == ["Ada", "-"]
        else:
            while "Open the seat" not in hers.get("lobby")["html"]:
                pass
            hers.send(type="open", seat=1)
            while names(server, url) != ["Ada", "-"]:
                hers.get("lobby")
    assert sits(ben, url, "Ben").status_code == 303


def test_a_seat_is_opened_while_nobody_has_the_page_open(server: Server, ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(ada, "open", **{"free-away": "on"})
    sits(ben, url, "Ben")
    room = server.within(server.rooms.room(url.rsplit("/", 1)[1]))
    with server.clock.stopped():
        with Live(server, ben, url) as his:
            his.hello(kind="lobby")
        wait_until(lambda: not room.watchers)
        server.advance(FREE - 1)
        assert names(server, url) == ["Ada", "Ben"]
        server.advance(2)
        wait_until(lambda: names(server, url) == ["Ada", "-"])


def test_who_comes_back_in_time_keeps_the_seat(server: Server, ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(ada, "open", **{"free-away": "on"})
    sits(ben, url, "Ben")
    with Live(server, ada, url) as hers, server.clock.stopped():
        hers.hello(kind="lobby")
        server.advance(FREE - 10)
        with Live(server, ben, url) as his:
            his.hello(kind="lobby")
            while ">away<" in hers.get("lobby")["html"]:
                pass
            server.advance(FREE)
            assert names(server, url) == ["Ada", "Ben"]


def test_who_is_there_is_known_after_places_changed(server: Server, ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(ada, "open", "open", **{"free-away": "on"})
    sits(ben, url, "Ben")
    room = server.within(server.rooms.room(url.rsplit("/", 1)[1]))
    with Live(server, ada, url) as hers, server.clock.stopped():
        hers.hello(kind="lobby")
        with Live(server, ben, url) as his:
            his.hello(kind="lobby")
            hers.send(type="swap", seat=0, other=1)
            while "Ada swapped seats with Ben." not in his.get("lobby")["say"]:
                pass
            assert names(server, url) == ["Ben", "Ada", "-"]
            hers.send(type="swap", seat=0, other=2)
            wait_until(lambda: names(server, url) == ["-", "Ada", "Ben"])
            assert room.session.presence.connected(2)
            assert not room.session.presence.connected(0)
        wait_until(lambda: not room.session.presence.connected(2))
        assert room.session.presence.connected(1)
        server.advance(FREE + 1)
        wait_until(lambda: names(server, url) == ["-", "Ada", "-"])


def test_the_host_does_all_of_it_without_scripts(server: Server, ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(ada, "open", "open")
    sits(ben, url, "Ben")

    def ask(client: httpx.Client, **message: object) -> int:
        return client.post(f"{url}/request", data={"request": json.dumps(message)}).status_code

    assert ask(ada, type="bot", seat=2, level="low") == 303
    assert ask(ada, type="add") == 303
    assert ask(ada, type="swap", seat=1, other=3) == 303
    assert names(server, url) == ["Ada", "-", "Juniper", "Ben"]
    assert ask(ada, type="close", seat=1) == 303
    assert names(server, url) == ["Ada", "Juniper", "Ben"]
    assert ask(ben, type="remove", seat=0) == 403
    assert ask(ada, type="remove", seat=0) == 403
    assert ask(ada, type="move", action=1, version=0) == 422
    assert ask(ada, type="hello", version=0) == 422
    assert ada.post(f"{url}/request").status_code == 422
    assert ask(ben, type="ready", ready=True) == 303
    assert ask(ada, type="ready", ready=True) == 303
    assert ask(ada, type="remove", seat=2) == 409


def test_house_rules_may_be_changed_until_the_deal(server: Server, ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(
        ada, "open", game="uncovered", clock="300+10", memory="on", hints="on", **{"option-mode": "intermediate"}
    )
    sits(ben, url, "Ben")
    ben.post(f"{url}/request", data={"request": '{"type": "ready", "ready": true}'})
    room = server.within(server.rooms.room(url.rsplit("/", 1)[1]))
    before = room.session.record
    page = ada.get(f"{url}/rules")
    assert page.status_code == 200
    # The form stands at what is chosen: sent as it comes, it changes nothing.
    form = Form(page.text).checked
    assert ada.post(f"{url}/rules", data=form).status_code == 303
    assert room.session.record == before
    assert ada.post(f"{url}/rules", data=form | {"clock": "1"}).status_code == 422
    assert ada.post(f"{url}/rules", data=form | {"option-mode": "hardest"}).status_code == 422
    assert ben.get(f"{url}/rules").status_code == 403
    assert ben.post(f"{url}/rules", data=form).status_code == 403
    assert ada.post(f"{url}/rules", data={**form, "clock": "60", "free-away": "on"}).status_code == 303
    after = room.session.record
    assert (after.settings.clock, after.settings.increment, after.settings.free_away) == (60, 0, True)
    assert after.options == before.options
    assert not after.seats[1].ready
    lobby = ben.get(url).text
    assert "a minute a turn" in lobby
    assert "the seat is open after three minutes" in lobby


def test_talk_is_there_where_somebody_hears_it(server: Server, ada: httpx.Client, ben: httpx.Client) -> None:
    lobby, table = open_table(ada, "low", "open"), open_table(ada, "low", **{"watchers-talk": "on"})
    for url in (lobby, table):
        page = ada.get(url).text
        assert 'id="say-text"' not in page
        assert 'id="phrases"' not in page
        assert 'data-page="said"' not in page
    sits(ben, lobby, "Ben")
    assert 'id="say-text"' in ada.get(lobby).text
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


def test_a_program_is_told_that_it_was_removed(server: Server, ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(ada, "open")
    code = url.rsplit("/", 1)[1]
    made = ben.post(f"/api/v1/tables/{code}/seats", json={"name": "Program", "ready": False}).json()
    key = {"authorization": f"Bearer {made['token']}"}
    ada.post(f"{url}/request", data={"request": '{"type": "remove", "seat": 1}'})
    assert ben.get(f"/api/v1/tables/{code}/view", headers=key).status_code == 401
