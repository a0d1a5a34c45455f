"""Observation of a game for a learner: one row of numbers, derived from the declared fields of the game's states.

An observation is computed from the *view* of a seat (`core.hidden_cards`), never from a state. The *compact* form has
the numbers of the view unchanged, as ``int16``. The *one-hot* form encodes each number by its meaning
(`core.field_meanings`): a category becomes a one-hot vector, a set becomes its bits, and a quantity is scaled to the
range from 0 to 1.

An observation counts seats from the viewer: the viewer is seat 0, the next seat in turn order is seat 1, and so on. The
following are converted to these seats:

* arrays with an entry per seat,
* bit masks of seats,
* fields that contain a seat,
* slots (indexes of card positions) that belong to a seat, such as those of its hand.

Actions are not converted: a seat in an action is numbered as at the table. So that a learner can relate the two, the
first number of an observation is the viewer's seat as numbered at the table.

The options and the number of seats are constant at a table. They are not part of the observation, but the layout
depends on them. For example, the first game of the catalogue, played by two, has observations of 245 numbers. The first
is the viewer's seat, and the layout describes the number with index 13 as follows:

>>> from facedown.core.game_registry import catalogue
>>> layout = layout_of(next(iter(catalogue())), seats=2)
>>> layout.size, layout.blocks[0].name
(245, 'viewer')
>>> print(layout.table().splitlines()[13])
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
    """Write the compact observation of the view ``scratch[0]`` to ``out[0]``. Both arrays have one entry.

    Python calls this compiled function with a copy of the view in `scratch`, because the copy may be changed: if the
    hands of the game have no fixed slots (indexes of card positions), the viewer's hand is moved to the first slots
    (`core.rule_dispatch.put_viewer_slots_first`).
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
        self.blocks: tuple[ObservationBlock, ...] = tuple(self._found())
        self.size = sum(block.count for block in self.blocks)
        """Length of the compact form."""

    def _found(self) -> Iterator[ObservationBlock]:
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
        """Return the compact observation of a view.

        Raise `ValueError` if `view` is a state, or belongs to another game or to a table with another number of seats.
        """
        self._check(view)
        scratch, out = np.zeros(1, self.game.dtype), np.zeros((1, self.size), np.int16)
        scratch[0] = view
        observe_into(scratch, out)
        row: NDArray[np.int16] = out[0]
        return row

    def one_hot(self, view: View) -> NDArray[np.float32]:
        """Return the one-hot observation of a view. Raise `ValueError` in the same cases as `compact`."""
        return self.spread_out(self.compact(view))

    def spread_out(self, compact: NDArray[np.int16]) -> NDArray[np.float32]:
        """Return the one-hot form of a `compact` observation, a row of `size` numbers, as a new array."""
        out = np.zeros(self.one_hot_size, np.float32)
        write_one_hot(compact.reshape(1, -1), 0, self.one_hot_encodings, out.reshape(1, -1), 0)
        return out

    def _check(self, view: View) -> None:
        given: Any = view
        if getattr(given, "dtype", None) != self.game.dtype:
            raise ValueError(f"expected a view of {self.game.name}")
        if view.viewer == NOBODY:
            raise ValueError("expected a view, not a state, which contains every secret")
        if view.seats != self.seats:
            raise ValueError(f"this layout is for {self.seats} seats, but the view has {view.seats}")

    @cached_property
    def one_hot_encodings(self) -> NDArray[np.int32]:
        """How the one-hot form encodes the compact form: an array with a row of five numbers for each compact number
        (see `one_hot_encoding_of`).
        """
        return one_hot_encoding_of(self.game, self.blocks, self.seats)

    @cached_property
    def one_hot_size(self) -> int:
        """Length of the one-hot form."""
        return int(self.one_hot_encodings[-1, 0] + self.one_hot_encodings[-1, 2])

    @cached_property
    def hash(self) -> str:
        """Identifier of the layout. Weights trained with one layout do not fit another."""
        said = repr([(block.name, block.first, block.count, block.meaning) for block in self.blocks])
        return hashlib.sha256(f"{self.game.name} {self.seats} {said}".encode()).hexdigest()[:16]

    def table(self) -> str:
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
    """Return how the one-hot form encodes each number of `blocks`: an array with one row for each number.

    The one-hot form is a row of floats. The columns of the result are:

    * index of the first float for this number,
    * encoding: `SCALED`, `ONE_HOT` or `BITS`,
    * how many floats there are for this number,
    * lowest value of the number; 0 for a set of bits,
    * for `SCALED`, the highest minus the lowest value, so that the float is the fraction of this range; for a card, the
      category (index from the first float) that stands for an unknown card; otherwise 0.
    """
    rows: list[list[int]] = []
    at = 0
    slots = game.dtype["card"].shape[0]
    for block in blocks:
        for i in range(block.count):
            row = _one_hot_encoding(block, i % block.words, seats, slots)
            rows.append([at, *row])
            at += row[1]
    return np.array(rows, np.int32)


def _one_hot_encoding(block: ObservationBlock, half: int, seats: int, slots: int) -> list[int]:
    """Return the encoding of one number of `block`: a row of `one_hot_encoding_of` without its first column.

    A set of more than 16 bits is stored as two numbers of 16 bits. `half` is 1 for the upper 16 bits, else 0.
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
    """Write the one-hot form of the observation ``compact[given]`` to ``out[row]``.

    `spreading` has the encodings that `one_hot_encoding_of` returns.
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
