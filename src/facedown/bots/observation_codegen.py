"""Code generator for observations: builds, for each game, the compiled function that copies an observation from a view.

An observation is a row of numbers for a learner (`bots.observation`). It is derived from the declared meanings of the
fields of a view (`core.field_meanings`). Fields with the meaning `Unobserved` are left out, with few exceptions
(`observation_blocks`). Seats are renumbered: in an observation the viewer is seat 0, the next seat in turn order is
seat 1, and so on.

* `observation_blocks` derives the list of observed numbers from the meanings.
* `bots.observation` uses the list to name the numbers of an observation.
* `observe_function_source` uses the list to generate the source code of a function that copies the numbers. The
  function is compiled like hand-written ones, and no game has to write it.

For the first game of the catalogue, the body of the generated function begins with these lines:

>>> from facedown.core.game_registry import catalogue
>>> for line in observe_function_source(next(iter(catalogue()))).splitlines()[1:7]:
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

from facedown.core.field_meanings import (
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
from facedown.core.rule_dispatch import dispatch_by_record_type
from facedown.core.state import EMPTY, EVERYONE, MAX_SEATS, SPECTATOR, UNKNOWN

#: Number of bits in each number of a compact observation.
WORD = 16
#: Value of the sign bit of a number of a compact observation.
SIGN = 2 ** (WORD - 1)
VIEWERS = MAX_SEATS + 1
INDENT = "    "


@rule
def relative_seat(x: int, viewer: int, seats: int) -> int:
    """Return the number of seat `x` counted from the viewer (the viewer is 0). If `x` is not a seat, return `x`."""
    # Without branches, because the processor could not predict well whether `x` is a seat.
    is_seat = (x >= 0) & (x < seats)
    return x + is_seat * (seats * (x < viewer) - viewer)


def relative_seat_masks(masks: NDArray[np.int64], viewer: int, seats: int) -> NDArray[np.int64]:
    """Return an array of bit masks of seats, with the seats renumbered from the viewer.

    In each of `masks`, the viewer's bit becomes bit 0, the bit of the next seat becomes bit 1, and so on. The
    spectator's bit becomes bit number `seats`, the one after the last seat.
    """
    inside = masks & (1 << seats) - 1
    turned = (inside >> viewer | inside << seats - viewer) & (1 << seats) - 1
    return turned | (masks >> SPECTATOR & 1) << seats


# --- observed fields --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ObservationBlock:
    """Consecutive numbers of an observation that come from one field of a view.

    If the field has numbers for each seat, every seat has a block of its own in the observation, and the blocks of all
    seats are equally long. `observation_blocks` yields only the block of seat 0 for such a field. A layout
    (`bots.observation.ObservationLayout`) has a copy of it for each seat, with another `name` and `first`. The copies
    still have the `numbers` of seat 0; `by_seat` is the offset in the field from one seat's numbers to the next seat's.
    """

    field: str
    """Name of the field of the view."""
    name: str
    """Name of the numbers in the observation.

    If the field has numbers for each seat, the layout of a table appends the seat to this name."""
    meaning: Meaning
    """Meaning of each number."""
    numbers: range | None = None
    """Indexes of the observed numbers in the field. If the field has numbers for each seat, these are the indexes of
    seat 0's numbers. None if the field is a single number."""
    by_seat: int = 0
    """Offset in the field from one seat's numbers to the next seat's; 0 if the field does not have numbers for each
    seat."""
    words: int = 1
    """Number of integers in the observation for one number of the field: 1, or 2 (lower half first) if the number has
    more than 16 bits."""
    only_with_option: tuple[str, str] = ("", "")
    """Option and value that a table must have for the numbers to be observed; empty texts if they always are."""
    first: int = 0
    """Index of the first number in the observation of a table."""

    @property
    def count(self) -> int:
        """Number of 16-bit integers that the block takes in an observation.

        A number of the view takes one integer, or two if it has more than 16 bits. If the field of the view has numbers
        for each seat, every seat has a block of its own, and each of these blocks takes `count` integers.
        """
        return self.words * (1 if self.numbers is None else len(self.numbers))

    @property
    def description(self) -> str:
        """Text that says what the numbers of this block mean, such as "a seat, −1 for none".

        The table that `ObservationLayout.readable_table` returns contains this text.
        """
        halves = ", in two halves of sixteen bits, the lower one first" if self.words > 1 else ""
        match self.meaning:
            case Number(low, high):
                said = f"a number, usually {low} to {high}".replace("-", "−")
            case OneOf(count, low):
                said = f"one of {count} values from {low}; a smaller number means none"
            case Seat(other):
                said = "a seat, −1 for none" + ("; the number of seats or more means no seat" if other else "")
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
    """Yield the blocks of all observed fields of a game's views, in the order of the fields.

    A block has consecutive numbers of an observation that come from one field. Fields with the meaning `Unobserved` are
    left out, with two exceptions:

    * the field `viewer`,
    * fields that are observed only with a certain option (`ObservationBlock.only_with_option`).
    """
    for name, meaning in meanings(game.rules.record).items():
        if name == "viewer":
            yield from _blocks_of_field(game, name, OneOf(VIEWERS), ("", ""))
        elif not isinstance(meaning, Unobserved):
            yield from _blocks_of_field(game, name, meaning, ("", ""))
        elif meaning.unless[0]:
            yield from _blocks_of_field(game, name, ByKind(Bits(2 * WORD)), meaning.unless)


