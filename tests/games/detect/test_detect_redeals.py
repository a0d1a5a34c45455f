"""Redeals of Detect after the draw pile was rebuilt, compared with all consistent worlds found by brute force."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.core.game_registry import game
from facedown.core.hidden_cards import clear_slot_publicly
from facedown.core.match import Match
from facedown.core.state import EVERYONE, copy
from facedown.games.detect.rules import CELLS, DRAWN_SLOT, SLOTS, STOCK
from tests.every_game.brute_force_worlds import check_redeal, consistent_worlds

DETECT = game("detect")
#: Number of seat 1's cells that are hidden from both players.
HIDDEN = 2


def match_with_two_hidden_cells(discards: int) -> Match:
    """Return a match with seat 0 to act: one card in the draw pile, some discards, and two hidden cells of seat 1."""
    m = Match("detect", 2, {"initial_discard": "turn_one"}, bytes(32), first=0)
    for seat in range(2):
        m.play(seat, m.legal(seat)[-1])
    s = m.state
    s.turn, s.acting = 0, 1
    for slot in range(2 * CELLS):
        s.card[slot], s.known[slot] = (slot * 5) % 11, EVERYONE
    s.card[CELLS], s.card[CELLS + 1] = 12, 13
    s.known[CELLS : CELLS + HIDDEN] = 0
    for slot in range(DRAWN_SLOT, SLOTS):
        clear_slot_publicly(s, slot)
    s.card[STOCK], s.known[STOCK], s.draw_count = 14, 0, 1
    for number in range(discards):
        slot = SLOTS - 1 - number
        s.card[slot], s.known[slot] = number + 2, EVERYONE
    s.discard_count = discards
    # The deck consists of the cards on the table.
    lying = [int(kind) for kind in s.card if kind < len(s.opt.copies)]
    s.opt.copies[:] = np.bincount(lying, minlength=len(s.opt.copies))
    return m


@pytest.mark.parametrize("viewer", [0, 1])
@pytest.mark.parametrize(
    "moves",
    [
        ["draw", "keep c1", "draw"],
        ["draw", "keep c1", "draw", "throw a1"],
    ],
)
def test_redeals_of_unknown_cards_are_uniform_even_after_the_draw_pile_was_rebuilt(
    moves: list[str], viewer: int
) -> None:
    m = match_with_two_hidden_cells(discards=3)
    start, played = copy(m.state), list[tuple[int, int]]()
    for word in moves:
        seat = m.acting[0]
        played.append((seat, m.game.words.parse(word)))
        m.play(*played[-1])
    assert m.state.rebuilt
    end, worlds = consistent_worlds(DETECT, start, viewer, played)
    assert worlds
    check_redeal(DETECT, end, viewer, worlds, 12 * len(worlds) + 200)
