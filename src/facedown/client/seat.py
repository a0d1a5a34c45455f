"""A seat at a server's table, played by this program."""

from __future__ import annotations

import secrets
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Literal, Self

from facedown.client import messages as m
from facedown.client.errors import BadAnswer, NotYourTurn, OtherRules, Stale
from facedown.client.http_requests import ApiClient, TableAddress, normalize_server_url, parse_table_address
from facedown.client.live_connection import LiveConnection
from facedown.core import game_registry as registry
from facedown.core.bot import Bot
from facedown.core.game_registry import GameModule
from facedown.core.state import View, to_bytes
from facedown.core.view_json import view_from_fields

#: Default `patience`: number of seconds for which the client retries a failed request, or tries to reopen a lost
#: connection. Then it raises `NoAnswer`.
PATIENCE = 120.0
#: Number of latest chat messages kept.
CHAT_KEPT = 100


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """Knowledge of a seat at one time: its view of the match, its legal actions, and the new log lines."""

    view: View
    """All that the seat knows, as a NumPy record. It equals ``match.known(seat)`` on the server byte for byte."""
    seat: int
    version: int
    """Number of changes that the seat has seen so far. A move is sent with the version that it was chosen for."""
    legal: Sequence[int]
    """The seat's legal actions, ascending; empty if only others are to act."""
    acting: Sequence[int]
    """Indices of the seats whose turn it is."""
    said: Sequence[str]
    """Log lines about what happened since the previous view."""
    left: float | None
    """Seconds left on the seat's clock when the server sent this; None if it has no clock."""
    over: bool
    returns: Sequence[float] | None
    """The final score of each seat, higher is better; None until the match is over."""
    proposal: m.OpenProposal | None = None
    """The open proposal of a player. While there is one, no one can move (`Seat.answer`)."""

    def equals_except_clock(self, other: Turn) -> bool:
        """Return whether this turn equals another one. The time left and the log lines are not compared."""
        mine, yours = (
            (to_bytes(one.view), one.version, one.legal, one.acting, one.over, one.returns, one.proposal)
            for one in (self, other)
        )
        return mine == yours


