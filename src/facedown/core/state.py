"""The state record: one declaration gives the NumPy layout and the types that a checker knows.

Every game declares ``class TheirGame(Position)`` with its own public fields and its slots; `layout` makes the
aligned structured dtype. A state is a value: fixed size, no pointers; copying it is a memory copy, its bytes are its
save format, an array of it is a batch.
"""

from __future__ import annotations

import operator
import re
from collections import namedtuple
from collections.abc import Callable, Hashable, Iterator
from functools import cache, lru_cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Protocol,
    SupportsIndex,
    TypeVar,
    cast,
    get_origin,
    get_type_hints,
    overload,
)

import numpy as np
from numpy.typing import NDArray

MAX_SEATS = 8
#: The viewer who knows only what is public.
SPECTATOR = 8
#: `viewer` of a true state (not a view).
NOBODY = -1
#: A mask of all seats and the spectator: public knowledge.
EVERYONE = 0x1FF

#: In `card`: no card lies in this slot. It is above every kind of card.
EMPTY = 126
#: In `card`: a card lies there that the viewer does not know (views only).
UNKNOWN = 127

#: In `sealed`: no choice yet; or (views only) a choice is made that the viewer may not know.
OPEN = -1
COMMITTED = -2

#: In `over`: the match goes on; it has a result; it was given up at the engine's guard and nobody wins.
RUNNING = 0
DECIDED = 1
ABANDONED = 2

N = TypeVar("N")

I1 = Annotated[int, "i1"]
I2 = Annotated[int, "i2"]
I4 = Annotated[int, "i4"]


class Numbers(Protocol[N]):
    """A row of numbers in a record: read and written by place, and no number of it is a NumPy scalar."""

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> N: ...

    @overload
    def __getitem__(self, at: slice, /) -> Numbers[N]: ...

    def __setitem__(self, at: SupportsIndex | slice, number: N, /) -> None: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[N]: ...

    def copy(self) -> Numbers[N]:
        """An independent row of the same numbers."""


Ints = Numbers[int]
Floats = Numbers[float]


class Meaning:
    """What the numbers of a field are (`core.field_types`): stands in its annotation, and is no part of the layout."""

    __slots__ = ()


class Nested:
    """A record inside another, in a field named by its annotation: a game's options in every position of it."""

    DTYPE: ClassVar[np.dtype[Any]]
    """Its layout, with the fields as attributes; set by `set_nested_dtype`."""


#: The layout of a number in a nested record, unless an annotation says otherwise.
NESTED_NUMBER = "i2"
#: So many views are kept opened: each is read for the log and the page after a move, and for the log of the next.
PLAIN_VIEW_CACHE_SIZE = 4096
#: Bytes of a word of the key.
KEY_WORD_BYTES = 4


class Position:
    """A state or a view of one: the fields that every game's record has. A game's own class adds its fields.

    Rules read positions: what is legal for a seat follows from its own view as it does from the state.
    """

    key: Annotated[NDArray[np.uint32], "u4", (8,)]
    """The 256-bit key of every shuffle. Secret; zero in a view."""
    stream: I4
    """How many independent streams of the key were used up (public)."""
    viewer: I1
    """Whose view this is: a seat, `SPECTATOR`, or `NOBODY` for the state itself."""
    seats: I1
    """How many seats the table has."""
    acting: I2
    """A bit for each seat that is to act."""
    over: I1
    """0 while the match goes on; 1 when it has a result; 2 when it was given up and nobody wins."""
    sealed: Annotated[Ints, "i2", (MAX_SEATS,)]
    """A sealed choice of each seat, until all have chosen. Secret; `COMMITTED` in others' views."""
    if TYPE_CHECKING:
        # Each game declares them with as many slots as it has.
        card: Ints
        """The kind of the card in each slot, or `EMPTY`; in views also `UNKNOWN`."""
        known: Ints
        """Who knows the card in each slot: a bit for each seat and for `SPECTATOR`."""


