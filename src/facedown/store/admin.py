"""What whoever runs a server does to its database while it serves: every change bumps the revision of the tables that
it is about, so that each server reads them again.

Nothing here reads a seed or a move's action.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from facedown.store import schema
from facedown.store.places import StoreError
from facedown.store.repository import hash_token
from facedown.store.turns import reading, writing


@dataclass(frozen=True, slots=True)
class Listed:
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


@dataclass(frozen=True, slots=True)
class Filter:
    """Which tables are asked for."""

    status: str = ""
    game: str = ""
    before: float | None = None
    """Only those at which nothing happened since."""
    limit: int = 50


def tables(engine: Engine, wanted: Filter) -> list[Listed]:
    """Tables, the newest first."""
    matches, seats = schema.matches.c, schema.seats.c

    def sitting(kind: str | None) -> sa.ColumnElement[int]:
        found = sa.select(sa.func.count()).where(seats.match_id == matches.id)
        return (found if kind is None else found.where(seats.kind == kind)).scalar_subquery()

    moved = sa.select(sa.func.max(schema.moves.c.at)).where(schema.moves.c.match_id == matches.id).scalar_subquery()
    last = sa.func.coalesce(moved, 0.0)
    query = sa.select(
        matches.code,
        matches.game,
        matches.status,
        sitting(None),
        sitting("person"),
        sitting("bot"),
        matches.created,
        last,
    )
    if wanted.status:
        query = query.where(matches.status == wanted.status)
    if wanted.game:
        query = query.where(matches.game == wanted.game)
    if wanted.before is not None:
        query = query.where(matches.created < wanted.before, last < wanted.before)
    with reading(engine) as connection:
        return [Listed(*row) for row in connection.execute(query.order_by(matches.id.desc()).limit(wanted.limit))]


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


# --- people -----------------------------------------------------------------------------------------------------------


def people_called(engine: Engine, word: str) -> list[int]:
    """The numbers of people by their number, their name in any case, or a token of theirs."""
    people, seats = schema.people.c, schema.seats.c
    hashed = hash_token(word.strip())
    keyed = sa.select(seats.person).where(seats.key_hash == hashed)
    same = [sa.func.lower(people.name) == word.strip().lower(), people.token_hash == hashed, people.id.in_(keyed)]
    if word.isascii() and word.isdigit() and int(word) < 2**31:
        same.append(people.id == int(word))
    with reading(engine) as connection:
        return [
            int(found) for found in connection.scalars(sa.select(people.id).where(sa.or_(*same)).order_by(people.id))
        ]


def data_of(engine: Engine, person: int) -> dict[str, Any]:
    """All that is stored about a person, but for credentials: only whether there are any."""
    people, matches, seats, chat = schema.people.c, schema.matches.c, schema.seats.c, schema.chat.c
    with reading(engine) as connection:
        who = connection.execute(sa.select(schema.people).where(people.id == person)).mappings().one()
        sat = connection.execute(
            sa.select(
                matches.id, matches.code, matches.game, matches.status, matches.started, matches.finished,
                seats.seat, seats.name, seats.key_hash,
            )
            .select_from(schema.seats.join(schema.matches))
            .where(seats.person == person)
            .order_by(matches.id)
        ).mappings().all()  # fmt: skip
        moves = {
            row.match_id: int(row.played)
            for row in connection.execute(
                sa.select(schema.moves.c.match_id, sa.func.count().label("played"))
                .select_from(
                    schema.moves.join(
                        schema.seats,
                        sa.and_(seats.match_id == schema.moves.c.match_id, seats.seat == schema.moves.c.seat),
                    )
                )
                .where(seats.person == person)
                .group_by(schema.moves.c.match_id)
            )
        }
        said = connection.execute(
            sa.select(matches.code, chat.name, chat.text, chat.at)
            .select_from(schema.chat.join(schema.matches))
            .where(chat.id.in_(_words_of(person, str(who["name"]))))
            .order_by(chat.id)
        ).mappings()
        watched = connection.scalars(
            sa.select(matches.code)
            .select_from(schema.watchers.join(schema.matches))
            .where(schema.watchers.c.person == person)
        )
        opened = connection.scalars(sa.select(matches.code).where(matches.host == person).order_by(matches.id))
        banned = schema.bans.c
        ban = connection.execute(
            sa.select(banned.reason, banned.created, banned.until).where(
                banned.kind == "person", banned.value == str(person)
            )
        ).mappings()
        return {
            "person": who["id"],
            "name": who["name"],
            "created": who["created"],
            "seen": who["seen"],
            "browser_key": who["token_hash"] is not None,
            "seats": [
                {name: row[name] for name in ("code", "game", "status", "started", "finished", "seat", "name")}
                | {"seat_key": row["key_hash"] is not None, "moves": moves.get(row["id"], 0)}
                for row in sat
            ],
            "said": [dict(row) for row in said],
            "watched": list(watched),
            "opened": list(opened),
            "bans": [dict(row) for row in ban],
        }


def _words_of(person: int, name: str) -> sa.Select[tuple[int]]:
    """What a person said: from their seats, and by their name where they watched."""
    chat, seats, watchers = schema.chat.c, schema.seats.c, schema.watchers.c
    seat = sa.select(seats.seat).where(
        seats.match_id == chat.match_id, seats.seat == chat.seat, seats.person == person, seats.kind == "person"
    )
    watched = sa.select(watchers.person).where(watchers.match_id == chat.match_id, watchers.person == person)
    return sa.select(chat.id).where(
        sa.or_(seat.exists(), sa.and_(chat.seat.is_(None), chat.name == name, watched.exists()))
    )
