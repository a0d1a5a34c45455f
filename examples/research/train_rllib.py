"""RLlib: PPO with an action mask learns rounds of Detect.

``pip install facedown[gym] "ray[rllib]" torch``; ``python examples/research/train_rllib.py``.
"""

from __future__ import annotations

import time
from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from common import Choice, make_env, train_and_report
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env


class RLlibObservationWrapper(gymnasium.ObservationWrapper):
    """Wrapper that gives RLlib's action-masking module ``observations`` and ``action_mask``, both as floats."""

    def __init__(self, env: gymnasium.Env) -> None:
        super().__init__(env)
        inside = env.observation_space
        mask = gymnasium.spaces.Box(0.0, 1.0, inside["action_mask"].shape, np.float32)
        self.observation_space = gymnasium.spaces.Dict({"action_mask": mask, "observations": inside["observation"]})

    def observation(self, observation: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return the observation under the names that RLlib expects."""
        return {
            "action_mask": observation["action_mask"].astype(np.float32),
            "observations": observation["observation"],
        }


def make_worker_env(_: Any) -> gymnasium.Env:
    """Return an environment for a worker. Rewards are divided by 20, because rounds differ by tens of points."""
    return gymnasium.wrappers.TransformReward(RLlibObservationWrapper(make_env()), lambda reward: reward / 20.0)


def start_ray() -> None:
    """Start Ray in this process.

    On a busy machine Ray's own processes may start too late, so a failed start is repeated once.
    """
    quiet = {"include_dashboard": False, "log_to_driver": False, "configure_logging": False}
    try:
        ray.init(address="local", num_cpus=2, **quiet)
    except Exception:  # noqa: BLE001 - whatever it was, the second time it may be told
        ray.shutdown()
        ray.init(address="local", num_cpus=2, **quiet)


def train(seconds: float) -> Choice:
    """PPO of RLlib's new API stack on rounds of Detect, in this process."""
    start_ray()
    register_env("facedown", make_worker_env)
    env = make_worker_env(None)
    config = (
        PPOConfig()
        .environment("facedown")
        .env_runners(num_env_runners=0)
        .training(lr=5e-4, gamma=1.0, lambda_=0.95, entropy_coeff=0.01, train_batch_size_per_learner=1024)
        .training(minibatch_size=256, num_epochs=4)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule,
                observation_space=env.observation_space,
                action_space=env.action_space,
                model_config={"head_fcnet_hiddens": [64, 64]},
            )
        )
        .debugging(seed=1)
    )
    algorithm = config.build_algo()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        algorithm.train()
    module = algorithm.get_module()
    adapt = RLlibObservationWrapper(make_env())

    def choice(observation: dict[str, np.ndarray]) -> int:
        seen = {name: torch.as_tensor(value)[None] for name, value in adapt.observation(observation).items()}
        with torch.no_grad():
            return int(module.forward_inference({"obs": seen})["action_dist_inputs"][0].argmax())

    return choice


if __name__ == "__main__":
    train_and_report(train)
