"""A table as it was drawn for one viewer, and what has changed on the page since it was drawn before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from sys import intern
from typing import Any
from weakref import ref

from jinja2.ext import Extension

from facedown.core.table import Table
from facedown.server.look import layout
from facedown.server.look.model import TableContext

#: A page is taken apart before these elements of its templates: what changes in a move is a few of the parts.
_ELEMENTS = ("<li", "<button", "<section", "<div", "<span role", "<{{ tagname }}")
#: Stands between two parts of what was drawn; no page that is sent holds it.
CUT = "\x02"
#: Stands where the lines of the log go: they are there already, one by one, and a long match has hundreds.
LOG = "\x03"
#: A part of a page that is new, or (first, how many): parts of the page before that stay.
Part = str | tuple[int, int]


class Cuts(Extension):
    """Marks in the templates where a page is taken apart: to look for it in every page would take longer."""

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """A template with its marks."""
        for element in _ELEMENTS:
            source = source.replace(element, CUT + element)
        return source


class Drawn:
    """All of a table's live message but what differs from one connection to the next.

    It follows from `table` and `context` alone, so everybody who looks from the same seat is sent the same.
    """

    def __init__(
        self,
        table: Table,
        context: TableContext,
        marked: str,
        rest: dict[str, Any],
        lines: Sequence[str] = (),
        before: Drawn | None = None,
    ) -> None:
        self.table = table
        self.context = context
        self.lines = lines
        """Its log, line by line, as it was drawn."""
        self.parts: list[str] = _once(_parts(marked, lines), [] if before is None else before.parts)
        """The inner HTML of ``<main id="app">``, taken apart."""
        self._rest = rest
        # It does not keep the page before, which would keep the one before that.
        self._since: tuple[ref[Drawn], list[Part]] | None = None

    def message(self, *, version: int, say: Iterable[str] = ()) -> dict[str, Any]:
        """The live message for one connection, the whole page in it."""
        return self._message(version, say) | {"html": self.html}

    def message_since(self, before: Drawn | None, *, version: int, say: Iterable[str] = ()) -> dict[str, Any]:
        """The same for a connection that shows the page `before`: only the parts that it has not got."""
        return self._message(version, say) | {"parts": self.since(before)}

    def _message(self, version: int, say: Iterable[str]) -> dict[str, Any]:
        return {"type": "table", "version": version, "say": [layout.plain(line) for line in say], **self._rest}

    @cached_property
    def html(self) -> str:
        """The inner HTML of ``<main id="app">``."""
        return "".join(self.parts)

    def since(self, before: Drawn | None) -> list[Part]:
        """What makes this page out of the one before: new parts, and rows of parts that stay."""
        if before is None:
            return [*self.parts]
        if self._since is None or self._since[0]() is not before:
            self._since = ref(before), _changes(before.parts, self.parts)
        return self._since[1]


def filled(marked: str, lines: Sequence[str]) -> str:
    """A whole page with the lines of its log, without marks."""
    return marked.replace(LOG, "".join(lines)).replace(CUT, "")


def _parts(marked: str, lines: Sequence[str]) -> list[str]:
    """A page with the lines of its log, taken apart."""
    head, mark, tail = marked.partition(LOG)
    before, after = head.split(CUT), tail.split(CUT)
    if lines and mark:
        return [*before, *lines[:-1], lines[-1] + after[0], *after[1:]]
    return [*before[:-1], before[-1] + after[0], *after[1:]]


def _once(parts: list[str], old: list[str]) -> list[str]:
    """The parts, those that several pages hold as the very same string; of the page before (`old`) they are that."""
    start = _alike(old, parts)
    end = _alike(reversed(old[start:]), reversed(parts[start:]))
    new = map(intern, parts[start : len(parts) - end])
    return [*old[:start], *new, *old[len(old) - end :]]


def _changes(old: list[str], new: list[str]) -> list[Part]:
    """A row that stays at the beginning and one at the end, and between them what has changed or moved."""
    start = _alike(old, new)
    end = _alike(reversed(old[start:]), reversed(new[start:]))
    places = {part: at for at, part in enumerate(old[start : len(old) - end], start)}
    changes: list[Part] = [(0, start)] if start else []
    first = count = 0
    for part in new[start : len(new) - end]:
        follows = first + count
        if count and follows < len(old) and old[follows] == part:
            count += 1
            continue
        if count:
            changes.append((first, count))
        first, count = places.get(part, 0), 1 if part in places else 0
        if not count:
            changes.append(part)
    if count:
        changes.append((first, count))
    if end:
        changes.append((len(old) - end, end))
    return changes


def _alike(some: Iterable[str], others: Iterable[str]) -> int:
    """How many of both are the same before the first that differ."""
    count = 0
    for one, other in zip(some, others, strict=False):
        if one != other:
            break
        count += 1
    return count
