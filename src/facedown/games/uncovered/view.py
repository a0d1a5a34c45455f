"""What a view of Uncovered! says: the numbers that its viewer is shown, who sees them, and what they come to."""

from __future__ import annotations

from itertools import permutations

from facedown.core.state import EMPTY, SPECTATOR, UNKNOWN, View, plain_view, record
from facedown.games.uncovered.cards import LOWEST, NUMBERS, PLACES, number_of
from facedown.games.uncovered.info import Mode, SingleColourWin
from facedown.games.uncovered.par import Hands
from facedown.games.uncovered.rules import TURNING, UncoveredPosition, shown

#: The modes as they are written.
MODES = {mode: mode.written.word for mode in Mode}


def on_table(view: View) -> UncoveredPosition:
    """What the viewer is shown, to be drawn and spoken of.

    Also of a view of all that is known: Uncovered! has its own option for that, `tracking` (UNC-10).
    """
    v = plain_view(view, UncoveredPosition)
    s = record(view, UncoveredPosition)
    for slot in range(PLACES * v.seats):
        if not shown(s, slot, v.viewer):
            v.card[slot] = UNKNOWN
    return v


def reversed_places(v: UncoveredPosition) -> bool:
    """Is place 1 at the right, as in intermediate, where cards face away from their owners (rules 4.3)?"""
    return v.opt.mode == Mode.INTERMEDIATE


def places(v: UncoveredPosition) -> list[int]:
    """The places of a hand as they lie from left to right."""
    return list(range(PLACES - 1, -1, -1)) if reversed_places(v) else list(range(PLACES))


def place_id(seat: int, place: int) -> str:
    """The id of a place: seat and place, nothing of the card there."""
    return f"p{seat}-{place + 1}"


def number_at(v: UncoveredPosition, slot: int) -> int | None:
    """The number that the viewer is shown at a slot, or None."""
    kind = v.card[slot]
    return None if kind in (EMPTY, UNKNOWN) else number_of(kind)


def seers(v: UncoveredPosition, slot: int) -> int:
    """The mask of seats that know a place, which is public."""
    return v.known[slot] & everybody(v)


def everybody(v: UncoveredPosition) -> int:
    """The mask of all seats."""
    return (1 << v.seats) - 1


def all_see(v: UncoveredPosition, slot: int) -> bool:
    """Does every player know this place?"""
    return seers(v, slot) == everybody(v)


def only_viewer_sees(v: UncoveredPosition, slot: int) -> bool:
    """Does the viewer alone know this place?"""
    return v.viewer != SPECTATOR and seers(v, slot) == 1 << v.viewer


def acting_seat(v: UncoveredPosition) -> int:
    """The seat that is to act, or -1."""
    return v.acting.bit_length() - 1


def next_turn_of(v: UncoveredPosition, seat: int) -> int:
    """The number of a seat's present or next turn."""
    # While the other party of a swap decides, the mover's turn is still on.
    turn = v.turn + (v.phase == TURNING and v.swapped // PLACES != seat)
    return turn + (seat - v.start - turn) % v.seats


def shown_numbers(v: UncoveredPosition) -> list[int | None]:
    """What the viewer is shown at every slot of the players' hands."""
    return [number_at(v, slot) for slot in range(PLACES * v.seats)]


def all_shown(v: UncoveredPosition) -> bool:
    """Is every card shown?"""
    return None not in shown_numbers(v)


def hands(v: UncoveredPosition) -> Hands:
    """The hands, once all cards are open."""
    return _by_hand([number_of(v.card[slot]) for slot in range(PLACES * v.seats)])


def dealt_hands(v: UncoveredPosition) -> Hands:
    """The hands as they were dealt, once all cards are open."""
    numbers = [0] * (PLACES * v.seats)
    for slot in range(len(numbers)):
        numbers[v.origin[slot]] = number_of(v.card[slot])
    return _by_hand(numbers)


def _by_hand(numbers: list[int]) -> Hands:
    return tuple(tuple(numbers[i : i + PLACES]) for i in range(0, len(numbers), PLACES))


def single_colour_win(v: UncoveredPosition) -> bool:
    """Do four hands of one number each win at this table (UNC-8)?"""
    return v.opt.single_colour_win == SingleColourWin.YES


def goal_of(v: UncoveredPosition) -> Hands:
    """The goal that the open hands are nearest to: fewest cards out of place."""
    now = hands(v)
    orders = list(permutations(range(LOWEST, LOWEST + NUMBERS)))
    goals: list[Hands] = [(order,) * len(now) for order in orders]
    if single_colour_win(v) and len(now) == NUMBERS:
        goals += [tuple((number,) * PLACES for number in order) for order in orders]
    return min(
        goals, key=lambda goal: sum(a != b for g, h in zip(goal, now, strict=True) for a, b in zip(g, h, strict=True))
    )


def alike_so_far(v: UncoveredPosition) -> bool | None:
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
    alike = all(_may_be_one_number(numbers[place::PLACES]) for place in range(PLACES))
    single = single_colour_win(v) and v.seats == NUMBERS
    single = single and all(_may_be_one_number(numbers[i : i + PLACES]) for i in range(0, len(numbers), PLACES))
    if not alike and not single:
        return False
    return None if hidden else True


def _may_be_one_number(numbers: list[int | None]) -> bool:
    """Can all these cards be of one number, as far as they are shown?"""
    return len({number for number in numbers if number is not None}) <= 1
