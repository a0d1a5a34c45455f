"""Sign-out, new keys, data export and deletion of an account: in the browser, over WebSockets, by the API."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import DefaultCookiePolicy

import pytest
from httpx import Client
from sqlalchemy import func, select

from facedown.core.translation import languages, use_language
from facedown.server.connection.websocket_connection import Connection
from facedown.server.http import cookie_check
from facedown.server.http.privacy_page import STORED_DATA, privacy_markdown
from facedown.server.http.visitors import COOKIE
from facedown.server.process.server_settings import ServerSettings
from facedown.server.table import access_revocation
from facedown.store import schema
from facedown.store.personal_data import rotate_browser_key
from tests.not_none import given
from tests.server.api_players import Player, join_table, new_player
from tests.server.http_server import (
    PATIENCE,
    Live,
    Server,
    Visitor,
    code_of,
    finished,
    lobby,
    missing,
    open_table,
    serving,
    shared_table,
    sit,
    start_match,
    token_of,
)
from tests.waiting import wait_until


def who(client: Client) -> str:
    """Return the name that the account page shows, or None for a stranger."""
    return given(re.search(r"You’re known as (\w+) here|is new here", client.get("/you").text))[1]


def test_new_visitor_has_no_account_and_signing_out_keeps_other_browsers_signed_in(ada: Client, server: Server) -> None:
    assert who(ada) is None
    assert COOKIE not in ada.cookies
    sure = {"sure": "on"}
    answers = (ada.post("/you/key"), ada.post("/you/forget", data=sure), ada.get("/you/data"), ada.post("/you/out"))
    assert [answer.status_code for answer in answers] == [403, 403, 403, 303]
    url = open_table(ada, "open", name="Adalberta")
    key = token_of(ada)
    assert who(ada) == "Adalberta"
    page = ada.get("/you").text
    assert f'href="{url}"' in page
    assert key not in page
    assert ada.post("/you/out").headers["location"] == "/you?done=out"
    assert COOKIE not in ada.cookies
    assert who(server.client_of(key)) == "Adalberta"


def test_signing_out_everywhere_closes_all_websockets(server: Server, ada: Client) -> None:
    url = open_table(ada, "open")
    elsewhere = server.client_of(token_of(ada))
    with lobby(server, url, elsewhere) as (live,):
        assert ada.post("/you/out", data={"everywhere": "on"}).status_code == 303
        live.until_closed()
    assert who(elsewhere) is None
    assert ">Join<" in elsewhere.get(url).text


def test_new_browser_key_disconnects_users_of_the_old_key(server: Server, ada: Client, ben: Client) -> None:
    url = shared_table(ada, ben)
    old = token_of(ada)
    thief = server.client_of(old)
    with lobby(server, url, thief, ben) as (stolen, his):
        assert ada.post("/you/key").headers["location"] == "/you?done=key"
        assert token_of(ada) != old
        stolen.until_closed()
        # A visitor whose key did not change stays connected.
        his.hello(kind="lobby")
        assert thief.post(f"{url}/leave").status_code == 303
        assert [seat.name for seat in server.session(url).record.seats] == ["Ada", "Ben"]
    with lobby(server, url, ada):
        pass


def test_websocket_opened_while_the_browser_key_changes_is_closed(
    server: Server, ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The key changes after the server has checked it and before the WebSocket joins the table."""
    run = Connection.run

    async def late(self: Connection) -> None:
        assert self.person is not None
        rooms = self.rooms
        await rooms.store.run(rotate_browser_key, rooms.repository.engine, self.person.id)
        access_revocation.close_connections(rooms, self.person.id)
        await run(self)

    monkeypatch.setattr(Connection, "run", late)
    with Live(server, ada, open_table(ada, "open")) as live:
        live.until_closed()
        assert live.seen == []


def test_data_export_contains_own_moves_and_chat_but_no_secrets(server: Server, ada: Client, live: Live) -> None:
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


def test_name_of_a_deleted_account_is_removed_from_all_tables(server: Server, visitor: Visitor) -> None:
    ada, ben, cleo = visitor(), visitor(), visitor()
    running, waiting = open_table(ada, "open", name="Adalberta"), open_table(ada, "open", name="Adalberta")
    for url, other in ((running, ben), (waiting, cleo)):
        sit(other, url, "Somebody")
    key = token_of(ada)
    unsure = ada.post("/you/forget")
    assert (unsure.status_code, "Please tick" in unsure.text, who(ada)) == (422, True, "Adalberta")
    with lobby(server, running, ada, ben) as (hers, his):
        start_match(hers, his)
        assert ada.post("/you/forget", data={"sure": "on"}).headers["location"] == "/you?done=gone"
        hers.until_closed()
        his.settle()
        shown = his.hello()["html"]
    assert "Guest" in shown
    for seen in (shown, ben.get(running).text, cleo.get(waiting).text):
        assert "Adalberta" not in seen
    assert who(server.client_of(key)) is None
    place = server.session(running).record.seats[0]
    assert (place.name, place.left, place.person) == ("Guest", True, None)
    assert server.session(waiting).record.seats[0].kind == "open"


