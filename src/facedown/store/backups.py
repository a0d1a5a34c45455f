"""Backup of a database, and restoration of a database from a backup.

During a backup, servers may use the database. During a restoration, no server may use it.
"""

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

from facedown.store.database_url import sqlite_file_of
from facedown.store.engine import known_schema_versions, wrap_store_errors
from facedown.store.errors import StoreError
from facedown.store.sqlite_files import OWNER_ONLY, SQLITE_SUFFIXES, lock_database, make_private_folder

#: Number of pages of an SQLite database that a backup copies in one step; other connections can write between two
#: steps.
PAGES = 256
#: Folder in which Debian installs PostgreSQL's programs. They are searched for here and in the PATH.
PROGRAMS = Path("/usr/lib/postgresql")
#: First bytes of a dump in PostgreSQL's custom format.
CUSTOM_FORMAT = b"PGDMP"
#: First bytes of an SQLite file.
SQLITE_FORMAT = b"SQLite format 3\0"


def backup(url: str, target: Path, force: bool = False) -> None:
    """Copy the database at `url` into the file `target`, which only its owner can read. With `force`, an existing file
    is replaced.

    The file appears only once it is complete and verified. Raise `StoreError` with the reason if the backup fails.
    """
    if target.exists() and not force:
        raise StoreError(f"{target} already exists")
    if target.is_dir():
        raise StoreError(f"{target} is a folder: give the name of a file")
    if not target.parent.is_dir():
        raise StoreError(f"folder {target.parent} does not exist")
    source = sqlite_file_of(url)
    if source is not None and not source.is_file():
        raise StoreError(f"no database found at {source}")
    if source is not None and target.exists() and target.samefile(source):
        raise StoreError(f"{target} is the database itself")
    with _atomic_file(target) as part:
        if source is not None:
            _copy_sqlite_database(source, part)
            check_backup_schema(part)
        elif sa.engine.make_url(url).get_backend_name() == "sqlite":
            raise StoreError("an in-memory database cannot be backed up")
        else:
            _run_postgres_program(
                url,
                "pg_dump",
                "--format=custom",
                "--no-owner",
                "--no-privileges",
                f"--file={part}",
                _url_without_password(url),
            )
            _run_postgres_program(url, "pg_restore", "--list", str(part))


@contextmanager
def _atomic_file(target: Path) -> Iterator[Path]:
    """Yield a temporary file next to `target` that replaces it on success and is deleted on failure."""
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


def _copy_sqlite_database(source: Path, target: Path) -> None:
    try:
        with (
            contextlib.closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=rw", uri=True, timeout=10)) as there,
            contextlib.closing(sqlite3.connect(target)) as here,
        ):
            # Read everything in one transaction. Otherwise SQLite would start the copy again whenever another
            # connection writes between two steps.
            there.isolation_level = None
            there.execute("BEGIN")
            there.execute("SELECT count(*) FROM sqlite_master").fetchone()
            there.backup(here, pages=PAGES)
            # Switch off the write-ahead log of the backup, so that it is a single file.
            here.execute("PRAGMA journal_mode=DELETE").fetchone()
    except sqlite3.Error as wrong:
        raise StoreError(f"{source} cannot be copied: {wrong}") from wrong


def check_backup_schema(file: Path) -> str:
    """Return the schema version of an SQLite backup.

    Raise `StoreError` if the file is damaged, not a Facedown database, or from a newer program.
    """
    try:
        with file.open("rb") as opened:
            if opened.read(len(SQLITE_FORMAT)) != SQLITE_FORMAT:
                raise StoreError(f"{file} is not a backup of an SQLite database")
        with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            said = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(1)")]
            if said != ["ok"]:
                raise StoreError(f"{file} is damaged: {' '.join(said[0].split())}")
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except OSError as wrong:
        raise StoreError(f"{file} cannot be read: {wrong.strerror}") from wrong
    except sqlite3.OperationalError as wrong:
        if "no such table" in str(wrong):
            raise StoreError(f"{file} is not a Facedown database") from None
        raise StoreError(f"{file} cannot be read: {wrong}") from wrong
    except sqlite3.DatabaseError as wrong:
        raise StoreError(f"{file} is damaged: {wrong}") from wrong
    return _check_schema_version(file, found[0] if found else None)


def _check_schema_version(file: Path, schema: str | None) -> str:
    if schema is None:
        raise StoreError(f"{file} is not a Facedown database")
    if schema not in known_schema_versions():
        raise StoreError(f"{file} was written by a newer version of Facedown (schema {schema})")
    return schema


