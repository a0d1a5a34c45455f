"""How an observation is read off a view: one rule for each game, written out from the declaration of its record.

What a record's fields mean (`core.field_types`) says which of its numbers are observed, in which order, and how each is
seen from the seat that looks. `observation_blocks` tells this once: the layout (`bots.observation`) names its slots by
it, and `source_of` writes the rule that copies the numbers, which is compiled like any other. Nobody writes such a
rule.

>>> from facedown.core.game_registry import catalogue
>>> for line in source_of(next(iter(catalogue()))).splitlines()[1:7]:
...     print(line)
    seats = max(s.seats, 0)
    me = max(s.viewer if s.viewer < seats else 0, 0)
    card = s.card
    changes = s.changes
    choice = s.choice
    colour = s.colour
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from facedown.core.dispatch import dispatch_by_record_type
from facedown.core.field_types import (
    Bits,
    ByKind,
    BySeat,
    BySlot,
    Card,
    Meaning,
    Number,
    OneOf,
    Seat,
    SeatMask,
    SlotNumber,
    Unobserved,
    meanings,
    slot_groups,
)
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.rule import rule, to_int64
from facedown.core.state import EMPTY, EVERYONE, MAX_SEATS, SPECTATOR, UNKNOWN

#: Bits of a number of an observation.
WORD = 16
#: The sign bit of the lower word, as a number.
SIGN = 2 ** (WORD - 1)
VIEWERS = MAX_SEATS + 1
INDENT = "    "


@rule
def relative_seat(x: int, viewer: int, seats: int) -> int:
    """A seat as the viewer counts; what is no seat stays."""
    # Written without branches: whether a seat is named is hard to predict.
    is_seat = (x >= 0) & (x < seats)
    return x + is_seat * (seats * (x < viewer) - viewer)


def relative_seat_masks(masks: NDArray[np.int64], viewer: int, seats: int) -> NDArray[np.int64]:
    """`masks`, an array of masks of seats, as the viewer counts; the spectator's bit comes right behind the seats'."""
    inside = masks & (1 << seats) - 1
    turned = (inside >> viewer | inside << seats - viewer) & (1 << seats) - 1
    return turned | (masks >> SPECTATOR & 1) << seats


# --- what is observed -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ObservationBlock:
    """Numbers of a record's field that are observed side by side, or a row of such for each seat."""

    field: str
    name: str
    """What they are called; in the observation of a table with their seat."""
    meaning: Meaning
    """Of each number."""
    numbers: range | None = None
    """Which of the field's numbers, seat 0's where each seat has some; None: the field is one number."""
    by_seat: int = 0
    """The next seat's are so many numbers further on; 0: they belong to no seat."""
    words: int = 1
    """How many numbers of an observation each takes: a set of more than fifteen takes two, the lower half first."""
    only_with_option: tuple[str, str] = ("", "")
    """The option and its value with which alone they are observed, if it depends on one."""
    first: int = 0
    """Where they begin in the observation of a table."""

    @property
    def count(self) -> int:
        """How many numbers of an observation they make, for each seat where each has some."""
        return self.words * (1 if self.numbers is None else len(self.numbers))

    @property
    def description(self) -> str:
        """What the numbers mean, for people."""
        halves = ", in two halves of sixteen bits, the lower one first" if self.words > 1 else ""
        match self.meaning:
            case Number(low, high):
                said = f"a number, {low} to {high} as a rule".replace("-", "−")
            case OneOf(count, low):
                said = f"one of {count}, from {low}; below there is none"
            case Seat(other):
                said = "a seat, −1 for none" + ("; from the table’s seats on no seat" if other else "")
            case SeatMask():
                said = "a set of seats, a bit each, and the spectator"
            case Bits(count):
                said = f"a set of {count}, a bit each"
            case SlotNumber():
                said = "a slot, −1 for none"
            case Card(kinds):
                said = f"a kind of card, 0 to {kinds - 1}; {EMPTY}: no card; {UNKNOWN}: unknown"
            case _:
                said = "a number"
        return said + halves


