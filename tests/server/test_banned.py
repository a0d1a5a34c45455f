"""Who is banned comes in nowhere; everybody else does."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from facedown.play import Refusal
from facedown.server.http import banned
from facedown.server.http.banned import Banned, Unwelcome
from facedown.store import bans
from facedown.store.admin import close_table
from facedown.store.personal import data_of, forget_person
from facedown.store.retention import DAY
from tests.server.serving import Live, Server, begun, code_of, lobby, open_table, serving, shared_table, sit, token_of
from tests.wait import wait_until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch, serving(tmp_path_factory.mktemp("data")) as running:
        # Read again at every request.
        patch.setattr(banned, "FRESH", -1.0)
        yield running


def number_of(server: Server, client: httpx.Client) -> int:
    """A visitor's number."""
    found = server.rooms.repository.person(token_of(client))
    assert found is not None
    return found.id


def settled(server: Server) -> None:
    """What was written is read: the reading that is under way is not waited for by anybody."""
    known: Banned = server.app.state.banned

    async def read() -> None:
        # What was begun before may have read before the writing: it is not to end later than what is read now.
        if known._reading is not None:
            await known._reading
        await known._read()

    server.within(read())


def refusal_of(live: Live) -> str:
    """What a line is told that is closed at once."""
    refused = live.get("error")
    assert live.until_closed().rcvd is not None
    return str(refused["reason"])


def test_a_banned_person_is_refused_everywhere_and_others_are_not(server: Server) -> None:
    with server.client() as ada, server.client() as ben:
        url = shared_table(ada, ben)
        bans.ban(server.rooms.repository.engine, "person", str(number_of(server, ada)), "rude", time.time())
        settled(server)
        for answer in (ada.get("/"), ada.get(url), ada.post("/tables", data={"game": "detect"})):
            assert answer.status_code == 403
            assert "The operator of this server has banned you" in answer.text
        with Live(server, ada, url) as live:
            assert refusal_of(live).startswith("The operator of this server has banned you")
        assert ben.get(url).status_code == 200
        bans.unban(server.rooms.repository.engine, "person", str(number_of(server, ada)))
        settled(server)
        assert ada.get(url).status_code == 200


