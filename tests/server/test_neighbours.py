"""Two servers on one PostgreSQL database: people at one see what people at the other do, and nothing more crosses."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from facedown.play import NewSeat, new_table
from facedown.server.cluster import peers
from facedown.server.cluster.bus import parse
from facedown.server.cluster.bus_backends import CHANNEL, WAITS
from facedown.server.http.visitors import COOKIE
from facedown.store import StoreError
from facedown.store.retention import DAY, Keeping, delete_all
from tests.play.table import LowBots
from tests.server.programs import Player, make, to_the_end, two
from tests.server.serving import PATIENCE, Live, Server, action_in, begun, open_table, serving, token_of
from tests.services import Redis
from tests.wait import wait_until

pytestmark = [pytest.mark.postgres, pytest.mark.redis]


@pytest.fixture(params=["postgresql", "redis"])
def pair(request: pytest.FixtureRequest, postgres_url: str, redis_server: Redis) -> Iterator[tuple[Server, Server]]:
    """Two servers on one database, which hear of each other by the database itself or by Redis."""
    bus = redis_server.url if request.param == "redis" else ""
    with serving(postgres_url, bus=bus) as first, serving(postgres_url, bus=bus) as second:
        wait_until(lambda: not any(server.rooms.neighbours.bus.deaf for server in (first, second)))
        yield first, second


def same_person(client: httpx.Client, server: Server) -> httpx.Client:
    """The same browser at another server of the same house."""
    other = server.client()
    other.cookies.set(COOKIE, token_of(client))
    return other


@pytest.mark.slow
def test_a_match_is_played_across(pair: tuple[Server, Server]) -> None:
    first, second = pair
    with first.client() as ada, second.client() as ben:
        url = open_table(ada, "open", game="reveal", **{"option-end": "hands", "option-end-hands-0": "1"})
        ben.post(f"{url}/sit", data={"name": "Ben"})
        with Live(first, ada, url) as here, Live(second, ben, url) as there:
            messages = begun(here, there)
            lines = (here, there)
            while not all(message["over"] for message in messages):
                acting = next(at for at, message in enumerate(messages) if message["yours"])
                before = messages[acting]
                lines[acting].send(type="move", action=action_in(before["step"]), version=before["version"])
                messages = [
                    line.beyond(message["version"]) if not message["over"] else message
                    for line, message in zip(lines, messages, strict=True)
                ]
            here.send(type="chat", text="Well played!")
            said = there.get("chat")
            assert (said["name"], said["text"]) == ("Ada", "Well played!")
        code = url.rsplit("/", 1)[1]
        records = [client.get(f"/m/{code}.facedown").text for client in (ada, ben)]
        assert records[0] == records[1]


def test_what_happens_in_the_lobby_is_told_across(pair: tuple[Server, Server]) -> None:
    first, second = pair
    with first.client() as ada, second.client() as ben, first.client() as cem:
        url = open_table(ada, "open", "open")
        with Live(first, ada, url) as here:
            here.hello(kind="lobby")
            ben.post(f"{url}/sit", data={"name": "Ben"})
            while "Ben sits down." not in here.get("lobby")["say"]:
                pass
            cem.post(f"{url}/watch")
            with Live(second, ben, url) as there:
                there.hello(kind="lobby")
                there.send(type="ready", ready=True)
                while "Ben is ready." not in here.get("lobby")["say"]:
                    pass


def test_what_a_host_decides_is_told_and_holds_across(pair: tuple[Server, Server]) -> None:
    first, second = pair
    with first.client() as ada, second.client() as ben:
        url = open_table(ada, "open", "open")
        ben.post(f"{url}/sit", data={"name": "Ben"})
        with Live(first, ada, url) as here, Live(second, ben, url) as there:
            here.hello(kind="lobby")
            there.hello(kind="lobby")
            here.send(type="swap", seat=0, other=1)
            while "Ada swapped seats with Ben." not in there.get("lobby")["say"]:
                pass
            for running, seat in ((first, 0), (second, 1)):
                presence = running.within(running.rooms.room(url.rsplit("/", 1)[1])).session.presence
                wait_until(lambda at=seat, known=presence: known.connected(at))  # type: ignore[misc]
            here.send(type="remove", seat=0)
            assert there.get("go")["url"] == url
        assert ben.get(url).status_code == 403
        assert ben.post(f"{url}/sit", data={"name": "Ben"}).status_code == 403


def test_who_is_there_is_known_across(pair: tuple[Server, Server]) -> None:
    first, second = pair
    with first.client() as ada, second.client() as ben, second.client() as cem:
        url = open_table(ada, "open")
        ben.post(f"{url}/sit", data={"name": "Ben"})
        cem.post(f"{url}/watch")
        code = url.rsplit("/", 1)[1]
        with Live(first, ada, url) as here:
            here.hello(kind="lobby")
            room = first.within(first.rooms.room(code))
            assert not room.session.presence.connected(1)
            with Live(second, ben, url), Live(second, cem, url) as watching:
                watching.hello(kind="lobby")
                wait_until(lambda: room.session.presence.connected(1))
                wait_until(lambda: room.watching == ("Guest",))
            wait_until(lambda: not room.session.presence.connected(1))
            wait_until(lambda: room.watching == ())


def test_a_key_that_is_changed_at_one_closes_lines_at_the_other(pair: tuple[Server, Server]) -> None:
    first, second = pair
    with first.client() as ada:
        url = open_table(ada, "open")
        with same_person(ada, second) as also, Live(second, also, url) as there:
            there.hello(kind="lobby")
            assert ada.post("/you/key").status_code == 303
            there.until_closed()


def test_two_who_move_at_once_at_different_processes_are_judged_one_after_the_other(
    pair: tuple[Server, Server],
) -> None:
    """The same move sent by one person to both counts once; another move of theirs at the same version is stale."""
    first, second = pair
    with first.client() as ada, second.client() as ben:
        url = open_table(ada, "open")
        ben.post(f"{url}/sit", data={"name": "Ben"})
        with (
            Live(first, ada, url) as here,
            Live(second, same_person(ada, second), url) as also,
            Live(second, ben, url) as there,
        ):
            also.hello(kind="lobby")
            messages = begun(here, there)
            other = also.get("table")
            assert other["version"] == messages[0]["version"]
            lines, moved = (here, there), 0
            while moved < 3 and not messages[0]["over"]:
                acting = next(at for at, message in enumerate(messages) if message["yours"])
                before = messages[acting]
                move = {"action": action_in(before["step"]), "version": before["version"]}
                for line in (here, also) if acting == 0 else (there,):
                    line.send(type="move", **move)
                moved += acting == 0
                messages = [line.beyond(message["version"]) for line, message in zip(lines, messages, strict=True)]
                other = also.beyond(other["version"])
        code = url.rsplit("/", 1)[1]
        for server in pair:
            found = server.rooms.repository.load(code)
            assert found is not None
            assert [move.ply for move in found.moves] == list(range(len(found.moves)))


def deafen(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a server reads nothing of what others tell it, and does not compare tables either."""

    async def from_now_on() -> None:
        monkeypatch.setattr(server.rooms.neighbours, "_read", lambda number: None)

    # In its own loop: there it is not just about to read.
    server.within(from_now_on())
    # What came while it was reading already it reads once more, and would find what is written meanwhile.
    wait_until(lambda: not server.rooms.neighbours._reading)


