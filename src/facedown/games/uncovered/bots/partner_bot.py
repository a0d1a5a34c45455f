"""Partner bot of Uncovered!: plays the swap after which the players are expected to need the fewest turns.

If all players know all cards, the bot plays the move of the exact solver. Otherwise it samples worlds (full deals that
fit its knowledge) and tries the most promising swaps in them. It simulates the rest of the game with `rollout_policy`.
In these simulations each seat uses only *what that seat would know then*. So a swap that shows other players what they
need can be worth as much as a swap that moves cards to their places.

The search is sequential halving. Each stage tries all remaining swaps in further worlds, and then drops the worse half
of these swaps.

The bot uncovers the hands only if it is certain that they are alike, so its partners can rely on that. The only
exception is a game that is about to reach the turn limit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import includes
from facedown.core.bot import Evaluation, check_view, legal_actions_of_view
from facedown.core.game_registry import GameModule
from facedown.core.hidden_cards import sample_world_into
from facedown.core.random_numbers import fork_quick, generator, key_of, quick_generator
from facedown.core.rule import rule
from facedown.core.seeds import seed_from_text
from facedown.core.state import RUNNING, Floats, View, cast_record
from facedown.games.uncovered.bots.policy import (
    CLOSE,
    FAR,
    NEVER,
    SEQUENCES,
    KindWeights,
    all_know,
    count_hands_completed_too_early,
    is_win_certain,
    kind_weights,
    misplaced_weight_by_hand,
    new_viewer_count_of_swapped_cards,
    random_best_index,
    scaled_swap_lower_bound_after_swap,
    scaled_swap_lower_bound_to_goal,
)
from facedown.games.uncovered.info import INFO, LOWEST, PLACES
from facedown.games.uncovered.optimal_turns import MOST_TURNS, write_shortest_winning_swaps
from facedown.games.uncovered.rules import (
    ACTIONS,
    PAIRS,
    RULES,
    TURN_CAP,
    Act,
    Phase,
    UncoveredPosition,
    apply,
    encode_swap,
    is_single_colour_win_enabled,
    slots_of_swap,
)

#: Weight of the distance to a goal that is estimated from what all players know. The distance that is estimated from
#: what the seat itself knows has the weight 1.
COMMON_KNOWLEDGE_WEIGHT = 3.5
#: What the effects of a swap are worth, as a number of swaps. All values come from tuning in thousands of games. There
#: is a row for each mode (beginner, intermediate, advanced) and a column for each effect:
#:
#: * `IDLE`: penalty for each complete hand whose player must still swap;
#: * `LOOK`: bonus for each swapped card that players see for the first time. It is multiplied by n / (p − 1), where n
#:   is the number of these players, and p is the number of all players;
#: * `FRESH`: bonus for each swapped card that not all players knew;
#: * `HOME`: bonus for each card that certainly reaches its place, and penalty for each that certainly leaves it;
#: * `OPEN_HOME`: penalty for each card by which the swap raises the expected number of cards that are at their places
#:   and known to all players.
SWAP_WEIGHTS = np.array([(0.4, 0.0, 0.0, 0.5, 0.0), (0.25, 0.06, 0.08, 0.26, 0.1), (0.4, 0.1, 0.0, 0.5, 0.0)])
IDLE, LOOK, FRESH, HOME, OPEN_HOME = range(5)


@rule
def estimate_goal_distances(s: UncoveredPosition, weighed: KindWeights) -> NDArray[np.float64]:
    """Return the estimated distance to each goal. A goal is a sequence of numbers that all hands are to have.

    Element g of the result belongs to the goal ``SEQUENCES[g]``. It is 2 × (a + `COMMON_KNOWLEDGE_WEIGHT` × b):

    * a is the number of swaps to the goal, estimated from what the seat knows;
    * b is the number of swaps to the goal, estimated from what all players know.

    Callers only compare the distances with each other, so the factor 2 does not matter.

    `weighed` is the result of `kind_weights` for the seat: the probabilities of all cards, as the seat knows them.
    """
    _, column, whole = weighed
    far = np.empty(len(SEQUENCES), np.float64)
    _, common, common_whole = kind_weights(s, (1 << s.seats) - 1)
    for goal in range(len(SEQUENCES)):
        far[goal] = (
            scaled_swap_lower_bound_to_goal(column, goal) / whole
            + COMMON_KNOWLEDGE_WEIGHT * scaled_swap_lower_bound_to_goal(common, goal) / common_whole
        )
    return far


@rule
def rate_swaps(s: UncoveredPosition, seat: int, goal: int, weighed: KindWeights, values: Floats) -> None:
    """Write to `values`, indexed by action, how good each swap of the seat is for reaching a goal. Higher is better.

    The value of a swap is minus the estimated number of swaps that are still needed after it. Small bonuses and
    penalties are added, such as a bonus for each player who sees a card for the first time (`SWAP_WEIGHTS`). Elements
    of other actions stay unchanged.

    At the goal all hands are the same sequence of numbers. `goal` is its index in `SEQUENCES`. `weighed` is the result
    of `kind_weights` for the seat: the probabilities of all cards, as the seat knows them.
    """
    weight, column, whole = weighed
    mode = s.opt.mode
    everybody = (1 << s.seats) - 1
    wrong = misplaced_weight_by_hand(s, goal, weight, whole)
    for action in range(PAIRS * s.seats):
        if action // PAIRS == seat:
            continue
        own, theirs = slots_of_swap(seat, action)
        here, beyond = SEQUENCES[goal, own % PLACES], SEQUENCES[goal, theirs % PLACES]
        far = scaled_swap_lower_bound_after_swap(column, weight, goal, own, theirs)
        idle = count_hands_completed_too_early(weight, wrong, goal, own, theirs, far // (2 * whole))
        home = is_kind_certain(weight, whole, theirs, here) + is_kind_certain(weight, whole, own, beyond)
        home -= is_kind_certain(weight, whole, own, here) + is_kind_certain(weight, whole, theirs, beyond)
        own_open, theirs_open = all_know(s, own, everybody), all_know(s, theirs, everybody)
        fresh = 2 - own_open - theirs_open
        open_home = weight[theirs, here] + weight[own, beyond]
        open_home -= own_open * weight[own, here] + theirs_open * weight[theirs, beyond]
        values[action] = (
            SWAP_WEIGHTS[mode, HOME] * home
            - far / (2.0 * whole)
            - SWAP_WEIGHTS[mode, IDLE] * idle
            + SWAP_WEIGHTS[mode, LOOK] * new_viewer_count_of_swapped_cards(s, own, theirs) / (s.seats - 1)
            + SWAP_WEIGHTS[mode, FRESH] * fresh
            - SWAP_WEIGHTS[mode, OPEN_HOME] * open_home / whole
        )


@rule
def is_kind_certain(weight: NDArray[np.int64], whole: int, slot: int, kind: int) -> int:
    """Return 1 if it is certain that the card in a slot (4 × seat + place) has the number `kind` + 1, else 0.

    ``weight[slot, kind] / whole`` is the probability that the card has this number (`kind_weights`).
    """
    return 1 if weight[slot, kind] == whole else 0


@rule
def rollout_policy(s: UncoveredPosition, seat: int, q: NDArray[np.uint64]) -> int:
    """Return the action of a seat in a rollout (simulated rest of a game), based on what the seat knows.

    The seat turns a card whenever it may, and uncovers if a win is certain. Otherwise it takes the nearest goal: the
    sequence of numbers that all hands are estimated to reach with the fewest swaps (`estimate_goal_distances`). It
    plays the swap that is best for this goal (`rate_swaps`). `q` is the state of the random generator, which chooses
    among equally good swaps.
    """
    if s.phase == Phase.TURNING:
        return Act.TURN
    weighed = kind_weights(s, 1 << seat)
    if is_win_certain(s, seat, weighed):
        return Act.UNCOVER
    far = estimate_goal_distances(s, weighed)
    goal, nearest = 0, 1.0 * FAR
    for candidate in range(len(far)):
        if far[candidate] < nearest - CLOSE:
            goal, nearest = candidate, far[candidate]
    values = np.full(PAIRS * s.seats, NEVER)
    rate_swaps(s, seat, goal, weighed, values)
    return random_best_index(values, q)


#: Number of turns that is added to the length of a rollout if its game is lost or not finished.
LOST_TURNS = 40
#: Largest number of turns in a rollout.
MAX_PLAYOUT_TURNS = 60
#: Number of worlds (sampled deals) in which all `CANDIDATES` swaps are tried in the first stage of the search. Each
#: later stage keeps half of the swaps and doubles the number of worlds. `MAX_LOOKS` is the largest number of stages.
FIRST_WORLDS = 24
CANDIDATES = 16
MAX_LOOKS = 4
#: Number of nearest goals for which swaps are rated. A goal is a sequence of numbers that all hands can have.
GOALS = 4
#: Number of sampled worlds in which the solver is asked for its best swap.
SOLVED_WORLDS = 4
#: Rating of a swap that the solver proposes. It is so high that the search always tries this swap.
SOLVER_VALUE = 1e18


@rule
def rollout_turns(s: UncoveredPosition, q: NDArray[np.uint64]) -> int:
    """Play a game to its end with `rollout_policy` for all seats. Return the turn number at which it is won.

    If the game is lost, or not over after `MAX_PLAYOUT_TURNS` more turns, return the turn number reached plus
    `LOST_TURNS`. `q` is the state of the random generator.
    """
    stop = min(s.turn + MAX_PLAYOUT_TURNS, TURN_CAP)
    while s.over == RUNNING and s.turn < stop:
        seat = 0
        while not includes(s.acting, seat):
            seat += 1
        apply(s, seat, rollout_policy(s, seat, q))
    return s.turn if s.won == 1 else s.turn + LOST_TURNS


@rule
def rate_swaps_for_nearest_goals(s: UncoveredPosition, seat: int, values: NDArray[np.float64]) -> None:
    """Write a rating of each swap to `values`, indexed by action. The search tries the swaps with the highest ratings.

    A goal is a sequence of numbers that all hands are to have. The nearest goals are those that are estimated to need
    the fewest swaps (`estimate_goal_distances`). For each of the `GOALS` nearest goals, `rate_swaps` computes the value
    of the swap for reaching this goal. The rating is the largest of these values. All actions that are not swaps of the
    seat get `NEVER`.
    """
    weighed = kind_weights(s, 1 << seat)
    nearest_first = np.argsort(estimate_goal_distances(s, weighed))
    values[:] = NEVER
    one = np.full(ACTIONS, NEVER)
    for rank in range(GOALS):
        rate_swaps(s, seat, nearest_first[rank], weighed, one)
        for action in range(ACTIONS):
            values[action] = max(values[action], one[action])


@rule
def can_uncover_safely(s: UncoveredPosition, seat: int) -> bool:
    """Return whether the seat is certain that the players win if it uncovers the hands now."""
    return is_win_certain(s, seat, kind_weights(s, 1 << seat))


@rule
def first_optimal_swap(s: UncoveredPosition) -> int:
    """Return the first swap of a shortest solution of a position in which all cards are known.

    Return `Act.UNCOVER` if all hands are alike already.
    """
    hands = np.empty((s.seats, PLACES), np.int64)
    for slot in range(PLACES * s.seats):
        hands[slot // PLACES, slot % PLACES] = s.card[slot] + LOWEST
    line = np.empty((MOST_TURNS, 4), np.int64)
    turns = write_shortest_winning_swaps(hands, (s.start + s.turn) % s.seats, is_single_colour_win_enabled(s), line)
    return Act.UNCOVER if turns == 0 else encode_swap(line[0, 1], line[0, 2], line[0, 3])


@rule
def try_swaps_in_worlds(
    view: View,
    seat: int,
    key: NDArray[np.uint32],
    ratings: NDArray[np.float64],
    worlds: NDArray[Any],
    result_rows: NDArray[np.int64],
) -> bool:
    """Compare the most promising swaps in random worlds (full deals) that fit a view. Return False if no world fits it.

    * `key`: seeds the random generators.
    * `ratings`: the rating of each action from `rate_swaps_for_nearest_goals`. The `CANDIDATES` swaps with the highest
      ratings are compared. The function changes `ratings`: it solves some of the worlds exactly, and the best swap in
      each of them gets the rating `SOLVER_VALUE`, so that it is compared in any case.
    * `worlds`: an array to which the sampled worlds are written.
    * `result_rows`: an array of three rows with `CANDIDATES` elements each, to which the result is written. All
      elements must be 0 before.

      * Row 0: the swaps that were compared, best first.
      * Row 1: for each of these swaps, the sum of the results of `rollout_turns` in the worlds in which it was tried.
      * Row 2: for each of these swaps, the number of these worlds.
    """
    swaps, turns, tried = result_rows[0], result_rows[1], result_rows[2]
    g, q = generator(key, 0), quick_generator(key, 1)
    scratch = worlds[:1].copy()
    streams = np.empty(len(worlds), np.uint64)
    for i in range(len(worlds)):
        if not sample_world_into(scratch, view, g):
            return False
        worlds[i] = scratch[0]
        streams[i] = fork_quick(q)
    for i in range(SOLVED_WORLDS):
        best = first_optimal_swap(worlds[i])
        if best != Act.UNCOVER:
            ratings[best] = SOLVER_VALUE
    # There are at least `CANDIDATES` swaps, even with two players.
    swaps[:] = np.argsort(ratings)[: -1 - CANDIDATES : -1]
    alive, first, end = CANDIDATES, 0, FIRST_WORLDS
    while end <= len(worlds):
        for world in range(first, end):
            for i in range(alive):
                scratch[0] = worlds[world]
                apply(scratch[0], seat, swaps[i])
                # In the same world, all swaps are tried with the same random numbers. This makes the comparison less
                # noisy.
                q[0] = streams[world]
                turns[i] += rollout_turns(scratch[0], q)
        tried[:alive] = end
        # The sort is stable, so that equally good swaps keep their order.
        order = np.argsort(turns[:alive], kind="mergesort")
        swaps[:alive], turns[:alive] = swaps[order], turns[order]
        alive, first, end = max(2, alive // 2), end, 2 * end
    return True


def all_players_know_all_cards(s: UncoveredPosition) -> bool:
    """Return whether all players know all cards, as in beginner mode. Then the move of the exact solver is the best."""
    return all(all_know(s, slot, (1 << s.seats) - 1) for slot in range(PLACES * s.seats))


def rank_swaps(view: View, seat: int, seed: int, looks: int = MAX_LOOKS) -> list[tuple[int, float, int]]:
    """Return the swaps that the search has tried, best first. Raise `RuntimeError` if no deal fits the view.

    Each element of the list has three numbers:

    * the action;
    * the mean result of `rollout_turns` after the action, in turns (fewer are better);
    * the number of sampled deals in which the action was tried.

    `looks` is the number of stages of the search. Each stage tries all remaining swaps in further sampled deals, and
    then drops the worse half of these swaps. `seed` is for the random generator.
    """
    check_view(view, seat)
    worlds = np.zeros(FIRST_WORLDS << (looks - 1), RULES.dtype)
    values, found = np.empty(ACTIONS), np.zeros((3, CANDIDATES), np.int64)
    rate_swaps_for_nearest_goals(cast_record(view, UncoveredPosition), seat, values)
    if not try_swaps_in_worlds(view, seat, key_of(seed_from_text(f"partner {seed}")), values, worlds, found):
        raise RuntimeError("no world fits this view")
    return [(action, turns / tried, tried) for action, turns, tried in found.T.tolist()]


class PartnerBot:
    """Bot for Uncovered! that plays with people and other bots as partners.

    `looks` is the number of stages of the search, at most `MAX_LOOKS`. Each stage tries all remaining swaps in further
    sampled deals, and then drops the worse half of these swaps.
    """

    def __init__(self, looks: int = MAX_LOOKS) -> None:
        self.looks = looks

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return the bot's action. Raise `ValueError` for another game, or if the seat is not to act."""
        return self.choose_within(game, view, seat, seed, 1.0)

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """Return the bot's action, as `choose` does, but with fewer sampled deals if `effort` is below 1.

        `effort` is the number of deals to sample as a fraction of the usual number, above 0 and at most 1. To sample
        fewer deals, the bot leaves out the last stages of its search. Each stage that it leaves out halves the number
        of deals.
        """
        if game.name != INFO.name:
            raise ValueError(f"the partner bot plays {INFO.title} only, not {game.info.title}")
        legal_actions_of_view(game, view, seat)
        s = cast_record(view, UncoveredPosition)
        if s.phase == Phase.TURNING:
            return Act.TURN.value
        if can_uncover_safely(s, seat):
            return Act.UNCOVER.value
        if all_players_know_all_cards(s):
            return first_optimal_swap(s)
        if s.turn + s.seats >= TURN_CAP:
            return Act.UNCOVER.value  # near the turn limit an uncertain win is better than none
        fewer = math.ceil(-math.log2(effort))
        return rank_swaps(view, seat, seed, max(1, self.looks - fewer))[0][0]


