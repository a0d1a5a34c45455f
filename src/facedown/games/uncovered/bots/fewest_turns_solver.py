"""Solver of Uncovered!. For a given board, it finds the fewest turns in which the players can win.

It also finds how many turns each move of a match wasted: by how many turns it delayed the earliest possible win.

* A hand is four numbers from 1 to 4.
* A board is the hands of all players, a sequence of 2 to 6 hands. It has as many cards of each number as it has hands.
* A swap is ``(seat, place of its card, other seat, place of the other seat's card)``. Places are counted from 1, as
  players count them, and seats from 0.

>>> solution = solve([[1, 2, 3, 3], [1, 2, 4, 4]])
>>> solution.turns, solution.swaps
(1, [(0, 4, 1, 3)])

The method and its proof are in `facedown.games.uncovered.optimal_turns`. The functions for the coach, which advises
players, are at the end.
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
from facedown.core.advice import TURNS, Advice, Answer, Hindsight, Solver
from facedown.core.scoresheet_input import is_whole, require
from facedown.core.state import View, cast_record, plain_view
from facedown.games.uncovered.action_text import action_notation
from facedown.games.uncovered.bots.partner_bot import all_players_know_all_cards
from facedown.games.uncovered.info import FEWEST_PLAYERS, LOWEST, MOST_PLAYERS, NUMBERS, PLACES
from facedown.games.uncovered.optimal_turns import ANYONE, Hands, Swap, shortest_winning_swaps
from facedown.games.uncovered.rules import TURN_CAP, Act, Phase, UncoveredPosition, decode_swap, encode_swap
from facedown.games.uncovered.view import dealt_hands, hands, is_single_colour_win_enabled

Board = Sequence[Sequence[int]] | NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Solution:
    """Solution of a board (the hands of all players).

    `turns` is the lowest turn number at which the players can uncover and win (T* in the rules). `swaps` is a sequence
    of this many swaps after which they win.
    """

    turns: int
    swaps: list[Swap]


def solve(board: Board, mover: int = 0, single_colour_win: bool = False) -> Solution:
    """Return the fewest turns in which a board can be won, and a shortest sequence of swaps that wins it.

    A board is the hands of all players. The seat `mover` has the first turn. The seats after it follow in order, and
    each must swap. If `single_colour_win` is True, four players also win if each hand has all four cards of one number
    (ruling UNC-8). Raise `ValueError` if the board or the mover is invalid.
    """
    return _solution(*_checked_hands_and_mover(board, mover), single_colour_win)


def solve_without_turn_order(board: Board, single_colour_win: bool = False) -> Solution:
    """Return the solution of a board without turn order: any two players may swap at any time.

    A board is the hands of all players. In the game, each player must swap when it is their turn. In this solution a
    player need not swap at all. With the option ``score=free_regret`` the score of a game is its number of swaps less
    the number of swaps in this solution.

    If `single_colour_win` is True, four players also win if each hand has all four cards of one number (ruling UNC-8).
    Raise `ValueError` if the board is invalid.
    """
    return _solution(_checked_hands(board), ANYONE, single_colour_win)


def regrets_of_match(board: Board, swaps: Iterable[Swap], single_colour_win: bool = False) -> list[int]:
    """Return how many turns each swap of a match wasted. `board` has the hands as they were dealt.

    The seat of the first swap has the first turn. The regret (number of wasted turns) of a swap is 1 + turns needed
    after it − turns needed before it. A best swap has the regret 0, and no regret is negative. The regrets of a won
    match add up to its number of turns less the fewest possible.

    If `single_colour_win` is True, four players also win if each hand has all four cards of one number (ruling UNC-8).
    Raise `ValueError` if the board is invalid or a swap is illegal.
    """
    now = _checked_hands(board)
    needed: list[int] = []
    mover = 0
    for turn, swap in enumerate(swaps):
        mover = mover if turn else swap[0]
        _check_swap(now, swap, mover, turn)
        needed.append(len(shortest_winning_swaps(now, mover, single_colour_win)))
        now = _swapped(now, swap)
        mover = (mover + 1) % len(now)
    needed.append(len(shortest_winning_swaps(now, mover, single_colour_win)))
    return [1 + after - before for before, after in pairwise(needed)]


def regrets_of_swaps(board: Board, mover: int, single_colour_win: bool = False) -> dict[Swap, int]:
    """Return the regret of every swap that the seat `mover` can make on a board (the hands of all players).

    The regret of a swap is the number of turns that it wastes: 1 + a − b, where a and b are the fewest turns that are
    needed to win after and before the swap. The regret of an optimal swap is 0.

    If `single_colour_win` is True, four players also win if each hand has all four cards of one number (ruling UNC-8).
    Raise `ValueError` if the board or the mover is invalid.
    """
    now, seat = _checked_hands_and_mover(board, mover)
    before = len(shortest_winning_swaps(now, seat, single_colour_win))
    following = (seat + 1) % len(now)
    places = range(1, PLACES + 1)
    swaps = [(seat, *rest) for rest in product(places, range(len(now)), places) if rest[1] != seat]
    return {
        swap: 1 + len(shortest_winning_swaps(_swapped(now, swap), following, single_colour_win)) - before
        for swap in swaps
    }


def solve_json_lines(lines: Iterable[str]) -> Iterator[Answer]:
    """Solve boards that are given as lines of JSON. Yield one answer for each line that is not empty.

    A board is the hands of all players. A line is ``{"players": 3, "hands": [[1, 2, 3, 4], …]}``. ``"players"`` is
    optional, as are ``"mover"`` (default 0) and ``"single_colour_win"`` (default false). The text of an answer is the
    `Solution` as JSON. The answer to an invalid line is an error message.

    >>> [answer.text for answer in solve_json_lines(['{"hands": [[3,2,1,4],[3,2,1,4]]}', '{"hands": 1}'])]
    ['{"turns": 0, "swaps": []}', 'line 2: hands must be a list with a hand for each player']
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            solution = _solution(*_parse_request(line))
        except ValueError as fault:
            yield Answer(f"line {number}: {fault}", bad=True)
        else:
            yield Answer(json.dumps(asdict(solution)))


