"""State records: one class declaration gives both the NumPy layout and the types for a type checker.

Each game declares ``class TheirGame(Position)`` with its public fields, and with arrays that have one element for each
slot (place where a card can be). The function `layout` makes the aligned structured dtype.

A state has a fixed size and no pointers. So a copy of its memory is an independent copy, and its bytes are its save
format. One NumPy array can hold many states to process together.
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
#: Viewer number of a spectator, who knows only what is public.
SPECTATOR = 8
#: Value of `viewer` in a state, as opposed to a view.
NOBODY = -1
#: Bit mask of all seats and the spectator: value in `known` of a card that is public.
EVERYONE = 0x1FF

#: Value in `card` of an empty slot; it is larger than every kind of card.
EMPTY = 126
#: Value in `card` of a card that the viewer does not know. Only views have it.
UNKNOWN = 127

#: Values in `sealed` (choices that stay secret until all seats have chosen): `OPEN` before a seat has chosen,
#: `COMMITTED` for a choice that the viewer may not know. Only views have `COMMITTED`.
OPEN = -1
COMMITTED = -2

#: Values in `over`: the match is running, has a result, or was ended without a winner because it went on for too long.
RUNNING = 0
DECIDED = 1
ABANDONED = 2

N = TypeVar("N")

I1 = Annotated[int, "i1"]
I2 = Annotated[int, "i2"]
I4 = Annotated[int, "i4"]


class Numbers(Protocol[N]):
    """Type of an array field of a record, for type checkers only. Reading an element gives a Python number.

    At run time such a field is a `Row`.
    """

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> N: ...

    @overload
    def __getitem__(self, at: slice, /) -> Numbers[N]: ...

    def __setitem__(self, at: SupportsIndex | slice, number: N, /) -> None: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[N]: ...

    def copy(self) -> Numbers[N]:
        """Return an independent copy of the array."""


Ints = Numbers[int]
Floats = Numbers[float]


class Meaning:
    """Base class for annotations of record fields that say what the numbers in a field stand for.

    Examples are a seat and a bit mask of seats (`core.field_meanings`). These annotations do not affect the memory
    layout.
    """

    __slots__ = ()


class Nested:
    """A record that is a field of another record. For example, positions contain a record of the game's options."""

    DTYPE: ClassVar[np.dtype[Any]]
    """NumPy dtype of the nested record; its fields are also attributes. `set_nested_dtype` sets it."""


#: NumPy type of a number in a nested record, if its annotation does not give one.
NESTED_NUMBER = "i2"
#: Number of results of `plain_view` in its cache. Each view is used for the log and the page after a move, and for the
#: log of the next move.
PLAIN_VIEW_CACHE_SIZE = 4096
#: Size of one of the eight words of the shuffle key (`Position.key`), in bytes.
KEY_WORD_BYTES = 4


class Position:
    """A state (position with all secrets) or a view (the part that one viewer knows).

    Each game adds fields in its own subclass. Compiled functions of the rules take a state or a view. For example, the
    legal actions of a seat are the same for the state and for the seat's own view.
    """

    key: Annotated[NDArray[np.uint32], "u4", (8,)]
    """The 256-bit key of every shuffle. Secret; all zero in a view."""
    stream: I4
    """Number of random streams of the key used so far: one for each shuffle and each random choice. Public."""
    viewer: I1
    """Seat of the viewer, or `SPECTATOR`; `NOBODY` in a state."""
    seats: I1
    """Number of seats at the table."""
    acting: I2
    """Bit mask of the seats that are to act."""
    over: I1
    """0 while the match is running; 1 when it has a result; 2 when it was abandoned without a winner."""
    sealed: Annotated[Ints, "i2", (MAX_SEATS,)]
    """Action that each seat has chosen in secret, until all have chosen; `OPEN` if none. In the views of others it is
    `COMMITTED`."""
    if TYPE_CHECKING:
        # Each game declares these two fields itself, with its own number of slots.
        card: Ints
        """The kind of the card in each slot, or `EMPTY`; in views also `UNKNOWN`."""
        known: Ints
        """For each slot, a bit mask of the viewers who know the card there: a bit for each seat and for `SPECTATOR`."""


class State(Position):
    """A position with all hidden information, such as hidden cards and secret choices.

    Some code outside `core` must never receive a state: code that displays or logs positions, and code that chooses
    moves. Such code receives a `View`.
    """


