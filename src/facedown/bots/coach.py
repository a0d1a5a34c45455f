"""The coach: what one could do now, and what a finished match would have had better.

Everything is judged from the view of the seat whose move it is. Where a solver of the game reaches the judgement is
exact; elsewhere it is what came of many imagined worlds (`bots.rollout_search`), says how sure it is, and is marked as
an estimate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from facedown.bots.evaluation import NoEvaluation
from facedown.bots.greedy import greedy_action, reason
from facedown.bots.rollout_search import search_by_rollouts, try_moves
from facedown.bots.search import Budget
from facedown.bots.texts import _
from facedown.bots.win_probability import win_probability
from facedown.core.bot import choices
from facedown.core.chance import generator, key_of, quick_seed
from facedown.core.coaching import CHANCE, Advice, JudgedMove, NoCoach
from facedown.core.game import GameModule
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.core.state import View
from facedown.core.step import Move as Played

#: Tried moves for a hint, and for each move of a finished match.
HINT = 4000
REVIEW = 1000
#: In so many worlds at least is a move of a finished match tried before it is judged.
LEAST_WORLDS = 24


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
    choices(game, view, seat)
    exact = game.solver.advise(view, seat) if game.solver.advise is not None else None
    if exact is not None:
        return exact
    try:
        found = search_by_rollouts(game, view, seat, seed, Budget(simulations), played, tell)
    except NoEvaluation:
        raise NoCoach(_("the coach does not know {game}", game=game.info.title)) from None
    return [
        Advice(
            tried.action,
            game.words.words(tried.action),
            tried.worth,
            max(0.0, tried.behind),
            CHANCE,
            False,
            tried.worlds,
            tried.error,
            why(game, view, seat, tried.action),
        )
        for tried in found.tried
    ]


def why(game: GameModule, view: View, seat: int, action: int) -> str:
    """The greedy bot's reason, if this is its own move: it has none for others."""
    usual = int(greedy_action(view, seat, quick_seed(key_of(seed_from_text("coach")), 0)))
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

    With a `seat`, only that seat's moves are judged (the others' are passed over, and told nevertheless). A game
    with a solver of its own may judge by all cards, which lie open when the match is over.
    """
    return Review(tuple(judged_moves(match, simulations, tell, seat)))


def judged_moves(
    match: Match, simulations: int, tell: Callable[[int], None], seat: int | None = None
) -> Iterator[JudgedMove]:
    """The same moves one after the other, as they are judged."""
    game = match.game
    if game.solver.review is not None:
        yield from (move for move in game.solver.review(match) if seat in (None, move.seat))
        return
    for ply, step in enumerate(match.steps(), -1):
        if step.move is not None and step.before is not None:
            tell(ply)
            mover = step.move.seat
            if seat in (None, mover) and len(step.before.legal(mover)) > 1:
                yield _judged(game, step.before.known(mover), step.move, ply, simulations)


def _judged(game: GameModule, view: View, move: Played, ply: int, simulations: int) -> JudgedMove:
    """One move of a match. Of an estimate, a part of the simulations goes into a second look at the two moves alone."""
    again = max(LEAST_WORLDS, simulations // 6)
    advice = advise(game, view, move.seat, ply, max(1, simulations - 2 * again), move.action)
    played, best = next(one for one in advice if one.action == move.action), advice[0]
    if not played.exact:
        played, best = _second_look(game, view, move.seat, ply, played, best, again)
    chance, best_chance = (win_probability(game.name, view, move.seat, one.value) for one in (played, best))
    return JudgedMove(ply, move.seat, played, best, chance, best_chance)


def _second_look(
    game: GameModule, view: View, seat: int, seed: int, played: Advice, best: Advice, worlds: int
) -> tuple[Advice, Advice]:
    """Two moves in worlds of their own: what came out best of many has had luck, which new worlds do not repeat."""
    key = key_of(seed_from_text(f"second look {seed}"))
    actions = [played.action] if played.action == best.action else [played.action, best.action]
    found = np.full((worlds, len(actions)), np.nan)
    world, scratch = np.zeros(1, game.dtype), np.zeros(1, game.dtype)
    g, q = generator(key, 0), quick_seed(key, 1)
    moves, alive = np.array(actions, np.int32), np.arange(len(actions))
    met = int(try_moves(view, world, scratch, g, q, moves, alive, 0, worlds, found))
    if not met:
        return played, best
    means = found[:met].mean(axis=0)
    behind = found[:met, -1] - found[:met, 0]
    lost = float(behind.mean())
    # As if one world more had brought a difference of a twentieth: few equal worlds prove nothing.
    error = math.sqrt((float(behind.var()) * met + 0.05**2) / (met * met)) if len(actions) > 1 else 0.0
    value = float(means[0])
    beaten, beats = int((behind > 0).sum()), int((behind < 0).sum())
    played = replace(played, value=value, behind=max(0.0, lost), error=error, worlds=met, beaten=beaten, beats=beats)
    return played, replace(best, value=value + max(0.0, lost), behind=0.0, error=0.0, worlds=met)
