"""The worked cases of Reveille, one test each, named by its id."""

from __future__ import annotations

import pytest

from facedown.core.match import IllegalMove
from facedown.games.reveille.cards import (
    NO_CONTRACT,
    belongs,
    bone_name,
    bone_named,
    rank,
    reply_wins,
    trick_points,
)
from facedown.games.reveille.state import Ended, Phase
from tests.games.reveille.positions import DEALER, OTHER, auction, legal, match, playable, say, stage_one, stage_two


def order(contract: int, suit: int) -> str:
    """The bones of a suit, high to low."""
    members = [bone for bone in range(28) if belongs(contract, bone, suit)]
    return " ".join(bone_name(b) for b in sorted(members, key=lambda b: -rank(b, suit)))


def test_re_01_ranks() -> None:
    assert order(3, 3) == "33 63 53 43 32 31 30"
    assert order(3, 5) == "55 65 54 52 51 50"


CASES = [
    ("a", "65", "3", "63 61 54 33", "61", "61"),
    ("b", "65", "3", "63 54 21", "63 54 21", "63"),
    ("c", "53", "3", "55 30 63 44", "30 63", "30 63"),
    ("d", "53", "3", "55 54 66", "55 54 66", "55 54 66"),
    ("e", "54", "0", "65 44 50", "65", "65"),
    ("f", "66", "2", "65 62 41", "65", "65"),
    ("g", "00", "4", "50 40 11", "50", "50"),
    ("h", "66", "5", "65 54 31", "65 54 31", "65 54"),
]


@pytest.mark.parametrize(("name", "lead", "trump", "hand", "free", "ruff"), CASES, ids=[c[0] for c in CASES])
def test_re_02_following(name: str, lead: str, trump: str, hand: str, free: str, ruff: str) -> None:
    count = len(hand.split())
    used = {lead, *hand.split()}
    others = [b for b in ("11", "20", "62", "10", "52") if b not in used][: count - 1]
    for must_ruff, expected in (("no", free), ("yes", ruff)):
        m = stage_two((hand, " ".join([lead, *others])), trump, declarer=OTHER, must_ruff=must_ruff)
        say(m, f"play {lead}")
        assert playable(m) == set(expected.split())
        for bone in set(hand.split()) - set(expected.split()):
            with pytest.raises(IllegalMove):
                say(m, f"play {bone}")


def test_re_02_who_wins() -> None:
    def wins(trump: int, lead: str, reply: str) -> bool:
        return reply_wins(trump, bone_named(lead), bone_named(reply))

    assert not any(wins(3, "53", reply) for reply in ("55", "54", "66"))
    assert wins(0, "54", "65")
    assert not wins(4, "00", "50")
    m = stage_two(("50 40 11", "00 62 66"), "4", declarer=OTHER)
    say(m, "play 00", "play 50")
    assert [int(p) for p in m.state.points] == [0, 6]


@pytest.mark.parametrize(
    ("trump", "lead", "reply", "replies"),
    [
        (3, "65", "30", True),
        (3, "65", "66", True),
        (3, "44", "30", True),
        (3, "63", "33", True),
        (3, "33", "63", False),
        (3, "53", "43", False),
        (6, "54", "55", True),
        (6, "54", "50", False),
    ],
)
def test_re_03_trick_winners(trump: int, lead: str, reply: str, replies: bool) -> None:
    assert reply_wins(trump, bone_named(lead), bone_named(reply)) is replies
    m = stage_two((f"{reply} 10", f"{lead} 20"), str(trump), declarer=OTHER)
    say(m, f"play {lead}", f"play {reply}")
    assert m.acting == [DEALER if replies else OTHER]


@pytest.mark.parametrize(
    ("lead", "reply", "replies"),
    [
        ("53", "65", True),
        ("53", "66", False),
        ("53", "54", True),
        ("53", "55", True),
        ("53", "43", False),
        ("60", "66", True),
        ("22", "62", False),
        ("10", "00", False),
        ("10", "61", True),
        ("43", "44", True),
    ],
)
def test_re_04_stage_one(lead: str, reply: str, replies: bool) -> None:
    spare = ["64", "63", "42", "41", "40", "31", "30", "21", "20", "11", "52", "51", "32", "50"]
    rest = [bone for bone in spare if bone not in (lead, reply)]
    prize = rest.pop()
    hands = (" ".join([reply, *rest[:6]]), " ".join([lead, *rest[6:12]]))
    m = stage_one(hands, leader=OTHER, prize=prize)
    say(m, f"play {lead}")
    assert len(playable(m)) == 7, "no duty to follow"
    say(m, f"play {reply}")
    winner = DEALER if replies else OTHER
    assert m.acting == [winner]
    assert prize in {bone_name(int(k)) for k in m.known(winner).card[winner * 7 : winner * 7 + 7]}
    assert reply_wins(NO_CONTRACT, bone_named(lead), bone_named(reply)) is replies


@pytest.mark.parametrize(
    ("lead", "reply", "points"),
    [("66", "50", 6), ("55", "51", 11), ("64", "43", 11), ("32", "54", 6), ("55", "64", 21), ("00", "10", 1)],
)
def test_re_05_trick_points(lead: str, reply: str, points: int) -> None:
    assert trick_points(bone_named(lead), bone_named(reply)) == points


def test_re_06a_both_pass() -> None:
    m = auction()
    say(m, "pass", "pass")
    assert int(m.state.phase) == Phase.SCORING
    assert int(m.state.ended) == Ended.THROWN_IN
    assert [int(x) for x in m.state.marks] == [0, 0]
    say(m, "continue", "continue")
    assert int(m.state.dealer) == OTHER


