"""``facedown play``: moves, hints, taking back, resigning, ending, quitting and resuming."""

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
from facedown.core.actions import Move
from facedown.core.match import Match
from facedown.core.match_actions import AGREED_END, RESIGN, TAKE_BACK, action_words
from facedown.core.match_file import MatchFile, read, verify
from facedown.core.seeds import seed_from_text
from facedown.core.state import to_bytes
from facedown.core.translation import use_language
from facedown.play import Session
from facedown.terminal.local_match import PERSON, LocalMatch, resume_match
from facedown.terminal.match_loop import _consequence_text, give_next_hint, run, top_moves_with_values_lines
from facedown.terminal.match_ui import Screen
from tests.not_none import given
from tests.terminal.command_runner import facedown
from tests.terminal.command_runner import said as command_output
from tests.terminal.test_typed_moves import reveille_at

SEED = seed_from_text("a match in the terminal")


def start_match(
    path: Path, game: str, seats: int, seed: str | bytes, level: str = "greedy", options: dict[str, str] | None = None
) -> LocalMatch:
    """Return a match of a player at seat 0 with bots."""
    match = Match(game, seats, options or {}, seed if isinstance(seed, bytes) else seed_from_text(seed))
    bots = dict.fromkeys(range(1, seats), level)
    return LocalMatch(match, ("You", "Juniper", "Wren")[:seats], bots, 0, path / "one.match")


def detect_match(path: Path, seats: int = 2, level: str = "greedy", **options: str) -> LocalMatch:
    """Return such a match of Detect."""
    return start_match(path, "detect", seats, SEED, level, options)


def play_words(one: LocalMatch, text: str, seat: int = 0) -> None:
    """Play a move by its words."""
    one.play(seat, one.match.game.words.parse(text))


def type_lines(*lines: str) -> Callable[[str], str]:
    """Return an input function that types these lines and then ends the input."""
    rest = iter(lines)

    def ask(prompt: str) -> str:
        for line in rest:
            return line
        raise EOFError

    return ask


def output_of_typing(one: LocalMatch, *lines: str) -> list[str]:
    """Return the output while these lines are typed."""
    said: list[str] = []
    assert run(one, Screen(type_lines(*lines), said.append)) == 0
    return said


def test_a_whole_match_can_be_played_by_typing(tmp_path: Path, seed: int) -> None:
    one = detect_match(tmp_path)
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


def test_a_match_saved_on_quit_resumes_at_the_same_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = detect_match(tmp_path, 3)
    output_of_typing(one, "a1 c3", "draw", "q")
    assert capsys.readouterr().out == f"Saved: {one.path}. Resume with: facedown play --resume {one.path}\n"
    assert stat.S_IMODE(one.path.stat().st_mode) == 0o600
    again = resume_match(read(one.path.read_text(encoding="utf-8")), one.path, "greedy")
    assert to_bytes(again.match.state) == to_bytes(one.match.state)
    assert again.log == one.log
    assert again.table() == one.table()
    assert again.bot_levels_by_seat == one.bot_levels_by_seat
    assert again.me == 0


def test_a_match_whose_file_lists_the_cards_of_the_deal_can_be_resumed(tmp_path: Path) -> None:
    kinds = [Match("detect", 2).game.words.card_kind(word) for word in ("5", "5", "-2", "12")]
    match = Match("detect", 2, {}, SEED, deal=kinds, first=1)
    one = resume_match(MatchFile(match, ("You", "Juniper"), {1: "greedy"}), tmp_path / "by-hand.match", "greedy")
    assert to_bytes(one.match.state) == to_bytes(match.state)
    output_of_typing(one, "a1 b1", "q")
    written = one.path.read_text(encoding="utf-8")
    assert f"Deal: {' '.join(map(match.game.words.card_word, match.deal))}\nFirst: P1\n" in written
    assert read(written).match.moves == one.match.moves


def test_bots_choose_the_same_moves_in_the_terminal_and_on_the_server(tmp_path: Path) -> None:
    one = detect_match(tmp_path, 3, "beginner")
    output_of_typing(one, "a1 c3", "draw", "keep a1", "q")
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


def test_repeated_hints_say_more_each_time_and_the_rules_command_shows_changed_options(tmp_path: Path) -> None:
    said = output_of_typing(detect_match(tmp_path, set_optional="yes"), "hint", "hint", "hint", "rules")
    text = " ".join("\n".join(said).split())
    hints = (
        "Look here: Your grid. Type “hint” again for the reason.",
        "Type “hint” again for the move.",
        "would play “open ",
    )
    assert all(part in text for part in (*hints, "OPTIONS", "set_optional = yes", "(default: no)"))
    assert text.count("(default:") == 1


