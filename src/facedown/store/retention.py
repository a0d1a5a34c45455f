"""Deletion of old data in small batches, so that no player's request has to wait long for a deletion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from facedown.store import invitations, schema
from facedown.store.engine import execute, fetch_value, mark_as_writer, write_transaction

DAY = 86_400.0
#: Maximum number of rows deleted in one transaction.
BATCH = 100
#: Days after which reports of players are deleted.
REPORT_DAYS = 180


@dataclass(frozen=True, slots=True)
class RetentionPolicy:
    """Retention periods in days. 0 means that data of this kind is never deleted.

    * `finished_days`: for a finished match, since its end.
    * `lobby_days`: for a table whose match has not begun, since the table was created.
    * `people_days`: for a person without a seat at any table, since the person's last visit.
    * `report_days`: for a report of a player, since it was made.
    """

    finished_days: int = 0
    lobby_days: int = 0
    people_days: int = 0
    report_days: int = REPORT_DAYS


@dataclass(frozen=True, slots=True)
class RetentionCounts:
    """Numbers of finished matches, unstarted tables, persons and reports that were deleted.

    In the result of `count_expired`: numbers of those that would be deleted.
    """

    finished: int = 0
    lobbies: int = 0
    people: int = 0
    reports: int = 0

    def __add__(self, other: RetentionCounts) -> RetentionCounts:
        return RetentionCounts(*map(sum, zip(astuple(self), astuple(other), strict=True)))


def count_expired(engine: Engine, keeping: RetentionPolicy, now: float) -> RetentionCounts:
    """Return how many matches, tables, persons and reports would be deleted at the Unix time `now`.

    A person is not counted as long as they have a seat, even if all tables at which they sit would be deleted. Such a
    person can be deleted only after these tables.
    """
    counts = [sa.select(sa.func.count()).select_from(found.subquery()) for found in _expired_queries(keeping, now)]
    return RetentionCounts(*(fetch_value(engine, count) for count in counts))


def delete_expired_batch(engine: Engine, keeping: RetentionPolicy, now: float) -> RetentionCounts:
    """Delete one batch each of expired matches, tables, persons and reports, and return the numbers deleted.

    Expired invitations, links that add browsers, and notices are deleted too, but not counted. Two processes may call
    this at the same time.
    """
    deleted = []
    tables = (schema.matches, schema.matches, schema.people, schema.reports)
    for table, found in zip(tables, _expired_queries(keeping, now), strict=True):
        with write_transaction(engine) as connection:
            some: list[Any] = list(connection.scalars(found.limit(BATCH).with_for_update(skip_locked=True)))
            if some and table is schema.people:
                _delete_references_to_people(connection, some)
            # Check the condition again when deleting, because a person may have come back meanwhile.
            gone = sa.delete(table).where(table.c.id.in_(some), table.c.id.in_(found))
            deleted.append(connection.execute(gone).rowcount if some else 0)
    ended = (
        (schema.device_links, schema.device_links.c.until < now),
        (schema.notices, schema.notices.c.until < now - DAY),
        (schema.invitations, schema.invitations.c.created < now - invitations.LIFETIME),
    )
    for table, is_ended in ended:
        execute(engine, sa.delete(table).where(is_ended))
    return RetentionCounts(*deleted)


def delete_all_expired(engine: Engine, keeping: RetentionPolicy, now: float) -> RetentionCounts:
    """Delete all expired matches, tables, persons and reports, batch by batch, and return the numbers deleted."""
    total = RetentionCounts()
    while (some := delete_expired_batch(engine, keeping, now)) != RetentionCounts():
        total += some
    return total


@mark_as_writer
def mark_people_seen(engine: Engine, people_here: Sequence[int], now: float) -> None:
    """Update the time when these persons were last seen, at most once a day for each."""
    people = schema.people
    late = sa.update(people).where(people.c.id.in_(people_here), people.c.seen < now - DAY)
    execute(engine, late.values(seen=now))


def _expired_queries(keeping: RetentionPolicy, now: float) -> tuple[sa.Select[tuple[int]], ...]:
    """Return four queries for the ids of expired rows: finished matches, unstarted tables, persons and reports.

    A person who takes a bot's seat over when the next round is dealt counts as seated.
    """
    matches, people, seats, reports = schema.matches.c, schema.people.c, schema.seats.c, schema.reports.c
    finished, lobby, gone, reported = (now - days * DAY if days else 0.0 for days in astuple(keeping))
    sits = sa.select(seats.match_id).where((seats.person == people.id) | (seats.next_person == people.id)).exists()
    return (
        sa.select(matches.id).where(matches.status == "finished", matches.finished < finished),
        sa.select(matches.id).where(matches.status == "lobby", matches.created < lobby),
        sa.select(people.id).where(people.seen < gone, people.created < gone, ~sits),
        sa.select(reports.id).where(reports.created < reported),
    )


def _delete_references_to_people(connection: sa.Connection, people: list[int]) -> None:
    """Delete bans of persons and other references to them, before the persons are deleted.

    Bans must be deleted because the id of a deleted person can be given to a new one. The database itself deletes the
    blocks, reports and searches of a deleted person.
    """
    numbers = [str(person) for person in people]
    connection.execute(sa.delete(schema.bans).where(schema.bans.c.kind == "person", schema.bans.c.value.in_(numbers)))
    connection.execute(sa.update(schema.matches).where(schema.matches.c.host.in_(people)).values(host=None))
    connection.execute(sa.delete(schema.watchers).where(schema.watchers.c.person.in_(people)))
