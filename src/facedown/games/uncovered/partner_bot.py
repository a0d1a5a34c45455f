"""Uncovered! for partners: a swap is judged by how many turns the whole table needs after it, people and bots alike.

With all cards known the solver's line is followed. Otherwise the bot draws worlds that fit all it knows, tries the most
promising swaps in each and lets everybody play on (`games.uncovered.partner_policy`), *each by what that seat would
know then*: a swap that shows the others what they need to know counts for as much as one that brings cards home,
and no seat is credited with knowledge it will not have. Swaps that do badly drop out, the others are tried in more
worlds.

It uncovers when it is certain that all hands are alike, which the partners can rely on; only when the game is about to
be given up does it uncover on a chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import check_view
from facedown.core.chance import generator, key_of, quick_below, quick_seed
from facedown.core.game import GameModule
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.core.slots import world_into
from facedown.core.state import RUNNING, Floats, Ints, View, record
from facedown.games.uncovered.cards import KINDS, LOWEST, PLACES
from facedown.games.uncovered.fewest import MOST_TURNS, fewest_line
from facedown.games.uncovered.info import INFO
from facedown.games.uncovered.partner_policy import NEVER, rate_goals, rate_swaps, rollout_policy
from facedown.games.uncovered.policy import SEQUENCES, all_know, sure, weigh
from facedown.games.uncovered.rules import (
    ACTIONS,
    RULES,
    SLOTS,
    SWAPS,
    TURN,
    TURN_CAP,
    TURNING,
    UNCOVER,
    UncoveredPosition,
    apply,
    single_colour_wins,
    swap_action,
)

#: What a game that is lost or goes on too long counts for, in turns on top of those it took.
LOST_TURNS = 40
#: A play-out is given up after so many turns.
PATIENCE = 60
#: Worlds of the first look, which all candidates get; each later look has twice as many for half of them.
FIRST_WORLDS = 24
CANDIDATES = 16
LOOKS = 4
#: The goals nearest to the cards, each of which may propose swaps.
GOALS = 4
#: Worlds in which the solver is asked for its swap.
SOLVED_WORLDS = 4
#: What the solver proposes is tried in any case.
SURELY = 1e18


@rule
def rollout(s: UncoveredPosition, q: NDArray[np.uint64]) -> int:
    """Everybody plays on by what they know; the turns until the game is won, and more if it is not."""
    stop = min(s.turn + PATIENCE, TURN_CAP)
    while s.over == RUNNING and s.turn < stop:
        seat = 0
        while not s.acting >> seat & 1:
            seat += 1
        apply(s, seat, rollout_policy(s, seat, q))
    return s.turn if s.won == 1 else s.turn + LOST_TURNS


@rule
def promise(s: UncoveredPosition, seat: int, values: Floats) -> None:
    """Write what each swap promises at first sight, on the way to the best of several goals."""
    weight = np.zeros((SLOTS, KINDS), np.int64)
    column = np.zeros((PLACES, KINDS), np.int64)
    whole = weigh(s, seat, weight, column)
    far = np.empty(len(SEQUENCES), np.float64)
    rate_goals(s, column, whole, far)
    order = np.argsort(far)
    one = np.empty(len(values), np.float64)
    for rank in range(GOALS):
        rate_swaps(s, seat, order[rank], weight, column, whole, one)
        for action in range(len(values)):
            values[action] = max(values[action], one[action]) if rank > 0 else one[action]


@rule
def certain(s: UncoveredPosition, seat: int) -> bool:
    """Is the seat certain that uncovering wins now?"""
    weight = np.zeros((SLOTS, KINDS), np.int64)
    column = np.zeros((PLACES, KINDS), np.int64)
    whole = weigh(s, seat, weight, column)
    return sure(s, seat, column, whole)


@rule
def solver_swap(s: UncoveredPosition, hands: NDArray[np.int64], line: NDArray[np.int64]) -> int:
    """The swap that the solver would begin with in a world; `UNCOVER` if it is won."""
    for slot in range(PLACES * s.seats):
        hands[slot // PLACES, slot % PLACES] = s.card[slot] + LOWEST
    mover = (s.start + s.turn) % s.seats
    turns = fewest_line(hands, mover, single_colour_wins(s), line)
    if turns == 0:
        return UNCOVER
    return swap_action(line[0, 1], line[0, 2], line[0, 3])


@rule
def try_swaps(
    worlds: NDArray[Any],
    seat: int,
    first: int,
    end: int,
    swaps: Ints,
    alive: int,
    streams: NDArray[np.uint64],
    turns: Ints,
    scratch: NDArray[Any],
) -> None:
    """Add to `turns` what each of the first `alive` swaps leads to in the worlds from `first` to `end`."""
    q = np.empty(1, np.uint64)
    for world in range(first, end):
        for i in range(alive):
            scratch[0] = worlds[world]
            # The same luck for every swap.
            q[0] = streams[world]
            apply(scratch[0], seat, swaps[i])
            turns[i] += rollout(scratch[0], q)


@rule
def draw_worlds(view: View, worlds: NDArray[Any], scratch: NDArray[Any], g: NDArray[np.uint32]) -> bool:
    """Fill `worlds` with random worlds that fit a view; False if there is none."""
    for i in range(len(worlds)):
        if not world_into(scratch, view, g):
            return False
        worlds[i] = scratch[0]
    return True


@rule
def consider(
    view: View,
    seat: int,
    g: NDArray[np.uint32],
    q: NDArray[np.uint64],
    worlds: NDArray[Any],
    scratch: NDArray[Any],
    values: NDArray[np.float64],
    swaps: Ints,
    tried: Ints,
    turns: Ints,
    first_worlds: int,
) -> int:
    """Try the promising swaps, best first in the end; `tried` receives the worlds each was tried in, `turns` the sum.

    `values` says what each action promises (`promise`); the swaps that the solver would begin with get more.
    Returns how many swaps were considered, 0 if no world fits the view.
    """
    if not draw_worlds(view, worlds, scratch, g):
        return 0
    streams = np.empty(len(worlds), np.uint64)
    for i in range(len(worlds)):
        streams[i] = np.uint64(quick_below(q, 1 << 31)) << np.uint64(32) | np.uint64(quick_below(q, 1 << 31) | 1)
    hands = np.empty((view.seats, PLACES), np.int64)
    line = np.empty((MOST_TURNS, 4), np.int64)
    for i in range(min(SOLVED_WORLDS, len(worlds))):
        best = solver_swap(worlds[i], hands, line)
        if best < SWAPS:
            values[best] = SURELY
    found = 0
    order = np.argsort(values)
    for i in range(ACTIONS - 1, -1, -1):
        if found < len(swaps) and values[order[i]] > NEVER:
            swaps[found] = order[i]
            tried[found] = 0
            turns[found] = 0
            found += 1
    alive = found
    first = 0
    end = first_worlds
    while end <= len(worlds):
        try_swaps(worlds, seat, first, end, swaps, alive, streams, turns, scratch)
        for i in range(alive):
            tried[i] = end
        sort_by_turns(swaps, turns, alive)
        alive = max(2, alive // 2)
        first = end
        end = 2 * end
    return found


@rule
def sort_by_turns(swaps: Ints, turns: Ints, alive: int) -> None:
    """Put the swaps that need the fewest turns first."""
    for i in range(1, alive):
        swap = swaps[i]
        need = turns[i]
        at = i
        while at > 0 and turns[at - 1] > need:
            swaps[at] = swaps[at - 1]
            turns[at] = turns[at - 1]
            at -= 1
        swaps[at] = swap
        turns[at] = need


@dataclass(frozen=True, slots=True)
class Tried:
    """A swap that was considered."""

    action: int
    turns: float
    """The turn number at which the game is won after it, on average."""
    worlds: int
    """In how many worlds it was tried."""


class OnlyUncovered(ValueError):
    """The partner bot was asked to play another game."""


def all_known(s: UncoveredPosition) -> bool:
    """Does everybody know every card (beginner)? Then the solver's line is the best there is."""
    return all(all_know(s, slot, (1 << s.seats) - 1) for slot in range(PLACES * s.seats))