def test_every_move_is_saved_before_the_next_prompt(tmp_path: Path) -> None:
    """Also at the end of the input. The verb of a move and its place may be typed on two lines."""
    one = detect_match(tmp_path)
    answer = type_lines("a1 b1", "draw", "throw", "c3", "draw", "keep a1")

    def ask(prompt: str) -> str:
        assert read(one.path.read_text(encoding="utf-8")).match.moves == one.match.moves
        return answer(prompt)

    run(one, Screen(ask, lambda text: None))
    assert one.match.ply >= 6
    assert read(one.path.read_text(encoding="utf-8")).match.moves == one.match.moves
    assert "throw c3" in [one.match.game.words.words(move.action) for move in one.match.moves if move.seat == 0]
    assert [path.name for path in tmp_path.iterdir()] == ["one.match"]


def test_the_rules_command_typed_during_a_match_prints_the_rules_in_the_active_language(tmp_path: Path) -> None:
    # The game module of a match has English texts.
    one = detect_match(tmp_path)
    with use_language("de"):
        said = " ".join("\n".join(output_of_typing(one, "rules")).split())
        asked = registry.info("detect").options.visible_options({})
        assert all(option.says in said for option in asked)
        assert registry.info("detect").tagline in said
    assert not any(option.says in said for option in one.match.game.info.options.visible_options({}))


def test_coach_suggestions_in_a_match_are_legal_moves_with_their_win_probabilities(tmp_path: Path) -> None:
    match = Match("reveille", 2, {}, SEED)
    one = LocalMatch(
        match, ("You", "Juniper"), {1 - match.acting[0]: "greedy"}, match.acting[0], tmp_path / "one.match"
    )
    found = top_moves_with_values_lines(one)
    legal = {match.game.words.words(action) for action in match.legal(one.me)}
    assert len(found) == 3
    for line in found:
        words, rest = line.removeprefix("“").split("” (")
        assert words in legal
        assert re.match(r"\d+ % chance of winning, in \d+ simulated deals\)", rest)


def test_the_third_hint_in_a_row_names_a_legal_move_and_a_reason(tmp_path: Path) -> None:
    one = detect_match(tmp_path)
    list(one.let_bots_move())
    for text in ("open a1 b1", "draw"):
        while one.match.acting != [0]:
            list(one.let_bots_move())
        play_words(one, text)
        list(one.let_bots_move())
    *_, said = (give_next_hint(one) for _ in range(3))
    move = said.split("“")[1].split("”")[0]
    assert one.match.game.words.parse(move) in one.match.legal(0)
    assert re.search(r"close to call|in 100 less often", said)


def start_auction(path: Path) -> LocalMatch:
    """Return a match of Reveille in which the player makes the first bid."""
    match = reveille_at("auction")
    (me,) = match.acting
    names = ("You", "Juniper") if me == 0 else ("Juniper", "You")
    return LocalMatch(match, names, {1 - me: "greedy"}, me, path / "one.match")


@pytest.mark.parametrize("command", ["undo", "take back", "Take Back"])
def test_undo_takes_back_the_last_move_with_the_answers_of_bots_and_keeps_all_moves(
    command: str, tmp_path: Path
) -> None:
    one = start_auction(tmp_path)
    before, ply = to_bytes(one.match.state), one.match.ply
    said = output_of_typing(one, "bid 30", command, "new", "bid 31", "q")
    words = [action_words(one.match.game, move.action) for move in one.match.moves[ply:]]
    assert words == ["bid 30", "pass", "take back", "bid 31", "pass"]
    assert (to_bytes(one.match.at(ply + 3).state), one.match.at(ply + 3).acting) == (before, [one.me])
    assert said.count("You took back your last move.") == 2
    assert [line.text for line in one.log if "took back" in line.text] == ["**You** took back your last move."]
    assert read(one.path.read_text(encoding="utf-8")).match.moves == one.match.moves


def test_a_move_made_before_the_match_was_resumed_can_be_taken_back(tmp_path: Path) -> None:
    one = start_auction(tmp_path)
    ply = one.match.ply
    output_of_typing(one, "bid 30", "undo", "bid 31", "q")
    again = resume_match(read(one.path.read_text(encoding="utf-8")), one.path, "greedy")
    assert (again.me, again.log, again.table()) == (one.me, one.log, one.table())
    output_of_typing(again, "undo", "undo", "q")
    words = [action_words(again.match.game, move.action) for move in again.match.moves[ply:]]
    assert words == ["bid 30", "pass", "take back", "bid 31", "pass", "take back"]
    assert verify(one.path.read_text(encoding="utf-8")).file.match.moves == again.match.moves