@rule
def round_is_terminal(s: UncoveredPosition) -> bool:
    """Return whether the game is over. A game of Uncovered! is a single round."""
    return s.over != RUNNING


@rule
def evaluate(s: UncoveredPosition, out: Floats) -> None:
    """Write the value of a finished game to `out`, the same for all seats.

    For a won game it is 1 − t / `TURN_CAP`, where t is the number of turns. For a lost or abandoned game it is 0.
    """
    worth = 1.0 - s.turn / TURN_CAP if s.won == 1 else 0.0
    for seat in range(s.seats):
        out[seat] = worth


def top_rated_swaps_and_uncover(view: View, seat: int, legal: Sequence[int]) -> list[int]:
    """Return the actions that a search should try: the `CANDIDATES` swaps with the highest ratings, and `UNCOVER`.

    If the seat decides whether to turn a card, return all its legal actions.
    """
    if Act.UNCOVER not in legal:
        return list(legal)
    values = np.empty(ACTIONS)
    rate_swaps_for_nearest_goals(cast_record(view, UncoveredPosition), seat, values)
    return sorted([*np.argsort(values)[: -1 - CANDIDATES : -1].tolist(), int(Act.UNCOVER)])


EVALUATION = Evaluation(round_is_terminal, evaluate, promising=top_rated_swaps_and_uncover, turns=TURN_CAP)
