"""What a bot is: a choice made from a view of its seat.

`choose` is handed a view, never a state; a bot that is handed a state by mistake refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import key_of, quick_seed
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.core.state import NOBODY, Position, View

if TYPE_CHECKING:
    from facedown.core.game import GameModule

P = TypeVar("P", bound=Position)


class Bot(Protocol):
    """Chooses actions, and sees nothing but views of what its seat knows."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """A legal action of `seat`; the same arguments give the same action.

        A bot that thinks by the clock, as level master does at a table, may choose another one on a busy machine.
        """


@runtime_checkable
class Elastic(Protocol):
    """A bot that can also do with less time than it would take: many wait for their bots at once."""

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """Like `Bot.choose`, with so much of the usual time and tries: above 0, at most 1."""


def chosen(bot: Bot, game: GameModule, view: View, seat: int, seed: int, effort: float = 1.0) -> int:
    """What a bot chooses with a share of its usual effort; one that knows no such thing is asked as always.

    `ValueError` unless the effort is above 0 and at most 1.
    """
    if not 0.0 < effort <= 1.0:
        raise ValueError(f"an effort is above 0 and at most 1, not {effort}")
    if effort < 1.0 and isinstance(bot, Elastic):
        return bot.choose_within(game, view, seat, seed, effort)
    return bot.choose(game, view, seat, seed)


class NotAView(ValueError):
    """A bot was handed something that is not a view of its seat."""


def check_view(view: Position, seat: int) -> None:
    """Raise `NotAView` unless `view` is what `seat` knows: a true state has no viewer."""
    if view.viewer != seat:
        what = "a state with every secret in it" if view.viewer == NOBODY else f"the view of {view.viewer}"
        raise NotAView(f"the bot of seat {seat} was handed {what}")


def choices(game: GameModule, view: View, seat: int) -> list[int]:
    """The legal actions of a seat by its own view (else `NotAView`); `ValueError` if the seat is not to act."""
    check_view(view, seat)
    legal = game.legal(view, seat)
    if not legal:
        raise ValueError(f"seat {seat} is not to act")
    return legal


def generator_for(seed: int) -> NDArray[np.uint64]:
    """The quick generator (`core.chance.quick_below`) of a bot's one choice."""
    return quick_seed(key_of(seed_from_text(str(seed))), 0)


# --- what a game's bots know of it ------------------------------------------------------------------------------------


@rule
def never(s: Position, seat: int, action: int) -> bool:
    """In most games a beginner may try anything."""
    # No action is negative; Numba cannot hand a constant to Python.
    return action < 0


def no_reason(view: View, seat: int, action: int) -> str:
    """A policy need not say why."""
    return ""


@dataclass(frozen=True)
class Policy(Generic[P]):
    """What looks best at once, by what the seat knows."""

    greedy: Callable[[P, int, NDArray[np.uint64]], int]
    """A rule (s, seat, q) → action. It reads public fields and the slots that the seat knows, so that it answers alike
    on a state and on the seat's view; `q` is a quick generator for choices between equals."""
    reason: Callable[[View, int, int], str] = no_reason
    """(view, seat, action): why the policy likes an action, in words."""
    reckless: Callable[[P, int, int], bool] = never
    """A rule (s, seat, action): does this action end a game or hand at once, or can it only fail? A beginner never
    takes such an action by chance. Like `greedy` it reads what the seat knows."""


def itself(view: View, seat: int, action: int) -> Any:
    """In most games no two moves come to the same."""
    return action


@rule
def as_it_stands(s: Position) -> None:
    """In most games it is not worth the trouble to find positions that come to the same."""


def all_of_them(view: View, seat: int, legal: Sequence[int]) -> list[int]:
    """In most games every move is worth a thought."""
    return list(legal)


@dataclass(frozen=True)
class Evaluation(Generic[P]):
    """What positions are worth to each seat, for search: where a rollout may stop, and how good the result is."""

    round_is_terminal: Callable[[P], bool]
    """A rule: is the round decided, so that playing on says nothing about the moves before?"""
    evaluate: Callable[[P, NDArray[np.float64]], None]
    """A rule (s, out): what such a position is worth to each seat, from 0 to 1, higher is better."""
    rollout_policy: Callable[[P, int, NDArray[np.uint64]], int] | None = None
    """A rule like `Policy.greedy`, quick enough for millions of rollouts; the greedy one where there is none."""
    equivalent: Callable[[View, int, int], Any] = itself
    """(view, seat, action): a key that moves share which come to the same, by what the seat knows."""
    promising: Callable[[View, int, Sequence[int]], list[int]] = all_of_them
    """(view, seat, legal): the moves that are worth a thought, where most of very many are plainly poor."""
    standard_form: Callable[[P], None] = as_it_stands
    """A rule (s): write the one position that stands for all which come to the same, for exact solvers. What has no
    bearing on the rest of the game may be forgotten; nobody has chosen a sealed move."""
    win_probability: Callable[[View, int, float], float] | None = None
    """(view, seat, value): the chance to win the match, if the round is worth `value` to the seat; it rises with it.
    None where only the round can be judged."""
    turns: int = 0
    """Where all play together and win by few turns: the turns between a worth of 1 and of 0. 0: worth is a chance."""


@dataclass(frozen=True)
class Levels:
    """How much the bots of a game think, and bots of its own."""

    strong: int = 200
    """How often level strong tries moves before each of its own: enough to beat casual, and to be beaten by master."""
    master: int = 0
    """What level master stops at where more brings nothing; 0: it takes all its time."""
    expert: Callable[[Bot], Bot] | None = None
    """A bot that plays a part of the game exactly and leaves the rest to the one it is given."""
    thinking: Callable[[int], Bot] | None = None
    """Instead of rollout search: the bot of so many looks at its moves; 0: as many as help."""
    networks: tuple[tuple[int, int, str], ...] = ()
    """What level master plays by instead: for so many to so many players, the weights of that name in the game's folder
    ``weights``."""
    temperature: float = 0.0
    """How far level master mixes the network's moves by their odds: 0 takes the best, 1 the odds as they are."""
    worlds: int = 0
    """In so many imagined worlds level master looks a turn ahead of the network; 0: it plays what the network says."""
