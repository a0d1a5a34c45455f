"""What a learner observes: one row of numbers for each game, made from the declaration of its record.

An observation is computed from a *view* of a seat (`core.slots`), never from a state. The *compact* form has the
numbers of the view as they stand, as ``int16``; in the *one-hot* form each is spread out by what it means
(`core.meaning`): one of so many things becomes a row of noughts and a one, a set becomes its bits, a number is scaled
to the range from 0 to 1.

It is seen from the seat itself: whoever looks is seat 0, the next to act after it is seat 1, in rows by seat, in masks
of seats, in fields that name a seat, and in the slots that belong to seats. Actions name seats as they are, so the
first slot says which seat looks. Options and the number of seats are the same as long as a table stands: they are no
part of it, and the layout follows from them.

>>> from facedown.core.game import catalogue
>>> layout = layout_of(next(iter(catalogue())), seats=2)
>>> layout.size, layout.blocks[0].name
(245, 'viewer')
>>> print(layout.table().splitlines()[13])
       13  first_in                                       a seat, −1 for none
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.core import generic
from facedown.core.game import GameModule
from facedown.core.game import game as load_game
from facedown.core.meaning import (
    Bits,
    ByKind,
    BySeat,
    BySlot,
    Card,
    Meaning,
    Number,
    OneOf,
    Part,
    Seat,
    Seats,
    SlotNumber,
    Unobserved,
    meanings,
    parts_of,
)
from facedown.core.rule import rule, wide
from facedown.core.state import EMPTY, MAX_SEATS, NOBODY, SPECTATOR, UNKNOWN, View

#: How a number of the record becomes one of the observation.
COPY, SEAT, SEATS, SLOT, LOW, HIGH = range(6)
#: A step of a program: bytes of a number, its place among numbers of that size, places from one to the next, how many,
#: where they go, how (above).
WIDTH, SOURCE, STEP, COUNT, TARGET, HOW = range(6)
#: Fewer numbers than this are not worth a run.
SHORT = 6
#: Bits of a number of the compact form.
WORD = 16
VIEWERS = MAX_SEATS + 1


@rule
def seat_seen(x: int, viewer: int, seats: int) -> int:
    """A seat as the viewer counts; what is no seat stays."""
    # Written without branches: whether a seat is named is hard to predict.
    is_seat = (x >= 0) & (x < seats)
    return x + is_seat * (seats * (x < viewer) - viewer)


@rule
def seats_seen(x: int, viewer: int, seats: int) -> int:
    """A mask of seats as the viewer counts; the spectator's bit comes right behind those of the seats."""
    inside = x & (1 << seats) - 1
    turned = (inside >> viewer | inside << seats - viewer) & (1 << seats) - 1
    return turned | (x >> SPECTATOR & 1) << seats


class Program(NamedTuple):
    """How an observation is read off a view's record, for each viewer: ``[viewer, …]``."""

    runs: NDArray[np.int32]
    """Runs of numbers, a row each: their bytes, where they are, where they go, how many, how (`COPY`, or of one byte
    `SEAT`)."""
    singles: NDArray[np.int32]
    """Numbers by themselves, a row each: where it is, where it goes."""
    groups: NDArray[np.int32]
    """The singles by what becomes of them, a row each: how (`COPY`, …), their bytes, the first, the end."""
    relabelled: NDArray[np.int16]
    """By slot (from −1): the slot as the viewer counts."""


@rule
def encode_runs(
    bytes_: NDArray[np.int8],
    words: NDArray[np.int16],
    runs: NDArray[np.int32],
    which: int,
    viewer: int,
    seats: int,
    out: NDArray[np.int16],
    row: int,
) -> None:
    """Write the runs of numbers of an observation; the parameters are those of `encode`.

    `bytes_` and `words` are the bytes of the view's record as numbers, `runs` is part of a `Program`; a row of `out`
    receives the observation.
    """
    for k in range(runs.shape[1]):
        # None is below 0; said so, it spares the compiler asking whether to count from the other end.
        source, target, count = max(runs[which, k, 1], 0), max(runs[which, k, 2], 0), runs[which, k, 3]
        if runs[which, k, 4] == SEAT:
            for i in range(count):
                out[row, target + i] = seat_seen(wide(bytes_[source + i]), viewer, seats)
        elif runs[which, k, 0] == 1:
            for i in range(count):
                out[row, target + i] = bytes_[source + i]
        else:
            for i in range(count):
                out[row, target + i] = words[source + i]


