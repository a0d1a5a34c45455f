"""Search bots: the moves they find, and what a search reports. Their legality is tested in ``test_bots``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from facedown.bots import choose_for_seat, evaluation_dispatch
from facedown.bots.evaluation_dispatch import NoEvaluation, evaluate, evaluation_of, round_is_terminal
from facedown.bots.rollout_search import RolloutSearchBot, search_by_rollouts
from facedown.bots.search_common import Budget
from facedown.bots.simple_bots import GreedyBot
from facedown.bots.tree_search import SearchBot, search
from facedown.core.bot import Bot
from facedown.core.game_registry import catalogue, game
from facedown.core.match import Match
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from facedown.core.state import DECIDED, blank
from tests.bots.positions import match_with_two_nines, new_match

pytestmark = pytest.mark.skipif(INTERPRETED, reason="thousands of rounds are played out")

SIMULATIONS = 120
SEARCHED = list(catalogue())
KINDS = {"search": SearchBot, "foresight": RolloutSearchBot}


def search_bot(kind: str, simulations: int = SIMULATIONS) -> Bot:
    """Return a search bot."""
    made: Bot = KINDS[kind](Budget(simulations))
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_search_bots_raise_an_error_for_a_game_without_an_evaluation_function(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = new_match("detect", 1)
    monkeypatch.setattr(evaluation_dispatch, "load_game", lambda name: replace(game(name), evaluation=None))
    with pytest.raises(NoEvaluation, match="search cannot play it"):
        search_bot(kind).choose(match.game, match.known(0), 0, 1)


@pytest.mark.parametrize("simulations", [0, -5])
def test_a_search_budget_below_one_simulation_raises_an_error(simulations: int) -> None:
    with pytest.raises(ValueError, match="a budget above zero"):
        Budget(simulations)


@pytest.mark.parametrize("name", SEARCHED)
def test_evaluations_of_a_finished_round_lie_between_0_and_1_and_their_mean_is_an_even_chance(
    name: str, seed: int
) -> None:
    """They are computed from a finished round; a better score is never worth less."""
    match = new_match(name, seed)
    out = np.zeros(8)
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(3000):
        if found > 3:
            break
        if round_is_terminal(match.state):
            found += 1
            evaluate(match.state, out)
            shares = out[: match.seats]
            assert ((shares >= 0) & (shares <= 1)).all()
            if not match.game.info.together:
                assert np.isclose(shares.mean(), 1 / match.seats if name == "scout" else 0.5, atol=1e-9)
        if match.over:  # The match may end with its first round.
            break
        seat = match.acting[0]
        legal = match.legal(seat)
        match.play(seat, legal[int(rng.integers(len(legal)))])
    assert found > 0


@pytest.mark.parametrize("name", [name for name in SEARCHED if "total" in (game(name).dtype.names or ())])
def test_seats_with_equal_scores_have_equal_evaluations(name: str) -> None:
    state = blank(game(name).dtype)
    state.seats = seats = catalogue()[name].seats[0]
    state.over = DECIDED
    out = np.zeros(8)
    for total in (0, 7, -3):
        for seat in range(seats):
            state.total[seat] = total
        evaluate(state, out)
        assert np.allclose(out[:seats], 1 / seats if name == "scout" else 0.5), (
            "nobody is ahead, and nobody gains by it"
        )


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_search_bots_complete_a_column_of_equal_cards_in_detect(kind: str, seat: int) -> None:
    match = match_with_two_nines(seat=seat)
    action = search_bot(kind, 4000).choose(match.game, match.known(seat), seat, 1)
    assert match.game.words.words(action) == "take a3"


def test_tree_search_reports_visits_and_values_of_legal_moves() -> None:
    match = match_with_two_nines()
    seat = match.acting[0]
    found = search(match.game, match.known(seat), seat, 1, Budget(SIMULATIONS))
    assert found.simulations == SIMULATIONS == sum(found.visits)
    assert list(found.actions) == match.legal(seat)
    assert all(0 <= value <= 1 for value in found.values)


def test_rollout_search_reports_value_and_number_of_samples_of_each_legal_move() -> None:
    match = match_with_two_nines()
    seat = match.acting[0]
    budget = SIMULATIONS * 4
    found = search_by_rollouts(match.game, match.known(seat), seat, 1, Budget(budget))
    assert sorted(tried.action for tried in found.tried) == match.legal(seat)
    keys = [evaluation_of("detect").equivalence_key(match.known(seat), seat, tried.action) for tried in found.tried]
    once = dict(zip(keys, found.tried, strict=True))
    assert sum(tried.worlds for tried in once.values()) == found.simulations <= budget
    # Equivalent moves have the same figures.
    for key, tried in zip(keys, found.tried, strict=True):
        assert (tried.worth, tried.worlds, tried.behind) == (once[key].worth, once[key].worlds, once[key].behind)
    assert found.choice in match.legal(seat)
    assert all(0 <= tried.worth <= 1 for tried in found.tried)


def equivalent_moves(match: Match) -> set[frozenset[str]]:
    """Return the legal moves of the acting seat in sets of equivalent moves."""
    seat = match.acting[0]
    found: dict[Any, set[str]] = {}
    for action in match.legal(seat):
        key = evaluation_of(match.game.name).equivalence_key(match.known(seat), seat, action)
        found.setdefault(key, set()).add(match.game.words.words(action))
    return {frozenset(group) for group in found.values()}


def test_moves_of_detect_that_differ_only_in_interchangeable_cells_count_as_equivalent() -> None:
    match = match_with_two_nines()
    backs = {f"take {column}{row}" for column in "bcd" for row in "123"}
    assert equivalent_moves(match) == {
        frozenset(("take a1", "take a2")),
        frozenset(("take a3",)),
        frozenset(backs),
        frozenset(("draw",)),
    }
    match.play(match.acting[0], game("detect").words.parse("draw"))
    assert frozenset(("throw a3",)) in equivalent_moves(match)
    assert len(equivalent_moves(match)) == 5


def test_of_all_games_only_detect_has_equivalent_moves_at_the_start_of_a_match() -> None:
    for name in SEARCHED:
        if name != "detect":
            assert all(len(group) == 1 for group in equivalent_moves(new_match(name, 1)))


def test_opening_moves_of_detect_form_two_groups_of_equivalent_moves() -> None:
    assert sorted(len(group) for group in equivalent_moves(new_match("detect", 1))) == [12, 54]


def test_a_search_ends_at_its_time_limit() -> None:
    match = match_with_two_nines()
    seat = match.acting[0]
    for think in (search, search_by_rollouts):
        found: Any = think(match.game, match.known(seat), seat, 1, Budget(seconds=0.05))
        assert found.simulations > 0


def test_search_in_scout_tries_every_show_move_but_only_the_best_places_for_a_scouted_card() -> None:
    from facedown.games.scout.bots.evaluation import PLACES_TRIED
    from facedown.games.scout.legal_actions import PLACES, Act

    match = Match("scout", 4, seed=seed_from_text("promising"))
    looked_at = 0
    while not match.over and looked_at < 40:
        seat = match.acting[0]
        legal = match.legal(seat)
        tried = evaluation_of("scout").promising(match.known(seat), seat, legal)
        assert set(tried) <= set(legal)
        scouts = [a for a in legal if Act.SCOUT <= a < Act.KEEP]
        kept = [a for a in tried if a in scouts]
        assert [a for a in legal if a not in scouts] == [a for a in tried if a not in kept]
        ways = {(a - Act.SCOUT) // PLACES for a in scouts}
        assert ways == {(a - Act.SCOUT) // PLACES for a in kept}
        for way in ways:
            offered = sum((a - Act.SCOUT) // PLACES == way for a in scouts)
            assert sum((a - Act.SCOUT) // PLACES == way for a in kept) == min(offered, PLACES_TRIED)
        looked_at += bool(scouts)
        match.play(seat, choose_for_seat(GreedyBot(), match, seat, 0))
    assert looked_at == 40
