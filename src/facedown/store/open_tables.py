"""The list of open tables, and the persons who look for a seat there.

A *game table* is a table at which people play. Several processes may run these functions at the same time.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from facedown.play.records import TableRecord
from facedown.play.seat_search import (
    Pace,
    SearchKind,
    SeatsOffered,
    Seeker,
    assign_seats,
    free_seats,
    people_at,
    table_pace,
)
from facedown.store import schema
from facedown.store.blocks import block_pairs
from facedown.store.engine import (
    execute,
    fetch_all,
    fetch_value,
    mark_as_writer,
    read_transaction,
    upsert,
    write_transaction,
)
from facedown.store.row_conversion import load_tables_where, readable_tables
from facedown.store.table_writes import insert_table

#: Maximum number of open tables that are listed, the newest first.
MAX_LISTED = 100
#: Maximum number of seekers to whom seats are offered at once, in the order in which they wait.
MAX_SEEKERS = 100
#: Seconds for which a seat is kept for the person to whom it is offered.
OFFER_TIME = 60.0
#: Number of offers in a row without an answer after which a search ends.
MAX_MISSES = 3

_matches, _seekers = schema.matches.c, schema.seekers.c


@dataclass(frozen=True, slots=True)
class ListedTable:
    """A game table in the list of open tables."""

    number: int
    """Database id of the table."""
    record: TableRecord
    kept_for: frozenset[int]
    """Persons to whom its free seats were offered; a seat is kept for each of them."""

    @property
    def free(self) -> int:
        """Number of seats that are free and not kept for anyone."""
        return max(0, free_seats(self.record) - len(self.kept_for))


@dataclass(frozen=True, slots=True)
class Search:
    """The search of one person, as stored."""

    kind: SearchKind
    games: tuple[str, ...]
    pace: Pace
    offer: str
    """Code of the table at which a seat is kept; empty without an offer."""
    offer_until: float | None
    until: float
    """Unix time at which the search ends."""


# --- listings ---------------------------------------------------------------------------------------------------------


def listed_tables(engine: Engine, now: float) -> list[ListedTable]:
    """Return the open tables at the Unix time `now`, at most `MAX_LISTED`.

    Tables whose match has not begun come first; of these, those with the fewest free seats; then the newest.
    """
    with read_transaction(engine) as connection:
        return _listed_tables(connection, now)


def _listed_tables(connection: Connection, now: float) -> list[ListedTable]:
    hosted = _matches.host.is_not(None) | (_matches.status == "running")
    shown = (_matches.listed_until > now) & _matches.listed & (_matches.status != "finished") & hosted
    kept_for = defaultdict(set)
    for row in connection.execute(sa.select(_seekers.offer, _seekers.person).where(_keeps_seat(now))):
        kept_for[row.offer].add(row.person)
    found = readable_tables(load_tables_where(connection, shown, MAX_LISTED, history=False))
    tables = [ListedTable(one.number, one.record, frozenset(kept_for[one.number])) for one in found]
    return sorted(tables, key=lambda one: (one.record.status != "lobby", one.free))


def _keeps_seat(now: float) -> sa.ColumnElement[bool]:
    return (_seekers.kind == "seat") & (_seekers.offer_until > now)


@mark_as_writer
def keep_listed(engine: Engine, numbers: Sequence[int], until: float) -> None:
    """Let game tables, given by their database ids, be listed until the Unix time `until` if their hosts list them."""
    these = _matches.id.in_(numbers) & (_matches.listed_until < until)
    execute(engine, sa.update(schema.matches).where(these).values(listed_until=until))


def count_listed(engine: Engine, now: float, *, host: int | None = None, origin: str = "") -> int:
    """Return the number of listed tables of this host, or of those that were opened from this hashed address."""
    whose = _matches.host == host if host is not None else _matches.origin == origin
    shown = _matches.listed & (_matches.status != "finished") & (_matches.listed_until > now)
    return int(fetch_value(engine, sa.select(sa.func.count()).where(whose, shown)))


# --- searches ---------------------------------------------------------------------------------------------------------


@mark_as_writer
def start_search(
    engine: Engine,
    person: int,
    kind: SearchKind,
    games: Sequence[str],
    pace: Pace,
    origin: str,
    now: float,
    until: float,
) -> None:
    """Store a person's search for a seat, which ends at the Unix time `until`. It replaces an older one of this kind.

    `origin` is the hashed address of the person.
    """
    values = {"games": json.dumps(sorted(games)), "pace": pace, "origin": origin, "since": now, "until": until}
    values |= {"offer": None, "offer_until": None, "misses": 0}
    with write_transaction(engine) as connection:
        upsert(connection, schema.seekers, {"person": person, "kind": kind}, values)


@mark_as_writer
def stop_search(engine: Engine, person: int, kind: SearchKind) -> None:
    """Delete a person's search of this kind, with the offer of a seat, if there is one."""
    execute(engine, sa.delete(schema.seekers).where(_seekers.person == person, _seekers.kind == kind))


