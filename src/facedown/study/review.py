"""Review of a finished match, for one seat or for all seats, as plain data.

A review is made in two steps. Both run outside the server's event loop.

* `match_analysis` evaluates every decision. This step is slow, and its results are numbers, the same for all languages.
* This module puts the results into words. This step is fast, and is done once for each language.

Every decision is judged only by what the player knew at the time (`bots.coach`). In some games, a remark says how good
the decision would have been if all cards had been face up. The remark does not affect the verdict.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from typing import Literal

from facedown.core.action_phrases import ActionPhrase
from facedown.core.match import Match
from facedown.core.match_actions import TAKE_BACK
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter, Table
from facedown.study.hint_texts import touched_places
from facedown.study.match_analysis import Analysis, AnalyzedMove, Verdict

#: Maximum number of moments in a review. Moments are the decisions that cost the seat most. Bad luck is not a decision,
#: so a loss by bad luck is never a moment.
MOMENTS = 3
#: Smallest cost of a decision that can be a moment of the review: in win probability (0 to 1), or in turns.
MIN_MOMENT_COST = 0.005
#: If two costly decisions of a seat belong together, the review shows only the costlier one. They belong together if
#: both were made in the same trick or round (`ReviewedMove.where`), and if the second one is the next decision of that
#: seat after the first, or (with the value 2) the next but one. An example is drawing and keeping a card.
CHAIN = 2


#: A move in words for each reader: the seat that made it ("your 2 with Ada’s card"), each other seat ("their 2 with
#: your card"), and `SPECTATOR`.
ReaderPhrases = Mapping[int, ActionPhrase]


@dataclass(frozen=True, slots=True)
class ReviewedMove(AnalyzedMove):
    """One decision of the match, evaluated in numbers and described in words.

    Here `ply` counts from 1, in `AnalyzedMove` from 0.
    """

    where: str
    """Place of the decision in the match, in words: "Hand 4, trick 6 of 7"."""
    at: float
    """Place of the decision in the match, as a fraction from 0 to 1. All rounds count as equally long."""
    played: ReaderPhrases
    better: ReaderPhrases | None
    """The best move in words; None if the move played was best or equally good."""
    why: str
    """Reason why the best move is the best, addressed to the player who moved; empty without a reason."""
    open_better: ReaderPhrases | None = None
    """In words, a move that wastes no turn, judged as if all cards had been face up; None if the move played wasted
    none."""


@dataclass(frozen=True, slots=True)
class DecisionSnapshot:
    """The table as a seat saw it before a decision, with the places to touch (click or tap) for each of two moves.

    The two moves are the one that the seat played and the coach's best one. A place is a spot on the table, such as the
    spot of one card in the hand.
    """

    table: Table
    played: tuple[str, ...]
    """Ids of the places and zones (groups of cards) touched for the move played, in order; empty if it needs only
    buttons."""
    better: tuple[str, ...]
    """The same for the best move."""


@dataclass(frozen=True, slots=True)
class ReviewProgress:
    """Progress of the analysis of a finished match, in moves. It is shown until the review of the match is ready."""

    done: int
    """Number of moves of the match that have been analysed."""
    rounds: tuple[str, ...] = ()
    """Labels of all rounds of the match: their numbers, counted from 1."""
    line: tuple[tuple[float, float], ...] = ()
    """Win probability so far: points (fraction of the match played, probability) of a curve."""


@dataclass(frozen=True, slots=True)
class FullReview:
    """Review of a finished match: all judged decisions (in numbers and words), win probability, costliest decisions."""

    unit: Literal["chance", "turns"]
    judged: tuple[ReviewedMove, ...]
    rounds: tuple[str, ...]
    """Labels of the rounds on the graph of win probability, where all rounds are equally wide."""
    line: tuple[tuple[float, float], ...]
    """Win probability from the deal to the result: points (fraction of the match played, probability) of a curve."""
    moments: tuple[ReviewedMove, ...]
    """The costliest decisions of the match, in the order in which they were made."""
    positions: tuple[DecisionSnapshot, ...]
    """The table before each decision of `moments`."""

    def count(self, verdict: Verdict) -> int:
        """Return the number of decisions in the review that have the given `verdict`.

        The verdict is "best" for the best move and for a move that is about as good, "costly" for a move that is
        clearly worse, and "close" for a move in between.
        """
        return sum(move.verdict == verdict for move in self.judged)


def review_match(
    match: Match,
    seat: int | None,
    sitters: Sequence[Sitter],
    found: Sequence[AnalyzedMove],
    name_all_seen_cards: bool = False,
) -> FullReview:
    """Return the review of a finished match for a seat (None: for all seats), with texts in the active language.

    * `sitters`: the name of the player at each seat, and whether the player is a bot.
    * `found`: the evaluated decisions of the seat.
    * `name_all_seen_cards`: if True, texts may name all cards that a seat has seen, even if they are no longer shown.
    """
    walk = ReviewBuilder(match, sitters, name_all_seen_cards)
    judged = tuple(map(walk.add_texts, found))
    line = walk.win_probability_curve(seat, found)
    if line and not match.abandoned:
        line.append((1.0, _final_win_probability(match, seat)))
    moments = tuple(sorted(costliest_decisions(judged), key=lambda move: move.at))
    positions = tuple(walk.snapshot_before_decision(moment) for moment in moments)
    unit: Literal["chance", "turns"] = "turns" if match.game.info.together else "chance"
    return FullReview(unit, judged, walk.round_labels, tuple(line), moments, positions)


def review_decisions(
    match: Match, seat: int | None, sitters: Sequence[Sitter], tries: int, tell_ply: Callable[[int], None]
) -> tuple[ReviewedMove, ...]:
    """Evaluate the decisions of a seat (None: of all seats) in a match, and describe them in the active language.

    * `sitters`: the name of the player at each seat, and whether the player is a bot.
    * `tries`: the number of simulations per decision.
    * `tell_ply`: function that is called before each move of the match is examined, with the number of earlier moves.

    Raises:
        NoCoach: The coach does not support the game.
    """
    from facedown.bots.coach import judged_moves

    weighed = map(AnalyzedMove.from_judged_move, judged_moves(match, tries, tell_ply, seat))
    return tuple(map(ReviewBuilder(match, sitters).add_texts, weighed))


class ReviewBuilder:
    """Builder of the texts and tables of a review, made from what each seat saw after every move of the match."""

    def __init__(self, match: Match, sitters: Sequence[Sitter], memory: bool = False) -> None:
        self.match = match
        self.sitters = sitters
        self._memory = memory
        self._views = [step.views for step in match.steps()]
        self.rounds = round_index_by_ply(match, lambda ply: self._views[ply].table(SPECTATOR, sitters).round)
        """Index of the round after each number of moves: ``rounds[ply]``."""
        self._at = _match_fraction_by_ply(self.rounds)

    def progress_so_far(self, seat: int | None, analysis: Analysis) -> ReviewProgress:
        """Return the progress of an analysis that is still running, to show it while a reader waits.

        `seat` is the seat whose review is computed (None: all seats).
        """
        return ReviewProgress(analysis.ply, self.round_labels, tuple(self.win_probability_curve(seat, analysis.found)))

    @property
    def round_labels(self) -> tuple[str, ...]:
        """Labels of the rounds: their numbers, counted from 1."""
        return tuple(str(number + 1) for number in range(self.rounds[-1] + 1))

    def win_probability_curve(self, seat: int | None, found: Sequence[AnalyzedMove]) -> list[tuple[float, float]]:
        """Return the win probability of a seat up to its last evaluated decision, as points of a curve.

        A point is (fraction of the match played, probability). Return an empty list in a cooperative game, or without a
        seat.
        """
        if self.match.game.info.together or seat is None:
            return []
        known = [(self._at[move.ply + 1], move.chance) for move in found if move.chance is not None]
        return [(0.0, 1 / self.match.seats), *known]

    def add_texts(self, move: AnalyzedMove) -> ReviewedMove:
        """Describe an evaluated decision in the active language, and return its numbers and texts.

        The texts say where in the match the decision was made, which move was played, and which move was better and
        why.
        """
        table = self._views[move.ply].table(move.seat, self.sitters, self._memory)
        good = move.verdict == "best"
        return ReviewedMove(
            **asdict(move) | {"ply": move.ply + 1},
            where=table.where[0] if self.match.game.info.together else ", ".join(table.where),
            at=self._at[move.ply + 1],
            played=self._action_phrases_by_reader(move, self.match.moves[move.ply].action),
            better=None if good else self._action_phrases_by_reader(move, move.best),
            why=self._best_move_reason(move) if move.reasoned and not good else "",
            open_better=self._action_phrases_by_reader(move, move.open_best) if move.wasted else None,
        )

    def _best_move_reason(self, move: AnalyzedMove) -> str:
        from facedown.bots.coach import reason_if_greedy_move

        return reason_if_greedy_move(self.match.game, self._views[move.ply].known(move.seat), move.seat, move.best)

    def snapshot_before_decision(self, move: ReviewedMove) -> DecisionSnapshot:
        """Return the table as the seat saw it before a decision, with the places to touch for each of two moves.

        The moves are the one that the seat played and the coach's best one. To touch a place means to click or tap it.
        The table shows all cards that the seat has seen, as if the memory aid (an option of the table) were on.
        """
        table = self._views[move.ply - 1].table(move.seat, self.sitters, memory_aid=True)
        played = self.match.moves[move.ply - 1].action
        return DecisionSnapshot(table, touched_places(table, played), touched_places(table, move.best))

    def _action_phrases_by_reader(self, move: AnalyzedMove, action: int) -> ReaderPhrases:
        game, view = self.match.game, self._views[move.ply].person_view(move.seat, self._memory)
        readers = (*range(self.match.seats), SPECTATOR)
        return {reader: game.action_phrase(view, action, self.sitters, reader) for reader in readers}


def costliest_decisions(judged: Sequence[ReviewedMove], most: int = MOMENTS) -> list[ReviewedMove]:
    """Return up to `most` of the costliest decisions, highest cost first.

    Only decisions with the verdict "costly" and a cost of at least `MIN_MOMENT_COST` are included. A decision is left
    out if it is close to a costlier one in the result. Two decisions are close if all of these conditions hold:

    * The same seat made them.
    * They have the same place in the match (`ReviewedMove.where`, such as "Hand 4, trick 6 of 7").
    * They are at most `CHAIN` decisions of that seat apart.
    """
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


def round_index_by_ply(match: Match, number: Callable[[int], int]) -> list[int]:
    """Return the index of the round, from 0, for each ply (number of moves played) of a match.

    `number(ply)` returns the number of the round at that ply. Round numbers decrease only when moves are taken back, so
    a binary search needs few calls. The result never decreases: moves that were taken back belong to the round in which
    the match then continued.
    """
    take_backs = [ply for ply, move in enumerate(match.moves, 1) if move.action == TAKE_BACK]
    return _round_indices([*take_backs, match.ply + 1], number)


def _round_indices(ends: Sequence[int], number: Callable[[int], int]) -> list[int]:
    """Return the index of the round for each ply before the last of `ends`, as `round_index_by_ply` does.

    Between two of the plies `ends`, round numbers never decrease.

    >>> _round_indices([7], [3, 3, 3, 4, 4, 5, 5].__getitem__)
    [0, 0, 0, 1, 1, 2, 2]
    >>> _round_indices([4, 7], [3, 3, 4, 4, 3, 4, 5].__getitem__)
    [0, 0, 0, 0, 0, 1, 2]
    """
    first, found = number(0), list[int]()
    for end in ends:
        while len(found) < end:
            here = number(len(found))
            until = bisect_right(range(end), here, lo=len(found), key=number)
            found += [here - first] * (until - len(found))
    return list(accumulate(reversed(found), min))[::-1]


def _match_fraction_by_ply(rounds: Sequence[int]) -> list[float]:
    """Return, for each ply, how far the match has come: a fraction from 0 to 1. All rounds count as equally long.

    ``rounds[ply]`` is the index of the round.
    """
    whole, count = rounds[-1] + 1, Counter(rounds)
    return [
        (number + (at - bisect_left(rounds, number) + 0.5) / count[number]) / whole for at, number in enumerate(rounds)
    ]


def _final_win_probability(match: Match, seat: int | None) -> float:
    """Return the win probability of a seat after the match: the winners share 1 equally, all other seats have 0.

    Without a seat (None), return 0.
    """
    winners = match.result.winners if match.result is not None else ()
    return 1 / len(winners) if seat in winners else 0.0
