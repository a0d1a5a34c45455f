"""`@rule`: one source of rules at two speeds.

A rule is a small Python function over a state record. By default it is compiled by Numba (`core.compile.jit`) and kept
on disk (`core.compile.compile_cache`); a program may run it interpreted until that is done (`core.compile.fallback`).
With ``FACEDOWN_INTERPRETED=1`` in the environment the very same function runs as plain Python, for a debugger, for
coverage, and to check that both agree.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

#: Everything runs as plain Python when this is true.
INTERPRETED = os.environ.get("FACEDOWN_INTERPRETED", "") not in ("", "0")


def _compiler() -> Callable[[Callable[..., Any]], Any]:
    from facedown.core.compile import fallback
    from facedown.core.compile.compile_cache import enable_cache
    from facedown.core.compile.jit import compile_rule

    def compile_and_keep(function: Callable[..., Any]) -> Any:
        entry = compile_rule(function)
        enable_cache(entry)
        fallback.add_fallback(entry)
        return entry

    return compile_and_keep


_compile = None if INTERPRETED else _compiler()


def rule(function: Function) -> Function:
    """Compile `function` (or leave it as it is when everything runs interpreted)."""
    if _compile is None:
        return function
    found: Function = _compile(function)
    return found


@rule
def to_int64(number: Any) -> int:
    """A small integer of a state's field as a signed 64-bit one, so that sums of it neither wrap nor become floats."""
    return np.int64(number)  # type: ignore[return-value]


def python_function(function: Function) -> Function:
    """The plain Python function under a rule."""
    plain: Function = getattr(function, "py_func", function)
    return plain
