"""Rate limits per person and per address: guesses, requests, long polls, WebSockets."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from facedown.play import Refusal
from facedown.server import rendering
from facedown.server.connection.connection_counts import ADDRESS_FACTOR, ConnectionCounts
from facedown.server.http.per_client_limits import Limits
from facedown.server.http.visitors import COOKIE
from facedown.server.process.rate_limit import SHARED_BUCKET_FACTOR, Buckets
from facedown.server.process.server_settings import ServerSettings
from facedown.server.table.room import Room
from tests.manual_clock import ManualClock
from tests.server.api_players import API, Player, bearer, new_player, problem, two_players
from tests.server.http_server import (
    HIGH_LIMITS,
    Calls,
    Live,
    Serve,
    Server,
    lobby,
    missing,
    module_server,
    open_table,
    refusals,
    shared_table,
)
from tests.waiting import wait_until


def test_too_many_wrong_table_codes_get_429(start_server: Serve) -> None:
    """Above the limit, a right code gets the same answer as a wrong one, except for those at the table."""
    small = start_server(wrong_codes_at_once=20, wrong_codes_a_minute=0.001)
    ada, eve, cleo = small.guests(3)
    url, program = open_table(ada, "low"), new_player(ada, "me", "low")
    cleo.post(f"{url}/watch")
    before = refusals("wrong-codes")
    kinds = ("/t/ZZ{}", "/join?code=YY{}", f"{API}/tables/XX{{}}", "/m/WW{}")
    guesses = [kind.format(number) for number in range(22, 27) for kind in kinds]
    assert [eve.get(path, follow_redirects=True).status_code for path in guesses] == [404] * 20
    for answer in (eve.get("/t/ZZ99"), eve.get(url)):
        assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")
        assert "Too many wrong codes" in answer.text
    assert eve.get(program.path).json()["code"] == "too-fast"
    # A cookie of a person without a seat there does not help.
    eve.post("/quick", data={"game": "detect"})
    assert eve.get(url).status_code == 429
    assert "facedown" not in eve.get(f"{url}/preview.png").headers["content-type"]
    with Live(small, eve, url) as live:
        assert live.get("error")["code"] == "too-fast"
        live.until_closed()
    assert refusals("wrong-codes") > before
    # Player, spectator and program continue by page, WebSocket and token.
    assert [client.get(url).status_code for client in (ada, cleo)] == [200, 200]
    with Live(small, ada, url) as live:
        live.until_yours(live.hello())
    assert program.view()
    assert eve.get(f"{program.path}/view", headers=bearer("x")).status_code in (401, 429)


def test_too_many_wrong_tokens_get_429(start_server: Serve) -> None:
    ada, eve, stranger = start_server(wrong_tokens_at_once=10, wrong_tokens_a_minute=0.001).guests(3)
    url, program = open_table(ada, "low"), new_player(ada, "me", "low")
    path = f"{program.path}/view"
    assert ada.get(url).status_code == 200
    assert program.view()
    before = refusals("wrong-tokens")
    for number in range(5):
        assert eve.get(path, headers=bearer(f"guess{number}")).status_code == 401
        assert eve.get("/", headers={"Cookie": f"{COOKIE}={number:032}"}).status_code == 200
    reason = "Too many failed sign-ins from your IP address. Wait a minute, then try again."
    assert problem(eve.get(path, headers=bearer("guess")), 429, "too-fast") == reason
    assert eve.get("/", headers={"Cookie": f"{COOKIE}={'x' * 32}"}).status_code == 429
    assert refusals("wrong-tokens") == before + 2
    # A known person with the same address is not limited, and a visitor without a cookie stays a stranger.
    assert ada.get(url).status_code == 200
    assert program.view()
    assert stranger.get("/").status_code == 200


def test_token_that_became_invalid_is_rate_limited_like_a_wrong_one(server: Server) -> None:
    # The bucket may have refilled since the last wrong token, so empty it first.
    limits = Limits(server.app.state.settings, ManualClock(1000.0))
    limits.record_sign_in("secret", "192.0.2.1", True)
    assert b"secret" not in b"".join(limits._good)
    limits.record_sign_in("secret", "192.0.2.1", False)
    while not limits.wrong_tokens.seconds_until_token("192.0.2.1"):
        limits.wrong_tokens.take_token("192.0.2.1")
    with pytest.raises(Exception, match="failed sign-ins"):
        limits.require_sign_in_allowed("secret", "192.0.2.1")


def test_request_rate_per_address_is_limited_except_for_health(start_server: Serve) -> None:
    small = start_server(requests_at_once=5, requests_a_second=0.05)
    (ada,) = small.guests(1)
    with small.clock.stopped():
        before = refusals("requests")
        assert [ada.get("/robots.txt").status_code for _ in range(5)] == [200] * 5
        page, answer = ada.get("/", headers={"Accept-Language": "de"}), ada.get(f"{API}/games")
        assert page.text.startswith("Nicht so schnell")
        assert (page.status_code, page.headers["retry-after"]) == (429, "20")
        assert problem(answer, 429, "too-fast")
        assert refusals("requests") == before + 2
        # The health check is not limited.
        assert ada.get("/health").status_code == 200


def test_long_polls_are_limited_per_person_and_per_address(
    start_server: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go, news = asyncio.Event(), Room.wait_for_change

    async def held(room: Room, seconds: float) -> None:
        """Hold all polls, because on a busy machine they could end before the next request."""
        await let_go.wait()
        await news(room, seconds)

    monkeypatch.setattr(Room, "wait_for_change", held)
    small = start_server(polls_of_person=2, polls_of_address=3)
    (ada,) = small.guests(1)
    (first, _), (other, _) = two_players(ada), two_players(ada)
    version, polls = first.view()["version"], small.app.state.limits.polls_of_address

    def wait(player: Player) -> int:
        return player.ask("GET", "view", beyond=version + 1000, wait=0.5).status_code

    with ThreadPoolExecutor() as people:
        waiting = [people.submit(wait, first) for _ in range(2)]
        wait_until(lambda: polls.active_count("127.0.0.1") == 2)
        before = refusals("polls")
        assert wait(first) == 429
        # Another person at the same address may wait, up to the limit of the address.
        waiting.append(people.submit(wait, other))
        wait_until(lambda: polls.active_count("127.0.0.1") == 3)
        assert wait(other) == 429
        assert refusals("polls") == before + 2
        small.call(let_go.set)
        assert [one.result() for one in waiting] == [200] * 3
    assert wait(first) == 200
    assert len(polls) == 0


def test_every_429_response_has_a_retry_after_header(start_server: Serve) -> None:
    small = start_server(new_things_a_minute=3, pictures_a_minute=1)
    (ada,) = small.guests(1)
    with small.clock.stopped():
        url, *_ = (open_table(ada, "low") for _ in range(3))
        for answer in (
            ada.post("/quick", data={"game": "detect"}),
            ada.post("/tables", data={"game": "detect", "name": "A", "seat-0": "you", "seat-1": "low"}),
            ada.post(f"{url}/watch"),
            ada.post(f"{API}/tables", json={"game": "detect", "name": "A", "seats": ["me", "low"]}),
            [ada.get("/preview.png") for _ in range(2)][-1],
        ):
            assert (answer.status_code, answer.headers["retry-after"]) == (429, "60")
            assert missing(answer.text, "Not so fast", "Wait a minute") == []


def test_documented_limits_equal_the_default_settings() -> None:
    """The page names defaults of settings and omits no setting that limits requests."""
    page = (Path(__file__).parents[2] / "docs/limits.md").read_text(encoding="utf-8")
    named = dict(re.findall(r"^\| `(\w+)` \| [^|]* \| ([\d.]+) \|", page, re.MULTILINE))
    fields = ServerSettings.model_fields
    assert {name: float(value) for name, value in named.items()} == {name: fields[name].default for name in named}
    after = list(fields)[list(fields).index("connections") : list(fields).index("polls_of_address") + 1]
    assert set(after) <= set(named)
    assert set(HIGH_LIMITS) <= set(named)


def test_token_buckets_refill_over_time() -> None:
    clock = ManualClock(0.0)
    bucket = Buckets(2, 0.5, clock)
    assert [bucket.take_token() for _ in range(3)] == [True, True, False]
    assert bucket.seconds_until_token() == 2.0
    clock.advance(2)
    assert bucket.seconds_until_token() == 0.0
    assert [bucket.take_token() for _ in range(2)] == [True, False]
    clock.advance(1e6)
    assert [bucket.take_token() for _ in range(3)] == [True, True, False]
    buckets = Buckets(1, 0.25, ManualClock(0.0), kept=10)
    taken = sum(buckets.take_token(f"address {number}") for number in range(1000))
    assert taken == 10 + SHARED_BUCKET_FACTOR
    assert [buckets.seconds_until_token(who) for who in ("somebody new", "address 3")] == [
        4.0 / SHARED_BUCKET_FACTOR,
        4.0,
    ]


def test_only_full_token_buckets_are_forgotten() -> None:
    clock = ManualClock(0.0)
    buckets = Buckets(2, 1 / 60, clock, kept=100)
    for crowd in (1000, 100):
        assert [buckets.take_token("eve") for _ in range(3)] == [True, True, False]
        for number in range(crowd):
            buckets.take_token(f"address {number} of {crowd}")
        assert crowd == 100 or not buckets.take_token("eve")
        assert len(buckets) <= 100 + 1, "one of them is that of all who are new"
        clock.advance(121)
    # Full buckets are dropped.
    for number in range(400):
        buckets.take_token(f"later {number}")
        clock.advance(61)
    assert len(buckets) < 10


#: The default limits.
DEFAULT_LIMITS = {name: ServerSettings.model_fields[name].default for name in HIGH_LIMITS}
#: A server with the default limits, except for new tables.
default_server = module_server(**DEFAULT_LIMITS | {"new_things_a_minute": 1e6})


@pytest.mark.slow
def test_flood_of_websockets_with_one_cookie_causes_few_database_lookups_and_page_renderings(
    default_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal costs no lookup and no rendering. Another player continues meanwhile."""
    with ExitStack() as stack:
        eve, ben = stack.enter_context(default_server.client()), stack.enter_context(default_server.client())
        hers, his = open_table(eve, "low", name="Eve"), open_table(ben, "low", name="Ben")
        live = stack.enter_context(Live(default_server, ben, his))
        message = live.until_yours(live.hello())
        calls = Calls()
        calls.count(monkeypatch, rendering, "TablePage")
        calls.count(monkeypatch, default_server.rooms.repository, "person_by_browser_token")
        flood = [stack.enter_context(Live(default_server, eve, hers)) for _ in range(100)]
        most = default_server.app.state.settings.sockets_of_person_at_table
        for refused in flood[most:]:
            error = json.loads(refused.socket.recv())
            assert (error["type"], error["code"]) == ("error", "too-fast")
            assert refused.until_closed() == 1013
        for taken in flood[:most]:
            for _ in range(4):
                taken.send(type="hello", version=0, sections=True)
        for taken in flood[:most]:
            taken.get("table")
        # Each connection looks the person up twice: on opening, and before listening, because the key may have changed.
        assert calls["person"] <= 2 * most
        # 32 whole pages were requested at once. The table has not changed, so one rendering serves them.
        assert calls["TablePage"] <= 4
        live.until_yours(live.play(message))
    with default_server.client() as eve_again:
        eve_again.cookies = eve.cookies
        with Live(default_server, eve_again, hers) as again:
            assert again.hello()["type"] == "table"


