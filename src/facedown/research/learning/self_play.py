"""Self-play: one compiled loop plays many matches and writes each decision to a buffer for training.

The network in its compiled form (`bots.network`) chooses for all seats. So no machine-learning framework is called
while matches are played.

A table is a place at which one match after the other is played. Every table has its own random number generator, so the
number of threads does not change the results.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation_dispatch import round_is_terminal
from facedown.bots.feature_dispatch import features, features_of, moves, pay, secrets
from facedown.bots.network import Tower, forward
from facedown.bots.network_bot import sample_output_index
from facedown.core import rule_dispatch
from facedown.core.features import NO_MOVE, FeatureLayout
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import MAX_LEGAL
from facedown.core.random_numbers import key_of, quick_randint
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.seeds import seed_from_text
from facedown.core.state import MAX_SEATS, RUNNING
from facedown.research.learning.match_evaluation import MatchEvaluation, evaluate_against_greedy
from facedown.simulate.bot_matches import Ints
from facedown.simulate.random_playouts import deal_match


@rule
def log_probability(logits: NDArray[np.float32], actions: NDArray[np.int32], chosen: int) -> float:
    """Return the natural logarithm of the probability with which a softmax chooses the output `chosen`.

    ``logits[i]`` is the logit of output i. ``actions[i]`` is the action that output i stands for, or `NO_MOVE` if this
    output cannot be chosen. Such outputs are left out of the softmax.
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
    """The current match at each table of a self-play run, and what is needed to deal the next matches."""

    states: Any
    """State of the current match at each table."""
    begun: Any
    """State of a match before the deal, for each table."""
    dealt: Ints
    """Number of matches dealt so far at each table."""
    luck: NDArray[np.uint64]
    """State of each table's fast random number generator."""
    master: NDArray[np.uint32]
    """Key from which the random keys of all deals are derived."""


