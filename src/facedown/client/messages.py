"""What a seat is told: the messages and answers that are known here, and of each the fields that are read.

Nothing else is looked at. A message of a kind that is not listed is passed over, so that a newer server may send more;
one that is listed, and is not what docs/protocol.md says of it, is a `BadAnswer`.
"""

from __future__ import annotations

import json
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from facedown.client.errors import BadAnswer


class ServerMessage(BaseModel):
    """Something that came from the server; fields that are not declared are left out."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


# --- over the live line -----------------------------------------------------------------------------------------------


class Known(ServerMessage):
    """All that the seat knows, and what it may do."""

    version: int
    say: tuple[str, ...] = ()
    seat: int
    acting: tuple[int, ...]
    legal: tuple[int, ...]
    left: float | None
    over: bool
    returns: tuple[float, ...] | None
    view: dict[str, Any]


class Chat(ServerMessage):
    """Somebody said something to the table."""

    name: str
    text: str
    seat: int | None
    at: int


class Error(ServerMessage):
    """A request was refused, or the table is closed."""

    code: str
    reason: str


Message = Known | Chat | Error
"""All that is read of a live line."""
KINDS: dict[str, type[Message]] = {"known": Known, "chat": Chat, "error": Error}


def parse(text: str | bytes) -> Message | None:
    """A message of a live line, None of a kind that is not known here; `BadAnswer` for what is no message.

    >>> parse('{"type": "error", "code": "closed", "reason": "This table is closed.", "since": 7}')
    Error(code='closed', reason='This table is closed.')
    >>> parse('{"type": "fanfare"}') is None
    True
    >>> parse('{"type": "chat"}')
    Traceback (most recent call last):
    facedown.client.errors.BadAnswer: a message chat: name: Field required
    """
    try:
        data = json.loads(text)
    except ValueError:
        raise BadAnswer("a message is no JSON") from None
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str):
        raise BadAnswer("a message has no type")
    if kind not in KINDS:
        return None
    try:
        return KINDS[kind].model_validate_json(text)
    except ValidationError as wrong:
        raise BadAnswer(f"a message {kind}: {_first(wrong)}") from None


# --- answers to requests ----------------------------------------------------------------------------------------------


class SeatInfo(ServerMessage):
    """A seat, as everybody sees it."""

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str
    ready: bool
    program: bool


class TableInfo(ServerMessage):
    """A table, as everybody sees it."""

    code: str
    url: str
    game: str
    status: Literal["lobby", "running", "finished"]
    rules_version: int
    options: dict[str, str]
    seats: list[SeatInfo]
    memory: bool


class Joined(ServerMessage):
    """A table, one's seat there, and its token."""

    table: TableInfo
    seat: int | None
    token: str


class Moved(ServerMessage):
    """Of what is seen after a move, what is needed."""

    version: int


class Again(ServerMessage):
    """Another match with the same people."""

    table: str
    dealt: bool


class FinishedMatch(ServerMessage):
    """A finished match, with everything that was secret."""

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
    """Why something was refused."""

    code: str
    reason: str


M = TypeVar("M", bound=ServerMessage)


def read(model: type[M], text: str | bytes) -> M:
    """An answer as a model; `BadAnswer` where it is none."""
    try:
        return model.model_validate_json(text)
    except ValidationError as wrong:
        raise BadAnswer(f"the answer is no {model.__name__}: {_first(wrong)}") from None


def _first(wrong: ValidationError) -> str:
    """The first thing that is wrong."""
    error = wrong.errors()[0]
    where = ".".join(map(str, error["loc"]))
    return f"{where}: {error['msg']}" if where else str(error["msg"])
