"""The greedy policy of Detect evaluates all cells at once; a sum over single cells must give the same."""

from __future__ import annotations

import numpy as np

from facedown.bots import bot, choose_for_seat
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.games.detect.bots.policy import (
    LAST_TURN_SAVING,
    LEAD_SHARE,
    RISK_RANGE,
    best_places,
    third_card_chance,
    unseen_mean_and_counts,
)
from facedown.games.detect.cards import KINDS, LOWEST
from facedown.games.detect.rules import CELLS, ROWS, Phase
from tests.bots.positions import iterate_turns


def open_numbers(match: Match, seat: int) -> list[int | None]:
    """Return the numbers of a grid; None for a face-down card."""
    state = match.state
    cells = [int(state.card[seat * CELLS + cell]) + LOWEST for cell in range(CELLS)]
    return [cells[cell] if int(state.up[seat]) >> cell & 1 else None for cell in range(CELLS)]


def column_cost(match: Match, column: list[int | None], mean: float, left: np.ndarray) -> float:
    """Return the cost of a column: its points, less the expected gain of a pair whose third card may come.

    Three equal cards are removed.
    """
    total = sum(mean if number is None else number for number in column)
    for number in set(column) - {None}:
        assert number is not None
        if column.count(number) == ROWS:
            return min(0.0, total) if match.state.opt.set_optional else 0.0
        if column.count(number) == ROWS - 1 and total > 0:
            return total * (1 - float(third_card_chance(match.state, left, number - LOWEST)))
    return total


def points_saved(match: Match, seat: int, number: int, mean: float, left: np.ndarray) -> dict[int, float]:
    """Return the points that an open number saves, for each cell of a seat."""
    state = match.state
    gone = [bool(int(state.gone[seat]) >> cell & 1) for cell in range(CELLS)]
    mine = open_numbers(match, seat)
    found = {}
    for cell in (cell for cell in range(CELLS) if not gone[cell]):
        first = cell - cell % ROWS
        before = mine[first : first + ROWS]
        after = [number if other == cell else mine[other] for other in range(first, first + ROWS)]
        saved = column_cost(match, before, mean, left) - column_cost(match, after, mean, left)
        backs = [other for other in range(CELLS) if mine[other] is None and not gone[other]]
        if state.ender < 0 and backs == [cell]:
            totals = []
            for one in range(match.seats):
                grid = open_numbers(match, one)
                there = [grid[c] for c in range(CELLS) if not int(state.gone[one]) >> c & 1]
                totals.append(sum(mean if n is None else n for n in there))
            own = totals[seat] - saved
            lowest = min(total for one, total in enumerate(totals) if one != seat) - LAST_TURN_SAVING
            risk = min(1.0, max(0.0, 0.5 + (own - lowest) / RISK_RANGE))
            saved += LEAD_SHARE * max(0.0, lowest - own) - risk * max(0.0, own)
        found[cell] = saved
    return found


def test_best_places_for_a_card_equal_those_found_by_evaluating_each_cell(seed: int) -> None:
    left = np.zeros(KINDS + 1, np.int64)
    looked_at = 0
    for number in range(3):
        options = {"set_optional": "yes"} if number == 1 else {}
        match = Match("detect", 2 + number, options, seed_from_text(f"places {seed} {number}"))
        for _ply, seat in iterate_turns(match, 120):
            if int(match.state.phase) in (Phase.TURN, Phase.DRAWN):
                looked_at += 1
                mean = float(unseen_mean_and_counts(match.state, seat, left))
                low, high = 2 - LOWEST - 4, 12 - LOWEST
                places, saved = best_places(match.state, seat, low, high, mean, left)
                for kind in range(low, high + 1):
                    by_cell = points_saved(match, seat, kind + LOWEST, mean, left)
                    assert np.isclose(saved[kind], max(by_cell.values())), (match.ply, kind + LOWEST)
                    assert np.isclose(saved[kind], by_cell[int(places[kind])]), (match.ply, kind + LOWEST)
            match.play(seat, choose_for_seat(bot("beginner" if match.ply % 3 else "greedy"), match, seat, match.ply))
    assert looked_at > 100


def test_counts_of_unseen_cards_equal_the_deck_minus_all_cards_known_to_the_seat(seed: int) -> None:
    """`unseen_mean_and_counts` skips the draw pile, because no card there is known."""
    match = Match("detect", 3, {}, seed_from_text(f"unseen {seed}"))
    left = np.zeros(KINDS + 1, np.int64)
    for _ply, seat in iterate_turns(match, 200):
        unseen_mean_and_counts(match.state, seat, left)
        state = match.state
        seen = np.zeros(KINDS, np.int64)
        for kind, known in zip(state.card, state.known, strict=True):
            if int(known) >> seat & 1 and int(kind) < KINDS:
                seen[int(kind)] += 1
        assert (left[:KINDS] == state.opt.copies - seen).all()
        match.play(seat, choose_for_seat(bot("greedy"), match, seat, match.ply))
