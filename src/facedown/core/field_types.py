"""What the numbers of a record mean: declared beside each field, for whoever reads records as rows of numbers.

A record's field is declared with its layout; a `Meaning` beside it says what its numbers are: a seat, a mask of seats,
one of so many things, a count. Observations of learners (`facedown.bots.observation`) and the records'
documentation are made of nothing else. Rules do not read meanings::

    class Coins(Position):
        turn: Annotated[I1, Seat()]
        coins: Annotated[Ints, "i1", (MAX_SEATS,), BySeat(Number(0, 20))]
        card: Annotated[Ints, "i1", (SLOTS,), BySlot(Card(3), Part("hand", 0, 2, by_seat=2))]
        known: Annotated[Ints, "i2", (SLOTS,)]

"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

import numpy as np

from facedown.core.state import MAX_SEATS, Nested, Position
from facedown.core.state import Meaning as Meaning


@dataclass(frozen=True, slots=True)
class Number(Meaning):
    """A number of its own: a count, a score. The bounds are those that matter; a rare one may lie beyond."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class OneOf(Meaning):
    """One of `count` things that have no order, numbered from `low`; below it (−1) there is none."""

    count: int
    low: int = 0


@dataclass(frozen=True, slots=True)
class Seat(Meaning):
    """A seat, or −1 for none; numbers from the table's seats on mean `other` things that are no seats."""

    other: int = 0


@dataclass(frozen=True, slots=True)
class SeatMask(Meaning):
    """A mask of seats (and of the spectator)."""


@dataclass(frozen=True, slots=True)
class Bits(Meaning):
    """A set of `count` things: a bit for each, the lowest for the first."""

    count: int


@dataclass(frozen=True, slots=True)
class SlotNumber(Meaning):
    """A slot of the record, or −1 for none."""


@dataclass(frozen=True, slots=True)
class Card(Meaning):
    """A kind of card, of so many; or `EMPTY`, or `UNKNOWN`."""

    kinds: int


@dataclass(frozen=True, slots=True)
class BySeat(Meaning):
    """A row with a number for each seat."""

    of: Meaning


@dataclass(frozen=True, slots=True)
class SlotGroup:
    """A part of the slots: `count` of them from `first` on, `step` apart.

    Where every seat has such a part, the next seat's begins `by_seat` slots further on.
    """

    name: str
    first: int
    count: int
    by_seat: int = 0
    step: int = 1

    def slots(self, seat: int = 0) -> range:
        """The slots of the part, of that seat's where every seat has one."""
        first = self.first + self.by_seat * seat
        return range(first, first + self.step * self.count, self.step)


@dataclass(frozen=True, slots=True, init=False)
class BySlot(Meaning):
    """A row with a number for each slot, in its parts. Where none are named, they are those of the field ``card``."""

    of: Meaning
    parts: tuple[SlotGroup, ...]

    def __init__(self, of: Meaning, *parts: SlotGroup) -> None:
        object.__setattr__(self, "of", of)
        object.__setattr__(self, "parts", parts)


@dataclass(frozen=True, slots=True)
class ByKind(Meaning):
    """A row with a number for each kind of card, or for anything else that is the same to all seats."""

    of: Meaning


@dataclass(frozen=True, slots=True)
class Unobserved(Meaning):
    """A field that a learner is not shown, and why."""

    because: str
    unless: tuple[str, str] = ("", "")
    """The option and its value with which it is shown all the same, as it stands."""


#: What every record has (`core.state.Position`).
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
    """The meaning of each field of a declared record, in the order of the record.

    What is declared without one is taken for numbers of its layout; a row of `MAX_SEATS` for one by seat.
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
    """The fields of a declared record that are taken for plain numbers because they declare no meaning."""
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
    """The parts of the slots of a declared record; `TypeError` if it declares none."""
    said = meanings(declaration)["card"]
    if not isinstance(said, BySlot):
        raise TypeError(f"{declaration.__name__}.card has no slots")
    return said.parts
