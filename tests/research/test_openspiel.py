"""Our games in OpenSpiel: its own tests, its search and solvers, and secrecy of what a player is given."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys
import unittest
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from facedown.core.game_registry import catalogue, game
from facedown.core.options import OptionError
from facedown.core.rule import INTERPRETED
from facedown.research import openspiel as ours
from facedown.research.game_tree import Node
from tests.nightly_selection import mostly
from tests.research.tree_test_settings import SETTINGS

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pyspiel
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import exploitability
    from open_spiel.python.algorithms.ismcts import ISMCTSBot
    from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
    from open_spiel.python.observation import make_observation
    from open_spiel.python.tests import games_sim_test

pytestmark = pytest.mark.skipif(INTERPRETED, reason="whole matches")

GAMES = tuple(SETTINGS)
EACH = [(name, number) for name in GAMES for number in range(3)]
#: Settings that are tested every day: each game once, not all with default options.
DAILY = [(name, at % 3) for at, name in enumerate(GAMES)]
EVERY = mostly(EACH, DAILY, ())


def loaded(name: str, number: int = 0, **more: Any) -> Any:
    """Load one of a game's settings as a game of OpenSpiel."""
    given: dict[str, Any] = {key: ours.to_openspiel_value(value) for key, value in SETTINGS[name][number].items()}
    if "players" in given:
        given["players"] = int(given["players"])
    return pyspiel.load_game(ours.PREFIX + name, {**given, **more})


def state_of(kind: Any, rnd: random.Random, moves: int) -> Any:
    """Return a state after `moves` random moves, or the last one before the end."""
    state = kind.new_initial_state()
    while state.is_chance_node() or moves > 0:
        moves -= not state.is_chance_node()
        after = state.child(rnd.choice(state.legal_actions()))
        if after.is_terminal():
            break
        state = after
    return state


# --- OpenSpiel's own tests --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_openspiels_own_random_simulation_test_passes_for_every_game(name: str, number: int) -> None:
    """It checks copies, serialised states, masks, strings, tensors, rewards and bounds at each move of a match."""
    pyspiel.random_sim_test(loaded(name, number), 1, True, False)


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_openspiels_own_python_simulation_test_passes_for_every_game(name: str, number: int, seed: int) -> None:
    """It checks that copies keep the history, and that games, types and states can be pickled."""
    np.random.seed(seed % 2**32)  # noqa: NPY002 (it is what that test draws from)
    kind = loaded(name, number, length="round", returns="score" if number else "win")
    games_sim_test.GamesSimTest().sim_game(kind)


def run_openspiel_cases(cases: type[unittest.TestCase], *names: str) -> None:
    """Run a class of OpenSpiel's tests, or only those with these names."""
    suite = unittest.TestSuite(map(cases, names or unittest.defaultTestLoader.getTestCaseNames(cases)))
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun == (len(names) or suite.countTestCases())
    assert result.wasSuccessful(), "\n".join(text for _, text in (*result.failures, *result.errors))


@pytest.fixture(scope="module")
def api_test() -> Any:
    """OpenSpiel's tests for any game. They are imported late, because they load much."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from open_spiel.integration_tests import api_test
    return api_test


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_openspiels_own_api_tests_pass_on_sampled_states_of_every_game(
    name: str, number: int, seed: int, api_test: Any
) -> None:
    """They check errors for missing players, no actions of others, public and private observers, lengths."""
    random.seed(seed)
    np.random.seed(seed % 2**32)  # noqa: NPY002
    sampled = api_test.sample_some_states.sample_some_states
    kind = loaded(name, number, length="round")

    class Cases(api_test.EnforceAPIOnPartialTreeBase):  # type: ignore[misc]
        game_name = kind.get_type().short_name
        game = kind

        @classmethod
        def setUpClass(cls) -> None:
            cls.some_states = sampled(cls.game, max_states=60)
            cls.game_type = cls.game.get_type()

    run_openspiel_cases(Cases)


@pytest.fixture
def kuhn(monkeypatch: pytest.MonkeyPatch) -> str:
    """A very small game, installed for the test, whose whole tree can be checked."""
    from facedown.core import game_registry as registry
    from tests.examples.installed_game import EXAMPLE

    monkeypatch.syspath_prepend(str(EXAMPLE))
    from facedown_kuhn.info import INFO

    monkeypatch.setitem(registry._games_by_name(), "kuhn", (INFO, "facedown_kuhn"))
    ours.register([INFO])
    return "facedown_kuhn(length=round,deals=40,returns=difference)"


def test_openspiels_own_api_tests_pass_on_the_whole_game_tree_of_kuhn_poker(
    kuhn: str, api_test: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They check perfect recall, one player in each position, no actions at the end, and the number of positions."""
    named = "our kuhn"
    # A deal has four positions of players and five ends.
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, named, (1, 4 * 40, 5 * 40))
    # Either of two players may start. Then there are three cards, with two positions each.
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, named, 2 * 3 * 4)
    cases = type("Cases", (api_test.EnforceAPIOnFullTreeBase,), {"game_name": named, "game": pyspiel.load_game(kuhn)})
    run_openspiel_cases(cases)


