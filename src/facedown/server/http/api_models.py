"""Request and response models of the JSON API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from facedown.core.game_registry import catalogue
from facedown.play.records import AtZero
from facedown.play.seat_clocks import LONGEST, MOST_MORE, SHORTEST

#: A non-negative integer that fits the integer columns of the database.
Whole = Annotated[int, Field(ge=0, le=2**31 - 1, strict=True)]


class Model(BaseModel):
    """Base of all messages of the API. The docstrings of fields are their descriptions in the OpenAPI schema."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class In(Model):
    """Base of all request bodies. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Problem(Model):
    """Why something was refused; nothing has changed."""

    code: str = Field(examples=["stale"])
    reason: str = Field(examples=["That move came too late: you had already played."])


class OptionValue(Model):
    """One reading of an option."""

    value: str = Field(examples=["hands(n)"])
    """How it is written; `n` stands for a number."""
    says: str


class OptionInfo(Model):
    """An option of a game's rules."""

    name: str
    label: str
    says: str
    default: str
    values: list[OptionValue]


class GameInfo(Model):
    """A game that can be played."""

    name: str = Field(examples=list(catalogue())[:1])
    title: str
    tagline: str
    seats: list[int] = Field(min_length=2, max_length=2, examples=[[2, 8]])
    """Fewest and most players."""
    rules_version: int
    actions: int
    """How many different actions there are; they are numbered from 0."""
    options: list[OptionInfo]


class LevelInfo(Model):
    """A bot's level."""

    key: str
    label: str
    says: str


class Games(Model):
    """Everything that can be played, and against whom."""

    games: list[GameInfo]
    bots: list[LevelInfo]


class NewTable(In):
    """A table to be made."""

    game: str = Field(min_length=1, max_length=32, examples=list(catalogue())[:1])
    name: str = Field(min_length=1, max_length=100, examples=["Ada"])
    """Your nickname."""
    seats: list[Annotated[str, Field(min_length=1, max_length=32)]] = Field(
        min_length=1, max_length=16, examples=[["me", "greedy"]]
    )
    """For each seat: "me" (once), "open" (for whoever joins), or the key of a bot's level."""
    options: dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=200)]] = Field(
        default_factory=dict, max_length=40
    )
    """House rules; the printed rules where none is named."""
    clock: int = Field(
        default=0,
        ge=0,
        le=LONGEST,
        description="Seconds for a turn, or with an `increment` for the whole round; 0 for no limit, else at least"
        f" {SHORTEST}.",
        examples=[60, 300],
    )
    increment: int = Field(default=0, ge=0, le=MOST_MORE)
    """Seconds that every turn adds to the clock of the round."""
    watchers_talk: bool = False
    """Those who watch may talk, too."""
    at_zero: AtZero = Field(
        default="bot",
        description='What happens when a clock stands at zero: "bot" plays one move, "seat" loses the seat to a bot,'
        ' "nothing" only shows it.',
    )
    memory: bool = False
    """The memory aid: views show all that a seat knows."""
    spectators: bool = True
    """Others may watch what is public."""
    hints: bool = False
    """A casual table: whoever is to act may ask the coach for a hint."""
    free_away: bool = False
    """Before the deal, a guest who has been away for three minutes loses the seat."""


class NewSeat(In):
    """Somebody who wants a seat."""

    name: str = Field(min_length=1, max_length=100, examples=["Ada"])
    """Your nickname."""
    ready: bool = True
    """Ready to begin as soon as everybody is."""


class Ready(In):
    """Ready, or not yet."""

    ready: Annotated[bool, Field(strict=True)] = True


class SeatChange(In):
    """What the host makes of a seat: a bot's, or open again."""

    bot: str | None = Field(default=None, max_length=32)
    """The key of a bot's level; null opens the seat."""


