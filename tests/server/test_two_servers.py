"""Two servers on one PostgreSQL database: each shows changes of the other, and the bus carries no secrets."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from httpx import Client, Response

from facedown.core.match_actions import AGREED_END, RESIGN, TAKE_BACK
from facedown.play import Session, new_table
from facedown.server.cluster import peers
from facedown.server.cluster.bus import parse_message
from facedown.server.cluster.bus_backends import CHANNEL, WAITS
from facedown.store import StoreError, schema, url_of
from facedown.store.retention import DAY, RetentionPolicy, delete_all_expired
from tests.database_servers import Postgres, Redis, redis_program
from tests.not_none import given
from tests.play.table import LowBots
from tests.server.api_players import Player, join_table, new_player, play_to_end, problem, two_players
from tests.server.http_server import (
    ONE_HAND,
    PATIENCE,
    Live,
    Server,
    action_in,
    code_of,
    lobby,
    open_table,
    play_on,
    serving,
    shared_table,
    sit,
    start_match,
    token_of,
)
from tests.waiting import wait_until

pytestmark = [pytest.mark.postgres, pytest.mark.redis]
Pair = tuple[Server, Server]


@contextlib.contextmanager
def two_servers(database: str, bus: str) -> Iterator[Pair]:
    with serving(database, bus=bus) as first, serving(database, bus=bus) as second:
        wait_until(lambda: not any(server.rooms.peers.bus.is_down for server in (first, second)))
        yield first, second


@pytest.fixture(scope="module", params=["postgresql", "redis"])
def pair(
    request: pytest.FixtureRequest, postgres_server: Postgres, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    """Two servers for all tests, with the database or Redis as the bus."""
    database = url_of(postgres_server.new_database(f"{request.param}{os.getpid()}"))
    with contextlib.ExitStack() as stack:
        bus = ""
        if request.param == "redis":
            redis = Redis(redis_program() or "", tmp_path_factory.mktemp("redis"))
            stack.callback(redis.end)
            bus = redis.url
        yield stack.enter_context(two_servers(database, bus))


@pytest.fixture
def server(pair: Pair) -> Server:
    """The first server. Ada uses it, Ben and Cem use the second one."""
    return pair[0]


@pytest.fixture
def ben(pair: Pair) -> Client:
    return pair[1].guests(1)[0]


@pytest.fixture
def cem(pair: Pair) -> Client:
    return pair[1].guests(1)[0]


@contextlib.contextmanager
def lobby_on_both(pair: Pair, ada: Client, ben: Client, *seats: str, **fields: str) -> Iterator[list[Live]]:
    """Connect Ada and Ben to the lobby of one table, each through their own server."""
    url = shared_table(ada, ben, *seats, **fields)
    with lobby(pair[0], url, ada) as here, lobby(pair[1], url, ben) as there:
        yield here + there


@pytest.mark.slow
def test_two_players_on_different_servers_play_a_match_and_chat(pair: Pair, ada: Client, ben: Client) -> None:
    with lobby_on_both(pair, ada, ben, **ONE_HAND) as lines:
        messages = start_match(*lines)
        while not messages[0]["over"]:
            messages = play_on(lines, messages)
        assert messages[1]["over"]
        here, there = lines
        here.send(type="chat", text="Well played!")
        said = there.get("chat")
        assert (said["name"], said["text"]) == ("Ada", "Well played!")
    path = f"/m/{code_of(here.url)}.facedown"
    assert ada.get(path).text == ben.get(path).text


def test_changes_of_lobby_presence_and_browser_keys_reach_the_other_server(
    pair: Pair, ada: Client, ben: Client, cem: Client
) -> None:
    url = open_table(ada, "open", "open")
    first, second = (server.session(url).presence for server in pair)
    room = pair[0].room(url)
    with lobby(pair[0], url, ada) as (here,):
        sit(ben, url)
        here.until_said("Ben joined the table.")
        cem.post(f"{url}/watch")
        assert not first.connected(1)
        with lobby(pair[1], url, ben, cem):
            wait_until(lambda: first.connected(1) and room.spectator_names == ("Guest",))
        wait_until(lambda: not first.connected(1) and room.spectator_names == ())
        with lobby(pair[1], url, ben) as (there,):
            there.send(type="ready", ready=True)
            here.until_said("Ben is ready.")
            here.send(type="swap", seat=0, other=1)
            there.until_said("Ada and Ben swapped seats.")
            wait_until(lambda: first.connected(0) and second.connected(1))
            here.send(type="remove", seat=0)
            assert there.get("go")["url"] == url
    assert ben.get(url).status_code == ben.post(f"{url}/sit", data={"name": "Ben"}).status_code == 403
    url = open_table(ada, "open")
    with lobby(pair[1], url, pair[1].client_of(token_of(ada))) as (there,):
        assert ada.post("/you/key").status_code == 303
        there.until_closed()


def test_same_move_sent_to_two_servers_at_once_counts_once(pair: Pair, ada: Client, ben: Client) -> None:
    """Another move of the same person at the same version is stale."""
    with (
        lobby_on_both(pair, ada, ben) as lines,
        lobby(pair[1], lines[0].url, pair[1].client_of(token_of(ada))) as (also,),
    ):
        messages, moved = start_match(*lines), 0
        other = also.get("table")
        assert other["version"] == messages[0]["version"]
        while moved < 3 and not messages[0]["over"]:
            if messages[0]["yours"]:
                also.move(messages[0])
                moved += 1
            messages = play_on(lines, messages)
            other = also.beyond(other["version"])
    for server in pair:
        found = given(server.rooms.repository.load(code_of(also.url)))
        assert [move.ply for move in found.moves] == list(range(len(found.moves)))


def cut_off(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a server from reading bus messages and from polling the database."""
    # In its own loop, so that no read is about to start.
    server.call(monkeypatch.setattr, server.rooms.peers, "_start_loading_changes", lambda number: None)
    # A read in progress repeats once and would find later writes, so wait for it.
    server.within(server.rooms.peers._reads.drain())


