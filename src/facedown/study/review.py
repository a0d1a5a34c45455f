"""What the coach says of a finished match from one seat, as plain data.

First every decision is weighed, which is costly and comes to numbers alone (`study.weighing`); then it is told, which
is cheap and done for each language. Both happen apart from the event loop.

Everything is judged by what the seat knew when it moved (`bots.coach`). What the open cards show is a remark beside it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from facedown.core.action_phrases import ActionPhrase
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter, Table
from facedown.study.hints import touched_places
from facedown.study.match_analysis import Analysis, AnalyzedMove, Verdict

#: So many moments are told: the costliest decisions. Luck is nobody's decision and is not told as one.
MOMENTS = 3
#: Less than this share of the match is no moment.
MIN_MOMENT_COST = 0.005
#: Decisions of a seat at the same place of the match, at most this many of its decisions apart, are one chain (a bid
#: and the pass after it, a card drawn and kept) and make one moment.
CHAIN = 2


#: A move in a person's words: to each seat, the one that made it ("your 2 with Ada’s card") and the others ("their 2
#: with your card"), and to `SPECTATOR`, who had no seat at the table.
ReaderPhrases = Mapping[int, ActionPhrase]


@dataclass(frozen=True, slots=True)
class ReviewedMove(AnalyzedMove):
    """One decision of the match, with words; its `ply` counts from 1."""

    where: str
    """"Hand 4, trick 6 of 7"."""
    at: float
    """How far along the match, from 0 to 1, every round being as long as the others."""
    played: ReaderPhrases
    better: ReaderPhrases | None
    """The best move; None if this was it, or as good."""
    why: str
    """Why that is the best move, to the seat itself."""
    open_better: ReaderPhrases | None = None
    """A move that would have wasted none with all cards open; None where this was one."""


@dataclass(frozen=True, slots=True)
class DecisionSnapshot:
    """The table as its seat saw it before a decision, and what was touched and might have been."""

    table: Table
    played: tuple[str, ...]
    """The places and zones that were touched, in their order; empty where buttons alone were."""
    better: tuple[str, ...]
    """The same of the better move."""


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """How far a look back has come."""

    done: int
    """The moves of the match that were looked at."""
    rounds: tuple[str, ...] = ()
    line: tuple[tuple[float, float], ...] = ()
    """The chance as it went until there."""


@dataclass(frozen=True, slots=True)
class FullReview:
    """A look back at a match."""

    unit: Literal["chance", "turns"]
    judged: tuple[ReviewedMove, ...]
    rounds: tuple[str, ...]
    """The numbers of the rounds, each as wide as the others on the graph."""
    line: tuple[tuple[float, float], ...]
    """The chance as it went: (how far along, chance), from the deal to the result."""
    moments: tuple[ReviewedMove, ...]
    """The costliest decisions, in the order of the match."""
    positions: tuple[DecisionSnapshot, ...]
    """Each of these as it lay on the table."""

    def count(self, verdict: Verdict) -> int:
        """How many decisions were judged so."""
        return sum(move.verdict == verdict for move in self.judged)


def review_match(
    match: Match, seat: int | None, sitters: Sequence[Sitter], found: Sequence[AnalyzedMove], memory: bool = False
) -> FullReview:
    """What was found in a finished match from a seat (None: from all), in the language that is spoken."""
    walk = ReviewBuilder(match, sitters, memory)
    judged = tuple(map(walk.judge, found))
    line = walk.chance_curve(seat, found)
    if line and not match.abandoned:
        line.append((1.0, _share(match, seat)))
    moments = tuple(sorted(costliest(judged), key=lambda move: move.at))
    positions = tuple(walk.position(moment) for moment in moments)
    unit: Literal["chance", "turns"] = "turns" if match.game.info.together else "chance"
    return FullReview(unit, judged, walk.round_names, tuple(line), moments, positions)


def decisions(
    match: Match, seat: int | None, sitters: Sequence[Sitter], tries: int, tell_ply: Callable[[int], None]
) -> tuple[ReviewedMove, ...]:
    """The decisions of a seat (None: of all), judged; `NoCoach` where nothing can be said as long as the match runs."""
    from facedown.bots.coach import judged_moves

    weighed = map(AnalyzedMove.of, judged_moves(match, tries, tell_ply, seat))
    return tuple(map(ReviewBuilder(match, sitters).judge, weighed))


class ReviewBuilder:
    """A match walked through once, state by state, for all that is said of its decisions."""

    def __init__(self, match: Match, sitters: Sequence[Sitter], memory: bool = False) -> None:
        self.match = match
        self.sitters = sitters
        self._memory = memory
        self._views = [step.views for step in match.steps()]
        self.rounds = rounds_of(len(self._views) - 1, lambda ply: self._views[ply].table(SPECTATOR, sitters).round)
        """The round that each state belongs to, from 0."""
        self._at = _progress_by_ply(self.rounds)

    def so_far(self, seat: int | None, analysis: Analysis) -> ReviewProgress:
        """Progress of an analysis of a seat's moves (None: of all), as it is shown to waiting readers."""
        return ReviewProgress(analysis.ply, self.round_names, tuple(self.chance_curve(seat, analysis.found)))

    @property
    def round_names(self) -> tuple[str, ...]:
        """The numbers of the rounds, as words."""
        return tuple(str(number + 1) for number in range(self.rounds[-1] + 1))

    def chance_curve(self, seat: int | None, found: Sequence[AnalyzedMove]) -> list[tuple[float, float]]:
        """The chance of a seat as it went until the last decision; nothing where all play together."""
        if self.match.game.info.together or seat is None:
            return []
        known = [(self._at[move.ply + 1], move.chance) for move in found if move.chance is not None]
        return [(0.0, 1 / self.match.seats), *known]

    def judge(self, move: AnalyzedMove) -> ReviewedMove:
        """A weighed decision in words."""
        table = self._views[move.ply].table(move.seat, self.sitters, self._memory)
        good = move.verdict == "best"
        return ReviewedMove(
            **asdict(move) | {"ply": move.ply + 1},
            where=table.where[0] if self.match.game.info.together else ", ".join(table.where),
            at=self._at[move.ply + 1],
            played=self._phrases(move, self.match.moves[move.ply].action),
            better=None if good else self._phrases(move, move.best),
            why=self._why(move) if move.reasoned and not good else "",
            open_better=self._phrases(move, move.open_best) if move.wasted else None,
        )

    def _why(self, move: AnalyzedMove) -> str:
        from facedown.bots.coach import reason_if_greedy_move

        return reason_if_greedy_move(self.match.game, self._views[move.ply].known(move.seat), move.seat, move.best)

    def position(self, move: ReviewedMove) -> DecisionSnapshot:
        """A decision as it lay on the table, also with what its seat had seen before and could know."""
        table = self._views[move.ply - 1].table(move.seat, self.sitters, memory_aid=True)
        played = self.match.moves[move.ply - 1].action
        return DecisionSnapshot(table, touched_places(table, played), touched_places(table, move.best))

    def _phrases(self, move: AnalyzedMove, action: int) -> ReaderPhrases:
        game, view = self.match.game, self._views[move.ply].person_view(move.seat, self._memory)
        readers = (*range(self.match.seats), SPECTATOR)
        return {reader: game.action_phrase(view, action, self.sitters, reader) for reader in readers}


