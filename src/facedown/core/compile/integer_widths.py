"""Conversion of all small integer types among the arguments of compiled functions to one type, the 64-bit integer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core import types

# Typed as `Any`, because Numba's type stubs do not contain all of its classes.
_types: Any = types


def widen_types(kinds: Iterable[Any]) -> tuple[Any, ...]:
    """Return the Numba types for which a function is compiled when it is called with arguments of the types `kinds`.

    Numba would compile a function separately for a literal 3, for an int64 and for the uint8 of a record field. That
    triples the work, and the optimiser specialises the code anyway.

    Here all integers except uint64 become int64. So sums and differences of arguments neither overflow nor depend on
    where the arguments came from. A member of an `IntEnum` counts as its integer.
    """
    return tuple(map(_widen_type, kinds))


def _widen_type(kind: Any) -> Any:
    plain = _types.unliteral(kind)
    if isinstance(plain, _types.IntEnumMember):
        plain = plain.dtype
    return _types.int64 if isinstance(plain, _types.Integer) and plain != _types.uint64 else plain