def _blocks_of_field(
    game: GameModule, name: str, meaning: Meaning, only_with_option: tuple[str, str]
) -> Iterator[ObservationBlock]:
    kind = game.dtype[name]
    words = 2 if kind.base.itemsize > WORD // 8 else 1
    match meaning:
        case BySeat(of):
            yield ObservationBlock(name, name, of, range(1), 1, words, only_with_option)
        case BySlot(of, parts):
            for part in parts or slot_groups(game.rules.record):
                yield ObservationBlock(
                    name, f"{name} in the {part.name}", of, part.slots(), part.by_seat, words, only_with_option
                )
        case ByKind(of):
            yield ObservationBlock(name, name, of, range(kind.shape[0]), 0, words, only_with_option)
        case _:
            yield ObservationBlock(name, name, meaning, None, 0, words, only_with_option)


# --- source code ------------------------------------------------------------------------------------------------------


def observe_function_source(game: str) -> str:
    """Return the Python source code of the function ``observe_NAME(s, out, row)``, where NAME is the name of the game.

    The function writes the compact observation of the view `s` to ``out[row]``. This observation has the numbers in all
    fields of the view except those with the meaning `Unobserved` (`core.field_meanings`), as 16-bit integers. Seats are
    counted from the viewer.
    """
    loaded = load_game(game)
    lines = ["seats = max(s.seats, 0)", "me = max(s.viewer if s.viewer < seats else 0, 0)"]
    found = list(observation_blocks(loaded))
    lines += [f"{name} = s.{name}" for name in sorted({one.field for one in found if one.numbers is not None})]
    fixed, a_seat = 0, 0
    later = list[str]()
    for (by_seat, unless), some in groupby(found, lambda one: (one.by_seat > 0, one.only_with_option)):
        together = list(some)
        where = _sum_source(fixed, _product_source(a_seat, "seats"), *later)
        written = _per_seat_block_lines(together, where) if by_seat else _seatless_block_lines(together, where)
        count = sum(one.count for one in together)
        if unless[0]:
            option, value = unless
            number = int(getattr(loaded.info.options_record({option: value}), option))
            asked = f"s.opt.{option} == {number}"
            lines += [f"if {asked}:", *(INDENT + line for line in written)]
            later.append(f"{_product_source(count, 'seats') if by_seat else count} * ({asked})")
            continue
        lines += written
        a_seat += count * by_seat
        fixed += count * (not by_seat)
    return "\n".join([f"def observe_{game}(s, out, row):", *(INDENT + line for line in lines)]) + "\n"


def _sum_source(*terms: int | str) -> str:
    """Return the source code of a Python expression that adds the terms.

    A term is a number, or the source code of an expression whose value is a number. Terms that are 0 or an empty text
    are left out. If no term remains, return "0".
    """
    return " + ".join(str(term) for term in terms if term not in (0, "")) or "0"


def _product_source(factor: int, name: str) -> str:
    """Return the source code of `factor` times the variable `name`, or an empty text if `factor` is 0."""
    return "" if factor == 0 else name if factor == 1 else f"{factor} * {name}"


def _seatless_block_lines(together: list[ObservationBlock], where: str) -> list[str]:
    """Return the source lines that write the numbers of several blocks to ``out[row]``, one block after another.

    * `together`: the blocks. Each has numbers from one field of the view. The field does not have numbers for each
      seat, so `ObservationBlock.by_seat` is 0.
    * `where`: source code of the start index in the row.
    """
    lines = [f"at = {where}"]
    past = 0
    for one in together:
        if one.numbers is None:
            lines += _assignment_lines(one, f"s.{one.field}", _sum_source("at", past))
        else:
            lines += _field_copy_lines(one, str(one.numbers.start), _sum_source("at", past))
        past += one.count
    return lines