@pytest.mark.parametrize("known_since", ["the lobby", "the deal"])
def test_move_resent_to_a_server_that_lags_behind_counts_once(
    pair: Pair, ada: Client, monkeypatch: pytest.MonkeyPatch, known_since: str
) -> None:
    """The database decides, not the state in memory."""
    first, second = pair
    (ben,) = first.guests(1)
    url = shared_table(ada, ben)
    with lobby(first, url, ada, ben) as lines, lobby(second, url, second.client_of(token_of(ada))) as (behind,):
        if known_since == "the lobby":
            cut_off(second, monkeypatch)
        messages = start_match(*lines)
        if known_since == "the deal":
            behind.get("table")
            cut_off(second, monkeypatch)
        revision = second.session(url).record.revision
        move, hers = {"version": 0, "action": 0}, False
        while not hers or not move["version"]:
            shown = next(message for message in messages if message["yours"])
            move, hers = {"action": action_in(shown["step"]), "version": shown["version"]}, messages[0]["yours"]
            messages = play_on(lines, messages)
        assert second.session(url).record.revision == revision
        found = given(first.rooms.repository.load(code_of(url)))
        # A version beyond any known one: the server reads the database and still refuses.
        assert behind.refusal(type="move", **move | {"version": 10**6})["code"] == "stale"
        behind.send(type="move", **move)
        behind.settle()
        assert behind.kinds().count("error") == 1
        assert behind.hello()["version"] == messages[0]["version"]
    assert first.rooms.repository.load(code_of(url)) == found


@pytest.fixture
def table_unknown_to_second(pair: Pair, ada: Client, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Player]:
    """Return a function that creates tables of Ada without spectators.

    The second server loads the lobby and then receives no bus messages.
    """

    def made(**fields: Any) -> Player:
        player = new_player(ada, "me", "open", spectators=False, **fields)
        pair[1].room(player.code)
        cut_off(pair[1], monkeypatch)
        return player

    return made


