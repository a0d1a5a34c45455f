"""Messages between a client and its table over the WebSocket: `Received` from the client, `AnySent` to it.

`parse_client_message` converts received text to one of these models. It rejects invalid text with an explanation. The
server also builds the messages that it sends from these models. ``python tools/protocol_page.py`` writes the section on
messages in docs/protocol.md from the docstrings, descriptions and examples here.
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
    """Base class of all WebSocket messages."""

    model_config = ConfigDict(frozen=True)


# --- from the client --------------------------------------------------------------------------------------------------


class Hello(Message):
    """The first message on every connection, which asks for the table in one of several forms. The server answers with
    the current table: before the deal as `lobby`, afterwards as `table` or, if the `hello` asks for it, as `known`. The
    `hello` also says which version the client shows, so that `say` in the answer has only what has happened since then.
    """

    type: Literal["hello"]
    version: Number = Field(description="the version shown by the page", examples=[17])
    patches: Yes = Field(default=False, description="sent by pages of earlier versions: tables are sent in `parts`")
    known: Yes = Field(
        default=False,
        description="for programs: `known` is sent instead of `table`, and `lobby` without `html` (`forbidden` to"
        " people if the table has no memory aid)",
    )
    sections: Yes = Field(
        default=False, description="tables are sent in `sections`; otherwise always complete", examples=[True]
    )


class Move(Message):
    """A player's move. A page sends it when the player has touched all places and buttons that make up the move.
    *Continue* after a round is a move, too. The server refuses the move as `stale` if the legal moves of this seat have
    changed since `version`. Other changes since then, such as another player's secret choice, do not matter. A move
    that is sent twice (the same `action` and `version`) counts once.
    """

    type: Literal["move"]
    action: Number = Field(description="the action at the end of the path", examples=[42])
    version: Number = Field(description="the version of the table that the player saw", examples=[17])


class Ready(Message):
    """A player's message, before the deal, that says whether this player is ready. The cards are dealt when every seat
    is taken and everyone is ready.
    """

    type: Literal["ready"]
    ready: bool = Field(strict=True, description="whether this player is ready", examples=[True])


class SeatBot(Message):
    """The host's request, before the deal, to give an open seat to a bot, or to change the level of a bot."""

    type: Literal["bot"]
    seat: Number = Field(description="the seat, counted from 0", examples=[2])
    level: Words = Field(default="", description="the key of a bot level", examples=["greedy"])


class OpenSeat(Message):
    """The host's request, before the deal, to free a seat for a new player. The seat must belong to a bot, or to a
    guest who has been away for at least three minutes. A guest is a player other than the host.
    """

    type: Literal["open"]
    seat: Number = Field(description="the seat, counted from 0", examples=[2])


class Remove(Message):
    """The host's request, before the deal, to remove a player from the table. The page of the removed player says so.
    This player cannot take a seat again unless the host allows it by the message `admit`.
    """

    type: Literal["remove"]
    seat: Number = Field(description="the seat, counted from 0", examples=[2])


class Admit(Message):
    """The host's request, before the deal, to let a removed player take a seat at this table again."""

    type: Literal["admit"]
    name: Words = Field(description="the name that the player had at this table", examples=["Sol"])


class Swap(Message):
    """The host's request, before the deal, to swap the players in two seats. This changes the turn order."""

    type: Literal["swap"]
    seat: Number = Field(description="a seat, counted from 0", examples=[2])
    other: Number = Field(description="another seat", examples=[0])


class CloseSeat(Message):
    """The host's request, before the deal, to remove a seat in which no person sits. The number of each seat after it
    becomes smaller by one.
    """

    type: Literal["close"]
    seat: Number = Field(description="the seat, counted from 0", examples=[2])


class AddSeat(Message):
    """The host's request, before the deal, to add an open seat after the last one."""

    type: Literal["add"]


class ListTable(Message):
    """The host's request to list the table among the open tables, where everyone can find it, or to remove it from the
    list. Before the deal, everyone can take an open seat at a listed table. During the match, everyone can take over
    the seat of a bot: they get it when the next round is dealt. At most three tables of a host can be listed at the
    same time.
    """

    type: Literal["list"]
    listed: bool = Field(strict=True, description="whether the table is listed", examples=[True])


