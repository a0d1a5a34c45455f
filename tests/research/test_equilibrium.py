"""Equilibria, best responses, and how far bots are from them."""

from __future__ import annotations

import numpy as np
import pytest

from facedown.bots.levels import bot
from facedown.bots.rollout_search import RolloutSearchBot
from facedown.bots.search_common import Budget
from facedown.core.match import Match
from facedown.research.equilibrium import (
    Strategy,
    best_response,
    bot_strategy,
    exploitability,
    nash_conv,
    normalize_strategy,
    seat_0_value,
    solve,
    uniform,
)
from facedown.research.game_tree import GameTree, build_full_tree
from tests.research.conftest import SMALLEST


def random_strategy(tree: GameTree, seed: int) -> Strategy:
    """Return a random strategy in which every action has a chance."""
    return normalize_strategy(tree, np.random.default_rng(seed).random(len(tree.actions)))


@pytest.mark.slow
def test_solver_finds_the_known_value_of_kuhn_poker(kuhn: GameTree) -> None:
    """Known since 1950: the first player loses a chip in eighteen hands."""
    found = solve(kuhn, 5000, 5e-5)
    assert found.iterations < 5000
    assert found.exploitability <= 5e-5
    assert found.value == pytest.approx(-1 / 18, abs=1e-4)
    assert nash_conv(kuhn, uniform(kuhn)) == pytest.approx(11 / 12)


def test_exploitability_in_kuhn_poker_equals_that_computed_by_openspiel(kuhn: GameTree, seed: int) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    policies = pytest.importorskip("open_spiel.python.policy")
    measure = pytest.importorskip("open_spiel.python.algorithms.exploitability")
    game = pyspiel.load_game("kuhn_poker")
    for number in range(3):
        ours = random_strategy(kuhn, seed + number)
        theirs = policies.TabularPolicy(game)
        for at in range(kuhn.information_set_count):
            seat, view = int(kuhn.edges.set_seat[at]), kuhn.information_set_view(at)
            raised = int(view.phase) == 1
            history = ("pb" if raised else "") if seat == 0 else ("b" if raised else "p")
            # Ours are check and bet, or call and fold. OpenSpiel has pass (0) and bet (1).
            chances = ours[kuhn.strategy_slice_of_set(at)][:: -1 if raised else 1]
            theirs.policy_for_key(f"{int(view.card[seat])}{history}")[:] = chances
        assert exploitability(kuhn, ours) == pytest.approx(measure.exploitability(game, theirs))


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALLEST)
def test_no_strategy_does_better_than_a_best_response(name: str, trees: dict[str, GameTree], seed: int) -> None:
    tree = trees[name]
    strategy = random_strategy(tree, seed)
    for seat, sign in ((0, 1), (1, -1)):
        most, answer = best_response(tree, strategy, seat)
        assert sign * seat_0_value(tree, answer) == pytest.approx(most)
        assert sign * seat_0_value(tree, strategy) <= most
        greedy = bot_strategy(tree, bot("greedy"), samples=1)
        whose = np.repeat(tree.edges.set_seat, np.diff(tree.edges.first_place)) == seat
        assert sign * seat_0_value(tree, np.where(whose, greedy, strategy)) <= most + 1e-12


@pytest.mark.parametrize("name", SMALLEST)
def test_solver_finds_equilibria_of_small_games(name: str, trees: dict[str, GameTree]) -> None:
    found = solve(trees[name], 1000, 5e-4)
    assert found.exploitability <= 5e-4
    assert best_response(trees[name], found.strategy, 0)[0] == pytest.approx(found.value, abs=1e-3)


@pytest.mark.parametrize("name", ["reveal", "scout"])
def test_search_bot_is_less_exploitable_than_a_greedy_bot(name: str, trees: dict[str, GameTree]) -> None:
    """The bot searches for a moment and knows nothing of equilibria.

    The whole game tree measures how much it gives away.
    """
    tree = trees[name]
    greedy = exploitability(tree, bot_strategy(tree, bot("greedy"), samples=1))
    ahead = exploitability(tree, bot_strategy(tree, RolloutSearchBot(Budget(200)), samples=4))
    print(greedy, ahead)
    assert ahead < greedy < exploitability(tree, uniform(tree))


def test_search_bot_that_aims_for_wins_is_less_exploitable_in_wins_but_not_in_points() -> None:
    """In this variant of Detect a round is a match, and search bots aim only to win it.

    Search therefore brings them nearer to an equilibrium in wins, but not to one in points.
    """
    match = Match("detect", 2, {"grid": "small(1,3,2)", "deck": "custom(0:6 4:6)"}, first=0)
    tree = build_full_tree(match, recall=False)
    wins = tree.with_win_payoffs
    assert set(wins.edges.payoff.tolist()) == {-0.5, 0.0, 0.5}
    greedy = bot_strategy(tree, bot("greedy"), samples=1)
    ahead = bot_strategy(tree, RolloutSearchBot(Budget(800)), samples=2)
    print([exploitability(one, strategy) for one in (tree, wins) for strategy in (greedy, ahead)])
    assert exploitability(wins, ahead) < 0.8 * exploitability(wins, greedy)
    assert exploitability(tree, ahead) > 0.9 * exploitability(tree, greedy)


def test_a_bot_that_plays_illegal_actions_cannot_be_converted_to_a_strategy(
    trees: dict[str, GameTree],
) -> None:
    class Cheat:
        def choose(self, *_: object) -> int:
            return 999

    with pytest.raises(ValueError, match="999"):
        bot_strategy(trees["reveal"], Cheat())
