"""Invitations to a table for persons with whom the host has played before, and the persons whose invitations are muted.

A *game table* is a table at which people play.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from facedown.store import schema
from facedown.store.engine import (
    execute,
    fetch_all,
    fetch_value,
    mark_as_writer,
    read_transaction,
    upsert,
    write_transaction,
)
from facedown.store.open_tables import ListedTable
from facedown.store.row_conversion import load_tables_where, readable_tables

#: Seconds after which an invitation is no longer shown.
LIFETIME = 3 * 86_400.0
#: Maximum numbers of invitations by a person, and to the tables opened from an address, within `LIMIT_PERIOD` seconds.
MAX_INVITATIONS_OF_PERSON, MAX_INVITATIONS_OF_ADDRESS, LIMIT_PERIOD = 20, 60, 86_400.0
#: Maximum number of invitations that a person sees, the newest.
MAX_SHOWN = 3
#: Maximum number of persons whom a host can choose from.
MAX_CHOICES = 30

_invitations, _mutes, _matches = schema.invitations.c, schema.invite_mutes.c, schema.matches.c


@dataclass(frozen=True, slots=True)
class PlayedWith:
    """A person with whom another person has played, as of their last match together."""

    person: int
    name: str
    """Name of the person at that table."""
    code: str
    """Code of that table."""
    seat: int
    """Seat of the person at that table."""
    game: str
    started: float
    """Unix time at which the match began."""
    invited: bool
    """Whether the other person has invited this person to the game table in question."""


@dataclass(frozen=True, slots=True)
class ShownInvitation:
    """An invitation that is shown to the invited person."""

    inviter: str
    """Name of the inviter at the table."""
    table: ListedTable


def is_shown_condition(now: float) -> sa.ColumnElement[bool]:
    """Return an SQL condition on rows of `schema.invitations`: the invitation is shown at the Unix time `now`.

    It is shown if all of these hold. The condition can be used in any query that selects from `schema.invitations`.

    * It is not older than `LIFETIME`, and the invited person has not declined it and has not muted the inviter.
    * The match has not begun, a seat is open, and the inviter has a seat.
    * The invited person has no seat there, and the host has not removed them.
    * No block keeps the invited person apart from a person at the table.
    """
    match, seat, mute, block = (
        one.alias().c for one in (schema.matches, schema.seats, schema.invite_mutes, schema.blocks)
    )
    invited, here = _invitations.person, seat.match_id == _invitations.match_id
    # A list of the players is read by table. The index of seats by person would find all tables of a person each time.
    players = sa.select(seat.person).where(here, seat.person.is_not(None)).correlate(schema.invitations)

    removed = match.removed.contains(sa.literal("[") + sa.cast(invited, sa.String) + sa.literal(", "))
    by_invited = (block.person == invited) & block.blocked.in_(players)
    of_invited = (block.blocked == invited) & block.person.in_(players)
    return sa.and_(
        _is_recent(now),
        _invitations.name != "",
        sa.exists().where(match.id == _invitations.match_id, match.status == "lobby", ~removed),
        sa.exists().where(here, seat.kind == "open"),
        _invitations.inviter.in_(players),
        invited.not_in(players),
        ~sa.exists().where(mute.person == invited, mute.muted == _invitations.inviter),
        ~sa.exists().where(by_invited | of_invited),
    )


# --- the inviter ------------------------------------------------------------------------------------------------------


def people_played_with(
    engine: Engine, person: int, number: int, without: Collection[int], now: float
) -> list[PlayedWith]:
    """Return the persons with whom a person has sat at a game table whose match has begun, the latest first.

    Persons `without` are left out, and those who cannot come back, because no browser has their key. `number` is the
    database id of the game table to which the persons may have been invited.
    """
    played = _seats_played_with(person).subquery().c
    mine = (_invitations.inviter == person) & (_invitations.match_id == number) & _is_recent(now)
    invited = sa.exists().where(mine, _invitations.person == played.person)
    found = sa.select(*(played[name] for name in _PLAYED_WITH), invited.label("invited"))
    found = found.where(played.last == 1, played.person.not_in(list(without)))
    rows = fetch_all(engine, found.order_by(played.started.desc(), played.person).limit(MAX_CHOICES))
    return [PlayedWith(*row) for row in rows]


#: Columns that describe a person with whom another person has played.
_PLAYED_WITH = ("person", "name", "code", "seat", "game", "started")


def _seats_played_with(person: int) -> sa.Select[Any]:
    """Return a query for the seats of others at the game tables where a person has a seat and the match has begun.

    Its column `last` is 1 for each other person's seat at the last of these tables.
    """
    own, seat, people, device = schema.seats.alias().c, schema.seats.c, schema.people.c, schema.device_tokens.c
    has_key = people.token_hash.is_not(None) | sa.exists().where(device.person == people.id)
    newest = _matches.started.desc(), _matches.id.desc()
    last = sa.func.row_number().over(partition_by=seat.person, order_by=newest).label("last")
    found = sa.select(seat.person, seat.name, _matches.code, seat.seat, _matches.game, _matches.started, last)
    return found.where(
        own.person == person,
        own.match_id == _matches.id,
        _matches.status != "lobby",
        seat.match_id == _matches.id,
        seat.person != person,
        people.id == seat.person,
        has_key,
    )


def find_played_with(engine: Engine, person: int, code: str, seat: int) -> int | None:
    """Return the id of the person at a seat of the game table with this code.

    Return None unless `person` has a seat there too, the match has begun, and a browser has the other person's key.
    """
    played = _seats_played_with(person).where(_matches.code == code, schema.seats.c.seat == seat).subquery()
    found: int | None = fetch_value(engine, sa.select(played.c.person))
    return found


@mark_as_writer
def store_invitation(
    engine: Engine, number: int, person: int, inviter: int, name: str, origin: str, now: float
) -> bool:
    """Invite a person to the game table with the database id `number`.

    `name` is the name of the inviter there, `origin` the hashed address from which the table was opened; may be empty.
    If the inviter has invited the person there within `LIFETIME`, that invitation is left unchanged. Return False and
    store nothing if there are too many invitations of this inviter or address.
    """
    keys = {"match_id": number, "person": person}
    limits = [(_invitations.inviter == inviter, MAX_INVITATIONS_OF_PERSON)]
    if origin:
        limits.append((_matches.origin == origin, MAX_INVITATIONS_OF_ADDRESS))
    this = sa.and_(*(_invitations[column] == value for column, value in keys.items()))
    with write_transaction(engine) as connection:
        # Two processes must not count the same person's invitations at the same time.
        connection.execute(sa.select(schema.people.c.id).where(schema.people.c.id == inviter).with_for_update())
        if connection.scalar(sa.select(sa.exists().where(this, _invitations.inviter == inviter, _is_recent(now)))):
            return True
        for whose, most in limits:
            recent = sa.select(sa.func.count()).select_from(schema.invitations.join(schema.matches))
            if connection.scalars(recent.where(whose, _invitations.created > now - LIMIT_PERIOD)).one() >= most:
                return False
        upsert(connection, schema.invitations, keys, {"inviter": inviter, "name": name, "created": now})
    return True


def _is_recent(now: float) -> sa.ColumnElement[bool]:
    return _invitations.created > now - LIFETIME


# --- the invited person -----------------------------------------------------------------------------------------------


def shown_invitations(engine: Engine, person: int, now: float, games: Sequence[str]) -> list[ShownInvitation]:
    """Return the invitations that are shown to a person at the Unix time `now`, at most `MAX_SHOWN`, newest first.

    Invitations to tables of other games than `games` are left out.
    """
    shown = sa.select(_invitations.match_id, _invitations.name).join(schema.matches)
    shown = shown.where(_invitations.person == person, is_shown_condition(now), _matches.game.in_(games))
    with read_transaction(engine) as connection:
        rows = connection.execute(shown.order_by(_invitations.created.desc()).limit(MAX_SHOWN)).all()
        return _with_tables(connection, {row.match_id: row.name for row in rows}) if rows else []


def _with_tables(connection: Connection, inviters: dict[int, str]) -> list[ShownInvitation]:
    """Return the invitations to the game tables with these database ids, given with the names of the inviters."""
    found = readable_tables(load_tables_where(connection, _matches.id.in_(list(inviters)), history=False))
    tables = {one.number: ListedTable(one.number, one.record, frozenset()) for one in found}
    return [ShownInvitation(name, tables[number]) for number, name in inviters.items() if number in tables]


@mark_as_writer
def decline(engine: Engine, person: int, number: int) -> None:
    """Stop showing a person the invitation to the game table with the database id `number`.

    The row stays, without the name, until the invitation ends: it counts for the limits of the inviter, who must not
    notice that it was declined.
    """
    this = (_invitations.person == person) & (_invitations.match_id == number)
    execute(engine, sa.update(schema.invitations).where(this).values(name=""))


@mark_as_writer
def mute_inviter(engine: Engine, person: int, number: int, now: float) -> None:
    """Stop showing a person the invitations of the person who has invited them to the game table with this id."""
    this = (_invitations.person == person) & (_invitations.match_id == number) & (_invitations.name != "")
    with write_transaction(engine) as connection:
        row = connection.execute(sa.select(_invitations.inviter, _invitations.name).where(this)).one_or_none()
        if row is not None:
            keys = {"person": person, "muted": row.inviter}
            upsert(connection, schema.invite_mutes, keys, {"name": row.name, "created": now})


@mark_as_writer
def unmute_inviter(engine: Engine, person: int, muted: int) -> None:
    """Show a person the invitations of the person `muted` again."""
    execute(engine, sa.delete(schema.invite_mutes).where(_mutes.person == person, _mutes.muted == muted))


def muted_by(engine: Engine, person: int) -> dict[int, str]:
    """Return the persons whose invitations this person has muted, as {id: name}, the latest first."""
    found = sa.select(_mutes.muted, _mutes.name).where(_mutes.person == person).order_by(_mutes.created.desc())
    return {row.muted: row.name for row in fetch_all(engine, found)}
