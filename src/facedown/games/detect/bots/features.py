"""Input features and outputs of the neural networks for Detect.

The input has two parts:

* Features of the whole table. For each player after the next one, they include three numbers: 1 if the seat is taken,
  the number of face-down cards in its grid, and the expected sum of the grid.
* Features of eight columns, called *items* in the code: the four columns of the seat's own grid, then the four of the
  next player's grid. (The next player may take what the seat discards.) The order of the cells in a column has no
  meaning, so they are sorted by number, face-down cells last.

In the names of features, the "card in question" is the drawn card, or the top discard if no card is drawn.

Each output of a network stands for at most one action of the seat:

* Each of the seat's own columns has four outputs. Three place the card in question: on the first, second or third of
  the sorted cells. The fourth discards the drawn card and flips a face-down card of the column.
* The whole table has five outputs: draw a card; flip the two opening cards in one column, or in two columns; remove a
  column of equal cards, or leave it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import count_bits, includes, is_single, next_seat
from facedown.core.features import (
    FEATURE_UNIT,
    NO_MOVE,
    FeatureLayout,
    Features,
    flag,
    numbered_names,
    to_fixed_point_feature,
    write_features,
)
from facedown.core.hidden_cards import knows
from facedown.core.rule import rule
from facedown.core.state import EMPTY, Floats, Ints, View, cast_record
from facedown.games.detect.bots.evaluation import write_leads_over_mean_of_others
from facedown.games.detect.bots.policy import (
    BACK,
    best_place,
    column_cost,
    discard_and_flip_value,
    draw_value,
    ending_value,
    face_up_kind,
    grid_cost,
    lowest_other_cost,
    points_of,
    unseen_mean_and_counts,
)
from facedown.games.detect.cards import KINDS, STANDARD, kind_of
from facedown.games.detect.info import INFO
from facedown.games.detect.rules import (
    CELLS,
    COLUMN_MASK,
    COLUMNS,
    DRAWN_SLOT,
    ROWS,
    STOCK,
    Act,
    DetectPosition,
    Phase,
    face_down_mask,
    number,
    sum_of,
    top_discard_slot,
)

#: The lowest kind (card number minus `LOWEST`) in the standard deck, and how many numbers that deck has. The networks
#: know no other numbers.
FIRST = kind_of(min(STANDARD))
NUMBERS = max(STANDARD) - min(STANDARD) + 1
#: Largest number of players besides the seat itself and the next player.
OTHERS = 6
#: Number of cards from the top of the draw pile that are secret features. Only the critic (network that estimates
#: values in training) gets them.
UPCOMING_CARDS = 8
#: Lead, in points, that gives a training reward of 1. The lead of a seat is the mean of the other players' points minus
#: the seat's own points.
REWARD_SCALE = 20.0
#: Bit mask of the first cell of each column. One cell shows whether the column is removed, because columns are removed
#: as a whole.
FIRST_CELLS = sum(1 << first for first in range(0, CELLS, ROWS))
#: Number of features for the phase: one for each phase before scoring.
PHASES = len(Phase) - 1
#: The number of face-down cards in the seat's own grid is one-hot encoded, with one feature for each number from 0 to
#: `MOST_BACKS`. The last of these features is set for all larger numbers, too.
MOST_BACKS = 4
#: Kind that stands for a face-down cell when cells are sorted. It is higher than the kind of any card, so that these
#: cells come last.
FACE_DOWN_SORT_KIND = KINDS
#: Indices in `PAIRS` of two ways to flip the first two cards: in one column, or in two columns. All other ways are
#: equivalent to one of these.
SAME_COLUMN = 0
TWO_COLUMNS = 2

_LOW = min(STANDARD)
_PLACES = ("low", "middle", "high")

LAYOUT = FeatureLayout(
    table=(
        *("opening", "turn", "drawn", "setting aside"),
        *numbered_names("card in question", NUMBERS, _LOW),
        *("its number", "none in question"),
        *numbered_names("unseen", NUMBERS, _LOW),
        *("unseen mean", "draw pile", "pile rebuilt"),
        *("round is ending", "next ended it", "turns left", "players", "turns"),
        *numbered_names("own backs", MOST_BACKS + 1),
        *("own backs", "own columns"),
        *("own cost", "next cost", "lowest other", "mean of others", "ender's cost", "lead", "lead on next"),
        *("next wants it", "others want it"),
        *("saved by it", "by a new card", "by ending"),
        *(f"{what} of {place}" for place in range(2, 2 + OTHERS) for what in ("seat", "backs", "cost")),
        *("next backs", "fewest backs"),
    ),
    item=(
        *("there", "own"),
        *(f"{place} is {what}" for what in ("a back", "worth") for place in _PLACES),
        *numbered_names("one", NUMBERS, _LOW),
        *numbered_names("two", NUMBERS, _LOW),
        *("open", "cost"),
        *(f"{what} at {place}" for what in ("saves", "completes", "feeds", "ends") for place in _PLACES),
        *("throw ends", "pair", "pair unseen", "pair number", "equals", "best unseen"),
    ),
    groups=(0,) * COLUMNS + (1,) * COLUMNS,
    items_with_outputs=COLUMNS,
    item_outputs=(*(f"to {place}" for place in _PLACES), "turn up"),
    outputs=("draw", "open one column", "open two columns", "remove", "leave"),
    secret_table=(*numbered_names("coming", UPCOMING_CARDS), *("true own", "true next", "true lowest", "true mean")),
    secret_item=(
        *(f"{place} hides" for place in _PLACES),
        *numbered_names("hidden", NUMBERS, _LOW),
        "true sum",
        "true set",
    ),
)
TABLE = len(LAYOUT.table)
ITEM = len(LAYOUT.item)
SIZE = LAYOUT.size
OWN_OUTPUTS = len(LAYOUT.item_outputs)
DRAW = COLUMNS * OWN_OUTPUTS
SECRET_TABLE = len(LAYOUT.secret_table)
SECRET_ITEM = len(LAYOUT.secret_item)
SECRET_SIZE = LAYOUT.secret_size
MOVES = LAYOUT.output_count


@rule
def placeable_kind(s: DetectPosition, seat: int) -> int:
    """Return the kind (card number minus `LOWEST`) of the card that the seat may place now: the drawn card, or the top
    discard.

    Return `BACK` if there is no such card or the seat does not know it.
    """
    if s.phase == Phase.DRAWN:
        return s.card[DRAWN_SLOT] if knows(s, DRAWN_SLOT, seat) and s.card[DRAWN_SLOT] != EMPTY else BACK
    return s.card[top_discard_slot(s)] if s.discard_count > 0 else BACK


@rule
def sorted_cells(s: DetectPosition, owner: int, column: int) -> tuple[int, int, int]:
    """Return the three cells of a column, sorted by the number of their face-up card; face-down cells come last.

    Cells with equal numbers keep their order.
    """
    first = ROWS * column
    a, b, c = cell_sort_key(s, owner, first), cell_sort_key(s, owner, first + 1), cell_sort_key(s, owner, first + 2)
    low, high = min(a, b, c), max(a, b, c)
    return low % CELLS, (a + b + c - low - high) % CELLS, high % CELLS


@rule
def cell_sort_key(s: DetectPosition, owner: int, cell: int) -> int:
    """Return the key by which the cells of a column are sorted: first by kind (card number minus `LOWEST`), then by
    index.

    The key is the kind in the cell (`FACE_DOWN_SORT_KIND` if face down) times `CELLS`, plus the cell's index.
    """
    kind = face_up_kind(s, owner, cell)
    return (FACE_DOWN_SORT_KIND if kind == BACK else kind) * CELLS + cell


@rule
def max_equal_cards_in_column(s: DetectPosition, owner: int, kind: int) -> int:
    """Count the face-up cards of a kind in each column of `owner`'s grid, and return the largest of these counts.

    `kind` is the card number minus `LOWEST`. For `BACK` (no known card) the result is 0.
    """
    most = 0
    if kind == BACK:
        return most
    for first in range(0, CELLS, ROWS):
        if s.gone[owner] >> first & 1 == 0:
            equal = 0
            for cell in range(first, first + ROWS):
                equal += face_up_kind(s, owner, cell) == kind
            most = max(most, equal)
    return most


@rule
def add_to_kind_feature(out: NDArray[np.int8], at: int, kind: int, value: int) -> int:
    """Add `value` to the feature for a kind of card, one of several consecutive elements of `out`.

    There is one such feature for each card number of the standard deck, in ascending order. `at` is the index of the
    first of them in `out`. `kind` is a card number minus `LOWEST`. If the standard deck has no cards of this kind,
    nothing is added. Return the index after the last of these features.
    """
    if FIRST <= kind < FIRST + NUMBERS:
        out[at + kind - FIRST] += value
    return at + NUMBERS


# --- features that the seat knows -------------------------------------------------------------------------------------


@rule
def write_feature_vector(s: DetectPosition, seat: int, out: NDArray[np.int8]) -> None:
    """Write the input features of the neural network to ``out[:SIZE]``.

    The features describe the position for `seat`, a seat that is to act. They depend only on what this seat knows.
    """
    out[:SIZE] = 0
    left = np.empty(KINDS + 1, np.int64)
    mean = unseen_mean_and_counts(s, seat, left)
    card = placeable_kind(s, seat)
    write_table_features(s, seat, card, mean, left, out)
    for item in range(2 * COLUMNS):
        write_column_features(s, seat, item, card, mean, left, out)


@rule
def write_table_features(
    s: DetectPosition, seat: int, card: int, mean: float, left: Ints, out: NDArray[np.int8]
) -> None:
    """Write the features of the whole table, not of one column, to the first `TABLE` elements of `out`.

    * `card`: the kind (card number minus `LOWEST`) of the drawn card or, if no card is drawn, of the top discard. It is
      `BACK` if there is no such card, or if the seat does not know the card.
    * `mean`: the average number on the cards that the seat has not seen.
    * `left`: how many of these cards there are, by kind. The last element is their total.
    """
    after = next_seat(s, seat)
    if s.phase < Phase.SCORING:
        out[s.phase] = FEATURE_UNIT
    at = add_to_kind_feature(out, PHASES, card, FEATURE_UNIT)
    at = write_features(out, at, (points_of(card, 0.0) / 8.0, flag(card == BACK)))
    share = 10.0 / max(1, left[KINDS])
    for kind in range(FIRST, FIRST + NUMBERS):
        out[at + kind - FIRST] = to_fixed_point_feature(share * left[kind])
    at = write_features(out, at + NUMBERS, (mean / 8.0, s.draw_count / 64.0, flag(s.rebuilt == 1)))
    ends = s.ender >= 0
    turns_left = (s.ender - seat - 1) % s.seats + 1 if ends else 0
    at = write_features(out, at, (flag(ends), flag(s.ender == after), turns_left / 4.0))
    at = write_features(out, at, (s.seats / 4.0, s.turns / (16.0 * s.seats)))
    backs, columns = face_down_count(s, seat), count_bits(FIRST_CELLS & ~s.gone[seat])
    out[at + min(MOST_BACKS, backs)] = FEATURE_UNIT
    at = write_features(out, at + MOST_BACKS + 1, (backs / 4.0, columns / 4.0))
    total, lowest, fewest, want = 0.0, 1e9, CELLS, 0
    for other in range(s.seats):
        place = (other - seat) % s.seats
        if place > 0:
            cost, backs = grid_cost(s, other, mean), face_down_count(s, other)
            total += cost
            lowest, fewest = min(lowest, cost), min(fewest, backs)
            if place > 1:
                want = max(want, max_equal_cards_in_column(s, other, card))
                write_features(out, TABLE - 2 - 3 * (OTHERS + 2 - place), (1.0, backs / 4.0, cost / 32.0))
    mine, next_cost = grid_cost(s, seat, mean), grid_cost(s, after, mean)
    at = write_features(out, at, (mine / 32.0, next_cost / 32.0, lowest / 32.0, total / (32.0 * (s.seats - 1))))
    at = write_features(out, at, (grid_cost(s, s.ender, mean) / 32.0 if ends else 0.0,))
    at = write_features(
        out,
        at,
        (
            (lowest - mine) / 16.0,
            (next_cost - mine) / 16.0,
            max_equal_cards_in_column(s, after, card) / 2.0,
            want / 2.0,
        ),
    )
    if s.phase in (Phase.TURN, Phase.DRAWN):
        saved = best_place(s, seat, card, mean, left)[1] if card != BACK else 0.0
        write_features(
            out, at, (saved / 8.0, draw_value(s, seat, mean, left) / 8.0, discard_and_flip_value(s, seat, mean) / 8.0)
        )
    write_features(out, TABLE - 2, (face_down_count(s, after) / 4.0, fewest / 4.0))


@rule
def face_down_count(s: DetectPosition, seat: int) -> int:
    """Return the count of face-down cards in a seat's grid."""
    return count_bits(face_down_mask(s, seat))


