"""A table as it was drawn for one viewer, and what has changed on the page since it was drawn before."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from facedown.core.table import Table
from facedown.server.look import layout
from facedown.server.look.model import TableContext

#: A page is taken apart before these elements: what changes in a move is a few of the parts.
_ELEMENTS = ("<li", "<button", "<section", "<div", "<span role")
#: Stands between two parts for a moment; no page holds it.
_CUT = "\x1e"
#: A part of a page that is new, or (first, how many): parts of the page before that stay.
Part = str | tuple[int, int]


class Drawn:
    """All of a table's live message but what differs from one connection to the next.

    It follows from `table` and `context` alone, so everybody who looks from the same seat is sent the same.
    """

    def __init__(self, table: Table, context: TableContext, html: str, rest: dict[str, Any]) -> None:
        self.table = table
        self.context = context
        self.html = html
        """The inner HTML of ``<main id="app">``."""
        self._rest = rest
        self._since: tuple[Drawn, list[Part]] | None = None

    def message(self, *, version: int, say: Iterable[str] = ()) -> dict[str, Any]:
        """The live message for one connection, the whole page in it."""
        return self._message(version, say) | {"html": self.html}

    def message_since(self, before: Drawn | None, *, version: int, say: Iterable[str] = ()) -> dict[str, Any]:
        """The same for a connection that shows the page `before`: only the parts that it has not got."""
        return self._message(version, say) | {"parts": self.since(before)}

    def _message(self, version: int, say: Iterable[str]) -> dict[str, Any]:
        return {"type": "table", "version": version, "say": [layout.plain(line) for line in say], **self._rest}

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The page, taken apart: joined they are `html`."""
        html = self.html.replace(_CUT, "")
        for element in _ELEMENTS:
            html = html.replace(element, _CUT + element)
        return tuple(html.split(_CUT))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {part: at for at, part in enumerate(self.parts)}

    def since(self, before: Drawn | None) -> list[Part]:
        """What makes this page out of the one before: new parts, and rows of parts that stay."""
        if before is None:
            return list(self.parts)
        if self._since is None or self._since[0] is not before:
            self._since = before, _changes(before.parts, before._places, self.parts)
        return self._since[1]


def _changes(old: tuple[str, ...], places: dict[str, int], new: tuple[str, ...]) -> list[Part]:
    changes: list[Part] = []
    first = count = 0
    for part in new:
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
    return changes
