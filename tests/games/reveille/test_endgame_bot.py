"""Reveille's second stage: what is won stays won, whatever the other does; among equals more ways for him to err."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from facedown.bots.greedy import GreedyBot, RandomBot
from facedown.core.bot import NotAView
from facedown.core.game import game
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.slots import known_view, redeal
from facedown.games.reveille.cards import BONES, NELLO, legal_replies, members, reply_wins, trick_points
from facedown.games.reveille.endgame import WIN_ALL, WIN_NONE, WIN_POINTS, EndgamePosition
from facedown.games.reveille.endgame_bot import EndgameBot, OnlyReveille, in_stage_two, judge, known_hands
from facedown.games.reveille.rules import Act, hand_of

REVEILLE = game("reveille")


class Stranger:
    """A bot that must not be asked, or that says it was."""

    def __init__(self) -> None:
        self.asked = 0

    def choose(self, game: Any, view: Any, seat: int, seed: int) -> int:
        self.asked += 1
        return int(game.legal(view, seat)[0])


def at_the_auction(seed: int, options: dict[str, str] | None = None) -> Match:
    """A match whose first stage random players have played."""
    match = Match(REVEILLE, 2, options or {}, seed_from_text(str(seed)))
    player = RandomBot()
    while not in_stage_two(match.state):
        seat = match.acting[0]
        match.play(seat, player.choose(REVEILLE, match.known(seat), seat, match.ply + 1000 * seed))
    return match


@pytest.mark.parametrize("options", [{}, {"must_ruff": "yes"}, {"bid42": "all_tricks"}, {"pass_final": "yes"}], ids=str)
def test_what_is_won_stays_won(options: dict[str, str], seed: int) -> None:
    exact = EndgameBot(Stranger())
    won = 0
    # Every other hand is won: of 40 the chance of none is one in a million million.
    for number in range(40):
        if number >= 10 and won > 0:
            break
        match = at_the_auction(seed + number, options)
        me = number % 2
        value = None
        other = RandomBot() if number % 4 < 2 else GreedyBot()
        while in_stage_two(match.state):
            seat = match.acting[0]
            view = match.known(seat)
            if value is None:
                best = max(found.value for found in judge(view, seat))
                value = best if seat == me else -best
            player = exact if seat == me else other
            match.play(seat, player.choose(REVEILLE, view, seat, match.ply))
        if value == 1:
            won += 1
            assert int(match.state.mark_to) == me, f"seed {seed}, hand {number}"
    assert won > 0


def test_the_other_hand_is_known_as_every_redeal_has_it(seed: int) -> None:
    state = at_the_auction(seed).state
    for seat in range(2):
        view = known_view(state, seat)
        world = redeal(view, np.arange(8, dtype=np.uint32))
        assert known_hands(view, seat) == tuple(int(hand_of(world, s)) for s in range(2))
        assert known_hands(view, seat) == tuple(int(hand_of(state, s)) for s in range(2))


def test_it_claims_what_it_has_won(seed: int) -> None:
    exact = EndgameBot(Stranger())
    claims = 0
    # About one hand in twelve comes to a claim: of 200 the chance of none is 3 in 100 million.
    for number in range(200):
        if number >= 12 and claims > 0:
            break
        match = at_the_auction(seed + number)
        while in_stage_two(match.state):
            seat = match.acting[0]
            action = exact.choose(REVEILLE, match.known(seat), seat, 0)
            if action == Act.CLAIM:
                claims += 1
                assert match.state.points[seat] >= match.state.high
            match.play(seat, action)
        assert int(match.state.ended) != 2, "a false claim"
    assert claims > 0


def test_stage_one_is_the_other_bots(seed: int) -> None:
    stranger = Stranger()
    match = Match(REVEILLE, 2, {}, seed_from_text(str(seed)))
    seat = match.acting[0]
    assert EndgameBot(stranger).choose(REVEILLE, match.known(seat), seat, 0) == match.legal(seat)[0]
    assert stranger.asked == 1


def test_it_takes_views_only_and_reveille_only(seed: int) -> None:
    match = at_the_auction(seed)
    seat = match.acting[0]
    exact = EndgameBot(Stranger())
    with pytest.raises(NotAView):
        exact.choose(REVEILLE, match.state, seat, 0)
    with pytest.raises(NotAView):
        exact.choose(REVEILLE, match.known(1 - seat), seat, 0)
    with pytest.raises(OnlyReveille, match="not Detect"):
        exact.choose(game("detect"), match.known(seat), seat, 0)


def test_the_choice_depends_on_the_view_alone(seed: int) -> None:
    exact = EndgameBot(GreedyBot())
    match = Match(REVEILLE, 2, {}, seed_from_text(str(seed)))
    for _ in range(60):
        if len(match.acting) != 1:
            break
        seat = match.acting[0]
        view = match.known(seat)
        action = exact.choose(REVEILLE, view, seat, match.ply)
        other = redeal(view, np.full(8, match.ply, np.uint32))
        assert exact.choose(REVEILLE, known_view(other, seat), seat, match.ply) == action
        match.play(seat, action)


# --- against a noisy opponent: the table against plain recursion -----------------------------------------------


@dataclass(frozen=True)
class Plain:
    """My chance of the mark, straight from the rules."""

    contract: int
    goal: int
    declarer: int
    me: int
    noise: float

    def between_tricks(self, hands: tuple[int, int], need: int, leader: int) -> float:
        if self.goal == WIN_POINTS and need <= 0:
            return float(self.me == self.declarer)
        if not hands[0]:
            return float((self.me == self.declarer) == (self.goal != WIN_POINTS))
        return self.choice(self.leads(hands, need, leader), leader)

    def choice(self, chances: dict[int, float], seat: int) -> float:
        """I take the best; the other what is worst for me, or now and then any."""
        found = chances.values()
        if seat == self.me:
            return max(found)
        return (1 - self.noise) * min(found) + self.noise * sum(found) / len(found)

    def leads(self, hands: tuple[int, int], need: int, leader: int) -> dict[int, float]:
        held = [bone for bone in range(BONES) if hands[leader] >> bone & 1]
        return {bone: self.choice(self.replies(hands, need, leader, bone), 1 - leader) for bone in held}

    def replies(self, hands: tuple[int, int], need: int, leader: int, lead: int) -> dict[int, float]:
        """My chance for each legal reply to a lead that is still counted in its player's hand."""
        found = {}
        legal = int(legal_replies(self.contract, lead, hands[1 - leader], False))
        for reply in members(legal):
            winner = 1 - leader if reply_wins(self.contract, lead, reply) else leader
            first, second = (hand & ~(1 << lead | 1 << reply) for hand in hands)
            then = need - int(trick_points(lead, reply)) * (winner == self.declarer)
            if self.goal != WIN_POINTS and (winner == self.declarer) != (self.goal == WIN_ALL):
                found[reply] = float(self.me != self.declarer)
            else:
                found[reply] = self.between_tricks((first, second), then, winner)
        return found


