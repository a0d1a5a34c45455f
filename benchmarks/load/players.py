"""Tables of people who play: who is told that it is their turn plays at random."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from benchmarks.load.websocket_client import VERSION, Socket, actions_in, post

#: How a browser waits before it tries a broken line again (web/src/live_connection.js), in seconds.
WAITS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
FORM = {"spectators": "on", "clock": "0", "seat-0": "you", "seat-1": "open"}


@dataclass
class Tally:
    """What was measured while it counted."""

    counting: bool = True
    moves: int = 0
    delays: list[float] = field(default_factory=list)
    """Seconds from a move (in an open loop: from when it was due) until each other seat's page was told of it."""
    acknowledged: list[float] = field(default_factory=list)
    """Seconds until the mover's own page was told of it."""
    refused: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    """Lines that broke although nobody stopped a server."""
    finished: int = 0
    """Matches that were played to their end."""
    received: int = 0
    first_pages: list[tuple[float, float]] = field(default_factory=list)
    """After a line was lost: when it was open again and when the first page came, by the clock of `time.monotonic`."""


@dataclass
class Move:
    """A move on its way: what is left to be told."""

    at: float
    seat: int
    before: dict[int, int]
    """The version of each seat that has not been told of it."""


class Player:
    """A person at a page."""

    def __init__(self, table: Table, seat: int, port: int) -> None:
        self.table, self.seat, self.port = table, seat, port
        self.cookie = ""
        self.socket: Socket | None = None
        self.version = 0
        self.may: list[int] = []
        """What this person may play now; empty when it is not their turn, or they have just played."""
        self.tries = 0
        self.was_lost = False
        self.left = False
        self.told = asyncio.Event()
        """A page has come since the line was opened."""

    async def connect(self) -> None:
        """Open the page's line, and say that nothing is shown yet."""
        self.told.clear()
        self.socket = Socket(
            self.port, f"{self.table.url}/live", self.cookie, self.table.deflate, self._on_message, self._on_disconnect
        )
        await self.socket.open()
        self.opened = time.monotonic()
        self.tries = 0
        self.socket.send(b'{"type":"hello","version":%d,"patches":true}' % self.version)

    def leave(self) -> None:
        """Go, and do not come back."""
        self.left = True
        if self.socket is not None:
            self.socket.close()

    def play(self, due: float) -> None:
        """Play one of the moves that this person may make."""
        assert self.socket is not None
        action, self.may = random.choice(self.may), []
        self.table.record_move(self, due)
        self.socket.send(b'{"type":"move","action":%d,"version":%d}' % (action, self.version))

    def _on_message(self, text: bytes) -> None:
        if text.startswith(b'{"type":"table"'):
            now = time.perf_counter()
            found = VERSION.search(text)
            assert found is not None
            self.version = int(found[1])
            over = b',"over":true' in text
            self.may = actions_in(text) if b',"yours":true' in text and not over else []
            if not self.told.is_set():
                self._record_first_page()
            self.table.record_page(self, now, over)
        elif text.startswith(b'{"type":"error"'):
            self.table.refused(self, text)
        elif text.startswith(b'{"type":"lobby"'):
            self.told.set()

    def _record_first_page(self) -> None:
        self.told.set()
        if self.was_lost:
            self.was_lost = False
            self.table.tally.first_pages.append((self.opened, time.monotonic()))

    def _on_disconnect(self) -> None:
        self.may = []
        self.was_lost = True
        self.table.tally.lost += 1
        if not (self.left or self.table.leaving):
            self.table.errand(self._come_back())

    async def _come_back(self) -> None:
        """As the page in a browser does."""
        while not self.table.leaving:
            wait = WAITS[min(self.tries, len(WAITS) - 1)] * random.uniform(0.8, 1.2)
            self.tries += 1
            await asyncio.sleep(wait)
            try:
                await self.connect()
            except OSError:
                continue
            return


class Table:
    """A table of people, who play one match after the other."""

    def __init__(
        self, ports: list[int], game: str, tally: Tally, *, deflate: bool = True, closed: bool = False
    ) -> None:
        self.game, self.tally, self.deflate = game, tally, deflate
        self.closed = closed
        """A closed loop: whoever may play does so at once. Otherwise `request_move` says when."""
        self.players = [Player(self, seat, port) for seat, port in enumerate(ports)]
        self.url = ""
        self.leaving = False
        self.playing = False
        self.moves: list[Move] = []
        self.owed: list[float] = []
        """When moves were due that nobody could make yet."""
        self._errands: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """A new table, at which everybody sits; the deal begins."""
        first, *others = self.players
        form = FORM | {f"seat-{player.seat}": "open" for player in others}
        self.url, first.cookie = await post(
            first.port, "/tables", form | {"game": self.game, "name": "Ada"}, first.cookie
        )
        for player in others:
            _, player.cookie = await post(player.port, f"{self.url}/sit", {"name": "Ben"}, player.cookie)
        for player in self.players:
            player.version = 0
            await player.connect()
        for player in self.players:
            assert player.socket is not None
            player.socket.send(b'{"type":"ready","ready":true}')
        self.playing = True

    def close(self) -> None:
        """Everybody leaves."""
        self.leaving = True
        self.playing = False
        for task in self._errands:
            task.cancel()
        for player in self.players:
            if player.socket is not None:
                self.tally.received += player.socket.received
                player.socket.close()

    def errand(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something on the side."""
        task = asyncio.get_running_loop().create_task(work)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    def request_move(self, at: float) -> None:
        """A move is due; it is made now, or as soon as somebody may."""
        self.owed.append(at)
        for player in self.players:
            if player.may:
                self._play_if_due(player)
                return

    def record_move(self, player: Player, at: float) -> None:
        """A player plays."""
        if self.tally.counting:
            self.tally.moves += 1
        self.moves.append(Move(at, player.seat, {other.seat: other.version for other in self.players}))

    def record_page(self, player: Player, now: float, over: bool) -> None:
        """A page came to a player."""
        for move in self.moves:
            before = move.before.get(player.seat)
            if before is not None and player.version > before:
                del move.before[player.seat]
                if self.tally.counting:
                    (self.tally.acknowledged if player.seat == move.seat else self.tally.delays).append(now - move.at)
        self.moves = [move for move in self.moves if move.before]
        if over:
            self._end_match()
        elif player.may:
            self._play_if_due(player)

    def _play_if_due(self, player: Player) -> None:
        if not self.playing or not player.may:
            return
        if self.closed:
            player.play(time.perf_counter())
        elif self.owed:
            player.play(self.owed.pop(0))

    def refused(self, player: Player, text: bytes) -> None:
        """A move was refused: nobody will be told of it."""
        code = text.split(b'"code":"', 1)[-1].split(b'"', 1)[0].decode()
        self.tally.refused[code] += 1
        self.moves = [move for move in self.moves if move.seat != player.seat]

    def _end_match(self) -> None:
        if self.playing:
            self.playing = False
            self.tally.finished += 1
            self.moves.clear()
            self.errand(self._open_next_table())

    async def _open_next_table(self) -> None:
        """The same people at a new table."""
        for player in self.players:
            if player.socket is not None:
                self.tally.received += player.socket.received
                player.socket.close()
        await self.open()


async def open_tables(tables: list[Table], together: int = 16) -> None:
    """Open tables, some at a time."""
    gate = asyncio.Semaphore(together)

    async def one(table: Table) -> None:
        async with gate:
            await table.open()

    await asyncio.gather(*(one(table) for table in tables))
