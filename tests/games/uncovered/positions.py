"""Positions of Uncovered! as the worked cases write them: hands by their four numbers, seat 0 first."""

from __future__ import annotations

from typing import cast

from facedown.core.match import Match
from facedown.core.state import Position, View
from facedown.core.table import Sitter
from facedown.games.uncovered.view import number_at, position_without_remembered_cards

SITTERS = tuple(Sitter(name) for name in ("Ravi", "Mara", "Theo", "Ilse", "Noor", "Wren"))


def match_with_hands(hands: str, first: int = 0, **options: str) -> Match:
    """Return a match with these hands: ``match_with_hands("1233 1244", mode="beginner")``."""
    cards = [int(number) - 1 for number in hands.replace(" ", "")]
    return Match("uncovered", len(hands.split()), options, seed=bytes(32), deal=cards, first=first)


def play_words(m: Match, *moves: str) -> None:
    """Play moves in words, each by the seat to act."""
    for move in moves:
        m.play(m.acting[0], m.game.words.parse(move))


def hands_text(position: Position) -> str:
    """Return the hands that a view shows (or a state has), ``?`` for a hidden card: "2231 ??4? ????"."""
    v = position_without_remembered_cards(cast(View, position))
    numbers = [number_at(v, slot) for slot in range(4 * v.seats)]
    text = "".join("?" if number is None else str(number) for number in numbers)
    return " ".join(text[i : i + 4] for i in range(0, len(text), 4))


def score_of(m: Match) -> float:
    """Return the score of a finished match, computed from its returns."""
    returns = m.game.returns(m.state)
    assert len(set(returns)) == 1
    return -returns[0]
