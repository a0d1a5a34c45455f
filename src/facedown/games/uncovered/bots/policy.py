"""Greedy policy of Uncovered!: plays the swap that brings all hands closest to a common sequence of numbers.

The distance to a sequence is the solver's lower bound on the number of swaps (`games.uncovered.optimal_turns`). In this
bound a hidden card counts as a fraction of each number: if half of the hidden cards have the number 3, each hidden card
counts as half a 3.

A swap that shows cards to players for the first time gets a small bonus. The policy uncovers the hands if a win is
certain.
"""

from __future__ import annotations

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import count_bits
from facedown.core.bot import Policy
from facedown.core.hidden_cards import knows
from facedown.core.random_numbers import quick_randint
from facedown.core.rule import rule
from facedown.core.state import Floats, Ints, View, cast_record
from facedown.games.uncovered.i18n import N_, _
from facedown.games.uncovered.info import KINDS, PLACES, SwapVisibility, number_on
from facedown.games.uncovered.rules import (
    PAIRS,
    SLOTS,
    Act,
    Phase,
    UncoveredPosition,
    is_single_colour_win_enabled,
    is_winning_position,
    slots_of_swap,
)

#: The 24 sequences of cards that all hands can have in common. ``SEQUENCES[o, place]`` is the kind of the card at a
#: place of sequence o. The kind of a card is its number minus 1.
SEQUENCES = np.array(list(permutations(range(KINDS))), np.int64)
#: In the greedy policy, a swap gets a bonus for each player who sees one of its two cards for the first time. A number
#: of 2 × `LOOK_DIVISOR` such bonuses is worth as much as coming one swap nearer to the goal.
LOOK_DIVISOR = 8
FAR = 1 << 40
#: Two values of actions count as equal if they differ by no more than `CLOSE`. An action with the value `NEVER` is not
#: chosen.
CLOSE = 1e-9
NEVER = -1e18

#: Result of `kind_weights`: the tuple (`weight`, `column`, `whole`). A slot is 4 × seat + place. The kind of a card is
#: its number minus 1.
#:
#: * ``weight[slot, kind] / whole`` is the probability that the card in this slot is of this kind.
#: * ``column[place, kind] / whole`` is the expected number of cards of this kind at this place, in all hands together.
KindWeights = tuple[NDArray[np.int64], NDArray[np.int64], int]


