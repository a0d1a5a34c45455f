"""Compilation of functions marked `@rule`, by our own faster compiler or by Numba's (plain Numba).

Our compiler (`core.compile.part_and_entry_compiler`) depends on Numba's internals. So it is used only with versions of
Numba that all tests are run with. With any other version, plain Numba is used: ``numba.njit`` compiles the functions,
and ``numba.extending.overload`` handles generic functions, which have one implementation in each game.

The compiled functions give the same results. With plain Numba, the first use of a function takes two to three times as
long. In both cases, later uses load the code from an on-disk cache.

An environment variable overrides the choice:

* ``FACEDOWN_PLAIN_NUMBA=1`` selects plain Numba.
* ``FACEDOWN_PLAIN_NUMBA=0`` selects our compiler with any version of Numba, to test a new version.
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

# With colorama installed, Numba colours even the errors that it suppresses, and colorama then writes to the terminal at
# exit. Numba reads this variable when it is imported.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

import numba
from numba.extending import overload

from facedown.core.compile.integer_widths import widen_types
from facedown.core.progress_line import print_if_slow

#: Versions (major, minor) of Numba that `core.compile.part_and_entry_compiler` is tested with.
TESTED_VERSIONS = frozenset({(0, 68)})

#: Numba's options for our compiled functions: release the interpreter lock, which they do not need, and raise no
#: exception for a division by zero, since they do not rely on it.
NUMBA_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

#: For each generic function, the function `pick` given to `register_type_dispatch`. It takes a record type, which is
#: the type of a game's states and views, and returns the game's compiled implementation, or None.
rule_pickers: dict[Callable[..., Any], Callable[[Any], Any]] = {}


def parse_version(text: str) -> tuple[int, int]:
    """Return the major and minor number of a version; (0, 0) if the text has none.

    >>> parse_version("0.68.1"), parse_version("1.0rc1"), parse_version("unknown")
    ((0, 68), (1, 0), (0, 0))
    """
    found = re.match(r"(\d+)\.(\d+)", text)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _warn_of_plain_numba(why: str) -> None:
    """Log a warning that functions are compiled by plain Numba, and that the first use of each therefore takes longer.

    `why` is the reason why our own, faster compiler is not used. Child processes log nothing.
    """
    if multiprocessing.parent_process() is None:
        says = "Rules are compiled by plain Numba, so their first use takes two to three times as long: %s."
        logging.getLogger("facedown").warning(says, why)


def _load_pipeline() -> ModuleType | None:
    """Return the module of our own, faster compiler; None if plain Numba is to be used."""
    log = logging.getLogger("facedown")
    wish = os.environ.get("FACEDOWN_PLAIN_NUMBA", "")
    if wish not in ("", "0"):
        log.info("Rules are compiled by plain Numba: FACEDOWN_PLAIN_NUMBA is set.")
        return None
    if not wish and parse_version(numba.__version__) not in TESTED_VERSIONS:
        _warn_of_plain_numba(f"Numba {numba.__version__} is not a tested version")
        return None
    try:
        from facedown.core.compile import part_and_entry_compiler
    except (ImportError, AttributeError) as missing:
        _warn_of_plain_numba(f"Numba {numba.__version__} lacks something ({missing})")
        return None
    return part_and_entry_compiler


_pipeline_module = _load_pipeline()

#: Whether functions are compiled by plain Numba and not by our own compiler.
IS_PLAIN_NUMBA = _pipeline_module is None


def compile_rule(function: Callable[..., Any]) -> Any:
    """Return the compiled form of `function`. Python and other compiled functions call it like `function` itself.

    It is compiled when it is first called with a new combination of argument types. Integer arguments of all types
    except uint64 are first converted to int64 (`core.compile.integer_widths`).
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


def _without_garbage_collection(build: Callable[[Any], Any], slow_message: str) -> Callable[[Any], Any]:
    """Wrap the compile function `build` so that it runs without garbage collection, and prints a message if it is slow.

    A compiler creates millions of objects in reference cycles that stay alive, so collections would only cost time.
    """

    def compile_calmly(signature: Any) -> Any:
        collecting = gc.isenabled()
        gc.disable()
        try:
            with print_if_slow(slow_message):
                return build(signature)
        finally:
            if collecting:
                gc.enable()

    return compile_calmly


def register_type_dispatch(function: Callable[..., Any], pick: Callable[[Any], Any]) -> None:
    """Let compiled code call the generic `function`, which has one implementation in each game.

    A call runs the compiled implementation that `pick` returns for the Numba type of the first argument. `pick` returns
    None for a type without an implementation; code that calls `function` with this type cannot be compiled.
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