# --- solvers and search -----------------------------------------------------------------------------------------------


def test_counterfactual_regret_minimisation_finds_an_equilibrium_of_kuhn_poker(kuhn: str) -> None:
    kind = pyspiel.load_game(kuhn)
    plus, sampled = pyspiel.CFRPlusSolver(kind), pyspiel.ExternalSamplingMCCFRSolver(kind, 1)
    before = exploitability.exploitability(kind, plus.average_policy())
    for _ in range(40):
        plus.evaluate_and_update_policy()
    for _ in range(1000):
        sampled.run_iteration()
    assert before > 0.2
    assert exploitability.exploitability(kind, plus.average_policy()) < 0.02
    assert exploitability.exploitability(kind, sampled.average_policy()) < 0.1


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_outcome_sampling_regret_minimisation_runs_in_every_game(name: str) -> None:
    kind = loaded(name, 0, length="round", returns="win", deals=3)
    solver = pyspiel.OutcomeSamplingMCCFRSolver(kind, 1)
    for _ in range(3):
        solver.run_iteration()
    state = kind.new_initial_state().child(0)
    found = solver.average_policy().action_probabilities(state)
    assert set(found) == set(state.legal_actions())
    assert sum(found.values()) == pytest.approx(1)


@pytest.mark.parametrize("name", GAMES)
def test_openspiels_information_set_mcts_chooses_a_legal_move(name: str, seed: int) -> None:
    rnd = random.Random(seed)
    kind = loaded(name, 0, length="round", returns="win")
    chance = np.random.RandomState(seed % 2**32)
    bot = ISMCTSBot(kind, RandomRolloutEvaluator(1, chance), 1.4, 20, random_state=chance)
    state = state_of(kind, rnd, 4)
    assert bot.step(state) in state.legal_actions()


def test_openspiels_compiled_code_cannot_resample_hidden_cards_of_our_games() -> None:
    """OpenSpiel does not pass `resample_from_infostate` on to Python. Once it does, our guide must change."""
    state = state_of(loaded("scout"), random.Random(1), 2)
    with pytest.raises(pyspiel.SpielError, match="not implemented"):
        pyspiel.State.resample_from_infostate(state, 0, random.random)


# --- secrecy ----------------------------------------------------------------------------------------------------------


def observation_type(recall: bool, public: bool, private: Any) -> Any:
    return pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)


def given_to_player(kind: Any, state: Any, seat: int) -> dict[str, Any]:
    """Return everything that OpenSpiel gives a player."""
    types = {
        (recall, public, private): observation_type(recall, public, private)
        for recall in (False, True)
        for public in (False, True)
        for private in (pyspiel.PrivateInfoType.NONE, pyspiel.PrivateInfoType.SINGLE_PLAYER)
    }
    found: dict[str, Any] = {
        "information": state.information_state_string(seat),
        "observation": state.observation_string(seat),
        "information tensor": state.information_state_tensor(seat),
        "observation tensor": state.observation_tensor(seat),
        "to act": state.current_player(),
        "legal": state.legal_actions(seat),
        "mask": state.legal_actions_mask(seat),
    }
    for name, part in types.items():
        observer = make_observation(kind, part)
        if observer:
            observer.set_from(state, seat)
            found[f"{name}"] = observer.string_from(state, seat), observer.tensor.tolist()
    return found


def differences(name: str, number: int, seed: int, view: Any = Node.view) -> Iterator[str]:
    """Yield the data of a player that differ between a state and one that the player cannot tell from it.

    `view` makes the views of both.
    """
    rnd = random.Random(seed)
    kind = loaded(name, number)
    for _ in range(6):
        state = state_of(kind, rnd, rnd.randrange(60))
        seat = rnd.randrange(kind.num_players())
        world = state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0))
        assert world.history() == []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Node, "view", view)
            here, there = (given_to_player(kind, s, seat) for s in (state, world))
        yield from (what for what in here if here[what] != there[what])


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_data_that_openspiel_gives_a_player_do_not_depend_on_hidden_cards(name: str, number: int, seed: int) -> None:
    assert list(differences(name, number, seed)) == []


