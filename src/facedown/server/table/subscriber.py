"""Subscriber: interface through which a table in memory (`Room`) sends updates to one connection."""

from __future__ import annotations

from typing import Protocol

from facedown.play import ChatMessage
from facedown.play.i18n import TranslatableText
from facedown.store import Person


class Subscriber(Protocol):
    """Protocol: a connection of a page or program that shows a table."""

    person: Person | None
    """Person of the connection; None for a visitor without a cookie."""

    def on_change(self) -> None:
        """Send the changed table to the client."""

    def announce(self, text: TranslatableText) -> None:
        """Send a text with the client's next update, in the language of this connection.

        A screen reader reads such texts aloud.
        """

    def send_chat(self, said: ChatMessage) -> None:
        """Send a chat message to the client. A ready-made phrase is translated into the language of this connection."""

    def close_because_access_revoked(self) -> None:
        """Close the connection because its credentials (the person's key or the seat's token) are no longer valid.

        The client is sent no reason, only the WebSocket close code 1008. Further messages of the client are ignored.
        """

    def close_if_silent(self, now: float) -> None:
        """Close the connection if nothing was received on it for too long. `now` is a time of `Clock.monotonic`."""

    @property
    def seat(self) -> int | None:
        """Current seat of the connection's person at this table; None for a spectator."""
