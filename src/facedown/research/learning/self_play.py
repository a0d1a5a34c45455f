"""Self-play into a buffer: one compiled loop steps many tables, and writes what a learner needs of each decision.

The network in its plain form (`bots.network`) chooses for all seats, so no framework is asked while matches are played.
Every table has its own stream of luck: how the tables are shared out among threads changes nothing.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation import round_is_terminal
from facedown.bots.features import features, features_of, moves, pay, secrets
from facedown.bots.network import Tower, forward
from facedown.bots.network_bot import sample_output
from facedown.core import dispatch
from facedown.core.dispatch import lowest_acting
from facedown.core.features import NO_MOVE, FeatureLayout
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import MAX_LEGAL
from facedown.core.random_numbers import key_of, quick_below
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.core.state import MAX_SEATS, RUNNING
from facedown.research.learning.match_evaluation import MatchEvaluation, against_greedy
from facedown.simulate.bot_matches import Ints
from facedown.simulate.random_playouts import deal_match


@rule
def log_probability(logits: NDArray[np.float32], actions: NDArray[np.int32], chosen: int) -> float:
    """The logarithm of the chance with which the open output `chosen` is chosen.

    `logits` has the network's logit of each output, `actions` its action or `NO_MOVE`.
    """
    most = float(logits[chosen])
    for i in range(len(actions)):
        if actions[i] != NO_MOVE:
            most = max(most, float(logits[i]))
    total = 0.0
    for i in range(len(actions)):
        if actions[i] != NO_MOVE:
            total += np.exp(logits[i] - most)
    return float(logits[chosen] - most - np.log(total))


class Matches(NamedTuple):
    """The matches at some tables."""

    states: Any
    begun: Any
    """Each match before any deal."""
    dealt: Ints
    """How many matches each table has seen."""
    luck: NDArray[np.uint64]
    """The word of each table's quick generator."""
    master: NDArray[np.uint32]
    """The key from which those of the matches follow."""


@rule
def collect(matches: Matches, first: int, end: int, steps: int, tower: Tower, buffer: Buffer) -> None:
    """Compiled entry: play on at the tables from `first` to `end`, so many decisions each, all seats by one network.

    `tower` is the player's; `buffer` has ``steps`` rows a table.

    Where there is but one thing to do it is done, and is no decision. A decided round is not played on.
    """
    states, begun, dealt, luck, master = matches
    known, secret, opened, chosen, odds, who, reward, done = buffer
    legal = np.empty(MAX_LEGAL, np.int32)
    payoff = np.empty(MAX_SEATS, np.float64)
    last = np.empty(MAX_SEATS, np.int64)
    outputs = opened.shape[1]
    actions = np.empty(outputs, np.int32)
    logits = np.zeros(outputs, np.float32)
    q = np.empty(1, np.uint64)
    for t in range(first, end):
        q[0] = luck[t]
        last[:] = -1
        step = 0
        is_left = False
        while step < steps:
            s = states[t]
            if is_left or s.over != RUNNING or s.seats == 0:
                states[t] = begun[t]
                deal_match(states[t], master, t + dealt[t] * len(states), q)
                dealt[t] += 1
                is_left = False
                continue
            seat = lowest_acting(s)
            if round_is_terminal(s):
                # It was paid when it ended. Here the seats only say that they go on, or else the match is left.
                is_left = dispatch.legal(s, seat, legal) > 1
                if not is_left:
                    dispatch.apply(s, seat, legal[0])
                continue
            row = t * steps + step
            count = moves(s, seat, actions)
            if count > 1:
                features(s, seat, known[row])
                secrets(s, seat, secret[row])
                forward(known[row], tower, logits)
                found = sample_output(logits, actions, 1.0, q)
                for i in range(outputs):
                    opened[row, i] = actions[i] != NO_MOVE
                chosen[row] = found
                odds[row] = log_probability(logits, actions, found)
                who[row] = seat
                reward[row] = 0.0
                done[row] = 0
                last[seat] = row
                step += 1
                dispatch.apply(s, seat, actions[found])
            elif count == 1:
                dispatch.apply(s, seat, actions[sample_output(logits, actions, 0.0, q)])
            else:
                # Moves without an output are as good as any other: luck decides.
                n = dispatch.legal(s, seat, legal)
                dispatch.apply(s, seat, legal[quick_below(q, n) if n > 1 else 0])
            if round_is_terminal(s):
                # Each seat's last decision in the buffer is paid.
                pay(s, payoff)
                for other in range(s.seats):
                    if last[other] >= 0:
                        reward[last[other]] = payoff[other]
                        done[last[other]] = 1
                last[:] = -1
        luck[t] = q[0]


