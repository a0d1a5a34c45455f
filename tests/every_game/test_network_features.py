"""Network features: they hold only what the seat knows, and offer every legal move."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

from facedown.check.random_matches import GAMES
from facedown.core import hidden_cards
from facedown.core.features import NO_MOVE, Features
from facedown.core.game_registry import game
from facedown.core.match import Match
from facedown.core.state import Position
from tests.bots.positions import iterate_turns
from tests.conftest import seed_for
from tests.not_none import given

GAMES_WITH_FEATURES = [name for name in GAMES if game(name).features is not None]
#: Matches for each number of seats, and moves in each.
MATCHES = 2
PLIES = 60


def sample_positions(name: str, rnd: random.Random) -> Iterator[Match]:
    """Yield a match at each of its positions, for all numbers of seats; some moves are greedy to get further."""
    low, high = game(name).info.seats
    for seats in range(low, high + 1):
        for number in range(MATCHES):
            match = Match(game(name), seats, {}, rnd.randbytes(32))
            policy = game(name).policy
            for _ply, seat in iterate_turns(match, PLIES):
                yield match
                action = rnd.choice(match.legal(seat))
                if policy is not None and (number == 0 or rnd.random() < 0.3):
                    action = int(policy.greedy(match.known(seat), seat, np.ones(1, np.uint64)))
                match.play(seat, action)


def features_and_moves(of: Features[Position], s: Position, seat: int) -> tuple[bytes, bytes]:
    """Return features and moves, written into arrays that held other values."""
    known = np.full(of.layout.size, 77, np.int8)
    of.write(s, seat, known)
    actions = np.full(of.layout.output_count, 12345, np.int32)
    of.moves(s, seat, actions)
    return known.tobytes(), actions.tobytes()


@pytest.mark.parametrize("name", GAMES_WITH_FEATURES)
def test_network_features_depend_only_on_a_seats_view_and_network_outputs_are_legal_moves(name: str) -> None:
    rnd, of = random.Random(seed_for(f"features {name}")), given(game(name).features)
    for match in sample_positions(name, rnd):
        key = np.frombuffer(rnd.randbytes(32), np.uint32).copy()
        for seat in match.acting:
            view = match.known(seat)
            told = features_and_moves(of, match.state, seat)
            assert told == features_and_moves(of, view, seat), f"seat {seat}: a view is told otherwise than the state"
            assert told == features_and_moves(of, hidden_cards.redeal(view, key), seat), (
                f"seat {seat}: the hidden cards show"
            )
            # Every open output is a different legal move. Without open outputs the only legal action is the pause
            # before the next round.
            actions, legal = np.zeros(of.layout.output_count, np.int32), match.legal(seat)
            count = of.moves(view, seat, actions)
            open_ones = actions[actions != NO_MOVE].tolist()
            assert count == len(open_ones) == len(set(open_ones))
            assert set(open_ones) <= set(legal)
            assert open_ones or legal == [match.game.rules.pause]


@pytest.mark.parametrize("name", GAMES_WITH_FEATURES)
def test_the_leak_check_finds_a_hidden_card_planted_in_the_network_features(name: str) -> None:
    """A planted leak: the first feature is a hidden card of the state."""
    of = given(game(name).features)

    def leaking(s: Position, seat: int, out: np.ndarray) -> None:
        of.write(s, seat, out)
        out[0] = s.card[0]

    planted = Features(of.layout, leaking, of.moves, of.secrets, of.rewards)
    rnd = random.Random(7)
    for match in sample_positions(name, rnd):
        seat = match.acting[0]
        if match.known(seat).card[0] == hidden_cards.UNKNOWN:
            assert features_and_moves(planted, match.state, seat) != features_and_moves(
                planted, match.known(seat), seat
            )
            return
    raise AssertionError("no card was hidden")


@pytest.mark.parametrize("name", GAMES_WITH_FEATURES)
def test_hidden_card_inputs_of_the_critic_are_complete_and_differ_between_possible_deals(name: str) -> None:
    """All secrets are written, and they differ between worlds that fit the same view."""
    rnd = random.Random(seed_for(f"secrets {name}"))
    of = given(game(name).features)
    if of.layout.secret_size == 0:
        return
    differ = 0
    for match in sample_positions(name, rnd):
        seat = match.acting[0]
        found = [np.full(of.layout.secret_size, fill, np.int8) for fill in (3, 9)]
        for out in found:
            of.secrets(match.state, seat, out)
        assert (found[0] == found[1]).all()
        key = np.frombuffer(rnd.randbytes(32), np.uint32).copy()
        of.secrets(hidden_cards.redeal(match.known(seat), key), seat, found[1])
        differ += bool((found[0] != found[1]).any())
    assert differ > 0
