"""Uncovered! for partners: a swap is judged by how many turns the whole table needs after it, people and bots alike.

With all cards known the solver's line is followed. Otherwise the bot draws worlds that fit all it knows, tries the most
promising swaps in each and lets everybody play on sensibly (`bots.sensible`), *each by what that seat would
know then*: a swap that shows the others what they need to know counts for as much as one that brings cards home, and no
seat is credited with knowledge it will not have. Swaps that do badly drop out, the others are tried in more worlds.

It uncovers when it is certain that all hands are alike, which the partners can rely on; only when the game is about to
be given up does it uncover on a chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.base import check_view
from facedown.bots.greedy.uncovered import SEQUENCES, sure, weigh
from facedown.bots.sensible import NEVER, rate_goals, rate_swaps, sensible
from facedown.core.chance import generator, key_of, quick_below, quick_seed
from facedown.core.game import Game
from facedown.core.match import seed_from_text
from facedown.core.rule import rule
from facedown.core.slots import world_into
from facedown.core.state import RUNNING
from facedown.games.uncovered.fewest import MOST_TURNS, PLACES, fewest_line
from facedown.games.uncovered.rules import (
    ACTIONS,
    KINDS,
    PAIRS,
    SLOTS,
    SWAPS,
    TURN,
    TURN_CAP,
    TURNING,
    UNCOVER,
    apply,
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
def play_out(s: Any, q: NDArray[np.uint64]) -> int:
    """Everybody plays on by what they know; the turns until the game is won, and more if it is not."""
    stop = min(int(s.turn) + PATIENCE, TURN_CAP)
    while s.over == RUNNING and s.turn < stop:
        seat = 0
        while not np.int64(s.acting) >> seat & 1:
            seat += 1
        apply(s, seat, sensible(s, seat, q))
    turns = np.int64(s.turn)
    return int(turns if s.won == 1 else turns + LOST_TURNS)


@rule
def promise(s: Any, seat: int, values: NDArray[np.float64]) -> None:
    """Write what each swap promises at first sight, on the way to the best of several goals."""
    weight = np.zeros((SLOTS, KINDS), np.int64)
    column = np.zeros((PLACES, KINDS), np.int64)
    whole = weigh(s, seat, weight, column)
    far = np.empty(len(SEQUENCES), np.float64)
    rate_goals(s, column, whole, far)
    order = np.argsort(far)
    one = np.empty(len(values), np.float64)
    for rank in range(GOALS):
        rate_swaps(s, seat, int(order[rank]), weight, column, whole, one)
        for action in range(len(values)):
            values[action] = max(values[action], one[action]) if rank > 0 else one[action]


@rule
def certain(s: Any, seat: int) -> bool:
    """Is the seat certain that uncovering wins now?"""
    weight = np.zeros((SLOTS, KINDS), np.int64)
    column = np.zeros((PLACES, KINDS), np.int64)
    whole = weigh(s, seat, weight, column)
    return sure(s, seat, column, whole)


@rule
def solver_swap(s: Any, hands: NDArray[np.int64], line: NDArray[np.int64]) -> int:
    """The swap that the solver would begin with in a world; `UNCOVER` if it is won."""
    players = np.int64(s.seats)
    for slot in range(PLACES * players):
        hands[slot // PLACES, slot % PLACES] = np.int64(s.card[slot]) + 1
    mover = (np.int64(s.start) + np.int64(s.turn)) % players
    turns = fewest_line(hands, int(mover), s.single_colour_wins == 1, line)
    if turns == 0:
        return UNCOVER
    return int(PAIRS * line[0, 2] + PLACES * line[0, 1] + line[0, 3])


@rule
def try_swaps(
    worlds: Any,
    seat: int,
    first: int,
    end: int,
    swaps: NDArray[np.int32],
    alive: int,
    streams: NDArray[np.uint64],
    turns: NDArray[np.int64],
    scratch: Any,
) -> None:
    """Add to `turns` what each of the first `alive` swaps leads to in the worlds from `first` to `end`."""
    q = np.empty(1, np.uint64)
    for world in range(first, end):
        for i in range(alive):
            scratch[0] = worlds[world]
            # The same luck for every swap.
            q[0] = streams[world]
            apply(scratch[0], seat, int(swaps[i]))
            turns[i] += play_out(scratch[0], q)


@rule
def draw_worlds(view: Any, worlds: Any, scratch: Any, g: NDArray[np.uint32]) -> bool:
    """Fill `worlds` with random worlds that fit a view; False if there is none."""
    for i in range(len(worlds)):
        if not world_into(scratch, view, g):
            return False
        worlds[i] = scratch[0]
    return True


@rule
def consider(
    view: Any,
    seat: int,
    g: NDArray[np.uint32],
    q: NDArray[np.uint64],
    worlds: Any,
    scratch: Any,
    swaps: NDArray[np.int32],
    tried: NDArray[np.int64],
    turns: NDArray[np.int64],
    first_worlds: int,
) -> int:
    """Try the promising swaps, best first in the end; `tried` receives the worlds each was tried in, `turns` the sum.

    Returns how many swaps were considered, 0 if no world fits the view.
    """
    if not draw_worlds(view, worlds, scratch, g):
        return 0
    streams = np.empty(len(worlds), np.uint64)
    for i in range(len(worlds)):
        streams[i] = np.uint64(quick_below(q, 1 << 31)) << np.uint64(32) | np.uint64(quick_below(q, 1 << 31) | 1)
    values = np.empty(ACTIONS, np.float64)
    promise(view, seat, values)
    hands = np.empty((np.int64(view.seats), PLACES), np.int64)
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
def sort_by_turns(swaps: NDArray[np.int32], turns: NDArray[np.int64], alive: int) -> None:
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


def all_known(view: Any, seat: int) -> bool:
    """Does everybody know every card (beginner)? Then the solver's line is the best there is."""
    everybody = (1 << int(view.seats)) - 1
    return all(int(view.known[slot]) & everybody == everybody for slot in range(PLACES * int(view.seats)))