@rule
def encode_singles(
    bytes_: NDArray[np.int8],
    words: NDArray[np.int16],
    longs: NDArray[np.int32],
    singles: NDArray[np.int32],
    groups: NDArray[np.int32],
    relabelled: NDArray[np.int16],
    which: int,
    viewer: int,
    seats: int,
    out: NDArray[np.int16],
    row: int,
) -> None:
    """Write the numbers of an observation that stand by themselves; the parameters are those of `encode`.

    `bytes_`, `words` and `longs` are the bytes of the view's record as numbers, `singles`, `groups` and `relabelled`
    are part of a `Program`; a row of `out` receives the observation.
    """
    for g in range(groups.shape[1]):
        how, width = groups[which, g, 0], groups[which, g, 1]
        if how == COPY and width == 1:
            # Most are such: a loop of their own asks nothing.
            for k in range(groups[which, g, 2], groups[which, g, 3]):
                out[row, max(singles[which, k, 1], 0)] = bytes_[max(singles[which, k, 0], 0)]
            continue
        for k in range(groups[which, g, 2], groups[which, g, 3]):
            source, target = max(singles[which, k, 0], 0), max(singles[which, k, 1], 0)
            if width == 1:
                x = wide(bytes_[source])
            elif width == WORD // 8:
                x = wide(words[source])
            else:
                x = wide(longs[source])
            if how == SEAT:
                x = seat_seen(x, viewer, seats)
            elif how == SEATS:
                x = seats_seen(x, viewer, seats)
            elif how == SLOT:
                x = wide(relabelled[which, x + 1])
            elif how == HIGH:
                x = x >> WORD
            out[row, target] = x


@rule
def encode(
    bytes_: NDArray[np.int8],
    words: NDArray[np.int16],
    longs: NDArray[np.int32],
    runs: NDArray[np.int32],
    singles: NDArray[np.int32],
    groups: NDArray[np.int32],
    relabelled: NDArray[np.int16],
    which: int,
    viewer: int,
    seats: int,
    out: NDArray[np.int16],
    row: int,
) -> None:
    """Write the compact observation of a view into a row of `out`.

    `bytes_`, `words` and `longs` are the bytes of the view's record, read as numbers of one, two and four bytes.
    `runs`, `singles`, `groups` and `relabelled` are a `Program`, `which` says whose; `viewer` is 0 for a spectator.
    """
    encode_runs(bytes_, words, runs, which, viewer, seats, out, row)
    encode_singles(bytes_, words, longs, singles, groups, relabelled, which, viewer, seats, out, row)


@rule
def observe_into(
    scratch: Any,
    bytes_: NDArray[np.int8],
    words: NDArray[np.int16],
    longs: NDArray[np.int32],
    program: Program,
    out: NDArray[np.int16],
) -> None:
    """Compiled entry: the observation of the view in `scratch` (an array of one record), which is arranged by it.

    `bytes_`, `words`, `longs` are the same memory as numbers of other sizes; `out` has one row.
    """
    s = scratch[0]
    viewer = s.viewer
    generic.arrange(s, viewer)
    seat = viewer if viewer < s.seats else 0
    runs, singles, groups, relabelled = program
    encode(bytes_, words, longs, runs, singles, groups, relabelled, viewer, seat, s.seats, out, 0)


@dataclass(frozen=True, slots=True)
class Block:
    """Some slots of an observation that belong together."""

    name: str
    first: int
    count: int
    meaning: Meaning
    """Of each number in it."""
    words: int = 1
    """How many numbers one thing takes: a set of more than fifteen takes two, the lower half first."""

    @property
    def said(self) -> str:
        """What the numbers mean, for people."""
        halves = ", in two halves of sixteen bits, the lower one first" if self.words > 1 else ""
        return _said(self.meaning) + halves


