"""Pydantic models of the server's messages and responses, limited to the types and fields that this client uses.

Messages of unknown types and unknown fields are ignored, so a newer server can send more. A message of a known type
that violates docs/protocol.md raises `BadAnswer`.
"""

from __future__ import annotations

import json
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from facedown.client.errors import BadAnswer


class ServerMessage(BaseModel):
    """Base class of all data from the server. Undeclared fields are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


# --- WebSocket messages -----------------------------------------------------------------------------------------------


class OpenProposal(ServerMessage):
    """A player's proposal to take a move back or to end the match. No one can move until all players have answered."""

    number: int
    what: Literal["take-back", "end"]
    seat: int
    asked: tuple[int, ...]
    agreed: tuple[int, ...]


class Known(ServerMessage):
    """WebSocket message with one seat's view of the match and the seat's legal actions."""

    version: int
    say: tuple[str, ...] = ()
    seat: int
    acting: tuple[int, ...]
    legal: tuple[int, ...]
    left: float | None
    over: bool
    returns: tuple[float, ...] | None
    view: dict[str, Any]
    proposal: OpenProposal | None = None


class Chat(ServerMessage):
    """A chat message sent at the table. `seat` is None if a spectator wrote it, and `at` is a Unix time."""

    name: str
    text: str
    seat: int | None
    at: int


class Error(ServerMessage):
    """WebSocket message about an error: the server refused a request, or it is closing the connection.

    `code` is the error code of docs/protocol.md. `reason` is a sentence that can be shown to a user.
    """

    code: str
    reason: str


Message = Known | Chat | Error
"""The types of WebSocket messages that this client reads. Other messages are skipped."""
KINDS: dict[str, type[Message]] = {"known": Known, "chat": Chat, "error": Error}


def parse(text: str | bytes) -> Message | None:
    """Parse a WebSocket message; None if its type is unknown. Raise `BadAnswer` if it is malformed.

    >>> parse('{"type": "error", "code": "closed", "reason": "This table is closed.", "since": 7}')
    Error(code='closed', reason='This table is closed.')
    >>> parse('{"type": "fanfare"}') is None
    True
    >>> parse('{"type": "chat"}')
    Traceback (most recent call last):
    facedown.client.errors.BadAnswer: invalid message chat: name: Field required
    """
    try:
        data = json.loads(text)
    except ValueError:
        raise BadAnswer("a message is not valid JSON") from None
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str):
        raise BadAnswer("a message has no type")
    if kind not in KINDS:
        return None
    try:
        return KINDS[kind].model_validate_json(text)
    except ValidationError as wrong:
        raise BadAnswer(f"invalid message {kind}: {_first_error_text(wrong)}") from None


# --- HTTP responses ---------------------------------------------------------------------------------------------------


class SeatInfo(ServerMessage):
    """Public data of a seat: who has it, whether that player is ready, and whether that player is a program."""

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str
    ready: bool
    program: bool


class TableInfo(ServerMessage):
    """Data of a table that everyone may see: game, options, status, seats and so on."""

    code: str
    url: str
    game: str
    status: Literal["lobby", "running", "finished"]
    rules_version: int
    options: dict[str, str]
    seats: list[SeatInfo]
    memory: bool
    clock: int = 0
    increment: int = 0


class OpenTable(ServerMessage):
    """An open table. `free` is the number of seats that a new player could take: at once, or in the next round in place
    of bots, as `joins` says.
    """

    table: TableInfo
    free: int
    joins: Literal["now", "next-round", "no"]


class OpenTableList(ServerMessage):
    """Response to a request for the open tables of a server, and the number of persons who look for a seat there."""

    tables: list[OpenTable]
    seekers: int


class Joined(ServerMessage):
    """Response to sitting down: the table, the seat's index and the seat's token."""

    table: TableInfo
    seat: int | None
    token: str


class Moved(ServerMessage):
    """Response to a move: the version of the match (number of changes that the seat has seen) after the move."""

    version: int


class Again(ServerMessage):
    """Response to a request for a rematch: the code of the new table, empty until it exists, and whether its cards are
    dealt.
    """

    table: str
    dealt: bool


class FinishedMatch(ServerMessage):
    """A finished match, with its seed and all moves."""

    code: str
    game: str
    rules_version: int
    seats: list[str]
    options: dict[str, str]
    seed: str
    commitment: str
    returns: list[float]
    result: str
    moves: list[dict[str, Any]]


class Problem(ServerMessage):
    """Response to a refused request: the error code of docs/protocol.md, and the reason as a sentence for users."""

    code: str
    reason: str


M = TypeVar("M", bound=ServerMessage)


def read(model: type[M], text: str | bytes) -> M:
    """Parse a response as an instance of `model`. Raise `BadAnswer` if it doesn't have the fields of that model."""
    try:
        return model.model_validate_json(text)
    except ValidationError as wrong:
        raise BadAnswer(f"the answer is not a valid {model.__name__}: {_first_error_text(wrong)}") from None


def _first_error_text(wrong: ValidationError) -> str:
    """Return the first validation error as text: the field and the problem."""
    error = wrong.errors()[0]
    where = ".".join(map(str, error["loc"]))
    return f"{where}: {error['msg']}" if where else str(error["msg"])
