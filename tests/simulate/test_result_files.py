"""Result files: each is complete or missing, a stopped run resumes from them, and experiments are never mixed."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
import pytest

from facedown.simulate import experiment, experiment_chunks, result_files
from facedown.simulate.experiment import Run, compare, simulate
from facedown.simulate.experiment_setup import BadExperiment, Setup
from facedown.simulate.findings import Findings
from facedown.simulate.result_files import MANIFEST, Folder, NotWritten

SETUP = Setup("detect", ("beginner", "greedy"), deals=50, rounds=1, seed="parts", size=12)


def ran(out: Path | None, setup: Setup = SETUP) -> Findings:
    run = Run(setup, out, jobs=1)
    for _ in run:
        pass
    return run.findings


@pytest.fixture
def whole(tmp_path: Path) -> tuple[Path, Findings]:
    return tmp_path / "whole", ran(tmp_path / "whole")


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Chunks that are played and not read."""
    found: list[int] = []
    real = experiment_chunks.play_chunk

    def play(setup: Setup, chunk: int) -> experiment_chunks.Columns:
        if setup.deals > 1:
            found.append(chunk)
        return real(setup, chunk)

    monkeypatch.setattr(experiment, "play_chunk", play)
    return found


def test_result_folder_contains_a_manifest_and_one_parquet_file_for_each_chunk_of_deals(
    whole: tuple[Path, Findings],
) -> None:
    folder, findings = whole
    assert findings == ran(None)
    names = sorted(file.name for file in folder.iterdir())
    assert names == [MANIFEST, *[f"part-00000{chunk}.parquet" for chunk in range(5)]]
    manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    assert (manifest["game"], manifest["bots"], manifest["deals"]) == ("detect", ["beginner", "greedy"], 50)
    assert manifest["options"][0]["ender_tie"] == "safe"
    table = parquet.read_table(folder / "part-000004.parquet")
    assert table.num_rows == 2 * 2
    assert table["deal"].to_pylist() == [48, 48, 49, 49]
    assert table.column_names[-1] == "rule_ender_seat"


def test_stopped_experiment_resumes_from_its_result_files_and_plays_only_missing_chunks(
    whole: tuple[Path, Findings], tmp_path: Path, played: list[int]
) -> None:
    stopped = tmp_path / "stopped"
    for number, _ in enumerate(Run(SETUP, stopped, jobs=1)):
        if number == 1:
            break
    assert sorted(file.name for file in stopped.glob("part*")) == ["part-000000.parquet", "part-000001.parquet"]
    played.clear()
    assert ran(stopped) == whole[1]
    assert played == [2, 3, 4]
    played.clear()
    assert ran(stopped).json() != ""
    assert played == []


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def blank(data: bytes) -> bytes:
    return data[: len(data) // 2] + bytes(len(data) - len(data) // 2)


@pytest.mark.parametrize("harm", [cut, blank, lambda data: b""])
def test_deals_of_a_truncated_or_blanked_result_file_are_played_again(
    whole: tuple[Path, Findings], harm: Any, played: list[int]
) -> None:
    folder, findings = whole
    part = folder / "part-000002.parquet"
    part.write_bytes(harm(part.read_bytes()))
    (folder / f".part-000003.parquet.1{result_files.UNFINISHED_SUFFIX}").write_bytes(b"left by a crash")
    played.clear()
    assert ran(folder) == findings
    assert played == [2]
    assert not list(folder.glob(".*"))


def test_result_file_with_a_flipped_bit_is_read_correctly_or_counts_as_missing(
    whole: tuple[Path, Findings], rng: np.random.Generator
) -> None:
    """Either all rows of a damaged file are right, or the file counts as missing."""
    folder = Folder(SETUP, whole[0])
    true = folder.read_arrow_table(1)
    held = folder.chunk_file(1).read_bytes()
    refused = 0
    for at in rng.integers(0, len(held), 400).tolist():
        folder.chunk_file(1).write_bytes(held[:at] + bytes([held[at] ^ 1 << int(rng.integers(8))]) + held[at + 1 :])
        found = folder.read_arrow_table(1)
        refused += found is None
        assert found is None or found.equals(true), at
    assert refused > 100


def test_deals_are_played_again_if_their_result_file_holds_the_deals_of_another_chunk(
    whole: tuple[Path, Findings], played: list[int]
) -> None:
    folder, findings = whole
    shutil.copy(folder / "part-000000.parquet", folder / "part-000001.parquet")
    played.clear()
    assert ran(folder) == findings
    assert played == [1]


def test_result_folder_of_another_experiment_is_refused_and_not_changed(whole: tuple[Path, Findings]) -> None:
    folder = whole[0]
    before = {file: file.read_bytes() for file in folder.iterdir()}
    with pytest.raises(BadExperiment, match='belongs to another experiment: seed is "parts", not "others"'):
        simulate("detect", ["beginner", "greedy"], deals=50, rounds=1, seed="others", out=folder)
    with pytest.raises(BadExperiment, match="belongs to another experiment: options is"):
        compare("detect", ["beginner", "greedy"], {}, {"ender_tie": "doubled"}, deals=50, rounds=1, out=folder)
    assert {file: file.read_bytes() for file in folder.iterdir()} == before


def test_result_folder_with_other_files_or_an_invalid_manifest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear diary")
    with pytest.raises(BadExperiment, match="contains other files"):
        ran(tmp_path)
    with pytest.raises(NotWritten, match=r"letter\.txt: (File exists|Not a directory)"):
        ran(tmp_path / "letter.txt")
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / MANIFEST).write_text("[1, 2]")
    with pytest.raises(BadExperiment, match="is not a valid experiment manifest"):
        ran(tmp_path / "made")


def test_full_disk_raises_an_error_and_leaves_no_incomplete_result_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, left = os.fsync, [4]

    def full(handle: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(NotWritten, match=r"part-000001\.parquet: No space left on device"):
        ran(tmp_path / "full")
    monkeypatch.undo()
    assert [file.name for file in sorted((tmp_path / "full").iterdir())] == [MANIFEST, "part-000000.parquet"]
    assert ran(tmp_path / "full") == ran(None)


def test_result_rows_of_an_experiment_are_returned_as_arrow_tables_with_or_without_a_folder(tmp_path: Path) -> None:
    kept = simulate("detect", ["greedy"], deals=30, rounds=1, seed="rows", out=tmp_path / "rows")
    held = simulate("detect", ["greedy"], deals=30, rounds=1, seed="rows")
    assert [table.num_rows for table in held.to_arrow_tables()] == [30]
    assert all(one.equals(other) for one, other in zip(kept.to_arrow_tables(), held.to_arrow_tables(), strict=True))
    assert kept.findings == held.findings
    mean = -sum(next(held.to_arrow_tables())["score_0"].to_pylist()) / 30
    assert mean > 0
    (tmp_path / "rows" / "part-000000.parquet").unlink()
    with pytest.raises(BadExperiment, match="missing or incomplete"):
        list(kept.to_arrow_tables())


def test_missing_pyarrow_raises_an_error_that_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(result_files.importlib, "import_module", missing)
    with pytest.raises(BadExperiment, match=r'pip install "facedown\[lab\]"'):
        ran(tmp_path / "new")
    assert not (tmp_path / "new").exists()
    # Without a folder the library is not needed.
    assert ran(None).deals == 50
