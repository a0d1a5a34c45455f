"""Declared limits of a match: number of actions, lowest and highest return."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from facedown.check.random_matches import GAMES, match_with_random_options, play_randomly
from facedown.core.game_registry import game
from facedown.core.match import Match
from facedown.core.match_limits import MAX_SCORE, UNLIMITED_ACTIONS, Limits
from facedown.games.reveal.info import INFO

MATCHES = 12


def check(match: Match, limits: Limits) -> None:
    assert match.ply <= limits.actions
    returns = match.game.returns(match.state)
    assert limits.lowest <= min(returns), (match, returns)
    assert max(returns) <= limits.highest, (match, returns)


def end_of_first_round(match: Match) -> bool:
    return match.over or match.legal(match.acting[0]) == [match.game.rules.pause]


@pytest.mark.parametrize("name", GAMES)
def test_random_matches_stay_within_the_declared_limits_of_actions_and_score(name: str, seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(MATCHES):
        match = match_with_random_options(name, rnd)
        while not end_of_first_round(match):
            play_randomly(match, rnd, 1)
        check(match, match.game.limits_of(match.seats, match.options, one_round=True))
        play_randomly(match, rnd, 400)
        check(match, match.game.limits_of(match.seats, match.options))


def test_a_reveal_hand_can_reach_the_declared_maximum_number_of_actions() -> None:
    """Reveal with one change each, cards swapped one by one: the most actions that a hand can have."""
    match = Match("reveal", 2, {"swap_batch": "no", "final_changes_cap": "changes(1)", "end": "hands(1)"}, bytes(32))
    limits = match.game.limits_of(2, match.options)
    while not match.over:
        # The lowest action swaps a card, and chooses a column without confirming it.
        match.play(match.acting[0], match.legal(match.acting[0])[0])
    assert match.ply == limits.actions - 2, "no one goes on after the last hand"


def test_a_lost_uncovered_match_returns_the_lowest_declared_score() -> None:
    match = Match("uncovered", 2, {}, bytes(32))
    match.play(match.acting[0], match.legal(match.acting[0])[-1])
    assert match.returns == [match.game.limits_of(2, match.options).lowest] * 2


def test_score_limits_depend_on_rule_options_and_a_game_without_declared_limits_has_none() -> None:
    loaded = game("reveal")
    three, five = ({**INFO.complete(2, {}), "end": f"hands({n})"} for n in (3, 5))
    assert loaded.limits_of(2, three).highest == 30
    assert loaded.limits_of(2, five).highest == 50
    assert loaded.limits_of(2, {**five, "tie": "extra_hand"}).highest == 1000
    assert replace(loaded, limits=None).limits_of(2, three) == Limits(UNLIMITED_ACTIONS, -MAX_SCORE, MAX_SCORE)
