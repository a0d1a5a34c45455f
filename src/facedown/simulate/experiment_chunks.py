"""Simulation of one chunk of an experiment. A chunk is a range of deals; it is played and saved as one unit.

The result is a table of numbers with one row per match and these columns:

==============================  ======================================================================================
`side`                          the rule set: 0 for the first (A), 1 for the second (B) if two rule sets are compared
`deal`, `seating`, `repeat`     numbers, from 0, of the deal, of the rotation of the bots, and of the repetition
`first`                         the seat that started the first round, −1 if unknown
`over`                          0: stopped after the requested rounds, 1: played to its end, 2: ended by the limit
`decisions`, `rounds`           the length of the match; confirming that a next round may begin is not a decision
`score_0` and so on             the points of each seat, higher is better
`rule_…`                        counters of game events that the game defines (`core.counters`)
==============================  ======================================================================================

The limit is the engine's limit on the length of a match, which prevents endless matches.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from facedown.bots import Bot
from facedown.core.match import Match
from facedown.simulate.bot_loader import BotFailed, choose_legal_action, close_bot
from facedown.simulate.bot_matches import DECISIONS, FIRST, NOTES, OVER, ROUNDS, Ints, Results, play_deals
from facedown.simulate.counter_dispatch import count_round, count_step, first_seat
from facedown.simulate.deal_series import bot_choice_seed, play_moves
from facedown.simulate.experiment_setup import Setup
from facedown.simulate.i18n import _

Columns = dict[str, NDArray[np.generic]]


def column_types_of(setup: Setup) -> dict[str, type[np.generic]]:
    """Return a dictionary: name of a column of an experiment's table → type of the values in the column.

    The columns are in the order of the table. The docstring of the module describes them.
    """
    counters = {f"rule_{counter.key}": np.int64 for counter in setup.module.counts.counters}
    return {
        "side": np.int8,
        "deal": np.int64,
        "seating": np.int16,
        "repeat": np.int32,
        "first": np.int8,
        "over": np.int8,
        "decisions": np.int32,
        "rounds": np.int32,
        **{f"score_{seat}": np.float64 for seat in range(setup.seat_count)},
        **counters,
    }


def row_count_of_chunk(setup: Setup, chunk: int) -> int:
    """Return how many rows the table of results of one chunk has: one row for each match under each rule set.

    A chunk is a range of deals. `chunk` is its index among all chunks of the experiment, from 0.
    """
    return len(setup.deals_of(chunk)) * setup.matches_per_deal * len(setup.rule_sets)


def play_chunk(setup: Setup, chunk: int) -> Columns:
    """Play one chunk (range of deals). Return a dictionary: name of a column → one value per match.

    `chunk` is the index of the chunk, from 0. The values depend only on `setup` and `chunk`.
    """
    deals, seatings = setup.deals_of(chunk), len(setup.seatings)
    games = np.tile(np.arange(setup.matches_per_deal), len(deals))
    play = _play_deals_compiled if setup.can_play_compiled else _play_deals_by_views
    sides = []
    for side in range(len(setup.rule_sets)):
        results = Results(
            np.zeros((len(games), NOTES), np.int64),
            np.zeros((len(games), setup.seat_count)),
            np.zeros((len(games), len(setup.module.counts.counters)), np.int64),
        )
        play(setup, side, deals, results)
        number = (
            np.full(len(games), side),
            np.repeat(deals, setup.matches_per_deal),
            games % seatings,
            games // seatings,
        )
        sides.append([*number, *(column for array in results for column in array.T)])
    kinds = column_types_of(setup).items()
    both = zip(*sides, strict=True)
    return {name: np.concatenate(column).astype(kind) for (name, kind), column in zip(kinds, both, strict=True)}


# --- compiled bots ----------------------------------------------------------------------------------------------------


def _play_deals_compiled(setup: Setup, side: int, deals: range, results: Results) -> None:
    """Play some deals in one compiled loop, and write one row per match to `results`.

    `side` is the index of the rule set. The loop releases Python's global lock, so several threads can play at the same
    time.
    """
    game = setup.module
    states = np.zeros(3, game.dtype)
    states[0] = game.undealt_state(setup.seat_count, setup.rule_sets[side], bytes(32))
    chances = [
        [setup.random_move_percent(name) for name in setup.bot_names_by_seat(seating)]
        for seating in range(len(setup.seatings))
    ]
    each = np.array(chances * setup.repeats, np.int64)
    play_deals(states, setup.master_key, deals.start, len(deals), game.rules.pause, setup.rounds, each, results)


# --- all other bots ---------------------------------------------------------------------------------------------------


def _play_deals_by_views(setup: Setup, side: int, deals: range, results: Results) -> None:
    """Play the matches of some deals one by one, and write one row per match to `results`.

    `side` is the index of the rule set. Each bot receives the view of its seat.
    """
    names = {name for seating in range(len(setup.seatings)) for name in setup.bot_names_by_seat(seating)}
    with contextlib.ExitStack() as seated:
        bots = {}
        for name in sorted(names):
            bots[name] = setup.make_bot(name, side)
            seated.callback(close_bot, bots[name])
        for row, (notes, returns, counters) in enumerate(zip(*results, strict=True)):
            deal, game = deals[row // setup.matches_per_deal], row % setup.matches_per_deal
            match = setup.new_match(deal, side)
            sitting = [(name, bots[name]) for name in setup.bot_names_by_seat(game % len(setup.seatings))]
            _play_match(setup, match, sitting, (deal, game), notes, counters)
            notes[OVER] = match.state.over
            returns[:] = match.game.returns(match.state)


def _play_match(
    setup: Setup,
    match: Match,
    sitting: Sequence[tuple[str, Bot]],
    number: tuple[int, int],
    notes: Ints,
    counters: Ints,
) -> None:
    """Play a match like `bot_matches.play_match`, but with bots that are Python objects.

    * `sitting`: the pair (name, bot) for each seat.
    * `number`: the pair (number of the deal, number of the match among those on this deal).
    * `notes`: the match's row of `Results.notes`, filled with 0. The columns `FIRST`, `DECISIONS` and `ROUNDS` are
      written; `OVER` is left to the caller.
    * `counters`: the match's row of `Results.counters`. It has one number for each counter that the game defines
      (`core.counters`). A counter says, for example, how often a special case of the rules occurred. The counts of this
      match are added to the row.

    If a bot fails, raise `BotFailed` with the name of the bot.
    """

    def choose(seat: int) -> int:
        name, player = sitting[seat]
        try:
            return choose_legal_action(player, match, seat, bot_choice_seed(setup.seed, *number, match.ply))
        except BotFailed as problem:
            raise BotFailed(_("{name} in seat {seat}: {problem}", name=name, seat=seat, problem=problem)) from problem

    notes[FIRST] = first_seat(match.state)
    for seat, action in play_moves(match, choose, setup.rounds):
        if notes[FIRST] < 0:
            notes[FIRST] = first_seat(match.state)
        if action is None:
            notes[ROUNDS] += 1
            count_round(match.state, counters)
        elif action != match.game.rules.pause:
            notes[DECISIONS] += 1
            count_step(match.state, seat, action, counters)
