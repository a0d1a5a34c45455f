"""How a rule becomes machine code: by our own pipeline where it was tested with this Numba, else by plain Numba.

`core.compile.numba_parts` is quick, but it leans on how Numba is built inside. So it is used only with versions of
Numba that all tests are run with. With any other one, and where ``FACEDOWN_PLAIN_NUMBA=1`` says so, rules are compiled
by ``numba.njit`` and generic functions are found by ``numba.extending.overload``, which every Numba has. Rules mean the
same either way; the first use takes two to three times as long, and later ones find the same cache. With
``FACEDOWN_PLAIN_NUMBA=0`` our pipeline is used on any Numba, to find out whether a new one bears it.
"""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

# Where colorama is installed Numba paints its errors, those too that it swallows while it tries out, and colorama then
# writes to the terminal once more when everything has ended. Numba asks this when it is loaded.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

import numba
from numba.extending import overload

from facedown.core.compile.integer_widths import widen_types
from facedown.core.progress_line import print_if_slow

#: The versions of Numba that `core.compile.numba_parts` is tested with: major and minor.
TESTED_VERSIONS = frozenset({(0, 68)})

#: No rule divides by zero unawares, and none needs Python's lock.
NUMBA_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

#: What `register_type_dispatch` was told: how compiled code finds what a generic function stands for.
rule_pickers: dict[Callable[..., Any], Callable[[Any], Any]] = {}


def parse_version(text: str) -> tuple[int, int]:
    """The major and minor number of a version, (0, 0) if it has none.

    >>> parse_version("0.68.1"), parse_version("1.0rc1"), parse_version("unknown")
    ((0, 68), (1, 0), (0, 0))
    """
    found = re.match(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _warn_of_plain_numba(why: str) -> None:
    """Log one line that the first use takes longer, in the first process of a program only."""
    if multiprocessing.parent_process() is None:
        says = "Rules are compiled by plain Numba, so their first use takes two to three times as long: %s."
        logging.getLogger("facedown").warning(says, why)


def _load_pipeline() -> ModuleType | None:
    """Our own pipeline, or None: then Numba's."""
    log = logging.getLogger("facedown")
    wish = os.environ.get("FACEDOWN_PLAIN_NUMBA", "")
    if wish not in ("", "0"):
        log.info("Rules are compiled by plain Numba: FACEDOWN_PLAIN_NUMBA is set.")
        return None
    if not wish and parse_version(numba.__version__) not in TESTED_VERSIONS:
        _warn_of_plain_numba(f"with its version {numba.__version__} nothing else was tested")
        return None
    try:
        from facedown.core.compile import numba_parts
    except (ImportError, AttributeError) as missing:
        _warn_of_plain_numba(f"its version {numba.__version__} lacks something ({missing})")
        return None
    return numba_parts


_pipeline_module = _load_pipeline()

#: Are rules compiled by Numba alone?
IS_PLAIN_NUMBA = _pipeline_module is None


def compile_rule(function: Callable[..., Any]) -> Any:
    """A rule that Python calls as it would call `function`, and other rules, too; compiled at the first call.

    All small integers among the arguments are compiled for as int64 (`core.compile.integer_widths`).
    """
    entry = _compile_with_plain_numba(function) if _pipeline_module is None else _pipeline_module.compile_rule(function)
    build = _without_garbage_collection(
        entry.compile, f"Compiling {function.__module__}.{function.__qualname__}, this first time only …"
    )
    entry.compile = lambda signature: build(widen_types(signature))
    return entry


def _compile_with_plain_numba(function: Callable[..., Any]) -> Any:
    entry: Any = numba.njit(**NUMBA_OPTIONS)(function)
    template = entry.get_call_template
    entry.get_call_template = lambda kinds, named: template(widen_types(kinds), named)
    return entry


def _without_garbage_collection(build: Callable[[Any], Any], says: str) -> Callable[[Any], Any]:
    """Compile without collecting garbage: a compiler makes millions of short-lived objects in cycles that live on.

    `says` is printed if it takes long.
    """

    def compile_calmly(signature: Any) -> Any:
        collecting = gc.isenabled()
        gc.disable()
        try:
            with print_if_slow(says):
                return build(signature)
        finally:
            if collecting:
                gc.enable()

    return compile_calmly


def register_type_dispatch(function: Callable[..., Any], pick: Callable[[Any], Any]) -> None:
    """Let compiled code call `function`: it calls the rule that `pick` names for the type of the first argument.

    `pick` may return None: there is none.
    """
    rule_pickers[function] = pick
    if _pipeline_module is not None:
        _pipeline_module.register_type_dispatch(function, pick)
        return

    @overload(function, jit_options={"error_model": NUMBA_OPTIONS["error_model"]}, strict=False)
    def _chosen(first: Any, *others: Any) -> Any:
        found = pick(first)

        def called(first: Any, *others: Any) -> Any:
            return found(first, *others)

        return None if found is None else called
