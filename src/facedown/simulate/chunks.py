"""A chunk of an experiment, played: columns of numbers, a row for each match.

==============================  ======================================================================================
`side`                          the rule set: 0 is A, 1 is B
`deal`, `seating`, `repeat`     what was played: the number of the deal, of the way round the table, of the repetition
`first`                         the seat that began the first round
`over`                          0: stopped after the rounds asked for, 1: played to its end, 2: ended by the guard
`decisions`, `rounds`           how long it was; going on after a round is no decision
`score_0` and so on             the points of each seat, higher is better
`rule_…`                        the game's own counters (`core.counting`)
==============================  ======================================================================================
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from facedown.bots import Bot
from facedown.core.match import Match
from facedown.simulate.counting import count_round, count_step, first_seat
from facedown.simulate.entrants import BotFailed, choice, close
from facedown.simulate.playing import DECISIONS, FIRST, NOTES, OVER, ROUNDS, play_deals
from facedown.simulate.series import choice_seed, moves
from facedown.simulate.setup import Setup
from facedown.simulate.texts import _

Columns = dict[str, NDArray[np.generic]]
#: Returns, notes and counters, a row for each match.
Played = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]


def columns_of(setup: Setup) -> dict[str, type[np.generic]]:
    """The columns of an experiment and their types, in their order."""
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
        **{f"score_{seat}": np.float64 for seat in range(setup.places)},
        **counters,
    }


def rows_of(setup: Setup, chunk: int) -> int:
    """How many rows a chunk has."""
    return len(setup.deals_of(chunk)) * setup.games * len(setup.rule_sets)


def play_chunk(setup: Setup, chunk: int) -> Columns:
    """Play a chunk; the same setup and number give the same rows wherever it is done."""
    deals = setup.deals_of(chunk)
    sides = []
    for side in range(len(setup.rule_sets)):
        played = _compiled(setup, side, deals) if setup.compiled else _by_views(setup, side, deals)
        sides.append(_columns(setup, side, deals, *played))
    kinds = columns_of(setup)
    return {name: np.concatenate([each[name] for each in sides]).astype(kind) for name, kind in kinds.items()}


def _columns(
    setup: Setup,
    side: int,
    deals: range,
    returns: NDArray[np.float64],
    notes: NDArray[np.int64],
    counters: NDArray[np.int64],
) -> Columns:
    games = np.tile(np.arange(setup.games), len(deals))
    return {
        "side": np.full(len(games), side),
        "deal": np.repeat(np.arange(deals.start, deals.stop), setup.games),
        "seating": games % len(setup.seatings),
        "repeat": games // len(setup.seatings),
        "first": notes[:, FIRST],
        "over": notes[:, OVER],
        "decisions": notes[:, DECISIONS],
        "rounds": notes[:, ROUNDS],
        **{f"score_{seat}": returns[:, seat] for seat in range(setup.places)},
        **{f"rule_{counter.key}": counters[:, i] for i, counter in enumerate(setup.module.counts.counters)},
    }


def _room(setup: Setup, matches: int) -> Played:
    return (
        np.zeros((matches, setup.places)),
        np.zeros((matches, NOTES), np.int64),
        np.zeros((matches, len(setup.module.counts.counters)), np.int64),
    )


# --- compiled bots ----------------------------------------------------------------------------------------------------


def _compiled(setup: Setup, side: int, deals: range) -> Played:
    """All deals in one compiled loop; Python's lock is let go meanwhile."""
    game = setup.module
    played = _room(setup, len(deals) * setup.games)
    begun = np.zeros(1, game.dtype)
    begun[0] = game.begun(setup.places, setup.rule_sets[side], bytes(32))
    chances = [[setup.chance(name) for name in setup.sitting(seating)] for seating in range(len(setup.seatings))]
    play_deals(
        np.zeros(2, game.dtype),
        begun,
        setup.master,
        deals.start,
        len(deals),
        game.rules.pause,
        setup.rounds,
        np.array(chances * setup.repeats, np.int64),
        *played,
    )
    return played


# --- all other bots, from views ---------------------------------------------------------------------------------------


def _by_views(setup: Setup, side: int, deals: range) -> Played:
    """Deal by deal, move by move: each bot is asked with what its seat knows."""
    returns, notes, counters = played = _room(setup, len(deals) * setup.games)
    names = {name for seating in range(len(setup.seatings)) for name in setup.sitting(seating)}
    with contextlib.ExitStack() as seated:
        bots = {}
        for name in sorted(names):
            bots[name] = setup.make(name, side)
            seated.callback(close, bots[name])
        for row in range(len(returns)):
            deal, game = deals[row // setup.games], row % setup.games
            match = setup.match(deal, side)
            sitting = [(name, bots[name]) for name in setup.sitting(game % len(setup.seatings))]
            _play(setup, match, sitting, (deal, game), notes[row], counters[row])
            notes[row, OVER] = match.state.over
            returns[row] = match.game.returns(match.state)
    return played


def _play(
    setup: Setup,
    match: Match,
    sitting: Sequence[tuple[str, Bot]],
    number: tuple[int, int],
    notes: NDArray[np.int64],
    counters: NDArray[np.int64],
) -> None:
    """What `playing.play_match` does, with bots that are asked; `BotFailed` names one that does not play."""

    def choose(seat: int) -> int:
        name, player = sitting[seat]
        try:
            return choice(player, match, seat, choice_seed(setup.seed, *number, match.ply))
        except BotFailed as problem:
            raise BotFailed(_("{name} in seat {seat}: {problem}", name=name, seat=seat, problem=problem)) from problem

    notes[FIRST] = first_seat(match.state)
    for seat, action in moves(match, choose, setup.rounds):
        if notes[FIRST] < 0:
            notes[FIRST] = first_seat(match.state)
        if action is None:
            notes[ROUNDS] += 1
            count_round(match.state, counters)
        elif action != match.game.rules.pause:
            notes[DECISIONS] += 1
            count_step(match.state, seat, action, counters)
