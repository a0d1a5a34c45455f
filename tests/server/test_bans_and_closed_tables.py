"""Bans of persons and addresses, tables that the operator closes, and retention."""

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
from facedown.store.personal_data import data_for_operator, erase_personal_data
from facedown.store.retention import DAY, RetentionCounts
from tests.not_none import given
from tests.server.api_players import new_player, problem
from tests.server.http_server import (
    Calls,
    Live,
    Serve,
    Server,
    code_of,
    missing,
    open_table,
    shared_table,
    sit,
    start_match,
    token_of,
)
from tests.waiting import wait_until

BANNED = "The operator of this server has banned you"
CLOSED = "The operator of this server has closed this table"


def number_of(server: Server, client: Client) -> int:
    return given(server.rooms.repository.person_by_browser_token(token_of(client))).id


def ban(server: Server, kind: str, who: object) -> None:
    bans.add_or_replace_ban(server.rooms.repository.engine, kind, str(who), "", time.time())
    server.within(server.app.state.banned.reload())


def unban(server: Server, kind: str, who: object) -> None:
    bans.remove_ban(server.rooms.repository.engine, kind, str(who))
    server.within(server.app.state.banned.reload())


def is_closed_as_banned(live: Live) -> bool:
    """Return whether a WebSocket is closed at once because its person or address is banned."""
    refused = live.get("error")
    assert live.until_closed() is not None
    return str(refused["reason"]).startswith(BANNED)


def test_banned_person_gets_403_on_pages_websocket_and_api_and_others_do_not(
    server: Server, ada: Client, ben: Client
) -> None:
    url = shared_table(ada, ben)
    ban(server, "person", number_of(server, ada))
    for answer in (ada.get("/"), ada.get(url), ada.post("/tables", data={"game": "detect"})):
        assert answer.status_code == 403
        assert BANNED in answer.text
    with Live(server, ada, url) as live:
        assert is_closed_as_banned(live)
    assert ben.get(url).status_code == 200
    unban(server, "person", number_of(server, ada))
    assert ada.get(url).status_code == 200
    program = new_player(ada, "me", "open")
    assert program.ask("POST", "seats", {"name": "Bot"}).status_code == 409
    ban(server, "person", given(server.rooms.repository.person_by_seat_token(program.token)).id)
    problem(program.ask("POST", "seats", {"name": "Bot"}), 403, "forbidden")


def test_banned_addresses_and_networks_get_403_except_for_the_health_check(start_server: Serve) -> None:
    server = start_server(proxies=("127.0.0.1",))
    (ada,) = server.guests(1)
    url = open_table(ada, "open")
    for address in ("2001:db8::7", "198.51.100.7", "192.0.2.0/24"):
        ban(server, "address", address)
    # Single addresses are banned, but not their neighbours in the same network.
    let_in = {"2001:db8::7": False, "2001:db8::8": True, "198.51.100.7": False, "198.51.100.8": True}
    for address, fine in (let_in | {"::ffff:198.51.100.7": False, "192.0.2.9": False}).items():
        found = [ada.get(path, headers={"x-forwarded-for": address}) for path in (url, "/api/v1/games", "/health")]
        assert [answer.status_code for answer in found] == ([200, 200, 200] if fine else [403, 403, 200]), address
    with Live(server, ada, url, x_forwarded_for="2001:db8::7") as live:
        assert is_closed_as_banned(live)
    unban(server, "address", "192.0.2.0/24")
    assert ada.get("/", headers={"x-forwarded-for": "192.0.2.9"}).status_code == 200


def test_running_server_applies_new_bans_at_its_next_reload_and_expired_bans_end(start_server: Serve) -> None:
    server = start_server(proxies=("127.0.0.1",))
    engine = server.rooms.repository.engine

    def is_let_in(address: str) -> bool:
        # A new connection for each request: advancing the clock closes idle ones.
        with server.client() as client:
            return client.get("/", headers={"x-forwarded-for": address}).status_code == 200

    with server.clock.stopped():
        now = server.rooms.now()
        bans.add_or_replace_ban(engine, "address", "2001:db8::/64", "", now, until=now + 3600)
        bans.add_or_replace_ban(engine, "address", "198.51.100.7/32", "", now)
        assert is_let_in("2001:db8::7")
        server.advance(ban_list.RELOAD_INTERVAL)
        wait_until(lambda: not is_let_in("2001:db8::7"))
        found = [is_let_in(address) for address in ("2001:db8:1::7", "::ffff:198.51.100.7", "192.0.2.1")]
        assert found == [True, False, True]
        server.advance(7200)
        assert is_let_in("2001:db8::7")


