"""``facedown coach``: what it says of a match, as text and as data."""

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


def kept(match: Match, path: Path) -> Path:
    """The match in a file."""
    file = path / "one.match"
    file.write_text(write(match, ["Mara", "Ilse"], {1: "greedy"}), encoding="utf-8")
    return file


def hand_of_reveille(path: Path) -> Path:
    """A hand of Reveille between a beginner and a greedy bot, in a file."""
    match = Match("reveille", 2, seed=seed_from_text("a hand to look back on"))
    while not match.state.marks.any():
        seat = match.acting[0]
        match.play(seat, choose_for_seat(bot("beginner" if seat == 0 else "greedy"), match, seat, match.ply))
    return kept(match, path)


def test_as_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = hand_of_reveille(tmp_path)
    assert run(["coach", str(file), "--json", "--simulations", "100"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["game"] == "reveille"
    assert [seat["name"] for seat in found["seats"]] == ["Mara", "Ilse"]
    moves = [move for seat in found["seats"] for move in seat["moves"]]
    assert {move["exact"] for move in moves} == {True, False}
    assert all(0 <= move["value"] <= 1 and move["cost"] >= 0 for move in moves)
    assert all(len(seat["chances"]) == len(seat["moves"]) for seat in found["seats"])


def test_data_of_uncovered_count_turns_and_say_what_open_cards_show(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = Match("uncovered", 2, seed=seed_from_text("lost"))
    words = match.game.words
    while not match.over:
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[0] if match.ply == 0 else words.parse("uncover"))
    assert run(["coach", str(kept(match, tmp_path)), "--json", "--simulations", "100"]) == 0
    moves = [move for seat in json.loads(capsys.readouterr().out)["seats"] for move in seat["moves"]]
    swap, uncover = sorted(moves, key=lambda move: move["move"])
    assert (swap["unit"], swap["lost"], swap["wasted"] >= 0) == ("turns", 0, True)
    assert (uncover["lost"] > 0, uncover["wasted"], uncover["mistake"]) == (True, None, True)


def test_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = hand_of_reveille(tmp_path)
    assert run(["coach", str(file), "--seat", "0", "--top", "2", "--simulations", "100"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Mara: ")
    assert set(lines[0].removeprefix("Mara: ")) <= set(BARS)
    assert 2 <= len(lines) <= 3
    assert all(line.startswith("  move ") or line == "  no clear mistake" for line in lines[1:])


def test_the_coach_says_at_once_what_takes_a_while(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from facedown.bots import coach

    def review(match: Match, *about: object) -> coach.Review:
        # Before anything is judged, the line stands there already.
        assert capsys.readouterr().err == f"The coach is reviewing {match.ply} moves …\n"
        return coach.Review(())

    monkeypatch.setattr(coach, "review", review)
    file = kept(Match("detect", 2, seed=seed_from_text("waiting")), tmp_path)
    assert run(["coach", str(file)]) == 0


class Terminal(io.StringIO):
    """An error stream that somebody sits at; what is written to it is not taken away while it is written."""

    def isatty(self) -> bool:
        return True


def test_whoever_waits_for_playouts_at_a_terminal_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from facedown.core.progress_line import print_if_slow

    before = set(threading.enumerate())
    with print_if_slow("working", 0.0):
        for timer in set(threading.enumerate()) - before:
            timer.join()
    assert capsys.readouterr().err == ""
    there = Terminal()
    monkeypatch.setattr(sys, "stderr", there)
    with print_if_slow("working", 0.01):
        wait_until(lambda: "\n" in there.getvalue())
    assert there.getvalue() == "working\n"
    with print_if_slow("worked", 600):
        pass
    assert there.getvalue() == "working\n"
