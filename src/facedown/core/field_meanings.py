"""Meanings of the fields of a state or view (a NumPy record), for code that treats records as rows of numbers.

The annotation of a field gives its memory layout. It may add a `Meaning`, which says what the numbers in the field are:
seats, bit masks of seats, indexes of categories, quantities and so on.

The observations for learners (`facedown.bots.observation`) and the documentation of the records are derived from these
meanings. The code of the games' rules does not use them. Example::

    class Coins(Position):
        turn: Annotated[I1, Seat()]
        coins: Annotated[Ints, "i1", (MAX_SEATS,), BySeat(Number(0, 20))]
        card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(3), SlotGroup("hand", 0, 2, by_seat=2))]
        known: Annotated[Ints, "i2", (SLOTS,)]

The fields of this example have these meanings:

* `turn`: a seat.
* `coins`: a quantity from 0 to 20 for each seat.
* `card`: one of three kinds of cards for each slot (card position). The hand of seat 0 is in the slots 0 and 1, the
  hand of seat 1 in the slots 2 and 3, and so on.
* `known`: needs no declared meaning, because it means the same in all games.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

import numpy as np

from facedown.core.state import MAX_SEATS, Nested, Position
from facedown.core.state import Meaning as Meaning


@dataclass(frozen=True, slots=True)
class Number(Meaning):
    """A quantity, such as a count or a score. `low` and `high` bound the usual range; rare values may exceed it."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class OneOf(Meaning):
    """One of `count` unordered categories, numbered from `low`. A number below `low`, such as −1, means none."""

    count: int
    low: int = 0


@dataclass(frozen=True, slots=True)
class Seat(Meaning):
    """A seat number from 0, or −1 for no seat.

    A number that is equal to the number of seats, or greater, is not a seat. The game defines what it means: in a field
    that says who holds a card, for example, that the card was set aside. `other` is how many such numbers there are.
    """

    other: int = 0


@dataclass(frozen=True, slots=True)
class SeatMask(Meaning):
    """Bit mask of viewers: bit i stands for seat i, bit `SPECTATOR` for all spectators."""


@dataclass(frozen=True, slots=True)
class Bits(Meaning):
    """Set of elements as a bit mask: bit i says whether the set contains element i, for i from 0 to ``count - 1``."""

    count: int


@dataclass(frozen=True, slots=True)
class SlotNumber(Meaning):
    """Index of a card position (slot) in the array `card` of a state or view, or −1 for none."""


@dataclass(frozen=True, slots=True)
class Card(Meaning):
    """Content of a slot (card position): `EMPTY`, `UNKNOWN`, or a kind of card from 0 to ``kinds - 1``.

    A kind is a number that equal cards share; `kinds` is the number of kinds.
    """

    kinds: int


@dataclass(frozen=True, slots=True)
class BySeat(Meaning):
    """Array with one entry per seat. `of` says what one entry means, for example ``Number(0, 20)`` for a quantity."""

    of: Meaning


@dataclass(frozen=True, slots=True)
class SlotGroup:
    """A named group of slots (card positions), such as a hand.

    * The group has `count` slots: ``first + step * i`` for i from 0 to ``count - 1``.
    * If every seat has such a group, these are the slots of seat 0. Those of seat n are greater by ``by_seat * n``.
    * If there is only one such group, `by_seat` is 0.
    """

    name: str
    first: int
    count: int
    by_seat: int = 0
    step: int = 1

    def slots(self, seat: int = 0) -> range:
        """Return the slots of the group, as indexes into the array `card` of a state or view.

        If each seat has a group of this name, return those of `seat`.
        """
        first = self.first + self.by_seat * seat
        return range(first, first + self.step * self.count, self.step)


@dataclass(frozen=True, slots=True, init=False)
class BySlot(Meaning):
    """Array with one entry per slot (card position). `of` says what one entry means, for example ``SeatMask()``.

    `parts` are the named groups of slots, such as the hands. If `parts` is empty, the array has the same groups as the
    field ``card`` of the same record.
    """

    of: Meaning
    parts: tuple[SlotGroup, ...]

    def __init__(self, of: Meaning, *parts: SlotGroup) -> None:
        object.__setattr__(self, "of", of)
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True, slots=True)
class ByKind(Meaning):
    """Array that is indexed by the kind of a card, or by anything else except seats and slots (card positions).

    `of` says what one entry means, for example ``Number(0, 4)`` for a quantity. A chronological list is declared with
    this class, too. Arrays that are indexed by seat or slot are declared with `BySeat` or `BySlot`.
    """

    of: Meaning


