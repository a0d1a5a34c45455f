"""A match in the terminal: moves, hints, undo, leaving and going on."""

from __future__ import annotations

import os
import random
import re
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from facedown.core.match import Match, seed_from_text
from facedown.core.notation import read, verify
from facedown.core.state import to_bytes
from facedown.terminal.play import Sitting, Spoken, _consequence, coached, hint, resumed, run

SEED = seed_from_text("a match in the terminal")


def sitting(path: Path, seats: int = 2, **options: str) -> Sitting:
    """A person at seat 0 with greedy bots."""
    names = ("You", "Juniper", "Wren")[:seats]
    match = Match("detect", seats, options, SEED)
    return Sitting(match, names, dict.fromkeys(range(1, seats), "greedy"), 0, path / "one.match")


def typing(*lines: str) -> Callable[[str], str]:
    """Somebody who types these lines and then nothing more."""
    rest = iter(lines)

    def ask(prompt: str) -> str:
        for line in rest:
            return line
        raise EOFError

    return ask


def spoken(one: Sitting, *lines: str) -> list[str]:
    """What is said when these lines are typed."""
    said: list[str] = []
    assert run(one, Spoken(typing(*lines), said.append)) == 0
    return said


def test_a_whole_match_by_typing(tmp_path: Path, seed: int) -> None:
    one = sitting(tmp_path)
    choose = random.Random(seed)

    def ask(prompt: str) -> str:
        words = [one.match.game.words.words(action) for action in one.match.legal(0)]
        return choose.choice(words)

    said: list[str] = []
    assert run(one, Spoken(ask, said.append)) == 0
    assert one.match.over
    assert said[-2].endswith(".")
    assert " to " in said[-2] or "share" in said[-2]
    verdict = verify(one.path.read_text(encoding="utf-8"))
    assert verdict.open == ()
    assert verdict.file.match.moves == one.match.moves


def test_leaving_saves_and_going_on_finds_the_same_table(tmp_path: Path) -> None:
    one = sitting(tmp_path, 3)
    said = spoken(one, "a1 c3", "draw", "q")
    assert said[-1].endswith(f"Saved. Go on with: facedown play --resume {one.path}")
    assert stat.S_IMODE(one.path.stat().st_mode) == 0o600
    again = resumed(read(one.path.read_text(encoding="utf-8")), one.path, "greedy")
    assert to_bytes(again.match.state) == to_bytes(one.match.state)
    assert again.log == one.log
    assert again.table() == one.table()
    assert again.bots == one.bots
    assert again.me == 0


def test_the_end_of_input_saves_too(tmp_path: Path) -> None:
    one = sitting(tmp_path)
    spoken(one, "a1 b1")
    assert read(one.path.read_text(encoding="utf-8")).match.ply == one.match.ply >= 2


def test_bad_typing_changes_nothing(tmp_path: Path) -> None:
    one = sitting(tmp_path)
    said = spoken(one, "sing", "keep a1", "a1 a1", "")
    assert one.match.ply == 1
    assert any(line.startswith("'sing' is no move") for line in said)
    assert "“keep a1” is not allowed now." in said
    assert "Type a move, or ? for help." in said


def test_the_person_is_never_asked_twice_the_same(tmp_path: Path) -> None:
    one = sitting(tmp_path)
    said = spoken(one, "sing", "?", "l")
    assert sum(line.startswith("Which two cards do you turn up?") for line in said) == 1


def test_help_hint_log_and_rules(tmp_path: Path) -> None:
    one = sitting(tmp_path)
    said = "\n".join(spoken(one, "?", "hint", "a1 b1", "l", "rules", "m", "t"))
    assert "undo: take your last move back" in said
    assert "The greedy bot would play “open " in said
    assert "OPTIONS" in said
    assert "Draw pile: face down" in said
    assert "draw" in said


def test_the_rules_are_told_with_the_options_of_the_match(tmp_path: Path) -> None:
    said = "\n".join(spoken(sitting(tmp_path, set_optional="yes"), "rules"))
    assert "set_optional = yes" in said
    assert "(by default no)" in " ".join(said.split())
    assert said.count("(by default") == 1