@pytest.mark.parametrize("name", GAMES)
def test_comparison_of_openspiel_data_detects_a_view_that_shows_hidden_cards(name: str, seed: int) -> None:
    """A view that shows everything is found in all forms of data."""

    def all_seen(node: Node, viewer: int) -> Any:
        out = node.states.copy()
        out["viewer"] = viewer
        return out[0]

    assert {"observation", "observation tensor", "information tensor"} <= set(differences(name, 1, seed, all_seen))


def test_openspiel_observers_give_public_or_private_information_with_or_without_recall(seed: int) -> None:
    """They are for one player or for all. A private past alone is not offered."""
    kind, one = loaded("reveal"), pyspiel.PrivateInfoType
    state = state_of(kind, random.Random(seed), 1)
    size = kind.observation_tensor_size()

    def string(recall: bool, public: bool, private: Any) -> Any:
        observer = kind.make_py_observer(observation_type(recall, public, private), {})
        if observer is None:
            return None
        observer.set_from(state, 1)
        assert observer.tensor.shape == (size * (2 if private == one.ALL_PLAYERS else 1),)
        return observer.string_from(state, 1)

    assert string(False, True, one.SINGLE_PLAYER) == state.observation_string(1)
    assert string(True, True, one.SINGLE_PLAYER) == state.information_state_string(1)
    assert string(True, True, one.NONE).startswith("public ")
    assert string(False, False, one.SINGLE_PLAYER).startswith("player 1 card[")
    assert string(False, True, one.ALL_PLAYERS) == f"{state.observation_string(0)} | {state.observation_string(1)}"
    assert string(True, False, one.SINGLE_PLAYER) is None
    assert string(False, False, one.NONE) is None
    with pytest.raises(ValueError, match="observers take no parameters, but got depth"):
        kind.make_py_observer(None, {"depth": 1})


def test_an_openspiel_state_resampled_before_the_deal_is_equal_to_the_original() -> None:
    state = loaded("reveal").new_initial_state().child(5)
    assert str(state.resample_from_infostate(0, random.random)) == str(state) == "before the deal 5"


# --- parameters -------------------------------------------------------------------------------------------------------


def test_every_installed_game_is_registered_in_openspiel_with_its_parameters() -> None:
    assert set(ours.GAMES) == {f"facedown_{name}" for name in catalogue()} <= set(pyspiel.registered_names())
    for name, info in catalogue().items():
        kind = next(t for t in pyspiel.registered_games() if t.short_name == f"facedown_{name}")
        assert (kind.min_num_players, kind.max_num_players) == info.seats
        assert set(kind.parameter_specification) == {"players", *ours.PARAMETERS, *(o.name for o in info.options)}


@pytest.mark.parametrize(("name", "number"), EACH)
def test_openspiel_game_is_restored_from_its_string_and_from_pickle(name: str, number: int) -> None:
    kind = loaded(name, number, seed=3, deals=9)
    again = pyspiel.load_game(str(kind))
    assert again.tree is kind.tree, str(kind)
    assert pickle.loads(pickle.dumps(kind)).tree is kind.tree
    assert {key: value for key, value in SETTINGS[name][number].items() if key != "players"}.items() <= (
        kind.tree.options.items()
    )
    assert str(loaded(name)) == f"facedown_{name}()"


def test_openspiel_tensors_are_one_hot_or_compact_as_a_game_parameter_says(seed: int) -> None:
    rnd = random.Random(seed)
    kinds = [loaded("scout", 1, tensor=form) for form in ours.FORMS]
    layout = kinds[0].layout
    assert [kind.observation_tensor_size() for kind in kinds] == [layout.one_hot_size, layout.size]
    assert [kind.information_state_tensor_size() for kind in kinds] == [layout.one_hot_size, layout.size]
    states = [kind.new_initial_state() for kind in kinds]
    for _ in range(20):
        action = rnd.choice(states[0].legal_actions())
        for state in states:
            state.apply_action(action)
    view = states[0].node.view(3)
    assert states[0].observation_tensor(3) == layout.one_hot(view).tolist()
    assert states[1].observation_tensor(3) == layout.compact(view).tolist()
    pyspiel.random_sim_test(loaded("scout", 0, length="round", tensor="compact"), 1, False, False)


