"""File format for network weights: the game and layout that they were trained for, and the numbers.

A file names the game and the hash of its feature layout (`core.features.FeatureLayout.hash`). If the layout of the game
has changed since, the file is rejected.
"""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from facedown.bots.feature_dispatch import features_of
from facedown.bots.i18n import N_, _
from facedown.bots.network import Shape
from facedown.core.features import FeatureLayout
from facedown.core.game_registry import package_of


class Misfit(ValueError):
    """Error: network weights do not fit the game or its features, or cannot be loaded. The text gives the reason."""


@dataclass(frozen=True)
class Weights:
    """A trained player network, optionally with a critic (value network), and the game and feature layout that they
    were trained for.
    """

    game: str
    """Name of the game."""
    layout: str
    """Hash of the feature layout that the network was trained with."""
    player: Shape
    weights: NDArray[np.float32]
    """Weights of the player network, `Shape.weight_count` numbers."""
    critic: Shape | None = None
    critic_weights: NDArray[np.float32] | None = None
    """Weights of the critic; None if the file has no critic."""

    def check(self, game: str, layout: FeatureLayout) -> None:
        """Raise `Misfit` unless the weights belong to this game and were trained with this layout."""
        if self.game != game:
            raise Misfit(_("these weights are for {other}, not for {game}", other=self.game, game=game))
        if self.layout != layout.hash:
            wrong = N_(
                "these weights were trained with different {game} features ({other}, not {layout}); train the "
                "network again"
            )
            raise Misfit(_(wrong, game=game, other=self.layout, layout=layout.hash))


def save(path: Path, network: Weights, kind: type[np.floating[Any]] = np.float32) -> None:
    """Write a network to the file `path`, with weights of the floating-point type `kind`.

    The file is replaced only when the new one is complete.
    """
    head: dict[str, Any] = {"game": network.game, "layout": network.layout, "player": asdict(network.player)}
    arrays: dict[str, NDArray[Any]] = {"weights": network.weights.astype(kind)}
    if network.critic is not None and network.critic_weights is not None:
        head["critic"] = asdict(network.critic)
        arrays["critic_weights"] = network.critic_weights.astype(kind)
    text = np.frombuffer(json.dumps(head).encode(), np.uint8)
    unfinished = path.with_suffix(".part")
    with unfinished.open("wb") as out:
        np.savez_compressed(out, head=text, **arrays)  # type: ignore[arg-type]
    unfinished.replace(path)


def load(source: Path | IO[bytes]) -> Weights:
    """Return the network in a file. Raise `Misfit` if the file contains no valid network."""
    try:
        # Open the file here, because NumPy leaves it open if it is not an archive.
        with source.open("rb") if isinstance(source, Path) else nullcontext(source) as opened, np.load(opened) as kept:
            head = json.loads(kept["head"].tobytes())
            arrays = {name: kept[name] for name in kept.files if name != "head"}
        player = _shape_from_sizes(head["player"])
        critic = _shape_from_sizes(head["critic"]) if "critic" in head else None
        weights = _validate_weights(arrays["weights"], player)
        critic_weights = _validate_weights(arrays["critic_weights"], critic) if critic is not None else None
        return Weights(head["game"], head["layout"], player, weights, critic, critic_weights)
    except (OSError, EOFError, BadZipFile, ValueError, KeyError, TypeError, AttributeError) as wrong:
        raise Misfit(_("cannot load a network from {file}: {wrong}", file=source, wrong=wrong)) from None


@cache
def load_shipped_weights(name: str, file: str) -> Weights:
    """Return the network weights called `file` that come with the game `name`.

    Raise `Misfit` if they do not fit the features of the game.
    """
    with (resources.files(package_of(name)) / "weights" / f"{file}.npz").open("rb") as source:
        found = load(source)
    found.check(name, features_of(name).layout)
    return found


def _shape_from_sizes(sizes: dict[str, Any]) -> Shape:
    return Shape(**{**sizes, "groups": tuple(sizes["groups"])})


def _validate_weights(weights: NDArray[Any], shape: Shape) -> NDArray[np.float32]:
    row = weights.astype(np.float32)
    if row.shape != (shape.weight_count,):
        raise ValueError(f"expected {shape.weight_count} weights, not {row.size}")
    if not np.isfinite(row).all():
        raise ValueError("the weights must be finite numbers")
    return row
