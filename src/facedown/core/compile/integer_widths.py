"""One width for all small integers that rules are compiled for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core import types

# Numba's type stubs do not know all of its classes.
_types: Any = types


def widen_types(kinds: Iterable[Any]) -> tuple[Any, ...]:
    """The Numba types that a rule is compiled for when it is called with arguments of these types.

    Numba would compile a callee anew for a literal 3, for an int64 and for the uint8 of a state's field: three times
    the work, for code that the optimiser specialises anyway. All of them become int64, so that sums and differences of
    arguments neither wrap nor depend on where the arguments came from; uint64 stays what it is. The member of an
    `IntEnum` is the number that it is.
    """
    return tuple(map(_widen_type, kinds))


def _widen_type(kind: Any) -> Any:
    plain = _types.unliteral(kind)
    if isinstance(plain, _types.IntEnumMember):
        plain = plain.dtype
    return _types.int64 if isinstance(plain, _types.Integer) and plain != _types.uint64 else plain
