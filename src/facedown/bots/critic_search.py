"""Search that looks one turn ahead, with two neural networks.

The *player network* chooses moves. The *critic network* estimates the value of the round: how good the round will be
for the searching seat. The search has these steps:

* The player network gives each move a probability. The most probable moves are tried in the same sampled worlds (random
  full deals that fit the view of the searching seat).
* After a move, the player network plays on for all seats until the next turn of the searching seat.
* At that point the critic network, which sees all cards of the sampled world, estimates the value of the round. If the
  round is decided before that turn, its actual value is used instead.

The player network's own choice is replaced only by a move whose average value is clearly higher: by more than `LEAD`
standard errors of the difference. A smaller advantage may be due to chance.

The compiled code receives only a view and numbers, so it cannot read the true state of the match.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation_dispatch import round_is_terminal
from facedown.bots.feature_dispatch import features, moves, pay, secrets
from facedown.bots.i18n import _
from facedown.bots.network import Tower, critic_input_indices, forward
from facedown.bots.network_bot import NetworkBot, network_move
from facedown.bots.rollout_search import Rows
from facedown.bots.search_common import WorldSampler, world_sampler
from facedown.bots.weights_file import Misfit, Weights
from facedown.core import rule_dispatch
from facedown.core.bot import Bot
from facedown.core.features import NO_MOVE
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import sample_world_into
from facedown.core.random_numbers import fork_quick
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.state import MAX_SEATS, Ints, View

#: `TRIED` is the largest number of moves that are tried. A move is tried only if the player network gives it at least
#: `LEAST_ODDS` times the probability of the best move.
TRIED = 6
LEAST_ODDS = 0.02
#: Largest number of moves that are played after a tried move. If the searching seat has no turn before that, the critic
#: network estimates the value of the round after the last of these moves.
MOST_STEPS = 200
#: Another move replaces the player network's own choice only if its average value is higher by more than this number of
#: standard errors of the difference.
LEAD = 1.5


@rule
def evaluate_candidates(
    view: View, worlds: WorldSampler, tried: Ints, tower: Tower, critic: Tower, order: NDArray[np.int64], found: Rows
) -> int:
    """Try each action of `tried` in up to ``len(found)`` sampled worlds; return the number of worlds used.

    A world is a full deal that fits the view. If no further world is found, fewer than ``len(found)`` worlds are used.
    After an action, one network plays for all seats until the next turn of the seat that searches. At that point
    another network estimates the value of the round. If the round is decided earlier, its actual value is used.

    * `view`: the view of the seat that searches.
    * `worlds`: the sampler of the worlds.
    * `tried`: the actions.
    * `tower`: the network that plays.
    * `critic`: the network that estimates values.
    * `order`: an array with one index for each input of the critic (`critic_input_indices`). The index says which
      feature is that input. Features are counted from 0: first those that the seat knows, then the secret ones, which
      depend on hidden cards.
    * `found`: an array [world, index in `tried`] into which the values of the round for the seat are written.
    """
    world, scratch, g, q = worlds
    payoff = np.empty(MAX_SEATS, np.float64)
    actions = np.empty(tower.outputs, np.int32)
    seen = np.empty(len(order), np.int8)
    judged = np.empty(1, np.float32)
    luck = np.empty(1, np.uint64)
    seat = view.viewer
    for number in range(len(found)):
        if not sample_world_into(world, view, g):
            return number
        stream = fork_quick(q)
        for i in range(len(tried)):
            scratch[0] = world[0]
            s = scratch[0]
            luck[0] = stream
            rule_dispatch.apply(s, seat, tried[i])
            others = 0
            for _step in range(MOST_STEPS):
                if s.over != 0 or round_is_terminal(s):
                    break
                acting = lowest_acting(s)
                if acting == seat and others > 0 and moves(s, seat, actions) > 1:
                    break
                others += acting != seat
                action = network_move(s, acting, tower, 1.0, luck)
                rule_dispatch.apply(s, acting, action)
            if s.over != 0 or round_is_terminal(s):
                pay(s, payoff)
                found[number, i] = payoff[seat]
            else:
                features(s, seat, seen[: tower.size])
                secrets(s, seat, seen[tower.size :])
                forward(seen[order], critic, judged)
                found[number, i] = judged[0]
    return len(found)


class CriticSearchBot(NetworkBot):
    """Bot that tries the most probable moves of its player network in sampled worlds (full deals that fit its view).

    After each tried move, the player network plays for all seats until the bot's next turn. At that point the critic
    network estimates the value of the round.

    The bot plays the player network's own choice unless another move is clearly better: its average value over all
    worlds must be higher by more than `LEAD` standard errors of the difference. If there are several such moves, the
    bot plays the one whose average, minus `LEAD` standard errors, is the highest.
    """

    def __init__(self, network: Weights, worlds: int = 64, otherwise: Bot | None = None) -> None:
        """Create a bot from the weights of two networks: the player network and its critic.

        * `network`: the weights. The player network proposes and plays moves. The critic estimates the value of a
          round.
        * `worlds`: number of sampled worlds (full deals that fit the bot's view) in which each move is tried.
        * `otherwise`: bot that plays instead in a match with options or a deck that the input of the networks cannot
          describe. With None, this bot also plays such a match, but cannot take the options or the deck into account.

        Raise `Misfit` if the weights do not fit the features of their game, or include no critic. Raise `NoFeatures` if
        the game defines no features.
        """
        super().__init__(network, otherwise=otherwise)
        if network.critic is None or network.critic_weights is None:
            raise Misfit(_("these weights for {game} do not include a critic network", game=network.game))
        self.worlds = worlds
        self.critic = network.critic.tower(network.critic_weights)

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return the best move found.

        In some matches, the input of the networks cannot describe the options or the deck (`Features.supports`). In
        such a match the bot `self.otherwise` chooses the move. If the constructor was not given such a bot, the
        networks are used anyway.

        Equal arguments give equal moves, unless `self.otherwise` chooses the move under a time limit.
        """
        return self.choose_within(game, view, seat, seed, 1.0)

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """Return the best move found in fewer sampled worlds (full deals that fit the view) than usual.

        The usual number is the argument `worlds` of the constructor. `effort` is the share of this number that is used,
        from 0 to 1. At least two worlds are used. If the bot `self.otherwise` chooses the move (see `choose`), `effort`
        has no effect.
        """
        if (other := self._substitute_bot(game, view, seat)) is not None:
            return other.choose(game, view, seat, seed)
        tried, found = self.evaluate_moves(game, view, seat, seed, max(2, round(effort * self.worlds)))
        if len(found) < 2:
            return tried[0] if tried else game.legal(view, seat)[0]
        worth = found.mean(axis=0)
        sure = worth - LEAD * (found - found[:, :1]).std(axis=0, ddof=1) / len(found) ** 0.5
        best = int(sure.argmax())
        return tried[best if sure[best] > worth[0] else 0]

    def evaluate_moves(self, game: GameModule, view: View, seat: int, seed: int, worlds: int) -> tuple[list[int], Rows]:
        """Return the moves that are worth trying, and the value of each of these moves in sampled worlds.

        * The moves are the actions that the player network finds most probable, best first. The list is empty if no
          output of the network stands for a legal action.
        * The values are an array [world, move]. A world is a full deal that fits the view. A value estimates the
          training reward of the round for `seat` after the move (`core.features.Features.rewards`).

        The array has `worlds` rows, or fewer if no further world is found. It has no rows if there are fewer than two
        moves.
        """
        tried = self._candidates(view, seat)
        found = np.zeros((worlds, len(tried)))
        if len(tried) < 2:
            return tried, found[:0]
        drawn, actions = world_sampler(game, f"critic {seed}"), np.array(tried, np.int32)
        count = evaluate_candidates(
            view, drawn, actions, self.tower, self.critic, critic_input_indices(self.features.layout), found
        )
        return tried, found[:count]

    def _candidates(self, view: View, seat: int) -> list[int]:
        """Return the legal actions that the player network finds most probable, at most `TRIED`, best first."""
        actions, known = np.empty(self.tower.outputs, np.int32), np.empty(self.tower.size, np.int8)
        self.features.moves(view, seat, actions)
        self.features.write(view, seat, known)
        logits = np.zeros(self.tower.outputs, np.float32)
        forward(known, self.tower, logits)
        logits[actions == NO_MOVE] = -np.inf
        order = np.argsort(-logits, kind="stable")[:TRIED]
        fine = [i for i in order if np.isfinite(logits[i]) and logits[i] >= logits[order[0]] + np.log(LEAST_ODDS)]
        return [int(actions[i]) for i in fine]