_KEYS = ("players", "hands", "mover", "single_colour_win")


def _parse_request(line: str) -> tuple[Hands, int, bool]:
    """Return (hands, seat to act, single_colour_win) from a line of JSON. Raise `ValueError` if the line is invalid."""
    try:
        request = json.loads(line)
    except json.JSONDecodeError as fault:
        raise ValueError(f"no JSON: {fault.msg} at character {fault.pos + 1}") from None
    except (ValueError, RecursionError):
        raise ValueError("no JSON that can be read: a number too long or brackets too deep") from None
    example = '{"players": 2, "hands": [[1, 2, 3, 3], [1, 2, 4, 4]]}'
    require(isinstance(request, dict), f"a JSON object is wanted, such as {example}")
    for key in request:
        require(key in _KEYS, f"unknown key {_short_json(key)}: {', '.join(_KEYS)} are known")
    require("hands" in request, "hands are missing")
    given = request["hands"]
    count = len(given) if isinstance(given, list) else FEWEST_PLAYERS
    players = request.get("players", count)
    fine = is_whole(players, FEWEST_PLAYERS, MOST_PLAYERS)
    require(fine, f"players is {_short_json(players)}: the game is for {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    require(count == players or not isinstance(given, list), f"{count} hands for {players} players")
    board, mover = _checked_hands_and_mover(given, request.get("mover", 0))
    single = request.get("single_colour_win", False)
    require(isinstance(single, bool), f"single_colour_win is {_short_json(single)}: true or false is wanted")
    return board, mover, single


def _short_json(value: Any, most: int = 40) -> str:
    """Return an input value as JSON, cut to at most `most` characters."""
    text = json.dumps(value, default=str)
    return text if len(text) <= most else text[: most - 1] + "…"


def _checked_hands(board: Any) -> Hands:
    """Return the hands of a board as tuples. Raise `ValueError` with a reason in one line if the board is invalid."""
    if isinstance(board, np.ndarray):
        board = board.tolist()
    require(isinstance(board, (list, tuple)), "hands must be a list with a hand for each player")
    players = len(board)
    fine = FEWEST_PLAYERS <= players <= MOST_PLAYERS
    require(fine, f"{players} hands: the game is for {FEWEST_PLAYERS} to {MOST_PLAYERS} players")
    for seat, hand in enumerate(board):
        require(isinstance(hand, (list, tuple)), f"the hand of seat {seat} is no list")
        require(len(hand) == PLACES, f"the hand of seat {seat} has {len(hand)} cards, {PLACES} are wanted")
        for number in hand:
            fine = is_whole(number, LOWEST, NUMBERS)
            require(fine, f"the hand of seat {seat} holds {_short_json(number)}: cards are numbered 1 to {NUMBERS}")
    cards = list(chain(*board))
    for number in range(LOWEST, LOWEST + NUMBERS):
        count = cards.count(number)
        require(count == players, f"{count} cards numbered {number}: {players} players have {players} of each")
    return tuple(map(tuple, board))


def _checked_hands_and_mover(board: Any, mover: Any) -> tuple[Hands, int]:
    """Return the hands of a board as tuples, and the seat to act. Raise `ValueError` if either is invalid."""
    found = _checked_hands(board)
    require(is_whole(mover, 0, len(found) - 1), f"mover is {_short_json(mover)}: the seats are 0 to {len(found) - 1}")
    return found, mover


def _check_swap(board: Hands, swap: Swap, mover: int, turn: int) -> None:
    seat, place, other, other_place = swap
    require(seat == mover, f"swap {turn}: seat {seat} swaps, but it is the turn of seat {mover}")
    two = 0 <= seat < len(board) and 0 <= other < len(board) and seat != other
    require(two, f"swap {turn}: seats {seat} and {other} cannot swap: two seats of 0 to {len(board) - 1}")
    placed = 1 <= place <= PLACES and 1 <= other_place <= PLACES
    require(placed, f"swap {turn}: places {place} and {other_place}: places are 1 to {PLACES}")


def _swapped(board: Hands, swap: Swap) -> Hands:
    """Return the hands of a board after a swap, which is not checked. Places in `swap` are counted from 1."""
    seat, place, other, theirs = swap
    after = [list(hand) for hand in board]
    after[seat][place - 1], after[other][theirs - 1] = board[other][theirs - 1], board[seat][place - 1]
    return tuple(map(tuple, after))


def _solution(board: Hands, mover: int, single_colour_win: bool) -> Solution:
    line = shortest_winning_swaps(board, mover, single_colour_win)
    return Solution(len(line), [(seat, place + 1, other, theirs + 1) for seat, place, other, theirs in line])


# --- advice for the coach ---------------------------------------------------------------------------------------------


def advise(view: View, seat: int) -> list[Advice] | None:
    """Return advice on every legal action, best first. The cost of an action is the number of turns that it wastes.

    Return None unless every player knows every card. Also return None if the decision is whether to turn a card. An
    `UNCOVER` that loses the game counts as `TURN_CAP` turns.
    """
    v = plain_view(view, UncoveredPosition)
    if v.phase != Phase.PLAYING or not all_players_know_all_cards(cast_record(view, UncoveredPosition)):
        return None
    costs = _wasted_turns_by_action(hands(v), seat, is_single_colour_win_enabled(v))
    # `Advice` has float fields, so the whole numbers are converted.
    return [
        Advice(action, action_notation(action), float(cost), float(cost), TURNS, True, lost=int(cost == TURN_CAP))
        for action, cost in sorted(costs.items(), key=lambda item: (item[1], item[0]))
    ]


def hindsight(view: View, moves: Sequence[Move]) -> dict[int, Hindsight]:
    """Return how many turns each move of a finished match wasted, compared with play in which all cards are known.

    The keys of the result are the numbers of the moves, from 0. `view` is a spectator's view at the end of the match.
    Decisions on whether to turn a card are left out, and so is an `UNCOVER` that lost the game.
    """
    v = plain_view(view, UncoveredPosition)
    board = dealt_hands(v)
    found: dict[int, Hindsight] = {}
    for ply, move in enumerate(moves):
        if move.action > Act.UNCOVER:
            continue
        costs = _wasted_turns_by_action(board, move.seat, is_single_colour_win_enabled(v))
        if move.action < Act.UNCOVER or costs[Act.UNCOVER] == 0:
            best = move.action if costs[move.action] == 0 else min(costs, key=lambda action: (costs[action], action))
            found[ply] = Hindsight(costs[move.action], best)
        if move.action < Act.UNCOVER:
            place, other, theirs = decode_swap(move.action)
            board = _swapped(board, (move.seat, place + 1, other, theirs + 1))
    return found


def _wasted_turns_by_action(board: Hands, mover: int, single_colour_win: bool) -> dict[int, int]:
    """Return how many turns each action of the seat `mover` wastes, as a dictionary with the actions as keys.

    A swap wastes 1 + a − b turns, where a and b are the fewest turns that are needed to win after and before it. So the
    best swaps waste 0 turns. An `UNCOVER` that wins wastes 0 turns. An `UNCOVER` that loses counts as `TURN_CAP` turns.
    """
    swaps = regrets_of_swaps(board, mover, single_colour_win)
    costs = {encode_swap(place - 1, other, theirs - 1): cost for (_, place, other, theirs), cost in swaps.items()}
    won = not shortest_winning_swaps(board, mover, single_colour_win)
    return costs | {int(Act.UNCOVER): 0 if won else TURN_CAP}


SOLVER = Solver(advise=advise, hindsight=hindsight, answers=solve_json_lines)
