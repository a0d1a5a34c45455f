"""A bot for Detect at anybody's table: ``python join_table.py https://cards.example/t/K7QM4XPN Ada``."""

import sys

from facedown.client import sit

# From docs/records/detect.md: what the numbers of cards, slots and actions mean.
ZERO, GONE, UNSEEN = 10, 126, 127  # a kind of card is its number plus 10; no card; one that this seat has not seen
CELLS, DRAWN, SLOTS = 12, 96, 297  # the slots: twelve for each seat's grid, the drawn card, the stock
TAKE, DRAW, KEEP, THROW, REMOVE = 66, 78, 79, 91, 103  # TAKE, KEEP and THROW are followed by a cell
USUAL = 5  # what a card is worth, about, that nobody has seen


def worth(kind):
    """The number on a kind of card: what is gone is worth less than any."""
    return -99 if kind == GONE else USUAL if kind == UNSEEN else kind - ZERO


class CarefulBot:
    """Lays low cards in place of high ones, and takes what it has not seen for an average card."""

    def choose(self, game, view, seat, seed):
        """The action of a seat, from what it knows."""
        legal = game.legal(view, seat)
        grid = [worth(kind) for kind in view.card[CELLS * seat : CELLS * (seat + 1)]]
        worst = grid.index(max(grid))
        if DRAW in legal:
            discard = worth(view.card[SLOTS - view.discard_count]) if view.discard_count else USUAL
            return TAKE + worst if discard < min(USUAL, grid[worst]) else DRAW
        if KEEP + worst in legal:
            throws = [action for action in legal if THROW <= action < REMOVE]
            return throws[0] if throws and worth(view.card[DRAWN]) >= grid[worst] else KEEP + worst
        return REMOVE if REMOVE in legal and grid[3 * view.column] > 0 else legal[-1]


if __name__ == "__main__":
    with sit(sys.argv[1], sys.argv[2]) as seat:
        print(f"Final scores, seat by seat: {list(seat.play_out(CarefulBot()))}; mine is seat {seat.now.seat}.")
