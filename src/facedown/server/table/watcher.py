"""A page or program at a table, as the table knows it."""

from __future__ import annotations

from typing import Protocol

from facedown.play import Said


class Watcher(Protocol):
    """A connection that shows a table."""

    def changed(self) -> None:
        """The table looks different now."""

    def said(self, said: Said) -> None:
        """A chat message was sent."""

    def belongs_to(self, person: int) -> bool:
        """Is this the connection of a person?"""

    def dismiss(self) -> None:
        """Close it: its key is not valid any more."""

    def listen(self, now: float) -> None:
        """Close it if nothing has come from it for too long; `now` is `Clock.monotonic`."""

    @property
    def seat(self) -> int | None:
        """The seat that it has now."""

    @property
    def watching(self) -> str:
        """The name of its spectator; empty for a player."""

    @property
    def watching_person(self) -> int:
        """The number of its spectator; 0 for a player."""
