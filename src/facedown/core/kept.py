"""Where compiled rules are kept on disk, and what they are found again by.

Numba's own cache looks only at the file a function stands in, and its folder is a setting of the whole process. Here
each rule has its own: a folder named by a hash of all sources that the rule may be made of, so that an edit anywhere
starts an empty one; and code that works for any game is found again by the game, too.
"""

from __future__ import annotations

import hashlib
import inspect
import logging
import pickle
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

# Numba's type stubs do not know all of its classes.
_Locator: Any = _CacheLocator
_Impl: Any = CompileResultCacheImpl
_Cache: Any = FunctionCache
_types: Any = types

#: What goes wrong with a folder or a file: it is full, not ours, or was cut short.
BROKEN = (OSError, EOFError, pickle.UnpicklingError, ValueError, KeyError, IndexError, AttributeError, TypeError)
_complained: list[str] = []


@cache
def digest_of(folder_or_file: Path) -> str:
    """A hash of the sources of a package, or of one file."""
    found = sorted(folder_or_file.rglob("*.py")) if folder_or_file.is_dir() else [folder_or_file]
    digest = hashlib.sha256()
    for source in found:
        digest.update(str(source).encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def home_of(module: Any) -> Path:
    """The package that a module's rules can be made of: its folder, or the file alone if it is in none."""
    file = Path(inspect.getfile(module)).resolve()
    return file.parent if (file.parent / "__init__.py").exists() else file


class Place(_Locator):  # type: ignore[misc]
    """A folder of ours, for one function."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._folder = folder / function.__module__.rpartition(".")[0].replace(".", "-")
        self._function = function
        self._py_file = inspect.getfile(function)

    def get_cache_path(self) -> str:
        """The folder."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """What the folder's name does not say yet: sources from outside this package."""
        return digest_of(home_of(sys.modules[self._function.__module__]))

    def get_disambiguator(self) -> str:
        """Where the function begins."""
        return str(self._function.__code__.co_firstlineno)


class Entry(_Impl):  # type: ignore[misc]
    """How compiled rules become bytes: as Numba has it."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._lineno = function.__code__.co_firstlineno
        self._locator = Place(function, folder)
        name = f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"
        self._filename_base = self.get_filename_base(name, getattr(sys, "abiflags", ""))


class Kept(_Cache):  # type: ignore[misc]
    """The cache of one rule. A disk that is full or a file that is broken costs time, and never a match."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._impl_class = lambda of: Entry(of, folder)
        super().__init__(function)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was kept for these types, or None."""
        try:
            return super().load_overload(sig, target_context)
        except BROKEN:
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, if it can be."""
        try:
            super().save_overload(sig, data)
        except OSError as problem:
            self.disable()
            complain(problem, self.cache_path)

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        return (*super()._index_key(sig, codegen), games_in(sig))


def games_in(signature: Any) -> tuple[str, ...]:
    """The games whose states a signature has, with the sources of their rules."""
    from facedown.core.generic import registered

    found = []
    for kind in signature:
        record = kind if isinstance(kind, _types.Record) else getattr(kind, "dtype", None)
        rules = registered(record) if isinstance(record, _types.Record) else None
        if rules is not None:
            found.append(f"{rules.__name__} {digest_of(home_of(rules))}")
    return tuple(found)


def complain(problem: OSError, folder: str) -> None:
    """Say once, in a line, that nothing can be kept."""
    if not _complained:
        _complained.append(folder)
        reason = problem.strerror or str(problem)
        logging.getLogger("facedown").warning(
            "Compiled rules cannot be kept in %s (%s): they are compiled anew each time.", folder, reason
        )
