"""Caches whose entries also depend on a setting of the running context, such as the language."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def lru_cache_by_setting(
    setting: Callable[[], Hashable], most: int | None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator like `functools.lru_cache` whose keys include the current value of a setting.

    `setting` returns that value at each call. `most` is the largest number of entries, counted over all values of the
    setting; None means no limit.

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