def _said(meaning: Meaning) -> str:
    match meaning:
        case Number(low, high):
            return f"a number, {low} to {high} as a rule".replace("-", "−")
        case OneOf(count, low):
            return f"one of {count}, from {low}; below there is none"
        case Seat(other):
            return "a seat, −1 for none" + ("; from the table’s seats on no seat" if other else "")
        case Seats():
            return "a set of seats, a bit each, and the spectator"
        case Bits(count):
            return f"a set of {count}, a bit each"
        case SlotNumber():
            return "a slot, −1 for none"
        case Card(kinds):
            return f"a kind of card, 0 to {kinds - 1}; {EMPTY}: no card; {UNKNOWN}: unknown"
    return "a number"


class Layout:
    """The observation of one game for a number of seats and a set of options."""

    def __init__(self, game: GameModule, seats: int, options: Mapping[str, str]) -> None:
        self.game = game
        self.seats = seats
        self.options = dict(options)
        self.blocks: tuple[Block, ...] = tuple(self._found())
        self.size = sum(block.count for block in self.blocks)
        """Numbers of the compact form."""
        self.program = self._compiled()

    # --- what is in it ------------------------------------------------------------------------------------------------

    def _observed(self) -> Iterator[tuple[str, Meaning]]:
        for name, meaning in meanings(self.game.rules.record).items():
            if name == "viewer":
                yield name, OneOf(VIEWERS)
            elif not isinstance(meaning, Unobserved):
                yield name, meaning
            elif meaning.unless[0] and self.options.get(meaning.unless[0]) == meaning.unless[1]:
                yield name, ByKind(Bits(2 * WORD))

    def _rows(self, name: str, meaning: Meaning) -> Iterator[tuple[str, Meaning, range | None, int]]:
        """The rows of a field: what each is called, its numbers' meaning, which of the field's numbers (None: its only
        one), and the seat that it belongs to, from the viewer (−1: no seat).
        """
        length = (self.game.dtype[name].shape or (1,))[0]
        match meaning:
            case BySeat(of):
                for seat in range(min(self.seats, length)):
                    yield f"{name} of seat {seat}", of, range(seat, seat + 1), seat
            case BySlot(of, parts):
                for part in parts or parts_of(self.game.rules.record):
                    yield from self._part(name, of, part)
            case ByKind(of):
                yield name, of, range(length), -1
            case _:
                yield name, meaning, None, -1

    def _part(self, name: str, of: Meaning, part: Part) -> Iterator[tuple[str, Meaning, range, int]]:
        if not part.by_seat:
            yield f"{name} in the {part.name}", of, part.slots(), -1
            return
        for seat in range(self.seats):
            yield f"{name} in the {part.name} of seat {seat}", of, part.slots(seat), seat

    def _found(self) -> Iterator[Block]:
        at = 0
        for name, meaning in self._observed():
            words = 2 if self.game.dtype[name].base.itemsize > WORD // 8 else 1
            for said, of, numbers, _ in self._rows(name, meaning):
                count = words * (1 if numbers is None else len(numbers))
                yield Block(said, at, count, of, words)
                at += count

    # --- how it is made -----------------------------------------------------------------------------------------------

    def _steps(self, viewer: int) -> Iterator[list[int]]:
        """The program of a viewer, one row a run of numbers."""
        at = 0
        spectator = viewer >= self.seats
        fields: Any = self.game.dtype.fields
        for name, meaning in self._observed():
            kind, offset = fields[name][:2]
            width = kind.base.itemsize
            base = offset // width
            for _, of, numbers, seat in self._rows(name, meaning):
                numbers_ = range(1) if numbers is None else numbers
                if seat >= 0 and not spectator:
                    # The slots of the seat that sits so far from the viewer.
                    away = (seat + viewer) % self.seats - seat
                    numbers_ = self._moved(name, meaning, numbers_, seat, away)
                how = _how(of, spectator)
                if width > WORD // 8:
                    for i, number in enumerate(numbers_):
                        yield [width, base + number, 1, 1, at + 2 * i, LOW]
                        yield [width, base + number, 1, 1, at + 2 * i + 1, HIGH]
                    at += 2 * len(numbers_)
                    continue
                yield [width, base + numbers_.start, numbers_.step, len(numbers_), at, how]
                at += len(numbers_)

    def _moved(self, name: str, meaning: Meaning, numbers: range, seat: int, away: int) -> range:
        by_seat = 1
        if isinstance(meaning, BySlot):
            part = next(p for p in parts_of(self.game.rules.record) if p.by_seat and p.slots(seat) == numbers)
            by_seat = part.by_seat
        return range(numbers.start + away * by_seat, numbers.stop + away * by_seat, numbers.step)

    def _compiled(self) -> Program:
        runs, singles, groups = [], [], []
        for viewer in range(VIEWERS):
            steps = _joined(list(self._steps(viewer)))
            is_run = [_is_run(step) for step in steps]
            runs.append(
                [
                    [s[WIDTH], s[SOURCE], s[TARGET], s[COUNT], s[HOW]]
                    for s, run in zip(steps, is_run, strict=True)
                    if run
                ]
            )
            apart: dict[tuple[int, int], list[list[int]]] = {}
            for step in (s for s, run in zip(steps, is_run, strict=True) if not run):
                places = [[step[SOURCE] + step[STEP] * i, step[TARGET] + i] for i in range(step[COUNT])]
                apart.setdefault((step[HOW], step[WIDTH]), []).extend(places)
            ends = np.cumsum([len(places) for places in apart.values()]).tolist()
            groups.append([[*key, end - len(apart[key]), end] for key, end in zip(apart, ends, strict=True)])
            singles.append([place for places in apart.values() for place in places])
        return Program(_filled(runs, 5), _filled(singles, 2), _filled(groups, 4), self._relabelling())

    def _relabelling(self) -> NDArray[np.int16]:
        """By viewer and slot (from −1): the slot as the viewer counts."""
        slots = self.game.dtype["card"].shape[0]
        table = np.tile(np.arange(-1, slots, dtype=np.int16), (VIEWERS, 1))
        for viewer in range(self.seats):
            for part in parts_of(self.game.rules.record):
                for seat in range(self.seats if part.by_seat else 0):
                    for here, there in zip(part.slots((seat + viewer) % self.seats), part.slots(seat), strict=True):
                        table[viewer, here + 1] = there
        return table

    # --- for those who use it -----------------------------------------------------------------------------------------

    def write(self, view: View, out: NDArray[np.int16]) -> None:
        """Write the compact observation of a view into `out`, a row of `size` numbers.

        Raises:
            ValueError: It is no view, or that of another table.
            TypeError: `out` has another shape or another kind of numbers.
        """
        self._check(view)
        if out.shape != (self.size,) or out.dtype != np.int16:
            raise TypeError(f"an observation is {self.size} np.int16, not {out.shape} {out.dtype}")
        scratch = np.zeros(1, self.game.dtype)
        scratch[0] = view
        observe_into(scratch, *numbers_of(scratch), self.program, out.reshape(1, -1))

    def compact(self, view: View) -> NDArray[np.int16]:
        """The compact observation of a view; raises what `write` raises."""
        out = np.zeros(self.size, np.int16)
        self.write(view, out)
        return out

    def one_hot(self, view: View) -> NDArray[np.float32]:
        """The one-hot observation of a view; raises what `write` raises."""
        out = np.zeros(self.one_hot_size, np.float32)
        spread(self.compact(view).reshape(1, -1), 0, self.spreading, out.reshape(1, -1), 0)
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
    def spreading(self) -> NDArray[np.int32]:
        """For each number of the compact form: how it is spread out (`spread`)."""
        rows: list[list[int]] = []
        at = 0
        slots = self.game.dtype["card"].shape[0]
        for block in self.blocks:
            for i in range(block.count):
                row = _spread_row(block, i % block.words, self.seats, slots)
                rows.append([at, *row])
                at += row[1]
        return np.array(rows, np.int32)

    @cached_property
    def one_hot_size(self) -> int:
        """Numbers of the one-hot form."""
        return int(self.spreading[-1, 0] + self.spreading[-1, 2])

    @cached_property
    def hash(self) -> str:
        """What identifies the layout: weights that were trained on another one do not fit."""
        said = repr([(block.name, block.first, block.count, block.meaning) for block in self.blocks])
        return hashlib.sha256(f"{self.game.name} {self.seats} {said}".encode()).hexdigest()[:16]

    def table(self) -> str:
        """Slot by slot, for people: where each block stands, its name, what its numbers mean."""
        lines = [f"{_places(block):>9}  {block.name:<46} {block.said}" for block in self.blocks]
        return "\n".join(line.rstrip() for line in lines)


