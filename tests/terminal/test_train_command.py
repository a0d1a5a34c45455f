"""``facedown train``: a run in a folder, resuming it, and one line for bad arguments."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from facedown.bots.weights_file import load
from facedown.core.game_registry import catalogue, info
from facedown.core.game_registry import game as load_game
from facedown.terminal import train_command
from facedown.terminal.cli import run

#: Arguments of a short run: it ends after 1,000 decisions.
SHORT_RUN = ["--steps", "0.001", "--tables", "16", "--small", "--quiet"]


@pytest.mark.slow
def test_a_training_run_is_saved_and_can_be_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "run"
    assert run(["train", "reveille", *SHORT_RUN, "--out", str(folder)]) == 0
    assert "0.00 million decisions" in capsys.readouterr().out
    assert {"checkpoint.npz", "network.npz", "curve.csv", "curve.png"} <= {path.name for path in folder.iterdir()}
    before = load(folder / "network.npz")
    assert before.game == "reveille"
    assert run(["train", "reveille", *SHORT_RUN, "--out", str(folder)]) == 2
    assert "resume it with --resume" in capsys.readouterr().err
    assert run(["train", "reveille", "--resume", "--steps", "0.003", "--quiet", "--out", str(folder)]) == 0
    after = load(folder / "network.npz")
    assert before.player == after.player
    assert not np.array_equal(before.weights, after.weights)


@pytest.mark.slow
@pytest.mark.parametrize("game", [name for name in catalogue() if load_game(name).features is None])
def test_a_network_trained_on_the_command_line_can_play_as_a_bot_in_the_arena(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["train", game, *SHORT_RUN, "--out", str(tmp_path)]) == 0
    few = ["--deals", "2", "--all", "--jobs", "1", "--quiet"]
    network = str(tmp_path / "network.npz")
    capsys.readouterr()
    assert run(["arena", game, f"{network}@1", network, *few]) == 0
    assert f"{network}@1" in capsys.readouterr().out
    about = info(game)
    if about.seats[1] > about.seats[0]:
        assert run(["arena", game, network, "greedy", "--seats", str(about.seats[1]), *few]) != 0
        assert f"with {about.seats[0]} players, not {about.seats[1]}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "wrong"),
    [
        (["detect", "--seats", "two"], "--seats two: expected a number"),
        (["detect", "--seats", "9"], "Detect is for 2 to 8 players, not 9"),
        (["detect", "--seats", "3-2"], "--seats 3-2: expected a number"),
        (["reveille", "--resume"], "no run to resume"),
        (["uncovered", "--seats", "2,3"], "only one player count at a time"),
        (["detect", "--minutes", "0"], "--minutes"),
    ],
)
def test_train_command_refuses_bad_arguments_with_a_message_and_creates_no_folder(
    arguments: list[str], wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["train", *arguments, "--out", str(tmp_path / "none")]) == 2
    assert wrong in capsys.readouterr().err
    assert not (tmp_path / "none").exists()


def test_train_command_without_the_learning_packages_names_the_extra_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "facedown.research.learning.trainer", None)
    assert run(["train", "detect", "--out", str(tmp_path / "none")]) == 2
    assert "facedown[learn]" in capsys.readouterr().err


def test_an_interrupted_training_run_is_saved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(train_command, "_train_with_progress", interrupted)
    assert run(["train", "detect", *SHORT_RUN, "--out", str(tmp_path / "run")]) == 0
    assert "Stopped" in capsys.readouterr().out
    assert (tmp_path / "run" / "checkpoint.npz").exists()
