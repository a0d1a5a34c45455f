"""Redeals of SCOUT, compared with all consistent worlds found by brute force."""

from __future__ import annotations

import random

import numpy as np
import pytest

from facedown.core.game_registry import game
from facedown.core.hidden_cards import known_view, redeal
from facedown.core.match import Match
from facedown.core.state import EVERYONE, copy
from facedown.games.scout import possible_worlds, rules, state
from tests.every_game.brute_force_worlds import check_redeal, consistent_worlds
from tests.games.scout.positions import play_turns, pose
from tests.nightly_selection import mostly

SCOUT = game("scout")
PUBLIC = {"scout_insert_public": "yes"}


def key(number: int) -> np.ndarray:
    return np.random.default_rng(number).integers(0, 2**32, 8, np.uint32)


def test_redeals_of_unknown_cards_keep_two_publicly_inserted_cards_next_to_each_other() -> None:
    """Two cards are publicly inserted at place 11, the later on the left; then a card from an unknown place is
    shown.
    """
    m = Match("scout", 3, {"start": "named(0)", **PUBLIC}, bytes.fromhex("64" + "00" * 31))
    play_turns(
        m, "keep", "keep", "keep", "show 4", "scout left turned at 11", "show 3", "show 6", "scout left turned at 11"
    )
    play_turns(m, "show 2", "scout left kept at 2", "show 10")
    put = [
        entry // 32 % 64
        for entry in m.state.said[: m.state.said_count]
        if entry // 8 % 4 == possible_worlds.EntryKind.PUT
    ]
    first, second = (kind for kind in put if m.state.held[kind] == 1)
    apart = 0
    for number in range(2_000):
        world = redeal(known_view(m.state, 2), key(number))
        cards = list(world.card)
        apart += cards.index(first) - cards.index(second) != 1
    assert apart == 0, f"{apart} of 2000 worlds are impossible"


#: Three cards that only the second player knows; the viewer, the third player, knows all others.
HANDS = ["9/1 8/4 9/6", "5/3 7/4 8/6", "1/10 3/10 1/7 4/10"]
MOST_WORLDS = 400


def allowed_actions(m: Match, seat: int, scouts: bool) -> list[int]:
    """Return actions with which the first player only shows (so that all know that hand), and the third shows low
    cards.
    """
    words = m.game.words.words
    legal = m.legal(seat)
    singles = [a for a in legal if words(a).startswith("show ") and "-" not in words(a)]
    if seat == 1 and scouts:
        return [a for a in legal if rules.Act.SCOUT <= a < rules.Act.SCOUT_AND_SHOW]
    return singles if seat != 1 else [a for a in legal if a < rules.Act.SCOUT]


@pytest.mark.parametrize("insert", ["no", "yes"])
@pytest.mark.parametrize("seed", mostly(range(8), {0, 1, 2, 3, 4, 6, 7}))
def test_redeals_of_unknown_cards_in_scout_are_uniform_over_possible_deals(insert: str, seed: int) -> None:
    """The second player scouts and shows; the third player's possible knowledge is found by brute force."""
    rnd = random.Random(f"worlds {seed}")
    m = pose(HANDS, "3/8", 0, 1, scout_insert_public=insert)
    for slot in range(3):
        m.state.known[slot] = EVERYONE
    start, moves = copy(m.state), list[tuple[int, int]]()
    while len(moves) < 10 and not m.over and m.state.phase == state.Phase.TURN:
        seat = m.acting[0]
        # The second player scouts, shows, scouts or shows, and shows.
        turn = len(moves) // 3
        choices = allowed_actions(m, seat, scouts=turn == 0 or (turn == 2 and rnd.random() < 0.7))
        if not choices:
            break
        moves.append((seat, rnd.choice(choices)))
        m.play(*moves[-1])
    assert len(moves) >= 3
    end, worlds = consistent_worlds(SCOUT, start, 2, moves[: 10 if insert == "yes" else 4])
    if len(worlds) <= MOST_WORLDS:
        check_redeal(SCOUT, end, 2, worlds, 12 * len(worlds) + 200)
    assert insert == "no" or len(worlds) <= MOST_WORLDS
