"""Use on another device, and the record page, over HTTP."""

from __future__ import annotations

import io
import random
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from httpx import Client

from facedown.core import game_registry as registry
from facedown.core.match import Match
from facedown.core.match_actions import AGREED_END, RESIGN
from facedown.play import new_table
from facedown.play.records import Agreements, Seat, StoredMove
from facedown.server.http import record
from facedown.server.http.visitors import COOKIE
from facedown.store import bans, outcomes
from facedown.study.match_analysis import AnalyzedMove, moves_to_json
from tests.not_none import given
from tests.play.table import LowBots
from tests.server.http_server import (
    Calls,
    Serve,
    Server,
    Visitor,
    code_of,
    finished,
    lobby,
    missing,
    module_server,
    open_table,
    refusals,
    token_of,
)
from tests.server.test_account_and_privacy import who
from tests.server.test_logs import log_output as log_output

server = module_server()
GONE = "each link works once and for ten minutes"


def person_id(server: Server, client: Client) -> int:
    return given(server.rooms.repository.person_by_browser_token(token_of(client))).id


@pytest.fixture
def ada(visitor: Visitor) -> Client:
    """A visitor named Ada who has a table."""
    client = visitor()
    open_table(client, "open")
    return client


def link_of(client: Client) -> str:
    """Make a link for another device and return its path."""
    answer = client.post("/you/device")
    assert (answer.status_code, 'class="qr"' in answer.text) == (200, True)
    (link,) = set(re.findall(r'data-copy="([^"]*)"', answer.text))
    assert f">{link}</p>" in answer.text
    return str(link.removeprefix(str(client.base_url).rstrip("/")))


# --- another device ---------------------------------------------------------------------------------------------------


