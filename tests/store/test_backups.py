"""Backups while the database is in use, and their restoration."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from facedown.play import Session
from facedown.store import Repository, StoreError, backups, new_token, schema, url_of
from facedown.store.backups import backup, check_backup_schema, restore
from facedown.store.sqlite_files import lock_database
from tests.not_none import given
from tests.store.conftest import served_elsewhere
from tests.store.test_repository import running_session, save

OpenRepository = Callable[[], Repository]


def all_rows(repository: Repository) -> list[object]:
    with repository.engine.connect() as connection:
        return [
            [tuple(row) for row in connection.execute(sa.select(one).order_by(*one.primary_key.columns))]
            for one in schema.metadata.sorted_tables
        ]


@pytest.fixture
def database_and_backup(tmp_path: Path) -> tuple[str, Path]:
    """An SQLite database that is not in use, and a backup of it."""
    url, file = url_of(tmp_path / "data"), tmp_path / "file.bak"
    Repository(url).close()
    backup(url, file)
    return url, file


def set_schema(file: Path, number: str) -> None:
    with contextlib.closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (number,))


def test_restore_brings_back_everything_in_a_backup(url: str, open_repository: OpenRepository, tmp_path: Path) -> None:
    repository, file = open_repository(), tmp_path / "backups" / "monday.bak"
    file.parent.mkdir()
    session = running_session(repository)
    kept = all_rows(repository)
    backup(url, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in file.parent.iterdir()] == ["monday.bak"]
    save(repository, session, session.move(0, session.legal(0)[0], 0, now=3.0))
    repository.store_new_person("Late", new_token(), 5.0)
    repository.close()
    restore(url, file)
    back = open_repository()
    assert all_rows(back) == kept
    # The restored match can be continued.
    found = given(back.load(session.code))
    revived = Session(found.record, found.moves)
    save(back, revived, revived.move(0, revived.legal(0)[-1], 0, now=9.0))
    assert back.store_new_person("Next", new_token(), 5.0).id > 0


def test_backup_does_not_overwrite_a_file_unless_forced_and_creates_no_folder(
    url: str, open_repository: OpenRepository, tmp_path: Path
) -> None:
    open_repository()
    file = tmp_path / "kept"
    file.write_text("mine")
    with pytest.raises(StoreError, match="kept already exists"):
        backup(url, file)
    assert file.read_text() == "mine"
    backup(url, file, force=True)
    assert file.read_bytes()[:4] in (b"SQLi", b"PGDM")
    with pytest.raises(StoreError, match=f"folder {tmp_path / 'nope'} does not exist"):
        backup(url, tmp_path / "nope" / "copy")
    assert not (tmp_path / "nope").exists()


@pytest.mark.slow
def test_backup_is_consistent_while_another_thread_writes(tmp_path: Path) -> None:
    """Each transaction writes to two tables, so every copy must have equal numbers of rows."""
    url = url_of(tmp_path / "data")
    repository, stop = Repository(url), threading.Event()
    names, sizes = [], []

    def write() -> None:
        while not stop.is_set():
            with repository.engine.begin() as connection:
                found = connection.execute(
                    sa.insert(schema.people).values(name="A", created=1.0).returning(schema.people.c.id)
                ).scalar_one()
                connection.execute(
                    sa.insert(schema.bans).values(kind="person", value=str(found), reason="x" * 200, created=1.0)
                )
            names.append(found)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            before = len(names)
            while len(names) < before + 20:
                assert writer.is_alive()
            file = tmp_path / f"{number}.bak"
            backup(url, file)
            with contextlib.closing(sqlite3.connect(file)) as copy:
                people, bans = (copy.execute(f"SELECT count(*) FROM {one}").fetchone()[0] for one in ("people", "bans"))
            assert people == bans
            sizes.append(people)
    finally:
        stop.set()
        writer.join()
    assert sizes == sorted(set(sizes))
    repository.close()


def test_failed_backup_leaves_no_partial_file_and_keeps_the_previous_backup(
    database_and_backup: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    url, file = database_and_backup
    good = file.read_bytes()

    def breaks(path: Path) -> str:
        raise StoreError(f"{path} is damaged")

    monkeypatch.setattr(backups, "check_backup_schema", breaks)
    with pytest.raises(StoreError, match="is damaged"):
        backup(url, file, force=True)
    assert sorted(path.name for path in file.parent.iterdir()) == ["data", "file.bak"]
    assert file.read_bytes() == good


def test_backup_on_a_full_disk_fails_with_a_one_line_error_and_leaves_no_file(tmp_path: Path) -> None:
    Repository(url_of(tmp_path / "data")).close()
    script = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000));"
        "from facedown.terminal.cli import main; main(sys.argv[1:])"
    )
    # Without -B, this limit would truncate bytecode files, and later imports of them would fail.
    arguments = ["backup", str(tmp_path / "out.bak"), "--data", str(tmp_path / "data")]
    command = [sys.executable, "-B", "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "cannot be" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def test_restore_keeps_a_copy_of_the_replaced_database_with_its_last_writes(
    database_and_backup: tuple[str, Path],
) -> None:
    url, file = database_and_backup
    with contextlib.closing(Repository(url)) as repository:
        repository.store_new_person("Only in the old one", new_token(), 1.0)
    aside = given(restore(url, file))
    assert ".before-" in aside.name
    old, new = Repository(url_of(aside.rename(aside.with_suffix(".db")))), Repository(url)
    assert "Only in the old one" in str(all_rows(old))
    assert "Only in the old one" not in str(all_rows(new))
    old.close()
    new.close()


def test_restore_works_without_an_existing_database(database_and_backup: tuple[str, Path], tmp_path: Path) -> None:
    assert restore(url_of(tmp_path / "elsewhere"), database_and_backup[1]) is None
    file = tmp_path / "elsewhere" / "facedown.sqlite3"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    Repository(url_of(file)).close()


def test_restore_refuses_a_database_that_a_server_uses(database_and_backup: tuple[str, Path], tmp_path: Path) -> None:
    url, file = database_and_backup
    before = (tmp_path / "data" / "facedown.sqlite3").stat().st_ino
    with served_elsewhere(url) as server:
        with pytest.raises(StoreError, match=rf"another Facedown server uses this database \(process {server.pid}\)"):
            restore(url, file)
        # A backup is possible.
        backup(url, tmp_path / "second.bak")
        server.communicate("\n")
    assert (tmp_path / "data" / "facedown.sqlite3").stat().st_ino == before
    with lock_database(url):
        pass


def test_restore_of_an_invalid_file_changes_nothing(url: str, open_repository: OpenRepository, tmp_path: Path) -> None:
    repository = open_repository()
    repository.store_new_person("Ada", new_token(), 1.0)
    kept = all_rows(repository)
    good, bad = tmp_path / "good.bak", tmp_path / "bad.bak"
    backup(url, good)
    repository.close()
    text = good.read_bytes()
    for name, wrong in {
        "is not a backup": b"something else\n" * 999,
        "damaged|pg_restore: |not a Facedown database": text[: len(text) // 2],
        "bad.bak does not exist": b"",
    }.items():
        bad.write_bytes(wrong)
        if not wrong:
            bad.unlink()
        with pytest.raises(StoreError, match=name):
            restore(url, bad)
    assert all_rows(open_repository()) == kept


def test_restore_refuses_backups_of_newer_versions_and_foreign_databases(
    database_and_backup: tuple[str, Path], tmp_path: Path
) -> None:
    url, file = database_and_backup
    set_schema(file, "9999")
    with pytest.raises(StoreError, match=r"was written by a newer version of Facedown \(schema 9999\)"):
        restore(url, file)
    other = tmp_path / "other.bak"
    with contextlib.closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE t (a)")
    with pytest.raises(StoreError, match="is not a Facedown database"):
        check_backup_schema(other)


@pytest.mark.parametrize("wrong", ["was written by a newer version of Facedown", "is damaged"])
def test_restore_changes_nothing_if_the_backup_is_replaced_or_damaged_while_it_is_copied(
    database_and_backup: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """The backup is valid when it is checked.

    Then another program replaces it by a newer database, or the disk keeps half of the copy.
    """
    (url, source), newer, true_copy = database_and_backup, tmp_path / "newer.bak", backups._copy_sqlite_database
    backup(url, newer)
    set_schema(newer, "9999")

    def copy_otherwise(given: Path, target: Path) -> None:
        if "newer" in wrong:
            newer.replace(given)
        true_copy(given, target)
        if "damaged" in wrong:
            os.truncate(target, target.stat().st_size // 2)

    monkeypatch.setattr(backups, "_copy_sqlite_database", copy_otherwise)
    folder = Path(url.removeprefix("sqlite:///")).parent
    with contextlib.closing(Repository(url)) as repository:
        repository.store_new_person("Ada", new_token(), 1.0)
        kept = all_rows(repository)
    before = sorted(path.name for path in folder.iterdir())
    with pytest.raises(StoreError, match=wrong):
        restore(url, source)
    assert sorted({path.name for path in folder.iterdir()} - {"facedown.sqlite3.lock"}) == before
    with contextlib.closing(Repository(url)) as repository:
        assert all_rows(repository) == kept


@pytest.mark.postgres
def test_backup_without_pg_dump_names_the_missing_program(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Repository(postgres_url).close()
    monkeypatch.setattr(backups, "PROGRAMS", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StoreError, match="pg_dump is not installed"):
        backup(postgres_url, tmp_path / "file.bak")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.postgres
def test_restore_refuses_a_postgres_database_in_use(postgres_url: str, tmp_path: Path) -> None:
    with contextlib.closing(Repository(postgres_url)) as repository:
        repository.store_new_person("Ada", new_token(), 1.0)
        backup(postgres_url, tmp_path / "file.bak")
        with pytest.raises(StoreError, match="the database is in use"):
            restore(postgres_url, tmp_path / "file.bak")


def test_database_password_is_not_passed_on_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stand-in for pg_dump writes its arguments and the password variable to files."""
    for name in ("pg_dump", "pg_restore"):
        tool = tmp_path / "15" / "bin" / name
        tool.parent.mkdir(parents=True, exist_ok=True)
        tool.write_text(
            f'#!/bin/sh\necho "$@" >> {tmp_path}/called\n'
            f'[ -z "$PGPASSWORD" ] || echo "$PGPASSWORD" >> {tmp_path}/knew\n'
        )
        tool.chmod(0o755)
    monkeypatch.setattr(backups, "PROGRAMS", tmp_path)
    backup("postgresql+psycopg://cards:secret@db/cards", tmp_path / "file.bak")
    assert "secret" not in (tmp_path / "called").read_text()
    assert set((tmp_path / "knew").read_text().split()) == {"secret"}
    assert "PGPASSWORD" not in os.environ
