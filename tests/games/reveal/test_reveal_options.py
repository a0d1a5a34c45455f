"""Options of Reveal: each has its effect."""

from __future__ import annotations

import random
import sys

import numpy as np
import pytest

from facedown.check.random_matches import play_randomly
from facedown.core.match import Match
from facedown.core.options import OptionError
from facedown.core.state import ABANDONED, DECIDED, EMPTY, EVERYONE, RUNNING
from facedown.games.reveal.cards import MIN_DECK_SIZE
from facedown.games.reveal.rules import DEALT_CARDS, STOCK, Phase
from tests.games.reveal.positions import (
    SEED,
    SITTERS,
    deck_index_by_slot,
    play_moves,
    play_rows_unchanged,
    row_deck_indices,
    tied_head_to_head,
)

FINAL_MOVES = ((0, "choose L"), (1, "choose C"), (0, "confirm"), (1, "confirm"))


def test_option_deck_sets_the_cards_of_the_deck_and_refuses_impossible_decks() -> None:
    assert Match("reveal", 2).game.deck(2, {}).tolist() == [14] * 8 + [4]
    small = Match("reveal", 2, {"deck": "ttr100"}, SEED)
    assert small.game.deck(2, small.options).tolist() == [12] * 8 + [4]
    own = Match("reveal", 2, {"deck": "custom(4,9,5)"}, SEED)
    assert own.game.deck(2, own.options).tolist() == [9] * 4 + [0] * 4 + [5]
    for match, size in ((small, 100), (own, 41)):
        lying = [int(k) for k in match.state.card if k != EMPTY]
        assert len(lying) == size
        counts = match.game.deck(2, match.options)
        assert np.bincount(lying, minlength=9).tolist() == counts.tolist()
    with pytest.raises(OptionError, match="4 colours of 9 and 4 wilds are 40 cards, a hand needs at least 41"):
        Match("reveal", 2, {"deck": "custom(4,9,4)"})
    with pytest.raises(OptionError, match="there is room for 200"):
        Match("reveal", 2, {"deck": "custom(8,25,4)"})


def test_the_smallest_allowed_deck_of_reveal_is_enough_for_the_maximum_number_of_swaps() -> None:
    match = Match("reveal", 2, {"deck": "custom(8,5,1)"}, SEED)
    for row in range(3):
        swap = "swap " + " ".join("123"[: row + 1])
        play_moves(match, (0, swap), (1, swap), (0, "place L C R"), (1, "place L C R"))
    zones = {zone.id: zone for zone in match.table(0, SITTERS).zones}
    assert zones["draw-pile"].count == 0
    assert zones["draw-pile"].pieces[0].kind == "slot"


def test_option_peeking_lets_players_see_their_own_placed_cards_but_not_those_of_others() -> None:
    for peeking, kind in (("off", "back"), ("on", "face")):
        match = play_rows_unchanged(Match("reveal", 2, {"peeking": peeking}, SEED), 1)
        pieces = {p.place: p for z in match.table(0, SITTERS).zones for p in z.pieces}
        assert pieces["p0-L1"].kind == kind
        assert ("only-you" in pieces["p0-L1"].marks) == (peeking == "on")
        assert pieces["p1-L1"].kind == "back"
        assert pieces["final-0"].kind == "back"
        aided = {p.place: p for z in match.table(0, SITTERS, memory_aid=True).zones for p in z.pieces}
        assert aided["p0-L1"].kind == "face"
        assert aided["p1-L1"].kind == "back"


def test_others_see_that_a_secret_final_column_was_chosen_but_not_which_column() -> None:
    match, other = (play_rows_unchanged(Match("reveal", 2, {"final_mode": "sealed"}, SEED)) for _ in range(2))
    play_moves(match, (1, "choose R"))
    play_moves(other, (1, "choose L"))
    assert other.shown(0).tobytes() == match.shown(0).tobytes()
    assert other.table(0, SITTERS) == match.table(0, SITTERS)
    assert match.table(0, SITTERS).seats[1].state == "has chosen"


