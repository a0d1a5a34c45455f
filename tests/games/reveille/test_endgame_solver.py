"""The endgame solver of Reveille, compared with a plain minimax that is written from the rules and shares no code."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from facedown.core.rule import INTERPRETED
from facedown.games.reveille.bots.auction_solver import ALL_TRICKS, COLUMNS, StageTwo, judge_calls, solve_stage_two
from facedown.games.reveille.bots.endgame_solver import EndgamePosition, judge_plays
from facedown.games.reveille.cards import NELLO, bone_named
from facedown.games.reveille.info import ReveilleOptions
from facedown.games.reveille.rules import NO_BID

Bone = tuple[int, int]
Hand = frozenset[Bone]
#: Both hands, the contract, the leader, the bone led, whether players must ruff, and the aim of one seat.
Endgame = tuple[tuple[Hand, Hand], int, int, Bone | None, bool, tuple[int, str]]
ALL = [(high, low) for high in range(7) for low in range(high + 1)]
COUNTERS = {(5, 5): 10, (6, 4): 10, (3, 2): 5, (4, 1): 5, (5, 0): 5}


def hand_mask(names: str) -> int:
    return sum(1 << bone_named(name) for name in names.split())


def to_mask(bones: Hand) -> int:
    return sum(1 << bone_named(f"{high}{low}") for high, low in bones)


def endgame_options(must_ruff: bool = False, all_tricks: bool = False, pass_final: bool = False) -> ReveilleOptions:
    given = {"must_ruff": must_ruff, "pass_final": pass_final}
    chosen = {name: "yes" if yes else "no" for name, yes in given.items()}
    return ReveilleOptions.from_texts(chosen | {"bid42": "all_tricks" if all_tricks else "points"})


def bone_number(bone: Bone) -> int:
    return bone_named(f"{bone[0]}{bone[1]}")


# --- reference implementation: rules 3.2, 3.7 and 3.8 in plain Python -------------------------------------------------


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


def bone_rank(bone: Bone, suit: int | str) -> int:
    if suit == "D":
        return bone[0]
    if bone[0] == bone[1]:
        return 7
    return bone[0] + bone[1] - int(suit)


def reply_takes(contract: int, lead: Bone, reply: Bone) -> bool:
    suit = suit_led(contract, lead)
    if follows(contract, reply, suit):
        return bone_rank(reply, suit) > bone_rank(lead, suit)
    return trump_of(contract, reply) and not trump_of(contract, lead)


def legal_replies(contract: int, lead: Bone, held: Hand, must_ruff: bool) -> list[Bone]:
    suit = suit_led(contract, lead)
    following = [bone for bone in held if follows(contract, bone, suit)]
    ruffing = [bone for bone in held if trump_of(contract, bone)] if must_ruff else []
    return following or ruffing or list(held)


@cache
def outcome(ending: Endgame) -> int:
    """Return the best result of the aiming seat against best defence: points, tricks, or as few tricks as possible."""
    _, _, leader, lead, _, (seat, wanted) = ending
    mover = leader if lead is None else 1 - leader
    best = max if (mover == seat) == (wanted != "no tricks") else min
    return best((outcome_after(ending, bone) for bone in legal_bones(ending)), default=0)


def legal_bones(ending: Endgame) -> list[Bone]:
    hands, contract, leader, lead, must_ruff, _ = ending
    return list(hands[leader]) if lead is None else legal_replies(contract, lead, hands[1 - leader], must_ruff)


def outcome_after(ending: Endgame, bone: Bone) -> int:
    hands, contract, leader, lead, must_ruff, aim = ending
    mover = leader if lead is None else 1 - leader
    left = (hands[0] - {bone}, hands[1]) if mover == 0 else (hands[0], hands[1] - {bone})
    if lead is None:
        return outcome((left, contract, leader, bone, must_ruff, aim))
    winner = mover if reply_takes(contract, lead, bone) else leader
    worth = 1 + COUNTERS.get(lead, 0) + COUNTERS.get(bone, 0) if aim[1] == "points" else 1
    return (worth if winner == aim[0] else 0) + outcome((left, contract, winner, None, must_ruff, aim))


def random_hands(count: int, sizes: list[int], seed: int) -> list[tuple[Hand, Hand]]:
    print(f"seed {seed}")
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        size = chance.choice(sizes)
        bones = chance.sample(ALL, 2 * size)
        found.append((frozenset(bones[:size]), frozenset(bones[size:])))
    return found


# --- every contract ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sizes", "must_ruff"),
    [
        ([1, 2, 3, 4], False),
        ([1, 2, 3, 4], True),
        # The reference implementation takes seconds for a contract of seven bones.
        pytest.param([7], False, marks=pytest.mark.skipif(INTERPRETED, reason="slow")),
    ],
)
def test_endgame_solver_values_of_contracts_equal_those_of_a_plain_minimax_search(
    sizes: list[int], must_ruff: bool
) -> None:
    """A thousand short endgames and three full ones: some trumps and nello, both declarers, points, all tricks,
    none.
    """
    chance = random.Random(11)
    count = 3 if sizes == [7] else 20 if INTERPRETED else 500
    for hands in random_hands(count, sizes, seed=11 + must_ruff):
        stage = solve_stage_two(
            (to_mask(hands[0]), to_mask(hands[1])), endgame_options(must_ruff=must_ruff, all_tricks=True)
        )
        for seat in (0, 1):
            for trump in chance.sample(range(7), 1 if sizes == [7] else 3):
                best = {
                    aim: outcome((hands, trump, seat, None, must_ruff, (seat, aim))) for aim in ("points", "tricks")
                }
                assert stage.values[seat, trump] == best["points"]
                assert (stage.values[seat, ALL_TRICKS] >> trump & 1) == (best["tricks"] == len(hands[0]))
            fewest = outcome((hands, NELLO, seat, None, must_ruff, (seat, "no tricks")))
            assert stage.values[seat, NELLO] == (fewest == 0)
        outcome.cache_clear()


def test_with_counting_bones_out_of_play_42_can_be_made_only_if_it_means_all_tricks() -> None:
    """55 and 32 are burnt, so 27 points can be won; 42 is possible only if it asks for all tricks."""
    hands = (hand_mask("66 65 64 63 62 61 60"), hand_mask("00 10 11 41 50 20 21"))
    winning = [3, 4, 5, 6]  # the other player has no six, and the first lead of a trump draws their trumps
    for all_tricks, contracts in ((False, []), (True, winning)):
        options = endgame_options(all_tricks=all_tricks)
        stage = solve_stage_two(hands, options)
        assert stage.values[0, 6] == 27
        assert stage.contracts_that_make(0, 42, options) == contracts
        assert stage.contracts_that_make(0, 27, options) == winning
        assert stage.contracts_that_make(0, 28, options) == []


# --- plays ------------------------------------------------------------------------------------------------------------


def test_endgame_solver_values_of_plays_equal_those_of_a_plain_minimax_search() -> None:
    """Every play of a thousand positions, half of them with a bone led."""
    chance = random.Random(23)
    for hands in random_hands(25 if INTERPRETED else 1000, [1, 2, 3, 4], seed=22):
        contract, leader, declarer = chance.randrange(8), chance.randrange(2), chance.randrange(2)
        must_ruff, all_tricks = chance.random() < 0.5, chance.random() < 0.5
        lead = chance.choice(sorted(hands[leader])) if chance.random() < 0.5 else None
        held = hands if lead is None else tuple(bones - {lead} for bones in hands)
        sofar = chance.randrange(12)
        tricks = chance.choice([(0, 0), (1, 0), (0, 2)])
        bid = 42 if contract == NELLO or chance.random() < 0.3 else chance.randint(4, 30)
        position = EndgamePosition(
            hands=(to_mask(held[0]), to_mask(held[1])),
            contract=contract,
            declarer=declarer,
            bid=bid,
            leader=leader,
            lead=None if lead is None else bone_number(lead),
            points=(sofar, sofar),
            tricks=tricks,
        )
        plays = judge_plays(position, endgame_options(must_ruff, all_tricks))
        points, most, fewest = (
            (held, contract, leader, lead, must_ruff, (declarer, aim)) for aim in ("points", "tricks", "no tricks")
        )
        legal = legal_bones(points)
        assert [play.bone for play in plays] == sorted(map(bone_number, legal))
        for bone in legal:
            (play,) = (play for play in plays if play.bone == bone_number(bone))
            if contract == NELLO:
                total = tricks[declarer] + outcome_after(fewest, bone)
                made = total == 0
            else:
                total = sofar + outcome_after(points, bone)
                made = total >= bid
                if bid == 42 and all_tricks:
                    made = tricks[1 - declarer] == 0 and outcome_after(most, bone) == len(held[1 - leader])
            assert (play.points, play.declarer_wins) == (total, made)
        outcome.cache_clear()


# --- the auction ------------------------------------------------------------------------------------------------------


def stage_with_values(points: tuple[int, int], nello: tuple[bool, bool] = (False, False)) -> StageTwo:
    """Return a second stage in which each seat can win these points with trump 0 and none with another trump."""
    values = np.zeros((2, COLUMNS), np.int64)
    values[:, 0] = points
    values[:, NELLO] = nello
    return StageTwo(values)


def judge_auction_by_minimax(
    stage: StageTwo, speaker: int, high: int, passed: tuple[bool, bool], pass_final: bool
) -> dict[int, int]:
    """Return the value of each call by rules 3.5: the mark for seat 0 (1), for seat 1 (−1) or for neither (0)."""

    @cache
    def worth(speaker: int, high: int, passed: tuple[bool, bool]) -> int:
        return (max if speaker == 0 else min)(calls(speaker, high, passed).values())

    def calls(speaker: int, high: int, passed: tuple[bool, bool]) -> dict[int, int]:
        other = 1 - speaker
        now_passed = (True, passed[1]) if speaker == 0 else (passed[0], True)
        found = {NO_BID: declare(other, high) if high else 0 if passed[other] else worth(other, 0, now_passed)}
        for bid in range(max(4, high + 1), 43):
            closed = bid == 42 or (pass_final and passed[other])
            found[bid] = declare(speaker, bid) if closed else worth(other, bid, passed)
        return found

    def declare(declarer: int, bid: int) -> int:
        made = bool(max(stage.values[declarer, :7]) >= bid or (bid == 42 and stage.values[declarer, NELLO]))
        return 1 if made == (declarer == 0) else -1

    return calls(speaker, high, passed)


@pytest.mark.parametrize("pass_final", [False, True])
def test_endgame_solver_values_of_bids_and_passes_equal_those_of_a_plain_minimax_search(pass_final: bool) -> None:
    """Every call at the opening, after a pass, and over some bids, for many pairs of strengths."""
    options = endgame_options(pass_final=pass_final)
    levels = [0, 3, 4, 5, 21, 38, 41, 42]
    for first, second in [(a, b) for a in levels for b in levels if a + b <= 42 or b == a][:: 4 if INTERPRETED else 1]:
        for nello in ((False, False), (True, False), (True, True)):
            stage = stage_with_values((first, second), nello)
            for speaker in (0, 1):
                sign = 1 if speaker == 0 else -1
                for high, other_passed in [(0, False), (0, True), (4, False), (20, False), (37, False), (41, False)]:
                    passed = (other_passed, False) if speaker == 1 else (False, other_passed)
                    wanted = judge_auction_by_minimax(stage, speaker, high, passed, pass_final)
                    calls = judge_calls(stage, speaker, high, other_passed, options)
                    assert calls == {call: sign * mark for call, mark in wanted.items()}


# --- bad input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "reason"),
    [
        ((hand_mask("66 65"), hand_mask("66 64")), "both hands contain 66"),
        ((hand_mask("66 65"), hand_mask("64")), "2 bones against 1"),
        ((hand_mask("66 65 64 63 62 61 60 55"), hand_mask("00 10 11 20 21 22 30 31")), "8 bones against 8"),
        ((1, 1 << 28), "seat 1 holds a bone that does not exist"),
    ],
)
def test_the_endgame_solver_refuses_impossible_hands(hands: tuple[int, int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        solve_stage_two(hands)


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
def test_the_endgame_solver_refuses_impossible_positions(change: dict[str, object], reason: str) -> None:
    position = {"hands": (hand_mask("66 65"), hand_mask("64 63")), "contract": 1, "declarer": 0, "bid": 10, "leader": 0}
    with pytest.raises(ValueError, match=reason):
        judge_plays(EndgamePosition(**(position | change)))  # type: ignore[arg-type]


def test_the_endgame_solver_refuses_impossible_auctions() -> None:
    stage = stage_with_values((0, 0))
    for high in (3, 42, 43):
        with pytest.raises(ValueError, match=f"not {high}"):
            judge_calls(stage, 0, high=high)
    with pytest.raises(ValueError, match="must be 0 or 1, not 2"):
        judge_calls(stage, 2)
