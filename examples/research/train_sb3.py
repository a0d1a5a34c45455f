"""Stable-Baselines3-contrib: MaskablePPO learns rounds of Detect.

``pip install facedown[gym] sb3-contrib``; ``python examples/research/train_sb3.py``.
"""

from __future__ import annotations

import time

import numpy as np
from common import Choice, make_env, train_and_report
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback


class StopAtTime(BaseCallback):
    """Callback that stops the training at a time of the monotonic clock, in seconds."""

    def __init__(self, end: float) -> None:
        super().__init__()
        self.end = end

    def _on_step(self) -> bool:
        return time.monotonic() < self.end


def train(seconds: float) -> Choice:
    """MaskablePPO on rounds of Detect. It reads the legal actions from `FacedownEnv.action_masks`."""
    model = MaskablePPO("MultiInputPolicy", make_env(), n_steps=1024, batch_size=256, gamma=1.0, ent_coef=0.01, seed=1)
    model.learn(10_000_000, callback=StopAtTime(time.monotonic() + seconds))

    def choice(observation: dict[str, np.ndarray]) -> int:
        action, _ = model.predict(observation, action_masks=observation["action_mask"], deterministic=True)
        return int(action)

    return choice


if __name__ == "__main__":
    train_and_report(train)