def observation_blocks(game: GameModule) -> Iterator[ObservationBlock]:
    """All that is observed of a game's record, in the order of the observation, whatever the options."""
    for name, meaning in meanings(game.rules.record).items():
        if name == "viewer":
            yield from _of_field(game, name, OneOf(VIEWERS), ("", ""))
        elif not isinstance(meaning, Unobserved):
            yield from _of_field(game, name, meaning, ("", ""))
        elif meaning.unless[0]:
            yield from _of_field(game, name, ByKind(Bits(2 * WORD)), meaning.unless)


def _of_field(game: GameModule, name: str, meaning: Meaning, unless: tuple[str, str]) -> Iterator[ObservationBlock]:
    kind = game.dtype[name]
    words = 2 if kind.base.itemsize > WORD // 8 else 1
    match meaning:
        case BySeat(of):
            yield ObservationBlock(name, name, of, range(1), 1, words, unless)
        case BySlot(of, parts):
            for part in parts or slot_groups(game.rules.record):
                yield ObservationBlock(
                    name, f"{name} in the {part.name}", of, part.slots(), part.by_seat, words, unless
                )
        case ByKind(of):
            yield ObservationBlock(name, name, of, range(kind.shape[0]), 0, words, unless)
        case _:
            yield ObservationBlock(name, name, meaning, None, 0, words, unless)


# --- the rule ---------------------------------------------------------------------------------------------------------


def source_of(game: str) -> str:
    """The rule that writes the compact observation of a view `s` into a row of `out`, as text."""
    loaded = load_game(game)
    lines = ["seats = max(s.seats, 0)", "me = max(s.viewer if s.viewer < seats else 0, 0)"]
    found = list(observation_blocks(loaded))
    lines += [f"{name} = s.{name}" for name in sorted({one.field for one in found if one.numbers is not None})]
    fixed, a_seat = 0, 0
    later = list[str]()
    for (by_seat, unless), some in groupby(found, lambda one: (one.by_seat > 0, one.only_with_option)):
        together = list(some)
        where = _sum(fixed, _times(a_seat, "seats"), *later)
        written = _per_seat_block_lines(together, where) if by_seat else _seatless_block_lines(together, where)
        count = sum(one.count for one in together)
        if unless[0]:
            option, value = unless
            number = int(getattr(loaded.info.options_record({option: value}), option))
            asked = f"s.opt.{option} == {number}"
            lines += [f"if {asked}:", *(INDENT + line for line in written)]
            later.append(f"{_times(count, 'seats') if by_seat else count} * ({asked})")
            continue
        lines += written
        a_seat += count * by_seat
        fixed += count * (not by_seat)
    return "\n".join([f"def observe_{game}(s, out, row):", *(INDENT + line for line in lines)]) + "\n"


def _sum(*terms: int | str) -> str:
    """The sum of these as text, without its noughts."""
    return " + ".join(str(term) for term in terms if term not in (0, "")) or "0"


def _times(factor: int, name: str) -> str:
    """A product as text; empty where it is 0."""
    return "" if factor == 0 else name if factor == 1 else f"{factor} * {name}"


def _seatless_block_lines(together: list[ObservationBlock], where: str) -> list[str]:
    """Lines that write stretches which belong to no seat, from a place on."""
    lines = [f"at = {where}"]
    past = 0
    for one in together:
        if one.numbers is None:
            lines += _assignment_lines(one, f"s.{one.field}", _sum("at", past))
        else:
            lines += _field_copy_lines(one, str(one.numbers.start), _sum("at", past))
        past += one.count
    return lines


