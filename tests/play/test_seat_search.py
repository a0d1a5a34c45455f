"""Search for a seat: who is offered which seat, and for whom a table is opened."""

from __future__ import annotations

from typing import Any

from facedown.play import Settings
from facedown.play.seat_search import Assignments, SeatsOffered, Seeker, assign_seats, free_seats, people_at, table_pace
from tests.play.table import ADA, BEN, CLEO, dealt, lobby
from tests.play.test_seat_takeover import listed


def seeker(person: int, *games: str, **more: Any) -> Seeker:
    return Seeker(person, **{"kind": "seat", "games": frozenset(games or ("scout",)), "pace": "any"} | more)


def table(number: int = 1, free: int = 1, people: tuple[int, ...] = (90,), **more: Any) -> SeatsOffered:
    values: dict[str, Any] = {"game": "scout", "pace": "minute"} | more
    return SeatsOffered(number, people=frozenset(people), free=free, **values)


def offered(found: Assignments) -> list[tuple[int, int]]:
    return [(one.person, number) for one, number in found.offers]


def test_the_first_in_line_gets_the_first_table_that_fits() -> None:
    tables = [table(1, game="detect"), table(2), table(3, free=2)]
    line = [seeker(ADA), seeker(BEN), seeker(CLEO), seeker(4)]
    assert offered(assign_seats(line, tables, ())) == [(ADA, 2), (BEN, 3), (CLEO, 3)]
    assert offered(assign_seats(line[::-1], tables, ())) == [(4, 2), (CLEO, 3), (BEN, 3)]


def test_the_pace_must_fit() -> None:
    for pace, wanted, fits in (
        ("minute", "minute", True), ("minute", "day", False), ("day", "day", True), ("any", "minute", False),
        ("any", "any", True), ("day", "any", True),
    ):  # fmt: skip
        found = assign_seats([seeker(ADA, pace=wanted)], [table(pace=pace)], ())
        assert bool(found.offers) == fits, (pace, wanted)


def test_blocked_persons_are_not_seated_together() -> None:
    blocks = {frozenset((ADA, 90)), frozenset((BEN, CLEO))}
    assert offered(assign_seats([seeker(ADA)], [table(1), table(2, people=())], blocks)) == [(ADA, 2)]
    found = assign_seats([seeker(BEN), seeker(CLEO)], [table(1, free=2)], blocks)
    assert offered(found) == [(BEN, 1)], "also if the other seat there is only offered"
    assert found.pairs == ()
    assert assign_seats([seeker(BEN), seeker(CLEO), seeker(ADA)], [], blocks).pairs[0][1].person == ADA


def test_two_who_look_for_the_same_get_a_table() -> None:
    line = [seeker(ADA, "scout", "detect", pace="day"), seeker(BEN, "reveal"), seeker(CLEO, "detect", "reveal")]
    (pair,) = assign_seats(line, [], ()).pairs
    assert (pair[0].person, pair[1].person, pair[2:]) == (ADA, CLEO, ("detect", "day"))
    assert not assign_seats([seeker(ADA, pace="day"), seeker(BEN, pace="minute")], [], ()).pairs
    assert assign_seats([seeker(ADA), seeker(BEN)], [], ()).pairs[0][2:] == ("scout", "any")


def test_a_notice_keeps_no_seat_and_opens_no_table() -> None:
    notices = [seeker(ADA, kind="notice"), seeker(BEN, kind="notice")]
    assert offered(assign_seats([*notices, seeker(CLEO)], [table()], ())) == [(ADA, 1), (BEN, 1), (CLEO, 1)]
    assert assign_seats(notices, [], ()).pairs == ()
    assert not assign_seats(notices, [table(people=(ADA, BEN))], ()).offers, "they play there already"


def test_free_seats_and_people_of_a_table() -> None:
    waiting, running = lobby("me open open low", game="scout").record, listed().record
    assert (free_seats(waiting), people_at(waiting)) == (2, {ADA})
    assert free_seats(running) == 2
    assert free_seats(dealt("me open low", game="scout").record) == 0, "not listed"
    seat = running.seats[1]
    coming = running.with_seat(1, type(seat)("bot", seat.name, level="low", next_person=BEN, next_name="Ben"))
    assert (free_seats(coming), people_at(coming)) == (1, {ADA, BEN})
    paces = [table_pace(Settings(clock=clock)) for clock in (0, 60, 600, 86_400)]
    assert paces == ["any", "minute", "minute", "day"]
