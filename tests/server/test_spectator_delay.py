"""Spectators who see the match later than the players: live messages, pages, the API, and the house rule."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from httpx import Client

from facedown.core.state import SPECTATOR
from facedown.play.records import DELAY_BY_ROUND, Settings
from facedown.play.seat_clocks import turn_state
from facedown.server.connection.viewer_page_data import house_rules
from tests.manual_clock import pass_time
from tests.not_none import given
from tests.server.api_players import API, Player, create_table, two_players
from tests.server.http_server import Live, Serve, Server, code_of, missing, open_table, shared_table, start_match
from tests.server.live_tables import dealt_room, running_process, with_manual_clock
from tests.server.test_clocks import first_move
from tests.server.test_pages import text
from tests.waiting import run_ready_tasks, wait_until

DELAY = 60


@pytest.fixture
def slow(start_server: Serve) -> Iterator[Server]:
    """A server whose clock the test advances."""
    server = start_server(pulse=1e9, bot_delay=0.0)
    with server.clock.stopped():
        yield server


def watch(server: Server, client: Client, url: str, **hello: Any) -> Live:
    """Watch a table, and return the WebSocket after its first message."""
    assert client.post(f"{url}/watch").status_code == 303
    live = Live(server, client, url)
    live.send(type="hello", version=0, **hello)
    return live


def messages_until_now(live: Live) -> list[str]:
    """Return the kinds of the messages that were sent since the last call, except the answer to a ping."""
    seen = len(live.seen)
    live.settle()
    return live.kinds()[seen:-1]


def settle(server: Server, url: str, ply: int) -> None:
    wait_until(lambda: server.session(url).ply == ply)


def test_spectator_is_sent_nothing_about_a_move_until_the_delay_is_over(slow: Server) -> None:
    ada, ben, cem = slow.guests(3)
    url = shared_table(ada, ben, clock="180", **{"spectator-delay": str(DELAY)})
    with Live(slow, ada, url) as hers, Live(slow, ben, url) as his:
        tables = start_match(hers, his)
        with watch(slow, cem, url) as live:
            deal = live.get("table")
            assert "You see the match a minute later than the players." in deal["html"]
            assert 'data-clock="' not in deal["html"]
            assert 'data-clock="' in tables[0]["html"]
            slow.advance(10)
            for page, table in ((hers, tables[0]), (his, tables[1])):
                page.play(table)
            hers.send(type="propose", what="end")
            his.until_said("Ada offers to end the match.", "table")
            assert messages_until_now(live) == []
            his.send(type="chat", text="Hello")
            assert live.get("chat")["text"] == "Hello"
            live.get("table")
            # Sent again in full, the page shows the deal with the chat.
            assert live.hello()["version"] == 0
            hers.send(type="answer", proposal=1, agree=False)
            his.until(lambda message: "offers to end" not in message["html"])
            assert messages_until_now(live) == []
            slow.advance(DELAY - 10.5)
            assert messages_until_now(live) == []
            slow.advance(11)
            shown = live.beyond(0)
            assert shown["version"] == slow.session(url).version(SPECTATOR)
            assert any("flip" in line for line in shown["say"])
            assert not any("offers" in line for message in live.seen for line in message.get("say", ()))


def test_spectator_sees_everything_at_once_when_the_match_is_over(slow: Server) -> None:
    ada, ben, cem = slow.guests(3)
    url = shared_table(ada, ben, **{"spectator-delay": str(DELAY)})
    with Live(slow, ada, url) as hers, Live(slow, ben, url) as his:
        tables = start_match(hers, his)
        with watch(slow, cem, url) as live:
            live.get("table")
            hers.play(tables[0])
            assert messages_until_now(live) == []
            his.send(type="resign")
            shown = live.until(lambda message: message["over"])
            assert shown["version"] == slow.session(url).version(SPECTATOR)
    assert cem.get(f"/m/{code_of(url)}").status_code == 200


def test_pages_previews_and_table_data_for_spectators_say_nothing_about_the_present(slow: Server) -> None:
    ada, ben, cem = slow.guests(3)
    url = shared_table(ada, ben, clock="60", **{"spectator-delay": "600", "at-zero": "seat"})
    with Live(slow, ada, url) as hers, Live(slow, ben, url) as his:
        tables = start_match(hers, his)
        cem.post(f"{url}/watch")
        paths = (url, f"{API}/tables/{code_of(url)}", f"{API}/tables/{code_of(url)}/view", f"{url}/preview.png")
        before = [cem.get(path).content for path in paths]
        hers.play(tables[0])
        slow.advance(70)
        his.until(lambda message: "Your time ran out." in message["html"])
        settle(slow, url, 2)
        assert slow.session(url).record.seats[1].standin
        with slow.client() as stranger:
            assert missing(text(stranger.get(url)), "Ada", "Ben", "Watch") == []
        assert [strip_padding(cem.get(path).content) for path in paths] == [strip_padding(one) for one in before]
        info = ada.get(f"{API}/tables/{code_of(url)}").json()
        assert info["spectator_delay"] == 600


def strip_padding(content: bytes) -> bytes:
    """Return a response without the random text that hides its length."""
    return re.sub(rb"<!--.*?-->|\"filler\":\s*\"[^\"]*\"|nonce[^ >]*", b"", content)


def test_api_shows_spectators_the_delayed_match_and_wakes_a_waiting_request_in_time(slow: Server) -> None:
    (client,) = slow.guests(1)
    ada, ben = two_players(client, clock=180, spectator_delay=DELAY)
    deal = client.get(f"{ada.path}/view").json()
    assert (deal["version"], deal["acting"], deal["clocks"]) == (0, [0, 1], [])
    slow.advance(10)
    ada.play()
    ben.play()
    ada.propose("end")
    assert ada.view()["proposal"]
    assert client.get(f"{ada.path}/view").json() == deal
    assert client.get(f"{ada.path}/view", params={"beyond": 0, "wait": 0}).json() == deal
    slow.advance(40)
    polls = slow.app.state.limits.polls_of_address
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(client.get, f"{ada.path}/view", params={"beyond": 0, "wait": 25})
        wait_until(lambda: polls.active_count("127.0.0.1"))
        ben.answer(1, agree=False)
        slow.advance(19)
        slow.within(run_ready_tasks())
        assert not waiting.done()
        slow.advance(1.1)
        found = waiting.result().json()
    assert found["version"] > 0
    assert (found["clocks"], found["proposal"]) == ([], None)


@with_manual_clock
async def test_waiting_request_is_woken_when_a_move_becomes_visible_although_no_page_is_open(tmp_path: Path) -> None:
    async with running_process(tmp_path, pulse=1e9) as rooms:
        room, _ada = await dealt_room(rooms, settings=Settings(spectator_delay=DELAY))
        assert room.session_seen_by(SPECTATOR).ply == 0
        await first_move(room)
        waiting = asyncio.create_task(room.wait_for_change(36_000))
        await pass_time(DELAY - 1)
        assert not waiting.done()
        await pass_time(1.1)
        assert waiting.done()
        assert room.session_seen_by(SPECTATOR).ply == 1


def test_program_that_watches_is_not_woken_by_moves_that_it_may_not_see_yet(slow: Server) -> None:
    ada, ben, cem = slow.guests(3)
    url = shared_table(ada, ben, memory="on", **{"spectator-delay": str(DELAY)})
    with Live(slow, ada, url) as hers, Live(slow, ben, url) as his:
        tables = start_match(hers, his)
        with watch(slow, cem, url, known=True) as live:
            assert live.get("error")["code"] == "forbidden"
            hers.play(tables[0])
            his.play(tables[1])
            assert messages_until_now(live) == []


def test_round_is_shown_to_spectators_as_soon_as_it_is_over(slow: Server) -> None:
    (client,) = slow.guests(1)
    ada, ben = two_players(client, spectator_delay=DELAY_BY_ROUND)
    session, players = slow.session(f"/t/{ada.code}"), (ada, ben)
    (cem,) = slow.guests(1)
    with watch(slow, cem, f"/t/{ada.code}") as live:
        deal = live.get("table")
        assert "You see each round once it’s over." in deal["html"]
        while not turn_state(session.game, given(session.match).state).is_scoring:
            assert client.get(f"{ada.path}/view").json()["version"] == 0
            seat = given(session.match).acting[0]
            view = players[seat].view()
            players[seat].move(action=view["legal"][-1 if session.ply % 2 else 0]["action"], version=view["version"])
        shown = live.beyond(0)
        assert shown["version"] == session.version(SPECTATOR)
        players[0].play()
        live.get("table")
        players[1].play()
        players[given(session.match).acting[0]].play()
        slow.advance(3600)
        assert live.hello()["version"] == shown["version"] + 1
        assert not turn_state(session.game, given(session.match).state).is_scoring


def test_absent_player_is_shown_but_no_countdown_that_depends_on_the_time_of_a_hidden_move(slow: Server) -> None:
    ada, ben, cem = slow.guests(3)
    url = shared_table(ada, ben, **{"spectator-delay": "600"})
    with Live(slow, ada, url) as hers, watch(slow, cem, url) as live:
        with Live(slow, ben, url) as his:
            tables = start_match(hers, his)
            live.get("table")
        slow.advance(5)
        assert "away" in live.until(lambda message: 'data-left="56"' in message["html"])["html"]
        slow.advance(10)
        hers.play(tables[0])
        assert messages_until_now(live) == []
        slow.advance(20)
        live.until(lambda message: 'data-left="30"' in message["html"])


def test_house_rule_is_chosen_in_the_form_and_shown_in_the_lobby(slow: Server) -> None:
    (ada,) = slow.guests(1)
    assert missing(ada.get("/new/detect").text, 'name="spectator-delay"', "Spectators see each round once") == []
    url = open_table(ada, "open", **{"spectator-delay": "round"})
    assert slow.session(url).record.settings.spectator_delay == DELAY_BY_ROUND
    assert "spectators’ delay a round" in text(ada.get(url)).lower()
    assert 'value="round" aria-label="Spectators see each round once it’s over" checked' in ada.get(f"{url}/rules").text
    form = {"clock": "0", "spectators": "on", "spectator-delay": "180"}
    assert ada.post(f"{url}/rules", data=form).status_code == 303
    assert slow.session(url).record.settings.spectator_delay == 180
    assert ("Spectators’ delay", "three minutes") in house_rules(slow.session(url).record)
    for given_, reason in (
        ("x", "must be a number of seconds"),
        ("30", "must be 0 (none)"),
        ("-1", "must be a number"),
    ):
        answer = ada.post(f"{url}/rules", data=form | {"spectator-delay": given_})
        assert answer.status_code == 422
        assert reason in answer.text
    # Without spectators there is nothing to delay.
    assert ada.post(f"{url}/rules", data={"clock": "0", "spectator-delay": "180"}).status_code == 303
    assert slow.session(url).record.settings.spectator_delay == 0


def test_api_sets_the_delay_and_refuses_other_values(slow: Server) -> None:
    (client,) = slow.guests(1)
    made = create_table(client, "me", "open", spectator_delay=180)
    assert made["table"]["spectator_delay"] == 180
    assert Player(client, made["table"]["code"], made["token"]).ask("GET", "").json is not None
    for delay in (-2, 30, 3601):
        body = {"game": "detect", "name": "Ada", "seats": ["me", "open"], "spectator_delay": delay}
        assert client.post(f"{API}/tables", json=body).status_code == 422
    assert Settings().spectator_delay == create_table(client, "me", "open")["table"]["spectator_delay"] == 0
