"""A database that is deleted, replaced, full, read-only or locked: no unsaved change counts."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError

from facedown.core.match_actions import AGREED_END
from facedown.play import Change, Session, agreements, chat, lobby_host_actions
from facedown.server.process import logs
from facedown.store import Repository, hash_token, new_token, url_of
from facedown.store.engine import LOCK_PROBE_TIME, PATIENCE
from facedown.store.errors import WORDS, CommitUnknown, DatabaseFileReplaced, error_class_word
from facedown.store.table_writes import retry_commit_check
from tests.not_none import given
from tests.store.test_repository import new_session, running_session, save, session_of_persons


@contextmanager
def foreign_lock(file: Path) -> Iterator[None]:
    """Hold the write lock from a separate connection until the block ends."""
    with closing(sqlite3.connect(file, isolation_level=None)) as foreign:
        foreign.execute("BEGIN IMMEDIATE")
        yield


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "facedown.sqlite3"


@pytest.fixture
def sqlite_repository(file: Path) -> Iterator[Repository]:
    with closing(Repository(url_of(file))) as repository:
        yield repository


def chat_change(session: Session, text: str, now: float = 5.0) -> Change:
    host = given(session.record.host)
    return session.say(chat.validate_message(session, host, text, now))


def move_change(session: Session, at: float = 6.0) -> Change:
    seat = session.dealt_match.acting[0]
    return given(session.move(seat, session.legal(seat)[0], session.version(seat), now=at))


def error_word(repository: Repository, write: Callable[[], object]) -> str:
    with pytest.raises(SQLAlchemyError) as caught:
        write()
    assert repository.health.errors[error_class_word(caught.value)] > 0
    return error_class_word(caught.value)


def write_until_refused(repository: Repository, session: Session) -> tuple[int, str]:
    """Write chat messages until one fails. Return the number of acknowledged ones and the error word."""
    for at in range(100_000):
        try:
            save(repository, session, chat_change(session, f"{at} " + "x" * 250, now=1000.0 * at))
        except OperationalError as wrong:
            return at, error_class_word(wrong)
    raise AssertionError("there was room for everything")


def delete_the_log(file: Path) -> None:
    file.with_name(file.name + "-wal").unlink()


def replace_by_a_copy(file: Path) -> None:
    copy = file.with_name("copy")
    shutil.copy(file, copy)
    copy.replace(file)


def put_a_copy_back(file: Path) -> None:
    """Replace the file by a copy, which may get the same inode number."""
    copy = file.read_bytes()
    file.unlink()
    file.write_bytes(copy)


@pytest.mark.parametrize("happens", [Path.unlink, delete_the_log, replace_by_a_copy, put_a_copy_back])
def test_writes_to_a_deleted_or_replaced_database_file_are_refused(
    sqlite_repository: Repository, file: Path, happens: Callable[[Path], None]
) -> None:
    session = running_session(sqlite_repository)
    save(sqlite_repository, session, chat_change(session, "before"))
    happens(file)
    assert error_word(sqlite_repository, lambda: sqlite_repository.write(move_change(session))) == "lost"
    assert error_word(sqlite_repository, lambda: sqlite_repository.write_all([chat_change(session, "after")])) == "lost"
    assert error_word(sqlite_repository, lambda: sqlite_repository.store_new_person("Ben", None, 7.0)) == "lost"
    assert error_word(sqlite_repository, lambda: sqlite_repository.save_alive_time(8.0)) == "lost"
    found = given(sqlite_repository.load(session.code))
    assert [said.text for said in found.chat] == ["before"]
    assert not found.moves


def test_write_fails_if_the_database_file_is_deleted_during_its_commit(
    sqlite_repository: Repository, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = running_session(sqlite_repository)
    change = move_change(session)
    commit = sqlite_repository._engine.dialect.do_commit

    def commit_and_lose(connection: object) -> None:
        commit(connection)  # type: ignore[arg-type]
        file.unlink(missing_ok=True)

    monkeypatch.setattr(sqlite_repository._engine.dialect, "do_commit", commit_and_lose)
    assert error_word(sqlite_repository, lambda: sqlite_repository.write_all([change])) == "lost"


def test_missing_database_file_is_not_recreated_and_works_again_when_it_returns(
    sqlite_repository: Repository, file: Path
) -> None:
    """A new connection would create an empty file and find no table in it."""
    session = running_session(sqlite_repository)
    aside = file.with_name("aside")
    file.rename(aside)
    assert error_word(sqlite_repository, lambda: sqlite_repository.save_alive_time(1.0)) == "lost"
    # Close idle connections, so that the next request has to connect.
    sqlite_repository._engine.pool.dispose()
    assert error_word(sqlite_repository, lambda: sqlite_repository.load(session.code)) == "lost"
    assert not file.exists()
    file.write_bytes(b"")
    assert error_word(sqlite_repository, lambda: sqlite_repository.load(session.code)) == "lost"
    file.unlink()
    aside.rename(file)
    assert sqlite_repository.load(session.code) is not None
    sqlite_repository.save_alive_time(2.0)


def test_writes_are_refused_while_the_disk_is_full_and_succeed_once_there_is_space(
    sqlite_repository: Repository,
) -> None:
    session = running_session(sqlite_repository)
    with sqlite_repository._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one() + 3

    @sa.event.listens_for(sqlite_repository._engine, "checkout")
    def bound(connection: sqlite3.Connection, _record: object, _proxy: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages}")

    acknowledged, why = write_until_refused(sqlite_repository, session)
    assert why == "full"
    assert acknowledged > 0
    pages = 2**30
    found = given(sqlite_repository.load(session.code))
    assert len(found.chat) == acknowledged
    save(sqlite_repository, session, chat_change(session, "there is room", now=10_000_000))
    found = given(sqlite_repository.load(session.code))
    assert len(found.chat) == acknowledged + 1
    assert found.record.revision == session.record.revision


def test_read_only_database_refuses_writes_and_allows_reads(sqlite_repository: Repository) -> None:
    session = running_session(sqlite_repository)

    @sa.event.listens_for(sqlite_repository._engine, "checkout")
    def bound(connection: sqlite3.Connection, _record: object, _proxy: object) -> None:
        connection.execute("PRAGMA query_only=1")

    assert error_word(sqlite_repository, lambda: sqlite_repository.write(move_change(session))) == "read-only"
    assert sqlite_repository.load(session.code) is not None


def test_only_one_of_several_writers_blocked_by_another_programs_lock_waits_the_full_time(
    sqlite_repository: Repository, file: Path
) -> None:
    sessions = [running_session(sqlite_repository) for _ in range(4)]
    waited: list[float] = []

    @sa.event.listens_for(sqlite_repository._engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("PRAGMA busy_timeout="):
            waited.append(int(statement.split("=")[1]) / 1000)

    with foreign_lock(file):
        for session in sessions:
            assert (
                error_word(
                    sqlite_repository, lambda session=session: sqlite_repository.write_all([move_change(session)])
                )
                == "locked"
            )  # type: ignore[misc]
            # Reads do not wait.
            assert sqlite_repository.load(session.code) is not None
    assert sum(waited) <= PATIENCE + LOCK_PROBE_TIME
    for session in sessions:
        save(sqlite_repository, session, move_change(session))
        found = given(sqlite_repository.load(session.code))
        assert [move.ply for move in found.moves] == [0]
    assert waited[-1] == PATIENCE, "who comes after the lock is gone waits for others again"


def test_commit_with_a_lost_response_is_checked_by_reading_back(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks during the commit. A saved change counts, an unsaved one is refused."""
    session = running_session(repository)
    dialect = repository._engine.dialect
    commit = dialect.do_commit
    breaks = "before"

    def commit_and_break(connection: object) -> None:
        nonlocal breaks
        now, breaks = breaks, ""
        if now != "before":
            commit(connection)  # type: ignore[arg-type]
        if now:
            raise dialect.dbapi.OperationalError("the line broke")  # type: ignore[union-attr]

    monkeypatch.setattr(dialect, "do_commit", commit_and_break)
    with pytest.raises(OperationalError):
        repository.write_all([move_change(session)])
    breaks = "after"
    change = move_change(session)
    assert repository.write_all([change]) == [None]
    session.apply(change)
    for make in (lambda: chat_change(session, "hello"), lambda: session.leave(session.record.host or 0)):
        breaks = "after"
        change = make()
        repository.write(change)
        session.apply(change)
    found = given(repository.load(session.code))
    assert [move.ply for move in found.moves] == [0]
    assert [said.text for said in found.chat] == ["hello"]
    assert found.record.revision == session.record.revision


