"""What a coach says of moves, as data: `bots.coach` says it of any game, a game with a solver says it exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from facedown.core.actions import Move
from facedown.core.state import View

#: What is judged: a chance (of an estimate: to win the match, by a solver: the hand), or turns that are wasted.
CHANCE = "chance"
TURNS = "turns"
#: An estimated move is called a mistake if it is behind by this many standard errors: so sure that a second, longer
#: calculation says the same.
MISTAKE_STANDARD_ERRORS = 4.0
#: The smallest difference that counts, by unit.
MIN_DIFFERENCE = {CHANCE: 0.01, TURNS: 0.5}


class NoCoach(LookupError):
    """The coach can say nothing about this."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A move one could play."""

    action: int
    words: str
    value: float
    """What it is worth: a chance from 0 to 1, or the turns that it wastes (of an estimate: on average)."""
    behind: float
    """By how much it is worse than the best one."""
    unit: str
    """`CHANCE` or `TURNS`."""
    exact: bool
    worlds: int = 0
    """Of an estimate: in how many imagined worlds it was tried."""
    error: float = 0.0
    """Of an estimate: the standard error of `behind`."""
    why: str = ""
    """The reason in words, as far as the greedy bot sees one."""
    beaten: int = 0
    """Of a move of a finished match that was tried beside the best one: in so many worlds it came out worse."""
    beats: int = 0
    """In so many of them it came out better."""
    lost: int = 0
    """Of turns: the number of worlds in which the game was lost after it; if exact, 1 if it loses the game."""

    @property
    def mistake(self) -> bool:
        """Is it worse than the best move, for certain or beyond chance?"""
        return (
            self.behind > 0
            if self.exact
            else self.behind >= max(MIN_DIFFERENCE[self.unit], MISTAKE_STANDARD_ERRORS * self.error)
        )


@dataclass(frozen=True, slots=True)
class Hindsight:
    """What a move was worth with all cards open: a remark beside the judgement, never a part of it."""

    wasted: int
    """The turns that it wasted."""
    best: int
    """An action that would have wasted none."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of a match, judged from what its seat knew."""

    ply: int
    """Which move of the match it was, from 0."""
    seat: int
    played: Advice
    best: Advice
    chance: float | None = None
    """The chance to win the match after the move played, as its seat could see it; None where nothing can be said."""
    best_chance: float | None = None
    """The same after the best move."""
    hindsight: Hindsight | None = None
    """None where the game has no solver for open cards, or the move ended a lost game."""

    @property
    def mistake(self) -> bool:
        """Was there a better one, for certain or beyond chance?"""
        return self.played.action != self.best.action and self.played.mistake

    @property
    def as_good(self) -> bool:
        """Was it the best move, or one that nobody could tell from it?"""
        return self.played.action == self.best.action or self.played.behind < MIN_DIFFERENCE[self.played.unit]

    @property
    def cost(self) -> float:
        """What the move cost: so much of a chance to win the match (or of what it was judged by), or turns."""
        if self.chance is None or self.best_chance is None:
            return self.played.behind
        return self.best_chance - self.chance


@dataclass(frozen=True, slots=True)
class Answer:
    """A solver's answer to one line of input, in one line."""

    text: str
    bad: bool = False
    """Could the line not be read? Then `text` says why."""


@dataclass(frozen=True)
class Solver:
    """What a game's own solvers know, in place of imagined worlds."""

    advise: Callable[[View, int], list[Advice] | None] | None = None
    """(view, seat) → the moves of the seat, best first, judged exactly; None where the solver does not reach."""
    hindsight: Callable[[View, Sequence[Move]], dict[int, Hindsight]] | None = None
    """(a spectator's view of a finished match, its moves) → what each move was worth with all cards open, by its number
    from 0."""
    answers: Callable[[Iterable[str]], Iterator[Answer]] | None = None
    """Positions on lines of text, each solved: what ``facedown solve`` prints."""
