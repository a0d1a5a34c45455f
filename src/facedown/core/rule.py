"""The decorator `@rule`, which lets the same function run compiled or interpreted.

`@rule` marks a small function, usually one that takes a state record. Such a function runs in one of three ways:

* By default, Numba compiles the function at its first call (`core.compile.jit`). The compiled code is stored on disk
  (`core.compile.compile_cache`).
* In a program that must not wait, the function runs as plain Python until another process has compiled it
  (`core.compile.interpret_until_compiled`).
* With ``FACEDOWN_INTERPRETED=1`` in the environment, the function always runs as plain Python. This serves debuggers,
  coverage, and checks that compiled and interpreted results agree.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

#: Whether all functions marked with `@rule` run as plain Python.
INTERPRETED = os.environ.get("FACEDOWN_INTERPRETED", "") not in ("", "0")


def _compiler() -> Callable[[Callable[..., Any]], Any]:
    from facedown.core.compile import interpret_until_compiled
    from facedown.core.compile.compile_cache import enable_cache
    from facedown.core.compile.jit import compile_rule

    def compile_and_keep(function: Callable[..., Any]) -> Any:
        entry = compile_rule(function)
        enable_cache(entry)
        interpret_until_compiled.attach_interpreted_fallback(entry)
        return entry

    return compile_and_keep


_compile = None if INTERPRETED else _compiler()


def rule(function: Function) -> Function:
    """Return the compiled form of `function`. If `INTERPRETED` is true, return the plain `function` instead."""
    if _compile is None:
        return function
    found: Function = _compile(function)
    return found


@rule
def to_int64(number: Any) -> int:
    """Convert a small integer of a record field to 64 bits, so that sums neither overflow nor become floats."""
    return np.int64(number)  # type: ignore[return-value]


def python_function(function: Function) -> Function:
    """Return the plain Python function that `@rule` compiled, or `function` itself if it is not compiled."""
    plain: Function = getattr(function, "py_func", function)
    return plain