class State(Position):
    """A position with every secret in it. Nothing above `core` that shows, tells or chooses may be handed one."""


class View(Position):
    """A position as one viewer knows it or may look at it. Only `core.hidden_cards.known_view` and `look` make one."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """A field of the game's own record; `record` gives it its declared type, and refuses what is no field."""


def type_mark(declaration: type[Any]) -> str:
    """The name of the field that makes a game's record type its own."""
    return _mark(f"{declaration.__module__}_{declaration.__qualname__}")


@cache
def _mark(name: str) -> str:
    return "of_" + re.sub(r"\W", "_", name)


def layout(declaration: type[Position]) -> np.dtype[Any]:
    """The aligned dtype of a declared position, in order of declaration, base classes first.

    A declared position has ``card`` and ``known`` (a face and a mask of who knows it, for each slot). The first field
    of the layout, always 0, is named for the game: rules are found by the type of the record, and games may declare
    alike. Every number is signed, so that compiled sums of fields neither wrap nor become floats.
    `TypeError` names what a declaration lacks, or a field that must be called otherwise.
    """
    return _layout(cast(Hashable, declaration))


@cache
def _layout(declaration: Any) -> np.dtype[Any]:
    """Lay a declared position out, once: pickle finds the type of a record at its declaration."""
    fields: list[tuple[Any, ...]] = [(type_mark(declaration), "i1"), *_fields(declaration)]
    have = {f[0] for f in fields}
    if not {"card", "known"} <= have:
        raise TypeError(f"{declaration.__name__} needs card and known")
    return _with_attributes(declaration, np.dtype(fields, align=True))


def _fields(declaration: type[Any]) -> Iterator[tuple[Any, ...]]:
    """Name and layout of each declared field."""
    hints = get_type_hints(declaration, include_extras=True)
    for name in (n for c in reversed(declaration.__mro__) for n in c.__dict__.get("__annotations__", {})):
        kind = hints[name]
        if get_origin(kind) is ClassVar:
            continue
        if hasattr(np.record, name):
            raise TypeError(f"{declaration.__name__}: NumPy's records have attributes named {name}")
        if get_origin(kind) is Annotated:
            yield (name, *(one for one in kind.__metadata__ if not isinstance(one, Meaning)))
        elif isinstance(kind, type) and issubclass(kind, Nested):
            yield name, np.dtype((np.void, kind.DTYPE))
        elif issubclass(declaration, Nested):
            yield name, NESTED_NUMBER
        else:
            raise TypeError(f"{declaration.__name__}.{name} needs an Annotated layout")


def set_nested_dtype(declaration: type[Nested]) -> None:
    """Give a nested record its layout; one without fields gets one that nobody reads."""
    inside = np.dtype(list(_fields(declaration)) or [("nothing", NESTED_NUMBER)], align=True)
    declaration.DTYPE = _with_attributes(declaration, inside)


class Row(np.ndarray[Any, Any]):
    """The numbers of a field as Python's own: NumPy's narrow ones wrap, and a rule run as plain Python must not."""

    __slots__ = ()

    def __getitem__(self, at: Any) -> Any:
        """A number, or a part of the row."""
        found = super().__getitem__(at)
        return found.item() if isinstance(found, np.generic) else found

    def __iter__(self) -> Iterator[Any]:
        """The numbers, or the rows of a field with two dimensions."""
        return iter(self.tolist()) if self.ndim == 1 else super().__iter__()


