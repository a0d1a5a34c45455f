"""Bots: they choose legal moves from a view alone, and the same view gives the same choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from facedown.bots import LEVELS, NotAView, UnknownBot, bot, choose_for_seat
from facedown.bots.critic_search import CriticSearchBot
from facedown.bots.network_bot import NetworkBot
from facedown.bots.rollout_search import RolloutSearchBot
from facedown.bots.search_common import Budget
from facedown.bots.simple_bots import greedy, greedy_bot_reason
from facedown.bots.tree_search import SearchBot
from facedown.core.bot import Bot, choose_with_effort
from facedown.core.game_registry import catalogue
from facedown.core.hidden_cards import known_view, redeal
from facedown.core.match import Match
from facedown.core.random_numbers import key_of, quick_generator
from facedown.core.rule import INTERPRETED
from facedown.core.seeds import seed_from_text
from tests.bots.positions import SPREAD, detect_match, iterate_turns, match_with_two_nines, new_match, untrained_network

GAMES = list(catalogue())
#: Bots by name, tested in all games, or in Detect only if they need a network.
MAKERS: dict[str, Callable[[], Bot]] = {
    **{level: partial(bot, level) for level in ("random", "greedy", "beginner", "casual")},
    "tree search": lambda: SearchBot(Budget(120)),
    "rollouts": lambda: RolloutSearchBot(Budget(120)),
    "network": lambda: NetworkBot(untrained_network()),
    "mixing network": lambda: NetworkBot(untrained_network(), temperature=1.0),
    "critic": lambda: CriticSearchBot(untrained_network(), worlds=4),
}
NETWORKS = ("network", "mixing network", "critic")
CASES = [(kind, name) for kind in MAKERS for name in (["detect"] if kind in NETWORKS else GAMES)]
SEARCHING = ("tree search", "rollouts")


def test_every_bot_level_has_a_unique_identifier_and_a_bot() -> None:
    keys = [level.key for level in LEVELS]
    assert len(set(keys)) == len(keys)
    assert all(level.label and level.says for level in LEVELS)
    assert [level.label for level in LEVELS if level.offered] == ["Beginner", "Casual", "Strong", "Master"]
    assert [level.key for level in LEVELS if level.usual] == ["casual"]
    for key in keys:
        assert bot(key) is not None


def test_an_unknown_bot_level_raises_an_error_that_lists_the_levels() -> None:
    with pytest.raises(UnknownBot) as caught:
        bot("clever")
    assert str(caught.value).startswith("unknown bot clever; available: random, greedy")
    assert isinstance(caught.value, KeyError)


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_bots_choose_legal_moves_that_depend_on_view_and_seed_only(kind: str, name: str, seed: int) -> None:
    """Another bot of the same kind chooses the same in any world that fits the view, secret choices included."""
    if INTERPRETED and kind in SEARCHING:
        pytest.skip("thousands of rounds are played out")
    rng = np.random.default_rng(seed)
    match, player = new_match(name, seed, more=seed % 3), MAKERS[kind]()
    for ply, _lowest in iterate_turns(match, 30 if kind in SEARCHING else 60):
        seat = match.acting[-1]
        view, legal = match.known(seat), match.legal(seat)
        action = player.choose(match.game, view, seat, ply)
        assert action in legal
        other = redeal(view, rng.integers(0, 2**32, 8, dtype=np.uint32))
        assert MAKERS[kind]().choose(match.game, known_view(other, seat), seat, ply) == action
        if ply % 8 == 0:
            assert choose_with_effort(player, match.game, view, seat, ply, 0.5) in legal
        match.play(seat, action if ply % 2 else legal[int(rng.integers(len(legal)))])


@pytest.mark.parametrize(
    ("kind", "name"), [*CASES, *((level, name) for level in ("strong", "master") for name in GAMES)]
)
def test_bots_refuse_to_choose_from_a_full_state_or_the_view_of_another_seat(kind: str, name: str) -> None:
    match, player = new_match(name, "refused"), MAKERS.get(kind, partial(bot, kind))()
    seat = match.acting[0]
    with pytest.raises(NotAView, match=f"the bot of seat {seat} was given a state with every secret in it"):
        player.choose(match.game, match.state, seat, 1)
    with pytest.raises(NotAView, match=f"the bot of seat {seat} was given the view of seat {1 - seat}"):
        player.choose(match.game, match.known(1 - seat), seat, 1)


@pytest.mark.parametrize("kind", MAKERS)
def test_bots_raise_an_error_for_a_seat_that_is_not_to_act(kind: str) -> None:
    match = new_match("detect", "waiting")
    match.play(0, 0)
    with pytest.raises(ValueError, match="seat 0 cannot move now"):
        MAKERS[kind]().choose(match.game, match.known(0), 0, 1)


@pytest.mark.parametrize("name", GAMES)
def test_the_greedy_policy_chooses_the_same_from_a_full_state_as_from_the_seats_view(name: str, seed: int) -> None:
    """Tree search calls it on states in compiled code, so it must not use hidden cards of the state."""
    match = new_match(name, seed)
    for ply, seat in iterate_turns(match, 80):
        q = quick_generator(key_of(seed_from_text(str(ply))), 0)
        on_view = greedy(match.known(seat), seat, q.copy())
        on_state = greedy(match.state, seat, q.copy())
        assert on_view == on_state
        match.play(seat, int(on_view))


def test_the_beginner_bot_in_uncovered_uncovers_the_hands_only_if_the_greedy_bot_would(seed: int) -> None:
    """In Uncovered! a random uncovering would end the match."""
    match = Match("uncovered", 2, seed=seed_from_text(str(seed)))
    uncover = match.game.words.parse("uncover")
    for ply, seat in iterate_turns(match, 40):
        action = choose_for_seat(bot("beginner"), match, seat, ply)
        assert action != uncover or choose_for_seat(bot("greedy"), match, seat, ply) == uncover
        match.play(seat, action)


def test_the_random_bot_plays_every_legal_move_about_equally_often() -> None:
    match = Match("detect", 2, {"opening_pick": "random"}, seed_from_text("random"))
    seat = match.acting[0]
    chosen = Counter(choose_for_seat(bot("random"), match, seat, number) for number in range(1300))
    # 12 cells to take the discard to, and drawing: 100 times each on average. 40 or 160 is six standard deviations off.
    assert set(chosen) == set(match.legal(seat))
    assert all(40 <= count <= 160 for count in chosen.values())


def matches_won(better: str, worse: str) -> int:
    """Return how many of twenty matches of Detect one bot wins: ten deals, each from both seats."""
    won = 0
    for number in range(20):
        match = Match("detect", 2, seed=seed_from_text(f"deal {number // 2}"))
        mine = number % 2
        for _ply, seat in iterate_turns(match):
            match.play(seat, choose_for_seat(bot(better if seat == mine else worse), match, seat, match.ply))
        returns = match.game.returns(match.state)
        won += returns[mine] > returns[1 - mine]
    return won


@pytest.mark.parametrize(("better", "worse", "won"), [("greedy", "random", 18), ("casual", "beginner", 16)])
def test_stronger_bot_levels_win_most_matches_of_detect(better: str, worse: str, won: int) -> None:
    assert matches_won(better, worse) >= won


def greedy_move(match: Match) -> tuple[str, str]:
    """Return the greedy bot's move for the acting seat, and the reason."""
    seat = match.acting[0]
    action = choose_for_seat(bot("greedy"), match, seat, 0)
    return match.game.words.words(action), greedy_bot_reason(match.game, match.known(seat), seat, action)


