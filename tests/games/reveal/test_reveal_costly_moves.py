"""Questions before costly moves of Reveal, compared with the points of the columns."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from facedown.core.match import Match
from facedown.core.state import EMPTY, UNKNOWN
from facedown.games.reveal.action_text import parse
from facedown.games.reveal.cards import WILD
from facedown.games.reveal.rules import COLUMNS, ROWS, Phase, base_slot, side_slot
from tests.games.costly_moves import questions_at, questions_in, random_positions
from tests.games.reveal.positions import SEED, SITTERS, column_slots, deal_of, play_moves, play_rows_unchanged

OPTIONS: tuple[dict[str, str], ...] = (
    {"peeking": "on"},
    {"peeking": "on", "deck": "custom(3,10,14)", "final_mode": "alternate"},
    {"peeking": "on", "final_unlocks": "yes", "final_mode": "sealed"},
    {"peeking": "off", "deck": "custom(4,4,40)"},
    {"peeking": "on", "deck": "custom(4,4,40)", "final_changes_cap": "0"},
)
NAMES = ("the left column", "the middle column", "the right column")
#: A card that matches no other card.
NOTHING = -1


def points(base: Sequence[int], own: Sequence[int], other: Sequence[int], final: int, final_unlocks: bool) -> int:
    """Return the points of a column, as the rules define them."""
    best = 0
    for root in set(base) - {WILD}:
        b, o, t, f = (sum(card in (root, WILD) for card in cards) for cards in (base, own, other, [final]))
        best = max(best, b + o + (t if o or (final_unlocks and f) else 0) + f)
    return best if best >= 3 else 0


def extreme_points(match: Match, seat: int, column: int, hidden: int) -> int:
    """Return the points of a column as the table shows it, with the same card in place of each hidden one."""
    v: Any = match.shown(seat)
    own = [int(v.card[side_slot(seat, row, column)]) for row in range(ROWS)]
    assert EMPTY not in own
    base = [int(v.card[base_slot(row, column)]) for row in range(ROWS)]
    own = [hidden if card == UNKNOWN else card for card in own]
    return points(base, own, [hidden] * ROWS, hidden, match.options["final_unlocks"] == "yes")


def expected(match: Match, seat: int) -> dict[int, tuple[str, str]]:
    """Return the prompt and the help text that the table must ask before each last choice of a column."""
    found = {}
    most = [extreme_points(match, seat, column, WILD) for column in range(COLUMNS)]
    fewest = [extreme_points(match, seat, column, NOTHING) for column in range(COLUMNS)]
    final_mode, cap = match.options["final_mode"], match.options["final_changes_cap"]
    last = final_mode == "sealed" or match.state.changes[seat] >= int(cap.removeprefix("changes(").removesuffix(")"))
    for column, letter in enumerate("LCR"):
        finals = [f"choose {letter} confirm", *([f"choose {letter}"] if last else [])]
        if match.state.choice[seat] == column:
            finals = ["confirm"]
        if most[column] < max(fewest):
            better = NAMES[fewest.index(max(fewest))]
            said = f"It scores at most {most[column]} points, but {better} scores at least {max(fewest)}."
            if not most[column]:
                said = f"It can’t score, but {better} scores at least {max(fewest)} points."
            found |= {parse(text): (f"Really choose {NAMES[column]}?", said) for text in finals}
    return {action: asked for action, asked in found.items() if action in match.legal(seat)}


@pytest.mark.slow
def test_reveal_asks_before_the_last_choice_of_a_column_exactly_if_another_column_must_score_more(seed: int) -> None:
    rnd, met = random.Random(seed), Counter[str]()
    for options, _ in product(OPTIONS, range(3)):
        match = Match("reveal", 2, {**options, "end": "hands(4)"}, seed=rnd.randbytes(32))
        for seat in random_positions(match, rnd, 300):
            found = questions_at(match, seat, rnd)
            wanted = expected(match, seat) if match.state.phase == Phase.FINAL else {}
            assert {action: question[:2] for action, question in found.items()} == wanted, (options, match.ply)
            met.update({options["peeking"] for _ in wanted})
    assert min(met["on"], met["off"]) >= 5, met


def test_reveal_says_by_how_much_another_column_must_score_more_at_a_table_with_peeking() -> None:
    fixed = column_slots("R R B", "R R R", "P P P", 0) | column_slots("G G Y", "P P P", "G G G", 1)
    match = play_rows_unchanged(Match("reveal", 2, {"peeking": "on"}, SEED, deal_of(fixed)))
    play_moves(match, (0, "choose C"))
    asked = questions_in(match.table(0, SITTERS).step)
    costs = "It scores at most 3 points, but the left column scores at least 5."
    assert asked == {parse("confirm"): ("Really choose the middle column?", costs, "Confirm the middle column")}
    play_moves(match, (0, "choose L"))
    assert questions_in(match.table(0, SITTERS).step) == {}
    hidden = play_rows_unchanged(Match("reveal", 2, {}, SEED, deal_of(fixed)))
    play_moves(hidden, (0, "choose C"))
    assert questions_in(hidden.table(0, SITTERS).step) == {}, "the view does not show the player's own cards"