def _places(block: Block) -> str:
    return str(block.first) if block.count == 1 else f"{block.first}–{block.first + block.count - 1}"


def _how(meaning: Meaning, spectator: bool) -> int:
    match meaning:
        case Seat():
            return COPY if spectator else SEAT
        case Seats():
            return SEATS
        case SlotNumber():
            return SLOT
    return COPY


def _filled(rows: list[list[list[int]]], columns: int) -> NDArray[np.int32]:
    """Rows of numbers for each viewer, as long as the longest; noughts (which do nothing) fill the others."""
    found = np.zeros((len(rows), max(map(len, rows)), columns), np.int32)
    for viewer, row in enumerate(rows):
        found[viewer, : len(row)] = np.array(row, np.int32).reshape(-1, columns)
    return found


def _is_run(step: list[int]) -> bool:
    """Is this step of a program worth a loop of its own?"""
    plain = step[HOW] == COPY or (step[HOW] == SEAT and step[WIDTH] == 1)
    return plain and step[STEP] == 1 and step[COUNT] >= SHORT


def _joined(steps: list[list[int]]) -> list[list[int]]:
    """The same program, plain runs of memory that follow each other made one."""
    found: list[list[int]] = []
    for step in steps:
        last = found[-1] if found else None
        if last and _follows(last, step):
            last[COUNT] += step[COUNT]
        else:
            found.append(list(step))
    return found