@rule
def owner_of_item(s: DetectPosition, seat: int, item: int) -> int:
    """Return the seat whose grid contains the column of an item.

    An item is a group of features in the network input. It describes one column of a grid. Items 0 to 3 describe the
    columns in the grid of `seat`, items 4 to 7 those in the next player's grid.
    """
    return seat if item < COLUMNS else next_seat(s, seat)


@rule
def write_column_features(
    s: DetectPosition, seat: int, item: int, card: int, mean: float, left: Ints, out: NDArray[np.int8]
) -> None:
    """Write the features of one item (one column of a grid) to `out`. If the column was removed, all of them stay 0.

    * `item`: 0 to 3 for a column in the grid of `seat`, 4 to 7 for one in the next player's grid.
    * `card`: the kind (card number minus `LOWEST`) of the drawn card or, if no card is drawn, of the top discard. It is
      `BACK` if there is no such card, or if the seat does not know the card.
    * `mean`: the average number on the cards that the seat has not seen.
    * `left`: how many of these cards there are, by kind. The last element is their total.
    """
    owner, column = owner_of_item(s, seat, item), item % COLUMNS
    if s.gone[owner] >> ROWS * column & 1:
        return
    at = write_features(out, TABLE + item * ITEM, (1.0, flag(owner == seat)))
    a, b, c = sorted_cells(s, owner, column)
    kinds = face_up_kind(s, owner, a), face_up_kind(s, owner, b), face_up_kind(s, owner, c)
    cost = column_cost(s, kinds[0], kinds[1], kinds[2], mean, left)
    last = s.ender < 0 and is_single(face_down_mask(s, owner))
    counts = at + 2 * ROWS
    places = counts + 2 * NUMBERS + 2
    up, equals, pair, hope = 0, 0, BACK, 0
    for row in range(ROWS):
        # `kind` is the kind of card in this row; `one` and `two` are those in the other two rows of the column.
        kind, one, two = kinds[row], kinds[0 if row > 0 else 1], kinds[2 if row < 2 else 1]
        write_features(out, at + row, (flag(kind == BACK), points_of(kind, 0.0) / 8.0), ROWS)
        if kind != BACK:
            up += 1
            equals += kind == card
            hope = max(hope, left[kind])
            pair = kind if kind in (one, two) else pair
            add_to_kind_feature(out, counts, kind, FEATURE_UNIT if row == 0 or kind != kinds[row - 1] else 0)
        feeds = max_equal_cards_in_column(s, next_seat(s, seat), kind) if owner == seat else 0
        saved, ends = 0.0, last and kind == BACK and card != BACK
        if card != BACK:
            saved = cost - column_cost(s, card, one, two, mean, left)
            if ends and owner == seat:
                saved += ending_value(grid_cost(s, seat, mean) - saved, lowest_other_cost(s, seat, mean))
        write_features(
            out, places + row, (saved / 8.0, flag(one == two == card != BACK), feeds / 2.0, flag(ends)), ROWS
        )
    at = add_to_kind_feature(out, counts + NUMBERS, pair, FEATURE_UNIT)
    write_features(out, at, (up / 2.0, cost / 16.0))
    unknown = max(1, left[KINDS])
    at = write_features(out, places + 4 * ROWS, (flag(last and up < ROWS), flag(pair != BACK)))
    at = write_features(out, at, (10.0 * left[pair] / unknown if pair != BACK else 0.0, points_of(pair, 0.0) / 8.0))
    write_features(out, at, (equals / 2.0, 10.0 * hope / unknown))


