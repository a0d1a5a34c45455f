"""Random matches by the million: one compiled loop over the rules of any game.

>>> from facedown.core.game_registry import catalogue
>>> tally = playouts(next(iter(catalogue())), 3, seats=2, seed="an example")
>>> tally.matches, tally.rounds >= 3, tally.decisions > 60
(3, True, True)

Every deal is expanded from a 256-bit key by the same cryptographic generator as at the table. Only the choice among
legal actions uses the quick generator. Where several seats may act, the lowest acts first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core import dispatch
from facedown.core.dispatch import lowest_acting
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.hidden_cards import MAX_LEGAL
from facedown.core.match import BY_CHANCE
from facedown.core.random_numbers import (
    BLOCK_WORDS,
    DOUBLE_ROUNDS,
    chacha_block,
    key_of,
    quick_below,
    seed_quick_generator,
)
from facedown.core.rule import rule
from facedown.core.seeds import new_seed, seed_from_text
from facedown.core.state import ABANDONED, MAX_SEATS, Position

KEY_WORDS = 8


@rule
def match_key(
    master: NDArray[np.uint32], number: int, game: int, key: NDArray[np.uint32], q: NDArray[np.uint64]
) -> None:
    """Write a `key` for match number `number` of a batch, and start the quick generator `q` that chooses its moves.

    Both come from a block of the batch's own key of eight words, `master`. Further games on the same deal have the
    key of `game` 0 and other choices.
    """
    words = np.empty(BLOCK_WORDS, np.uint32)
    chacha_block(master, 0, number, game, words, DOUBLE_ROUNDS)
    for i in range(KEY_WORDS):
        key[i] = words[i]
    seed_quick_generator(q, words, KEY_WORDS)


@rule
def deal_match(s: Position, master: NDArray[np.uint32], number: int, q: NDArray[np.uint64]) -> None:
    """Deal match number `number` of a batch into a state with all that every match begins with, and start its luck.

    `master` is the batch's key of eight words. `q`, a quick generator, receives the luck by which moves are chosen.
    """
    match_key(master, number, 0, s.key, q)
    dispatch.deal(s, np.empty(0, np.int64), BY_CHANCE)


@rule
def run_matches(
    states: Any, master: NDArray[np.uint32], first: int, matches: int, pause: int, returns: NDArray[np.float64]
) -> tuple[int, int, int]:
    """Compiled entry: deal matches number `first` and on, and play random legal actions until each is over.

    `states` has two records: what every match begins with (`core.ruleset.undealt_state`), and room for one; `master` is
    the batch's key of eight words. `returns` has a row for each match, or none at all. Returns how many decisions,
    pauses and abandoned matches there were.
    """
    actions, out = np.empty(MAX_LEGAL, np.int32), np.empty(MAX_SEATS, np.float64)
    q = np.empty(1, np.uint64)
    decisions = pauses = abandoned = 0
    for i in range(matches):
        states[1] = states[0]
        s = states[1]
        deal_match(s, master, first + i, q)
        seat = lowest_acting(s)
        while seat >= 0:
            action = actions[quick_below(q, dispatch.legal(s, seat, actions))]
            dispatch.apply(s, seat, action)
            pauses += action == pause
            decisions += action != pause
            seat = lowest_acting(s)
        abandoned += s.over == ABANDONED
        if len(returns) > 0:
            dispatch.returns(s, out)
            for seat in range(s.seats):
                returns[i, seat] = out[seat]
    return decisions, pauses, abandoned


@rule
def deal_into(states: Any, begun: Any, master: NDArray[np.uint32], first: int) -> None:
    """Compiled entry: deal matches number `first` and on, one into every state of a batch; `begun` is
    what every match begins with, `master` the batch's key.
    """
    q = np.empty(1, np.uint64)
    for i in range(len(states)):
        states[i] = begun[0]
        deal_match(states[i], master, first + i, q)


@dataclass(frozen=True)
class Tally:
    """What many random matches came to."""

    game: str
    seats: int
    matches: int
    decisions: int
    """Actions that were chosen; going on after a round is none."""
    rounds: int
    abandoned: int
    """Matches that ended at the engine's guard."""
    returns: NDArray[np.float64]
    """The final scores, a row for each match, higher is better; no rows when they were not asked for."""


def _prepare_batch(
    game: str | GameModule, seats: int | None, options: Mapping[str, str] | None, seed: str | bytes | None
) -> tuple[GameModule, int, NDArray[Any], NDArray[np.uint32]]:
    """A loaded game, its players, a begun match and the key of a batch; `OptionError` for what cannot be."""
    loaded = load_game(game) if isinstance(game, str) else game
    players = loaded.info.seats[0] if seats is None else seats
    chosen = loaded.check_options(players, dict(options or {}))
    key = new_seed() if seed is None else seed if isinstance(seed, bytes) else seed_from_text(seed)
    begun = np.zeros(1, loaded.dtype)
    begun[0] = loaded.undealt_state(players, chosen, key)
    return loaded, players, begun, key_of(key)


def playouts(
    game: str | GameModule,
    matches: int,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    seed: str | bytes | None = None,
    first: int = 0,
    keep_returns: bool = True,
) -> Tally:
    """Play whole random matches and count them; the same seed gives the same matches.

    `first` is the number of the first match: parts of one large batch can be played by several processes. `ValueError`
    (an `OptionError` for what the game does not have) says what cannot be played.
    """
    if matches < 1:
        raise ValueError(f"at least one match is played, not {matches}")
    loaded, players, begun, master = _prepare_batch(game, seats, options, seed)
    returns = np.zeros((matches if keep_returns else 0, players), np.float64)
    found = run_matches(np.repeat(begun, 2), master, first, matches, loaded.rules.pause, returns)
    decisions, pauses, abandoned = map(int, found)
    # Every seat goes on after every round but the last.
    return Tally(loaded.name, players, matches, decisions, matches + pauses // players, abandoned, returns)


def deal_batch(
    game: str | GameModule,
    matches: int,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    seed: str | bytes | None = None,
    first: int = 0,
) -> NDArray[Any]:
    """An array of states, each a match just dealt; the same seed deals the same matches as `playouts` plays.

    `ValueError` if not even one is asked for, or for what the game does not have.
    """
    if matches < 1:
        raise ValueError(f"at least one match is dealt, not {matches}")
    loaded, _, begun, master = _prepare_batch(game, seats, options, seed)
    states: NDArray[Any] = np.zeros(matches, loaded.dtype).view(np.recarray)
    deal_into(states, begun, master, first)
    return states
