"""Request and response models of the JSON API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from facedown.core.game_registry import catalogue
from facedown.play.records import DELAY_BY_ROUND, AtZero, TakeBacks
from facedown.play.seat_clocks import LONGEST, LONGEST_DELAY, MOST_MORE, SHORTEST, SHORTEST_DELAY
from facedown.server.connection.messages import OpenProposal

#: A non-negative integer that fits the integer columns of the database.
Whole = Annotated[int, Field(ge=0, le=2**31 - 1, strict=True)]
#: Description of the setting `spectator_delay`.
_DELAY = (
    f"Seconds by which spectators see the match later than the players: 0, or {SHORTEST_DELAY} to {LONGEST_DELAY};"
    f" {DELAY_BY_ROUND}: they see each round once it is over. They see no clocks and no proposals then."
)


class Model(BaseModel):
    """Base of all messages of the API. The docstrings of fields are their descriptions in the OpenAPI schema."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class In(Model):
    """Base of all request bodies. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Problem(Model):
    """Why a request was refused. A refused request changes nothing."""

    code: str = Field(examples=["stale"])
    reason: str = Field(examples=["That move came too late: you had already played."])


class OptionValue(Model):
    """One possible value of an option of a game's rules."""

    value: str = Field(examples=["hands(n)"])
    """How the value is written; `n` stands for a number."""
    says: str


class OptionInfo(Model):
    """An option of a game's rules: its names, an explanation, the default and the possible values."""

    name: str
    label: str
    says: str
    default: str
    values: list[OptionValue]


class GameInfo(Model):
    """A game that this server offers: its names, the minimum and maximum number of players, the number of different
    actions, and the options of its rules.
    """

    name: str = Field(examples=list(catalogue())[:1])
    title: str
    tagline: str
    seats: list[int] = Field(min_length=2, max_length=2, examples=[[2, 8]])
    """The minimum and maximum number of players."""
    rules_version: int
    actions: int
    """The number of different actions; they are numbered from 0."""
    options: list[OptionInfo]


class LevelInfo(Model):
    """A level (strength) of bots that this server offers: the key for requests, the name, and how these bots play."""

    key: str
    label: str
    says: str


class Games(Model):
    """All games and bot levels that this server offers."""

    games: list[GameInfo]
    bots: list[LevelInfo]


class NewTable(In):
    """The body of a request to open a table: the game, your nickname, the seats and the house rules."""

    game: str = Field(min_length=1, max_length=32, examples=list(catalogue())[:1])
    name: str = Field(min_length=1, max_length=100, examples=["Ada"])
    """Your nickname."""
    seats: list[Annotated[str, Field(min_length=1, max_length=32)]] = Field(
        min_length=1, max_length=16, examples=[["me", "greedy"]]
    )
    """For each seat: "me" (at most once), "open" (for anyone who joins), or the key of a bot level."""
    options: dict[Annotated[str, Field(max_length=40)], Annotated[str, Field(max_length=200)]] = Field(
        default_factory=dict, max_length=40
    )
    """House rules; the printed rules apply to options that are not given."""
    clock: int = Field(
        default=0,
        ge=0,
        le=LONGEST,
        description="Seconds per turn, or with an `increment` for the whole round; 0 for no limit, otherwise at least"
        f" {SHORTEST}.",
        examples=[60, 300],
    )
    increment: int = Field(default=0, ge=0, le=MOST_MORE)
    """Seconds that each turn adds to the clock of the round."""
    watchers_talk: bool = False
    """Spectators may chat, too."""
    at_zero: AtZero = Field(
        default="bot",
        description='What happens when a clock reaches zero: "bot" lets a bot play one move, "seat" gives the seat to'
        ' a bot for the rest of the match, "nothing" only shows it.',
    )
    memory: bool = False
    """The memory aid: views show everything that a seat knows."""
    spectators: bool = True
    """Anyone with the code may watch; they see only what is public."""
    hints: bool = False
    """Players may ask the coach for a hint on their turn."""
    spectator_delay: int = Field(default=0, ge=DELAY_BY_ROUND, le=LONGEST_DELAY, description=_DELAY, examples=[180])
    free_away: bool = False
    """Before the deal, a guest (a player other than the host) who has been away for three minutes loses their seat."""
    take_backs: TakeBacks = "slow"
    """When players may take moves back: "slow" (unless a turn has a minute or less), "always" or "never"."""
    listed: bool = False
    """List the table among the open tables, where everyone can find it."""


