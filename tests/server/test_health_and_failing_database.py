"""A server that cannot save: errors for moves and pages, `/health`, `/ready`, and recovery."""

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
from tests.server.api_players import Player, new_player, problem
from tests.server.http_server import PATIENCE, Live, Serve, Server, open_table, serving
from tests.server.live_tables import running_process, with_manual_clock
from tests.store.test_database_failures import foreign_lock
from tests.waiting import run_ready_tasks, wait_until, wait_until_async

NOT_SAVED = "Your action could not be saved, so it doesn’t count. Try again."


@pytest.fixture
def breakable_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server whose database the test may damage. Its bots never act, and `/ready` caches nothing."""
    with serving(tmp_path / "data") as server, contextlib.ExitStack() as many:
        without_bots(server)
        server.app.state.readiness.ttl = 0.0
        # A busy machine must not cause a timeout. Another test covers a hanging database.
        monkeypatch.setattr(health, "READINESS_TIMEOUT", PATIENCE)
        # Fill the connection pool, as on a busy server: no read has to open the missing file.
        for _ in range(POOL_SIZE):
            many.enter_context(server.rooms.repository.engine.connect())
        yield server


def without_bots(server: Server) -> None:
    """Keep bots from acting. The setting allows a minute at most, and a busy machine may take longer."""
    server.rooms.settings = server.rooms.settings.model_copy(update={"bot_delay": 1e6})


@pytest.fixture
def database(breakable_server: Server, tmp_path: Path) -> Path:
    return tmp_path / "data" / "facedown.sqlite3"


def ready(server: Server) -> tuple[int, str]:
    answer = httpx.get(f"{server.origin}/ready", timeout=PATIENCE)
    return answer.status_code, answer.json()["status"]


def new_program(server: Server) -> Player:
    return new_player(*server.guests(1), "me", "low")


def rows(file: Path, query: str) -> list[tuple[Any, ...]]:
    with contextlib.closing(sqlite3.connect(file)) as stored:
        return stored.execute(query).fetchall()


def count(file: Path, table: str) -> int:
    return len(rows(file, f"SELECT 1 FROM {table}"))


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux shows what a process holds")
def test_running_server_works_again_after_its_deleted_database_is_restored_as_the_runbook_says(
    breakable_server: Server, database: Path, tmp_path: Path
) -> None:
    """Follow the steps of docs/runbook.md."""
    before, seat = new_program(breakable_server), new_program(breakable_server)
    assert before.play().status_code == 200
    for file in database.parent.glob("facedown.sqlite3*"):
        file.unlink()
    assert problem(seat.play(), 503, "unavailable") == NOT_SAVED
    assert seat.view()["version"] == 0, "what does not count is not shown either"
    assert ready(breakable_server) == (503, "lost")
    # The process is alive: `/health` must not cause an automatic restart.
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
def threads() -> Iterator[ThreadPoolExecutor]:
    """Threads for requests that are sent at the same time."""
    with ThreadPoolExecutor(12) as threads:
        yield threads


def moves_and_tables(seats: Sequence[Player]) -> list[Callable[[], Response]]:
    """Return requests of programs: a move and a new table of each."""
    table = {"game": "detect", "name": "Ada", "seats": ["me", "low"]}
    tables = [partial(seat.client.post, "/api/v1/tables", json=table) for seat in seats]
    return [seat.play for seat in seats] + tables


def test_requests_fail_soon_with_503_while_another_program_locks_the_database(
    breakable_server: Server, database: Path, threads: ThreadPoolExecutor
) -> None:
    """Another program holds the write lock. Requests are refused, and none is half done."""
    seats = [new_program(breakable_server) for _ in range(6)]
    statements: list[float] = []

    @sa.event.listens_for(breakable_server.rooms.repository._engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("PRAGMA busy_timeout="):
            statements.append(int(statement.split("=")[1]) / 1000)

    with foreign_lock(database):
        answers = list(threads.map(lambda ask: ask(), moves_and_tables(seats)))
        assert [answer.status_code for answer in answers] == [503] * 12
        assert all(answer.json()["reason"] == NOT_SAVED for answer in answers)
        assert statements.count(LOCK_PATIENCE) <= 3, "only those wait in full who had a thread at once"
        assert ready(breakable_server) == (503, "locked")
        assert all(seat.view()["version"] == 0 for seat in seats)
    assert [ask().status_code for ask in moves_and_tables(seats)] == [200] * 6 + [201] * 6
    assert ready(breakable_server) == (200, "ready")
    assert count(database, "moves") == 6
    assert count(database, "matches") == 12


@pytest.mark.slow
def test_database_reads_do_not_wait_for_blocked_writers(
    breakable_server: Server, database: Path, monkeypatch: pytest.MonkeyPatch, threads: ThreadPoolExecutor
) -> None:
    seats = [new_program(breakable_server) for _ in range(6)]
    monkeypatch.setattr(LockWait, "next_timeout", lambda self: 3600.0)
    with foreign_lock(database):
        asked = [threads.submit(ask) for ask in moves_and_tables(seats)]
        (client,) = breakable_server.guests(1)
        assert [client.get(path).status_code for path in (seats[0].path, "/")] == [200, 200]
        # From the database, not from memory.
        breakable_server.rooms._rooms.pop(seats[5].code)
        assert client.get(seats[5].path).status_code == 200
        assert not any(one.done() for one in asked)
    # The lock was released in time: all requests count, also at the table that was reloaded meanwhile.
    assert [one.result(PATIENCE).status_code for one in asked] == [200] * 6 + [201] * 6


@contextlib.contextmanager
def moved_aside(file: Path) -> Iterator[None]:
    """Move the database away until the block ends."""
    aside = file.rename(file.with_name("aside"))
    yield
    aside.rename(file)


def test_page_opens_with_an_unwritable_database_and_moves_get_an_error(
    breakable_server: Server, database: Path
) -> None:
    (ada,) = breakable_server.guests(1)
    url = open_table(ada, "low")
    room = breakable_server.room(url)
    person = room.session.record.seats[0].person
    assert person is not None
    # Returning to the table must be saved.
    breakable_server.within(room.request_change(lambda session: session.leave(person)))
    with moved_aside(database), Live(breakable_server, ada, url) as live:
        assert live.hello()["version"] == 0
    with Live(breakable_server, ada, url) as live:
        table = live.hello()
        with moved_aside(database):
            live.move(table)
            refused = live.get("error")
            assert (refused["code"], refused["reason"]) == ("conflict", NOT_SAVED)
        live.move(table)
        assert live.beyond(0)["version"] == 1

    async def never(*_: object) -> None:
        raise AssertionError("the database was asked")

    assert ready(breakable_server) == (200, "ready")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(breakable_server.rooms.store, "run", never)
        assert httpx.get(f"{breakable_server.origin}/health", timeout=PATIENCE).json() == {"status": "ok"}


@with_manual_clock
async def test_readiness_check_queries_the_database_once_for_many_requests(tmp_path: Path) -> None:
    async with running_process(tmp_path) as rooms:
        asked = 0
        hangs = threading.Event()
        beat = rooms.repository.save_alive_time

        def counted(now: float) -> None:
            nonlocal asked
            asked += 1
            hangs.wait(PATIENCE)
            beat(now)

        counted.writes = True  # type: ignore[attr-defined]
        rooms.repository.save_alive_time = counted  # type: ignore[method-assign]
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


def replace_write(server: Server, written: Callable[[Callable[[], Any]], Any]) -> None:
    """Replace the server's write by a function, which may call or delay it."""
    repository = server.rooms.repository
    write_all = repository.write_all

    def written_otherwise(changes: Any) -> Any:
        return written(partial(write_all, changes))

    written_otherwise.writes = True  # type: ignore[attr-defined]
    repository.write_all = written_otherwise  # type: ignore[method-assign]


