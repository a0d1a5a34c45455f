"""Corrupt rows affect only their own table: the test breaks every column of every table in turn."""

from __future__ import annotations

import json
import logging
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, StatementError

from facedown.core.match_actions import RESIGN, TAKE_BACK
from facedown.play import new_code
from facedown.store import Repository, schema
from facedown.store.row_conversion import UNREADABLE, agreements_from_json
from tests.not_none import given
from tests.server.http_server import Live, Server, finished, open_table, serving

#: Values that are written into every column.
VALUES: tuple[Any, ...] = (
    None, 99, 2**31 - 1, float("inf"), "x", b"\xff\0", "{", "null", "[]", '{"a": 1}', '{"clock": "soon"}',
    '{"at_zero": "explode"}', '[{"left": 1}]', "[" * 3000,
)  # fmt: skip
#: Rows that certainly make a match unplayable, as (table, column, value).
CERTAINLY_UNPLAYABLE: tuple[tuple[str, str, Any], ...] = (
    *(("matches", "options", value) for value in ("{", "null", '{"a": 1}')),
    *(("matches", "settings", value) for value in ("[]", '{"clock": "soon"}', '{"at_zero": "explode"}')),
    *(("matches", "clocks", value) for value in ("{", '[{"left": 1}]')),
    *(("matches", "agreements", value) for value in ("{", "null", "[]", '{"a": 1}', "[" * 3000)),
    ("matches", "game", "x"), ("matches", "rules_version", 99), ("matches", "seed", b"\xff\0"),
    ("moves", "ply", 99), ("moves", "action", 2**31 - 1), ("moves", "seat", 99), ("seats", "seat", 99),
)  # fmt: skip


@dataclass(frozen=True)
class BrokenTable:
    code: str
    where: tuple[str, str, Any]
    over: bool


def fast_engine(url: str) -> sa.Engine:
    engine = sa.create_engine(url)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
    return engine


class MatchCopier:
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
    """Write a value into a column of one table's rows. Return False if the database refuses it."""
    its = sa.select(schema.matches.c.id).where(schema.matches.c.code == code).scalar_subquery()
    mine = (table.c.id if table is schema.matches else table.c.match_id) == its
    if "seat" in table.c and table is not schema.chat:
        mine &= table.c.seat == 0
    if "ply" in table.c:
        first = sa.select(sa.func.min(table.c.ply)).where(table.c.match_id == its, table.c.seat == 0).scalar_subquery()
        mine &= table.c.ply == first
    where = mine.compile(engine, compile_kwargs={"literal_binds": True})
    # As SQL text, because the library would refuse invalid values.
    anything = sa.text(f"UPDATE {table.name} SET {column} = :value WHERE {where}")
    try:
        with engine.begin() as connection:
            return bool(connection.execute(anything, {"value": value}).rowcount)
    except (DBAPIError, StatementError, OverflowError):
        return False


def all_broken(engine: sa.Engine, sources: list[MatchCopier]) -> list[BrokenTable]:
    """Return tables with one broken value each, without those that the database refused."""
    broken = []
    for source in sources:
        for table in (schema.matches, schema.seats, schema.moves, schema.chat):
            for column in table.c:
                if column.name in ("id", "match_id", "code"):
                    continue
                code = source.copied()
                # A finished match gets fewer values.
                for value in VALUES[::3] if source.over else VALUES:
                    if break_one(engine, table, column.name, value, code):
                        broken.append(BrokenTable(code, (table.name, column.name, value), source.over))
                        code = source.copied()
    return broken


def new_running_match(server: Server, client: httpx.Client) -> str:
    url = open_table(client, "low", clock="3000")
    with Live(server, client, url) as live:
        message = live.hello()
        for _move in range(3):
            message = live.until_yours(message)
            message = live.play(message)
    return url.rsplit("/", 1)[1]


