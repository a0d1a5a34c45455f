"""A server that cannot save a move says so, to programs and to people, and says that it can as soon as it can again."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from facedown.server.http import wellbeing
from facedown.server.http.wellbeing import Readiness
from facedown.server.table.rooms import Rooms
from facedown.store import hash_token
from facedown.store.changes import read_back
from facedown.store.engine import KEPT, READ_ONLY, Patience
from facedown.store.engine import PATIENCE as LOCK_PATIENCE
from tests.clock import pass_time
from tests.server.scenes import running, scene
from tests.server.serving import PATIENCE, Live, Server, code_of, open_table, serving
from tests.store.test_health import foreign_lock
from tests.wait import run_ready_tasks, wait_until, wait_until_async

NOT_KEPT = "That could not be saved, so it does not count. Try again."


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Server]:
    """A server whose database may be spoiled; what `/ready` found holds for no time."""
    with serving(tmp_path / "data") as server:
        without_bots(server)
        server.app.state.readiness.holds = 0.0
        # However busy the machine is: what hangs has a test of its own.
        server.app.state.readiness.patience = PATIENCE
        # As on a server that has done much at a time: no file that is gone has to be opened for whoever reads, though
        # others read as well.
        with contextlib.ExitStack() as many:
            for _ in range(KEPT):
                many.enter_context(server.rooms.repository.engine.connect())
        with OPEN:
            yield server


def without_bots(server: Server) -> None:
    """Its bots never act: a host may let them wait for a minute at most, and a busy machine takes longer."""
    server.rooms.settings = server.rooms.settings.model_copy(update={"bot_delay": 1e6})


@pytest.fixture
def database(own: Server, tmp_path: Path) -> Path:
    """Its file."""
    return tmp_path / "data" / "facedown.sqlite3"


def ready(server: Server) -> tuple[int, str]:
    with server.client() as client:
        answer = client.get("/ready")
        return answer.status_code, answer.json()["status"]


#: What a test's programs have open.
OPEN = contextlib.ExitStack()


class Seat:
    """A program at a table of Detect with a bot that never acts."""

    def __init__(self, server: Server) -> None:
        self.client: httpx.Client = OPEN.enter_context(server.client())
        body = {"game": "detect", "name": "Ada", "seats": ["me", "low"]}
        made = self.client.post("/api/v1/tables", json=body).json()
        self.path = f"/api/v1/tables/{made['table']['code']}"
        self.head = {"Authorization": f"Bearer {made['token']}"}
        self.token = made["token"]

    def view(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(f"{self.path}/view", headers=self.head).json()
        return found

    def move(self) -> httpx.Response:
        """Play the first legal action."""
        view = self.view()
        body = {"action": view["legal"][0]["action"], "version": view["version"]}
        return self.client.post(f"{self.path}/moves", headers=self.head, json=body)


def count(file: Path, table: str) -> int:
    """How many rows are written down."""
    with contextlib.closing(sqlite3.connect(file)) as stored:
        return int(stored.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def test_a_server_that_is_well_says_so(own: Server) -> None:
    assert ready(own) == (200, "ready")
    with own.client() as client:
        assert client.get("/health").json() == {"status": "ok"}


def spoil_by_deleting(file: Path) -> None:
    file.unlink()


def spoil_by_replacing(file: Path) -> None:
    copy = file.with_name("copy")
    shutil.copy(file, copy)
    copy.replace(file)


@pytest.mark.parametrize("spoil", [spoil_by_deleting, spoil_by_replacing])
def test_no_move_is_acknowledged_into_a_database_that_is_gone(
    own: Server, database: Path, spoil: Callable[[Path], None]
) -> None:
    seat = Seat(own)
    spoil(database)
    answer = seat.move()
    assert answer.status_code == 503
    assert answer.json() == {"code": "unavailable", "reason": NOT_KEPT}
    assert seat.view()["version"] == 0, "what does not count is not shown either"
    assert ready(own) == (503, "lost")
    with own.client() as client:
        # It lives: to start it again by a blind hand is not for `/health` to say.
        assert client.get("/health").status_code == 200
        assert client.get("/").status_code == 200
        assert client.post("/tables", data={"game": "detect", "seat-0": "you", "seat-1": "low"}).status_code == 503


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="only Linux shows what a process holds")
def test_what_was_deleted_can_be_rescued_from_the_running_server(own: Server, database: Path, tmp_path: Path) -> None:
    """As docs/runbook.md says it."""
    seat = Seat(own)
    assert seat.move().status_code == 200
    for file in database.parent.glob("facedown.sqlite3*"):
        file.unlink()
    assert ready(own) == (503, "lost")
    held = {}
    for link in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            held[str(link.readlink())] = link
    rescued = tmp_path / "rescued.sqlite3"
    shutil.copy(held[f"{database} (deleted)"], rescued)
    shutil.copy(held[f"{database}-wal (deleted)"], f"{rescued}-wal")
    assert count(rescued, "moves") == 1


def test_health_does_not_ask_the_database(own: Server) -> None:
    async def never(*_: object) -> None:
        raise AssertionError("the database was asked")

    with own.client() as client, pytest.MonkeyPatch.context() as patch:
        patch.setattr(own.rooms.store, "run", never)
        assert client.get("/health").json() == {"status": "ok"}


def test_a_full_disk_is_told_and_play_goes_on_when_there_is_room(own: Server, database: Path) -> None:
    seat = Seat(own)
    full = True

    @sa.event.listens_for(own.rooms.repository._engine, "checkout")
    def bound(connection: Any, _record: object, _proxy: object) -> None:
        connection.execute(f"PRAGMA max_page_count={1 if full else 2**30}")

    body = {"game": "detect", "name": "Ada", "seats": ["me", "open"]}
    made = 0
    while (answer := seat.client.post("/api/v1/tables", json=body)).status_code < 300:
        made += 1
        assert made < 5000
    assert (answer.status_code, answer.json()["reason"]) == (503, NOT_KEPT)
    assert answer.headers["retry-after"] == "2"
    assert own.rooms.repository.health.errors["full"] > 0
    assert ready(own)[1] in ("full", "ready"), "a heartbeat may still fit into a page that is there"
    full = False
    assert ready(own) == (200, "ready")
    assert seat.move().status_code == 200
    assert seat.client.post("/api/v1/tables", json=body).status_code < 300
    assert count(database, "matches") == made + 2


def at_once(*requests: Callable[[], httpx.Response]) -> tuple[list[threading.Thread], list[httpx.Response]]:
    """Send requests at the same time; the threads that wait, and what they are answered."""
    answers: list[httpx.Response] = []
    threads = [threading.Thread(target=lambda ask=ask: answers.append(ask())) for ask in requests]
    for thread in threads:
        thread.start()
    return threads, answers


def new_tables(seats: Sequence[Seat]) -> list[Callable[[], httpx.Response]]:
    """Requests for new tables, one of each program."""
    body = {"game": "detect", "name": "Ben", "seats": ["me", "low"]}
    return [partial(seat.client.post, "/api/v1/tables", json=body) for seat in seats]


def test_behind_a_foreign_lock_everybody_is_told_soon_and_then_goes_on(own: Server, database: Path) -> None:
    """Somebody else's program holds the lock for writing: what is asked for is refused, and nothing is half done."""
    seats = [Seat(own) for _ in range(6)]
    statements: list[float] = []

    @sa.event.listens_for(own.rooms.repository._engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("PRAGMA busy_timeout="):
            statements.append(int(statement.split("=")[1]) / 1000)

    with foreign_lock(database):
        threads, answers = at_once(*(seat.move for seat in seats), *new_tables(seats))
        for thread in threads:
            thread.join()
        assert [answer.status_code for answer in answers] == [503] * 12
        assert all(answer.json()["reason"] == NOT_KEPT for answer in answers)
        assert statements.count(LOCK_PATIENCE) <= 3, "only those wait in full who had a thread at once"
        assert ready(own) == (503, "locked")
        assert all(seat.view()["version"] == 0 for seat in seats)
    assert [seat.move().status_code for seat in seats] == [200] * 6
    assert [ask().status_code for ask in new_tables(seats)] == [201] * 6
    assert ready(own) == (200, "ready")
    assert count(database, "moves") == 6
    assert count(database, "matches") == 12


@pytest.mark.slow
def test_reading_waits_for_nobody_who_writes(own: Server, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seats = [Seat(own) for _ in range(6)]
    monkeypatch.setattr(Patience, "left", lambda self: 3600.0)
    with foreign_lock(database):
        threads, answers = at_once(*(seat.move for seat in seats), *new_tables(seats))
        with own.client() as client:
            assert client.get(seats[0].path).status_code == 200
            assert client.get("/").status_code == 200
            # From the database, not from memory.
            own.rooms._rooms.pop(seats[5].path.split("/")[-1])
            assert client.get(seats[5].path).status_code == 200
        assert all(thread.is_alive() for thread in threads)
        assert not answers
    for thread in threads:
        thread.join()
    # The lock was let go in time: all of it counts, also at the table that was opened anew meanwhile.
    assert sorted(answer.status_code for answer in answers) == [200] * 6 + [201] * 6


def test_a_page_is_told_that_a_move_does_not_count(own: Server, database: Path) -> None:
    with own.client() as ada:
        url = open_table(ada, "low")
        with Live(own, ada, url) as live:
            table = live.hello()
            database.rename(database.with_name("aside"))
            live.move(table)
            refused = live.get("error")
            assert (refused["code"], refused["reason"]) == ("conflict", NOT_KEPT)
            database.with_name("aside").rename(database)
            live.move(table)
            assert live.beyond(0)["version"] == 1


def test_a_page_opens_though_nothing_can_be_written_down(own: Server, database: Path) -> None:
    with own.client() as ada:
        url = open_table(ada, "low")
        own.within(leave(own.rooms, code_of(url)))
        database.rename(database.with_name("aside"))
        with Live(own, ada, url) as live:
            assert live.hello()["version"] == 0
        database.with_name("aside").rename(database)


async def leave(rooms: Rooms, code: str) -> None:
    """Whoever sits here leaves: to come back has to be written down."""
    room = await rooms.room(code)
    person = room.session.record.seats[0].person
    assert person is not None
    await room.request(lambda session: session.leave(person))


@scene
async def test_ready_asks_the_database_once_however_often_it_is_asked(tmp_path: Path) -> None:
    async with running(tmp_path) as rooms:
        asked = 0
        hangs = threading.Event()
        beat = rooms.repository.beat

        def counted(now: float) -> None:
            nonlocal asked
            asked += 1
            hangs.wait(PATIENCE)
            beat(now)

        counted.writes = True  # type: ignore[attr-defined]
        rooms.repository.beat = counted  # type: ignore[method-assign]
        readiness = Readiness(rooms)
        waiting = asyncio.gather(*(readiness.word() for _ in range(50)))
        await wait_until_async(lambda: asked > 0)
        await pass_time(wellbeing.PATIENCE)
        assert waiting.done()
        assert await waiting == ["slow"] * 50
        await pass_time(wellbeing.HOLDS)
        later = asyncio.ensure_future(readiness.word())
        await run_ready_tasks()
        await pass_time(wellbeing.PATIENCE)
        assert later.done()
        assert await later == "slow"
        assert asked == 1, "while one hangs, no other is begun"
        hangs.set()
        await wait_until_async(lambda: rooms.metrics.ready._value.get() == 1)
        assert {await readiness.word() for _ in range(50)} == {"ready"}
        assert asked == 1
        await pass_time(wellbeing.HOLDS)
        assert await readiness.word() == "ready"
        assert asked == 2
        rooms.closing = True
        assert await readiness.word() == "stopping"


def test_a_commit_that_nobody_knows_of_is_told_so_and_shown_when_it_is_known(
    own: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database goes away in the middle of a commit that comes through, and is back a while later."""
    monkeypatch.setattr("facedown.server.table.room.SETTLED_AGAIN", 0.02)
    repository = own.rooms.repository
    away = threading.Event()
    dialect, commit = repository._engine.dialect, repository._engine.dialect.do_commit
    moves: set[int] = set()

    @sa.event.listens_for(repository._engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        # The server writes and reads by itself, too: what breaks is the commit of the move.
        if statement.startswith("INSERT INTO moves"):
            moves.add(threading.get_ident())

    def broken(connection: Any) -> None:
        commit(connection)
        if not away.is_set() and armed and threading.get_ident() in moves:
            away.set()
            raise dialect.dbapi.OperationalError("the line broke")  # type: ignore[union-attr]

    @sa.event.listens_for(repository._engine, "begin")
    def gone(_connection: object) -> None:
        if away.is_set() and armed:
            raise sa.exc.OperationalError("BEGIN", {}, dialect.dbapi.OperationalError("nobody answers"))  # type: ignore[union-attr]

    seat = Seat(own)
    armed = True
    monkeypatch.setattr(dialect, "do_commit", broken)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("facedown.store.repository.read_back", quick_read_back)
        code = seat.path.split("/")[-1]
        room = own.room(code)
        legal = room.session.legal(0)
        with pytest.raises(Exception, match="lost while it wrote"):
            own.within(room.request(lambda session: session.move(0, legal[0], 0, now=1.0)))
        assert room.session.ply == 0
    armed = False
    # What stands is shown without anybody asking for it.
    wait_until(lambda: room.session.ply > 0)
    assert seat.view()["version"] == 1


def test_a_database_that_hangs_keeps_nobody_waiting(tmp_path: Path) -> None:
    """A move is on its way; it counts when it is written down at last, and the page shows it then."""
    with serving(tmp_path, write_patience=600.0) as server, contextlib.ExitStack() as stack:
        without_bots(server)
        seat = Seat(server)
        repository, begun, hangs = server.rooms.repository, threading.Event(), threading.Event()
        stack.callback(hangs.set)
        stack.callback(OPEN.close)
        write_all = repository.write_all

        def slowly(changes: Any) -> Any:
            begun.set()
            hangs.wait(PATIENCE)
            return write_all(changes)

        slowly.writes = True  # type: ignore[attr-defined]
        repository.write_all = slowly  # type: ignore[method-assign]
        (waits,), answers = at_once(seat.move)
        assert begun.wait(PATIENCE)
        server.advance(server.rooms.settings.write_patience)
        waits.join()
        (answer,) = answers
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert "You will see whether it counted" in answer.json()["reason"]
        assert seat.view()["version"] == 0
        hangs.set()
        wait_until(lambda: seat.view()["version"] > 0)


def quick_read_back(stand_now: Callable[[], bool]) -> bool:
    return read_back(stand_now, patience=0.0)


def test_what_was_acknowledged_is_there_whatever_happens_to_the_database(
    own: Server, database: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that goes and comes back, locks, breaks: what was acknowledged stands, what was refused was not shown."""
    # How long a writer waits for the lock of another program is tested elsewhere.
    monkeypatch.setattr(Patience, "left", lambda self: 0.1)
    luck = random.Random(seed)
    acknowledged: set[str] = set()
    refused: set[str] = set()
    for kind in luck.sample(["away", "lock", "break", "none"] * 2, 8):
        seat = Seat(own)
        with trouble(kind, database, own):
            status = seat.move().status_code
        assert status == (200 if kind == "none" else 503)
        (acknowledged if status == 200 else refused).add(hash_token(seat.token))
        assert seat.view()["version"] == (1 if status == 200 else 0)
    with contextlib.closing(sqlite3.connect(database)) as stored:
        rows = stored.execute("SELECT key_hash FROM moves JOIN seats USING (match_id, seat)").fetchall()
    assert sorted(str(row[0]) for row in rows) == sorted(acknowledged)
    assert len(refused) == 6


@contextlib.contextmanager
def trouble(kind: str, file: Path, server: Server) -> Iterator[None]:
    """Something is wrong with the database until the block ends."""
    if kind == "lock":
        with foreign_lock(file):
            yield
    elif kind == "away":
        aside = file.with_name("aside")
        file.rename(aside)
        yield
        aside.rename(file)
    elif kind == "none":
        yield
    else:
        engine = server.rooms.repository._engine

        def broken(connection: sa.Connection) -> None:
            if not connection.get_execution_options().get(READ_ONLY):
                raise sa.exc.OperationalError("COMMIT", {}, Exception("disk I/O error"))

        sa.event.listen(engine, "commit", broken)
        yield
        sa.event.remove(engine, "commit", broken)
