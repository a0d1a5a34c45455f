"""Self-play on observations, for games that declare no features for networks (`core.features`).

The network's input is the one-hot observation, and every action is an output. `BatchEnv` plays the matches. A table is
a place at which one match after the other is played. An episode is a round, or a match in a game without rounds.

The reward of an episode is the seat's points. In a competitive game, the mean of the other seats' points is subtracted.
Rewards are divided by the standard deviation of scores in random play. So the rewards of good and bad play differ by
about 1.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.network import Tower, forward
from facedown.bots.network_bot import sample_output_index
from facedown.bots.observation_network_bot import observation_features, to_feature_bytes
from facedown.core.features import NO_MOVE
from facedown.core.game_registry import GameModule
from facedown.core.random_numbers import key_of
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.research.batch import BatchEnv
from facedown.research.i18n import N_, _
from facedown.research.learning.match_evaluation import MatchEvaluation
from facedown.research.learning.self_play import Buffer, SelfPlayTables, log_probability
from facedown.simulate.bot_matches import QuickGenerator
from facedown.simulate.random_playouts import playouts

#: Number of random matches from which the standard deviation of scores is estimated.
PROBED = 200


def score_deviation_in_random_play(game: GameModule, seats: int) -> float:
    """Estimate the standard deviation of a seat's score in one round of random play.

    The estimate is the standard deviation of the final scores of whole matches, divided by the square root of the mean
    number of rounds in a match. In a competitive game, the mean score of all seats in the same match is first
    subtracted from each score.

    Rewards are divided by the result, so it is never below 1e-6.
    """
    found = playouts(game, PROBED, seats, seed="scale")
    spread = float((found.returns - found.returns.mean(axis=1, keepdims=True)).std())
    if game.rules.loss_return is not None:
        spread = float(found.returns.std())
    return max(1e-6, spread / math.sqrt(found.rounds / found.matches))


@rule
def choose_outputs(
    known: NDArray[np.int8], opened: NDArray[np.int8], tower: Tower, luck: QuickGenerator
) -> tuple[NDArray[np.int16], NDArray[np.float32]]:
    """Choose an action at each table: sample one of the network's outputs. Each output stands for an action.

    Only outputs with a legal action are sampled, with the probabilities that the network gives them. Return two arrays
    with an entry for each table: the index of the output, and the logarithm of its probability. If no output of a table
    has a legal action, both entries are 0 and the table's generator is not used.

    * ``known[table]``: the features (network inputs) of the seat to act.
    * ``opened[table]``: for each output, 1 if its action is legal, else 0.
    * `tower`: the network.
    * ``luck[table]``: the state of the table's fast random number generator, which is advanced.

    Python code calls this function, which is compiled at the first call.
    """
    chosen, odds = np.zeros(len(known), np.int16), np.zeros(len(known), np.float32)
    outputs = opened.shape[1]
    logits = np.empty(outputs, np.float32)
    actions = np.empty(outputs, np.int32)
    q = np.empty(1, np.uint64)
    for t in range(len(known)):
        count = 0
        for i in range(outputs):
            actions[i] = i if opened[t, i] != 0 else NO_MOVE
            count += opened[t, i] != 0
        if count == 0:
            continue
        q[0] = luck[t]
        forward(known[t], tower, logits)
        found = sample_output_index(logits, actions, 1.0, q)
        chosen[t] = found
        odds[t] = log_probability(logits, actions, found)
        luck[t] = q[0]
    return chosen, odds


def _dealt_environment(game: GameModule, seats: int, matches: int, seed: str, **more: Any) -> BatchEnv:
    """Return a batch environment that has been reset, so the cards of every match have been dealt.

    In a game with rounds, each episode of the environment is one round; in other games it is a whole match. `more` are
    further arguments of `BatchEnv`.
    """
    unit = "match" if game.rules.pause < 0 else "round"
    env = BatchEnv(game, matches, seats, seed=seed, observation="one-hot", unit=unit, **more)
    env.reset()
    return env


class ObservedTables:
    """Self-play in the matches of a `BatchEnv`: one network plays all seats.

    The input of the network is the observation of the seat to act. Each index of the `BatchEnv` is a table, at which
    one match after the other is played.
    """

    def __init__(self, game: GameModule, seats: int, tables: int, seed: str, threads: int) -> None:
        self.env = _dealt_environment(game, seats, tables, f"tables {seed}", threads=threads)
        self.layout = observation_features(game, seats)
        self.scale = score_deviation_in_random_play(game, seats)
        self._together = game.info.together
        self.luck = np.random.default_rng(key_of(seed_from_text(f"luck {seed}"))).integers(1, 2**63, tables, np.uint64)

    def play(self, steps: int, tower: Tower, buffer: Buffer) -> None:
        """Play `steps` decisions at each table with the network `tower` at all seats, and write them to `buffer`."""
        env, tables = self.env, len(self.luck)
        last = np.full((tables, env.seats), -1)
        buffer.reward[:] = 0
        buffer.done[:] = 0
        every = np.arange(tables)
        for step in range(steps):
            rows = every * steps + step
            known, opened = to_feature_bytes(env.observation), env.mask.copy()
            chosen, odds = choose_outputs(known, opened, tower, self.luck)
            buffer.known[rows], buffer.opened[rows] = known, opened
            buffer.chosen[rows], buffer.log_probability[rows], buffer.who[rows] = chosen, odds, env.seat
            last[every, env.seat] = rows
            env.step(chosen)
            self._add_rewards(last, buffer)

    def against_greedy(self, tower: Tower, deals: int) -> MatchEvaluation:
        """Evaluate the network `tower` at one seat against greedy bots at all others.

        Play `deals` deals, each of them once with the network at each seat. The result is in points per round (per
        match in a game without rounds). In a competitive game, these are points relative to the other seats
        (`relative_points`).
        """
        game, seats = self.env.game, self.env.seats
        brought = np.zeros((deals, seats))
        for mine in range(seats):
            players = ["greedy"] * seats
            players[mine] = ""
            env = _dealt_environment(game, seats, deals, "measure", restart="never", players=players)
            luck = np.random.default_rng(mine).integers(1, 2**63, deals, np.uint64)
            over = np.zeros(deals, bool)
            while not over.all():
                env.step(choose_outputs(to_feature_bytes(env.observation), env.mask, tower, luck)[0])
                brought[~over, mine] += relative_points(env.reward, self._together)[~over, mine]
                over |= env.done
        return MatchEvaluation.from_points(brought)

    def _add_rewards(self, last: NDArray[np.int64], buffer: Buffer) -> None:
        """Add each seat's reward from the environment's last step to the seat's latest decision in `buffer`.

        Before that, the reward is made relative to the other seats (`relative_points`) and divided by `scale`.

        ``last[table, seat]`` is the row in `buffer` of the seat's latest decision in the current episode. It is −1 if
        `buffer` has no such decision; the reward is then dropped.

        If an episode has ended at a table, mark the latest decision of each of its seats as the seat's last one (field
        `done`). Then set the table's entries of `last` to −1 for the next episode.
        """
        brought = relative_points(self.env.reward, self._together) / self.scale
        told = last >= 0
        np.add.at(buffer.reward, last[told], brought[told])
        over = self.env.done[:, None] & told
        buffer.done[last[over]] = 1
        last[over] = -1

    def state_dict(self) -> dict[str, NDArray[np.generic]]:
        """Return what is needed to resume the run, as arrays by name.

        These are a snapshot of the environment as bytes, and the state of each table's random number generator.
        """
        return {"states": np.frombuffer(self.env.snapshot(), np.uint8), "luck": self.luck}

    def restore(self, kept: dict[str, NDArray[np.generic]]) -> None:
        """Continue from `kept`, which `state_dict` has returned for the same game and number of tables."""
        self.env.restore(kept["states"].tobytes())
        self.luck[:] = kept["luck"]


def relative_points(points: NDArray[np.float32], together: bool) -> NDArray[np.float32]:
    """Return each seat's points relative to the other seats, as an array ``[table, seat]`` like `points`.

    In a competitive game, subtract from each seat's points the mean points of the other seats at its table. In a
    cooperative game (`together`), return `points` unchanged.
    """
    if together:
        return points
    others = (points.sum(axis=1, keepdims=True) - points) / (points.shape[1] - 1)
    found: NDArray[np.float32] = points - others
    return found


def make_self_play_tables(
    game: GameModule, seats: tuple[int, ...], count: int, seed: str, threads: int
) -> SelfPlayTables | ObservedTables:
    """Return `count` tables for self-play. `seats` has the numbers of players for which the network is trained.

    If the game declares features, these are the network's input, and table i has ``seats[i % len(seats)]`` players.

    If the game declares no features, observations are the input. The size of an observation depends on the number of
    players, so all tables must have the same number. Raise `ValueError` if the entries of `seats` differ.

    The text `seed` determines all deals and all random choices. `threads` is the maximum number of threads that play.
    """
    if game.features is not None:
        return SelfPlayTables(game, seats, count, seed, threads)
    if len(set(seats)) > 1:
        alone = N_(
            "no game-specific features are defined for {game}, so a network can be trained for only one player "
            "count at a time"
        )
        raise ValueError(_(alone, game=game.info.title))
    return ObservedTables(game, seats[0], count, seed, threads)
