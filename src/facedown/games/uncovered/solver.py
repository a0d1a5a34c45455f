"""Uncovered! solved: the fewest turns from any board with any seat to move, and what each move of a match cost.

A board is a sequence of 2..6 hands of four numbers 1..4, as many of each number as there are hands. Here places are
counted from 1 as players count them, seats from 0; a swap is ``(seat, its place, other seat, its place)``.

>>> solution = solve([[1, 2, 3, 3], [1, 2, 4, 4]])
>>> solution.turns, solution.swaps
(1, [(0, 4, 1, 3)])

The method and its proof are in `facedown.games.uncovered.fewest`. At the end: what the coach uses of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, pairwise, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.core.actions import Move
from facedown.core.coaching import TURNS, Advice, Answer, Hindsight, Solver
from facedown.core.scoring import need
from facedown.core.state import View, plain_view, record
from facedown.games.uncovered.cards import FEWEST_PLAYERS, MOST_PLAYERS, NUMBERS, PLACES
from facedown.games.uncovered.fewest import ANYONE, MOST_TURNS, fewest_line
from facedown.games.uncovered.partner_bot import all_known
from facedown.games.uncovered.rules import TURN_CAP, Act, UncoveredPosition, swap_action, swap_parts
from facedown.games.uncovered.view import dealt_hands, single_colour_win
from facedown.games.uncovered.view import hands as hands_of
from facedown.games.uncovered.words import words

Board = Sequence[Sequence[int]] | NDArray[np.integer[Any]]
#: Seat (from 0), its place (1..4), the other seat, its place.
Swap = tuple[int, int, int, int]


@dataclass(frozen=True)
class Solution:
    """`turns`: T*, the least turn number at which the hands can be uncovered and won; `swaps`: one way to get there."""

    turns: int
    swaps: list[Swap]


def solve(hands: Board, mover: int = 0, single_colour_win: bool = False) -> Solution:
    """The fewest turns of a board, and one line of swaps that wins in so many.

    `mover` has the first turn, the seats after it follow, each with a compulsory swap. With `single_colour_win` four
    hands of one number each win too (UNC-8). ValueError names what is wrong with a board or a mover.
    """
    board = _checked(hands)
    _check_seat(board, mover)
    return _solve(board, mover, single_colour_win)


def solve_free(hands: Board, single_colour_win: bool = False) -> Solution:
    """As `solve`, but any two players may swap at any time and nobody has to (`score=free_regret`)."""
    return _solve(_checked(hands), ANYONE, single_colour_win)


def regrets(hands: Board, swaps: Iterable[Swap], single_colour_win: bool = False) -> list[int]:
    """What each swap of a match cost, from the board as it was dealt; the first swap's seat has the first turn.

    A swap costs 1 + the turns still needed after it − those needed before it: never less than 0, and 0 for a best one.
    The regrets of a won match add up to T − T*. ValueError names the first swap that is not legal.
    """
    board = _checked(hands)
    needed: list[int] = []
    mover = 0
    for turn, swap in enumerate(swaps):
        mover = mover if turn else swap[0]
        _check_swap(board, swap, mover, turn)
        needed.append(_solve(board, mover, single_colour_win).turns)
        _exchange(board, swap)
        mover = (mover + 1) % len(board)
    needed.append(_solve(board, mover, single_colour_win).turns)
    return [1 + after - before for before, after in pairwise(needed)]


def every_swap(hands: Board, mover: int, single_colour_win: bool = False) -> dict[Swap, int]:
    """The regret of every swap that the mover can make; those with 0 are the best ones.

    ValueError names what is wrong with the board or the mover.
    """
    board = _checked(hands)
    _check_seat(board, mover)
    players = len(board)
    before = _solve(board, mover, single_colour_win).turns
    costs: dict[Swap, int] = {}
    places = range(1, PLACES + 1)
    for place, other, other_place in product(places, range(players), places):
        if other != mover:
            swap = (mover, place, other, other_place)
            _exchange(board, swap)
            costs[swap] = 1 + _solve(board, (mover + 1) % players, single_colour_win).turns - before
            _exchange(board, swap)
    return costs


def solve_lines(lines: Iterable[str]) -> Iterator[Answer]:
    """Solve boards given as lines of JSON, one after the other; a bad line is named and the rest still solved.

    A line is ``{"players": 3, "hands": [[1, 2, 3, 4], …]}``, where ``"mover"`` (default 0) and ``"single_colour_win"``
    (default false) may be added and ``"players"`` left out. Empty lines are passed over.

    >>> [answer.text for answer in solve_lines(['{"hands": [[3,2,1,4],[3,2,1,4]]}', '{"hands": 1}'])]
    ['{"turns": 0, "swaps": []}', 'line 2: hands must be a list with a hand for each player']
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            solution = _solve(*_request(line))
        except ValueError as fault:
            yield Answer(f"line {number}: {fault}", bad=True)
        else:
            yield Answer(json.dumps(asdict(solution)))