def test_move_with_an_unknown_commit_result_is_shown_as_soon_as_the_database_answers_again(
    breakable_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection is lost during a commit that succeeds, and the database comes back later."""
    monkeypatch.setattr("facedown.server.table.room.SETTLE_RETRY_INTERVAL", 0.02)
    seat, read_on, is_back = new_program(breakable_server), Room._read_and_apply_newer, threading.Event()

    def lost(write: Callable[[], Any]) -> Any:
        write()
        raise CommitUnknown("lost while it wrote")

    async def silent(room: Room) -> None:
        if not is_back.is_set():
            raise sa.exc.OperationalError("SELECT", {}, Exception("nobody answers"))
        await read_on(room)

    replace_write(breakable_server, lost)
    room = breakable_server.room(seat.code)
    legal = room.session.legal(0)
    with monkeypatch.context() as patch:
        patch.setattr(Room, "_read_and_apply_newer", silent)
        with pytest.raises(CommitUnknown):
            breakable_server.within(room.request_change(lambda session: session.move(0, legal[0], 0, now=1.0)))
        assert room.session.ply == 0
        is_back.set()
        # The saved move appears without a further request.
        wait_until(lambda: room.session.ply > 0)
    assert seat.view()["version"] == 1


def test_move_gets_503_while_the_database_hangs_and_counts_after_it_is_saved(
    start_server: Serve, threads: ThreadPoolExecutor
) -> None:
    """The move counts once it is saved at last, and then the page shows it."""
    server = start_server(write_patience=600.0)
    without_bots(server)
    seat = new_program(server)
    begun, hangs = threading.Event(), threading.Event()

    def slowly(write: Callable[[], Any]) -> Any:
        begun.set()
        hangs.wait(PATIENCE)
        return write()

    replace_write(server, slowly)
    try:
        asked = threads.submit(seat.play)
        assert begun.wait(PATIENCE)
        server.advance(server.rooms.settings.write_patience)
        assert "you’ll see whether your action counted" in problem(asked.result(PATIENCE), 503, "unavailable")
        assert seat.view()["version"] == 0
    finally:
        hangs.set()
    wait_until(lambda: seat.view()["version"] > 0)


def test_acknowledged_moves_are_stored_despite_database_failures(
    breakable_server: Server, database: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database file is moved, locked, or fails to commit. Acknowledged moves are stored, refused ones not shown."""
    # Other tests cover how long a writer waits for the lock of another program.
    monkeypatch.setattr(LockWait, "next_timeout", lambda self: 0.1)
    luck = random.Random(seed)
    acknowledged: set[str] = set()
    trouble = [
        partial(moved_aside, database),
        partial(foreign_lock, database),
        partial(failing_commits, breakable_server),
    ]
    for begin in luck.sample([*trouble, contextlib.nullcontext] * 2, 8):
        seat, fine = new_program(breakable_server), begin is contextlib.nullcontext
        with begin():
            assert seat.play().status_code == (200 if fine else 503)
        if fine:
            acknowledged.add(hash_token(seat.token))
        assert seat.view()["version"] == (1 if fine else 0)
    stored = rows(database, "SELECT key_hash FROM moves JOIN seats USING (match_id, seat)")
    assert sorted(str(row[0]) for row in stored) == sorted(acknowledged)


@contextlib.contextmanager
def failing_commits(server: Server) -> Iterator[None]:
    engine = server.rooms.repository._engine

    def broken(connection: sa.Connection) -> None:
        if not connection.get_execution_options().get(READ_ONLY):
            raise sa.exc.OperationalError("COMMIT", {}, Exception("disk I/O error"))

    sa.event.listen(engine, "commit", broken)
    yield
    sa.event.remove(engine, "commit", broken)
