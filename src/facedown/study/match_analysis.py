"""The costly part of a look back: every decision of a finished match weighed, as numbers that speak no language.

It is done a little at a time, so that others have their turn in between; what comes of it is kept as text.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Literal

from facedown.core.match import Match

if TYPE_CHECKING:
    from facedown.core.advice import JudgedMove

Verdict = Literal["best", "close", "costly"]
#: The form in which numbers are kept; what is kept in another one is found anew.
FORM = 2


@dataclass(frozen=True, slots=True)
class AnalyzedMove:
    """One decision, in numbers."""

    ply: int
    """After how many moves of the match it was taken."""
    seat: int
    best: int
    """The best action, or one that is as good."""
    verdict: Verdict
    chance: float | None
    """The chance to win the match after it; None where turns are counted."""
    cost: float
    """How much of the chance, or how many turns, it cost."""
    error: float
    """Of an estimate, the standard error of what the move was judged by."""
    exact: bool
    worlds: int
    beaten: int
    """In how many of the worlds the best move came out ahead of it."""
    beats: int
    """In how many of them it came out ahead."""
    lost: int
    """Of turns: the number of worlds in which the move lost the game; if exact, 1 if it did."""
    reasoned: bool
    """Can it be said why the best action is the best?"""
    wasted: int | None
    """The turns that it wasted with all cards open; None where that is not known."""
    open_best: int
    """An action that would have wasted none; -1 where that is not known."""

    @classmethod
    def of(cls, move: JudgedMove) -> AnalyzedMove:
        """A move as the coach judged it."""
        from facedown.core.advice import CHANCE

        played, open_cards = move.played, move.hindsight
        return cls(
            ply=move.ply,
            seat=move.seat,
            best=move.best.action,
            verdict="best" if move.as_good else "costly" if move.mistake else "close",
            chance=played.value if move.chance is None and played.unit == CHANCE else move.chance,
            cost=max(0.0, move.cost),
            error=played.error,
            exact=played.exact,
            worlds=played.worlds,
            beaten=played.beaten,
            beats=played.beats,
            lost=played.lost,
            reasoned=bool(move.best.why),
            wasted=None if open_cards is None else open_cards.wasted,
            open_best=-1 if open_cards is None else open_cards.best,
        )


class Analysis:
    """The decisions of a seat (None: of all) of a finished match, weighed one after the other."""

    def __init__(self, match: Match, seat: int | None, tries: int) -> None:
        from facedown.bots.coach import judged_moves

        if not match.over:
            raise ValueError("a running match is not looked back at")
        self.match = match
        self.ply = 0
        """The moves of the match that were looked at."""
        self.found: list[AnalyzedMove] = []
        self._moves = judged_moves(match, tries, self._reached, seat)

    def run_for(self, seconds: float) -> bool:
        """Weigh on for so long, one decision at least; True when all are weighed."""
        until = time.perf_counter() + seconds
        for move in self._moves:
            self.found.append(AnalyzedMove.of(move))
            if time.perf_counter() >= until:
                return False
        self.ply = self.match.ply
        return True

    def _reached(self, ply: int) -> None:
        self.ply = ply


def moves_to_json(found: Sequence[AnalyzedMove]) -> str:
    """Weighed decisions as text."""
    return json.dumps({"form": FORM, "decisions": [astuple(move) for move in found]}, separators=(",", ":"))


def moves_from_json(text: str) -> tuple[AnalyzedMove, ...] | None:
    """Weighed decisions from their text; None where it is in another form, or spoiled."""
    try:
        kept = json.loads(text)
        return tuple(AnalyzedMove(*move) for move in kept["decisions"]) if kept["form"] == FORM else None
    except (ValueError, TypeError, LookupError):
        return None