class TakeOver(Message):
    """A spectator's request, during the match at a listed table, to take over the seat of a bot when the next round is
    dealt, or to cancel that again. A spectator who leaves the table before the deal cancels it, too.
    """

    type: Literal["takeover"]
    take: bool = Field(default=True, strict=True, description="false to cancel", examples=[True])


class StandIn(Message):
    """A player's request, during a match, to let a bot play for another player. It is allowed at once if the other
    player has left the table, or has run out of time three times in a row. It is also allowed at once if the other
    player has run out of time in this turn and the table's settings do not let a bot play then. In all other cases, the
    other player must have been away for 60 seconds, and the table must not have a time limit of an hour or more.
    """

    type: Literal["standin"]
    seat: Number = Field(description="the seat, counted from 0", examples=[2])
    level: Chosen = Field(default="", description="the key of a bot level; the default level if empty")


class Propose(Message):
    """A player's proposal, during a match, to take their last move back or to end the match. All other persons whom it
    concerns must agree (message `answer`); bots agree at once. While a proposal is open, no one can move and all clocks
    are stopped. It counts as declined after 30 seconds, or after a day if the time limit of a turn is an hour or more.
    A last move can be taken back while no player and no spectator has seen anything hidden since. The server refuses
    the proposal as `conflict`, with the reason, if it is not possible now.
    """

    type: Literal["propose"]
    what: Words = Field(description="`take-back` or `end`", examples=["take-back"])


class Answer(Message):
    """A player's answer to the open proposal of another player. The server refuses it as `stale` if this proposal is no
    longer open. The player who made the proposal withdraws it by declining.
    """

    type: Literal["answer"]
    proposal: Number = Field(description="the number of the proposal", examples=[24])
    agree: bool = Field(strict=True, description="whether this player agrees", examples=[True])


class Resign(Message):
    """A player's request to resign. With two seats, the match is over and the other player wins. With more seats, a bot
    plays on for this player to the end of the match.
    """

    type: Literal["resign"]


class Say(Message):
    """A chat message from a person who has a seat or has chosen to watch the table."""

    type: Literal["chat"]
    text: str = Field(strict=True, description="the text", examples=["Good luck!"])


class Again(Message):
    """A player's request for a rematch after a finished match, or the answer to another player's request. The form
    `POST /t/{code}/again` has the same effect. The first request creates the table of the next match. A player who
    agrees is ready at that table. The cards are dealt once all its players are ready. The request stays open for an
    hour, even if the server restarts. Only players who have agreed are sent to the next table, by the message `go`.
    """

    type: Literal["again"]
    answer: Words = Field(
        default="yes",
        description="`yes`, `no`, or `on` to stop waiting for players who have not answered",
        examples=["yes"],
    )


class AskHint(Message):
    """A player's request for a hint from the coach. The server refuses it as `forbidden` if the table does not allow
    hints, as `not-your-turn` if it is not the player's turn, and as `too-fast` while an earlier request is unanswered.
    """

    type: Literal["hint"]
    stop: Yes = Field(default=False, description="cancels the request, as a move of the seat does, too")


class LookBack(Message):
    """A request for the coach's review of the decisions of a seat in a finished match. The server sends the review to
    this connection in `review` messages. Until the review is complete, these messages show its progress.
    """

    type: Literal["review"]
    seat: Number = Field(description="the seat, counted from 0", examples=[1])


class Ping(Message):
    """A message that shows the server that the connection is alive. The server answers with `pong`, so the client also
    knows that the connection is alive. A client should send a `ping` if it has sent nothing else for 20 seconds. The
    server closes a connection on which it has received nothing for 75 seconds.
    """

    type: Literal["ping"]


HostRequest = SeatBot | OpenSeat | Remove | Admit | Swap | CloseSeat | AddSeat
"""Requests of the host before the deal."""
AgreementRequest = Propose | Answer | Resign
"""Requests about taking a move back, ending the match and resigning."""
TableRequest = Ready | HostRequest | StandIn | AgreementRequest | Say
"""Requests that may change the table, except moves."""
OpenTableRequest = ListTable | TakeOver
"""Requests about the list of open tables, which depend on more than the table itself."""
Received = Annotated[
    Hello | Move | TableRequest | OpenTableRequest | Again | AskHint | LookBack | Ping, Field(discriminator="type")
]
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
    Field(description="random text to be ignored; it hides the length of the message's content"),
]