def _per_seat_block_lines(together: list[ObservationBlock], where: str) -> list[str]:
    """Lines that write stretches of each seat, beginning with the viewer's, in one walk round the table."""
    lines = []
    past = 0
    for one in together:
        numbers = cast(range, one.numbers)
        target = _sum("at", _times(past, "seats"), _times(one.count, "away"))
        lines += _field_copy_lines(one, _sum(_times(one.by_seat, "seat"), numbers.start), target)
        past += one.count
    walk = [*lines, "seat = seat + 1 if seat + 1 < seats else 0"]
    return [f"at = {where}", "seat = me", "for away in range(seats):", *(INDENT + line for line in walk)]


def _field_copy_lines(one: ObservationBlock, first: str, target: str) -> list[str]:
    """Lines that write the numbers of a field from one of them on."""
    numbers = cast(range, one.numbers)
    if len(numbers) == 1:
        return _assignment_lines(one, f"{one.field}[{first}]", target)
    # None is below 0; said so, it spares the compiler asking whether to count from the other end.
    lines = [f"first = max({first}, 0)", f"there = max({target}, 0)", f"for i in range({len(numbers)}):"]
    number = f"{one.field}[first + {_times(numbers.step, 'i')}]"
    return lines + [INDENT + line for line in _assignment_lines(one, number, f"there + {_times(one.words, 'i')}")]


def _assignment_lines(one: ObservationBlock, number: str, target: str) -> list[str]:
    """Lines that write one number as the viewer sees it."""
    match one.meaning:
        case Seat():
            number = f"seat_seen(wide({number}), me, seats)"
        case SeatMask():
            number = f"SEATS_SEEN[seats, me, {number} & {EVERYONE}]"
        case SlotNumber():
            number = f"SLOTS_SEEN[seats, me, wide({number}) + 1]"
        case _ if one.words > 1:
            number = f"wide({number})"
    if one.words == 1:
        return [f"out[row, {target}] = {number}"]
    # The sign of the lower word is its highest bit: Python, unlike compiled code, does not cut numbers to 16 bits.
    lower = f"({number} & {2**WORD - 1} ^ {SIGN}) - {SIGN}"
    return [f"out[row, {target}] = {lower}", f"out[row, {target} + 1] = {number} >> {WORD}"]


def _relative_seat_mask_table(most: int) -> NDArray[np.int16]:
    """By seats, viewer and mask: the mask as the viewer counts."""
    table = np.zeros((most + 1, most, EVERYONE + 1), np.int16)
    for seats in range(1, most + 1):
        for viewer in range(seats):
            table[seats, viewer] = relative_seat_masks(np.arange(EVERYONE + 1), viewer, seats)
    return table


def _relative_slot_table(game: GameModule) -> NDArray[np.int16]:
    """By seats, viewer and slot (from −1): the slot as the viewer counts."""
    slots, most = game.dtype["card"].shape[0], game.info.seats[1]
    table = np.tile(np.arange(-1, slots, dtype=np.int16), (most + 1, most, 1))
    of_seats = [part for part in slot_groups(game.rules.record) if part.by_seat]
    for seats in range(1, most + 1):
        for viewer in range(seats):
            for part in of_seats:
                for seat in range(seats):
                    for here, there in zip(part.slots((seat + viewer) % seats), part.slots(seat), strict=True):
                        table[seats, viewer, here + 1] = there
    return table


@lru_cache(maxsize=64)
def observing_rule(game: str) -> Any:
    """The rule of `source_of`."""
    loaded = load_game(game)
    names: dict[str, Any] = {
        "__name__": __name__,
        "seat_seen": relative_seat,
        "wide": to_int64,
        "SEATS_SEEN": _relative_seat_mask_table(loaded.info.seats[1]),
        "SLOTS_SEEN": _relative_slot_table(loaded),
    }
    # The text is made of our own declarations and of nothing that anybody gives us.
    exec(compile(source_of(game), f"<the observation of {game}>", "exec"), names)  # noqa: S102
    return rule(names[f"observe_{game}"])


#: Write the compact observation of a view, which was arranged for its viewer, into a row of `out`.
observe = dispatch_by_record_type(lambda name, _: observing_rule(name))
