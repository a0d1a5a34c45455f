"""Interpreted fallback: rules run as plain Python until another process has compiled them.

Off by default: a rule is then compiled in this process at its first call. A program that must answer sooner turns it
on (`enable`), starts a process that compiles (`facedown.bots.compile_process`), and calls `recheck_cache` when there is
more in the cache and `disable` when there will be no more. Both speeds give the same results, so the change is not
seen.

It replaces one private method of Numba's dispatcher, so it is used only with the versions of Numba that it was tested
with, and only where the cache can be written: otherwise the other process would compile for nothing.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from typing import Any

import numba

from facedown.core.compile.compile_cache import is_cached, rules_folder
from facedown.core.compile.jit import TESTED_VERSIONS, parse_version

#: How Numba's dispatcher finds what to call for arguments that it has no code for.
COMPILE_METHOD = "_compile_for_args"


class _CacheState:
    """What is known of the cache."""

    check_number = 0
    """Number of the current look at it; 0 while the fallback is off."""


class _ThreadState(threading.local):
    """Does this thread run a plain function? Then all that it calls is plain, too, even if the fallback ends."""

    plain = False


_running = _ThreadState()


def add_fallback(entry: Any) -> None:
    """Let a compiled rule, called from Python, fall back to its plain function; compiled callers never do."""
    if parse_version(numba.__version__) not in TESTED_VERSIONS:
        return
    from numba.core.dispatcher import OmittedArg

    compile_now: Callable[..., Any] = getattr(entry, COMPILE_METHOD)
    plain = entry.py_func
    missed = 0

    def call_plain(*arguments: Any) -> Any:
        # Numba fills in what was left out, and marks it.
        return plain(*[one.value if isinstance(one, OmittedArg) else one for one in arguments])

    def run_plain(*arguments: Any) -> Any:
        _running.plain = True
        try:
            return call_plain(*arguments)
        finally:
            _running.plain = False

    def find(*arguments: Any) -> Any:
        nonlocal missed
        if _running.plain:
            return call_plain
        if not _CacheState.check_number:
            return compile_now(*arguments)
        if missed != _CacheState.check_number:
            if is_cached(entry, *arguments):
                return compile_now(*arguments)
            # To look for the file again at every call would take longer than the call.
            missed = _CacheState.check_number
        return run_plain

    setattr(entry, COMPILE_METHOD, find)


def enable() -> bool:
    """Turn the fallback on; False if it cannot work here: another version of Numba, or a cache that is read-only."""
    if parse_version(numba.__version__) not in TESTED_VERSIONS:
        return False
    try:
        rules_folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=rules_folder()):
            pass
    except OSError:
        return False
    _CacheState.check_number = max(1, _CacheState.check_number)
    return True


def recheck_cache() -> None:
    """Let every rule that was not in the cache be looked for again."""
    if _CacheState.check_number:
        _CacheState.check_number += 1


def disable() -> None:
    """Turn the fallback off: what is not in the cache by now is compiled in this process."""
    _CacheState.check_number = 0
