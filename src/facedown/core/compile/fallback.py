"""Interpreted fallback: rules run as plain Python until another process has compiled them.

Off by default: a rule is then compiled in this process at its first call. A program that must answer sooner turns it
on (`begin`), starts a process that compiles (`facedown.bots.compile_process`), and calls `look_again` when there is
more in the cache and `end` when there will be no more. Both speeds give the same results, so the change is not seen.

It replaces one private method of Numba's dispatcher, so it is used only with the versions of Numba that it was tested
with, and only where the cache can be written: otherwise the other process would compile for nothing.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from typing import Any

import numba

from facedown.core.compile.compile_cache import is_kept, rules_folder
from facedown.core.compile.jit import TESTED, version_of

#: How Numba's dispatcher finds what to call for arguments that it has no code for.
METHOD = "_compile_for_args"


class _Cache:
    """What is known of the cache."""

    look = 0
    """Number of the current look at it; 0 while the fallback is off."""


class _Running(threading.local):
    """Does this thread run a plain function? Then all that it calls is plain, too, even if the fallback ends."""

    plain = False


_running = _Running()


def allow(entry: Any) -> None:
    """Let a compiled rule, called from Python, fall back to its plain function; compiled callers never do."""
    if version_of(numba.__version__) not in TESTED:
        return
    from numba.core.dispatcher import OmittedArg

    compile_now: Callable[..., Any] = getattr(entry, METHOD)
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
        if not _Cache.look:
            return compile_now(*arguments)
        if missed != _Cache.look:
            if is_kept(entry, *arguments):
                return compile_now(*arguments)
            # To look for the file again at every call would take longer than the call.
            missed = _Cache.look
        return run_plain

    setattr(entry, METHOD, find)


def begin() -> bool:
    """Turn the fallback on; False if it cannot work here: another version of Numba, or a cache that is read-only."""
    if version_of(numba.__version__) not in TESTED:
        return False
    try:
        rules_folder().mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=rules_folder()):
            pass
    except OSError:
        return False
    _Cache.look = max(1, _Cache.look)
    return True


def look_again() -> None:
    """Let every rule that was not in the cache be looked for again."""
    if _Cache.look:
        _Cache.look += 1


def end() -> None:
    """Turn the fallback off: what is not in the cache by now is compiled in this process."""
    _Cache.look = 0
