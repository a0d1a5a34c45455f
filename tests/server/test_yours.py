"""Signing out, another key, a copy of one's data, being forgotten: in the browser, over open lines, by the API."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Iterator
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import pytest
from httpx import Client, Response
from sqlalchemy import text

from facedown.core.language import languages, speaking
from facedown.server.connection.connection import Connection
from facedown.server.http import cookie_check
from facedown.server.http.privacy import KEPT, privacy_markdown
from facedown.server.http.visitors import COOKIE
from facedown.server.process.settings import ServerSettings
from facedown.server.table import revocation
from facedown.store import schema
from facedown.store.personal import rotate
from tests.server.cases import FORM_TYPES
from tests.server.programs import Player, joined, seated
from tests.server.serving import (
    PATIENCE,
    Live,
    Server,
    Visitor,
    begun,
    code_of,
    finished,
    lobby,
    open_table,
    serving,
    shared_table,
    sit,
    token_of,
)


def with_key(server: Server, token: str) -> Client:
    """A browser that has somebody's key."""
    client = server.client()
    client.cookies.set(COOKIE, token)
    return client


def test_a_stranger_is_told_that_nothing_is_kept(ada: Client) -> None:
    page = ada.get("/you")
    assert page.status_code == 200
    assert "not known here" in page.text
    assert COOKIE not in ada.cookies
    assert [ada.post("/you/key").status_code, ada.post("/you/forget", data={"sure": "on"}).status_code] == [403, 403]
    assert ada.get("/you/data").status_code == 403
    assert ada.post("/you/out").status_code == 303


def test_the_page_says_who_one_is(ada: Client) -> None:
    url = open_table(ada, "open", name="Adalberta")
    page = ada.get("/you").text
    assert "You are Adalberta here" in page
    assert f'href="{url}"' in page
    assert token_of(ada) not in page


def test_signing_out_here_leaves_the_key_to_others(server: Server, ada: Client) -> None:
    open_table(ada, "open")
    key = token_of(ada)
    assert ada.post("/you/out").headers["location"] == "/you?done=out"
    assert COOKIE not in ada.cookies
    with with_key(server, key) as elsewhere:
        assert "You are Ada here" in elsewhere.get("/you").text


def test_signing_out_everywhere_closes_all_lines(server: Server, ada: Client) -> None:
    url = open_table(ada, "open")
    with with_key(server, token_of(ada)) as elsewhere, lobby(server, url, elsewhere) as (live,):
        assert ada.post("/you/out", data={"everywhere": "on"}).status_code == 303
        live.until_closed()
        assert "not known here" in elsewhere.get("/you").text
        assert "Sit down" in elsewhere.get(url).text


def test_a_new_key_throws_out_who_has_the_old_one(server: Server, ada: Client, ben: Client) -> None:
    url = shared_table(ada, ben)
    old = token_of(ada)
    with with_key(server, old) as thief, lobby(server, url, thief, ben) as (stolen, his):
        assert ada.post("/you/key").headers["location"] == "/you?done=key"
        assert token_of(ada) != old
        stolen.until_closed()
        # Whose key is as it was is not disturbed.
        his.hello(kind="lobby")
        assert thief.post(f"{url}/leave").status_code == 303
        assert [seat.name for seat in server.session(url).record.seats] == ["Ada", "Ben"]
    with lobby(server, url, ada):
        pass


