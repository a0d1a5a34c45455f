"""Every legal move of every game can be touched on its table."""

from __future__ import annotations

import pytest

from facedown.core.game import catalogue, game
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.table import Sitter
from facedown.study.hints import path_to

SITTERS = [Sitter(name) for name in ("Ada", "Ben", "Cleo", "Dora")]


@pytest.mark.parametrize("name", catalogue())
def test_every_move_has_its_touches(name: str) -> None:
    low, high = catalogue()[name].seats
    match = Match(game(name), max(low, min(high, 3)), {}, seed_from_text("words"))
    seen = 0
    for _ in range(40):
        if match.over:
            break
        seat = match.acting[0]
        table = match.game.tables.table(match.shown(seat), SITTERS)
        places = {piece.place for zone in table.zones for piece in zone.pieces} | {zone.id for zone in table.zones}
        for action in match.legal(seat)[:40]:
            path = path_to(table, action)
            if not path:
                # The one move that a table leaves out: to choose once more what is chosen.
                assert match.game.words.words(action).startswith("choose ")
                continue
            assert path[-1].action == action
            assert all(choice.button or choice.touch in places for choice in path)
            seen += 1
        match.play(seat, match.legal(seat)[match.ply % len(match.legal(seat))])
    assert seen > 10


def test_what_the_table_does_not_offer_has_none() -> None:
    match = Match("detect", 2, {}, seed_from_text("words"))
    table = match.game.tables.table(match.shown(0), SITTERS)
    assert path_to(table, -1) == ()