@mark_as_writer
def keep_searching(engine: Engine, person: int, until: float) -> None:
    """Let a person's search for a seat end at the Unix time `until`."""
    theirs = (_seekers.person == person) & (_seekers.kind == "seat")
    execute(engine, sa.update(schema.seekers).where(theirs).values(until=until))


def searches_of(engine: Engine, person: int, now: float) -> dict[SearchKind, Search]:
    """Return the searches of a person that have not ended at the Unix time `now`, by kind."""
    columns = _seekers.kind, _seekers.games, _seekers.pace, _matches.code, _seekers.offer_until, _seekers.until
    holds = _seekers.offer_until > now
    theirs = sa.select(*columns).where(_seekers.person == person, (_seekers.until > now) | holds)
    rows = fetch_all(engine, theirs.join_from(schema.seekers, schema.matches, isouter=True))
    found: dict[SearchKind, Search] = {}
    for row in rows:
        kept = row.code is not None and row.offer_until is not None and row.offer_until > now
        code, until = (str(row.code), float(row.offer_until)) if kept else ("", None)
        found[row.kind] = Search(row.kind, tuple(json.loads(row.games)), row.pace, code, until, row.until)
    return found


def seats_kept_for_others(engine: Engine, number: int, person: int, now: float) -> int:
    """Return how many seats of the game table with this database id are kept for other persons than this one."""
    others = (_seekers.offer == number) & (_seekers.person != person) & _keeps_seat(now)
    return int(fetch_value(engine, sa.select(sa.func.count()).where(others)))


def count_searches(engine: Engine, now: float, origin: str = "") -> int:
    """Return the number of persons who look for a seat; with `origin`, only those from this hashed address."""
    whose = [_seekers.origin == origin] if origin else [_seekers.kind == "seat"]
    return int(fetch_value(engine, sa.select(sa.func.count()).where(_seekers.until > now, *whose)))


@mark_as_writer
def offer_seats(engine: Engine, now: float, new_table: Callable[[str, Pace], TableRecord]) -> int:
    """Offer the free seats of open tables to the persons who look for one. Return the number of new offers.

    `new_table` is a function (game, pace) that returns the record of a table for two persons who look for the same.

    * An offer that was not answered in time ends: the person goes to the end of the line, and after `MAX_MISSES` such
      offers the search ends. A notice is given once.
    * All searches are locked, so two processes cannot offer the same seat.
    """
    if not fetch_value(engine, sa.select(sa.func.count()).select_from(schema.seekers)):
        return 0
    waiting = sa.select(schema.seekers).where(_seekers.until > now, _seekers.offer.is_(None))
    line = waiting.order_by(_seekers.since, _seekers.person).limit(MAX_SEEKERS).with_for_update()
    with write_transaction(engine) as connection:
        _end_late_offers(connection, now)
        seekers = [_seeker(row) for row in connection.execute(line)]
        if not seekers:
            return 0
        tables = _seats_offered(connection, now)
        people = {person for table in tables for person in table.people} | {one.person for one in seekers}
        found = assign_seats(seekers, tables, block_pairs(connection, people))
        offers = list(found.offers)
        for first, second, game, pace in found.pairs:
            number = insert_table(connection, new_table(game, pace))
            offers += [(first, number), (second, number)]
        for seeker, number in offers:
            this = (_seekers.person == seeker.person) & (_seekers.kind == seeker.kind)
            kept = {"offer": number, "offer_until": now + OFFER_TIME}
            connection.execute(sa.update(schema.seekers).where(this).values(kept))
        return len(offers)


def _end_late_offers(connection: Connection, now: float) -> None:
    late = _seekers.offer_until < now
    ends = late & ((_seekers.kind == "notice") | (_seekers.misses + 1 >= MAX_MISSES))
    connection.execute(
        sa.delete(schema.seekers).where(ends | ((_seekers.until < now) & _seekers.offer_until.is_(None)))
    )
    again = {"offer": None, "offer_until": None, "since": now, "misses": _seekers.misses + 1}
    connection.execute(sa.update(schema.seekers).where(late).values(again))


def _seeker(row: sa.Row[Any]) -> Seeker:
    return Seeker(row.person, row.kind, frozenset(json.loads(row.games)), row.pace)


def _seats_offered(connection: Connection, now: float) -> list[SeatsOffered]:
    """Return the free seats of the open tables. The persons to whom seats there are offered count as seated."""
    return [
        SeatsOffered(
            one.number,
            one.record.game,
            table_pace(one.record.settings),
            people_at(one.record) | one.kept_for,
            one.free,
        )
        for one in _listed_tables(connection, now)
    ]
