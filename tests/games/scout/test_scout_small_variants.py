"""SCOUT's small variants (SCT-19): short hands, a custom deck, a single round."""

from __future__ import annotations

import random

import numpy as np
import pytest

from facedown.core.game_registry import game
from facedown.core.hidden_cards import redeal
from facedown.core.match import DealError, Match
from facedown.core.options import OptionError
from facedown.core.state import EMPTY, View
from facedown.games.scout.game import limits
from facedown.games.scout.info import KINDS, card_kind
from facedown.games.scout.state import Phase
from tests.games.scout.positions import SITTERS, play_turns

DECK = "1/2 1/6 2/7 3/8 4/9 9/10"
SMALL = {"hands": "small(2,1)", "deck": f"custom({DECK})"}
FIRST_SIX = ("1/2", "1/3", "2/3", "1/4", "2/4", "3/4")
NAMED = {card_kind(word) for word in DECK.split()}


def play_to_end(match: Match, rnd: random.Random) -> Match:
    while not match.over:
        match.play(match.acting[0], rnd.choice(match.legal(match.acting[0])))
    return match


def kinds_in_slots(position: View) -> set[int]:
    """Return the kinds of cards in slots."""
    return {int(kind) for kind in position.card if kind < KINDS}


def test_small_variants_of_scout_deal_from_a_custom_deck_and_set_the_other_cards_aside(seed: int) -> None:
    rnd = random.Random(seed)
    turned = set()
    for _ in range(40):
        match = Match("scout", 2, SMALL, rnd.randbytes(32))
        s = match.state
        assert list(s.hand) == [2, 2, 0, 0, 0]
        assert list(s.coins) == [1, 1, 0, 0, 0]
        assert (s.aside, kinds_in_slots(s)) == (2, NAMED)
        turned |= set(s.flip[:6].tolist())
        world = redeal(match.known(0), np.frombuffer(rnd.randbytes(32), np.uint32).copy())
        assert kinds_in_slots(world) == NAMED, "a world that a seat thinks of has the same deck"
        play_to_end(match, rnd)
        assert match.state.round_number == 1
        assert kinds_in_slots(match.state) == NAMED
        assert list(match.state.known[match.state.card != EMPTY]) == [match.state.known[0]] * len(NAMED)
    assert turned == {0, 1}


def test_small_variants_of_scout_limit_each_players_scouts_to_the_chips_dealt(seed: int) -> None:
    rnd = random.Random(seed)
    scouts = []
    for _ in range(60):
        match = play_to_end(Match("scout", 2, {**SMALL, "hands": "small(3,2)"}, rnd.randbytes(32)), rnd)
        said = [(move.seat, match.game.words.words(move.action)) for move in match.moves]
        scouts += [sum(seat == one and text.startswith("scout") for seat, text in said) for one in range(2)]
    assert max(scouts) == 2
    none = play_to_end(Match("scout", 2, {**SMALL, "hands": "small(3,0)"}, rnd.randbytes(32)), rnd)
    assert not any(none.game.words.words(move.action).startswith("scout") for move in none.moves)


def test_cards_left_over_in_small_variants_of_scout_have_the_label_not_dealt_on_the_table(seed: int) -> None:
    match = Match("scout", 2, SMALL, random.Random(seed).randbytes(32))
    table = match.table(0, SITTERS[:2])
    aside = next(zone for zone in table.zones if zone.id == "set-aside")
    assert (aside.label, aside.pieces[0].where, aside.count) == ("Not dealt: **2**", "set aside", 2)
    assert table.where[0] == "Round 1 of 1"
    usual = Match("scout", 2, seed=bytes(32)).table(0, SITTERS[:2])
    assert next(zone.label for zone in usual.zones if zone.id == "set-aside") == "For round two: **22**"


def test_small_variants_of_scout_have_a_single_round() -> None:
    chosen = game("scout").info.options_record(SMALL)
    usual = game("scout").info.options_record({})
    assert limits(2, chosen, one_round=False).actions < limits(2, usual, one_round=False).actions
    match = Match("scout", 2, SMALL, bytes(32), deal=[card_kind(word) for word in ("1/6", "2/1")], first=0)
    play_turns(match, "keep", "keep", "show 1")
    assert match.state.phase == Phase.TURN
    match = Match("scout", 2, SMALL, bytes(32), deal=[card_kind(word) for word in ("1/6", "1/2")], first=0)
    play_turns(match, "keep", "keep", "show 1-2")
    assert (match.over, list(match.returns)) == (True, [1.0, -1.0])


@pytest.mark.parametrize(
    ("seats", "options", "message"),
    [
        (3, SMALL, "small hands are for two players, not 3"),
        (2, {"deck": SMALL["deck"]}, "a custom deck needs small hands"),
        (2, {**SMALL, "hands": "small(4,1)"}, "deck: 6 cards are too few for two hands of 4"),
        (2, {**SMALL, "deck": "custom(1/6 2/7 3/8 4/9)", "start": "holder_1_2"}, "the deck has no 1/2"),
        (2, {**SMALL, "deck": "custom(1/6 6/1 3/8 4/9)"}, "deck: 1/6 is listed twice"),
        (2, {**SMALL, "deck": "custom(1/6 2/7 3/8)"}, "deck: 3 cards, but two hands need at least 4"),
        (2, {**SMALL, "deck": "custom(1/6 2/7 3/8 11/2)"}, "deck: 11/2 is not a card"),
        (2, {**SMALL, "deck": "custom()"}, "deck: an empty entry is not a card"),
        (2, {**SMALL, "deck": "short"}, r"deck must be full \| first\(n\) \| custom\(card card ...\), not short"),
    ],
)
def test_impossible_small_variants_of_scout_are_refused_with_the_reason(
    seats: int, options: dict[str, str], message: str
) -> None:
    with pytest.raises(OptionError, match=message):
        Match("scout", seats, options)


def test_custom_decks_of_scout_are_normalized_and_a_deal_of_cards_not_in_them_is_refused() -> None:
    with pytest.raises(DealError):
        Match("scout", 2, SMALL, deal=[card_kind("5/6")])
    assert Match("scout", 2, {**SMALL, "deck": "custom(9/4, 1/6 8/3,2/7)"}).options["deck"] == "custom(1/6 2/7 3/8 4/9)"
    assert kinds_in_slots(Match("scout", 2, {**SMALL, "deck": "first(6)"}).state) == set(map(card_kind, FIRST_SIX))
    held = Match("scout", 2, {**SMALL, "start": "holder_1_2"}, bytes(32))
    assert held.state.held[card_kind("1/2")] >= 0
