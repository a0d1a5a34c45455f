"""Compiled bots: in one loop they play what they would play move by move, from what their seats know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from facedown.bots import simple_bots
from facedown.bots.simple_bots import GreedyBot, policy_of
from facedown.core.game_registry import catalogue
from facedown.core.game_registry import game as load_game
from facedown.core.match import Match
from facedown.core.random_numbers import BLOCK_WORDS, DOUBLE_ROUNDS, chacha_block, init_quick, quick_randint
from facedown.simulate.experiment_chunks import column_types_of, play_chunk
from facedown.simulate.experiment_setup import Setup
from facedown.simulate.random_playouts import KEY_WORDS, playouts

SEED = "compiled bots"


def choice_generator(setup: Setup, deal: int, game: int) -> NDArray[np.uint64]:
    """Return the generator of a game's choices."""
    words, q = np.empty(BLOCK_WORDS, np.uint32), np.empty(1, np.uint64)
    chacha_block(setup.master_key, 0, deal, game, words, DOUBLE_ROUNDS)
    init_quick(q, words, KEY_WORDS)
    return q


def choose(match: Match, seat: int, chance: int, q: NDArray[np.uint64]) -> int:
    """Return the action of a seat's bot, from the view of that seat alone."""
    view = match.known(seat)
    legal = match.game.legal(view, seat)
    if chance == 100:
        return legal[int(quick_randint(q, len(legal)))]
    policy = policy_of(match.game.name)
    if chance and quick_randint(q, 100) < chance:
        free = [action for action in legal if not policy.reckless(view, seat, action)]
        if free:
            return free[int(quick_randint(q, len(free)))]
    return int(policy.greedy(view, seat, q))


def play_from_views(setup: Setup, deal: int, game: int) -> tuple[list[float], int, int]:
    """Play a match move by move from views. Returns its points, decisions and rounds."""
    match, q = setup.new_match(deal), choice_generator(setup, deal, game)
    chances = [setup.random_move_percent(name) or 0 for name in setup.bot_names_by_seat(game % len(setup.seatings))]
    pause, decisions, rounds, pausing = match.game.rules.pause, 0, 0, False
    while not match.over:
        seat = match.acting[0]
        action = choose(match, seat, chances[seat], q)
        if action == pause and not pausing:
            rounds += 1
            if rounds == setup.rounds:
                return match.game.returns(match.state), decisions, rounds
        pausing = action == pause
        decisions += not pausing
        match.play(seat, action)
    return match.game.returns(match.state), decisions, rounds + 1


@pytest.mark.parametrize("name", catalogue())
@pytest.mark.parametrize("bots", [("greedy",), ("beginner", "random")])
def test_compiled_bots_get_the_same_results_as_bots_that_see_only_the_view_of_their_seat(
    name: str, bots: tuple[str, ...]
) -> None:
    """No bot looks at a card that it does not know."""
    setup = Setup(name, bots, deals=2, rounds=min(1, 1 + load_pause(name)), repeats=2, seed=SEED)
    if setup.random_move_percent(bots[0]) is None:
        pytest.skip("this game has no greedy bot")
    found = play_chunk(setup, 0)
    assert list(found) == list(column_types_of(setup))
    for row, (deal, seating, repeat) in enumerate(zip(found["deal"], found["seating"], found["repeat"], strict=True)):
        points, decisions, rounds = play_from_views(setup, int(deal), int(repeat) * len(setup.seatings) + int(seating))
        assert [found[f"score_{seat}"][row] for seat in range(setup.seat_count)] == points
        assert (found["decisions"][row], found["rounds"][row]) == (decisions, rounds)


def load_pause(name: str) -> int:
    """Return -1 for a game without rounds (its whole matches are played) and 0 for others (one round is)."""
    return min(0, Setup(name, ("random",)).module.rules.pause)


def test_matches_of_random_bots_have_the_same_results_as_random_playouts_of_the_same_seed() -> None:
    for name in catalogue():
        setup = Setup(name, ("random",), deals=3, seed=SEED)
        found, tally = play_chunk(setup, 0), playouts(name, 3, setup.seat_count, seed=SEED)
        scores = np.stack([found[f"score_{seat}"] for seat in range(setup.seat_count)], axis=1)
        assert np.array_equal(scores, tally.returns)
        assert (found["decisions"].sum(), found["rounds"].sum()) == (tally.decisions, tally.rounds)
        assert set(found["over"].tolist()) <= {1, 2}


def test_bot_called_for_each_move_gives_the_same_result_columns_as_the_compiled_bot() -> None:
    """The greedy bot of Detect leaves nothing to chance."""
    compiled = Setup("detect", ("greedy",), 3, deals=2, seed=SEED)
    asked = Setup("detect", ("mine",), 3, deals=2, seed=SEED, makers={"mine": GreedyBot})
    assert compiled.can_play_compiled
    assert not asked.can_play_compiled
    one, other = play_chunk(compiled, 0), play_chunk(asked, 0)
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_bots_make_different_random_choices_in_each_repeat_of_the_same_deal() -> None:
    setup = Setup("detect", ("beginner",), deals=5, rounds=1, repeats=3, seed=SEED)
    found = play_chunk(setup, 0)
    scores = found["score_0"].reshape(5, 3)
    assert found["deal"].reshape(5, 3).std(axis=1).max() == 0
    assert (scores.max(axis=1) > scores.min(axis=1)).any()
    again = play_chunk(setup, 0)
    assert all(np.array_equal(found[name], again[name]) for name in found)


def test_results_of_each_deal_do_not_depend_on_the_number_of_deals_in_a_chunk() -> None:
    whole = play_chunk(Setup("scout", ("beginner",), 3, deals=7, seed=SEED, size=7), 0)
    cut = Setup("scout", ("beginner",), 3, deals=7, seed=SEED, size=3)
    parts = [play_chunk(cut, chunk) for chunk in range(cut.chunk_count)]
    assert [len(part["deal"]) for part in parts] == [3, 3, 1]
    assert all(np.array_equal(whole[name], np.concatenate([part[name] for part in parts])) for name in whole)


def test_only_the_random_bot_is_compiled_for_a_game_without_a_greedy_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simple_bots, "load_game", lambda name: replace(load_game(name), policy=None))
    assert simple_bots.policy_or_placeholder("detect") is simple_bots.NO_POLICY
    setup = Setup("detect", ("greedy",))
    setup.__dict__["module"] = replace(setup.module, policy=None)
    assert setup.random_move_percent("greedy") is None
    assert setup.random_move_percent("random") == 100
