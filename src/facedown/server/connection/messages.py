"""Messages of a live table over WebSocket: one union of what a client may send, one of what it may get.

Received messages are parsed by `parse`, which refuses invalid ones with a sentence. Sent messages are built from these
models. ``python tools/protocol_page.py`` makes the part of docs/protocol.md about messages from the docstrings,
descriptions and examples here.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from facedown.play import Refusal
from facedown.play.records import RefusalCode
from facedown.server.i18n import N_, _
from facedown.server.process.breach_padding import random_padding

#: WebSocket close codes: the client may reconnect later (1013), or must not reconnect (1008, RFC 6455).
CLOSE_TRY_AGAIN_LATER, CLOSE_POLICY_VIOLATION = 1013, 1008
#: Largest absolute value of an integer in a message.
LARGEST = 2**31

Number = Annotated[int, Field(strict=True, ge=-LARGEST, le=LARGEST)]
Words = Annotated[str, BeforeValidator(str)]
"""A text. Other JSON values are converted to text, so that the code that knows the allowed names refuses them."""
Chosen = Annotated[str, BeforeValidator(lambda value: str(value or ""))]
"""A text as `Words`, where null, false and other empty values become ""."""
Yes = Annotated[bool, BeforeValidator(lambda value: value is True)]
"""A boolean that is true only for the JSON value true."""


class Message(BaseModel):
    """Base of all messages."""

    model_config = ConfigDict(frozen=True)


# --- from the client --------------------------------------------------------------------------------------------------


class Hello(Message):
    """The first message on every connection, and nothing comes before it. The server answers with `table` or `lobby`
    when the page is behind (it may always do so).
    """

    type: Literal["hello"]
    version: Number = Field(description="the version that the page shows", examples=[17])
    patches: Yes = Field(default=False, description="as pages of earlier versions ask: tables come in `parts`")
    known: Yes = Field(
        default=False,
        description="`known` comes in place of `table`, and `lobby` without `html`: for a program (`forbidden` to"
        " people, where the table has no memory aid)",
    )
    sections: Yes = Field(default=False, description="tables come in `sections`; else always whole", examples=[True])


class Move(Message):
    """A completed path of touches; *continue* after a round is a move like any other. A server accepts it when nothing
    that this seat may do has changed since (another seat's sealed choice may have arrived in between) and refuses
    it as `stale` otherwise. The same move sent twice counts once.
    """

    type: Literal["move"]
    action: Number = Field(description="the action at the end of the path", examples=[42])
    version: Number = Field(description="that of the table the person looked at", examples=[17])


class Ready(Message):
    """In the lobby: ready, or not yet."""

    type: Literal["ready"]
    ready: bool = Field(strict=True, description="is this person ready", examples=[True])


class SeatBot(Message):
    """In the lobby, by the host: seat a bot, or give a bot another level."""

    type: Literal["bot"]
    seat: Number = Field(description="the seat, counted from 0", examples=[2])
    level: Words = Field(default="", description="the key of a bot's level", examples=["greedy"])


class OpenSeat(Message):
    """In the lobby, by the host: open a bot's seat again, or that of a guest who has been away for three minutes."""

    type: Literal["open"]
    seat: Number = Field(description="the seat, counted from 0", examples=[2])


class Remove(Message):
    """In the lobby, by the host: remove a person. Their page says so, and they are not let in again."""

    type: Literal["remove"]
    seat: Number = Field(description="the seat, counted from 0", examples=[2])


class Admit(Message):
    """In the lobby, by the host: let in again whom the host has removed."""

    type: Literal["admit"]
    name: Words = Field(description="the name that they had at this table", examples=["Sol"])


class Swap(Message):
    """In the lobby, by the host: two places change who has them."""

    type: Literal["swap"]
    seat: Number = Field(description="a seat, counted from 0", examples=[2])
    other: Number = Field(description="another seat", examples=[0])


class CloseSeat(Message):
    """In the lobby, by the host: take a seat away where no person sits. The seats after it are renumbered."""

    type: Literal["close"]
    seat: Number = Field(description="the seat, counted from 0", examples=[2])


class AddSeat(Message):
    """In the lobby, by the host: add an open seat after the last one."""

    type: Literal["add"]


class StandIn(Message):
    """Let a bot play for a person who has been away for the whole grace time."""

    type: Literal["standin"]
    seat: Number = Field(description="the seat, counted from 0", examples=[2])
    level: Chosen = Field(default="", description="the key of a bot's level; without it the usual one")


class Say(Message):
    """Says something to the table, from anybody who has a seat or watches under a name."""

    type: Literal["chat"]
    text: str = Field(strict=True, description="what is said", examples=["Good luck!"])


class Again(Message):
    """On the page of a finished match: as `POST /t/{code}/again`. Whoever asks opens the next table; those who are
    ready there have agreed, and it is dealt when all are. The question stands for an hour, also after a restart;
    nobody is moved who has not agreed.
    """

    type: Literal["again"]
    answer: Words = Field(default="yes", description="`yes`, `no`, or `on` to wait no longer", examples=["yes"])


class AskHint(Message):
    """Asks the coach: at a table with hints, by whoever is to act, one at a time (`forbidden`, `not-your-turn`,
    `too-fast` otherwise).
    """

    type: Literal["hint"]
    stop: Yes = Field(default=False, description="asks it to stop, as it does by itself when the seat plays")


class LookBack(Message):
    """Looks at a finished match from another seat."""

    type: Literal["review"]
    seat: Number = Field(description="the seat, counted from 0", examples=[1])


class Ping(Message):
    """Sent after 20 s of silence at the latest, so that both sides know that the other is there."""

    type: Literal["ping"]


HostRequest = SeatBot | OpenSeat | Remove | Admit | Swap | CloseSeat | AddSeat
"""Requests of the host before the deal."""
TableRequest = Ready | HostRequest | StandIn | Say
"""Requests that may change the table, except moves."""
Received = Annotated[Hello | Move | TableRequest | Again | AskHint | LookBack | Ping, Field(discriminator="type")]
"""All messages that a client may send."""


# --- from the server --------------------------------------------------------------------------------------------------


class Sent(Message):
    """Base of the messages to a client. Fields that were not set are left out of the JSON."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def model_post_init(self, context: Any, /) -> None:
        """Mark `type` as set, so that it is always sent."""
        self.model_fields_set.add("type")

    def wire(self) -> str:
        """Return the message as JSON text."""
        return self.model_dump_json(exclude_unset=True)


Filler = Annotated[
    str | None,
    Field(description="text of a random length, to be thrown away: how long a message is tells nobody what it holds"),
]


class Page(Sent):
    """Base of messages that hold a page or texts of other people; they get `random_padding` as `filler`.

    The client's own page and the texts of others are compressed together. Without padding, the length of a message
    would disclose whether such a text repeats a secret of the page.
    """

    def wire(self) -> str:
        """Return the message as JSON text, with random padding."""
        return self.model_copy(update={"filler": random_padding()}).model_dump_json(exclude_unset=True)


class Table(Page):
    """The table for this viewer: whole, in `html`, or what changed of it, in `sections` and `log`, for a page that says
    in its `hello` that it takes `sections`. The first one after a `hello` holds all sections. When the last cards of a
    match are turned in steps, the client shows `last`, turns the steps, and then shows the rest.
    """

    type: Literal["table"] = "table"
    version: int = Field(
        description="counts the changes that this viewer could see: it tells no more than the table does", examples=[17]
    )
    say: list[str] = Field(
        description="what happened since this viewer's last message, in words", examples=[["Ravi drew a card."]]
    )
    step: dict[str, Any] = Field(
        description="the tree of touches (below)", examples=[{"prompt": "Keep the 1 or discard it?"}]
    )
    yours: bool = Field(description="is this viewer to act", examples=[True])
    over: bool = Field(description="has the match ended", examples=[False])
    title: str = Field(description="the title of the window", examples=["Move 17 · your turn"])
    last: str | dict[str, Any] | None = Field(
        default=None,
        description="the table on which the last cards lie, where they are turned in steps: like `html`, or an object"
        " with `sections` and `log`",
    )
    html: str | None = Field(
        default=None, description='replaces (by morphing) the inside of `<main id="app">`', examples=["<div …"]
    )
    sections: dict[str, str] | None = Field(
        default=None,
        description="in place of `html`: the sections of the page that differ, each whole, by the ids of their"
        ' elements. `frame` is the inside of `<main id="app">`. `<i id="NAME" data-slot></i>` in a section is the place'
        " of another: of one that comes with it, or of one that the page has",
        examples=[{"prompt": "<div …"}],
    )
    log: list[str] | None = Field(
        default=None, description="with `sections`: new lines, which follow those in `#log-lines`", examples=[["<li>…"]]
    )
    parts: list[str] | None = Field(
        default=None, description="`html` as a list of one text, for pages of earlier versions (`patches`)"
    )
    filler: Filler = None


class Known(Page):
    """All that the seat knows, in place of `table`, for a program that says `known` in its `hello`. Each is whole: who
    missed one has missed nothing. `GET /api/v1/tables/{code}/known` gives the same.
    """

    type: Literal["known"] = "known"
    version: int = Field(description="as of a `table`: what a move names", examples=[17])
    say: list[str] = Field(
        description="what happened since this viewer's last message, in words", examples=[["Ravi drew a card."]]
    )
    seat: int = Field(description="this seat, counted from 0", examples=[1])
    acting: list[int] = Field(description="the seats that are to act", examples=[[1]])
    legal: list[int] = Field(description="the actions that this seat may take now, ascending", examples=[[79, 80]])
    left: float | None = Field(description="the seconds left on this seat's clock; null without one", examples=[42.3])
    over: bool = Field(description="has the match ended", examples=[False])
    returns: list[float] | None = Field(
        description="when it has ended, the final score of each seat, higher is better; else null", examples=[None]
    )
    view: dict[str, Any] = Field(
        description="the record, field by field: numbers, lists of them, and `opt` as an object (docs/records). The"
        " key, and the first field, which are 0 in every view, are left out",
        examples=[{"seats": 2, "viewer": 1}],
    )
    filler: Filler = None


class Lobby(Page):
    """The table before the deal, for this viewer. When the deal begins the server simply sends `table` (or `known`)."""

    type: Literal["lobby"] = "lobby"
    version: int = Field(description="the table's revision", examples=[3])
    html: str | None = Field(
        default=None, description='replaces (by morphing) the inside of `<main id="app">`', examples=["<div …"]
    )
    say: list[str] = Field(
        description="what happened since this viewer's last message, in words", examples=[["Noor is ready."]]
    )
    title: str = Field(description="the title of the window", examples=["Table K7QM 4XPN"])
    filler: Filler = None


class Chat(Page):
    """Said to the table; also contained in the next whole table. One person may say five things a minute (`too-fast`:
    “A moment, please.”); those who watch only where the table says so; at a game of silence nobody but *Hello* and
    *One moment* until it is over (`forbidden`).
    """

    type: Literal["chat"] = "chat"
    name: str = Field(description="who said it", examples=["Noor"])
    text: str = Field(description="what was said", examples=["Good luck!"])
    seat: int | None = Field(description="their seat; null of somebody who watches", examples=[2])
    at: int = Field(description="when, in seconds since the epoch", examples=[1795320251])
    filler: Filler = None


class Refused(Sent):
    """The last move or other request was refused and changed nothing. Codes: `stale` (another version; the server
    sends `table` right after it), `illegal`, `not-your-turn`, `malformed`, `too-fast`, `forbidden`, `conflict` (the
    table is in another state, or it could not be written down), `full`, `closed` (the table is gone; the client
    stops).
    """

    type: Literal["error"] = "error"
    code: RefusalCode = Field(description="which rule it was", examples=["stale"])
    reason: str = Field(
        description="a sentence for a person", examples=["That move came too late: you had already played."]
    )


class HintedMove(Message):
    """A move of a hint."""

    action: int = Field(description="the action", examples=[42])
    words: str = Field(description="what it does, in words", examples=["Play 2·0"])
    why: str = Field(description="why it is the best", examples=["It wins the trick."])
    worth: str = Field(description="what it is worth, in words", examples=["62 % to win, in 400 imagined deals"])
    touches: list[str] = Field(description="what is touched for it, in order", examples=[["hand-5", "lead"]])
    exact: bool = Field(description="was it worked out exactly", examples=[False])
    worlds: int = Field(description="in how many imagined worlds it was tried", examples=[400])
    value: float = Field(description="what it is worth, in `unit`", examples=[0.62])
    unit: str = Field(description="`chance` (to win, 0 to 1) or `turns` (wasted)", examples=["chance"])


class HintStep(Message):
    """A step on the way to the move of a hint: it says less than the moves do."""

    html: str | None = Field(default=None, description="is shown beside the table", examples=["<div …"])
    say: list[str] = Field(description="goes to the polite region", examples=[["Look here: Your hand."]])
    zone: str = Field(description="the zone that it is about, marked on the table; may be empty", examples=["hand"])


class Hint(Page):
    """The answer to `hint`, to this connection alone, from what this seat knows and nothing else. It stands until
    something that may be touched changes.
    """

    type: Literal["hint"] = "hint"
    version: int = Field(description="the version of the table that it is about", examples=[17])
    moves: list[HintedMove] = Field(
        description="up to three moves, best first; what `touches` of the first one names is marked on the table"
    )
    steps: list[HintStep] = Field(description="where to look, then why: shown one after the other, first")
    html: str | None = Field(default=None, description="is shown after the steps", examples=["<div …"])
    say: list[str] = Field(description="goes to the polite region", examples=[["The coach would choose: Play 2·0."]])
    filler: Filler = None


class Thinking(Sent):
    """While the coach looks for a hint: how far it has come."""

    type: Literal["thinking"] = "thinking"
    done: int | None = Field(
        default=None, description="in so many imagined worlds it has tried the moves", examples=[28]
    )
    of: int | None = Field(default=None, description="of so many, as far as can be said", examples=[64])
    preparing: bool | None = Field(
        default=None, description="its code is still being compiled: `done` and `of` count the steps of that"
    )
    over: bool | None = Field(default=None, description="it will not answer: whoever asked has played, or let it go")


class Review(Page):
    """The coach has come further with a finished match, or is done. While the last cards are still being turned the
    client keeps it until they lie.
    """

    type: Literal["review"] = "review"
    html: str | None = Field(default=None, description="replaces the inside of `#coach`", examples=["<section …"])
    ready: bool = Field(description="has it looked through the whole match", examples=[False])
    say: list[str] = Field(description="goes to the polite region", examples=[[]])
    filler: Filler = None


class Go(Sent):
    """The page follows this address: the next match is dealt, and this person has agreed to it (or the page is closed
    to them).
    """

    type: Literal["go"] = "go"
    url: str = Field(description="the address", examples=["/t/M4XA"])


class Pong(Sent):
    """The answer to `ping`."""

    type: Literal["pong"] = "pong"


AnySent = Annotated[
    Table | Known | Lobby | Chat | Refused | Hint | Thinking | Review | Go | Pong, Field(discriminator="type")
]
"""All messages that the server may send to a client."""

RECEIVED: TypeAdapter[Received] = TypeAdapter(Received)


def models(union: Any) -> dict[str, type[Message]]:
    """Return the models of one of the two unions by the ``type`` of their messages, in order of definition."""
    return {get_args(model.model_fields["type"].annotation)[0]: model for model in get_args(get_args(union)[0])}


_NAMES = tuple(models(Received))
#: Error texts for fields of the wrong type, by the expected type.
_SHOULD_BE: dict[Any, str] = {
    int: N_("{name} is a whole number."),
    bool: N_("{name} is true or false."),
    str: N_("{name} is a string."),
}


def parse(text: str) -> Received:
    """Return the message in a text that a client sent. Raise `Refusal` with a sentence if it is invalid.

    >>> parse('{"type": "move", "action": 42, "version": 17}')
    Move(type='move', action=42, version=17)
    >>> parse('{"type": "move", "action": "42"}')
    Traceback (most recent call last):
    facedown.play.records.Refusal: action is a whole number.
    """
    try:
        data = json.loads(text)
        if "\\ud" in text.lower():
            # JSON can escape half of a surrogate pair (a cut emoji), which cannot be encoded as UTF-8. It is dropped.
            data = json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "ignore"))
    except (ValueError, RecursionError):
        raise Refusal("malformed", _("This message is not JSON.")) from None
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in _NAMES:
        there = ", ".join(_NAMES)
        raise Refusal("malformed", _("There is no message {kind!r}: there are {names}.", kind=kind, names=there))
    try:
        return RECEIVED.validate_python(data)
    except ValidationError as wrong:
        name = str(wrong.errors()[0]["loc"][-1])
        field = models(Received)[kind].model_fields[name]
        raise Refusal("malformed", _(_SHOULD_BE[field.annotation], name=name)) from None
