"""A seat at a table of a server, as a program has it."""

from __future__ import annotations

import secrets
import zlib
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Self

from facedown.client import messages as m
from facedown.client.errors import BadAnswer, NotYourTurn, OtherRules, Stale
from facedown.client.http_requests import ApiClient, TableAddress, parse_table_address, server_of
from facedown.client.live_connection import LiveConnection
from facedown.core import game_registry as registry
from facedown.core.bot import Bot
from facedown.core.game_registry import GameModule
from facedown.core.state import View, to_bytes
from facedown.core.view_json import view_from_fields

#: Seconds for which a lost connection is tried again before `NoAnswer`.
PATIENCE = 120.0
#: So much of what was said last is kept.
CHAT_KEPT = 100


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """What the seat knows when something has changed, and what it may do."""

    view: View
    """All that the seat knows: the record that ``match.known(seat)`` is, byte for byte."""
    seat: int
    version: int
    """Counts what the seat saw; a move names it."""
    legal: Sequence[int]
    """The actions that the seat may take now, ascending; none while others choose."""
    acting: Sequence[int]
    """The seats that are to act."""
    said: Sequence[str]
    """What has happened since the view before, in words."""
    left: float | None
    """Seconds that were left on the seat's clock; None without one."""
    over: bool
    returns: Sequence[float] | None
    """When the match is over, the final score of each seat, higher is better."""

    def equals_except_clock(self, other: Turn) -> bool:
        """Does it tell nothing else than another: is only the clock further on?"""
        mine, yours = (
            (to_bytes(one.view), one.version, one.legal, one.acting, one.over, one.returns) for one in (self, other)
        )
        return mine == yours