def test_re_06b_who_passed_first_comes_back() -> None:
    m = auction()
    say(m, "pass", "bid 4", "bid 5", "pass")
    assert int(m.state.phase) == Phase.NAMING
    assert (m.acting, int(m.state.high)) == ([OTHER], 5)


def test_re_06c_bids_only_rise_to_42() -> None:
    m = auction()
    say(m, "bid 10")
    for bad in ("bid 10", "bid 9"):
        with pytest.raises(IllegalMove):
            say(m, bad)
    say(m, "bid 42")
    assert int(m.state.phase) == Phase.NAMING
    assert m.acting == [DEALER]


def test_re_06d_first_call() -> None:
    m = auction()
    for bad in ("bid 3", "bid 43"):
        with pytest.raises(ValueError, match="from 4 to 42"):
            m.game.words.parse(bad)
    assert legal(m) == ["pass", *(f"bid {n}" for n in range(4, 43))]


def test_re_06e_the_bidder_does_not_raise_himself() -> None:
    m = auction()
    say(m, "bid 10", "pass")
    assert int(m.state.phase) == Phase.NAMING
    assert m.acting == [OTHER]
    assert all(word.startswith("trump") for word in legal(m))


def test_re_06f_42_ends_the_auction() -> None:
    m = auction()
    say(m, "bid 42")
    assert int(m.state.phase) == Phase.NAMING
    assert m.acting == [OTHER]


def test_re_06_pass_final() -> None:
    m = auction(pass_final="yes")
    say(m, "pass", "bid 4")
    assert int(m.state.phase) == Phase.NAMING
    assert (m.acting, int(m.state.high)) == ([DEALER], 4)


def test_re_07_declaration() -> None:
    m = auction()
    say(m, "bid 41", "pass")
    assert legal(m) == [f"trump {n}" for n in range(7)]
    with pytest.raises(IllegalMove):
        say(m, "nello")
    m = auction()
    say(m, "bid 42")
    assert legal(m) == [*(f"trump {n}" for n in range(7)), "nello"]


def test_re_08_doubles_in_nello() -> None:
    m = stage_two(("65 61 22", "66 10 20"), "nello", bid=42, declarer=OTHER)
    say(m, "play 66")
    assert playable(m) == {"22"}
    say(m, "play 22")
    assert int(m.state.tricks[OTHER]) == 1
    m = stage_two(("11 50 60", "00 10 20"), "nello", bid=42, declarer=OTHER)
    say(m, "play 00")
    assert playable(m) == {"11"}
    say(m, "play 11")
    assert int(m.state.tricks[DEALER]) == 1


@pytest.mark.parametrize(("bid", "winner"), [(25, OTHER), (26, OTHER), (27, DEALER)])
def test_a_bid_is_made_with_exactly_its_points(bid: int, winner: int) -> None:
    """The declarer has 20 points and wins 6 with the last trick."""
    for auto_end in ("off", "on"):
        m = stage_two(("50", "66"), "6", bid=bid, points=(0, 20), tricks=(0, 6), auto_end=auto_end)
        say(m, "play 66", "play 50")
        assert int(m.state.points[OTHER]) == 26
        assert [int(x) for x in m.state.marks] == [int(winner == DEALER), int(winner == OTHER)]


def test_re_10_nello_results() -> None:
    opponent = "11 22 33 44 55 66 65"
    for auto_end in ("off", "on"):
        m = stage_two((opponent, "10 20 30 40 50 60 64"), "nello", bid=42, declarer=OTHER, auto_end=auto_end)
        say(m, "play 10")
        assert len(playable(m)) == 7, "holding no non-double one, the opponent throws anything"
        say(m, "play 66")
        if auto_end == "on":
            assert int(m.state.phase) == Phase.SCORING
        else:
            assert int(m.state.phase) != Phase.SCORING
            while int(m.state.phase) != Phase.SCORING:
                say(m, legal(m)[0])
        assert int(m.state.mark_to) == DEALER
    m = stage_two(("21 63", "20 31"), "nello", bid=42, declarer=OTHER, tricks=(5, 0))
    say(m, "play 20")
    assert playable(m) == {"21"}
    say(m, "play 21", "play 63", "play 31")
    assert int(m.state.phase) == Phase.SCORING
    assert int(m.state.mark_to) == OTHER
    assert [int(x) for x in m.state.marks] == [0, 1]


BIG = "66 65 64 63 62 61 60"
SMALL = "54 52 50 41 31 21 11"


def test_re_11_burnt_counters() -> None:
    for bid42, gets in (("points", DEALER), ("all_tricks", OTHER)):
        m = auction((SMALL, BIG), burnt="55 32", bid42=bid42)
        assert int(m.state.offer) == 27
        say(m, "bid 42", "trump 6")
        while int(m.state.phase) != Phase.SCORING:
            say(m, legal(m)[0])
        assert int(m.state.points[OTHER]) == 27
        assert int(m.state.tricks[OTHER]) == 7
        assert int(m.state.mark_to) == gets
    m = auction((SMALL, BIG), burnt="55 32")
    say(m, "bid 28", "pass", "trump 6")
    while int(m.state.phase) != Phase.SCORING:
        say(m, next(word for word in legal(m) if word != "claim"))
    assert int(m.state.mark_to) == DEALER


def test_re_15_counts() -> None:
    m = match()
    counts = []
    while int(m.state.phase) == Phase.STAGE_ONE:
        counts.append(int(m.state.yard_count))
        assert m.state.card[14] < 28, "one bone lies face up"
        say(m, legal(m)[0])
        say(m, legal(m)[0])
    assert counts == [13, 11, 9, 7, 5, 3, 1]
    assert int(m.state.phase) == Phase.AUCTION
    assert len(legal(m)) == 40
