"""Blocked persons get no seat together, and reports reach the operator, over the pages, the API and the rematch."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pytest
from httpx import Client, Response

from facedown.server.http.people import REPORT_LENGTH
from facedown.server.http.visitors import COOKIE
from facedown.server.process import retention_job
from facedown.store import Person, blocks
from facedown.store.retention import DAY, REPORT_DAYS
from tests.not_none import given
from tests.server.api_players import API
from tests.server.http_server import (
    Live,
    Serve,
    Server,
    Visitor,
    code_of,
    finished_two_player_match,
    lobby,
    missing,
    module_server,
    open_table,
    play_on,
    refusals,
    shared_table,
    sit,
    start_match,
    token_of,
)
from tests.server.test_logs import log_output as log_output

server = module_server()
REFUSED = "You can’t take a seat at this table."


def person_of(server: Server, client: Client) -> Person:
    return given(server.rooms.repository.person_by_browser_token(token_of(client)))


def block(client: Client, url: str, seat: int, name: str) -> None:
    answer = client.post(f"{url}/people/{seat}/block", data={"name": name})
    assert (answer.status_code, answer.headers["location"]) == (303, f"{url}/people/{seat}")


def report(client: Client, url: str, seat: int = 1, **fields: str) -> Response:
    return client.post(f"{url}/people/{seat}/report", data={"name": "Ben", "kind": "words"} | fields)


@pytest.fixture
def cleo(visitor: Visitor) -> Client:
    return visitor()


@pytest.fixture(autouse=True)
def forget_reports(server: Server) -> Iterator[None]:
    """Delete the reports of each test, because all tests have the same address."""
    yield
    for one in blocks.reports(server.rooms.repository.engine):
        blocks.delete_report(server.rooms.repository.engine, one.id)


# --- blocks -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("blocker", [0, 1])
def test_blocked_persons_get_no_seat_together_by_form_or_api(
    blocker: int, server: Server, ada: Client, ben: Client
) -> None:
    url = shared_table(ada, ben)
    block((ada, ben)[blocker], url, 1 - blocker, ("Ben", "Ada")[blocker])
    assert [seat.name for seat in server.session(url).record.seats] == ["Ada", "Ben"], "seats are not changed"
    for host, other in ((ada, ben), (ben, ada)):
        another = open_table(host, "open", "open")
        answer = other.post(f"{another}/sit", data={"name": "Sly"})
        assert (answer.status_code, REFUSED in answer.text) == (403, True)
        assert "blocked" not in answer.text.lower()
        assert [seat.kind for seat in server.session(another).record.seats] == ["person", "open", "open"]


def test_block_applies_to_programs_by_their_seat_token(server: Server, ada: Client, ben: Client) -> None:
    program = ben.post(f"{API}/tables", json={"game": "detect", "name": "Bot", "seats": ["me", "open"]}).json()
    url = f"/t/{program['table']['code']}"
    sit(ada, url, "Ada")
    block(ada, url, 0, "Bot")
    another = code_of(open_table(ada, "open"))
    key = {"Authorization": f"Bearer {program['token']}"}
    answer = ben.post(f"{API}/tables/{another}/seats", json={"name": "Bot"}, headers=key)
    assert (answer.status_code, answer.json()) == (403, {"code": "forbidden", "reason": REFUSED})


def test_blocked_person_cannot_take_over_a_bots_seat_during_the_match(
    server: Server, visitor: Visitor, ada: Client, ben: Client, cleo: Client
) -> None:
    dora = visitor()
    block(ada, shared_table(ada, ben), 1, "Ben")
    block(dora, shared_table(cleo, dora), 0, "Ada")
    url = open_table(ada, "low", "low", listed="on")
    with Live(server, ada, url) as live:
        live.hello()
        answer = ben.post(f"{url}/sit", data={"name": "Sly"})
        assert (answer.status_code, REFUSED in answer.text) == (403, True)
        assert server.session(url).record.coming_persons == {}
        sit(cleo, url, "Cleo")
        assert list(server.session(url).record.coming_persons) == [person_of(server, cleo).id]
    # Dora is kept apart from Cleo, who takes a seat over only when the next round is dealt.
    assert dora.post(f"{url}/sit", data={"name": "Dora"}).status_code == 403


def test_block_is_not_shown_to_the_blocked_player(server: Server, ada: Client, ben: Client) -> None:
    url = shared_table(ada, ben)
    with lobby(server, url, ada, ben) as (_hers, his):
        before = (ben.get(url).text, ben.get(f"{url}/people/0").text, ben.get("/you").text, ben.get("/you/data").json())
        seen = len(his.seen)
        block(ada, url, 1, "Ben")
        his.settle()
        assert [message["type"] for message in his.seen[seen:]] == ["pong"]
        after = (ben.get(url).text, ben.get(f"{url}/people/0").text, ben.get("/you").text, ben.get("/you/data").json())
    plain = [re.sub(r'data-filler="[^"]*"|<!--.*?-->', "", str(page)) for page in (*before, *after)]
    assert plain[:4] == plain[4:]


def test_blocked_person_is_listed_on_your_data_until_unblocked(server: Server, ada: Client, ben: Client) -> None:
    url = shared_table(ada, ben)
    assert "Unblock" not in ada.get("/you").text
    block(ada, url, 1, "Ben")
    page = ada.get("/you").text
    assert missing(page, "Unblock Ben", "never be seated together with these people") == []
    assert "Unblock" not in ben.get("/you").text
    assert ada.get("/you/data").json()["blocked"][0]["name"] == "Ben"
    number = given(re.search(r'name="blocked" value="(\d+)"', page))[1]
    assert ben.post("/you/unblock", data={"blocked": number}).status_code == 303
    assert ada.post("/you/unblock", data={"blocked": "all"}).status_code == 303
    assert "Unblock Ben" in ada.get("/you").text
    assert ada.post("/you/unblock", data={"blocked": number}).headers["location"] == "/you?done=unblocked"
    assert "Unblock" not in ada.get("/you").text
    sit(ben, open_table(ada, "open"))


def finished_match_of_three(server: Server, *clients: Client) -> str:
    """Play a game of Uncovered! between Ada, Ben and Cleo to its end and return its address."""
    url = open_table(clients[0], "open", "open", game="uncovered")
    for client, name in zip(clients[1:], ("Ben", "Cleo"), strict=True):
        sit(client, url, name)
    with lobby(server, url, *clients) as lives:
        shown = start_match(*lives)
        while not shown[0]["over"]:
            shown = play_on(lives, shown, last=True)
    return url


def again(client: Client, url: str, answer: str = "yes") -> int:
    return client.post(f"{url}/again", data={"answer": answer}).status_code


def seated(server: Server, url: str) -> dict[str, bool]:
    """Return the persons at the table of the rematch, and whether they have agreed."""
    new = server.session(f"/t/{server.session(url).record.successor}")
    return {seat.name: seat.ready for seat in new.record.seats if seat.kind == "person"}


def test_rematch_opens_the_seat_of_a_player_kept_apart_from_the_asker(server: Server, ada: Client, ben: Client) -> None:
    url = finished_two_player_match(server, ada, ben)
    block(ben, url, 0, "Ada")
    assert again(ben, url) == 303
    new = server.session(f"/t/{server.session(url).record.successor}")
    assert [(seat.name, seat.ready) for seat in new.record.seats] == [("", False), ("Ben", True)]
    answer = ada.post(f"{url}/again", data={"answer": "yes"})
    assert (answer.status_code, REFUSED in answer.text) == (403, True)
    assert seated(server, url) == {"Ben": True}


def test_only_the_first_of_two_blocked_players_who_agrees_gets_a_seat_in_the_rematch(
    server: Server, ada: Client, ben: Client, cleo: Client
) -> None:
    url = finished_match_of_three(server, ada, ben, cleo)
    block(ben, url, 2, "Cleo")
    assert again(ada, url) == 303
    assert seated(server, url) == {"Ada": True}, "no seat is reserved for either of them"
    assert [again(cleo, url), again(ben, url), again(cleo, url)] == [303, 403, 303]
    assert seated(server, url) == {"Ada": True, "Cleo": True}


def test_block_after_a_rematch_was_opened_applies_to_reserved_seats(
    server: Server, ada: Client, ben: Client, cleo: Client
) -> None:
    url = finished_match_of_three(server, ada, ben, cleo)
    assert again(ada, url) == 303
    assert seated(server, url) == {"Ada": True, "Ben": False, "Cleo": False}
    block(ben, url, 2, "Cleo")
    assert again(ben, url) == 303
    assert seated(server, url) == {"Ada": True, "Ben": True}
    assert again(cleo, url) == 403
    block(ben, url, 0, "Ada")
    assert again(ben, url) == 303, "a seat that the person has is not changed"
    assert seated(server, url) == {"Ada": True, "Ben": True}


# --- the page ---------------------------------------------------------------------------------------------------------


def test_only_people_at_the_table_see_the_forms_about_its_other_players(
    server: Server, ada: Client, ben: Client, cleo: Client
) -> None:
    url = shared_table(ada, ben, "low")
    assert f'href="{url}/people/1"' in ada.get(url).text
    open_table(cleo, "open", name="Cleo")
    assert f"{url}/people/" not in cleo.get(url).text
    assert missing(ada.get(f"{url}/people/1").text, "Block Ben", "Report to the operator") == []
    statuses = [ada.get(f"{url}/people/{seat}").status_code for seat in ("0", "2", "3", "-1", "9" * 99, "x")]
    assert statuses == [409, 404, 404, 404, 404, 404]
    assert cleo.get(f"{url}/people/1").status_code == 403
    assert cleo.post(f"{url}/people/1/block", data={"name": "Ben"}).status_code == 403
    cleo.post(f"{url}/watch")
    assert "Block Ben" in cleo.get(f"{url}/people/1").text
    assert report(cleo, url).status_code == 303


def test_form_about_a_player_whose_seat_another_one_got_is_refused(server: Server, ada: Client, ben: Client) -> None:
    url = shared_table(ada, ben)
    assert ada.post(f"{url}/people/1/block", data={"name": "Wren"}).status_code == 409
    assert ada.post(f"{url}/people/1/block").status_code == 409
    assert report(ada, url, name="Wren").status_code == 409
    assert "Unblock" not in ada.get("/you").text
    assert blocks.reports(server.rooms.repository.engine) == []


# --- reports ----------------------------------------------------------------------------------------------------------


def test_report_contains_the_last_five_messages_of_the_reported_player_only(
    server: Server, ada: Client, ben: Client
) -> None:
    url = shared_table(ada, ben)
    with lobby(server, url, ada, ben) as (hers, his):
        for number in range(6):
            hers.send(type="chat", text=f"hers {number}")
            hers.get("chat", text=f"hers {number}")
            his.send(type="chat", text=f"his {number}")
            his.get("chat", text=f"his {number}")
            server.advance(30.0)
    answer = report(ada, url, text=" so\u202e rude\n ")
    assert answer.headers["location"] == f"{url}/people/1?done=reported"
    (found,) = blocks.reports(server.rooms.repository.engine)
    assert (found.reporter, found.person) == (person_of(server, ada).id, person_of(server, ben).id)
    assert (found.name, found.kind, found.text) == ("Ben", "words", "so rude")
    assert found.said == tuple(f"his {number}" for number in range(1, 6))
    assert "Thank you" in ada.get(answer.headers["location"]).text
    exported = ada.get("/you/data").json()["reported"]
    assert [(one["name"], one["text"]) for one in exported] == [("Ben", "so rude")]
    assert ben.get("/you/data").json()["reported"] == []


def test_report_of_a_running_match_contains_no_move_and_no_card(server: Server, ada: Client, ben: Client) -> None:
    url = shared_table(ada, ben, game="reveal")
    with lobby(server, url, ada, ben) as lives:
        play_on(lives, start_match(*lives))
    assert report(ada, url, kind="name").status_code == 303
    (found,) = blocks.reports(server.rooms.repository.engine)
    assert (found.said, found.text, found.kind) == ((), "", "name")


def test_malformed_reports_are_shown_again_with_the_reason(server: Server, ada: Client, ben: Client) -> None:
    url = shared_table(ada, ben)
    long = report(ada, url, text="<" * (REPORT_LENGTH + 1))
    assert (long.status_code, "at most 200 characters; this one has 201" in long.text) == (422, True)
    assert "<<" not in long.text
    unknown = report(ada, url, kind="face", text="the text is kept")
    assert (unknown.status_code, "Choose what you want to report" in unknown.text) == (422, True)
    assert "the text is kept" in unknown.text
    assert blocks.reports(server.rooms.repository.engine) == []


def test_reports_are_limited_by_person_and_by_address_within_a_day(start_server: Serve) -> None:
    server, before = start_server(), refusals("reports")
    ada, ben, *others = server.guests(7)
    url = shared_table(ada, ben)
    for client in others:
        client.post(f"{url}/watch")
    statuses = [[report(client, url).status_code for _try in range(6)] for client in (ada, *others[:4])]
    assert statuses == [[303] * 5 + [429]] * 4 + [[429] * 6]
    assert "enough reports for one day" in report(ada, url).text
    assert refusals("reports") == before + 11
    assert len(blocks.reports(server.rooms.repository.engine)) == 20
    server.advance(86_401.0)
    # The server has closed the connections, which were silent for a day.
    assert report(server.client_of(token_of(ada)), url).status_code == 303


def test_retention_job_deletes_old_reports_whatever_the_settings_are(start_server: Serve) -> None:
    server = start_server(keep_lobby_days=0)
    ada, ben = server.guests(2)
    assert "This is stored for 180 days." in ada.get("/privacy").text
    assert report(ada, shared_table(ada, ben)).status_code == 303
    rooms, engine = server.rooms, server.rooms.repository.engine
    for days, left in ((REPORT_DAYS - 1, 1), (2, 0)):
        server.advance(days * DAY)
        server.within(retention_job.delete_expired(rooms.settings, rooms.store, rooms.now))
        assert len(blocks.reports(engine)) == left


def test_blocks_and_reports_do_not_appear_in_the_log(log_output: io.StringIO, start_server: Serve) -> None:
    server = start_server(log_requests=True)
    ada, ben = server.guests(2)
    url = shared_table(ada, ben, name="Adalberta")
    with Live(server, ben, url) as live:
        live.hello(kind="lobby")
        live.send(type="chat", text="an unkind sentence")
        live.get("chat")
    block(ada, url, 1, "Ben")
    assert report(ada, url, text="quite a secret text").status_code == 303
    assert ada.get(f"{url}/people/1?done=reported").status_code == 200
    text = log_output.getvalue()
    assert "/t/{code}/people/{seat}/report" in text
    for secret in ("secret text", "unkind", "Adalberta", "Ben", code_of(url), "done=reported", ada.cookies[COOKIE]):
        assert secret not in text


def test_block_stored_by_another_process_applies_to_the_next_request(server: Server, ada: Client, ben: Client) -> None:
    url = shared_table(ada, ben)
    one, other = (person_of(server, client).id for client in (ada, ben))
    another = open_table(ada, "open", "open")
    blocks.block(server.rooms.repository.engine, one, other, "Ben", 1.0)
    assert ben.post(f"{another}/sit", data={"name": "Ben"}).status_code == 403
    blocks.unblock(server.rooms.repository.engine, one, other)
    sit(ben, another)
    assert server.session(url).record.seats[1].person == other
