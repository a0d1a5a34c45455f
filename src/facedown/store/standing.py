"""Does a change stand that was on its way when the database was lost? It is read back before anybody is told."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from facedown.play.records import Change
from facedown.store import schema
from facedown.store.trouble import Unsettled, Unsound

#: How long it is tried to read back, and how often, in seconds.
PATIENCE = 3.0
AGAIN = 0.2


def stand(connection: Connection, changes: Sequence[Change]) -> bool:
    """Are these changes, which were written in one transaction, written down?"""
    return all(_stands(connection, change) for change in changes)


def _stands(connection: Connection, change: Change) -> bool:
    record = change.record
    of = schema.matches.c
    its = sa.select(of.id, of.revision, of.status, of.due).where(of.code == record.code)
    # PostgreSQL may still be about to write it: to lock the table's row is to wait until that has come to an end.
    found = connection.execute(its.with_for_update()).one_or_none()
    if found is None or found.revision < record.revision:
        return False
    if change.move is not None:
        return _has_move(connection, found.id, change)
    if change.said is not None:
        return _has_said(connection, found.id, change)
    # Had somebody else written this revision, they would have written something else.
    seats = connection.execute(
        sa.select(schema.seats.c.kind, schema.seats.c.name, schema.seats.c.ready, schema.seats.c.standin)
        .where(schema.seats.c.match_id == found.id)
        .order_by(schema.seats.c.seat)
    ).all()
    same = (found.revision, found.status, found.due) == (record.revision, record.status, record.due)
    return same and [tuple(seat) for seat in seats] == [(s.kind, s.name, s.ready, s.standin) for s in record.seats]


def _has_move(connection: Connection, match_id: int, change: Change) -> bool:
    move = change.move
    assert move is not None
    of = schema.moves.c
    there = sa.select(of.ply).where(
        of.match_id == match_id, of.ply == move.ply, of.seat == move.seat, of.action == move.action, of.at == move.at
    )
    return connection.execute(there.where(of.token == move.token)).first() is not None


def _has_said(connection: Connection, match_id: int, change: Change) -> bool:
    said = change.said
    assert said is not None
    of = schema.chat.c
    there = sa.select(of.id).where(
        of.match_id == match_id, of.text == said.text, of.at == said.at, of.name == said.name
    )
    return connection.execute(there).first() is not None


def read_back(
    stand_now: Callable[[], bool], patience: float = PATIENCE, clock: Callable[[], float] = time.monotonic
) -> bool:
    """Whether changes stand, as soon as the database tells; `Unsettled` if it is not back in time."""
    until = clock() + patience
    while True:
        try:
            return stand_now()
        except Unsound:
            # Wherever it was written, nobody will find it there.
            return False
        except SQLAlchemyError as wrong:
            if clock() >= until:
                raise Unsettled("the database was lost while it wrote") from wrong
        time.sleep(AGAIN)
