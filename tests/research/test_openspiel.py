"""OpenSpiel takes our games as its own: its tests, its searchers and solvers, and what a player must not be told."""

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
from tests.research.tree_games import SETTINGS

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
#: Looked at every day: each game once, not all with their usual options.
DAILY = [(name, at % 3) for at, name in enumerate(GAMES)]
EVERY = mostly(EACH, DAILY, ())


def loaded(name: str, number: int = 0, **more: Any) -> Any:
    """One of a game's settings as a game of OpenSpiel."""
    given: dict[str, Any] = {key: ours.to_openspiel_value(value) for key, value in SETTINGS[name][number].items()}
    if "players" in given:
        given["players"] = int(given["players"])
    return pyspiel.load_game(ours.PREFIX + name, {**given, **more})


def state_of(kind: Any, rnd: random.Random, moves: int) -> Any:
    """A state after so many random moves, or the last one before the end."""
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
def test_a_random_simulation(name: str, number: int) -> None:
    """Copies, serialised states, masks, strings, tensors, rewards and bounds, at each move of a match."""
    pyspiel.random_sim_test(loaded(name, number), 1, True, False)


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_the_other_simulation(name: str, number: int, seed: int) -> None:
    """Python's side: copies keep the history, games, types and states go through pickle."""
    np.random.seed(seed % 2**32)  # noqa: NPY002 (it is what that test draws from)
    kind = loaded(name, number, length="round", returns="score" if number else "win")
    games_sim_test.GamesSimTest().sim_game(kind)


def passed(cases: type[unittest.TestCase], *names: str) -> None:
    """Run a class of OpenSpiel's tests, or those of these names."""
    suite = unittest.TestSuite(map(cases, names or unittest.defaultTestLoader.getTestCaseNames(cases)))
    result = unittest.TestResult()
    suite.run(result)
    assert result.testsRun == (len(names) or suite.countTestCases())
    assert result.wasSuccessful(), "\n".join(text for _, text in (*result.failures, *result.errors))


@pytest.fixture(scope="module")
def api_test() -> Any:
    """OpenSpiel's tests of any game; they load much, which no process needs that only collects them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from open_spiel.integration_tests import api_test
    return api_test


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_the_api_on_part_of_the_tree(name: str, number: int, seed: int, api_test: Any) -> None:
    """Errors for players that there are not, no actions of others, private and public observers, lengths."""
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

    passed(Cases)


@pytest.fixture
def kuhn(monkeypatch: pytest.MonkeyPatch) -> str:
    """The smallest game there is, installed for the test: its whole tree can be looked at."""
    from facedown.core import game_registry as registry
    from tests.examples.installed import EXAMPLE

    monkeypatch.syspath_prepend(str(EXAMPLE))
    from facedown_kuhn.info import INFO

    monkeypatch.setitem(registry._games_by_name(), "kuhn", (INFO, "facedown_kuhn"))
    ours.register([INFO])
    return "facedown_kuhn(length=round,deals=40,returns=difference)"


def test_the_api_on_a_whole_tree(kuhn: str, api_test: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Perfect recall, no position of two players, no actions at the end; and so many positions."""
    named = "our kuhn"
    # A deal has four positions of players, and five ways to end.
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, named, (1, 4 * 40, 5 * 40))
    # Each of two players may start; then three cards, two positions of each.
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, named, 2 * 3 * 4)
    cases = type("Cases", (api_test.EnforceAPIOnFullTreeBase,), {"game_name": named, "game": pyspiel.load_game(kuhn)})
    passed(cases)


# --- solvers and searchers --------------------------------------------------------------------------------------------


def test_counterfactual_regret_finds_an_equilibrium(kuhn: str) -> None:
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
def test_regret_can_be_sampled_in_any_game(name: str) -> None:
    kind = loaded(name, 0, length="round", returns="win", deals=3)
    solver = pyspiel.OutcomeSamplingMCCFRSolver(kind, 1)
    for _ in range(3):
        solver.run_iteration()
    state = kind.new_initial_state().child(0)
    found = solver.average_policy().action_probabilities(state)
    assert set(found) == set(state.legal_actions())
    assert sum(found.values()) == pytest.approx(1)


@pytest.mark.parametrize("name", GAMES)
def test_information_set_search_plays_a_move(name: str, seed: int) -> None:
    rnd = random.Random(seed)
    kind = loaded(name, 0, length="round", returns="win")
    chance = np.random.RandomState(seed % 2**32)
    bot = ISMCTSBot(kind, RandomRolloutEvaluator(1, chance), 1.4, 20, random_state=chance)
    state = state_of(kind, rnd, 4)
    assert bot.step(state) in state.legal_actions()


def test_what_is_compiled_cannot_ask_a_game_in_python_for_a_world() -> None:
    """OpenSpiel does not hand `resample_from_infostate` on to Python. Once it does, the page on it is out of date."""
    state = state_of(loaded("scout"), random.Random(1), 2)
    with pytest.raises(pyspiel.SpielError, match="not implemented"):
        pyspiel.State.resample_from_infostate(state, 0, random.random)


# --- what a player is told --------------------------------------------------------------------------------------------


def wanted(recall: bool, public: bool, private: Any) -> Any:
    return pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)


