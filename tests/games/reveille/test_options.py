"""Reveille's options: each changes what it should; and the guard against endless play."""

from __future__ import annotations

import pytest

from facedown.core.match import IllegalMove, Match
from facedown.core.state import UNKNOWN
from facedown.games.reveille.cards import bone_name
from facedown.games.reveille.state import THROW_IN_CAP, UP, YARD, Ended, Phase
from tests.games.reveille.positions import (
    DEALER,
    OTHER,
    auction,
    hand,
    legal,
    match,
    playable,
    say,
    stage_one,
    stage_two,
)

DECK = "66 65 64 63 62 61 60 55 54 53 52 51 50 44 43 42 41 40 33 32 31 30 22 21 20 11 10 00"


def test_boneyard_pick_auto_follows_the_order_of_the_deal() -> None:
    m = match(DECK)
    assert hand(m, OTHER) == {"66", "65", "64", "63", "62", "61", "60"}
    assert hand(m, DEALER) == {"55", "54", "53", "52", "51", "50", "44"}
    assert bone_name(int(m.state.card[UP])) == "43"
    say(m, "play 66", "play 44")
    assert "43" in hand(m, OTHER)
    assert "42" in hand(m, DEALER)
    assert bone_name(int(m.state.card[UP])) == "41"


def test_boneyard_pick_index_lets_the_dealer_and_the_loser_choose() -> None:
    m = match(DECK, boneyard_pick="index")
    assert int(m.state.phase) == Phase.TURNING_UP
    assert m.acting == [DEALER]
    assert legal(m) == [f"pick {n}" for n in range(1, 15)]
    say(m, "pick 3")
    assert bone_name(int(m.state.card[UP])) == "41"
    assert [bone_name(int(k)) for k in m.state.card[YARD : YARD + 4]] == ["43", "42", "40", "33"]
    say(m, "play 66", "play 44")
    assert int(m.state.phase) == Phase.DRAWING
    assert m.acting == [DEALER], "the loser draws before the dealer turns up"
    assert len(legal(m)) == 13
    say(m, "pick 13")
    assert "00" in hand(m, DEALER)
    assert int(m.state.phase) == Phase.TURNING_UP
    assert m.acting == [DEALER]
    assert len(legal(m)) == 12
    say(m, "pick 1")
    assert bone_name(int(m.state.card[UP])) == "43"
    assert int(m.state.phase) == Phase.STAGE_ONE


@pytest.mark.parametrize("who", ["nondealer", "dealer", "last_winner"])
def test_first_bid(who: str) -> None:
    for seed in range(12):
        m = Match("reveille", 2, {"first_bid": who}, seed=bytes([seed] * 32), first=DEALER)
        while int(m.state.phase) == Phase.STAGE_ONE:
            say(m, legal(m)[0])
        expected = {"nondealer": OTHER, "dealer": DEALER, "last_winner": int(m.state.leader)}[who]
        assert m.acting == [expected]


def test_pass_final_ends_at_the_bid_over_a_pass() -> None:
    m = auction(pass_final="yes")
    say(m, "bid 4", "bid 5", "bid 6", "pass")
    assert int(m.state.phase) == Phase.NAMING, "a pass after bids always ended the auction"
    m = auction(pass_final="yes")
    say(m, "pass", "bid 4")
    assert int(m.state.phase) == Phase.NAMING
    m = auction()
    say(m, "pass", "bid 4")
    assert m.acting == [OTHER], "without the option the first may come back in"


def test_the_longest_auction() -> None:
    m = auction()
    say(m, "pass", *(f"bid {n}" for n in range(4, 43)))
    assert int(m.state.call_count) == 40
    assert int(m.state.phase) == Phase.NAMING


LOW = "54 53 52 50 43 42 41"
SIXES = "66 65 64 63 62 61 60"


def test_bid42_all_tricks_needs_every_trick() -> None:
    for bid42 in ("points", "all_tricks"):
        m = auction((LOW, SIXES), bid42=bid42)
        say(m, "bid 42", "trump 6")
        while int(m.state.phase) != Phase.SCORING:
            assert "claim" not in legal(m)
            say(m, legal(m)[0])
        assert int(m.state.mark_to) == (OTHER if bid42 == "all_tricks" else DEALER)


def test_must_ruff_leaves_only_trumps() -> None:
    for must_ruff, expected in (("no", {"54", "63", "21"}), ("yes", {"63"})):
        m = stage_two(("63 54 21", "65 10 20"), "3", must_ruff=must_ruff)
        say(m, "play 65")
        # A six is led and the 6·3 is a trump: nothing follows.
        assert playable(m) == expected


def test_auto_end_stops_when_the_bid_is_reached() -> None:
    m = auction((LOW, SIXES), auto_end="on")
    say(m, "bid 5", "pass", "trump 6", "play 66", "play 54")
    assert int(m.state.phase) == Phase.STAGE_TWO
    while int(m.state.phase) == Phase.STAGE_TWO:
        assert "claim" not in legal(m)
        say(m, legal(m)[0])
    assert int(m.state.ended) == Ended.SETTLED
    assert int(m.state.points[OTHER]) >= 5
    assert int(m.state.trick) < 7
    assert int(m.state.mark_to) == OTHER


