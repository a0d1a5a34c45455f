"""The partner bot of Uncovered!: optimal if all cards are known, certain when it uncovers, based on its view alone."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.core.bot import generator_for
from facedown.core.game_registry import game
from facedown.core.hidden_cards import known_view, redeal
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR, State, View, copy, plain_view
from facedown.games.uncovered.bots.partner_bot import PartnerBot, can_uncover_safely, rank_swaps, rollout_policy
from facedown.games.uncovered.optimal_turns import shortest_winning_swaps
from facedown.games.uncovered.rules import TURN_CAP, Act, Phase, UncoveredPosition, is_winning_position
from facedown.games.uncovered.view import hands
from tests.bots.positions import iterate_turns

UNCOVERED = game("uncovered")
#: A partner bot with a short search.
QUICK = PartnerBot(looks=1)


def deal(seed: int, seats: int, **options: str) -> Match:
    return Match(UNCOVERED, seats, options, seed_from_text(str(seed)))


def worlds_of(view: View, n: int) -> list[State]:
    return [redeal(view, np.full(8, 1 + i, np.uint32)) for i in range(n)]


def quick_choice(match: Match, seat: int, seed: int = 0) -> int:
    return QUICK.choose(UNCOVERED, match.known(seat), seat, seed)


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_partner_bot_plays_perfectly_in_beginner_mode(seats: int, seed: int) -> None:
    for number in range(4):
        match = deal(seed + number, seats, mode="beginner")
        fewest = len(
            shortest_winning_swaps(hands(plain_view(match.known(SPECTATOR), UncoveredPosition)), int(match.state.start))
        )
        while not match.over:
            match.play(match.acting[0], quick_choice(match, match.acting[0], match.ply))
        assert (match.state.won, match.state.turn) == (1, fewest)


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"mode": "intermediate"}),
        (4, {"mode": "intermediate", "turning": "choice"}),
        (3, {"mode": "advanced"}),
        (4, {"mode": "advanced", "swap_visibility": "face_down"}),
        (4, {"mode": "advanced", "single_colour_win": "yes"}),
    ],
    ids=str,
)
def test_the_partner_bot_uncovers_only_when_certain_and_wins(seats: int, options: dict[str, str], seed: int) -> None:
    for number in range(2):
        match = deal(seed + number, seats, **options)
        for _ply, seat in iterate_turns(match):
            view = match.known(seat)
            action = quick_choice(match, seat, match.ply)
            if int(view.phase) == Phase.TURNING:
                assert action == Act.TURN
            elif action == Act.UNCOVER:
                assert all(is_winning_position(world) for world in worlds_of(view, 20))
            else:
                assert not can_uncover_safely(view, seat)
            match.play(seat, action)
        assert int(match.state.won) == 1, f"deal {seed + number}"


def test_the_partner_bot_tries_the_most_promising_swaps_in_the_most_simulated_deals(seed: int) -> None:
    match = deal(seed, 4, mode="advanced")
    seat = match.acting[0]
    found = rank_swaps(match.known(seat), seat, 1, looks=3)
    assert len({action for action, _turns, _worlds in found}) == len(found) > 4
    assert {action for action, _turns, _worlds in found} <= set(match.legal(seat))
    most = [worlds for _action, _turns, worlds in found]
    assert most == sorted(most, reverse=True)
    assert most[0] == 4 * most[-1]
    in_the_end = [turns for _action, turns, worlds in found if worlds == most[0]]
    assert in_the_end == sorted(in_the_end)


@pytest.mark.parametrize("options", [{"mode": "intermediate"}, {"mode": "advanced"}], ids=str)
def test_the_partner_bots_choice_depends_on_the_view_alone(options: dict[str, str], seed: int) -> None:
    match = deal(seed, 3, **options)
    for _ply, seat in iterate_turns(match, 6):
        view = match.known(seat)
        action = QUICK.choose(UNCOVERED, view, seat, 5)
        assert action == QUICK.choose(UNCOVERED, view, seat, 5)
        assert action == QUICK.choose(UNCOVERED, known_view(worlds_of(view, 1)[0], seat), seat, 5)
        match.play(seat, action)


def test_the_partner_bots_rollout_policy_uses_only_what_the_acting_seat_knows(seed: int) -> None:
    """Rollouts pass a state to the rollout policy, which must choose the same as on that seat's view."""
    match = deal(seed, 4, mode="advanced")
    for _ply, seat in iterate_turns(match, 12):
        from_state = int(rollout_policy(match.state, seat, generator_for(match.ply)))
        assert from_state == int(rollout_policy(match.known(seat), seat, generator_for(match.ply)))
        match.play(seat, from_state)


def test_the_partner_bot_uncovers_before_the_turn_limit(seed: int) -> None:
    match = deal(seed, 3, mode="advanced")
    seat = match.acting[0]
    state = copy(match.state)
    turns = TURN_CAP - TURN_CAP % 3
    state.turn = turns - 6
    assert QUICK.choose(UNCOVERED, known_view(state, seat), seat, 0) != Act.UNCOVER
    state.turn = turns - 0 if turns < TURN_CAP else turns - 3
    assert QUICK.choose(UNCOVERED, known_view(state, seat), seat, 0) == Act.UNCOVER


def test_the_partner_bot_refuses_other_games_and_seats_not_to_act(seed: int) -> None:
    match = deal(seed, 3)
    seat = match.acting[0]
    with pytest.raises(ValueError, match="not Detect"):
        QUICK.choose(game("detect"), match.known(seat), seat, 0)
    other = (seat + 1) % 3
    with pytest.raises(ValueError, match="cannot move now"):
        QUICK.choose(UNCOVERED, match.known(other), other, 0)
