"""Immutable records with the data of a table: seats, clocks, settings, moves, chat messages and changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from facedown.core.match import BY_CHANCE, Match
from facedown.core.move_with_views import Step
from facedown.core.state import SPECTATOR
from facedown.core.table import Sitter
from facedown.play.i18n import TranslatableText, _

SeatKind = Literal["person", "bot", "open"]
Status = Literal["lobby", "running", "finished"]
#: What happens when a seat's clock reaches zero. "bot": a bot plays one move. "seat": a bot plays the seat to the end
#: of the match. "nothing": the expired clock is only shown.
AtZero = Literal["bot", "seat", "nothing"]
#: When players may take moves back. "slow": unless the clock gives a minute or less for a turn.
TakeBacks = Literal["slow", "always", "never"]

#: Value of `Settings.spectator_delay` with which spectators see a round only once it is over.
DELAY_BY_ROUND = -1

#: Reasons for refusing a request, which are error codes of docs/protocol.md.
RefusalCode = Literal[
    "stale", "illegal", "not-your-turn", "malformed", "too-fast", "forbidden", "closed", "full", "unknown", "conflict"
]


class Refusal(Exception):
    """Refusal of a request, which changed nothing. The reason is a sentence for the person who made the request."""

    def __init__(self, code: RefusalCode, reason: TranslatableText, option: str = "") -> None:
        super().__init__(reason)
        self.code: RefusalCode = code
        self._reason = reason
        self.option = option
        """Name of the option that caused the refusal; empty if no option did."""

    @property
    def reason(self) -> str:
        """The reason as text. A translatable reason is translated to the language active at the time of the call."""
        return str(self._reason)


def require(fine: bool, code: RefusalCode, otherwise: TranslatableText) -> None:
    """Raise `Refusal` with this code and the reason `otherwise` unless the condition `fine` is true."""
    if not fine:
        raise Refusal(code, otherwise)


def removed_player_message() -> str:
    """Return the sentence shown to a person whom the host removed from the table."""
    return _("The host has given your seat to someone else.")


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a table that do not belong to the rules of its game: clocks, hints, chat and the like."""

    clock: int = 0
    """Seconds that a player has for a turn, or for a round if there is an `increment`; 0 for no time limit."""
    memory: bool = False
    """Memory aid: whether the table shows persons all that they have seen, and not only the cards visible to them
    now."""
    spectators: bool = True
    hints: bool = False
    """Whether a person may ask the coach (the program's analysis) for a hint during their turn."""
    increment: int = 0
    """Seconds added to a seat's clock after each of its turns. If 0, the clock starts with its full time in every
    turn."""
    at_zero: AtZero = "bot"
    watchers_talk: bool = False
    """Whether spectators may chat."""
    free_away: bool = False
    """Whether seats are opened before the deal if their players are away for `presence.SEAT_FREE_AFTER` seconds. The
    host's seat is not."""
    take_backs: TakeBacks = "slow"
    spectator_delay: int = 0
    """Seconds by which spectators see the match later than the players; 0 for no delay. `DELAY_BY_ROUND`: spectators
    see a round once it is over."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A player's proposal to take a move back or to end the match, while the other players have not all answered."""

    action: int
    """`TAKE_BACK` or `AGREED_END` (`core.match_actions`): the action that is played if all agree."""
    seat: int
    """Seat of the player who proposes it."""
    number: int
    """Number that identifies the proposal at its table: how many were made there so far, including this one. It must
    not be the table's revision, which would disclose how many hidden moves were made."""
    until: float
    """Unix time after which the proposal counts as declined."""
    asked: tuple[int, ...]
    """Seats whose players must agree."""
    agreed: tuple[int, ...] = ()
    """Seats whose players have agreed so far."""


