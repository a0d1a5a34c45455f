"""Random playouts in compiled batches: the same rules and deals as in `Match`, and right counts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from facedown.core.game_registry import catalogue, game
from facedown.core.match import Match
from facedown.core.random_numbers import key_of, quick_randint
from facedown.core.seeds import seed_from_text
from facedown.core.state import ABANDONED, to_bytes
from facedown.simulate.random_playouts import deal_batch, playouts, write_key_and_seed_generator

SEED = "a batch"


def match_of(name: str, seats: int, number: int) -> tuple[Match, NDArray[np.uint64]]:
    """Return match `number` of the batch, as `Match` deals it, and the generator that chooses its moves."""
    key, q = np.empty(8, np.uint32), np.empty(1, np.uint64)
    write_key_and_seed_generator(key_of(seed_from_text(SEED)), number, 0, key, q)
    return Match(name, seats, seed=key.tobytes()), q


@pytest.mark.parametrize("name", catalogue())
def test_random_playouts_in_a_batch_have_the_same_results_as_matches_played_move_by_move(name: str) -> None:
    """Both use the same generator."""
    seats = catalogue()[name].seats[0]
    tally = playouts(name, 2, seats, seed=SEED)
    decisions = rounds = abandoned = 0
    pause = game(name).rules.pause
    for number in range(2):
        match, q = match_of(name, seats, number)
        while not match.over:
            seat = match.acting[0]
            legal = match.legal(seat)
            match.play(seat, legal[int(quick_randint(q, len(legal)))])
        pauses = sum(move.action == pause for move in match.moves)
        decisions += match.ply - pauses
        rounds += 1 + pauses // seats
        abandoned += int(match.state.over) == ABANDONED
        assert tally.returns[number].tolist() == match.game.returns(match.state)
    assert (tally.decisions, tally.rounds, tally.abandoned) == (decisions, rounds, abandoned)


def test_results_of_a_batch_of_random_playouts_do_not_change_if_it_is_split_in_two() -> None:
    whole = playouts("detect", 5, 3, seed=SEED)
    parts = [playouts("detect", 2, 3, seed=SEED), playouts("detect", 3, 3, seed=SEED, first=2)]
    assert np.array_equal(whole.returns, np.concatenate([part.returns for part in parts]))
    assert whole.decisions == sum(part.decisions for part in parts)


def test_same_seed_gives_the_same_random_playouts_and_a_different_seed_different_playouts() -> None:
    first, again, other = (playouts("detect", 2, seed=seed) for seed in (SEED, SEED, None))
    assert np.array_equal(first.returns, again.returns)
    assert not np.array_equal(first.returns, other.returns)
    assert playouts("detect", 2, seed=SEED, keep_returns=False).returns.shape == (0, 2)


def test_states_dealt_in_a_batch_equal_those_of_single_matches_with_the_same_keys() -> None:
    states = deal_batch("detect", 3, 4, seed=SEED)
    for number in range(3):
        assert to_bytes(states[number]) == to_bytes(match_of("detect", 4, number)[0].state)


def test_rule_option_given_to_a_batch_is_used_in_its_deals() -> None:
    states = deal_batch("detect", 2, options={"initial_discard": "empty"}, seed=SEED)
    assert [int(state.discard_count) for state in states] == [0, 0]


@pytest.mark.parametrize(
    ("play", "said"),
    [
        (lambda: playouts("detect", 0), "matches must be at least 1, not 0"),
        (lambda: deal_batch("detect", -1), "matches must be at least 1, not -1"),
        (lambda: playouts("detect", 1, seats=1), "Detect is for 2 to 8 players, not 1"),
        (lambda: playouts("detect", 1, options={"x": "y"}), "unknown option x"),
    ],
)
def test_random_playouts_refuse_a_wrong_number_of_matches_or_players_or_an_unknown_option(
    play: Callable[[], object], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        play()
