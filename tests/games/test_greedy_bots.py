"""The greedy bots use only what their seat knows, with any options, and beat random players."""

from __future__ import annotations

import random

import pytest

from facedown.bots.simple_bots import greedy, greedy_bot_reason
from facedown.check.random_matches import match_with_random_options, play_randomly
from facedown.core.bot import generator_for
from facedown.core.game_registry import catalogue
from facedown.core.hidden_cards import redeal
from facedown.core.match import Match
from facedown.core.random_numbers import key_of
from tests.bots.positions import iterate_turns


@pytest.mark.parametrize("game", list(catalogue()))
def test_greedy_bots_choose_the_same_whatever_the_hidden_cards_are(game: str, seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(30):
        match = match_with_random_options(game, rnd)
        play_randomly(match, rnd, rnd.randint(0, 40))
        for seat in match.acting:
            view = match.known(seat)
            worlds = [redeal(view, key_of(rnd.randbytes(32))) for _ in range(3)]
            (chosen,) = {int(greedy(s, seat, generator_for(1))) for s in (view, match.state, *worlds)}
            assert chosen in match.legal(seat)
            assert isinstance(greedy_bot_reason(match.game, view, seat, chosen), str)


@pytest.mark.parametrize(("game", "seats", "fewest"), [("reveal", 2, 32), ("scout", 3, 37)])
def test_greedy_bots_beat_random_players(game: str, seats: int, fewest: int, seed: int) -> None:
    """They win 99 % of matches against random players: fewer than `fewest` of 40 would be extremely unlikely."""
    rnd, won = random.Random(seed), 0
    for number in range(40):
        mine = number % seats
        match = Match(game, seats, seed=rnd.randbytes(32))
        for _ply, seat in iterate_turns(match):
            chosen = int(greedy(match.known(seat), seat, generator_for(1)))
            match.play(seat, chosen if seat == mine else rnd.choice(match.legal(seat)))
        returns = match.game.returns(match.state)
        own = returns.pop(mine)
        won += own > max(returns)
    assert won >= fewest