def test_visit_of_a_person_is_recorded_once_a_day(server: Server, ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    # Start at noon, so that midnight is not between two requests.
    noon = (server.rooms.now() // DAY + 0.5) * DAY
    monkeypatch.setattr(server.rooms, "now", lambda: noon)
    open_table(ada, "open")
    engine, who = server.rooms.repository.engine, number_of(server, ada)
    ada.get("/")
    # The visit is recorded in the background.
    wait_until(lambda: data_for_operator(engine, who)["seen"])
    first, noted = data_for_operator(engine, who)["seen"], Calls()
    noted.count(monkeypatch, visitors, "mark_people_seen", "seen")
    ada.get("/")
    assert noted["seen"] == 0
    monkeypatch.setattr(server.rooms, "now", lambda: noon + 1.25 * DAY)
    ada.get("/")
    ada.get("/")
    wait_until(lambda: data_for_operator(engine, who)["seen"] >= first + DAY)
    assert noted["seen"] == 1


# --- operator commands on tables of a running server ------------------------------------------------------------------


def notice_change(server: Server, url: str) -> None:
    """Let the server notice that the table has changed in the database."""

    async def refresh() -> None:
        with contextlib.suppress(Refusal):
            await server.rooms._rooms[code_of(url)].refresh()

    server.within(refresh())


def close(server: Server, url: str) -> None:
    """Close a table as the operator, and let the server notice it."""
    close_table(server.rooms.repository.engine, code_of(url), time.time())
    notice_change(server, url)


def test_players_of_a_running_table_that_is_closed_are_notified_and_their_moves_refused(
    server: Server, ada: Client, pair: list[Live]
) -> None:
    tables, url = start_match(*pair), pair[0].url
    close(server, url)
    for live in pair:
        shown = live.until(lambda message: any(CLOSED in said for said in message["say"]))
        assert not shown["yours"]
    acting = pair[0] if tables[0]["yours"] else pair[1]
    assert CLOSED in acting.refusal(type="move", action=0, version=tables[0]["version"])["reason"]
    for page in ("/", url, f"{url}/preview.png"):
        assert ada.get(page).status_code == 200, page
    # The seed of an unfinished match stays secret.
    assert ada.get(f"/m/{code_of(url)}.facedown").status_code == 409


def test_players_in_a_lobby_that_is_closed_are_notified_and_the_table_is_removed(
    server: Server, ada: Client, pair: list[Live]
) -> None:
    close(server, pair[0].url)
    assert CLOSED in pair[0].get("error")["reason"]
    assert [ada.get(page).status_code for page in (pair[0].url, "/")] == [404, 200]


def test_table_page_shows_guest_instead_of_the_name_of_a_deleted_player(
    server: Server, ada: Client, ben: Client
) -> None:
    url = open_table(ada, "open")
    sit(ben, url, "Benedikta")
    with Live(server, ada, url) as one:
        with Live(server, ben, url) as other:
            start_match(one, other)
        erase_personal_data(server.rooms.repository.engine, number_of(server, ben))
        notice_change(server, url)
        # Benedikta may be shown as away after some seconds. A page after the pong is rendered after that.
        one.settle()
        for shown in (json.dumps(one.hello()), ada.get(url).text):
            assert missing(shown, "Benedikta", "Guest") == ["Benedikta"]


def test_retention_job_deletes_an_expired_lobby(start_server: Serve) -> None:
    running = start_server(keep_lobby_days=3)
    url, rooms = open_table(*running.guests(1), "open"), running.rooms
    for found in (RetentionCounts(), RetentionCounts(0, 1, 0)):
        assert running.within(retention_job.delete_expired(rooms.settings, rooms.store, rooms.now)) == found
        running.clock.suspend(4 * DAY)
    assert rooms.repository.load(code_of(url)) is None


def test_running_server_deletes_an_expired_match(start_server: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention_job, "EVERY", 0.01)
    running = start_server(keep_finished_days=1)
    url, repository = open_table(*running.guests(1), "open"), running.rooms.repository
    with repository.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE matches SET status = 'finished', finished = 1.0")
    wait_until(lambda: repository.revision(code_of(url)) is None)