class View(Position):
    """Position that contains only what one viewer knows. Only `core.hidden_cards` makes a view from a state.

    There are two kinds of views, named after the functions that make them:

    * `known_view`: all that the viewer has seen so far.
    * `shown_view`: what is visible to the viewer at this moment. It leaves out the cards that the viewer saw earlier
      and has to remember.
    """

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Let type checkers accept the fields of the game's own record.

            The function `cast_record` gives them their declared types.
            """


def marker_field_name(declaration: type[Any]) -> str:
    """Return the name of the first field of a game's record type, by which the game of a record is recognised.

    The name is made of the module and the name of `declaration`, the class that declares the record type. So no other
    game has a field of this name.
    """
    return _cached_marker_field_name(f"{declaration.__module__}_{declaration.__qualname__}")


@cache
def _cached_marker_field_name(name: str) -> str:
    return "of_" + re.sub(r"\W", "_", name)


def layout(declaration: type[Position]) -> np.dtype[Any]:
    """Return the aligned dtype of a game's position class: its fields in order of declaration, base classes first.

    The class must declare two arrays with one element for each slot (place where a card can be):

    * ``card``: the kind of the card in the slot. A kind is a number that all equal cards share.
    * ``known``: the bit mask of the viewers who know this card.

    The dtype begins with an extra field that is always 0 and named after the game. So the dtypes of two games differ
    even if they declare the same fields, and the program can find the game of a record by its dtype.

    All fields except the shuffle key are signed integers, so that sums in compiled code neither overflow nor become
    floats. Raises `TypeError` for a missing field or an invalid field name.
    """
    return _layout(cast(Hashable, declaration))


@cache
def _layout(declaration: Any) -> np.dtype[Any]:
    """Return the dtype of a position class, as `layout` describes.

    The result is cached because every call would make a new class of records. `pickle` finds the class by name, so it
    would refuse records of any class but the newest.
    """
    fields: list[tuple[Any, ...]] = [(marker_field_name(declaration), "i1"), *_fields(declaration)]
    have = {f[0] for f in fields}
    if not {"card", "known"} <= have:
        raise TypeError(f"{declaration.__name__} must declare card and known")
    return _with_attributes(declaration, np.dtype(fields, align=True))


def _fields(declaration: type[Any]) -> Iterator[tuple[Any, ...]]:
    """Yield a NumPy field description, such as (name, type, shape), for each declared field."""
    hints = get_type_hints(declaration, include_extras=True)
    for name in (n for c in reversed(declaration.__mro__) for n in c.__dict__.get("__annotations__", {})):
        kind = hints[name]
        if get_origin(kind) is ClassVar:
            continue
        if hasattr(np.record, name):
            raise TypeError(f"{declaration.__name__}.{name}: NumPy's records reserve this name")
        if get_origin(kind) is Annotated:
            yield (name, *(one for one in kind.__metadata__ if not isinstance(one, Meaning)))
        elif isinstance(kind, type) and issubclass(kind, Nested):
            yield name, np.dtype((np.void, kind.DTYPE))
        elif issubclass(declaration, Nested):
            yield name, NESTED_NUMBER
        else:
            raise TypeError(f"{declaration.__name__}.{name} needs an Annotated layout")


def set_nested_dtype(declaration: type[Nested]) -> None:
    """Set the dtype of a nested record. A declaration without fields gets one unused field, since a dtype cannot be
    empty.
    """
    inside = np.dtype(list(_fields(declaration)) or [("nothing", NESTED_NUMBER)], align=True)
    declaration.DTYPE = _with_attributes(declaration, inside)


class Row(np.ndarray[Any, Any]):
    """NumPy array that is the value of an array field of a record. Reading an element gives a Python number.

    A plain NumPy array would return narrow NumPy integers, which can overflow in a sum. Python numbers cannot overflow.
    This matters when a function marked with `@rule` runs as plain Python. Compiled code computes with 64 bits.
    """

    __slots__ = ()

    def __getitem__(self, at: Any) -> Any:
        """Return an element as a Python number, or a slice as an array."""
        found = super().__getitem__(at)
        return found.item() if isinstance(found, np.generic) else found

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the array: yield Python numbers if it is one-dimensional, rows if it is two-dimensional."""
        return iter(self.tolist()) if self.ndim == 1 else super().__iter__()


def _with_attributes(declaration: type[Any], plain: np.dtype[Any]) -> np.dtype[Any]:
    """Make a class of records with attributes for the fields; return a dtype like `plain` with records of this class.

    `declaration` is the class that declares the fields. The new class is also stored as ``declaration.Record``. Reading
    an attribute gives a Python number, or a `Row` for an array.

    NumPy's own class `numpy.record` has attributes for fields, too. But it looks up each of them in Python code, which
    makes reads four times slower.
    """
    hints = get_type_hints(declaration)
    fields = {name: property(_getter(name, plain[name], hints.get(name)), _setter(name)) for name in plain.names or ()}
    doc = f"A record of {declaration.__module__}."
    kind = type("Record", (np.void,), {"__slots__": (), "__doc__": doc, "__repr__": format_record, **fields})
    # `pickle` looks the record class up under this name when a record is copied to another process.
    kind.__module__, kind.__qualname__ = declaration.__module__, f"{declaration.__qualname__}.Record"
    declaration.Record = kind
    return np.dtype((kind, plain))