@pytest.mark.parametrize("goal", [WIN_POINTS, WIN_ALL, WIN_NONE])
@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_chances_agree_with_plain_recursion(goal: int, noise: float, rng: np.random.Generator) -> None:
    for case in range(12):
        size = int(rng.integers(1, 5))
        bones = [int(bone) for bone in rng.permutation(BONES)]
        first, second = (sum(1 << bone for bone in part) for part in (bones[:size], bones[size : 2 * size]))
        contract = NELLO if goal == WIN_NONE else int(rng.integers(0, 7))
        declarer, leader = int(rng.integers(0, 2)), int(rng.integers(0, 2))
        need = int(rng.integers(1, 15)) if goal == WIN_POINTS else 0
        led = bones[0] if leader == 0 else bones[size]
        replying = case % 2 == 1
        plain = Plain(contract, goal, declarer, 1 - leader if replying else leader, noise)
        lead, hands = None, (first, second)
        wanted = plain.leads(hands, need, leader)
        if replying:
            lead, hands = led, (first & ~(1 << led), second & ~(1 << led))
            wanted = plain.replies((first, second), need, leader, led)
        position = EndgamePosition(hands, contract, declarer, 0, leader, lead)
        found = position.values((goal, declarer, plain.me, False, noise), need)
        assert found == pytest.approx(wanted, abs=1e-5)
