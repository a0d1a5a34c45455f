"""Training by self-play: repeatedly plays matches, estimates advantages and updates the networks. Runs can be resumed.

A run is a folder: ``checkpoint.npz`` (everything that resuming needs), ``network.npz`` (the weights for a bot) and
``curve.csv``. The same seed gives the same weights on the same machine, whether or not the run was interrupted.
"""

from __future__ import annotations

import csv
import io
import json
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import jax
import numpy as np
from numpy.typing import NDArray

from facedown.bots.network import Tower, critic_shape, player_shape
from facedown.bots.weights_file import Weights, save
from facedown.core.game_registry import game as load_game
from facedown.research.i18n import N_, _
from facedown.research.learning.jax_model import flatten_weights, random_initial_weights
from facedown.research.learning.observation_self_play import make_self_play_tables
from facedown.research.learning.ppo import Towers, make_update_step, make_value_function, optimiser
from facedown.research.learning.self_play import Buffer, advantages_and_usable_mask
from facedown.simulate.result_files import write_file_atomically

#: Number of positions that the critic evaluates in one call.
JUDGED = 8192
CHECKPOINT = "checkpoint.npz"
NETWORK = "network.npz"
CURVE = "curve.csv"


class BadRun(ValueError):
    """Error: a run cannot be started or resumed. The text gives the reason in one line."""


@dataclass(frozen=True)
class Settings:
    """Settings of a training run. Learning rate and entropy coefficient fall from their first to their last value."""

    game: str
    seats: tuple[int, ...] = (2,)
    """Numbers of players, assigned to the tables in turn."""
    seed: str = "learning"
    decisions: int = 20_000_000
    """Number of decisions after which the run ends."""
    seconds: float = 0.0
    """Seconds after which the run ends, if that comes first; 0 for no limit. A run with a time limit is not
    reproducible, because the progress of the rates depends on the clock."""
    tables: int = 1024
    """Number of tables. They play at the same time, each one match after another."""
    steps: int = 64
    """Number of decisions at each table between two updates."""
    batch: int = 8192
    """Number of decisions per minibatch."""
    epochs: int = 2
    """Number of times that an update goes through the decisions."""
    rate: float = 1e-3
    """Learning rate at the beginning."""
    last_rate: float = 1e-4
    """Learning rate at the end."""
    entropy: float = 0.03
    """Entropy coefficient at the beginning."""
    last_entropy: float = 0.003
    """Entropy coefficient at the end."""
    trust: float = 0.95
    """λ of generalised advantage estimation: 1 uses only the actual rewards, 0 only the critic."""
    embedding: int = 64
    first: int = 128
    second: int = 128
    point: int = 64
    measured: int = 100
    """Number of deals that each evaluation against greedy bots plays."""


@dataclass
class Point:
    """A point of the learning curve: what was measured after one update of the networks."""

    decisions: int
    """Decisions since the run began."""
    seconds: float
    """Seconds of training since the run began, without breaks."""
    spread: float
    """Mean entropy of the policy over the decisions of the update."""
    drift: float
    """Change of the policy by the update: an estimate of the Kullback–Leibler divergence."""
    explained: float
    """Share of the variance of the rewards that the critic predicts."""
    worth: float = field(default=float("nan"))
    """Mean reward of a round against greedy bots, in the unit of the game's `Features.rewards`; NaN if it was not
    measured after this update."""
    margin: float = field(default=float("nan"))
    """Half width of the 95 % confidence interval of `worth`."""
    ahead: float = field(default=float("nan"))
    """Share of the rounds against greedy bots with a positive reward; rounds with reward 0 count half. NaN if not
    measured."""


