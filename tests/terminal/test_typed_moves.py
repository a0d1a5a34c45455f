"""Typed moves: the ways to type a move in the terminal."""

from __future__ import annotations

import random
import re

import pytest

from facedown.check.game_laws import all_touch_steps
from facedown.core.game_registry import catalogue, game
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.table import Sitter, TouchStep, touch_sequences
from facedown.core.translation import languages, use_language
from facedown.terminal.text_blocks import help_without_touch_sentences
from facedown.terminal.typed_moves import Moves, Unclear

SITTERS = [Sitter("Mara"), Sitter("Ilse")]
PLAYERS = [Sitter(f"P{i}") for i in range(8)]


def detect_after(*moves: str) -> Match:
    """Return a match of Detect after these moves; by the deal, seat 0 starts."""
    words = game("detect").words
    # Seat 0 opens 12 and 9 and starts, seat 1 opens two 1s; the first discard is an 8.
    deal = "12 11 10 9 8 7 6 5 4 3 2 1  1 0 2 1 0 2 1 0 2 1 0 2  8 7"
    kinds = [words.card_kind(word) for word in deal.split()]
    match = Match("detect", 2, seed=seed_from_text("entry"), deal=kinds, first=1)
    for text in ("open a1 b1", "open a1 b1", *moves):
        match.play(match.acting[0], match.game.words.parse(text))
    return match


def moves_of(match: Match) -> Moves:
    """Return the moves of the seat to act."""
    seat = match.acting[0]
    return Moves(match.game, match.table(seat, PLAYERS[: match.seats]), match.legal(seat))


def interpreted(match: Match, text: str) -> str:
    """Return the words of the move that a typed text means for the seat to act."""
    moves = moves_of(match)
    found = moves.interpret(moves.table.step, text)
    assert isinstance(found, int)
    return match.game.words.words(found)


@pytest.mark.parametrize(
    ("moves", "texts", "move"),
    [
        ((), ("draw", "  DRAW ", "d", "#13"), "draw"),
        ((), ("take c3", "t c3", "c3", "discard c3"), "take c3"),
        ((), ("#1",), "take a1"),
        # After a draw, a cell alone keeps the card there.
        (("draw",), ("a3", "keep a3", "k a3"), "keep a3"),
        (("draw",), ("t a3", "discard a3"), "throw a3"),
        # Before any card is open.
        (None, ("a2 c3", "c3, a2", "o a2 c3"), "open a2 c3"),
    ],
)
def test_a_move_can_be_typed_in_full_or_abbreviated_or_by_list_number_or_by_cell(
    moves: tuple[str, ...] | None, texts: tuple[str, ...], move: str
) -> None:
    match = Match("detect", 2, seed=seed_from_text("entry")) if moves is None else detect_after(*moves)
    assert {text: interpreted(match, text) for text in texts} == dict.fromkeys(texts, move)


def test_typing_hints_list_a_few_legal_moves_one_by_one_but_summarize_many_of_them() -> None:
    match = detect_after()
    assert moves_of(match).typing_hints() == ["take a1 … d3", "draw"]
    few = [match.game.words.parse(text) for text in ("remove", "leave")]
    assert Moves(match.game, match.table(0, SITTERS), few).typing_hints() == ["#1 remove", "#2 leave"]


def reveille_at(phase: str) -> Match:
    """Return a match of Reveille, played with the first legal bone until a phase."""
    match = Match("reveille", 2, seed=seed_from_text("entry"))
    while match.table(0, SITTERS).phase != phase:
        match.play(match.acting[0], match.legal(match.acting[0])[0])
    return match


def test_trumps_in_reveille_can_be_typed_by_number_or_name() -> None:
    match = reveille_at("auction")
    for text in ("bid 20", "pass"):
        match.play(match.acting[0], match.game.words.parse(text))
    trumps = {"0": "trump 0", "6": "trump 6", "sixes": "trump 6", "name blanks": "trump 0"}
    assert {text: interpreted(match, text) for text in trumps} == trumps
    assert "trump 0" in moves_of(match).typing_hints()


def test_a_show_move_in_scout_can_be_typed_by_the_numbers_on_its_cards() -> None:
    match = Match("scout", 3, seed=seed_from_text("entry"))
    for seat in range(3):
        match.play(seat, match.game.words.parse("keep"))
    moves = moves_of(match)
    row = [piece.face.split("/")[0] for zone in moves.table.zones if zone.id == "hand" for piece in zone.pieces]
    seen = 0
    for move in map(moves.typed_move_text, moves.legal):
        first, _, last = move.removeprefix("show ").partition("-")
        numbers = row[int(first) - 1 : int(last or first)]
        shown = " ".join(numbers)
        if len(numbers) < 2 or sum(row[i : i + len(numbers)] == numbers for i in range(len(row))) > 1:
            continue
        assert interpreted(match, f"show {shown}") == move
        seen += 1
    assert seen


def actions_with_number(moves: Moves, number: int) -> set[int]:
    """Return the actions that a bare number may mean: their words hold it, or they start with the card at that
    place.
    """
    hand = [p.place for zone in moves.table.zones if zone.area == "hand" for p in zone.pieces if p.kind == "face"]
    begun = {way[-1].action for way in touch_sequences(moves.table.step) if way[0].touch in hand[number - 1 : number]}
    words = moves.game.words.words
    return {a for a in moves.legal if a in begun or str(number) in re.split(r"\W+", words(a))}


@pytest.mark.parametrize("name", list(catalogue()))
def test_a_typed_number_without_hash_is_never_read_as_an_index_in_the_list_of_moves(name: str, seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(3):
        match = Match(name, catalogue()[name].seats[0], seed=seed_from_text(str(rnd.random())))
        while not match.over and match.ply < 60:
            moves = moves_of(match)
            assert moves.interpret(moves.table.step, f"#{len(moves.legal)}") == moves.legal[-1]
            for number in range(1, 14):
                try:
                    found = moves.interpret(moves.table.step, str(number))
                except Unclear:
                    continue
                assert isinstance(found, TouchStep) or found in actions_with_number(moves, number), (
                    number,
                    moves.legal,
                )
            match.play(match.acting[0], rnd.choice(moves.legal))


def test_a_typed_number_is_not_completed_to_a_longer_bid_that_starts_with_it() -> None:
    match = reveille_at("auction")
    match.play(match.acting[0], match.game.words.parse("bid 41"))
    assert interpreted(match, "42") == "bid 42"
    with pytest.raises(Unclear):
        interpreted(match, "4")


def refusal_reason(moves: Moves, text: str) -> str:
    """Return the reason why a text is not a move, or an empty string if it is one."""
    try:
        moves.interpret(moves.table.step, text)
    except Unclear as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize("code", list(languages()))
@pytest.mark.parametrize("name", list(catalogue()))
def test_prompts_help_and_refusals_in_the_terminal_never_contain_the_verb_touch(
    name: str, code: str, seed: int
) -> None:
    rnd = random.Random(seed)
    touching = re.compile(r"\b(?:touch|berühr)", re.IGNORECASE)
    with use_language(code):
        match = Match(name, catalogue()[name].seats[0], seed=seed_from_text(str(rnd.random())))
        while not match.over and match.ply < 40:
            moves = moves_of(match)
            for step in all_touch_steps(moves.table.step):
                assert not touching.search(step.prompt + help_without_touch_sentences(step.help))
            for touch, _reason in moves.table.step.refusals:
                assert not touching.search(refusal_reason(moves, touch))
            match.play(match.acting[0], rnd.choice(moves.legal))
