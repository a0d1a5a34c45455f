"""Nightly tests and the sources that they depend on.

`.ci/nightly` runs all nightly tests. `.ci/run` runs those of which a source changed in the last five commits, except
those in a browser that need the machine for themselves. After a large change these are too many: then it runs a sample,
another one for each commit.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: How many commits back `.ci/run` looks for changes.
COMMITS = 5
#: Folders or files with nightly tests, and the sources (folders or files) of which a change makes them due. If a file
#: lies below two rows, the longer one counts. Whole matches in a browser take minutes: they are due only at night.
NIGHTLY = {
    "tests/browser": (
        "web",
        "src/facedown/server/rendering",
        "src/facedown/server/static",
        "src/facedown/server/templates",
    ),
    "tests/browser/test_whole_matches.py": (),
    "tests/core": (
        "src/facedown/core/rule.py",
        "src/facedown/core/compile/jit.py",
        "src/facedown/core/compile/numba_parts.py",
    ),
    "tests/deploy": ("docs/deploy", "src/facedown/server/http", "src/facedown/store/migrations"),
    "tests/docs": ("docs", "tools/docsite", "mkdocs.yml"),
    "tests/examples": ("examples", "src/facedown/research/pettingzoo.py", "src/facedown/research/gymnasium.py"),
    "tests/faults": ("src/facedown/server/cluster", "src/facedown/server/table", "src/facedown/store"),
    "tests/games/uncovered": ("src/facedown/games/uncovered",),
    "tests/research": (
        "src/facedown/research",
        "src/facedown/bots/observation.py",
        "src/facedown/bots/observation_codegen.py",
    ),
    "tests/server": (
        "src/facedown/server/connection",
        "src/facedown/server/http",
        "src/facedown/server/process",
        "src/facedown/server/table",
    ),
    "tests/simulate": ("src/facedown/simulate",),
    "tests/store": ("src/facedown/store",),
    "tests/wire_secrecy": ("src/facedown/server/connection", "src/facedown/server/rendering"),
}


def is_below(path: str, places: Iterable[str]) -> bool:
    """Whether a path is one of some files, or lies in one of some folders.

    >>> is_below("web/src/main.js", ["docs", "web"]), is_below("website", ["web"])
    (True, False)
    """
    return any(path == place or path.startswith(place + "/") for place in places)


def row_of(test: str) -> str | None:
    """The row of `NIGHTLY` that a test file belongs to, or None.

    >>> row_of("tests/browser/test_line.py"), row_of("tests/browser/test_whole_matches.py"), row_of("web/src/main.js")
    ('tests/browser', 'tests/browser/test_whole_matches.py', None)
    """
    return max((row for row in NIGHTLY if is_below(test, [row])), key=len, default=None)


def _git(*arguments: str) -> str | None:
    """What a command of Git prints; None if it fails."""
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=str(ROOT), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode() if done.returncode == 0 else None


def changed_files(commits: int = COMMITS) -> list[str] | None:
    """Files that the last commits and the working tree changed, relative to the root; None without that history."""
    found = _git("diff", "--name-only", f"HEAD~{commits}")
    return None if found is None else found.splitlines()


def commit() -> str:
    """The hash of the current commit; empty outside a repository."""
    return (_git("rev-parse", "HEAD") or "").strip()


def due_tests(changed: Iterable[str]) -> list[str]:
    """The rows of `NIGHTLY` of which a source is among the changed files.

    >>> due_tests(["web/src/main.js"])
    ['tests/browser']
    """
    files = list(changed)
    return [tests for tests, sources in NIGHTLY.items() if any(is_below(file, sources) for file in files)]
