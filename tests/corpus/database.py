"""A database with tables of all games in every state, written by the program at the frozen commit.

People, codes, seeds and times in it are fixed, and so are the values that the program drew or took from the clock
(keys, numbers of processes, times of jobs).
"""

from __future__ import annotations

import base64
import hashlib
import random
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from tests.corpus import archive, program
from tests.not_none import given

FILE = "database/facedown.sqlite3.gz"
#: Unix time at which the last move was made.
LAST = 1795784400.0
#: Name of the cookie that identifies a person.
GUEST_COOKIE = "facedown-guest"
#: People with a browser's cookie, in the order of their ids from 1.
PEOPLE = ("Ada", "Ben", "Cleo", "Dora")
#: The states in which each game has a table; "plain" and "clocks" are running matches of people.
KINDS = ("lobby", "plain", "clocks", "bots", "stand-in", "closed", "finished", "again")
#: The states of the tables that have Dora as a spectator.
WATCHED = ("plain", "clocks", "finished")


def token(name: str) -> str:
    return _secret(f"person {name}")


def seat_key(game: str, kind: str) -> str:
    """Return the token of the program that plays the second seat of a table."""
    return _secret(f"seat {game} {kind}")


def _secret(about: str) -> str:
    # A credential has 43 letters of the URL-safe alphabet and does not start with a hyphen.
    return "k" + base64.urlsafe_b64encode(hashlib.sha256(f"corpus {about}".encode()).digest()).decode()[1:43]


def code(game: str, kind: str) -> str:
    rnd = random.Random(f"corpus {game} {kind}")
    return "".join(rnd.choice("ABCDEFGHJKMNPQRSTUVWXYZ23456789") for _ in range(8))


def games() -> list[str]:
    return sorted({name.partition("-")[0] for name in archive.match_files()})


def unpack(folder: Path) -> Path:
    """Write the frozen database into a folder, as `facedown serve --data FOLDER` expects it; return its path."""
    path = folder / "facedown.sqlite3"
    path.touch(0o600)
    path.write_bytes(archive.read_bytes(FILE))
    return path


def copy_to_postgres(file: Path, url: str) -> None:
    """Create the tables of an SQLite file in an empty PostgreSQL database, and copy all rows."""
    source, engine, tables = sa.create_engine(f"sqlite:///{file}"), sa.create_engine(url), sa.MetaData()

    @sa.event.listens_for(tables, "column_reflect")
    def to_generic(_inspector: object, _table: object, column: sa.engine.interfaces.ReflectedColumn) -> None:
        column["type"] = column["type"].as_generic()

    tables.reflect(source)
    with engine.begin() as target, source.connect() as reading:
        tables.create_all(target)
        for table in tables.sorted_tables:
            if not (rows := [row._asdict() for row in reading.execute(sa.select(table))]):
                continue
            target.execute(sa.insert(table), rows)
            if "id" in table.columns:
                # New rows continue the numbers of the copied ones.
                sequence = sa.func.pg_get_serial_sequence(table.name, "id")
                target.execute(sa.select(sa.func.setval(sequence, max(row["id"] for row in rows))))
    engine.dispose()
    source.dispose()


def tables() -> Iterator[tuple[str, str]]:
    for game in games():
        for kind in KINDS:
            yield game, kind


def stored(repository: program.Repository, game: str, kind: str) -> dict[str, Any]:
    """Return the repository's data about a table, and the result of its replay."""
    at = code(game, kind)
    loaded = given(repository.load(at))
    record = loaded.record
    session = program.Session(record, loaded.moves, loaded.chat)
    started = session.match is not None
    return {
        "record": asdict(replace(record, options=dict(record.options), seed=b"")) | {"seed": record.seed.hex()},
        "moves": archive.digest([asdict(move) for move in loaded.moves]),
        "count": len(loaded.moves),
        "chat": [asdict(said) for said in loaded.chat],
        "people": [seat.person for seat in record.seats],
        "watched": [person for person in range(1, 6) if repository.is_spectator(at, person)],
        "version": session.version(0) if started else None,
        "acting": session.dealt_match.acting if started else None,
        "state": archive.digest(program.to_bytes(session.dealt_match.state)) if started else None,
        "returns": session.dealt_match.returns if started and session.dealt_match.over else None,
        "review": archive.digest(repository.reviews.review_json(loaded.number, -1) or ""),
        "asked": repository.jobs.exists("review", loaded.number, 0),
        "readable": review_is_readable(repository, loaded.number),
    }


def review_is_readable(repository: program.Repository, number: int) -> int | None:
    """Return the number of decisions in the stored review of a match, or None without one."""
    text = repository.reviews.review_json(number, -1)
    found = None if text is None else program.read_review(text)
    return None if found is None else len(found)


def others(repository: program.Repository) -> dict[str, Any]:
    """Return the repository's data besides tables: people, bans, keys."""
    tokens = {name: token(name) for name in (*PEOPLE, "Eve")}
    found = repository.people_by_browser_token(list(tokens.values()))
    people = {name: found[each].id if each in found else 0 for name, each in tokens.items()}
    programs = {
        f"{game} {kind}": repository.person_by_seat_token(seat_key(game, kind)) for game in games() for kind in KINDS
    }
    return {
        "people": people,
        "programs": {name: person and person.id for name, person in programs.items()},
        "bans": [asdict(ban) for ban in program.bans_in_force(repository.engine, LAST)],
        "keys": {name: archive.digest(repository.shared_secret_key(name)) for name in ("origins", "reviews")},
        "tables": {name: len(repository.tables_of(person, None)) for name, person in people.items()},
    }


def stored_files(repository: program.Repository) -> dict[str, bytes]:
    """Return the data that the current program reads from a repository with the frozen database."""
    found = {f"{game} {kind}": stored(repository, game, kind) for game, kind in tables()}
    return {"stored/tables.json": archive.to_json(found | {"others": others(repository)}, 1)}


@contextmanager
def opened(folder: Path) -> Iterator[program.Repository]:
    """Open the database in a folder, or create one."""
    repository = program.Repository(program.url_of(folder))
    try:
        yield repository
    finally:
        repository.close()


def files() -> dict[str, bytes]:
    """Return the data that the current program reads from the frozen database, and the schema of a new one."""
    with tempfile.TemporaryDirectory() as name, opened(unpack(Path(name)).parent) as repository:
        return stored_files(repository) | schema_file()


def schema_file() -> dict[str, bytes]:
    """Return the schema of a database that the current program creates."""
    with tempfile.TemporaryDirectory() as name, opened(Path(name)) as repository:
        return {"stored/schema.json": archive.to_json(schema(repository), 1)}


def schema(repository: program.Repository) -> dict[str, Any]:
    """Return the columns of every table of an SQLite database (type, nullable, default), and its indexes."""
    with closing(repository.engine.raw_connection()) as connection:

        def rows(query: str) -> list[Any]:
            return list(connection.cursor().execute(query).fetchall())

        tables = [name for (name,) in rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        columns = {
            table: {
                name: [kind, not needed, default]
                for _, name, kind, needed, default, _ in rows(f"PRAGMA table_info({table})")
            }
            for table in tables
        }
        return {
            "columns": columns,
            "indexes": [
                list(one) for one in rows("SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name")
            ],
        }
