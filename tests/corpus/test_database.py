"""The database written at the frozen commit opens, is complete, and its matches continue."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.corpus import archive, database, program, web
from tests.not_none import given

TABLES = list(database.tables())
RECORDED: dict[str, Any] = archive.read_json("stored/tables.json")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Iterator[program.Repository]:
    with database.opened(database.unpack(tmp_path_factory.mktemp("frozen")).parent) as opened:
        yield opened


def test_migrations_keep_every_row_of_a_database_of_an_earlier_version(
    repository: program.Repository, tmp_path: Path
) -> None:
    """Columns may be added, but no old column loses a value."""
    with closing(sqlite3.connect(database.unpack(tmp_path))) as old, closing(repository.engine.raw_connection()) as new:
        names = [name for (name,) in old.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        assert "moves" in names
        for name in set(names) - {"alembic_version", "sqlite_sequence"}:
            columns = ", ".join(row[1] for row in old.execute(f"PRAGMA table_info({name})"))
            query = f"SELECT {columns} FROM {name} ORDER BY {columns}"
            found = new.cursor().execute(query).fetchall()
            assert found == old.execute(query).fetchall(), name


def test_repository_reads_a_database_of_an_earlier_version_as_before(repository: program.Repository) -> None:
    archive.check(database.stored_files(repository))


@pytest.mark.parametrize("kind", ["plain", "clocks"])
@pytest.mark.parametrize("game", database.games())
def test_a_move_saved_by_an_older_program_is_not_played_again_when_it_is_sent_again(
    game: str, kind: str, repository: program.Repository
) -> None:
    """The answer to a move may be lost while a newer server replaces the old one."""
    loaded = given(repository.load(database.code(game, kind)))
    session = program.Session(loaded.record, loaded.moves, loaded.chat)
    for move in loaded.moves:
        way, _, rest = move.token.partition(":")
        version, name = (0, rest) if way == "key" else (int(rest.partition(":")[0]), "")
        assert session.move(move.seat, move.action, version, token=name, now=web.NOW) is None
    assert {move.token.partition(":")[0] for move in loaded.moves} == {"key" if kind == "clocks" else "at"}


def test_new_and_migrated_databases_have_the_recorded_schema(repository: program.Repository) -> None:
    archive.check(database.schema_file())
    archive.check({"stored/schema.json": archive.to_json(database.schema(repository), 1)})


def test_admin_list_shows_every_table_of_a_database_of_an_earlier_version(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database.unpack(tmp_path)
    # The server started after an upgrade migrates the database.
    program.Repository(program.url_of(tmp_path)).close()
    assert program.command_line(["admin", "list", "--limit", "1000", "--data", str(tmp_path)]) == 0
    listed = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()[1:]}
    assert set(listed) == {database.code(game, kind) for game, kind in TABLES}
    for game, kind in TABLES:
        status = {"lobby": "lobby", "again": "lobby", "finished": "finished", "closed": "finished"}.get(kind, "running")
        assert listed[database.code(game, kind)].split()[1:3] == [game, status]


def test_backup_of_a_database_of_an_earlier_version_restores_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    database.unpack(tmp_path / "old")
    copy = tmp_path / "copy.bak"
    assert program.command_line(["backup", str(copy), "--data", str(tmp_path / "old")]) == 0
    assert program.command_line(["restore", str(copy), "--data", str(tmp_path / "new")]) == 0
    with database.opened(tmp_path / "new") as restored:
        archive.check(database.stored_files(restored))


@pytest.mark.slow
@pytest.mark.postgres
def test_rows_of_an_earlier_version_copied_to_postgresql_are_read_as_before(postgres_url: str, tmp_path: Path) -> None:
    database.copy_to_postgres(database.unpack(tmp_path), postgres_url)
    opened = program.Repository(postgres_url)
    try:
        archive.check(database.stored_files(opened))
        assert opened.store_new_person("Next", None, database.LAST).id > len(database.PEOPLE)
    finally:
        opened.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[program.Server]:
    with web.serve_frozen(tmp_path_factory.mktemp("served")) as server:
        yield server


def test_downloaded_files_of_finished_matches_equal_those_recorded_at_an_earlier_version(
    served: program.Server,
) -> None:
    found = web.match_files(served)
    archive.check(found)
    assert all(program.read_match_file(text.decode()).match.over for text in found.values())


@pytest.mark.parametrize("kind", ["plain", "clocks", "stand-in", "bots"])
@pytest.mark.parametrize("game", database.games())
def test_running_match_in_a_database_of_an_earlier_version_accepts_the_next_move(
    game: str, kind: str, served: program.Server
) -> None:
    """Ada plays her next move; if it is a bot's turn, the bot plays first."""
    path = f"/t/{database.code(game, kind)}"
    frozen = RECORDED[f"{game} {kind}"]["version"]
    with served.client() as ada:
        ada.cookies.set(database.GUEST_COOKIE, database.token("Ada"))
        with program.Live(served, ada, path) as line:
            line.send(type="hello", version=frozen)
            message = next_table(line)
            while kind == "bots" and not message["yours"]:
                message = next_table(line)
            assert message["yours"]
            assert kind == "bots" or message["version"] == frozen
            line.send(type="move", action=program.actions_in(message["step"])[0], version=message["version"])
            assert next_table(line)["version"] > message["version"]


def next_table(line: program.Live) -> dict[str, Any]:
    while (message := web.next_message(line))["type"] != "table":
        assert message["type"] != "error", message
    found: dict[str, Any] = message
    return found
