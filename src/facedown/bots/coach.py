"""The coach: what one could do now, and what a finished match would have had better.

Everything is judged from the view of the seat whose move it is. Where a solver reaches (Reveille's second stage,
Uncovered! with all cards known) the judgement is exact; elsewhere it is what came of many imagined worlds
(`bots.foresight`), says how sure it is, and is marked as an estimate.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from facedown.bots.base import check_view
from facedown.bots.exact import in_stage_two, judge
from facedown.bots.foresight import foresee, try_moves
from facedown.bots.greedy import greedy_action, reason
from facedown.bots.search import Budget
from facedown.bots.standing import match_chance
from facedown.bots.worth import NoWorth
from facedown.core.chance import generator, key_of, quick_seed
from facedown.core.game import Game
from facedown.core.match import Match, seed_from_text
from facedown.core.match import Move as Played
from facedown.core.slots import observe
from facedown.core.state import RUNNING, SPECTATOR
from facedown.games.uncovered.fewest import PLACES
from facedown.solvers.uncovered import Swap, every_swap

#: Tried moves for a hint, and for each move of a finished match.
HINT = 4000
REVIEW = 1000
#: In so many worlds at least is a move of a finished match tried before it is judged.
LEAST_WORLDS = 24
#: A move is called a mistake if it is behind by so many standard errors and at least by this much.
SURE = 2.0
LEAST = 0.01

CHANCE = "chance"
TURNS = "turns"


class NoCoach(LookupError):
    """The coach can say nothing about this."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A move one could play."""

    action: int
    words: str
    value: float
    """What it is worth: a chance from 0 to 1, or the turns it wastes."""
    behind: float
    """By how much it is worse than the best one."""
    unit: str
    """`CHANCE` (of the mark, the match or the first place, see `bots.worth`) or `TURNS`."""
    exact: bool
    worlds: int
    """Of an estimate: in how many imagined worlds it was tried."""
    error: float
    """Of an estimate: the standard error of `behind`."""
    why: str
    """The reason in words, as far as the greedy bot sees one."""
    beaten: int = 0
    """Of a move of a finished match that was tried beside the best one: in so many worlds it came out worse."""
    beats: int = 0
    """In so many of them it came out better."""

    @property
    def mistake(self) -> bool:
        """Is it worse than the best move, for certain or beyond chance?"""
        return self.behind > 0 if self.exact else self.behind >= max(LEAST, SURE * self.error)


def advise(
    game: Game,
    view: Any,
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
    check_view(view, seat)
    legal = game.legal(view, seat)
    if not legal:
        raise ValueError(f"seat {seat} is not to act")
    if game.name == "reveille" and in_stage_two(view):
        return _solved_marks(game, view, seat, legal)
    if game.name == "uncovered":
        return _solved_turns(game, view, seat)
    try:
        found = foresee(game, view, seat, seed, Budget(simulations), played, tell)
    except NoWorth:
        raise NoCoach(f"the coach does not know {game.info.title}") from None
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
            _why(game, view, seat, tried.action),
        )
        for tried in found.tried
    ]


def _why(game: Game, view: Any, seat: int, action: int) -> str:
    """The greedy bot's reason, if this is its own move: it has none for others."""
    usual = int(greedy_action(view, seat, quick_seed(key_of(seed_from_text("coach")), 0)))
    return reason(game, view, seat, action) if action == usual else ""


def _solved_marks(game: Game, view: Any, seat: int, legal: list[int]) -> list[Advice]:
    """Stage two of Reveille: a move wins the mark (1), throws the hand in (½) or loses the mark (0)."""
    judged = {found.action: found for found in judge(view, seat)}
    ranked = sorted(judged.values(), key=lambda found: found.rank, reverse=True)
    best = (ranked[0].value + 1) / 2
    found = []
    for action in [one.action for one in ranked] + [a for a in legal if a not in judged]:
        # What is not judged is a false claim.
        value = (judged[action].value + 1) / 2 if action in judged else 0.0
        why = _why(game, view, seat, action)
        found.append(Advice(action, game.words.words(action), value, best - value, CHANCE, True, 0, 0.0, why))
    return found


