"""Data types for move advice.

`bots.coach` estimates the values of moves in sampled worlds, which are random full deals that fit what the player
knows. A game may also have a solver, which evaluates moves exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from facedown.core.actions import Move
from facedown.core.state import View

#: Units in which a move is valued.
#:
#: * `CHANCE`: the probability of winning the match after the move. There are two exceptions, in which it is the
#:   probability of winning the current round: a solver computed the value, or the game does not define how the value of
#:   a round is converted to a probability of winning the match.
#: * `TURNS`: the number of turns that the move wastes compared with the best move.
CHANCE = "chance"
TURNS = "turns"
#: A move with an estimated value counts as a mistake if it is worse than the best move by at least this many standard
#: errors. With a limit of four, a repetition with more simulations hardly ever changes the verdict.
MISTAKE_STANDARD_ERRORS = 4.0
#: Smallest difference in value between two moves that matters, by unit; moves that differ by less count as equally
#: good.
MIN_DIFFERENCE = {CHANCE: 0.01, TURNS: 0.5}


class NoCoach(LookupError):
    """Error: the coach can evaluate moves neither exactly nor by simulations.

    The game has no solver that can handle the position, and defines no functions that estimate values.
    """


@dataclass(frozen=True, slots=True)
class Advice:
    """One legal move and its evaluation."""

    action: int
    words: str
    value: float
    """Value of the move: a probability from 0 to 1, or the number of turns that it wastes (an average, if
    estimated)."""
    behind: float
    """Loss in value compared with the best move, in the unit `unit`; 0 or more."""
    unit: str
    """Unit of `value` and `behind`: `CHANCE` or `TURNS`."""
    exact: bool
    worlds: int = 0
    """Number of sampled worlds in which the move was tried; 0 if the evaluation is exact."""
    error: float = 0.0
    """Standard error of `behind`; 0 if the evaluation is exact."""
    why: str = ""
    """Reason for the move in words, from the game's greedy policy; empty if the policy gives none, or would choose
    another move."""
    beaten: int = 0
    """Number of sampled worlds in which this move turned out worse than the best one. Set only in reviews, for the
    move that was played."""
    beats: int = 0
    """Number of sampled worlds in which this move turned out better than the best one. Set only in reviews, for the
    move that was played."""
    lost: int = 0
    """For unit `TURNS`: number of sampled worlds in which the game was lost after this move. In an exact evaluation: 1
    if the move loses the game, else 0."""

    @property
    def mistake(self) -> bool:
        """Whether the move counts as a mistake: it is clearly worse than the best one.

        If the evaluation is exact, any difference counts. If it is an estimate, the difference `behind` must be at
        least `MISTAKE_STANDARD_ERRORS` standard errors and at least `MIN_DIFFERENCE`.
        """
        return (
            self.behind > 0
            if self.exact
            else self.behind >= max(MIN_DIFFERENCE[self.unit], MISTAKE_STANDARD_ERRORS * self.error)
        )


@dataclass(frozen=True, slots=True)
class Hindsight:
    """Evaluation of a move as if all cards had been face up. Reviews show it as a remark. It does not affect whether
    the move counts as a mistake.
    """

    wasted: int
    """Number of turns that the move wasted, compared with the best possible move."""
    best: int
    """An action that would have wasted no turn."""


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of a match, with an evaluation that is based on what the player knew at the time."""

    ply: int
    """Index of the move in the match, from 0."""
    seat: int
    played: Advice
    best: Advice
    chance: float | None = None
    """Win probability after the move played, based on what the player knew; None if it is unknown."""
    best_chance: float | None = None
    """Win probability after the best move, based on what the player knew; None if it is unknown."""
    hindsight: Hindsight | None = None
    """Evaluation of the move as if all cards had been face up. None if the match is not over, if the game has no solver
    for that, or if the solver leaves out the move (for example one that lost the game)."""

    @property
    def mistake(self) -> bool:
        """Whether the move played was not the best one, and was clearly worse.

        `Advice.mistake` says how much worse an estimated move must be.
        """
        return self.played.action != self.best.action and self.played.mistake

    @property
    def as_good_as_best(self) -> bool:
        """Whether the move was the best one, or is worse than it by less than `MIN_DIFFERENCE`."""
        return self.played.action == self.best.action or self.played.behind < MIN_DIFFERENCE[self.played.unit]

    @property
    def cost(self) -> float:
        """Loss in value compared with the best move.

        It is a difference of win probabilities (from 0 to 1). If these are not known, it is `played.behind`, a number
        of turns.
        """
        if self.chance is None or self.best_chance is None:
            return self.played.behind
        return self.best_chance - self.chance


@dataclass(frozen=True, slots=True)
class Answer:
    """A solver's answer, as one line of text, to an input line that describes a position (`Solver.answers`)."""

    text: str
    bad: bool = False
    """Whether the input was invalid; `text` then says why."""


@dataclass(frozen=True)
class Solver:
    """Functions that solve positions of a game exactly. The coach prefers them to estimates from sampled worlds."""

    advise: Callable[[View, int], list[Advice] | None] | None = None
    """Function (view, seat) → advice on all legal moves, best first, with exact values. It returns None if the position
    is too large to solve."""
    hindsight: Callable[[View, Sequence[Move]], dict[int, Hindsight]] | None = None
    """Function (view, moves) → the evaluation of each move with all cards face up, by the index of the move from 0.
    `view` is a spectator's view of the end of a match, with all cards face up. `moves` are all its moves except those
    that were taken back."""
    answers: Callable[[Iterable[str]], Iterator[Answer]] | None = None
    """Solver for the command ``facedown solve``: takes lines of text, each with a position, and yields one answer for
    each line."""