def _per_seat_block_lines(together: list[ObservationBlock], where: str) -> list[str]:
    """Return the source lines that write the numbers of several blocks to ``out[row]``, with a loop over the seats.

    * `together`: the blocks. Each has numbers from one field of the view. The field has numbers for every seat, so
      `ObservationBlock.by_seat` is above 0.
    * `where`: source code of the start index in the row.

    The row gets the numbers of the first block for all seats, beginning with the viewer. The numbers of the second
    block for all seats follow, and so on.
    """
    lines = []
    past = 0
    for one in together:
        numbers = cast(range, one.numbers)
        target = _sum_source("at", _product_source(past, "seats"), _product_source(one.count, "away"))
        lines += _field_copy_lines(one, _sum_source(_product_source(one.by_seat, "seat"), numbers.start), target)
        past += one.count
    walk = [*lines, "seat = seat + 1 if seat + 1 < seats else 0"]
    return [f"at = {where}", "seat = me", "for away in range(seats):", *(INDENT + line for line in walk)]


def _field_copy_lines(one: ObservationBlock, first: str, target: str) -> list[str]:
    """Return the source lines that copy the numbers of a block to ``out[row]``.

    * `one`: the block. It names the field of the view, an array, from which the numbers are copied.
    * `first`: source code of the start index in the field.
    * `target`: source code of the start index in the row.
    """
    numbers = cast(range, one.numbers)
    if len(numbers) == 1:
        return _assignment_lines(one, f"{one.field}[{first}]", target)
    # The indices are never negative. With ``max`` the compiler knows this and omits its check for negative indices.
    lines = [f"first = max({first}, 0)", f"there = max({target}, 0)", f"for i in range({len(numbers)}):"]
    number = f"{one.field}[first + {_product_source(numbers.step, 'i')}]"
    return lines + [
        INDENT + line for line in _assignment_lines(one, number, f"there + {_product_source(one.words, 'i')}")
    ]


def _assignment_lines(one: ObservationBlock, number: str, target: str) -> list[str]:
    """Return the source lines that write one number of the view to ``out[row]``.

    The number is written as one 16-bit integer. If it may have more than 16 bits (`ObservationBlock.words` is 2), it is
    written as two: the lower 16 bits, then the upper bits.

    * `one`: the block to which the number belongs. It gives the meaning of the number.
    * `number`: source code of an expression for the number.
    * `target`: source code of the index in the row, for the first integer.

    The lines renumber the seats: the viewer becomes seat 0, the next seat becomes seat 1, and so on. This changes a
    number that means a seat or a set of seats. It also changes a slot (index of a card position) that belongs to a
    seat: the slot becomes the same card position of the renumbered seat.
    """
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
    # The generated code must also run as plain Python, which does not truncate an integer to 16 bits. So it takes the
    # lower 16 bits itself, and converts them to a signed number.
    lower = f"({number} & {2**WORD - 1} ^ {SIGN}) - {SIGN}"
    return [f"out[row, {target}] = {lower}", f"out[row, {target} + 1] = {number} >> {WORD}"]


def _relative_seat_mask_table(most: int) -> NDArray[np.int16]:
    """Return a lookup table for `relative_seat_masks`, for matches with up to `most` seats.

    Entry [seats, viewer, mask] is the bit mask `mask`, rotated so that the viewer's bit becomes bit 0.
    """
    table = np.zeros((most + 1, most, EVERYONE + 1), np.int16)
    for seats in range(1, most + 1):
        for viewer in range(seats):
            table[seats, viewer] = relative_seat_masks(np.arange(EVERYONE + 1), viewer, seats)
    return table


def _relative_slot_table(game: GameModule) -> NDArray[np.int16]:
    """Return an array that maps each slot (index of a card position) to the slot that stands for it in an observation.

    In an observation the viewer is seat 0. So a slot of the viewer becomes the same slot of seat 0, a slot of the next
    seat becomes the same slot of seat 1, and so on. Slots that belong to no seat stay the same. The array is indexed
    [seats, viewer, slot + 1], because the slot −1 means none.
    """
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
def compiled_observe_function(game: str) -> Any:
    """Return the compiled function made from the source code that `observe_function_source` returns for the game."""
    loaded = load_game(game)
    names: dict[str, Any] = {
        "__name__": __name__,
        "seat_seen": relative_seat,
        "wide": to_int64,
        "SEATS_SEEN": _relative_seat_mask_table(loaded.info.seats[1]),
        "SLOTS_SEEN": _relative_slot_table(loaded),
    }
    # The source is generated from declarations in this package, never from user input.
    exec(compile(observe_function_source(game), f"<the observation of {game}>", "exec"), names)  # noqa: S102
    return rule(names[f"observe_{game}"])


#: `observe(view, out, row)`: write the compact observation of a view to ``out[row]``. Before the call, the caller must
#: move the viewer's hand to the first slots (card positions) with `core.rule_dispatch.put_viewer_slots_first`.
observe = dispatch_by_record_type(lambda name, _: compiled_observe_function(name))
