"""The worked cases of Uncovered!, each under its id."""

from __future__ import annotations

import pytest

from facedown.core.match import IllegalMove, Match
from facedown.core.options import OptionError
from facedown.core.state import SPECTATOR, to_bytes
from facedown.games.uncovered.fewest import best_line
from facedown.games.uncovered.rules import LOST, Act
from tests.games.uncovered.hands import dealt, lie, say, score_of


def won_at(m: Match) -> int:
    assert m.over
    assert bool(m.state.won)
    return int(m.state.turn)


@pytest.mark.parametrize(
    ("hands", "moves"),
    [
        ("3214 3214", {}),  # equal hands at the deal
        ("1233 1244", {"swap 4 1 3": "1234 1234"}),  # one swap
        ("1234 2134", {"swap 1 1 1": "2234 1134", "swap 2 0 1": "1234 1234"}),  # no swap inside a hand
    ],
)
def test_un_01_to_03_a_perfect_game(hands: str, moves: dict[str, str]) -> None:
    m = dealt(hands)
    for move, after in moves.items():
        say(m, move)
        assert lie(m.state) == after
    assert m.acting == [len(moves) % 2]
    say(m, "uncover")
    assert won_at(m) == len(moves)
    assert score_of(m) == 0


def test_un_03_a_longer_line_scores_the_swaps_it_wastes() -> None:
    longer = dealt("1234 2134")
    say(longer, "swap 1 1 1", "swap 2 0 1", "swap 1 1 1", "swap 1 0 1", "uncover")
    assert won_at(longer) == 4
    assert score_of(longer) == 2


@pytest.mark.parametrize(("score", "points"), [("regret", 0), ("free_regret", 1), ("raw_turns", 2)])
def test_un_05_forced_waiting_move(score: str, points: int) -> None:
    m = dealt("1234 1233 1244", score=score)
    say(m, "swap 1 1 1")
    assert lie(m.state) == "1234 1233 1244", "a null swap: no hand changes, the turn passes"
    say(m, "swap 4 2 3")
    assert lie(m.state) == "1234 1234 1234"
    say(m, "uncover")
    assert m.moves[-1].seat == 2
    assert won_at(m) == 2
    assert score_of(m) == points


def test_un_05_turn_order_counts_from_the_seat_that_starts() -> None:
    m = dealt("1234 1233 1244", first=1)
    say(m, "swap 4 2 3", "uncover")
    assert score_of(m) == 0


def test_un_08_loss() -> None:
    m = dealt("1234 1243")
    say(m, "uncover")
    assert m.over
    assert not bool(m.state.won)
    assert not m.abandoned
    assert m.game.returns(m.state) == [LOST, LOST]


def test_un_09_single_colour() -> None:
    m = dealt("1111 2222 3333 4444")
    say(m, "uncover")
    assert not bool(m.state.won)
    m = dealt("1111 2222 3333 4444", single_colour_win="yes")
    say(m, "uncover")
    assert won_at(m) == 0
    assert score_of(m) == 0


def test_un_10_views_advanced_face_up() -> None:
    m = dealt("4231 1124 3234", mode="advanced")
    say(m, "swap 1 1 3")
    assert lie(m.state) == "2231 1144 3234"
    assert [lie(m.shown(seat)) for seat in range(3)] == ["2231 ??4? ????", "2??? 1144 ????", "2??? ??4? 3234"]
    assert lie(m.shown(SPECTATOR)) == "2??? ??4? ????"
    say(m, "swap 3 2 1")
    assert lie(m.state) == "2231 1134 4234"
    assert [lie(m.shown(seat)) for seat in range(3)] == ["2231 ??3? 4???", "2??? 1134 4???", "2??? ??3? 4234"]


def test_un_10_views_advanced_face_down() -> None:
    m = dealt("4231 1124 3234", mode="advanced", swap_visibility="face_down")
    say(m, "swap 1 1 3")
    assert [lie(m.shown(seat)) for seat in range(3)] == ["2231 ??4? ????", "2??? 1144 ????", "???? ???? 3234"]
    assert lie(m.shown(SPECTATOR)) == "???? ???? ????"
    say(m, "swap 3 2 1")
    assert lie(m.shown(0)) == "2231 ???? 4???", "what was known moved with the card"
    assert lie(m.shown(1)) == "2??? 1134 4???"
    assert lie(m.shown(2)) == "???? ??3? 4234"
    assert lie(m.shown(SPECTATOR)) == "???? ???? ????"


@pytest.mark.parametrize("move", ["swap 1 0 1", "swap 4 0 2", "swap 1 3 1"])
def test_un_13_swap_with_oneself_or_with_no_seat_is_illegal(move: str) -> None:
    m = dealt("1234 1234 1234")
    before = to_bytes(m.state)
    with pytest.raises(IllegalMove, match=move):
        say(m, move)
    assert to_bytes(m.state) == before


@pytest.mark.parametrize(
    "move", ["swap 0 1 1", "swap 5 1 1", "swap 1 1 0", "swap 1 1 5", "swap 1 6 1", "pass", "continue"]
)
def test_un_13_words_that_are_no_move(move: str) -> None:
    m = dealt("1234 1234 1234")
    with pytest.raises(ValueError, match=r"not a place|not a seat|is not a move"):
        m.game.words.parse(move)


def test_un_13_out_of_turn_and_after_the_end() -> None:
    m = dealt("1234 1234 1234")
    with pytest.raises(IllegalMove, match="not the turn of"):
        m.play(1, Act.UNCOVER.value)
    say(m, "uncover")
    assert m.acting == []
    with pytest.raises(IllegalMove, match="over"):
        m.play(1, m.game.words.parse("swap 1 2 1"))


def test_un_13_advanced_for_two() -> None:
    with pytest.raises(OptionError, match="three players"):
        dealt("1234 1234", mode="advanced")


@pytest.mark.parametrize(("seats", "actions"), [(2, 17), (3, 33), (4, 49), (5, 65), (6, 81)])
def test_un_14_counts(seats: int, actions: int) -> None:
    m = Match("uncovered", seats, seed=bytes(32))
    assert len(m.legal(m.acting[0])) == actions


def test_un_14_mover_at_turn_seven() -> None:
    m = dealt("1234 1234 1234")
    for turn in range(7):
        say(m, f"swap 1 {(turn + 1) % 3} 1")
    assert int(m.state.turn) == 7
    assert m.acting == [1]


def test_un_15_deals_of_every_row_of_the_table_are_won_in_so_many_turns() -> None:
    # The whole tables are compared in tests/solvers; here deals of each row go through a match.
    rows = {0, 1}
    deals = ["1234 1234 1234", "1233 1244 1234"]
    matches = [dealt(hands) for hands in deals] + [
        Match("uncovered", 3, {"start": "named(0)"}, seed=bytes([number]) * 32) for number in range(40)
    ]
    for m in matches:
        hands = tuple(tuple(int(n) for n in hand) for hand in lie(m.state).split())
        line = best_line(hands, 0)
        rows.add(len(line))
        for seat, place, other, theirs in line:
            assert m.acting == [seat]
            say(m, f"swap {place + 1} {other} {theirs + 1}")
        say(m, "uncover")
        assert score_of(m) == 0
    assert rows == set(range(6)), "T* of three-player deals is 0 to 5"