@rule
def advantages(
    steps: int, trust: float, buffer: Buffer, values: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Compiled entry: how much better each decision came out than was expected, along each seat's own decisions.

    `values` are what the critic expected of each row of the `buffer`, which has `steps` rows a table. Returns the gain
    of each row, and whether it is usable.

    This is generalised advantage estimation without discount, `trust` its λ: 1 believes what came, 0 the critic alone.
    A seat's last decision in the buffer, whose round goes on beyond, only says what the one before came to: it
    is not usable.
    """
    who, reward, done = buffer.who, buffer.reward, buffer.done
    gain, usable = np.zeros(len(who), np.float32), np.zeros(len(who), np.bool_)
    after = np.empty(MAX_SEATS, np.int64)
    for t in range(len(who) // steps):
        after[:] = -1
        for row in range((t + 1) * steps - 1, t * steps - 1, -1):
            seat = who[row]
            following = after[seat]
            after[seat] = row
            usable[row] = done[row] != 0 or following >= 0
            if done[row] != 0:
                gain[row] = reward[row] - values[row]
            elif following >= 0:
                gain[row] = values[following] - values[row] + trust * gain[following]
    return gain, usable


class Buffer(NamedTuple):
    """Decisions of self-play, ``steps`` rows for each table."""

    known: NDArray[np.int8]
    """What the seat knew: the features."""
    secret: NDArray[np.int8]
    """What only the critic is told."""
    opened: NDArray[np.int8]
    """1 for each output that stood for a move."""
    chosen: NDArray[np.int16]
    """The output that was chosen."""
    log_probability: NDArray[np.float32]
    """The logarithm of the chance with which it was."""
    who: NDArray[np.int8]
    """The seat."""
    reward: NDArray[np.float32]
    """What the round brought, at the seat's last decision in it."""
    done: NDArray[np.int8]
    """1 at the seat's last decision in a round."""

    @classmethod
    def allocate(cls, layout: FeatureLayout, rows: int) -> Buffer:
        """Room for so many decisions."""
        return cls(
            np.zeros((rows, layout.size), np.int8),
            np.zeros((rows, layout.secret_size), np.int8),
            np.zeros((rows, layout.output_count), np.int8),
            np.zeros(rows, np.int16),
            np.zeros(rows, np.float32),
            np.zeros(rows, np.int8),
            np.zeros(rows, np.float32),
            np.zeros(rows, np.int8),
        )


class SelfPlayTables:
    """Many matches that are played on and on."""

    def __init__(self, game: GameModule, seats: tuple[int, ...], tables: int, seed: str, threads: int) -> None:
        """`seats` are taken in turn: with several numbers of them, some tables have more players than others."""
        self.game, self.seats = game, seats
        self.layout = features_of(game.name).layout
        begun: NDArray[Any] = np.zeros(tables, game.dtype)
        key = seed_from_text(f"tables {seed}")
        for t in range(tables):
            count = seats[t % len(seats)]
            begun[t] = game.undealt_state(count, game.check_options(count, {}), key)
        dealt, luck = np.zeros(tables, np.int64), np.ones(tables, np.uint64)
        self.matches = Matches(np.zeros(tables, game.dtype), begun, dealt, luck, key_of(key))
        self.threads = min(threads, tables)

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """What going on needs: the matches as bytes, how many each table has seen, and its luck."""
        states, _begun, dealt, luck, _master = self.matches
        return {"states": np.frombuffer(states.tobytes(), np.uint8), "dealt": dealt, "luck": luck}

    def restore(self, kept: dict[str, NDArray[Any]]) -> None:
        """Go on from `state_dict`, what `state_dict()` gave at tables of the same game and number."""
        states, _begun, dealt, luck, _master = self.matches
        states[:] = np.frombuffer(kept["states"].tobytes(), states.dtype)
        dealt[:], luck[:] = kept["dealt"], kept["luck"]

    def against_greedy(self, tower: Tower, deals: int) -> MatchEvaluation:
        """How the network `tower` does against greedy bots at the first of the numbers of seats."""
        return against_greedy(self.game, self.seats[0], tower, deals)

    def play(self, steps: int, tower: Tower, buffer: Buffer) -> None:
        """Play `steps` decisions at each table into the buffer, all seats by the network `tower`."""
        ends = [len(self.matches.states) * i // self.threads for i in range(self.threads + 1)]

        def part(first: int, end: int) -> None:
            collect(self.matches, first, end, steps, tower, buffer)

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(part, ends, ends[1:]))
