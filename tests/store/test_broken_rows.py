"""One broken row breaks nothing but its own table: every column of every table's rows is broken by hand in turn."""

from __future__ import annotations

import logging
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, StatementError

from facedown.play import new_code
from facedown.store import Repository, schema
from tests.not_none import given
from tests.server.http_server import Live, Server, finished, open_table, serving

#: What is written into every column that takes it.
VALUES: tuple[Any, ...] = (
    None, 99, 2**31 - 1, float("inf"), "x", b"\xff\0", "{", "null", "[]", '{"a": 1}', '{"clock": "soon"}',
    '{"at_zero": "explode"}', '[{"left": 1}]', "[" * 3000,
)  # fmt: skip
#: What can certainly not be played on, as (table, column, value).
CERTAIN: tuple[tuple[str, str, Any], ...] = (
    *(("matches", "options", value) for value in ("{", "null", '{"a": 1}')),
    *(("matches", "settings", value) for value in ("[]", '{"clock": "soon"}', '{"at_zero": "explode"}')),
    *(("matches", "clocks", value) for value in ("{", '[{"left": 1}]')),
    ("matches", "game", "x"), ("matches", "rules_version", 99), ("matches", "seed", b"\xff\0"),
    ("moves", "ply", 99), ("moves", "action", 2**31 - 1), ("moves", "seat", 99), ("seats", "seat", 99),
)  # fmt: skip


@dataclass(frozen=True)
class Broken:
    code: str
    where: tuple[str, str, Any]
    over: bool


def hasty(url: str) -> sa.Engine:
    engine = sa.create_engine(url)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
    return engine


class Source:
    def __init__(self, engine: sa.Engine, code: str) -> None:
        self._engine = engine
        with engine.connect() as connection:
            found = connection.execute(sa.select(schema.matches).where(schema.matches.c.code == code)).mappings().one()
            self._match = {name: value for name, value in found.items() if name != "id"}
            self.over = found["status"] == "finished"
            self._rows = {}
            for table in (schema.seats, schema.moves):
                theirs = connection.execute(sa.select(table).where(table.c.match_id == found["id"])).mappings()
                self._rows[table] = [dict(row) for row in theirs]

    def copied(self) -> str:
        code = new_code()
        with self._engine.begin() as connection:
            made = sa.insert(schema.matches).values(self._match | {"code": code}).returning(schema.matches.c.id)
            match_id = connection.execute(made).scalar_one()
            for table, rows in self._rows.items():
                connection.execute(sa.insert(table), [row | {"match_id": match_id} for row in rows])
            said = {"match_id": match_id, "seat": 0, "name": "Ada", "text": "so far, so good", "at": 1.0}
            connection.execute(sa.insert(schema.chat).values(said))
        return code


def break_one(engine: sa.Engine, table: sa.Table, column: str, value: Any, code: str) -> bool:
    """Write a value into a column of the rows of one table; False where the database takes no such thing."""
    its = sa.select(schema.matches.c.id).where(schema.matches.c.code == code).scalar_subquery()
    mine = (table.c.id if table is schema.matches else table.c.match_id) == its
    if "seat" in table.c and table is not schema.chat:
        mine &= table.c.seat == 0
    if "ply" in table.c:
        first = sa.select(sa.func.min(table.c.ply)).where(table.c.match_id == its, table.c.seat == 0).scalar_subquery()
        mine &= table.c.ply == first
    where = mine.compile(engine, compile_kwargs={"literal_binds": True})
    # As text: the library would not write what does not fit.
    anything = sa.text(f"UPDATE {table.name} SET {column} = :value WHERE {where}")
    try:
        with engine.begin() as connection:
            return bool(connection.execute(anything, {"value": value}).rowcount)
    except (DBAPIError, StatementError, OverflowError):
        return False


def all_broken(engine: sa.Engine, sources: list[Source]) -> list[Broken]:
    """Tables of which each has one other broken value; those that stayed as they were are left out."""
    broken = []
    for source in sources:
        for table in (schema.matches, schema.seats, schema.moves, schema.chat):
            for column in table.c:
                if column.name in ("id", "match_id", "code"):
                    continue
                code = source.copied()
                # The same once more of a match that is over, with fewer.
                for value in VALUES[::3] if source.over else VALUES:
                    if break_one(engine, table, column.name, value, code):
                        broken.append(Broken(code, (table.name, column.name, value), source.over))
                        code = source.copied()
    return broken


def a_running(server: Server, client: httpx.Client) -> str:
    url = open_table(client, "low", clock="3000")
    with Live(server, client, url) as live:
        message = live.hello()
        for _move in range(3):
            message = live.until_yours(message)
            message = live.play(message)
    return url.rsplit("/", 1)[1]


@pytest.mark.nightly
def test_every_table_but_the_broken_one_goes_on(url: str, caplog: pytest.LogCaptureFixture) -> None:
    with serving(url) as server, server.client() as ada:
        codes = a_running(server, ada), finished(server, ada).rsplit("/", 1)[1]
        cookie = dict(ada.cookies)
    engine = hasty(url)
    sources = [Source(engine, code) for code in codes]
    broken = all_broken(engine, sources)
    healthy = sources[0].copied()
    engine.dispose()
    assert len(broken) > 200
    there = {one.where for one in broken}
    before = resting(url, healthy)
    with caplog.at_level(logging.WARNING), serving(url, sweep=0.3) as server, server.client() as ada:
        ada.cookies.update(cookie)
        # The clocks of the healthy table were put later when the server began again.
        assert resting(url, healthy) > before
        page = ada.get("/")
        assert page.status_code == 200
        assert f"/t/{healthy}" in page.text
        for one in broken:
            # Not the page of a finished match: the coach would look back at each.
            over = [f"/m/{one.code}", f"/m/{one.code}.facedown", f"/api/v1/matches/{one.code}"]
            pages = [*over, f"/t/{one.code}/preview.png"] if one.over else [f"/t/{one.code}"]
            pages.append(f"/api/v1/tables/{one.code}")
            for address in pages:
                answer = ada.get(address, follow_redirects=True)
                assert answer.status_code < 500, (one, address, answer.text[-400:])
                if not one.over and one.where in CERTAIN:
                    assert answer.status_code == 410, (one, address, answer.status_code)
        assert ada.get(f"/t/{healthy}").status_code == 200
        swept(server)
        told = [record.getMessage() for record in caplog.records if "cannot be read" in record.getMessage()]
        caplog.clear()
        swept(server)
        again = [record.getMessage() for record in caplog.records]
        assert told, "what is broken is told"
        assert again == [], "and told once"
    missing = [one for one in CERTAIN if one not in there]
    assert not missing, "some were never tried"


def swept(server: Server) -> None:

    async def once() -> None:
        rooms = server.rooms
        for code in await rooms.store.run(rooms.repository.processes.take_over_due_tables, 4e9):
            await rooms._take_over_room(code)

    server.within(once())


def resting(url: str, code: str) -> float:
    with closing(Repository(url)) as repository:
        found = given(repository.load(code))
        return max(clock.since or 0.0 for clock in found.record.clocks)
