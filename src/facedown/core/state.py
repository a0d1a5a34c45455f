"""The state record: one declaration gives the NumPy layout and the types that a checker knows.

Every game declares ``class State(Common, Protocol)`` with its own public fields and its slots; `layout` makes the
aligned structured dtype. A state is a value: fixed size, no pointers; copying it is a memory copy, its bytes are its
save format, an array of it is a batch.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Annotated, Any, Protocol, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import NDArray

MAX_SEATS = 8
#: The viewer who knows only what is public.
SPECTATOR = 8
#: `viewer` of a true state (not a view).
NOBODY = -1
#: A mask of all seats and the spectator: public knowledge.
EVERYONE = 0x1FF

#: In `card`: no card lies in this slot.
EMPTY = 254
#: In `card`: a card lies there that the viewer does not know (views only).
UNKNOWN = 255

#: In `sealed`: no choice yet; or (views only) a choice is made that the viewer may not know.
OPEN = -1
COMMITTED = -2

#: In `over`: the match goes on; it has a result; it was given up at the engine's guard and nobody wins.
RUNNING = 0
DECIDED = 1
ABANDONED = 2

I1 = Annotated[int, "i1"]
I2 = Annotated[int, "i2"]
I4 = Annotated[int, "i4"]
U1 = Annotated[int, "u1"]
U2 = Annotated[int, "u2"]
U4 = Annotated[int, "u4"]


class Common(Protocol):
    """The fields that every game's state has."""

    key: Annotated[NDArray[np.uint32], "u4", (8,)]
    """The 256-bit key of every shuffle. Secret; zero in a view."""
    stream: U4
    """How many independent streams of the key were used up (public)."""
    viewer: I1
    """Whose view this is: a seat, `SPECTATOR`, or `NOBODY` for the state itself."""
    seats: U1
    acting: U2
    """A bit for each seat that is to act."""
    over: U1
    sealed: Annotated[NDArray[np.int16], "i2", (MAX_SEATS,)]
    """A sealed choice of each seat, until all have chosen. Secret; `COMMITTED` in others' views."""


def mark_of(declaration: type[Any]) -> str:
    """The name of the field that makes a game's record type its own."""
    return "of_" + re.sub(r"\W", "_", f"{declaration.__module__}_{declaration.__qualname__}")


def layout(declaration: type[Any]) -> np.dtype[Any]:
    """The aligned dtype of a declared state, in order of declaration, base classes first.

    A declared state has ``card`` and ``known`` (a face and a mask of who knows it, for each slot). The first field of
    the layout, always 0, is named for the game: rules are found by the type of the state, and games may declare alike.
    """
    fields: list[tuple[Any, ...]] = [(mark_of(declaration), "u1")]
    hints = get_type_hints(declaration, include_extras=True)
    names = [n for c in reversed(declaration.__mro__) for n in c.__dict__.get("__annotations__", {})]
    for name in names:
        kind = hints[name]
        if get_origin(kind) is not Annotated:
            raise TypeError(f"{declaration.__name__}.{name} needs an Annotated layout")
        _, code, *shape = get_args(kind)
        fields.append((name, code, *shape))
    have = {f[0] for f in fields}
    taken = sorted(name for name in have if hasattr(np.record, name))
    if taken:
        raise TypeError(f"{declaration.__name__}: NumPy's records have attributes named {', '.join(taken)}")
    if not {"card", "known"} <= have:
        raise TypeError(f"{declaration.__name__} needs card and known")
    return _with_attributes(declaration, np.dtype(fields, align=True))


def _with_attributes(declaration: type[Any], plain: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout, whose records have their fields as attributes.

    `numpy.record` has them, too, but looks each one up in Python: a view of it is four times as slow to read, and
    whoever draws a table reads thousands.
    """
    fields = {name: property(operator.itemgetter(name), _setter(name)) for name in plain.names or ()}
    doc = f"A state of {declaration.__module__}."
    kind = type("Record", (np.void,), {"__slots__": (), "__doc__": doc, **fields})
    # It is found there by whoever copies a state to another process.
    kind.__module__, kind.__qualname__ = declaration.__module__, f"{declaration.__qualname__}.Record"
    declaration.Record = kind
    return np.dtype((kind, plain))


def _setter(name: str) -> Callable[[Any, Any], None]:
    def put(record: Any, value: Any) -> None:
        record[name] = value

    return put


def blank(dtype: np.dtype[Any]) -> Any:
    """A new zeroed state record."""
    return np.zeros(1, dtype)[0]


def copy(state: Any) -> Any:
    """An independent copy of a state record."""
    # Zeroed first, so that padding bytes are equal in equal states.
    out = np.zeros(1, state.dtype)
    out[0] = state
    return out[0]


def to_bytes(state: Any) -> bytes:
    """The state's save format."""
    return bytes(state.tobytes())
