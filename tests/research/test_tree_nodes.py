"""Tree nodes: positions that never change, what seats remember of them, and redealt worlds."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import pairwise

import numpy as np
import pytest

from facedown.core.game_registry import game
from facedown.core.match import Match
from facedown.core.options import OptionError
from facedown.core.random_numbers import key_of
from facedown.core.rule import INTERPRETED
from facedown.core.state import NOBODY, SPECTATOR, to_bytes
from facedown.research.game_tree import CHANCE, MOST_DEALS, TERMINAL, Node, tree_of
from facedown.simulate.random_playouts import deal_batch
from tests.nightly_selection import mostly
from tests.research.game_settings import play_pauses
from tests.research.tree_test_settings import SETTINGS, played, tree

GAMES = tuple(SETTINGS)
EACH = [(name, number) for name in GAMES for number in range(3)]
DAILY = [(name, 0) for name in GAMES]


def path_to(node: Node) -> list[Node]:
    """Return the positions that led to this one, and the position itself."""
    path = [node]
    while path[-1].parent is not None:
        path.append(path[-1].parent)
    return path[::-1]


@pytest.mark.parametrize(("name", "number"), mostly(EACH, DAILY, ()))
def test_positions_along_a_path_of_a_game_tree_equal_those_of_a_match_with_the_same_moves(
    name: str, number: int, seed: int
) -> None:
    rnd, pauses = random.Random(seed), bool(seed % 2)
    path = path_to(played(tree(name, number, pauses=pauses).root, rnd, 120))
    options = SETTINGS[name][number].copy()
    seats = int(options.pop("players", game(name).info.seats[0]))
    match = Match(name, seats, options, bytes(32))
    match.state = path[0].states[0]
    for before, after in pairwise(path):
        assert before.player == match.acting[0]
        assert list(before.legal) == match.legal(before.player)
        match.play(after.seat, after.action)
        if not pauses:
            play_pauses(match)
        assert to_bytes(after.states[0]) == to_bytes(match.state)
        for seat in range(seats):
            assert to_bytes(after.view(seat)) == to_bytes(match.known(seat))


@pytest.mark.skipif(INTERPRETED, reason="the numbers in a batch wrap")
def test_deals_of_a_game_tree_equal_those_of_random_playouts_with_the_same_seed() -> None:
    root = tree_of("reveal", seed=5, deals=400).root
    batch = deal_batch("reveal", 3, seed="5", first=397)
    for number in range(3):
        assert root.play(397 + number).states[0].tobytes() == batch[number].tobytes()


def test_game_tree_of_all_deals_draws_the_number_of_the_deal_in_four_one_byte_chance_steps() -> None:
    node = tree_of("reveal", seed=5).root
    for outcome in (0, 0, 1, 141):
        assert (node.player, node.legal) == (CHANCE, tuple(range(256)))
        node = node.play(outcome)
    assert node.states[0].tobytes() == tree_of("reveal", seed=5, deals=400).root.play(397).states[0].tobytes()


@pytest.mark.parametrize("name", GAMES)
def test_game_tree_of_one_round_ends_with_the_returns_of_that_round(name: str, seed: int) -> None:
    rnd = random.Random(seed)
    node = played(tree(name, 0, one_round=True).root, rnd, 10_000)
    end = node.play(rnd.choice(node.legal))
    while end.player != TERMINAL:
        end = node.play(rnd.choice(node.legal))
    assert end.legal == ()
    returns = game(name).returns(end.states[0])
    assert list(end.returns()) == returns
    assert node.returns() == (0.0,) * len(returns)
    if end.states[0].over == 0:
        assert game(name).legal(end.states[0], 0) == [game(name).rules.pause]
    with pytest.raises(ValueError, match="the game is over"):
        end.play(0)


def test_game_tree_skips_actions_that_only_continue_to_the_next_round_unless_requested(seed: int) -> None:
    pause = game("reveal").rules.pause
    for kept in (False, True):
        node = played(tree("reveal", 0, pauses=kept).root, random.Random(seed), 80)
        pauses = [n.action for n in path_to(node) if n.action == pause and n.seat >= 0]
        assert bool(pauses) == kept
        assert any(n.went_on for n in path_to(node)) != kept


@pytest.mark.parametrize("name", GAMES)
def test_a_game_tree_node_does_not_change_when_actions_are_played_from_it(name: str, seed: int) -> None:
    rnd = random.Random(seed)
    node = played(tree(name).root, rnd, rnd.randrange(30))
    assert copy.deepcopy(node) is node
    before = (node.states.tobytes(), node.legal, node.player)
    children = [node.play(action).states.tobytes() for action in node.legal]
    assert (node.states.tobytes(), node.legal, node.player) == before
    assert children == [node.play(action).states.tobytes() for action in node.legal]


def test_illegal_action_or_chance_outcome_at_a_game_tree_node_raises_value_error() -> None:
    root = tree_of("uncovered", deals=3).root
    with pytest.raises(ValueError, match=r"^chance has outcomes 0 to 2, not 3$"):
        root.play(3)
    node = root.play(0)
    with pytest.raises(ValueError, match=r"^action \d+ is not legal for player \d\. Action \d+ does not exist"):
        node.play(node.tree.game.actions)
    with pytest.raises(ValueError, match="there are no views before the deal"):
        root.view(0)
    with pytest.raises(ValueError, match="there are no views before the deal"):
        root.redealt(0, np.zeros(8, np.uint32))


def test_game_tree_with_an_impossible_number_of_deals_or_seats_raises_an_error() -> None:
    with pytest.raises(ValueError, match=f"deals must be from 1 to {MOST_DEALS}, or 0 for "):
        tree_of("reveal", deals=-1)
    with pytest.raises(OptionError, match="Reveal is for 2 players, not 3"):
        tree_of("reveal", 3)


# --- memory of seats --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "number"), mostly(EACH, DAILY, ()))
def test_equal_memories_of_a_seat_at_two_nodes_imply_equal_earlier_memories_and_actions(
    name: str, number: int, seed: int
) -> None:
    """This is perfect recall. It is checked at every position of random matches with few deals."""
    rnd = random.Random(seed)
    pasts: dict[tuple[int, bytes], list[tuple[bytes, int]]] = {}
    met = 0
    for _ in range(40):
        own: dict[int, list[tuple[bytes, int]]] = {}
        for node in path_to(played(tree(name, number, deals=1).root, rnd, 12)):
            if node.parent is not None:
                own.setdefault(node.seat, []).append((node.parent.memory_hash(node.seat), node.action))
            memory = node.player, node.memory_hash(node.player)
            met += memory in pasts
            assert pasts.setdefault(memory, list(own.get(node.player, []))) == own.get(node.player, [])
    assert met >= 39, "the first position is met in every match"


def test_memory_of_a_seat_does_not_depend_on_a_secret_choice_of_another_seat() -> None:
    node = tree_of("reveal", deals=1).root.play(0)
    after = [node.play(action) for action in node.legal]
    assert len({n.memory_hash(1) for n in after}) == 1
    assert len({n.memory_hash(SPECTATOR) for n in after}) == 1
    assert len({n.memory_hash(0) for n in after}) == len(after)


def test_seat_memory_includes_the_end_of_a_round_even_if_the_action_to_continue_is_skipped(seed: int) -> None:
    path = path_to(played(tree("reveal").root, random.Random(seed), 60))
    after = next(node for node in path if node.went_on)
    blind = Node(after.tree, after.states, after.player, after.legal, after.parent, after.seat, after.action)
    assert all(after.memory_hash(who) != blind.memory_hash(who) for who in (0, 1, SPECTATOR))


@pytest.mark.parametrize(("name", "number"), mostly(EACH, DAILY, ()))
def test_a_redeal_of_cards_hidden_from_a_seat_keeps_the_memory_and_view_of_that_seat(
    name: str, number: int, seed: int
) -> None:
    rnd = random.Random(seed)
    others = 0
    for _ in range(12):
        node = played(tree(name, number).root, rnd, rnd.randrange(60))
        seat = rnd.randrange(node.tree.seats)
        world = node.redealt(seat, key_of(rnd.randbytes(32)))
        assert world.player == node.player
        assert world.memory_hash(seat) == node.memory_hash(seat)
        assert to_bytes(world.view(seat)) == to_bytes(node.view(seat))
        assert world.states[0].viewer == NOBODY
        if node.player == seat:
            assert world.legal == node.legal
        others += world.states.tobytes() != node.states.tobytes()
        # The memories of other seats follow from that world and from what is public: equal worlds give equal memories.
        again = node.redealt(seat, world.states[0].key.copy())
        same = [other for other in range(node.tree.seats) if to_bytes(again.view(other)) == to_bytes(world.view(other))]
        assert all(again.memory_hash(other) == world.memory_hash(other) for other in same)
    assert others


def test_dealing_hidden_cards_again_leaks_nothing_of_what_other_seats_remember(seed: int) -> None:
    """Two positions that a seat cannot tell apart give byte-identical worlds."""
    rnd = random.Random(seed)
    node = tree_of("reveal", deals=1).root.play(0)
    first, second = (node.play(action) for action in rnd.sample(node.legal, 2))
    drawn = key_of(rnd.randbytes(32))
    worlds = [n.redealt(1, drawn) for n in (first, second)]
    assert pickle.dumps(worlds[0]) == pickle.dumps(worlds[1])


@pytest.mark.parametrize("name", GAMES)
def test_pickled_game_tree_node_is_restored_with_the_memories_of_all_seats(name: str, seed: int) -> None:
    rnd = random.Random(seed)
    root = tree(name, 1).root
    assert pickle.loads(pickle.dumps(root.play(3))).drawn == (3,)
    node = played(root, rnd, 40)
    found = pickle.loads(pickle.dumps(node))
    assert found.tree is tree_of(name, node.tree.seats, node.tree.options)
    assert (found.states.tobytes(), found.player, found.legal) == (node.states.tobytes(), node.player, node.legal)
    action = rnd.choice(node.legal)
    for seat in (*range(node.tree.seats), SPECTATOR):
        assert found.memory_hash(seat) == node.memory_hash(seat)
        assert found.play(action).memory_hash(seat) == node.play(action).memory_hash(seat)