def test_the_coach_names_legal_moves_with_their_chances(tmp_path: Path) -> None:
    match = Match("reveille", 2, {}, SEED)
    one = Sitting(match, ("You", "Juniper"), {1 - match.acting[0]: "greedy"}, match.acting[0], tmp_path / "one.match")
    found = coached(one)
    legal = {match.game.words.words(action) for action in match.legal(one.me)}
    assert len(found) == 3
    for line in found:
        words, rest = line.removeprefix("“").split("” (")
        assert words in legal
        assert re.match(r"\d+ % to win, in \d+ worlds\)", rest)


def test_a_hint_gives_a_reason_and_a_legal_move(tmp_path: Path) -> None:
    one = sitting(tmp_path)
    list(one.bots_move())
    for text in ("open a1 b1", "draw"):
        while one.match.acting != [0]:
            list(one.bots_move())
        one.play(0, one.match.game.words.parse(text))
        list(one.bots_move())
    said = hint(one)
    move = said.split("“")[1].split("”")[0]
    assert one.match.game.words.parse(move) in one.match.legal(0)
    assert "an unseen card is" in said


def test_a_drawn_card_cannot_be_put_back(tmp_path: Path) -> None:
    one = sitting(tmp_path)
    list(one.bots_move())
    one.play(0, one.match.game.words.parse("open a1 b1"))
    list(one.bots_move())
    one.play(0, one.match.game.words.parse("draw"))
    before = to_bytes(one.match.state)
    assert one.undo() == "That move has shown a card or used chance: it cannot be taken back."
    assert to_bytes(one.match.state) == before


def test_a_choice_that_others_answered_cannot_be_taken_back(tmp_path: Path) -> None:
    one = sitting(tmp_path)
    assert one.undo() == "There is nothing to take back."
    one.play(0, one.match.game.words.parse("open a1 b1"))
    list(one.bots_move())
    assert one.match.moves[-1].seat == 1
    assert one.undo() == "Somebody else has moved since: that cannot be taken back."


def test_a_choice_that_nobody_has_answered_can_be_taken_back(tmp_path: Path) -> None:
    one = sitting(tmp_path)
    before = to_bytes(one.match.state)
    one.play(0, one.match.game.words.parse("open a1 b1"))
    assert one.undo() == ""
    assert to_bytes(one.match.state) == before
    assert one.match.ply == 0
    assert one.log == []


def test_a_card_laid_where_all_see_it_can_be_taken_back(tmp_path: Path) -> None:
    """Swapping two open cards shows nothing new; before anybody else moves it may be undone."""
    one = sitting(tmp_path)
    one.bots = {}
    for seat, text in ((0, "open a1 b1"), (1, "open a1 b1")):
        one.play(seat, one.match.game.words.parse(text))
    one.me = one.match.acting[0]
    before = to_bytes(one.match.state)
    one.play(one.me, one.match.game.words.parse("take a1"))
    assert one.undo() == ""
    assert to_bytes(one.match.state) == before
    one.play(one.me, one.match.game.words.parse("take a2"))
    assert one.undo().startswith("That move has shown a card")


