"""Fast play of many random matches of any game, in one compiled loop.

>>> from facedown.core.game_registry import catalogue
>>> tally = playouts(next(iter(catalogue())), 3, seats=2, seed="an example")
>>> tally.matches, tally.rounds >= 3, tally.decisions > 60
(3, True, True)

A series of matches has one 256-bit key, the *master* key, from which all its random numbers are derived. The matches of
a series are numbered from 0.

* Each deal has its own 256-bit key, which is derived from the master key and the number of the match. As in real play,
  a cryptographic random generator deals the cards from this key.
* The choice among legal actions uses a fast random number generator that is not cryptographic (`core.random_numbers`).
  For each match it starts from a seed, which is also derived from the master key and the number of the match.

If several seats may act, the seat with the lowest number acts first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core import rule_dispatch
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.hidden_cards import MAX_LEGAL
from facedown.core.match import BY_CHANCE
from facedown.core.random_numbers import (
    BLOCK_WORDS,
    DOUBLE_ROUNDS,
    chacha_block,
    init_quick,
    key_of,
    quick_randint,
)
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.seeds import new_seed, seed_from_text
from facedown.core.state import ABANDONED, MAX_SEATS, Position

KEY_WORDS = 8


@rule
def write_key_and_seed_generator(
    master: NDArray[np.uint32], number: int, game: int, key: NDArray[np.uint32], q: NDArray[np.uint64]
) -> None:
    """Write a random key for deal `number` of a series to `key`, and seed the fast random number generator `q`.

    `key` determines the cards, `q` the random choices of moves. Both are derived from `master` (the key of the series,
    eight 32-bit words), from `number` and from `game`.

    If several matches are played with the same cards (the same deal), `game` is the index of the match among them,
    else 0. For these matches:

    * All are dealt with the key written for `game` 0. The keys written for the others are not used.
    * Each makes its random choices with the `q` seeded for its own `game`.
    """
    words = np.empty(BLOCK_WORDS, np.uint32)
    chacha_block(master, 0, number, game, words, DOUBLE_ROUNDS)
    for i in range(KEY_WORDS):
        key[i] = words[i]
    init_quick(q, words, KEY_WORDS)


@rule
def deal_match(s: Position, master: NDArray[np.uint32], number: int, q: NDArray[np.uint64]) -> None:
    """Deal a match into `s`, an initial state (no cards dealt yet), and seed `q` for the random moves of the match.

    The deal and the seed depend only on `master`, a key of eight 32-bit words, and on `number`, the number of the match
    in the series of matches with this key. `q` is the state of a fast random number generator.
    """
    write_key_and_seed_generator(master, number, 0, s.key, q)
    rule_dispatch.deal(s, np.empty(0, np.int64), BY_CHANCE)


@rule
def play_random_matches(
    states: Any, master: NDArray[np.uint32], first: int, matches: int, pause: int, returns: NDArray[np.float64]
) -> tuple[int, int, int]:
    """Play matches with random legal actions, each to its end, and return three counts.

    The counts are, in this order:

    * actions that decide something;
    * pause actions, by which a player only confirms that the next round may begin;
    * matches that the engine ended by its limit against endless play.

    The parameters are:

    * `states`: array of two records. The first is the initial state with no cards dealt yet
      (`core.ruleset.undealt_state`), the second is overwritten.
    * `master`: key of eight 32-bit words. It determines a series of matches, numbered from 0.
    * `first`, `matches`: number of the first match to play in this series, and how many matches to play.
    * `pause`: the pause action; −1 if the game has none.
    * `returns`: array to which the final scores are written, one row per match. If it has no rows, they are not
      written.
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
            action = actions[quick_randint(q, rule_dispatch.legal(s, seat, actions))]
            rule_dispatch.apply(s, seat, action)
            pauses += action == pause
            decisions += action != pause
            seat = lowest_acting(s)
        abandoned += s.over == ABANDONED
        if len(returns) > 0:
            rule_dispatch.returns(s, out)
            for seat in range(s.seats):
                returns[i, seat] = out[seat]
    return decisions, pauses, abandoned


@rule
def deal_matches_into(states: Any, begun: Any, master: NDArray[np.uint32], first: int) -> None:
    """Deal one match into each record of the array `states`.

    * `begun`: array with one record, the initial state (no cards dealt yet).
    * `master`: key of eight 32-bit words. It determines a series of matches, numbered from 0.
    * `first`: number of the match in this series that is dealt into the first record.
    """
    q = np.empty(1, np.uint64)
    for i in range(len(states)):
        states[i] = begun[0]
        deal_match(states[i], master, first + i, q)


@dataclass(frozen=True)
class Tally:
    """Counts and final scores of random matches of one game, all with the same number of seats."""

    game: str
    seats: int
    matches: int
    decisions: int
    """Number of actions played. Actions that merely confirm that the next round may begin are not counted."""
    rounds: int
    abandoned: int
    """Number of matches that the engine ended by its limit against endless play."""
    returns: NDArray[np.float64]
    """Final scores, shape (matches, seats), higher is better; no rows if they were not requested."""


def _prepare_batch(
    game: str | GameModule, seats: int | None, options: Mapping[str, str] | None, seed: str | bytes | None
) -> tuple[GameModule, int, NDArray[Any], NDArray[np.uint32]]:
    """Return (loaded game, number of seats, initial state, key).

    * The number of seats is `seats`; if that is None, the smallest number that the game allows.
    * The initial state is an array with one record. No cards are dealt yet.
    * The key consists of eight 32-bit words. All random numbers of a series of matches are derived from it. It is
      computed from `seed`, or chosen at random if `seed` is None.

    Raise `OptionError` for an invalid option.
    """
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
    """Play `matches` whole random matches and return counts and final scores.

    A seed determines a series of matches, numbered from 0. The matches from number `first` on are played. So several
    processes can play different parts of one series. Without a seed, a random one is used.

    Without `keep_returns` the final scores are left out. Raise `ValueError` (for an invalid option its subclass
    `OptionError`) if the arguments are invalid.
    """
    if matches < 1:
        raise ValueError(f"matches must be at least 1, not {matches}")
    loaded, players, begun, master = _prepare_batch(game, seats, options, seed)
    returns = np.zeros((matches if keep_returns else 0, players), np.float64)
    found = play_random_matches(np.repeat(begun, 2), master, first, matches, loaded.rules.pause, returns)
    decisions, pauses, abandoned = map(int, found)
    # Between two rounds of a match, every seat plays one pause action (it confirms that the next round may begin). So
    # `pauses // players` counts all rounds except the last round of each match. Adding `matches` counts these last
    # rounds as well.
    return Tally(loaded.name, players, matches, decisions, matches + pauses // players, abandoned, returns)


def deal_batch(
    game: str | GameModule,
    matches: int,
    seats: int | None = None,
    options: Mapping[str, str] | None = None,
    seed: str | bytes | None = None,
    first: int = 0,
) -> NDArray[Any]:
    """Return an array of `matches` states. Each is a match in which the cards were just dealt.

    A seed determines a series of matches, numbered from 0. The result has the matches from number `first` on. Without
    a seed, a random one is used. With the same arguments and a given seed, `playouts` plays exactly these
    matches.

    Raise `ValueError` if `matches` is below 1 or an option is invalid.
    """
    if matches < 1:
        raise ValueError(f"matches must be at least 1, not {matches}")
    loaded, _, begun, master = _prepare_batch(game, seats, options, seed)
    states: NDArray[Any] = np.zeros(matches, loaded.dtype).view(np.recarray)
    deal_matches_into(states, begun, master, first)
    return states
