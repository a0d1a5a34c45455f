"""Blocks between persons, who are then never seated together, and reports of names or words to the operator."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from facedown.store import schema
from facedown.store.engine import (
    execute,
    fetch_all,
    mark_as_writer,
    read_transaction,
    upsert,
    write_transaction,
)

ReportKind = Literal["name", "words"]
REPORT_KINDS: tuple[ReportKind, ...] = ("name", "words")
#: Maximum numbers of reports by a person, and from an address, within `REPORT_PERIOD` seconds.
MAX_REPORTS_OF_PERSON, MAX_REPORTS_OF_ADDRESS, REPORT_PERIOD = 5, 20, 86_400.0
_blocks, _reports = schema.blocks.c, schema.reports.c


@mark_as_writer
def block(engine: Engine, person: int, blocked: int, name: str, now: float) -> None:
    """Store that `person` does not want to be seated with `blocked`, who has this name at present."""
    with write_transaction(engine) as connection:
        upsert(connection, schema.blocks, {"person": person, "blocked": blocked}, {"name": name, "created": now})


@mark_as_writer
def unblock(engine: Engine, person: int, blocked: int) -> None:
    """Delete a block of this person, if it exists."""
    execute(engine, sa.delete(schema.blocks).where(_blocks.person == person, _blocks.blocked == blocked))


def blocked_by(engine: Engine, person: int) -> dict[int, str]:
    """Return the persons whom this person has blocked, as {id: name}, the latest first."""
    found = sa.select(_blocks.blocked, _blocks.name).where(_blocks.person == person).order_by(_blocks.created.desc())
    return {row.blocked: row.name for row in fetch_all(engine, found)}


def persons_kept_apart(engine: Engine, person: int) -> frozenset[int]:
    """Return the persons who have blocked this person, or whom this person has blocked."""
    by_person = sa.select(_blocks.blocked).where(_blocks.person == person)
    of_person = sa.select(_blocks.person).where(_blocks.blocked == person)
    with read_transaction(engine) as connection:
        return frozenset(connection.scalars(by_person.union_all(of_person)))


def pairs_kept_apart(engine: Engine, people: Collection[int]) -> set[frozenset[int]]:
    """Return the pairs of these persons of whom one has blocked the other."""
    with read_transaction(engine) as connection:
        return block_pairs(connection, people)


def block_pairs(connection: Connection, people: Collection[int]) -> set[frozenset[int]]:
    """Return the result of `pairs_kept_apart` in an open transaction."""
    both = _blocks.person.in_(people) & _blocks.blocked.in_(people)
    return {frozenset(row) for row in connection.execute(sa.select(_blocks.person, _blocks.blocked).where(both))}


# --- reports ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Report:
    """A report of a person's name or words, for the operator of the server."""

    id: int
    created: float
    """Unix time of the report."""
    reporter: int
    """Id of the person who reported; also that of the reported `person`."""
    person: int
    name: str
    """Name of the reported person at the table."""
    kind: ReportKind
    text: str
    """What the reporter wrote; may be empty."""
    said: tuple[str, ...]
    """Last chat messages of the reported person at the table, oldest first."""


@mark_as_writer
def store_report(
    engine: Engine,
    reporter: int,
    person: int,
    name: str,
    kind: ReportKind,
    text: str,
    said: Sequence[str],
    origin: str,
    now: float,
) -> bool:
    """Store a report. Return False and store nothing if there are too many of this person or address.

    `origin` is the hashed address of the reporter; the other arguments are as in `Report`.
    """
    values = {"reporter": reporter, "person": person, "name": name, "kind": kind, "text": text, "origin": origin}
    values |= {"said": json.dumps(list(said), ensure_ascii=False), "created": now}
    limits = (
        (_reports.reporter == reporter, MAX_REPORTS_OF_PERSON),
        (_reports.origin == origin, MAX_REPORTS_OF_ADDRESS),
    )
    with write_transaction(engine) as connection:
        # Two processes must not count the same person's reports at the same time.
        connection.execute(sa.select(schema.people.c.id).where(schema.people.c.id == reporter).with_for_update())
        for whose, most in limits:
            recent = sa.select(sa.func.count()).where(whose, _reports.created > now - REPORT_PERIOD)
            if connection.scalars(recent).one() >= most:
                return False
        connection.execute(sa.insert(schema.reports).values(values))
    return True


def reports(engine: Engine, limit: int = 100) -> list[Report]:
    """Return the reports, newest first."""
    columns = [_reports[name] for name in Report.__dataclass_fields__]
    found = sa.select(*columns).order_by(_reports.created.desc(), _reports.id.desc()).limit(limit)
    return [
        Report(row.id, row.created, row.reporter, row.person, row.name, row.kind, row.text, tuple(json.loads(row.said)))
        for row in fetch_all(engine, found)
    ]


@mark_as_writer
def delete_report(engine: Engine, number: int) -> bool:
    """Delete a report. Return whether it existed."""
    return bool(execute(engine, sa.delete(schema.reports).where(_reports.id == number)))
