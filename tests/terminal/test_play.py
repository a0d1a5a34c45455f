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
from dataclasses import replace
from pathlib import Path

import pytest

from facedown.bots import bot
from facedown.core import game as registry
from facedown.core.language import speaking
from facedown.core.match import Match
from facedown.core.notation import MatchFile, read, verify
from facedown.core.seeds import seed_from_text
from facedown.core.state import to_bytes
from facedown.play import Session
from facedown.terminal.cli import run as cli
from facedown.terminal.play import _consequence, coached, hint, run
from facedown.terminal.screens import Screen
from facedown.terminal.sitting import PERSON, Sitting, resumed

SEED = seed_from_text("a match in the terminal")


def playing(
    path: Path, game: str, seats: int, seed: str | bytes, level: str = "greedy", options: dict[str, str] | None = None
) -> Sitting:
    """A person at seat 0 of a game, with bots, or (of no level) with others who sit here too."""
    match = Match(game, seats, options or {}, seed if isinstance(seed, bytes) else seed_from_text(seed))
    bots = dict.fromkeys(range(1, seats), level) if level else {}
    return Sitting(match, ("You", "Juniper", "Wren")[:seats], bots, 0, path / "one.match")


def sitting(path: Path, seats: int = 2, level: str = "greedy", **options: str) -> Sitting:
    """The same of Detect."""
    return playing(path, "detect", seats, SEED, level, options)


def do(one: Sitting, text: str, seat: int = 0) -> None:
    """Play a move by its words."""
    one.play(seat, one.match.game.words.parse(text))


def until(one: Sitting, reached: Callable[[Sitting], bool]) -> None:
    """Everybody plays the first legal move until a table is reached."""
    while not reached(one):
        one.play(one.match.acting[0], one.match.legal(one.match.acting[0])[0])
        assert one.match.ply < 200


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
    assert run(one, Screen(typing(*lines), said.append)) == 0
    return said


def test_a_whole_match_by_typing(tmp_path: Path, seed: int) -> None:
    one = sitting(tmp_path)
    choose = random.Random(seed)

    def ask(prompt: str) -> str:
        words = [one.match.game.words.words(action) for action in one.match.legal(0)]
        return choose.choice(words)

    said: list[str] = []
    assert run(one, Screen(ask, said.append)) == 0
    assert one.match.over
    assert said[-1].endswith(".")
    assert " to " in said[-1] or "share" in said[-1]
    verdict = verify(one.path.read_text(encoding="utf-8"))
    assert verdict.open == ()
    assert verdict.file.match.moves == one.match.moves


def test_leaving_saves_and_going_on_finds_the_same_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = sitting(tmp_path, 3)
    spoken(one, "a1 c3", "draw", "q")
    assert capsys.readouterr().out == f"Saved: {one.path}. Go on with: facedown play --resume {one.path}\n"
    assert stat.S_IMODE(one.path.stat().st_mode) == 0o600
    again = resumed(read(one.path.read_text(encoding="utf-8")), one.path, "greedy")
    assert to_bytes(again.match.state) == to_bytes(one.match.state)
    assert again.log == one.log
    assert again.table() == one.table()
    assert again.bots == one.bots
    assert again.me == 0


def test_what_was_there_when_one_went_on_is_not_taken_back(tmp_path: Path) -> None:
    one = sitting(tmp_path, level="")
    do(one, "open a1 b1")
    again = resumed(read(one.path.read_text(encoding="utf-8")), one.path, "greedy")
    assert again.match.moves == one.match.moves
    assert again.undo() == "There is nothing to take back."
    assert one.undo() == ""


def test_a_position_that_was_written_by_hand_is_gone_on_with(tmp_path: Path) -> None:
    kinds = [Match("detect", 2).game.words.card_kind(word) for word in ("5", "5", "-2", "12")]
    match = Match("detect", 2, {}, SEED, deal=kinds, first=1)
    one = resumed(MatchFile(match, ("You", "Juniper"), {1: "greedy"}), tmp_path / "by-hand.match", "greedy")
    assert to_bytes(one.match.state) == to_bytes(match.state)
    spoken(one, "a1 b1", "q")
    written = one.path.read_text(encoding="utf-8")
    assert f"Deal: {' '.join(map(match.game.words.card_word, match.deal))}\nFirst: P1\n" in written
    assert read(written).match.moves == one.match.moves