def _getter(name: str, kind: np.dtype[Any], declared: Any) -> Callable[[Any], Any]:
    take = operator.itemgetter(name)
    if kind.names:
        # Numba does not know the alignment of a record class nested in another, so the class is applied on access
        # instead.
        return lambda record: take(record).view(declared.DTYPE)
    if kind.subdtype is not None:
        # The shuffle key is the only field of unsigned 32-bit words. Sums of such words must wrap around, so this field
        # stays a NumPy array.
        is_key = kind.subdtype[0].kind == "u" and kind.subdtype[0].itemsize == KEY_WORD_BYTES
        return take if is_key else lambda record: take(record).view(Row)
    return lambda record: take(record).item()


def _setter(name: str) -> Callable[[Any, Any], None]:
    return lambda record, value: operator.setitem(record, name, value)


def format_record(record: Any) -> str:
    """Return a record as readable text, one field per line. Nothing is hidden: the text of a state has all secrets."""
    fields = {name: value for name, value in plain_fields(record).items() if not name.startswith("of_")}
    return "\n".join([type(record).__qualname__, *(f"  {name}: {value}" for name, value in fields.items())])


# --- values -----------------------------------------------------------------------------------------------------------


def blank(dtype: np.dtype[Any]) -> Any:
    """Return a new record with all fields zero."""
    return np.zeros(1, dtype)[0]


P = TypeVar("P", bound=Position)
Q = TypeVar("Q", bound=Position)


def copy(position: P) -> P:
    """Return an independent copy of a state or view.

    The padding bytes of the copy are 0. So the copies of equal positions have equal bytes.
    """
    # Starting from zeros makes the padding bytes of equal states equal.
    record: Any = position
    out = np.zeros(1, record.dtype)
    out[0] = record
    same: P = out[0]
    return same


def to_bytes(position: Position) -> bytes:
    """Return a state or view as bytes: the memory of its NumPy record. States are saved in this format."""
    record: Any = position
    return bytes(record.tobytes())


def plain_fields(record: Any) -> dict[str, Any]:
    """Return the fields of a record by name, as Python numbers and lists; a nested record becomes a nested mapping."""
    kind = record.dtype
    return {name: plain_fields(record[name]) if kind[name].names else record[name].tolist() for name in kind.names}


def plain_view(view: View, declaration: type[Q]) -> Q:
    """Return a copy of a view as a named tuple with the same fields. It contains Python numbers and tuples of numbers.

    `declaration` is the class that declares the fields of the game's states and views. Raises `TypeError` if `view`
    belongs to another game.

    Drawing a table reads thousands of fields. The named tuple makes that fast, because a NumPy record must convert a
    field to Python numbers each time it is read. Equal views share one named tuple. Compiled functions do not accept a
    named tuple, so call them with the view itself.
    """
    known: Any = cast_record(view, declaration)
    plain: Any = _cached_plain_view(known.dtype, to_bytes(view))
    found: Q = plain
    return found


@lru_cache(PLAIN_VIEW_CACHE_SIZE)
def _cached_plain_view(kind: np.dtype[Any], view: bytes) -> Any:
    return _to_named_tuple(kind, np.frombuffer(view, kind)[0].item())


def _to_named_tuple(kind: np.dtype[Any], values: Any) -> Any:
    """Return `values`, which was read from a NumPy record, as an immutable Python object. `kind` is its NumPy type.

    * A record becomes a named tuple. Each of its fields is converted in the same way.
    * An array becomes a tuple of numbers, or of tuples if it has two dimensions.
    * A number is returned unchanged.
    """
    if kind.names:
        return _named_tuple_type(kind)._make([_to_named_tuple(kind[at], value) for at, value in enumerate(values)])
    if kind.shape:
        return tuple(values.tolist()) if len(kind.shape) == 1 else tuple(map(tuple, values.tolist()))
    return values


@cache
def _named_tuple_type(kind: np.dtype[Any]) -> Any:
    make: Any = namedtuple
    return make("OpenView", kind.names)


def cast_record(position: Position, declaration: type[Q]) -> Q:
    """Return `position` itself, cast to `declaration`, the class that declares the fields of a game's states and views.

    Only type checkers see a difference. Raises `TypeError` if `position` is a state or view of another game.
    """
    found: Any = position
    if found.dtype.names[0] != marker_field_name(declaration):
        raise TypeError(f"expected a record of {declaration.__module__}.{declaration.__qualname__}")
    same: Q = found
    return same
