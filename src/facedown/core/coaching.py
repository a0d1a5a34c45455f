"""What a coach says of moves, as data: `bots.coach` says it of any game, a game with a solver says it exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from facedown.core.state import View

if TYPE_CHECKING:
    from facedown.core.match import Match

#: What is judged: the chance (of the mark, the match or the first place), or turns that are wasted.
CHANCE = "chance"
TURNS = "turns"
#: A move is called a mistake if it is behind by so many standard errors and at least by this much.
SURE = 2.0
LEAST = 0.01


class NoCoach(LookupError):
    """The coach can say nothing about this."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A move one could play."""

    action: int
    words: str
    value: float
    """What it is worth: a chance from 0 to 1, or the turns it wastes."""
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

    @property
    def mistake(self) -> bool:
        """Is it worse than the best move, for certain or beyond chance?"""
        return self.behind > 0 if self.exact else self.behind >= max(LEAST, SURE * self.error)


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

    @property
    def mistake(self) -> bool:
        """Was there a better one, for certain or beyond chance?"""
        return self.played.action != self.best.action and self.played.mistake

    @property
    def as_good(self) -> bool:
        """Was it the best move, or one that nobody could tell from it?"""
        return self.played.action == self.best.action or self.played.behind < LEAST

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
    review: Callable[[Match], Iterator[JudgedMove]] | None = None
    """All moves of a finished match, judged exactly; in place of judging each from what its seat knew."""
    answers: Callable[[Iterable[str]], Iterator[Answer]] | None = None
    """Positions on lines of text, each solved: what ``facedown solve`` prints."""