def test_server_that_misses_messages_of_a_second_server_still_knows_its_changes(
    pair: Pair, ada: Client, ben: Client, table_unknown_to_second: Callable[..., Player]
) -> None:
    """A change acknowledged by one server is visible at the other before the bus delivers it."""
    hers = table_unknown_to_second()
    there = [Player(ben, hers.code, player.token) for player in (hers, join_table(ada, hers.code))]
    seen = [player.view() for player in there]
    assert [view["seat"] for view in seen] == [0, 1]
    acting = 0 if seen[0]["legal"] else 1
    assert there[acting].play(seen[acting]).status_code == 200
    # The same by page and WebSocket.
    url, (here,) = f"/t/{table_unknown_to_second().code}", pair[0].guests(1)
    sit(here, url)
    also = pair[1].client_of(token_of(here))
    with lobby(pair[1], url, also):
        assert f'action="{url}/sit"' not in also.get(url).text
    # The last seat is taken, so a stranger may not see the table.
    assert ben.get(url).status_code == 403
    hers = table_unknown_to_second()
    engine = pair[0].rooms.repository.engine
    with engine.begin() as connection:
        # Other tests on these servers have left some lobbies.
        lobbies = connection.scalar(sa.select(sa.func.count()).where(schema.matches.c.status == "lobby"))
    assert delete_all_expired(engine, RetentionPolicy(lobby_days=1), time.time() + 2 * DAY).lobbies == lobbies
    # Seat and token were deleted with the table.
    assert ben.get(hers.path, headers=hers.headers).status_code == 401
    assert [ben.get(f"/t/{hers.code}").status_code for _ in range(2)] == [410, 404]


def test_other_server_serves_a_match_that_just_ended(
    ada: Client, ben: Client, table_unknown_to_second: Callable[..., Player]
) -> None:
    hers = table_unknown_to_second(game="reveal", options={"end": "hands(1)"})
    his = join_table(ada, hers.code)
    path = f"/api/v1/matches/{hers.code}"
    assert ben.get(path, headers=his.headers).json()["code"] == "conflict"
    play_to_end([hers, his])
    here, there = (client.get(path, headers=his.headers).json() for client in (ada, ben))
    assert here == there
    assert here["moves"]
    for other in (f"{path}/review", f"{hers.path}/again"):
        assert ben.get(other, headers=his.headers).status_code == 200


# --- taking back, ending, resigning -----------------------------------------------------------------------------------


def stored_moves(pair: Pair, code: str) -> list[tuple[int, int]]:
    """Return the stored moves of a table as (seat, action), after a check that they can be replayed."""
    found = given(pair[0].rooms.repository.load(code))
    Session(found.record, found.moves)
    return [(move.seat, move.action) for move in found.moves]


def at_once(*requests: Callable[[], Response]) -> list[int]:
    """Send requests at the same time and return the status of each response."""
    gate = threading.Barrier(len(requests))

    def send(request: Callable[[], Response]) -> int:
        gate.wait()
        return request().status_code

    with ThreadPoolExecutor(len(requests)) as people:
        return list(people.map(send, requests))


def test_proposal_made_at_one_server_is_answered_at_the_other(pair: Pair, ada: Client, ben: Client) -> None:
    with lobby_on_both(pair, ada, ben) as lines:
        here, there = lines
        first = here.play(start_match(*lines)[0])
        there.beyond(0)
        here.send(type="propose", what="take-back")
        asked = there.until_said("Ada asks to take back their last move.", "table")
        there.send(type="answer", proposal=1, agree=True)
        assert there.until_said("Ada took back their last move.", "table")["version"] == asked["version"] + 1
        back = here.until_said("You took back your last move.", "table")
        assert (back["version"], back["yours"]) == (first["version"] + 1, True)
        here.play(back, last=True)
        there.beyond(asked["version"] + 1)
        # A no reaches the other server, too, and so does a resignation.
        there.send(type="propose", what="end")
        here.until_said("Ben offers to end the match.", "table")
        here.send(type="answer", proposal=2, agree=False)
        there.until_said("The match goes on.", "table")
        there.send(type="resign")
        assert here.until(lambda message: message["over"])["say"][-1] == "Ben resigned."
    assert [action for _, action in stored_moves(pair, code_of(here.url))][1::2] == [TAKE_BACK, RESIGN]
    states = [given(server.session(here.url).match).state.tobytes() for server in pair]
    assert states[0] == states[1]