class MoveRequest(In):
    """An action, by its number or in words, and the version of the table it answers."""

    action: Whole | None = Field(default=None, examples=[91])
    """The number of the action."""
    words: str | None = Field(default=None, max_length=80, examples=["draw"])
    """The action in words."""
    version: Whole = Field(examples=[7])
    """The `version` of the view you looked at."""
    token: str | None = Field(
        default=None,
        description="A name of your own for this move, 1 to 64 printable ASCII characters: sent again with the same"
        " name it counts once. Without one, the same action on the same version counts once.",
        max_length=100,
        examples=["move-7"],
    )


class SeatInfo(Model):
    """A seat, as everybody sees it."""

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str
    ready: bool
    level: str
    """A bot's level."""
    standin: str
    """The bot that plays while a person is away."""
    program: bool
    """A program has taken this seat: it is told all that the seat knows."""


class TableInfo(Model):
    """A table, as everybody sees it."""

    code: str = Field(examples=["K7QM4XPN"])
    url: str
    """The page to invite people with."""
    game: str
    status: Literal["lobby", "running", "finished"]
    rules_version: int
    options: dict[str, str]
    clock: int
    """Seconds for a turn, or with an `increment` for the whole round; 0: no limit."""
    increment: int
    at_zero: AtZero
    watchers_talk: bool
    """Those who watch may talk, too."""
    memory: bool
    spectators: bool
    hints: bool
    """Whoever is to act may ask the coach for a hint."""
    free_away: bool
    """Before the deal, a guest who has been away for three minutes loses the seat."""
    seats: list[SeatInfo]
    commitment: str
    """Hash of the seed, published before the deal."""
    successor: str
    """The code of the table where the same people play again, or nothing."""


class PlayAgain(Model):
    """What you say to another match with the same people."""

    answer: Literal["yes", "no", "on"] = Field(
        description="`yes` asks for it or agrees, `no` opens your seat, `on` (only whoever asked) waits no longer for"
        " those who have not said."
    )


class Again(Model):
    """Another match with the same people: at table `table`, dealt once everybody there is ready."""

    table: str
    """The code of the next table, or nothing if nobody asks."""
    dealt: bool
    answers: list[Literal["yes", "no", ""]]
    """By seat of the finished table; empty: no answer yet. Bots agree at once."""


class Joined(Model):
    """A table and your seat at it."""

    table: TableInfo
    seat: int | None
    """Your seat, null if you only made the table."""
    token: str | None = Field(
        description="Your seat's credential. Send it as `Authorization: Bearer …`; keep it to yourself. It is shown"
        " once: only a hash of it is kept."
    )


class LegalAction(Model):
    """An action you may take now."""

    action: int
    words: str


class SeatTime(Model):
    """A seat's clock, as everybody sees it."""

    seat: int
    left: float
    """Seconds left."""
    runs: bool
    """It runs now, or as soon as the cards lie."""
    up: bool
    """It stood at zero in this turn."""


class View(Model):
    """All that you see of a match."""

    code: str
    status: Literal["lobby", "running", "finished"]
    seat: int | None
    """Your seat, null for a spectator."""
    version: int
    """Counts the changes that you could see."""
    acting: list[int]
    """The seats that are to act."""
    legal: list[LegalAction]
    """What you may do now, in ascending order."""
    clocks: list[SeatTime]
    """The clocks of all seats; empty where there are none."""
    table: dict[str, Any]
    """The table: seats, zones, pieces, scores, log. Hidden cards are backs."""


class Known(Model):
    """All that your seat knows of the match, as a record. What its fields are: docs/records."""

    code: str
    status: Literal["lobby", "running", "finished"]
    seat: int
    version: int
    """Counts the changes that you could see: what a move names."""
    acting: list[int]
    """The seats that are to act."""
    legal: list[int]
    """The actions that you may take now, ascending."""
    left: float | None
    """The seconds left on your clock; null without one."""
    over: bool
    returns: list[float] | None
    """When it is over, the final score of each seat, higher is better; else null."""
    view: dict[str, Any]
    """The record, field by field: numbers, lists of them, and `opt` as an object."""