class Page(Sent):
    """Base of messages that contain the client's page, or text written by other persons (such as chat messages).

    A page with secrets and a text written by another person may be compressed together. A text that repeats a secret
    makes the compressed message shorter. Random padding in the field `filler` hides this difference in length.
    """

    def wire(self) -> str:
        """Return the message as JSON text, with random padding that hides the length of the content (see the class)."""
        return self.model_copy(update={"filler": random_padding()}).model_dump_json(exclude_unset=True)


class Table(Page):
    """The table during and after the match, as this viewer sees it. The client's `hello` selects the form of the page.
    Without `sections` in the `hello`, each message contains the complete page, in `html`. With `sections` in the
    `hello`, the page comes as named pieces of HTML (sections), in the field `sections`. The first message after the
    `hello` then contains all sections. Later ones contain only the changed sections, and the new log lines in `log`.

    At the end of some matches, the client flips the last cards step by step before it shows the result. The message
    then contains two pages. The client first shows the page in `last`, which has no result, and flips the cards there.
    Then it shows the page with the result. This page is in `html`. If the `hello` asked for `sections`, it is in
    `sections` instead, which then contains all sections of the page.
    """

    type: Literal["table"] = "table"
    version: int = Field(
        description="a counter of the changes that this viewer could see; it reveals no more than the table does",
        examples=[17],
    )
    say: list[str] = Field(
        description="what happened since the last message to this viewer, in words", examples=[["Ravi drew a card."]]
    )
    step: dict[str, Any] = Field(
        description="the tree of touches (below)", examples=[{"prompt": "Keep the 1 or discard it?"}]
    )
    yours: bool = Field(description="whether it is this viewer's turn", examples=[True])
    over: bool = Field(description="whether the match is over", examples=[False])
    title: str = Field(description="the title of the browser window", examples=["Move 17 · your turn"])
    last: str | dict[str, Any] | None = Field(
        default=None,
        description="if the last cards are revealed in steps: the table on which this happens, like `html`, or an"
        " object with `sections` and `log`",
    )
    html: str | None = Field(
        default=None, description='replaces (by morphing) the inside of `<main id="app">`', examples=["<div …"]
    )
    sections: dict[str, str] | None = Field(
        default=None,
        description="instead of `html`: the changed sections of the page, each complete, by the id of its element."
        ' `frame` is the inside of `<main id="app">`; sections whose names begin with `menu-` are in the menu.'
        ' `<i id="NAME" data-slot></i>` in a section marks the place of'
        " another section, from this message or already on the page",
        examples=[{"prompt": "<div …"}],
    )
    log: list[str] | None = Field(
        default=None, description="with `sections`: new lines to append to `#log-lines`", examples=[["<li>…"]]
    )
    parts: list[str] | None = Field(
        default=None, description="`html` as a list with one string, for pages of earlier versions (`patches`)"
    )
    filler: Filler = None


class OpenProposal(Message):
    """A player's proposal to take a move back or to end the match, until all players have answered. While there is one,
    no one can move and all clocks are stopped.
    """

    number: int = Field(description="the number of the proposal, for the answer", examples=[24])
    what: Literal["take-back", "end"] = Field(description="`take-back` or `end`", examples=["take-back"])
    seat: int = Field(description="the seat of the player who proposes it", examples=[0])
    asked: list[int] = Field(description="the seats whose players must agree", examples=[[1]])
    agreed: list[int] = Field(description="the seats whose players have agreed so far", examples=[[]])


class Known(Page):
    """Everything that the seat knows, in numbers. The server sends `known` instead of `table` if the `hello` asked for
    it. Each message is complete, so a missed one does no harm. `GET /api/v1/tables/{code}/known` returns the same.
    """

    type: Literal["known"] = "known"
    version: int = Field(description="as in `table`; a move refers to it", examples=[17])
    say: list[str] = Field(
        description="what happened since the last message to this viewer, in words", examples=[["Ravi drew a card."]]
    )
    seat: int = Field(description="this seat, counted from 0", examples=[1])
    acting: list[int] = Field(description="the seats whose turn it is", examples=[[1]])
    legal: list[int] = Field(description="the legal actions of this seat, in ascending order", examples=[[79, 80]])
    left: float | None = Field(description="the seconds left on this seat's clock, or null", examples=[42.3])
    over: bool = Field(description="whether the match is over", examples=[False])
    returns: list[float] | None = Field(
        description="the final score of each seat (higher is better) when the match is over; otherwise null",
        examples=[None],
    )
    view: dict[str, Any] = Field(
        description="the record, field by field: numbers, lists of numbers, and `opt` as an object (docs/records). The"
        " key and the first field are omitted, since they are 0 in every view",
        examples=[{"seats": 2, "viewer": 1}],
    )
    proposal: OpenProposal | None = Field(description="the open proposal, or null", examples=[None])
    filler: Filler = None


