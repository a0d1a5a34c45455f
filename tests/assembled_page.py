"""A page assembled from the sections that a connection sends, as the client does it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

SLOT = re.compile(r'<i id="([\w-]+)" data-slot></i>')


class ShownPage:
    """The sections that a page shows, by name."""

    def __init__(self) -> None:
        self.sections: dict[str, str] = {}

    def take(self, message: Mapping[str, Any]) -> None:
        """Apply a message: replace sections and append new lines of the log."""
        self.sections |= message["sections"]
        if message["log"]:
            before, end, after = self.sections["log"].rpartition("</ol>")
            self.sections["log"] = before + "".join(message["log"]) + end + after

    @property
    def html(self) -> str:
        """The whole page, without sections that have no place on it."""
        return self._filled("frame")

    def _filled(self, name: str) -> str:
        return SLOT.sub(lambda found: self._filled(found[1]), self.sections[name])
