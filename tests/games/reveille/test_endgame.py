"""Reveille's second stage solved, against a plain minimax that is written from the rules and shares no code with it."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from facedown.core.rule import INTERPRETED
from facedown.games.reveille.auction import ALL_TRICKS, COLUMNS, StageTwo, judge_calls, solve_stage_two
from facedown.games.reveille.cards import NELLO, bone_name, bone_named
from facedown.games.reveille.endgame import EndgameOptions, EndgamePosition, judge_plays
from facedown.games.reveille.state import NO_BID

Bone = tuple[int, int]
Hand = frozenset[Bone]
ALL = [(high, low) for high in range(7) for low in range(high + 1)]
COUNTERS = {(5, 5): 10, (6, 4): 10, (3, 2): 5, (4, 1): 5, (5, 0): 5}


def hand(names: str) -> int:
    return sum(1 << bone_named(name) for name in names.split())


def packed(bones: Hand) -> int:
    return sum(1 << bone_named(f"{high}{low}") for high, low in bones)


def number(bone: Bone) -> int:
    return bone_named(f"{bone[0]}{bone[1]}")


# --- the referee: rules 3.2, 3.7 and 3.8 in plain Python


def trump_of(contract: int, bone: Bone) -> bool:
    return contract < 7 and contract in bone


def suit_led(contract: int, bone: Bone) -> int | str:
    if contract == NELLO and bone[0] == bone[1]:
        return "D"
    return contract if trump_of(contract, bone) else bone[0]


def follows(contract: int, bone: Bone, suit: int | str) -> bool:
    double = bone[0] == bone[1]
    if contract == NELLO:
        return double if suit == "D" else not double and suit in bone
    if suit == contract:
        return trump_of(contract, bone)
    return suit in bone and not trump_of(contract, bone)


def height(bone: Bone, suit: int | str) -> int:
    if suit == "D":
        return bone[0]
    if bone[0] == bone[1]:
        return 7
    return bone[0] + bone[1] - int(suit)


def takes(contract: int, lead: Bone, reply: Bone) -> bool:
    suit = suit_led(contract, lead)
    if follows(contract, reply, suit):
        return height(reply, suit) > height(lead, suit)
    return trump_of(contract, reply) and not trump_of(contract, lead)


def answers(contract: int, lead: Bone, held: Hand, must_ruff: bool) -> list[Bone]:
    suit = suit_led(contract, lead)
    following = [bone for bone in held if follows(contract, bone, suit)]
    ruffing = [bone for bone in held if trump_of(contract, bone)] if must_ruff else []
    return following or ruffing or list(held)


@cache
def outcome(
    hands: tuple[Hand, Hand], contract: int, leader: int, lead: Bone | None, must_ruff: bool, aim: tuple[int, str]
) -> int:
    """The best that seat `aim[0]` can reach against best defence: points, tricks, or as few tricks as possible."""
    mover = leader if lead is None else 1 - leader
    if not hands[mover]:
        return 0
    results = [
        after(hands, contract, leader, lead, must_ruff, aim, bone)
        for bone in choices(hands, contract, leader, lead, must_ruff)
    ]
    return max(results) if (mover == aim[0]) == (aim[1] != "no tricks") else min(results)


def choices(hands: tuple[Hand, Hand], contract: int, leader: int, lead: Bone | None, must_ruff: bool) -> list[Bone]:
    if lead is None:
        return list(hands[leader])
    return answers(contract, lead, hands[1 - leader], must_ruff)


def after(
    hands: tuple[Hand, Hand],
    contract: int,
    leader: int,
    lead: Bone | None,
    must_ruff: bool,
    aim: tuple[int, str],
    bone: Bone,
) -> int:
    mover = leader if lead is None else 1 - leader
    left = (hands[0] - {bone}, hands[1]) if mover == 0 else (hands[0], hands[1] - {bone})
    if lead is None:
        return outcome(left, contract, leader, bone, must_ruff, aim)
    winner = mover if takes(contract, lead, bone) else leader
    worth = 1 + COUNTERS.get(lead, 0) + COUNTERS.get(bone, 0) if aim[1] == "points" else 1
    return (worth if winner == aim[0] else 0) + outcome(left, contract, winner, None, must_ruff, aim)


def deals(count: int, sizes: list[int], seed: int) -> list[tuple[Hand, Hand]]:
    print(f"seed {seed}")
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        size = chance.choice(sizes)
        bones = chance.sample(ALL, 2 * size)
        found.append((frozenset(bones[:size]), frozenset(bones[size:])))
    return found


# --- every contract


@pytest.mark.slow
@pytest.mark.parametrize("must_ruff", [False, True])
def test_contracts_of_random_endings(must_ruff: bool) -> None:
    """A thousand endings of one to four bones: three trumps and nello, both declarers, points, all tricks and none."""
    chance = random.Random(11)
    for hands in deals(20 if INTERPRETED else 500, [1, 2, 3, 4], seed=11 + must_ruff):
        options = EndgameOptions(must_ruff=must_ruff, all_tricks=True)
        stage = solve_stage_two((packed(hands[0]), packed(hands[1])), options)
        for seat in (0, 1):
            for trump in chance.sample(range(7), 3):
                assert stage.values[seat, trump] == outcome(hands, trump, seat, None, must_ruff, (seat, "points"))
                sweeps = outcome(hands, trump, seat, None, must_ruff, (seat, "tricks")) == len(hands[0])
                assert (stage.values[seat, ALL_TRICKS] >> trump & 1) == sweeps
            assert stage.values[seat, NELLO] == (outcome(hands, NELLO, seat, None, must_ruff, (seat, "no tricks")) == 0)
        outcome.cache_clear()


@pytest.mark.slow
@pytest.mark.skipif(INTERPRETED, reason="the referee takes seconds for a contract of seven bones")
def test_contracts_of_full_hands() -> None:
    for number_of_deal, hands in enumerate(deals(3, [7], seed=5)):
        stage = solve_stage_two((packed(hands[0]), packed(hands[1])))
        trump = 2 * number_of_deal
        for seat in (0, 1):
            assert stage.values[seat, trump] == outcome(hands, trump, seat, None, False, (seat, "points"))
            assert stage.values[seat, NELLO] == (outcome(hands, NELLO, seat, None, False, (seat, "no tricks")) == 0)
        outcome.cache_clear()


def test_points_of_hands_that_cannot_lose() -> None:
    """All seven threes: every trick is won with trump 3; 55 and 32 are the counters in play, 15 points."""
    threes = hand("33 63 53 43 32 31 30")
    others = hand("66 55 44 22 11 00 10")
    stage = solve_stage_two((threes, others), EndgameOptions(all_tricks=True))
    assert stage.values[0, 3] == 7 + 15
    assert stage.values[0, ALL_TRICKS] >> 3 & 1
    assert not stage.values[1, ALL_TRICKS] >> 3 & 1
    assert 3 in stage.contracts_that_make(0, 22)
    assert stage.contracts_that_make(0, 23) == []


def test_re_11_bid_of_42_with_burnt_counters() -> None:
    """55 and 32 burnt: 27 points on offer; 42 is out of reach, unless all tricks are what it asks for."""
    hands = (hand("66 65 64 63 62 61 60"), hand("00 10 11 41 50 20 21"))
    winning = [3, 4, 5, 6]  # nobody else has a six, and what trumps the other has the first lead of a trump draws
    for all_tricks, contracts in ((False, []), (True, winning)):
        options = EndgameOptions(all_tricks=all_tricks)
        stage = solve_stage_two(hands, options)
        assert stage.values[0, 6] == 27
        assert stage.contracts_that_make(0, 42, options) == contracts
        assert stage.contracts_that_make(0, 27, options) == winning
        assert stage.contracts_that_make(0, 28, options) == []


# --- plays


def test_plays_of_random_endings() -> None:
    """Every play of a thousand positions, half of them with a bone on the table."""
    chance = random.Random(23)
    for hands in deals(25 if INTERPRETED else 1000, [1, 2, 3, 4], seed=22):
        contract, leader, declarer = chance.randrange(8), chance.randrange(2), chance.randrange(2)
        options = EndgameOptions(must_ruff=chance.random() < 0.5, all_tricks=chance.random() < 0.5)
        lead = chance.choice(sorted(hands[leader])) if chance.random() < 0.5 else None
        held = hands if lead is None else tuple(bones - {lead} for bones in hands)
        sofar = chance.randrange(12)
        tricks = chance.choice([(0, 0), (1, 0), (0, 2)])
        bid = 42 if contract == NELLO or chance.random() < 0.3 else chance.randint(4, 30)
        position = EndgamePosition(
            hands=(packed(held[0]), packed(held[1])),
            contract=contract,
            declarer=declarer,
            bid=bid,
            leader=leader,
            lead=None if lead is None else number(lead),
            points=(sofar, sofar),
            tricks=tricks,
        )
        plays = judge_plays(position, options)
        legal = choices(held, contract, leader, lead, options.must_ruff)
        assert [play.bone for play in plays] == sorted(map(number, legal))
        for bone in legal:
            (play,) = (play for play in plays if play.bone == number(bone))
            args = (held, contract, leader, lead, options.must_ruff)
            if contract == NELLO:
                total = tricks[declarer] + after(*args, (declarer, "no tricks"), bone)
                made = total == 0
            else:
                total = sofar + after(*args, (declarer, "points"), bone)
                made = total >= bid
                if bid == 42 and options.all_tricks:
                    left = len(held[1 - leader])
                    made = tricks[1 - declarer] == 0 and after(*args, (declarer, "tricks"), bone) == left
            assert (play.points, play.declarer_wins) == (total, made)
        outcome.cache_clear()


def test_re_10_nello() -> None:
    """The last two tricks: the declarer takes none. A lead of 10 that the other cannot follow is a trick."""
    made = judge_plays(EndgamePosition((hand("20 31"), hand("21 63")), NELLO, declarer=0, bid=42, leader=0))
    assert [(bone_name(play.bone), play.declarer_wins, play.points) for play in made] == [
        ("20", True, 0),
        ("31", True, 0),
    ]
    lost = judge_plays(EndgamePosition((hand("21 31"), hand("20 63")), NELLO, declarer=0, bid=42, leader=0))
    assert [play.declarer_wins for play in lost] == [False, False]
    (play,) = judge_plays(EndgamePosition((hand("10"), hand("66")), NELLO, declarer=0, bid=42, leader=0))
    assert (play.declarer_wins, play.points) == (False, 1)
    (forced,) = judge_plays(EndgamePosition((hand("31"), hand("21 63")), NELLO, 0, 42, leader=0, lead=bone_named("20")))
    assert bone_name(forced.bone) == "21"
    assert forced.declarer_wins


# --- the auction


def stage_with(points: tuple[int, int], nello: tuple[bool, bool] = (False, False)) -> StageTwo:
    """A second stage in which each seat can be sure of so many points with trump 0 and of none with another."""
    values = np.zeros((2, COLUMNS), np.int64)
    values[:, 0] = points
    values[:, NELLO] = nello
    return StageTwo(values)


def auction(stage: StageTwo, speaker: int, high: int, passed: tuple[bool, bool], pass_final: bool) -> int:
    """The mark for seat 0 (1), for seat 1 (−1) or for nobody: the auction played out by rules 3.5, call by call."""

    @cache
    def worth(speaker: int, high: int, passed: tuple[bool, bool]) -> int:
        other = 1 - speaker
        results = [declare(other, high) if high else 0 if passed[other] else worth(other, 0, mark(passed, speaker))]
        for bid in range(max(4, high + 1), 43):
            closed = bid == 42 or (pass_final and passed[other])
            results.append(declare(speaker, bid) if closed else worth(other, bid, passed))
        return max(results) if speaker == 0 else min(results)

    def mark(passed: tuple[bool, bool], seat: int) -> tuple[bool, bool]:
        return (True, passed[1]) if seat == 0 else (passed[0], True)

    def declare(declarer: int, bid: int) -> int:
        made = bool(max(stage.values[declarer, :7]) >= bid or (bid == 42 and stage.values[declarer, NELLO]))
        return 1 if made == (declarer == 0) else -1

    return worth(speaker, high, passed)


@pytest.mark.parametrize("pass_final", [False, True])
def test_auctions_call_by_call(pass_final: bool) -> None:
    """The best call at the opening, after a pass, and over some bids, for many pairs of strengths."""
    options = EndgameOptions(pass_final=pass_final)
    levels = [0, 3, 4, 5, 21, 38, 41, 42]
    for first, second in [(a, b) for a in levels for b in levels if a + b <= 42 or b == a][:: 4 if INTERPRETED else 1]:
        for nello in ((False, False), (True, False), (True, True)):
            stage = stage_with((first, second), nello)
            for speaker in (0, 1):
                sign = 1 if speaker == 0 else -1
                for high, other_passed in [(0, False), (0, True), (4, False), (20, False), (37, False), (41, False)]:
                    passed = (other_passed, False) if speaker == 1 else (False, other_passed)
                    calls = judge_calls(stage, speaker, high, other_passed, options)
                    assert max(calls.values()) == sign * auction(stage, speaker, high, passed, pass_final)
                    assert sorted(calls) == [NO_BID, *range(max(4, high + 1), 43)]


@pytest.mark.parametrize("pass_final", [False, True])
def test_each_call_of_an_auction(pass_final: bool) -> None:
    """Every single call is worth what the auction is worth after it."""
    options = EndgameOptions(pass_final=pass_final)
    for points in ((0, 0), (10, 30), (30, 10), (3, 20), (21, 21)):
        stage = stage_with(points)
        opening = judge_calls(stage, 0, options=options)
        assert opening[NO_BID] == auction(stage, 1, 0, (True, False), pass_final)
        for bid in range(4, 42):
            assert opening[bid] == auction(stage, 1, bid, (False, False), pass_final)
        last = judge_calls(stage, 1, other_passed=True, options=options)
        assert last[NO_BID] == 0
        for bid in range(4, 42):
            if pass_final:
                assert last[bid] == (1 if points[1] >= bid else -1)
            else:
                assert last[bid] == -auction(stage, 0, bid, (True, False), pass_final)


def test_the_right_bid() -> None:
    """Seat 0 is sure of 30, seat 1 of 12: any bid up to 30 wins for 0, who outbids what 1 can make."""
    stage = stage_with((30, 12))
    opening = judge_calls(stage, 0)
    assert [bid for bid, value in opening.items() if value == 1 and bid != NO_BID] == list(range(4, 31))
    assert opening[NO_BID] == 0  # he who has passed may still come in over a bid, so the other passes too
    assert judge_calls(stage, 0, options=EndgameOptions(pass_final=True))[NO_BID] == -1  # now the other one buys for 4
    assert set(judge_calls(stage, 1, high=30).values()) == {-1}
    assert judge_calls(stage, 1, high=31)[NO_BID] == 1


# --- bad input


@pytest.mark.parametrize(
    ("hands", "reason"),
    [
        (("66 65", "66 64"), "both hands hold 66"),
        (("66 65", "64"), "2 bones against 1"),
        (("66 65 64 63 62 61 60 55", "00 10 11 20 21 22 30 31"), "8 bones against 8"),
    ],
)
def test_hands_that_cannot_be(hands: tuple[str, str], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        solve_stage_two((hand(hands[0]), hand(hands[1])))


def test_bones_that_do_not_exist() -> None:
    with pytest.raises(ValueError, match="seat 1 holds a bone that does not exist"):
        solve_stage_two((1, 1 << 28))


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"leader": 2}, "seats 0 or 1"),
        ({"contract": 8}, "contract 8"),
        ({"bid": 43}, "bid 43"),
        ({"lead": 28}, "28 on the table is no bone"),
        ({"lead": bone_named("66")}, "66 is on the table and in its player's hand"),
        ({"lead": bone_named("00")}, "3 bones against 2"),
        ({"hands": (0, 0)}, "the hand is over"),
    ],
)
def test_positions_that_cannot_be(change: dict[str, object], reason: str) -> None:
    position = {"hands": (hand("66 65"), hand("64 63")), "contract": 1, "declarer": 0, "bid": 10, "leader": 0}
    with pytest.raises(ValueError, match=reason):
        judge_plays(EndgamePosition(**(position | change)))  # type: ignore[arg-type]


def test_auctions_that_cannot_be() -> None:
    stage = stage_with((0, 0))
    for high in (3, 42, 43):
        with pytest.raises(ValueError, match=f"over {high}"):
            judge_calls(stage, 0, high=high)
    with pytest.raises(ValueError, match="seat 2"):
        judge_calls(stage, 2)