class Lobby(Page):
    """The table before the deal, as this viewer sees it. After the deal, the server sends the page in `table` messages.
    If the `hello` asked for `known`, the server instead sends what the seat knows, in numbers, in `known` messages.
    """

    type: Literal["lobby"] = "lobby"
    version: int = Field(description="the table's revision", examples=[3])
    html: str | None = Field(
        default=None, description='replaces (by morphing) the inside of `<main id="app">`', examples=["<div …"]
    )
    say: list[str] = Field(
        description="what happened since the last message to this viewer, in words", examples=[["Noor is ready."]]
    )
    title: str = Field(description="the title of the browser window", examples=["Table K7QM 4XPN"])
    filler: Filler = None


class Chat(Page):
    """A chat message from a player or spectator. The client can show it at once. The page in the next `table` or
    `lobby` message contains it, too. The server does not accept every chat message that clients send. If a person sends
    more than five within a minute, the server refuses the others with the code `too-fast`. Spectators may chat only if
    the table allows it. During a match of a game that is played without talking, only the texts *Hello* and *One
    moment* are allowed. The server refuses what is not allowed with the code `forbidden`.
    """

    type: Literal["chat"] = "chat"
    name: str = Field(description="the sender's name", examples=["Noor"])
    text: str = Field(description="the text", examples=["Good luck!"])
    seat: int | None = Field(description="the sender's seat; null for a spectator", examples=[2])
    at: int = Field(description="the time, in seconds since the epoch", examples=[1795320251])
    filler: Filler = None


class Refused(Sent):
    """The last move or other request was refused and changed nothing. Codes: `stale` (the version is out of date; the
    server sends `table` right after it), `illegal`, `not-your-turn`, `malformed`, `too-fast`, `forbidden`, `conflict`
    (the state of the table does not allow it, or it could not be saved), `full`, `closed` (the table is gone; the
    client must stop). There is one exception: if the server loses its database connection while it saves a change, the
    change may have been saved. The code is then `conflict`, and `reason` says so.
    """

    type: Literal["error"] = "error"
    code: RefusalCode = Field(description="the error code", examples=["stale"])
    reason: str = Field(
        description="a sentence for people", examples=["That move came too late: you had already played."]
    )


class HintedMove(Message):
    """A move that a hint recommends: the reason, the value, and what to touch (click or tap) in order to make it."""

    action: int = Field(description="the number of the action", examples=[42])
    words: str = Field(description="the move in words", examples=["Play 2·0"])
    why: str = Field(description="why the move is best", examples=["It wins the trick."])
    worth: str = Field(description="the value of the move, in words", examples=["62 % to win, in 400 imagined deals"])
    touches: list[str] = Field(description="the touches that make the move, in order", examples=[["hand-5", "lead"]])
    exact: bool = Field(description="whether the value is exact", examples=[False])
    worlds: int = Field(description="the number of simulated deals in which it was tried", examples=[400])
    value: float = Field(description="the value of the move, in `unit`", examples=[0.62])
    unit: str = Field(description="`chance` (to win, 0 to 1) or `turns` (wasted)", examples=["chance"])


class HintStep(Message):
    """A clue that is shown before the moves of a hint. It gives away less than the moves do."""

    html: str | None = Field(default=None, description="shown beside the table", examples=["<div …"])
    say: list[str] = Field(description="for the polite live region", examples=[["Look at your hand."]])
    zone: str = Field(description="the zone to mark on the table; may be empty", examples=["hand"])


