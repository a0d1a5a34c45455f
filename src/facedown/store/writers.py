"""Which of the repository's methods write: they wait for each other apart from those that only read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def writes(method: Method) -> Method:
    """Mark a method that writes."""
    method.writes = True  # type: ignore[attr-defined]
    return method


def is_writer(work: Callable[..., Any]) -> bool:
    """Does this method of the repository write?"""
    return bool(getattr(work, "writes", False))
