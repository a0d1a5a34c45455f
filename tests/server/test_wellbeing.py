"""A server that cannot save a move says so, to programs and to people, and says that it can as soon as it can again."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from httpx import Response

from facedown.server.http import health
from facedown.server.http.health import Readiness
from facedown.server.table.room import Room
from facedown.store import hash_token
from facedown.store.engine import PATIENCE as LOCK_PATIENCE
from facedown.store.engine import POOL_SIZE, READ_ONLY, LockWait
from facedown.store.errors import CommitUnknown
from tests.manual_clock import pass_time
from tests.server.api_players import Player, problem, seated
from tests.server.http_server import PATIENCE, Live, Serve, Server, open_table, serving
from tests.server.live_tables import running, scene
from tests.store.test_health import foreign_lock
from tests.waiting import run_ready_tasks, wait_until, wait_until_async

NOT_KEPT = "That could not be saved, so it doesn’t count. Try again."


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server whose database may be spoiled and whose bots never act; what `/ready` found holds for no time."""
    with serving(tmp_path / "data") as server, contextlib.ExitStack() as many:
        without_bots(server)
        server.app.state.readiness.holds = 0.0
        # However busy the machine is: what hangs has a test of its own.
        server.app.state.readiness.patience = PATIENCE
        # As on a server that has done much at a time: no file that is gone has to be opened for whoever reads, though
        # others read as well.
        for _ in range(POOL_SIZE):
            many.enter_context(server.rooms.repository.engine.connect())
        yield server


def without_bots(server: Server) -> None:
    """Its bots never act: a host may let them wait for a minute at most, and a busy machine takes longer."""
    server.rooms.settings = server.rooms.settings.model_copy(update={"bot_delay": 1e6})


@pytest.fixture
def database(own: Server, tmp_path: Path) -> Path:
    return tmp_path / "data" / "facedown.sqlite3"


def ready(server: Server) -> tuple[int, str]:
    answer = httpx.get(f"{server.origin}/ready", timeout=PATIENCE)
    return answer.status_code, answer.json()["status"]


def program(server: Server) -> Player:
    return seated(*server.guests(1), "me", "low")


def rows(file: Path, query: str) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(file)) as stored:
        return stored.execute(query).fetchall()


def count(file: Path, table: str) -> int:
    return len(rows(file, f"SELECT 1 FROM {table}"))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux shows what a process holds")
def test_a_database_that_is_gone_can_be_rescued(own: Server, database: Path, tmp_path: Path) -> None:
    """As docs/runbook.md says it."""
    before, seat = program(own), program(own)
    assert before.play().status_code == 200
    for file in database.parent.glob("facedown.sqlite3*"):
        file.unlink()
    assert problem(seat.play(), 503, "unavailable") == NOT_KEPT
    assert seat.view()["version"] == 0, "what does not count is not shown either"
    assert ready(own) == (503, "lost")
    # It lives: to start it again by a blind hand is not for `/health` to say.
    assert [seat.client.get(path).status_code for path in ("/health", "/")] == [200, 200]
    form = {"game": "detect", "seat-0": "you", "seat-1": "low"}
    assert seat.client.post("/tables", data=form).status_code == 503
    held = {}
    for link in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            held[str(link.readlink())] = link
    rescued = tmp_path / "rescued.sqlite3"
    for end in ("", "-wal"):
        shutil.copy(held[f"{database}{end} (deleted)"], f"{rescued}{end}")
    assert count(rescued, "moves") == 1


@pytest.fixture
def people() -> Iterator[ThreadPoolExecutor]:
    """Threads, one for each request that is sent at the same time."""
    with ThreadPoolExecutor(12) as threads:
        yield threads


def moves_and_tables(seats: Sequence[Player]) -> list[Callable[[], Response]]:
    """Requests of programs: a move of each, and a new table of each."""
    table = {"game": "detect", "name": "Ada", "seats": ["me", "low"]}
    tables = [partial(seat.client.post, "/api/v1/tables", json=table) for seat in seats]
    return [seat.play for seat in seats] + tables


