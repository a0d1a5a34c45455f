"""The decorator `@rule`, which lets the same function run compiled or interpreted.

A function marked with `@rule` is a small Python function, most often over a state record. There are three ways to run
it:

* By default Numba compiles it (`core.compile.jit`), and the result is stored on disk (`core.compile.compile_cache`).
* A program may run it interpreted until it is compiled (`core.compile.interpret_until_compiled`).
* With ``FACEDOWN_INTERPRETED=1`` in the environment it runs as plain Python: for a debugger, for coverage, and to check
  that compiled and interpreted results agree.
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
    """Return the compiled form of `function`, or `function` itself if nothing is compiled (`INTERPRETED`)."""
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
