"""`@rule`: one source of rules at two speeds.

A rule is a small Python function over a state record. By default it is compiled by Numba and kept in an
on-disk cache; with ``FACEDOWN_INTERPRETED=1`` in the environment the very same function runs as plain Python,
for a debugger, for coverage, and to check that both agree.

A rule calls rules of other files, so the cache folder is keyed by a hash of the sources that it may be made of
(`sources_digest`): any change there starts an empty cache (`core.kept`).
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

#: Everything runs as plain Python when this is true.
INTERPRETED = os.environ.get("FACEDOWN_INTERPRETED", "") not in ("", "0")

PACKAGE = Path(__file__).resolve().parent.parent

#: Folders (below the package) whose sources may be compiled.
COMPILED_FLOORS = ("core", "games", "solvers", "bots", "simulate", "research")
#: What compiled code can be made of: Python, and the numbers that it reads.
SOURCES = frozenset({".py", ".npy"})
#: Modules for people's eyes: no rule stands in them or is called from them.
PROSE = frozenset({"table.py", "words.py", "score.py", "voice.py", "match.py", "notation.py"})


@cache
def sources_digest(module: str = "") -> str:
    """A short hash over the sources a module's rules can be made of, and over the Python that compiles them.

    A game's rules are made of the core and that game; anything else may be made of everything that is compiled.
    """
    parts = module.split(".")
    floors: tuple[str, ...] = COMPILED_FLOORS
    if parts[:2] == ["facedown", "games"] and len(parts) > 3:
        floors = ("core", f"games/{parts[2]}")
    digest = hashlib.sha256(f"{sys.version_info[:3]} {sys.platform}".encode())
    for floor in floors:
        for source in sorted((PACKAGE / floor).rglob("*.*")):
            if source.suffix in SOURCES and source.name not in PROSE:
                digest.update(str(source.relative_to(PACKAGE)).encode())
                digest.update(source.read_bytes())
    return digest.hexdigest()[:20]


def cache_folder() -> Path:
    """Where compiled rules are kept: ``FACEDOWN_CACHE``, or below ``NUMBA_CACHE_DIR``, or the user's cache folder."""
    chosen = os.environ.get("FACEDOWN_CACHE")
    if chosen:
        return Path(chosen)
    numbas = os.environ.get("NUMBA_CACHE_DIR")
    if numbas:
        return Path(numbas) / "facedown"
    import platformdirs

    return Path(platformdirs.user_cache_dir("facedown"))


def _compiler() -> Callable[[Callable[..., Any]], Any]:
    from facedown.core.compiling import compiled
    from facedown.core.kept import Kept

    def compile_and_keep(function: Callable[..., Any]) -> Any:
        entry = compiled(function)
        entry._cache = Kept(function, cache_folder() / f"rules-{sources_digest(function.__module__)}")
        return entry

    return compile_and_keep


_compile = None if INTERPRETED else _compiler()


def rule(function: Function) -> Function:
    """Compile `function` (or leave it as it is when everything runs interpreted)."""
    if _compile is None:
        return function
    found: Function = _compile(function)
    return found


@rule
def wide(number: Any) -> int:
    """A small integer of a state's field as a signed 64-bit one, so that sums of it neither wrap nor become floats."""
    return np.int64(number)  # type: ignore[return-value]


def interpreted(function: Function) -> Function:
    """The plain Python function under a rule."""
    plain: Function = getattr(function, "py_func", function)
    return plain
