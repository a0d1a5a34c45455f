"""What is written down stays, counts once, and is found again."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from facedown.play import Change, NewSeat, Played, Session, new_table, talk
from facedown.store import Conflict, Person, Store, StoreError, hash_token, new_token, schema, url_of
from tests.play.table import LowBots

OpenStore = Callable[[], Store]


def person(store: Store, name: str = "Ada") -> Person:
    return store.new_person(name, new_token(), 1.0)


def table(store: Store, *kinds: str, host: Person | None = None) -> Session:
    """A table that is written down: seats "me", "open" or "low"."""
    host = host or person(store)
    named = {"me": NewSeat("me"), "open": NewSeat("open")}
    seats = [named.get(kind) or NewSeat("bot", kind) for kind in kinds or ("me", "low")]
    record = new_table("detect", seats, LowBots(), 1.0, host=host.id, host_name=host.name)
    store.create(record)
    return Session(record)


def do(store: Store, session: Session, change: Change | None) -> None:
    """Write a change down, then let it come true."""
    assert change is not None
    store.write(change)
    session.take(change)


def begun(store: Store) -> Session:
    """A running table of Ada and a bot."""
    session = table(store)
    host = session.record.host
    assert host is not None
    do(store, session, session.ready(host, True, 2.0))
    return session


def test_a_token_finds_its_person_and_is_not_kept(store: Store) -> None:
    token = new_token()
    ada = store.new_person("Ada", token, 1.0)
    assert store.person(token) == ada
    assert store.person(token + "x") is None
    assert store.person("") is None
    store.rename(ada.id, "Ada L")
    assert store.person(token) == Person(ada.id, "Ada L")
    with store._engine.connect() as connection:
        rows = str(connection.execute(sa.select(schema.people)).all())
    assert token not in rows
    assert hash_token(token) in rows


def test_a_person_without_a_token_cannot_be_claimed(store: Store) -> None:
    store.new_person("Bot author", None, 1.0)
    assert store.person("") is None
    assert store.person_of_key("") is None


def test_a_seat_token_leads_to_its_person_and_no_cookie_does(store: Store) -> None:
    key = new_token()
    ben = store.new_person("Ben", None, 1.0)
    session = table(store, "me", "open")
    do(store, session, session.sit(ben.id, "Ben", key_hash=hash_token(key), now=1.0))
    assert store.person_of_key(key) == ben
    assert store.person(key) is None


def test_everything_about_a_table_is_found_again(open_store: OpenStore) -> None:
    store = open_store()
    session = begun(store)
    task = session.bot_task()
    assert task is not None
    do(store, session, session.bot_move(task, 3, 4.5))
    do(store, session, session.move(0, 7, session.version(0), token="first", now=5.25))
    host = session.record.host
    assert host is not None
    do(store, session, session.say(talk.check(session, host, "well played “Juniper” 🂠", 6.0)))
    found = open_store().load(session.code)
    assert found is not None
    assert found.record == session.record
    assert list(found.moves) == session.moves
    assert list(found.chat) == session.chat
    assert Session(found.record, found.moves).table(0) == session.table(0)


def test_there_is_no_table_that_was_not_made(store: Store) -> None:
    assert store.load("ZZZZ") is None
    assert store.revision("ZZZZ") is None


def test_a_code_is_given_once(store: Store) -> None:
    session = table(store)
    with pytest.raises(Conflict):
        store.create(session.record)


def test_a_change_on_an_old_revision_changes_nothing(store: Store) -> None:
    session = begun(store)
    first = session.move(0, 0, session.version(0), now=3.0)
    second = session.move(0, 1, session.version(0), now=3.0)
    assert first is not None
    assert second is not None
    store.write(first)
    with pytest.raises(Conflict):
        store.write(second)
    found = store.load(session.code)
    assert found is not None
    assert [move.action for move in found.moves] == [0]
    assert found.record.revision == first.record.revision == store.revision(session.code)


def test_two_moves_never_stand_at_one_ply(store: Store) -> None:
    session = begun(store)
    change = session.move(0, 0, session.version(0), now=3.0)
    assert change is not None
    store.write(change)
    # Even a writer that got the revision right is kept from writing over history.
    late = replace(change, record=replace(change.record, revision=change.record.revision + 1))
    with pytest.raises(Conflict):
        store.write(replace(late, move=Played(0, 1, 5, 4.0, "other")))
    found = store.load(session.code)
    assert found is not None
    assert found.record.revision == change.record.revision
    assert len(found.moves) == 1


def test_one_token_of_a_seat_stands_once(store: Store) -> None:
    session = begun(store)
    change = session.move(0, 0, session.version(0), token="mine", now=3.0)
    assert change is not None
    store.write(change)
    again = replace(change.record, revision=change.record.revision + 1)
    with pytest.raises(Conflict):
        store.write(Change(again, Played(1, 0, 0, 4.0, "key:mine")))


def test_writers_at_the_same_time_count_once(open_store: OpenStore) -> None:
    """Eight writers with connections of their own try to play the same ply: one is told that it counts."""
    store = open_store()
    session = begun(store)
    writers = [open_store() for _ in range(8)]
    changes = [session.move(0, action, session.version(0), now=3.0) for action in range(8)]
    results: list[str] = []
    gate = threading.Barrier(len(writers))

    def write(writer: Store, change: Change | None) -> None:
        assert change is not None
        gate.wait()
        try:
            writer.write(change)
            results.append("written")
        except Conflict:
            results.append("conflict")

    threads = [threading.Thread(target=write, args=pair) for pair in zip(writers, changes, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == ["conflict"] * 7 + ["written"]
    found = store.load(session.code)
    assert found is not None
    assert len(found.moves) == 1


def test_tables_where_a_bot_is_to_act_are_found(store: Store) -> None:
    waiting, quiet = begun(store), begun(store)
    task = quiet.bot_task()
    assert task is not None
    do(store, quiet, quiet.bot_move(task, 0, 3.0))
    assert store.due() == [waiting.code]


def test_a_persons_tables_newest_first(store: Store) -> None:
    ada, ben = person(store), person(store, "Ben")
    first = table(store, "me", "open", host=ada)
    second = table(store, "me", "low", host=ada)
    do(store, first, first.sit(ben.id, "Ben", now=2.0))
    assert [s.record.code for s in store.tables_of(ada.id)] == [second.code, first.code]
    assert [(s.record.code, s.seat) for s in store.tables_of(ben.id)] == [(first.code, 1)]
    assert store.tables_of(ada.id, 1)[0].record == second.record


def test_watching_twice_is_no_harm(store: Store) -> None:
    session, cleo = table(store), person(store, "Cleo")
    assert not store.watches(session.code, cleo.id)
    store.watch(session.code, cleo.id)
    store.watch(session.code, cleo.id)
    assert store.watches(session.code, cleo.id)
    assert not store.watches("ZZZZ", cleo.id)


def test_a_store_opened_twice_is_migrated_once(open_store: OpenStore) -> None:
    first, second = open_store(), open_store()
    assert first.alive()
    assert second.alive()


def test_stores_that_open_at_the_same_time_wait_for_each_other(open_store: OpenStore) -> None:
    errors: list[Exception | None] = []

    def make() -> None:
        try:
            open_store()
        except (StoreError, sa.exc.SQLAlchemyError) as error:
            errors.append(error)
        else:
            errors.append(None)

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [None] * 6


def test_the_migrations_make_the_schema(store: Store) -> None:
    """What Alembic would still have to change is nothing."""
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    with store._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []


def test_a_database_of_a_newer_program_is_left_alone(open_store: OpenStore, url: str) -> None:
    store = open_store()
    with store._engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="newer facedown"):
        Store(url)


def test_sqlite_syncs_before_it_says_done(tmp_path: Path) -> None:
    store = Store(url_of(tmp_path))
    with store._engine.connect() as connection:
        pragmas = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in ("journal_mode", "synchronous")]
        assert pragmas == ["wal", 2]
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    store.close()


def test_a_reader_does_not_wait_for_a_writer(tmp_path: Path) -> None:
    store = Store(url_of(tmp_path))
    session = table(store)
    other = sqlite3.connect(tmp_path / "facedown.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        assert store.load(session.code) is not None
    finally:
        other.close()
        store.close()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda folder: folder / "file.db", "not a database"),
        (lambda folder: "postgresql://nobody@127.0.0.1:1/none", "127.0.0.1"),
        (lambda folder: folder / "file.db" / "below", "."),
    ],
)
def test_a_database_that_cannot_be_used_is_named_in_one_line(
    make: Callable[[Path], object], says: str, tmp_path: Path
) -> None:
    (tmp_path / "file.db").write_text(
        "this is a text, and a long one, so that it cannot be taken for a database\n" * 99
    )
    with pytest.raises(StoreError) as caught:
        Store(url_of(str(make(tmp_path))))
    assert says in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_password_is_not_shown() -> None:
    with pytest.raises(StoreError) as caught:
        Store(url_of("postgresql://ada:hunter2@127.0.0.1:1/cards"))
    assert "hunter2" not in str(caught.value)
