"""The command line: what each command prints, and the one line for bad input."""

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

from facedown.core.game import catalogue
from facedown.core.language import languages
from facedown.core.match import Match
from facedown.core.notation import write
from facedown.core.seeds import seed_from_text
from facedown.terminal.cli import app
from tests.terminal.running import said


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing of these tests goes to the user's data folder."""
    monkeypatch.setenv("FACEDOWN_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A finished match of two bots in a file."""
    from facedown.bots import bot, seated

    match = Match("detect", 2, seed=seed_from_text("a finished match"))
    while not match.over:
        seat = match.acting[0]
        match.play(seat, seated(bot("greedy"), match, seat, match.ply))
    path = tmp_path / "finished.match"
    path.write_text(write(match, ["Mara", "Ilse"], {1: "greedy"}), encoding="utf-8")
    return path


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys; from facedown.terminal.cli import run; run(['--help']);"
        "print([m for m in ('numpy', 'numba', 'rich', 'fastapi', 'sqlalchemy', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_version_and_games(capsys: pytest.CaptureFixture[str]) -> None:
    from facedown import __version__

    assert said(capsys, "--version") == (0, f"facedown {__version__}\n", "")
    code, out, _ = said(capsys, "games")
    assert (code, [line.split()[0] for line in out.splitlines()]) == (0, list(catalogue()))


@pytest.mark.parametrize("name", catalogue())
def test_rules_name_every_option(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = said(capsys, "rules", name)
    assert code == 0
    for option in catalogue()[name].options:
        assert f"\n{option.name} = {option.default_text}" in out
        # Long sentences go on in the next line.
        assert all(value.says in " ".join(out.split()) for value in option.values)
    assert "{#" not in out
    assert "```" not in out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("gamez", "No such command 'gamez'. Did you mean 'games'?"),
        ("play --nope", "No such option: --nope"),
        ("play", "name a game (“facedown games” lists them), or go on with one: --resume"),
        ("play chess", "unknown game chess: there are "),
        ("play detetc", "unknown game detetc: did you mean detect?"),
        ("learn whist", "unknown game whist: there are "),
        ("rules Uncoverd!", "unknown game Uncoverd!: did you mean uncovered?"),
        ("arena revel greedy random", "unknown game revel: did you mean reveal?"),
        ("play detect --seats 9", "Detect is for 2 to 8 players, not 9"),
        ("play detect --seats two", "Invalid value for '--seats': "),
        ("play detect --options tie", "--options tie: write NAME=VALUE"),
        ("play detect --options tie=x", "tie = x: allowed are share | extra_round"),
        ("play detect --options ties=x", "unknown option ties: this game has deck, "),
        ("play detect --bots clever", "unknown bot clever: there are random, greedy"),
        ("play detect --seat 2", "--seat 2: the seats are 0 to 1"),
        ("play detect --resume x", "--resume takes game, seats, options and seed from the file: leave them out"),
        ("play --resume /no/such/file", "/no/such/file: cannot be read: No such file or directory"),
        ("verify /no/such/file", "/no/such/file: cannot be read: No such file or directory"),
        ("verify /no/such/file abc", "abc is no commitment: that is “sha256:” and 64 hex digits"),
        ("perft detect --depth 0", "Invalid value for '--depth': "),
        ("solve detect", "there is no solver for detect: there is one for uncovered"),
        ("serve --port 70000", "Invalid value for '--port': "),
    ],
)
def test_bad_input_is_one_line(arguments: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, *arguments.split())
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(line)


@pytest.mark.parametrize("typed", ["Detect", "DETECT", " detect ", "Uncovered!", "uncovered", "SCOUT"])
def test_games_are_known_in_any_case_and_by_their_titles(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "rules", typed)
    assert (code, err) == (0, "")
    assert out.lower().startswith(typed.strip().lower())


