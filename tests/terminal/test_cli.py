"""The command line: output of each command, and one line of error for bad input."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from facedown.core.game_registry import catalogue
from facedown.core.match import Match
from facedown.core.match_file import write
from facedown.core.seeds import seed_from_text
from facedown.core.translation import languages
from facedown.terminal.cli import app
from tests.bots.positions import played_by_bots
from tests.terminal.command_runner import said


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder for each test instead of the user's."""
    monkeypatch.setenv("FACEDOWN_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The file of a finished match of two bots."""
    match = played_by_bots(Match("detect", 2, seed=seed_from_text("a finished match")), "greedy")
    path = tmp_path / "finished.match"
    path.write_text(write(match, ["Mara", "Ilse"], {1: "greedy"}), encoding="utf-8")
    return path


def test_command_line_help_imports_no_large_packages() -> None:
    script = (
        "import sys; from facedown.terminal.cli import run; run(['--help']);"
        "print([m for m in ('numpy', 'numba', 'rich', 'fastapi', 'sqlalchemy', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", catalogue())
def test_the_rules_command_lists_every_option_with_its_default(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "rules", name)
    assert code == 0
    for option in catalogue()[name].options:
        assert f"\n{option.name} = {option.default_text}" in out
        # Long sentences continue on the next line.
        assert all(value.says in " ".join(out.split()) for value in option.values)
    assert "{#" not in out
    assert "```" not in out


def test_verify_command_accepts_a_valid_match_file_and_names_the_line_of_an_error(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = said(capsys, "verify", str(saved))
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "The seed matches the commitment in the file."
    assert out.splitlines()[2].startswith("The result matches the moves: P0 ")
    text = saved.read_text(encoding="utf-8")
    saved.write_text(text.replace("1. P0 open", "1. P1 open"), encoding="utf-8")
    number = text.splitlines().index(next(line for line in text.splitlines() if line.startswith("2. P1"))) + 1
    code, _, err = said(capsys, "verify", str(saved))
    assert (code, err) == (2, f"{saved}: line {number}: seat 1 cannot move now\n")
    saved.write_bytes(b"Game: detect\n\xff\xfe\n")
    assert said(capsys, "replay", str(saved)) == (2, "", f"{saved}: line 2: not valid UTF-8\n")


@pytest.mark.parametrize(
    "text", ['{"players": ' + "1" * 5000 + "}", "[" * 100_000], ids=["long number", "deep brackets"]
)
def test_score_command_prints_one_error_line_for_too_long_numbers_or_too_deep_json(
    text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    wrong = "cannot read the JSON: a number is too long or brackets are nested too deeply\n"
    assert said(capsys, "score", "reveal") == (2, "", wrong)


def test_score_command_accepts_its_own_example_as_input_and_prints_json(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(said(capsys, "score", "reveal", "--example")[1]))
    code, out, _ = said(capsys, "score", "reveal")
    assert (code, type(json.loads(out))) == (0, dict)


def command_paths(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command and of every command group."""
    yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from command_paths(below, (*path, name))


@pytest.mark.parametrize("code", list(languages()))
def test_help_of_every_command_fits_80_columns_without_truncation(
    code: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for path in command_paths(typer.main.get_command(app)):
        status, out, err = said(capsys, *path, "--help", "--lang", code)
        assert (status, err) == (0, "")
        assert all(len(line) <= 80 for line in out.splitlines()), path
        assert "..." not in out.partition("\n\n")[2], path
        if code == "de":
            assert not re.search(r"Usage|Options|Arguments|Commands|default:|required|Show this|OPTIONS|ARGS", out), (
                path
            )


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize(
    "arguments",
    [
        "arena detect greedy random --deals 4 --rounds 1 --quiet",
        "arena uncovered greedy random --deals 4 --quiet",
        "simulate detect --bots greedy --rounds 1 -n 4 --quiet",
        "compare detect --bots greedy --rounds 1 -n 4 --a ender_tie=safe --b ender_tie=doubled --quiet",
    ],
)
def test_tables_of_experiment_results_fit_the_width_of_the_terminal(
    arguments: str, columns: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    status, out, err = said(capsys, *arguments.split())
    assert (status, err) == (0, "")
    lines = re.sub(r"\x1b\[[\d;]*m", "", out).splitlines()
    assert max(map(len, lines)) <= columns
    assert "…" not in re.sub(r"(?<=\d) … (?=[-+−\d])|(?<=∞) … | … (?=∞)", "", " ".join(lines))


def test_coach_verify_and_replay_commands_process_every_match_in_a_file(
    saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = Match("reveille", 2, seed=seed_from_text("two in a file"))
    one.play(one.acting[0], one.legal(one.acting[0])[0])
    both = tmp_path / "both.match"
    short = tmp_path / "short.match"
    short.write_text(write(one), encoding="utf-8")
    # The coach takes a while for each move, so its file has two matches of one move.
    for first, command in ((short, ["coach", "--simulations", "10"]), (saved, ["verify"]), (saved, ["replay"])):
        both.write_text(first.read_text(encoding="utf-8") + "\n" + write(one), encoding="utf-8")
        alone = said(capsys, *command, str(first))[1]
        status, out, _ = said(capsys, *command, str(both))
        assert status == 0
        assert out.startswith(f"Match 1 of 2:\n{alone}Match 2 of 2:\n")
        assert not out.endswith("Match 2 of 2:\n")
    both.write_text(both.read_text(encoding="utf-8").replace("Game: reveille", "Game: chess"), encoding="utf-8")
    status, out, err = said(capsys, "verify", str(both))
    assert status == 2
    line = both.read_text(encoding="utf-8").splitlines().index("Game: chess") + 1
    assert err.startswith(f"{both}: line {line}: unknown game chess")
