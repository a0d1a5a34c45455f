"""What a view of Uncovered! says: the numbers that its viewer is shown, who sees them, and what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TypeVar

from facedown.core.state import EMPTY, UNKNOWN, View, copy, plain_view, record
from facedown.games.uncovered.i18n import N_
from facedown.games.uncovered.info import LOWEST, NUMBERS, PLACES, Mode, SingleColourWin, number_on
from facedown.games.uncovered.optimal_turns import Hands
from facedown.games.uncovered.rules import Phase, UncoveredPosition, shown

T = TypeVar("T")

#: What the modes are called at the table.
MODES = {Mode.BEGINNER: N_("beginner"), Mode.INTERMEDIATE: N_("intermediate"), Mode.ADVANCED: N_("advanced")}


def shown_position(view: View) -> UncoveredPosition:
    """What the viewer is shown, to be drawn and spoken of.

    Also of a view of all that is known: Uncovered! has its own option for that, `tracking` (UNC-10).
    """
    less = copy(view)
    s = record(less, UncoveredPosition)
    for slot in range(PLACES * s.seats):
        if not shown(s, slot, s.viewer):
            s.card[slot] = UNKNOWN
    return plain_view(less, UncoveredPosition)


def has_reversed_places(v: UncoveredPosition) -> bool:
    """Is place 1 at the right, as in intermediate, where cards face away from their owners (rules 4.3)?"""
    return v.opt.mode == Mode.INTERMEDIATE


def places_left_to_right(v: UncoveredPosition) -> list[int]:
    """The places of a hand as they lie from left to right."""
    order = list(range(PLACES))
    return order[::-1] if has_reversed_places(v) else order


def place_id(slot: int) -> str:
    """The id of a slot: seat and place, nothing of the card there."""
    return f"p{slot // PLACES}-{slot % PLACES + 1}"


def number_at(v: UncoveredPosition, slot: int) -> int | None:
    """The number that the viewer is shown at a slot, or None."""
    kind = v.card[slot]
    return None if kind in (EMPTY, UNKNOWN) else number_on(kind)


def visibility_mark(v: UncoveredPosition, slot: int) -> str:
    """The mark of a slot that all players know, or the viewer alone; else nothing. Who knows it is public."""
    everybody = (1 << v.seats) - 1
    return {everybody: "all-see", 1 << v.viewer: "only-you"}.get(v.known[slot] & everybody, "")


def next_turn_of(v: UncoveredPosition, seat: int) -> int:
    """The number of a seat's present or next turn."""
    # While the other party of a swap decides, the mover's turn is still on.
    turn = v.turn + (v.phase == Phase.TURNING and v.swapped // PLACES != seat)
    return turn + (seat - v.start - turn) % v.seats


def shown_numbers(v: UncoveredPosition) -> list[int | None]:
    """What the viewer is shown at every slot of the players' hands."""
    return [number_at(v, slot) for slot in range(PLACES * v.seats)]


def hands(v: UncoveredPosition) -> Hands:
    """The hands, once all cards are open."""
    return _split_into_hands([number_on(v.card[slot]) for slot in range(PLACES * v.seats)])


def dealt_hands(v: UncoveredPosition) -> Hands:
    """The hands as they were dealt, once all cards are open."""
    dealt = sorted(zip(v.origin, v.card, strict=True))
    return _split_into_hands([number_on(kind) for _, kind in dealt[: PLACES * v.seats]])


def _split_into_hands(numbers: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    return tuple(tuple(numbers[i : i + PLACES]) for i in range(0, len(numbers), PLACES))


def single_colour_win(v: UncoveredPosition) -> bool:
    """Do four hands of one number each win at this table (UNC-8)?"""
    return v.opt.single_colour_win == SingleColourWin.YES and v.seats == NUMBERS


def nearest_goal(v: UncoveredPosition) -> Hands:
    """The goal that the open hands are nearest to: fewest cards out of place."""
    now = hands(v)
    orders = list(permutations(range(LOWEST, LOWEST + NUMBERS)))
    goals: list[Hands] = [(order,) * len(now) for order in orders]
    if single_colour_win(v):
        goals += [tuple((number,) * PLACES for number in order) for order in orders]
    return min(
        goals, key=lambda goal: sum(a != b for g, h in zip(goal, now, strict=True) for a, b in zip(g, h, strict=True))
    )


def would_uncovering_win(v: UncoveredPosition) -> bool | None:
    """Whether uncovering now wins, by what the viewer is shown: yes, no, or None for not sure.

    Cards that must be what they are, because no others are left, count as shown.
    """
    numbers = shown_numbers(v)
    left = [number for number in range(LOWEST, LOWEST + NUMBERS) for _ in range(v.seats - numbers.count(number))]
    hidden = [slot for slot, number in enumerate(numbers) if number is None]
    if len(set(left)) == 1:
        for slot in hidden:
            numbers[slot] = left[0]
        hidden = []
    columns = [numbers[place::PLACES] for place in range(PLACES)]
    ways = [columns, _split_into_hands(numbers)] if single_colour_win(v) else [columns]
    # Each way to be alike asks for cards of one number in every column, or in every hand.
    if not any(all(len({*cards} - {None}) <= 1 for cards in way) for way in ways):
        return False
    return None if hidden else True
