"""Notices of turns at a push service of the tests' own: once for each turn, by day, and nothing secret in them."""

from __future__ import annotations

import contextlib
import datetime as dt
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from httpx import Client

from facedown.core import game_registry as registry
from facedown.play.notice_times import NOTICE_DELAY, is_night
from tests.server.http_server import Live, Server, code_of, open_table, serving, sit, start_match
from tests.server.push_service import PushBrowser, PushService, push_service
from tests.waiting import wait_until

DAY = 86_400.0
#: Seconds after which the notice of a turn is due, with the time for the animation of the deal.
LATER = NOTICE_DELAY + 15
URL = "https://cards.example"
Table = tuple[str, Live, Live]


@pytest.fixture(scope="module")
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running
        assert running.errors == []


@pytest.fixture
def server(tmp_path: Path, service: PushService) -> Iterator[Server]:
    service.messages.clear()
    service.requests.clear()
    with serving_notices(tmp_path, service) as running:
        yield running


@contextlib.contextmanager
def serving_notices(folder: Path, service: PushService) -> Iterator[Server]:
    # A jump of the clock must not be taken for a sleep of the machine, which stops all clocks.
    with serving(folder, public_url=URL, pulse=100 * DAY) as running:
        running.rooms.notices.client = service.client()
        yield running


def zone_at(server: Server, hour: int) -> str:
    """Return a time zone in which it is now between `hour` and one hour later."""
    east = hour - dt.datetime.fromtimestamp(server.clock.wall(), dt.UTC).hour
    east = (east + 11) % 24 - 11
    # In these names, the sign is that of the hours to the west.
    return f"Etc/GMT{-east:+d}" if east else "UTC"


def subscribe(client: Client, browser: PushBrowser, zone: str) -> None:
    answer = client.post("/push/subscription", json=browser.form(zone))
    assert answer.status_code == 204, answer.text


def send_due(server: Server) -> None:
    """Let the server look for notices and wait until all of them are sent."""
    notices = server.rooms.notices
    server.within(notices.send_due())
    wait_until(lambda: not notices._sending)


def slow_table(server: Server, ada: Client, ben: Client, **fields: str) -> Table:
    """Begin a match of Ada and Ben with a day for each turn. Return its address and their connections."""
    url = open_table(ada, "open", **({"game": "reveille", "clock": "86400"} | fields))
    sit(ben, url)
    lives = Live(server, ada, url), Live(server, ben, url)
    start_match(*lives)
    return url, *lives


def acting(server: Server, url: str) -> int:
    """Return the seat whose clock runs."""
    clocks = server.session(url).record.clocks
    return next(seat for seat, clock in enumerate(clocks) if clock.since is not None)


def play(server: Server, table: Table) -> int:
    """Play moves of the acting seat until the other is to act. Return the other seat."""
    url, *lives = table
    seat = acting(server, url)
    while acting(server, url) == seat:
        ply = server.session(url).ply
        # Skip earlier updates, so that the move is for the present position.
        lives[seat].settle()
        lives[seat].move(lives[seat].hello())
        wait_until(lambda ply=ply: server.session(url).ply > ply)
    return 1 - seat


@pytest.fixture
def table(server: Server, service: PushService) -> Iterator[tuple[Table, list[str]]]:
    """A slow match of two persons with a browser each, at noon. Yield it with the paths of the browsers by seat."""
    ada, ben = server.guests(2)
    found = slow_table(server, ada, ben)
    paths = ["ok/ada", "ok/ben"]
    for client, path in zip((ada, ben), paths, strict=True):
        subscribe(client, service.browser(path), zone_at(server, 12))
    yield found, paths
    for live in found[1:]:
        live.socket.close()


def test_a_turn_gives_one_notice_and_a_last_one(
    server: Server, service: PushService, table: tuple[Table, list[str]]
) -> None:
    (url, *_), paths = table
    mine = paths[acting(server, url)]
    send_due(server)
    assert not service.messages, "who moves within a minute gets no notice"
    server.advance(LATER)
    for _ in range(3):
        send_due(server)
    (first,) = service.messages[mine]
    other = server.session(url).record.seats[1 - acting(server, url)].name
    assert first.notification["title"] == "It’s your turn in Reveille"
    assert re.fullmatch(rf"With {other}\. You have until 1[123]:\d\d tomorrow\.", first.notification["body"])
    assert first.notification["navigate"] == f"{URL}{url}"
    assert first.notification["tag"] == f"turn-{code_of(url)}"
    assert 0 < int(first.headers["ttl"]) <= DAY
    assert first.headers["content-encoding"] == "aes128gcm"
    server.advance(DAY * 5 / 6 - 10 * 60)
    send_due(server)
    assert len(service.messages[mine]) == 1
    server.advance(10 * 60)
    for _ in range(2):
        send_due(server)
    _, last = service.messages[mine]
    assert last.notification["title"] == "Your time is running out in Reveille"
    assert (last.headers["topic"], last.headers["urgency"]) == (first.headers["topic"], "high")
    assert set(service.messages) == {mine}