def test_auto_end_stops_when_the_bid_is_out_of_reach() -> None:
    m = auction((LOW, SIXES), auto_end="on")
    offer = int(m.state.offer)
    say(m, f"bid {offer + 1}", "pass", "trump 6")
    assert int(m.state.ended) == Ended.SETTLED, "a bid above the points on offer ends at the declaration"
    assert int(m.state.mark_to) == DEALER
    m = auction((LOW, SIXES), auto_end="on")
    say(m, "pass", f"bid {offer}", "pass", "trump 1", "play 54")
    assert int(m.state.phase) == Phase.STAGE_TWO, "looked at after finished tricks only"
    say(m, "play 65")
    assert int(m.state.ended) == Ended.SETTLED, "the opponent has a point that the bid needs"
    assert int(m.state.mark_to) == OTHER


def test_auto_end_with_all_tricks_and_nello() -> None:
    m = auction((LOW, SIXES), auto_end="on", bid42="all_tricks")
    say(m, "bid 42", "trump 1")
    assert int(m.state.phase) == Phase.STAGE_TWO, "with all_tricks a 42 is in reach although counters are burnt"
    m = auction((LOW, SIXES), auto_end="on")
    say(m, "bid 42", "nello", "play 66", "play 54")
    assert int(m.state.ended) == Ended.SETTLED
    assert int(m.state.mark_to) == DEALER


def test_auto_end_off_plays_on() -> None:
    m = auction((LOW, SIXES))
    say(m, "bid 5", "pass", "trump 6")
    while int(m.state.phase) == Phase.STAGE_TWO:
        say(m, next(word for word in legal(m) if word != "claim"))
    assert int(m.state.ended) == Ended.PLAYED_OUT
    assert int(m.state.trick) == 7


def test_claims_are_the_declarers_at_lead_and_reply() -> None:
    m = auction((LOW, SIXES))
    say(m, "bid 4", "pass", "trump 6")
    assert "claim" in legal(m)
    say(m, "play 66")
    assert "claim" not in legal(m), "only the declarer claims"
    say(m, "play 54", "claim")
    assert int(m.state.ended) == Ended.CLAIMED_FALSELY
    assert int(m.state.mark_to) == DEALER
    m = stage_two(("54 53", "66 65"), "6", bid=20, points=(0, 20), tricks=(0, 5))
    say(m, "claim")
    assert (int(m.state.ended), int(m.state.mark_to)) == (Ended.CLAIMED, OTHER)
    m = stage_two(("66 65", "54 53"), "6", bid=20, leader=DEALER, points=(0, 20), tricks=(0, 5))
    say(m, "play 66", "claim")
    assert (int(m.state.ended), int(m.state.mark_to)) == (Ended.CLAIMED, OTHER)
    assert "play 66" not in legal(m)


@pytest.mark.parametrize(("bid", "contract", "auto_end"), [(42, "6", "off"), (42, "nello", "off"), (20, "6", "on")])
def test_no_claim_where_it_could_only_be_false(bid: int, contract: str, auto_end: str) -> None:
    m = stage_two(("54 53", "66 65"), contract, bid=bid, auto_end=auto_end)
    assert "claim" not in legal(m)
    with pytest.raises(IllegalMove):
        say(m, "claim")


def test_the_match_is_over_at_seven_marks() -> None:
    m = stage_two(("54 53", "66 65"), "6", bid=4, points=(0, 20))
    m.state.marks[OTHER] = 6
    say(m, "claim")
    assert m.over
    assert not m.abandoned
    assert m.acting == []
    assert m.game.returns(m.state) == [0.0, 7.0]


def test_fifty_hands_thrown_in_one_after_the_other_end_the_match() -> None:
    m = auction()
    for thrown in range(1, THROW_IN_CAP + 1):
        while int(m.state.phase) == Phase.STAGE_ONE:
            say(m, legal(m)[0])
        say(m, "pass", "pass")
        assert int(m.state.thrown_in) == thrown
        if thrown < THROW_IN_CAP:
            assert not m.over
            say(m, "continue", "continue")
    assert m.over
    assert m.abandoned
    assert m.game.returns(m.state) == [0.0, 0.0]


def test_a_played_hand_starts_the_count_of_thrown_in_hands_anew() -> None:
    m = auction((LOW, SIXES))
    m.state.thrown_in = THROW_IN_CAP - 1
    say(m, "bid 4", "pass", "trump 6", "claim")
    assert int(m.state.thrown_in) == 0


def test_dealers_alternate_and_the_other_leads() -> None:
    m = auction()
    say(m, "pass", "pass", "continue", "continue")
    assert (int(m.state.dealer), int(m.state.leader), m.acting) == (OTHER, DEALER, [DEALER])


def test_the_winner_takes_openly_and_the_loser_unseen() -> None:
    m = stage_one(("65 54 50 43 33 31 20", "64 63 55 51 44 41 11"), leader=OTHER, prize="66")
    last = bone_name(int(m.state.card[YARD + int(m.state.yard_count) - 1]))
    say(m, "play 41", "play 54")
    assert "66" in hand(m, DEALER)
    assert last in hand(m, OTHER)
    assert bool(int(m.known(OTHER).taken[DEALER]) >> 27 & 1), "the winner's bone is known to the other by recall"
    assert all(kind == UNKNOWN for kind in m.known(DEALER).card[7:14])
