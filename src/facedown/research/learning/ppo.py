"""Proximal policy optimisation (Schulman and others 2017) with a critic that sees all cards.

An update raises the probability of choices that turned out better than the critic expected, and lowers the probability
of all others. Changing a probability by more than a fifth is not rewarded, so one update changes the policy only a
little. Both the critic and the player network, which chooses the actions, are optimised by Adam.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import jax
import jax.numpy as jnp
import optax  # type: ignore[import-untyped]

from facedown.bots.network import Shape
from facedown.core.features import FeatureLayout
from facedown.research.learning.jax_model import CLOSED, network_outputs, split_critic_features, split_features

#: Clipping range of PPO: changing a probability by more than this share in one update brings no further gain.
CLIP = 0.2
#: Largest norm of a gradient; a gradient with a larger norm is scaled down to it.
NORM = 0.5


@dataclass(frozen=True)
class Towers:
    """Shapes of the two networks that are trained, and the layout of their inputs.

    The player network chooses actions from what a seat knows. The critic, which sees all cards, estimates the reward.
    """

    layout: FeatureLayout
    player: Shape
    critic: Shape


def optimiser() -> Any:
    """Return an Adam optimiser that clips gradients. The caller multiplies its updates by the learning rate."""
    return optax.chain(optax.clip_by_global_norm(NORM), optax.scale_by_adam(eps=1e-5))


@cache
def make_value_function(towers: Towers) -> Callable[..., Any]:
    """Return a compiled function that evaluates positions with the critic, the network that sees all cards.

    `towers` has the shape of the critic and the layout of its input.

    The compiled function returns an array with one value for each position: the estimated reward of the seat to act.
    Its arguments are:

    * the critic's parameters;
    * for each position, the features that the seat to act knows;
    * for each position, the features that are hidden from this seat.
    """

    @jax.jit
    def values(parts: Any, known: Any, secret: Any) -> Any:
        return network_outputs(towers.critic, parts, *split_critic_features(towers.layout, known, secret))[:, 0]

    return values


@cache
def make_update_step(towers: Towers) -> Callable[..., Any]:
    """Return a compiled function that makes one optimisation step for the player network and for the critic.

    `towers` has the shapes of these two networks and the layout of their inputs. The player network chooses the
    actions. The critic estimates the reward.

    The arguments of the compiled function are:

    * the parameters of both networks, as a pair (player network, critic);
    * the optimiser states of both networks, as such a pair;
    * the data of all decisions, as a tuple of arrays with one row for each decision: the first five fields of
      `self_play.Buffer`, the advantages, and the values that the critic should have estimated;
    * the row indices of the minibatch, which is the part of the decisions to use in this step;
    * the learning rate;
    * the entropy coefficient.

    The compiled function returns the new parameters, the new optimiser states, and an array of three statistics of the
    minibatch:

    * the mean entropy of the player network's choices;
    * the drift: the change of the player network's policy, as an estimated Kullback–Leibler divergence;
    * the loss of the critic.
    """
    adam = optimiser()

    def player_loss(parts: Any, batch: Any, entropy: Any) -> Any:
        known, opened, chosen, odds, gain = batch
        logits = network_outputs(towers.player, parts, *split_features(towers.layout, known))
        logits = jnp.where(opened != 0, logits, CLOSED)
        logs = jax.nn.log_softmax(logits)
        mine = jnp.take_along_axis(logs, chosen[:, None].astype(jnp.int32), axis=1)[:, 0]
        ratio = jnp.exp(mine - odds)
        bounded = jnp.clip(ratio, 1 - CLIP, 1 + CLIP)
        gained = jnp.minimum(ratio * gain, bounded * gain).mean()
        spread = -(jnp.exp(logs) * jnp.where(opened != 0, logs, 0.0)).sum(axis=1).mean()
        drift = (odds - mine).mean()
        return -gained - entropy * spread, (spread, drift)

    def critic_loss(parts: Any, known: Any, secret: Any, target: Any) -> Any:
        found = network_outputs(towers.critic, parts, *split_critic_features(towers.layout, known, secret))[:, 0]
        return jnp.square(found - target).mean()

    def moved(parts: Any, slopes: Any, moments: Any, rate: Any) -> Any:
        steps, moments = adam.update(slopes, moments)
        return jax.tree.map(lambda part, step: part - rate * step, parts, steps), moments

    @jax.jit
    def update(both: Any, states: Any, buffer: Any, at: Any, rate: Any, entropy: Any) -> Any:
        known, secret, opened, chosen, odds, gain, target = (part[at] for part in buffer)
        (_, (spread, drift)), slopes = jax.value_and_grad(player_loss, has_aux=True)(
            both[0], (known, opened, chosen, odds, gain), entropy
        )
        error, errors = jax.value_and_grad(critic_loss)(both[1], known, secret, target)
        player, adam_player = moved(both[0], slopes, states[0], rate)
        critic, adam_critic = moved(both[1], errors, states[1], rate)
        return (player, critic), (adam_player, adam_critic), jnp.stack([spread, drift, error])

    return update