def test_simultaneous_answers_at_two_servers_have_one_result(pair: Pair, ada: Client, ben: Client) -> None:
    """The match ends once if both agree, and goes on if one of them does not."""
    for agrees in itertools.product((True, False), repeat=2):
        hers = new_player(ada, "me", "open", "open")
        his, third = join_table(ada, hers.code), join_table(ada, hers.code, "Cem")
        there = Player(ben, third.code, third.token)
        assert hers.propose("end").json()["proposal"]["asked"] == [1, 2]
        answers = at_once(partial(his.answer, 1, agrees[0]), partial(there.answer, 1, agrees[1]))
        # Whoever answers after a no is late.
        assert 200 in answers
        assert set(answers) <= ({200} if all(agrees) else {200, 409}), (agrees, answers)
        views = [player.view() for player in (hers, there)]
        assert [view["proposal"] for view in views] == [None, None]
        assert {view["status"] for view in views} == {"finished" if all(agrees) else "running"}
        assert stored_moves(pair, hers.code) == ([(0, AGREED_END)] if all(agrees) else [])


def test_either_the_move_or_the_proposal_of_two_simultaneous_requests_counts(
    pair: Pair, ada: Client, ben: Client
) -> None:
    """Ben's move flips cards, so that Ada's move has to stay. Ada's question forbids his move."""
    for _ in range(6):
        hers, his = two_players(ada)
        there = Player(ben, his.code, his.token)
        assert hers.move(action=0, version=0).status_code == 200
        version = there.view()["version"]
        statuses = at_once(partial(hers.propose, "take-back"), partial(there.move, action=0, version=version))
        assert sorted(statuses) == [200, 409]
        asked = statuses[0] == 200
        assert bool(there.view()["proposal"]) is bool(hers.view()["proposal"]) is asked
        assert stored_moves(pair, hers.code) == ([(0, 0)] if asked else [(0, 0), (1, 0)])


def test_same_take_back_requested_at_two_servers_at_once_opens_one_question(
    pair: Pair, ada: Client, ben: Client
) -> None:
    hers, _his = two_players(ada)
    there = Player(ben, hers.code, hers.token)
    assert hers.move(action=0, version=0).status_code == 200
    assert there.view()["version"] == 1
    assert sorted(at_once(partial(hers.propose, "take-back"), partial(there.propose, "take-back"))) == [200, 409]
    assert there.view()["proposal"]["number"] == hers.view()["proposal"]["number"] == 1


def test_token_sent_again_to_the_other_server_after_a_take_back_stays_the_same_move(
    pair: Pair, ada: Client, ben: Client, table_unknown_to_second: Callable[..., Player]
) -> None:
    """The second server has not heard of any move."""
    hers = table_unknown_to_second()
    his, there = join_table(ada, hers.code), Player(ben, hers.code, hers.token)
    first = {"action": 3, "version": 0, "token": "first"}
    assert hers.move(**first).status_code == 200
    hers.propose("take-back")
    assert his.answer(1, True).status_code == 200
    again = there.move(**first)
    assert (again.status_code, again.json()["version"]) == (200, 2)
    assert problem(there.move(**first | {"action": 4}), 409, "conflict").startswith("You’ve already used this token")
    assert problem(there.move(action=3, version=0), 409, "stale").startswith("That move came too late")
    assert stored_moves(pair, hers.code) == [(0, 3), (0, TAKE_BACK)]
    assert there.move(action=3, version=2).status_code == 200