def test_behind_a_foreign_lock_everybody_is_told_soon(own: Server, database: Path, people: ThreadPoolExecutor) -> None:
    """Somebody else's program holds the lock for writing: what is asked for is refused, and nothing is half done."""
    seats = [program(own) for _ in range(6)]
    statements: list[float] = []

    @sa.event.listens_for(own.rooms.repository._engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("PRAGMA busy_timeout="):
            statements.append(int(statement.split("=")[1]) / 1000)

    with foreign_lock(database):
        answers = list(people.map(lambda ask: ask(), moves_and_tables(seats)))
        assert [answer.status_code for answer in answers] == [503] * 12
        assert all(answer.json()["reason"] == NOT_KEPT for answer in answers)
        assert statements.count(LOCK_PATIENCE) <= 3, "only those wait in full who had a thread at once"
        assert ready(own) == (503, "locked")
        assert all(seat.view()["version"] == 0 for seat in seats)
    assert [ask().status_code for ask in moves_and_tables(seats)] == [200] * 6 + [201] * 6
    assert ready(own) == (200, "ready")
    assert count(database, "moves") == 6
    assert count(database, "matches") == 12


@pytest.mark.slow
def test_reading_waits_for_nobody_who_writes(
    own: Server, database: Path, monkeypatch: pytest.MonkeyPatch, people: ThreadPoolExecutor
) -> None:
    seats = [program(own) for _ in range(6)]
    monkeypatch.setattr(LockWait, "next_timeout", lambda self: 3600.0)
    with foreign_lock(database):
        asked = [people.submit(ask) for ask in moves_and_tables(seats)]
        (client,) = own.guests(1)
        assert [client.get(path).status_code for path in (seats[0].path, "/")] == [200, 200]
        # From the database, not from memory.
        own.rooms._rooms.pop(seats[5].code)
        assert client.get(seats[5].path).status_code == 200
        assert not any(one.done() for one in asked)
    # The lock was let go in time: all of it counts, also at the table that was opened anew meanwhile.
    assert [one.result(PATIENCE).status_code for one in asked] == [200] * 6 + [201] * 6


@contextlib.contextmanager
def moved_aside(file: Path) -> Iterator[None]:
    """The database is away until the block ends."""
    aside = file.rename(file.with_name("aside"))
    yield
    aside.rename(file)


def test_a_page_opens_though_nothing_can_be_written_down_and_is_told_so(own: Server, database: Path) -> None:
    (ada,) = own.guests(1)
    url = open_table(ada, "low")
    room = own.room(url)
    person = room.session.record.seats[0].person
    assert person is not None
    # To come back has to be written down.
    own.within(room.request(lambda session: session.leave(person)))
    with moved_aside(database), Live(own, ada, url) as live:
        assert live.hello()["version"] == 0
    with Live(own, ada, url) as live:
        table = live.hello()
        with moved_aside(database):
            live.move(table)
            refused = live.get("error")
            assert (refused["code"], refused["reason"]) == ("conflict", NOT_KEPT)
        live.move(table)
        assert live.beyond(0)["version"] == 1

    async def never(*_: object) -> None:
        raise AssertionError("the database was asked")

    assert ready(own) == (200, "ready")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(own.rooms.store, "run", never)
        assert httpx.get(f"{own.origin}/health", timeout=PATIENCE).json() == {"status": "ok"}


@scene
async def test_ready_asks_the_database_once_however_often_it_is_asked(tmp_path: Path) -> None:
    async with running(tmp_path) as rooms:
        asked = 0
        hangs = threading.Event()
        beat = rooms.repository.write_pulse

        def counted(now: float) -> None:
            nonlocal asked
            asked += 1
            hangs.wait(PATIENCE)
            beat(now)

        counted.writes = True  # type: ignore[attr-defined]
        rooms.repository.write_pulse = counted  # type: ignore[method-assign]
        readiness = Readiness(rooms)
        waiting = asyncio.gather(*(readiness.status() for _ in range(50)))
        await wait_until_async(lambda: asked > 0)
        await pass_time(health.READINESS_TIMEOUT)
        assert waiting.done()
        assert await waiting == ["slow"] * 50
        await pass_time(health.READINESS_TTL)
        later = asyncio.ensure_future(readiness.status())
        await run_ready_tasks()
        await pass_time(health.READINESS_TIMEOUT)
        assert later.done()
        assert await later == "slow"
        assert asked == 1, "while one hangs, no other is begun"
        hangs.set()
        await wait_until_async(lambda: rooms.metrics.ready._value.get() == 1)
        assert {await readiness.status() for _ in range(50)} == {"ready"}
        assert asked == 1
        await pass_time(health.READINESS_TTL)
        assert await readiness.status() == "ready"
        assert asked == 2
        rooms.closing = True
        assert await readiness.status() == "stopping"


def write_by(server: Server, written: Callable[[Callable[[], Any]], Any]) -> None:
    """Let a function do what the server writes, or do it later."""
    repository = server.rooms.repository
    write_all = repository.write_all

    def written_otherwise(changes: Any) -> Any:
        return written(partial(write_all, changes))

    written_otherwise.writes = True  # type: ignore[attr-defined]
    repository.write_all = written_otherwise  # type: ignore[method-assign]


def test_a_commit_that_nobody_knows_of_is_shown_when_it_is_known(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database goes away in the middle of a commit that comes through, and is back a while later."""
    monkeypatch.setattr("facedown.server.table.room.SETTLE_RETRY_INTERVAL", 0.02)
    seat, read_on, is_back = program(own), Room._read_newer, threading.Event()

    def lost(write: Callable[[], Any]) -> Any:
        write()
        raise CommitUnknown("lost while it wrote")

    async def silent(room: Room) -> None:
        if not is_back.is_set():
            raise sa.exc.OperationalError("SELECT", {}, Exception("nobody answers"))
        await read_on(room)

    write_by(own, lost)
    room = own.room(seat.code)
    legal = room.session.legal(0)
    with monkeypatch.context() as patch:
        patch.setattr(Room, "_read_newer", silent)
        with pytest.raises(CommitUnknown):
            own.within(room.request(lambda session: session.move(0, legal[0], 0, now=1.0)))
        assert room.session.ply == 0
        is_back.set()
        # What stands is shown without anybody asking for it.
        wait_until(lambda: room.session.ply > 0)
    assert seat.view()["version"] == 1


def test_a_database_that_hangs_keeps_nobody_waiting(served: Serve, people: ThreadPoolExecutor) -> None:
    """A move is on its way; it counts when it is written down at last, and the page shows it then."""
    server = served(write_patience=600.0)
    without_bots(server)
    seat = program(server)
    begun, hangs = threading.Event(), threading.Event()

    def slowly(write: Callable[[], Any]) -> Any:
        begun.set()
        hangs.wait(PATIENCE)
        return write()

    write_by(server, slowly)
    try:
        asked = people.submit(seat.play)
        assert begun.wait(PATIENCE)
        server.advance(server.rooms.settings.write_patience)
        assert "you’ll see whether that counted" in problem(asked.result(PATIENCE), 503, "unavailable")
        assert seat.view()["version"] == 0
    finally:
        hangs.set()
    wait_until(lambda: seat.view()["version"] > 0)


def test_acknowledged_moves_stay(own: Server, database: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that goes and comes back, locks, breaks: what was acknowledged stands, what was refused was not shown."""
    # How long a writer waits for the lock of another program is tested elsewhere.
    monkeypatch.setattr(LockWait, "next_timeout", lambda self: 0.1)
    luck = random.Random(seed)
    acknowledged: set[str] = set()
    trouble = [partial(moved_aside, database), partial(foreign_lock, database), partial(breaking, own)]
    for begin in luck.sample([*trouble, contextlib.nullcontext] * 2, 8):
        seat, fine = program(own), begin is contextlib.nullcontext
        with begin():
            assert seat.play().status_code == (200 if fine else 503)
        if fine:
            acknowledged.add(hash_token(seat.token))
        assert seat.view()["version"] == (1 if fine else 0)
    stored = rows(database, "SELECT key_hash FROM moves JOIN seats USING (match_id, seat)")
    assert sorted(str(row[0]) for row in stored) == sorted(acknowledged)


@contextlib.contextmanager
def breaking(server: Server) -> Iterator[None]:
    engine = server.rooms.repository._engine

    def broken(connection: sa.Connection) -> None:
        if not connection.get_execution_options().get(READ_ONLY):
            raise sa.exc.OperationalError("COMMIT", {}, Exception("disk I/O error"))

    sa.event.listen(engine, "commit", broken)
    yield
    sa.event.remove(engine, "commit", broken)
