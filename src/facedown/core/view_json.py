"""Views as plain data for other programs: a mapping from field names to numbers and lists of numbers.

The game's options, a record inside the view, become a mapping inside the mapping. Two fields are left out, because
their values are always zero in a view:

* ``key``, the shuffle key, which is secret.
* The first field. Its value is never used, only its name: it shows to which game a record belongs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from facedown.core.state import View, blank, plain_fields


def view_to_fields(view: View) -> dict[str, Any]:
    """Return the fields of a view by name, as numbers and lists of numbers.

    The record of the options becomes a mapping. The shuffle key and the first field, which are always zero, are left
    out. Raise `ValueError` for a state, because its secrets must not leave the program.
    """
    record: Any = view
    if view.viewer < 0:
        raise ValueError("expected a view, not a state, which contains every secret")
    left_out = _omitted_fields(record.dtype)
    return {name: value for name, value in plain_fields(record).items() if name not in left_out}


def view_from_fields(kind: np.dtype[Any], fields: Mapping[str, Any]) -> View:
    """Return the view with these fields, as a record of the dtype `kind`. This is the inverse of `view_to_fields`.

    Raise `ValueError` in these cases:

    * A field is missing or unknown.
    * A number is outside the range of its field.
    * An array has the wrong shape.
    * The field ``viewer`` is negative: then the fields are those of a state, which has no viewer.
    """
    found: Any = blank(kind)
    _write_fields(found, fields, _omitted_fields(kind))
    if found["viewer"] < 0:
        raise ValueError("expected the fields of a view, but they have no viewer")
    return cast(View, found)


def _omitted_fields(kind: np.dtype[Any]) -> tuple[str, str]:
    return (kind.names or ("",))[0], "key"


def _write_fields(record: Any, fields: Mapping[str, Any], left_out: tuple[str, ...] = ()) -> None:
    """Write `fields` into a record of zeros. Raise `ValueError` for a missing, unknown or invalid field.

    The fields of the record that `left_out` names stay zero. They must not occur in `fields`.
    """
    kind = record.dtype
    names = [name for name in kind.names if name not in left_out]
    for name in names:
        if name not in fields:
            raise ValueError(f"the field {name} is missing")
        if kind[name].names:
            if not isinstance(fields[name], Mapping):
                raise ValueError(f"the field {name} must contain fields")
            _write_fields(record[name], fields[name])
        else:
            record[name] = _parse_numbers(name, kind[name], fields[name])
    more = sorted(set(fields) - set(names))
    if more:
        raise ValueError(f"unknown field {more[0]}")


def _parse_numbers(name: str, kind: np.dtype[Any], value: Any) -> Any:
    """Return `value`, the value of the field `name`, as an array.

    Raise `ValueError` in these cases:

    * The value has another shape than the dtype `kind`.
    * It contains anything other than whole numbers.
    * A number is too small or too large for this dtype.
    """
    try:
        given = np.array(value)
    except ValueError:
        raise ValueError(f"the field {name} must be a regular list of numbers") from None
    if given.shape != kind.shape:
        raise ValueError(f"the field {name} must have the shape {kind.shape}, not {given.shape}")
    low, high = np.iinfo(kind.base).min, np.iinfo(kind.base).max
    if given.dtype.kind != "i" or (given.size and not (low <= given.min() and given.max() <= high)):
        raise ValueError(f"the field {name} must contain whole numbers from {low} to {high}")
    return given
