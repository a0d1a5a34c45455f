"""Copies of a database while a server serves it, and bringing one back."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa

from facedown.store.database_url import file_of
from facedown.store.engine import known_schema_versions, wrap_store_errors
from facedown.store.errors import StoreError
from facedown.store.sqlite_files import OWNER_ONLY, SQLITE_SUFFIXES, lock_database, make_private_folder

#: So many pages are copied at a time; between them a writer has its turn.
PAGES = 256
#: Where Debian keeps PostgreSQL's programs, beside those on the path.
PROGRAMS = Path("/usr/lib/postgresql")
#: How a file of PostgreSQL's custom format begins.
CUSTOM_FORMAT = b"PGDMP"
#: How one of SQLite does.
SQLITE_FORMAT = b"SQLite format 3\0"


def backup(url: str, target: Path, force: bool = False) -> None:
    """Copy the database into a file that only its owner may read; `StoreError` says why that cannot be.

    The file is there whole and looked through, or not at all.
    """
    if target.exists() and not force:
        raise StoreError(f"{target} is there already")
    if target.is_dir():
        raise StoreError(f"{target} is a folder: name a file")
    if not target.parent.is_dir():
        raise StoreError(f"there is no folder {target.parent}")
    source = file_of(url)
    if source is not None and not source.is_file():
        raise StoreError(f"there is no database at {source}")
    if source is not None and target.exists() and target.samefile(source):
        raise StoreError(f"{target} is the database itself")
    with _atomic_file(target) as part:
        if source is not None:
            _copy(source, part)
            check_backup_schema(part)
        elif sa.engine.make_url(url).get_backend_name() == "sqlite":
            raise StoreError("a database in memory cannot be backed up")
        else:
            _call(
                url,
                "pg_dump",
                "--format=custom",
                "--no-owner",
                "--no-privileges",
                f"--file={part}",
                _url_without_password(url),
            )
            _call(url, "pg_restore", "--list", str(part))


@contextmanager
def _atomic_file(target: Path) -> Iterator[Path]:
    """A file beside the target, of which nothing is left if it does not come to its end, else put in its place."""
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        make_private_folder(target.parent)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, OWNER_ONLY))
        try:
            yield part
            with part.open("rb") as file:
                os.fsync(file.fileno())
            part.replace(target)
        finally:
            for ending in (*SQLITE_SUFFIXES, "-journal"):
                part.with_name(part.name + ending).unlink(missing_ok=True)
    except OSError as wrong:
        raise StoreError(f"{target} cannot be written: {wrong.strerror}") from wrong


def _copy(source: Path, target: Path) -> None:
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True, timeout=10)) as there,
            contextlib.closing(sqlite3.connect(target)) as here,
        ):
            # One transaction that reads: a writer who comes between two steps does not make it begin anew.
            there.isolation_level = None
            there.execute("BEGIN")
            there.execute("SELECT count(*) FROM sqlite_master").fetchone()
            there.backup(here, pages=PAGES)
            # One file, without a log beside it.
            here.execute("PRAGMA journal_mode=DELETE").fetchone()
    except sqlite3.Error as wrong:
        raise StoreError(f"{source} cannot be copied: {wrong}") from wrong


def check_backup_schema(file: Path) -> str:
    """The schema of an SQLite backup; `StoreError` if it is damaged, none of Facedown's, or a newer program's."""
    try:
        with file.open("rb") as opened:
            if opened.read(len(SQLITE_FORMAT)) != SQLITE_FORMAT:
                raise StoreError(f"{file} is no backup of an SQLite database")
        with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            said = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(1)")]
            if said != ["ok"]:
                raise StoreError(f"{file} is damaged: {' '.join(said[0].split())}")
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except OSError as wrong:
        raise StoreError(f"{file} cannot be read: {wrong.strerror}") from wrong
    except sqlite3.OperationalError as wrong:
        if "no such table" in str(wrong):
            raise StoreError(f"{file} is no database of Facedown") from None
        raise StoreError(f"{file} cannot be read: {wrong}") from wrong
    except sqlite3.DatabaseError as wrong:
        raise StoreError(f"{file} is damaged: {wrong}") from wrong
    return _check_schema_version(file, found[0] if found else None)


def _check_schema_version(file: Path, schema: str | None) -> str:
    if schema is None:
        raise StoreError(f"{file} is no database of Facedown")
    if schema not in known_schema_versions():
        raise StoreError(f"{file} was written by a newer facedown (its schema is {schema})")
    return schema


def restore(url: str, source: Path) -> Path | None:
    """Put a backup in the database's place; where the old file was put aside, if there was one.

    `StoreError` where a server serves it, or the backup is not in order: then nothing has changed.
    """
    file = file_of(url)
    if file is None and sa.engine.make_url(url).get_backend_name() == "sqlite":
        raise StoreError("a database in memory cannot be restored")
    if not source.is_file():
        raise StoreError(f"there is no file {source}")
    if file is None:
        _restore_dump(url, source)
        return None
    check_backup_schema(source)
    with lock_database(url):
        if file.exists() and file.samefile(source):
            raise StoreError(f"{source} is the database itself")
        with _atomic_file(file) as part:
            _copy(source, part)
            check_backup_schema(part)
            aside = _put_aside(file)
    return aside


def _put_aside(file: Path) -> Path | None:
    """Keep what is there under another name, as one file with all that was written last."""
    if not file.exists():
        return None
    stamp = time.strftime("%Y%m%d-%H%M%S")
    names = [file.with_name(f"{file.name}.before-{stamp}{more}") for more in ("", *(f"-{i}" for i in range(1, 100)))]
    aside = next(name for name in names if not name.exists())
    # What stands in the log beside the file belongs to it: written into it first, or kept beside it under its new name.
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for ending in SQLITE_SUFFIXES:
        there = file.with_name(file.name + ending)
        if there.exists():
            there.rename(aside.with_name(aside.name + ending))
    return aside


# --- PostgreSQL -------------------------------------------------------------------------------------------------------


def program(name: str) -> str:
    """The path of a program of PostgreSQL's, the newest there is; `StoreError` names one that is missing."""
    there = sorted(PROGRAMS.glob(f"*/bin/{name}"), key=lambda path: [*map(int, re.findall(r"\d+", path.parts[-3]))])
    found = str(there[-1]) if there else shutil.which(name)
    if found is None:
        raise StoreError(f"{name} is not installed: it comes with PostgreSQL's programs (Debian: postgresql-client)")
    return found