def test_openspiel_returns_are_scores_differences_or_wins_as_a_game_parameter_says() -> None:
    scores = (3.0, 9.0, 9.0)
    assert ours.scores_to_returns("difference", scores, None) == [-6.0, 3.0, 3.0]
    assert ours.scores_to_returns("win", scores, None) == [-0.5, 0.25, 0.25]
    assert ours.scores_to_returns("win", (0.0, 9.0), None) == [-1.0, 1.0]
    assert ours.scores_to_returns("win", (-3.0, -3.0), -200.0) == [1.0, 1.0]
    assert ours.scores_to_returns("win", (-200.0, -200.0), -200.0) == [-1.0, -1.0]
    kinds = {how: loaded("detect", 0, returns=how) for how in ours.RETURNS}
    assert [k.get_type().utility.name for k in kinds.values()] == ["GENERAL_SUM", "ZERO_SUM", "ZERO_SUM"]
    assert [k.utility_sum() for k in kinds.values()] == [None, 0, 0]
    assert kinds["win"].max_utility() == 1
    together = loaded("uncovered", 0, returns="win")
    assert together.get_type().utility.name == "IDENTICAL"
    state = state_of(together, random.Random(1), 1)
    assert state.returns() == [0, 0], "nothing is won or lost yet"
    state.apply_action(state.legal_actions()[-1])
    assert state.is_terminal()
    assert state.returns() == [-1, -1], "uncovered too early"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("length=hand", r"^length must be one of match, round, not hand$"),
        ("returns=money", r"^returns must be one of score, difference, win, not money$"),
        ("deals=70000", r"^deals must be from 1 to 65536, or 0 for 2\*\*32, not 70000"),
        ("tensor=flat", r"^tensor must be one of one_hot, compact, not flat$"),
        ("players=9", r"^Detect is for 2 to 8 players, not 9$"),
        ("tie=never", r"^tie must be share"),
    ],
)
def test_an_openspiel_game_with_impossible_parameters_raises_an_error_when_loaded(text: str, says: str) -> None:
    with pytest.raises((ValueError, OptionError), match=says):
        pyspiel.load_game(f"facedown_detect({text})")


def test_openspiel_refuses_score_differences_in_a_cooperative_game() -> None:
    with pytest.raises(ValueError, match="is cooperative"):
        loaded("uncovered", 0, returns="difference")


@pytest.mark.parametrize("name", GAMES)
def test_openspiel_action_strings_equal_the_move_texts_of_match_files(name: str, seed: int) -> None:
    rnd = random.Random(seed)
    state = state_of(loaded(name), rnd, rnd.randrange(20))
    for action in state.legal_actions():
        words = state.action_to_string(state.current_player(), action)
        assert words == game(name).words.words(action)
        assert state.string_to_action(state.current_player(), words) == state.string_to_action(words) == action
    forbidden = next(a for a in range(game(name).actions) if a not in state.legal_actions())
    with pytest.raises(pyspiel.SpielError, match="Couldn't find an action matching"):
        state.string_to_action(game(name).words.words(forbidden))
    before = str(state), state.history()
    with pytest.raises(ValueError, match=f"^action {forbidden} is not legal"):
        state.apply_action(forbidden)
    assert (str(state), state.history()) == before


def test_openspiel_action_strings_of_a_game_are_all_different() -> None:
    kind = loaded("scout", 0, deals=9)
    words = [kind.action_to_string(0, action) for action in range(kind.num_distinct_actions())]
    assert len(set(words)) == len(words)
    assert words == [game("scout").words.words(action) for action in range(game("scout").actions)]
    assert kind.action_to_string(pyspiel.PlayerId.CHANCE, 8) == "deal 8"


def test_openspiels_rl_environment_plays_a_round(seed: int) -> None:
    rnd = random.Random(seed)
    environment = rl_environment.Environment(loaded("reveal", 0, length="round", returns="difference"))
    step = environment.reset()
    while not step.last():
        seen, player = step.observations, step.observations["current_player"]
        assert len(seen["info_state"][player]) == environment.observation_spec()["info_state"][0]
        step = environment.step([rnd.choice(seen["legal_actions"][player])])
    assert sum(step.rewards) == 0


def test_an_openspiel_state_does_not_change_if_its_returned_list_of_legal_actions_is_changed() -> None:
    state = state_of(loaded("reveal"), random.Random(1), 0)
    before = state.legal_actions()
    state.legal_actions().clear()
    assert state.legal_actions() == before


def test_chance_actions_in_openspiel_can_be_converted_to_strings_and_back() -> None:
    state = loaded("reveal", 0, deals=7).new_initial_state()
    assert [state.action_to_string(action) for action, _ in state.chance_outcomes()] == [f"deal {n}" for n in range(7)]
    assert state.string_to_action("deal 6") == 6
    with pytest.raises(pyspiel.SpielError, match="Couldn't find an action matching deal 7"):
        state.string_to_action("deal 7")
    state.apply_action(2)
    with pytest.raises(pyspiel.SpielError, match="chance is not to act"):
        state.chance_outcomes()


def test_process_that_loaded_an_openspiel_game_exits_without_an_error() -> None:
    """OpenSpiel releases registered games after Python has ended."""
    program = "import facedown.research.openspiel, pyspiel; pyspiel.load_game('facedown_reveal').new_initial_state()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