def told(kind: Any, state: Any, seat: int) -> dict[str, Any]:
    """All that OpenSpiel gives a player."""
    types = {
        (recall, public, private): wanted(recall, public, private)
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
    """What a player is told in a state and not in one that the player cannot tell from it, as `view` shows both."""
    rnd = random.Random(seed)
    kind = loaded(name, number)
    for _ in range(6):
        state = state_of(kind, rnd, rnd.randrange(60))
        seat = rnd.randrange(kind.num_players())
        world = state.resample_from_infostate(seat, pyspiel.UniformProbabilitySampler(0.0, 1.0))
        assert world.history() == []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Node, "view", view)
            here, there = (told(kind, s, seat) for s in (state, world))
        yield from (what for what in here if here[what] != there[what])


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_nothing_a_player_is_told_depends_on_what_is_hidden(name: str, number: int, seed: int) -> None:
    assert list(differences(name, number, seed)) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_planted_leak_is_caught(name: str, seed: int) -> None:
    """A view that shows everything shows in each form of it."""

    def all_seen(node: Node, viewer: int) -> Any:
        out = node.states.copy()
        out["viewer"] = viewer
        return out[0]

    assert {"observation", "observation tensor", "information tensor"} <= set(differences(name, 1, seed, all_seen))


def test_observers_come_in_parts(seed: int) -> None:
    """Public, private and both; now or remembered; of one or of all. A private past alone is not offered."""
    kind, one = loaded("reveal"), pyspiel.PrivateInfoType
    state = state_of(kind, random.Random(seed), 1)
    size = kind.observation_tensor_size()

    def string(recall: bool, public: bool, private: Any) -> Any:
        observer = kind.make_py_observer(wanted(recall, public, private), {})
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


def test_before_the_deal_there_is_but_one_world() -> None:
    state = loaded("reveal").new_initial_state().child(5)
    assert str(state.resample_from_infostate(0, random.random)) == str(state) == "before the deal 5"


# --- parameters -------------------------------------------------------------------------------------------------------


def test_every_installed_game_is_there() -> None:
    assert set(ours.GAMES) == {f"facedown_{name}" for name in catalogue()} <= set(pyspiel.registered_names())
    for name, info in catalogue().items():
        kind = next(t for t in pyspiel.registered_games() if t.short_name == f"facedown_{name}")
        assert (kind.min_num_players, kind.max_num_players) == info.seats
        assert set(kind.parameter_specification) == {"players", *ours.PARAMETERS, *(o.name for o in info.options)}


@pytest.mark.parametrize(("name", "number"), EACH)
def test_the_name_of_a_game_is_all_of_it(name: str, number: int) -> None:
    kind = loaded(name, number, seed=3, deals=9)
    again = pyspiel.load_game(str(kind))
    assert again.tree is kind.tree, str(kind)
    assert pickle.loads(pickle.dumps(kind)).tree is kind.tree
    assert {key: value for key, value in SETTINGS[name][number].items() if key != "players"}.items() <= (
        kind.tree.options.items()
    )
    assert str(loaded(name)) == f"facedown_{name}()"


def test_tensors_have_two_forms(seed: int) -> None:
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


def test_returns_can_be_counted_in_three_ways() -> None:
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
def test_what_cannot_be_played_is_said(text: str, says: str) -> None:
    with pytest.raises((ValueError, OptionError), match=says):
        pyspiel.load_game(f"facedown_detect({text})")


def test_a_difference_makes_no_sense_together() -> None:
    with pytest.raises(ValueError, match="is cooperative"):
        loaded("uncovered", 0, returns="difference")


@pytest.mark.parametrize("name", GAMES)
def test_actions_are_the_words_of_match_files(name: str, seed: int) -> None:
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


def test_a_game_lists_all_actions_and_they_are_different() -> None:
    kind = loaded("scout", 0, deals=9)
    words = [kind.action_to_string(0, action) for action in range(kind.num_distinct_actions())]
    assert len(set(words)) == len(words)
    assert words == [game("scout").words.words(action) for action in range(game("scout").actions)]
    assert kind.action_to_string(pyspiel.PlayerId.CHANCE, 8) == "deal 8"


def test_a_learner_s_environment_takes_a_game(seed: int) -> None:
    rnd = random.Random(seed)
    environment = rl_environment.Environment(loaded("reveal", 0, length="round", returns="difference"))
    step = environment.reset()
    while not step.last():
        seen, player = step.observations, step.observations["current_player"]
        assert len(seen["info_state"][player]) == environment.observation_spec()["info_state"][0]
        step = environment.step([rnd.choice(seen["legal_actions"][player])])
    assert sum(step.rewards) == 0


def test_the_actions_that_were_handed_out_may_be_shuffled() -> None:
    state = state_of(loaded("reveal"), random.Random(1), 0)
    before = state.legal_actions()
    state.legal_actions().clear()
    assert state.legal_actions() == before


def test_chance_has_words_too() -> None:
    state = loaded("reveal", 0, deals=7).new_initial_state()
    assert [state.action_to_string(action) for action, _ in state.chance_outcomes()] == [f"deal {n}" for n in range(7)]
    assert state.string_to_action("deal 6") == 6
    with pytest.raises(pyspiel.SpielError, match="Couldn't find an action matching deal 7"):
        state.string_to_action("deal 7")
    state.apply_action(2)
    with pytest.raises(pyspiel.SpielError, match="chance is not to act"):
        state.chance_outcomes()


def test_a_program_that_loaded_a_game_ends_well() -> None:
    """OpenSpiel lets go of what was registered after Python has ended."""
    program = "import facedown.research.openspiel, pyspiel; pyspiel.load_game('facedown_reveal').new_initial_state()"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