def _restore_dump(url: str, source: Path) -> None:
    with source.open("rb") as file:
        if file.read(len(CUSTOM_FORMAT)) != CUSTOM_FORMAT:
            raise StoreError(f"{source} is no backup of a PostgreSQL database")
    listed = _call(url, "pg_restore", "--list", str(source))
    if " alembic_version " not in listed:
        raise StoreError(f"{source} is no database of Facedown")
    version = _call(url, "pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(source))
    row = re.search(r"^COPY .*\n(.+)", version, re.MULTILINE)
    _check_schema_version(source, row[1].strip() if row else None)
    # All or nothing, and only if no server is connected: it would hold what is to be replaced.
    _check_no_clients(url)
    clean = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    _call(url, "pg_restore", *clean, f"--dbname={_url_without_password(url)}", str(source))


def _check_no_clients(url: str) -> None:
    others = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with wrap_store_errors(url, sa.exc.SQLAlchemyError), engine.connect() as connection:
        if connection.scalar(others):
            raise StoreError("the database is in use: stop every server on it first")


def _call(url: str, name: str, *arguments: str) -> str:
    """What a program of PostgreSQL's says; its password goes by the environment, where no list of programs shows it."""
    password = sa.engine.make_url(url).password
    # Its messages come in English and in UTF-8.
    env = os.environ | {"LC_ALL": "C.UTF-8"} | ({"PGPASSWORD": password} if password else {})
    command = [program(name), *arguments]
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        raise StoreError(f"{name}: {_line(done.stderr.decode(errors='replace'))}")
    return done.stdout.decode(errors="replace")


def _line(said: str) -> str:
    return (said.strip().splitlines() or ["it failed"])[0]


def _url_without_password(url: str) -> str:
    """The address of a database as PostgreSQL's programs take it, without its password."""
    where = sa.engine.make_url(url).set(drivername="postgresql")
    return where._replace(password=None).render_as_string()
