"""Open tables over HTTP: the page, the list, seats, the search for a seat, and what is refused."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
from httpx import Client

from facedown.play import Session
from facedown.server.http.open_tables import SEEKING_COOKIE
from facedown.server.table.open_tables import LISTED_FOR, MAX_LISTED_OF_PERSON, SEARCH_TIME
from facedown.store.open_tables import OFFER_TIME
from tests.server.api_players import API, new_player, problem
from tests.server.http_server import Live, Server, code_of, serving
from tests.waiting import wait_until


def open_listed(host: Client, *seats: str, **fields: str) -> str:
    """Open a listed table with seats "open" or "low" besides the host's; return its address."""
    chosen = {f"seat-{number}": seat for number, seat in enumerate(("you", *seats))}
    form = {"game": "scout", "name": "Ada", "listed": "on", "spectators": "on"} | chosen | fields
    answer = host.post("/tables", data=form)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def rows(client: Client, game: str = "") -> list[str]:
    """Return the codes of the tables in the list, in order."""
    text = client.get("/open/list", params={"game": game}).text
    return list(dict.fromkeys(re.findall(r"/t/([A-Z0-9]+)/", text)))


def random_change(session: Session, luck: random.Random, now: float) -> Any:
    """Return the change by which the first seat to act, of a bot or a person, plays a random move."""
    task = session.bot_task()
    if task is not None:
        return session.bot_move(task, luck.choice(session.game.legal(task.view, task.seat)), now)
    seat = session.dealt_match.acting[0]
    return session.move(seat, luck.choice(session.legal(seat)), session.version(seat), now=now)


def play_until_taken_over(server: Server, table: str, luck: random.Random) -> None:
    """Play all seats inside one server until the next round has been dealt."""
    room = server.room(table)
    while not room.session.dealt_match.over and not room.session.record.seats[1].since:
        server.within(room.request_change(partial(random_change, luck=luck, now=server.rooms.now())))
    assert room.session.record.seats[1].since


@pytest.fixture
def fresh(tmp_path: Any) -> Iterator[Server]:
    """A server without tables."""
    with serving(tmp_path) as running:
        yield running


def test_a_table_is_private_until_its_host_lists_it(fresh: Server) -> None:
    ada, ben = fresh.guests(2)
    hidden = ada.post("/tables", data={"game": "scout", "name": "Ada", "seat-0": "you", "seat-1": "open"})
    shown = open_listed(ada, "open", "open")
    assert rows(ben) == [code_of(shown)]
    assert rows(ada) == [], "own tables are not offered"
    assert rows(ben, "detect") == []
    with Live(fresh, ada, hidden.headers["location"]) as live:
        live.hello(kind="lobby")
        live.send(type="list", listed=True)
        live.get("lobby")
        assert len(rows(ben)) == 2
        live.send(type="list", listed=False)
        live.get("lobby")
    assert rows(ben) == [code_of(shown)]
    page = ben.get("/open").text
    assert "SCOUT with Ada" in page
    assert "Sit down" in page
    assert "SCOUT with Ada" in ben.get("/").text, "the home page shows it, too"
    assert "SCOUT with Ada" not in ben.get("/open", params={"game": "detect"}).text


def test_a_listing_ends_when_its_host_is_away(fresh: Server) -> None:
    ada, ben = fresh.guests(2)
    table = open_listed(ada, "open")
    slow = open_listed(ada, "open", clock="86400")
    with Live(fresh, ada, table) as live:
        live.hello(kind="lobby")
        for _time in range(8):
            fresh.advance(20)
            fresh.within(fresh.rooms.sweep())
        assert set(rows(ben)) == {code_of(table), code_of(slow)}
    for _time in range(8):
        fresh.advance(20)
        fresh.within(fresh.rooms.sweep())
    fresh.advance(LISTED_FOR)
    assert rows(ben) == [code_of(slow)], "a slow table needs no one present"


