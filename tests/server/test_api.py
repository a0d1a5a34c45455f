"""The JSON API, as a bot's author uses it."""

from __future__ import annotations

import itertools
import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from httpx import Client

from facedown.core.match import Match
from facedown.core.seeds import commitment_of
from tests.server.cases import cases
from tests.server.programs import API, Player, bearer, joined, make, problem, seated, two
from tests.server.serving import PATIENCE, Server, Visitor, code_of, open_table, token_of


@pytest.mark.slow
def test_two_programs_play_a_match_to_its_end(ada: Client, seed: int) -> None:
    luck = random.Random(seed)
    players = two(ada)
    while (views := [player.view() for player in players])[0]["status"] != "finished":
        seat = luck.choice(views[0]["acting"])
        chosen = luck.choice(views[seat]["legal"])
        move = {"words": chosen["words"]} if luck.random() < 0.5 else {"action": chosen["action"]}
        answer = players[seat].move(**move, version=views[seat]["version"])
        assert answer.status_code == 200, answer.text
        assert answer.json()["version"] > views[seat]["version"]
    code = views[0]["code"]
    match = ada.get(f"{API}/matches/{code}").json()
    assert commitment_of(bytes.fromhex(match["seed"])) == match["commitment"]
    replayed = Match("detect", 2, match["options"], bytes.fromhex(match["seed"]))
    for played in match["moves"]:
        assert replayed.game.words.parse(played["words"]) == played["action"]
        replayed.play(played["seat"], played["action"])
    assert replayed.over
    assert replayed.game.returns(replayed.state) == match["returns"]
    assert match["seats"] == ["Ada", "Ben"]


def test_a_spectator_sees_what_is_public(ada: Client) -> None:
    first, _ = two(ada)
    view = ada.get(f"{first.path}/view").json()
    assert "not over" in problem(ada.get(f"{API}/matches/{first.code}"), 409, "conflict")
    assert (view["seat"], view["legal"], view["table"]["step"]["choices"]) == (None, [], [])


def test_the_same_move_counts_once(server: Server, ada: Client) -> None:
    (plain, _), (named, _) = two(ada), two(ada)
    other = {"words": "open a1 b2", "version": 0}
    for player, move in ((plain, {"action": 3, "version": 0}), (named, {"action": 3, "version": 0, "token": "one"})):
        assert [player.move(**move).status_code for _ in range(3)] == [200] * 3
        problem(player.move(**other, token="two"), 409, "stale")
        assert [m.action for m in server.session(player.code).moves] == [3]
    assert "another move" in problem(named.move(action=4, version=0, token="one"), 409, "conflict")


@cases("moves that the API refuses")
def test_a_wrong_move_says_why_and_changes_nothing(
    server: Server, ada: Client, move: dict[str, Any], status: int, code: str, says: str
) -> None:
    player, _ = two(ada)
    revision = server.rooms.repository.revision(player.code)
    assert says in problem(player.move(**move), status, code)
    assert server.rooms.repository.revision(player.code) == revision


def test_a_move_out_of_turn_and_a_late_one(ada: Client) -> None:
    players = two(ada)
    for player in players:
        player.move(action=0, version=player.view()["version"])
    view = players[0].view()
    acting = view["acting"][0]
    out_of_turn = players[1 - acting].move(action=0, version=view["version"])
    assert "to choose" in problem(out_of_turn, 409, "not-your-turn")
    late = players[acting].play(view | {"legal": players[acting].view()["legal"], "version": 0})
    assert "too late" in problem(late, 409, "stale")


