"""Answers that are kept for each setting of the running context: a language, say, or where the table lives."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def lru_cache_by_setting(
    setting: Callable[[], Hashable], most: int | None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`functools.lru_cache` for a function that heeds a setting: it keeps so many answers, each for its setting.

    >>> @lru_cache_by_setting(lambda: price, 10)
    ... def together(count):
    ...     return count * price
    >>> price = 3
    >>> together(2)
    6
    >>> price = 5
    >>> together(2)
    10
    """

    def keeping(function: Callable[P, R]) -> Callable[P, R]:
        kept: Callable[..., R] = lru_cache(most)(lambda _setting, *args, **names: function(*args, **names))

        @wraps(function)
        def found(*args: P.args, **names: P.kwargs) -> R:
            return kept(setting(), *args, **names)

        return found

    return keeping