def test_a_banned_seat_token_is_refused(server: Server) -> None:
    with server.client() as client:
        made = client.post("/api/v1/tables", json={"game": "detect", "name": "Bot", "seats": ["me", "open"]}).json()
        headers = {"Authorization": f"Bearer {made['token']}"}
        path = f"/api/v1/tables/{made['table']['code']}"
        assert client.post(f"{path}/seats", json={"name": "Bot"}, headers=headers).status_code == 409
        person = server.rooms.repository.person_of_key(made["token"])
        assert person is not None
        bans.ban(server.rooms.repository.engine, "person", str(person.id), "", time.time())
        settled(server)
        answer = client.post(f"{path}/seats", json={"name": "Bot"}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


def test_a_banned_network_is_refused_but_may_ask_whether_the_server_is_well(server: Server) -> None:
    engine = server.rooms.repository.engine
    with server.client() as ada:
        url = open_table(ada, "open")
        bans.ban(engine, "address", "127.0.0.0/8", "a flood", time.time())
        settled(server)
        try:
            assert ada.get("/").status_code == 403
            assert ada.get("/api/v1/games").status_code == 403
            assert ada.get("/health").status_code == 200
            with Live(server, ada, url) as live:
                assert refusal_of(live).startswith("The operator of this server has banned you")
        finally:
            bans.unban(engine, "address", "127.0.0.0/8")
            settled(server)
        assert ada.get("/").status_code == 200


def test_one_address_is_banned_and_not_its_neighbours_in_the_same_network(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch, serving(tmp_path, proxies=("127.0.0.1",)) as running:
        patch.setattr(banned, "FRESH", -1.0)
        with running.client() as ada:
            url = open_table(ada, "open")
            for address in ("2001:db8::7", "198.51.100.7"):
                bans.ban(running.rooms.repository.engine, "address", address, "", time.time())
            settled(running)
            for address, status in (
                ("2001:db8::7", 403),
                ("2001:db8::8", 200),
                ("198.51.100.7", 403),
                ("::ffff:198.51.100.7", 403),
                ("198.51.100.8", 200),
            ):
                assert ada.get(url, headers={"x-forwarded-for": address}).status_code == status, address
            with Live(running, ada, url, forwarded="2001:db8::7") as live:
                assert refusal_of(live).startswith("The operator of this server has banned you")


def test_bans_are_read_again_after_some_seconds_and_end_by_themselves(server: Server) -> None:
    with pytest.MonkeyPatch.context() as patch, server.clock.stopped():
        patch.setattr(banned, "FRESH", 5.0)
        known = Banned(server.rooms)
        engine, now = server.rooms.repository.engine, server.rooms.now()

        async def let_in(address: str) -> bool:
            await known.look()
            if known._reading is not None:
                await known._reading
            try:
                known.refuse_address(address)
            except Unwelcome:
                return False
            return True

        assert server.within(let_in("2001:db8::7"))
        bans.ban(engine, "address", "2001:db8::/64", "", now, until=now + 3600)
        bans.ban(engine, "address", "198.51.100.7/32", "", now)
        assert server.within(let_in("2001:db8::7"))
        server.advance(6)
        assert not server.within(let_in("2001:db8::7"))
        assert server.within(let_in("2001:db8:1::7"))
        assert not server.within(let_in("::ffff:198.51.100.7"))
        assert server.within(let_in("nowhere"))
        server.advance(7200)
        assert server.within(let_in("2001:db8::7"))


def test_a_visitor_is_seen_once_a_day(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    noted: list[list[int]] = []
    # No midnight comes between two requests.
    noon = (server.rooms.now() // DAY + 0.5) * DAY
    monkeypatch.setattr(server.rooms, "now", lambda: noon)
    with server.client() as ada:
        open_table(ada, "open")
        engine, who = server.rooms.repository.engine, number_of(server, ada)
        ada.get("/")
        # It is noted down on the side.
        wait_until(lambda: data_of(engine, who)["seen"])
        first = data_of(engine, who)["seen"]
        from facedown.server.http import visitors

        really = visitors.seen
        monkeypatch.setattr(visitors, "seen", lambda *given: (noted.append(given[1]), really(*given)))
        ada.get("/")
        assert noted == []
        monkeypatch.setattr(server.rooms, "now", lambda: noon + 1.25 * DAY)
        ada.get("/")
        ada.get("/")
        wait_until(lambda: data_of(engine, who)["seen"] >= first + DAY)
        assert noted == [[who]]


# --- what is done to tables while they are served ---------------------------------------------------------------------


def read_again(server: Server, code: str) -> None:
    """The server notices that the table stands otherwise in the database."""

    async def refresh() -> None:
        with contextlib.suppress(Refusal):
            await server.rooms._rooms[code].again()

    server.within(refresh())


def test_people_at_a_closed_table_are_told_and_nobody_plays_on(server: Server) -> None:
    with server.client() as ada, server.client() as ben:
        url = shared_table(ada, ben)
        code = code_of(url)
        with Live(server, ada, url) as one, Live(server, ben, url) as other:
            tables = begun(one, other)
            close_table(server.rooms.repository.engine, code, time.time())
            read_again(server, code)
            shown: dict[str, Any] = {"say": []}
            for live in (one, other):
                while not any("The operator of this server closed this table" in said for said in shown["say"]):
                    shown = live.get("table")
                assert not shown["yours"]
                shown = {"say": []}
            acting = one if tables[0]["yours"] else other
            assert (
                "The operator of this server closed this table"
                in acting.refusal(type="move", action=0, version=tables[0]["version"])["reason"]
            )
        for page in ("/", url, f"{url}/preview.png"):
            assert ada.get(page).status_code == 200, page
        # The seed of a match that was broken off stays secret.
        assert ada.get(f"/m/{code}.facedown").status_code == 409


def test_people_in_a_closed_lobby_are_told(server: Server) -> None:
    with server.client() as ada:
        url = open_table(ada, "open")
        code = code_of(url)
        with lobby(server, url, ada) as (live,):
            close_table(server.rooms.repository.engine, code, time.time())
            read_again(server, code)
            assert "The operator of this server closed this table" in live.get("error")["reason"]
        assert ada.get(url).status_code == 404
        assert ada.get("/").status_code == 200


def test_the_others_play_on_after_somebody_was_forgotten(server: Server) -> None:
    with server.client() as ada, server.client() as ben:
        url = open_table(ada, "open")
        sit(ben, url, "Benedikta")
        code = code_of(url)
        with Live(server, ada, url) as one:
            with Live(server, ben, url) as other:
                begun(one, other)
            forget_person(server.rooms.repository.engine, number_of(server, ben))
            read_again(server, code)
            # After some seconds it was shown that Benedikta is away: what comes after the pong was drawn after that.
            one.settle()
            shown = one.hello()
            assert "Benedikta" not in json.dumps(shown)
            assert "Guest" in json.dumps(shown)
        page = ada.get(url).text
        assert "Benedikta" not in page
        assert "Guest" in page


def test_an_old_table_goes_with_the_errand(tmp_path: Path) -> None:
    from facedown.server.process import retention
    from facedown.store.retention import Old

    with serving(tmp_path, keep_lobby_days=3) as running, running.client() as ada:
        url, rooms = open_table(ada, "open"), running.rooms
        assert running.within(retention.tidy_once(rooms.settings, rooms.store, rooms.now, 0.0)) == Old()
        running.clock.suspend(4 * DAY)
        assert running.within(retention.tidy_once(rooms.settings, rooms.store, rooms.now, 0.0)) == Old(0, 1, 0)
        code = code_of(url)
        assert running.rooms.repository.load(code) is None


def test_the_errand_runs_with_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from facedown.server.process import retention

    monkeypatch.setattr(retention, "EVERY", 0.01)
    with serving(tmp_path, keep_finished_days=1) as running, running.client() as ada:
        url = open_table(ada, "open")
        code = code_of(url)
        repository = running.rooms.repository
        with repository.engine.begin() as connection:
            connection.exec_driver_sql("UPDATE matches SET status = 'finished', finished = 1.0")
        wait_until(lambda: repository.revision(code) is None)
