"""Reading a view of Uncovered!: what its viewer is shown. Nothing here ever sees a state."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from facedown.core.state import EMPTY, SPECTATOR, UNKNOWN
from facedown.games.uncovered.fewest import NUMBERS, PLACES
from facedown.games.uncovered.par import Hands
from facedown.games.uncovered.rules import ADVANCED, BEGINNER, INTERMEDIATE, TURNING, shown

MODES = {BEGINNER: "beginner", INTERMEDIATE: "intermediate", ADVANCED: "advanced"}


def reversed_places(view: Any) -> bool:
    """Is place 1 at the right, as in intermediate, where cards face away from their owners (rules 4.3)?"""
    return int(view.mode) == INTERMEDIATE


def places(view: Any) -> list[int]:
    """The places of a hand as they lie from left to right."""
    return list(range(PLACES - 1, -1, -1)) if reversed_places(view) else list(range(PLACES))


def place_id(seat: int, place: int) -> str:
    """The id of a place: seat and place, nothing of the card there."""
    return f"p{seat}-{place + 1}"


def number_at(view: Any, slot: int) -> int | None:
    """The number that the viewer is shown at a slot, or None.

    Also in a view of all that is known: Uncovered! has its own option for that, `tracking` (UNC-10).
    """
    kind = int(view.card[slot])
    if kind in (EMPTY, UNKNOWN) or not shown(view, slot, int(view.viewer)):
        return None
    return kind + 1


def seers(view: Any, slot: int) -> int:
    """The mask of seats that know a place, which is public."""
    return int(view.known[slot]) & ((1 << int(view.seats)) - 1)


def all_see(view: Any, slot: int) -> bool:
    """Does every player know this place?"""
    return seers(view, slot) == (1 << int(view.seats)) - 1


def only_viewer_sees(view: Any, slot: int) -> bool:
    """Does the viewer alone know this place?"""
    viewer = int(view.viewer)
    return viewer != SPECTATOR and seers(view, slot) == 1 << viewer


def acting_seat(view: Any) -> int:
    """The seat that is to act, or -1."""
    acting = int(view.acting)
    return acting.bit_length() - 1


def next_turn_of(view: Any, seat: int) -> int:
    """The number of a seat's present or next turn."""
    seats = int(view.seats)
    turn = int(view.turn) + (int(view.phase) == TURNING and int(view.swapped) // PLACES != seat)
    return turn + (seat - int(view.start) - turn) % seats


def shown_numbers(view: Any) -> list[int | None]:
    """What the viewer is shown at every slot of the players' hands."""
    return [number_at(view, slot) for slot in range(PLACES * int(view.seats))]


def all_shown(view: Any) -> bool:
    """Is every card shown?"""
    return None not in shown_numbers(view)


def hands(view: Any) -> Hands:
    """The hands, once all cards are open."""
    numbers = [int(view.card[slot]) + 1 for slot in range(PLACES * int(view.seats))]
    return tuple(tuple(numbers[i : i + PLACES]) for i in range(0, len(numbers), PLACES))


def dealt_hands(view: Any) -> Hands:
    """The hands as they were dealt, once all cards are open."""
    numbers = [0] * (PLACES * int(view.seats))
    for slot in range(len(numbers)):
        numbers[int(view.origin[slot])] = int(view.card[slot]) + 1
    return tuple(tuple(numbers[i : i + PLACES]) for i in range(0, len(numbers), PLACES))


def goal_of(view: Any) -> Hands:
    """The goal that the open hands are nearest to: fewest cards out of place."""
    now = hands(view)
    goals: list[Hands] = [(order,) * len(now) for order in permutations(range(1, NUMBERS + 1))]
    if bool(view.single_colour_wins) and len(now) == NUMBERS:
        goals += [tuple((number,) * PLACES for number in order) for order in permutations(range(1, NUMBERS + 1))]
    return min(
        goals, key=lambda goal: sum(a != b for g, h in zip(goal, now, strict=True) for a, b in zip(g, h, strict=True))
    )


def alike_so_far(view: Any) -> bool | None:
    """Whether uncovering now wins, by what the viewer is shown: yes, no, or None for not sure.

    Cards that must be what they are, because no others are left, count as shown.
    """
    numbers = shown_numbers(view)
    seats = int(view.seats)
    left = [number for number in range(1, NUMBERS + 1) for _ in range(seats - numbers.count(number))]
    hidden = [slot for slot, number in enumerate(numbers) if number is None]
    if len(set(left)) == 1:
        for slot in hidden:
            numbers[slot] = left[0]
        hidden = []
    columns = [[numbers[slot] for slot in range(place, len(numbers), PLACES)] for place in range(PLACES)]
    alike = all(len({n for n in column if n is not None}) <= 1 for column in columns)
    single = bool(view.single_colour_wins) and seats == NUMBERS
    if single:
        rows = [numbers[i : i + PLACES] for i in range(0, len(numbers), PLACES)]
        single = all(len({n for n in row if n is not None}) <= 1 for row in rows)
    if not alike and not single:
        return False
    return None if hidden else True
