"""Simulated players at tables; each plays a random legal move when it is their turn."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from benchmarks.load.websocket_client import VERSION, Socket, actions_in, post

#: Seconds that a browser waits before each attempt to reconnect (web/src/live_connection.js).
WAITS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)
FORM = {"spectators": "on", "clock": "0", "seat-0": "you", "seat-1": "open"}


@dataclass
class Tally:
    """Measurements of a run."""

    counting: bool = True
    moves: int = 0
    delays: list[float] = field(default_factory=list)
    """Seconds from a move (in an open loop: from its due time) until the page of each other seat shows it."""
    acknowledged: list[float] = field(default_factory=list)
    """Seconds from a move until the page of the player who made it shows it."""
    refused: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    """Number of connections lost."""
    finished: int = 0
    """Number of matches played to their end."""
    received: int = 0
    first_pages: list[tuple[float, float]] = field(default_factory=list)
    """For each lost connection: the times of reconnecting and of the first page after it, by `time.monotonic`."""


@dataclass
class Move:
    """A move that has not yet been shown on all pages."""

    at: float
    seat: int
    before: dict[int, int]
    """Version of the page before the move, for each seat whose page has not shown it yet."""


class Player:
    """A simulated player in a browser."""

    def __init__(self, table: Table, seat: int, port: int) -> None:
        self.table, self.seat, self.port = table, seat, port
        self.cookie = ""
        self.socket: Socket | None = None
        self.version = 0
        self.may: list[int] = []
        """Actions that the player may choose from now; empty if it is not their turn or they have just moved."""
        self.tries = 0
        self.was_lost = False
        self.left = False
        self.told = asyncio.Event()
        """Set when a page has arrived since the connection was opened."""

    async def connect(self) -> None:
        """Open the page's WebSocket and send "hello" with the version that the page shows."""
        self.told.clear()
        self.socket = Socket(
            self.port, f"{self.table.url}/live", self.cookie, self.table.deflate, self._on_message, self._on_disconnect
        )
        await self.socket.open()
        self.opened = time.monotonic()
        self.tries = 0
        self.socket.send(b'{"type":"hello","version":%d,"patches":true}' % self.version)

    def leave(self) -> None:
        """Close the connection for good."""
        self.left = True
        if self.socket is not None:
            self.socket.close()

    def play(self, due: float) -> None:
        """Play a random legal move; `due` is the time from which its delay is counted."""
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
        """Reconnect with the same waiting times as a browser's page."""
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
    """A table of simulated players, who play one match after another."""

    def __init__(
        self, ports: list[int], game: str, tally: Tally, *, deflate: bool = True, closed: bool = False
    ) -> None:
        self.game, self.tally, self.deflate = game, tally, deflate
        self.closed = closed
        """Whether the load is a closed loop, in which players move as soon as they may. Otherwise `request_move`
        triggers moves."""
        self.players = [Player(self, seat, port) for seat, port in enumerate(ports)]
        self.url = ""
        self.leaving = False
        self.playing = False
        self.moves: list[Move] = []
        self.owed: list[float] = []
        """Due times of moves for which no player had a turn yet."""
        self._errands: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Open a new table, seat all players, and start the match."""
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
        """Close the connections of all players."""
        self.leaving = True
        self.playing = False
        for task in self._errands:
            task.cancel()
        for player in self.players:
            if player.socket is not None:
                self.tally.received += player.socket.received
                player.socket.close()

    def errand(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine in the background."""
        task = asyncio.get_running_loop().create_task(work)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)

    def request_move(self, at: float) -> None:
        """Make a move now, or as soon as a player may move; `at` is its due time."""
        self.owed.append(at)
        for player in self.players:
            if player.may:
                self._play_if_due(player)
                return

    def record_move(self, player: Player, at: float) -> None:
        """Record a move that a player sends."""
        if self.tally.counting:
            self.tally.moves += 1
        self.moves.append(Move(at, player.seat, {other.seat: other.version for other in self.players}))

    def record_page(self, player: Player, now: float, over: bool) -> None:
        """Record that a player's page has been updated, and play moves that are due."""
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
        """Count a refused move and forget it, because no page will show it."""
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
        """Open a new table for the same players."""
        for player in self.players:
            if player.socket is not None:
                self.tally.received += player.socket.received
                player.socket.close()
        await self.open()


async def open_tables(tables: list[Table], together: int = 16) -> None:
    """Open all tables, at most `together` at the same time."""
    gate = asyncio.Semaphore(together)

    async def one(table: Table) -> None:
        async with gate:
            await table.open()

    await asyncio.gather(*(one(table) for table in tables))
