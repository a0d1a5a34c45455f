"""The coach: ranks the moves of a seat for a hint, and judges the moves of a match.

Hints and reviews have one judge: what the seat knew when it was to move. Where a solver of the game reaches, the
judgement is exact; elsewhere it is an average over many imagined worlds (`bots.rollout_search`) with a standard error,
and marked as an estimate. What would have been best with all cards open is a remark beside it (`Hindsight`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation import NoEvaluation, evaluation_of
from facedown.bots.i18n import _
from facedown.bots.rollout_search import Trials, search_by_rollouts
from facedown.bots.search_common import Budget, standard_error
from facedown.bots.simple_bots import greedy, reason
from facedown.bots.win_probability import win_probability
from facedown.core.advice import CHANCE, MISTAKE_STANDARD_ERRORS, TURNS, Advice, JudgedMove, NoCoach
from facedown.core.bot import legal_actions_of_view
from facedown.core.game_registry import GameModule
from facedown.core.match import Match
from facedown.core.random_numbers import key_of, quick_generator
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR, View
from facedown.core.step import Move as Played

#: Tried moves for a hint, and for each move of a finished match.
HINT = 4000
REVIEW = 1000
#: In so many worlds at least is a move of a finished match tried before it is judged.
LEAST_WORLDS = 24
#: The second look doubles its worlds at most `MOST_DOUBLINGS` times, while the difference is between `DOUBTFUL` and
#: `MISTAKE_STANDARD_ERRORS` standard errors.
MOST_DOUBLINGS = 4
DOUBTFUL = 1.5


def advise(
    game: GameModule,
    view: View,
    seat: int,
    seed: int = 0,
    simulations: int = HINT,
    played: int = -1,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> list[Advice]:
    """The moves of a seat that are worth a thought, and the one that was `played`, best first.

    The same arguments give the same advice. Where moves are tried in imagined worlds, `tell` is called with how many
    are done, of how many; what it raises ends the search.

    Raises `NotAView`, `ValueError` if the seat is not to act, `NoCoach` where nothing can be said.
    """
    legal_actions_of_view(game, view, seat)
    exact = game.solver.advise(view, seat) if game.solver.advise is not None else None
    if exact is not None:
        return exact
    try:
        found = search_by_rollouts(game, view, seat, seed, Budget(simulations), played, tell, MISTAKE_STANDARD_ERRORS)
    except NoEvaluation:
        raise NoCoach(_("the coach does not know {game}", game=game.info.title)) from None
    best, scale = found.tried[0], WorthConverter(game, view, seat)
    return [
        replace(
            scale.advice(tried.action, best.worth, max(0.0, tried.behind), tried.lost),
            worlds=tried.worlds,
            error=scale.error(worths[: tried.worlds], found.worths[: tried.worlds, 0]) if place else 0.0,
            why=reason_if_greedy_move(game, view, seat, tried.action),
        )
        for place, (tried, worths) in enumerate(zip(found.tried, found.worths.T, strict=True))
    ]


@dataclass(frozen=True, slots=True)
class WorthConverter:
    """Converts what a round is worth (`bots.evaluation`) to a chance to win the match, or to turns."""

    game: GameModule
    view: View
    seat: int

    @property
    def turns_per_worth(self) -> int:
        """The turns between a worth of 1 and of 0; 0 in games that are judged by a chance."""
        return evaluation_of(self.game.name).turns

    def chance(self, worth: float) -> float:
        """The chance to win the match if the round has this worth; of the round where only that can be judged."""
        found = win_probability(self.game.name, self.view, self.seat, worth)
        return min(1.0, max(0.0, worth)) if found is None else found

    def advice(self, action: int, best: float, behind: float, lost: int) -> Advice:
        """Advice for a move whose round is worth `behind` less than the `best`, without a standard error."""
        words = self.game.words.words(action)
        if self.turns_per_worth:
            cost = behind * self.turns_per_worth
            return Advice(action, words, cost, cost, TURNS, False, lost=lost)
        value = self.chance(best - behind)
        return Advice(action, words, value, self.chance(best) - value, CHANCE, False)

    def error(self, worths: NDArray[np.float64], best: NDArray[np.float64]) -> float:
        """The standard error of `Advice.behind`, in its unit.

        `worths` has what the round was worth after the move in each world, from 0 to 1, `best` the same after the best
        move. A chance does not rise evenly with a worth: each move counts by the slope at its own mean.
        """
        if not len(best):
            return math.inf
        if self.turns_per_worth:
            return float(standard_error(best - worths)) * self.turns_per_worth
        return float(standard_error(self._slope(best) * best - self._slope(worths) * worths))

    def _slope(self, worths: NDArray[np.float64]) -> float:
        worth, wide = float(worths.mean()), float(standard_error(worths))
        return (self.chance(worth + wide) - self.chance(worth - wide)) / (2 * wide)


def reason_if_greedy_move(game: GameModule, view: View, seat: int, action: int) -> str:
    """The greedy bot's reason, if this is its own move: it has none for others."""
    usual = int(greedy(view, seat, quick_generator(key_of(seed_from_text("coach")), 0)))
    return reason(game, view, seat, action) if action == usual else ""