def test_link_makes_another_browser_the_same_person_once(ada: Client, ben: Client) -> None:
    assert "Make a link" in ada.get("/you/device").text
    old, link = link_of(ada), link_of(ada)
    assert link.startswith("/device/")
    assert ben.get(old).status_code == 404
    for _preview in range(3):
        page = ben.get(link)
        assert missing(page.text, "Use Facedown as Ada in this browser?", 'name="robots" content="noindex"') == []
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["referrer-policy"] == "same-origin"
        assert "og:" not in page.text
    answer = ben.post(link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert (who(ada), who(ben)) == ("Ada", "Ada")
    assert token_of(ada) != token_of(ben)
    for again in (ben.get(link), ben.post(link), ada.post("/device/x"), ada.get("/device/" + "é" * 50)):
        assert (again.status_code, GONE in again.text) == (404, True)


def test_link_expires_after_ten_minutes(server: Server, ada: Client, ben: Client) -> None:
    link = link_of(ada)
    server.advance(590.0)
    assert ben.get(link).status_code == 200
    server.advance(11.0)
    assert (ben.get(link).status_code, ben.post(link).status_code) == (404, 404)
    assert COOKIE not in ben.cookies


def test_two_browsers_that_use_a_link_at_once_get_one_cookie(ada: Client, visitor: Visitor) -> None:
    link, clients = link_of(ada), [visitor() for _ in range(4)]
    with ThreadPoolExecutor(4) as threads:
        statuses = sorted(threads.map(lambda client: client.post(link).status_code, clients))
    assert statuses == [303, 404, 404, 404]
    assert [COOKIE in client.cookies for client in clients].count(True) == 1


def test_browser_of_another_person_is_warned_and_the_same_person_does_not_use_the_link(
    server: Server, ada: Client, ben: Client
) -> None:
    open_table(ben, "open", name="Ben")
    link = link_of(ada)
    assert missing(ben.get(link).text, "You’re Ben in this browser now", "Go back", "Continue as Ada") == []
    assert "already this person" in ada.get(link).text
    assert (ada.post(link).status_code, ada.get(link).status_code) == (303, 200)
    # The browser's earlier key is deleted if a link had added it, and kept if it is the person's first one.
    first = token_of(ben)
    assert ben.post(link).status_code == 303
    second = token_of(ben)
    assert who(server.client_of(first)) == "Ben"
    assert ben.post(link_of(server.client_of(first))).status_code == 303
    assert who(ben) == "Ben"
    assert who(server.client_of(second)) is None


def test_strangers_can_make_no_link(visitor: Visitor) -> None:
    stranger = visitor()
    assert [answer.status_code for answer in (stranger.get("/you/device"), stranger.post("/you/device"))] == [403, 403]


def test_signing_out_in_a_browser_added_by_a_link_invalidates_its_key_only(
    server: Server, ada: Client, ben: Client
) -> None:
    url = open_table(ada, "open")
    assert ben.post(link_of(ada)).status_code == 303
    added = server.client_of(token_of(ben))
    with lobby(server, url, added) as (live,):
        assert ben.post("/you/out").status_code == 303
        live.until_closed()
    assert who(added) is None
    assert who(ada) == "Ada"


@pytest.mark.parametrize(("path", "form"), [("/you/out", {"everywhere": "on"}), ("/you/key", {})])
def test_signing_out_everywhere_and_a_new_key_revoke_added_browsers_and_links(
    path: str, form: dict[str, str], server: Server, ada: Client, ben: Client, visitor: Visitor
) -> None:
    url = open_table(ada, "open")
    assert ben.post(link_of(ada)).status_code == 303
    first, link = server.client_of(token_of(ada)), link_of(ada)
    with lobby(server, url, ada) as (live,):
        assert ben.post(path, data=form).status_code == 303
        live.until_closed()
    assert who(first) is None
    assert who(ben) == "Ada" if path == "/you/key" else who(ben) is None
    assert visitor().post(link).status_code == 404


def test_banned_person_can_neither_make_nor_use_a_link(server: Server, ada: Client, ben: Client) -> None:
    link, engine = link_of(ada), server.rooms.repository.engine
    bans.add_or_replace_ban(engine, "person", str(person_id(server, ada)), "", time.time())
    server.within(server.app.state.banned.reload())
    answers = (ben.get(link), ben.post(link), ada.post("/you/device"))
    assert [answer.status_code for answer in answers] == [403, 403, 403]
    bans.remove_ban(engine, "person", str(person_id(server, ada)))
    server.within(server.app.state.banned.reload())
    assert ben.post(link).status_code == 303


def test_wrong_links_count_as_failed_sign_ins(start_server: Serve) -> None:
    ada, eve, ben = start_server(wrong_tokens_at_once=5, wrong_tokens_a_minute=0.001).guests(3)
    open_table(ada, "open")
    link, before = link_of(ada), refusals("wrong-tokens")
    assert [eve.get(f"/device/{number:043}").status_code for number in range(7)] == [404] * 5 + [429] * 2
    assert refusals("wrong-tokens") == before + 2
    assert ben.post(link).status_code == 429
    assert who(ada) == "Ada", "browsers known before are not locked out"


def test_links_and_keys_do_not_appear_in_the_log(log_output: io.StringIO, start_server: Serve) -> None:
    ada, ben = start_server(log_requests=True).guests(2)
    open_table(ada, "open", name="Adalberta")
    link = link_of(ada)
    assert [ben.get(link).status_code, ben.post(link).status_code, ben.post(link).status_code] == [200, 303, 404]
    text = log_output.getvalue()
    assert "/device/{token}" in text
    for secret in (code_of(link), token_of(ben), "Adalberta"):
        assert secret not in text


# --- record -----------------------------------------------------------------------------------------------------------


def play_out(server: Server, person: int, game: str, end: int = 0, **more: Any) -> str:
    """Store a match of a person in seat 0 against a bot, played at random, and return its code.

    `end` is an action of seat 0 that ends the match early.
    """
    rooms = server.rooms
    server.within(rooms.preparations.load_rules(game))
    seats = [Seat("person", "Ada", person), Seat("bot", "Wren", level="low")]
    made = new_table(game, ["low", "low"], LowBots(), rooms.now(), host=None)
    fields: dict[str, Any] = {"status": "finished", "finished": rooms.now(), "seats": tuple(seats)} | more
    made = replace(made, **fields)
    match, rnd = made.new_match(), random.Random(made.seed)
    while not match.over:
        if end and match.ply == 1:
            match.play(0, end)
        else:
            seat = rnd.choice(match.acting)
            match.play(seat, rnd.choice(match.legal(seat)))
    moves = [StoredMove(ply, move.seat, move.action, 1.0, f"t{ply}") for ply, move in enumerate(match.moves)]
    rooms.repository.create(made, moves)
    return made.code


def match_of(server: Server, code: str) -> Match:
    return server.session(code).dealt_match


def numbers_of(page: str) -> list[int]:
    """Return the numbers of matches and of wins on a record page."""
    return [int(number) for number in re.findall(r"<dd>(\d+)</dd>", page[: page.index("record-parts")])]


def test_record_counts_matches_by_game_and_level_and_links_the_latest(
    server: Server, ada: Client, ben: Client, visitor: Visitor
) -> None:
    assert "No finished matches yet." in visitor().get("/record").text
    assert "No finished matches yet." in ada.get("/record").text
    open_table(ben, "open", name="Benedict")
    others = finished(server, ben)
    url, together = finished(server, ada), finished(server, ada, game="uncovered")
    page = ada.get("/record").text
    won = [0 in server.session(one).table(0).winners for one in (url, together)]
    assert numbers_of(page) == [2, sum(won)]
    assert missing(page, f"1 match, {won[0]:d} won<", f"1 match, {won[1]:d} won together<") == []
    assert missing(page, f"{won[0]:d} of 1 won<", f"{won[1]:d} of 1 won together<", ">Low<", ">High<") == []
    for one in (url, together):
        result = server.session(one).table(0).result.replace("**", "").replace("'", "&#39;")
        row = page[page.index(f'href="{one}"') :]
        assert result in row[: row.index("</a>")]
    assert missing(page, 'href="/you/data"', 'href="/you#forget"', "as a guest in 2 finished matches") == []
    assert [others in page, "Benedict" in page] == [False, False]
    assert 'href="/record"' in ada.get("/").text
    assert missing(ada.get("/you").text, 'href="/record"', 'href="/you/device"', 'id="forget"') == []
    german = ada.get("/record", params={"lang": "de"}).text
    assert missing(german, "Deine Bilanz", "gewonnen") == []


def test_winners_of_early_ends_and_of_cooperative_losses_are_those_of_the_result_page(
    server: Server, ada: Client
) -> None:
    ada_id = person_id(server, ada)
    codes = [play_out(server, ada_id, "reveal", end=end) for end in (RESIGN, AGREED_END, 0)]
    codes += [play_out(server, ada_id, "uncovered", end=end) for end in (RESIGN, 0, 0, 0)]
    assert ada.get("/record").status_code == 200
    _matches, known = outcomes.finished_matches(server.rooms.repository.engine, ada_id)
    expected = {
        given(server.rooms.repository.table_id(one)): list(server.session(one).table(1).winners) for one in codes
    }
    assert known == expected
    assert list(expected.values())[:2] == [[1], []]
    assert list(expected.values())[3] == []


def test_match_that_the_player_resigned_is_not_won_even_if_the_bot_that_played_on_won(
    server: Server, ada: Client
) -> None:
    ada_id = person_id(server, ada)
    codes = [play_out(server, ada_id, "reveal", agreements=Agreements(resigned=(0,))) for _match in range(10)]
    winners = [server.session(code).table(0).winners for code in codes]
    assert (0,) in winners
    assert numbers_of(ada.get("/record").text) == [10, 0]


def test_matches_that_cannot_be_counted_are_named(server: Server, ada: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ada_id = person_id(server, ada)
    play_out(server, ada_id, "reveal")
    play_out(server, ada_id, "detect", rules_version=999)
    play_out(server, ada_id, "scout")
    there = {name: info for name, info in registry.catalogue().items() if name != "scout"}
    monkeypatch.setattr(registry, "catalogue", lambda: there)
    for _load in range(2):
        page = ada.get("/record").text
        assert numbers_of(page)[0] == 1
        assert missing(page, "2 matches can’t be counted", "as a guest in 3 finished matches") == []


def test_older_matches_are_counted_by_later_requests_and_only_once(
    server: Server, ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada_id = person_id(server, ada)
    for _match in range(5):
        play_out(server, ada_id, "reveal")
    calls = Calls()
    calls.count(monkeypatch, record, "_winners_and_sentence")
    monkeypatch.setattr(record, "RESULTS", 1)
    monkeypatch.setattr(record, "COMPUTING_SECONDS", -1.0)
    pages = [ada.get("/record").text for _load in range(5)]
    assert [numbers_of(page)[0] for page in pages] == [2, 3, 4, 5, 5]
    texts = [
        "3 older matches aren’t counted yet. Reload",
        "2 older matches aren’t",
        "One older match isn’t counted yet",
    ]
    assert [words in page for words, page in zip(texts, pages, strict=False)] == [True] * 3
    assert "counted" not in pages[3]
    assert calls["_winners_and_sentence"] == 4 * 2 + 1
    monkeypatch.setattr(record, "COMPUTING_SECONDS", 3600.0)
    monkeypatch.setattr(record, "BATCH", 2)
    for _match in range(5):
        play_out(server, ada_id, "reveal")
    assert numbers_of(ada.get("/record").text)[0] == 10


def test_chances_are_drawn_from_a_stored_analysis_only(
    server: Server, ada: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, ada_id = server.rooms.repository, person_id(server, ada)
    older, code = play_out(server, ada_id, "reveal"), play_out(server, ada_id, "reveal")
    assert "chance-line" not in ada.get("/record").text
    store = repository.reviews.store_review_json
    number = given(repository.table_id(code))
    store(number, 0, '{"form": 0}', 1.0)
    assert "chance-line" not in ada.get("/record").text
    own = next(ply for ply, move in enumerate(match_of(server, code).moves) if move.seat == 0)
    action = match_of(server, code).moves[own].action
    judged = AnalyzedMove(own, 0, action, "best", 0.75, 0.0, 0.0, False, 8, 0, 0, 0, False, None, -1)
    store(number, 0, moves_to_json([judged]), 1.0)
    store(given(repository.table_id(older)), 0, moves_to_json([replace(judged, chance=0.25)]), 1.0)
    page = ada.get("/record").text
    row = page[page.index("chance-line") :]
    assert re.search(r'class="line" d="M0 50L[\d.]+ 25L1000 (0|100)"', row[: row.index("</svg>")])
    assert repository.jobs.count_waiting_and_running("review") == 0