def _follows(last: list[int], step: list[int]) -> bool:
    alike = last[HOW] == step[HOW] and last[WIDTH] == step[WIDTH] and last[STEP] == step[STEP] == 1
    return alike and all(last[place] + last[COUNT] == step[place] for place in (SOURCE, TARGET))


def numbers_of(scratch: NDArray[Any]) -> tuple[NDArray[np.int8], NDArray[np.int16], NDArray[np.int32]]:
    """The memory of `scratch`, an array of one record, as numbers of one, two and four bytes."""
    plain = np.asarray(scratch).view(np.ndarray)
    return plain.view(np.int8), plain.view(np.int16), plain.view(np.int32)


# --- one-hot --------------------------------------------------------------------------------------------------------

#: How a number is spread out: scaled; a one among noughts; bits. Columns: where, how, how many, lowest, range.
SCALED, ONE, BITS = range(3)


def _spread_row(block: Block, half: int, seats: int, slots: int) -> list[int]:
    """How many numbers, how, lowest and range."""
    match block.meaning:
        case Number(low, high):
            return [SCALED, 1, low, max(1, high - low)]
        case OneOf(count, low):
            return [ONE, count, low, 0]
        case Seat(other):
            return [ONE, seats + other, 0, 0]
        case Seats():
            return [BITS, seats + 1, 0, 0]
        case Bits(count):
            return [BITS, min(WORD, count - WORD * half), 0, 0]
        case SlotNumber():
            return [ONE, slots, 0, 0]
        case Card(kinds):
            # No card is none of them; that it is not known is one kind more.
            return [ONE, kinds + 1, 0, kinds]
    return [SCALED, 1, 0, 1]


@rule
def spread(
    compact: NDArray[np.int16], given: int, spreading: NDArray[np.int32], out: NDArray[np.float32], row: int
) -> None:
    """Write the one-hot form of a row of compact observations into a row of `out`; `spreading` is the layout's."""
    for i in range(out.shape[1]):
        out[row, i] = 0.0
    for i in range(compact.shape[1]):
        x = wide(compact[given, i])
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
def _layout(name: str, seats: int, options: tuple[tuple[str, str], ...]) -> Layout:
    return Layout(load_game(name), seats, dict(options))


def layout_of(game: str | GameModule, seats: int | None = None, options: Mapping[str, str] | None = None) -> Layout:
    """The observation of a game at a table of so many seats (as few as can play), with these options.

    `ValueError` (an `OptionError`) for what the game does not have.
    """
    loaded = load_game(game) if isinstance(game, str) else game
    players = loaded.info.seats[0] if seats is None else seats
    chosen = loaded.check_options(players, dict(options or {}))
    return _layout(loaded.name, players, tuple(sorted(chosen.items())))