class Seat:
    """A seat at a server's table that this program plays. The object receives the seat's turns and sends its moves.

    `sit` and `open_table` return such an object. Close it after use, or use it in a ``with`` block.

    To reconnect to a seat, construct a new object from two attributes of the old one: `place` (the server's URL and the
    code of the table) and `token`.
    """

    def __init__(self, place: TableAddress, token: str, *, language: str = "en", patience: float = PATIENCE) -> None:
        """Connect to the seat that has this token, at the table `place` (the server's URL and the table's code).

        The server's error messages are in `language`. A failed request is retried for up to `patience` seconds. If the
        connection is lost, this object tries for up to `patience` seconds to reopen it.

        Raises:
            UnknownToken, NoSuchTable: The token or the table does not exist.
            Forbidden, TableClosed: The server does not admit this client to the table.
            NoAnswer: The server cannot be reached.
            OtherRules: The table's game, or its version of the rules, is not installed here.
        """
        self.place = place
        self.token = token
        """The seat's credential. Any program that has it can play this seat."""
        self._language, self._patience = language, patience
        self._asking = ApiClient(place.server, token, language=language, patience=patience)
        self._path = f"tables/{place.code}"
        try:
            self.game = rules_of(self._asking.ask(m.TableInfo, "GET", self._path))
        except BaseException:
            self._asking.close()
            raise
        self._line = LiveConnection(place.websocket_url, self._asking.headers, patience)
        self.now: Turn | None = None
        """The latest turn received; None before the deal."""
        self._played = 0
        """Version of the match after this seat's last move. Turns with a lower version are from before that move."""
        self.chat: deque[m.Chat] = deque(maxlen=CHAT_KEPT)
        """The latest chat messages received."""

    # --- closing ----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the connections. The seat stays taken, and can be played again with its token."""
        self._line.close()
        self._asking.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the table --------------------------------------------------------------------------------------------------

    @property
    def code(self) -> str:
        """The code that identifies the table on its server, such as "K7QM4XPN". The table's link ends with it.

        Players share the code or the link, so that others can join the table. Unlike `token`, the code gives no control
        over this seat.
        """
        return self.place.code

    def table(self) -> m.TableInfo:
        """Return the table's public data, such as its players and options."""
        return self._asking.ask(m.TableInfo, "GET", self._path)

    def ready(self, ready: bool = True) -> None:
        """Set whether this seat is ready for the deal."""
        self._asking.ask(m.TableInfo, "PUT", f"{self._path}/seats/me/ready", {"ready": ready})

    def leave(self) -> None:
        """Leave the table. Before the deal the seat becomes open; after the deal the other players decide whether a bot
        plays it.
        """
        self._asking.ask(m.TableInfo, "DELETE", f"{self._path}/seats/me")

    # --- playing ----------------------------------------------------------------------------------------------------

    def wait_for_change(self, timeout: float | None = None) -> Turn:
        """Wait for the next change at the table, and return the seat's view after it, as a `Turn`.

        * The first call returns the current state as soon as the cards are dealt.
        * After a move of this seat, the call returns the state after that move or a later one.
        * If the connection is lost, the call tries for up to `patience` seconds to reopen it. No information is lost,
          because each view is complete.
        * A chat message does not end the wait. It is added to `chat`.

        Raises:
            TimeoutError: The connection is open, but no message came for `timeout` seconds. Any message, such as a
                chat message, restarts this time.
            NoAnswer, TooFast: The connection could not be opened, or reopened after a loss, within `patience` seconds.
            TableClosed: The table is gone, or this token was replaced by another.
            BadAnswer: A message violates the protocol.
        """
        while True:
            message = self._line.next(timeout)
            if isinstance(message, m.Chat):
                self.chat.append(message)
            else:
                turn = self._turn_from_message(message)
                if turn.version >= self._played and (self.now is None or not turn.equals_except_clock(self.now)):
                    self.now = turn
                    return turn

    def turns(self) -> Iterator[Turn]:
        """Yield the turns in which this seat must move, until the match is over. The caller plays one move for each."""
        turn = self.now or self.wait_for_change()
        while not turn.over:
            if turn.legal and turn.version >= self._played:
                yield turn
            turn = self.now if self.now not in (None, turn) else self.wait_for_change()

    def play(self, action: int | str, turn: Turn | None = None) -> None:
        """Play an action, given as a number or in the notation of match files. `turn` is the turn that the action was
        chosen for, by default the latest.

        The request carries a unique token and is repeated until it is answered. So the move counts once even if the
        connection or the server fails meanwhile.

        Raises:
            Stale, Illegal, NotYourTurn, Malformed: The move was refused and nothing changed.
            NoAnswer: The server cannot be reached, or it did not answer. The move may or may not have been played.
        """
        at = turn or self.now or self.wait_for_change()
        wanted = {"words": action} if isinstance(action, str) else {"action": int(action)}
        body = wanted | {"version": at.version, "token": secrets.token_hex(12)}
        self._played = self._asking.ask(m.Moved, "POST", f"{self._path}/moves", body).version

    def propose(self, what: Literal["take-back", "end"]) -> None:
        """Propose to take this seat's last move back, or to end the match. All other players whom it concerns must
        agree; bots agree at once.

        Raises:
            Conflict: This is not possible now. The text of the exception is the reason.
            NoAnswer: The server cannot be reached, or it did not answer. The proposal may or may not have been made. It
                is not repeated, because that could take another move back.
        """
        asked = {"what": what}
        self._played = self._asking.ask(m.Moved, "POST", f"{self._path}/proposals", asked, again=False).version

    def answer(self, agree: bool, proposal: m.OpenProposal | None = None) -> None:
        """Answer a proposal of another player, or withdraw one of this seat by declining it. By default it is the
        proposal in the latest turn.

        Raises:
            ValueError: The latest turn has no open proposal.
            Stale: The proposal is no longer open. Perhaps an earlier answer of this seat, whose response was lost, has
                closed it.
            Forbidden: This seat is not asked.
        """
        asked = proposal or (self.now.proposal if self.now is not None else None)
        if asked is None:
            raise ValueError("there is no open proposal")
        body = {"proposal": asked.number, "agree": agree}
        self._played = self._asking.ask(m.Moved, "POST", f"{self._path}/answers", body).version

    def resign(self) -> None:
        """Resign. With two seats, the match is over; with more seats, a bot plays on for this seat.

        Raises:
            Conflict: The match is over, a proposal is open, or this seat has resigned already.
            NoAnswer: The server cannot be reached, or it did not answer. This seat may or may not have resigned.
        """
        self._played = self._asking.ask(m.Moved, "POST", f"{self._path}/resignation", again=False).version

    def play_out(self, bot: Bot, seed: int = 0) -> Sequence[float]:
        """Let a bot play this seat to the end of the match, and return the final score of each seat.

        The `seed` determines the bot's random choices: the same views and the same seed give the same moves. If a move
        is refused because the table changed meanwhile, the bot chooses again.
        """
        for turn in self.turns():
            luck = zlib.crc32(f"{seed} {turn.version}".encode())
            try:
                self.play(bot.choose(self.game, turn.view, turn.seat, luck), turn)
            except (Stale, NotYourTurn):
                continue
        return self.returns

    @property
    def returns(self) -> Sequence[float]:
        """The final score of each seat, higher is better. Raises `ValueError` while the match is running."""
        if self.now is None or self.now.returns is None:
            raise ValueError("the match is not over")
        return self.now.returns

    def record(self) -> m.FinishedMatch:
        """Return the record of the match with its seed and all moves. Raise `Conflict` if the match is not over."""
        return self._asking.ask(m.FinishedMatch, "GET", f"matches/{self.code}")

    def offer_or_accept_rematch(self) -> Seat | None:
        """Offer a rematch, or accept one. Return this player's seat at the new table, or None if that table does not
        exist yet.

        The cards are dealt when all players have accepted. The new seat has the same token as this one.
        """
        asked = self._asking.ask(m.Again, "POST", f"{self._path}/again", {"answer": "yes"})
        if not asked.table:
            return None
        there = TableAddress(self.place.server, asked.table)
        return Seat(there, self.token, language=self._language, patience=self._patience)

    def _turn_from_message(self, known: m.Known) -> Turn:
        try:
            view = view_from_fields(self.game.dtype, known.view)
        except ValueError as wrong:
            raise BadAnswer(f"the view is not a record of {self.game.name}: {wrong}") from None
        if view.viewer != known.seat:
            raise BadAnswer(f"the view belongs to seat {view.viewer}, not to seat {known.seat}")
        same = known.model_dump(exclude={"view", "say", "proposal"})
        return Turn(view=view, said=known.say, proposal=known.proposal, **same)


