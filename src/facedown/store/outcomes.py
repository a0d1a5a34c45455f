"""A person's finished matches, the seats that won them, and the numbers of the person's record.

Which seats won follows from the moves. It is computed when a record is shown for the first time, and then stored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine
from sqlalchemy.exc import IntegrityError

from facedown.store import schema
from facedown.store.engine import mark_as_writer, read_transaction, upsert, write_transaction
from facedown.store.row_conversion import UNREADABLE, agreements_from_json

#: Winning seats of matches, by the database id of the match.
Outcomes = Mapping[int, Sequence[int]]


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """A finished match, and a person's seat in it."""

    number: int
    """Database id of the match."""
    code: str
    game: str
    finished: float
    """Unix time of the end."""
    seat: int
    """Seat of the person at the end of the match."""
    resigned: bool = False
    """Whether the person resigned, so that a bot played on for them."""
    bot_levels: tuple[str, ...] | None = None
    """Levels of the bots in the other seats; None if another person had a seat."""
    reviewed: bool = False
    """Whether the coach's analysis of the decisions of this seat is stored."""


def finished_matches(engine: Engine, person: int) -> tuple[list[FinishedMatch], dict[int, list[int]]]:
    """Return the finished matches in which a person has a seat, newest first, and the stored outcomes of these matches.

    A match whose row or outcome is damaged counts as one without an outcome.
    """
    matches, seats, outcomes, reviews = schema.matches.c, schema.seats.c, schema.outcomes.c, schema.reviews.c
    own = sa.select(
        *(matches.id, matches.code, matches.game, matches.finished, matches.agreements),
        *(seats.seat, outcomes.winners, reviews.seat.is_not(None).label("reviewed")),
    ).select_from(
        schema.seats.join(schema.matches)
        .outerjoin(schema.outcomes, outcomes.match_id == matches.id)
        .outerjoin(schema.reviews, (reviews.match_id == matches.id) & (reviews.seat == seats.seat))
    )
    own = own.where(seats.person == person, matches.status == "finished")
    others = sa.select(seats.match_id, seats.seat, seats.kind, seats.level).where(
        seats.match_id.in_(sa.select(seats.match_id).where(seats.person == person))
    )
    sitting: dict[int, list[Any]] = {}
    with read_transaction(engine) as connection:
        rows = connection.execute(own.order_by(matches.finished.desc(), matches.id.desc())).all()
        for other in connection.execute(others).all():
            sitting.setdefault(other.match_id, []).append(other)
    found, known = [], {}
    for row in rows:
        there = [other for other in sitting[row.id] if other.seat != row.seat]
        bots = all(other.kind == "bot" for other in there)
        levels = tuple(other.level for other in there) if bots else None
        resigned = False
        with suppress(*UNREADABLE):
            resigned = row.seat in agreements_from_json(row.agreements, len(there) + 1).resigned
            if row.winners is not None:
                known[row.id] = [int(seat) for seat in json.loads(row.winners)]
        one = row.id, row.code, row.game, row.finished, row.seat, resigned, levels, row.reviewed
        found.append(FinishedMatch(*one))
    return found, known


@mark_as_writer
def store_outcomes(engine: Engine, outcomes: Outcomes) -> None:
    """Store the winning seats of finished matches, by database id. Outcomes that are stored already are kept."""
    # An IntegrityError is ignored: it means that a match was deleted meanwhile. The others are computed again.
    with suppress(IntegrityError), write_transaction(engine) as connection:
        for number, winners in sorted(outcomes.items()):
            upsert(
                connection, schema.outcomes, {"match_id": number}, {"winners": json.dumps(list(winners))}, over=False
            )


@dataclass(slots=True)
class Tally:
    """A number of matches, and how many of them the person won."""

    matches: int = 0
    won: int = 0

    def add(self, won: bool) -> None:
        """Count one more match."""
        self.matches += 1
        self.won += won


@dataclass(slots=True)
class GameRecord(Tally):
    """A person's results in one game."""

    by_level: dict[str, Tally] = field(default_factory=dict)
    """Results of the matches in which all other seats had bots, by the level of the strongest bot."""


def count_results(matches: Sequence[FinishedMatch], outcomes: Outcomes, levels: Sequence[str]) -> dict[str, GameRecord]:
    """Return a person's results by game. Matches without an outcome are not counted.

    * A match belongs to the person who has the seat at its end: also if they took the seat over from a bot, or left the
      table and a bot played on.
    * The person won if their seat is among the winners, alone or with others, unless they resigned.
    * A match without a winner counts as a match that was not won.
    * A match counts for a level only if bots had all other seats from the first deal to the end. It counts for the
      strongest of them. `levels` are the keys of all levels, weakest first; other levels are left out.
    """
    found: dict[str, GameRecord] = {}
    for match in matches:
        if match.number not in outcomes:
            continue
        won = match.seat in outcomes[match.number] and not match.resigned
        game = found.setdefault(match.game, GameRecord())
        game.add(won)
        if match.bot_levels and set(match.bot_levels) <= set(levels):
            strongest = max(match.bot_levels, key=levels.index)
            game.by_level.setdefault(strongest, Tally()).add(won)
    return found
