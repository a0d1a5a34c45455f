"""Table of the nightly tests, with the sources that each depends on.

`.ci/nightly` runs all nightly tests. `.ci/run` runs the nightly tests that depend on a source that changed in the last
five commits, except browser tests that need the whole machine. If these are too many after a large change, it runs a
sample of them, a different one for each commit.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Number of commits in which `.ci/run` looks for changes.
COMMITS = 5
#: Folders or files with nightly tests, each with the folders or files whose change makes the tests due. If a test file
#: is inside two keys, the longer key counts. Tests that play whole matches in a browser take minutes, so they run only
#: at night.
NIGHTLY = {
    "tests/browser": (
        "web",
        "src/facedown/server/rendering",
        "src/facedown/server/static",
        "src/facedown/server/templates",
    ),
    "tests/browser/test_whole_matches.py": (),
    "tests/check": ("src/facedown/check",),
    "tests/core": (
        "src/facedown/core/rule.py",
        "src/facedown/core/compile/jit.py",
        "src/facedown/core/compile/part_and_entry_compiler.py",
    ),
    "tests/deploy": ("docs/deploy", "src/facedown/server/http", "src/facedown/store/migrations"),
    "tests/docs": ("docs", "tools/docsite", "mkdocs.yml"),
    "tests/every_game": ("src/facedown/check", "src/facedown/core", "src/facedown/games"),
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
    """Return whether a path is one of some files, or inside one of some folders.

    >>> is_below("web/src/main.js", ["docs", "web"]), is_below("website", ["web"])
    (True, False)
    """
    return any(path == place or path.startswith(place + "/") for place in places)


def row_of(test: str) -> str | None:
    """Return the key of `NIGHTLY` that a test file belongs to, or None if it is not a nightly test.

    >>> row_of("tests/browser/test_replay.py"), row_of("tests/browser/test_whole_matches.py"), row_of("web/src/main.js")
    ('tests/browser', 'tests/browser/test_whole_matches.py', None)
    """
    return max((row for row in NIGHTLY if is_below(test, [row])), key=len, default=None)


def _git(*arguments: str) -> str | None:
    """Return the output of a Git command; None if it fails."""
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=str(ROOT), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return done.stdout.decode() if done.returncode == 0 else None


def changed_files(commits: int = COMMITS) -> list[str] | None:
    """Return the paths, relative to the root, of the files changed in the last commits and in the working tree.

    Returns None if there are fewer commits, or if the folder is not a Git repository.
    """
    found = _git("diff", "--name-only", f"HEAD~{commits}")
    return None if found is None else found.splitlines()


def commit() -> str:
    """Return the hash of the current commit; empty outside a repository."""
    return (_git("rev-parse", "HEAD") or "").strip()


def due_tests(changed: Iterable[str]) -> list[str]:
    """Return the keys of `NIGHTLY` whose tests are due, because a changed file is among their sources.

    >>> due_tests(["web/src/main.js"])
    ['tests/browser']
    """
    files = list(changed)
    return [tests for tests, sources in NIGHTLY.items() if any(is_below(file, sources) for file in files)]
