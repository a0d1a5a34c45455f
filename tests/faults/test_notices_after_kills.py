"""Servers that are killed while they send notices: none is lost, and a person sees none twice."""

from __future__ import annotations

import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from facedown.play import Session, Settings
from facedown.play.new_tables import new_table
from facedown.play.notice_times import is_night
from facedown.store import Repository
from facedown.store.push_subscriptions import BrowserKeys, store_subscription
from tests.faults.server_group import ServerProcess, sleep_through
from tests.play.table import LowBots
from tests.server.push_service import PushService, push_service
from tests.store.test_repository import person, save
from tests.waiting import wait_until

pytestmark = [pytest.mark.nightly, pytest.mark.postgres]
#: Number of tables, and of kills after which the test ends.
TABLES, KILLS = 8, 8
#: Seconds since the matches began, and between two turns: so the notices of two turns name different times.
AGO, BETWEEN = 8 * 3600.0, 61.0
#: Seconds between two kills, at most.
KILLED_EVERY = 2.5


class NoticeServer(ServerProcess):
    """A server process whose push services are the tests' own."""

    def __init__(self, database: str, log: Path, service: PushService, certificate: Path) -> None:
        more = {"public_url": "https://cards.example", "jobs_every": 0.1}
        super().__init__(database, log, **more)
        self.module = ["-m", "tests.faults.notice_server", str(service.port), str(certificate)]


@pytest.fixture
def service() -> Iterator[PushService]:
    with push_service() as running:
        yield running
        assert running.errors == []


def noon() -> str:
    """Return a time zone in which it is day now and for some hours."""
    zones = [f"Etc/GMT{hours:+d}" for hours in range(-11, 12) if hours]
    return next(zone for zone in zones if not any(is_night(time.time() + more, zone) for more in (0, 7200)))


def slow_table(repository: Repository, service: PushService, number: int, zone: str) -> Session:
    """Return a running match of two persons whose browsers get notices at "ok/NUMBER-SEAT"."""
    now = time.time() - AGO
    people = [person(repository, f"{name} {number}") for name in ("Ada", "Ben")]
    settings = Settings(clock=86_400)
    record = new_table(
        "reveille", ("me", "open"), LowBots(), now, host=people[0].id, host_name=people[0].name, settings=settings
    )
    repository.create(record)
    session = Session(record)
    save(repository, session, session.sit(people[1].id, people[1].name, ready=True, now=now))
    save(repository, session, session.ready(people[0].id, True, now))
    for seat, one in enumerate(people):
        form = service.browser(f"ok/{number}-{seat}").form()
        keys = BrowserKeys(form["endpoint"], form["p256dh"], form["auth"])
        store_subscription(repository.engine, one.id, keys, "en", zone, now)
    return session


def acting(session: Session) -> int | None:
    """Return the seat whose clock runs; None after the match."""
    return next((seat for seat in (0, 1) if session.record.clocks[seat].since is not None), None)


def play_turn(repository: Repository, session: Session, draw: random.Random, now: float) -> None:
    """Play random moves of the acting seat, at the Unix time `now`, until the turn is over."""
    seat = acting(session)
    while seat is not None and acting(session) == seat:
        action = draw.choice(session.legal(seat))
        save(repository, session, session.move(seat, action, session.version(seat), now=now))


def test_killed_servers_lose_no_notice_and_show_none_twice(
    tmp_path: Path, postgres_url: str, service: PushService
) -> None:
    certificate = tmp_path / "certificate.pem"
    certificate.write_text(service.certificate)
    servers = [NoticeServer(postgres_url, tmp_path / f"{number}.log", service, certificate) for number in range(2)]
    draw, done, kills = random.Random(1), threading.Event(), Counter[str]()

    def kill_again_and_again() -> None:
        while not done.is_set():
            sleep_through(draw.uniform(0.2, KILLED_EVERY))
            server = draw.choice(servers)
            server.end(signal.SIGKILL)
            kills["killed"] += 1
            server.start()
            server.wait()

    repository = Repository(postgres_url)
    try:
        for server in servers:
            server.start()
        for server in servers:
            server.wait()
        zone = noon()
        tables = [slow_table(repository, service, number, zone) for number in range(TABLES)]
        killer = threading.Thread(target=kill_again_and_again)
        killer.start()
        expected: Counter[str] = Counter()
        try:
            turn = 0
            while kills["killed"] < KILLS:
                turn += 1
                for number, session in enumerate(tables):
                    if turn > 1 and not session.dealt_match.over:
                        play_turn(repository, session, draw, time.time() - AGO + BETWEEN * turn)
                    if not session.dealt_match.over:
                        expected[f"ok/{number}-{acting(session)}"] += 1
                for path in expected:
                    wait_until(lambda path=path: len(distinct(service, path)) >= expected[path])
        finally:
            done.set()
            killer.join()
    finally:
        repository.close()
        for server in servers:
            if server.process is not None and server.process.poll() is None:
                server.end(signal.SIGTERM)
            server.held.close()
    counts = {path: len(distinct(service, path)) for path in expected}
    assert counts == dict(expected)
    sent = sum(map(len, service.messages.values()))
    print(f"{sum(expected.values())} turns, {sent} messages, {kills['killed']} kills", file=sys.stderr)
    # A process that dies between the answer and its record sends again; the browser replaces the notice by itself.
    for path, messages in service.messages.items():
        for before, after in pairwise(messages):
            again = before.notification == after.notification
            assert not again or before.headers["topic"] == after.headers["topic"], path
    assert sent - sum(expected.values()) <= kills["killed"] * TABLES


def distinct(service: PushService, path: str) -> list[dict[str, Any]]:
    """Return what a browser has shown: a message equal to the one before replaces it, without another notice."""
    shown = service.shown(path)
    return [one for at, one in enumerate(shown) if at == 0 or one != shown[at - 1]]
