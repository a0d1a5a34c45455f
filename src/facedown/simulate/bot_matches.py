"""Simulation of millions of matches between compiled bots, in one compiled loop.

The loop calls the rules, the bots and the event counters of whichever game is played.

Each seat has a greedy bot, a bot that plays random legal actions, or a mixture: a bot that plays a given percentage of
its moves at random (`bots.simple_bots`). The greedy policy reads only public fields and what its seat knows. Therefore
it can be given the whole state, and chooses the same action as if it were given only what its seat knows.

The random key of a deal is derived from the key of the whole batch and the deal's number (`random_playouts.match_key`).
A second random generator supplies random moves, and choices between equally good actions. Its seed is different for
each match on the same deal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.bots.simple_bots import greedy, is_reckless
from facedown.core import rule_dispatch
from facedown.core.hidden_cards import MAX_LEGAL
from facedown.core.random_numbers import quick_randint
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.state import MAX_SEATS, Position
from facedown.simulate.counters import count_round, count_step, first_seat
from facedown.simulate.random_playouts import KEY_WORDS, deal_match, match_key

#: Columns of `Results.notes`: the seat that starts the match, how the match ended (the value of the record's field
#: `over`), the number of decisions, and the number of rounds.
FIRST, OVER, DECISIONS, ROUNDS = range(4)
NOTES = 4
#: Percentage of random moves for a bot that plays every move at random.
ALWAYS_RANDOM = 100


Ints = NDArray[np.int64]
#: State of a fast random number generator (`core.random_numbers`): an array of one 64-bit word.
QuickGenerator = NDArray[np.uint64]
#: Buffer that a function fills with the legal actions of a seat.
Actions = NDArray[np.int32]


class Results(NamedTuple):
    """Results of matches: arrays with one row per match. `notes` has the columns `FIRST` to `ROUNDS`, `returns` the
    scores.
    """

    notes: Ints
    returns: NDArray[np.float64]
    counters: Ints
    """Values of the game's counters (how often certain events of this game happened), one column per counter."""


@rule
def random_action(s: Position, seat: int, q: QuickGenerator, careful: bool, actions: Actions) -> int:
    """Return a random legal action of `seat`, all with equal probability.

    With `careful`, actions that the game declares as reckless (`core.bot.Policy.reckless`) are left out; return −1 if
    all are reckless. `q` is the state of the fast random number generator. `actions` is overwritten with the legal
    actions.
    """
    n = rule_dispatch.legal(s, seat, actions)
    free = 0
    for i in range(n):
        if not (careful and is_reckless(s, seat, actions[i])):
            actions[free] = actions[i]
            free += 1
    return actions[quick_randint(q, free)] if free > 0 else -1


@rule
def choose_action(s: Position, seat: int, chance: int, q: QuickGenerator, actions: Actions) -> int:
    """Return the action of a bot that plays `chance` per cent of its moves at random and the others greedily.

    At 100 per cent, any legal action may be played. Below that, random moves are never reckless
    (`core.bot.Policy.reckless`). `q` is the state of the fast random number generator. `actions` is overwritten with
    the legal actions.
    """
    if chance >= ALWAYS_RANDOM:
        return random_action(s, seat, q, False, actions)
    if chance > 0 and quick_randint(q, ALWAYS_RANDOM) < chance:
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
    """Play a dealt match to its end, or until `rounds` rounds are over (0: to its end), and record its results.

    `chances` has the percentage of random moves by seat. `q` is the state of the fast random number generator. `pause`
    is the action that only continues after a round, or −1 if the game has none. `actions` is overwritten. The results
    are added to `notes` (columns `FIRST`, `DECISIONS` and `ROUNDS`) and to `counters` (how often certain events of this
    game happened).
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
        rule_dispatch.apply(s, seat, action)
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
    """Play the deals with the numbers from `first` to `first + deals - 1`, each once for every row of `chances`.

    ``chances[game, seat]`` is the percentage of random moves. `states` is an array of three records: ``states[0]`` is
    the initial state (no cards dealt yet), the other two are overwritten. `master` is the key from which the keys of
    all deals are derived. `pause` is the action that only continues after a round, or −1 if the game has none. Each
    match stops after `rounds` rounds (0: at its end). `out` receives one row per match, ordered by deal, then by row of
    `chances`. Plain Python code, which is not compiled, calls this compiled function.
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
                # Play the same deal with other random choices. The call seeds `q` for them. The key that it writes is
                # not used.
                match_key(master, first + i, game, key, q)
            play_match(s, pause, rounds, chances[game], q, actions, notes[row], counters[row])
            notes[row, OVER] = s.over
            rule_dispatch.returns(s, points)
            for seat in range(s.seats):
                returns[row, seat] = points[seat]
            row += 1