def rules_of(table: m.TableInfo) -> GameModule:
    """Return the game module (rules and bots) for a table. Raise `OtherRules` if the game or the version of its rules
    is not installed.
    """
    try:
        game = registry.game(table.game)
    except registry.UnknownGame as wrong:
        raise OtherRules(str(wrong)) from None
    if game.info.version != table.rules_version:
        played, here = table.rules_version, game.info.version
        raise OtherRules(
            f"the table uses version {played} of the rules of {table.game}; version {here} is installed here"
        )
    return game


def sit(
    table: str,
    name: str,
    *,
    server: str = "",
    ready: bool = True,
    language: str = "en",
    patience: float = PATIENCE,
) -> Seat:
    """Take a seat at a table under the nickname `name`. `table` is the table's link, or its code with the URL of its
    `server`.

    The deal begins when all seats are taken and ready; `ready` says whether this seat is ready at once. The server's
    error messages are in `language`. For up to `patience` seconds, the returned `Seat` retries a failed request, or
    tries to reopen a lost connection. The request that takes the seat is retried only if it certainly had no effect.

    Raises:
        ValueError: `table` is neither a link nor a code with a server.
        NoSuchTable: The server has no table with this code.
        TableFull: All seats are taken.
        Conflict: The match has already begun.
        Forbidden: The server does not admit this client.
        Malformed: The nickname is invalid.
        OtherRules: The table's game, or its version of the rules, is not installed here.
        NoAnswer: The server cannot be reached.
    """
    place = parse_table_address(table, server)
    with closing(ApiClient(place.server, language=language, patience=patience)) as asking:
        rules_of(asking.ask(m.TableInfo, "GET", f"tables/{place.code}"))
        joined = asking.ask(m.Joined, "POST", f"tables/{place.code}/seats", {"name": name, "ready": ready}, again=False)
    return _seat_of(place.server, joined, language, patience)


def open_table(
    server: str,
    game: str,
    name: str,
    seats: Sequence[str] = ("me", "open"),
    *,
    language: str = "en",
    patience: float = PATIENCE,
    **settings: Any,
) -> Seat:
    """Open a table on the server with the URL `server`, and take a seat there under the nickname `name`, ready to play.

    Each item of `seats` is "me", "open" (for any person with the link) or a bot's level. `settings` are further fields
    of ``POST /api/v1/tables``: `options`, `clock`, `memory`, `spectators` …

    The server's error messages are in `language`. For up to `patience` seconds, the returned `Seat` retries a failed
    request, or tries to reopen a lost connection. The request that opens the table is retried only if it certainly had
    no effect.

    Raises:
        ValueError: `seats` does not contain "me", or `server` is not an HTTP or HTTPS URL.
        Refused: The server refused to open the table. The text of the exception is the server's reason.
        OtherRules: The table was opened, but its version of the rules is not installed here.
        NoAnswer: The server cannot be reached, or it did not answer. The table may or may not have been opened.
    """
    if "me" not in seats:
        raise ValueError('a seat has to be "me"')
    address = normalize_server_url(server)
    with closing(ApiClient(address, language=language, patience=patience)) as asking:
        body = {"game": game, "name": name, "seats": list(seats), **settings}
        joined = asking.ask(m.Joined, "POST", "tables", body, again=False)
    return _seat_of(address, joined, language, patience)


def _seat_of(server: str, joined: m.Joined, language: str, patience: float) -> Seat:
    return Seat(TableAddress(server, joined.table.code), joined.token, language=language, patience=patience)
