"""A bot that is a program of its own: it needs nothing but Python, and knows nothing but what it is told in JSON.

    facedown arena detect "program:python3 examples/programs/counting_bot.py" random

It plays Detect, where low sums win: a card that it may lay it compares with the one in its place, and that, while it
lies face down, is worth the mean of all cards that it has not seen. Of other games it plays the first legal action.
"""

from __future__ import annotations

import json
import sys
from typing import Any

PROTOCOL = 1
#: What stands in a slot: no card, and one that this seat does not know.
EMPTY, UNKNOWN = 126, 127
#: Detect's cards are told by kind: 0 is the number −10.
LOWEST = -10
#: A grid has so many cells, column by column; a column has so many rows.
CELLS, ROWS = 12, 3
#: The slot of the drawn card, after eight grids.
DRAWN = 8 * CELLS
#: A drawn card saves about so much.
DRAWING = 2.5


def main() -> None:
    """Answer every line, until there are no more."""
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "hello":
            answer = {"type": "hello", "protocol": PROTOCOL, "name": "Counting bot"}
        else:
            answer = {"words": choose(asked)}
        print(json.dumps(answer), flush=True)


def choose(asked: dict[str, Any]) -> str:
    """The words of the action that it likes best."""
    moves: list[str] = [move["words"] for move in asked["legal"]]
    if asked["game"] != "detect" or len(moves) == 1:
        return moves[0]
    grid = Grid(asked["view"], asked["seat"])
    return min(moves, key=grid.cost)


class Grid:
    """The cells of a seat, by what it knows of them."""

    def __init__(self, view: dict[str, Any], seat: int) -> None:
        cards: list[int] = view["card"]
        self.cells = cards[seat * CELLS : (seat + 1) * CELLS]
        self.drawn = cards[DRAWN]
        # The discard pile lies at the far end, its top first.
        self.discard = cards[len(cards) - view["discard_count"]] if view["discard_count"] else UNKNOWN
        left = list(view["opt"]["copies"])
        for kind in cards:
            if kind < EMPTY:
                left[kind] -= 1
        unseen = sum(count for count in left if count > 0)
        self.mean = sum((kind + LOWEST) * count for kind, count in enumerate(left) if count > 0) / max(1, unseen)

    def worth(self, cell: int) -> float:
        """What a cell adds to the sum, or may be thought to add."""
        kind = self.cells[cell]
        return 0.0 if kind == EMPTY else self.mean if kind == UNKNOWN else kind + LOWEST

    def cost(self, move: str) -> float:
        """How much a move adds to the sum of the grid, about."""
        verb, *rest = move.split()
        if verb in ("take", "keep"):
            return self.lay_cost(self.discard if verb == "take" else self.drawn, cell_number(rest[0]))
        return {"draw": -DRAWING, "throw": 0.0, "remove": -1.0}.get(verb, 0.0)

    def lay_cost(self, kind: int, cell: int) -> float:
        """What it adds to lay a card in a cell; a column of three equal ones is taken away."""
        column = [other for other in range(CELLS) if other // ROWS == cell // ROWS and other != cell]
        added = kind + LOWEST - self.worth(cell)
        if all(self.cells[other] == kind for other in column):
            added -= ROWS * (kind + LOWEST)
        return added


def cell_number(word: str) -> int:
    """The number of a cell: ``b3`` is the third of the second column."""
    return ROWS * (ord(word[0]) - ord("a")) + int(word[1]) - 1


if __name__ == "__main__":
    main()
