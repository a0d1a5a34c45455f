"""The greedy bots look at nothing that their seat does not know, whatever the options."""

from __future__ import annotations

import random

import pytest

from facedown.bots.greedy import greedy, reason
from facedown.check.driver import play_randomly, random_match
from facedown.core.bot import generator_for
from facedown.core.chance import key_of
from facedown.core.game import catalogue
from facedown.core.slots import redeal


@pytest.mark.parametrize("game", list(catalogue()))
def test_they_answer_alike_on_a_state_its_view_and_any_world_that_fits(game: str, seed: int) -> None:
    rnd = random.Random(seed)
    for _ in range(30):
        match = random_match(game, rnd)
        play_randomly(match, rnd, rnd.randint(0, 40))
        for seat in match.acting:
            view = match.known(seat)
            worlds = [redeal(view, key_of(rnd.randbytes(32))) for _ in range(3)]
            (chosen,) = {int(greedy(s, seat, generator_for(1))) for s in (view, match.state, *worlds)}
            assert chosen in match.legal(seat)
            assert isinstance(reason(match.game, view, seat, chosen), str)
