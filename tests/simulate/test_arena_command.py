"""``facedown arena``: a table on the standard output, one line and exit code 2 for bad input."""

from __future__ import annotations

import csv
import io
import json

import pytest

from facedown.terminal.cli import run

SMALL = ["--rounds", "1", "--deals", "3", "--all", "--quiet"]


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["arena", "detect", "greedy", "random", *SMALL]) == 0
    said = capsys.readouterr().out
    assert "greedy" in said
    assert "Elo" in said
    assert "first places in 3 deals" in said


def test_rows_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["arena", "detect", "greedy", "random", *SMALL, "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["bot"] for row in rows] == ["greedy", "random"]
    assert run(["arena", "detect", "greedy", "random", *SMALL, "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [row["matches"] for row in answer["rows"]] == [6, 6]
    assert answer["rows"][0]["first"] == float(rows[0]["first"])


def test_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["arena", "uncovered", "greedy", "--seats", "3", "--deals", "3", "--quiet"]) == 0
    said = capsys.readouterr().out
    assert "Mean score" in said
    assert "of 3 games won." in said


@pytest.mark.slow
def test_bots_with_a_number_of_simulations(capsys: pytest.CaptureFixture[str]) -> None:
    """The same seed gives the same table."""
    small = ["arena", "reveille", "strong@40", "search@40", *SMALL, "--format", "csv"]
    tables = []
    for _ in range(2):
        assert run(small) == 0
        rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
        tables.append([{name: row[name] for name in row if "ms" not in name} for row in rows])
    assert [row["bot"] for row in tables[0]] == ["strong@40", "search@40"]
    assert tables[0] == tables[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["bridge", "greedy"], "unknown game bridge"),
        (["detect", "grandmaster"], "unknown bot grandmaster"),
        (["detect", "greedy", "random", "--deals", "0"], "0 deals: at least one is needed"),
        (["detect", "greedy", "random", "--jobs", "0"], "0 jobs: at least one is needed"),
        (["detect", "greedy", "random", "--seats", "0"], "Detect is for 2 to 8 players, not 0"),
        (["detect", "greedy", "random", "--format", "xml"], "--format xml: there are text, csv, json"),
        (["detect", "greedy", "random", "--options", "red"], "--options red: write NAME=VALUE"),
        (["reveille", "greedy", "random", "random"], "Reveille is for 2 players, not 3"),
        (["detect", "strong@0", "greedy"], "strong@0: write strong@ and a number of simulations above zero"),
        (["detect", "strong@many", "greedy"], "strong@many: write strong@ and a number of simulations above zero"),
        (["detect", "search@-5", "greedy"], "search@-5: write search@ and a number of simulations above zero"),
        (["detect", "greedy@9", "random"], "greedy@9: only strong and search take a number of simulations"),
        (["uncovered", "strong@9"], "strong@9: in Uncovered! no bot counts simulations"),
        (["uncovered", "greedy+search@9"], "search@9: in Uncovered! no bot counts simulations"),
        (["detect"], "Missing argument"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["arena", *arguments]) == 2
    written = capsys.readouterr()
    assert written.out == ""
    assert said in written.err
    assert written.err.count("\n") == 1