def test_a_match_is_verified_or_its_wrong_line_named(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = said(capsys, "verify", str(saved))
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "The seed is the one that the commitment was made of."
    assert out.splitlines()[2].startswith("The result follows from the moves: P0 ")
    text = saved.read_text(encoding="utf-8")
    saved.write_text(text.replace("1. P0 open", "1. P1 open"), encoding="utf-8")
    number = text.splitlines().index(next(line for line in text.splitlines() if line.startswith("2. P1"))) + 1
    code, _, err = said(capsys, "verify", str(saved))
    assert (code, err) == (2, f"{saved}: line {number}: it is not the turn of seat 1\n")
    saved.write_bytes(b"Game: detect\n\xff\xfe\n")
    assert said(capsys, "replay", str(saved)) == (2, "", f"{saved}: line 2: this is not UTF-8 text\n")


def test_replay_tells_what_a_seat_saw(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    everybody = said(capsys, "replay", str(saved))[1]
    mine = said(capsys, "replay", str(saved), "--seat", "0")[1]
    assert "Mara drew a card." in everybody
    assert "You drew a card." not in mine
    assert "You drew a" in mine
    assert "Ilse drew a card." in mine


def test_replay_shows_the_table_after_a_move(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys, "replay", str(saved), "--ply", "2")[1]
    assert out.splitlines()[0].startswith(" Detect  round 1")
    assert "[ ?? ]" in out
    assert "Draw pile: face down, " in said(capsys, "replay", str(saved), "--ply", "2", "--plain")[1]
    code, _, err = said(capsys, "replay", str(saved), "--ply", "100000")
    assert (code, err.split(":")[0]) == (2, "--ply 100000")


def test_perft_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "perft", "detect", "--depth", "2") == (0, f"{66 * 66}\n", "")
    out = said(capsys, "perft", "detect", "--depth", "1", "--divide")[1].splitlines()
    assert out[0] == "open a1 a2: 1"
    assert len(out) == 67


def test_solve_goes_on_after_a_bad_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [
        '{"players": 2, "hands": [[3, 2, 1, 4], [3, 2, 1, 4]]}',
        "nonsense",
        '{"hands": [[1, 2, 3, 4], [2, 1, 3, 4]]}',
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    code, out, err = said(capsys, "solve", "uncovered")
    assert code == 2
    assert json.loads(out.splitlines()[0])["turns"] == 0
    assert len(out.splitlines()) == 2
    assert err.startswith("line 2: ")
    assert err.count("\n") == 1


TOO_LONG = "this is not JSON that can be read: a number is too long, or brackets are too deep\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n "a": ,\n}', "line 2: this is not JSON: Expecting value\n"),
        ("[]", "line 1: an object in braces is expected"),
        ('{"players": ' + "1" * 5000 + "}", TOO_LONG),
        ("[" * 100_000, TOO_LONG),
    ],
    ids=["no JSON", "no object", "long number", "deep brackets"],
)
def test_score_explains_bad_json(
    text: str, line: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for game in ("reveal", "detect"):
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        code, out, err = said(capsys, "score", game)
        assert (code, out, err.startswith(line), err.count("\n")) == (2, "", True, 1)


def test_score_gives_json_for_its_own_example(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(said(capsys, "score", "reveal", "--example")[1]))
    code, out, _ = said(capsys, "score", "reveal")
    assert (code, type(json.loads(out))) == (0, dict)


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The words of every command, and of every group."""
    yield path
    for name, below in getattr(command, "commands", {}).items():
        yield from commands(below, (*path, name))


@pytest.mark.parametrize("code", list(languages()))
def test_help_fits_its_window_and_cuts_nothing(
    code: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for path in commands(typer.main.get_command(app)):
        status, out, err = said(capsys, *path, "--help", "--lang", code)
        assert (status, err) == (0, "")
        assert all(len(line) <= 80 for line in out.splitlines()), path
        assert "..." not in out.partition("\n\n")[2], path
        if code == "de":
            assert not re.search(r"Usage|Options|Arguments|Commands|default:|required|Show this|OPTIONS|ARGS", out), (
                path
            )


def test_every_command_stands_in_its_group(capsys: pytest.CaptureFixture[str]) -> None:
    out = said(capsys)[1]
    assert said(capsys, "--help") == (0, out, "")
    heads = [line for line in out.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert heads == ["Options:", "Play:", "Study:", "Host:", "Research:"]
    for path in commands(typer.main.get_command(app)):
        assert not path or path[1:] or f"\n  {path[0]}  " in out
    status, out, err = said(capsys, "admin")
    assert (status, err) == (0, "")
    assert "\nTables:\n  list   List tables: " in out
    assert "\nPeople:\n" in out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("gamez", "Den Befehl 'gamez' gibt es nicht. Meintest du 'games'?"),
        ("admin foo", "Den Befehl 'foo' gibt es nicht."),
        ("play --nope", "Die Option --nope gibt es nicht. Möglich: --name"),
        ("verify --nope", "Die Option --nope gibt es nicht."),
        ("replay", "Das Argument 'FILE' fehlt."),
        ("replay a b", "Zu viele Argumente: b"),
        ("play detect --bots", "Die Option '--bots' braucht einen Wert."),
        ("play detect --plain=3", "Die Option '--plain' nimmt keinen Wert."),
        ("play detect --seats x", "Falscher Wert für '--seats': eine ganze Zahl wird erwartet"),
        ("play detect --seat 99", "Falscher Wert für '--seat': möglich ist höchstens 7"),
        ("perft detect --depth 0", "Falscher Wert für '--depth': möglich ist mindestens 1"),
        ("serve --bot-delay x", "Falscher Wert für '--bot-delay': eine Zahl wird erwartet"),
    ],
)
def test_errors_of_the_command_line_are_german(arguments: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, *arguments.split(), "--lang", "de") == (2, "", f"{line}\n")


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
def test_figures_fit_the_window(
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


def test_each_match_of_a_file_is_taken(saved: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = Match("reveille", 2, seed=seed_from_text("two in a file"))
    one.play(one.acting[0], one.legal(one.acting[0])[0])
    both = tmp_path / "both.match"
    short = tmp_path / "short.match"
    short.write_text(write(one), encoding="utf-8")
    # The coach takes a while for each move: two matches of one move.
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