@dataclass(frozen=True, slots=True)
class Agreements:
    """What the players of a running match have proposed, declined and given up."""

    proposal: Proposal | None = None
    """The open proposal. While there is one, no one can move and all clocks are stopped."""
    declined: tuple[int, ...] = ()
    """Seats whose proposals were declined since the last move. They can propose again after the next move."""
    declines: tuple[int, ...] = ()
    """Seats whose proposals were declined in the match so far, once for each of these proposals."""
    resigned: tuple[int, ...] = ()
    """Seats whose players have resigned, in a match of more than two seats. Bots play on for them."""
    count: int = 0
    """Number of proposals that were made so far and had to be answered."""

    def with_proposal_declined(self) -> Agreements:
        """Return the agreements after the open proposal has been declined."""
        seats = () if self.proposal is None else (self.proposal.seat,)
        return replace(self, proposal=None, declined=(*self.declined, *seats), declines=(*self.declines, *seats))


@dataclass(frozen=True, slots=True)
class SeatClock:
    """Clock of one seat, which all may see, because it depends only on whose turn it is and when each seat moved."""

    left: float
    """Seconds left when the clock was last started or stopped."""
    since: float | None = None
    """Unix time at which the clock starts to run, up to two seconds ahead while cards are animated; None if it is
    stopped."""
    reads: float | None = None
    """Unix time since which the player has been reading the scores of a round. None if no scores are shown, or if there
    is no time limit for reading them."""
    up: bool = False
    """Whether the clock reached zero in the current turn."""
    bot: str = ""
    """Level of the bot that plays the rest of this turn; empty if none does."""
    ups: int = 0
    """Number of consecutive turns in which the clock reached zero."""
    lost: bool = False
    """Whether the person lost the seat because the clock reached zero under the setting `at_zero` "seat"."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat of a table and its player: a person, a program, a bot or nobody."""

    kind: SeatKind = "open"
    name: str = ""
    person: int | None = None
    """Database number of the person in this seat; None for a bot or an open seat."""
    level: str = ""
    """Level of the seated bot; empty for a person."""
    ready: bool = False
    key_hash: str = field(default="", repr=False)
    """Hash of the token that lets a program play this seat; empty if no program does."""
    standin: str = ""
    """Level of the bot that plays for an absent person; empty if none does."""
    standin_name: str = ""
    left: bool = False
    """Whether the person left after the deal. They may come back at any time."""
    since: int = 0
    """Number of moves that had been made when the person took the seat over from a bot; 0 if no one took it over. The
    person does not see what the seat saw before."""
    bot_name: str = ""
    """Name of the bot from which the person took the seat over; empty if no one took it over."""
    next_person: int | None = None
    """Person who takes the seat over from its bot when the next round is dealt; None if no one does."""
    next_name: str = ""
    """Name that the person in `next_person` will have at the table."""

    @property
    def taken(self) -> bool:
        """Whether a person or a bot has this seat."""
        return self.kind != "open"

    @property
    def bot_level(self) -> str:
        """Level of the bot that plays this seat now, seated or as a stand-in; empty if a person plays."""
        return self.level if self.kind == "bot" else self.standin


def sitters_at_move(seats: Sequence[Seat], number: int) -> tuple[Sitter, ...]:
    """Return the players who had the seats when the move with this number, counted from 1, was played."""
    return tuple(
        Sitter(seat.bot_name, True) if number <= seat.since else Sitter(seat.name, seat.kind == "bot") for seat in seats
    )