@rule
def greedy(s: UncoveredPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Return the action of the greedy policy for a seat that is to act, chosen from what the seat knows.

    `q` is the state of the random generator, which chooses among equally good actions.
    """
    if s.phase == Phase.TURNING:
        return Act.TURN
    weighed = kind_weights(s, 1 << seat)
    if is_win_certain(s, seat, weighed):
        return Act.UNCOVER
    weight, column, whole = weighed
    goal = nearest_sequence_index(column)
    wrong = misplaced_weight_by_hand(s, goal, weight, whole)
    values = np.full(PAIRS * s.seats, NEVER)
    for action in range(PAIRS * s.seats):
        if action // PAIRS != seat:
            own, theirs = slots_of_swap(seat, action)
            far = scaled_swap_lower_bound_after_swap(column, weight, goal, own, theirs)
            far += 2 * whole * count_hands_completed_too_early(weight, wrong, goal, own, theirs, far // (2 * whole))
            values[action] = whole * new_viewer_count_of_swapped_cards(s, own, theirs) - LOOK_DIVISOR * far
    return random_best_index(values, q)


@rule
def random_best_index(values: Floats, q: NDArray[np.uint64]) -> int:
    """Return the index of the highest value. If several values are equally high, return a random one of their indices.

    `q` is the state of the random generator.
    """
    best, best_value, ties = 0, NEVER, 0
    for action in range(len(values)):
        if values[action] > best_value + CLOSE:
            best, best_value, ties = action, values[action], 1
        elif values[action] > max(best_value - CLOSE, NEVER):
            ties += 1
            if quick_randint(q, ties) == 0:
                best = action
    return best


@rule
def new_viewer_count_of_swapped_cards(s: UncoveredPosition, own: int, theirs: int) -> int:
    """For each of the two cards in a swap, count the players who would see it for the first time. Return the sum.

    `own` and `theirs` are the slots (4 × seat + place) of the cards. With face-down swaps, only the two players of the
    swap see the cards.
    """
    all_watch = s.opt.swap_visibility == SwapVisibility.FACE_UP
    watching = (1 << s.seats) - 1 if all_watch else 1 << own // PLACES | 1 << theirs // PLACES
    return count_bits(watching & ~s.known[own]) + count_bits(watching & ~s.known[theirs])


@rule
def misplaced_weight_by_hand(
    s: UncoveredPosition, goal: int, weight: NDArray[np.int64], whole: int
) -> NDArray[np.int64]:
    """Return an array of integers: for each seat, `whole` times the expected number of misplaced cards in its hand.

    A card is misplaced if it differs from the card that the sequence `goal` (an index in `SEQUENCES`) has at the same
    place. `weight` and `whole` come from `kind_weights`: ``weight[slot, kind] / whole`` is the probability that the
    card in this slot is of this kind. A slot is 4 × seat + place. The kind of a card is its number minus 1.
    """
    wrong = np.zeros(s.seats, np.int64)
    for slot in range(PLACES * s.seats):
        wrong[slot // PLACES] += whole - weight[slot, SEQUENCES[goal, slot % PLACES]]
    return wrong


@rule
def kind_weights(s: UncoveredPosition, seats: int) -> KindWeights:
    """Return, as integer weights, the probability of each kind for each card. A card's kind is its number minus 1.

    A card is known if all seats in the bit mask `seats` know it, otherwise it is hidden. A slot is 4 × seat + place.
    The result has three elements:

    * `weight`: an array. ``weight[slot, kind] / whole`` is the probability that the card in the slot is of this kind.
    * `column`: an array. ``column[place, kind]`` is the sum of ``weight[4 × seat + place, kind]`` over all seats.
    * `whole`: the weight that stands for the probability 1. It is the number of hidden cards, but at least 1.

    For a known card, the weight is `whole` for its kind and 0 for all other kinds. For a hidden card, the weight of a
    kind is the number of hidden cards of this kind.
    """
    weight = np.zeros((SLOTS, KINDS), np.int64)
    column = np.zeros((PLACES, KINDS), np.int64)
    left = np.full(KINDS, s.seats, np.int64)
    hidden = PLACES * s.seats
    for slot in range(PLACES * s.seats):
        if all_know(s, slot, seats):
            left[s.card[slot]] -= 1
            hidden -= 1
    whole = max(hidden, 1)
    for slot in range(PLACES * s.seats):
        if all_know(s, slot, seats):
            weight[slot, s.card[slot]] = whole
        else:
            weight[slot] = left
        for kind in range(KINDS):
            column[slot % PLACES, kind] += weight[slot, kind]
    return weight, column, whole


@rule
def all_know(s: UncoveredPosition, slot: int, seat_mask: int) -> bool:
    """Return whether all seats in the bit mask `seat_mask` know the card in a slot (4 × seat + place)."""
    return s.known[slot] & seat_mask == seat_mask


@rule
def is_win_certain(s: UncoveredPosition, seat: int, weighed: KindWeights) -> bool:
    """Return whether the seat is certain that uncovering the hands wins.

    `weighed` is the result of `kind_weights` for the seat: the probabilities of all cards, as the seat knows them.
    """
    _, column, whole = weighed
    if np.sum(column == whole * s.seats) == PLACES:
        return True
    # With the option `single_colour_win`, four hands of four equal numbers each win too (UNC-8).
    if not is_single_colour_win_enabled(s):
        return False
    for slot in range(PLACES * s.seats):
        if not knows(s, slot, seat):
            return False
    return is_winning_position(s)


@rule
def apply_swap_to_weights(
    column: NDArray[np.int64], weight: NDArray[np.int64], own: int, theirs: int, sign: int
) -> None:
    """Change the sums in `column` as if the cards in the slots `own` and `theirs` (4 × seat + place) were swapped.

    Both arrays come from `kind_weights`:

    * `weight`: stays unchanged. ``weight[slot, kind]`` is proportional to the probability that the card in this slot is
      of this kind. The kind of a card is its number minus 1.
    * `column`: ``column[place, kind]`` is the sum of ``weight[4 × seat + place, kind]`` over all seats.

    `sign` is 1 to swap the cards and −1 to undo the swap.
    """
    for kind in range(KINDS):
        more = sign * (weight[theirs, kind] - weight[own, kind])
        column[own % PLACES, kind] += more
        column[theirs % PLACES, kind] -= more


@rule
def scaled_swap_lower_bound_after_swap(
    column: NDArray[np.int64], weight: NDArray[np.int64], goal: int, own: int, theirs: int
) -> int:
    """Return an integer that is proportional to a lower bound on the number of swaps to a goal after a given swap.

    The result is what `scaled_swap_lower_bound_to_goal` returns for the position after the swap: the bound times
    2 × `whole`. If cards are hidden, the bound is only an estimate. At the goal, each hand is the sequence
    ``SEQUENCES[goal]``. The given swap exchanges the cards in the slots `own` and `theirs` (4 × seat + place).

    `weight`, `column` and `whole` are the result of `kind_weights` for the position before the swap. A kind is a card's
    number minus 1.

    * ``weight[slot, kind] / whole`` is the probability that the card in this slot is of this kind.
    * ``column[place, kind]`` is the sum of ``weight[4 × seat + place, kind]`` over all seats. The function changes
      `column` during the call, and restores it before the return.
    """
    apply_swap_to_weights(column, weight, own, theirs, 1)
    far = scaled_swap_lower_bound_to_goal(column, goal)
    apply_swap_to_weights(column, weight, own, theirs, -1)
    return far


@rule
def count_hands_completed_too_early(
    weight: NDArray[np.int64], wrong: Ints, goal: int, own: int, theirs: int, left: int
) -> int:
    """Return how many of the two hands in a swap (0 to 2) become complete too early.

    A hand is complete if it certainly is the sequence `goal` (an index in `SEQUENCES`). This is too early if the player
    of the hand has another turn, because in that turn the player must move a card of the hand away again.

    * `weight`: the probabilities of the cards, in units of 1 / `whole` (see `kind_weights`). ``weight[slot, kind]`` is
      for the card in this slot (4 × seat + place). The kind of a card is its number minus 1.
    * `wrong`: the expected number of misplaced cards in each hand before the swap, in the same units (see
      `misplaced_weight_by_hand`).
    * `own`: the slot of the card that the player to move gives away.
    * `theirs`: the slot of the card that this player receives.
    * `left`: the estimated number of swaps after this one. Each swap is a turn of the next player in turn order. So the
      function assumes that the players of the next `left` turns have another turn, and the other players have not.
    """
    players = len(wrong)
    mine, here = own // PLACES, SEQUENCES[goal, own % PLACES]
    other, there = theirs // PLACES, SEQUENCES[goal, theirs % PLACES]
    idle = 0
    if wrong[mine] + weight[own, here] - weight[theirs, here] == 0 and left >= players:
        idle += 1
    if wrong[other] + weight[theirs, there] - weight[own, there] == 0 and (other - mine - 1) % players < left:
        idle += 1
    return idle


@rule
def nearest_sequence_index(column: NDArray[np.int64]) -> int:
    """Return the index in `SEQUENCES` of the sequence that all hands can probably reach with the fewest swaps.

    If several sequences need equally few swaps, return the first of their indices. So players who know the same cards
    choose the same sequence. `column` comes from `kind_weights`: ``column[place, kind]`` is proportional to the
    expected number of cards of this kind at this place, in all hands together. A kind is a card's number minus 1.
    """
    best, best_distance = 0, FAR
    for goal in range(len(SEQUENCES)):
        far = scaled_swap_lower_bound_to_goal(column, goal)
        if far < best_distance:
            best, best_distance = goal, far
    return best


@rule
def scaled_swap_lower_bound_to_goal(column: NDArray[np.int64], goal: int) -> int:
    """Return an integer that is proportional to a lower bound on the number of swaps to a goal.

    At the goal, each hand is the sequence ``SEQUENCES[goal]``. `column` and the integer `whole` are elements of the
    result of `kind_weights`: ``column[place, kind] / whole`` is the expected number of cards of this kind at this
    place, in all hands together. A kind is a card's number minus 1.

    The bound is computed as in `optimal_turns.swap_lower_bound`, but with expected numbers of cards. If all cards are
    known, both bounds are the same. If cards are hidden, the bound is only an estimate.

    The result is the bound times 2 × `whole`. The factor `whole` makes the expected numbers integers. The factor 2
    avoids fractions, because the function computes max(a, b) as (a + b + abs(a − b)) / 2.
    """
    total = steepest = 0
    for i in range(PLACES):
        for kind in range(KINDS):
            total += column[i, kind]
        total -= column[i, SEQUENCES[goal, i]]
        for j in range(i):
            steep = abs(column[i, SEQUENCES[goal, j]] - column[j, SEQUENCES[goal, i]])
            total += steep
            steepest = max(steepest, steep)
    return total - 2 * steepest


@rule
def is_reckless(s: UncoveredPosition, seat: int, action: int) -> bool:
    """Return whether the action is `UNCOVER`, which may lose the game. The beginner bot never plays it at random."""
    return action == Act.UNCOVER


def reason(view: View, seat: int, action: int) -> str:
    """Return a phrase that explains to the player at `seat` why the greedy policy may choose an action.

    The phrase is empty for `LEAVE`, which the policy never chooses.
    """
    if action == Act.UNCOVER:
        return _("all hands are certain to match")
    if action > Act.UNCOVER:
        return _("turning the card tells the others to leave it alone") if action == Act.TURN else ""
    _weight, column, whole = kind_weights(cast_record(view, UncoveredPosition), 1 << seat)
    goal = nearest_sequence_index(column)
    right = sum(column[place, kind] for place, kind in enumerate(SEQUENCES[goal])) / whole
    sequence = " ".join(str(number_on(kind)) for kind in SEQUENCES[goal])
    text = N_(
        "the hands are closest to the order {sequence}: as far as you can tell, about {right} of {cards} cards fit it"
    )
    return _(text, sequence=sequence, right=round(right), cards=PLACES * view.seats)


POLICY = Policy(greedy, reason, is_reckless)