def _with_attributes(declaration: type[Any], plain: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout, whose records have their fields as attributes, and numbers in them as Python's own.

    `numpy.record` has attributes, too, but looks each one up in Python: it is four times as slow to read.
    """
    hints = get_type_hints(declaration)
    fields = {name: property(_getter(name, plain[name], hints.get(name)), _setter(name)) for name in plain.names or ()}
    doc = f"A record of {declaration.__module__}."
    kind = type("Record", (np.void,), {"__slots__": (), "__doc__": doc, "__repr__": format_record, **fields})
    # It is found there by whoever copies a record to another process.
    kind.__module__, kind.__qualname__ = declaration.__module__, f"{declaration.__qualname__}.Record"
    declaration.Record = kind
    return np.dtype((kind, plain))


def _getter(name: str, kind: np.dtype[Any], declared: Any) -> Callable[[Any], Any]:
    take = operator.itemgetter(name)
    if kind.names:
        # Inside the record it has no class of its own: the compiler would not know its alignment.
        return lambda record: take(record).view(declared.DTYPE)
    if kind.subdtype is not None:
        # A key is made of words of 32 bits, for arithmetic that wraps: it stays NumPy's.
        is_key = kind.subdtype[0].kind == "u" and kind.subdtype[0].itemsize == KEY_WORD_BYTES
        return take if is_key else lambda record: take(record).view(Row)
    return lambda record: take(record).item()


def _setter(name: str) -> Callable[[Any, Any], None]:
    return lambda record, value: operator.setitem(record, name, value)


def format_record(record: Any) -> str:
    """A record to be read by people: its fields and what stands in them, one a line. It hides nothing.

    A view has nothing to hide; whoever prints a state sees all of it.
    """
    fields = {name: value for name, value in plain_fields(record).items() if not name.startswith("of_")}
    return "\n".join([type(record).__qualname__, *(f"  {name}: {value}" for name, value in fields.items())])


# --- values -----------------------------------------------------------------------------------------------------------


def blank(dtype: np.dtype[Any]) -> Any:
    """A new zeroed record."""
    return np.zeros(1, dtype)[0]


P = TypeVar("P", bound=Position)
Q = TypeVar("Q", bound=Position)


def copy(position: P) -> P:
    """An independent copy of a record."""
    # Zeroed first, so that padding bytes are equal in equal states.
    record: Any = position
    out = np.zeros(1, record.dtype)
    out[0] = record
    same: P = out[0]
    return same


def to_bytes(position: Position) -> bytes:
    """The save format of a record."""
    record: Any = position
    return bytes(record.tobytes())


def plain_fields(record: Any) -> dict[str, Any]:
    """The fields of a record as Python numbers and lists, by name; those of a record inside it as another mapping."""
    kind = record.dtype
    return {name: plain_fields(record[name]) if kind[name].names else record[name].tolist() for name in kind.names}


def plain_view(view: View, declaration: type[Q]) -> Q:
    """A view as a plain object with the fields of the game's own declaration: Python numbers and tuples of them.

    Whoever draws a table reads thousands of them; a record makes each anew. It cannot be changed: the logs and pages
    that are made of equal views share it. Rules cannot be called with it: they take the view itself (`record`). Raises
    `TypeError` for the view of another game.
    """
    known: Any = record(view, declaration)
    plain: Any = _cached_plain_view(known.dtype, to_bytes(view))
    found: Q = plain
    return found


@lru_cache(PLAIN_VIEW_CACHE_SIZE)
def _cached_plain_view(kind: np.dtype[Any], view: bytes) -> Any:
    return _to_named_tuple(kind, np.frombuffer(view, kind)[0].item())


def _to_named_tuple(kind: np.dtype[Any], values: Any) -> Any:
    """The values of a record's fields as a named tuple, rows in it as tuples."""
    if kind.names:
        return _named_tuple_type(kind)._make([_to_named_tuple(kind[at], value) for at, value in enumerate(values)])
    if kind.shape:
        return tuple(values.tolist()) if len(kind.shape) == 1 else tuple(map(tuple, values.tolist()))
    return values


@cache
def _named_tuple_type(kind: np.dtype[Any]) -> Any:
    make: Any = namedtuple
    return make("OpenView", kind.names)


def record(position: Position, declaration: type[Q]) -> Q:
    """The same record, known to be one of the game's own: what its rules take. Raises `TypeError` if it is not."""
    found: Any = position
    if found.dtype.names[0] != type_mark(declaration):
        raise TypeError(f"this is no record of {declaration.__module__}.{declaration.__qualname__}")
    same: Q = found
    return same
