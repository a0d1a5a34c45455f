"""A bot as a separate program: it needs only Python, and reads and writes messages in JSON.

    facedown arena detect "program:python3 examples/programs/counting_bot.py" random

It plays Detect, in which low sums win. It compares a card that it may place with the card in each cell of its grid. A
face-down card counts as the mean of all cards that the bot has not seen. In other games it plays the first legal
action.
"""

from __future__ import annotations

import json
import sys
from typing import Any

PROTOCOL = 1
#: Values of a slot without a card, and of a slot whose card this seat does not know.
EMPTY, UNKNOWN = 126, 127
#: Number on the card of kind 0. The kinds follow in ascending order.
LOWEST = -10
#: Number of cells in a grid, and of rows in each column. Cells are numbered column by column.
CELLS, ROWS = 12, 3
#: Slot of the drawn card, after the slots of eight grids.
DRAWN = 8 * CELLS
#: Estimated number of points that drawing a card saves.
DRAWING = 2.5


def main() -> None:
    """Answer each message from standard input until the input ends."""
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["type"] == "hello":
            answer = {"type": "hello", "protocol": PROTOCOL, "name": "Counting bot"}
        else:
            answer = {"words": choose(asked)}
        print(json.dumps(answer), flush=True)


def choose(asked: dict[str, Any]) -> str:
    """Return the text of the legal action with the lowest cost."""
    moves: list[str] = [move["words"] for move in asked["legal"]]
    if asked["game"] != "detect" or len(moves) == 1:
        return moves[0]
    grid = Grid(asked["view"], asked["seat"])
    return min(moves, key=grid.cost)


class Grid:
    """The cells of a seat's grid, as far as the seat knows them."""

    def __init__(self, view: dict[str, Any], seat: int) -> None:
        cards: list[int] = view["card"]
        self.cells = cards[seat * CELLS : (seat + 1) * CELLS]
        self.drawn = cards[DRAWN]
        # The discard pile fills the last slots, with its top card first.
        self.discard = cards[len(cards) - view["discard_count"]] if view["discard_count"] else UNKNOWN
        left = list(view["opt"]["copies"])
        for kind in cards:
            if kind < EMPTY:
                left[kind] -= 1
        unseen = sum(count for count in left if count > 0)
        self.mean = sum((kind + LOWEST) * count for kind, count in enumerate(left) if count > 0) / max(1, unseen)

    def worth(self, cell: int) -> float:
        """Return what a cell adds to the sum of the grid; for a face-down card the mean of all unseen cards."""
        kind = self.cells[cell]
        return 0.0 if kind == EMPTY else self.mean if kind == UNKNOWN else kind + LOWEST

    def cost(self, move: str) -> float:
        """Return the estimated number of points that a move adds to the sum of the grid."""
        verb, *rest = move.split()
        if verb in ("take", "keep"):
            return self.lay_cost(self.discard if verb == "take" else self.drawn, cell_number(rest[0]))
        return {"draw": -DRAWING, "throw": 0.0, "remove": -1.0}.get(verb, 0.0)

    def lay_cost(self, kind: int, cell: int) -> float:
        """Return the number of points that placing a card in a cell adds. A column of three equal cards is removed."""
        column = [other for other in range(CELLS) if other // ROWS == cell // ROWS and other != cell]
        added = kind + LOWEST - self.worth(cell)
        if all(self.cells[other] == kind for other in column):
            added -= ROWS * (kind + LOWEST)
        return added


def cell_number(word: str) -> int:
    """Return the number of a cell from its name: ``b3`` is the third cell of the second column."""
    return ROWS * (ord(word[0]) - ord("a")) + int(word[1]) - 1


if __name__ == "__main__":
    main()
