"""What whoever runs a server does to its database while it serves: every change bumps the revision of the tables that
it is about, so that each server reads them again.

Nothing here reads a seed or a move's action.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from facedown.store import schema
from facedown.store.engine import fetch_all, writing
from facedown.store.errors import StoreError


@dataclass(frozen=True, slots=True)
class TableSummary:
    """A table in a list."""

    code: str
    game: str
    status: str
    seats: int
    people: int
    bots: int
    created: float
    last: float
    """When the last move was made, or 0."""


def tables(
    engine: Engine, status: str = "", game: str = "", before: float | None = None, limit: int = 50
) -> list[TableSummary]:
    """Tables, the newest first; `before`: only those at which nothing happened since."""
    matches, seats = schema.matches.c, schema.seats.c

    def sitting(kind: str | None) -> sa.ColumnElement[int]:
        found = sa.select(sa.func.count()).where(seats.match_id == matches.id)
        return (found if kind is None else found.where(seats.kind == kind)).scalar_subquery()

    moved = sa.select(sa.func.max(schema.moves.c.at)).where(schema.moves.c.match_id == matches.id).scalar_subquery()
    last = sa.func.coalesce(moved, 0.0)
    sat = sitting(None), sitting("person"), sitting("bot")
    query = sa.select(matches.code, matches.game, matches.status, *sat, matches.created, last)
    if status:
        query = query.where(matches.status == status)
    if game:
        query = query.where(matches.game == game)
    if before is not None:
        query = query.where(matches.created < before, last < before)
    return [TableSummary(*row) for row in fetch_all(engine, query.order_by(matches.id.desc()).limit(limit))]


def close_table(engine: Engine, code: str, now: float) -> str:
    """End a table, so that nobody can play on; what it was: "lobby", "running".

    A match that was begun ends without a result. A table at which nobody began is deleted. `StoreError` if there is
    none, or it is over.
    """
    matches = schema.matches
    with writing(engine) as connection:
        found = connection.execute(
            sa.select(matches.c.id, matches.c.status, matches.c.clocks).where(matches.c.code == code).with_for_update()
        ).one_or_none()
        if found is None:
            raise StoreError(f"there is no table {code}")
        if found.status == "finished":
            raise StoreError(f"table {code} is over already")
        if found.status == "lobby":
            connection.execute(sa.delete(matches).where(matches.c.id == found.id))
            return "lobby"
        ended = {"status": "finished", "finished": now, "due": None, "zero": None, "driver": 0}
        connection.execute(
            sa.update(matches)
            .where(matches.c.id == found.id)
            .values(**ended, clocks=_stopped(found.clocks, now), revision=matches.c.revision + 1)
        )
        return "running"


def _stopped(clocks: str, now: float) -> str:
    """Clocks that stand where they are now."""
    stopped = [
        clock | {"left": max(0.0, clock["left"] - max(0.0, now - clock["since"])), "since": None}
        if clock.get("since") is not None
        else clock
        for clock in json.loads(clocks)
    ]
    return json.dumps(stopped)