def test_greedy_bot_in_detect_completes_a_column_of_equal_cards() -> None:
    assert greedy_move(match_with_two_nines())[0] == "take a3"


def test_greedy_bot_in_detect_replaces_its_highest_card_with_a_low_one() -> None:
    match = detect_match("open a1 b1", "open a1 b1", deal=f"12 1 1 11 3 4 5 6 7 8 10 11 {SPREAD} -2 1")
    move, why = greedy_move(match)
    assert move == "take a1"
    assert why.startswith("at a rough estimate, taking the −2 saves 14 points, while drawing a card ")


def test_greedy_bot_in_detect_draws_instead_of_taking_a_high_discard() -> None:
    match = detect_match("open a1 b1", "open a1 b1", deal=f"6 7 1 2 3 4 5 6 7 8 10 11 {SPREAD} 12 1")
    assert greedy_move(match)[0] == "draw"


def test_greedy_bot_in_detect_does_not_remove_a_column_of_negative_cards() -> None:
    deal = "-1 -1 9 12 12 4 5 6 7 8 10 11  -2 4 5 -2 7 8 9 10 11 3 4 5  -1 1"
    match = detect_match("open a1 a2", "open a1 b1", "take a3", deal=deal, set_optional="yes")
    assert match.acting == [0]
    assert greedy_move(match) == ("leave", "these cards are worth zero or less")