class Listing(In):
    """The body of a request to list the table among the open tables, or to remove it from the list."""

    listed: bool = Field(examples=[True])


class ProposalRequest(In):
    """The body of a request to propose to take your last move back, or to end the match."""

    what: Literal["take-back", "end"] = Field(examples=["take-back"])


class ProposalAnswer(In):
    """The body of an answer to the open proposal of another player."""

    proposal: Whole = Field(examples=[24])
    """The number of the proposal."""
    agree: Annotated[bool, Field(strict=True)]


class NewSeat(In):
    """The body of a request to take the first open seat of a table."""

    name: str = Field(min_length=1, max_length=100, examples=["Ada"])
    """Your nickname."""
    ready: bool = True
    """Whether you are ready to begin as soon as everyone else is."""


class Ready(In):
    """The body of a request to say whether you are ready for the deal."""

    ready: Annotated[bool, Field(strict=True)] = True


class SeatChange(In):
    """The body of a host's request to give a seat to a bot, or to open the seat to players."""

    bot: str | None = Field(default=None, max_length=32)
    """The key of a bot level; null opens the seat."""


class MoveRequest(In):
    """An action, by its number or in words, and the version of the view it is based on."""

    action: Whole | None = Field(default=None, examples=[91])
    """The number of the action."""
    words: str | None = Field(default=None, max_length=80, examples=["draw"])
    """The action in words."""
    version: Whole = Field(examples=[7])
    """The `version` of the view that you chose the action from."""
    token: str | None = Field(
        default=None,
        description="An identifier that you choose for this move, 1 to 64 printable ASCII characters: a move sent"
        " again with the same token counts once. Without a token, the same action on the same version counts once.",
        max_length=100,
        examples=["move-7"],
    )


class SeatInfo(Model):
    """The public data of a seat: the same for all who may see the table."""

    seat: int
    kind: Literal["person", "bot", "open"]
    name: str
    ready: bool
    level: str
    """The key of the bot's level; empty if there is no bot."""
    standin: str
    """The name of the bot that plays while the player is away."""
    program: bool
    """Whether a program has taken this seat; a program gets everything that its seat knows."""


class TableInfo(Model):
    """The public data of a table: the same for all who may see it, without cards and moves."""

    code: str = Field(examples=["K7QM4XPN"])
    url: str
    """The link for inviting people."""
    game: str
    status: Literal["lobby", "running", "finished"]
    rules_version: int
    options: dict[str, str]
    clock: int
    """Seconds per turn, or with an `increment` for the whole round; 0 for no limit."""
    increment: int
    at_zero: AtZero
    watchers_talk: bool
    """Spectators may chat, too."""
    memory: bool
    spectators: bool
    hints: bool
    """Players may ask the coach for a hint on their turn."""
    spectator_delay: int = Field(description=_DELAY)
    free_away: bool
    """Before the deal, a guest (a player other than the host) who has been away for three minutes loses their seat."""
    take_backs: TakeBacks
    """When players may take moves back: "slow" (unless a turn has a minute or less), "always" or "never"."""
    listed: bool
    """The host lists the table among the open tables, where everyone can find it."""
    seats: list[SeatInfo]
    commitment: str
    """The hash of the seed, published before the deal."""
    successor: str
    """The code of the rematch's table, or an empty string."""


