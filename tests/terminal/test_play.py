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
from facedown.core import game_registry as registry
from facedown.core.language import use_language
from facedown.core.match import Match
from facedown.core.match_file import MatchFile, read, verify
from facedown.core.seeds import seed_from_text
from facedown.core.state import to_bytes
from facedown.play import Session
from facedown.terminal.local_match import PERSON, LocalMatch, resume_match
from facedown.terminal.match_loop import _consequence, coach_lines, hint, run
from facedown.terminal.match_ui import Screen
from tests.not_none import given
from tests.terminal.command_runner import facedown

SEED = seed_from_text("a match in the terminal")


def playing(
    path: Path, game: str, seats: int, seed: str | bytes, level: str = "greedy", options: dict[str, str] | None = None
) -> LocalMatch:
    """A person at seat 0 of a game, with bots, or (of no level) with others who sit here too."""
    match = Match(game, seats, options or {}, seed if isinstance(seed, bytes) else seed_from_text(seed))
    bots = dict.fromkeys(range(1, seats), level) if level else {}
    return LocalMatch(match, ("You", "Juniper", "Wren")[:seats], bots, 0, path / "one.match")


def sitting(path: Path, seats: int = 2, level: str = "greedy", **options: str) -> LocalMatch:
    """The same of Detect."""
    return playing(path, "detect", seats, SEED, level, options)


def do(one: LocalMatch, text: str, seat: int = 0) -> None:
    """Play a move by its words."""
    one.play(seat, one.match.game.words.parse(text))


def typing(*lines: str) -> Callable[[str], str]:
    """Somebody who types these lines and then nothing more."""
    rest = iter(lines)

    def ask(prompt: str) -> str:
        for line in rest:
            return line
        raise EOFError

    return ask


def spoken(one: LocalMatch, *lines: str) -> list[str]:
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
    assert capsys.readouterr().out == f"Saved: {one.path}. Resume with: facedown play --resume {one.path}\n"
    assert stat.S_IMODE(one.path.stat().st_mode) == 0o600
    again = resume_match(read(one.path.read_text(encoding="utf-8")), one.path, "greedy")
    assert to_bytes(again.match.state) == to_bytes(one.match.state)
    assert again.log == one.log
    assert again.table() == one.table()
    assert again.bots == one.bots
    assert again.me == 0


def test_a_position_that_was_written_by_hand_is_gone_on_with(tmp_path: Path) -> None:
    kinds = [Match("detect", 2).game.words.card_kind(word) for word in ("5", "5", "-2", "12")]
    match = Match("detect", 2, {}, SEED, deal=kinds, first=1)
    one = resume_match(MatchFile(match, ("You", "Juniper"), {1: "greedy"}), tmp_path / "by-hand.match", "greedy")
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
            task = given(table.bot_task())
            change = table.bot_move(task, bot(task.level).choose(table.game, task.view, task.seat, task.seed), 0.0)
        table.apply(given(change))
    assert table.dealt_match.moves == one.match.moves
    assert table.table(0) == one.table()


def test_a_hint_says_more_each_time_and_rules_name_what_was_chosen(tmp_path: Path) -> None:
    said = spoken(sitting(tmp_path, set_optional="yes"), "hint", "hint", "hint", "rules")
    text = " ".join("\n".join(said).split())
    hints = (
        "Look here: Your grid. Type “hint” again for the reason.",
        "Type “hint” again for the move.",
        "would play “open ",
    )
    assert all(part in text for part in (*hints, "OPTIONS", "set_optional = yes", "(default: no)"))
    assert text.count("(default:") == 1


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
    with use_language("de"):
        said = " ".join("\n".join(spoken(one, "rules")).split())
        asked = registry.info("detect").options.visible_options({})
        assert all(option.says in said for option in asked)
        assert registry.info("detect").tagline in said
    assert not any(option.says in said for option in one.match.game.info.options.visible_options({}))


def test_the_coach_names_legal_moves_with_their_chances(tmp_path: Path) -> None:
    match = Match("reveille", 2, {}, SEED)
    one = LocalMatch(
        match, ("You", "Juniper"), {1 - match.acting[0]: "greedy"}, match.acting[0], tmp_path / "one.match"
    )
    found = coach_lines(one)
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
    *_, said = (hint(one) for _ in range(3))
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
    assert one.undo() == "The last move wasn’t yours, so you can’t take it back."
    do(one, "draw")
    before = to_bytes(one.match.state)
    assert one.undo() == "That move revealed a card or involved chance, so you can’t take it back."
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
    assert one.undo().startswith("That move revealed a card")


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
def test_every_kind_of_terminal(
    environment: dict[str, str], colour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("COLORTERM", "FORCE_COLOR", "NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    typed = b"a1 b1\ndraw\nq\n"
    done = facedown("play", "detect", "--seed", "terminals", data=tmp_path, typed=typed, **environment)
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode()
    assert ("[ ?? ]" in shown) == (not colour)
    assert ("░░░░" in shown) == bool(colour)
    assert (("48;" in shown) or ("38;" in shown)) <= bool(colour)
    assert colour in shown


def test_a_hint_of_scout_says_where_a_card_goes(tmp_path: Path) -> None:
    one = playing(tmp_path, "scout", 3, "hints")
    words = one.match.game.words
    while one.table().step.rule != "scout":
        one.play(one.match.acting[0], one.match.legal(one.match.acting[0])[0])
    scouts = [action for action in one.match.legal(0) if words.words(action).startswith("scout left turned")]
    said = _consequence(one.table(), scouts[1])
    assert re.fullmatch(r"the card goes between the \d+ and the \d+, turned to \d+", said)


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
        for begins, types in (("You can type: open", "a1 b1\n"), ("You can type: take", "")):
            while not process.stdout.readline().startswith(begins):
                assert process.poll() is None
            process.stdin.write(types)
            process.stdin.flush()
        process.send_signal(getattr(signal, name))
        said, wrong = process.communicate()
    assert (process.returncode, wrong) == (0, "")
    (saved,) = tmp_path.rglob("*.match")
    assert said.splitlines()[-1].removeprefix("› ") == f"Saved: {saved}. Resume with: facedown play --resume detect-1"
    assert read(saved.read_text(encoding="utf-8")).match.ply >= 2