def test_a_notice_is_for_the_turn_and_the_next_turn_has_its_own(
    server: Server, service: PushService, table: tuple[Table, list[str]]
) -> None:
    match, paths = table
    for turn in range(4):
        seat = acting(server, match[0])
        server.advance(LATER)
        send_due(server)
        assert len(service.messages[paths[seat]]) == turn // 2 + 1
        play(server, match)
    topics = {message.headers["topic"] for message in service.messages[paths[0]]}
    assert len(topics) == 1, "a later notice replaces the earlier one"
    play(server, match)
    send_due(server)
    server.advance(NOTICE_DELAY - 10)
    play(server, match)
    server.advance(30)
    send_due(server)
    assert sum(map(len, service.messages.values())) == 4, "turns that were taken in time need no notice"


@pytest.mark.parametrize(("clock", "hour", "later"), [("86400", 23, 9.0), ("18000", 2, 0.0)])
def test_at_night_notices_wait_for_the_morning_unless_the_time_ends_before(
    server: Server, service: PushService, clock: str, hour: int, later: float
) -> None:
    ada, ben = server.guests(2)
    slow_table(server, ada, ben, clock=clock)
    zone = zone_at(server, hour)
    for client, path in ((ada, "ok/ada"), (ben, "ok/ben")):
        subscribe(client, service.browser(path), zone)
    server.advance(LATER)
    send_due(server)
    assert len(service.messages) == (not later)
    server.advance(later * 3600)
    send_due(server)
    assert sum(map(len, service.messages.values())) == 1
    assert not later or not is_night(server.clock.wall(), zone)


@pytest.mark.parametrize(
    ("behaviour", "requests", "kept"),
    [("404", 1, False), ("410", 1, False), ("500", 3, True), ("429", 3, True), ("redirect", 3, True)],
)
def test_a_push_service_that_refuses_is_asked_three_times_or_no_more(
    server: Server, service: PushService, behaviour: str, requests: int, kept: bool
) -> None:
    ada, ben = server.guests(2)
    url, *lives = slow_table(server, ada, ben)
    clients = [ada, ben]
    path = f"{behaviour}/1"
    subscribe(clients[acting(server, url)], service.browser(path), zone_at(server, 12))
    for _ in range(6):
        server.advance(NOTICE_DELAY * 3)
        send_due(server)
    assert service.requests[path] == requests
    data = clients[acting(server, url)].get("/you/data").text
    assert service.browser(path).endpoint not in data
    play(server, (url, *lives))
    play(server, (url, *lives))
    server.advance(LATER)
    send_due(server)
    assert service.requests[path] == requests + kept


