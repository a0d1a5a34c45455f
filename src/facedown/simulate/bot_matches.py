"""Matches between compiled bots by the million: one loop over the rules, the bots and the counters of any game.

A seat is taken by a greedy bot, by one that plays anything that is allowed, or by something between the two: a share of
its moves comes by chance (`bots.simple_bots`). The greedy policy reads public fields and what its seat knows, so it
plays on the state just what it would play on its view.

The key of a deal follows from the batch's key and the deal's number (`playout.match_key`); the choices among equals and
by chance follow from these and from the number of the game that is played on the deal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.bots.simple_bots import greedy, is_reckless
from facedown.core import dispatch
from facedown.core.dispatch import lowest_acting
from facedown.core.hidden_cards import MAX_LEGAL
from facedown.core.random_numbers import quick_below
from facedown.core.rule import rule
from facedown.core.state import MAX_SEATS, Position
from facedown.simulate.counters import count_round, count_step, first_seat
from facedown.simulate.random_playouts import KEY_WORDS, deal_match, match_key

#: What is noted of every match, by its place in a row of `notes` (which is that of its column in `chunks`).
FIRST, OVER, DECISIONS, ROUNDS = range(4)
NOTES = 4
#: A bot all of whose moves come by chance.
ALWAYS_RANDOM = 100


Ints = NDArray[np.int64]
#: The word of a quick generator.
QuickGenerator = NDArray[np.uint64]
#: Room for the legal actions of a seat.
Actions = NDArray[np.int32]


class Results(NamedTuple):
    """What is kept of matches, a row for each."""

    notes: Ints
    returns: NDArray[np.float64]
    counters: Ints
    """How often each rule of the game applied."""


@rule
def random_action(s: Position, seat: int, q: QuickGenerator, careful: bool, actions: Actions) -> int:
    """Any legal action, all equally likely by the quick generator `q`; if `careful` no reckless one, -1 if all are.

    `actions` is room for them.
    """
    n = dispatch.legal(s, seat, actions)
    free = 0
    for i in range(n):
        if not (careful and is_reckless(s, seat, actions[i])):
            actions[free] = actions[i]
            free += 1
    return actions[quick_below(q, free)] if free > 0 else -1


@rule
def choose_action(s: Position, seat: int, chance: int, q: QuickGenerator, actions: Actions) -> int:
    """The move of a bot that plays anything in `chance` moves of a hundred, and else greedily.

    One that always does takes any legal action; others never take a reckless one by chance. `q` is a quick generator,
    `actions` is room for the legal ones.
    """
    if chance >= ALWAYS_RANDOM:
        return random_action(s, seat, q, False, actions)
    if chance > 0 and quick_below(q, ALWAYS_RANDOM) < chance:
        move = random_action(s, seat, q, True, actions)
        if move >= 0:
            return move
    return greedy(s, seat, q)


@rule
def play_match(
    s: Position,
    pause: int,
    rounds: int,
    chances: Ints,
    q: QuickGenerator,
    actions: Actions,
    notes: Ints,
    counters: Ints,
) -> None:
    """Play a match that was dealt to its end, or until so many rounds are over (0: to its end); note and count it.

    `chances`, by seat, `q` and `actions` are those of `choose_action`; `notes` and `counters` receive what is noted of
    the match, and how often each rule applied.
    """
    notes[FIRST] = first_seat(s)
    pausing = False
    seat = lowest_acting(s)
    while seat >= 0:
        action = choose_action(s, seat, chances[seat], q, actions)
        if action == pause:
            if not pausing:
                notes[ROUNDS] += 1
                count_round(s, counters)
                if notes[ROUNDS] == rounds:
                    return
            pausing = True
        else:
            pausing = False
            notes[DECISIONS] += 1
            count_step(s, seat, action, counters)
        dispatch.apply(s, seat, action)
        if notes[FIRST] < 0:
            notes[FIRST] = first_seat(s)
        seat = lowest_acting(s)
    notes[ROUNDS] += 1
    count_round(s, counters)


@rule
def play_deals(
    states: Any,
    master: NDArray[np.uint32],
    first: int,
    deals: int,
    pause: int,
    rounds: int,
    chances: Ints,
    out: Results,
) -> None:
    """Compiled entry: play deals number `first` and on, each in as many games as `chances` has rows.

    ``chances[game, seat]`` says how many moves of a hundred come by chance. `states` has three records: what every
    match begins with, and room for two. `master` is the batch's key. `out` has a row for each match, deal by deal and
    game by game.
    """
    notes, returns, counters = out
    actions, points = np.empty(MAX_LEGAL, np.int32), np.empty(MAX_SEATS, np.float64)
    q, key = np.empty(1, np.uint64), np.empty(KEY_WORDS, np.uint32)
    games = len(chances)
    row = 0
    for i in range(deals):
        states[1] = states[0]
        deal_match(states[1], master, first + i, q)
        for game in range(games):
            states[2] = states[1]
            s = states[2]
            if game > 0:
                # Other choices on the same deal.
                match_key(master, first + i, game, key, q)
            play_match(s, pause, rounds, chances[game], q, actions, notes[row], counters[row])
            notes[row, OVER] = s.over
            dispatch.returns(s, points)
            for seat in range(s.seats):
                returns[row, seat] = points[seat]
            row += 1
