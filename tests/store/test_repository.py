"""The repository: saved tables and persons load again, and every change counts once."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from facedown.core.match_actions import AGREED_END, TAKE_BACK
from facedown.play import Change, Session, StoredMove, agreements, chat, new_table
from facedown.store import Conflict, Person, Repository, StoreError, hash_token, new_token, schema, url_of
from tests.corpus.database import copy_to_postgres
from tests.not_none import given
from tests.play.table import LowBots

#: A database of schema 0002, and SQL that turns it back into schema 0001.
SCHEMA_0002 = (Path(__file__).parents[1] / "deploy" / "schema_0002.sql").read_text("utf-8")
DOWNGRADE = """
    DROP INDEX ix_matches_zero; ALTER TABLE matches DROP COLUMN zero; ALTER TABLE matches DROP COLUMN clocks;
    DROP TABLE pulse; UPDATE alembic_version SET version_num = '0001';
"""
OpenRepository = Callable[[], Repository]


def person(repository: Repository, name: str = "Ada") -> Person:
    return repository.store_new_person(name, new_token(), 1.0)


def new_session(repository: Repository, *kinds: str, host: Person | None = None) -> Session:
    """Create and save a table with seats "me", "open" or "low"."""
    host = host or person(repository)
    record = new_table("detect", kinds or ("me", "low"), LowBots(), 1.0, host=host.id, host_name=host.name)
    repository.create(record)
    return Session(record)


def save(repository: Repository, session: Session, change: Change | None) -> None:
    """Save a change, then apply it."""
    assert change is not None
    repository.write(change)
    session.apply(change)


def running_session(repository: Repository) -> Session:
    session = new_session(repository)
    host = given(session.record.host)
    save(repository, session, session.ready(host, True, 2.0))
    return session


def session_of_persons(repository: Repository, *names: str) -> tuple[Session, list[int]]:
    """Return a running table and the ids of the persons with these names, who play there."""
    people = [person(repository, name) for name in names]
    session = new_session(repository, "me", *["open"] * (len(people) - 1), host=people[0])
    for guest in people[1:]:
        save(repository, session, session.sit(guest.id, guest.name, ready=True, now=2.0))
    save(repository, session, session.ready(people[0].id, True, 3.0))
    return session, [one.id for one in people]


def test_token_finds_its_person_and_is_stored_only_as_hash(repository: Repository) -> None:
    token = new_token()
    ada = repository.store_new_person("Ada", token, 1.0)
    assert repository.person_by_browser_token(token) == ada
    assert repository.person_by_browser_token(token + "x") is None
    repository.rename(ada.id, "Ada L")
    assert repository.person_by_browser_token(token) == Person(ada.id, "Ada L")
    with repository._engine.connect() as connection:
        rows = str(connection.execute(sa.select(schema.people)).all())
    assert token not in rows
    assert hash_token(token) in rows


def test_seat_token_identifies_its_person_only_in_the_lookup_for_seat_tokens(repository: Repository) -> None:
    key = new_token()
    ben = repository.store_new_person("Ben", None, 1.0)
    session = new_session(repository, "me", "open")
    save(repository, session, session.sit(ben.id, "Ben", key_hash=hash_token(key), now=1.0))
    assert repository.person_by_seat_token(key) == ben
    assert (
        repository.person_by_browser_token(key)
        is repository.person_by_browser_token("")
        is repository.person_by_seat_token("")
        is None
    )


def test_saved_table_loads_with_all_moves_and_chat(open_repository: OpenRepository) -> None:
    repository = open_repository()
    session = running_session(repository)
    task = given(session.bot_task())
    save(repository, session, session.bot_move(task, 3, 4.5))
    save(repository, session, session.move(0, 7, session.version(0), token="first", now=5.25))
    host = given(session.record.host)
    save(repository, session, session.say(chat.validate_message(session, host, "well played “Juniper” 🂠", 6.0)))
    found = given(open_repository().load(session.code))
    assert found.record == session.record
    assert list(found.moves) == session.moves
    assert list(found.chat) == session.chat
    assert Session(found.record, found.moves).table(0) == session.table(0)


def test_saved_table_loads_with_its_proposals_and_moves_that_were_taken_back(open_repository: OpenRepository) -> None:
    repository = open_repository()
    session, (ada, ben) = session_of_persons(repository, "Ada", "Ben")

    def check() -> None:
        found = given(open_repository().load(session.code))
        assert found.record == session.record
        assert list(found.moves) == session.moves
        again = Session(found.record, found.moves)
        assert again.dealt_match.state.tobytes() == session.dealt_match.state.tobytes()
        assert [again.table(viewer) for viewer in (0, 1)] == [session.table(viewer) for viewer in (0, 1)]

    save(repository, session, session.move(0, 7, session.version(0), now=4.0))
    for action, agrees in ((TAKE_BACK, True), (AGREED_END, False)):
        save(repository, session, agreements.propose(session, ada, action, 5.5))
        check()
        number = given(session.record.agreements.proposal).number
        save(repository, session, agreements.answer(session, ben, number, agrees, 6.0))
        check()
    assert session.record.agreements.declined == (0,)
    assert [move.action for move in session.moves] == [7, TAKE_BACK]


def test_new_table_with_a_taken_code_is_refused_as_a_conflict(repository: Repository) -> None:
    assert repository.load("ZZZZ") is repository.revision("ZZZZ") is None
    session = new_session(repository)
    with pytest.raises(Conflict):
        repository.create(session.record)


def test_conflicting_change_is_refused_and_saves_nothing(repository: Repository) -> None:
    """Conflicts: an old revision, another move at the same ply, the same token of a seat twice."""
    session = running_session(repository)
    first = given(session.move(0, 0, session.version(0), token="mine", now=3.0))
    second = given(session.move(0, 1, session.version(0), now=3.0))
    repository.write(first)
    # A later move with the right revision must not overwrite history.
    late = replace(first.record, revision=first.record.revision + 1)
    for wrong in (
        second,
        Change(late, StoredMove(0, 1, 5, 4.0, "other")),
        Change(late, StoredMove(1, 0, 0, 4.0, "key:mine")),
    ):
        with pytest.raises(Conflict):
            repository.write(wrong)
        found = given(repository.load(session.code))
        assert [move.action for move in found.moves] == [0]
        assert found.record.revision == first.record.revision == repository.revision(session.code)


def test_batch_of_changes_saves_all_but_the_conflicting_one(repository: Repository) -> None:
    """The conflict is reported by position and does not affect the others."""
    sessions = [running_session(repository) for _ in range(4)]
    changes = [session.move(0, 0, session.version(0), now=3.0) for session in sessions]
    late = given(sessions[2].move(0, 1, sessions[2].version(0), now=3.0))
    repository.write(late)
    good = [change for change in changes if change is not None]
    found = repository.write_all(good)
    assert [conflict is None for conflict in found] == [True, True, False, True]
    for session, action in zip(sessions, (0, 0, 1, 0), strict=True):
        loaded = given(repository.load(session.code))
        assert [move.action for move in loaded.moves] == [action]
    assert [conflict is None for conflict in repository.write_all(good)] == [False] * 4


@pytest.mark.usefixtures("long_lock_timeout")
def test_exactly_one_of_several_concurrent_writers_of_the_same_ply_succeeds(open_repository: OpenRepository) -> None:
    """Eight writers with separate connections write the same ply. One of them succeeds."""
    repository = open_repository()
    session = running_session(repository)
    writers = [open_repository() for _ in range(8)]
    changes = [given(session.move(0, action, session.version(0), now=3.0)) for action in range(8)]
    gate = threading.Barrier(len(writers))

    def write(writer: Repository, change: Change) -> bool:
        gate.wait()
        return writer.write_all([change]) == [None]

    with ThreadPoolExecutor(len(writers)) as threads:
        assert sum(threads.map(write, writers, changes)) == 1
    found = given(repository.load(session.code))
    assert len(found.moves) == 1


def test_process_takes_over_only_tables_that_wait_for_a_bot_move(repository: Repository) -> None:
    waiting, quiet = running_session(repository), running_session(repository)
    task = given(quiet.bot_task())
    save(repository, quiet, quiet.bot_move(task, 0, 3.0))
    assert repository.processes.take_over_due_tables(0.0) == [waiting.code]


def test_tables_of_a_person_are_listed_newest_first(repository: Repository) -> None:
    ada, ben = person(repository), person(repository, "Ben")
    first = new_session(repository, "me", "open", host=ada)
    second = new_session(repository, "me", "low", host=ada)
    save(repository, first, first.sit(ben.id, "Ben", now=2.0))
    assert [s.record.code for s in repository.tables_of(ada.id)] == [second.code, first.code]
    assert [(s.record.code, s.seat) for s in repository.tables_of(ben.id)] == [(first.code, 1)]
    assert repository.tables_of(ada.id, 1)[0].record == second.record


def test_spectator_added_a_second_time_changes_nothing(repository: Repository) -> None:
    session, cleo = new_session(repository), person(repository, "Cleo")
    assert not repository.is_spectator(session.code, cleo.id)
    repository.add_spectator(session.code, cleo.id)
    repository.add_spectator(session.code, cleo.id)
    assert repository.is_spectator(session.code, cleo.id)
    assert not repository.is_spectator("ZZZZ", cleo.id)


@pytest.mark.usefixtures("long_lock_timeout")
def test_concurrent_first_openings_of_a_database_succeed(open_repository: OpenRepository) -> None:
    with ThreadPoolExecutor(6) as threads:
        assert len(list(threads.map(lambda _: open_repository(), range(6)))) == 6


@pytest.mark.parametrize("old", ["", "0001", "0002"])
def test_migrations_produce_the_current_schema(old: str, url: str, tmp_path: Path) -> None:
    """Alembic finds no difference in a new or in a migrated database."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    file = tmp_path / "facedown.sqlite3"
    if old:
        with contextlib.closing(sqlite3.connect(file)) as connection:
            connection.executescript(SCHEMA_0002 + (DOWNGRADE if old == "0001" else ""))
        if not url.startswith("sqlite"):
            copy_to_postgres(file, url)
    with contextlib.closing(Repository(url)) as repository, repository._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []


def test_sqlite_uses_wal_full_sync_and_foreign_keys(tmp_path: Path) -> None:
    with contextlib.closing(Repository(url_of(tmp_path))) as repository, repository._engine.connect() as connection:
        pragmas = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
        assert pragmas == ["wal", 2]
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda folder: folder / "file.db", "not a database"),
        (lambda folder: "postgresql://ada:hunter2@127.0.0.1:1/none", "127.0.0.1"),
        (lambda folder: folder / "file.db" / "below", "."),
    ],
)
def test_unusable_database_gives_a_one_line_error_without_password(
    make: Callable[[Path], object], says: str, tmp_path: Path
) -> None:
    (tmp_path / "file.db").write_text(
        "this is a text, and a long one, so that it cannot be taken for a database\n" * 99
    )
    with pytest.raises(StoreError) as caught:
        Repository(url_of(str(make(tmp_path))))
    assert says in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert "hunter2" not in str(caught.value)
