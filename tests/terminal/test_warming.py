"""Compiled rules: where they are kept, and what is cleared away."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from facedown.core.game import catalogue
from facedown.terminal import warming


def test_old_rules_of_other_sources_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    old, new, ours, other = (tmp_path / name for name in ("rules-old", "rules-new", "x", "notes"))
    ours = warming.folders()["detect"]
    for folder in (old, new, ours, other):
        folder.mkdir()
    long_ago = time.time() - warming.KEEP - 60
    for folder in (old, ours, other):
        os.utime(folder, (long_ago, long_ago))
    warming.sweep()
    assert [folder.exists() for folder in (old, new, ours, other)] == [False, True, True, True]


def test_warm_names_every_game() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "facedown", "warm"],
        env={**os.environ, "FACEDOWN_INTERPRETED": "1"},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    titles = [line.split(":")[0] for line in done.stdout.splitlines()]
    assert titles == [info.title for info in catalogue().values()]


def test_rules_are_warm_once_all_have_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    monkeypatch.setattr(warming, "INTERPRETED", False)
    assert not warming.is_warm()
    for folder in warming.folders().values():
        folder.mkdir()
    assert warming.is_warm()


def test_a_game_is_new_until_it_has_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FACEDOWN_CACHE", str(tmp_path))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setattr(warming, "INTERPRETED", False)
    warming.folders()["detect"].mkdir()
    assert (warming.is_new("detect"), warming.is_new("scout")) == (False, True)
    monkeypatch.delenv("FACEDOWN_CACHE")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert warming.is_new("detect")
    assert warming.folders()["detect"].parent == tmp_path / "facedown"