@pytest.mark.parametrize("known_since", ["the lobby", "the deal"])
def test_a_move_whose_answer_was_lost_counts_once_at_a_process_that_is_behind(
    pair: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch, known_since: str
) -> None:
    """What stands in the database decides, not what this process has heard of it."""
    first, second = pair
    with first.client() as ada, first.client() as ben:
        url = open_table(ada, "open")
        code = url.rsplit("/", 1)[1]
        ben.post(f"{url}/sit", data={"name": "Ben"})
        with (
            Live(first, ada, url) as here,
            Live(first, ben, url) as there,
            Live(second, same_person(ada, second), url) as behind,
        ):
            behind.hello(kind="lobby")
            if known_since == "the lobby":
                deafen(second, monkeypatch)
            messages = begun(here, there)
            if known_since == "the deal":
                behind.get("table")
                deafen(second, monkeypatch)
            revision = second.within(second.rooms.room(code)).session.record.revision
            move, acting = {"version": 0, "action": 0}, 1
            while acting != 0 or not move["version"]:
                acting = next(at for at, message in enumerate(messages) if message["yours"])
                move = {"action": action_in(messages[acting]["step"]), "version": messages[acting]["version"]}
                (here, there)[acting].send(type="move", **move)
                messages = [
                    line.beyond(message["version"]) for line, message in zip((here, there), messages, strict=True)
                ]
            assert second.within(second.rooms.room(code)).session.record.revision == revision
            found = first.rooms.repository.load(code)
            assert found is not None
            # Beyond all that anybody knows: read on, and still refused.
            behind.send(type="move", **move | {"version": 10**6})
            assert behind.get("error")["code"] == "stale"
            behind.send(type="move", **move)
            behind.send(type="ping")
            behind.get("pong")
            assert [seen for seen in behind.seen if seen["type"] == "error"][1:] == []
            assert behind.hello()["version"] == messages[0]["version"]
        assert first.rooms.repository.load(code) == found


