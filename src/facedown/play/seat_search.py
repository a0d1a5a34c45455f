"""Search for a seat: which seat at an open table is offered to which of the persons who look for one.

A person names the games and the pace that they want. They are offered a seat at the first open table that fits. If no
table fits and two persons look for the same, a new table is opened for them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from facedown.play.records import Settings, TableRecord
from facedown.play.seat_clocks import is_correspondence
from facedown.play.seat_takeover import seats_to_take_over

#: How fast a person wants to play. "minute": with a time limit, and all players present. "day": with so much time for a
#: turn that players need not be present. "any": anything.
Pace = Literal["minute", "day", "any"]
PACES: tuple[Pace, ...] = ("minute", "day", "any")
#: "seat": the person wants a seat. "notice": the person only wants to know when a seat is free.
SearchKind = Literal["seat", "notice"]
#: Seconds for a turn at the tables that are opened for two persons who look for the same, by pace.
CLOCKS: dict[Pace, int] = {"minute": 60, "day": 86_400, "any": 60}


@dataclass(frozen=True, slots=True)
class Seeker:
    """A person who looks for a seat, or wants to know when one becomes free, and who has no offer yet."""

    person: int
    kind: SearchKind
    games: frozenset[str]
    pace: Pace


@dataclass(frozen=True, slots=True)
class SeatsOffered:
    """The free seats of one open table."""

    number: int
    """Database id of the table."""
    game: str
    pace: Pace
    people: frozenset[int]
    """Persons who have a seat there, will have one, or are offered one."""
    free: int
    """Number of seats that are free and not kept for anyone."""


@dataclass(frozen=True, slots=True)
class Assignments:
    """Who is offered which seat, and for whom tables are opened (`assign_seats`)."""

    offers: tuple[tuple[Seeker, int], ...]
    """Seekers who are offered a seat, each with the database id of the table."""
    pairs: tuple[tuple[Seeker, Seeker, str, Pace], ...]
    """Pairs of seekers for whom a table is opened, each with its game and pace. The first has waited longer."""


def table_pace(settings: Settings) -> Pace:
    """Return the pace of a table with these settings; "any" if it has no time limit."""
    if not settings.clock:
        return "any"
    return "day" if is_correspondence(settings) else "minute"


def free_seats(record: TableRecord) -> int:
    """Return the number of seats that a new person can get at a table, now or when the next round is dealt."""
    return sum(not seat.taken for seat in record.seats) if record.status == "lobby" else len(seats_to_take_over(record))


def people_at(record: TableRecord) -> frozenset[int]:
    """Return the ids of the persons who have a seat at a table, or take one over when the next round is dealt."""
    here = (seat.person for seat in record.seats if seat.kind == "person" and seat.person is not None)
    return frozenset([*here, *record.coming_persons])


def assign_seats(
    seekers: Sequence[Seeker], tables: Sequence[SeatsOffered], blocks: Collection[frozenset[int]]
) -> Assignments:
    """Return which free seats are offered to whom.

    `seekers` are in the order in which they wait, and `tables` in the order in which they are to be filled. `blocks`
    are pairs of persons who must not be seated together.
    """
    offers: list[tuple[Seeker, int]] = []
    waiting: list[Seeker] = []
    left = list(tables)
    for seeker in seekers:
        index = next((i for i, table in enumerate(left) if _fits(seeker, table, blocks)), None)
        if index is None:
            waiting += [seeker] if seeker.kind == "seat" else []
            continue
        table = left[index]
        offers.append((seeker, table.number))
        if seeker.kind == "seat":
            left[index] = replace(table, free=table.free - 1, people=table.people | {seeker.person})
    return Assignments(tuple(offers), tuple(_pairs(waiting, blocks)))


def _fits(seeker: Seeker, table: SeatsOffered, blocks: Collection[frozenset[int]]) -> bool:
    return (
        table.free > 0
        and table.game in seeker.games
        and seeker.pace in ("any", table.pace)
        and seeker.person not in table.people
        and not any(frozenset((seeker.person, other)) in blocks for other in table.people)
    )


def _pairs(waiting: list[Seeker], blocks: Collection[frozenset[int]]) -> list[tuple[Seeker, Seeker, str, Pace]]:
    found: list[tuple[Seeker, Seeker, str, Pace]] = []
    left = list(waiting)
    while left:
        first = left.pop(0)
        for second in left:
            paces = {first.pace, second.pace} - {"any"}
            games = sorted(first.games & second.games)
            if games and len(paces) < 2 and frozenset((first.person, second.person)) not in blocks:
                found.append((first, second, games[0], paces.pop() if paces else "any"))
                left.remove(second)
                break
    return found
