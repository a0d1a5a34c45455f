"""The endgame bot of Reveille: it keeps won positions won, and prefers moves that allow the opponent more errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from facedown.bots.simple_bots import GreedyBot, RandomBot
from facedown.core.bot import NotAView
from facedown.core.game_registry import game
from facedown.core.hidden_cards import known_view
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.games.reveille.bots.endgame_bot import (
    EndgameBot,
    UnsupportedGame,
    are_hands_known,
    judge,
    known_hands_by_seat,
)
from facedown.games.reveille.bots.endgame_solver import WIN_ALL, WIN_NONE, WIN_POINTS, EndgamePosition, Objective
from facedown.games.reveille.cards import BONES, NELLO, bones_in_set, legal_replies, reply_wins, trick_points
from facedown.games.reveille.rules import Act, EndReason, hand_mask
from tests.games.reveille.positions import stage_two

REVEILLE = game("reveille")


class CountingBot:
    """A bot that counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, game: Any, view: Any, seat: int, seed: int) -> int:
        self.asked += 1
        return int(game.legal(view, seat)[0])


def match_at_auction(seed: int, options: dict[str, str] | None = None) -> Match:
    """Return a match whose first stage was played at random."""
    match = Match(REVEILLE, 2, options or {}, seed_from_text(str(seed)))
    player = RandomBot()
    while not are_hands_known(match.state):
        seat = match.acting[0]
        match.play(seat, player.choose(REVEILLE, match.known(seat), seat, match.ply + 1000 * seed))
    return match


@pytest.mark.parametrize("options", [{}, {"must_ruff": "yes"}, {"bid42": "all_tricks"}, {"pass_final": "yes"}], ids=str)
def test_the_endgame_bot_wins_every_theoretically_won_position(options: dict[str, str], seed: int) -> None:
    exact = EndgameBot(CountingBot())
    won = 0
    # Every second hand is won: 40 hands contain one, except with a chance of one in a million million.
    for number in range(40):
        if number >= 10 and won > 0:
            break
        match = match_at_auction(seed + number, options)
        me = number % 2
        value = None
        other = RandomBot() if number % 4 < 2 else GreedyBot()
        while are_hands_known(match.state):
            seat = match.acting[0]
            view = match.known(seat)
            if value is None:
                best = max(found.value for found in judge(view, seat))
                value = best if seat == me else -best
            player = exact if seat == me else other
            match.play(seat, player.choose(REVEILLE, view, seat, match.ply))
        assert match.state.ended != EndReason.CLAIMED_FALSELY or match.state.mark_to == me
        if value == 1:
            won += 1
            assert int(match.state.mark_to) == me, f"seed {seed}, hand {number}"
    assert won > 0


def test_each_player_of_reveille_knows_both_hands_in_stage_two(seed: int) -> None:
    state = match_at_auction(seed).state
    for seat in range(2):
        assert known_hands_by_seat(known_view(state, seat), seat) == tuple(int(hand_mask(state, s)) for s in range(2))


@pytest.mark.parametrize(("bid", "claims"), [(23, True), (25, False)])
def test_the_endgame_bot_claims_the_hand_only_when_its_bid_is_made(bid: int, claims: bool) -> None:
    match = stage_two(("53 44 20", "61 50 32"), "6", bid=bid, points=(0, 23), tricks=(0, 4))
    assert (EndgameBot(CountingBot()).choose(REVEILLE, match.known(1), 1, 0) == Act.CLAIM) == claims


def test_the_endgame_bot_leaves_moves_in_stage_one_to_a_fallback_bot(seed: int) -> None:
    stranger = CountingBot()
    match = Match(REVEILLE, 2, {}, seed_from_text(str(seed)))
    seat = match.acting[0]
    assert EndgameBot(stranger).choose(REVEILLE, match.known(seat), seat, 0) == match.legal(seat)[0]
    assert stranger.asked == 1


def test_the_endgame_bot_refuses_full_states_views_of_other_seats_and_other_games(seed: int) -> None:
    match = match_at_auction(seed)
    seat = match.acting[0]
    exact = EndgameBot(CountingBot())
    with pytest.raises(NotAView):
        exact.choose(REVEILLE, match.state, seat, 0)
    with pytest.raises(NotAView):
        exact.choose(REVEILLE, match.known(1 - seat), seat, 0)
    with pytest.raises(UnsupportedGame, match="not Detect"):
        exact.choose(game("detect"), match.known(seat), seat, 0)


# --- against a noisy opponent: the table compared with plain recursion ------------------------------------------------


def best_chance(chances: dict[int, float], mine: bool, noise: float) -> float:
    """Return the best chance at a move of `mine`, else the worst one, or with probability `noise` the mean."""
    found = chances.values()
    return max(found) if mine else (1 - noise) * min(found) + noise * sum(found) / len(found)


def play_chances(
    duel: Objective, contract: int, hands: tuple[int, int], need: int, leader: int, lead: int | None
) -> dict[int, float]:
    """Return the chance of the mark after each legal play, from the rules; a bone led still counts as in its hand."""
    goal, declarer, me, _, noise = duel
    replier = 1 - leader
    if lead is None:
        held = bones_in_set(hands[leader])
        return {
            bone: best_chance(play_chances(duel, contract, hands, need, leader, bone), replier == me, noise)
            for bone in held
        }
    found = {}
    for reply in bones_in_set(int(legal_replies(contract, lead, hands[replier], False))):
        winner = replier if reply_wins(contract, lead, reply) else leader
        first, second = (hand & ~(1 << lead | 1 << reply) for hand in hands)
        then = need - int(trick_points(lead, reply)) * (winner == declarer)
        if goal == WIN_POINTS and then <= 0:
            found[reply] = float(me == declarer)
        elif goal != WIN_POINTS and (winner == declarer) != (goal == WIN_ALL):
            found[reply] = float(me != declarer)
        elif not first:
            found[reply] = float((me == declarer) == (goal != WIN_POINTS))
        else:
            found[reply] = best_chance(
                play_chances(duel, contract, (first, second), then, winner, None), winner == me, noise
            )
    return found


@pytest.mark.parametrize("goal", [WIN_POINTS, WIN_ALL, WIN_NONE])
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_win_chances_against_an_opponent_with_random_mistakes_equal_those_of_a_plain_recursion(
    goal: int, noise: float, rng: np.random.Generator
) -> None:
    for case in range(12):
        size = int(rng.integers(1, 5))
        bones = [int(bone) for bone in rng.permutation(BONES)]
        first, second = (sum(1 << bone for bone in part) for part in (bones[:size], bones[size : 2 * size]))
        contract = NELLO if goal == WIN_NONE else int(rng.integers(0, 7))
        declarer, leader = int(rng.integers(0, 2)), int(rng.integers(0, 2))
        need = int(rng.integers(1, 15)) if goal == WIN_POINTS else 0
        led = bones[0] if leader == 0 else bones[size]
        replying = case % 2 == 1
        duel = goal, declarer, 1 - leader if replying else leader, False, noise
        wanted = play_chances(duel, contract, (first, second), need, leader, led if replying else None)
        lead, hands = None, (first, second)
        if replying:
            lead, hands = led, (first & ~(1 << led), second & ~(1 << led))
        found = EndgamePosition(hands, contract, declarer, 0, leader, lead).values(duel, need)
        assert found == pytest.approx(wanted, abs=1e-5)