def _solved_turns(game: Game, view: Any, seat: int) -> list[Advice]:
    """Uncovered! with all cards known: the turns that each swap wastes; otherwise the greedy bot's move alone."""
    from facedown.games.uncovered.rules import KINDS, PAIRS, SWAPS

    usual = int(greedy_action(view, seat, quick_seed(key_of(seed_from_text("coach")), 0)))
    alone = Advice(usual, game.words.words(usual), 0.0, 0.0, TURNS, False, 0, 0.0, reason(game, view, seat, usual))
    if usual >= SWAPS or not all(int(kind) < KINDS for kind in view.card[: PLACES * int(view.seats)]):
        return [alone]
    hands = view.card[: PLACES * int(view.seats)].reshape(-1, PLACES).astype(int) + 1
    found = []
    for swap, wasted in every_swap(hands, seat, bool(view.single_colour_wins)).items():
        action = _action_of(swap, PAIRS)
        words = game.words.words(action)
        found.append(Advice(action, words, float(wasted), float(wasted), TURNS, True, 0, 0.0, ""))
    return sorted(found, key=lambda advice: (advice.behind, advice.action))


def _action_of(swap: Swap, pairs: int) -> int:
    """The action of a swap of the solver, which counts places from 1."""
    _, place, other, there = swap
    return pairs * other + PLACES * (place - 1) + there - 1


# --- after a match ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Move:
    """A move of a match, judged from what its seat knew."""

    ply: int
    """Which move of the match it was, from 0."""
    seat: int
    played: Advice
    best: Advice
    chance: float | None = None
    """The chance to win the match after the move played, as its seat could see it; None where nothing can be said."""
    best_chance: float | None = None
    """The same after the best move."""

    @property
    def mistake(self) -> bool:
        """Was there a better one, for certain or beyond chance?"""
        return self.played.action != self.best.action and self.played.mistake

    @property
    def as_good(self) -> bool:
        """Was it the best move, or one that nobody could tell from it?"""
        return self.played.action == self.best.action or self.played.behind < LEAST

    @property
    def cost(self) -> float:
        """What the move cost: so much of a chance to win the match (or of what it was judged by), or turns."""
        if self.chance is None or self.best_chance is None:
            return self.played.behind
        return self.best_chance - self.chance


@dataclass(frozen=True, slots=True)
class Review:
    """What the coach says about a match."""

    moves: tuple[Move, ...]
    """The moves with a choice, in order."""

    def costly(self, seat: int | None = None) -> list[Move]:
        """The mistakes (of one seat), the most expensive first."""
        of = [move for move in self.moves if move.mistake and seat in (None, move.seat)]
        return sorted(of, key=lambda move: (-move.played.behind, move.ply))

    def chances(self, seat: int) -> list[tuple[int, float]]:
        """(move, chance) of a seat, as it could see it when it moved; empty in games that are counted in turns."""
        return [(m.ply, m.played.value) for m in self.moves if m.seat == seat and m.played.unit == CHANCE]


def review(
    match: Match,
    simulations: int = REVIEW,
    tell: Callable[[int], None] = lambda ply: None,
    seat: int | None = None,
) -> Review:
    """Judge every move of a match in which its seat had a choice; `tell` is called with the number of each.

    With a `seat`, only that seat's moves are judged (the others' are passed over, and told nevertheless). In Uncovered!
    swaps are judged by the cards that lie open when the match is over.
    """
    return Review(tuple(judged_moves(match, simulations, tell, seat)))