@dataclass(frozen=True, slots=True)
class Unobserved(Meaning):
    """Mark in the annotation of a field: learning programs do not get this field in their observations.

    `because` is the reason, in words.
    """

    because: str
    unless: tuple[str, str] = ("", "")
    """Name of a game option and one of its values; both empty if there is no exception. In matches with this value, the
    field is observed after all. It must be an array, and each bit of its numbers is observed."""


#: Meanings of the fields that the states and views of every game have (`core.state.Position`).
_COMMON_FIELDS: dict[str, Meaning] = {
    "key": Unobserved("it is secret"),
    "stream": Unobserved("it says how many shuffles there were, and nothing else"),
    "viewer": Unobserved("an observation is that of its viewer, who is seat 0 in it"),
    "seats": Unobserved("it is the same as long as the table stands"),
    "acting": SeatMask(),
    "over": OneOf(3),
    "sealed": BySeat(Number(-2, 1000)),
    "known": BySlot(SeatMask()),
}


def meanings(declaration: type[Position]) -> dict[str, Meaning]:
    """Return what the fields of a game's states and views mean: field name → `Meaning`, in order of declaration.

    `declaration` is the class that declares these fields. A field whose annotation has no `Meaning` gets a default:

    * A field that all games have, such as ``acting``, has one default for all games.
    * The array ``card`` has the kind of card in each slot (card position). All slots form one group, called "slot".
    * The record of the options is left out of the observations for learners (`Unobserved`).
    * Any other single number is a quantity (`Number`).
    * Any other array has a quantity for each seat (`BySeat`) if its length is `MAX_SEATS`. Otherwise it has quantities
      that are not assigned to seats or slots (`ByKind`).
    """
    hints = get_type_hints(declaration, include_extras=True)
    found: dict[str, Meaning] = {}
    for name in (n for c in reversed(declaration.__mro__) for n in c.__dict__.get("__annotations__", {})):
        hint = hints[name]
        if get_origin(hint) is ClassVar:
            continue
        if isinstance(hint, type) and issubclass(hint, Nested):
            found[name] = Unobserved("options are the same as long as the table stands")
            continue
        _, *more = get_args(hint)
        said = next((one for one in more if isinstance(one, Meaning)), _COMMON_FIELDS.get(name))
        found[name] = said if said is not None else _default_meaning(name, more)
    return found


def fields_without_meaning(declaration: type[Position]) -> list[str]:
    """Return the names of the fields whose annotation has no `Meaning`, with three exceptions.

    By default, such a field counts as a quantity or an array of quantities (`meanings`), which may be wrong. The
    exceptions have correct defaults: the options, the field ``card``, and the fields that mean the same in all games.

    `declaration` is the class that declares the fields of a game's states and views.
    """
    layouts = {name: get_args(hint) for name, hint in get_type_hints(declaration, include_extras=True).items()}
    fields = [name for name in meanings(declaration) if name not in _COMMON_FIELDS and name != "card"]
    return [name for name in fields if layouts[name] and not any(isinstance(one, Meaning) for one in layouts[name])]


def _default_meaning(name: str, layout: list[Any]) -> Meaning:
    bounds = np.iinfo(layout[0])
    number = Number(int(bounds.min), int(bounds.max))
    if name == "card":
        return BySlot(Card(int(bounds.max) - 1), SlotGroup("slot", 0, layout[1][0]))
    if len(layout) == 1:
        return number
    return BySeat(number) if layout[1][0] == MAX_SEATS else ByKind(number)


def slot_groups(declaration: type[Position]) -> tuple[SlotGroup, ...]:
    """Return the named groups of slots (card positions) in a game's states and views, such as the hands.

    `declaration` is the class that declares the fields of the states and views. The result depends on the `Meaning` in
    the annotation of the field ``card``:

    * `BySlot`, a subclass of `Meaning`: return the groups that it declares.
    * No `Meaning`: all slots form one group, called "slot".
    * Any other `Meaning`: raise `TypeError`.
    """
    said = meanings(declaration)["card"]
    if not isinstance(said, BySlot):
        raise TypeError(f"{declaration.__name__}.card has no slots")
    return said.parts