def away(pair: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch, **fields: Any) -> tuple[str, str]:
    """A table without spectators that the second knows in its lobby, before it goes deaf; its code and Ada's token."""
    first, second = pair
    with first.client() as here:
        made = make(here, "me", "open", spectators=False, **fields)
    code = made["table"]["code"]
    second.within(second.rooms.room(code))
    deafen(second, monkeypatch)
    return code, made["token"]


def test_who_has_just_sat_down_at_one_is_known_at_the_other(
    pair: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was answered at one process stands at the next, also before that has heard of it."""
    first, second = pair
    code, token = away(pair, monkeypatch)
    with first.client() as here, second.client() as there:
        answer = here.post(f"/api/v1/tables/{code}/seats", json={"name": "Ben"})
        ada, ben = Player(there, code, token), Player(there, code, answer.json()["token"])
        seen = [ada.view(), ben.view()]
        assert [view["seat"] for view in seen] == [0, 1]
        acting = 0 if seen[0]["legal"] else 1
        legal = seen[acting]["legal"][0]["action"]
        assert (ada, ben)[acting].move(action=legal, version=seen[acting]["version"]).status_code == 200


def test_a_page_and_a_line_are_there_for_who_has_just_sat_down(
    pair: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = pair
    code, _ = away(pair, monkeypatch)
    with first.client() as here:
        here.post(f"/t/{code}/sit", data={"name": "Ben"})
        there = same_person(here, second)
        with there, Live(second, there, f"/t/{code}") as line:
            assert line.hello(kind="lobby")["type"] == "lobby"
            assert f'action="/t/{code}/sit"' not in there.get(f"/t/{code}").text
        with second.client() as stranger:
            # The last seat is taken: to anybody else there is no more to see.
            assert stranger.get(f"/t/{code}").status_code == 403


def test_a_match_that_has_just_ended_at_one_is_given_out_at_the_other(
    pair: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = pair
    code, token = away(pair, monkeypatch, game="reveal", options={"end": "hands(1)"})
    with first.client() as here, second.client() as there:
        answer = here.post(f"/api/v1/tables/{code}/seats", json={"name": "Ben"})
        players = [Player(here, code, token), Player(here, code, answer.json()["token"])]
        headers = players[1].headers
        assert there.get(f"/api/v1/matches/{code}", headers=headers).json()["code"] == "conflict"
        to_the_end(players)
        answers = [client.get(f"/api/v1/matches/{code}", headers=headers).json() for client in (here, there)]
        assert answers[0] == answers[1]
        assert answers[0]["moves"]
        for path in (f"/api/v1/matches/{code}/review", f"/api/v1/tables/{code}/again"):
            assert there.get(path, headers=headers).status_code == 200


@pytest.mark.slow
def test_who_wants_to_play_again_is_known_at_the_other(
    pair: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = pair
    with first.client() as here, second.client() as there:
        ada, ben = two(here, game="reveal", options={"end": "hands(1)"})
        to_the_end((ada, ben))
        path = f"{ada.path}/again"
        assert here.post(path, headers=ada.headers, json={"answer": "yes"}).status_code == 200
        assert there.get(path, headers=ben.headers).json()["answers"] == ["yes", ""]
        deafen(second, monkeypatch)
        assert here.post(path, headers=ben.headers, json={"answer": "no"}).json()["answers"] == ["yes", "no"]
        assert there.get(path, headers=ben.headers).json()["answers"] == ["yes", "no"]


def test_a_table_that_was_just_deleted_is_gone_at_the_other(
    pair: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = pair
    code, token = away(pair, monkeypatch)
    assert delete_all(first.rooms.repository.engine, Keeping(lobby_days=1), time.time() + 2 * DAY).lobbies == 1
    with second.client() as there:
        answer = there.get(f"/api/v1/tables/{code}", headers={"Authorization": f"Bearer {token}"})
        # With the table went the seat, and its token.
        assert answer.status_code == 401
        assert there.get(f"/t/{code}").status_code == 410
        assert there.get(f"/t/{code}").status_code == 404


def test_nothing_secret_crosses(postgres_url: str, redis_server: Redis) -> None:
    """All that is said on the bus in a match, a talk, a visit: numbers, and nothing that lets anybody in."""
    import redis

    heard: list[str] = []
    with (
        redis.Redis.from_url(redis_server.url) as client,
        client.pubsub(ignore_subscribe_messages=True) as listener,
    ):
        listener.subscribe(CHANNEL)
        ended = threading.Event()

        def listen() -> None:
            while not ended.is_set():
                message = listener.get_message(timeout=0.2)
                if message is not None:
                    heard.append(message["data"].decode())

        thread = threading.Thread(target=listen)
        thread.start()
        with (
            serving(postgres_url, bus=redis_server.url) as first,
            serving(postgres_url, bus=redis_server.url) as second,
        ):
            with first.client() as ada, second.client() as ben, second.client() as cem:
                url = open_table(ada, "open", name="Adaline")
                ben.post(f"{url}/sit", data={"name": "Benedict"})
                cem.post(f"{url}/watch")
                with Live(first, ada, url) as here, Live(second, ben, url) as there, Live(second, cem, url) as watching:
                    watching.hello(kind="lobby")
                    begun(here, there)
                    here.send(type="chat", text="Good luck!")
                    there.get("chat")
            record = first.rooms.repository.load(url.rsplit("/", 1)[1])
        ended.set()
        thread.join(PATIENCE)
    assert record is not None
    assert len(heard) > 5
    assert all(parse(text) is not None for text in heard)
    said = " ".join(heard)
    assert re.fullmatch(r'[0-9\s{}\[\],:"a-z]*', said), said
    assert set(re.findall(r"[a-z]+", said)) <= {"from", "news", "here", "dismissed", "leaves", "true", "false"}
    for secret in (record.record.code, record.record.seed.hex(), token_of(ada), "Adaline", "Benedict", "Good luck"):
        assert secret.lower() not in said.lower()


def test_without_the_bus_they_look_for_themselves(postgres_url: str, redis_server: Redis) -> None:
    """Redis dies in the middle of a match: both go on, and when it is there again news come at once again."""
    with serving(postgres_url, bus=redis_server.url) as first, serving(postgres_url, bus=redis_server.url) as second:
        buses = [server.rooms.neighbours.bus for server in (first, second)]
        with first.client() as ada, second.client() as ben:
            url = open_table(ada, "open")
            ben.post(f"{url}/sit", data={"name": "Ben"})
            with Live(first, ada, url) as here, Live(second, ben, url) as there:
                messages = begun(here, there)
                redis_server.kill()
                wait_until(lambda: all(bus.deaf for bus in buses))
                messages = play_on(here, there, messages, 4, deaf=(first, second))
                redis_server.start()
                for server in (first, second):
                    server.advance(WAITS[-1])
                wait_until(lambda: not any(bus.deaf for bus in buses))
                play_on(here, there, messages, 4)


def play_on(
    here: Live, there: Live, messages: list[dict[str, Any]], moves: int, deaf: tuple[Server, ...] = ()
) -> list[dict[str, Any]]:
    """Play some moves, and wait until both servers have each; servers that are `deaf` find it by polling."""
    lines = (here, there)
    for _ in range(moves):
        if messages[0]["over"]:
            break
        acting = next(at for at, message in enumerate(messages) if message["yours"])
        action = action_in(messages[acting]["step"])
        lines[acting].send(type="move", action=action, version=messages[acting]["version"])
        messages[acting] = lines[acting].beyond(messages[acting]["version"])
        for server in deaf:
            server.advance(peers.LOOK_WHILE_DEAF)
        messages[1 - acting] = lines[1 - acting].beyond(messages[1 - acting]["version"])
    return messages


@pytest.mark.slow
def test_a_process_that_ends_hands_its_bots_over(pair: tuple[Server, Server], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "APART", 0.0)
    first, second = pair
    # Bots of the first think for an hour.
    first.rooms.settings = first.rooms.settings.model_copy(update={"bot_delay": 3600.0})
    bots = [NewSeat("bot", "low"), NewSeat("bot", "low")]
    one_hand = {"end": "hands(1)"}
    room = first.within(first.rooms.add(new_table("reveal", bots, LowBots(), 1.0, host=None, options=one_hand)))
    there = second.within(second.rooms.room(room.session.code))
    first.within(room.request(lambda session: session.begin(2.0)))
    wait_until(lambda: there.session.match is not None)
    assert room.drives
    assert not there.drives
    second.within(second.rooms.sweep())
    assert not there.drives, "the first is alive"

    def finished_while_somebody_looks() -> bool:
        # Bots among themselves go on for whoever looks, and on a busy machine the news that one leaves may come late.
        there.looked = second.clock.monotonic()
        return there.session.record.status == "finished"

    first.server.should_exit = True
    wait_until(finished_while_somebody_looks)
    assert there.drives


def test_a_server_with_another_bus_says_why_it_does_not_start(postgres_url: str, redis_server: Redis) -> None:
    with (
        serving(postgres_url, bus=redis_server.url),
        pytest.raises(StoreError, match="give all of them the same bus"),
        serving(postgres_url),
    ):
        raise AssertionError("it started")