def judged_moves(
    match: Match, simulations: int, tell: Callable[[int], None], seat: int | None = None
) -> Iterator[Move]:
    """The same moves one after the other, as they are judged."""
    game = match.game
    if game.name == "uncovered":
        yield from (move for move in _review_swaps(match) if seat in (None, move.seat))
        return
    before = None
    for ply, (move, after) in enumerate(match.states(), -1):
        if move is not None and before is not None:
            tell(ply)
            if seat in (None, move.seat):
                view = observe(before, move.seat)
                if len(game.legal(view, move.seat)) > 1:
                    yield _judged(game, view, move, ply, simulations)
        before = after


def _judged(game: Game, view: Any, move: Played, ply: int, simulations: int) -> Move:
    """One move of a match. Of an estimate, a part of the simulations goes into a second look at the two moves alone."""
    again = max(LEAST_WORLDS, simulations // 6)
    advice = advise(game, view, move.seat, ply, max(1, simulations - 2 * again), move.action)
    played, best = next(one for one in advice if one.action == move.action), advice[0]
    if not played.exact:
        played, best = _second_look(game, view, move.seat, ply, played, best, again)
    return Move(
        ply,
        move.seat,
        played,
        best,
        match_chance(game.name, view, move.seat, played.value),
        match_chance(game.name, view, move.seat, best.value),
    )


def _second_look(
    game: Game, view: Any, seat: int, seed: int, played: Advice, best: Advice, worlds: int
) -> tuple[Advice, Advice]:
    """Two moves in worlds of their own: what came out best of many has had luck, which new worlds do not repeat."""
    key = key_of(seed_from_text(f"second look {seed}"))
    actions = [played.action] if played.action == best.action else [played.action, best.action]
    found = np.full((worlds, len(actions)), np.nan)
    world = np.zeros(1, view.dtype)
    scratch = np.zeros(1, view.dtype)
    met = int(
        try_moves(
            view,
            world,
            scratch,
            generator(key, 0),
            quick_seed(key, 1),
            np.array(actions, np.int32),
            np.arange(len(actions)),
            0,
            worlds,
            found,
        )
    )
    if not met:
        return played, best
    means = found[:met].mean(axis=0)
    behind = found[:met, -1] - found[:met, 0]
    lost = float(behind.mean())
    # As if one world more had brought a difference of a twentieth: few equal worlds prove nothing.
    error = math.sqrt((float(behind.var()) * met + 0.05**2) / (met * met)) if len(actions) > 1 else 0.0
    value = float(means[0])
    return (
        replace(
            played,
            value=value,
            behind=max(0.0, lost),
            error=error,
            worlds=met,
            beaten=int((behind > 0).sum()),
            beats=int((behind < 0).sum()),
        ),
        replace(best, value=value + max(0.0, lost), behind=0.0, error=0.0, worlds=met),
    )


def _review_swaps(match: Match) -> list[Move]:
    from facedown.games.uncovered.rules import PAIRS, SWAPS, dealt_hands

    view = observe(match.state, SPECTATOR)
    if int(view.over) == RUNNING:
        raise NoCoach("Uncovered! can be judged when the match is over and all cards lie open")
    board = [[int(card) for card in hand] for hand in dealt_hands(view)]
    found = []
    for ply, move in enumerate(match.moves):
        if move.action >= SWAPS:
            continue
        costs = every_swap(board, move.seat, bool(view.single_colour_wins))
        other, place, there = move.action // PAIRS, move.action % PAIRS // PLACES, move.action % PLACES
        played = (move.seat, place + 1, other, there + 1)
        best = min(costs, key=lambda swap: (costs[swap], swap))
        judged = [
            Advice(
                _action_of(swap, PAIRS),
                match.game.words.words(_action_of(swap, PAIRS)),
                float(costs[swap]),
                float(costs[swap]),
                TURNS,
                True,
                0,
                0.0,
                "",
            )
            for swap in (played, best if costs[played] > 0 else played)
        ]
        found.append(Move(ply, move.seat, judged[0], judged[1]))
        board[move.seat][place], board[other][there] = board[other][there], board[move.seat][place]
    return found