@pytest.mark.parametrize(
    ("environment", "colour"),
    [
        ({"COLORTERM": "truecolor", "FORCE_COLOR": "1"}, "48;2;"),
        ({"TERM": "xterm-256color", "FORCE_COLOR": "1"}, "48;5;"),
        ({"TERM": "xterm-16color", "FORCE_COLOR": "1"}, "\x1b["),
        ({"TERM": "dumb"}, ""),
        ({"COLORTERM": "truecolor", "FORCE_COLOR": "1", "NO_COLOR": "1"}, ""),
    ],
    ids=["true colour", "256 colours", "16 colours", "dumb", "NO_COLOR"],
)
def test_every_kind_of_terminal(environment: dict[str, str], colour: str, tmp_path: Path) -> None:
    ours = ("COLORTERM", "FORCE_COLOR", "NO_COLOR", "TERM")
    others = {name: value for name, value in os.environ.items() if name not in ours}
    done = subprocess.run(
        [sys.executable, "-m", "facedown", "play", "detect", "--seed", "terminals"],
        env={**others, **environment, "FACEDOWN_INTERPRETED": "1", "FACEDOWN_DATA": str(tmp_path)},
        input="a1 b1\ndraw\nq\n",
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert ("[ ?? ]" in done.stdout) == (not colour)
    assert ("░░░░" in done.stdout) == bool(colour)
    assert (("48;" in done.stdout) or ("38;" in done.stdout)) <= bool(colour)
    assert colour in done.stdout


def test_a_verb_first_and_its_place_in_the_next_line(tmp_path: Path) -> None:
    one = sitting(tmp_path)
    spoken(one, "a1 b1", "draw", "throw", "c3")
    assert "throw c3" in [one.match.game.words.words(move.action) for move in one.match.moves if move.seat == 0]


def playing(path: Path, game: str, seats: int, text: str) -> Sitting:
    """A person at seat 0 of any game, with greedy bots."""
    match = Match(game, seats, {}, seed_from_text(text))
    return Sitting(
        match, ("You", "Juniper", "Wren")[:seats], dict.fromkeys(range(1, seats), "greedy"), 0, path / "a.match"
    )


def test_a_claim_that_would_lose_is_asked_about(tmp_path: Path) -> None:
    one = playing(tmp_path, "reveille", 2, "claims")
    words = one.match.game.words
    while one.table().phase != "auction":
        one.play(one.match.acting[0], one.match.legal(one.match.acting[0])[0])
    while one.match.acting != [0]:
        one.play(1, words.parse("pass"))
    one.bots = {}
    for seat, text in ((0, "bid 41"), (1, "pass"), (0, "trump 0")):
        one.play(seat, words.parse(text))
    said = spoken(one, "claim")
    assert one.table().phase == "stage two"
    assert "You have 0 of the 41 you bid. Type “claim” once more to do it all the same." in said
    spoken(one, "claim", "claim")
    assert one.table().phase == "scoring"


def test_a_hand_that_changed_is_read_again(tmp_path: Path) -> None:
    one = playing(tmp_path, "scout", 3, "reading")
    said = spoken(one, "keep")
    assert [line.split(":")[0] for line in said if line.startswith(("As dealt", "Flipped", "Your hand"))] == [
        "As dealt",
        "Flipped",
        "Your hand",
    ]


def test_the_auction_names_who_bid(tmp_path: Path) -> None:
    from facedown.terminal.draw import Drawing, Pen

    one = playing(tmp_path, "reveille", 2, "ladder")
    while one.table().phase != "auction":
        one.play(one.match.acting[0], one.match.legal(one.match.acting[0])[0])
    first = one.match.acting[0]
    one.play(first, one.match.game.words.parse("bid 11"))
    text = "\n".join(line.plain for line in Drawing(one.table(), Pen()).whole().lines)
    assert f"{'You' if first == 0 else 'Juniper'} 11" in text
    assert "{" not in text


def test_after_a_swap_the_hand_is_read_again(tmp_path: Path) -> None:
    said = spoken(playing(tmp_path, "reveal", 2, "swaps"), "swap 2")
    swapped = next(i for i, line in enumerate(said) if line.startswith("You swapped 1 card"))
    assert any(line.startswith("Your hand: ") for line in said[:swapped])
    assert any(line.startswith("Your hand: ") for line in said[swapped:])


def test_a_hint_of_scout_says_where_a_card_goes(tmp_path: Path) -> None:
    one = playing(tmp_path, "scout", 3, "hints")
    words = one.match.game.words
    while one.table().step.rule != "scout":
        seat = one.match.acting[0]
        one.play(seat, one.match.legal(seat)[0])
        assert one.match.ply < 200
    scouts = [action for action in one.match.legal(0) if words.words(action).startswith("scout left turned")]
    said = _consequence(one.table(), scouts[1])
    assert re.fullmatch(r"the card goes between the \d+ and the \d+, turned to \d+", said)


def test_rows_that_stay_as_they_are_are_not_read_again(tmp_path: Path) -> None:
    said = spoken(sitting(tmp_path), "a1 b1", "draw")
    drew = next(i for i, line in enumerate(said) if line.startswith("You drew a"))
    assert any(line.startswith("Row 2: a2 ") for line in said[:drew])
    assert not any(line.startswith("Row 2: a2 ") for line in said[drew:])


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no hang-ups")
def test_closing_the_window_saves(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "facedown", "play", "detect", "--plain", "--seed", "windows"],
        env={**os.environ, "FACEDOWN_INTERPRETED": "1", "FACEDOWN_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        while not process.stdout.readline().startswith("You may type: open"):
            assert process.poll() is None
        process.send_signal(signal.SIGHUP)
        said, _ = process.communicate("a1 b1\n")
    assert process.returncode == 0
    assert "Saved." in said
    (saved,) = tmp_path.rglob("*.match")
    assert read(saved.read_text(encoding="utf-8")).match.ply >= 2