@pytest.mark.slow
def test_rematch_answers_are_known_at_the_other_server(
    pair: Pair, ada: Client, ben: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    hers, his = two_players(ada, game="reveal", options={"end": "hands(1)"})
    play_to_end((hers, his))
    there = Player(ben, his.code, his.token)
    assert hers.ask("POST", "again", {"answer": "yes"}).status_code == 200
    assert there.ask("GET", "again").json()["answers"] == ["yes", ""]
    cut_off(pair[1], monkeypatch)
    assert his.ask("POST", "again", {"answer": "no"}).json()["answers"] == ["yes", "no"]
    assert there.ask("GET", "again").json()["answers"] == ["yes", "no"]


def test_messages_between_servers_contain_no_secrets_or_names(postgres_url: str, redis_server: Redis) -> None:
    """A match, a chat message and a spectator's visit send only numbers and known keywords."""
    import redis

    heard: list[str] = []

    def hear(message: dict[str, Any]) -> None:
        heard.append(message["data"].decode())

    with redis.Redis.from_url(redis_server.url) as client, client.pubsub(ignore_subscribe_messages=True) as listener:
        listener.subscribe(**{CHANNEL: hear})
        thread = listener.run_in_thread(0.2)
        with two_servers(postgres_url, redis_server.url) as (first, second):
            (ada,), (ben, cem) = first.guests(1), second.guests(2)
            url = open_table(ada, "open", name="Adaline")
            sit(ben, url, "Benedict")
            cem.post(f"{url}/watch")
            with lobby(first, url, ada) as (here,), lobby(second, url, ben, cem) as (there, _):
                start_match(here, there)
                here.send(type="chat", text="Good luck!")
                there.get("chat")
            record = given(first.rooms.repository.load(code_of(url))).record
        thread.stop()
        thread.join(PATIENCE)
    assert len(heard) > 5
    assert all(parse_message(text) is not None for text in heard)
    said = " ".join(heard)
    assert re.fullmatch(r'[0-9\s{}\[\],:"a-z]*', said), said
    assert set(re.findall(r"[a-z]+", said)) <= {"from", "news", "here", "dismissed", "leaves", "true", "false"}
    for secret in (record.code, record.seed.hex(), token_of(ada), "Adaline", "Benedict", "Good luck"):
        assert secret.lower() not in said.lower()


def test_servers_poll_the_database_while_redis_is_down(postgres_url: str, redis_server: Redis) -> None:
    """Redis stops during a match and comes back. Both servers continue, and messages are fast again afterwards."""
    with two_servers(postgres_url, redis_server.url) as servers:
        buses = [server.rooms.peers.bus for server in servers]
        (ada,), (ben,) = (server.guests(1) for server in servers)
        with lobby_on_both(servers, ada, ben) as lines:
            messages = start_match(*lines)
            redis_server.kill()
            wait_until(lambda: all(bus.is_down for bus in buses))
            messages = play_apart(lines, messages, 4, deaf=servers)
            redis_server.start()
            for server in servers:
                server.advance(WAITS[-1])
            wait_until(lambda: not any(bus.is_down for bus in buses))
            play_apart(lines, messages, 4)


def play_apart(
    lines: list[Live], messages: list[dict[str, Any]], moves: int, deaf: tuple[Server, ...] = ()
) -> list[dict[str, Any]]:
    """Play some moves and wait until both servers have each. `deaf` servers poll the database."""
    for _ in range(moves):
        if messages[0]["over"]:
            break
        acting = next(at for at, message in enumerate(messages) if message["yours"])
        lines[acting].move(messages[acting])
        messages[acting] = lines[acting].beyond(messages[acting]["version"])
        for server in deaf:
            server.advance(peers.COMPARE_INTERVAL_WHILE_DOWN)
        messages[1 - acting] = lines[1 - acting].beyond(messages[1 - acting]["version"])
    return messages


@pytest.mark.slow
@pytest.mark.parametrize("bus", ["postgresql", "redis"])
def test_bots_of_a_stopped_server_continue_on_the_other_one(
    postgres_url: str, redis_server: Redis, monkeypatch: pytest.MonkeyPatch, bus: str
) -> None:
    monkeypatch.setattr(peers, "MAX_TAKEOVER_DELAY", 0.0)
    with two_servers(postgres_url, redis_server.url if bus == "redis" else "") as (first, second):
        # Bots of the first server take an hour.
        first.rooms.settings = first.rooms.settings.model_copy(update={"bot_delay": 3600.0})
        bots = ["low", "low"]
        one_hand = {"end": "hands(1)"}
        room = first.within(
            first.rooms.store_new_table(new_table("reveal", bots, LowBots(), 1.0, host=None, options=one_hand))
        )
        there = second.room(room.session.code)
        first.within(room.request_change(lambda session: session.begin_match_of_bots_only(2.0)))
        wait_until(lambda: there.session.match is not None)
        assert room.is_driver
        assert not there.is_driver
        second.within(second.rooms.sweep())
        assert not there.is_driver, "the first is alive"

        def finished_while_somebody_looks() -> bool:
            # Bot-only tables continue for viewers only. On a busy machine the leave message may come late.
            there.looked = second.clock.monotonic()
            return there.session.record.status == "finished"

        first.server.should_exit = True
        wait_until(finished_while_somebody_looks)
        assert there.is_driver


def test_server_with_a_different_message_bus_refuses_to_start_with_reason(
    postgres_url: str, redis_server: Redis
) -> None:
    with (
        serving(postgres_url, bus=redis_server.url),
        pytest.raises(StoreError, match="give all of them the same bus"),
        serving(postgres_url),
    ):
        raise AssertionError("it started")
