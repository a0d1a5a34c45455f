"""Navigation of the site: groups of pages for different kinds of reader."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatch
from itertools import groupby
from typing import Any

from facedown.core.game_registry import catalogue
from tools.docsite import api_pages

#: Groups of pages by kind of reader, in reading order. Pages are listed by path or by a pattern of paths. A page that
#: matches several patterns belongs to the first one, but a path takes precedence. Listed pages that do not exist are
#: left out. All other pages belong to the group `REST`.
READERS: dict[str, dict[str, list[str]]] = {
    "Play": {
        "Start": ["playing.md", "reference/commands.md", "rules/README.md", "pictures/README.md"],
        "Guides": ["guides/*.md"],
        "Rules": ["rules/*.md"],
        "Auf Deutsch": ["rules/de/README.md", "guides/de/*.md", "rules/de/*.md"],
    },
    "Host": {
        "Start": ["host.md", "planning.md", "limits.md"],
        "Running": ["operating.md", "runbook.md", "metrics.md", "thinking.md"],
        "Trust": ["SECURITY.md", "THIRD_PARTY.md"],
    },
    "Bots": {
        "Start": ["python.md", "bots.md", "examples/a_bot.md"],
        "Strength": ["strength.md", "ladder*.md"],
        "Interfaces": ["http*.md", "api.md", "client*.md", "protocol.md", "records/README.md", "records/*.md"],
    },
    "Research": {
        "Start": ["research.md", "simulate*.md", "experiments*.md", "lab*.md"],
        "Environments": ["environments*.md", "environments/*.md", "gym*.md", "openspiel*.md", "research-openspiel.md"],
        "Learning": ["learning*.md", "training*.md", "research/*.md"],
        "Solvers": ["solvers.md"],
        "Worked examples": ["examples/*.md"],
    },
    "Design": {
        "Change a rule": ["examples/a_rule_change.md", "design*.md", "reference/options.md"],
        "How it works": [
            "notes/README.md",
            "notes/one-rulebook.md",
            "notes/secrets.md",
            "notes/actions-and-tables.md",
            "notes/one-move.md",
            "notes/bots-and-evidence.md",
            "notes/attacks.md",
            "notes/*.md",
            "glossary.md",
        ],
    },
    "Add a game": {
        "Start": ["adding-a-game.md", "games/*.md"],
        "Project": ["CONTRIBUTING.md", "CHANGELOG.md"],
    },
}
REST = ("Design", "More")
#: Reference pages that are not about a module.
ALONE = ("reference/options.md", "reference/commands.md")
#: Pages that are listed by path, which no pattern includes as well.
NAMED = {uri for groups in READERS.values() for uris in groups.values() for uri in uris if "*" not in uri}
#: Navigation titles of pages whose own title is too long.
SHORT = {
    "rules/README.md": "All rules",
    "rules/de/README.md": "Alle Regeln",
    "notes/README.md": "Five ideas",
    "metrics.md": "Metrics",
    "CHANGELOG.md": "Changes",
    "SECURITY.md": "Security",
    "THIRD_PARTY.md": "Third-party packages",
    "reference/README.md": "Overview",
}


def navigation(uris: Iterable[str]) -> list[Any]:
    """Return the navigation for MkDocs, given the paths of all pages."""
    left = {uri for uri in uris if not uri.startswith("reference/") or uri in ALONE} - {"README.md"}
    tree: dict[str, dict[str, list[str]]] = {}
    for reader, groups in READERS.items():
        tree[reader] = {}
        for group, patterns in groups.items():
            taken = []
            for pattern in patterns:
                fits = sorted((uri for uri in left if _fits(uri, pattern)), key=_place)
                taken += fits
                left -= set(fits)
            if taken:
                tree[reader][group] = taken
    if left:
        tree[REST[0]][REST[1]] = sorted(left)
    readers = [
        {reader: [{group: [_entry(uri) for uri in taken]} for group, taken in groups.items()]}
        for reader, groups in tree.items()
        if groups
    ]
    return [{"Facedown": "README.md"}, *readers, {"Reference": reference()}]


def _fits(uri: str, pattern: str) -> bool:
    if "*" not in pattern:
        return uri == pattern
    return uri not in NAMED and uri.count("/") == pattern.count("/") and fnmatch(uri, pattern)


def _place(uri: str) -> tuple[int, str]:
    """Return the sort key of a page: pages of games are in the order of the catalogue of games, then follow all others
    by path.
    """
    games = list(catalogue())
    return (games.index(_stem(uri)) if _stem(uri) in games else len(games)), uri


def _stem(uri: str) -> str:
    return uri.rpartition("/")[2].removesuffix(".md")


def _entry(uri: str) -> Any:
    if uri.startswith(("rules/", "guides/")) and _stem(uri) in catalogue():
        more = ": Regeln" if uri.startswith("rules/de/") else ""
        return {catalogue()[_stem(uri)].title + more: uri}
    return {SHORT[uri]: uri} if uri in SHORT else uri


def reference() -> list[Any]:
    """Return the navigation of the reference, with one group per package."""
    found: list[Any] = ["reference/README.md"]
    found[0] = {SHORT["reference/README.md"]: found[0]}
    for group, pages in groupby(api_pages.pages(), key=lambda page: page.group):
        found.append({group: [{page.title: page.uri} for page in pages]})
    return found