class OpenTable(Model):
    """An open table, as everyone can find it."""

    table: TableInfo
    free: int
    """The number of seats that you could take."""
    joins: Literal["now", "next-round", "no"]
    """When you would get a seat: at once, or when the next round is dealt, in place of a bot (only in a browser);
    "no" if you can only watch."""


class OpenTableList(Model):
    """The open tables: those that wait for players first, then those with the fewest free seats."""

    tables: list[OpenTable]
    seekers: int
    """The number of persons who look for a seat."""


class PlayAgain(Model):
    """Whether you want a rematch: your request for one, or your answer to another player's request."""

    answer: Literal["yes", "no", "on"] = Field(
        description="`yes` asks for a rematch or agrees to one, `no` opens your seat, `on` (only from the player who"
        " asked) stops waiting for those who have not answered."
    )


class Again(Model):
    """The state of a rematch after a finished match. The rematch takes place at the new table with the code `table`.
    The cards are dealt once everyone there is ready.
    """

    table: str
    """The code of the next table; empty if no player has asked for a rematch."""
    dealt: bool
    answers: list[Literal["yes", "no", ""]]
    """The answers by seat of the finished table; empty means no answer yet. Bots agree at once."""


class Joined(Model):
    """The table that you have opened or joined, your seat at it, and the token of the seat."""

    table: TableInfo
    seat: int | None
    """Your seat; null if you opened the table without taking a seat."""
    token: str | None = Field(
        description="Your seat token. Send it as `Authorization: Bearer …` and keep it secret. It is shown only once;"
        " the server stores only its hash."
    )


class LegalAction(Model):
    """An action that you may take now: its number and its description in words."""

    action: int
    words: str


class SeatTime(Model):
    """The state of a seat's clock: the same for all who may see the table."""

    seat: int
    left: float
    """Seconds left."""
    runs: bool
    """Whether the clock is running, or will run as soon as the page has moved the cards into place."""
    up: bool
    """Whether the clock ran out in this turn."""


class View(Model):
    """View of a match: what you can see of it, the clocks of all seats, and your legal actions.

    “You” are the player whose seat token came with the request or, without a token, a spectator. Cards that you have
    seen before but cannot see now are hidden, unless the table's memory aid is on.
    """

    code: str
    status: Literal["lobby", "running", "finished"]
    seat: int | None
    """Your seat; null for a spectator."""
    version: int
    """A counter of the changes that you could see."""
    acting: list[int]
    """The seats whose turn it is."""
    legal: list[LegalAction]
    """Your legal actions, in ascending order."""
    clocks: list[SeatTime]
    """The clocks of all seats; empty if there are none."""
    proposal: OpenProposal | None
    """The open proposal, or null."""
    table: dict[str, Any]
    """The table: seats, zones, pieces, scores, log. Hidden cards appear as backs."""


class Known(Model):
    """Everything that your seat knows of the match (`view`), your legal actions, and whether the match is over."""

    code: str
    status: Literal["lobby", "running", "finished"]
    seat: int
    version: int
    """A counter of the changes that you could see; a move refers to it."""
    acting: list[int]
    """The seats whose turn it is."""
    legal: list[int]
    """Your legal actions, in ascending order."""
    left: float | None
    """The seconds left on your clock, or null."""
    over: bool
    returns: list[float] | None
    """The final score of each seat (higher is better) when the match is over; otherwise null."""
    view: dict[str, Any]
    """The knowledge of your seat, by field name: numbers, lists of numbers, and `opt` (the options) as an object. The
    fields of each game are described in docs/records."""
    proposal: OpenProposal | None
    """The open proposal, or null."""


class PlayedMove(Model):
    """An action of a finished match: its place in the match (`ply`), the seat that played it, its number and its
    description in words.
    """

    ply: int
    seat: int
    action: int
    words: str


class FinishedMatch(Model):
    """A finished match, including everything that was secret."""

    code: str
    game: str
    rules_version: int
    seats: list[str]
    """The players' names, by seat."""
    options: dict[str, str]
    seed: str
    """The seed in hexadecimal."""
    commitment: str
    returns: list[float]
    """The final score of each seat; higher is better."""
    result: str
    moves: list[PlayedMove]


