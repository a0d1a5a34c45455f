"""Subscriber: the part of a connection that a live table uses."""

from __future__ import annotations

from typing import Protocol

from facedown.play import ChatMessage
from facedown.play.i18n import TranslatableText
from facedown.store import Person


class Subscriber(Protocol):
    """A connection of a page or program that shows a table."""

    person: Person | None
    """Person of the connection; None for a visitor without a cookie."""

    def on_change(self) -> None:
        """Send the changed table to the client."""

    def announce(self, text: TranslatableText) -> None:
        """Announce a text, translated into the language of this connection."""

    def send_chat(self, said: ChatMessage) -> None:
        """Send a chat message to the client."""

    def close_because_access_revoked(self) -> None:
        """Close the connection because its credentials are no longer valid."""

    def close_if_silent(self, now: float) -> None:
        """Close the connection if nothing was received on it for too long. `now` is a time of `Clock.monotonic`."""

    @property
    def seat(self) -> int | None:
        """Current seat of the connection's person at this table; None for a spectator."""