@rule
def collect_decisions(matches: Matches, first: int, end: int, steps: int, tower: Tower, buffer: Buffer) -> None:
    """Play at the tables from `first` to `end` − 1, and record the next `steps` decisions of each table in `buffer`.

    A table is a place at which one match after the other is played. One network, `tower`, chooses for all seats. A
    decision is recorded only if the network can choose between at least two outputs. `buffer` has a block of `steps`
    consecutive rows for each table.

    The reward of a round is recorded as soon as the result of the round cannot change (`round_is_terminal`). From then
    on, the decisions in this round are useless for training, so they are not recorded:

    * If the seat to act has only one legal action, it is played. Usually it starts the next round of the match.
    * If the seat has several legal actions, the match is abandoned, and a new match is dealt at this table.

    This function is compiled at its first call for each game.
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
                # The result of the round is settled, and its reward is already in the buffer. If the seat has only one
                # legal action, which usually starts the next round, play it. If the seat still has a choice, the
                # remaining decisions of the round are useless for training: abandon the match and deal a new one.
                is_left = rule_dispatch.legal(s, seat, legal) > 1
                if not is_left:
                    rule_dispatch.apply(s, seat, legal[0])
                continue
            row = t * steps + step
            count = moves(s, seat, actions)
            if count > 1:
                features(s, seat, known[row])
                secrets(s, seat, secret[row])
                forward(known[row], tower, logits)
                found = sample_output_index(logits, actions, 1.0, q)
                for i in range(outputs):
                    opened[row, i] = actions[i] != NO_MOVE
                chosen[row] = found
                odds[row] = log_probability(logits, actions, found)
                who[row] = seat
                reward[row] = 0.0
                done[row] = 0
                last[seat] = row
                step += 1
                rule_dispatch.apply(s, seat, actions[found])
            elif count == 1:
                rule_dispatch.apply(s, seat, actions[sample_output_index(logits, actions, 0.0, q)])
            else:
                # No output stands for a legal action, so the network cannot choose. Draw a legal action at random.
                n = rule_dispatch.legal(s, seat, legal)
                rule_dispatch.apply(s, seat, legal[quick_randint(q, n) if n > 1 else 0])
            if round_is_terminal(s):
                # Give the reward of the round to each seat's last decision in the buffer.
                pay(s, payoff)
                for other in range(s.seats):
                    if last[other] >= 0:
                        reward[last[other]] = payoff[other]
                        done[last[other]] = 1
                last[:] = -1
        luck[t] = q[0]


@rule
def advantages_and_usable_mask(
    steps: int, trust: float, buffer: Buffer, values: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Return two arrays with an entry for each decision in `buffer`: its advantage, and whether training can use it.

    The advantage of a decision is how much better it turned out than the critic expected. It is computed by generalised
    advantage estimation without discount, along each seat's own decisions. `trust` is the parameter λ of this method: 1
    uses only the actual rewards, 0 only the critic's estimates.

    * `buffer`: has a block of `steps` consecutive rows for each table at which matches are played.
    * `values`: the critic's estimate for each row.

    If a round continues after the end of the buffer, its reward is unknown. Then training cannot use the last decision
    of each seat in the buffer. The critic's estimate for this last decision replaces the unknown reward in the
    advantage of the seat's previous decision.

    This function is compiled at its first call.
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
    """Decisions of self-play: arrays with one row for each decision.

    Matches are played at several game tables, one match after the other at each. Each game table has a block of
    consecutive rows, in the order of its decisions. All blocks have the same number of rows.
    """

    known: NDArray[np.int8]
    """Features (network inputs) that the deciding seat knew."""
    secret: NDArray[np.int8]
    """Additional features, hidden from the deciding seat, that only the critic receives."""
    opened: NDArray[np.int8]
    """1 for each network output that has a legal action, else 0."""
    chosen: NDArray[np.int16]
    """Index of the network output that was chosen."""
    log_probability: NDArray[np.float32]
    """Logarithm of the probability with which the network chose this output."""
    who: NDArray[np.int8]
    """Seat that decided."""
    reward: NDArray[np.float32]
    """Reward of the round, in the row of the seat's last decision in it; 0 in all other rows."""
    done: NDArray[np.int8]
    """1 in the row of the seat's last decision in a round, else 0."""

    @classmethod
    def allocate(cls, layout: FeatureLayout, rows: int) -> Buffer:
        """Return a buffer with room for `rows` decisions."""
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
    """Self-play in a game that declares features for networks: one network plays all seats at a number of tables.

    At each table, one match after the other is played.
    """

    def __init__(self, game: GameModule, seats: tuple[int, ...], tables: int, seed: str, threads: int) -> None:
        """Create `tables` tables, for different numbers of players: the entries of `seats` are used in turn.

        So table ``t`` always has ``seats[t % len(seats)]`` players. The text `seed` determines all deals and all random
        choices. `threads` is the maximum number of threads that `play` uses.
        """
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
        """Return what is needed to resume the run, as arrays by name.

        For each table these are the current match as bytes, the number of matches dealt, and the state of the random
        number generator.
        """
        states, _begun, dealt, luck, _master = self.matches
        return {"states": np.frombuffer(states.tobytes(), np.uint8), "dealt": dealt, "luck": luck}

    def restore(self, kept: dict[str, NDArray[Any]]) -> None:
        """Continue from `kept`, which `state_dict` has returned for the same game and number of tables."""
        states, _begun, dealt, luck, _master = self.matches
        states[:] = np.frombuffer(kept["states"].tobytes(), states.dtype)
        dealt[:], luck[:] = kept["dealt"], kept["luck"]

    def against_greedy(self, tower: Tower, deals: int) -> MatchEvaluation:
        """Evaluate the network `tower` against greedy bots on `deals` deals. The number of players is ``seats[0]``,
        where `seats` is the argument of the constructor.
        """
        return evaluate_against_greedy(self.game, self.seats[0], tower, deals)

    def play(self, steps: int, tower: Tower, buffer: Buffer) -> None:
        """Play at all tables, and record the next `steps` decisions of each table in `buffer`.

        The network `tower` chooses for all seats. Each call continues the matches of the previous call and overwrites
        `buffer`.
        """
        ends = [len(self.matches.states) * i // self.threads for i in range(self.threads + 1)]

        def part(first: int, end: int) -> None:
            collect_decisions(self.matches, first, end, steps, tower, buffer)

        with ThreadPoolExecutor(self.threads) as pool:
            list(pool.map(part, ends, ends[1:]))