class Seat:
    """A seat at a server's table: what it knows, turn by turn, and its moves. Close it, or use it in a ``with``.

    It is made by `sit` or `open_table`, or anew from its `place` and `token` by `Seat` itself.
    """

    def __init__(self, place: TableAddress, token: str, *, language: str = "en", patience: float = PATIENCE) -> None:
        """Take up a seat whose token one has.

        Raises:
            UnknownToken, NoSuchTable, Forbidden, NoAnswer: there is no such seat, or no server.
            OtherRules: the table's game, or this version of it, is not installed here.
        """
        self.place = place
        self.token = token
        """The seat's credential: whoever has it plays this seat."""
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
        """What the seat has been told last; None before the deal."""
        self._played = 0
        """At which version the seat stood after its last move: what it was told before is of no more use."""
        self.chat: deque[m.Chat] = deque(maxlen=CHAT_KEPT)
        """What was said last."""

    # --- closing ----------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Close the connections; the seat stays taken, and can be taken up again with its token."""
        self._line.close()
        self._asking.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- the table --------------------------------------------------------------------------------------------------

    @property
    def code(self) -> str:
        """The code of the table, by which others find it."""
        return self.place.code

    def table(self) -> m.TableInfo:
        """The table as everybody sees it: who sits there, with which options."""
        return self._asking.ask(m.TableInfo, "GET", self._path)

    def ready(self, ready: bool = True) -> None:
        """Say in the lobby that one is ready, or not yet."""
        self._asking.ask(m.TableInfo, "PUT", f"{self._path}/seats/me/ready", {"ready": ready})

    def leave(self) -> None:
        """Give the seat up in the lobby; after the deal leave it for the others to decide about."""
        self._asking.ask(m.TableInfo, "DELETE", f"{self._path}/seats/me")

    # --- playing ----------------------------------------------------------------------------------------------------

    def wait(self, timeout: float | None = None) -> Turn:
        """What the seat knows after the next change; first of all, how things stand, once the cards are dealt.

        Behind a move of its own that is the move's outcome, or what came after it.
        A lost line is opened again for as long as the patience lasts; nothing is missed by it, for each view is whole.

        Raises:
            TimeoutError: nothing has changed in so many seconds.
            NoAnswer: the server has not come back.
            TableClosed: the table is gone, or this token was exchanged for another.
            BadAnswer: what came is not what the protocol says.
        """
        while True:
            message = self._line.next(timeout)
            if isinstance(message, m.Chat):
                self.chat.append(message)
            else:
                turn = self._turn(message)
                if turn.version >= self._played and (self.now is None or not turn.equals_except_clock(self.now)):
                    self.now = turn
                    return turn

    def turns(self) -> Iterator[Turn]:
        """Each turn on which this seat is to choose, until the match is over; play one move in each."""
        turn = self.now or self.wait()
        while not turn.over:
            if turn.legal and turn.version >= self._played:
                yield turn
            turn = self.now if self.now not in (None, turn) else self.wait()

    def play(self, action: int | str, turn: Turn | None = None) -> None:
        """Take an action, by its number or in words, on the `turn` that it answers (else the newest).

        It is sent until it is answered, under a name of its own, so that it counts once however often it was sent, also
        where the line or the server broke off in between.

        Raises:
            Stale, Illegal, NotYourTurn, Malformed: it was refused, and nothing changed.
            NoAnswer: the server has not come back; the move may stand or not.
        """
        at = turn or self.now or self.wait()
        wanted = {"words": action} if isinstance(action, str) else {"action": int(action)}
        body = wanted | {"version": at.version, "token": secrets.token_hex(12)}
        self._played = self._asking.ask(m.Moved, "POST", f"{self._path}/moves", body).version

    def play_out(self, bot: Bot, seed: int = 0) -> Sequence[float]:
        """Let a bot choose in every turn of this seat to the end of the match; the final scores.

        With the same views and the same `seed` it plays the same. Where the table changed while the bot thought, so
        that its move is refused, it is asked again.
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
        """The final score of each seat, higher is better; `ValueError` while the match goes on."""
        if self.now is None or self.now.returns is None:
            raise ValueError("the match is not over")
        return self.now.returns

    def record(self) -> m.FinishedMatch:
        """The finished match with its seed and every move; `Conflict` while it goes on."""
        return self._asking.ask(m.FinishedMatch, "GET", f"matches/{self.code}")

    def request_rematch(self) -> Seat | None:
        """Ask for another match with the same people, or agree; the seat there once one is asked for, else None.

        Its cards are dealt when all have agreed. The token is good for both seats.
        """
        asked = self._asking.ask(m.Again, "POST", f"{self._path}/again", {"answer": "yes"})
        if not asked.table:
            return None
        there = TableAddress(self.place.server, asked.table)
        return Seat(there, self.token, language=self._language, patience=self._patience)

    def _turn(self, known: m.Known) -> Turn:
        try:
            view = view_from_fields(self.game.dtype, known.view)
        except ValueError as wrong:
            raise BadAnswer(f"the view is no record of {self.game.name}: {wrong}") from None
        if view.viewer != known.seat:
            raise BadAnswer(f"the view is that of seat {view.viewer}, not of seat {known.seat}")
        return Turn(view=view, said=known.say, **known.model_dump(exclude={"view", "say"}))


def rules_of(table: m.TableInfo) -> GameModule:
    """The rules by which a table is played; `OtherRules` where they are not installed."""
    try:
        game = registry.game(table.game)
    except registry.UnknownGame as wrong:
        raise OtherRules(str(wrong)) from None
    if game.info.version != table.rules_version:
        played, here = table.rules_version, game.info.version
        raise OtherRules(f"the table is played by version {played} of the rules of {table.game}; here is {here}")
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
    """Sit down at a table by its link, or by its code and the address of its `server`, under a nickname.

    The deal begins when everybody is `ready`. What the server refuses is said in `language`; it is tried for `patience`
    seconds wherever it does not answer.

    Raises:
        ValueError: it is no link and no code with a server.
        NoSuchTable, TableFull, Forbidden, Conflict, Malformed: there is no seat to be had, or not under this name.
        OtherRules: the table's game, or this version of it, is not installed here.
        NoAnswer: the server cannot be reached.
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
    """Open a table and sit down there: `seats` are "me", "open" for whoever has the link, or a bot's level.

    `settings` are those of ``POST /api/v1/tables``: `options`, `clock`, `memory`, `spectators` … One is ready at once.

    Raises:
        ValueError: `seats` has no "me".
        Refused: the server opens no such table, and says why.
        OtherRules, NoAnswer: as of `sit`.
    """
    if "me" not in seats:
        raise ValueError('a seat has to be "me"')
    address = server_of(server)
    with closing(ApiClient(address, language=language, patience=patience)) as asking:
        body = {"game": game, "name": name, "seats": list(seats), **settings}
        joined = asking.ask(m.Joined, "POST", "tables", body, again=False)
    return _seat_of(address, joined, language, patience)


def _seat_of(server: str, joined: m.Joined, language: str, patience: float) -> Seat:
    return Seat(TableAddress(server, joined.table.code), joined.token, language=language, patience=patience)
