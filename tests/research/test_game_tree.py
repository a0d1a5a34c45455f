"""Trees of small games: the same chances and views as in matches."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from facedown.bots.levels import bot
from facedown.core.hidden_cards import known_view, redeal
from facedown.core.match import Match
from facedown.core.state import to_bytes
from facedown.research.equilibrium import bot_strategy, exploitability, seat_0_value, uniform
from facedown.research.game_tree import TERMINAL, GameTree, TooLarge, build_full_tree
from tests.research.conftest import SMALLEST, smallest

MATCHES = 1800


def test_game_tree_of_kuhn_poker_has_the_known_information_sets_nodes_and_payoffs(kuhn: GameTree) -> None:
    """After each of six deals come at most two answers to a check or a bet: 1 + 2 + 1 decisions, in 12 sets."""
    assert kuhn.information_set_count == 12
    edges = kuhn.edges
    assert np.diff(edges.levels)[:4].tolist() == [1, 6, 12, 6 + 4]  # a bet after a check; and ends: 1 or 2 won or lost
    assert sorted(edges.payoff[edges.seat == TERMINAL].tolist())[0] == -2


def test_game_tree_of_scout_deals_each_card_either_way_up(trees: dict[str, GameTree]) -> None:
    """Four of five cards are dealt in order, each either way up. Each of two seats sees only its own two cards."""
    tree = trees["scout"]
    edges = tree.edges
    assert np.diff(edges.levels)[:3].tolist() == [1, 5 * 4 * 3 * 2 * 2**4, 2 * 5 * 4 * 3 * 2 * 2**4]
    assert np.allclose(edges.chance[: edges.first_outcome[1]], 1 / (5 * 4 * 3 * 2 * 2**4))
    first = map(tree.information_set_view, range(edges.set_level[2]))
    hands = {(*view.card[1:3].tolist(), *view.flip[1:3].tolist()) for view in first if view.viewer == 0}
    assert len(hands) == 5 * 4 * 2**2


@pytest.mark.parametrize("name", SMALLEST)
def test_chances_of_the_outcomes_of_each_action_in_a_game_tree_add_up_to_one(
    name: str, trees: dict[str, GameTree]
) -> None:
    edges = trees[name].edges
    sums = np.add.reduceat(edges.chance, edges.first_outcome[:-1])
    assert np.allclose(sums, 1.0)
    for (first, end), (_next, after) in zip(pairwise(edges.levels), pairwise(edges.levels[1:]), strict=False):
        outcomes = slice(edges.first_outcome[edges.first_action[first]], edges.first_outcome[edges.first_action[end]])
        children = edges.child[outcomes]
        assert len(children) == 0 or (children.min() >= end and children.max() < after)


@pytest.mark.parametrize("name", SMALLEST)
def test_mean_result_of_greedy_bots_in_matches_agrees_with_their_value_in_the_game_tree(
    name: str, trees: dict[str, GameTree], seed: int
) -> None:
    """Greedy bots play each other. The mean lead of a seat is compared."""
    tree, greedy = trees[name], bot("greedy")
    strategy = bot_strategy(tree, greedy, samples=1)
    leads = replace(tree, edges=tree.edges._replace(payoff=np.abs(tree.edges.payoff)))
    expected = seat_0_value(tree, strategy), seat_0_value(leads, strategy)
    rnd = random.Random(seed)
    scores = []
    for _ in range(MATCHES):
        match = Match(name, 2, SMALLEST[name][0], rnd.randbytes(32), first=0)
        while not match.over:
            seat = match.acting[0]
            match.play(seat, greedy.choose(match.game, match.known(seat), seat, 0))
        scores.append((match.returns[0] - match.returns[1]) / 2)
    for found, mean in zip((np.array(scores), np.abs(scores)), expected, strict=True):
        assert abs(found.mean() - mean) < 6 * found.std() / np.sqrt(MATCHES)


@pytest.mark.parametrize("name", SMALLEST)
def test_views_in_a_game_tree_do_not_depend_on_cards_hidden_from_the_seat(
    name: str, trees: dict[str, GameTree], seed: int
) -> None:
    """The seat's view is the same with other hidden cards."""
    tree = trees[name]
    rnd = random.Random(seed)
    for number in rnd.sample(range(tree.information_set_count), 60):
        seat, view = int(tree.edges.set_seat[number]), tree.information_set_view(number)
        other = redeal(view, np.frombuffer(rnd.randbytes(32), np.uint32).copy())
        assert to_bytes(known_view(other, seat)) == to_bytes(view)
        assert tree.actions[tree.strategy_slice_of_set(number)].tolist() == tree.game.legal(view, seat)


def test_game_tree_of_detect_without_perfect_recall_has_the_same_values_as_with_it() -> None:
    """A tree whose nodes are positions in standard form is much smaller than one with all that was ever seen."""
    match = Match("detect", 2, {"grid": "small(1,3,1)", "deck": "custom(0:5 4:5)"}, first=0)
    whole, small = build_full_tree(match), build_full_tree(match, recall=False)
    assert whole.node_count > 20 * small.node_count
    assert seat_0_value(whole, uniform(whole)) == pytest.approx(seat_0_value(small, uniform(small)), abs=1e-9)
    assert exploitability(whole, uniform(whole)) == pytest.approx(exploitability(small, uniform(small)), abs=1e-9)


def test_game_tree_of_a_game_that_is_too_large_or_cooperative_or_reshuffles_raises_an_error() -> None:
    with pytest.raises(TooLarge, match="more than 1000 nodes"):
        build_full_tree(smallest("detect"), recall=False, most=1000)
    with pytest.raises(ValueError, match="set it to a fixed seat"):
        build_full_tree(Match("reveal", 2, SMALLEST["reveal"][0]))
    with pytest.raises(ValueError, match="competitive games of two players"):
        build_full_tree(Match("detect", 3, {"grid": "small(1,3,1)"}, first=0))
    with pytest.raises(ValueError, match="competitive games of two players"):
        build_full_tree(Match("uncovered", 2, first=0))
    short = {"grid": "small(2,2,1)", "deck": "custom(0:5 4:5)"}
    with pytest.raises(ValueError, match="shuffled in the middle"):
        build_full_tree(Match("detect", 2, short, first=0), recall=False)
    with pytest.raises(ValueError, match="the deal depends on the cards"):
        build_full_tree(Match("detect", 2, {**short, "opening_pick": "random"}, first=0))