@dataclass(frozen=True, slots=True)
class StoredMove:
    """One move as it is stored. `ply` is the number of moves before it; the database allows one move per table and ply.

    `token` comes from the client, so that a repeated request does not count as another move.
    """

    ply: int
    seat: int
    action: int
    at: float
    """Unix time of the move, in seconds."""
    token: str


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A chat message, sent at the Unix time `at` by the player in `seat`; by a spectator if `seat` is None."""

    name: str
    text: str
    at: float
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class TableRecord:
    """All stored data of a table except its moves and its chat. Times are Unix times."""

    code: str
    game: str
    rules_version: int
    options: Mapping[str, str]
    seed: bytes = field(repr=False)
    """Seed of the deal, secret until the match ends."""
    commitment: str
    settings: Settings
    seats: tuple[Seat, ...]
    host: int | None
    """Id of the person who seats bots, removes players and sets the options until the deal; None if the table has no
    host."""
    created: float
    status: Status = "lobby"
    started: float = 0.0
    finished: float = 0.0
    due: float | None = None
    """Unix time since which a bot has been due to act; None if no bot is to act. Such bots go on after a restart."""
    successor: str = ""
    """Code of the table at which the rematch is played; empty without a rematch."""
    revision: int = 0
    """Number of changes so far. A change based on an older revision is refused."""
    clocks: tuple[SeatClock, ...] = ()
    """Clock of each seat after the deal; empty before the deal and at tables without a time limit."""
    deal: tuple[int, ...] = ()
    """First cards of the deck, top card first, if a match file fixes them; always empty at a server's tables. A card is
    given by its kind (the number shared by all equal cards)."""
    first: int = BY_CHANCE
    """The seat that deals or starts, if a match file fixes it; otherwise `BY_CHANCE`, a random seat."""
    origin: str = ""
    """Keyed hash of the IP address from which the table was opened. Computing time is shared fairly between such
    addresses. Empty if unknown."""
    removed: tuple[tuple[int, str], ...] = ()
    """Persons whom the host removed, as (id, name). They cannot sit down at this table again."""
    agreements: Agreements = Agreements()
    listed: bool = False
    """Whether the host lists the table among the open tables, where everyone can find it."""

    def new_match(self) -> Match:
        """Return a new `Match` with this table's game and options: the cards are dealt, and no move has been played.

        The deal follows from the record (`seed`, `deal` and `first`). So it is always the same for this table.
        """
        return Match(self.game, len(self.seats), dict(self.options), self.seed, self.deal, self.first)

    @property
    def is_ready(self) -> bool:
        """Whether every seat is taken by a bot or by a person who is ready."""
        return all(seat.taken and seat.ready for seat in self.seats)

    def bot_level_at(self, index: int) -> str:
        """Return the level of the bot that plays for a seat now, or an empty string if a person plays."""
        return self.seats[index].bot_level or (self.clocks[index].bot if self.clocks else "")

    def has_removed(self, person: int | None) -> bool:
        """Return whether the host has removed this person."""
        return any(person == known for known, _name in self.removed)

    def next_person_seat(self, index: int) -> Seat | None:
        """Return the next seat around the table that a person has. The search starts with the seat after `index`.

        After the last seat it continues with seat 0. The seat at `index` itself is left out. Return None if no person
        has any of the other seats.
        """
        return next((seat for seat in (*self.seats[index + 1 :], *self.seats[:index]) if seat.kind == "person"), None)

    @property
    def coming_persons(self) -> dict[int, int]:
        """Seats that persons take over from bots when the next round is dealt, by the ids of these persons."""
        return {seat.next_person: index for index, seat in enumerate(self.seats) if seat.next_person is not None}

    def with_seat(self, index: int, seat: Seat) -> TableRecord:
        """Return a copy of this record with the seat at `index` replaced."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))

    def with_clock(self, index: int, clock: SeatClock) -> TableRecord:
        """Return a copy of this record with the clock of the seat at `index` replaced."""
        return replace(self, clocks=(*self.clocks[:index], clock, *self.clocks[index + 1 :]))


def has_delayed_view(record: TableRecord, viewer: int) -> bool:
    """Return whether a viewer (a seat or `SPECTATOR`) sees the table later than its players.

    Only spectators do, and only while the match is running. Afterwards everything is public.
    """
    return viewer == SPECTATOR and record.status == "running" and record.settings.spectator_delay != 0


@dataclass(frozen=True, slots=True)
class Change:
    """Result of an accepted request: the new record, with its revision raised by 1, and the move or chat message if
    there is one.
    """

    record: TableRecord
    move: StoredMove | None = None
    said: ChatMessage | None = None
    announcements: tuple[TranslatableText, ...] = ()
    """Announcements for all viewers, each translated to the viewer's language. Screen readers read them aloud."""
    changes_seats: bool = False
    """Whether a move also changes the players in the seats, so that the seats are saved together with it."""
    step: Step | None = field(default=None, repr=False, compare=False)
    """Result of `move`: the positions before and after it. It is kept so that `Session.apply` need not compute it
    again."""