class Trainer:
    """A training run in progress, whether new or resumed."""

    def __init__(self, settings: Settings, threads: int = 1) -> None:
        self.settings = settings
        self.game = load_game(settings.game)
        try:
            self.tables = make_self_play_tables(self.game, settings.seats, settings.tables, settings.seed, threads)
        except ValueError as wrong:
            raise BadRun(str(wrong)) from None
        layout = self.tables.layout
        sizes = settings.embedding, settings.first, settings.second
        self.towers = Towers(layout, player_shape(layout, *sizes, settings.point), critic_shape(layout, *sizes))
        self.buffer = Buffer.allocate(layout, settings.tables * settings.steps)
        self.rng = np.random.default_rng(np.frombuffer(settings.seed.encode().ljust(8, b"\0"), np.uint8))
        self.parts: Any = tuple(
            random_initial_weights(shape, self.rng) for shape in (self.towers.player, self.towers.critic)
        )
        self.adam: Any = tuple(optimiser().init(parts) for parts in self.parts)
        self.decisions = 0
        self.seconds = 0.0
        self.points: list[Point] = []
        self._update = make_update_step(self.towers)
        self._values = make_value_function(self.towers)

    @property
    def weights(self) -> NDArray[np.float32]:
        """The weights of the player network, which chooses the actions, as one flat array."""
        return flatten_weights(self.towers.player, self.parts[0])

    @property
    def tower(self) -> Tower:
        """The player network with its current weights, in the form that compiled code uses.

        The player network chooses the actions. The other network, the critic, is only used in training.
        """
        return self.towers.player.tower(self.weights)

    @property
    def progress(self) -> float:
        """Share of the run that is done, from 0 to 1."""
        told = self.seconds / self.settings.seconds if self.settings.seconds else 0.0
        return min(1.0, max(told, self.decisions / self.settings.decisions))

    def run(self, measure_every: float = 15.0) -> Iterator[Point]:
        """Train to the end of the run, and yield a point of the learning curve after every update of the networks.

        Every `measure_every` seconds of training, the player network is evaluated against greedy bots, if the game has
        them. The evaluation does not affect the training.
        """
        measured = -measure_every
        while self.progress < 1.0:
            before = time.perf_counter()
            point = self.train_once()
            self.seconds += time.perf_counter() - before
            point.seconds = self.seconds
            is_due = self.seconds - measured >= measure_every or self.progress >= 1.0
            if is_due and self.game.policy is not None:
                measured = self.seconds
                found = self.tables.against_greedy(self.tower, self.settings.measured)
                point.worth, point.margin, point.ahead = found.mean, found.margin, found.ahead
            self.points.append(point)
            yield point

    def train_once(self) -> Point:
        """Play `Settings.steps` decisions at each table, then update both networks once.

        Matches are played in parallel, one at each table. Return the new point of the learning curve.
        """
        self.tables.play(self.settings.steps, self.tower, self.buffer)
        values = self._compute_values()
        gain, usable = advantages_and_usable_mask(self.settings.steps, self.settings.trust, self.buffer, values)
        rows = np.flatnonzero(usable)
        target = gain + values
        spread = float(gain[rows].std())
        explained = 1.0 - float(gain[rows].var()) / max(1e-9, float(target[rows].var()))
        gain = (gain - float(gain[rows].mean())) / (spread + 1e-6)
        learnt = self._run_epochs(rows, gain.astype(np.float32), target.astype(np.float32))
        self.decisions += len(values)
        return Point(self.decisions, self.seconds, float(learnt[0]), float(learnt[1]), explained)

    def _compute_values(self) -> NDArray[np.float32]:
        known, secret, *_rest = self.buffer
        parts = [slice(at, at + JUDGED) for at in range(0, len(known), JUDGED)]
        return np.concatenate([np.asarray(self._values(self.parts[1], known[part], secret[part])) for part in parts])

    def _run_epochs(
        self, rows: NDArray[np.int64], gain: NDArray[np.float32], target: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        chosen = self.settings
        rate = np.float32(chosen.rate + (chosen.last_rate - chosen.rate) * self.progress)
        entropy = np.float32(chosen.entropy + (chosen.last_entropy - chosen.entropy) * self.progress)
        mine = self.buffer
        whole = mine.known, mine.secret, mine.opened, mine.chosen, mine.log_probability, gain, target
        buffer = jax.device_put(whole)
        size = min(chosen.batch, len(rows))
        figures = []
        for _epoch in range(chosen.epochs):
            order = self.rng.permutation(rows).astype(np.int32)
            for at in range(0, len(order) - size + 1, size):
                batch = order[at : at + size]
                self.parts, self.adam, found = self._update(self.parts, self.adam, buffer, batch, rate, entropy)
                figures.append(np.asarray(found))
        means: NDArray[np.float32] = np.stack(figures).mean(axis=0)
        return means

    # --- checkpoints ----------------------------------------------------------------------------------------------

    def save_checkpoint(self, folder: Path) -> None:
        """Write the run to a folder: checkpoint, network and learning curve. Each file is replaced atomically."""
        folder.mkdir(parents=True, exist_ok=True)
        leaves = jax.tree.leaves((self.parts, self.adam))
        arrays = {f"leaf {i}": np.asarray(leaf) for i, leaf in enumerate(leaves)}
        head = {
            "settings": asdict(self.settings),
            "layout": self.tables.layout.hash,
            "rng": self.rng.bit_generator.state,
            "decisions": self.decisions,
            "seconds": self.seconds,
            "points": [asdict(point) for point in self.points],
        }
        text = np.frombuffer(json.dumps(head).encode(), np.uint8)
        checkpoint = io.BytesIO()
        np.savez(checkpoint, head=text, **self.tables.state_dict(), **arrays)  # type: ignore[arg-type]
        write_file_atomically(folder / CHECKPOINT, checkpoint.getbuffer())
        save(folder / NETWORK, self.network)
        curve = io.StringIO(newline="")
        writer = csv.writer(curve)
        writer.writerow([one.name for one in fields(Point)])
        writer.writerows([list(asdict(point).values()) for point in self.points])
        write_file_atomically(folder / CURVE, curve.getvalue().encode())

    @property
    def network(self) -> Weights:
        """The weights of the player network and of the critic, in the form that is saved to a file."""
        player, critic = self.towers.player, self.towers.critic
        critic_row = flatten_weights(critic, self.parts[1])
        return Weights(self.settings.game, self.tables.layout.hash, player, self.weights, critic, critic_row)

    @classmethod
    def resumed(
        cls, folder: Path, threads: int = 1, decisions: int | None = None, seconds: float | None = None
    ) -> Trainer:
        """Return the training run stored in `folder`, to be continued.

        A run ends after a number of decisions. It may also have a limit in seconds. `decisions` and `seconds`, if
        given, replace the limits stored with the run.

        Raise `BadRun` if the folder has no run, or if the game's features have changed since the run was saved.
        """
        path = folder / CHECKPOINT
        try:
            with path.open("rb") as opened, np.load(opened) as kept:
                arrays = {name: kept[name] for name in kept.files}
        except (OSError, EOFError, BadZipFile, ValueError) as wrong:
            raise BadRun(_("{folder}: no run to resume ({wrong})", folder=folder, wrong=wrong)) from None
        head = json.loads(arrays["head"].tobytes())
        given = head["settings"]
        settings = Settings(**{**given, "seats": tuple(given["seats"])})
        ends: dict[str, Any] = {"decisions": decisions, "seconds": seconds}
        settings = replace(settings, **{name: end for name, end in ends.items() if end is not None})
        found = cls(settings, threads)
        if head["layout"] != found.tables.layout.hash:
            changed = N_("{folder}: the run was started with different {game} features; start a new run")
            raise BadRun(_(changed, folder=folder, game=settings.game))
        leaves, shape = jax.tree.flatten((found.parts, found.adam))
        kept_leaves = [arrays[f"leaf {i}"] for i in range(len(leaves))]
        found.parts, found.adam = jax.tree.unflatten(shape, kept_leaves)
        found.tables.restore(arrays)
        found.rng.bit_generator.state = head["rng"]
        found.decisions, found.seconds = head["decisions"], head["seconds"]
        found.points = [Point(**point) for point in head["points"]]
        return found
