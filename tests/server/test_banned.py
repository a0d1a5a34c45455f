"""Who is banned comes in nowhere; everybody else does."""

from __future__ import annotations

import contextlib
import json
import time

import pytest
from httpx import Client

from facedown.play import Refusal
from facedown.server.http import ban_list, visitors
from facedown.server.process import retention_job
from facedown.store import bans
from facedown.store.admin import close_table
from facedown.store.personal_data import data_of, forget_person
from facedown.store.retention import DAY, RetentionCounts
from tests.not_none import given
from tests.server.api_players import problem, seated
from tests.server.http_server import (
    Calls,
    Live,
    Serve,
    Server,
    begun,
    code_of,
    missing,
    open_table,
    shared_table,
    sit,
    token_of,
)
from tests.waiting import wait_until

BANNED = "The operator of this server has banned you"
CLOSED = "The operator of this server closed this table"


def number_of(server: Server, client: Client) -> int:
    return given(server.rooms.repository.person(token_of(client))).id


def ban(server: Server, kind: str, who: object) -> None:
    bans.ban(server.rooms.repository.engine, kind, str(who), "", time.time())
    server.within(server.app.state.banned.reload())


def unban(server: Server, kind: str, who: object) -> None:
    bans.unban(server.rooms.repository.engine, kind, str(who))
    server.within(server.app.state.banned.reload())


def is_sent_away(live: Live) -> bool:
    """Is a line closed at once because its person or address is banned?"""
    refused = live.get("error")
    assert live.until_closed() is not None
    return str(refused["reason"]).startswith(BANNED)


def test_a_banned_person_is_refused_everywhere_and_others_are_not(server: Server, ada: Client, ben: Client) -> None:
    url = shared_table(ada, ben)
    ban(server, "person", number_of(server, ada))
    for answer in (ada.get("/"), ada.get(url), ada.post("/tables", data={"game": "detect"})):
        assert answer.status_code == 403
        assert BANNED in answer.text
    with Live(server, ada, url) as live:
        assert is_sent_away(live)
    assert ben.get(url).status_code == 200
    unban(server, "person", number_of(server, ada))
    assert ada.get(url).status_code == 200
    program = seated(ada, "me", "open")
    assert program.ask("POST", "seats", {"name": "Bot"}).status_code == 409
    ban(server, "person", given(server.rooms.repository.person_by_seat_token(program.token)).id)
    problem(program.ask("POST", "seats", {"name": "Bot"}), 403, "forbidden")


def test_banned_addresses_and_networks_are_refused_but_may_ask_whether_the_server_is_well(served: Serve) -> None:
    server = served(proxies=("127.0.0.1",))
    (ada,) = server.guests(1)
    url = open_table(ada, "open")
    for address in ("2001:db8::7", "198.51.100.7", "192.0.2.0/24"):
        ban(server, "address", address)
    # One address is banned and not its neighbours in the same network.
    let_in = {"2001:db8::7": False, "2001:db8::8": True, "198.51.100.7": False, "198.51.100.8": True}
    for address, fine in (let_in | {"::ffff:198.51.100.7": False, "192.0.2.9": False}).items():
        found = [ada.get(path, headers={"x-forwarded-for": address}) for path in (url, "/api/v1/games", "/health")]
        assert [answer.status_code for answer in found] == ([200, 200, 200] if fine else [403, 403, 200]), address
    with Live(server, ada, url, x_forwarded_for="2001:db8::7") as live:
        assert is_sent_away(live)
    unban(server, "address", "192.0.2.0/24")
    assert ada.get("/", headers={"x-forwarded-for": "192.0.2.9"}).status_code == 200


def test_bans_are_read_again_and_end_by_themselves(served: Serve) -> None:
    server = served(proxies=("127.0.0.1",))
    engine = server.rooms.repository.engine

    def is_let_in(address: str) -> bool:
        # A connection of its own: turning the clock closes those that are open.
        with server.client() as client:
            return client.get("/", headers={"x-forwarded-for": address}).status_code == 200

    with server.clock.stopped():
        now = server.rooms.now()
        bans.ban(engine, "address", "2001:db8::/64", "", now, until=now + 3600)
        bans.ban(engine, "address", "198.51.100.7/32", "", now)
        assert is_let_in("2001:db8::7")
        server.advance(ban_list.RELOAD_INTERVAL)
        wait_until(lambda: not is_let_in("2001:db8::7"))
        found = [is_let_in(address) for address in ("2001:db8:1::7", "::ffff:198.51.100.7", "192.0.2.1")]
        assert found == [True, False, True]
        server.advance(7200)
        assert is_let_in("2001:db8::7")


