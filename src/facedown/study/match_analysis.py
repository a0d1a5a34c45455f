"""Analysis of the decisions of a finished match, as numbers independent of any language.

The analysis is the slow part of a review. The caller runs the analysis in short slices (`Analysis.run_for`) and can do
other work between two slices. The results can be stored as JSON.
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
#: Version of the format of stored results. Results in another format are computed again.
FORM = 2


@dataclass(frozen=True, slots=True)
class AnalyzedMove:
    """The coach's evaluation of one decision, as numbers."""

    ply: int
    """Number of moves that were played in the match before this decision."""
    seat: int
    best: int
    """The best action according to the coach; other actions may be equally good."""
    verdict: Verdict
    chance: float | None
    """Win probability of the seat after the move it played; None in a game that is measured in turns."""
    cost: float
    """How much worse the move was than the best action, in win probability or in turns; 0 or more."""
    error: float
    """Standard error of the cost, if the cost is estimated from sampled worlds (full deals that fit what the seat
    knew)."""
    exact: bool
    worlds: int
    beaten: int
    """Number of sampled worlds (full deals that fit what the seat knew) in which the best action did better than the
    move played."""
    beats: int
    """Number of sampled worlds in which the move played did better than the best action."""
    lost: int
    """In games that are measured in turns, the number of sampled worlds in which the move loses the game. If the
    evaluation is exact: 1 if the move loses, else 0."""
    reasoned: bool
    """Whether the coach can say in words why the best action is the best."""
    wasted: int | None
    """Number of turns that the move wasted, judged as if all cards had been face up; None if that was not computed."""
    open_best: int
    """An action that wastes no turn, judged as if all cards had been face up; −1 if that was not computed."""

    @classmethod
    def from_judged_move(cls, move: JudgedMove) -> AnalyzedMove:
        """Convert the coach's judgement of a move, which also has texts, to an `AnalyzedMove`, which has none."""
        from facedown.core.advice import CHANCE

        played, open_cards = move.played, move.hindsight
        return cls(
            ply=move.ply,
            seat=move.seat,
            best=move.best.action,
            verdict="best" if move.as_good_as_best else "costly" if move.mistake else "close",
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
    """Analysis of the decisions of a seat (None: of all seats) in a finished match.

    The analysis is slow. Call `run_for` until it returns True; each call runs for a limited time. `found` has the
    decisions that have been evaluated so far. `tries` is the number of simulations per decision.

    `ValueError` is raised if the match is not over.
    """

    def __init__(self, match: Match, seat: int | None, tries: int) -> None:
        from facedown.bots.coach import judged_moves

        if not match.over:
            raise ValueError("the match is not over, so it cannot be reviewed")
        self.match = match
        self.ply = 0
        """Number of moves of the match analysed so far."""
        self.found: list[AnalyzedMove] = []
        self._moves = judged_moves(match, tries, self._store_progress_ply, seat)

    def run_for(self, seconds: float) -> bool:
        """Analyse decisions for about this many seconds, but at least one decision. Return whether all are analysed
        now.
        """
        until = time.perf_counter() + seconds
        for move in self._moves:
            self.found.append(AnalyzedMove.from_judged_move(move))
            if time.perf_counter() >= until:
                return False
        self.ply = self.match.ply
        return True

    def _store_progress_ply(self, ply: int) -> None:
        self.ply = ply


def moves_to_json(found: Sequence[AnalyzedMove]) -> str:
    """Return evaluated decisions as JSON text, which `moves_from_json` converts back."""
    return json.dumps({"form": FORM, "decisions": [astuple(move) for move in found]}, separators=(",", ":"))


def moves_from_json(text: str) -> tuple[AnalyzedMove, ...] | None:
    """Return evaluated decisions from the JSON text of `moves_to_json`; None if the text is damaged or in another
    format.
    """
    try:
        kept = json.loads(text)
        return tuple(AnalyzedMove(*move) for move in kept["decisions"]) if kept["form"] == FORM else None
    except (ValueError, TypeError, LookupError):
        return None