def test_people_sit_down_from_the_list_and_take_over_bots(fresh: Server) -> None:
    ada, ben, cleo = fresh.guests(3)
    table = open_listed(ada, "open", "low")
    assert ben.post(f"{table}/sit", data={"name": "Ben"}).status_code == 303
    assert rows(cleo) == [], "no seat is free, and the match has not begun"
    session = fresh.session(table)
    for client in (ada, ben):
        with Live(fresh, client, table) as live:
            live.hello(kind="lobby")
            live.send(type="ready", ready=True)
            live.get("table" if client is ben else "lobby")
    assert session.record.status == "running"
    fresh.advance(2)
    assert rows(cleo) == [code_of(table)]
    assert "you take over a bot in the next round" in cleo.get("/open").text
    assert "You can take over the seat of a bot" in cleo.get(table).text
    assert cleo.post(f"{table}/sit", data={"name": "Cleo"}).status_code == 303
    assert [seat.next_name for seat in session.record.seats] == ["", "", "Cleo"]
    assert "You will take over from" in cleo.get(table).text
    with Live(fresh, cleo, table) as live:
        live.hello()
        live.send(type="takeover", take=False)
        assert "You can take over from a bot" in live.get("table")["html"]
        live.send(type="takeover")
        assert "Give up the seat" in live.get("table")["html"]
    assert "Cleo will take over from" in watched_by(fresh, table)
    assert cleo.post(f"{table}/leave").status_code == 303
    assert session.record.coming_persons == {}


def watched_by(server: Server, table: str) -> str:
    """Return the page of a table for a new spectator."""
    (dora,) = server.guests(1)
    assert dora.post(f"{table}/watch").status_code == 303
    return dora.get(table).text


def test_a_seat_is_found_kept_for_a_minute_and_given_to_the_next(fresh: Server) -> None:
    ada, ben, cleo = fresh.guests(3)
    table = open_listed(ada, "open", clock="86400")
    for client, name in ((ben, "Ben"), (cleo, "Cleo")):
        form = {"game-scout": "on", "pace": "day", "kind": "seat", "name": name}
        assert client.post("/open/search", data=form).status_code == 303
        assert client.cookies.get(SEEKING_COOKIE) == "1"
        fresh.advance(1)
    offer = ben.get("/open/offer")
    assert (offer.status_code, "SCOUT for two" in offer.text) == (200, True)
    assert cleo.get("/open/offer").status_code == 204
    assert "2 people" in cleo.get("/open").text or "One other person" in cleo.get("/open").text
    refused = cleo.post(f"{table}/sit", data={"name": "Cleo"})
    assert (refused.status_code, "kept for another player" in refused.text) == (409, True)
    fresh.advance(OFFER_TIME + 3)
    assert ben.get("/open/offer").status_code == 204
    wait_until(lambda: cleo.get("/open/offer").status_code == 200)
    answer = cleo.post("/open/answer", data={"answer": "yes"})
    assert (answer.status_code, answer.headers["location"]) == (303, table)
    seat = fresh.session(table).record.seats[1]
    assert (seat.name, seat.ready) == ("Cleo", True)
    assert cleo.get("/open/offer").status_code == 204
    assert cleo.cookies.get(SEEKING_COOKIE) is None, "pages stop asking"


def test_two_who_look_for_the_same_meet_at_a_table_of_their_own(fresh: Server) -> None:
    ben, cleo = fresh.guests(2)
    for client, name in ((ben, "Ben"), (cleo, "Cleo")):
        client.post("/open/search", data={"game-scout": "on", "game-detect": "on", "pace": "minute", "name": name})
    assert "Detect for four" in ben.get("/open/offer").text
    tables = [client.post("/open/answer", data={"answer": "yes"}).headers["location"] for client in (ben, cleo)]
    assert tables[0] == tables[1]
    record = fresh.session(tables[0]).record
    assert [seat.name for seat in record.seats[:2]] == ["Ben", "Cleo"]
    assert [seat.kind for seat in record.seats] == ["person", "person", "bot", "bot"]
    assert (record.status, record.settings.clock, record.listed) == ("running", 60, True), "the match has begun"


def test_a_person_who_says_not_now_looks_no_more(fresh: Server) -> None:
    ada, ben = fresh.guests(2)
    open_listed(ada, "open")
    ben.post("/open/search", data={"game-scout": "on", "pace": "any", "name": "Ben"})
    assert ben.post("/open/answer", data={"answer": "no"}).headers["location"] == "/open"
    assert ben.get("/open/offer").status_code == 204
    ben.post("/open/search", data={"game-scout": "on", "pace": "any"})
    assert ben.post("/open/stop", data={"kind": "seat"}).status_code == 303
    assert ben.get("/open/offer").status_code == 204


