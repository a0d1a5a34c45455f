"""A database that is deleted, replaced, full, read-only or locked: nothing counts that is not written down."""

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

from facedown.play import Change, Session, chat, lobby
from facedown.server.process import logs
from facedown.store import Repository, hash_token, new_token, url_of
from facedown.store.engine import LOCK_PROBE_TIME, PATIENCE
from facedown.store.errors import WORDS, CommitUnknown, DatabaseFileReplaced, word_of
from facedown.store.table_writes import retry_commit_check
from tests.not_none import given
from tests.store.test_store import begun, do, table


@contextmanager
def foreign_lock(file: Path) -> Iterator[None]:
    """A connection that is not the repository's holds the lock for writing until the block ends."""
    with closing(sqlite3.connect(file, isolation_level=None)) as foreign:
        foreign.execute("BEGIN IMMEDIATE")
        yield


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "facedown.sqlite3"


@pytest.fixture
def kept(file: Path) -> Iterator[Repository]:
    with closing(Repository(url_of(file))) as repository:
        yield repository


def word(session: Session, text: str, now: float = 5.0) -> Change:
    host = given(session.record.host)
    return session.say(chat.validate_message(session, host, text, now))


def moved(session: Session, at: float = 6.0) -> Change:
    seat = session.dealt_match.acting[0]
    return given(session.move(seat, session.legal(seat)[0], session.version(seat), now=at))


def refused(repository: Repository, write: Callable[[], object]) -> str:
    with pytest.raises(SQLAlchemyError) as caught:
        write()
    assert repository.health.errors[word_of(caught.value)] > 0
    return word_of(caught.value)


def fill(repository: Repository, session: Session) -> tuple[int, str]:
    """Say something until it cannot be written down: how often it was acknowledged, and why no more."""
    for at in range(100_000):
        try:
            do(repository, session, word(session, f"{at} " + "x" * 250, now=1000.0 * at))
        except OperationalError as wrong:
            return at, word_of(wrong)
    raise AssertionError("there was room for everything")


def delete_the_log(file: Path) -> None:
    file.with_name(file.name + "-wal").unlink()


def replace_by_a_copy(file: Path) -> None:
    copy = file.with_name("copy")
    shutil.copy(file, copy)
    copy.replace(file)


def put_a_copy_back(file: Path) -> None:
    """The new file may be given the very number of the old one."""
    copy = file.read_bytes()
    file.unlink()
    file.write_bytes(copy)


@pytest.mark.parametrize("happens", [Path.unlink, delete_the_log, replace_by_a_copy, put_a_copy_back])
def test_nothing_is_acknowledged_into_a_file_that_is_gone(
    kept: Repository, file: Path, happens: Callable[[Path], None]
) -> None:
    session = begun(kept)
    do(kept, session, word(session, "before"))
    happens(file)
    assert refused(kept, lambda: kept.write(moved(session))) == "lost"
    assert refused(kept, lambda: kept.write_all([word(session, "after")])) == "lost"
    assert refused(kept, lambda: kept.new_person("Ben", None, 7.0)) == "lost"
    assert refused(kept, lambda: kept.write_pulse(8.0)) == "lost"
    found = given(kept.load(session.code))
    assert [said.text for said in found.chat] == ["before"]
    assert not found.moves


