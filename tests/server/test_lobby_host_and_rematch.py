"""Lobby with a host over pages, WebSockets and forms, and rematches that move players only with their consent."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from httpx import Client, Response

from facedown.play.presence import SEAT_FREE_AFTER, SHOWN_AWAY_AFTER
from tests.server.api_players import Player, join_table, play_to_end, two_players
from tests.server.http_server import (
    Live,
    Server,
    Visitor,
    code_of,
    finished_two_player_match,
    lobby,
    missing,
    open_table,
    serving,
    shared_table,
    sit,
)
from tests.server.test_scorekeeper import Form
from tests.waiting import wait_until


@pytest.fixture
def shared(ada: Client, ben: Client) -> str:
    return shared_table(ada, ben, "open")


def seat_names(server: Server, url: str) -> list[str]:
    """Return the name at each seat; "-" for an open one."""
    return [seat.name or "-" for seat in server.session(url).record.seats]


def test_removed_guest_cannot_rejoin_by_the_link_until_admitted(
    server: Server, ada: Client, ben: Client, shared: str
) -> None:
    with lobby(server, shared, ada, ben) as (hers, his):
        hers.send(type="remove", seat=1)
        assert his.get("go")["url"] == shared
        hers.until_said("Ben left the table.")
    page = ben.get(shared)
    assert missing(page.text, "The host has given your seat to someone else.", 'href="/"') == []
    assert "/preview.png" not in page.text
    again = (ben.post(f"{shared}/sit", data={"name": "Somebody"}), ben.post(f"{shared}/watch"))
    for refused in (page, *again, ben.get(f"{shared}/preview.png")):
        assert refused.status_code == 403
    assert seat_names(server, shared) == ["Ada", "-", "-"]
    # A new visitor with the same link may join.
    with server.client() as cleo:
        sit(cleo, shared, "Cleo")
    assert post_message(ada, shared, type="admit", name="Ben") == 303
    sit(ben, shared)
    assert seat_names(server, shared) == ["Ada", "Cleo", "Ben"]


@pytest.mark.parametrize("wishes", [False, True])
def test_seat_of_a_disconnected_guest_can_be_opened_after_a_timeout(
    server: Server, ada: Client, ben: Client, wishes: bool
) -> None:
    url = shared_table(ada, ben, **({"free-away": "on"} if wishes else {}))
    presence = server.session(url).presence
    with lobby(server, url, ada) as (hers,), server.clock.stopped():
        with lobby(server, url, ben):
            server.advance(SHOWN_AWAY_AFTER + 1)
            assert ">away<" not in hers.hello(kind="lobby")["html"]
        wait_until(lambda: not presence.connected(1))
        server.advance(SHOWN_AWAY_AFTER - 1)
        assert ">away<" not in hers.hello(kind="lobby")["html"]
        server.advance(2)
        html = hers.until_shown(">away<")
        assert missing(html, "Ben is away.", "Everybody is here") == ["Everybody is here"]
        server.advance(SEAT_FREE_AFTER - SHOWN_AWAY_AFTER - 10)
        assert "Open the seat" not in hers.hello(kind="lobby")["html"]
        server.advance(10)
        if wishes:
            hers.until_said("Ben’s seat is open.")
        else:
            hers.until_shown("Open the seat")
            hers.send(type="open", seat=1)
        wait_until(lambda: seat_names(server, url) == ["Ada", "-"])
    sit(ben, url)


def test_seat_of_an_absent_guest_is_opened_after_a_timeout_even_with_no_page_connected(
    server: Server, ada: Client, ben: Client
) -> None:
    url = shared_table(ada, ben, **{"free-away": "on"})
    room = server.room(url)
    with server.clock.stopped():
        with lobby(server, url, ada) as (hers,):
            server.advance(SEAT_FREE_AFTER - 10)
            with lobby(server, url, ben):
                hers.until(lambda message: ">away<" not in message["html"], "lobby")
                server.advance(SEAT_FREE_AFTER)
        wait_until(lambda: not room.subscribers)
        server.advance(SEAT_FREE_AFTER - 1)
        # The table has been idle for longer than idle tables stay in memory.
        server.within(server.rooms.sweep())
        assert seat_names(server, url) == ["Ada", "Ben"]
        server.advance(2)
        wait_until(lambda: seat_names(server, url) == ["Ada", "-"])


def post_message(client: Client, url: str, **message: object) -> int:
    """Send a WebSocket message by form and return the status."""
    return client.post(f"{url}/request", data={"request": json.dumps(message)}).status_code


def test_host_controls_of_the_lobby_work_by_form_without_scripts(
    server: Server, ada: Client, ben: Client, shared: str
) -> None:
    assert post_message(ada, shared, type="bot", seat=2, level="low") == 303
    assert post_message(ada, shared, type="add") == 303
    assert post_message(ada, shared, type="swap", seat=1, other=3) == 303
    assert seat_names(server, shared) == ["Ada", "-", "Juniper", "Ben"]
    assert post_message(ada, shared, type="close", seat=1) == 303
    assert seat_names(server, shared) == ["Ada", "Juniper", "Ben"]
    assert [post_message(client, shared, type="remove", seat=0) for client in (ada, ben)] == [403, 403]
    assert (
        post_message(ada, shared, type="move", action=1, version=0)
        == post_message(ada, shared, type="hello", version=0)
        == 422
    )
    assert ada.post(f"{shared}/request").status_code == 422
    assert [post_message(client, shared, type="ready", ready=True) for client in (ben, ada)] == [303, 303]
    assert post_message(ada, shared, type="remove", seat=2) == 409
    url = open_table(ada, "open")
    program = join_table(ben, code_of(url), "Program", ready=False)
    assert post_message(ada, url, type="remove", seat=1) == 303
    assert program.ask("GET", "view").status_code == 401


def test_host_changes_table_settings_in_the_lobby_and_guests_cannot(server: Server, ada: Client, ben: Client) -> None:
    rules = {"clock": "300+10", "memory": "on", "hints": "on", "option-mode": "intermediate"}
    url = shared_table(ada, ben, game="uncovered", **rules)
    post_message(ben, url, type="ready", ready=True)
    room = server.room(url)
    before = room.session.record
    # The form shows the current settings: sending it back changes nothing.
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
    assert missing(ben.get(url).text, "a minute per turn", "the seat opens up after three minutes") == []


def test_chat_controls_show_only_when_another_person_can_read(server: Server, ada: Client, ben: Client) -> None:
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


OFFERS = ("Not now", "Play again", "Play without", "Go to the table", "Go to the new table", "Watch")


def asks(html: str) -> str:
    """Return the answers that the rematch card offers, and its heading."""
    if 'id="again"' not in html:
        return "offered" if "data-again" in html else ""
    card = html.split('id="again"')[1].split("</section>")[0]
    offered = [word for word in OFFERS if f"{word}</" in card or f"{word} B" in card]
    return f"{', '.join(offered)} | {card.split('<h2>')[1].split('</h2>')[0]}"


def shows(live: Live, words: str) -> str:
    return str(live.until(lambda message: asks(message["html"]) == words)["html"])


def test_rematch_redirects_players_only_after_both_agree(server: Server, visitor: Visitor) -> None:
    ada, ben, cleo = visitor(), visitor(), visitor()
    url = finished_two_player_match(server, ada, ben)
    cleo.post(f"{url}/watch")
    with Live(server, ada, url) as hers, Live(server, ben, url) as his, Live(server, cleo, url) as watching:
        assert [asks(live.hello()["html"]) for live in (hers, his, watching)] == ["offered", "offered", ""]
        hers.send(type="again", answer="yes")
        shows(his, "Not now, Play again | Ada wants to play again.")
        while not any("Ada wants to play again." in message.get("say", ()) for message in his.seen):
            his.get("table")
        shows(watching, " | Ada wants to play again.")
        for live in (hers, his, watching):
            live.settle()
            assert "go" not in live.kinds()
        assert "Play without Ben" in hers.hello()["html"]
        his.send(type="again", answer="yes")
        there = his.get("go")["url"]
        assert hers.get("go")["url"] == there != url
        shows(watching, "Watch | Ada and Ben are playing again.")
        assert "go" not in watching.kinds()
    for client in (ada, ben):
        assert "Swap a card?" in client.get(there).text
    # Opening the finished page later does not redirect.
    with Live(server, ben, url) as later:
        assert asks(later.hello()["html"]) == "Go to the table | You and Ada are playing again."
        later.settle()
        assert "go" not in later.kinds()


def test_declined_rematch_opens_the_decliners_seat_at_the_new_table_and_the_asker_hosts_it(
    server: Server, ada: Client, ben: Client
) -> None:
    url = finished_two_player_match(server, ada, ben)
    with Live(server, ada, url) as hers, Live(server, ben, url) as his:
        hers.hello()
        his.hello()
        hers.send(type="again", answer="yes")
        shows(his, "Not now, Play again | Ada wants to play again.")
        his.send(type="again", answer="no")
        html = shows(hers, "Not now, Go to the new table | You want to play again.")
        while not any("Ben says “not now”." in message.get("say", ()) for message in hers.seen):
            hers.get("table")
        assert "Ben doesn’t want to play now." in html
        assert "A seat is open: you decide who takes it." in html
        (next_url,) = re.findall(r'href="/t/(\w+)"', html)
    lobby = ada.get(f"/t/{next_url}").text
    assert "One seat is still open." in lobby
    assert "Change the open seat" in lobby, "whoever asked is the host"
    with Live(server, ada, f"/t/{next_url}") as there:
        there.hello(kind="lobby")
        there.send(type="bot", seat=1, level="low")
        assert there.get("table")["yours"] is not None
    assert asks(ben.get(url).text) == "Watch | Ada is playing again."


def test_spectators_cannot_ask_for_or_answer_a_rematch(server: Server, finished_code: str, ben: Client) -> None:
    assert "You had no seat" in ben.post(f"/t/{finished_code}/again").text
    ben.post(f"/t/{finished_code}/watch")
    with Live(server, ben, f"/t/{finished_code}") as watching:
        watching.hello()
        for answer in ("yes", "maybe"):
            assert watching.refusal(type="again", answer=answer)["code"] == "forbidden"


def test_rematch_request_made_by_form_is_kept_across_a_server_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.client() as ada, server.client() as ben:
        url = finished_two_player_match(server, ada, ben)
        assert ada.post(f"{url}/again").headers["location"] == url, "one stays on the finished page"
        cookies = [dict(ada.cookies), dict(ben.cookies)]
    with serving(tmp_path) as server, server.client() as ada, server.client() as ben:
        for client, known in zip((ada, ben), cookies, strict=True):
            client.cookies.update(known)
        assert "Ada wants to play again." in asks(ben.get(url).text)
        with Live(server, ada, url) as hers:
            assert "You want to play again." in asks(hers.hello()["html"])
            there = ben.post(f"{url}/again", data={"answer": "yes"}).headers["location"]
            assert there != url
            assert hers.get("go")["url"] == there
        assert ada.post(f"{url}/again").headers["location"] == there


def test_programs_ask_for_and_answer_a_rematch_by_api(ada: Client) -> None:
    hers, his = two_players(ada, game="reveal", options={"end": "hands(1)"})

    def say(who: Player, answer: str) -> Response:
        return who.ask("POST", "again", {"answer": answer})

    assert say(hers, "yes").status_code == 409
    play_to_end((hers, his))
    assert ada.get(f"{hers.path}/again").json() == {"table": "", "dealt": False, "answers": ["", ""]}
    assert ada.post(f"{hers.path}/again", json={"answer": "yes"}).status_code == 401
    asked = say(hers, "yes").json()
    assert (asked["dealt"], asked["answers"]) == (False, ["yes", ""])
    assert say(his, "no").json()["answers"] == ["yes", "no"]
    assert say(his, "on").status_code == 403
    agreed = say(his, "yes").json()
    assert agreed == {"table": asked["table"], "dealt": True, "answers": ["yes", "yes"]}
    assert ada.get(f"{hers.path}/again").json() == agreed
    assert [Player(ada, asked["table"], who.token).view()["seat"] for who in (hers, his)] == [0, 1]
