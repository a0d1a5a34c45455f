"""How a rule becomes machine code: compiled at its first call, without collecting garbage, and a person is told of it.

`core.compile.numba_parts` does it. It leans on how Numba is built inside, so `pyproject.toml` allows only the minor
versions of Numba that all tests are run with.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from typing import Any

# Where colorama is installed Numba paints its errors, those too that it swallows while it tries out, and colorama then
# writes to the terminal once more when everything has ended. Numba asks this when it is loaded.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

from facedown.core.compile import numba_parts
from facedown.core.compile.integer_widths import widest
from facedown.core.waiting import said_if_long

#: What `chosen_by_type` was told: how compiled code finds what a generic function stands for.
picks: dict[Callable[..., Any], Callable[[Any], Any]] = {}


def compiled(function: Callable[..., Any]) -> Any:
    """A rule that Python calls as it would call `function`, and other rules, too; compiled at the first call.

    All small integers among the arguments are compiled for as int64 (`core.compile.integer_widths`).
    """
    entry = numba_parts.compiled(function)
    build = entry.compile
    says = f"Compiling {function.__module__}.{function.__qualname__}, this first time only …"

    def compile_calmly(signature: Any) -> Any:
        # A compiler makes millions of short-lived objects in cycles that live on: garbage is not collected meanwhile.
        collecting = gc.isenabled()
        gc.disable()
        try:
            with said_if_long(says):
                return build(widest(signature))
        finally:
            if collecting:
                gc.enable()

    entry.compile = compile_calmly
    return entry


def chosen_by_type(function: Callable[..., Any], pick: Callable[[Any], Any]) -> None:
    """Let compiled code call `function`: it calls the rule that `pick` names for the type of the first argument.

    `pick` may return None: there is none.
    """
    picks[function] = pick
    numba_parts.chosen_by_type(function, pick)
