"""Questions before costly moves of Detect, compared with the moves as the rules carry them out."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from itertools import product
from typing import Any, cast

import pytest

from facedown.check.random_matches import SITTERS
from facedown.core.grammar import digits, in_words
from facedown.core.match import Match
from facedown.core.state import EVERYONE, copy
from facedown.games.detect.cards import LOWEST, kind_of
from facedown.games.detect.rules import CELLS, DRAWN_SLOT, ROWS, STOCK, Act, Phase
from tests.games.costly_moves import Question, questions_at, questions_in, random_positions, state_after

OPTIONS: tuple[Mapping[str, str], ...] = (
    {},
    {"set_optional": "yes"},
    {"deck": "custom(-2:30 1:30 12:12)"},
    {"deck": "custom(-3:20 -1:20 0:20 4:20)", "set_on_final_reveal": "no"},
    {"deck": "custom(-2:30 5:30 9:20)", "set_optional": "yes", "ender_tie": "doubled"},
    {"grid": "small(3,2,20)", "deck": "custom(-2:30 3:30)", "double_scope": "positive_cards"},
)
ORDINALS = ("first", "second", "third", "fourth")


class Worlds:
    """The rules of a position in which the numbers of face-down cards may be replaced."""

    def __init__(self, match: Match, seat: int) -> None:
        self.match, self.seat = match, seat
        self.state: Any = match.state
        self.deck = [kind for kind, copies in enumerate(match.state.opt.copies) if copies]
        self.rows = int(self.state.rows)

    def after(self, action: int, cell: int = -1, kind: int = 0) -> Any:
        """Return the state after an action that does not end the round at once, because all others have a turn left.

        One of the seat's cells may have another kind of card.
        """
        world: Any = copy(self.match.state)
        world.ender, world.turns = -1, 0
        if cell >= 0:
            world.card[self.seat * CELLS + cell] = kind
        return state_after(world, self.seat, action)

    def is_down(self, seat: int, cell: int) -> bool:
        return not (self.state.up[seat] | self.state.gone[seat]) >> cell & 1

    def column(self, state: Any, seat: int, cell: int) -> list[int]:
        """Return the numbers of the cards in the column of a cell."""
        first = cell - cell % ROWS
        cells = [c for c in range(first, first + ROWS) if not state.gone[seat] >> c & 1]
        return [int(state.card[seat * CELLS + c]) + LOWEST for c in cells]

    def columns(self, state: Any, seat: int) -> list[list[int]]:
        return [self.column(state, seat, first) for first in range(0, CELLS, ROWS)]

    def completes(self, action: int, cell: int) -> bool:
        """Return whether an action completes the column of a cell: it is removed, or its owner is asked."""
        after = self.after(action)
        return bool(after.phase == Phase.SET or after.last_column == cell // ROWS)

    def expected(self, action: int) -> Question | None:
        """Return the question that the table must ask before an action."""
        kind, cell = Act.decode(action)
        if kind not in (Act.TAKE, Act.KEEP, Act.THROW):
            return None
        if kind == Act.THROW:
            number, column = int(self.state.card[DRAWN_SLOT]) + LOWEST, self.column_worth_completing
            if column is not None:
                asked = f"It would complete {in_words(self.rows)} {digits(number)}s in your {ORDINALS[column]} column."
                return f"Discard the {digits(number)} for good?", asked, "Discard it"
        elif lost := self.removed_points(action, cell):
            number = int(lost / self.rows)
            asked = f"The column is removed at once, so you lose its {digits(lost)} points."
            return f"Complete {in_words(self.rows)} {digits(number)}s?", asked, "Complete it"
        return self.end_of_round(action, cell)

    @cached_property
    def column_worth_completing(self) -> int | None:
        """The first column that the drawn card completes if it is kept, and that counts at least 0 now, or None."""
        number = int(self.state.card[DRAWN_SLOT]) + LOWEST
        for cell in range(CELLS):
            keep = Act.KEEP + cell
            if keep not in self.match.legal(self.seat) or not self.completes(keep, cell):
                continue
            if self.column(self.state, self.seat, cell) == [number] * self.rows and not self.is_down(self.seat, cell):
                continue  # it is complete already
            now = int(self.state.card[self.seat * CELLS + cell])
            before = []
            for kind in self.deck if self.is_down(self.seat, cell) else [now]:
                world: Any = copy(self.match.state)
                world.card[self.seat * CELLS + cell] = kind
                before.append(sum(self.column(world, self.seat, cell)))
            if min(before) >= 0 < max(before):
                return cell // ROWS
        return None

    def removed_points(self, action: int, cell: int) -> int:
        """Return the points below 0 that an action removes although they are better kept, else 0."""
        after = self.after(action)
        if after.last_column < 0 or after.last_number >= 0:
            return 0
        if self.is_down(self.seat, cell):
            down = [c for c in range(CELLS) if self.is_down(self.seat, c)]
            better = any(not self.completes(action - cell + c, c) for c in down)
        else:
            better = sum(self.column(self.state, self.seat, cell)) < 0
        return int(after.last_number) * self.rows if better else 0

    def end_of_round(self, action: int, cell: int) -> Question | None:
        if self.state.ender >= 0 or not self.state.up[self.seat]:
            return None
        kinds = self.deck if action >= Act.THROW else [0]
        ends = [self.after(action, cell if action >= Act.THROW else -1, kind) for kind in kinds]
        ends = [
            state_after(end, self.seat, choice) if choice else end
            for end in ends
            for choice in ((Act.REMOVE, Act.LEAVE) if end.phase == Phase.SET else (0,))
        ]
        if any(end.ender != self.seat for end in ends):
            return None
        own = min(self.fewest(end) for end in ends)
        most = {seat: self.most(seat) for seat in range(self.match.seats) if seat != self.seat}
        for seat in most:
            self.assert_most_is_most(seat)
        other = min(most, key=lambda seat: most[seat])
        if own <= 0 or most[other] >= own:
            return None
        highest, name = digits(self.deck[-1] + LOWEST), SITTERS[other].name
        asked = f"Even with a {highest} in every face-down place, {name} has fewer points. Yours may be doubled."
        return "End the round now?", asked, "End it"

    def fewest(self, end: Any) -> int:
        """Return the fewest points of the seat after it has ended the round: it may remove the columns it has kept."""
        optional = self.match.options["set_optional"] == "yes"
        counts = [(sum(c), len({*c}) == 1) for c in self.columns(end, self.seat)]
        return sum(min(total, 0) if optional and complete else total for total, complete in counts)

    def most(self, seat: int) -> int:
        """Return the points of a seat's grid with the highest card in each face-down cell.

        A column that may be removed when all cards are flipped counts at least 0.
        """
        total = 0
        for first in range(0, CELLS, ROWS):
            cells = [c for c in range(first, first + ROWS) if not self.state.gone[seat] >> c & 1]
            down = [c for c in cells if self.is_down(seat, c)]
            kinds = [self.deck[-1] if c in down else int(self.state.card[seat * CELLS + c]) for c in cells]
            count = sum(kind + LOWEST for kind in kinds)
            total += max(count, 0) if down or len({*kinds}) == 1 else count
        return total

    def assert_most_is_most(self, seat: int) -> None:
        """Reject `most` if other numbers on the face-down cards would give the seat more points."""
        points = 0
        for first in range(0, CELLS, ROWS):
            cells = [c for c in range(first, first + ROWS) if not self.state.gone[seat] >> c & 1]
            kinds = [self.deck if self.is_down(seat, c) else [int(self.state.card[seat * CELLS + c])] for c in cells]
            found = [[kind + LOWEST for kind in column] for column in product(*kinds)]
            points += max(max(sum(column), 0 if len({*column}) == 1 else -999) for column in found)
        assert points <= self.most(seat)


@pytest.mark.slow
def test_detect_asks_before_a_move_exactly_if_the_rules_prove_that_it_costs_points(seed: int) -> None:
    rnd, met = random.Random(seed), Counter[str]()
    for options, _ in product(OPTIONS, range(2)):
        match = Match("detect", rnd.choice((2, 2, 3)), options, seed=rnd.randbytes(32))
        for mover in random_positions(match, rnd, 250):
            worlds = Worlds(match, mover)
            expected = {action: worlds.expected(action) for action in match.legal(mover)}
            found = questions_at(match, mover, rnd)
            assert found == {action: asked for action, asked in expected.items() if asked}, (options, match.ply)
            met.update({asked[0].split()[0] for asked in found.values()})
    assert min(met["Discard"], met["Complete"], met["End"]) > 10, met


def test_detect_asks_before_a_drawn_1_is_discarded_that_would_complete_three_1s() -> None:
    match = Match("detect", 2, {"opening_pick": "random"}, seed=bytes(32))
    (seat,), state = match.acting, cast(Any, match.state)
    for slot in (seat * CELLS + ROWS, seat * CELLS + ROWS + 1, STOCK + state.draw_count - 1):
        state.card[slot] = kind_of(1)
    state.up[seat] |= 3 << ROWS
    state.known[seat * CELLS + ROWS : seat * CELLS + ROWS + 2] = EVERYONE
    match.play(seat, Act.DRAW.value)
    step = match.table(seat, SITTERS[:2]).step
    question = "Discard the 1 for good?", "It would complete three 1s in your second column.", "Discard it"
    assert questions_in(step) == {action: question for action in match.legal(seat) if action >= Act.THROW}
