"""Conversion of integer argument types to int64, so that a function is compiled once for integers of all sizes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core import types

# Typed as `Any`, because Numba's type stubs do not contain all of its classes.
_types: Any = types


def widen_types(kinds: Iterable[Any]) -> tuple[Any, ...]:
    """Return the Numba types for which a function is compiled when it is called with arguments of the types `kinds`.

    * All integer types except uint64 become int64. A member of an `IntEnum` counts as an integer.
    * Numba's type of a constant, such as "literal 3", is first replaced by the general type of the constant.
    * All other types stay the same.

    Numba alone would compile a function separately for a literal 3, for an int64 and for the uint8 of a record field.
    That triples the work, and the optimiser specialises the code anyway. Also, the difference of two unsigned arguments
    would be unsigned and could not become negative.
    """
    return tuple(map(_widen_type, kinds))


def _widen_type(kind: Any) -> Any:
    plain = _types.unliteral(kind)
    if isinstance(plain, _types.IntEnumMember):
        plain = plain.dtype
    return _types.int64 if isinstance(plain, _types.Integer) and plain != _types.uint64 else plain
