"""Matches: seeds, commitments, explicit deals, illegal moves, undo, results."""

from __future__ import annotations

import copy
import hashlib
import pickle
from typing import Any

import numpy as np
import pytest

from facedown.core.hidden_cards import known_view, redeal
from facedown.core.match import DealError, IllegalMove, Match, Move, Result
from facedown.core.move_with_views import Step
from facedown.core.seeds import commitment_of, new_seed, seed_from_text
from facedown.core.state import SPECTATOR, to_bytes
from facedown.core.table import Sitter

SITTERS = [Sitter("Ilse"), Sitter("Ravi")]


def _played(game: str, moves: int) -> Match:
    match = Match(game, 2, seed=bytes(32))
    for _ in range(moves):
        match.play(match.acting[0], match.legal(match.acting[0])[0])
    return match


def test_equal_seeds_deal_equal_cards_and_the_commitment_is_a_hash_of_the_seed() -> None:
    seed = new_seed()
    assert len(seed) == 32
    assert seed != new_seed()
    assert commitment_of(seed) == "sha256:" + hashlib.sha256(b"facedown commitment\n" + seed).hexdigest()
    assert Match("detect", 2, seed=seed).commitment == commitment_of(seed)
    assert seed_from_text("ab" * 32) == bytes.fromhex("ab" * 32)
    assert seed_from_text("friday") != seed_from_text("saturday")
    a, b, c = (Match("detect", 3, seed=bytes([n]) * 32) for n in (1, 1, 2))
    assert to_bytes(a.state) == to_bytes(b.state) != to_bytes(c.state)


def test_a_deal_listed_by_the_user_gives_out_the_cards_in_that_order() -> None:
    words = Match("detect", 2).game.words
    deal = [words.card_kind(str(n)) for n in (5, 5, 7)]
    match = Match("detect", 2, deal=deal, first=0)
    # The player left of the dealer receives the first card.
    assert [words.card_word(int(k)) for k in match.state.card[12:15]] == ["5", "5", "7"]
    assert int(match.state.dealer) == 0


def test_an_impossible_deal_listed_by_the_user_raises_deal_error() -> None:
    words = Match("detect", 2).game.words
    with pytest.raises(DealError, match=r"the deal lists -2 too many times \(copies in the deck: 5\)"):
        Match("detect", 2, deal=[words.card_kind("-2")] * 6)
    with pytest.raises(DealError, match="no card number 200"):
        Match("detect", 2, deal=[200])
    with pytest.raises(DealError, match="seat 2 cannot go first"):
        Match("detect", 2, first=2)


def test_illegal_moves_raise_an_error_with_the_reason() -> None:
    match = Match("detect", 2, seed=bytes(32))
    for ask in (match.legal, lambda seat: match.play(seat, 0)):
        with pytest.raises(IllegalMove, match="seat 7 does not exist: the table has 2 seats"):
            ask(7)
    for seat, action, reason in (
        (5, 0, "seat 5 does not exist"),
        (0, 999, "action 999 does not exist"),
        (0, 66, "'take a1' is not allowed"),
    ):
        with pytest.raises(IllegalMove, match=reason):
            match.play(seat, action)
    match.play(0, 0)
    with pytest.raises(IllegalMove, match="seat 0 cannot move now"):
        match.play(0, 0)
    assert match.ply == 1


def test_method_at_of_a_match_returns_the_position_after_the_given_number_of_moves() -> None:
    match = _played("detect", 20)
    for ply in (0, 7, 20):
        assert to_bytes(match.at(ply).state) == to_bytes(_played("detect", ply).state)
    with pytest.raises(ValueError, match="from 0 to 20, not 21"):
        match.at(21)


def test_an_error_is_raised_for_the_view_of_a_missing_seat_and_if_state_and_view_are_confused() -> None:
    match = Match("detect", 2, seed=bytes(32))
    assert int(match.known(1).viewer) == 1
    assert int(match.shown(SPECTATOR).viewer) == SPECTATOR
    with pytest.raises(ValueError, match="no seat 2"):
        match.known(2)
    with pytest.raises(ValueError, match="expected a state, not a view"):
        known_view(match.known(0), 0)
    with pytest.raises(ValueError, match="expected a view, not a state"):
        redeal(match.state, match.state.key)
    with pytest.raises(TypeError, match=r"eight np\.uint32"):
        redeal(match.known(0), 5)


def test_match_log_says_you_only_in_the_log_of_the_player_who_is_meant() -> None:
    match = _played("detect", 6)
    mine, theirs = (" ".join(line.text for line in match.log(v, SITTERS)) for v in (0, 1))
    assert "You" in mine
    assert "Ravi" in mine
    assert "Ilse" in theirs
    assert "Ravi" not in theirs


