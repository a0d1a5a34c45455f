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

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import check_view, choices
from facedown.core.chance import generator, key_of, quick_seed, quick_stream
from facedown.core.game import GameModule
from facedown.core.masks import includes
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.core.slots import world_into
from facedown.core.state import RUNNING, View, record
from facedown.games.uncovered.cards import LOWEST, PLACES
from facedown.games.uncovered.fewest import MOST_TURNS, fewest_line
from facedown.games.uncovered.info import INFO
from facedown.games.uncovered.partner_policy import rate_goals, rate_swaps, rollout_policy
from facedown.games.uncovered.policy import NEVER, all_know, sure, weigh
from facedown.games.uncovered.rules import (
    ACTIONS,
    RULES,
    TURN_CAP,
    Act,
    Phase,
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
        while not includes(s.acting, seat):
            seat += 1
        apply(s, seat, rollout_policy(s, seat, q))
    return s.turn if s.won == 1 else s.turn + LOST_TURNS


@rule
def promise(s: UncoveredPosition, seat: int, values: NDArray[np.float64]) -> None:
    """Write what each swap promises at first sight, on the way to the best of several goals, `NEVER` for the rest."""
    weighed = weigh(s, 1 << seat)
    nearest_first = np.argsort(rate_goals(s, weighed))
    values[:] = NEVER
    one = np.full(ACTIONS, NEVER)
    for rank in range(GOALS):
        rate_swaps(s, seat, nearest_first[rank], weighed, one)
        for action in range(ACTIONS):
            values[action] = max(values[action], one[action])


@rule
def certain(s: UncoveredPosition, seat: int) -> bool:
    """Is the seat certain that uncovering wins now?"""
    return sure(s, seat, weigh(s, 1 << seat))


@rule
def solver_swap(s: UncoveredPosition) -> int:
    """The swap that the solver would begin with in a world; `Act.UNCOVER` if it is won."""
    hands = np.empty((s.seats, PLACES), np.int64)
    for slot in range(PLACES * s.seats):
        hands[slot // PLACES, slot % PLACES] = s.card[slot] + LOWEST
    line = np.empty((MOST_TURNS, 4), np.int64)
    turns = fewest_line(hands, (s.start + s.turn) % s.seats, single_colour_wins(s), line)
    return Act.UNCOVER if turns == 0 else swap_action(line[0, 1], line[0, 2], line[0, 3])


@rule
def consider(
    view: View,
    seat: int,
    key: NDArray[np.uint32],
    values: NDArray[np.float64],
    worlds: NDArray[Any],
    found: NDArray[np.int64],
) -> bool:
    """Try the promising swaps in random worlds that fit a view, and fill `worlds` with these.

    `values` say what each action promises (`promise`); the swaps that the solver would begin with get more. In `found`
    stand then the swaps, best first, the turns that the game took after each in all its worlds, and how many these
    were. False if no world fits the view.
    """
    swaps, turns, tried = found[0], found[1], found[2]
    g, q = generator(key, 0), quick_seed(key, 1)
    scratch = worlds[:1].copy()
    streams = np.empty(len(worlds), np.uint64)
    for i in range(len(worlds)):
        if not world_into(scratch, view, g):
            return False
        worlds[i] = scratch[0]
        streams[i] = quick_stream(q)
    for i in range(SOLVED_WORLDS):
        best = solver_swap(worlds[i])
        if best != Act.UNCOVER:
            values[best] = SURELY
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


def considered(view: View, seat: int, seed: int, looks: int = LOOKS) -> list[tuple[int, float, int]]:
    """The swaps that the bot thinks about, best first; `RuntimeError` if no world fits the view.

    Of each: the action, the turn number at which the game is won after it, on average, and in how many worlds it was
    tried.
    """
    check_view(view, seat)
    worlds = np.zeros(FIRST_WORLDS << (looks - 1), RULES.dtype)
    values, found = np.empty(ACTIONS), np.zeros((3, CANDIDATES), np.int64)
    promise(record(view, UncoveredPosition), seat, values)
    if not consider(view, seat, key_of(seed_from_text(f"partner {seed}")), values, worlds, found):
        raise RuntimeError("no world fits this view")
    return [(action, turns / tried, tried) for action, turns, tried in found.T.tolist()]


class PartnerBot:
    """Plays Uncovered! with people and bots."""

    def __init__(self, looks: int = LOOKS) -> None:
        self.looks = looks

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """The action; `ValueError` for another game, or if the seat is not to act."""
        return self.choose_within(game, view, seat, seed, 1.0)

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """The same with a share of the worlds: each look less halves them."""
        if game.name != INFO.name:
            raise ValueError(f"the partner bot plays {INFO.title} only, not {game.info.title}")
        choices(game, view, seat)
        s = record(view, UncoveredPosition)
        if s.phase == Phase.TURNING:
            return Act.TURN.value
        if certain(s, seat):
            return Act.UNCOVER.value
        if all_known(s):
            return solver_swap(s)
        if s.turn + s.seats >= TURN_CAP:
            return Act.UNCOVER.value  # never to be reached by sensible play: it is now or never
        fewer = math.ceil(-math.log2(effort))
        return considered(view, seat, seed, max(1, self.looks - fewer))[0][0]
