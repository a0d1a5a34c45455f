"""``facedown arena``, ``simulate`` and ``compare``: tables on the standard output, and one line for an error."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from facedown.simulate import result_files
from facedown.simulate.experiment import Run
from facedown.simulate.findings import LUCK, Findings, findings_from_json
from facedown.terminal.cli import run
from tests.not_none import given
from tests.terminal.command_runner import said

ARENA = ["--rounds", "1", "--deals", "3", "--all", "--quiet"]
SMALL = ["simulate", "detect", "--bots", "greedy", "--rounds", "1", "-n", "40", "-j", "1", "--quiet"]
TIES = ["compare", "detect", "--bots", "greedy", "--rounds", "1", "-j", "1", "--quiet"]
SIDES = ["--a", "ender_tie=safe", "--b", "ender_tie=doubled"]
Output = pytest.CaptureFixture[str]


def printed(capsys: Output, *arguments: str) -> str:
    """Return what a successful command prints."""
    code, out, _err = said(capsys, *arguments)
    assert code == 0
    return out


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["arena", "detect", "greedy", "random", *ARENA], ["greedy", "Elo", "first places in 3 deals"]),
        (
            ["arena", "uncovered", "greedy", "--seats", "3", "--deals", "3", "--quiet"],
            ["Mean score", " of 3 games."],
        ),
        (
            [*SMALL, "--question", "How long is a round?"],
            [
                "Turns per round (all players combined)",
                "First to play: first places (an even share is 50 %)",
                "40 of 40 deals, each played once, seed experiment",
            ],
        ),
        ([*TIES, *SIDES, "-n", "400"], ["B minus A"]),
    ],
)
def test_arena_simulate_and_compare_commands_print_a_table(
    arguments: list[str], parts: list[str], capsys: Output
) -> None:
    out = printed(capsys, *arguments)
    assert [part for part in parts if part not in out] == []
    assert "No clear difference in these deals" not in out
    assert out.startswith("How long is a round?\n") == ("--question" in arguments)


def test_compare_command_reports_no_clear_difference_between_two_rule_sets_after_two_deals(capsys: Output) -> None:
    assert "No clear difference in these deals." in printed(capsys, *TIES, *SIDES, "-n", "2", "--seed", "few")


def test_csv_and_json_output_of_the_arena_and_compare_commands_have_the_same_values(capsys: Output) -> None:
    contest = ["arena", "detect", "greedy", "random", *ARENA, "--format"]
    bots = list(csv.DictReader(io.StringIO(printed(capsys, *contest, "csv"))))
    assert [row["bot"] for row in bots] == ["greedy", "random"]
    answer = json.loads(printed(capsys, *contest, "json"))
    assert [row["matches"] for row in answer["rows"]] == [6, 6]
    assert answer["rows"][0]["first"] == float(bots[0]["first"])
    pairs = [*TIES, *SIDES, "-n", "40", "--format"]
    rows = {row["key"]: row for row in csv.DictReader(io.StringIO(printed(capsys, *pairs, "csv")))}
    findings = findings_from_json(printed(capsys, *pairs, "json"))
    assert list(rows) == [row.a.key for row in findings.rows()]
    for row in findings.rows():
        assert float(rows[row.a.key]["b_high"]) == given(row.b).value.high


@pytest.mark.slow
def test_arena_of_search_bots_with_a_fixed_number_of_simulations_is_reproducible(capsys: Output) -> None:
    small = ["arena", "reveille", "strong@40", "search@40", *ARENA, "--format", "csv"]
    tables = []
    for _ in range(2):
        rows = list(csv.DictReader(io.StringIO(printed(capsys, *small))))
        tables.append([{name: row[name] for name in row if "ms" not in name} for row in rows])
    assert [row["bot"] for row in tables[0]] == ["strong@40", "search@40"]
    assert tables[0] == tables[1]


def test_simulate_command_accepts_bots_in_one_comma_separated_option_or_in_several(capsys: Output) -> None:
    small = ["simulate", "detect", "--rounds", "1", "-n", "3", "--quiet", "--format", "json"]
    one = findings_from_json(printed(capsys, *small, "--bots", "greedy, random"))
    assert findings_from_json(printed(capsys, *small, "--bots", "greedy", "--bots", "random", "--jobs", "2")) == one
    assert one.bots == ("greedy", "random")


def test_simulate_command_resumes_an_incomplete_output_folder_and_refuses_another_seed(
    tmp_path: Path, capsys: Output
) -> None:
    kept = [*SMALL, "--format", "json", "--out", str(tmp_path / "kept")]
    first = printed(capsys, *kept)
    (tmp_path / "kept" / "part-000000.parquet").write_bytes(b"PAR1")
    assert findings_from_json(printed(capsys, *kept)) == findings_from_json(first)
    wrong = f'{tmp_path / "kept"} belongs to another experiment: seed is "experiment", not "another"\n'
    assert said(capsys, *kept, "--seed", "another") == (2, "", wrong)


def test_ctrl_c_during_simulate_prints_the_results_of_the_deals_played_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: Output
) -> None:
    real = Run.__iter__

    def interrupted(self: Run) -> object:
        self.setup.__dict__["chunk_size"] = 10
        yield next(real(self))
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "__iter__", interrupted)
    found = findings_from_json(printed(capsys, *SMALL, "--format", "json"))
    assert (found.deals, found.asked, found.running) == (10, 40, True)


def test_simulate_command_writes_a_report_and_refuses_a_report_path_in_a_missing_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Output
) -> None:
    found: list[tuple[Findings, Path]] = []
    monkeypatch.setattr(
        "facedown.simulate.report.write_html_report", lambda findings, path: found.append((findings, path))
    )
    assert run([*SMALL, "--report", str(tmp_path / "report.html")]) == 0
    assert [(findings.deals, path) for findings, path in found] == [(40, tmp_path / "report.html")]
    assert run([*SMALL, "--report", str(tmp_path / "none" / "report.html")]) == 2
    assert f"the folder {tmp_path / 'none'}" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("arena bridge greedy", "unknown game bridge"),
        ("arena detect grandmaster", "unknown bot grandmaster"),
        ("arena detect greedy random --deals 0", "the number of deals must be at least 1, not 0"),
        ("arena detect greedy random --jobs 0", "the number of jobs must be at least 1, not 0"),
        ("arena detect greedy random --seats 0", "Detect is for 2 to 8 players, not 0"),
        ("arena detect greedy random --format xml", "--format xml: must be one of text, csv, json"),
        ("arena detect greedy random --options red", "--options red: expected NAME=VALUE"),
        ("arena detect greedy random --seats 9", "Detect is for 2 to 8 players, not 9"),
        ("arena detect greedy greedy greedy --seats 2", "too many bots: 3 for 2 seats"),
        ("arena detect greedy random --rounds -1", "the number of rounds must be 0 or more, not -1"),
        (
            "arena detect greedy random --claim 150",
            "the “claim” setting must be more than 0 % and less than 100 %, not 150 %",
        ),
        ("arena detect greedy random --options colour=red", "unknown option colour"),
        ("arena detect greedy random --ray-address 127.0.0.1:1", "a Ray address requires --on ray"),
        (
            "arena detect tests.simulate.bots:Choosy greedy",
            "the bot raised ValueError: it is too late for that (bots.py",
        ),
        (
            "arena uncovered greedy --rounds 1",
            "Uncovered! is cooperative, so the “rounds” and “claim” settings do not apply",
        ),
        ("arena reveille greedy random random", "Reveille is for 2 players, not 3"),
        ("arena detect strong@0 greedy", "strong@0: expected strong@ followed by a number of simulations above zero"),
        (
            "arena detect strong@many greedy",
            "strong@many: expected strong@ followed by a number of simulations above zero",
        ),
        ("arena detect search@-5 greedy", "search@-5: expected search@ followed by a number of simulations above zero"),
        ("arena detect greedy@9 random", "greedy@9: a number of simulations can be given only for strong and search"),
        ("arena uncovered strong@9", "strong@9: a number of simulations cannot be given for Uncovered! bots"),
        ("arena uncovered greedy+search@9", "search@9: a number of simulations cannot be given for Uncovered! bots"),
        ("arena detect", "Missing argument"),
        ("simulate bridge --bots greedy", "unknown game bridge"),
        ("simulate detect", "Missing option"),
        ("simulate detect --bots grandmaster", "unknown bot grandmaster"),
        ("simulate detect --bots ,", "expected at least one bot"),
        ("simulate detect --bots greedy,", "expected at least one bot"),
        ("simulate detect --bots greedy,greedy,greedy --seats 2", "too many bots: 3 for 2 seats"),
        ("simulate detect --bots greedy -n 0", "the number of deals must be at least 1, not 0"),
        (
            "simulate detect --bots greedy -n 8589934592",
            "the number of deals must be at most 4294967296, not 8589934592",
        ),
        ("simulate detect --bots greedy --repeats 0", "the number of repeats must be at least 1, not 0"),
        ("simulate detect --bots greedy --rounds -1", "the number of rounds must be 0 or more, not -1"),
        ("simulate detect --bots strong@0", "expected strong@ followed by a number"),
        ("simulate uncovered --bots greedy --rounds 1", "Uncovered! is not played in rounds"),
        ("simulate uncovered --bots strong@5", "a number of simulations cannot be given for Uncovered! bots"),
        ("simulate detect --bots greedy --seats 0", "Detect is for 2 to 8 players, not 0"),
        ("simulate detect --bots greedy --options red", "--options red: expected NAME=VALUE"),
        ("simulate detect --bots greedy --options red=1", "unknown option red"),
        ("simulate detect --bots greedy --format xml", "--format xml: must be one of text, csv, json"),
        ("simulate detect --bots greedy --on moon", "--on moon: must be one of here, ray"),
        ("simulate detect --bots greedy --ray-address 127.0.0.1:1", "a Ray address requires --on ray"),
        ("simulate detect --bots greedy --jobs -2", "the number of jobs must be 0 or more, not -2"),
        ("simulate detect --bots nowhere:Bot", "module nowhere not found"),
        (" ".join(TIES), "A and B have the same rules"),
        (" ".join([*TIES, "--a", "tie"]), "--a tie: expected NAME=VALUE"),
        (" ".join([*TIES, "--b", "tie=never"]), "tie must be share | extra_round, not never"),
    ],
)
def test_bad_arguments_of_arena_simulate_or_compare_give_one_error_line_and_exit_status_2(
    arguments: str, line: str, capsys: Output
) -> None:
    code, out, err = said(capsys, *arguments.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert line in err


def test_failing_bot_or_full_disk_ends_simulate_with_one_error_line_and_exit_status_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Output
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sulking.py").write_text(
        "class Bot:\n"
        "    left = 9\n"
        "    def choose(self, game, view, seat, seed):\n"
        "        self.left -= 1\n"
        "        return game.legal(view, seat)[0] if self.left > 0 else -1\n"
    )
    code, _out, err = said(capsys, "simulate", "detect", "--bots", "sulking:Bot", "-n", "3", "-j", "1", "--quiet")
    assert code == 1
    assert err.startswith("sulking:Bot in seat ")
    assert "the bot chose action -1" in err

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(result_files, "write_file_atomically", full)
    wrong = f"{tmp_path / 'full'}: No space left on device\n"
    assert said(capsys, *SMALL, "--out", str(tmp_path / "full")) == (1, "", wrong)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "All repeats of each deal ended the same way."),
        ("de", "Jede Kartenverteilung hatte bei allen Wiederholungen dasselbe Ergebnis."),
    ],
)
def test_no_output_has_variance_shares_if_all_repeats_of_each_deal_end_the_same_way(
    language: str, told: str, tmp_path: Path, capsys: Output
) -> None:
    """The table, the JSON and the report say so. For a bot that chooses by chance they contain the shares."""
    report = tmp_path / "luck.html"
    call = ["--rounds", "1", "-n", "6", "-j", "1", "--quiet", "--repeats", "2", "--report", str(report)]
    for name, luck in (("tests.simulate.bots:First", False), ("beginner", True)):
        for command in (["simulate", "detect"], ["compare", "detect", *SIDES]):
            whole = ["--lang", language, *command, "--bots", name, *call]
            # The terminal wraps lines.
            shown = " ".join(printed(capsys, *whole).split())
            assert (told in shown) == (told in report.read_text(encoding="utf-8")) == (not luck)
            findings = findings_from_json(printed(capsys, *whole, "--format", "json"))
            assert findings.a.no_luck.startswith(told) == (not luck)
            assert any(row.a.group == LUCK for row in findings.rows()) == luck
            assert any(key.startswith("luck.") for key in findings.differences) == (luck and "compare" in whole)
