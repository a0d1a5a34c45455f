"""Interpreted fallback: functions marked `@rule` run as plain Python until another process has compiled them.

By default the fallback is off, and each function is compiled in this process at its first call. A program that must
respond sooner does this:

* It turns the fallback on (`enable`).
* It starts a process that compiles all functions and saves them in the on-disk cache
  (`facedown.bots.compile_process`).
* It calls `recheck_cache_at_next_call` when more functions are in the cache, and `disable` when all are.

Plain Python and compiled code give equal results, so users see no change.

The fallback replaces a private method of Numba's dispatcher, so it works only with tested versions of Numba. It also
needs a writable cache folder, because the compiled code reaches this process through the cache.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from typing import Any

import numba

from facedown.core.compile.compile_cache import is_cached, versioned_cache_folder
from facedown.core.compile.jit import TESTED_VERSIONS, parse_version

#: Name of the method of a Numba dispatcher that is called for argument types without compiled code.
COMPILE_METHOD = "_compile_for_args"


class _CacheState:
    """State of the interpreted fallback. All threads share it.

    While the fallback is on, functions run as plain Python until the on-disk cache has their machine code.
    """

    check_number = 0
    """0 before `enable` and after `disable`; otherwise 1 or more. `recheck_cache_at_next_call` increases the number.
    Each function that was not in the cache then looks there again."""


class _ThreadState(threading.local):
    """State of one thread. `plain` is true while the thread runs a function marked `@rule` as plain Python.

    While `plain` is true, this thread compiles nothing and does not look into the on-disk cache. So all functions
    marked `@rule` that the running function calls run as plain Python too, except those that this process has compiled
    already.

    This does not change if another thread calls `disable`, which ends the interpreted fallback. This thread still
    completes the running function as plain Python. After that, it compiles functions too.
    """

    plain = False


_running = _ThreadState()


def attach_interpreted_fallback(entry: Any) -> None:
    """Let a function marked `@rule` run as plain Python if Python calls it before it is compiled.

    This has an effect only between `enable` and `disable`, and only with a tested version of Numba. `entry` is the
    function's Numba dispatcher. Calls from compiled code are not affected.
    """
    if parse_version(numba.__version__) not in TESTED_VERSIONS:
        return
    from numba.core.dispatcher import OmittedArg

    compile_now: Callable[..., Any] = getattr(entry, COMPILE_METHOD)
    plain = entry.py_func
    missed = 0

    def call_plain(*arguments: Any) -> Any:
        # Numba wraps the default values of omitted arguments.
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
            # Looking for the cache file at each call would take longer than the call itself.
            missed = _CacheState.check_number
        return run_plain

    setattr(entry, COMPILE_METHOD, find)


def enable() -> bool:
    """Let functions marked `@rule` run as plain Python until the on-disk cache has their machine code. Return True.

    Another process must compile the functions (`facedown.bots.compile_process`).

    If the version of Numba is not tested or the cache folder is not writable, change nothing and return False. Then
    each function is still compiled at its first call.
    """
    if parse_version(numba.__version__) not in TESTED_VERSIONS:
        return False
    try:
        versioned_cache_folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=versioned_cache_folder()):
            pass
    except OSError:
        return False
    _CacheState.check_number = max(1, _CacheState.check_number)
    return True


def recheck_cache_at_next_call() -> None:
    """Let each function whose machine code was not in the cache look for its cache file once more, at its next call.

    This has an effect only between `enable` and `disable`.
    """
    if _CacheState.check_number:
        _CacheState.check_number += 1


def disable() -> None:
    """Stop running functions as plain Python. A function that is still not cached is compiled at its next call."""
    _CacheState.check_number = 0
