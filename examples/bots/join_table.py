"""A bot that joins a table of Detect by its link: ``python join_table.py https://cards.example/t/K7QM4XPN Ada``."""

import sys

from facedown.client import sit

# Numbers of cards, slots and actions, from docs/records/detect.md.
ZERO, GONE, UNSEEN = 10, 126, 127  # offset from number to kind; no card; unseen card
CELLS, DRAWN, SLOTS = 12, 96, 297  # twelve slots for each grid; the slot of the drawn card; the number of slots
TAKE, DRAW, KEEP, THROW, REMOVE = 66, 78, 79, 91, 103  # the first action of each kind; TAKE, KEEP and THROW + a cell
USUAL = 5  # estimated number on an unseen card


def worth(kind):
    """Return the number on a kind of card. A missing card counts less than any other."""
    return -99 if kind == GONE else USUAL if kind == UNSEEN else kind - ZERO


class CarefulBot:
    """Replaces high cards with low ones. Unseen cards count as average."""

    def choose(self, game, view, seat, seed):
        """Return an action of the seat, from its view alone."""
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