# --- network outputs and their actions --------------------------------------------------------------------------------


@rule
def write_output_actions(s: DetectPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write to `out` the action that each network output stands for now, or `NO_MOVE` for an output without an action.

    Return how many outputs have an action. If several cells of a column have equal face-up cards, placing a card on any
    of these cells has the same effect. Then only the output for the first of these cells has an action. The same is
    true if several cells of a column are face down.
    """
    out[:MOVES] = NO_MOVE
    if s.phase == Phase.SCORING or not includes(s.acting, seat):
        return 0
    if s.phase == Phase.OPENING:
        out[DRAW + 1] = Act.OPEN_PAIR + SAME_COLUMN
        out[DRAW + 2] = Act.OPEN_PAIR + TWO_COLUMNS
        return 2
    if s.phase == Phase.SET:
        out[DRAW + 3] = Act.REMOVE
        out[DRAW + 4] = Act.LEAVE
        return 2
    n = 0
    if s.phase == Phase.TURN:
        out[DRAW] = Act.DRAW
        n = 1
        if s.discard_count == 0:
            return n
    for column in range(COLUMNS):
        if s.gone[seat] >> ROWS * column & 1:
            continue
        cells = sorted_cells(s, seat, column)
        base = OWN_OUTPUTS * column
        for row in range(ROWS):
            # Placing a card on either of two equal cards has the same effect, so only the first cell gets an action.
            if row == 0 or face_up_kind(s, seat, cells[row]) != face_up_kind(s, seat, cells[row - 1]):
                out[base + row] = (Act.TAKE if s.phase == Phase.TURN else Act.KEEP) + cells[row]
                n += 1
        if s.phase == Phase.DRAWN and face_up_kind(s, seat, cells[ROWS - 1]) == BACK:
            out[base + ROWS] = Act.THROW + cells[ROWS - 1]
            n += 1
    return n


# --- secret features for the critic in training -----------------------------------------------------------------------


@rule
def write_secret_features(s: DetectPosition, seat: int, out: NDArray[np.int8]) -> None:
    """Write the features that no player may know to ``out[:SECRET_SIZE]``.

    Only the critic (network that estimates values in training) gets these features. They are the next cards of the draw
    pile, the true sums of the grids, and the face-down cards in the columns of the seat and of the next player.
    """
    out[:SECRET_SIZE] = 0
    for i in range(min(UPCOMING_CARDS, s.draw_count)):
        out[i] = to_fixed_point_feature(number(s, STOCK + s.draw_count - 1 - i) / 8.0)
    after = next_seat(s, seat)
    total, lowest = 0, 1000
    for other in range(s.seats):
        if other != seat:
            points = sum_of(s, other, ~s.gone[other])
            total += points
            lowest = min(lowest, points)
    own, of_next = sum_of(s, seat, ~s.gone[seat]), sum_of(s, after, ~s.gone[after])
    write_features(out, UPCOMING_CARDS, (own / 32.0, of_next / 32.0, lowest / 32.0, total / (32.0 * (s.seats - 1))))
    for item in range(2 * COLUMNS):
        write_secret_column_features(s, seat, item, out)


@rule
def write_secret_column_features(s: DetectPosition, seat: int, item: int, out: NDArray[np.int8]) -> None:
    """Write the secret features of one item (one column of a grid) to `out`.

    They are the numbers on the face-down cards, the true sum of the column, and whether its three cards are equal.
    `item` is 0 to 3 for a column in the grid of `seat`, and 4 to 7 for one in the next player's grid.
    """
    owner, column = owner_of_item(s, seat, item), item % COLUMNS
    if s.gone[owner] >> ROWS * column & 1:
        return
    at = SECRET_TABLE + item * SECRET_ITEM
    cells = sorted_cells(s, owner, column)
    for row in range(ROWS):
        if face_up_kind(s, owner, cells[row]) == BACK:
            out[at + row] = to_fixed_point_feature(number(s, owner * CELLS + cells[row]) / 8.0)
            add_to_kind_feature(out, at + ROWS, s.card[owner * CELLS + cells[row]], FEATURE_UNIT // 2)
    base = owner * CELLS + ROWS * column
    total = sum_of(s, owner, COLUMN_MASK << ROWS * column)
    alike = s.card[base] == s.card[base + 1] == s.card[base + 2]
    write_features(out, at + ROWS + NUMBERS, (total / 16.0, flag(alike)))


@rule
def write_rewards(s: DetectPosition, out: Floats) -> None:
    """Write the training reward of each seat to `out`: its lead in the last scored round, divided by `REWARD_SCALE`.

    The lead is the mean of the other players' points minus the seat's own points, because fewer points are better.
    """
    write_leads_over_mean_of_others(s, out)
    for seat in range(s.seats):
        out[seat] /= REWARD_SCALE


_DEFAULT_OPTIONS = INFO.options_record(INFO.complete(INFO.seats[0], {}))


def is_supported(view: View) -> bool:
    """Return whether the match uses the default deck and rules. The features cannot describe any others."""
    mine = cast_record(view, DetectPosition).opt
    return bool(mine == _DEFAULT_OPTIONS)


FEATURES = Features(
    LAYOUT, write_feature_vector, write_output_actions, write_secret_features, write_rewards, is_supported
)
