"""The greedy bot of SCOUT: its moves and reasons."""

from __future__ import annotations

import random
from typing import Any

import pytest

from facedown.core.bot import generator_for
from facedown.core.hidden_cards import redeal
from facedown.core.match import Match
from facedown.core.random_numbers import key_of
from facedown.core.translation import use_language
from facedown.games.scout.action_text import action_notation, parse
from facedown.games.scout.bots.policy import greedy, reason
from facedown.games.scout.state import Phase
from tests.games.scout.positions import pose


def test_greedy_bot_in_scout_shows_its_whole_hand_to_end_the_round_when_it_can() -> None:
    m = pose(["8/1 8/2 8/3", "1/5 2/7 4/6 9/1", "1/6 3/5 4/9 7/1"], "5/2 6/9 7/3", owner=1)
    assert action_notation(greedy(m.known(0), 0, generator_for(1))) == "show 1-3"


def test_greedy_bot_in_scout_scouts_a_card_that_joins_a_run() -> None:
    m = pose(["2/7 3/8 4/6 6/2 7/10 1/8", "1/5 2/9 4/8 9/1", "1/6 2/5 4/9 7/1"], "5/9 5/8 5/7", owner=1)
    m.state.marker[0] = 0
    assert action_notation(greedy(m.known(0), 0, generator_for(1))).endswith("kept at 3")


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_reasons_given_by_the_greedy_bot_in_scout_do_not_depend_on_hidden_cards(seats: int, seed: int) -> None:
    lot = random.Random(seed)
    m = Match("scout", seats, seed=lot.randbytes(32))
    heard = set()
    while not m.over and m.ply < 150:
        seat = lot.choice(m.acting)
        view = m.known(seat)
        action = greedy(view, seat, generator_for(m.ply))
        if m.state.phase != Phase.SCORING:
            said = reason(view, seat, action)
            assert said, action_notation(action)
            world: Any = redeal(view, key_of(lot.randbytes(32)))
            assert reason(world, seat, action) == said
            with use_language("de"):
                assert reason(view, seat, action) != said, f"no German for {said}"
            heard.add(said.split(" ")[0])
        m.play(seat, action if lot.random() < 0.8 else lot.choice(m.legal(seat)))
    assert len(heard) > 2


def test_greedy_bot_in_scout_gives_a_reason_for_keeping_or_flipping_its_hand() -> None:
    m = pose(["1/5 2/7 3/6 4/9 6/8", "2/8 9/1", "1/6 7/1"])
    m.state.phase = Phase.FLIP
    view = m.known(0)
    assert reason(view, 0, parse("keep")) == "this way up, you can show your whole hand in fewer sets: 2 instead of 3"
    assert (
        reason(view, 0, parse("flip"))
        == "this way up, showing your whole hand takes 3 sets instead of 2, but those sets look better"
    )