@pytest.mark.parametrize("mode", ["open", "alternate"])
@pytest.mark.parametrize("cap", [0, 1, 3])
def test_number_of_changes_of_the_chosen_column_is_limited_by_option_final_changes_cap(mode: str, cap: int) -> None:
    """After `cap` changes the next choice is final; the first choice and one of the same column count, too (REV-6)."""
    match = play_rows_unchanged(Match("reveal", 2, {"final_mode": mode, "final_changes_cap": str(cap)}, SEED))
    for _ in range(cap):
        play_moves(match, (0, "choose C"))
        assert int(match.state.confirmed) == 0
        if mode == "alternate":
            play_moves(match, (1, "choose L"))
    play_moves(match, (0, "choose R"))
    assert int(match.state.confirmed) == 1
    assert int(match.state.choice[0]) == 2
    assert int(match.state.phase) == Phase.FINAL


def test_option_swap_order_sets_which_player_draws_first_after_both_chose_their_swaps() -> None:
    """The player who committed first draws first, but only after both have committed (REV-7)."""
    moves = ((1, "swap 1"), (0, "swap 1"))
    seat = deck_index_by_slot(lambda m: play_moves(m, *moves))
    assert row_deck_indices(seat, 0, 0) == [29, 11, 13]
    assert row_deck_indices(seat, 1, 0) == [30, 12, 14]
    arrival = deck_index_by_slot(lambda m: play_moves(m, *moves), swap_order="arrival")
    assert row_deck_indices(arrival, 0, 0) == [30, 11, 13]
    assert row_deck_indices(arrival, 1, 0) == [29, 12, 14]
    assert [arrival(STOCK), arrival(STOCK + 1)] == [10, 9]
    assert row_deck_indices(deck_index_by_slot(lambda m: play_moves(m, *moves[::-1]), swap_order="arrival"), 0, 0) == [
        29,
        11,
        13,
    ]


def test_option_swap_batch_can_let_players_swap_cards_one_by_one_even_those_just_drawn() -> None:
    moves = ((0, "stop"), (1, "stop"), (0, "place L C R"), (1, "place L C R"))
    again = ((0, "swap 2"), (1, "swap 1"), (0, "swap 2"), (1, "stop"))
    index = deck_index_by_slot(lambda m: play_moves(m, *moves, *again), swap_batch="no")
    assert row_deck_indices(index, 0, 1) == [15, 31, 19]
    assert row_deck_indices(index, 1, 1) == [30, 18, 20]
    assert [index(STOCK + i) for i in range(3)] == [17, 16, 29]


def test_option_first_dealt_can_alternate_which_seat_is_dealt_cards_first_in_each_hand() -> None:
    """In hands 2, 4, … the seats change in deck places 9 to 28, and nothing else changes (REV-13)."""
    hands = []
    for option in ("P0", "alternate"):
        match = Match("reveal", 2, {"first_dealt": option}, SEED)
        first = [int(k) for k in match.state.card[:STOCK]]
        play_rows_unchanged(match)
        play_moves(match, *FINAL_MOVES, (0, "continue"), (1, "continue"))
        hands.append((first, [int(k) for k in match.state.card]))
    (first, usual), (also_first, swapped) = hands
    assert first == also_first
    assert usual[:9] == swapped[:9]
    assert usual[STOCK:] == swapped[STOCK:]
    for slot in range(9, STOCK, 2):
        assert usual[slot : slot + 2] == swapped[slot : slot + 2][::-1]
    assert usual[9:STOCK] != swapped[9:STOCK]


