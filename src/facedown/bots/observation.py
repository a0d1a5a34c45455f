"""What a learner observes: one row of numbers for each game, made from the declaration of its record.

An observation is computed from a *view* of a seat (`core.hidden_cards`), never from a state. The *compact* form has the
numbers of the view as they stand, as ``int16``; in the *one-hot* form each is spread out by what it means
(`core.field_types`): one of so many things becomes a row of noughts and a one, a set becomes its bits, a number is
scaled to the range from 0 to 1.

It is seen from the seat itself: whoever looks is seat 0, the next to act after it is seat 1, in rows by seat, in masks
of seats, in fields that name a seat, and in the slots that belong to seats. Actions name seats as they are, so the
first slot says which seat looks. Options and the number of seats are the same as long as a table stands: they are no
part of it, and the layout follows from them.

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
from facedown.core import dispatch
from facedown.core.field_types import Bits, Card, Number, OneOf, Seat, SeatMask, SlotNumber
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.rule import rule, to_int64
from facedown.core.state import NOBODY, UNKNOWN, View


@rule
def observe_into(scratch: Any, out: NDArray[np.int16]) -> None:
    """Compiled entry: the observation of the view in `scratch` (an array of one record), which is arranged by it.

    `out` has one row.
    """
    s = scratch[0]
    dispatch.put_viewer_slots_first(s, s.viewer)
    observe(s, out, 0)


class ObservationLayout:
    """The observation of one game for a number of seats and a set of options."""

    def __init__(self, game: GameModule, seats: int, options: Mapping[str, str]) -> None:
        self.game = game
        self.seats = seats
        self.options = dict(options)
        self.blocks: tuple[ObservationBlock, ...] = tuple(self._found())
        self.size = sum(block.count for block in self.blocks)
        """Numbers of the compact form."""

    def _found(self) -> Iterator[ObservationBlock]:
        at = 0
        for one in observation_blocks(self.game):
            if one.only_with_option[0] and self.options.get(one.only_with_option[0]) != one.only_with_option[1]:
                continue
            names = [f"{one.name} of seat {seat}" for seat in range(self.seats)] if one.by_seat else [one.name]
            for name in names:
                yield replace(one, name=name, first=at)
                at += one.count

    # --- for those who use it -----------------------------------------------------------------------------------------

    def compact(self, view: View) -> NDArray[np.int16]:
        """The compact observation of a view; `ValueError` if it is none, or that of another table."""
        self._check(view)
        scratch, out = np.zeros(1, self.game.dtype), np.zeros((1, self.size), np.int16)
        scratch[0] = view
        observe_into(scratch, out)
        row: NDArray[np.int16] = out[0]
        return row

    def one_hot(self, view: View) -> NDArray[np.float32]:
        """The one-hot observation of a view; `ValueError` for what `compact` refuses."""
        return self.spread_out(self.compact(view))

    def spread_out(self, compact: NDArray[np.int16]) -> NDArray[np.float32]:
        """The one-hot form of a compact observation, a row of `size` numbers; a new array."""
        out = np.zeros(self.one_hot_size, np.float32)
        write_one_hot(compact.reshape(1, -1), 0, self.one_hot_columns, out.reshape(1, -1), 0)
        return out

    def _check(self, view: View) -> None:
        given: Any = view
        if getattr(given, "dtype", None) != self.game.dtype:
            raise ValueError(f"this is no view of {self.game.name}")
        if view.viewer == NOBODY:
            raise ValueError("an observation is made from a view, and this is a state with every secret in it")
        if view.seats != self.seats:
            raise ValueError(f"this layout is for {self.seats} seats, the view is that of a table of {view.seats}")

    @cached_property
    def one_hot_columns(self) -> NDArray[np.int32]:
        """For each number of the compact form: how it is spread out (`write_one_hot`)."""
        return one_hot_columns_of(self.game, self.blocks, self.seats)

    @cached_property
    def one_hot_size(self) -> int:
        """Numbers of the one-hot form."""
        return int(self.one_hot_columns[-1, 0] + self.one_hot_columns[-1, 2])

    @cached_property
    def hash(self) -> str:
        """What identifies the layout: weights that were trained on another one do not fit."""
        said = repr([(block.name, block.first, block.count, block.meaning) for block in self.blocks])
        return hashlib.sha256(f"{self.game.name} {self.seats} {said}".encode()).hexdigest()[:16]

    def table(self) -> str:
        """Slot by slot, for people: where each block stands, its name, what its numbers mean."""
        lines = [f"{_index_range_text(block):>9}  {block.name:<46} {block.description}" for block in self.blocks]
        return "\n".join(line.rstrip() for line in lines)


def _index_range_text(block: ObservationBlock) -> str:
    return str(block.first) if block.count == 1 else f"{block.first}–{block.first + block.count - 1}"


# --- one-hot --------------------------------------------------------------------------------------------------------

#: How a number is spread out: scaled; a one among noughts; bits. Columns: where, how, how many, lowest, range.
SCALED, ONE_HOT, BITS = range(3)


def one_hot_columns_of(game: GameModule, blocks: Iterable[ObservationBlock], seats: int) -> NDArray[np.int32]:
    """For each number of these blocks: where it is spread out to, how, over how many numbers, its lowest, its range."""
    rows: list[list[int]] = []
    at = 0
    slots = game.dtype["card"].shape[0]
    for block in blocks:
        for i in range(block.count):
            row = _one_hot_column(block, i % block.words, seats, slots)
            rows.append([at, *row])
            at += row[1]
    return np.array(rows, np.int32)


def _one_hot_column(block: ObservationBlock, half: int, seats: int, slots: int) -> list[int]:
    """How many numbers, how, lowest and range."""
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
            # No card is none of them; that it is not known is one kind more.
            return [ONE_HOT, kinds + 1, 0, kinds]
    return [SCALED, 1, 0, 1]


@rule
def write_one_hot(
    compact: NDArray[np.int16], given: int, spreading: NDArray[np.int32], out: NDArray[np.float32], row: int
) -> None:
    """Write the one-hot form of a row of compact observations into a row of `out`."""
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


# --- all layouts ------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _layout(name: str, seats: int, options: tuple[tuple[str, str], ...]) -> ObservationLayout:
    return ObservationLayout(load_game(name), seats, dict(options))


def layout_of(
    game: str | GameModule, seats: int | None = None, options: Mapping[str, str] | None = None
) -> ObservationLayout:
    """The observation of a game at a table of so many seats (as few as can play), with these options.

    `ValueError` (an `OptionError`) for what the game does not have.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    players = loaded.info.seats[0] if seats is None else seats
    chosen = loaded.check_options(players, dict(options or {}))
    return _layout(loaded.name, players, tuple(sorted(chosen.items())))
