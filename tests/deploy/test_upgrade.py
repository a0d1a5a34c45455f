"""Upgrades: matches of an older database can be played on, and servers that start at the same moment all come up."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from facedown.server.http.visitors import COOKIE
from tests.corpus.database import copy_to_postgres
from tests.faults.server_group import ServerProcess
from tests.server.http_server import Live, Server, action_in, serving
from tests.waiting import wait_until

pytestmark = pytest.mark.nightly

#: Database of an older version. Its second line names the cookies and tables in it.
DUMP = (Path(__file__).parent / "schema_0002.sql").read_text("utf-8")
TOLD: dict[str, Any] = json.loads(DUMP.splitlines()[1].partition("waits. ")[2])
OLD = "0002"


def old_sqlite(folder: Path) -> str:
    with sqlite3.connect(folder / "facedown.sqlite3") as connection:
        connection.executescript(DUMP)
    connection.close()
    return str(folder)


def old_postgres(url: str, folder: Path) -> str:
    old_sqlite(folder)
    copy_to_postgres(folder / "facedown.sqlite3", url)
    return url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def old(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return old_sqlite(tmp_path)
    return old_postgres(request.getfixturevalue("postgres_url"), tmp_path)


def returning_player(server: Server, name: str) -> httpx.Client:
    """Return a client with the cookie that a player had before the upgrade."""
    client = server.client()
    client.cookies.set(COOKIE, TOLD[name])
    return client


def test_matches_of_an_older_database_can_be_continued_after_an_upgrade(old: str) -> None:
    with serving(old) as server, returning_player(server, "ada") as ada, returning_player(server, "ben") as ben:
        for table in ("finished", "lobby", "running"):
            assert ada.get(TOLD[table]).status_code == 200, table
        assert ada.get(TOLD["finished"].replace("/t/", "/m/")).status_code == 200
        with Live(server, ada, TOLD["running"]) as a, Live(server, ben, TOLD["running"]) as b:
            told = a.hello()
            assert told["version"] >= TOLD["version"]
            first = told["version"]
            for _ in range(4):
                for line in (a, b):
                    message = line.hello()
                    if message["yours"]:
                        line.send(type="move", action=action_in(message["step"]), version=message["version"])
                        line.beyond(message["version"])
            assert a.hello()["version"] >= first + 4
            # The migrated row has no proposals yet.
            a.send(type="propose", what="end")
            b.until(lambda message: any("offers to end the match" in line for line in message["say"]))
            b.send(type="answer", proposal=1, agree=False)
            a.until(lambda message: "The match goes on." in message["say"])
    # Start once more, on a database that now has this version.
    with serving(old) as server, returning_player(server, "ada") as ada, Live(server, ada, TOLD["running"]) as a:
        assert a.hello()["version"] >= first + 4


def server_state(server: ServerProcess) -> str:
    """Return "up", "ended", or an empty text while neither is known."""
    assert server.process is not None
    return "ended" if server.process.poll() is not None else "up" if server.answers() else ""


@contextlib.contextmanager
def started_together(database: str, folder: Path) -> Iterator[list[ServerProcess]]:
    """Start two servers at the same moment and stop both afterwards."""
    servers = [ServerProcess(database, folder / f"server-{number}.log", lang="en") for number in range(2)]
    try:
        for server in servers:
            server.start()
        wait_until(lambda: all(server_state(server) for server in servers))
        yield servers
    finally:
        for server in servers:
            server.end(signal.SIGTERM)
            server.held.close()


@pytest.mark.postgres
@pytest.mark.parametrize("kind", ["empty", "old"])
def test_two_servers_started_together_on_postgresql_both_serve(kind: str, postgres_url: str, tmp_path: Path) -> None:
    database = postgres_url if kind == "empty" else old_postgres(postgres_url, tmp_path)
    with started_together(database, tmp_path) as servers:
        assert [server_state(server) for server in servers] == ["up", "up"], [
            server.log.read_text() for server in servers
        ]


@pytest.mark.parametrize("kind", ["empty", "old"])
def test_one_of_two_servers_started_together_on_sqlite_serves_and_the_other_exits_with_an_error(
    kind: str, tmp_path: Path
) -> None:
    if kind == "old":
        old_sqlite(tmp_path)
    with started_together(str(tmp_path), tmp_path) as servers:
        assert sorted(server_state(server) for server in servers) == ["ended", "up"]
        ended = next(server for server in servers if server_state(server) == "ended")
        assert ended.process is not None
        assert ended.process.returncode == 1
        # One line with the reason, and no traceback.
        assert re.fullmatch(r"(?s)(Strong bots[^\n]*\n)?facedown: [^\n]+\n", ended.log.read_text())
