"""Bots that do not search: greedy, beginner and random.

Each game defines a compiled policy (`core.bot.Policy`). The policy returns the same action for a state and for the
seat's view of it. Therefore search can call it on states within compiled playouts, while `GreedyBot` calls it on views
only.

The function `greedy` below works for all games: it takes a state or view, finds the game by the type of this argument
(`core.rule_dispatch`), and calls the policy of this game. It can be called from compiled code and from plain Python.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.bot import Policy, check_view, generator_for, legal_actions_of_view
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.random_numbers import quick_randint
from facedown.core.rule import rule
from facedown.core.rule_dispatch import dispatch_by_record_type
from facedown.core.state import Position, View

#: Percentage of level beginner's moves that are random.
RANDOM_PERCENT = 50
#: Percentage of level beginner's moves that are random in cooperative games. It is smaller than `RANDOM_PERCENT`,
#: because a partner who spoils the game is no fun.
ANYTHING_TOGETHER = 20


class NoGreedyBot(LookupError):
    """Error: the game defines no policy, so it has no greedy bot."""


def policy_of(name: str) -> Policy[Any]:
    """Return the greedy policy of the game `name`. Raise `NoGreedyBot` if the game defines none."""
    found = load_game(name).policy
    if found is None:
        raise NoGreedyBot(f"{name} has no greedy bot")
    return found


@rule
def raise_no_greedy_bot(s: Position, seat: int, q: NDArray[np.uint64]) -> int:
    """Raise `NoGreedyBot`. Placeholder for the greedy policy of a game that has none.

    Compiled code of random bots refers to a policy without calling it, so a function must exist. The arguments are
    those of a greedy policy: state or view, seat, state `q` of a fast random number generator.
    """
    if seat >= 0:
        raise NoGreedyBot("this game has no greedy bot")
    return -1


NO_POLICY: Policy[Any] = Policy(raise_no_greedy_bot)


def policy_or_placeholder(name: str) -> Policy[Any]:
    """Return the greedy policy of the game `name`. If the game has none, return the placeholder `NO_POLICY`.

    With the placeholder, code that contains a call of the greedy policy still compiles. If this call is executed, the
    placeholder raises `NoGreedyBot`.
    """
    return load_game(name).policy or NO_POLICY


#: `greedy(position, seat, q)`: return the greedy action of a seat that is to act. Ties are broken by random numbers;
#: `q` is the state of a fast random number generator.
greedy = dispatch_by_record_type(lambda name, _: policy_or_placeholder(name).greedy)
#: `is_reckless(position, seat, action)`: whether bots must never pick this action at random
#: (`core.bot.Policy.reckless`), for example because a wrong guess loses the whole game.
is_reckless = dispatch_by_record_type(lambda name, _: policy_or_placeholder(name).reckless)


def greedy_bot_reason(game: GameModule, view: View, seat: int, action: int) -> str:
    """Return the game's explanation of why the greedy bot chooses `action`, or an empty text if the game gives none.

    `view` must be the view of `seat`.
    """
    check_view(view, seat)
    return policy_of(game.name).reason(view, seat, action)


class GreedyBot:
    """Bot that plays the move chosen by the greedy policy of the game (`core.bot.Policy`), without search.

    The policy picks the move that looks best now, by what the seat knows. The bot does not try out what could happen
    after the move.
    """

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return the action that looks best now, by what `seat` knows, without trying out what could happen after it.

        `seed` decides between actions that look equally good. Raise `ValueError` if the seat is not to act.
        """
        legal_actions_of_view(game, view, seat)
        return int(policy_of(game.name).greedy(view, seat, generator_for(seed)))


class BeginnerBot:
    """Bot that plays about half of its moves at random (fewer in cooperative games), and the others greedily.

    A random move is never reckless (`core.bot.Policy.reckless`). An action is reckless if a wrong guess loses the whole
    game or hand at once, or if the aim of the action can no longer be reached.
    """

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return a random action or the greedy bot's action. Raise `ValueError` if the seat is not to act.

        The probability of a random action is `RANDOM_PERCENT` per cent. In cooperative games it is `ANYTHING_TOGETHER`
        per cent, which is less. A random action is drawn uniformly from the legal actions that are not reckless. If all
        are reckless, return the greedy bot's action instead.

        A reckless action stakes the whole game or hand on a guess, or is pointless.
        """
        check_view(view, seat)
        q = generator_for(seed)
        by_chance = int(quick_randint(q, 100)) < (ANYTHING_TOGETHER if game.info.together else RANDOM_PERCENT)
        reckless = policy_of(game.name).reckless
        anything = [a for a in game.legal(view, seat) if not reckless(view, seat, a)] if by_chance else []
        if not anything:
            return GreedyBot().choose(game, view, seat, seed)
        return anything[int(quick_randint(q, len(anything)))]


class RandomBot:
    """Bot that plays a random legal action, each with equal probability."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return a random legal action. Raise `ValueError` if the seat has none."""
        actions = legal_actions_of_view(game, view, seat)
        return actions[int(quick_randint(generator_for(seed), len(actions)))]
