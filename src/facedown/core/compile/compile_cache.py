"""Where compiled rules are kept on disk, and what they are found again by.

Numba's own cache looks only at the file a function stands in, and its folder is a setting of the whole process. Here a
file holds the machine code of one rule for one combination of types. Its name has a hash of what that code is made of
(`core.compile.fingerprint`), so what was kept is either just that or not found. Its folder is named by what compiled
it.
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

#: What goes wrong with a folder or a file, or with a Numba that is built otherwise: the disk is full, a file is not
#: ours or was cut short, something has another name.
CACHE_ERRORS = (OSError, EOFError, pickle.PickleError, ImportError, ValueError, LookupError, AttributeError, TypeError)
#: A file that was not used for so long is marked as used again when it is read, in seconds.
USE_MARK_INTERVAL = 24 * 3600


def rules_folder() -> Path:
    """The folder of what this Python, this Numba and this pipeline compile."""
    return cache_folder() / f"rules-{environment_hash()}"


class RuleCache:
    """The cache of one rule, as Numba's dispatcher asks it. Where it fails, that costs time, and never a match."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @property
    def cache_path(self) -> str:
        """The folder that the code of this rule is kept in."""
        return str(rules_folder() / self._function.__module__.rpartition(".")[0].replace(".", "-"))

    def flush(self) -> None:
        """Nothing that was kept is ever out of date."""

    def code_file(self, kinds: Any, codegen: Any) -> Path | None:
        """The file of the code for these Numba types on this machine; None if it cannot be told from other code."""
        made_of = fingerprint(self._function, kinds)
        if not made_of:
            return None
        key = hashlib.sha256(f"{made_of} {list(map(str, kinds))} {codegen.magic_tuple()}".encode()).hexdigest()[:24]
        name = f"{self._function.__module__.rpartition('.')[2]}.{self._function.__qualname__}"
        return Path(self.cache_path, f"{name.replace('<', '').replace('>', '')}-{key}.code")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was kept for these types, or None."""
        try:
            target_context.refresh()
            file = self.code_file(sig, target_context.codegen())
            if file is None:
                return None
            found = _CacheUnpickler(io.BytesIO(file.read_bytes())).load()
            _mark_as_used(file)
            # Imported where it is needed: a Numba that has it elsewhere can keep nothing, but compiles.
            from numba.core.compiler import CompileResult

            result: Any = CompileResult
            return result._rebuild(target_context, *found)
        except CACHE_ERRORS:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, if it can be."""
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
    """Let a rule that Numba's dispatcher stands for be kept, and found again."""
    entry._cache = RuleCache(entry.py_func)


def is_cached(rule: Any, *arguments: Any) -> bool:
    """Is the code of a rule for arguments like these on the disk?"""
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
    """Say once, in a line, that nothing can be kept."""
    logging.getLogger("facedown").warning(
        "Compiled rules cannot be kept in %s (%s): they are compiled anew each time.", rules_folder(), reason
    )


class _CacheUnpickler(pickle.Unpickler):
    """Reads what was kept; nobody but this module writes there."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the class; replace Numba's `_rebuild_env` by `_rebuild_environment`."""
        return (
            _rebuild_environment if name == "_rebuild_env" and not IS_PLAIN_NUMBA else super().find_class(module, name)
        )


def _rebuild_environment(module: str, values: list[Any], name: str) -> Any:
    """The constants of Python that an entry needs, as they were kept.

    Numba would take what has that name here already: it counts functions, so it may be the rule as a part, with none.
    """
    from numba.core.environment import Environment

    own = Environment(importlib.import_module(module).__dict__)
    own.consts[:] = values
    own.env_name = name
    return own


def _write_atomically(file: Path, data: bytes) -> None:
    """Write a file so that others see all of it or nothing."""
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
