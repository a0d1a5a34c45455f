"""Signing out, another key, a copy of one's data, being forgotten: in the browser, over open lines, by the API."""

from __future__ import annotations

import threading
from collections.abc import Callable

import httpx
import pytest

from facedown.server.http.visitors import COOKIE
from tests.server.serving import PATIENCE, Live, Server, open_table, token_of


def with_key(server: Server, token: str) -> httpx.Client:
    """A browser that has somebody's key."""
    client = server.client()
    client.cookies.set(COOKIE, token)
    return client


def test_a_stranger_is_told_that_nothing_is_kept(ada: httpx.Client) -> None:
    page = ada.get("/you")
    assert page.status_code == 200
    assert "not known here" in page.text
    assert COOKIE not in ada.cookies
    assert [ada.post("/you/key").status_code, ada.post("/you/forget", data={"sure": "on"}).status_code] == [403, 403]
    assert ada.get("/you/data").status_code == 403
    assert ada.post("/you/out").status_code == 303


def test_the_page_says_who_one_is(ada: httpx.Client) -> None:
    url = open_table(ada, "open", name="Adalberta")
    page = ada.get("/you").text
    assert "You are Adalberta here" in page
    assert f'href="{url}"' in page
    assert token_of(ada) not in page


def test_signing_out_here_leaves_the_key_to_others(server: Server, ada: httpx.Client) -> None:
    open_table(ada, "open")
    key = token_of(ada)
    assert ada.post("/you/out").headers["location"] == "/you?done=out"
    assert COOKIE not in ada.cookies
    with with_key(server, key) as elsewhere:
        assert "You are Ada here" in elsewhere.get("/you").text


def test_signing_out_everywhere_closes_all_lines(server: Server, ada: httpx.Client) -> None:
    url = open_table(ada, "open")
    key = token_of(ada)
    with with_key(server, key) as elsewhere, Live(server, elsewhere, url) as live:
        live.hello(kind="lobby")
        assert ada.post("/you/out", data={"everywhere": "on"}).status_code == 303
        live.until_closed()
        assert "not known here" in elsewhere.get("/you").text
        assert "Sit down" in elsewhere.get(url).text


def test_a_new_key_throws_out_who_has_the_old_one(server: Server, ada: httpx.Client, ben: httpx.Client) -> None:
    url = open_table(ada, "open")
    ben.post(f"{url}/sit", data={"name": "Ben"})
    old = token_of(ada)
    with with_key(server, old) as thief, Live(server, thief, url) as stolen, Live(server, ben, url) as his:
        stolen.hello(kind="lobby")
        his.hello(kind="lobby")
        assert ada.post("/you/key").headers["location"] == "/you?done=key"
        assert token_of(ada) != old
        stolen.until_closed()
        # Whose key is as it was is not disturbed.
        his.hello(kind="lobby")
        assert thief.post(f"{url}/leave").status_code == 303
        session = server.within(server.rooms.room(url[3:])).session
        assert [seat.name for seat in session.record.seats] == ["Ada", "Ben"]
    with Live(server, ada, url) as mine:
        mine.hello(kind="lobby")


