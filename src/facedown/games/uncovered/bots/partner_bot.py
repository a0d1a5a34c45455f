"""Uncovered! for partners: a swap is judged by how many turns the whole table needs after it, people and bots alike.

With all cards known the solver's line is followed. Otherwise the bot draws worlds that fit all it knows, tries the most
promising swaps in each and lets everybody play on (`rollout_policy`), *each by what that seat would
know then*: a swap that shows the others what they need to know counts for as much as one that brings cards home,
and no seat is credited with knowledge it will not have. Swaps that do badly drop out, the others are tried in more
worlds.

It uncovers when it is certain that all hands are alike, which the partners can rely on; only when the game is about to
be given up does it uncover on a chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import includes
from facedown.core.bot import Evaluation, check_view, legal_actions_of_view
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import sample_world_into
from facedown.core.random_numbers import draw_quick_seed, generator, key_of, quick_generator
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.core.state import RUNNING, Floats, View, record
from facedown.games.uncovered.bots.policy import (
    CLOSE,
    FAR,
    NEVER,
    SEQUENCES,
    KindWeights,
    all_know,
    best_of,
    count_idle_hands,
    doubled_swaps_after,
    doubled_swaps_to_goal,
    first_looks,
    is_win_certain,
    kind_weights,
    misplaced_weight_by_hand,
)
from facedown.games.uncovered.info import INFO, LOWEST, PLACES
from facedown.games.uncovered.optimal_turns import MOST_TURNS, write_best_line
from facedown.games.uncovered.rules import (
    ACTIONS,
    PAIRS,
    RULES,
    TURN_CAP,
    Act,
    Phase,
    UncoveredPosition,
    apply,
    single_colour_wins,
    swap_action,
    swap_slots,
)

#: A goal is judged by what the seat knows, and so many times by what everybody knows.
COMMON = 3.5
#: What counts, in swaps; a line for each mode. Found by playing thousands of games.
#: A hand that would lie right with a turn to come · everybody's first look at a card · a card that not everybody had
#: seen · a card that comes home for certain · how much less one counts that lies open to all than one that does not.
SWAP_WEIGHTS = np.array([(0.4, 0.0, 0.0, 0.5, 0.0), (0.25, 0.06, 0.08, 0.26, 0.1), (0.4, 0.1, 0.0, 0.5, 0.0)])
IDLE, LOOK, FRESH, HOME, OPEN_HOME = range(5)


@rule
def rate_goals(s: UncoveredPosition, weighed: KindWeights) -> NDArray[np.float64]:
    """How far each goal is, by what the seat knows and what everybody does."""
    _, column, whole = weighed
    far = np.empty(len(SEQUENCES), np.float64)
    _, common, common_whole = kind_weights(s, (1 << s.seats) - 1)
    for goal in range(len(SEQUENCES)):
        far[goal] = (
            doubled_swaps_to_goal(column, goal) / whole + COMMON * doubled_swaps_to_goal(common, goal) / common_whole
        )
    return far


@rule
def rate_swaps(s: UncoveredPosition, seat: int, goal: int, weighed: KindWeights, values: Floats) -> None:
    """Write what each swap is worth on the way to a goal, and leave the other actions."""
    weight, column, whole = weighed
    mode = s.opt.mode
    everybody = (1 << s.seats) - 1
    wrong = misplaced_weight_by_hand(s, goal, weight, whole)
    for action in range(PAIRS * s.seats):
        if action // PAIRS == seat:
            continue
        own, theirs = swap_slots(seat, action)
        here, beyond = SEQUENCES[goal, own % PLACES], SEQUENCES[goal, theirs % PLACES]
        far = doubled_swaps_after(column, weight, goal, own, theirs)
        idle = count_idle_hands(weight, wrong, goal, own, theirs, far // (2 * whole))
        home = is_certain(weight, whole, theirs, here) + is_certain(weight, whole, own, beyond)
        home -= is_certain(weight, whole, own, here) + is_certain(weight, whole, theirs, beyond)
        own_open, theirs_open = all_know(s, own, everybody), all_know(s, theirs, everybody)
        fresh = 2 - own_open - theirs_open
        open_home = weight[theirs, here] + weight[own, beyond]
        open_home -= own_open * weight[own, here] + theirs_open * weight[theirs, beyond]
        values[action] = (
            SWAP_WEIGHTS[mode, HOME] * home
            - far / (2.0 * whole)
            - SWAP_WEIGHTS[mode, IDLE] * idle
            + SWAP_WEIGHTS[mode, LOOK] * first_looks(s, own, theirs) / (s.seats - 1)
            + SWAP_WEIGHTS[mode, FRESH] * fresh
            - SWAP_WEIGHTS[mode, OPEN_HOME] * open_home / whole
        )


@rule
def is_certain(weight: NDArray[np.int64], whole: int, slot: int, kind: int) -> int:
    """1 if the card in a slot is of a kind for certain, else 0."""
    return 1 if weight[slot, kind] == whole else 0


@rule
def rollout_policy(s: UncoveredPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """The action of a seat that is to act, by what it knows; `q` (a quick generator) breaks ties."""
    if s.phase == Phase.TURNING:
        return Act.TURN
    weighed = kind_weights(s, 1 << seat)
    if is_win_certain(s, seat, weighed):
        return Act.UNCOVER
    far = rate_goals(s, weighed)
    goal, nearest = 0, 1.0 * FAR
    for candidate in range(len(far)):
        if far[candidate] < nearest - CLOSE:
            goal, nearest = candidate, far[candidate]
    values = np.full(PAIRS * s.seats, NEVER)
    rate_swaps(s, seat, goal, weighed, values)
    return best_of(values, q)


#: What a game that is lost or goes on too long counts for, in turns on top of those it took.
LOST_TURNS = 40
#: A play-out is given up after so many turns.
MAX_PLAYOUT_TURNS = 60
#: Worlds of the first look, which all candidates get; each later look has twice as many for half of them.
FIRST_WORLDS = 24
CANDIDATES = 16
MAX_LOOKS = 4
#: The goals nearest to the cards, each of which may propose swaps.
GOALS = 4
#: Worlds in which the solver is asked for its swap.
SOLVED_WORLDS = 4
#: What the solver proposes is tried in any case.
SOLVER_VALUE = 1e18


@rule
def rollout(s: UncoveredPosition, q: NDArray[np.uint64]) -> int:
    """Everybody plays on by what they know; the turns until the game is won, and more if it is not."""
    stop = min(s.turn + MAX_PLAYOUT_TURNS, TURN_CAP)
    while s.over == RUNNING and s.turn < stop:
        seat = 0
        while not includes(s.acting, seat):
            seat += 1
        apply(s, seat, rollout_policy(s, seat, q))
    return s.turn if s.won == 1 else s.turn + LOST_TURNS


@rule
def rate_swaps_for_nearest_goals(s: UncoveredPosition, seat: int, values: NDArray[np.float64]) -> None:
    """Write what each swap promises at first sight, on the way to the best of several goals, `NEVER` for the rest."""
    weighed = kind_weights(s, 1 << seat)
    nearest_first = np.argsort(rate_goals(s, weighed))
    values[:] = NEVER
    one = np.full(ACTIONS, NEVER)
    for rank in range(GOALS):
        rate_swaps(s, seat, nearest_first[rank], weighed, one)
        for action in range(ACTIONS):
            values[action] = max(values[action], one[action])


@rule
def can_uncover_safely(s: UncoveredPosition, seat: int) -> bool:
    """Is the seat certain that uncovering wins now?"""
    return is_win_certain(s, seat, kind_weights(s, 1 << seat))


@rule
def solver_swap(s: UncoveredPosition) -> int:
    """The swap that the solver would begin with in a world; `Act.UNCOVER` if it is won."""
    hands = np.empty((s.seats, PLACES), np.int64)
    for slot in range(PLACES * s.seats):
        hands[slot // PLACES, slot % PLACES] = s.card[slot] + LOWEST
    line = np.empty((MOST_TURNS, 4), np.int64)
    turns = write_best_line(hands, (s.start + s.turn) % s.seats, single_colour_wins(s), line)
    return Act.UNCOVER if turns == 0 else swap_action(line[0, 1], line[0, 2], line[0, 3])


@rule
def try_swaps_in_worlds(
    view: View,
    seat: int,
    key: NDArray[np.uint32],
    values: NDArray[np.float64],
    worlds: NDArray[Any],
    found: NDArray[np.int64],
) -> bool:
    """Try the promising swaps in random worlds that fit a view, and fill `worlds` with these.

    `values` say what each action promises (`rate_swaps_for_nearest_goals`); the swaps that the solver would begin with
    get more. In `found` stand then the swaps, best first, the turns that the game took after each in all its worlds,
    and how many these were. False if no world fits the view.
    """
    swaps, turns, tried = found[0], found[1], found[2]
    g, q = generator(key, 0), quick_generator(key, 1)
    scratch = worlds[:1].copy()
    streams = np.empty(len(worlds), np.uint64)
    for i in range(len(worlds)):
        if not sample_world_into(scratch, view, g):
            return False
        worlds[i] = scratch[0]
        streams[i] = draw_quick_seed(q)
    for i in range(SOLVED_WORLDS):
        best = solver_swap(worlds[i])
        if best != Act.UNCOVER:
            values[best] = SOLVER_VALUE
    # At every table there are at least so many swaps.
    swaps[:] = np.argsort(values)[: -1 - CANDIDATES : -1]
    alive, first, end = CANDIDATES, 0, FIRST_WORLDS
    while end <= len(worlds):
        for world in range(first, end):
            for i in range(alive):
                scratch[0] = worlds[world]
                apply(scratch[0], seat, swaps[i])
                # The same luck for every swap.
                q[0] = streams[world]
                turns[i] += rollout(scratch[0], q)
        tried[:alive] = end
        # The fewest turns first; equal swaps stay as they are.
        order = np.argsort(turns[:alive], kind="mergesort")
        swaps[:alive], turns[:alive] = swaps[order], turns[order]
        alive, first, end = max(2, alive // 2), end, 2 * end
    return True


def all_known(s: UncoveredPosition) -> bool:
    """Does everybody know every card (beginner)? Then the solver's line is the best there is."""
    return all(all_know(s, slot, (1 << s.seats) - 1) for slot in range(PLACES * s.seats))