class JudgedMove(Model):
    """A decision in a finished match, judged by what the seat knew when it moved."""

    move: int
    """The number of the move in the match, from 1."""
    seat: int
    where: str = Field(examples=["Hand 4, trick 6 of 7"])
    played: str
    """The move in words."""
    better: str
    """The best move in words; empty if the played move was as good."""
    why: str
    verdict: Literal["best", "close", "costly"]
    chance: float | None
    """The chance to win the match after this move; null in games that count turns."""
    cost: float
    """What the move cost compared with the best move: chance to win (0 to 1), or turns; an average if estimated."""
    exact: bool
    """Whether a solver computed the cost exactly; otherwise it is estimated from simulated deals."""
    worlds: int
    """For an estimate: the number of simulated deals."""
    error: float
    """For an estimate: the standard error of the value by which the move was judged."""
    lost: int
    """In games that count turns: the number of simulated deals in which the move lost the game; if exact, 1 if it lost.
    """
    wasted: int | None
    """In games that count turns: how many turns the move wasted, judged with all cards face up; null if unknown."""


class ReviewMoment(Model):
    """One of the costliest decisions (at most three) in the review of a finished match, with a better move in words.

    The cost of a move is the chance to win that it gave away or, in games that count turns, the turns that it wasted.
    """

    move: int
    """The number of the move in the match, from 1."""
    where: str
    text: str = Field(examples=["Ada chose the right column."])
    better: str = Field(examples=["Choosing the middle column would have added 11 points of winning chance."])
    change: float
    """The change of the chance to win the match, or minus the number of turns wasted."""
    exact: bool
    seat: int


class MatchReview(Model):
    """The coach's review of one seat's decisions in a finished match."""

    code: str
    game: str
    seat: int | None
    """The seat of the review; null in games where everyone plays together."""
    ready: bool
    """Whether the whole match has been reviewed. Until then the lists are empty."""
    done: int
    """The number of moves that have been reviewed."""
    of: int
    """The number of moves in the match."""
    unit: Literal["chance", "turns"]
    line: list[tuple[float, float]]
    """Pairs of a position in the match (from 0 to 1) and the chance to win at that point."""
    moves: list[JudgedMove]
    moments: list[ReviewMoment]


class Tables(Model):
    """The tables where you have a seat."""

    tables: list[Joined]


#: HTTP statuses of errors that any request may get, for example for an unknown language or while the database does not
#: answer.
ALWAYS = (400, 413, 422, 429, 503)
#: Response headers of errors, by HTTP status: (name of the header, its description).
WITH_HEADER = {
    401: ("WWW-Authenticate", "`Bearer`: the kind of credential to send."),
    429: ("Retry-After", "The number of seconds after which to try again."),
    503: ("Retry-After", "The number of seconds after which to try again."),
}


def error_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the OpenAPI descriptions of a route's error responses, by HTTP status.

    `statuses` are those of this route. The statuses that every route may have are added.
    """
    words = {
        400: "The request could not be read.",
        401: "A seat token is required, and it is missing or not valid.",
        403: "You are not allowed to do or see that.",
        404: "The table, game or bot does not exist.",
        409: "The state of the table does not allow this; see the reason.",
        410: "The table uses another version of the rules.",
        413: "The request is too large.",
        422: "The request is malformed, or the move is not legal.",
        429: "Too many requests in a short time, or the coach is too busy.",
        503: "The change could not be saved, or the server stopped before it could answer.",
    }
    found: dict[int | str, dict[str, Any]] = {}
    for status in (*ALWAYS, 403, *statuses):
        found[status] = {"model": Problem, "description": words[status]}
        if status in WITH_HEADER:
            name, text = WITH_HEADER[status]
            found[status]["headers"] = {name: {"description": text, "schema": {"type": "string"}}}
    return found
