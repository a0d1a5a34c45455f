"""Coach: ranks the moves of a seat for a hint, and evaluates the moves of a match for a review.

Both use only what the seat knew when it was to act. If the game has a solver that can handle the position, the
evaluation is exact. Otherwise it is an average over many sampled worlds, which are random full deals that fit what the
seat knew (`bots.rollout_search`). An average is marked as an estimate and has a standard error.

The best move with all cards face up is reported separately (`Hindsight`) and never affects the evaluation.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation_dispatch import NoEvaluation, evaluation_of
from facedown.bots.i18n import _
from facedown.bots.rollout_search import Trials, search_by_rollouts
from facedown.bots.search_common import Budget, standard_error
from facedown.bots.simple_bots import greedy, greedy_bot_reason
from facedown.bots.win_probability import win_probability
from facedown.core.advice import CHANCE, MISTAKE_STANDARD_ERRORS, TURNS, Advice, JudgedMove, NoCoach
from facedown.core.bot import legal_actions_of_view
from facedown.core.game_registry import GameModule
from facedown.core.match import Match
from facedown.core.move_with_views import Move as Played
from facedown.core.random_numbers import key_of, quick_generator
from facedown.core.seeds import seed_from_text
from facedown.core.state import SPECTATOR, View

#: Number of simulations for a hint (`HINT`) and for each move of a review (`REVIEW`). A simulation tries one move in
#: one sampled world (random full deal).
HINT = 4000
REVIEW = 1000
#: Smallest number of sampled worlds in which a review compares the move played with the best move.
LEAST_WORLDS = 24
#: A review compares the move played with the best move again in new worlds. While the result is unclear, it doubles the
#: number of worlds, at most `MOST_DOUBLINGS` times. The result is unclear if the lead of the best move is at least
#: `DOUBTFUL` standard errors and less than `MISTAKE_STANDARD_ERRORS` standard errors.
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
    """Return advice on the promising moves of `seat` and on the move `played` (−1 for none), best first.

    The same arguments give the same advice. If there is no exact evaluation, moves are tried in sampled worlds; `tell`
    is called with the number of worlds done and the number planned. An exception raised by `tell` ends the search and
    propagates.

    Raises `NotAView` if `view` is not the view of `seat`, `ValueError` if the seat is not to act, and `NoCoach` if the
    game has neither a solver that applies nor an evaluation.
    """
    legal_actions_of_view(game, view, seat)
    exact = game.solver.advise(view, seat) if game.solver.advise is not None else None
    if exact is not None:
        return exact
    try:
        found = search_by_rollouts(game, view, seat, seed, Budget(simulations), played, tell, MISTAKE_STANDARD_ERRORS)
    except NoEvaluation:
        raise NoCoach(_("{game} has no coach", game=game.info.title)) from None
    best, scale = found.tried[0], WorthConverter(game, view, seat)
    return [
        replace(
            scale.advice(tried.action, best.worth, max(0.0, tried.behind), tried.lost),
            worlds=tried.worlds,
            error=scale.difference_standard_error(worths[: tried.worlds], found.worths[: tried.worlds, 0])
            if place
            else 0.0,
            why=reason_if_greedy_move(game, view, seat, tried.action),
        )
        for place, (tried, worths) in enumerate(zip(found.tried, found.worths.T, strict=True))
    ]


@dataclass(frozen=True, slots=True)
class WorthConverter:
    """Converter from the value of a round (`bots.evaluation_dispatch`) to the probability of winning the match.

    For a cooperative game whose result is a number of turns, it converts the value of a round to turns instead.
    """

    game: GameModule
    view: View
    seat: int

    @property
    def turns_per_worth(self) -> int:
        """How many more turns a round of value 0 takes than a round of value 1.

        A difference of two round values (numbers from 0 to 1) multiplied by this number is a difference in turns. The
        number is 0 for a game whose round values are converted to win probabilities.
        """
        return evaluation_of(self.game.name).turns

    def win_probability(self, worth: float) -> float:
        """Return the probability of winning the match if the round has the value `worth`.

        If the game defines no win probability, return `worth` itself, clamped to the range from 0 to 1.
        """
        found = win_probability(self.game.name, self.view, self.seat, worth)
        return min(1.0, max(0.0, worth)) if found is None else found

    def advice(self, action: int, best: float, behind: float, worlds_lost: int) -> Advice:
        """Return the `Advice` on `action`, with values in the unit that players see (win probability or turns).

        * `best`: the value of the round after the best move, from 0 to 1.
        * `behind`: `best` minus the value of the round after `action`.
        * `worlds_lost`: the number of sampled worlds in which the game was lost after `action`. It is used only if the
          unit is turns.

        `Advice.error` is left at 0.
        """
        words = self.game.words.words(action)
        if self.turns_per_worth:
            cost = behind * self.turns_per_worth
            return Advice(action, words, cost, cost, TURNS, False, lost=worlds_lost)
        value = self.win_probability(best - behind)
        return Advice(action, words, value, self.win_probability(best) - value, CHANCE, False)

    def difference_standard_error(self, worths: NDArray[np.float64], best: NDArray[np.float64]) -> float:
        """Return the standard error of `Advice.behind`, which says how much worse a move is than the best move.

        Two arrays have the value of the round (from 0 to 1) in each sampled world:

        * `worths`: after the move,
        * `best`: after the best move, in the same worlds.

        The result has the unit of `Advice.behind`, and is infinite if the arrays are empty:

        * Turns: the standard error of ``best - worths``, multiplied by `turns_per_worth`.
        * Win probability: the standard error of ``f'(mean(best)) * best - f'(mean(worths)) * worths``. Here f converts
          the value of a round to a win probability, and f' is the derivative of f (delta method).
        """
        if not len(best):
            return math.inf
        if self.turns_per_worth:
            return float(standard_error(best - worths)) * self.turns_per_worth
        return float(
            standard_error(self._win_probability_slope(best) * best - self._win_probability_slope(worths) * worths)
        )

    def _win_probability_slope(self, worths: NDArray[np.float64]) -> float:
        worth, wide = float(worths.mean()), float(standard_error(worths))
        return (self.win_probability(worth + wide) - self.win_probability(worth - wide)) / (2 * wide)


def reason_if_greedy_move(game: GameModule, view: View, seat: int, action: int) -> str:
    """Return the greedy bot's reason for `action` if it would choose that action itself, else an empty text.

    The greedy bot has no reasons for moves that it would not play.
    """
    usual = int(greedy(view, seat, quick_generator(key_of(seed_from_text("coach")), 0)))
    return greedy_bot_reason(game, view, seat, action) if action == usual else ""


# --- review -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Review:
    """The coach's evaluation of a match."""

    moves: tuple[JudgedMove, ...]
    """The evaluated moves in order. Moves without an alternative are left out."""

    def win_probabilities(self, seat: int) -> list[tuple[int, float]]:
        """Return (ply, win probability after this move) for each move of `seat`.

        The probability is the coach's estimate from what the seat knew when it made the move, not from later events.
        The list is empty for a cooperative game whose result is a number of turns, because it has no win probability.
        """
        return [(m.ply, m.played.value) for m in self.moves if m.seat == seat and m.played.unit == CHANCE]


