"""The seam between processes: which table changed, and up to where; who is there. Nothing secret ever crosses it.

A table goes by its number, which lets nobody in, unlike its code. Messages may be lost, doubled or made up: whoever
hears that a table changed reads it from the database.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

#: No number on the bus is larger.
LARGEST = 2**63 - 1


Number = Annotated[int, Field(strict=True, ge=0, le=LARGEST)]


class TablePresence(NamedTuple):
    """Who is at a table with a process: the numbers of seats, and of the people who watch."""

    number: Number
    seats: tuple[Number, ...]
    watching: tuple[Number, ...]


class Message(BaseModel):
    """What one process tells the others."""

    model_config = ConfigDict(populate_by_name=True)

    sender: Number = Field(validation_alias="from", serialization_alias="from")
    news: Annotated[
        dict[Number, Number],
        BeforeValidator(lambda told: dict(told) if isinstance(told, list) else told),
        PlainSerializer(lambda news: list(news.items())),
    ] = {}
    """The tables that changed, with their revisions; carried as pairs."""
    here: list[TablePresence] = []
    dismissed: list[Number] = []
    """The numbers of people whose key is worth nothing any more: their open lines are to be closed."""
    leaves: bool = False
    """The sender ends: what it drove is anybody's."""

    def text(self) -> str:
        """The message as it is carried."""
        return self.model_dump_json(by_alias=True)


def parse(text: str | bytes) -> Message | None:
    """What another process has told; None of what is no message of this program.

    >>> parse('{"from": 2, "news": [[7, 12]], "here": [[7, [0, 3], [41]]], "dismissed": [], "leaves": false}').news
    {7: 12}
    >>> parse("[1, 2]") is None
    True
    """
    try:
        return Message.model_validate_json(text)
    except (ValueError, TypeError):
        return None


class Listener(Protocol):
    """Whoever wants to hear of other processes, on the event loop."""

    def on_message(self, message: Message) -> None:
        """Another process told something."""

    def on_messages_lost(self) -> None:
        """The line was down: whatever was told meanwhile was not heard."""


class Bus:
    """Tells every listener that tables changed; this one all in its process, of which tests have several."""

    name = ""
    """What carries it, as processes compare it: all on one database have the same."""
    is_down = False
    """Is the line down, so that nothing is heard?"""

    def __init__(self) -> None:
        self.listeners: list[Listener] = []

    @property
    def has_other_processes(self) -> bool:
        """Can there be other processes at its ends?"""
        return len(self.listeners) > 1

    async def start(self, sender: int) -> None:
        """Open the line of the process of this number."""

    async def stop(self) -> None:
        """Close the line, when what was told is sent."""

    def publish(self, message: Message) -> None:
        """Send a message to all others soon; messages of about the same time are sent together."""
        self._deliver(message)

    def _deliver(self, message: Message) -> None:
        for listener in list(self.listeners):
            listener.on_message(message)

    def _notify_messages_lost(self) -> None:
        for listener in list(self.listeners):
            listener.on_messages_lost()
