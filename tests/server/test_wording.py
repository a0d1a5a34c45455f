"""Moves in words: every legal move of every game has words of its own table, and what is touched is on it."""

from __future__ import annotations

import pytest

from facedown.core.game import catalogue, game
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.table import Sitter
from facedown.server.study.wording import in_words, path_to

SITTERS = [Sitter(name) for name in ("Ada", "Ben", "Cleo", "Dora")]


@pytest.mark.parametrize("name", catalogue())
def test_every_move_has_words_and_touches(name: str) -> None:
    low, high = catalogue()[name].seats
    match = Match(game(name), max(low, min(high, 3)), {}, seed_from_text("words"))
    seen = set()
    for _ in range(40):
        if match.over:
            break
        seat = match.acting[0]
        table = match.game.tables.table(match.look(seat), SITTERS)
        places = {piece.place for zone in table.zones for piece in zone.pieces} | {zone.id for zone in table.zones}
        for action in match.legal(seat)[:40]:
            path = path_to(table, action)
            if not path:
                # The one move that a table leaves out: to choose once more what is chosen.
                assert match.game.words.words(action).startswith("choose ")
                continue
            assert path[-1].action == action
            assert all(choice.button or choice.touch in places for choice in path)
            words = in_words(table, action, match.game.words.words(action))
            assert words == words.strip().rstrip(":"), words
            assert words[0].isupper()
            assert "face down" not in words, "a place is named, not a card that nobody sees"
            seen.add(words)
        match.play(seat, match.legal(seat)[match.ply % len(match.legal(seat))])
    assert len(seen) > 10


def test_what_the_table_does_not_offer_is_said_in_the_notation() -> None:
    match = Match("detect", 2, {}, seed_from_text("words"))
    table = match.game.tables.table(match.look(0), SITTERS)
    assert path_to(table, -1) == ()
    assert in_words(table, -1, "keep a1") == "Keep a1"


def test_a_card_is_named_with_where_it_goes() -> None:
    match = Match("reveal", 2, {}, seed_from_text("words"))
    for seat in (0, 1):
        match.play(seat, match.game.words.parse("swap none"))
    table = match.game.tables.table(match.look(0), SITTERS)
    words = in_words(table, match.game.words.parse("place L C R"), "place L C R")
    first, second = (piece.name for zone in table.zones if zone.area == "hand" for piece in zone.pieces[:2])
    assert words == f"Place 3 cards: {first} to your row 1, left; {second} to your row 1, middle"
