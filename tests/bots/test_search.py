"""Bots that think ahead: what they find and report (that they play by the rules says ``test_bots``)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from facedown.bots import choose_for_seat, evaluation
from facedown.bots.evaluation import NoEvaluation, evaluate, evaluation_of, round_is_terminal
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
from tests.bots.positions import begun, two_nines

pytestmark = pytest.mark.skipif(INTERPRETED, reason="thousands of rounds are played out")

SIMULATIONS = 120
SEARCHED = list(catalogue())
KINDS = {"search": SearchBot, "foresight": RolloutSearchBot}


def thinker(kind: str, simulations: int = SIMULATIONS) -> Bot:
    """A bot that thinks ahead."""
    made: Bot = KINDS[kind](Budget(simulations))
    return made


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_says_nothing_of_its_positions_is_named(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun("detect", 1)
    monkeypatch.setattr(evaluation, "load_game", lambda name: replace(game(name), evaluation=None))
    with pytest.raises(NoEvaluation, match="search cannot play it"):
        thinker(kind).choose(match.game, match.known(0), 0, 1)


@pytest.mark.parametrize("simulations", [0, -5])
def test_no_budget_no_search(simulations: int) -> None:
    with pytest.raises(ValueError, match="a budget above zero"):
        Budget(simulations)


@pytest.mark.parametrize("name", SEARCHED)
def test_worths_lie_between_nothing_and_everything(name: str, seed: int) -> None:
    """They are read off a decided round, and a better score is never worth less."""
    match = begun(name, seed)
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
        if match.over:  # One round can be enough.
            break
        seat = match.acting[0]
        legal = match.legal(seat)
        match.play(seat, legal[int(rng.integers(len(legal)))])
    assert found > 0


@pytest.mark.parametrize("name", [name for name in SEARCHED if "total" in (game(name).dtype.names or ())])
def test_who_shares_a_win_shares_its_worth(name: str) -> None:
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
def test_it_completes_a_column(kind: str, seat: int) -> None:
    match = two_nines(seat=seat)
    action = thinker(kind, 4000).choose(match.game, match.known(seat), seat, 1)
    assert match.game.words.words(action) == "take a3"


def test_what_a_search_reports() -> None:
    match = two_nines()
    seat = match.acting[0]
    found = search(match.game, match.known(seat), seat, 1, Budget(SIMULATIONS))
    assert found.simulations == SIMULATIONS == sum(found.visits)
    assert list(found.actions) == match.legal(seat)
    assert all(0 <= value <= 1 for value in found.values)


def test_what_foresight_reports() -> None:
    match = two_nines()
    seat = match.acting[0]
    budget = SIMULATIONS * 4
    found = search_by_rollouts(match.game, match.known(seat), seat, 1, Budget(budget))
    assert sorted(tried.action for tried in found.tried) == match.legal(seat)
    keys = [evaluation_of("detect").equivalence_key(match.known(seat), seat, tried.action) for tried in found.tried]
    once = dict(zip(keys, found.tried, strict=True))
    assert sum(tried.worlds for tried in once.values()) == found.simulations <= budget
    # Moves that come to the same show the same.
    for key, tried in zip(keys, found.tried, strict=True):
        assert (tried.worth, tried.worlds, tried.behind) == (once[key].worth, once[key].worlds, once[key].behind)
    assert found.choice in match.legal(seat)
    assert all(0 <= tried.worth <= 1 for tried in found.tried)


def groups(match: Match) -> set[frozenset[str]]:
    """The legal moves of the acting seat, in words, those that come to the same together."""
    seat = match.acting[0]
    found: dict[Any, set[str]] = {}
    for action in match.legal(seat):
        key = evaluation_of(match.game.name).equivalence_key(match.known(seat), seat, action)
        found.setdefault(key, set()).add(match.game.words.words(action))
    return {frozenset(group) for group in found.values()}


def test_moves_that_come_to_the_same_are_tried_as_one() -> None:
    match = two_nines()
    backs = {f"take {column}{row}" for column in "bcd" for row in "123"}
    assert groups(match) == {
        frozenset(("take a1", "take a2")),
        frozenset(("take a3",)),
        frozenset(backs),
        frozenset(("draw",)),
    }
    match.play(match.acting[0], game("detect").words.parse("draw"))
    assert frozenset(("throw a3",)) in groups(match)
    assert len(groups(match)) == 5


def test_in_other_games_every_move_is_tried() -> None:
    for name in SEARCHED:
        if name != "detect":
            assert all(len(group) == 1 for group in groups(begun(name, 1)))


def test_the_opening_of_detect_is_one_column_or_two() -> None:
    assert sorted(len(group) for group in groups(begun("detect", 1))) == [12, 54]


def test_time_ends_a_search() -> None:
    match = two_nines()
    seat = match.acting[0]
    for think in (search, search_by_rollouts):
        found: Any = think(match.game, match.known(seat), seat, 1, Budget(seconds=0.05))
        assert found.simulations > 0


def test_scout_tries_every_show_and_the_best_places_for_each_card() -> None:
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