class Hint(Page):
    """The coach's advice for this seat's next move, in answer to `hint`: first clues, then the best moves. Only this
    connection gets it. It is based only on what the seat knows, and is valid until the seat's legal moves change.
    """

    type: Literal["hint"] = "hint"
    version: int = Field(description="the version of the table that the hint is for", examples=[17])
    moves: list[HintedMove] = Field(
        description="up to three moves, best first; the `touches` of the first are marked on the table"
    )
    steps: list[HintStep] = Field(description="where to look, then why; shown one after the other before the moves")
    html: str | None = Field(default=None, description="shown after the steps", examples=["<div …"])
    say: list[str] = Field(description="for the polite live region", examples=[["The coach would choose: Play 2·0."]])
    filler: Filler = None


class Thinking(Sent):
    """Progress of the coach's search for a hint."""

    type: Literal["thinking"] = "thinking"
    done: int | None = Field(
        default=None, description="the number of simulated deals in which the moves have been tried", examples=[28]
    )
    of: int | None = Field(default=None, description="the expected total of `done`", examples=[64])
    preparing: bool | None = Field(
        default=None, description="the coach's code is still being compiled; `done` and `of` count the steps of that"
    )
    over: bool | None = Field(
        default=None, description="no hint will follow: the player has moved or cancelled the request"
    )


class Review(Page):
    """A new state of the coach's review of a finished match: more progress, or the complete review. The client does not
    show it while the last cards of the match are still being revealed.
    """

    type: Literal["review"] = "review"
    html: str | None = Field(default=None, description="replaces the inside of `#coach`", examples=["<section …"])
    ready: bool = Field(description="whether the whole match has been reviewed", examples=[False])
    say: list[str] = Field(description="for the polite live region", examples=[[]])
    filler: Filler = None


class Go(Sent):
    """The client must load the page at the address `url`. There are two possible reasons: the next match has been dealt
    and this player had agreed to it, or this player may no longer see the current page.
    """

    type: Literal["go"] = "go"
    url: str = Field(description="the address", examples=["/t/M4XA"])


class Pong(Sent):
    """The server's answer to a client's `ping`. Its only field is `type`. If a `ping` is not answered within a few
    seconds, the client can treat the connection as lost.
    """

    type: Literal["pong"] = "pong"


AnySent = Annotated[
    Table | Known | Lobby | Chat | Refused | Hint | Thinking | Review | Go | Pong, Field(discriminator="type")
]
"""All messages that the server may send to a client."""

RECEIVED: TypeAdapter[Received] = TypeAdapter(Received)


def models_by_type(union: Any) -> dict[str, type[Message]]:
    """Return the message models of a union (`Received` or `AnySent`) by the value of their field ``type``, in the order
    of the union.
    """
    return {get_args(model.model_fields["type"].annotation)[0]: model for model in get_args(get_args(union)[0])}


_NAMES = tuple(models_by_type(Received))
#: Error texts for a field of a message that has the wrong type, by the expected type.
_SHOULD_BE: dict[Any, str] = {
    int: N_("{name} must be a whole number."),
    bool: N_("{name} must be true or false."),
    str: N_("{name} must be a string."),
}


def parse_client_message(text: str) -> Received:
    """Return the message in a text that a client sent. If the text is invalid, raise `Refusal` with an explanation.

    >>> parse_client_message('{"type": "move", "action": 42, "version": 17}')
    Move(type='move', action=42, version=17)
    >>> parse_client_message('{"type": "move", "action": "42"}')
    Traceback (most recent call last):
    facedown.play.records.Refusal: action must be a whole number.
    """
    try:
        data = json.loads(text)
        if "\\ud" in text.lower():
            # JSON can escape half of a surrogate pair (a cut emoji), which cannot be encoded as UTF-8. It is dropped.
            data = json.loads(json.dumps(data, ensure_ascii=False).encode("utf-8", "ignore"))
    except (ValueError, RecursionError):
        raise Refusal("malformed", _("This message is not valid JSON.")) from None
    kind = data.get("type") if isinstance(data, dict) else None
    if not isinstance(kind, str) or kind not in _NAMES:
        there = ", ".join(_NAMES)
        raise Refusal("malformed", _("Unknown message type {kind!r}. Known types: {names}.", kind=kind, names=there))
    try:
        return RECEIVED.validate_python(data)
    except ValidationError as wrong:
        name = str(wrong.errors()[0]["loc"][-1])
        field = models_by_type(Received)[kind].model_fields[name]
        raise Refusal("malformed", _(_SHOULD_BE[field.annotation], name=name)) from None
