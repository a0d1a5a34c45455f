"""Functions that read a view of Uncovered! (the position as one viewer may see it): cards, who knows them, the goal."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TypeVar

from facedown.core.state import EMPTY, UNKNOWN, View, cast_record, copy, plain_view
from facedown.games.uncovered.i18n import N_
from facedown.games.uncovered.info import LOWEST, NUMBERS, PLACES, Mode, SingleColourWin, number_on
from facedown.games.uncovered.optimal_turns import Hands
from facedown.games.uncovered.rules import Phase, UncoveredPosition, shown

T = TypeVar("T")

#: Names of the modes on the page.
MODES = {Mode.BEGINNER: N_("beginner"), Mode.INTERMEDIATE: N_("intermediate"), Mode.ADVANCED: N_("advanced")}


def position_without_remembered_cards(view: View) -> UncoveredPosition:
    """Return a copy of a view in which all cards that the viewer knows only from memory are unknown (`UNKNOWN`).

    The viewer has seen these cards, but the table does not show them now. There are such cards only with the option
    `tracking=off` (ruling UNC-10 in ``docs/rules/uncovered.md``) and only before the end of the game. In all other
    cases the table shows all cards that the viewer knows, so none become unknown.
    """
    less = copy(view)
    s = cast_record(less, UncoveredPosition)
    for slot in range(PLACES * s.seats):
        if not shown(s, slot, s.viewer):
            s.card[slot] = UNKNOWN
    return plain_view(less, UncoveredPosition)


def has_reversed_places(v: UncoveredPosition) -> bool:
    """Return whether each hand is drawn with place 1 at its right end, instead of its left end.

    This is so in intermediate mode, in which cards face away from their owners (rules 4.3).
    """
    return v.opt.mode == Mode.INTERMEDIATE


def places_left_to_right(v: UncoveredPosition) -> list[int]:
    """Return the places 0 to 3 in the order in which every hand on the table shows them, from left to right.

    In intermediate mode the order is 3, 2, 1, 0, because cards face away from their owners (rules 4.3). In all other
    modes it is 0, 1, 2, 3.
    """
    order = list(range(PLACES))
    return order[::-1] if has_reversed_places(v) else order


def place_id(slot: int) -> str:
    """Return the id that a slot has on the page, such as "p0-1" for the first place of seat 0.

    A slot is 4 × seat + place, with places counted from 0. The id counts places from 1.
    """
    return f"p{slot // PLACES}-{slot % PLACES + 1}"


def number_at(v: UncoveredPosition, slot: int) -> int | None:
    """Return the number (1 to 4) of the card in a slot, or None if the view does not show it.

    A slot is 4 × seat + place, with places counted from 0.
    """
    kind = v.card[slot]
    return None if kind in (EMPTY, UNKNOWN) else number_on(kind)


def visibility_mark(v: UncoveredPosition, slot: int) -> str:
    """Return "all-see" if all players know the card in a slot, "only-you" if only the viewer knows it, and else "".

    Spectators do not count as players. The mark reveals nothing hidden, because all players may know who has seen which
    card. A slot is 4 × seat + place, with places counted from 0.
    """
    everybody = (1 << v.seats) - 1
    return {everybody: "all-see", 1 << v.viewer: "only-you"}.get(v.known[slot] & everybody, "")


def current_or_next_turn_of(v: UncoveredPosition, seat: int) -> int:
    """Return the number of the turn that a seat has now, or of its next turn."""
    # While the other player of a swap decides whether to turn a card, the mover's turn is not over.
    turn = v.turn + (v.phase == Phase.TURNING and v.swapped // PLACES != seat)
    return turn + (seat - v.start - turn) % v.seats


def shown_numbers(v: UncoveredPosition) -> list[int | None]:
    """Return the number of the card in each slot of the players' hands, or None if the view does not show it."""
    return [number_at(v, slot) for slot in range(PLACES * v.seats)]


def hands(v: UncoveredPosition) -> Hands:
    """Return the hands of all seats, each as the numbers (1 to 4) of its cards. All cards must be known."""
    return _split_into_hands([number_on(v.card[slot]) for slot in range(PLACES * v.seats)])


def dealt_hands(v: UncoveredPosition) -> Hands:
    """Return the numbers (1 to 4) of all hands as they were dealt. All cards must be known."""
    dealt = sorted(zip(v.origin, v.card, strict=True))
    return _split_into_hands([number_on(kind) for _, kind in dealt[: PLACES * v.seats]])


def _split_into_hands(numbers: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    return tuple(tuple(numbers[i : i + PLACES]) for i in range(0, len(numbers), PLACES))


def is_single_colour_win_enabled(v: UncoveredPosition) -> bool:
    """Return whether the players at this table also win if each hand has all four cards of one number.

    This win needs the option `single_colour_win` and four players (ruling UNC-8 in ``docs/rules/uncovered.md``). In the
    option's name, "single colour" means that all cards have the same number.
    """
    return v.opt.single_colour_win == SingleColourWin.YES and v.seats == NUMBERS


def goal_with_fewest_wrong_cards(v: UncoveredPosition) -> Hands:
    """Return the hands of all seats in the winning position that differs in the fewest cards from the present one.

    All cards must be known.
    """
    now = hands(v)
    orders = list(permutations(range(LOWEST, LOWEST + NUMBERS)))
    goals: list[Hands] = [(order,) * len(now) for order in orders]
    if is_single_colour_win_enabled(v):
        goals += [tuple((number,) * PLACES for number in order) for order in orders]
    return min(
        goals, key=lambda goal: sum(a != b for g, h in zip(goal, now, strict=True) for a, b in zip(g, h, strict=True))
    )


def would_uncovering_win(v: UncoveredPosition) -> bool | None:
    """Return whether uncovering all hands now wins, or None if too few cards are known to decide this.

    Known cards are those that the view shows. If only one number is left for all hidden cards, these are known, too.

    * True: all cards are known, and uncovering wins.
    * False: known cards prevent a win. For example, without `single_colour_win`, two hands have different
      numbers at the same place.
    * None: all other cases. In a few of them a longer deduction would show that uncovering cannot win.
    """
    numbers = shown_numbers(v)
    left = [number for number in range(LOWEST, LOWEST + NUMBERS) for _ in range(v.seats - numbers.count(number))]
    hidden = [slot for slot, number in enumerate(numbers) if number is None]
    if len(set(left)) == 1:
        for slot in hidden:
            numbers[slot] = left[0]
        hidden = []
    columns = [numbers[place::PLACES] for place in range(PLACES)]
    ways = [columns, _split_into_hands(numbers)] if is_single_colour_win_enabled(v) else [columns]
    # All hands are alike if all cards at the same place have the same number. If `is_single_colour_win_enabled`, it is
    # also enough that all cards of each hand have the same number.
    if not any(all(len({*cards} - {None}) <= 1 for cards in way) for way in ways):
        return False
    return None if hidden else True