def test_copied_and_pickled_matches_are_equal_and_independent() -> None:
    """A copy, or a pickled match loaded again, is equal and can be played on independently."""
    match = _played("detect", 5)
    for other in (copy.copy(match), copy.deepcopy(match), pickle.loads(pickle.dumps(match))):
        assert (other, to_bytes(other.state)) == (match, to_bytes(match.state))
        other.play(other.acting[0], other.legal(other.acting[0])[0])
        assert (match.ply, other.ply) == (5, 6)
        assert to_bytes(match.state) != to_bytes(other.state)
    assert repr(match) == f"<Match of detect, 2 seats, 5 moves, {match.acting} to act>"


def test_matches_are_equal_if_deal_options_and_moves_are_equal() -> None:
    """Two matches are equal if the deal, the options and all moves are equal."""
    match = Match("detect", 2, seed=bytes(32))
    others = [
        Match("detect", 2, seed=bytes([1] * 32)),
        Match("detect", 3, seed=bytes(32)),
        Match("detect", 2, {"tie": "extra_round"}, seed=bytes(32)),
        Match("detect", 2, seed=bytes(32), deal=(Match("detect", 2).game.words.card_kind("5"),)),
        Match("detect", 2, seed=bytes(32), first=1),
        Match("reveal", 2, seed=bytes(32)),
    ]
    assert match not in others
    assert match != "a match"
    twin = match.copy()
    assert (twin, hash(twin)) == (match, hash(match))
    twin.play(0, twin.legal(0)[0])
    assert twin != match
    match.play(0, match.legal(0)[0])
    assert (twin, hash(twin)) == (match, hash(match))


def test_undo_restores_the_match_before_its_last_move() -> None:
    match = Match("detect", 2, seed=bytes(32))
    kept = []
    for _ in range(12):
        kept.append(match.copy())
        match.play(match.acting[0], match.legal(match.acting[0])[0])
    for earlier in reversed(kept):
        last = match.undo()
        assert match == earlier
        assert to_bytes(match.state) == to_bytes(earlier.state)
        assert last.action == earlier.legal(last.seat)[0]
    with pytest.raises(IllegalMove, match="no move to take back"):
        match.undo()


def test_a_precomputed_move_applies_once_and_only_to_the_position_it_was_computed_for() -> None:
    match = Match("detect", 2, seed=bytes(32))
    before, action = match.views, match.legal(0)[0]
    step = match.compute_step(0, action)
    assert (match.ply, match.views) == (0, before), "nothing is changed by asking"
    assert (step.ply, step.move, step.before) == (1, Move(0, action), before)
    match.apply_step(step)
    assert match.views is step.views
    assert match.known(1) is step.views.known(1), "a view is made once"
    assert match.shown(1) is step.views.shown(1)
    for late in (step, match.copy().at(0).compute_step(0, action)):
        with pytest.raises(ValueError, match="does not follow"):
            match.apply_step(late)
    assert [each.ply for each in match.steps()] == [0, 1]
    assert [to_bytes(each.after) for each in match.steps()] == [to_bytes(before.state), to_bytes(match.state)]


def test_a_move_counts_as_visible_to_a_player_only_if_it_changes_something_in_their_view() -> None:
    deal, first, *_ = _played("detect", 6).steps()
    assert deal.is_visible_to(0, False)
    assert deal.lines(0, SITTERS) == ()
    assert first.move is not None
    assert first.is_visible_to(first.move.seat, False)
    nothing = Step(2, None, first.views, first.views)
    assert not nothing.is_visible_to(0, True)


def test_the_result_and_final_scores_of_a_match_exist_only_after_its_end() -> None:
    match = Match("uncovered", 2, {"mode": "beginner"}, seed=bytes(32))
    with pytest.raises(ValueError, match="not over"):
        _ = match.returns
    assert match.result is None
    match.play(match.acting[0], match.game.words.parse("uncover"))
    assert match.returns == match.game.returns(match.state)
    # In Uncovered! all players win or lose together.
    assert match.result == Result(tuple(match.returns), (0, 1), abandoned=False)
    assert "over" in repr(match)


def test_match_arguments_of_a_wrong_type_raise_an_error_with_the_expected_type() -> None:
    wrong: Any = "text"
    with pytest.raises(TypeError, match="a seed must be 32 bytes, not 'text'; for a text, use seed_from_text"):
        Match("detect", 2, seed=wrong)
    with pytest.raises(TypeError, match="the number of seats must be a whole number, not 'text'"):
        Match("detect", wrong)
    match = Match("detect", 2)
    with pytest.raises(TypeError, match="an action must be a whole number, not 'text'"):
        match.play(0, wrong)
    with pytest.raises(TypeError, match="a seat must be a whole number, not 'text'"):
        match.legal(wrong)
    assert match.play(np.int8(0), np.int32(match.game.words.parse("open a1 b1"))).ply == 1  # type: ignore[arg-type]
