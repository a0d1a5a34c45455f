"""On-disk cache of compiled functions.

Numba has a cache of its own, which is not used here. It notices changes in the file that defines a function, but not
changes in other files that the compiled function depends on. Also, its folder can be set only for the whole process,
not for some functions.

In this cache, each file has the machine code of one function for one combination of argument types.

* The file name contains a fingerprint of everything that the code depends on (`core.compile.fingerprint`). So a file
  that is out of date is never found.
* The folder name contains a hash of the versions of Python, NumPy, Numba and our own compiler (`environment_hash`).
"""

from __future__ import annotations

import hashlib
import importlib
import io
import logging
import os
import pickle
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba

from facedown.core.cache_folder import cache_folder
from facedown.core.compile.fingerprint import environment_hash, fingerprint
from facedown.core.compile.integer_widths import widen_types
from facedown.core.compile.jit import IS_PLAIN_NUMBA

#: Errors after which a compiled function counts as not cached. Causes are a full disk, a file that is damaged or was
#: written by another program, and another version of Numba in which a class of the cached data has another name.
CACHE_ERRORS = (OSError, EOFError, pickle.PickleError, ImportError, ValueError, LookupError, AttributeError, TypeError)
#: A cache file gets a new time stamp when it is read, if its time stamp is older than this number of seconds. So the
#: time stamp shows, to the day, when the file was last used.
USE_MARK_INTERVAL = 24 * 3600


def versioned_cache_folder() -> Path:
    """Return the folder for cached code that this process can use.

    The folder name contains a hash of the versions of Python, NumPy and Numba, and of our own compiler
    (`environment_hash`). So code that was compiled with other versions is in another folder.
    """
    return cache_folder() / f"rules-{environment_hash()}"


class RuleCache:
    """Cache of one compiled function, with the interface that Numba's dispatcher expects.

    A failure to read or write a file raises no error. It only costs time, because the function is compiled once more.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @property
    def cache_path(self) -> str:
        """Folder with the cached machine code of this function."""
        return str(versioned_cache_folder() / self._function.__module__.rpartition(".")[0].replace(".", "-"))

    def flush(self) -> None:
        """Do nothing. A file name depends on everything that affects the code, so cached code is never out of date."""

    def code_file(self, kinds: Any, codegen: Any) -> Path | None:
        """Return the path of the cache file for Numba argument types `kinds`; None if the function cannot be cached.

        It cannot be cached if `fingerprint` returns an empty text. Then the file name could not cover everything that
        affects the code, and outdated code might be loaded.

        `codegen` is Numba's code generator. The hash in the file name covers the type of processor for which `codegen`
        makes code.
        """
        made_of = fingerprint(self._function, kinds)
        if not made_of:
            return None
        key = hashlib.sha256(f"{made_of} {list(map(str, kinds))} {codegen.magic_tuple()}".encode()).hexdigest()[:24]
        name = f"{self._function.__module__.rpartition('.')[2]}.{self._function.__qualname__}"
        return Path(self.cache_path, f"{name.replace('<', '').replace('>', '')}-{key}.code")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached code (Numba's `CompileResult`) for the argument types `sig`.

        Return None if no file has it, or if the file cannot be read.
        """
        try:
            target_context.refresh()
            file = self.code_file(sig, target_context.codegen())
            if file is None:
                return None
            found = _CacheUnpickler(io.BytesIO(file.read_bytes())).load()
            _mark_as_used(file)
            # The import is local: if another Numba version has moved this class, only the cache fails, and the function
            # is compiled again.
            from numba.core.compiler import CompileResult

            result: Any = CompileResult
            return result._rebuild(target_context, *found)
        except CACHE_ERRORS:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write the compiled code `data` (Numba's `CompileResult`) for the argument types `sig` to the cache.

        Nothing is written if Numba says that the code cannot be cached, or if `code_file` returns None. If writing
        fails, for example because the folder is read-only, a warning is logged and no error is raised.
        """
        try:
            if data.library.has_dynamic_globals or any(not part.can_cache for part in data.lifted):
                return
            file = self.code_file(sig, data.codegen)
            if file is not None:
                from numba.core.serialize import dumps

                _write_atomically(file, dumps(data._reduce()))  # type: ignore[no-untyped-call]
        except CACHE_ERRORS as problem:
            warn_cache_unwritable(getattr(problem, "strerror", None) or str(problem))


def enable_cache(entry: Any) -> None:
    """Let a compiled function load and save its code in the cache. `entry` is the function's Numba dispatcher."""
    entry._cache = RuleCache(entry.py_func)


def is_cached(rule: Any, *arguments: Any) -> bool:
    """Return whether a cache file has the code of the compiled function `rule` for the types of these arguments."""
    cache = getattr(rule, "_cache", None)
    if not isinstance(cache, RuleCache):
        return False
    try:
        rule.targetctx.refresh()
        file = cache.code_file(widen_types(map(numba.typeof, arguments)), rule.targetctx.codegen())
    except (*CACHE_ERRORS, numba.NumbaError):
        return False
    return file is not None and file.exists()


@cache
def warn_cache_unwritable(reason: str) -> None:
    """Log a warning that compiled code cannot be saved, once for each `reason`."""
    logging.getLogger("facedown").warning(
        "Compiled rules cannot be saved in %s (%s), so they are compiled again each time.",
        versioned_cache_folder(),
        reason,
    )


class _CacheUnpickler(pickle.Unpickler):
    """Unpickler for cached code. The files are trusted, because only this module writes them."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the class or function called `name` in the module called `module`. The cached data has both names.

        Numba's function `_rebuild_env` is replaced by our function `_rebuild_environment`. Both return the environment
        of a compiled function, which holds the Python constants of that function. But Numba's function can return an
        existing environment that lacks the constants.

        If plain Numba compiles the functions instead of our own compiler (`IS_PLAIN_NUMBA`), no function is replaced.
        """
        return (
            _rebuild_environment if name == "_rebuild_env" and not IS_PLAIN_NUMBA else super().find_class(module, name)
        )


def _rebuild_environment(module: str, values: list[Any], name: str) -> Any:
    """Return a new Numba environment, which holds the Python constants (`values`) of a function loaded from the cache.

    A function can have two compiled versions (`core.compile.part_and_entry_compiler`). Both have an environment,
    perhaps under the same name:

    * The *entry* is machine code, so Python can call it. It is loaded from the cache. Its environment has constants.
    * The *part* is LLVM code, so only other compiled functions can call it. Its environment has no constants.

    Numba's own function would reuse any existing environment of this name, possibly that of the part. So this function
    always builds a new one.
    """
    from numba.core.environment import Environment

    own = Environment(importlib.import_module(module).__dict__)
    own.consts[:] = values
    own.env_name = name
    return own


def _write_atomically(file: Path, data: bytes) -> None:
    """Write `data` to a file so that other processes see either the complete file or no file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=file.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        Path(unfinished).replace(file)
    except OSError:
        Path(unfinished).unlink(missing_ok=True)
        raise


def _mark_as_used(file: Path) -> None:
    with suppress(OSError):
        if time.time() - file.stat().st_mtime > USE_MARK_INTERVAL:
            os.utime(file)