def test_old_seat_token_is_invalid_once_it_is_replaced_by_a_new_one(server: Server, ada: Client, ben: Client) -> None:
    player = new_player(ada, "me", "open")
    assert ada.post(f"{player.path}/seats/me/token").status_code == 401
    his, version = join_table(ada, player.code), player.view()["version"]
    with ThreadPoolExecutor(1) as people:
        again = Player(ben, player.code, player.token)
        waiting = people.submit(again.ask, "GET", "view", beyond=version + 50, wait=25)
        room = server.room(player.code)
        wait_until(lambda: bool(room.change_event._event._waiters) or waiting.done())
        answer = player.ask("POST", "seats/me/token")
        assert answer.status_code == 201, answer.text
        assert waiting.result(PATIENCE).status_code == 401
    assert player.ask("GET", "view").status_code == 401
    assert Player(ada, player.code, answer.json()["token"]).view()["seat"] == 0
    assert his.view()["seat"] == 1


# --- the privacy page -------------------------------------------------------------------------------------------------


def test_privacy_page_lists_every_database_column_once_with_its_retention() -> None:
    """A new column is new stored data, so the page must list it in every language."""
    columns = {f"{table.name}.{column.name}" for table in schema.metadata.tables.values() for column in table.c}
    told = [column for kept in STORED_DATA for column in kept.columns.split()]
    assert sorted(told) == sorted(set(told)), "told twice"
    assert columns - set(told) == set(), "kept, and not told"
    assert set(told) - columns == set(), "told, and not kept"
    text = privacy_markdown(ServerSettings(database="", keep_people_days=400, keep_finished_days=1))
    assert missing(text, "stored for 400 days", "stored for one day") == []
    assert "until someone deletes it" in privacy_markdown(ServerSettings(database=""))


@pytest.mark.parametrize("code", languages())
def test_privacy_page_lists_all_stored_data_in_every_language(ada: Client, code: str) -> None:
    page = ada.get("/privacy", params={"lang": code})
    with use_language(code):
        text = privacy_markdown(ServerSettings(database="sqlite://"))
    assert len(re.findall(r"^\* \*\*", text, re.M)) == len(STORED_DATA)
    assert page.status_code == 200
    assert missing(page.text, COOKIE, 'href="/you"') == []
    assert COOKIE not in ada.cookies
    assert missing(ada.get("/", params={"lang": code}).text, 'href="/privacy"', 'href="/you"') == []


# --- browsers that refuse cookies -------------------------------------------------------------------------------------


#: Forms that may create a guest, with their fields.
FORMS: dict[str, dict[str, str]] = {
    "/quick": {"game": "detect"},
    "/tables": {"game": "reveal", "name": "Eve", "seat-0": "you", "seat-1": "low"},
    "/learn/detect/play": {},
    "/t/LOBBY/sit": {"name": "Eve"},
    "/t/LOBBY/watch": {},
    "/m/OVER/from": {"ply": "0", "seat": "0"},
}


@pytest.fixture(scope="module", params=["", "/cards"], ids=["root", "below a path"])
def server_and_prefix(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, str]]:
    """A server and its path prefix."""
    with serving(tmp_path_factory.mktemp("cookies"), prefix=request.param) as running:
        yield running, request.param


def row_counts(server: Server) -> list[int]:
    """Return the number of persons, matches and seats in the database."""
    tables = (schema.people, schema.matches, schema.seats)
    with server.rooms.repository.engine.connect() as store:
        return [store.scalars(select(func.count()).select_from(table)).one() for table in tables]


def browser(server: Server, *, refuses: bool) -> Client:
    client = Client(base_url=server.origin, headers={"Origin": server.origin}, timeout=PATIENCE, follow_redirects=True)
    if refuses:
        client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return client


def forms(server: Server, root: str) -> Iterator[tuple[str, dict[str, str]]]:
    with server.client() as host:
        over = code_of(finished(server, host))
        waiting = code_of(open_table(host, "open", "open"))
    for path, fields in FORMS.items():
        yield root + path.replace("LOBBY", waiting).replace("OVER", over), fields


def test_forms_create_nothing_for_a_browser_that_refuses_cookies(server_and_prefix: tuple[Server, str]) -> None:
    asked = list(forms(*server_and_prefix))
    before = row_counts(server_and_prefix[0])
    for path, fields in asked:
        with browser(server_and_prefix[0], refuses=True) as eve:
            for _ in range(2):
                answer = eve.post(path, data=fields)
                assert answer.status_code == 422, path
                assert "Your browser is blocking cookies" in answer.text
                assert not eve.cookies
    assert row_counts(server_and_prefix[0]) == before


def test_forms_pass_the_cookie_check_in_a_browser_that_accepts_cookies(server_and_prefix: tuple[Server, str]) -> None:
    server, root = server_and_prefix
    for path, fields in forms(server, root):
        with browser(server, refuses=False) as ada:
            answer = ada.post(path, data=fields)
            assert answer.status_code == 200, path
            assert [step.status_code for step in answer.history] == [307, 303], path
            assert re.search(rf"{root}/t/[A-Z0-9]+$", str(answer.url))
            assert {cookie_check.COOKIE, COOKIE} <= set(ada.cookies)
            # Next time the visitor is known.
            again = ada.post(f"{root}/quick", data={"game": "detect"})
            assert [step.status_code for step in again.history] == [303]


def test_form_can_be_resent_after_allowing_cookies(server_and_prefix: tuple[Server, str]) -> None:
    server, root = server_and_prefix
    with browser(server, refuses=True) as eve:
        refused = eve.post(f"{root}/quick", data={"game": "detect"})
        assert refused.status_code == 422
        eve.cookies.jar.set_policy(DefaultCookiePolicy())
        # The first request reloads the error page, and the second one succeeds.
        eve.post(str(refused.url), data={"game": "detect"})
        assert eve.post(str(refused.url), data={"game": "detect"}).status_code == 200
