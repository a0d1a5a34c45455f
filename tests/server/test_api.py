"""The JSON API as the author of a bot uses it, and the WebSocket that sends a program all that its seat knows."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from httpx import Client, Response
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from facedown.core.game_registry import catalogue, info
from facedown.core.hidden_cards import known_view, shown_view
from facedown.core.match import Match
from facedown.core.seeds import commitment_of
from facedown.core.state import SPECTATOR, to_bytes
from facedown.core.view_json import view_from_fields
from facedown.play import Refusal, Settings
from facedown.server import rendering
from facedown.server.connection import program_view, viewer_page_data
from facedown.server.http import api
from tests.play.table import dealt, lobby, play_by_chance
from tests.server.api_players import API, Player, bearer, create_table, join_table, new_player, problem, two_players
from tests.server.http_server import PATIENCE, Live, Server, Visitor, code_of, open_table, serving, sit, token_of
from tests.server.request_cases import cases


@pytest.mark.slow
def test_two_programs_play_a_whole_match_by_api_and_its_record_replays(ada: Client, seed: int) -> None:
    luck = random.Random(seed)
    players = two_players(ada)
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


def test_api_shows_spectators_a_view_without_moves_and_refuses_strangers_with_error_codes(ada: Client) -> None:
    first, _ = two_players(ada)
    view = ada.get(f"{first.path}/view").json()
    assert "not over" in problem(ada.get(f"{API}/matches/{first.code}"), 409, "conflict")
    assert (view["seat"], view["legal"], view["table"]["step"]["choices"]) == (None, [], [])
    first, _ = two_players(ada)
    assert "taken" in problem(ada.post(f"{first.path}/seats", json={"name": "Cleo"}), 409, "full")
    assert "ZZZZ" in problem(ada.get(f"{API}/tables/ZZZZ"), 404, "unknown")
    view = f"{new_player(ada, 'me', 'low', spectators=False).path}/view"
    problem(ada.get(view), 401, "unauthorized")
    problem(ada.get(view, headers=first.headers), 403, "forbidden")


def test_move_sent_three_times_by_api_counts_once(server: Server, ada: Client) -> None:
    (plain, _), (named, _) = two_players(ada), two_players(ada)
    other = {"words": "open a1 b2", "version": 0}
    for player, move in ((plain, {"action": 3, "version": 0}), (named, {"action": 3, "version": 0, "token": "one"})):
        assert [player.move(**move).status_code for _ in range(3)] == [200] * 3
        problem(player.move(**other, token="two"), 409, "stale")
        assert [m.action for m in server.session(player.code).moves] == [3]
    assert "another move" in problem(named.move(action=4, version=0, token="one"), 409, "conflict")


@cases("moves that the API refuses")
def test_api_refuses_illegal_move_with_reason_and_saves_nothing(
    server: Server, ada: Client, move: dict[str, Any], status: int, code: str, says: str
) -> None:
    player, _ = two_players(ada)
    revision = server.rooms.repository.revision(player.code)
    assert says in problem(player.move(**move), status, code)
    assert server.rooms.repository.revision(player.code) == revision


def test_api_refuses_moves_out_of_turn_and_moves_for_an_outdated_table_version(ada: Client) -> None:
    players = two_players(ada)
    for player in players:
        player.move(action=0, version=player.view()["version"])
    view = players[0].view()
    acting = view["acting"][0]
    out_of_turn = players[1 - acting].move(action=0, version=view["version"])
    assert "to choose" in problem(out_of_turn, 409, "not-your-turn")
    late = players[acting].play(view | {"legal": players[acting].view()["legal"], "version": 0})
    assert "too late" in problem(late, 409, "stale")


def test_api_moves_need_the_bearer_token_of_a_seat_at_the_table(ada: Client) -> None:
    first, _ = two_players(ada)
    other, move = new_player(ada, "me", "low"), {"action": 0, "version": 0}
    foreign, nobody = Player(ada, first.code, other.token), Player(ada, first.code, "made-up")
    assert "another table" in problem(foreign.move(**move), 403, "forbidden")
    assert "not valid" in problem(nobody.move(**move), 401, "unauthorized")
    for headers in ({}, {"Authorization": "Basic YTpi"}):
        answer = ada.post(f"{first.path}/moves", headers=headers, json=move)
        assert problem(answer, 401, "unauthorized")
        assert answer.headers["www-authenticate"] == "Bearer"
    # A cookie is no credential for the API.
    path = f"{API}/tables/{code_of(open_table(ada, 'low'))}/moves"
    problem(ada.post(path, json=move, headers=bearer(token_of(ada))), 401, "unauthorized")


@cases("tables that the API refuses")
def test_api_refuses_to_create_a_table_with_invalid_settings_and_says_why(
    ada: Client, change: dict[str, Any], status: int, says: str
) -> None:
    body = {"game": "detect", "name": "Ada", "seats": ["me", "open"]} | change
    answer = ada.post(f"{API}/tables", json=body)
    assert answer.status_code == status, answer.text
    assert says.lower() in answer.json()["reason"].lower()


def test_api_refuses_chunked_request_body_over_the_limit_with_413(ada: Client) -> None:
    def much() -> Any:
        for _ in range(100):
            yield b"x" * 1024

    answer = ada.post(f"{API}/tables", content=much(), headers={"Content-Type": "application/json"})
    assert answer.status_code == 413


def test_host_adds_and_removes_bots_by_api_and_a_guest_gets_ready_or_leaves(ada: Client) -> None:
    host = new_player(ada, "me", "open", "open")
    other = join_table(ada, host.code, ready=False)

    def bot(level: str | None) -> Any:
        answer = host.ask("PUT", "seats/2/bot", {"bot": level}).json()
        return answer["seats"][2]["name"], answer["seats"][2]["kind"], answer["status"]

    problem(other.ask("PUT", "seats/2/bot", {"bot": "low"}), 403, "forbidden")
    assert [bot(level)[0] for level in ("low", None, "high")] == ["Juniper", "", "Juniper"]
    assert bot(None)[1:] == ("open", "lobby")
    bot("high")
    assert "cards haven’t been dealt yet" in problem(host.move(action=0, version=0), 409, "conflict")
    assert other.ask("PUT", "seats/me/ready", {"ready": True}).json()["status"] == "running"
    problem(other.ask("PUT", "seats/me/ready", {"ready": False}), 409, "conflict")
    assert other.ask("DELETE", "seats/me").json()["seats"][1]["name"] == "Ben"


def test_match_at_a_table_created_with_only_bots_is_played_to_its_end(ada: Client) -> None:
    made = create_table(ada, "high", "high")
    assert (made["seat"], made["token"]) == (None, None)
    path, version = f"{API}/tables/{made['table']['code']}/view", -1
    while (view := ada.get(path, params={"beyond": version}).json())["status"] != "finished":
        assert view["version"] > version
        version = view["version"]


def test_api_view_with_wait_returns_when_another_player_moves(ada: Client, ben: Client) -> None:
    first, second = two_players(ada)
    second.client = ben
    assert first.view(beyond=0, wait=0)["version"] == 0
    asked: list[float] = []

    def wait() -> int:
        # 25 s is the longest wait of one request. A slow machine may need several requests until the move is played.
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


def test_api_lists_all_tables_of_a_token_owner(ada: Client) -> None:
    first = new_player(ada, "me", "low")
    body = {"game": "detect", "name": "Ada", "seats": ["me", "open"]}
    made = ada.post(f"{API}/tables", json=body, headers=first.headers).json()
    listed = ada.get(f"{API}/tables", headers=first.headers).json()["tables"]
    assert [(t["table"]["code"], t["token"]) for t in listed] == [(made["table"]["code"], None), (first.code, None)]
    problem(ada.get(f"{API}/tables"), 401, "unauthorized")


def test_exactly_one_of_several_simultaneous_moves_per_seat_is_accepted_by_the_api(
    visitor: Visitor, server: Server
) -> None:
    """Both seats act at once. Four threads per seat each send another action, and one of each seat counts."""
    players = two_players(visitor())
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


NOW = 99.0
OpenProgram = Callable[..., "Program"]


class Program(Live):
    """The WebSocket of a program."""

    def __init__(self, server: Server, player: Player, token: str = "", scheme: str = "Bearer") -> None:
        address = f"ws://127.0.0.1:{server.port}/t/{player.code}/live"
        headers = {"Authorization": f"{scheme} {token or player.token}"}
        self.socket = connect(address, additional_headers=headers, max_size=None, open_timeout=PATIENCE)
        self.seen = []
        self._open = ExitStack()
        self._open.enter_context(self.socket)

    def ask(self) -> None:
        self.send(type="hello", version=0, known=True)

    def get(self, kind: str, **wanted: Any) -> dict[str, Any]:
        """Return the next message, which must be of this kind."""
        message: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        assert message["type"] == kind, message
        return message


@pytest.fixture
def open_program(server: Server) -> Iterator[OpenProgram]:
    """Return a function that opens WebSockets with a token."""
    with ExitStack() as stack:
        yield lambda *given, **named: stack.enter_context(Program(server, *given, **named))


def asked(player: Player, **query: Any) -> Response:
    return player.ask("GET", "known", **query)


def test_all_that_a_seat_knows_is_sent_only_to_api_programs_or_if_the_memory_aid_is_on() -> None:
    for memory in (False, True):
        session = dealt(settings=Settings(memory=memory))
        program_view.require_known_view_allowed(session, by_token=True)
        with contextlib.nullcontext() if memory else pytest.raises(Refusal, match="only a program"):
            program_view.require_known_view_allowed(session, by_token=False)
    with pytest.raises(Refusal, match="no seat"):
        program_view.known_fields(session, None, NOW)
    assert program_view.known_message(session, SPECTATOR, [], NOW).code == "forbidden"  # type: ignore[union-attr]
    with pytest.raises(Refusal, match="cards haven’t been dealt yet"):
        program_view.known_fields(lobby(), 0, NOW)


def test_program_with_a_seat_token_receives_all_that_its_seat_knows_over_the_websocket(
    server: Server, ada: Client, open_program: OpenProgram
) -> None:
    made = create_table(ada, "me", "open")
    player = Player(ada, made["table"]["code"], made["token"])
    assert [seat["program"] for seat in made["table"]["seats"]] == [True, False]
    live = open_program(player)
    live.ask()
    assert set(live.get("lobby")) == {"type", "version", "say", "title", "filler"}
    assert "cards haven’t been dealt yet" in problem(asked(player), 409, "conflict")
    joined = ada.post(f"{player.path}/seats", json={"name": "Ben"}).json()
    assert [seat["program"] for seat in joined["table"]["seats"]] == [True, True]
    while (message := json.loads(live.socket.recv(timeout=PATIENCE)))["type"] == "lobby":
        pass
    session = server.session(player.code)
    assert message.pop("filler")
    assert (message.pop("type"), message.pop("say")) == ("known", ["Ben joined the table.", "Dealing the cards."])
    assert message == {key: value for key, value in asked(player).json().items() if key not in ("code", "status")}
    assert to_bytes(view_from_fields(session.game.dtype, message["view"])) == to_bytes(session.dealt_match.known(0))
    assert message["legal"] == session.legal(0)
    live.send(type="move", action=message["legal"][3], version=message["version"])
    # Ben has sent no request since, so he may be shown as away, which is a message of its own.
    while (after := live.get("known"))["version"] == message["version"]:
        pass
    assert after["version"] == 1
    assert after["view"] != message["view"]
    assert after["say"]


def test_lobby_page_labels_seats_that_are_taken_by_api_programs(ada: Client, ben: Client) -> None:
    player = new_player(ada, "me", "open", "open")
    sit(ben, f"/t/{player.code}")
    page = ben.get(f"/t/{player.code}").text
    assert page.count('<span class="line">program, ready') == 1
    assert "not ready yet" in page
    assert [seat["program"] for seat in ben.get(player.path).json()["seats"]] == [True, False, False]


def test_page_without_memory_aid_stranger_or_invalid_token_may_not_request_all_that_a_seat_knows(
    server: Server, ada: Client, ben: Client, open_program: OpenProgram
) -> None:
    with Live(server, ada, open_table(ada, "low")) as live:
        assert live.refusal(type="hello", version=0, known=True)["code"] == "forbidden"
        assert "html" in live.hello()
    with Live(server, ada, open_table(ada, "low", memory="on")) as live:
        live.send(type="hello", version=0, known=True)
        assert live.get("known")["seat"] == 0
    (ours, _), (other, _) = two_players(ben), two_players(ben)
    assert ben.get(f"{ours.path}/known").status_code == 401
    stranger = Player(ben, ours.code, other.token)
    assert "another table" in problem(asked(stranger), 403, "forbidden")
    assert open_program(stranger).get("error")["code"] == "closed"
    wrong = open_program(ours, "made-up-" * 5)
    refused = wrong.get("error")
    assert (refused["code"], refused["reason"]) == ("closed", "This token is not valid.")
    assert wrong.until_closed() == 1008
    with pytest.raises(InvalidStatus):
        open_program(ours, "dXNlcjpwYXNz", scheme="Basic")


def test_websocket_of_a_program_closes_with_1008_after_silence_and_with_1012_at_shutdown(tmp_path: Path) -> None:
    with ExitStack() as lines:
        with serving(tmp_path, silence=60.0) as server:
            player = new_player(*server.guests(1), "me", "low")
            for silent in (True, True, False):
                live = lines.enter_context(Program(server, player))
                live.ask()
                live.get("known")
                if silent:
                    server.advance(61)
                    assert live.until_closed() == 1008
        assert live.until_closed() == 1012, "it will be back"


def test_program_websocket_reports_a_closed_table(server: Server, ada: Client, open_program: OpenProgram) -> None:
    ours, _ = two_players(ada)
    session = server.session(ours.code)
    assert program_view.known_message(session, 0, [], NOW).type == "known"  # type: ignore[union-attr]
    session.record = replace(session.record, status="finished")
    live = open_program(ours)
    live.ask()
    assert live.get("error")["code"] == "closed"


def test_websocket_message_to_a_program_includes_the_payoffs_of_all_seats_only_at_the_match_end(
    server: Server, ada: Client, open_program: OpenProgram
) -> None:
    player = new_player(ada, "me", "low", game="uncovered")
    live = open_program(player)
    live.ask()
    message = live.get("known")
    while not message["over"]:
        assert message["returns"] is None
        if message["legal"]:
            live.send(type="move", action=message["legal"][-1], version=message["version"])
        message = live.get("known")
    session = server.session(player.code)
    assert message["returns"] == session.dealt_match.returns
    assert (message["legal"], message["acting"]) == ([], [])
    assert asked(player).json()["status"] == "finished"


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("game", catalogue())
def test_page_and_api_view_show_each_viewer_only_their_own_view(game: str, memory: bool, seed: int) -> None:
    """Page and JSON are made from the viewer's own view and contain nothing that only others see."""
    luck = random.Random(seed)
    words = " ".join(["me", *["open"] * (max(2, info(game).seats[0]) - 1)])
    session = dealt(words, game=game, settings=Settings(memory=memory), seed=luck.randbytes(32))
    match, seeing = session.dealt_match, known_view if memory else shown_view
    for _ in play_by_chance(session, luck, 20):
        for viewer in (*range(match.seats), SPECTATOR):
            table = match.game.tables.table(seeing(match.state, viewer), session.sitters)
            view = api.view_of(session, None if viewer == SPECTATOR else viewer, NOW)
            zones = json.loads(json.dumps(table.to_json()["zones"]))
            assert json.loads(view.model_dump_json())["table"]["zones"] == zones
            html = rendering.TablePage(
                session.table(viewer), viewer_page_data.table_page_context(session, viewer, NOW)
            ).html
            for piece in (piece for zone in table.zones if zone.kind != "pairs" for piece in zone.pieces):
                assert f'id="at-{piece.place}" class="piece k-{piece.kind}' in html