def rank_swaps(view: View, seat: int, seed: int, looks: int = MAX_LOOKS) -> list[tuple[int, float, int]]:
    """The swaps that the bot thinks about, best first; `RuntimeError` if no world fits the view.

    Of each: the action, the turn number at which the game is won after it, on average, and in how many worlds it was
    tried.
    """
    check_view(view, seat)
    worlds = np.zeros(FIRST_WORLDS << (looks - 1), RULES.dtype)
    values, found = np.empty(ACTIONS), np.zeros((3, CANDIDATES), np.int64)
    rate_swaps_for_nearest_goals(record(view, UncoveredPosition), seat, values)
    if not try_swaps_in_worlds(view, seat, key_of(seed_from_text(f"partner {seed}")), values, worlds, found):
        raise RuntimeError("no world fits this view")
    return [(action, turns / tried, tried) for action, turns, tried in found.T.tolist()]


class PartnerBot:
    """Plays Uncovered! with people and bots."""

    def __init__(self, looks: int = MAX_LOOKS) -> None:
        self.looks = looks

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """The action; `ValueError` for another game, or if the seat is not to act."""
        return self.choose_within(game, view, seat, seed, 1.0)

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """The same with a share of the worlds: each look less halves them."""
        if game.name != INFO.name:
            raise ValueError(f"the partner bot plays {INFO.title} only, not {game.info.title}")
        legal_actions_of_view(game, view, seat)
        s = record(view, UncoveredPosition)
        if s.phase == Phase.TURNING:
            return Act.TURN.value
        if can_uncover_safely(s, seat):
            return Act.UNCOVER.value
        if all_known(s):
            return solver_swap(s)
        if s.turn + s.seats >= TURN_CAP:
            return Act.UNCOVER.value  # never to be reached by sensible play: it is now or never
        fewer = math.ceil(-math.log2(effort))
        return rank_swaps(view, seat, seed, max(1, self.looks - fewer))[0][0]


@rule
def round_is_terminal(s: UncoveredPosition) -> bool:
    """The game is a single round."""
    return s.over != RUNNING


@rule
def evaluate(s: UncoveredPosition, out: Floats) -> None:
    """The share of the turn cap that a won game leaves over; 0 for a game that is lost or does not end."""
    worth = 1.0 - s.turn / TURN_CAP if s.won == 1 else 0.0
    for seat in range(s.seats):
        out[seat] = worth


def promising(view: View, seat: int, legal: Sequence[int]) -> list[int]:
    """The swaps that promise most at first sight, and uncovering; all there is when a card may be turned."""
    if Act.UNCOVER not in legal:
        return list(legal)
    values = np.empty(ACTIONS)
    rate_swaps_for_nearest_goals(record(view, UncoveredPosition), seat, values)
    return sorted([*np.argsort(values)[: -1 - CANDIDATES : -1].tolist(), int(Act.UNCOVER)])


EVALUATION = Evaluation(round_is_terminal, evaluate, promising=promising, turns=TURN_CAP)
