"""Administration of game tables in the database while servers are running.

Every update of a table raises its revision (the number of its changes). So each server notices the update and loads the
table again. No function here reads a seed or the action of a move.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from facedown.store import schema
from facedown.store.engine import fetch_all, write_transaction
from facedown.store.errors import StoreError


@dataclass(frozen=True, slots=True)
class TableSummary:
    """Summary of one game table, for a list.

    `seats` is the number of all seats. `people` and `bots` are the numbers of seats taken by people and by bots; the
    other seats are free.
    """

    code: str
    game: str
    status: str
    seats: int
    people: int
    bots: int
    created: float
    last: float
    """Unix time of the last move; 0 before the first move."""


def table_summaries(
    engine: Engine, status: str = "", game: str = "", before: float | None = None, limit: int = 50
) -> list[TableSummary]:
    """Return summaries of game tables, newest first, at most `limit`.

    An empty `status` or `game` does not restrict the selection. `before` selects only tables that were created before
    this Unix time and have no move after it.
    """
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
    """Close a game table, so that play cannot continue. Return the previous status of the table.

    * "running": The match is ended at the Unix time `now`, without a result.
    * "lobby": The match has not begun. The table is deleted.

    Raise `StoreError` if the table does not exist or its match is finished.
    """
    matches = schema.matches
    with write_transaction(engine) as connection:
        found = connection.execute(
            sa.select(matches.c.id, matches.c.status, matches.c.clocks).where(matches.c.code == code).with_for_update()
        ).one_or_none()
        if found is None:
            raise StoreError(f"table {code} does not exist")
        if found.status == "finished":
            raise StoreError(f"table {code} is already over")
        if found.status == "lobby":
            connection.execute(sa.delete(matches).where(matches.c.id == found.id))
            return "lobby"
        ended = {"status": "finished", "finished": now, "due": None, "zero": None, "driver": 0}
        connection.execute(
            sa.update(matches)
            .where(matches.c.id == found.id)
            .values(**ended, clocks=_stopped_clocks_json(found.clocks, now), revision=matches.c.revision + 1)
        )
        return "running"


def _stopped_clocks_json(clocks: str, now: float) -> str:
    """Return the clocks of a table, stopped at the Unix time `now`.

    `clocks` is the JSON text that the database stores for the table. The result has the same format. A running clock
    loses the time for which it has run, but never goes below zero.
    """
    stopped = [
        clock | {"left": max(0.0, clock["left"] - max(0.0, now - clock["since"])), "since": None}
        if clock.get("since") is not None
        else clock
        for clock in json.loads(clocks)
    ]
    return json.dumps(stopped)