def test_bots_here_play_as_they_do_at_a_table_of_the_server(tmp_path: Path) -> None:
    one = sitting(tmp_path, 3, "beginner")
    spoken(one, "a1 c3", "draw", "keep a1", "q")
    names = [replace(seat, ready=index > 0) for index, seat in enumerate(one.session.record.seats)]
    table = Session(replace(one.session.record, status="lobby", seats=tuple(names)))
    table.apply(table.ready(PERSON, True, 0.0))
    for move in one.match.moves:
        if move.seat == 0:
            change = table.move(0, move.action, table.version(0), now=0.0)
        else:
            task = table.bot_task()
            assert task is not None
            change = table.bot_move(task, bot(task.level).choose(table.game, task.view, task.seat, task.seed), 0.0)
        assert change is not None
        table.apply(change)
    assert table.running.moves == one.match.moves
    assert table.table(0) == one.table()


def test_what_is_typed_is_answered(tmp_path: Path) -> None:
    """Bad typing and commands change nothing, and the same is not asked twice."""
    one = sitting(tmp_path, set_optional="yes")
    bad = ("sing", "keep a1", "a1 a1", "")
    said = spoken(one, *bad, "?", "l", "new", "hint", "hint", "hint", "rules", "m")
    assert one.match.ply == 1
    assert sum(line.startswith("Which two cards do you flip?") for line in said) == 1
    for begins in ("'sing' is not a move", "“keep a1” is not allowed now. ", "Type a move, or ? for help."):
        assert any(line.startswith(begins) for line in said)
    text = " ".join("\n".join(said).split())
    for part in (
        "undo: take your last move back",
        "Look here: Your grid. “hint” again says more.",
        ". “hint” again tells the move.",
        "The coach would play “open ",
        "OPTIONS",
        "set_optional = yes",
        "(by default no)",
    ):
        assert part in text
    assert text.count("(by default") == 1
    assert "Nothing has happened yet." in said or any("turned" in line for line in said)
    said = spoken(one, "a1 b1", "where", "again", "s", "new", "t", "l")
    assert any(re.fullmatch(r"Detect, Round 1, .*turn\. .*", line) for line in said)
    assert any(line.startswith("Round 1 · lowest total wins") for line in said)
    assert sum(line.startswith("Draw pile: face down") for line in said) >= 2
    assert "draw" in "\n".join(said)


def test_every_move_is_in_the_file_when_the_next_is_asked_for(tmp_path: Path) -> None:
    """Also at the end of the input; the verb of a move and its place may be typed in two lines."""
    one = sitting(tmp_path)
    answer = typing("a1 b1", "draw", "throw", "c3", "draw", "keep a1")

    def ask(prompt: str) -> str:
        assert read(one.path.read_text(encoding="utf-8")).match.moves == one.match.moves
        return answer(prompt)

    run(one, Screen(ask, lambda text: None))
    assert one.match.ply >= 6
    assert read(one.path.read_text(encoding="utf-8")).match.moves == one.match.moves
    assert "throw c3" in [one.match.game.words.words(move.action) for move in one.match.moves if move.seat == 0]
    assert [path.name for path in tmp_path.iterdir()] == ["one.match"]


def test_the_rules_are_told_in_the_language_that_is_spoken(tmp_path: Path) -> None:
    # The game of a match has its texts in English.
    one = sitting(tmp_path)
    with speaking("de"):
        said = " ".join("\n".join(spoken(one, "rules")).split())
        asked = registry.info("detect").options.asked({})
        assert all(option.says in said for option in asked)
        assert registry.info("detect").tagline in said
    assert not any(option.says in said for option in one.match.game.info.options.asked({}))


def test_the_coach_names_legal_moves_with_their_chances(tmp_path: Path) -> None:
    match = Match("reveille", 2, {}, SEED)
    one = Sitting(match, ("You", "Juniper"), {1 - match.acting[0]: "greedy"}, match.acting[0], tmp_path / "one.match")
    found = coached(one)
    legal = {match.game.words.words(action) for action in match.legal(one.me)}
    assert len(found) == 3
    for line in found:
        words, rest = line.removeprefix("“").split("” (")
        assert words in legal
        assert re.match(r"\d+ % to win, in \d+ imagined deals\)", rest)


def test_a_hint_gives_a_reason_and_a_legal_move(tmp_path: Path) -> None:
    one = sitting(tmp_path)
    list(one.bots_move())
    for text in ("open a1 b1", "draw"):
        while one.match.acting != [0]:
            list(one.bots_move())
        do(one, text)
        list(one.bots_move())
    said = hint(one)
    move = said.split("“")[1].split("”")[0]
    assert one.match.game.words.parse(move) in one.match.legal(0)
    assert re.search(r"close to call|in 100 less often", said)


