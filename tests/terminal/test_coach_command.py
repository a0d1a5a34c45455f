"""``facedown coach``: its output about a match, as text and as JSON."""

from __future__ import annotations

import io
import json
import sys
import threading
from pathlib import Path

import pytest

from facedown.bots import bot, choose_for_seat
from facedown.core.match import Match
from facedown.core.match_file import write
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.terminal.cli import run
from facedown.terminal.coach_command import BARS
from tests.waiting import wait_until

pytestmark = pytest.mark.skipif(INTERPRETED, reason="thousands of rounds are played out")


def write_match_file(match: Match, path: Path) -> Path:
    """Write the match into a file."""
    file = path / "one.match"
    file.write_text(write(match, ["Mara", "Ilse"], {1: "greedy"}), encoding="utf-8")
    return file


def reveille_hand_file(path: Path) -> Path:
    """Write a hand of Reveille between a beginner and a greedy bot into a file."""
    match = Match("reveille", 2, seed=seed_from_text("a hand to look back on"))
    while not match.state.marks.any():
        seat = match.acting[0]
        match.play(seat, choose_for_seat(bot("beginner" if seat == 0 else "greedy"), match, seat, match.ply))
    return write_match_file(match, path)


def test_json_output_of_the_coach_command_has_value_and_cost_of_every_move(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = reveille_hand_file(tmp_path)
    assert run(["coach", str(file), "--json", "--simulations", "100"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["game"] == "reveille"
    assert [seat["name"] for seat in found["seats"]] == ["Mara", "Ilse"]
    moves = [move for seat in found["seats"] for move in seat["moves"]]
    assert {move["exact"] for move in moves} == {True, False}
    assert all(0 <= move["value"] <= 1 and move["cost"] >= 0 for move in moves)
    assert all(len(seat["chances"]) == len(seat["moves"]) for seat in found["seats"])


def test_json_output_of_the_coach_command_for_uncovered_has_lost_and_wasted_turns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match("uncovered", 2, seed=seed_from_text("lost"))
    words = match.game.words
    while not match.over:
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[0] if match.ply == 0 else words.parse("uncover"))
    assert run(["coach", str(write_match_file(match, tmp_path)), "--json", "--simulations", "100"]) == 0
    moves = [move for seat in json.loads(capsys.readouterr().out)["seats"] for move in seat["moves"]]
    swap, uncover = sorted(moves, key=lambda move: move["move"])
    assert (swap["unit"], swap["lost"], swap["wasted"] >= 0) == ("turns", 0, True)
    assert (uncover["lost"] > 0, uncover["wasted"], uncover["mistake"]) == (True, None, True)


def test_text_output_of_the_coach_command_has_a_chart_and_lines_for_mistakes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = reveille_hand_file(tmp_path)
    assert run(["coach", str(file), "--seat", "0", "--top", "2", "--simulations", "100"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Mara: ")
    assert set(lines[0].removeprefix("Mara: ")) <= set(BARS)
    assert 2 <= len(lines) <= 3
    assert all(line.startswith("  move ") or line == "  no clear mistake" for line in lines[1:])


def test_coach_command_prints_its_progress_line_before_the_review_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from facedown.bots import coach

    def review(match: Match, *about: object) -> coach.Review:
        # The line is printed before the review starts.
        assert capsys.readouterr().err == f"The coach is reviewing {match.ply} moves …\n"
        return coach.Review(())

    monkeypatch.setattr(coach, "review", review)
    file = write_match_file(Match("detect", 2, seed=seed_from_text("waiting")), tmp_path)
    assert run(["coach", str(file)]) == 0


class TerminalStream(io.StringIO):
    """An error stream of a terminal. Reading its content does not remove it while it is being written."""

    def isatty(self) -> bool:
        return True


def test_progress_line_is_printed_only_at_a_terminal_and_only_after_its_delay(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from facedown.core.progress_line import print_if_slow

    before = set(threading.enumerate())
    with print_if_slow("working", 0.0):
        for timer in set(threading.enumerate()) - before:
            timer.join()
    assert capsys.readouterr().err == ""
    there = TerminalStream()
    monkeypatch.setattr(sys, "stderr", there)
    with print_if_slow("working", 0.01):
        wait_until(lambda: "\n" in there.getvalue())
    assert there.getvalue() == "working\n"
    with print_if_slow("worked", 600):
        pass
    assert there.getvalue() == "working\n"
