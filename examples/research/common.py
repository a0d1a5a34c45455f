"""Shared code of the training examples: the environment, the measure of a policy, and the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np

from facedown.research.gymnasium import FacedownEnv

#: A policy: a function from an observation, {"observation": …, "action_mask": …}, to an action.
Choice = Callable[[dict[str, np.ndarray]], int]
#: Game and opponent of the examples: rounds of Detect for two players, against a random player.
GAME, OPPONENT = "detect", "random"


def make_env() -> FacedownEnv:
    """Return the environment that all examples train on."""
    return FacedownEnv(GAME, opponents=[OPPONENT], unit="round", observation="one-hot")


def random_action(observation: dict[str, np.ndarray]) -> int:
    """Return a random legal action. `mean_return` seeds the generator."""
    return int(np.random.choice(np.flatnonzero(observation["action_mask"])))  # noqa: NPY002 - one generator for all


def mean_return(choice: Choice, rounds: int = 200) -> float:
    """Return the mean return of a policy over a number of rounds. Every policy gets the same deals."""
    np.random.seed(1)  # noqa: NPY002
    env, total = make_env(), 0.0
    for deal in range(rounds):
        observation, _ = env.reset(seed=deal)
        over = False
        while not over:
            observation, reward, terminated, truncated, _ = env.step(choice(observation))
            total, over = total + reward, terminated or truncated
    return total / rounds


def train_and_report(train: Callable[[float], Choice]) -> None:
    """Train for some seconds, and print the mean return before and after.

    With ``--check`` the exit code is 1 if training has not improved the mean return by 3 points.
    """
    parser = argparse.ArgumentParser(description=train.__doc__)
    parser.add_argument("--seconds", type=float, default=100.0)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    before, after = mean_return(random_action), mean_return(train(given.seconds))
    print(f"points a round: {before:.1f} at random, {after:.1f} trained")
    sys.exit(1 if given.check and after < before + 3.0 else 0)