def restore(url: str, source: Path) -> Path | None:
    """Replace the database at `url` by the backup `source`. The old file of an SQLite database is renamed.

    Return the new path of that file; None for PostgreSQL or if there was no file. Raise `StoreError`, with nothing
    changed, if a server is using the database or the backup is not valid.
    """
    file = sqlite_file_of(url)
    if file is None and sa.engine.make_url(url).get_backend_name() == "sqlite":
        raise StoreError("an in-memory database cannot be restored")
    if not source.is_file():
        raise StoreError(f"file {source} does not exist")
    if file is None:
        _restore_dump(url, source)
        return None
    check_backup_schema(source)
    with lock_database(url):
        if file.exists() and file.samefile(source):
            raise StoreError(f"{source} is the database itself")
        with _atomic_file(file) as part:
            _copy_sqlite_database(source, part)
            check_backup_schema(part)
            aside = _rename_database_aside(file)
    return aside


def _rename_database_aside(file: Path) -> Path | None:
    """Rename a database file and its write-ahead log, so that a restored file can take their place.

    The new names have the suffix ``.before-`` with the current time. Return the file's new path, or None if there is no
    file.
    """
    if not file.exists():
        return None
    stamp = time.strftime("%Y%m%d-%H%M%S")
    names = [file.with_name(f"{file.name}.before-{stamp}{more}") for more in ("", *(f"-{i}" for i in range(1, 100)))]
    aside = next(name for name in names if not name.exists())
    # The latest writes may be in the write-ahead log, so merge it into the file before the file is renamed. If that
    # fails, the log is renamed too.
    with contextlib.suppress(sqlite3.Error), contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for ending in SQLITE_SUFFIXES:
        there = file.with_name(file.name + ending)
        if there.exists():
            there.rename(aside.with_name(aside.name + ending))
    return aside


# --- PostgreSQL -------------------------------------------------------------------------------------------------------


def postgres_program_path(name: str) -> str:
    """Return the path of the PostgreSQL program `name`, in its newest installed version. Raise `StoreError` if it is
    missing.
    """
    there = sorted(PROGRAMS.glob(f"*/bin/{name}"), key=lambda path: [*map(int, re.findall(r"\d+", path.parts[-3]))])
    found = str(there[-1]) if there else shutil.which(name)
    if found is None:
        raise StoreError(
            f"{name} is not installed: it is one of the PostgreSQL client programs (Debian: postgresql-client)"
        )
    return found


def _restore_dump(url: str, source: Path) -> None:
    with source.open("rb") as file:
        if file.read(len(CUSTOM_FORMAT)) != CUSTOM_FORMAT:
            raise StoreError(f"{source} is not a backup of a PostgreSQL database")
    listed = _run_postgres_program(url, "pg_restore", "--list", str(source))
    if " alembic_version " not in listed:
        raise StoreError(f"{source} is not a Facedown database")
    version = _run_postgres_program(
        url, "pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(source)
    )
    row = re.search(r"^COPY .*\n(.+)", version, re.MULTILINE)
    _check_schema_version(source, row[1].strip() if row else None)
    # The restoration runs in one transaction, which would have to wait for the table locks of other clients of the
    # database. So it is refused while other clients are connected.
    _check_no_clients(url)
    clean = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
    _run_postgres_program(url, "pg_restore", *clean, f"--dbname={_url_without_password(url)}", str(source))


def _check_no_clients(url: str) -> None:
    others = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
        " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with wrap_store_errors(url, sa.exc.SQLAlchemyError), engine.connect() as connection:
        if connection.scalar(others):
            raise StoreError("the database is in use: stop every server that uses it first")


def _run_postgres_program(url: str, name: str, *arguments: str) -> str:
    """Run the PostgreSQL program `name` and return its output. Raise `StoreError` if it fails.

    The password in `url` is passed in the environment, because command lines are visible in the list of processes.
    """
    password = sa.engine.make_url(url).password
    # This locale makes the programs write error messages in English and UTF-8.
    env = os.environ | {"LC_ALL": "C.UTF-8"} | ({"PGPASSWORD": password} if password else {})
    command = [postgres_program_path(name), *arguments]
    done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode:
        raise StoreError(f"{name}: {_first_line(done.stderr.decode(errors='replace'))}")
    return done.stdout.decode(errors="replace")


def _first_line(said: str) -> str:
    return (said.strip().splitlines() or ["it failed"])[0]


def _url_without_password(url: str) -> str:
    """Return a database URL in the form that PostgreSQL's programs accept, without its password."""
    where = sa.engine.make_url(url).set(drivername="postgresql")
    return where._replace(password=None).render_as_string()
