"""A value that a test needs: the test fails where there is None."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def given(value: T | None) -> T:
    """The value, which must not be None."""
    assert value is not None
    return value