def test_a_search_ends_unless_a_page_asks_for_it(fresh: Server) -> None:
    (ben,) = fresh.guests(1)
    ben.post("/open/search", data={"game-scout": "on", "pace": "any", "name": "Ben"})
    for _time in range(4):
        fresh.advance(SEARCH_TIME * 0.6)
        ben.get("/open/offer")
    assert fresh.within(fresh.rooms.open_tables.count_seekers()) == 1
    fresh.advance(SEARCH_TIME + 1)
    assert fresh.within(fresh.rooms.open_tables.count_seekers()) == 0


def test_a_notice_comes_when_a_seat_is_free(fresh: Server) -> None:
    ada, ben = fresh.guests(2)
    ben.post("/open/search", data={"game-scout": "on", "kind": "notice", "name": "Ben"})
    assert ben.get("/open/offer").status_code == 204
    table = open_listed(ada, "open")
    fresh.advance(3)
    wait_until(lambda: ben.get("/open/offer").status_code == 200)
    assert ada.get("/open/offer").status_code == 204
    assert ben.post(f"{table}/sit", data={"name": "Ben"}).status_code == 303, "the seat is not kept"


def test_limits_on_listings_and_bad_requests(fresh: Server) -> None:
    ada, ben = fresh.guests(2)
    for _table in range(MAX_LISTED_OF_PERSON):
        open_listed(ada, "open")
    more = ada.post("/tables", data={"game": "scout", "seat-0": "you", "seat-1": "open", "listed": "on"})
    assert more.status_code == 429
    assert "You already have enough tables in the list." in more.text
    assert ben.post("/open/search", data={"pace": "any", "name": "Ben"}).status_code == 422
    wrong = ben.post("/open/search", data={"game-scout": "on", "pace": "never", "name": "Ben"})
    assert (wrong.status_code, "The pace must be one of these" in wrong.text) == (422, True)
    assert ben.post("/open/answer", data={"answer": "yes"}).headers["location"] == "/open"


def test_programs_list_open_tables_and_sit_down(fresh: Server) -> None:
    (program,) = fresh.guests(1)
    host = new_player(program, seats=("me", "open"), game="scout")
    assert program.get(f"{API}/open-tables").json() == {"tables": [], "seekers": 0}
    listing = program.put(f"{API}/tables/{host.code}/listing", json={"listed": True}, headers=host.headers)
    assert (listing.status_code, listing.json()["listed"]) == (200, True)
    (found,) = program.get(f"{API}/open-tables", params={"game": "scout"}).json()["tables"]
    assert (found["table"]["code"], found["free"], found["joins"]) == (host.code, 1, "now")
    assert program.get(f"{API}/open-tables", params={"game": "detect"}).json()["tables"] == []
    joined = program.post(f"{API}/tables/{host.code}/seats", json={"name": "Two"})
    token = {"Authorization": f"Bearer {joined.json()['token']}"}
    refused = program.put(f"{API}/tables/{host.code}/listing", json={"listed": True}, headers=token)
    problem(refused, 403, "forbidden")


def test_replay_and_review_name_the_bot_for_the_moves_before_the_takeover(tmp_path: Any) -> None:
    with serving(tmp_path, review_tries=1) as running:
        ada, ben = running.guests(2)
        table = open_listed(ada, "low", "low")
        assert ben.post(f"{table}/sit", data={"name": "Ben"}).status_code == 303
        play_until_taken_over(running, table, random.Random(1))
        room, luck = running.room(table), random.Random(2)
        session, seat = room.session, room.session.record.seats[1]
        while not session.dealt_match.over:
            running.within(room.request_change(partial(random_change, luck=luck, now=running.rooms.now())))
        code = code_of(table)
        earlier = [ply for ply, move in enumerate(session.moves, 1) if move.seat == 1 and ply < seat.since]
        later = [ply for ply, move in enumerate(session.moves, 1) if move.seat == 1 and ply > seat.since]
        for ply, name, other in ((earlier[2], seat.bot_name, "Ben"), (later[2], "Ben", seat.bot_name)):
            heading = ada.get(f"/m/{code}/moment", params={"ply": ply}).json()["html"]
            assert name in heading
            assert f"<b>{other}</b>" not in heading
        review: dict[str, Any] = {"ready": False}
        while not review["ready"]:
            review = ada.get(f"{API}/matches/{code}/review", params={"seat": 1, "wait": 20}).json()
        assert review["moves"]
        assert all(one["move"] > seat.since for one in review["moves"])
