"""The worked cases of Reveille: those of `worked_cases.toml`, and cases that are computed."""

from __future__ import annotations

from typing import Any

import pytest

from facedown.core.match import IllegalMove, Match
from facedown.games.reveille.cards import bone_name
from facedown.games.reveille.rules import THROW_IN_CAP, UP_SLOT, YARD, EndReason, Phase
from tests.games.case_files import worked_cases
from tests.games.reveille.positions import (
    DEALER,
    OTHER,
    auction,
    case_position,
    hand_bones,
    legal_words,
    play_words,
    playable_bones,
    stage_two,
)

CASES = worked_cases("reveille")


def play_to(m: Match, phase: Phase, without: str = "") -> None:
    """Play the first legal move except a claim until a phase."""
    while int(m.state.phase) != phase:
        assert without not in legal_words(m)
        play_words(m, next(word for word in legal_words(m) if word != "claim"))


def check(m: Match, fact: str, wanted: Any) -> None:
    """Check one fact of a case."""
    match fact:
        case "acting":
            assert m.acting == wanted
        case "legal":
            assert legal_words(m) == wanted
        case "count":
            assert len(legal_words(m)) == wanted
        case "never":
            assert wanted not in legal_words(m)
        case "refused":
            for move in wanted:
                with pytest.raises(IllegalMove):
                    play_words(m, move)
        case "playable":
            assert playable_bones(m) == set(wanted.split())
        case "hand_0" | "hand_1":
            assert hand_bones(m, int(fact[-1])) == set(wanted.split())
        case "up":
            assert bone_name(int(m.state.card[UP_SLOT])) == wanted
        case "yard":
            assert [bone_name(int(k)) for k in m.state.card[YARD : YARD + m.state.yard_count]] == wanted.split()
        case "phase":
            assert Phase(int(m.state.phase)).name == wanted
        case "ended":
            assert EndReason(int(m.state.ended)).name == wanted
        case _:
            field = getattr(m.state, fact)
            assert (field.tolist() if isinstance(wanted, list) else int(field)) == wanted


@pytest.mark.parametrize("name", CASES)
def test_each_worked_case_of_the_reveille_rules_has_the_expected_result(name: str) -> None:
    m = case_position(CASES[name])
    for step in CASES[name]["steps"]:
        play_words(m, *step.get("say", ()))
        if phase := step.get("play_to"):
            play_to(m, Phase[phase], step.get("without", ""))
        for fact in step.keys() - {"say", "play_to", "without"}:
            check(m, fact, step[fact])


FOLLOWING = [
    ("a", "65", "3", "63 61 54 33", "61", "61"),
    ("b", "65", "3", "63 54 21", "63 54 21", "63"),
    ("c", "53", "3", "55 30 63 44", "30 63", "30 63"),
    ("d", "53", "3", "55 54 66", "55 54 66", "55 54 66"),
    ("e", "54", "0", "65 44 50", "65", "65"),
    ("f", "66", "2", "65 62 41", "65", "65"),
    ("g", "00", "4", "50 40 11", "50", "50"),
    ("h", "66", "5", "65 54 31", "65 54 31", "65 54"),
]


@pytest.mark.parametrize(("name", "lead", "trump", "hand", "free", "ruff"), FOLLOWING, ids=[c[0] for c in FOLLOWING])
def test_players_must_follow_suit_and_option_must_ruff_forces_a_trump_if_they_cannot(
    name: str, lead: str, trump: str, hand: str, free: str, ruff: str
) -> None:
    count = len(hand.split())
    used = {lead, *hand.split()}
    others = [b for b in ("11", "20", "62", "10", "52") if b not in used][: count - 1]
    for must_ruff, expected in (("no", free), ("yes", ruff)):
        m = stage_two((hand, " ".join([lead, *others])), trump, declarer=OTHER, must_ruff=must_ruff)
        play_words(m, f"play {lead}")
        assert playable_bones(m) == set(expected.split())
        for bone in set(hand.split()) - set(expected.split()):
            with pytest.raises(IllegalMove):
                play_words(m, f"play {bone}")


def test_the_first_call_is_a_pass_or_a_bid_from_4_to_42() -> None:
    m = auction()
    for bad in ("bid 3", "bid 43"):
        with pytest.raises(ValueError, match="expected 4 to 42"):
            m.game.words.parse(bad)
    assert legal_words(m) == ["pass", *(f"bid {n}" for n in range(4, 43))]


@pytest.mark.parametrize(("bid", "winner"), [(25, OTHER), (26, OTHER), (27, DEALER)])
def test_a_bid_is_made_with_exactly_the_points_bid_and_lost_with_one_less(bid: int, winner: int) -> None:
    """The declarer has 20 points and wins 6 with the last trick."""
    for auto_end in ("off", "on"):
        m = stage_two(("50", "66"), "6", bid=bid, points=(0, 20), tricks=(0, 6), auto_end=auto_end)
        play_words(m, "play 66", "play 50")
        assert int(m.state.points[OTHER]) == 26
        assert [int(x) for x in m.state.marks] == [int(winner == DEALER), int(winner == OTHER)]


# --- options and limits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["nondealer", "dealer", "last_winner"])
def test_option_first_bid_sets_who_bids_first(who: str) -> None:
    for seed in range(12):
        m = Match("reveille", 2, {"first_bid": who}, seed=bytes([seed] * 32), first=DEALER)
        while int(m.state.phase) == Phase.STAGE_ONE:
            play_words(m, legal_words(m)[0])
        expected = {"nondealer": OTHER, "dealer": DEALER, "last_winner": int(m.state.leader)}[who]
        assert m.acting == [expected]


def test_the_longest_possible_auction_has_40_bids_and_passes() -> None:
    m = auction()
    play_words(m, "pass", *(f"bid {n}" for n in range(4, 43)))
    assert int(m.state.call_count) == 40
    assert int(m.state.phase) == Phase.NAMING


def test_a_match_of_reveille_ends_when_a_player_has_won_seven_hands() -> None:
    m = stage_two(("54 53", "66 65"), "6", bid=4, points=(0, 20))
    m.state.marks[OTHER] = 6
    play_words(m, "claim")
    assert m.over
    assert not m.abandoned
    assert m.acting == []
    assert m.game.returns(m.state) == [0.0, 7.0]


def test_a_match_is_abandoned_after_fifty_thrown_in_hands_in_a_row() -> None:
    m = auction()
    for thrown in range(1, THROW_IN_CAP + 1):
        while int(m.state.phase) == Phase.STAGE_ONE:
            play_words(m, legal_words(m)[0])
        play_words(m, "pass", "pass")
        assert int(m.state.thrown_in) == thrown
        if thrown < THROW_IN_CAP:
            assert not m.over
            play_words(m, "continue", "continue")
    assert m.over
    assert m.abandoned
    assert m.game.returns(m.state) == [0.0, 0.0]


def test_a_played_hand_resets_the_count_of_thrown_in_hands() -> None:
    m = auction(("54 53 52 50 43 42 41", "66 65 64 63 62 61 60"))
    m.state.thrown_in = THROW_IN_CAP - 1
    play_words(m, "bid 4", "pass", "trump 6", "claim")
    assert int(m.state.thrown_in) == 0
