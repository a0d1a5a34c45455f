"""Analysis of the decisions of a finished match, as numbers independent of any language.

It is the slow part of a review. It runs in short periods, so that other jobs can run in between, and its results are
stored as JSON.
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
#: Format version of stored results. Results in another format are computed again.
FORM = 2


@dataclass(frozen=True, slots=True)
class AnalyzedMove:
    """Evaluation of one decision by the coach, as numbers."""

    ply: int
    """Number of moves in the match before this decision."""
    seat: int
    best: int
    """The best action, or one that is equally good."""
    verdict: Verdict
    chance: float | None
    """Win probability after the move; None in a game that counts turns."""
    cost: float
    """Loss against the best action, in win probability or in turns."""
    error: float
    """Standard error of the cost if it is estimated from sampled worlds."""
    exact: bool
    worlds: int
    beaten: int
    """Number of sampled worlds (full deals that fit what the seat knew) in which the best action did better than the
    move."""
    beats: int
    """Number of sampled worlds in which the move did better than the best action."""
    lost: int
    """In games that count turns, the number of sampled worlds in which the move loses the game. If the evaluation is
    exact, 1 if the move loses, else 0."""
    reasoned: bool
    """Whether the coach can say in words why the best action is the best."""
    wasted: int | None
    """Number of turns that the move wasted, judged with all cards known; None if not computed."""
    open_best: int
    """An action that wastes no turn, judged with all cards known; −1 if not computed."""

    @classmethod
    def of(cls, move: JudgedMove) -> AnalyzedMove:
        """Convert a move judged by the coach to plain numbers."""
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
    """Resumable analysis of the decisions of a seat (None: of all seats) in a finished match."""

    def __init__(self, match: Match, seat: int | None, tries: int) -> None:
        from facedown.bots.coach import judged_moves

        if not match.over:
            raise ValueError("the match is not over, so it cannot be reviewed")
        self.match = match
        self.ply = 0
        """Number of moves of the match analysed so far."""
        self.found: list[AnalyzedMove] = []
        self._moves = judged_moves(match, tries, self._reached, seat)

    def run_for(self, seconds: float) -> bool:
        """Analyse for about this many seconds, at least one decision. Return whether the analysis is complete."""
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
    """Return evaluated decisions as JSON text."""
    return json.dumps({"form": FORM, "decisions": [astuple(move) for move in found]}, separators=(",", ":"))


def moves_from_json(text: str) -> tuple[AnalyzedMove, ...] | None:
    """Parse evaluated decisions from JSON. Return None if the text is damaged or in another format."""
    try:
        kept = json.loads(text)
        return tuple(AnalyzedMove(*move) for move in kept["decisions"]) if kept["form"] == FORM else None
    except (ValueError, TypeError, LookupError):
        return None
