"""A page or program at a table, as the table knows it."""

from __future__ import annotations

from typing import Protocol

from facedown.play import Said
from facedown.play.i18n import Tell
from facedown.store import Person


class Watcher(Protocol):
    """A connection that shows a table."""

    person: Person | None
    """Whose it is; None for somebody without a name."""

    def changed(self) -> None:
        """The table looks different now."""

    def tell(self, text: Tell) -> None:
        """Announce something to every connection, each in its own language."""

    def said(self, said: Said) -> None:
        """A chat message was sent."""

    def dismiss(self) -> None:
        """Close it: its key is not valid any more."""

    def listen(self, now: float) -> None:
        """Close it if nothing has come from it for too long; `now` is `Clock.monotonic`."""

    @property
    def seat(self) -> int | None:
        """The seat that it has now."""
