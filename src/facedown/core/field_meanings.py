"""Meanings of the fields of a state or view (a NumPy record), for code that treats records as rows of numbers.

The annotation of a field gives its memory layout. It may add a `Meaning`, which says what the numbers in the field are:
seats, bit masks of seats, indexes of categories, quantities and so on.

The program derives from meanings the observations for learners (`facedown.bots.observation`) and the documentation of
the records. The code of the games' rules does not use them. Example::

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
    """A seat, or −1 for none.

    A value from the number of seats on is no seat, and has a special meaning that the game defines. For example, in the
    field that says who holds a card, it may mean that the card was set aside. `other` is the number of such values.
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
    """Array with one entry per seat. `of` is the meaning of an entry."""

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
    """Array with one entry per slot (card position). `of` is the meaning of an entry.

    `parts` are the named groups of slots. If it is empty, the groups that the field ``card`` declares apply.
    """

    of: Meaning
    parts: tuple[SlotGroup, ...]

    def __init__(self, of: Meaning, *parts: SlotGroup) -> None:
        object.__setattr__(self, "of", of)
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True, slots=True)
class ByKind(Meaning):
    """Array with one entry per kind of card, or with another index. `of` is the meaning of an entry.

    All arrays are declared with this class, such as a list in order of time, except arrays by seat and by slot (card
    position), which have the classes `BySeat` and `BySlot`.
    """

    of: Meaning


@dataclass(frozen=True, slots=True)
class Unobserved(Meaning):
    """A field that learners do not observe, and the reason."""

    because: str
    unless: tuple[str, str] = ("", "")
    """Name of a game option and one of its values. With this value, learners observe the field after all, as plain
    numbers."""


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
    """Return the meaning of each field that a game's class of states and views declares, in the order of the fields.

    A field without a declared meaning is taken as a `Number`, or as an array of them: by seat if its length is
    `MAX_SEATS`, else by kind of card.
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
    """Return the names of the fields for which `declaration` declares no meaning; they are taken as plain numbers."""
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
    """Return the groups of slots (card positions) that the field ``card`` of `declaration` declares with `BySlot`.

    Raise `TypeError` if the field is annotated with another meaning.
    """
    said = meanings(declaration)["card"]
    if not isinstance(said, BySlot):
        raise TypeError(f"{declaration.__name__}.card has no slots")
    return said.parts
