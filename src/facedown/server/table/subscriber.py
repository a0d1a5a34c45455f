"""A page or program at a table, as the table knows it."""

from __future__ import annotations

from typing import Protocol

from facedown.play import ChatMessage
from facedown.play.i18n import TranslatableText
from facedown.store import Person


class Subscriber(Protocol):
    """A connection that shows a table."""

    person: Person | None
    """Whose it is; None for somebody without a name."""

    def on_change(self) -> None:
        """The table looks different now."""

    def announce(self, text: TranslatableText) -> None:
        """Announce something to every connection, each in its own language."""

    def send_chat(self, said: ChatMessage) -> None:
        """A chat message was sent."""

    def close_revoked(self) -> None:
        """Close it: its key is not valid any more."""

    def close_if_silent(self, now: float) -> None:
        """Close it if nothing has come from it for too long; `now` is `Clock.monotonic`."""

    @property
    def seat(self) -> int | None:
        """The seat that it has now."""