_KEYS = ("players", "hands", "mover", "single_colour_win")


def _request(line: str) -> tuple[NDArray[np.int64], int, bool]:
    """The board, the mover and `single_colour_win` of a line of JSON; `ValueError` says what is wrong with it."""
    try:
        request = json.loads(line)
    except json.JSONDecodeError as fault:
        raise ValueError(f"no JSON: {fault.msg} at character {fault.pos + 1}") from None
    except (ValueError, RecursionError):
        raise ValueError("no JSON that can be read: a number too long or brackets too deep") from None
    example = '{"players": 2, "hands": [[1, 2, 3, 3], [1, 2, 4, 4]]}'
    need(isinstance(request, dict), f"a JSON object is wanted, such as {example}")
    for key in request:
        need(key in _KEYS, f"unknown key {_short(key)}: {', '.join(_KEYS)} are known")
    need("hands" in request, "hands are missing")
    hands = request["hands"]
    players = request.get("players", len(hands) if isinstance(hands, list) else FEWEST_PLAYERS)
    fine = _is_whole(players) and FEWEST_PLAYERS <= players <= MOST_PLAYERS
    need(fine, f"players is {_short(players)}: the game is for {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    if isinstance(hands, list) and len(hands) != players:
        raise ValueError(f"{len(hands)} hands for {players} players")
    board, mover, single = _checked(hands), request.get("mover", 0), request.get("single_colour_win", False)
    _check_seat(board, mover)
    need(isinstance(single, bool), f"single_colour_win is {_short(single)}: true or false is wanted")
    return board, mover, single


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _short(value: Any, most: int = 40) -> str:
    """A value of the input as JSON, cut short."""
    text = json.dumps(value, default=str)
    return text if len(text) <= most else text[: most - 1] + "…"


def _checked(hands: Any) -> NDArray[np.int64]:
    """The board that these hands are; `ValueError` says, in one line, what keeps them from being one."""
    if isinstance(hands, np.ndarray):
        hands = hands.tolist()
    need(isinstance(hands, (list, tuple)), "hands must be a list with a hand for each player")
    players = len(hands)
    need(
        FEWEST_PLAYERS <= players <= MOST_PLAYERS,
        f"{players} hands: the game is for {FEWEST_PLAYERS} to {MOST_PLAYERS} players",
    )
    for seat, hand in enumerate(hands):
        need(isinstance(hand, (list, tuple)), f"the hand of seat {seat} is no list")
        need(len(hand) == PLACES, f"the hand of seat {seat} has {len(hand)} cards, {PLACES} are wanted")
        for number in hand:
            if not _is_whole(number) or not 1 <= number <= NUMBERS:
                raise ValueError(f"the hand of seat {seat} holds {_short(number)}: cards are numbered 1 to {NUMBERS}")
    cards = list(chain(*hands))
    for number in range(1, NUMBERS + 1):
        count = cards.count(number)
        need(count == players, f"{count} cards numbered {number}: {players} players have {players} of each")
    return np.array(hands, dtype=np.int64)


def _check_seat(board: NDArray[np.int64], mover: Any) -> None:
    fine = _is_whole(mover) and 0 <= mover < len(board)
    need(fine, f"mover is {_short(mover)}: the seats are 0 to {len(board) - 1}")


def _check_swap(board: NDArray[np.int64], swap: Swap, mover: int, turn: int) -> None:
    seat, place, other, other_place = swap
    need(seat == mover, f"swap {turn}: seat {seat} swaps, but it is the turn of seat {mover}")
    two = 0 <= seat < len(board) and 0 <= other < len(board) and seat != other
    need(two, f"swap {turn}: seats {seat} and {other} cannot swap: two seats of 0 to {len(board) - 1}")
    placed = 1 <= place <= PLACES and 1 <= other_place <= PLACES
    need(placed, f"swap {turn}: places {place} and {other_place}: places are 1 to {PLACES}")


def _exchange(board: NDArray[np.int64], swap: Swap) -> None:
    seat, place, other, other_place = swap
    mine, theirs = board[seat, place - 1], board[other, other_place - 1]
    board[seat, place - 1], board[other, other_place - 1] = theirs, mine


def _solve(board: NDArray[np.int64], mover: int, single_colour_win: bool) -> Solution:
    line = np.zeros((MOST_TURNS, 4), dtype=np.int64)
    turns = fewest_line(board, mover, single_colour_win, line)
    return Solution(turns, [(p, i + 1, q, j + 1) for p, i, q, j in line[:turns].tolist()])


# --- the coach --------------------------------------------------------------------------------------------------------


def advise(view: View, seat: int) -> list[Advice] | None:
    """The turns that each move wastes, best first, where everybody knows all cards; None elsewhere."""
    v = plain_view(view, UncoveredPosition)
    if not all_known(record(view, UncoveredPosition)):
        return None
    board = np.array(hands_of(v), np.int64)
    found = [_wasting(action, wasted) for action, wasted in _wasted(board, seat, single_colour_win(v)).items()]
    return sorted(found, key=lambda advice: (advice.behind, advice.action))


def hindsight(view: View, moves: Sequence[Move]) -> dict[int, Hindsight]:
    """Turns that each move of a finished match wasted with all cards open; without an uncovering that lost the game.

    `view`: a spectator's, of the end of the match.
    """
    v = plain_view(view, UncoveredPosition)
    board = np.array(dealt_hands(v), np.int64)
    found: dict[int, Hindsight] = {}
    for ply, move in enumerate(moves):
        if move.action > Act.UNCOVER:
            continue
        costs = _wasted(board, move.seat, single_colour_win(v))
        if move.action < Act.UNCOVER or costs[Act.UNCOVER] == 0:
            best = move.action if costs[move.action] == 0 else min(costs, key=lambda action: (costs[action], action))
            found[ply] = Hindsight(costs[move.action], best)
        if move.action < Act.UNCOVER:
            place, other, theirs = swap_parts(move.action)
            _exchange(board, (move.seat, place + 1, other, theirs + 1))
    return found


def _wasted(board: NDArray[np.int64], mover: int, single_colour_win: bool) -> dict[int, int]:
    """The turns that each move of the mover wastes: a swap by how far the end is after it; uncovering 0 if it wins.

    An uncovering that loses counts for as many turns as a game may have.
    """
    swaps = every_swap(board, mover, single_colour_win)
    costs = {swap_action(place - 1, other, theirs - 1): cost for (_, place, other, theirs), cost in swaps.items()}
    won = _solve(board, mover, single_colour_win).turns == 0
    return costs | {int(Act.UNCOVER): 0 if won else TURN_CAP}


def _wasting(action: int, wasted: int) -> Advice:
    """The exact judgement of a move that wastes this many turns, or loses the game."""
    turns = float(wasted)  # advice is written as a decimal number, whatever it counts
    return Advice(action, words(action), turns, turns, TURNS, True, lost=int(wasted == TURN_CAP))


SOLVER = Solver(advise=advise, hindsight=hindsight, answers=solve_lines)