def test_option_reshuffle_can_let_the_next_hand_be_dealt_from_the_remaining_cards() -> None:
    match = Match("reveal", 2, {"reshuffle": "continue"}, SEED)
    order = [int(k) for k in match.state.card]
    play_rows_unchanged(match)
    play_moves(match, *FINAL_MOVES, (0, "continue"), (1, "continue"))
    state = match.state
    assert int(state.live) == 116 - DEALT_CARDS
    assert [int(k) for k in state.card[: 116 - DEALT_CARDS]] == order[DEALT_CARDS:116]
    assert sorted(state.card[116 - DEALT_CARDS : 116]) == sorted(order[:DEALT_CARDS])
    assert all(int(w) == EVERYONE for w in state.known[116 - DEALT_CARDS : 116]), "laid cards have been seen by all"
    zones = {zone.id: zone.count for zone in match.table(0, SITTERS).zones}
    assert (zones["draw-pile"], zones["discard-pile"]) == (58, 29)
    play_rows_unchanged(match)
    play_moves(match, *FINAL_MOVES, (0, "continue"), (1, "continue"))
    assert int(match.state.live) == 116 - 2 * DEALT_CARDS
    play_rows_unchanged(match)
    play_moves(match, *FINAL_MOVES, (0, "continue"), (1, "continue"))
    assert int(match.state.live) == 116, f"29 are fewer than {MIN_DECK_SIZE}: all cards are shuffled"
    assert match.log(0, SITTERS)[-2].text == "All cards were shuffled and hand 4 was dealt."


def test_players_still_know_their_discards_if_the_next_hand_is_dealt_without_reshuffling() -> None:
    match = Match("reveal", 2, {"reshuffle": "continue"}, SEED)
    play_moves(match, (0, "swap 2"), (1, "swap none"), (0, "place L C R"), (1, "place L C R"))
    thrown = int(match.state.card[STOCK])
    play_rows_unchanged(match, 2)
    play_moves(match, *FINAL_MOVES, (0, "continue"), (1, "continue"))
    slot = int(match.state.live) + DEALT_CARDS
    assert int(match.state.card[slot]) == thrown
    assert int(match.state.known[slot]) == 1


def play_to_end(match: Match, rnd: random.Random) -> Match:
    play_randomly(match, rnd, sys.maxsize)
    return match


def test_option_end_can_set_the_number_of_hands_after_which_a_match_of_reveal_ends(seed: int) -> None:
    for n in (1, 3):
        match = play_to_end(Match("reveal", 2, {"end": f"hands({n})"}), random.Random(seed))
        assert int(match.state.hand_number) == n
        assert int(match.state.over) == DECIDED
    assert int(play_to_end(Match("reveal", 2), random.Random(seed)).state.hand_number) == 5


def test_option_end_can_set_the_total_of_points_at_which_a_match_of_reveal_ends(seed: int) -> None:
    rnd = random.Random(seed)
    match = Match("reveal", 2, {"end": "goal(8)"})
    while not match.over:
        if int(match.state.phase) == Phase.SCORING:
            assert max(match.state.total) < 8
        seat = rnd.choice(match.acting)
        match.play(seat, rnd.choice(match.legal(seat)))
    assert max(match.state.total) >= 8
    assert int(match.state.over) == DECIDED


@pytest.mark.parametrize(("tie", "over"), [("draw", DECIDED), ("extra_hand", RUNNING)])
def test_equal_totals_are_a_draw_or_lead_to_extra_hands_as_the_rule_option_for_ties_says(tie: str, over: int) -> None:
    """A single hand ends in a draw: the match is over, or continues until the totals differ (REV-15)."""
    match = tied_head_to_head(end="hands(1)", tie=tie)
    assert [int(t) for t in match.state.total] == [6, 6]
    assert int(match.state.over) == over
    if over == DECIDED:
        assert match.table(0, SITTERS).result == "The match is a draw, 6 to 6."
        assert match.game.returns(match.state) == [6.0, 6.0]
    else:
        rnd = random.Random(1)
        play_to_end(match, rnd)
        assert int(match.state.hand_number) > 1
        assert int(match.state.total[0]) != int(match.state.total[1])


def test_a_match_of_reveal_is_abandoned_after_100_hands() -> None:
    match = Match("reveal", 2, {"end": "goal(900)"}, SEED)
    play_to_end(match, random.Random(5))
    assert int(match.state.hand_number) == 100
    assert int(match.state.over) == ABANDONED
    assert match.game.returns(match.state) == [0.0, 0.0]
    assert "Nobody wins" in match.table(0, SITTERS).result
    assert not any(row.winner for row in match.table(0, SITTERS).scores)
