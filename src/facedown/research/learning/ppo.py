"""Proximal policy optimisation (Schulman and others 2017) with a critic that sees all cards.

An update raises the probability of choices that turned out better than the critic expected, and lowers the probability
of all others. Changing a probability by more than a fifth is not rewarded, so one update changes the policy only a
little. Both networks are optimised by Adam.
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
    """Shapes of the two networks that are trained, `player` and `critic`, and the layout of their inputs."""

    layout: FeatureLayout
    player: Shape
    critic: Shape


def optimiser() -> Any:
    """Return an Adam optimiser that clips gradients. The caller multiplies its updates by the learning rate."""
    return optax.chain(optax.clip_by_global_norm(NORM), optax.scale_by_adam(eps=1e-5))


@cache
def make_value_function(towers: Towers) -> Callable[..., Any]:
    """Return a compiled function that returns the critic's value of each position, as an array.

    The arguments of this function are the critic's parameters, the features of the positions that the seat to act
    knows, and their secret features.
    """

    @jax.jit
    def values(parts: Any, known: Any, secret: Any) -> Any:
        return network_outputs(towers.critic, parts, *split_critic_features(towers.layout, known, secret))[:, 0]

    return values


@cache
def make_update_step(towers: Towers) -> Callable[..., Any]:
    """Return a compiled function that makes one optimisation step for both networks.

    Its arguments are both networks' parameters, both optimiser states, the arrays of all decisions, the row indices of
    the minibatch, the learning rate and the entropy coefficient. It returns the new parameters, the new optimiser
    states, and an array of three statistics of the minibatch:

    * the entropy;
    * the drift: the change of the policy as an estimated Kullback–Leibler divergence;
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
