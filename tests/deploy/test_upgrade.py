"""A database of an older program goes on under this one; programs that start at the same moment all come up."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from facedown.server.http.visitors import COOKIE
from tests.corpus.database import copy_to_postgres
from tests.ports import Port
from tests.server.serving import PATIENCE, Live, Server, action_in, serving
from tests.wait import wait_until

pytestmark = pytest.mark.nightly

#: Written by the program as it was; its second line tells whose cookies and which tables are in it.
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


def somebody(server: Server, name: str) -> httpx.Client:
    """Whoever sat there before the upgrade, with the cookie of then."""
    client = server.client()
    client.cookies.set(COOKIE, TOLD[name])
    return client


def test_matches_go_on_after_an_upgrade(old: str) -> None:
    with serving(old) as server, somebody(server, "ada") as ada, somebody(server, "ben") as ben:
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
    # And once more, on what is now a database of this program.
    with serving(old) as server, somebody(server, "ada") as ada, Live(server, ada, TOLD["running"]) as a:
        assert a.hello()["version"] >= first + 4


class Program:
    """`facedown serve` in a process of its own."""

    def __init__(self, database: str, log: Path) -> None:
        self.log, self.held = log, Port()
        start = [
            sys.executable,
            "-m",
            "facedown",
            "serve",
            "--no-browser",
            "--port",
            str(self.held.number),
            "--data",
            database,
        ]
        with log.open("wb") as out:
            self.process = subprocess.Popen(start, stdout=out, stderr=out, env={**os.environ, "FACEDOWN_LANG": "en"})

    def state(self) -> str:
        """Is it "up", has it "ended", or (empty) is neither known yet?"""
        if self.process.poll() is not None:
            return "ended"
        try:
            # Where nobody listens yet this is known at once; who listens may be busy for long.
            answer = httpx.get(f"http://127.0.0.1:{self.held.number}/health", timeout=PATIENCE)
        except httpx.HTTPError:
            return ""
        return "up" if answer.status_code == 200 else ""


def started_together(database: str, folder: Path) -> Iterator[list[Program]]:
    """Two that start at the same moment; all are ended afterwards."""
    programs = [Program(database, folder / f"program-{number}.log") for number in range(2)]
    try:
        wait_until(lambda: all(program.state() for program in programs))
        yield programs
    finally:
        for program in programs:
            program.process.terminate()
        for program in programs:
            program.process.wait(PATIENCE)
            program.held.close()


@pytest.mark.postgres
@pytest.mark.parametrize("kind", ["empty", "old"])
def test_two_that_start_at_once_both_serve_postgresql(kind: str, postgres_url: str, tmp_path: Path) -> None:
    database = postgres_url if kind == "empty" else old_postgres(postgres_url, tmp_path)
    for programs in started_together(database, tmp_path):
        assert [program.state() for program in programs] == ["up", "up"], [p.log.read_text() for p in programs]


@pytest.mark.parametrize("kind", ["empty", "old"])
def test_of_two_that_start_at_once_one_serves_sqlite(kind: str, tmp_path: Path) -> None:
    if kind == "old":
        old_sqlite(tmp_path)
    for programs in started_together(str(tmp_path), tmp_path):
        assert sorted(program.state() for program in programs) == ["ended", "up"]
        ended = next(program for program in programs if program.state() == "ended")
        assert ended.process.returncode == 1
        # One line that says why, and no traceback.
        assert re.fullmatch(r"(?s)(Strong bots[^\n]*\n)?facedown: [^\n]+\n", ended.log.read_text())