def test_a_line_that_was_being_opened_meanwhile_is_closed(
    server: Server, ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the key and the line's place at the table the key may be changed."""
    run = Connection.run

    async def late(self: Connection) -> None:
        assert self.person is not None
        rooms = self.rooms
        await rooms.store.run(rotate, rooms.repository.engine, self.person.id)
        revocation.dismiss(rooms, self.person.id)
        await run(self)

    monkeypatch.setattr(Connection, "run", late)
    with Live(server, ada, open_table(ada, "open")) as live:
        live.until_closed()
        assert live.seen == []


def test_the_copy_is_a_file_with_what_one_said_and_played(server: Server, ada: Client, live: Live) -> None:
    live.play(live.until_yours(live.hello()))
    live.send(type="chat", text="quite a match")
    live.get("chat")
    answer = ada.get("/you/data")
    assert "attachment" in answer.headers["content-disposition"]
    seat = answer.json()["seats"][0]
    assert (seat["code"], seat["said"][0]["text"]) == (code_of(live.url), "quite a match")
    assert len(seat["moves"]) >= 1
    assert token_of(ada) not in answer.text
    assert server.session(live.url).record.seed.hex() not in answer.text


def test_forgetting_needs_to_be_meant(ada: Client) -> None:
    open_table(ada, "open")
    answer = ada.post("/you/forget")
    assert answer.status_code == 422
    assert "Please tick" in answer.text
    assert "You are Ada here" in ada.get("/you").text


def test_who_is_forgotten_has_left_the_tables(server: Server, visitor: Visitor) -> None:
    ada, ben, cleo = visitor(), visitor(), visitor()
    running, waiting = open_table(ada, "open", name="Adalberta"), open_table(ada, "open", name="Adalberta")
    for url, other in ((running, ben), (waiting, cleo)):
        sit(other, url, "Somebody")
    key = token_of(ada)
    with lobby(server, running, ada, ben) as (hers, his):
        begun(hers, his)
        assert ada.post("/you/forget", data={"sure": "on"}).headers["location"] == "/you?done=gone"
        hers.until_closed()
        his.settle()
        seen = his.hello()
        assert "Adalberta" not in seen["html"]
        assert "Guest" in seen["html"]
    assert "Adalberta" not in ben.get(running).text
    assert "Adalberta" not in cleo.get(waiting).text
    with with_key(server, key) as again:
        assert "not known here" in again.get("/you").text
    places = server.session(running[3:]).record.seats
    assert (places[0].name, places[0].left, places[0].person) == ("Guest", True, None)
    assert server.session(waiting[3:]).record.seats[0].kind == "open"


@pytest.mark.parametrize("path", ["/you/out", "/you/key", "/you/forget", "/you", "/you/data", "/privacy"])
@pytest.mark.parametrize("body", [b"\xff\xfe=%00&sure=%ff", b"{", b"a=" + b"x" * 5000, b"sure=on&" * 300, b"\0"])
def test_strange_forms_are_no_fault_of_the_server(ada: Client, path: str, body: bytes) -> None:
    for kind, method in itertools.product((*FORM_TYPES, "text/x"), ("GET", "POST", "PUT", "DELETE")):
        answer = ada.request(method, path, content=body, headers={"Content-Type": kind})
        assert answer.status_code < 500, (method, kind)


@pytest.mark.parametrize(
    "code", ["%00", "K7%00QM", "%ff%fe", "%ED%A0%80", "..%2f", "%F0%9F%83%8F", "x" * 3000, "'--", "%0d%0a", "%C3%9F"]
)
def test_strange_codes_are_no_fault_of_the_server(ada: Client, code: str) -> None:
    matches = ("/m/{}", "/m/{}.facedown", "/m/{}/moment")
    for path in (*matches, "/t/{}", "/t/{}/preview.png", "/api/v1/tables/{}", "/join?code={}"):
        assert 300 <= ada.get(path.format(code)).status_code < 500, path
    for path in ("/t/{}/sit", "/t/{}/watch", "/t/{}/leave", "/t/{}/again", "/m/{}/from"):
        assert 300 <= ada.post(path.format(code), data={"name": "Ada"}).status_code < 500, path


def test_a_seats_token_can_be_changed(server: Server, ada: Client) -> None:
    player = seated(ada, "me", "open")
    assert ada.post(f"{player.path}/seats/me/token").status_code == 401
    ben = joined(ada, player.code)
    seen = player.view()
    waited: list[Response] = []

    def wait() -> None:
        with server.client() as mine:
            again = Player(mine, player.code, player.token)
            waited.append(again.ask("GET", "view", beyond=seen["version"] + 50, wait=25))

    waiting = threading.Thread(target=wait)
    waiting.start()
    room = server.room(player.code)
    while not room.bell.is_awaited and waiting.is_alive():
        pass
    answer = player.ask("POST", "seats/me/token")
    assert answer.status_code == 201, answer.text
    waiting.join(PATIENCE)
    assert waited[0].status_code == 401
    assert player.ask("GET", "view").status_code == 401
    assert Player(ada, player.code, answer.json()["token"]).view()["seat"] == 0
    assert ben.view()["seat"] == 1


# --- what the privacy page says ---------------------------------------------------------------------------------------


def test_every_column_is_said_once() -> None:
    """A new column is a new thing that is kept: it has to be told, in every language."""
    columns = {f"{table.name}.{column.name}" for table in schema.metadata.tables.values() for column in table.c}
    told = [column for kept in KEPT for column in kept.columns.split()]
    assert sorted(told) == sorted(set(told)), "told twice"
    assert columns - set(told) == set(), "kept, and not told"
    assert set(told) - columns == set(), "told, and not kept"


@pytest.mark.parametrize("code", languages())
def test_the_page_says_all_of_it(ada: Client, code: str) -> None:
    page = ada.get("/privacy", params={"lang": code})
    assert page.status_code == 200
    with speaking(code):
        text = privacy_markdown(ServerSettings(database="sqlite://"))
    assert len(re.findall(r"^\* \*\*", text, re.M)) == len(KEPT)
    assert COOKIE in page.text
    assert 'href="/you"' in page.text
    assert COOKIE not in ada.cookies


def test_it_says_for_how_long(ada: Client) -> None:
    text = privacy_markdown(ServerSettings(database="", keep_people_days=400, keep_finished_days=1))
    assert "kept for 400 days" in text
    assert "kept for one day" in text
    assert "until somebody deletes it" in privacy_markdown(ServerSettings(database=""))


def test_home_and_menu_lead_there(ada: Client) -> None:
    home = ada.get("/").text
    assert 'href="/privacy"' in home
    assert 'href="/you"' in home


def test_no_page_loads_anything_from_elsewhere(ada: Client) -> None:
    for path in ("/", "/privacy", "/you"):
        answer = ada.get(path)
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert not re.findall(r'(?:src|href)="(?:https?:)?//(?!127\.0\.0\.1)', answer.text), path


# --- browsers that refuse cookies -------------------------------------------------------------------------------------


#: Forms that may make a guest, with what they hold.
FORMS: dict[str, dict[str, str]] = {
    "/quick": {"game": "detect"},
    "/tables": {"game": "reveal", "name": "Eve", "seat-0": "you", "seat-1": "low"},
    "/learn/detect/play": {},
    "/t/LOBBY/sit": {"name": "Eve"},
    "/t/LOBBY/watch": {},
    "/m/OVER/from": {"ply": "0", "seat": "0"},
}
ROOTS = ["", "/cards"]


@pytest.fixture(scope="module", params=ROOTS, ids=["root", "below a path"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, str]]:
    root: str = request.param
    more: dict[str, Any] = {"prefix": root} if root else {}
    with serving(tmp_path_factory.mktemp("cookies"), **more) as running:
        yield running, root


def made(server: Server) -> list[int]:
    """How many people and matches there are, and how many watch or sit."""
    with server.rooms.repository.engine.connect() as store:
        return [
            int(store.execute(text(f"select count(*) from {table}")).scalar_one())
            for table in ("people", "matches", "seats")
        ]


def browser(server: Server, *, refuses: bool) -> Client:
    """A browser that was never here before."""
    client = Client(base_url=server.origin, headers={"Origin": server.origin}, timeout=PATIENCE)
    client.follow_redirects = True
    if refuses:
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


def forms(server: Server, root: str) -> Iterator[tuple[str, dict[str, str]]]:
    with server.client() as host:
        over = code_of(finished(server, host))
        waiting = code_of(open_table(host, "open", "open"))
    for path, fields in FORMS.items():
        yield root + path.replace("LOBBY", waiting).replace("OVER", over), fields


def test_nothing_is_made_for_a_browser_that_refuses_cookies(served: tuple[Server, str]) -> None:
    server, root = served
    asked = list(forms(server, root))
    before = made(server)
    for path, fields in asked:
        with browser(server, refuses=True) as eve:
            for _ in range(2):
                answer = eve.post(path, data=fields)
                assert answer.status_code == 422, path
                assert "Your browser refuses cookies" in answer.text
                assert not eve.cookies
    assert made(server) == before


def test_a_browser_that_keeps_cookies_notices_nothing(served: tuple[Server, str]) -> None:
    server, root = served
    for path, fields in forms(server, root):
        with browser(server, refuses=False) as ada:
            answer = ada.post(path, data=fields)
            assert answer.status_code == 200, path
            assert [step.status_code for step in answer.history] == [307, 303], path
            assert re.search(rf"{root}/t/[A-Z0-9]+$", str(answer.url))
            assert {cookie_check.COOKIE, COOKIE} <= set(ada.cookies)
            # Next time it is known.
            again = ada.post(f"{root}/quick", data={"game": "detect"})
            assert [step.status_code for step in again.history] == [303]


def test_somebody_who_allows_cookies_then_can_send_the_form_again(served: tuple[Server, str]) -> None:
    server, root = served
    with browser(server, refuses=True) as eve:
        refused = eve.post(f"{root}/quick", data={"game": "detect"})
        assert refused.status_code == 422
        eve.cookies.jar.set_policy(DefaultCookiePolicy())
        # Loading the page that says so again, and then once more.
        eve.post(str(refused.url), data={"game": "detect"})
        assert eve.post(str(refused.url), data={"game": "detect"}).status_code == 200
