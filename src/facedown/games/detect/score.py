"""The scorekeeper: a round of Detect played with real cards.

The points come from the very rules that the program plays: the grids are laid into a state, and the round ends there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core.ruleset import begin
from facedown.core.seeds import SEED_BYTES
from facedown.core.state import EMPTY, EVERYONE, RUNNING
from facedown.core.voice import known_entries, listing, minus
from facedown.games.detect.cards import HIGHEST, LOWEST, kind_of, number_of
from facedown.games.detect.info import DetectOptions
from facedown.games.detect.rules import CELLS, COLUMNS, ROWS, RULES, DetectPosition, deal, end_round

#: What `score` reads: the grids row by row (null for a card of a removed column), who ended the round, totals before.
EXAMPLE: dict[str, Any] = {
    "players": ["Ilse", "Ravi"],
    "grids": [
        [[10, 2, None, 5], [-1, 5, None, 8], [10, 1, None, 10]],
        [[12, 3, 0, 2], [1, 4, 0, 7], [6, 0, -1, 4]],
    ],
    "ender": 0,
    "totals": [24, 38],
    "options": {},
}


def score(data: dict[str, Any]) -> dict[str, Any]:
    """The points of a round, explained; `ValueError` names what cannot be.

    >>> result = score(EXAMPLE)
    >>> [row["points"] for row in result["players"]]
    [100, 38]
    >>> result["players"][0]["why"]
    'Ilse ended the round with 50, but Ravi has 38: doubled to 100.'
    """
    known_entries(data, EXAMPLE)
    grids = _grids(data)
    seats = len(grids)
    names = _names(data, seats)
    ender = data.get("ender")
    if ender is not None and (not isinstance(ender, int) or isinstance(ender, bool) or not 0 <= ender < seats):
        raise ValueError(f"ender is a seat from 0 to {seats - 1}, or null when nobody ended the round")
    totals = data.get("totals", [0] * seats)
    if (
        not isinstance(totals, list)
        or len(totals) != seats
        or not all(isinstance(t, int) and not isinstance(t, bool) and abs(t) < 10_000 for t in totals)
    ):
        raise ValueError(f"totals are {seats} whole numbers, one for each player")
    state = _lay(grids, data.get("options", {}), ender, totals)
    end_round(state)
    rows = []
    for seat in range(seats):
        raw, points = state.raw[seat], state.score[seat]
        rows.append(
            {
                "player": names[seat],
                "cards": raw,
                "points": points,
                "total": state.total[seat],
                "removed": [c + 1 for c in range(COLUMNS) if state.gone[seat] >> (ROWS * c) & 1],
                "why": _why(names, [state.raw[s] for s in range(seats)], seat, points, ender),
            }
        )
    lowest = min(state.total[s] for s in range(seats))
    over = state.over != RUNNING
    winners = [names[s] for s in range(seats) if state.total[s] == lowest] if over else []
    return {"game": "detect", "players": rows, "over": over, "winners": winners}


def _names(data: dict[str, Any], seats: int) -> list[str]:
    names = data.get("players", [f"Player {n + 1}" for n in range(seats)])
    if not isinstance(names, list) or len(names) != seats or not all(isinstance(n, str) and n for n in names):
        raise ValueError(f"players are {seats} names, one for each grid")
    return names


def _grids(data: dict[str, Any]) -> list[list[list[int | None]]]:
    grids = data.get("grids")
    if not isinstance(grids, list) or not 2 <= len(grids) <= 8:
        raise ValueError("grids are a list of 2 to 8 grids, each three rows of four")
    for number, grid in enumerate(grids, 1):
        if (
            not isinstance(grid, list)
            or len(grid) != ROWS
            or not all(isinstance(row, list) and len(row) == COLUMNS for row in grid)
        ):
            raise ValueError(f"grid {number} is not three rows of four cards")
        for row in grid:
            for card in row:
                if card is not None and (
                    not isinstance(card, int) or isinstance(card, bool) or not LOWEST <= card <= HIGHEST
                ):
                    raise ValueError(f"grid {number}: {card!r} is no card of this deck")
        for column in range(COLUMNS):
            gone = [grid[row][column] is None for row in range(ROWS)]
            if any(gone) and not all(gone):
                raise ValueError(f"grid {number}: column {column + 1} is removed whole or not at all")
    return grids


def _lay(grids: list[list[list[int | None]]], options: Any, ender: int | None, totals: list[int]) -> DetectPosition:
    if not isinstance(options, dict):
        raise ValueError("options are an object of names and values")
    seats = len(grids)
    chosen = DetectOptions.chosen(DetectOptions.declared.complete({str(k): str(v) for k, v in options.items()}))
    left = list(chosen.copies)
    have = list(left)
    state = begin(RULES, seats, chosen, bytes(SEED_BYTES))
    deal(state, np.empty(0, np.int64), 0)
    for seat, grid in enumerate(grids):
        for cell in range(CELLS):
            number = grid[cell % ROWS][cell // ROWS]
            slot = seat * CELLS + cell
            state.known[slot] = EVERYONE
            if number is None:
                state.card[slot] = EMPTY
                state.gone[seat] = state.gone[seat] | 1 << cell
                continue
            kind = kind_of(number)
            left[kind] -= 1
            if left[kind] < 0:
                raise ValueError(f"the deck has {have[kind]} of {minus(number_of(kind))}, the grids show more")
            state.card[slot] = kind
            state.up[seat] = state.up[seat] | 1 << cell
    state.ender = -1 if ender is None else ender
    for seat, total in enumerate(totals):
        state.total[seat] = total
    return state


def _why(names: list[str], raw: list[int], seat: int, points: int, ender: int | None) -> str:
    if seat != ender:
        return f"{names[seat]}'s cards add up to {minus(points)}."
    if points == raw[seat]:
        reason = "nobody has fewer" if all(r >= raw[seat] for r in raw) else "zero or less is not doubled"
        return f"{names[seat]} ended the round with {minus(points)}: {reason}."
    fewer = [f"{names[s]} has {minus(r)}" for s, r in enumerate(raw) if s != seat and r <= raw[seat]]
    return f"{names[seat]} ended the round with {minus(raw[seat])}, but {listing(fewer)}: doubled to {minus(points)}."