def test_a_file_that_goes_while_it_is_written_to_is_noticed_before_the_answer(
    kept: Repository, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begun(kept)
    change = moved(session)
    commit = kept._engine.dialect.do_commit

    def commit_and_lose(connection: object) -> None:
        commit(connection)  # type: ignore[arg-type]
        file.unlink(missing_ok=True)

    monkeypatch.setattr(kept._engine.dialect, "do_commit", commit_and_lose)
    assert refused(kept, lambda: kept.write_all([change])) == "lost"


def test_no_other_file_is_opened_in_its_place_and_one_that_was_away_counts_again(kept: Repository, file: Path) -> None:
    """A new connection would make an empty file where there is none, and find nothing in it."""
    session = begun(kept)
    aside = file.with_name("aside")
    file.rename(aside)
    assert refused(kept, lambda: kept.write_pulse(1.0)) == "lost"
    # What lies idle is let go of, so that the next one has to connect.
    kept._engine.pool.dispose()
    assert refused(kept, lambda: kept.load(session.code)) == "lost"
    assert not file.exists()
    file.write_bytes(b"")
    assert refused(kept, lambda: kept.load(session.code)) == "lost"
    file.unlink()
    aside.rename(file)
    assert kept.load(session.code) is not None
    kept.write_pulse(2.0)


def test_a_full_disk_takes_nothing_and_then_goes_on(kept: Repository) -> None:
    session = begun(kept)
    with kept._engine.connect() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one() + 3

    @sa.event.listens_for(kept._engine, "checkout")
    def bound(connection: sqlite3.Connection, _record: object, _proxy: object) -> None:
        connection.execute(f"PRAGMA max_page_count={pages}")

    acknowledged, why = fill(kept, session)
    assert why == "full"
    assert acknowledged > 0
    pages = 2**30
    found = given(kept.load(session.code))
    assert len(found.chat) == acknowledged
    do(kept, session, word(session, "there is room", now=10_000_000))
    found = given(kept.load(session.code))
    assert len(found.chat) == acknowledged + 1
    assert found.record.revision == session.record.revision


def test_a_database_that_may_only_be_read_says_so(kept: Repository) -> None:
    session = begun(kept)

    @sa.event.listens_for(kept._engine, "checkout")
    def bound(connection: sqlite3.Connection, _record: object, _proxy: object) -> None:
        connection.execute("PRAGMA query_only=1")

    assert refused(kept, lambda: kept.write(moved(session))) == "read-only"
    assert kept.load(session.code) is not None


def test_behind_a_foreign_lock_one_writer_waits_and_the_others_are_told(kept: Repository, file: Path) -> None:
    sessions = [begun(kept) for _ in range(4)]
    waited: list[float] = []

    @sa.event.listens_for(kept._engine, "before_cursor_execute")
    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("PRAGMA busy_timeout="):
            waited.append(int(statement.split("=")[1]) / 1000)

    with foreign_lock(file):
        for session in sessions:
            assert refused(kept, lambda session=session: kept.write_all([moved(session)])) == "locked"  # type: ignore[misc]
            # Reading waits for nobody.
            assert kept.load(session.code) is not None
    assert sum(waited) <= PATIENCE + LOCK_PROBE_TIME
    for session in sessions:
        do(kept, session, moved(session))
        found = given(kept.load(session.code))
        assert [move.ply for move in found.moves] == [0]
    assert waited[-1] == PATIENCE, "who comes after the lock is gone waits for others again"


def test_a_commit_whose_answer_was_lost_is_read_back(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line broke while it was written: what stands counts, what does not is refused."""
    session = begun(repository)
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
        repository.write_all([moved(session)])
    breaks = "after"
    change = moved(session)
    assert repository.write_all([change]) == [None]
    session.apply(change)
    for make in (lambda: word(session, "hello"), lambda: session.leave(session.record.host or 0)):
        breaks = "after"
        change = make()
        repository.write(change)
        session.apply(change)
    found = given(repository.load(session.code))
    assert [move.ply for move in found.moves] == [0]
    assert [said.text for said in found.chat] == ["hello"]
    assert found.record.revision == session.record.revision


def test_what_another_wrote_meanwhile_is_not_taken_for_ones_own(repository: Repository) -> None:
    session = table(repository, "me", "open")
    host = given(session.record.host)
    theirs, ours = session.ready(host, True, 2.0), lobby.open_seat(session, host, 1)
    repository.write(theirs)
    repository.health._thread.committing = True
    assert repository._were_committed([theirs])
    repository.health._thread.committing = True
    assert not repository._were_committed([ours])


def test_a_database_that_does_not_come_back_leaves_it_unsettled() -> None:
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


def test_every_word_is_known() -> None:
    assert {
        word_of(DatabaseFileReplaced()),
        word_of(CommitUnknown()),
        word_of(TimeoutError()),
        word_of(ValueError()),
    } <= set(WORDS)


@pytest.mark.skipif(os.geteuid() != 0 or not Path("/dev/shm").is_dir(), reason="needs a small disk of its own")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True)
    if done.returncode:
        pytest.skip("no disk may be mounted here")
    try:
        repository = Repository(url_of(disk))
        session = begun(repository)
        acknowledged, why = fill(repository, session)
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


def test_the_databases_errors_hold_no_values(repository: Repository) -> None:
    token = new_token()
    repository.new_person("Marked name", token, 1.0)
    with pytest.raises(IntegrityError) as caught:
        repository.new_person("Marked name", token, 1.0)
    assert "Marked name" not in str(caught.value)
    told = "\n".join(logs.exception_lines(caught.value))
    assert "sqlalchemy.exc.IntegrityError: conflict" in told
    for secret in ("Marked name", token, hash_token(token)):
        assert secret not in told
