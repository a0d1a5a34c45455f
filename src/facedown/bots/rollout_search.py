"""Rollout search: a search that tries each promising move in the same sampled worlds, and plays on greedily.

A *rollout* plays the rest of a round fast, with a simple policy. Here this is the game's greedy policy. If the policy
is sensible, a player who chooses each move by the average result of rollouts reliably plays better than the policy
itself (Tesauro and Galperin 1996). The search has these steps:

* It samples a world, a full deal that fits everything the seat knows.
* It tries each promising move in this world, with the same random numbers. After the move, the greedy bots of all
  seats play the round to its end. Each of them uses only what *its own seat* would know.
* It evaluates the result (`bots.evaluation_dispatch`).
* After some worlds, the moves that do badly drop out. The others are tried in more worlds (sequential halving, with
  paired differences).
* The best move replaces the greedy bot's own move only if its average is higher by at least ``max(e, DOUBT * e**2)``,
  where ``e`` is the standard error of the difference. If ``e`` is above ``1 / DOUBT``, the second term is the larger
  one. Without this condition, one of many equally good moves would often replace the greedy bot's move by chance.

The compiled code receives only a view and numbers, so it cannot read the true state of the match.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation_dispatch import evaluate, evaluation_of, round_is_terminal
from facedown.bots.search_common import MAX_ROLLOUT, Budget, WorldSampler, standard_error, world_sampler
from facedown.bots.simple_bots import greedy, policy_of
from facedown.core import rule_dispatch
from facedown.core.bot import Evaluation, legal_actions_of_view
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import sample_world_into
from facedown.core.random_numbers import fork_quick, key_of, quick_generator
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.seeds import seed_from_text
from facedown.core.state import MAX_SEATS, Ints, View

#: Number of sampled worlds after which moves drop out for the first time. Each time after that, the number of worlds is
#: doubled before moves drop out again.
FIRST_WORLDS = 8
#: Number of sampled worlds between two checks of the time limit.
CHUNK = 8
#: Largest number of worlds in which a move is tried.
MOST_WORLDS = 4096
#: A move drops out if it is worse than the best move by more than this many standard errors (default of the search).
BEHIND = 2.5
#: At each elimination the worse half of the moves drops out, but at least this number of the best moves remains. In
#: addition, all moves that are worse than the best by too many standard errors (`BEHIND`) drop out.
FINAL = 4
#: Strength of the preference for the greedy bot's move, because with few worlds one of many moves often looks good by
#: luck. The *lead* of another move is the difference of the average values of this move and the greedy bot's move. The
#: other move is played only if its lead is at least ``max(e, DOUBT * e**2)``, where ``e`` is the standard error of the
#: lead. For example, the lead must be at least 0.04 if ``e`` is 0.04, and at least 0.2 if ``e`` is 0.1.
DOUBT = 20.0

#: Array of values of the round: a row for each sampled world, a column for each move.
Rows = NDArray[np.float64]


@rule
def try_moves(view: View, worlds: WorldSampler, moves: Ints, alive: Ints, first: int, end: int, found: Rows) -> int:
    """Try moves in the sampled worlds (full deals that fit the view) numbered `first` to `end` − 1.

    * `moves`: the actions.
    * `alive`: the indices of the moves that are tried.
    * ``found[world, move]``: the value of the round for the viewer is written here.

    Return `end`. If no further world is found, return the number of the first world that could not be sampled.
    """
    world, scratch, g, q = worlds
    payoff = np.empty(MAX_SEATS, np.float64)
    luck = np.empty(1, np.uint64)
    seat = view.viewer
    for number in range(first, end):
        if not sample_world_into(world, view, g):
            return number
        stream = fork_quick(q)
        for i in range(len(alive)):
            scratch[0] = world[0]
            s = scratch[0]
            luck[0] = stream
            rule_dispatch.apply(s, seat, moves[alive[i]])
            for _ in range(MAX_ROLLOUT):
                if s.over != 0 or round_is_terminal(s):
                    break
                other = lowest_acting(s)
                rule_dispatch.apply(s, other, greedy(s, other, luck))
            evaluate(s, payoff)
            found[number, alive[i]] = payoff[seat]
    return end


class Trials:
    """Results of several moves that are all tried in the same sampled worlds (random full deals that fit the view).

    `run_worlds` tries moves and stores the results in `found`. The same view, seed and moves give the same results.
    """

    def __init__(self, game: GameModule, view: View, seed: str, actions: Sequence[int], most: int) -> None:
        self._given = view, world_sampler(game, seed), np.array(actions, np.int32)
        self.found = np.full((most, len(actions)), np.nan)
        """Value of the round for the viewer, indexed [world, move]; NaN where a move was not tried."""

    def run_worlds(self, alive: NDArray[np.int64], first: int, end: int) -> int:
        """Try the moves with the indices `alive` in the sampled worlds numbered `first` to `end` − 1.

        A world is a full deal that fits the player's view. The results are stored in `found`.

        Return `end`. If no further world is found, return the number of the first world that could not be sampled.
        """
        return int(try_moves(*self._given, alive, first, end, self.found))


@dataclass(frozen=True, slots=True)
class Tried:
    """Statistics of a move that was tried in sampled worlds."""

    action: int
    worth: float
    """Mean value of the round after the move, from 0 to 1 (`bots.evaluation_dispatch`)."""
    worlds: int
    """Number of worlds in which the move was tried."""
    behind: float
    """Loss in value compared with the best move: mean difference of the values over the worlds in which both were
    tried. 0 for the best move itself."""
    error: float
    """Standard error of `behind`."""
    lost: int = 0
    """Number of worlds in which the value of the round after the move was 0."""


@dataclass(frozen=True, slots=True)
class RolloutResult:
    """Result of a rollout search: statistics of each move that was tried, and the move to play."""

    tried: tuple[Tried, ...]
    """The moves that were tried: the best move first, the others by number of worlds and then by mean value, both
    descending.

    Equivalent moves (`core.bot.Evaluation.equivalence_key`) were tried as one and have the same statistics.
    """
    choice: int
    """The action to play."""
    simulations: int
    worths: NDArray[np.float64]
    """Value of the round, indexed [world, move], with the moves in the order of `tried`; NaN where a move was not tried
    in a world."""


def search_by_rollouts(
    game: GameModule,
    view: View,
    seat: int,
    seed: int,
    budget: Budget,
    also: int = -1,
    tell: Callable[[int, int], None] = lambda done, of: None,
    within: float = BEHIND,
) -> RolloutResult:
    """Search the promising moves of `seat` (`core.bot.Evaluation.promising`), and the action `also` if it is legal.

    The greedy bot's move is always searched too. A move drops out if it is worse than the best by more than `within`
    standard errors.

    The same arguments give the same result if the budget is in simulations. `tell` is called regularly with the number
    of worlds sampled so far and the number expected at the end. An exception raised by `tell` ends the search and
    propagates.

    Raises `NotAView` if `view` is not the view of `seat`, and `ValueError` if the seat is not to act. Raises
    `NoEvaluation` if the game defines no evaluation functions, and `NoGreedyBot` if it defines no greedy policy.
    """
    legal = legal_actions_of_view(game, view, seat)
    evaluation = evaluation_of(game.name)
    policy_of(game.name)
    late, root = budget.start_time_check(), f"foresight {seed}"
    usual = int(greedy(view, seat, quick_generator(key_of(seed_from_text(root)), 2)))
    if len(legal) == 1:
        return RolloutResult((Tried(legal[0], 0.5, 0, 0.0, 0.0),), legal[0], 0, np.empty((0, 1)))
    if usual not in legal:
        usual = legal[0]
    legal = sorted({*evaluation.promising(view, seat, legal), usual, *({also} & set(legal))})
    stands_for = _representative_index_of_each_action(evaluation, view, seat, legal, legal.index(usual))
    trials = Trials(game, view, root, legal, MOST_WORLDS)
    alive = np.array(sorted(set(stands_for)), np.int64)
    met, look, simulations = 0, FIRST_WORLDS, 0

    def spent() -> bool:
        return late(simulations) or (budget.simulations > 0 and simulations + len(alive) > budget.simulations)

    while met < MOST_WORLDS and len(alive) > 1 and not (met and spent()):
        # Try the moves in one world first, to find out early whether there is time for more worlds.
        end = min(met + CHUNK, look, MOST_WORLDS) if met else 1
        if budget.simulations:
            # Run at least one world, so that every move has a result.
            end = min(end, met + max(1, (budget.simulations - simulations) // len(alive)))
        reached = trials.run_worlds(alive, met, end)
        simulations += (reached - met) * len(alive)
        if reached < end:
            break
        met = reached
        if met >= look:
            alive = _moves_not_eliminated(trials.found[:met], alive, legal.index(usual), within)
            look *= 2
        tell(met, _expected_world_count(met, len(alive), look, budget.simulations - simulations))
    return _build_result(trials.found[:met, stands_for], legal, alive, usual, simulations)


def _representative_index_of_each_action(
    evaluation: Evaluation[Any], view: View, seat: int, legal: list[int], usual: int
) -> list[int]:
    """Return, for each action in `legal`, the index in `legal` of the action that represents it in the search.

    Actions with equal keys (`Evaluation.equivalence_key`) are equivalent and form a group. The search tries only one
    action of each group, the representative, and its results count for the whole group. If the group contains the
    greedy bot's action (index `usual`), that action is the representative. In any other group, the first action is.
    """
    first = {evaluation.equivalence_key(view, seat, legal[usual]): usual}
    return [first.setdefault(evaluation.equivalence_key(view, seat, action), i) for i, action in enumerate(legal)]


def _expected_world_count(met: int, moves: int, look: int, simulations: int) -> int:
    """Return the expected number of sampled worlds at the end of the search, for a progress report.

    * `met`: the number of worlds in which moves have been tried so far.
    * `moves`: the number of moves that are still being tried.
    * `look`: the number of worlds after which moves are eliminated next. Then this number doubles.
    * `simulations`: the number of simulations left in the budget. A simulation tries one move in one world. If the
      number is 0 or less, return `met`.

    At each elimination half of the moves are assumed to drop out, but `FINAL` (4) moves always remain.

    >>> _expected_world_count(1, 4, 8, 400)
    101

    In this example, one world was used so far, and 4 moves are left. So no move drops out any more, and `look` (8) has
    no effect. The 400 simulations are enough to try the 4 moves in 100 more worlds: 1 + 100 = 101.
    """
    while simulations > 0 and met < MOST_WORLDS and moves > 1:
        more = min(look, met + simulations // moves, MOST_WORLDS) - met
        if more <= 0:
            break
        met, simulations = met + more, simulations - more * moves
        if met >= look:
            moves, look = (max(FINAL, moves // 2) if moves > FINAL else moves), 2 * look
    return met


def _moves_not_eliminated(
    found: NDArray[np.float64], alive: NDArray[np.int64], usual: int, within: float
) -> NDArray[np.int64]:
    means = found[:, alive].mean(axis=0)
    best = int(alive[int(means.argmax())])
    near = means >= means.max() - within * standard_error(found[:, alive] - found[:, [best]])
    ranked = alive[np.argsort(-means, kind="stable")]
    kept = set(ranked[: max(FINAL, len(alive) // 2)].tolist()) & set(alive[near].tolist())
    kept |= {best} | ({usual} & set(alive.tolist()) & set(alive[near].tolist()))
    return np.array(sorted(kept), np.int64)


def _build_result(
    found: NDArray[np.float64], legal: list[int], alive: NDArray[np.int64], usual: int, simulations: int
) -> RolloutResult:
    if not len(found):
        return RolloutResult(tuple(Tried(a, 0.5, 0, 0.0, math.inf) for a in legal), usual, simulations, found)
    worlds = (~np.isnan(found)).sum(axis=0)
    means = np.nanmean(found, axis=0)
    best = int(alive[int(means[alive].argmax())])
    order = sorted(range(len(legal)), key=lambda i: (i != best, -int(worlds[i]), -float(means[i])))
    tried = []
    for i in order:
        both = found[: int(worlds[i])]
        difference = both[:, best] - both[:, i]
        error, behind = 0.0 if i == best else float(standard_error(difference)), float(difference.mean())
        lost = int((both[:, i] == 0.0).sum())
        tried.append(Tried(legal[i], float(means[i]), int(worlds[i]), behind, error, lost))
    doubted = next(one for one in tried if one.action == usual)
    lead_needed = max(doubted.error, DOUBT * doubted.error * doubted.error)
    choice = usual if doubted.behind < lead_needed else legal[best]
    return RolloutResult(tuple(tried), choice, simulations, found[:, order])


@dataclass(eq=False)
class RolloutSearchBot:
    """Bot that tries its promising moves in sampled worlds (full deals that fit its view), and plays the best one.

    In each world, greedy bots play the round to its end after the move. The average of the results is the value of the
    move. The bot plays the greedy bot's own move unless the value of another move is clearly higher (`DOUBT`).
    """

    budget: Budget
    least: int = 1
    """Number of simulations that `choose_within` may run for a move even if the share of the budget is smaller.

    In a simulation, one move is tried in one sampled world."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return the best move found. The same view and seed give the same move, unless the budget is in seconds."""
        return search_by_rollouts(game, view, seat, seed, self.budget).choice

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """Search with only a fraction of the bot's budget, and return the best move found.

        `effort`, above 0 and at most 1, is the fraction of the simulations and seconds in `self.budget`. But however
        small `effort` is, the limits do not end the search before about `self.least` simulations. A simulation tries
        one move in one sampled world.
        """
        return search_by_rollouts(game, view, seat, seed, self.budget.reduce_to_share(effort, self.least)).choice