def test_the_token_decides_whose_seat_it_is(ada: Client) -> None:
    first, _ = two(ada)
    other, move = seated(ada, "me", "low"), {"action": 0, "version": 0}
    foreign, nobody = Player(ada, first.code, other.token), Player(ada, first.code, "made-up")
    assert "another table" in problem(foreign.move(**move), 403, "forbidden")
    assert "unknown" in problem(nobody.move(**move), 401, "unauthorized")
    for headers in ({}, {"Authorization": "Basic YTpi"}):
        answer = ada.post(f"{first.path}/moves", headers=headers, json=move)
        assert problem(answer, 401, "unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"
    # A cookie is no credential here.
    path = f"{API}/tables/{code_of(open_table(ada, 'low'))}/moves"
    problem(ada.post(path, json=move, headers=bearer(token_of(ada))), 401, "unauthorized")


def test_a_full_table_an_unknown_one_and_one_without_spectators(ada: Client) -> None:
    first, _ = two(ada)
    assert "taken" in problem(ada.post(f"{first.path}/seats", json={"name": "Cleo"}), 409, "full")
    assert "ZZZZ" in problem(ada.get(f"{API}/tables/ZZZZ"), 404, "unknown")
    view = f"{seated(ada, 'me', 'low', spectators=False).path}/view"
    problem(ada.get(view), 401, "unauthorized")
    problem(ada.get(view, headers=first.headers), 403, "forbidden")


@cases("tables that the API refuses")
def test_a_table_that_cannot_be_says_why(ada: Client, change: dict[str, Any], status: int, says: str) -> None:
    body = {"game": "detect", "name": "Ada", "seats": ["me", "open"]} | change
    answer = ada.post(f"{API}/tables", json=body)
    assert answer.status_code == status, answer.text
    assert says.lower() in answer.json()["reason"].lower()


def test_a_body_without_a_length_is_bounded_too(ada: Client) -> None:
    def much() -> Any:
        for _ in range(100):
            yield b"x" * 1024

    answer = ada.post(f"{API}/tables", content=much(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


def test_the_lobby_by_api(ada: Client) -> None:
    host = seated(ada, "me", "open", "open")
    other = joined(ada, host.code, ready=False)

    def bot(level: str | None) -> Any:
        answer = host.ask("PUT", "seats/2/bot", {"bot": level}).json()
        return answer["seats"][2]["name"], answer["seats"][2]["kind"], answer["status"]

    problem(other.ask("PUT", "seats/2/bot", {"bot": "low"}), 403, "forbidden")
    assert [bot(level)[0] for level in ("low", None, "high")] == ["Juniper", "", "Juniper"]
    assert bot(None)[1:] == ("open", "lobby")
    bot("high")
    assert "not dealt yet" in problem(host.move(action=0, version=0), 409, "conflict")
    assert other.ask("PUT", "seats/me/ready", {"ready": True}).json()["status"] == "running"
    problem(other.ask("PUT", "seats/me/ready", {"ready": False}), 409, "conflict")
    assert other.ask("DELETE", "seats/me").json()["seats"][1]["name"] == "Ben"


def test_bots_alone_play_by_themselves(ada: Client) -> None:
    made = make(ada, "high", "high")
    assert (made["seat"], made["token"]) == (None, None)
    path, version = f"{API}/tables/{made['table']['code']}/view", -1
    while (view := ada.get(path, params={"beyond": version}).json())["status"] != "finished":
        assert view["version"] > version
        version = view["version"]


def test_waiting_for_news(ada: Client, ben: Client) -> None:
    first, second = two(ada)
    second.client = ben
    assert first.view(beyond=0, wait=0)["version"] == 0
    asked: list[float] = []

    def wait() -> int:
        # Nobody can wait for longer in one request; a slow machine may take as long until the move is played.
        version = 0
        while version == 0:
            asked.append(time.monotonic())
            version = second.view(beyond=0, wait=25)["version"]
        return version

    with ThreadPoolExecutor(1) as people:
        waiting = people.submit(wait)
        first.move(action=0, version=0)
        assert waiting.result(PATIENCE) == 1
    assert all(later - before >= 25 for before, later in itertools.pairwise(asked)), "not answered at once"


def test_one_person_at_several_tables(ada: Client) -> None:
    first = seated(ada, "me", "low")
    body = {"game": "detect", "name": "Ada", "seats": ["me", "open"]}
    made = ada.post(f"{API}/tables", json=body, headers=first.headers).json()
    listed = ada.get(f"{API}/tables", headers=first.headers).json()["tables"]
    assert [(t["table"]["code"], t["token"]) for t in listed] == [(made["table"]["code"], None), (first.code, None)]
    problem(ada.get(f"{API}/tables"), 401, "unauthorized")


def test_two_programs_send_at_the_same_time(visitor: Visitor, server: Server) -> None:
    """Both seats are to act at once, each sends each action from four threads: one of each seat counts."""
    players = two(visitor())
    mine = [Player(visitor(), player.code, player.token) for player in players * 4]
    gate = threading.Barrier(8)

    def send(index: int) -> int:
        gate.wait()
        return mine[index].move(action=index, version=0).status_code

    with ThreadPoolExecutor(8) as threads:
        assert sorted(threads.map(send, range(8))) == [200] * 2 + [409] * 6
    session = server.session(players[0].code)
    assert sorted(m.seat for m in session.moves[:2]) == [0, 1]
    assert session.ply == 2