class PlayedMove(Model):
    """An action of a finished match."""

    ply: int
    seat: int
    action: int
    words: str


class FinishedMatch(Model):
    """A finished match, with everything that was secret."""

    code: str
    game: str
    rules_version: int
    seats: list[str]
    """Who sat where."""
    options: dict[str, str]
    seed: str
    """The seed in hexadecimal."""
    commitment: str
    returns: list[float]
    """The final score of each seat, higher is better."""
    result: str
    moves: list[PlayedMove]


class JudgedMove(Model):
    """A decision of a finished match, judged by what its seat knew when it moved."""

    move: int
    """Which move of the match it was, from 1."""
    seat: int
    where: str = Field(examples=["Hand 4, trick 6 of 7"])
    played: str
    """The move in words."""
    better: str
    """The best move in words; empty where this was it, or as good."""
    why: str
    verdict: Literal["best", "close", "costly"]
    chance: float | None
    """The chance to win the match after it; null where turns are counted."""
    cost: float
    """What it cost: of that chance, or in turns (of an estimate: on average)."""
    exact: bool
    """By a solver; otherwise estimated in imagined worlds."""
    worlds: int
    """Of an estimate: in how many worlds."""
    error: float
    """Of an estimate: the standard error of what the move was judged by."""
    lost: int
    """Of turns: the number of worlds in which it lost the game; if exact, 1 if it did."""
    wasted: int | None
    """Of turns: how many it wasted with all cards open; null if unknown."""


class ReviewMoment(Model):
    """A decision that cost much."""

    move: int
    """Which move of the match it was, from 1."""
    where: str
    text: str = Field(examples=["Ada chose the right column."])
    better: str = Field(examples=["Choosing the middle column would have added 11 points of winning chance."])
    change: float
    """Of the chance to win the match, or minus the turns that were wasted."""
    exact: bool
    seat: int


class MatchReview(Model):
    """The coach's look back at a finished match from one seat."""

    code: str
    game: str
    seat: int | None
    """Whose; null where all play together."""
    ready: bool
    """Has the coach looked through the whole match? Until then the lists are empty."""
    done: int
    """How many moves of the match it has looked at."""
    of: int
    """How many moves the match has."""
    unit: Literal["chance", "turns"]
    line: list[tuple[float, float]]
    """How far along the match, and the chance to win it then."""
    moves: list[JudgedMove]
    moments: list[ReviewMoment]


class Tables(Model):
    """Your tables."""

    tables: list[Joined]


#: Statuses that any request may get, for example for an unknown language or while the database does not answer.
ALWAYS = (400, 413, 422, 429, 503)
#: Header of the errors that have one, by status: its name and its description.
WITH_HEADER = {
    401: ("WWW-Authenticate", "`Bearer`: with which kind of credential to ask again."),
    429: ("Retry-After", "After how many seconds to ask again."),
    503: ("Retry-After", "After how many seconds to ask again."),
}


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI descriptions of the errors of a route, by status."""
    words = {
        400: "The request cannot be read.",
        401: "A seat's token is needed, and none came or nobody has it.",
        403: "That is not yours to do or to see.",
        404: "There is no such table, game or bot.",
        409: "The table is in another state; the reason says which.",
        410: "The table is played by another version of the rules.",
        413: "The request is too large.",
        422: "The request is malformed, or the move is not allowed.",
        429: "Too much was asked for in a short time, or the coach has too much to do.",
        503: "That could not be written down, or the server stopped before it could answer.",
    }
    found: dict[int | str, dict[str, Any]] = {}
    for status in (*ALWAYS, 403, *statuses):
        found[status] = {"model": Problem, "description": words[status]}
        if status in WITH_HEADER:
            name, text = WITH_HEADER[status]
            found[status]["headers"] = {name: {"description": text, "schema": {"type": "string"}}}
    return found
