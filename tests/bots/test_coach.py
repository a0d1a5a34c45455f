"""The coach: advice from a view alone, exact where a solver applies, and reviews that find mistakes."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.bots.coach import advise, review
from facedown.core.advice import CHANCE, TURNS
from facedown.core.bot import NotAView
from facedown.core.game_registry import catalogue
from facedown.core.hidden_cards import known_view, redeal
from facedown.core.match import Match
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.state import cast_record
from facedown.games.reveille.bots.endgame_bot import are_hands_known
from facedown.games.uncovered.bots.fewest_turns_solver import solve
from facedown.games.uncovered.bots.partner_bot import all_players_know_all_cards
from facedown.games.uncovered.rules import Act, Phase, UncoveredPosition, dealt_hands
from tests.bots.positions import iterate_turns, match_with_two_nines, new_match, played_by_bots
from tests.games.uncovered.positions import match_with_hands
from tests.taken_back import (
    DETECT_STANDING,
    UNCOVERED_STANDING,
    detect_with_take_backs,
    push_all,
    uncovered_with_take_backs,
)

pytestmark = pytest.mark.skipif(INTERPRETED, reason="thousands of rounds are played out")

SIMULATIONS = 150


@pytest.mark.parametrize("name", catalogue())
def test_advice_is_legal_and_ranked_and_depends_on_the_view_only(name: str, seed: int) -> None:
    """The advice is the same in any world that fits the view."""
    rng = np.random.default_rng(seed)
    match = new_match(name, seed)
    for _ply, seat in iterate_turns(match, 12):
        view = match.known(seat)
        found = advise(match.game, view, seat, 7, SIMULATIONS)
        other = redeal(view, rng.integers(0, 2**32, 8, dtype=np.uint32))
        assert found == advise(match.game, known_view(other, seat), seat, 7, SIMULATIONS)
        assert {advice.action for advice in found} <= set(match.legal(seat))
        assert found[0].behind == 0
        assert all(advice.words == match.game.words.words(advice.action) for advice in found)
        if found[0].unit == CHANCE:
            # In SCOUT only promising moves and the move in question are tried.
            legal = match.legal(seat)
            assert name == "scout" or {advice.action for advice in found} == set(legal)
            asked = advise(match.game, view, seat, 7, SIMULATIONS, legal[-1])
            assert legal[-1] in {advice.action for advice in asked} <= set(legal)
            assert all(0 <= advice.value <= 1 for advice in found)
        played_by_bots(match, "random", 1)


def test_the_coach_refuses_to_advise_from_a_full_state_instead_of_a_view() -> None:
    match = new_match("detect", 1)
    with pytest.raises(NotAView):
        advise(match.game, match.state, 0)


def test_coach_advice_in_uncovered_is_legal_when_a_player_decides_whether_to_turn_a_card() -> None:
    """Also if all cards are known, where the solver is used."""
    options = {"mode": "intermediate", "turning": "choice", "tracking": "on"}
    rng = np.random.default_rng(7)
    match = Match("uncovered", 3, options, seed_from_text("turning"))
    asked = 0
    for _ply, seat in iterate_turns(match, 200):
        legal = match.legal(seat)
        if match.state.phase == Phase.TURNING and all_players_know_all_cards(
            cast_record(match.known(seat), UncoveredPosition)
        ):
            asked += 1
            found = advise(match.game, match.known(seat), seat, 7, SIMULATIONS)
            assert {advice.action for advice in found} <= set(legal)
        match.play(seat, int(rng.choice([action for action in legal if action != Act.UNCOVER])))
    assert asked > 3


def test_coach_advice_in_stage_two_of_reveille_has_exact_values_instead_of_estimates(seed: int) -> None:
    match = new_match("reveille", seed)
    while not are_hands_known(match.state):
        played_by_bots(match, "random", 1)
    seat = match.acting[0]
    found = advise(match.game, match.known(seat), seat)
    assert all(advice.exact and advice.value in (0.0, 0.5, 1.0) for advice in found)
    assert [advice.value for advice in found] == sorted((advice.value for advice in found), reverse=True)


def test_coach_advice_in_uncovered_has_exact_values_if_the_player_knows_all_cards(seed: int) -> None:
    match = new_match("uncovered", seed, mode="beginner")
    seat = match.acting[0]
    found = advise(match.game, match.known(seat), seat)
    if match.game.words.words(found[0].action) != "uncover":
        assert all(advice.exact and advice.unit == TURNS for advice in found)
        assert len(found) == len(match.legal(seat)), "uncovering, too"
        assert found[0].value == 0


def test_wasted_turns_in_a_coach_review_of_uncovered_add_up_to_the_turns_above_the_minimum(seed: int) -> None:
    """The wasted turns of the swaps of a won match are those beyond the optimum."""
    match = played_by_bots(new_match("uncovered", seed, mode="beginner"), "greedy", 400)
    assert match.over
    found = review(match)
    assert match.game.returns(match.state)[0] > (match.game.rules.loss_return or 0)
    view = known_view(match.state, 0)
    fewest = solve([[int(card) for card in hand] for hand in dealt_hands(view)], match.moves[0].seat).turns
    swaps = [move for move in match.moves if move.action < Act.UNCOVER]
    assert sum(move.played.value for move in found.moves) == len(swaps) - fewest
    assert all(move.best.value == 0 or move.best.action == move.played.action for move in found.moves)


def test_coach_of_uncovered_says_that_a_swap_wastes_turns_once_all_hands_are_the_same() -> None:
    match = match_with_hands("1234 1234", first=1, mode="beginner")
    words = match.game.words
    found = advise(match.game, match.known(1), 1)
    assert [advice.words for advice in found if advice.value == 0] == ["uncover"]
    match.play(1, words.parse("swap 4 0 3"))
    match.play(0, words.parse("swap 3 1 4"))
    match.play(1, words.parse("uncover"))
    first, second, last = review(match).moves
    assert (first.played.value, first.best.words) == (2, "uncover")
    assert (second.played.value, last.played.value) == (0, 0)


def test_a_review_judges_uncovering_by_what_the_player_knew_not_by_the_actual_cards() -> None:
    """Players do not see their own cards: uncovering hands that are equal only by chance was a risk."""
    match = match_with_hands("1224 1334", first=1, mode="intermediate")
    words = match.game.words
    match.play(1, words.parse("swap 2 0 3"))
    while not match.over:
        seat = match.acting[0]
        match.play(
            seat, words.parse("uncover") if words.parse("uncover") in match.legal(seat) else match.legal(seat)[0]
        )
    judged = {move.played.words: move for move in review(match).moves}
    assert judged["uncover"].mistake
    assert 0 < judged["uncover"].played.lost <= judged["uncover"].played.worlds
    swap = judged["swap 2 0 3"]
    assert swap.hindsight is not None
    assert swap.hindsight.wasted == 0, "with all cards open it was right"
    assert swap.mistake, "and yet another was better by what seat 1 knew"


def test_a_review_does_not_call_the_hinted_move_a_mistake(seed: int) -> None:
    for name in catalogue():
        match = played_by_bots(new_match(name, seed), "greedy", 3)
        if match.over:
            continue
        seat = match.acting[0]
        best = advise(match.game, match.known(seat), seat, 5, 10 * SIMULATIONS)[0]
        match.play(seat, best.action)
        assert not review(match, 10 * SIMULATIONS).moves[-1].mistake, name


def test_coach_advice_in_reveal_does_not_suggest_choosing_the_already_chosen_column_again() -> None:
    match = new_match("reveal", 1)
    words = match.game.words.words
    while not match.moves or not words(match.moves[-1].action).startswith("choose"):
        played_by_bots(match, "greedy", 1)
    seat = match.moves[-1].seat
    chosen = match.moves[-1].action
    tried = {advice.action for advice in advise(match.game, match.known(seat), seat, 1, SIMULATIONS)}
    assert tried == set(match.legal(seat)) - {chosen}


def test_a_review_finds_that_not_completing_a_column_in_detect_was_a_mistake() -> None:
    """Detect: the third 9 on the discard pile was not taken; an 11 was placed into the column instead."""
    found = review(match_with_two_nines("take d1"), 6000)
    worst = max((move for move in found.moves if move.mistake), key=lambda move: move.played.behind)
    assert worst.ply == 2
    assert worst.best.words == "take a3"
    assert worst.played.words == "take d1"
    assert not worst.played.exact
    assert worst.played.behind > 0.02


def test_a_review_covers_every_move_and_reports_progress(seed: int) -> None:
    match = played_by_bots(new_match("reveille", seed), "greedy", 25)
    told: list[int] = []
    found = review(match, SIMULATIONS, told.append)
    assert told == list(range(match.ply))
    for move in found.moves:
        assert match.moves[move.ply].action == move.played.action
        assert match.moves[move.ply].seat == move.seat
    seats = {move.seat for move in found.moves}
    assert sum(len(found.win_probabilities(seat)) for seat in seats) == len(found.moves)


def test_a_review_judges_only_moves_that_were_not_taken_back() -> None:
    match = uncovered_with_take_backs()
    found = review(match, SIMULATIONS).moves
    assert [move.ply for move in found] == UNCOVERED_STANDING
    assert [move.played.action for move in found] == [match.moves[ply].action for ply in UNCOVERED_STANDING]
    assert [move.played.value for move in found] == [2, 0, 0]
    told: list[int] = []
    match = detect_with_take_backs("P1 resign")
    found = review(match, SIMULATIONS, told.append).moves
    assert [move.ply for move in found] == DETECT_STANDING
    assert told == list(range(match.ply))
    assert {move.ply for move in review(match, SIMULATIONS, seat=1).moves} == {3}


def test_evaluations_with_all_cards_face_up_belong_to_the_moves_that_were_not_taken_back() -> None:
    found = review(uncovered_with_take_backs(), SIMULATIONS).moves
    assert [move.hindsight and move.hindsight.wasted for move in found] == [2, 0, 0]


@pytest.mark.parametrize("ending", ["resign", "agreed end"])
def test_moves_are_evaluated_with_all_cards_face_up_also_if_the_match_ended_before_they_were(ending: str) -> None:
    """Plays in a mode in which no player knows all cards."""
    match = match_with_hands("1234 1234", first=1, mode="intermediate")
    found = review(push_all(match, "P1 swap 4 0 3", "P0 swap 3 1 4", f"P1 {ending}"), SIMULATIONS).moves
    assert [move.hindsight and move.hindsight.wasted for move in found] == [2, 0]


def test_win_probabilities_of_a_review_are_those_of_the_match_also_after_exactly_solved_moves(seed: int) -> None:
    match = new_match("reveille", seed)
    while not are_hands_known(match.state):
        played_by_bots(match, "greedy", 1)
    match = played_by_bots(match, "greedy", 4)
    found = review(match, SIMULATIONS)
    solved = {move.ply: move for move in found.moves if move.played.exact}
    chances = dict(found.win_probabilities(0)) | dict(found.win_probabilities(1))
    assert solved
    # In the first of many hands, winning the hand for certain is far from winning the match.
    assert all(0.3 < chances[ply] < 0.7 for ply in solved)
    assert any(move.played.value in (0.0, 1.0) for move in solved.values())