@pytest.mark.nightly
def test_corrupt_database_row_affects_only_the_match_that_it_belongs_to(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(url) as server, server.client() as ada:
        codes = new_running_match(server, ada), finished(server, ada).rsplit("/", 1)[1]
        cookie = dict(ada.cookies)
    engine = fast_engine(url)
    sources = [MatchCopier(engine, code) for code in codes]
    broken = all_broken(engine, sources)
    healthy = sources[0].copied()
    engine.dispose()
    assert len(broken) > 200
    there = {one.where for one in broken}
    before = latest_clock_start(url, healthy)
    with caplog.at_level(logging.WARNING), serving(url, sweep=0.3) as server, server.client() as ada:
        ada.cookies.update(cookie)
        # The restarted server moved the clocks of the healthy table.
        assert latest_clock_start(url, healthy) > before
        page = ada.get("/")
        assert page.status_code == 200
        assert f"/t/{healthy}" in page.text
        for one in broken:
            # Not the table page of a finished match, which would start a review.
            over = [f"/m/{one.code}", f"/m/{one.code}.facedown", f"/api/v1/matches/{one.code}"]
            pages = [*over, f"/t/{one.code}/preview.png"] if one.over else [f"/t/{one.code}"]
            pages.append(f"/api/v1/tables/{one.code}")
            for address in pages:
                answer = ada.get(address, follow_redirects=True)
                assert answer.status_code < 500, (one, address, answer.text[-400:])
                if not one.over and one.where in CERTAINLY_UNPLAYABLE:
                    assert answer.status_code == 410, (one, address, answer.status_code)
        assert ada.get(f"/t/{healthy}").status_code == 200
        sweep_due_tables(server)
        told = [record.getMessage() for record in caplog.records if "cannot be read" in record.getMessage()]
        caplog.clear()
        sweep_due_tables(server)
        again = [record.getMessage() for record in caplog.records]
        assert told, "what is broken is told"
        assert again == [], "and told once"
    missing = [one for one in CERTAINLY_UNPLAYABLE if one not in there]
    assert not missing, "some were never tried"


PROPOSAL = {"action": TAKE_BACK, "seat": 0, "number": 1, "until": 9.5, "asked": [1], "agreed": []}


@pytest.mark.parametrize(
    "stored",
    [
        *({"declined": [9]}, {"resigned": [-1]}, {"resigned": ["0"]}, {"resigned": [[0]]}, {"declined": 3}),
        *({"count": "3"}, {"count": None}, {"proposal": []}, {"proposal": {}}, {"proposal": 7}),
        *({"proposal": PROPOSAL | {"seat": 2}}, {"proposal": PROPOSAL | {"asked": [2]}}),
        *({"proposal": PROPOSAL | {"agreed": [-1]}}, {"proposal": PROPOSAL | {"asked": 5}}),
        *({"proposal": PROPOSAL | {"action": RESIGN}}, {"proposal": PROPOSAL | {"action": 5}}),
        *({"proposal": PROPOSAL | {"until": "soon"}}, {"proposal": PROPOSAL | {"until": float("inf")}}),
        *({"proposal": PROPOSAL | {"number": 1.5}}, {"proposal": PROPOSAL | {"extra": 1}}),
    ],
)
def test_invalid_agreements_make_a_table_unreadable(stored: dict[str, Any]) -> None:
    """Otherwise every page of the table would fail."""
    assert agreements_from_json(json.dumps({"proposal": PROPOSAL}), 2).proposal is not None
    with pytest.raises(UNREADABLE):
        agreements_from_json(json.dumps(stored), 2)


def sweep_due_tables(server: Server) -> None:

    async def once() -> None:
        rooms = server.rooms
        for code in await rooms.store.run(rooms.repository.processes.take_over_due_tables, 4e9):
            await rooms._take_over_room(code)

    server.within(once())


def latest_clock_start(url: str, code: str) -> float:
    with closing(Repository(url)) as repository:
        found = given(repository.load(code))
        return max(clock.since or 0.0 for clock in found.record.clocks)