def considered(view: Any, seat: int, seed: int, looks: int = LOOKS) -> list[Tried]:
    """The swaps that the bot thinks about, best first."""
    check_view(view, seat)
    key = key_of(seed_from_text(f"partner {seed}"))
    worlds = np.zeros(FIRST_WORLDS << (looks - 1), view.dtype)
    scratch = np.zeros(1, view.dtype)
    swaps = np.empty(CANDIDATES, np.int32)
    tried, turns = np.empty(CANDIDATES, np.int64), np.empty(CANDIDATES, np.int64)
    n = int(
        consider(view, seat, generator(key, 0), quick_seed(key, 1), worlds, scratch, swaps, tried, turns, FIRST_WORLDS)
    )
    if n == 0:
        raise RuntimeError("no world fits this view")
    return [Tried(int(swaps[i]), float(turns[i] / tried[i]), int(tried[i])) for i in range(n)]


class PartnerBot:
    """Plays Uncovered! with people and bots."""

    def __init__(self, looks: int = LOOKS) -> None:
        self.looks = looks

    def choose(self, game: Game, view: Any, seat: int, seed: int) -> int:
        """The action; `OnlyUncovered` for another game, `ValueError` if the seat is not to act."""
        check_view(view, seat)
        if game.name != "uncovered":
            raise OnlyUncovered(f"the partner bot plays Uncovered! only, not {game.info.title}")
        if not game.legal(view, seat):
            raise ValueError(f"seat {seat} is not to act")
        if int(view.phase) == TURNING:
            return TURN
        if certain(view, seat):
            return UNCOVER
        if all_known(view, seat):
            hands = np.empty((int(view.seats), PLACES), np.int64)
            return int(solver_swap(view, hands, np.empty((MOST_TURNS, 4), np.int64)))
        if int(view.turn) + int(view.seats) >= TURN_CAP:
            return UNCOVER  # never to be reached by sensible play: it is now or never
        return considered(view, seat, seed, self.looks)[0].action