def test_commit_check_does_not_mistake_another_players_answer_for_its_own(repository: Repository) -> None:
    session, people = session_of_persons(repository, "Ada", "Ben", "Cleo")
    save(repository, session, agreements.propose(session, people[0], AGREED_END, 4.0))
    theirs, ours = (given(agreements.answer(session, person, 1, True, 5.0)) for person in people[1:])
    repository.write(theirs)
    for change, committed in ((theirs, True), (ours, False)):
        repository.health._thread.committing = True
        assert repository._were_committed([change]) is committed


def test_commit_check_does_not_mistake_another_writers_change_for_its_own(repository: Repository) -> None:
    session = new_session(repository, "me", "open")
    host = given(session.record.host)
    theirs, ours = session.ready(host, True, 2.0), lobby_host_actions.open_seat(session, host, 1)
    repository.write(theirs)
    repository.health._thread.committing = True
    assert repository._were_committed([theirs])
    repository.health._thread.committing = True
    assert not repository._were_committed([ours])


def test_commit_check_raises_commit_unknown_if_the_database_stays_unreachable() -> None:
    now = 0.0

    def away() -> bool:
        nonlocal now
        now += 2
        raise OperationalError("SELECT", {}, Exception("the server closed the connection"))

    with pytest.raises(CommitUnknown):
        retry_commit_check(away, clock=lambda: now)

    def gone() -> bool:
        raise DatabaseFileReplaced("gone")

    assert not retry_commit_check(gone)


