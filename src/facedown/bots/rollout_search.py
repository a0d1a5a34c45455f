"""RolloutResult: try every move in the same imagined worlds, and let all play on greedily.

For a base policy that is sensible already this is the surest way to something better (a policy's rollouts improve
it: Tesauro and Galperin 1996). A world is drawn that fits all the seat knows; each move still in question is tried in
it, with the same luck; the round is played out by the greedy bots of all seats, *each by what its seat would know
then*, and judged (`bots.evaluation`). Moves that do badly drop out, the others meet more worlds (sequential halving,
with paired differences). What looks best is preferred to the greedy bot's own move only if that is more than chance: of
many moves that are equally good one always looks better.

The compiled code gets a view and numbers, nothing else: no state of the match can reach it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation import evaluate, evaluation_of, round_is_terminal
from facedown.bots.search_common import MAX_ROLLOUT, Budget, WorldSampler, standard_error, world_sampler
from facedown.bots.simple_bots import greedy, policy_of
from facedown.core import dispatch
from facedown.core.bot import Evaluation, legal_actions_of_view
from facedown.core.dispatch import lowest_acting
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import sample_world_into
from facedown.core.random_numbers import draw_quick_seed, key_of, quick_generator
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.core.state import MAX_SEATS, Ints, View

#: Worlds of the first look, which every move gets; each later look doubles them.
FIRST_WORLDS = 8
#: Worlds between two looks at the clock.
CHUNK = 8
#: The most worlds that a move is tried in.
MOST_WORLDS = 4096
#: A move stays in question up to this many standard errors behind the best, unless the caller wants another bound.
BEHIND = 2.5
#: Half of the moves drop out at each look, but never below so many for that alone.
FINAL = 4
#: How much the greedy bot's move is trusted: with this, a lead of 0.1 is believed at a standard error of 0.07, not at
#: 0.1. Few worlds make one of many moves look good by luck.
DOUBT = 20.0

#: A row for each world, a column for each move.
Rows = NDArray[np.float64]


@rule
def try_moves(view: View, worlds: WorldSampler, moves: Ints, alive: Ints, first: int, end: int, found: Rows) -> int:
    """Try the moves numbered in `alive` in the worlds from `first` to `end`; return the number after the last world.

    `moves` are actions. ``found[world, move]`` receives what the round is worth to the viewer after it.
    """
    world, scratch, g, q = worlds
    payoff = np.empty(MAX_SEATS, np.float64)
    luck = np.empty(1, np.uint64)
    seat = view.viewer
    for number in range(first, end):
        if not sample_world_into(world, view, g):
            return number
        stream = draw_quick_seed(q)
        for i in range(len(alive)):
            scratch[0] = world[0]
            s = scratch[0]
            luck[0] = stream
            dispatch.apply(s, seat, moves[alive[i]])
            for _ in range(MAX_ROLLOUT):
                if s.over != 0 or round_is_terminal(s):
                    break
                other = lowest_acting(s)
                dispatch.apply(s, other, greedy(s, other, luck))
            evaluate(s, payoff)
            found[number, alive[i]] = payoff[seat]
    return end


class Trials:
    """Moves that are tried in the same imagined worlds; all follow from the view and the seed."""

    def __init__(self, game: GameModule, view: View, seed: str, actions: Sequence[int], most: int) -> None:
        self._given = view, world_sampler(game, seed), np.array(actions, np.int32)
        self.found = np.full((most, len(actions)), np.nan)
        """What the round is worth to the viewer, by world and move; NaN where a move was not tried."""

    def run_worlds(self, alive: NDArray[np.int64], first: int, end: int) -> int:
        """Try the moves numbered in `alive` in the worlds from `first` to `end`.

        Returns the number after the last world: less than `end` if no more worlds fit the view.
        """
        return int(try_moves(*self._given, alive, first, end, self.found))


@dataclass(frozen=True, slots=True)
class Tried:
    """A move that was tried."""

    action: int
    worth: float
    """What the round was worth after it on average, from 0 to 1 (see `bots.evaluation`)."""
    worlds: int
    """In how many worlds it was tried."""
    behind: float
    """How far it is behind the best move on average, over the worlds that both met; 0 for the best itself."""
    error: float
    """The standard error of `behind`."""
    lost: int = 0
    """The number of worlds in which the round was worth nothing after it."""


@dataclass(frozen=True, slots=True)
class RolloutResult:
    """What came of it."""

    tried: tuple[Tried, ...]
    """The moves that were tried, best first: those that met more worlds go before those that dropped out.

    Moves that come to the same (`core.bot.Evaluation.equivalence_key`) were tried as one, and show the same numbers.
    """
    choice: int
    """The move to play."""
    simulations: int
    worths: NDArray[np.float64]
    """What the round was worth: a row for each world, a column for each of `tried`, NaN where it had dropped out."""


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
    """Try the moves of `seat` that are worth a thought (`core.bot.Evaluation.promising`), and `also` one in question.

    A move stays in question up to `within` standard errors behind the best.

    The same arguments give the same result if the budget is in simulations. After every few worlds `tell` is called
    with how many are done, and how many there will be as far as can be said; what it raises ends the search.

    Raises `NotAView` for anything but the seat's view, `ValueError` if the seat is not to act, `NoEvaluation` or
    `NoGreedyBot` for a game that cannot be judged or played on.
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
    stands_for = _equivalent_representatives(evaluation, view, seat, legal, legal.index(usual))
    trials = Trials(game, view, root, legal, MOST_WORLDS)
    alive = np.array(sorted(set(stands_for)), np.int64)
    met, look, simulations = 0, FIRST_WORLDS, 0

    def spent() -> bool:
        return late(simulations) or (budget.simulations > 0 and simulations + len(alive) > budget.simulations)

    while met < MOST_WORLDS and len(alive) > 1 and not (met and spent()):
        # The first world alone, to see soon whether there is time for more.
        end = min(met + CHUNK, look, MOST_WORLDS) if met else 1
        if budget.simulations:
            # At least one world, so that every move has met something.
            end = min(end, met + max(1, (budget.simulations - simulations) // len(alive)))
        reached = trials.run_worlds(alive, met, end)
        simulations += (reached - met) * len(alive)
        if reached < end:
            break
        met = reached
        if met >= look:
            alive = _still_in_question(trials.found[:met], alive, legal.index(usual), within)
            look *= 2
        tell(met, _worlds_in_all(met, len(alive), look, budget.simulations - simulations))
    return _build_result(trials.found[:met, stands_for], legal, alive, usual, simulations)


def _equivalent_representatives(
    evaluation: Evaluation[Any], view: View, seat: int, legal: list[int], usual: int
) -> list[int]:
    """For each move the place of the one that is tried for it: of moves that come to the same, one is enough."""
    first = {evaluation.equivalence_key(view, seat, legal[usual]): usual}
    return [first.setdefault(evaluation.equivalence_key(view, seat, action), i) for i, action in enumerate(legal)]


def _worlds_in_all(met: int, moves: int, look: int, simulations: int) -> int:
    """How many worlds there will be, if half of the moves drop out at each look to come; without a number: `met`.

    >>> _worlds_in_all(1, 4, 8, 400)
    101
    """
    while simulations > 0 and met < MOST_WORLDS and moves > 1:
        more = min(look, met + simulations // moves, MOST_WORLDS) - met
        if more <= 0:
            break
        met, simulations = met + more, simulations - more * moves
        if met >= look:
            moves, look = (max(FINAL, moves // 2) if moves > FINAL else moves), 2 * look
    return met


def _still_in_question(
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
    """Plays what turns out best when all play on greedily."""

    budget: Budget
    least: int = 1
    """The smallest number of simulations, whatever the effort."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """The move found; the same view and seed give the same move, unless the budget is in seconds."""
        return search_by_rollouts(game, view, seat, seed, self.budget).choice

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """The move found with a share of the budget."""
        return search_by_rollouts(game, view, seat, seed, self.budget.share(effort, self.least)).choice