def test_frequent_full_page_requests_over_websocket_are_delayed(start_server: Serve) -> None:
    before, small = refusals("hellos"), start_server(hellos_at_once=2, hellos_a_minute=120.0)
    (ada,) = small.guests(1)
    # The bucket refills in half a second. With a stopped clock, the third page must wait.
    with small.clock.stopped(), lobby(small, open_table(ada, "open"), ada, ada) as (_, other):
        # Both WebSockets share the person's limit; the third page is delayed.
        other.send(type="hello", version=0)
        other.send(type="ping")
        assert json.loads(other.socket.recv())["type"] == "pong"
        small.advance(0.5)
        other.get("lobby")
    assert refusals("hellos") > before


def test_message_rate_limit_covers_all_websockets_of_a_person(start_server: Serve) -> None:
    small = start_server(messages_at_once=6, messages_a_second=0.001)
    ada, ben = small.guests(2)
    url = shared_table(ada, ben)
    with Live(small, ada, url) as one, Live(small, ada, url) as other, Live(small, ben, url) as his:
        for live in (one, other) * 3:
            live.settle()
        for live in (one, other):
            assert live.refusal(type="ping")["code"] == "too-fast"
        his.settle()
        # The server may close the WebSocket before all are sent.
        with contextlib.suppress(ConnectionClosed):
            for _ in range(100):
                one.send(type="ping")
        one.until_closed()