def test_a_visitor_is_seen_once_a_day(server: Server, ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    # No midnight comes between two requests.
    noon = (server.rooms.now() // DAY + 0.5) * DAY
    monkeypatch.setattr(server.rooms, "now", lambda: noon)
    open_table(ada, "open")
    engine, who = server.rooms.repository.engine, number_of(server, ada)
    ada.get("/")
    # It is noted down on the side.
    wait_until(lambda: data_of(engine, who)["seen"])
    first, noted = data_of(engine, who)["seen"], Calls()
    noted.of(monkeypatch, visitors, "mark_people_seen")
    ada.get("/")
    assert noted["mark_people_seen"] == 0
    monkeypatch.setattr(server.rooms, "now", lambda: noon + 1.25 * DAY)
    ada.get("/")
    ada.get("/")
    wait_until(lambda: data_of(engine, who)["seen"] >= first + DAY)
    assert noted["mark_people_seen"] == 1


# --- what is done to tables while they are served ---------------------------------------------------------------------


def read_again(server: Server, url: str) -> None:
    """The server notices that the table stands otherwise in the database."""

    async def refresh() -> None:
        with contextlib.suppress(Refusal):
            await server.rooms._rooms[code_of(url)].refresh()

    server.within(refresh())


def close(server: Server, url: str) -> None:
    """The operator closes a table, and the server notices."""
    close_table(server.rooms.repository.engine, code_of(url), time.time())
    read_again(server, url)


def test_people_at_a_closed_table_are_told_and_nobody_plays_on(server: Server, ada: Client, pair: list[Live]) -> None:
    tables, url = begun(*pair), pair[0].url
    close(server, url)
    for live in pair:
        shown = live.until(lambda message: any(CLOSED in said for said in message["say"]))
        assert not shown["yours"]
    acting = pair[0] if tables[0]["yours"] else pair[1]
    assert CLOSED in acting.refusal(type="move", action=0, version=tables[0]["version"])["reason"]
    for page in ("/", url, f"{url}/preview.png"):
        assert ada.get(page).status_code == 200, page
    # The seed of a match that was broken off stays secret.
    assert ada.get(f"/m/{code_of(url)}.facedown").status_code == 409


def test_people_in_a_closed_lobby_are_told(server: Server, ada: Client, pair: list[Live]) -> None:
    close(server, pair[0].url)
    assert CLOSED in pair[0].get("error")["reason"]
    assert [ada.get(page).status_code for page in (pair[0].url, "/")] == [404, 200]


def test_the_others_play_on_after_somebody_was_forgotten(server: Server, ada: Client, ben: Client) -> None:
    url = open_table(ada, "open")
    sit(ben, url, "Benedikta")
    with Live(server, ada, url) as one:
        with Live(server, ben, url) as other:
            begun(one, other)
        forget_person(server.rooms.repository.engine, number_of(server, ben))
        read_again(server, url)
        # After some seconds it was shown that Benedikta is away: what comes after the pong was drawn after that.
        one.settle()
        for shown in (json.dumps(one.hello()), ada.get(url).text):
            assert missing(shown, "Benedikta", "Guest") == ["Benedikta"]


def test_an_old_table_goes_with_the_errand(served: Serve) -> None:
    running = served(keep_lobby_days=3)
    url, rooms = open_table(*running.guests(1), "open"), running.rooms
    for found in (RetentionCounts(), RetentionCounts(0, 1, 0)):
        assert running.within(retention_job.delete_expired(rooms.settings, rooms.store, rooms.now)) == found
        running.clock.suspend(4 * DAY)
    assert rooms.repository.load(code_of(url)) is None


def test_the_errand_runs_with_the_server(served: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention_job, "EVERY", 0.01)
    running = served(keep_finished_days=1)
    url, repository = open_table(*running.guests(1), "open"), running.rooms.repository
    with repository.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE matches SET status = 'finished', finished = 1.0")
    wait_until(lambda: repository.revision(code_of(url)) is None)