def test_classification_of_a_database_error_is_a_word_from_a_fixed_list() -> None:
    assert {
        error_class_word(DatabaseFileReplaced()),
        error_class_word(CommitUnknown()),
        error_class_word(TimeoutError()),
        error_class_word(ValueError()),
    } <= set(WORDS)


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/dev/shm").is_dir(), reason="needs a small disk of its own")
def test_acknowledged_writes_survive_a_really_full_disk(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True)
    if done.returncode:
        pytest.skip("no disk may be mounted here")
    try:
        repository = Repository(url_of(disk))
        session = running_session(repository)
        acknowledged, why = write_until_refused(repository, session)
        assert why in ("full", "disk")
        found = given(repository.load(session.code))
        assert len(found.chat) == acknowledged
        repository.close()
        again = Repository(url_of(disk))
        kept_there = given(again.load(session.code))
        assert len(kept_there.chat) == acknowledged
        again.close()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_database_errors_contain_no_stored_values(repository: Repository) -> None:
    token = new_token()
    repository.store_new_person("Marked name", token, 1.0)
    with pytest.raises(IntegrityError) as caught:
        repository.store_new_person("Marked name", token, 1.0)
    assert "Marked name" not in str(caught.value)
    told = "\n".join(logs.exception_lines(caught.value))
    assert "sqlalchemy.exc.IntegrityError: conflict" in told
    for secret in ("Marked name", token, hash_token(token)):
        assert secret not in told