def test_number_of_spectators_per_table_is_limited(start_server: Serve) -> None:
    small = start_server(watchers_of_table=2)
    ada, *clients = small.guests(4)
    url = open_table(ada, "low")
    for client in clients:
        client.post(f"{url}/watch")
    with ExitStack() as stack:
        first, second, third, hers = (stack.enter_context(Live(small, one, url)) for one in (*clients, ada))
        for live in (first, second):
            live.hello()
        assert "Too many people are already watching this table" in third.get("error")["reason"]
        third.until_closed()
        # Players are not affected.
        hers.hello()


def connection_counts(**settings: Any) -> ConnectionCounts:
    """Return connection counts with these limits and a stopped clock."""
    return ConnectionCounts(ServerSettings(database="sqlite://", **settings), ManualClock(1000.0))


def test_number_of_websockets_is_limited_per_address_per_person_and_per_table() -> None:
    crowd = connection_counts(
        sockets_of_address=6, sockets_of_person=3, sockets_of_person_at_table=2, sockets_a_minute=100
    )
    line, cookie = crowd.issue_permit, "a" * 32
    lines = [line("192.0.2.1", cookie, code) for code in ("AAAA", "AAAA")]
    with pytest.raises(Refusal, match="this table open"):
        line("192.0.2.1", cookie, "AAAA")
    lines.append(line("192.0.2.1", cookie, "BBBB"))
    with pytest.raises(Refusal, match="too many tables open"):
        line("192.0.2.2", cookie, "CCCC")
    lines += [line("192.0.2.1", str(number) * 32, "AAAA") for number in range(3)]
    with pytest.raises(Refusal, match="Your IP address has too many"):
        line("192.0.2.1", "b" * 32, "AAAA")
    lines.append(line("198.51.100.1", "b" * 32, "AAAA"))
    for each in (*lines, lines[0]):
        each.close()
    # Neither open nor refused connections are left.
    assert [len(one) for one in (crowd.of_address, crowd.of_person, crowd.of_person_at_table)] == [0, 0, 0]
    line = connection_counts(sockets_a_minute=3).issue_permit
    for _ in range(3):
        line("192.0.2.1", "a" * 32, "AAAA").close()
    with pytest.raises(Refusal, match="too many times"):
        line("192.0.2.1", "a" * 32, "AAAA")
    # With a new cookie each time, the limit of the address applies.
    opened = 0
    for number in range(100):
        with contextlib.suppress(Refusal):
            line("192.0.2.1", f"{number:032}", "AAAA").close()
            opened += 1
    assert opened == ADDRESS_FACTOR * 3 - 4