def test_what_can_be_taken_back(tmp_path: Path) -> None:
    one = sitting(tmp_path)
    assert one.undo() == "There is nothing to take back."
    before = to_bytes(one.match.state)
    do(one, "open a1 b1")
    # Nobody has answered yet.
    assert one.undo() == ""
    assert (to_bytes(one.match.state), one.match.ply, one.log) == (before, 0, [])
    do(one, "open a1 b1")
    list(one.bots_move())
    assert one.match.moves[-1].seat == 1
    assert one.undo() == "Somebody else has moved since: that cannot be taken back."
    do(one, "draw")
    before = to_bytes(one.match.state)
    assert one.undo() == "That move has shown a card or used chance: it cannot be taken back."
    assert to_bytes(one.match.state) == before


def test_a_card_laid_where_all_see_it_can_be_taken_back(tmp_path: Path) -> None:
    """Swapping two open cards shows nothing new; before anybody else moves it may be undone."""
    one = sitting(tmp_path, level="")
    for seat in (0, 1):
        do(one, "open a1 b1", seat)
    one.me = one.match.acting[0]
    before = to_bytes(one.match.state)
    do(one, "take a1", one.me)
    assert one.undo() == ""
    assert to_bytes(one.match.state) == before
    do(one, "take a2", one.me)
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


def test_a_claim_that_would_lose_is_asked_about(tmp_path: Path) -> None:
    one = playing(tmp_path, "reveille", 2, "claims", level="")
    until(one, lambda one: one.table().phase == "auction")
    while one.match.acting != [0]:
        do(one, "pass", 1)
    for seat, text in ((0, "bid 41"), (1, "pass"), (0, "trump 0")):
        do(one, text, seat)
    said = spoken(one, "claim")
    assert one.table().phase == "stage two"
    asked = "You have 0 of the 41 you bid: a false claim loses the hand. Type “claim” once more to do it all the same."
    assert asked in said
    spoken(one, "claim", "claim")
    assert one.table().phase == "scoring"


def test_a_hand_that_changed_is_read_again(tmp_path: Path) -> None:
    one = playing(tmp_path, "scout", 3, "reading")
    said = spoken(one, "keep")
    heads = ("As dealt", "Flipped", "Your hand")
    assert [line.split(",")[0] for line in said if line.startswith(heads)] == list(heads)


def test_the_auction_names_who_bid(tmp_path: Path) -> None:
    from facedown.terminal.cards import Pen
    from facedown.terminal.layout import body_of

    one = playing(tmp_path, "reveille", 2, "ladder")
    until(one, lambda one: one.table().phase == "auction")
    first = one.match.acting[0]
    do(one, "bid 11", first)
    text = "\n".join(line.plain for line in body_of(one.table(), Pen(), 80, 30))
    assert f"{'You' if first == 0 else 'Juniper'} 11" in text
    assert "{" not in text


def test_after_a_swap_the_hand_is_read_again(tmp_path: Path) -> None:
    said = spoken(playing(tmp_path, "reveal", 2, "swaps"), "swap 2")
    swapped = next(i for i, line in enumerate(said) if line.startswith("You swapped 1 card"))
    assert any(line.startswith("Your hand, place 1 to 3:") for line in said[:swapped])
    assert any(line.startswith("Your hand, place 1 to 3:") for line in said[swapped:])


def test_a_hint_of_scout_says_where_a_card_goes(tmp_path: Path) -> None:
    one = playing(tmp_path, "scout", 3, "hints")
    words = one.match.game.words
    until(one, lambda one: one.table().step.rule == "scout")
    scouts = [action for action in one.match.legal(0) if words.words(action).startswith("scout left turned")]
    said = _consequence(one.table(), scouts[1])
    assert re.fullmatch(r"the card goes between the \d+ and the \d+, turned to \d+", said)