def test_undo_says_why_a_move_cannot_be_taken_back(tmp_path: Path) -> None:
    one = detect_match(tmp_path)
    said = output_of_typing(one, "undo", "a1 b1", "undo", "draw", "undo", "q")
    reasons = [line for line in said if line.endswith(("take back.", "it stays."))]
    hidden = "You’ve seen something hidden since your last move, so it stays."
    assert reasons == ["You have no move to take back.", hidden, hidden]
    assert not any(move.action == TAKE_BACK for move in one.match.moves)


def test_resigning_must_be_confirmed_and_ends_a_match_of_two_players(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = detect_match(tmp_path)
    said = output_of_typing(one, "a1 b1", "resign", "end", "resign", "s")
    assert "If you resign, Juniper wins the match. Type “resign” again to do it anyway." in said
    assert not one.match.over
    said = output_of_typing(one, "resign", "s", "resign", "s")
    assert one.match.moves[-1] == Move(0, RESIGN)
    assert said[-1] == "You resigned. Juniper wins."
    verdict = verify(one.path.read_text(encoding="utf-8"))
    assert verdict.open == ()
    assert "The result matches the moves: P0 resigned." in verdict.found
    capsys.readouterr()
    code, _out, wrong = command_output(capsys, "play", "--resume", str(one.path))
    assert (code, wrong.count("this match is over")) == (2, 1)


def test_after_resigning_in_a_match_of_three_bots_play_it_to_its_end(tmp_path: Path) -> None:
    one = start_match(tmp_path, "scout", 3, "hints")
    said = output_of_typing(one, "keep", "resign", "resign", "nothing more is asked")
    question = "If you resign, bots play the match to its end. Type “resign” again to do it anyway."
    assert said.count(question) == 1
    assert one.match.over
    assert one.table().result == said[-1]
    assert not any("resigned" in line.text for line in one.log)
    # The final table is shown, but not each of the many moves until then.
    last = said[said.index(question) + 1 :]
    assert last[0] == "SCOUT. Round 3 of 3. The match is over."
    assert len(last) < 30
    verdict = verify(one.path.read_text(encoding="utf-8"))
    assert verdict.open == ()
    assert {move.seat for move in verdict.file.match.moves[-9:]} == {0, 1, 2}


@pytest.mark.parametrize("scored", [False, True])
def test_ending_a_match_must_be_confirmed_and_its_scores_count(scored: bool, tmp_path: Path) -> None:
    one = start_match(tmp_path, "scout", 3, "hints")
    while scored and not one.match.standing.has_score:
        one.play(one.match.acting[0], one.match.legal(one.match.acting[0])[0])
    totals = [row.total for row in one.table().scores]
    said = output_of_typing(one, "end", "end", "nothing more is asked")
    consequence = "the scores count as they are" if scored else "there’s no result"
    assert said.count(f"If the match ends now, {consequence}. Type “end” again to do it anyway.") == 1
    assert one.match.moves[-1] == Move(0, AGREED_END)
    result = given(one.match.result)
    assert result.abandoned == (not scored)
    assert [row.total for row in one.table().scores] == totals
    names = [one.names[seat] for seat in result.winners]
    assert all(name in said[-1] for name in names)
    assert bool(names) == scored
    verdict = verify(one.path.read_text(encoding="utf-8"))
    assert verdict.open == ()
    assert verdict.file.match.moves == one.match.moves


def test_a_cooperative_match_ends_without_a_result_and_is_lost_by_resigning(tmp_path: Path) -> None:
    one = start_match(tmp_path, "uncovered", 2, "hints")
    said = output_of_typing(one, "resign", "end", "end")
    assert "If you resign, the game is lost. Type “resign” again to do it anyway." in said
    assert "If the match ends now, there’s no result. Type “end” again to do it anyway." in said
    assert said[-1] == "The players agreed to end the match without a result."


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
def test_play_command_uses_the_colours_that_the_terminal_supports(
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


def test_a_hint_to_take_a_card_in_scout_says_between_which_cards_it_goes(tmp_path: Path) -> None:
    one = start_match(tmp_path, "scout", 3, "hints")
    words = one.match.game.words
    while one.table().step.rule != "scout":
        one.play(one.match.acting[0], one.match.legal(one.match.acting[0])[0])
    scouts = [action for action in one.match.legal(0) if words.words(action).startswith("scout left turned")]
    said = _consequence_text(one.table(), scouts[1])
    assert re.fullmatch(r"the card goes between the \d+ and the \d+, turned to \d+", said)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no hang-ups")
@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM", "SIGINT"])
def test_play_command_prints_the_path_of_the_saved_match_when_a_signal_ends_it(name: str, tmp_path: Path) -> None:
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