def considered(view: View, seat: int, seed: int, looks: int = LOOKS) -> list[Tried]:
    """The swaps that the bot thinks about, best first."""
    check_view(view, seat)
    key = key_of(seed_from_text(f"partner {seed}"))
    worlds = np.zeros(FIRST_WORLDS << (looks - 1), RULES.dtype)
    scratch = np.zeros(1, RULES.dtype)
    swaps, tried, turns = (np.empty(CANDIDATES, np.int64) for _ in range(3))
    values = np.empty(ACTIONS, np.float64)
    promise(record(view, UncoveredPosition), seat, values)
    g, q = generator(key, 0), quick_seed(key, 1)
    n = consider(view, seat, g, q, worlds, scratch, values, swaps, tried, turns, FIRST_WORLDS)
    if n == 0:
        raise RuntimeError("no world fits this view")
    found = zip(swaps[:n].tolist(), turns[:n].tolist(), tried[:n].tolist(), strict=True)
    return [Tried(action, total / worlds_tried, worlds_tried) for action, total, worlds_tried in found]


class PartnerBot:
    """Plays Uncovered! with people and bots."""

    def __init__(self, looks: int = LOOKS) -> None:
        self.looks = looks

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """The action; `OnlyUncovered` for another game, `ValueError` if the seat is not to act."""
        check_view(view, seat)
        if game.name != INFO.name:
            raise OnlyUncovered(f"the partner bot plays {INFO.title} only, not {game.info.title}")
        if not game.legal(view, seat):
            raise ValueError(f"seat {seat} is not to act")
        s = record(view, UncoveredPosition)
        if s.phase == TURNING:
            return TURN
        if certain(s, seat):
            return UNCOVER
        if all_known(s):
            return solver_swap(s, np.empty((s.seats, PLACES), np.int64), np.empty((MOST_TURNS, 4), np.int64))
        if s.turn + s.seats >= TURN_CAP:
            return UNCOVER  # never to be reached by sensible play: it is now or never
        return considered(view, seat, seed, self.looks)[0].action