def test_a_line_that_was_being_opened_meanwhile_is_closed(
    server: Server, ada: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the key and the line's place at the table the key may be changed."""
    from facedown.server.connection.connection import Connection

    url = open_table(ada, "open")
    run = Connection.run

    async def late(self: Connection) -> None:
        from facedown.server.table import revocation
        from facedown.store.personal import rotate

        assert self.person is not None
        rooms = self.rooms
        await rooms.store.run(rotate, rooms.repository.engine, self.person.id)
        revocation.dismiss(rooms, self.person.id)
        await run(self)

    monkeypatch.setattr(Connection, "run", late)
    with Live(server, ada, url) as live:
        live.until_closed()
        assert live.seen == []


def test_the_copy_is_a_file_with_what_one_said_and_played(server: Server, ada: httpx.Client) -> None:
    url = open_table(ada, "low")
    with Live(server, ada, url) as live:
        live.play(live.until_yours(live.hello()))
        live.send(type="chat", text="quite a match")
        live.get("chat")
    answer = ada.get("/you/data")
    assert "attachment" in answer.headers["content-disposition"]
    seat = answer.json()["seats"][0]
    assert (seat["code"], seat["said"][0]["text"]) == (url[3:], "quite a match")
    assert len(seat["moves"]) >= 1
    assert token_of(ada) not in answer.text
    assert server.within(server.rooms.room(url[3:])).session.record.seed.hex() not in answer.text


def test_forgetting_needs_to_be_meant(ada: httpx.Client) -> None:
    open_table(ada, "open")
    answer = ada.post("/you/forget")
    assert answer.status_code == 422
    assert "Please tick" in answer.text
    assert "You are Ada here" in ada.get("/you").text


def test_who_is_forgotten_has_left_the_tables(server: Server, visitor: Callable[[], httpx.Client]) -> None:
    ada, ben, cleo = visitor(), visitor(), visitor()
    running, waiting = open_table(ada, "open", name="Adalberta"), open_table(ada, "open", name="Adalberta")
    for url, other in ((running, ben), (waiting, cleo)):
        other.post(f"{url}/sit", data={"name": "Somebody"})
    key = token_of(ada)
    with Live(server, ada, running) as hers, Live(server, ben, running) as his:
        for live in (hers, his):
            live.hello(kind="lobby")
            live.send(type="ready", ready=True)
        his.get("table")
        hers.get("table")
        assert ada.post("/you/forget", data={"sure": "on"}).headers["location"] == "/you?done=gone"
        hers.until_closed()
        his.send(type="ping")
        his.get("pong")
        seen = his.hello()
        assert "Adalberta" not in seen["html"]
        assert "Guest" in seen["html"]
    assert "Adalberta" not in ben.get(running).text
    assert "Adalberta" not in cleo.get(waiting).text
    with with_key(server, key) as again:
        assert "not known here" in again.get("/you").text
    places = server.within(server.rooms.room(running[3:])).session.record.seats
    assert (places[0].name, places[0].left, places[0].person) == ("Guest", True, None)
    assert server.within(server.rooms.room(waiting[3:])).session.record.seats[0].kind == "open"


@pytest.mark.parametrize("path", ["/you/out", "/you/key", "/you/forget", "/you", "/you/data", "/privacy"])
@pytest.mark.parametrize("body", [b"\xff\xfe=%00&sure=%ff", b"{", b"a=" + b"x" * 5000, b"sure=on&" * 300, b"\0"])
def test_strange_forms_are_no_fault_of_the_server(ada: httpx.Client, path: str, body: bytes) -> None:
    for kind in (
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "multipart/form-data",
        "text/x",
    ):
        for method in ("GET", "POST", "PUT", "DELETE"):
            answer = ada.request(method, path, content=body, headers={"Content-Type": kind})
            assert answer.status_code < 500, (method, kind)


@pytest.mark.parametrize(
    "code", ["%00", "K7%00QM", "%ff%fe", "%ED%A0%80", "..%2f", "%F0%9F%83%8F", "x" * 3000, "'--", "%0d%0a", "%C3%9F"]
)
def test_strange_codes_are_no_fault_of_the_server(ada: httpx.Client, code: str) -> None:
    for path in (
        "/t/{}",
        "/t/{}/preview.png",
        "/m/{}",
        "/m/{}.facedown",
        "/m/{}/moment",
        "/api/v1/tables/{}",
        "/join?code={}",
    ):
        assert 300 <= ada.get(path.format(code)).status_code < 500, path
    for path in ("/t/{}/sit", "/t/{}/watch", "/t/{}/leave", "/t/{}/again", "/m/{}/from"):
        assert 300 <= ada.post(path.format(code), data={"name": "Ada"}).status_code < 500, path


def test_a_seats_token_can_be_changed(server: Server, ada: httpx.Client) -> None:
    made = ada.post("/api/v1/tables", json={"game": "detect", "name": "Ada", "seats": ["me", "open"]}).json()
    code, old = made["table"]["code"], {"Authorization": f"Bearer {made['token']}"}
    assert ada.post(f"/api/v1/tables/{code}/seats/me/token").status_code == 401
    ben = ada.post(f"/api/v1/tables/{code}/seats", json={"name": "Ben"}).json()["token"]
    seen = ada.get(f"/api/v1/tables/{code}/view", headers=old).json()
    waited: list[httpx.Response] = []

    def wait() -> None:
        with server.client() as mine:
            path = f"/api/v1/tables/{code}/view?beyond={seen['version'] + 50}&wait=25"
            waited.append(mine.get(path, headers=old))

    waiting = threading.Thread(target=wait)
    waiting.start()
    room = server.within(server.rooms.room(code))
    while not room.bell.is_awaited and waiting.is_alive():
        pass
    answer = ada.post(f"/api/v1/tables/{code}/seats/me/token", headers=old)
    assert answer.status_code == 201, answer.text
    fresh = {"Authorization": f"Bearer {answer.json()['token']}"}
    waiting.join(PATIENCE)
    assert waited[0].status_code == 401
    assert ada.get(f"/api/v1/tables/{code}/view", headers=old).status_code == 401
    assert ada.get(f"/api/v1/tables/{code}/view", headers=fresh).json()["seat"] == 0
    assert ada.get(f"/api/v1/tables/{code}/view", headers={"Authorization": f"Bearer {ben}"}).json()["seat"] == 1
