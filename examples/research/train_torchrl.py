"""TorchRL: PPO with a masked distribution learns rounds of Detect.

``pip install facedown[gym] torchrl``; ``python examples/research/train_torchrl.py``.
"""

from __future__ import annotations

import time

import numpy as np
import torch
from common import Choice, make_env, train_and_report
from tensordict.nn import TensorDictModule, TensorDictSequential
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

FRAMES, BATCH, EPOCHS = 1024, 256, 4


def network(inputs: int, outputs: int) -> nn.Sequential:
    """Return a small network with two hidden layers of 64 units."""
    return nn.Sequential(nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs))


def train(seconds: float) -> Choice:
    """PPO on rounds of Detect. The action distribution masks illegal actions."""
    torch.manual_seed(1)
    env = TransformedEnv(GymWrapper(make_env(), categorical_action_encoding=True))
    env.append_transform(DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))
    env.append_transform(ActionMask())
    inputs, outputs = env.observation_spec["observation"].shape[-1], env.action_spec.n
    logits = TensorDictModule(network(inputs, outputs), in_keys=["observation"], out_keys=["logits"])
    actor = ProbabilisticActor(
        TensorDictSequential(logits),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(network(inputs, 1), in_keys=["observation"])
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    optimiser = torch.optim.Adam(loss.parameters(), 5e-4)
    end = time.monotonic() + seconds
    for batch in Collector(env, actor, frames_per_batch=FRAMES, total_frames=-1):
        # Rewards are divided by 20, because rounds differ by tens of points.
        batch["next", "reward"] /= 20.0
        for _ in range(EPOCHS):
            with torch.no_grad():
                advantage(batch)
            for part in batch[torch.randperm(len(batch))].split(BATCH):
                found = loss(part)
                optimiser.zero_grad()
                (found["loss_objective"] + found["loss_critic"] + found["loss_entropy"]).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimiser.step()
        if time.monotonic() > end:
            break

    def choice(observation: dict[str, np.ndarray]) -> int:
        with torch.no_grad():
            found = logits.module(torch.as_tensor(observation["observation"]))
        found[torch.as_tensor(observation["action_mask"]) == 0] = -torch.inf
        return int(found.argmax())

    return choice


if __name__ == "__main__":
    train_and_report(train)
