"""Messages between server processes: which tables have changed (with their new revisions), and which players and
spectators are connected. The messages contain no secrets.

A message names a table by its id in the database, which gives no access, unlike the table's code. Messages may be lost,
repeated or forged, so a process that receives news of a change reads the table from the database.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

#: Largest integer accepted in a message.
LARGEST = 2**63 - 1


Number = Annotated[int, Field(strict=True, ge=0, le=LARGEST)]


class TablePresence(NamedTuple):
    """Players and spectators of one table who are connected to one process.

    * `number`: the table's id in the database.
    * `seats`: the seats of the players.
    * `watching`: the spectators' ids in the database.
    """

    number: Number
    seats: tuple[Number, ...]
    watching: tuple[Number, ...]


class Message(BaseModel):
    """A message from one process to all others."""

    model_config = ConfigDict(populate_by_name=True)

    sender: Number = Field(validation_alias="from", serialization_alias="from")
    news: Annotated[
        dict[Number, Number],
        BeforeValidator(lambda told: dict(told) if isinstance(told, list) else told),
        PlainSerializer(lambda news: list(news.items())),
    ] = {}
    """Changed tables: the new revision by the table's id in the database. In JSON this is a list of pairs."""
    here: list[TablePresence] = []
    dismissed: list[Number] = []
    """Persons who were deleted, or whose key (in their cookie) was revoked. Their connections must be closed. Each
    person is given by the person's id in the database."""
    leaves: bool = False
    """Whether the sender is shutting down, so that other processes can take over its tables."""

    def text(self) -> str:
        """Return the message as JSON text."""
        return self.model_dump_json(by_alias=True)


def parse_message(text: str | bytes) -> Message | None:
    """Parse a message of another process. Return None if it is malformed.

    >>> example = '{"from": 2, "news": [[7, 12]], "here": [[7, [0, 3], [41]]], "dismissed": [], "leaves": false}'
    >>> parse_message(example).news
    {7: 12}
    >>> parse_message("[1, 2]") is None
    True
    """
    try:
        return Message.model_validate_json(text)
    except (ValueError, TypeError):
        return None


class Listener(Protocol):
    """Receiver of messages from other processes. It is called on the event loop."""

    def on_message(self, message: Message) -> None:
        """Act on a message. It may come from this listener's own process; see `Message.sender`. Must not block."""

    def on_messages_lost(self) -> None:
        """Handle a possible loss of messages: the connection to the bus is down, or was down until now."""


class Bus:
    """Message bus of a server that is a single process, and base class of the buses that reach other processes.

    A message goes to all listeners in this process. Each server adds one listener. Some tests run several servers in
    one process, so they have several listeners.
    """

    name = ""
    """Name of the transport. All processes on one database must use the same one."""
    is_down = False
    """Whether the connection is lost, so that no messages arrive."""

    def __init__(self) -> None:
        self.listeners: list[Listener] = []

    @property
    def has_other_processes(self) -> bool:
        """Whether messages on this bus may reach other processes."""
        return len(self.listeners) > 1

    async def start(self, sender: int) -> None:
        """Connect to the bus. A bus for a single process (this class) has nothing to connect.

        `sender` is the id under which this process is registered in the database. It is sent with every message.
        """

    async def stop(self) -> None:
        """Send pending messages, then disconnect. A bus for a single process (this class) has nothing to do."""

    def publish(self, message: Message) -> None:
        """Publish a message on the bus, without waiting until it has been sent.

        A bus for a single process (this class) delivers the message at once to all listeners in this process. A bus
        that reaches other processes (a subclass) queues the message for those processes. It may combine messages that
        are published in quick succession.
        """
        self._deliver(message)

    def _deliver(self, message: Message) -> None:
        for listener in list(self.listeners):
            listener.on_message(message)

    def _notify_messages_lost(self) -> None:
        for listener in list(self.listeners):
            listener.on_messages_lost()