def test_rows_that_stay_as_they_are_are_not_read_again(tmp_path: Path) -> None:
    said = spoken(sitting(tmp_path), "a1 b1", "draw")
    drew = next(i for i, line in enumerate(said) if line.startswith("You drew a"))
    assert any(line.startswith("Row 2: a2 ") for line in said[:drew])
    assert not any(line.startswith("Row 2: a2 ") for line in said[drew:])


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no hang-ups")
@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM", "SIGINT"])
def test_whatever_ends_it_says_where_the_match_is(name: str, tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "facedown", "play", "detect", "--plain", "--seed", "windows"],
        env={**os.environ, "FACEDOWN_INTERPRETED": "1", "FACEDOWN_DATA": str(tmp_path), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stdin
        for begins, types in (("You may type: open", "a1 b1\n"), ("You may type: take", "")):
            while not process.stdout.readline().startswith(begins):
                assert process.poll() is None
            process.stdin.write(types)
            process.stdin.flush()
        process.send_signal(getattr(signal, name))
        said, wrong = process.communicate()
    assert (process.returncode, wrong) == (0, "")
    (saved,) = tmp_path.rglob("*.match")
    assert said.splitlines()[-1].removeprefix("› ") == f"Saved: {saved}. Go on with: facedown play --resume detect-1"
    assert read(saved.read_text(encoding="utf-8")).match.ply >= 2


def test_saved_matches_are_listed_and_gone_on_with_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FACEDOWN_DATA", str(tmp_path))
    assert cli(["matches"]) == 0
    assert capsys.readouterr().out.startswith(f"No match is saved in {tmp_path}")
    for answers in (["a1 b1"], ["a1 c1", "draw"]):
        monkeypatch.setattr("builtins.input", typing(*answers))
        assert cli(["play", "detect", "--plain", "--seed", "listed", "--bots", "greedy"]) == 0
    capsys.readouterr()
    assert cli(["matches"]) == 0
    first, second, how = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"detect-2  detect, You, \w+: \d+ moves, not over", first)
    assert re.fullmatch(r"detect-1  detect, You, \w+: \d+ moves, not over", second)
    assert how == "Go on with one: facedown play --resume NAME"
    for name, file in (("detect-1", "detect-1"), (None, "detect-1"), ("last", "detect-1"), ("detect-2", "detect-2")):
        monkeypatch.setattr("builtins.input", typing("?"))
        assert cli(["play", "--plain", "--resume", *([name] if name else [])]) == 0
        assert f"facedown play --resume {file}\n" in capsys.readouterr().out
    assert cli(["play", "--resume", "detect-9"]) == 2
    assert capsys.readouterr().err == "there is no saved match detect-9: “facedown matches” lists them\n"


def test_places_of_other_players_are_typed_by_their_names(tmp_path: Path) -> None:
    match = Match("uncovered", 3, {}, seed_from_text("names"))
    me = match.acting[0]
    bots = {seat: "greedy" for seat in range(3) if seat != me}
    one = Sitting(match, ("You", "Wren", "Sol Two"), bots, me, tmp_path / "a.match")
    other = next(seat for seat in (2, 1) if seat != one.me)
    typed = f"swap 1 {one.handles[other]} 2"
    assert typed in [one.words(action) for action in match.legal(one.me)]
    spoken(one, typed)
    assert match.game.words.words(one.match.moves[0].action) == f"swap 1 {other} 2"


def test_a_card_is_played_by_its_place_in_the_hand(tmp_path: Path) -> None:
    one = playing(tmp_path, "reveille", 2, "places")
    list(one.bots_move())
    hand = next(zone for zone in one.table().zones if zone.id == "hand")
    spoken(one, "3")
    move = next(move for move in one.match.moves if move.seat == 0)
    assert one.match.game.words.words(move.action) == f"play {''.join(sorted(hand.pieces[2].face, reverse=True))}"


def test_every_place_that_a_move_names_is_named(tmp_path: Path) -> None:
    scout = playing(tmp_path, "scout", 3, "hints")
    until(scout, lambda one: one.table().step.rule == "scout")
    said = "\n".join(spoken(scout, "again"))
    hand = [p for zone in scout.table().zones if zone.id == "hand" for p in zone.pieces if p.kind == "face"]
    for place, piece in enumerate(hand, 1):
        assert f"\n  place {place}: {piece.name}." in said
    assert f"count the cards to its left: 0 is before place 1, {len(hand)} after all." in said
    assert re.search(rf"You may type: .*scout left 0 to {len(hand)}.*\. \? for more", said)
    spoken(scout, f"scout left {len(hand)} turned")
    move = next(move for move in reversed(scout.match.moves) if move.seat == 0)
    assert scout.match.game.words.words(move.action) == f"scout left turned at {len(hand)}"
    match = Match("uncovered", 3, {}, seed_from_text("places"))
    others = {seat: "greedy" for seat in range(3) if seat != match.acting[0]}
    one = Sitting(match, ("Ash", "Wren", "Sol"), others, match.acting[0], tmp_path / "b.match")
    said = "\n".join(spoken(one, "q"))
    for place in range(1, 5):
        assert f"\n  place {place}: " in said
        assert len(re.findall(rf"[Pp]lace {place}: ", said)) >= 3
