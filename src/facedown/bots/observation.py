"""Observation of a game for a learner: one row of numbers, derived from the declared fields of the game's states.

An observation is computed from the *view* of a seat (`core.hidden_cards`), never from a state. It has one of two forms:

* The *compact* form has the numbers of the view as ``int16``. A number with more than 16 bits takes two of them.
* The *one-hot* form encodes each number of the compact form as floats, by the meaning of the number
  (`core.field_meanings`): a category becomes a one-hot vector, a set becomes its bits, and a quantity is scaled to the
  range from 0 to 1.

The fields of the view with the meaning `Unobserved`, such as the number of seats, are left out. Some of them are
observed in matches with a certain option (`Unobserved.unless`). All other fields are always observed.

An observation counts seats from the viewer: the viewer is seat 0, the next seat in turn order is seat 1, and so on.
These seat numbers are used everywhere in an observation:

* In an array with an entry per seat, the viewer's entry is the first one.
* In a bit mask of seats, the viewer is bit 0.
* A field that contains a seat has the number of the seat, counted from the viewer.
* The viewer's hand is in the slots (card positions) of seat 0, the next seat's hand in those of seat 1, and so on. A
  field that contains a slot is changed accordingly.

Actions are the exception: a seat in an action has its number at the table. So that a learner can relate the two
numbers, an observation begins with the viewer's seat number at the table.

The options and the number of seats are constant at a table. They are not part of the observation, but the layout
depends on them. For example, the first game of the catalogue, played by two, has observations of 245 numbers. The first
of these is the viewer's seat. `ObservationLayout.readable_table` describes the numbers, line by line. Line 13 (counted
from 0) describes the number with index 13, because every number before it has a line of its own:

>>> from facedown.core.game_registry import catalogue
>>> layout = layout_of(next(iter(catalogue())), seats=2)
>>> layout.size, layout.blocks[0].name
(245, 'viewer')
>>> print(layout.readable_table().splitlines()[13])
       13  first_in                                       a seat, −1 for none
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from facedown.bots.observation_codegen import WORD, ObservationBlock, observation_blocks, observe
from facedown.core import rule_dispatch
from facedown.core.field_meanings import Bits, Card, Number, OneOf, Seat, SeatMask, SlotNumber
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.rule import rule, to_int64
from facedown.core.state import NOBODY, UNKNOWN, View


@rule
def observe_into(scratch: Any, out: NDArray[np.int16]) -> None:
    """Write the compact observation of the view ``scratch[0]`` to ``out[0]``. The view may be changed, so pass a copy.

    `scratch` is an array of one view, and `out` has one row. The compact observation has the numbers in all fields of
    the view except those with the meaning `Unobserved` (`core.field_meanings`), as 16-bit integers. Seats are counted
    from the viewer.

    In some games, the hands have no fixed places in the view's array `card`. For such a game, the hands in this array
    are reordered first, so that the viewer's hand is before the others (`core.rule_dispatch.put_viewer_slots_first`).
    """
    s = scratch[0]
    rule_dispatch.put_viewer_slots_first(s, s.viewer)
    observe(s, out, 0)


class ObservationLayout:
    """Layout of the observation of a game for a given number of seats and given options: what each number means."""

    def __init__(self, game: GameModule, seats: int, options: Mapping[str, str]) -> None:
        self.game = game
        self.seats = seats
        self.options = dict(options)
        self.blocks: tuple[ObservationBlock, ...] = tuple(self._blocks_present_under_options())
        self.size = sum(block.count for block in self.blocks)
        """Number of integers in an observation in the compact form."""

    def _blocks_present_under_options(self) -> Iterator[ObservationBlock]:
        at = 0
        for one in observation_blocks(self.game):
            if one.only_with_option[0] and self.options.get(one.only_with_option[0]) != one.only_with_option[1]:
                continue
            names = [f"{one.name} of seat {seat}" for seat in range(self.seats)] if one.by_seat else [one.name]
            for name in names:
                yield replace(one, name=name, first=at)
                at += one.count

    # --- public methods -----------------------------------------------------------------------------------------------

    def compact(self, view: View) -> NDArray[np.int16]:
        """Return the compact observation of a view: `size` 16-bit integers, in the order of `blocks`.

        They are the numbers in all fields of the view except those with the meaning `Unobserved`
        (`core.field_meanings`), such as the number of seats. Seats are counted from the viewer.

        Raise `ValueError` if `view` belongs to another game, or to a table with another number of seats. Raise
        `ValueError` also for a state: it has the same NumPy type as a view, but contains every secret.
        """
        self._check_view(view)
        scratch, out = np.zeros(1, self.game.dtype), np.zeros((1, self.size), np.int16)
        scratch[0] = view
        observe_into(scratch, out)
        row: NDArray[np.int16] = out[0]
        return row

    def one_hot(self, view: View) -> NDArray[np.float32]:
        """Return the one-hot observation of a view, an array of `one_hot_size` floats.

        The floats of a category or a set are 0 or 1. A quantity is one float, scaled to the range from 0 to 1. Raise
        `ValueError` in the same cases as `compact`.
        """
        return self.one_hot_from_compact(self.compact(view))

    def one_hot_from_compact(self, compact: NDArray[np.int16]) -> NDArray[np.float32]:
        """Return the one-hot form (`one_hot_size` floats) of an observation in the compact form (`size` integers)."""
        out = np.zeros(self.one_hot_size, np.float32)
        write_one_hot(compact.reshape(1, -1), 0, self.one_hot_encodings, out.reshape(1, -1), 0)
        return out

    def _check_view(self, view: View) -> None:
        given: Any = view
        if getattr(given, "dtype", None) != self.game.dtype:
            raise ValueError(f"expected a view of {self.game.name}")
        if view.viewer == NOBODY:
            raise ValueError("expected a view, not a state, which contains every secret")
        if view.seats != self.seats:
            raise ValueError(f"this layout is for {self.seats} seats, but the view has {view.seats}")

    @cached_property
    def one_hot_encodings(self) -> NDArray[np.int32]:
        """Description of the one-hot form: an array with one row for each number of the compact form.

        The compact form is an observation as `size` 16-bit integers. The one-hot form is the same observation as
        floats: 0 or 1 for categories and sets, from 0 to 1 for quantities. A row says how one integer is encoded as
        floats; `one_hot_encoding_of` describes the five columns.
        """
        return one_hot_encoding_of(self.game, self.blocks, self.seats)

    @cached_property
    def one_hot_size(self) -> int:
        """Number of floats in an observation in the one-hot form."""
        return int(self.one_hot_encodings[-1, 0] + self.one_hot_encodings[-1, 2])

    @cached_property
    def hash(self) -> str:
        """Identifier of the layout. Weights trained with one layout do not fit another."""
        said = repr([(block.name, block.first, block.count, block.meaning) for block in self.blocks])
        return hashlib.sha256(f"{self.game.name} {self.seats} {said}".encode()).hexdigest()[:16]

    def readable_table(self) -> str:
        """Return a readable table of the layout: a line with indices, name and meaning for each block of numbers."""
        lines = [f"{_index_range_text(block):>9}  {block.name:<46} {block.description}" for block in self.blocks]
        return "\n".join(line.rstrip() for line in lines)


def _index_range_text(block: ObservationBlock) -> str:
    return str(block.first) if block.count == 1 else f"{block.first}–{block.first + block.count - 1}"


# --- one-hot form ---------------------------------------------------------------------------------------------------

#: Ways to encode one number of an observation as floats: scaled to the range from 0 to 1, as a one-hot vector, or as
#: the bits of a set (`one_hot_encoding_of`).
SCALED, ONE_HOT, BITS = range(3)


def one_hot_encoding_of(game: GameModule, blocks: Iterable[ObservationBlock], seats: int) -> NDArray[np.int32]:
    """Return an array that says how the one-hot form encodes the numbers of `blocks`, with one row for each number.

    The numbers are the integers of a compact observation. In the one-hot form, an array of floats, each number takes
    one or more floats. The columns of the result are:

    * index of the first float for this number,
    * encoding: `SCALED`, `ONE_HOT` or `BITS`,
    * number of floats for this number,
    * lowest value of the number; 0 for a set of bits,
    * extra value.

    The extra value is 0, with two exceptions:

    * For the encoding `SCALED`, it is the range (highest minus lowest value). The float is (number − lowest value) /
      range.
    * For a card (encoding `ONE_HOT`), one of the floats is 1 if the card is unknown. The extra value is the offset of
      this float from the first float of the card.
    """
    rows: list[list[int]] = []
    at = 0
    slots = game.dtype["card"].shape[0]
    for block in blocks:
        for i in range(block.count):
            row = _one_hot_encoding_row(block, i % block.words, seats, slots)
            rows.append([at, *row])
            at += row[1]
    return np.array(rows, np.int32)


def _one_hot_encoding_row(block: ObservationBlock, half: int, seats: int, slots: int) -> list[int]:
    """Return how the one-hot form encodes one integer of a compact observation as floats.

    The result has four numbers, which are the last four columns of `one_hot_encoding_of`:

    * Encoding: `SCALED` (one float from 0 to 1), `ONE_HOT` (a one-hot vector) or `BITS` (a float for each bit).
    * Number of floats.
    * Lowest value of the integer; 0 for `BITS`.
    * Extra value. For `SCALED`, it is the highest minus the lowest value. For a card, it is the index, in the one-hot
      vector, of the float that stands for an unknown card. Otherwise it is 0.

    The arguments are:

    * `block`: the block of the observation to which the integer belongs. It gives the meaning of the integer.
    * `half`: used only for a set of more than 16 bits, which takes two integers: 0 for the integer with the lower 16
      bits, 1 for the integer with the upper bits.
    * `seats`: the number of seats at the table.
    * `slots`: the number of card positions in the game.
    """
    match block.meaning:
        case Number(low, high):
            return [SCALED, 1, low, max(1, high - low)]
        case OneOf(count, low):
            return [ONE_HOT, count, low, 0]
        case Seat(other):
            return [ONE_HOT, seats + other, 0, 0]
        case SeatMask():
            return [BITS, seats + 1, 0, 0]
        case Bits(count):
            return [BITS, min(WORD, count - WORD * half), 0, 0]
        case SlotNumber():
            return [ONE_HOT, slots, 0, 0]
        case Card(kinds):
            # An empty card position is encoded as all zeros; an unknown card gets one extra category.
            return [ONE_HOT, kinds + 1, 0, kinds]
    return [SCALED, 1, 0, 1]


@rule
def write_one_hot(
    compact: NDArray[np.int16], given: int, spreading: NDArray[np.int32], out: NDArray[np.float32], row: int
) -> None:
    """Write the one-hot form of the observation ``compact[given]`` to ``out[row]``, which is overwritten completely.

    ``compact[given]`` has the observation as integers, ``out[row]`` gets it as floats:

    * A category becomes a one-hot vector of zeros and a single 1. A category that has no float in the vector, such as
      "none", becomes all zeros.
    * A set becomes its bits, each 0 or 1.
    * A quantity becomes one float from 0 to 1. The game declares the usual range of each quantity
      (`core.field_meanings.Number`). The lowest value of the range becomes 0, the highest becomes 1, and values outside
      the range are clipped.

    `spreading` is an array with one row of five numbers for each integer. The row says how the integer is encoded and
    where the floats go. `one_hot_encoding_of` makes this array and describes the five columns.
    """
    for i in range(out.shape[1]):
        out[row, i] = 0.0
    for i in range(compact.shape[1]):
        x = to_int64(compact[given, i])
        at, how, count = max(spreading[i, 0], 0), spreading[i, 1], spreading[i, 2]
        low, span = spreading[i, 3], spreading[i, 4]
        if how == SCALED:
            out[row, at] = min(1.0, max(0.0, (x - low) / span))
        elif how == BITS:
            for bit in range(count):
                out[row, at + bit] = x >> bit & 1
        else:
            place = span if span > 0 and x == UNKNOWN else x - low
            if 0 <= place < count:
                out[row, at + place] = 1.0


# --- cache of layouts -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _layout(name: str, seats: int, options: tuple[tuple[str, str], ...]) -> ObservationLayout:
    return ObservationLayout(load_game(name), seats, dict(options))


def layout_of(
    game: str | GameModule, seats: int | None = None, options: Mapping[str, str] | None = None
) -> ObservationLayout:
    """Return the observation layout of a game for a number of seats (by default the smallest) and options.

    Raise `OptionError`, a `ValueError`, if the game does not support this number of seats or these options.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    players = loaded.info.seats[0] if seats is None else seats
    chosen = loaded.check_options(players, dict(options or {}))
    return _layout(loaded.name, players, tuple(sorted(chosen.items())))