# --- after a match ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Review:
    """What the coach says about a match."""

    moves: tuple[JudgedMove, ...]
    """The moves with a choice, in order."""

    def chances(self, seat: int) -> list[tuple[int, float]]:
        """(move, chance) of a seat, as it could see it when it moved; empty in games that are counted in turns."""
        return [(m.ply, m.played.value) for m in self.moves if m.seat == seat and m.played.unit == CHANCE]


def review(
    match: Match, simulations: int = REVIEW, tell: Callable[[int], None] = lambda ply: None, seat: int | None = None
) -> Review:
    """Judge every move of a match in which its seat had a choice; `tell` is called with the number of each.

    With a `seat`, only that seat's moves are judged (the others' are passed over, and told nevertheless).
    """
    return Review(tuple(judged_moves(match, simulations, tell, seat)))


def judged_moves(
    match: Match, simulations: int, tell: Callable[[int], None], seat: int | None = None
) -> Iterator[JudgedMove]:
    """The same moves one after the other, as they are judged."""
    game = match.game
    hindsight = game.solver.hindsight if match.over else None
    open_cards = hindsight(match.known(SPECTATOR), match.moves) if hindsight is not None else {}
    for ply, step in enumerate(match.steps(), -1):
        if step.move is not None and step.before is not None:
            tell(ply)
            mover = step.move.seat
            if seat in (None, mover) and len(step.before.legal(mover)) > 1:
                judged = _judge_move(game, step.before.known(mover), step.move, ply, simulations)
                yield replace(judged, hindsight=open_cards.get(ply))


def _judge_move(game: GameModule, view: View, move: Played, ply: int, simulations: int) -> JudgedMove:
    """One move of a match. Of an estimate, a part of the simulations goes into a second look at the two moves alone."""
    again = max(LEAST_WORLDS, simulations // 6)
    advice = advise(game, view, move.seat, ply, max(1, simulations - 2 * again), move.action)
    played, best = next(one for one in advice if one.action == move.action), advice[0]
    if not played.exact:
        played, best = _compare_in_new_worlds(game, view, move.seat, ply, played, best, again)
    if played.unit == TURNS:
        return JudgedMove(ply, move.seat, played, best)
    # What a solver says is worth the round alone.
    scale = WorthConverter(game, view, move.seat)
    chance, best_chance = (scale.chance(one.value) if one.exact else one.value for one in (played, best))
    return JudgedMove(ply, move.seat, played, best, chance, best_chance)


def _compare_in_new_worlds(
    game: GameModule, view: View, seat: int, seed: int, played: Advice, best: Advice, worlds: int
) -> tuple[Advice, Advice]:
    """Compare two moves in new worlds: the best of many moves was also lucky, and new worlds do not repeat that.

    While the difference is in doubt, the number of worlds is doubled.
    """
    actions = [played.action] if played.action == best.action else [played.action, best.action]
    trials = Trials(game, view, f"second look {seed}", actions, worlds << MOST_DOUBLINGS)
    scale, alive, met, end = WorthConverter(game, view, seat), np.arange(len(actions)), 0, worlds
    while True:
        reached = trials.run_worlds(alive, met, end)
        if not reached:
            return played, best
        met = reached
        found = trials.found[:met]
        behind = found[:, -1] - found[:, 0]
        lead = max(0.0, float(behind.mean()))
        worth = float(found[:, 0].mean()) + lead
        lost = [int((found[:, place] == 0.0).sum()) for place in (0, -1)]
        again = replace(
            scale.advice(played.action, worth, lead, lost[0]),
            worlds=met,
            error=scale.error(found[:, 0], found[:, -1]) if len(actions) > 1 else 0.0,
            beaten=int((behind > 0).sum()),
            beats=int((behind < 0).sum()),
            why=played.why,
        )
        in_doubt = DOUBTFUL * again.error <= again.behind < MISTAKE_STANDARD_ERRORS * again.error
        if met < end or not in_doubt or 2 * end > len(trials.found):
            return again, replace(scale.advice(best.action, worth, 0.0, lost[1]), worlds=met, why=best.why)
        end *= 2
