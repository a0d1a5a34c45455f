"""Bots that look at a single move: greedy, beginner and random.

Each game brings a compiled policy (`core.bot.Policy`). It answers alike on a state and on a seat's view: search uses it
inside compiled playouts, where states are plain, while `GreedyBot` hands it views only. `greedy` below finds it by the
type of the record, in compiled and in plain Python code alike, as `core.dispatch` does for rules.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Policy, check_view, generator_for, legal_actions_of_view
from facedown.core.dispatch import dispatch_by_record_type
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.random_numbers import quick_below
from facedown.core.rule import rule
from facedown.core.state import Position, View

#: Moves in a hundred that are random.
ANYTHING = 50
#: The same where all win or lose together: a partner who spoils everything is no fun.
ANYTHING_TOGETHER = 20


class NoGreedyBot(LookupError):
    """This game has no greedy bot."""


def policy_of(name: str) -> Policy[Any]:
    """The policy of a game; `NoGreedyBot` if it brings none."""
    found = load_game(name).policy
    if found is None:
        raise NoGreedyBot(f"{name} has no greedy bot")
    return found


@rule
def raise_no_greedy_bot(s: Position, seat: int, q: NDArray[np.uint64]) -> int:
    """Stands for the greedy move of a game without one: code of random bots names it and never calls it.

    `q` would be a quick generator. Raises `NoGreedyBot`.
    """
    if seat >= 0:
        raise NoGreedyBot("this game has no greedy bot")
    return -1


NO_POLICY: Policy[Any] = Policy(raise_no_greedy_bot)


def policy_or_placeholder(name: str) -> Policy[Any]:
    """The policy that compiled code is made with; `NO_POLICY` for a game that brings none."""
    return load_game(name).policy or NO_POLICY


#: The greedy action of a seat that is to act; `q` is a quick generator for choices between equals.
greedy = dispatch_by_record_type(lambda name, _: policy_or_placeholder(name).greedy)
#: Does no bot take this action by chance (`core.bot.Policy.reckless`)?
is_reckless = dispatch_by_record_type(lambda name, _: policy_or_placeholder(name).reckless)


def reason(game: GameModule, view: View, seat: int, action: int) -> str:
    """Why the greedy bot of a game likes an action, in words; empty where it does not say."""
    check_view(view, seat)
    return policy_of(game.name).reason(view, seat, action)


class GreedyBot:
    """Plays what looks best at once."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """The greedy action; `ValueError` if the seat is not to act."""
        legal_actions_of_view(game, view, seat)
        return int(policy_of(game.name).greedy(view, seat, generator_for(seed)))


class BeginnerBot:
    """Plays greedily, but makes many random moves; none of them loses for certain."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """The greedy action or a random one; `ValueError` if the seat is not to act."""
        check_view(view, seat)
        q = generator_for(seed)
        by_chance = int(quick_below(q, 100)) < (ANYTHING_TOGETHER if game.info.together else ANYTHING)
        reckless = policy_of(game.name).reckless
        anything = [a for a in game.legal(view, seat) if not reckless(view, seat, a)] if by_chance else []
        if not anything:
            return GreedyBot().choose(game, view, seat, seed)
        return anything[int(quick_below(q, len(anything)))]


class RandomBot:
    """Plays any legal action, all equally likely."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """A random legal action; `ValueError` if the seat has none."""
        actions = legal_actions_of_view(game, view, seat)
        return actions[int(quick_below(generator_for(seed), len(actions)))]
