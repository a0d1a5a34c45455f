"""Simulation of millions of matches between compiled bots, in one compiled loop.

The loop calls the rules, the bots and the event counters of whichever game is played.

Each seat has one of these bots (`bots.simple_bots`):

* the greedy bot;
* a bot that plays random legal actions;
* a bot that plays a given percentage of its moves at random, and the others greedily.

The greedy bot reads only public fields and what its seat knows. So the loop gives it the whole state: the bot chooses
the same action as with the seat's view.

All random numbers are derived from one master key, which the caller of `play_deals` supplies
(`random_playouts.write_key_and_seed_generator`):

* The cards of a deal depend only on the master key and on the deal's number.
* Random moves, and choices between equally good actions, come from a fast random number generator. Its seed depends
  also on the number of the match on the deal, so matches with the same cards differ in these choices.
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
from facedown.simulate.counter_dispatch import count_round, count_step, first_seat
from facedown.simulate.random_playouts import KEY_WORDS, deal_match, write_key_and_seed_generator

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
    """Results of matches: arrays with one row per match."""

    notes: Ints
    """Columns: the seat that started (`FIRST`; −1 if unknown), how the match ended (`OVER`), the number of decisions
    (`DECISIONS`) and the number of rounds (`ROUNDS`)."""
    returns: NDArray[np.float64]
    """Final scores, one column per seat."""
    counters: Ints
    """Values of the game's counters (how often certain events of this game happened), one column per counter."""


@rule
def random_legal_action(s: Position, seat: int, q: QuickGenerator, careful: bool, actions: Actions) -> int:
    """Return a random legal action of `seat`, all with equal probability.

    With `careful`, actions that the game marks as reckless are left out. An action is reckless if a wrong guess loses
    the whole game or hand at once, or if the aim of the action can no longer be reached (`core.bot.Policy.reckless`).
    Return −1 if all actions are reckless. `q` is the state of the fast random number generator. `actions` is a buffer
    for legal actions, which is overwritten.
    """
    n = rule_dispatch.legal(s, seat, actions)
    free = 0
    for i in range(n):
        if not (careful and is_reckless(s, seat, actions[i])):
            actions[free] = actions[i]
            free += 1
    return actions[quick_randint(q, free)] if free > 0 else -1


@rule
def random_or_greedy_action(s: Position, seat: int, chance: int, q: QuickGenerator, actions: Actions) -> int:
    """Return the action of a bot that plays `chance` per cent of its moves at random and the others greedily.

    At 100 per cent, any legal action may be chosen. Below that, actions that the game marks as reckless are never
    chosen at random. An action is reckless if a wrong guess loses the whole game or hand at once, or if the aim of the
    action can no longer be reached (`core.bot.Policy.reckless`). If all legal actions are reckless, the greedy action
    is returned. `q` is the state of the fast random number generator. `actions` is a buffer for legal actions, which is
    overwritten.
    """
    if chance >= ALWAYS_RANDOM:
        return random_legal_action(s, seat, q, False, actions)
    if chance > 0 and quick_randint(q, ALWAYS_RANDOM) < chance:
        move = random_legal_action(s, seat, q, True, actions)
        if move >= 0:
            return move
    return greedy(s, seat, q)


@rule
def play_match(
    s: Position,
    continue_after_round_action: int,
    rounds: int,
    chances: Ints,
    q: QuickGenerator,
    actions: Actions,
    notes: Ints,
    counters: Ints,
) -> None:
    """Play a match between compiled bots and record its results.

    * `s`: the position after the deal. It is changed by the moves; at the end it is the final position.
    * `continue_after_round_action`: the action by which a player merely confirms that the next round may begin; −1 if
      the game has none. It does not count as a decision.
    * `rounds`: number of rounds after which the match stops; 0: play the whole match.
    * `chances`: for each seat, the percentage of moves that the bot at this seat plays at random. The bot plays its
      other moves greedily. So 0 stands for the greedy bot, and 100 for the bot that plays random legal actions.
    * `q`: state of the fast random number generator.
    * `actions`: buffer for legal actions, which is overwritten.
    * `notes`: the match's row of `Results.notes`, filled with 0. The columns `FIRST`, `DECISIONS` and `ROUNDS` are
      written.
    * `counters`: the match's row of `Results.counters`, with one number for each counter of the game. A counter counts
      certain events, such as a special case of the rules (`core.counters`). The events of this match are added.
    """
    notes[FIRST] = first_seat(s)
    pausing = False
    seat = lowest_acting(s)
    while seat >= 0:
        action = random_or_greedy_action(s, seat, chances[seat], q, actions)
        if action == continue_after_round_action:
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
    chances_per_match_and_seat: Ints,
    out: Results,
) -> None:
    """Play one or more matches on each of the deals with the numbers `first` to `first + deals - 1`.

    Parameters:

    * `states`: array of three positions (records). ``states[0]`` is the position before the deal. The other two are
      used as work space.
    * `master`: key from which the random keys of all deals are derived.
    * `pause`: the action by which a player merely confirms that the next round may begin; −1 if the game has none.
    * `rounds`: number of rounds after which each match stops; 0: play whole matches.
    * `chances_per_match_and_seat`: percentage of moves that each bot plays at random; it plays the others greedily.
      There is one row for each match to be played on a deal, and one column per seat.
    * `out`: receives one row per match, ordered by deal, then by row of `chances_per_match_and_seat`.
    """
    notes, returns, counters = out
    actions, points = np.empty(MAX_LEGAL, np.int32), np.empty(MAX_SEATS, np.float64)
    q, key = np.empty(1, np.uint64), np.empty(KEY_WORDS, np.uint32)
    games = len(chances_per_match_and_seat)
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
                write_key_and_seed_generator(master, first + i, game, key, q)
            play_match(s, pause, rounds, chances_per_match_and_seat[game], q, actions, notes[row], counters[row])
            notes[row, OVER] = s.over
            rule_dispatch.returns(s, points)
            for seat in range(s.seats):
                returns[row, seat] = points[seat]
            row += 1