def test_services_that_do_not_answer_hold_up_no_others(
    server: Server, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("facedown.server.notices.notice_sender.MAX_CONCURRENT", 2)
    ada, ben = server.guests(2)
    url, *_ = slow_table(server, ada, ben)
    mover = [ada, ben][acting(server, url)]
    noon = zone_at(server, 12)
    subscribe(mover, service.browser("ok/proven"), noon)
    server.advance(LATER)
    send_due(server)
    assert len(service.messages["ok/proven"]) == 1
    for number in range(4):
        subscribe(mover, service.browser(f"hang/{number}"), noon)
    play(server, (url, *_))
    play(server, (url, *_))
    server.advance(LATER)
    server.within(server.rooms.notices.send_due())
    wait_until(lambda: len(service.messages["ok/proven"]) == 2)
    service.waiting.set()


def test_a_renewed_subscription_replaces_the_old_one(
    server: Server, service: PushService, table: tuple[Table, list[str]]
) -> None:
    (url, *lives), paths = table
    seat = acting(server, url)
    old, new = service.browser(paths[seat]), service.browser("ok/new")
    client = server.client_of(lives[seat].socket.request.headers["Cookie"].split("facedown-guest=")[1].split(";")[0])
    zone = zone_at(server, 12)
    assert client.post("/push/subscription", json=new.form(zone, replaces=old.endpoint)).status_code == 204
    server.advance(LATER)
    send_due(server)
    assert list(service.messages) == ["ok/new"]
    assert client.post("/push/unsubscribe", json={"endpoint": new.endpoint}).status_code == 204
    server.advance(DAY * 5 / 6)
    send_due(server)
    assert len(service.messages["ok/new"]) == 1


def test_an_invitation_and_a_seat_that_was_found_give_a_notice(server: Server, service: PushService) -> None:
    ada, ben = server.guests(2)
    url, *_lives = slow_table(server, ada, ben)
    subscribe(ben, service.browser("ok/ben"), zone_at(server, 12))
    lobby = open_table(ada, "open", game="scout")
    invited = {"table": code_of(url), "seat": "1"}
    assert ada.post(f"{lobby}/invite", data=invited).status_code == 303
    for _ in range(3):
        send_due(server)
    (notice,) = service.shown("ok/ben")
    assert (notice["title"], notice["navigate"]) == ("Ada invites you to SCOUT", f"{URL}{lobby}")
    assert ben.post(f"{lobby}/invitation", data={"answer": "mute"}).status_code == 303
    another = open_table(ada, "open", game="scout", listed="on", clock="60")
    assert ada.post(f"{another}/invite", data=invited).status_code == 303
    send_due(server)
    assert len(service.shown("ok/ben")) == 1, "Ben has muted Ada"
    assert ben.post("/open/search", data={"game-scout": "on", "pace": "any"}).status_code == 303
    for _ in range(3):
        send_due(server)
    _, found = service.shown("ok/ben")
    assert (found["title"], found["navigate"]) == ("A seat is free in SCOUT", f"{URL}/open")
    assert 0 < int(service.messages["ok/ben"][-1].headers["ttl"]) <= 60


def test_strangers_and_wrong_addresses_are_refused(server: Server, service: PushService) -> None:
    (ada,) = server.guests(1)
    form = service.browser("ok/1").form()
    assert ada.post("/push/subscription", json=form).status_code == 403
    open_table(ada, "low")
    for wrong in (
        {"endpoint": "http://push.test/1"},
        {"endpoint": "https://push.test:22/1"},
        {"p256dh": "AAAA"},
        {"p256dh": "Ä"},
        {"auth": "AAAA"},
        {"more": "x"},
    ):
        answer = ada.post("/push/subscription", json=form | wrong)
        assert (answer.status_code, answer.json()["code"]) == (422, "malformed"), wrong
    assert ada.post("/push/subscription", json=form | {"zone": "Mars/Olympus"}).status_code == 204
    assert ada.post("/push/subscription", json=form, headers={"Origin": "https://evil.example"}).status_code == 403


def test_without_a_public_url_notices_are_not_offered(tmp_path: Path, service: PushService) -> None:
    with serving(tmp_path) as running:
        (ada,) = running.guests(1)
        page = ada.get(open_table(ada, "low")).text
        assert "push-key" not in page
        answer = ada.post("/push/subscription", json=service.browser("ok/1").form())
        assert answer.status_code == 404


def test_the_signing_key_is_the_same_after_a_restart_and_nowhere_to_be_read(tmp_path: Path) -> None:
    keys = set()
    for _ in range(2):
        with serving(tmp_path, public_url=URL) as running:
            (ada,) = running.guests(1)
            page = ada.get(open_table(ada, "low")).text
            keys.add(running.rooms.notices.public_key)
            assert running.rooms.notices.public_key in page
            secret = running.within(running.rooms.store.run(running.rooms.repository.shared_secret_key, "vapid"))
            for text in (page, ada.get("/you/data").text, ada.get("/metrics").text):
                assert secret.hex() not in text
    assert len(keys) == 1


@pytest.mark.parametrize("game", sorted(registry.catalogue()))
def test_notices_are_the_same_in_worlds_that_differ_in_cards_and_moves(
    tmp_path: Path, service: PushService, game: str
) -> None:
    """All that a notice contains is public: tables with other cards and other moves give the same notices."""
    seen: list[list[Any]] = []
    for world in range(2):
        service.messages.clear()
        with serving_notices(tmp_path / str(world), service) as running:
            clients = running.guests(2)
            low, _high = registry.catalogue()[game].seats
            more = {f"seat-{index}": "low" for index in range(2, max(2, low))}
            form = {"game": game, "name": "Ada", "seat-0": "you", "seat-1": "open", "clock": "86400"} | more
            url = clients[0].post("/tables", data=form).headers["location"]
            sit(clients[1], url)
            with Live(running, clients[0], url) as one, Live(running, clients[1], url) as two:
                start_match(one, two)
                for client, path in zip(clients, ("ok/ada", "ok/ben"), strict=True):
                    subscribe(client, service.browser(path), zone_at(running, 12))
                session = running.session(url)
                wait_until(lambda session=session: any(clock.since for clock in session.record.clocks))
                running.advance(LATER)
                send_due(running)
                texts = [
                    re.sub(r"\d\d:\d\d", "TIME", str(notice)).replace(code_of(url), "CODE")
                    for path in sorted(service.messages)
                    for notice in service.shown(path)
                ]
                assert texts
                seen.append(sorted({text.replace("Ada", "NAME").replace("Ben", "NAME") for text in texts}))
    assert seen[0] == seen[1]
