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
from facedown.core.advice import CHANCE, MISTAKE_STANDARD_ERRORS, TURNS, Advice, Hindsight, JudgedMove, NoCoach
from facedown.core.bot import legal_actions_of_view
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import known_view
from facedown.core.match import Match
from facedown.core.match_actions import is_game_action
from facedown.core.move_with_views import Move as Played
from facedown.core.random_numbers import key_of, quick_generator
from facedown.core.seeds import seed_from_text
from facedown.core.state import EVERYONE, SPECTATOR, View, copy

#: Number of simulations for a hint (`HINT`) and for each move of a review (`REVIEW`). A simulation tries one move in
#: one sampled world (random full deal).
HINT = 4000
REVIEW = 1000
#: Smallest number of sampled worlds in which a review compares the move played with the best move.
LEAST_WORLDS = 24
#: A review compares the move played with the best move again in new worlds. While the result is unclear, it doubles the
#: number of worlds, at most `MOST_DOUBLINGS` times. The result is unclear if the lead of the best move is at least
#: `DOUBTFUL` times its standard error and less than `MISTAKE_STANDARD_ERRORS` times.
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

    If the game has an exact solver that can handle the position, return the solver's advice on all legal moves instead.
    Otherwise estimate the values of the moves by *simulations*. A simulation tries one move in one sampled world (a
    random full deal that fits the view). The same arguments give the same advice.

    * `simulations`: largest number of simulations. Each move is tried in at least one world, even if this takes more.
    * `tell`: called during the simulations with the number of worlds used so far and the number expected at the end.
      An exception raised by `tell` ends the search and propagates.

    Raises:
        NotAView: `view` is not the view of `seat`.
        ValueError: The seat is not to act.
        NoCoach: No solver can handle the position, and the game defines no functions that estimate values
            (`core.bot.Evaluation`).
        NoGreedyBot: No solver can handle the position, and the game has no greedy bot, which the simulations need.
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
    """Converter from the value of a round to the probability of winning the match.

    The value of a round is a number from 0 (worst) to 1 (best) that the game's evaluation function gives a seat
    (`bots.evaluation_dispatch`). In a cooperative game in which fewer turns are better, differences of values are
    converted to numbers of turns instead.
    """

    game: GameModule
    view: View
    seat: int

    @property
    def turns_per_worth(self) -> int:
        """Number of turns that lower the value of a round from 1 (best) to 0 (worst); 0 if turns do not count.

        It is above 0 only for a cooperative game in which the players try to win in few turns. There, a difference of
        two round values, multiplied by this number, is a difference in turns. In all other games turns do not count:
        round values are converted to win probabilities.
        """
        return evaluation_of(self.game.name).turns

    def win_probability(self, worth: float) -> float:
        """Return the probability, from 0 to 1, that the seat `self.seat` wins the match.

        `worth` is the value of the current round for this seat, from 0 (worst) to 1 (best). If the game defines no
        conversion to a win probability, return `worth` itself, clamped to the range from 0 to 1.
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
        """Return the standard error of `Advice.behind`, the number that says how much worse a move is than the best.

        Both arguments are arrays with one number for each sampled world: the value of the round, from 0 to 1.

        * `worths`: the values after the move.
        * `best`: the values after the best move, in the same worlds.

        The result has the same unit as `Advice.behind`. The formula depends on this unit:

        * If the unit is turns, the result is the standard error of ``best - worths``, multiplied by `turns_per_worth`.
        * If the unit is win probability, the result is the standard error of
          ``f'(mean(best)) * best - f'(mean(worths)) * worths`` (delta method). The function f converts the value of a
          round to a win probability, and f' is its derivative.

        If the arrays are empty, the result is infinite.
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
    """The coach's evaluation of the moves that one seat, or every seat, made in a match.

    Each move is judged by what its player knew at the time. `JudgedMove.hindsight` additionally says how good the move
    was with all cards face up.
    """

    moves: tuple[JudgedMove, ...]
    """The evaluated moves in order of play. Moves of a player who had only one legal action are left out, and so are
    moves that were taken back."""

    def win_probabilities(self, seat: int) -> list[tuple[int, float]]:
        """Return (index of the move in the match from 0, win probability after it) for each evaluated move of `seat`.

        It is the probability of winning the match. It is computed from what the seat knew when it made the move, not
        from later events.

        The list is empty for a cooperative game whose result is a number of turns, because it has no win probability.
        """
        return [(m.ply, m.chance) for m in self.moves if m.seat == seat and m.chance is not None]