def review(
    match: Match, simulations: int = REVIEW, tell: Callable[[int], None] = lambda ply: None, seat: int | None = None
) -> Review:
    """Evaluate every move of `match` for which the player had a choice, with `simulations` rollouts each.

    With a `seat`, only that seat's moves are evaluated. `tell` is called with the ply of every move, including moves
    that are not evaluated.
    """
    return Review(tuple(judged_moves(match, simulations, tell, seat)))


def judged_moves(
    match: Match, simulations: int, tell: Callable[[int], None], seat: int | None = None
) -> Iterator[JudgedMove]:
    """Evaluate the moves of a match as `review` does, and yield each as soon as it is evaluated."""
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
    """Return the evaluation of one move of a match.

    If the evaluation is an estimate, about two thirds of the `simulations` find the best move. The rest is reserved for
    a second comparison of the move played with the best move, in newly sampled worlds. If the result of this comparison
    is unclear, further simulations are run (`_compare_in_new_worlds`).
    """
    again = max(LEAST_WORLDS, simulations // 6)
    advice = advise(game, view, move.seat, ply, max(1, simulations - 2 * again), move.action)
    played, best = next(one for one in advice if one.action == move.action), advice[0]
    if not played.exact:
        played, best = _compare_in_new_worlds(game, view, move.seat, ply, played, best, again)
    if played.unit == TURNS:
        return JudgedMove(ply, move.seat, played, best)
    # A solver returns the value of the round only, so convert it to the chance to win the match.
    scale = WorthConverter(game, view, move.seat)
    chance, best_chance = (scale.win_probability(one.value) if one.exact else one.value for one in (played, best))
    return JudgedMove(ply, move.seat, played, best, chance, best_chance)


def _compare_in_new_worlds(
    game: GameModule, view: View, seat: int, seed: int, played: Advice, best: Advice, worlds: int
) -> tuple[Advice, Advice]:
    """Compare the move played with the best move in new sampled worlds, and return new advice on both.

    The best average among many moves is partly due to chance, so a comparison in the same worlds would be biased. At
    first the moves are compared in `worlds` new worlds. While the result is unclear, this number is doubled, at most
    `MOST_DOUBLINGS` times.

    The result is unclear if the lead of the best move is too large to ignore and too small to be a mistake: at least
    `DOUBTFUL` and less than `MISTAKE_STANDARD_ERRORS` standard errors.
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
            error=scale.difference_standard_error(found[:, 0], found[:, -1]) if len(actions) > 1 else 0.0,
            beaten=int((behind > 0).sum()),
            beats=int((behind < 0).sum()),
            why=played.why,
        )
        in_doubt = DOUBTFUL * again.error <= again.behind < MISTAKE_STANDARD_ERRORS * again.error
        if met < end or not in_doubt or 2 * end > len(trials.found):
            return again, replace(scale.advice(best.action, worth, 0.0, lost[1]), worlds=met, why=best.why)
        end *= 2