def costliest(judged: Sequence[ReviewedMove], most: int = MOMENTS) -> list[ReviewedMove]:
    """The decisions that cost most, dearest first; one of each chain of decisions."""
    costly = [
        (number, move)
        for seat in {move.seat for move in judged}
        for number, move in enumerate(one for one in judged if one.seat == seat)
        if move.verdict == "costly" and move.cost >= MIN_MOMENT_COST
    ]
    found: list[tuple[int, ReviewedMove]] = []
    for number, move in sorted(costly, key=lambda one: (-one[1].cost, one[1].at)):
        chained = any(
            (other.seat, other.where) == (move.seat, move.where) and abs(at - number) <= CHAIN for at, other in found
        )
        if len(found) < most and not chained:
            found.append((number, move))
    return [move for _, move in found]


def rounds_of(last: int, number: Callable[[int], int]) -> list[int]:
    """The round that a match is in after each move from 0 to the `last`, counted from 0.

    `number(ply)` is the round's number as the table says it then; rounds follow each other, so few tables are asked.

    >>> rounds_of(6, [3, 3, 3, 4, 4, 5, 5].__getitem__)
    [0, 0, 0, 1, 1, 2, 2]
    """
    found: list[int] = []
    while len(found) <= last:
        here = number(len(found))
        until = bisect_right(range(last + 1), here, lo=len(found), key=number)
        found += [here - number(0)] * (until - len(found))
    return found


def _progress_by_ply(rounds: Sequence[int]) -> list[float]:
    """How far along the match each state is, every round being as long as the others."""
    whole, count = rounds[-1] + 1, Counter(rounds)
    return [
        (number + (at - bisect_left(rounds, number) + 0.5) / count[number]) / whole for at, number in enumerate(rounds)
    ]


def _share(match: Match, seat: int | None) -> float:
    """What the result was worth to a seat: winners share it."""
    winners = match.result.winners if match.result is not None else ()
    return 1 / len(winners) if seat in winners else 0.0