def review(
    match: Match, simulations: int = REVIEW, tell: Callable[[int], None] = lambda ply: None, seat: int | None = None
) -> Review:
    """Evaluate every move of `match` for which the player had a choice.

    Raise `NoCoach` if a move can be neither evaluated exactly nor estimated. This is so if the game has no solver that
    can handle the position, and defines no functions that estimate values (`core.bot.Evaluation`).

    * `simulations`: number of simulations for each of these moves. A simulation tries one move in one sampled world
      (random full deal). More are run if the result is unclear, and none if a solver evaluates the move exactly.
    * `tell`: called with the ply (index of a move in the match, from 0) of every move, before the move is evaluated.
      It is also called for moves that are not evaluated.
    * `seat`: the seat whose moves are evaluated; None for all seats.
    """
    return Review(tuple(judged_moves(match, simulations, tell, seat)))


def judged_moves(
    match: Match, simulations: int, tell: Callable[[int], None], seat: int | None = None
) -> Iterator[JudgedMove]:
    """Evaluate the moves of a match in order, and yield each as soon as it is evaluated.

    Moves for which the player had no choice are left out, and so are moves that were taken back. Raise `NoCoach` if a
    move can be neither evaluated exactly nor estimated. This is so if the game has no solver that can handle the
    position, and defines no functions that estimate values (`core.bot.Evaluation`).

    * `simulations`: number of simulations for each move, as in `review`.
    * `tell`: called with the ply (index of a move in the match, from 0) of every move, before the move is evaluated.
      It is also called for moves that are not evaluated.
    * `seat`: the seat whose moves are evaluated; None for all seats.
    """
    standing, open_cards = {ply for ply, _move in _standing_moves(match)}, _hindsight(match)
    for ply, step in enumerate(match.steps(), -1):
        if step.move is not None and step.before is not None:
            tell(ply)
            mover = step.move.seat
            if ply in standing and seat in (None, mover) and len(step.before.legal(mover)) > 1:
                judged = _judge_move(match.game, step.before.known(mover), step.move, ply, simulations)
                yield replace(judged, hindsight=open_cards.get(ply))


def _standing_moves(match: Match) -> list[tuple[int, Played]]:
    """Return the moves of the game that were not taken back, as (index in the match from 0, move)."""
    taken_back = match.taken_back
    moves = enumerate(match.moves)
    return [(ply, move) for ply, move in moves if is_game_action(move.action) and ply + 1 not in taken_back]


def _hindsight(match: Match) -> dict[int, Hindsight]:
    """Return the solver's evaluation of the moves of a finished match with all cards face up, by ply from 0.

    Moves that were taken back are left out. The result is empty if the match is running or there is no solver for that.
    """
    solve = match.game.solver.hindsight
    if solve is None or not match.over:
        return {}
    standing = _standing_moves(match)
    # If the match ended early, the rules have not turned the cards face up.
    state = copy(match.state)
    state.known[:] = EVERYONE
    found = solve(known_view(state, SPECTATOR), [move for _ply, move in standing])
    return {standing[index][0]: evaluation for index, evaluation in found.items()}


def _judge_move(game: GameModule, view: View, move: Played, ply: int, simulations: int) -> JudgedMove:
    """Return the evaluation of one move of a match.

    If the evaluation is an estimate, about two thirds of the `simulations` are spent on finding the best move. The rest
    is reserved for a second comparison of the move played with the best move, in newly sampled worlds. If the result of
    this comparison is unclear, further simulations are run (`_compare_in_new_worlds`).
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
    """Compare the move played with the best move in new sampled worlds, and return new advice on both, in this order.

    The best average among many moves is partly due to chance, so a comparison in the same worlds would be biased. At
    first the moves are compared in `worlds` new worlds. While the result is unclear, this number is doubled, at most
    `MOST_DOUBLINGS` times. If no world can be sampled, the given advice is returned.

    The result is unclear if the lead of the best move is too large to ignore, but too small to count as a mistake. Such
    a lead is at least `DOUBTFUL` (1.5) times its standard error, and less than `MISTAKE_STANDARD_ERRORS` (4) times.
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
