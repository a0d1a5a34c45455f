"""What is kept of a table, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from facedown.core.match import BY_CHANCE, Match
from facedown.core.step import Step
from facedown.play.i18n import TranslatableText, _

SeatKind = Literal["person", "bot", "open"]
Status = Literal["lobby", "running", "finished"]
#: What happens when a clock stands at zero: a bot plays one move, a bot plays on, or nothing but that it shows.
AtZero = Literal["bot", "seat", "nothing"]

#: Why a request was refused; the first seven are the codes of docs/protocol.md.
RefusalCode = Literal[
    "stale", "illegal", "not-your-turn", "malformed", "too-fast", "forbidden", "closed", "full", "unknown", "conflict"
]


class Refusal(Exception):
    """A request that was refused and changed nothing; the reason is a sentence for a person."""

    def __init__(self, code: RefusalCode, reason: TranslatableText, option: str = "") -> None:
        super().__init__(reason)
        self.code: RefusalCode = code
        self._reason = reason
        self.option = option
        """The option that it is about, where it is about one."""

    @property
    def reason(self) -> str:
        """The sentence; of one that several may be told, in the language that is spoken now."""
        return str(self._reason)


def need(fine: bool, code: RefusalCode, otherwise: TranslatableText) -> None:
    """Raise `Refusal` if something is not fine."""
    if not fine:
        raise Refusal(code, otherwise)


def removed_player_message() -> str:
    """The sentence that a removed person reads."""
    return _("The host has given the seat to somebody else.")


@dataclass(frozen=True, slots=True)
class Settings:
    """How a table is played, beside the rules."""

    clock: int = 0
    """Seconds for a turn, or with an `increment` for a whole round; 0 for no limit."""
    memory: bool = False
    """The memory aid: people are shown all they know, not only what lies open to them now."""
    spectators: bool = True
    hints: bool = False
    """A casual table: whoever is to act may ask the coach."""
    increment: int = 0
    """Seconds that every turn adds to the stock for the round; 0: the clock is one for each turn."""
    at_zero: AtZero = "bot"
    watchers_talk: bool = False
    """Those who watch may talk, too."""
    free_away: bool = False
    """Before the deal, a guest who has been away for `presence.SEAT_FREE_AFTER` seconds loses the seat."""


@dataclass(frozen=True, slots=True)
class SeatClock:
    """A seat's clock. All of it is public: it follows from whose turn it is, and from when they moved."""

    left: float
    """Seconds left when it was last started or stopped."""
    since: float | None = None
    """When it began to run (soon, while the cards still travel); None: it rests."""
    reads: float | None = None
    """Since when the seat may look at the scores of a round; None: it does not, or takes all the time it wants."""
    up: bool = False
    """It stood at zero in this turn."""
    bot: str = ""
    """The level of the bot that ends this turn, or nothing."""
    ups: int = 0
    """How many turns in a row it stood at zero."""
    lost: bool = False
    """It stood at zero, and by the house rule the seat was lost by it."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat and who sits there. Its number is public; its credential is not kept, only a hash of it."""

    kind: SeatKind = "open"
    name: str = ""
    person: int | None = None
    """Who sits here, as the repository numbers people."""
    level: str = ""
    """A bot's level."""
    ready: bool = False
    key_hash: str = field(default="", repr=False)
    """Hash of the token with which a program plays this seat."""
    standin: str = ""
    """The level of the bot that plays for an absent person."""
    standin_name: str = ""
    left: bool = False
    """The person went away for good; coming back is always possible."""

    @property
    def taken(self) -> bool:
        """Does somebody sit here?"""
        return self.kind != "open"

    @property
    def bot_level(self) -> str:
        """The level of the bot that plays this seat now, or nothing."""
        return self.level if self.kind == "bot" else self.standin


@dataclass(frozen=True, slots=True)
class StoredMove:
    """One stored action. `(table, ply)` is unique; `token` makes a move that is sent twice count once."""

    ply: int
    seat: int
    action: int
    at: float
    """Seconds since the epoch."""
    token: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """Something said to the table."""

    name: str
    text: str
    at: float
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class TableRecord:
    """Everything about a table but its moves and its chat."""

    code: str
    game: str
    rules_version: int
    options: Mapping[str, str]
    seed: bytes = field(repr=False)
    """Secret until the match ends."""
    commitment: str
    settings: Settings
    seats: tuple[Seat, ...]
    host: int | None
    """The person who seats bots, removes people and sets the house rules until the deal."""
    created: float
    status: Status = "lobby"
    started: float = 0.0
    finished: float = 0.0
    due: float | None = None
    """Since when a bot has been to act; None when none is. Whoever finds this after a restart lets the bot act."""
    successor: str = ""
    """The code of the table where the same people play again."""
    revision: int = 0
    """Counts every change; a change written on an older revision is refused."""
    clocks: tuple[SeatClock, ...] = ()
    """The clock of every seat, once the deal has begun at a table with clocks; else nothing."""
    deal: tuple[int, ...] = ()
    """The first cards of the deck where a match file names them (kinds, from the top); no table of a server does."""
    first: int = BY_CHANCE
    """The seat that chance would pick, where a match file names it."""
    origin: str = ""
    """Whose it is where thinking is shared out: a keyed hash of where it was made, or nothing."""
    removed: tuple[tuple[int, str], ...] = ()
    """People whom the host has removed, with their names: they are not let in again."""

    def new_match(self) -> Match:
        """The match as it stands after the deal."""
        return Match(self.game, len(self.seats), dict(self.options), self.seed, self.deal, self.first)

    @property
    def is_ready(self) -> bool:
        """Is every seat taken, and is everybody ready?"""
        return all(seat.taken and seat.ready for seat in self.seats)

    def level_of(self, index: int) -> str:
        """The level of the bot that is to act for a seat now, or nothing."""
        return self.seats[index].bot_level or (self.clocks[index].bot if self.clocks else "")

    def has_removed(self, person: int | None) -> bool:
        """Has the host removed this person?"""
        return any(person == known for known, _name in self.removed)

    def next_person_seat(self, index: int) -> Seat | None:
        """The next seat after this one that a person has."""
        return next((seat for seat in (*self.seats[index + 1 :], *self.seats[:index]) if seat.kind == "person"), None)

    def with_seat(self, index: int, seat: Seat) -> TableRecord:
        """The same table with one seat changed."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))

    def with_clock(self, index: int, clock: SeatClock) -> TableRecord:
        """The same table with one seat's clock changed."""
        return replace(self, clocks=(*self.clocks[:index], clock, *self.clocks[index + 1 :]))


@dataclass(frozen=True, slots=True)
class Change:
    """What one accepted request changes: the table's record, one more on the revision, and at most one move or word."""

    record: TableRecord
    move: StoredMove | None = None
    said: ChatMessage | None = None
    announcements: tuple[TranslatableText, ...] = ()
    """What everybody is told, each in their language (for live regions)."""
    step: Step | None = field(default=None, repr=False, compare=False)
    """The move as it was made when it was granted, so that it need not be made again when it comes true."""
