"""The seam between processes: which table changed, and up to where; who is there. Nothing secret ever crosses it.

A table goes by its number, which lets nobody in, unlike its code. Messages may be lost, doubled or made up: whoever
hears that a table changed reads it from the database.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Protocol

#: No number on the bus is larger.
LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Here:
    """Who is at a table with a process: the numbers of seats, and of the people who watch."""

    number: int
    seats: tuple[int, ...]
    watching: tuple[int, ...]


@dataclass(slots=True)
class Message:
    """What one process tells the others."""

    sender: int
    news: dict[int, int] = field(default_factory=dict)
    """The tables that changed, with their revisions."""
    here: list[Here] = field(default_factory=list)
    dismissed: list[int] = field(default_factory=list)
    """The numbers of people whose key is worth nothing any more: their open lines are to be closed."""
    leaves: bool = False
    """The sender ends: what it drove is anybody's."""

    def text(self) -> str:
        """The message as it is carried."""
        here = [[one.number, list(one.seats), list(one.watching)] for one in self.here]
        news = list(map(list, self.news.items()))
        told = {"from": self.sender, "news": news, "here": here, "dismissed": self.dismissed, "leaves": self.leaves}
        return json.dumps(told, separators=(",", ":"))


def parse(text: str | bytes) -> Message | None:
    """What another process has told; None of what is no message of this program.

    >>> parse('{"from": 2, "news": [[7, 12]], "here": [[7, [0, 3], [41]]], "dismissed": [], "leaves": false}').news
    {7: 12}
    >>> parse("[1, 2]") is None
    True
    """
    try:
        told = json.loads(text)
        return Message(
            _number(told["from"]),
            {_number(number): _number(revision) for number, revision in told["news"]},
            [
                Here(_number(number), tuple(map(_number, seats)), tuple(map(_number, watching)))
                for number, seats, watching in told["here"]
            ],
            list(map(_number, told["dismissed"])),
            told["leaves"] is True,
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _number(given: Any) -> int:
    if type(given) is not int or not 0 <= given <= LARGEST:
        raise ValueError(f"{given!r} is no number of ours")
    return given


class Listener(Protocol):
    """Whoever wants to hear of other processes, on the event loop."""

    def heard(self, message: Message) -> None:
        """Another process told something."""

    def missed(self) -> None:
        """The line was down: whatever was told meanwhile was not heard."""


class Bus:
    """Tells every listener that tables changed; this one all in its process, of which tests have several."""

    name = ""
    """What carries it, as processes compare it: all on one database have the same."""
    deaf = False
    """Is the line down, so that nothing is heard?"""

    def __init__(self) -> None:
        self.listeners: list[Listener] = []

    @property
    def far(self) -> bool:
        """Can there be other processes at its ends?"""
        return len(self.listeners) > 1

    async def start(self, sender: int) -> None:
        """Open the line of the process of this number."""

    async def stop(self) -> None:
        """Close the line, when what was told is sent."""

    def publish(self, message: Message) -> None:
        """Send a message to all others soon; messages of about the same time are sent together."""
        self._hear(message)

    def _hear(self, message: Message) -> None:
        for listener in list(self.listeners):
            listener.heard(message)

    def _miss(self) -> None:
        for listener in list(self.listeners):
            listener.missed()
