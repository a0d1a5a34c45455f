"""``facedown simulate`` and ``facedown compare``: a table on the standard output; one line for what is wrong."""

from __future__ import annotations

import csv
import importlib
import io
import types
from pathlib import Path

import pytest

from facedown.simulate import parts
from facedown.simulate.experiment import Run
from facedown.simulate.findings import LUCK, Findings, read
from facedown.terminal.cli import run

SMALL = ["simulate", "detect", "--bots", "greedy", "--rounds", "1", "-n", "40", "-j", "1", "--quiet"]
TIES = ["compare", "detect", "--bots", "greedy", "--rounds", "1", "-j", "1", "--quiet"]
SIDES = ["--a", "ender_tie=safe", "--b", "ender_tie=doubled"]


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*SMALL, "--question", "How long is a round?"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("How long is a round?\n")
    assert "Turns in a round (of all players)" in said
    assert "First to play: first places (50 % is even)" in said
    assert "40 of 40 deals, each played once, seed experiment" in said


def test_two_rule_sets(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*TIES, *SIDES, "-n", "400"]) == 0
    said = capsys.readouterr().out
    assert "B minus A" in said
    assert "cannot tell" not in said
    assert run([*TIES, *SIDES, "-n", "2", "--seed", "few"]) == 0
    assert "These deals cannot tell." in capsys.readouterr().out


def test_figures_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*TIES, *SIDES, "-n", "40", "--format", "csv"]) == 0
    rows = {row["key"]: row for row in csv.DictReader(io.StringIO(capsys.readouterr().out))}
    assert run([*TIES, *SIDES, "-n", "40", "--format", "json"]) == 0
    findings = read(capsys.readouterr().out)
    assert list(rows) == [row.a.key for row in findings.rows()]
    for row in findings.rows():
        assert row.b is not None
        assert float(rows[row.a.key]["b_high"]) == row.b.value.high


def test_bots_are_listed_or_named_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    small = ["simulate", "detect", "--rounds", "1", "-n", "3", "--quiet", "--format", "json"]
    assert run([*small, "--bots", "greedy, random"]) == 0
    one = read(capsys.readouterr().out)
    assert run([*small, "--bots", "greedy", "--bots", "random", "--jobs", "2"]) == 0
    assert read(capsys.readouterr().out) == one
    assert one.bots == ("greedy", "random")


def test_a_stopped_run_goes_on_in_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = [*SMALL, "--format", "json", "--out", str(tmp_path / "kept")]
    assert run(kept) == 0
    first = capsys.readouterr().out
    (tmp_path / "kept" / "part-000000.parquet").write_bytes(b"PAR1")
    assert run(kept) == 0
    assert read(capsys.readouterr().out) == read(first)
    assert run([*kept, "--seed", "another"]) == 2
    said = capsys.readouterr().err
    assert said == f'{tmp_path / "kept"} holds another experiment: its seed is "experiment", not "another"\n'


def test_ctrl_c_tells_what_was_found(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    real = Run.__iter__

    def interrupted(self: Run) -> object:
        self.setup.__dict__["chunk_size"] = 10
        yield next(real(self))
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "__iter__", interrupted)
    assert run([*SMALL, "--format", "json"]) == 0
    found = read(capsys.readouterr().out)
    assert (found.deals, found.asked, found.running) == (10, 40, True)


def test_a_report_is_written(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found: list[tuple[Findings, Path]] = []
    module = types.SimpleNamespace(write=lambda findings, path: found.append((findings, path)))
    real = importlib.import_module
    report = "facedown.simulate.report"
    monkeypatch.setattr(importlib, "import_module", lambda name: module if name == report else real(name))
    assert run([*SMALL, "--report", str(tmp_path / "report.html")]) == 0
    assert [(findings.deals, path) for findings, path in found] == [(40, tmp_path / "report.html")]
    assert run([*SMALL, "--report", str(tmp_path / "none" / "report.html")]) == 2
    assert f"there is no folder {tmp_path / 'none'}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["simulate", "bridge", "--bots", "greedy"], "unknown game bridge"),
        (["simulate", "detect"], "Missing option"),
        (["simulate", "detect", "--bots", "grandmaster"], "unknown bot grandmaster"),
        (["simulate", "detect", "--bots", "greedy", "-n", "0"], "0 deals: at least one is needed"),
        (["simulate", "detect", "--bots", "greedy", "--seats", "0"], "Detect is for 2 to 8 players, not 0"),
        (["simulate", "detect", "--bots", "greedy", "--options", "red"], "--options red: write NAME=VALUE"),
        (["simulate", "detect", "--bots", "greedy", "--options", "red=1"], "unknown option red"),
        (["simulate", "detect", "--bots", "greedy", "--format", "xml"], "--format xml: there are text, csv, json"),
        (["simulate", "detect", "--bots", "greedy", "--on", "moon"], "on moon: there are here, ray"),
        (["simulate", "detect", "--bots", "greedy", "--jobs", "-2"], "-2 jobs: at least one is needed"),
        (["simulate", "detect", "--bots", "nowhere:Bot"], "there is no module nowhere"),
        ([*TIES], "A and B are the same rules"),
        ([*TIES, "--a", "tie"], "--a tie: write NAME=VALUE"),
        ([*TIES, "--b", "tie=never"], "tie = never: allowed are share | extra_round"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert said in written.err
    assert written.err.count("\n") == 1


def test_what_fails_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sulking.py").write_text(
        "class Bot:\n"
        "    left = 9\n"
        "    def choose(self, game, view, seat, seed):\n"
        "        self.left -= 1\n"
        "        return game.legal(view, seat)[0] if self.left > 0 else -1\n"
    )
    assert run(["simulate", "detect", "--bots", "sulking:Bot", "-n", "3", "-j", "1", "--quiet"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("sulking:Bot in seat ")
    assert "it chose action -1" in said

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(parts, "write_file", full)
    assert run([*SMALL, "--out", str(tmp_path / "full")]) == 1
    assert capsys.readouterr().err == f"{tmp_path / 'full'}: No space left on device\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "told"), [("en", "Every repeat of a deal came out the same."), ("de", "Jede Wiederholung")]
)
def test_bots_that_never_choose_by_chance_show_no_luck(
    language: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table, the JSON and the report say so instead of a share; with a bot that mixes they name the shares."""
    report = tmp_path / "luck.html"
    call = ["--rounds", "1", "-n", "6", "-j", "1", "--quiet", "--repeats", "2", "--report", str(report)]
    for name, luck in (("tests.simulate.bots:First", False), ("beginner", True)):
        for command in (["simulate", "detect"], ["compare", "detect", *SIDES]):
            whole = ["--lang", language, *command, "--bots", name, *call]
            assert run(whole) == 0
            # The terminal breaks lines.
            shown = " ".join(capsys.readouterr().out.split())
            assert (told in shown) == (told in report.read_text(encoding="utf-8")) == (not luck)
            assert run([*whole, "--format", "json"]) == 0
            findings = read(capsys.readouterr().out)
            assert findings.a.no_luck.startswith(told) == (not luck)
            assert any(row.a.group == LUCK for row in findings.rows()) == luck
            assert any(key.startswith("luck.") for key in findings.differences) == (luck and "compare" in whole)
