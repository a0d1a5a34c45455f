"""``facedown play``: costly moves are asked again before they are played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from facedown.core.actions import Move
from facedown.core.table import Choice, Table, TouchStep, add_confirmation
from facedown.terminal.local_match import LocalMatch
from facedown.terminal.match_loop import _consequence_text
from tests.terminal.test_play_command import detect_match, output_of_typing, start_auction, start_match


def ask_before(monkeypatch: pytest.MonkeyPatch, *costly: str) -> None:
    """Make the table ask before these moves of a match, wherever they are in its touch tree."""
    drawn = LocalMatch.table

    def table(one: LocalMatch) -> Table:
        found = drawn(one)
        actions = {one.match.game.words.parse(words): words for words in costly}
        return replace(found, step=with_confirmations(found.step, actions))

    monkeypatch.setattr(LocalMatch, "table", table)


def with_confirmations(step: TouchStep, costly: Mapping[int, str]) -> TouchStep:
    """Return a prompt with confirmations for all choices that complete one of these actions."""

    def confirmed(choice: Choice) -> Choice:
        if choice.action is not None and choice.action in costly:
            asked = f"Really {costly[choice.action]}?"
            return add_confirmation(choice, asked, "It **costs** you. Tap the button.", "Do it")
        return choice if choice.then is None else choice._replace(then=with_confirmations(choice.then, costly))

    return step._replace(choices=tuple(map(confirmed, step.choices)))


TAKE_A1_QUESTION = "Really take a1? It costs you. Type “take a1” again to do it anyway."


@pytest.mark.parametrize(
    "typed",
    [
        ("take a1", "take a1"),
        ("#1", "#1"),
        ("t a1", "take a1"),
        ("discard a1", "a1"),
        # A prompt below the first one asks for the place.
        ("discard", "a1", "a1"),
        ("discard", "a1", "take a1"),
        ("discard", "take a1", "#1"),
        ("take a1", "again", "where", "back", "discard", "a1"),
    ],
)
def test_a_costly_move_is_asked_once_however_it_is_typed(
    typed: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_before(monkeypatch, "take a1", "take a2")
    one = detect_match(tmp_path)
    output_of_typing(one, "a1 b1", "q")
    ply = one.match.ply
    said = output_of_typing(one, *typed[:-1], "q")
    assert (said.count(TAKE_A1_QUESTION), one.match.ply) == (1, ply)
    said = output_of_typing(one, *typed, "q")
    assert said.count(TAKE_A1_QUESTION) == 1
    assert one.match.game.words.words(one.match.moves[ply].action) == "take a1"


def test_another_costly_move_is_asked_again_and_other_moves_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_before(monkeypatch, "take a1", "take a2", "draw")
    one = detect_match(tmp_path)
    typed = ("take a1", "take a2", "resign", "take a1", "discard", "draw", "take a3")
    said = output_of_typing(one, "a1 b1", *typed, "q")
    questions = [line for line in said if "again to do it anyway" in line]
    asked = [line.split("“")[1].split("”")[0] for line in questions]
    assert asked == ["take a1", "take a2", "resign", "take a1", "draw"]
    assert "take a3" in [one.match.game.words.words(move.action) for move in one.match.moves if move.seat == 0]


def test_an_empty_line_for_the_only_button_of_a_costly_move_is_asked_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = detect_match(tmp_path)
    while one.table().phase != "scoring":
        one.play(one.match.acting[0], one.match.legal(one.match.acting[0])[-1])
    list(one.let_bots_move())
    (only,) = one.match.legal(0)
    words, ply = one.match.game.words.words(only), one.match.ply
    ask_before(monkeypatch, words)
    question = f"Really {words}? It costs you. Type “{words}” again to do it anyway."
    assert question in output_of_typing(one, "")
    assert one.match.ply == ply
    output_of_typing(one, "", "")
    assert one.match.moves[ply] == Move(0, only)


def test_the_ask_command_turns_questions_before_costly_moves_off_and_on_but_resigning_is_always_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask_before(monkeypatch, "take a1", "take a2")
    one = detect_match(tmp_path)
    said = output_of_typing(one, "a1 b1", "ask", "ask", "take a1", "ask", "take a2", "ask", "resign", "q")
    assert [line for line in said if "asked before" in line] == [
        "You won’t be asked before costly moves.",
        "You’ll be asked before costly moves.",
        "You won’t be asked before costly moves.",
        "You’ll be asked before costly moves.",
    ]
    assert "take a2" in [one.match.game.words.words(move.action) for move in one.match.moves if move.seat == 0]
    assert [line for line in said if "again to do it anyway" in line] == [
        TAKE_A1_QUESTION,
        "If you resign, Juniper wins the match. Type “resign” again to do it anyway.",
    ]


def test_a_confirmation_does_not_change_what_a_hint_says_about_the_effect_of_a_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = start_match(tmp_path, "reveille", 2, "reveille")
    list(one.let_bots_move())
    said = {action: _consequence_text(one.table(), action) for action in one.match.legal(0)}
    assert any(said.values())
    ask_before(monkeypatch, *map(one.match.game.words.words, said))
    assert {action: _consequence_text(one.table(), action) for action in said} == said


def test_a_false_claim_in_reveille_is_asked_with_its_consequence(tmp_path: Path) -> None:
    one = start_auction(tmp_path)
    said = output_of_typing(one, "bid 41", "trump 1", "claim", "claim", "q")
    (question,) = [line for line in said if "again to do it anyway" in line]
    assert question == (
        "Claim and give Juniper the mark? You’ve won only 0 of the 41 points you bid. A false claim loses the hand. "
        "Type “claim” again to do it anyway."
    )
    assert said[said.index(question) + 1] == "You claimed the hand."
