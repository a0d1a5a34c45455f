"""How a rule becomes machine code: by our own pipeline, or by plain Numba.

`core.compile.numba_parts` is quick, but it leans on how Numba is built inside, so `pyproject.toml` allows only versions
of Numba that all tests are run with. ``FACEDOWN_PLAIN_NUMBA=1`` is the way out: rules are compiled by ``numba.njit``
and generic functions are found by ``numba.extending.overload``, which every Numba has. Rules mean the same either way;
the first use takes two to three times as long, and later ones find what was kept.
"""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Callable
from typing import Any

# Where colorama is installed Numba paints its errors, those too that it swallows while it tries out, and colorama then
# writes to the terminal once more when everything has ended. Numba asks this when it is loaded.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

import numba
from numba.extending import overload

from facedown.core.compile.integer_widths import widest
from facedown.core.waiting import said_if_long

#: Are rules compiled by Numba alone?
PLAIN = os.environ.get("FACEDOWN_PLAIN_NUMBA", "") not in ("", "0")
if PLAIN:
    logging.getLogger("facedown").info("Rules are compiled by plain Numba: FACEDOWN_PLAIN_NUMBA is set.")
else:
    from facedown.core.compile import numba_parts

#: No rule divides by zero unawares, and none needs Python's lock.
HOW: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

#: What `chosen_by_type` was told: how compiled code finds what a generic function stands for.
picks: dict[Callable[..., Any], Callable[[Any], Any]] = {}


def compiled(function: Callable[..., Any]) -> Any:
    """A rule that Python calls as it would call `function`, and other rules, too; compiled at the first call.

    All small integers among the arguments are compiled for as int64 (`core.compile.integer_widths`).
    """
    entry = _plainly(function) if PLAIN else numba_parts.compiled(function)
    build, says = entry.compile, f"Compiling {function.__module__}.{function.__qualname__}, this first time only …"

    def compile_calmly(signature: Any) -> Any:
        # Without collecting garbage: a compiler makes millions of short-lived objects in cycles that live on.
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


def _plainly(function: Callable[..., Any]) -> Any:
    entry: Any = numba.njit(**HOW)(function)
    template = entry.get_call_template
    entry.get_call_template = lambda kinds, named: template(widest(kinds), named)
    return entry


def chosen_by_type(function: Callable[..., Any], pick: Callable[[Any], Any]) -> None:
    """Let compiled code call `function`: it calls the rule that `pick` names for the type of the first argument.

    `pick` may return None: there is none.
    """
    picks[function] = pick
    if not PLAIN:
        numba_parts.chosen_by_type(function, pick)
        return

    @overload(function, jit_options={"error_model": HOW["error_model"]}, strict=False)
    def _chosen(first: Any, *others: Any) -> Any:
        found = pick(first)

        def called(first: Any, *others: Any) -> Any:
            return found(first, *others)

        return None if found is None else called
