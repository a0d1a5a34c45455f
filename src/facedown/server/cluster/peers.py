"""Exchange with the other processes on the same database: loading the changes that they save, and sharing presence
(which players and spectators are connected to which process).
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from facedown.play import Refusal, Session
from facedown.server.cluster.bus import Bus, Message, TablePresence
from facedown.server.process import logs
from facedown.server.process.clocks import SteadyClock
from facedown.server.process.query_batching import Batcher
from facedown.server.process.server_settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.store import StoreError
from facedown.store.row_conversion import Newer, TableCursor

log = logs.logger()

#: Seconds between two presence messages of a process (the players and spectators connected to it), and seconds after
#: which its last message expires.
PRESENCE_INTERVAL, PRESENCE_LIFETIME = 10.0, 30.0
#: Seconds for which a program counts as present after an API request.
RECENT_REQUEST_TIME = 15.0
#: Seconds between two comparisons of all tables in memory with the database, while the bus is down.
COMPARE_INTERVAL_WHILE_DOWN = 1.0
#: Maximum random delay, in seconds, before this process takes over the tables of a process that shuts down. The delay
#: keeps the remaining processes from all doing so at once.
MAX_TAKEOVER_DELAY = 0.3


class SharedTable(Protocol):
    """Protocol: the attributes and methods of a table in memory (`Room`) that `Peers` uses."""

    session: Session
    number: int
    processes: dict[int, TablePresence]
    remote_spectator_names: frozenset[str]

    @property
    def cursor(self) -> TableCursor:
        """Position up to which this process has loaded the stored table.

        The position contains the table's record as last loaded or saved, and how many moves and chat messages are in
        memory.
        """

    @property
    def local_spectator_ids(self) -> tuple[int, ...]:
        """Ids, in the database, of the spectators who are connected to this process."""

    async def apply_remote_change(self, known: TableCursor, newer: Newer | None) -> bool:
        """Apply the changes that other processes have saved in the database since the state `known` of this table.

        `newer` contains these changes; None means that the table was deleted. Return False if nothing was applied,
        because this process itself has changed the table since `known`: the caller must load the changes again.
        """

    async def load_remote_spectator_names(self) -> None:
        """Load the names of the spectators connected to other processes, then update the pages that show them."""

    def forget_process(self, process: int) -> bool:
        """Forget which players and spectators were connected to the server process with the id `process`.

        That process is shutting down; it is never the process that runs this code. Return whether the set of players
        connected to other processes has changed. If so, the pages of the table must be updated. Connections to this
        process are stored separately, so they have no effect on the result.
        """

    def notify_subscribers(self) -> None:
        """Send the current state of the table to all pages and programs connected to this process."""


class Tables(Protocol):
    """Protocol: the attributes and methods of `Rooms` (all tables of this process) that `Peers` uses."""

    settings: ServerSettings
    store: StoreThreads
    now: SteadyClock

    def in_memory(self, number: int) -> SharedTable | None:
        """Return the table with the id `number` in the database if this process has loaded it, else None."""

    def all_in_memory(self) -> Sequence[SharedTable]:
        """Return a snapshot of all tables loaded by this process. Later loading and dropping do not change it."""

    def close_connections_of(self, person: int) -> int:
        """Close all connections of a person to this process. Return how many were closed."""

    async def sweep(self) -> None:
        """Take over the tables whose driver, the process that runs their bots and clocks, has ended."""

    def errand(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine as a task until it is done or the server stops."""


class Peers:
    """Exchange of messages with the other processes that share this process's database and message bus.

    The messages say which tables have changed, which players and spectators are connected to which process, whose
    access was revoked, and which process is shutting down. What has changed at a table is loaded from the database.
    """

    def __init__(self, rooms: Tables, bus: Bus) -> None:
        self.rooms = rooms
        self.bus = bus
        self._reads: Batcher[int, None] = Batcher(self._load_remote_changes)
        self._looks: Batcher[None, None] = Batcher(self._load_missed_changes)

    @property
    def id(self) -> int:
        """Id of this process in the database."""
        return self.rooms.store.repository.processes.id

    async def start(self) -> None:
        """Register this process in the database, and start to connect to the message bus between the processes.

        Raise `StoreError` if the process cannot be registered, for example because other processes use another bus. If
        the bus cannot be reached, no error is raised, and the bus tries again in the background.
        """
        # With SQLite, only one process can use the database. So all other registrations are left over from earlier
        # runs, and `alone` makes `_register` remove them. In some tests, a second server starts in the same process.
        # Then `self.bus.listeners` contains the first server, whose registration must not be removed.
        alone = self.rooms.store.repository.processes.database_allows_only_one_process and not self.bus.listeners
        await self.rooms.store.run(self._register, alone)
        self.bus.listeners.append(self)
        await self.bus.start(self.id)
        self.rooms.errand(self._presence_loop())
        self.rooms.errand(self._compare_with_database_loop())

    async def stop(self) -> None:
        """Unregister this process, so that other processes can take over its tables. Then disconnect from the bus."""
        if self not in self.bus.listeners:
            return
        self.bus.listeners.remove(self)
        try:
            await self.rooms.store.run(self.rooms.store.repository.processes.unregister)
        except SQLAlchemyError as wrong:
            log.warning("leave_not_taken", why=logs.safe_error_text(wrong))
        self.bus.publish(Message(sender=self.id, leaves=True))
        await self.bus.stop()

    def _register(self, alone: bool = False) -> None:
        self.rooms.store.repository.processes.register(self.bus.name, alone=alone)

    async def renew_lease_or_reregister(self) -> None:
        """Renew this process's lease (time until which it counts as alive). Register again if the lease is gone."""
        if not await self.rooms.store.run(self.rooms.store.repository.processes.renew_lease):
            log.warning("taken_for_dead")
            try:
                await self.rooms.store.run(self._register)
            except StoreError as wrong:
                log.error("not_registered", why=str(wrong))

    # --- messages -------------------------------------------------------------------------------------------------

    def announce_change(self, room: SharedTable) -> None:
        """Tell other processes that this process changed a table."""
        self.bus.publish(Message(sender=self.id, news={room.number: room.session.record.revision}))

    def announce_access_revocation(self, person: int) -> None:
        """Tell other processes that the key in a person's cookie was revoked, or that the person was deleted.

        They then close the person's connections.
        """
        self.bus.publish(Message(sender=self.id, dismissed=[person]))

    def on_message(self, message: Message) -> None:
        """Act on a message of another process. Ignore a message of this process.

        * For each changed table that is in memory here, load the changes.
        * Close the connections of each person whose access was revoked.
        * Store which players and spectators are connected to the other process.
        * If the other process is shutting down, take over its tables after a random delay of at most
          `MAX_TAKEOVER_DELAY` seconds.
        """
        if message.sender == self.id:
            return
        for number, revision in message.news.items():
            room = self.rooms.in_memory(number)
            if room is not None and room.session.record.revision < revision:
                self._start_loading_changes(number)
        for person in message.dismissed:
            self.rooms.close_connections_of(person)
        for here in message.here:
            self._apply_presence(message.sender, here)
        if message.leaves:
            for room in self.rooms.all_in_memory():
                if room.forget_process(message.sender):
                    room.notify_subscribers()
            self.rooms.errand(self._take_over_tables_after_delay())

    def on_messages_lost(self) -> None:
        """Compare all tables in memory with the database, because messages about changes may have been missed."""
        self.rooms.errand(self._looks.submit(None))

    async def _take_over_tables_after_delay(self) -> None:
        await asyncio.sleep(random.uniform(0, MAX_TAKEOVER_DELAY))
        await self.rooms.sweep()

    # --- loading changes of other processes -----------------------------------------------------------------------

    def _start_loading_changes(self, number: int) -> None:
        self.rooms.errand(self._reads.submit(number))

    async def _load_remote_changes(self, numbers: Sequence[int]) -> list[None]:
        """Load and apply what other processes have changed at tables. `numbers` are the tables' ids in the database.

        Return None for each table, because a `Batcher` expects a result for each of its items.
        """
        rooms = [room for number in dict.fromkeys(numbers) if (room := self.rooms.in_memory(number)) is not None]
        known: list[TableCursor] = [room.cursor for room in rooms]
        try:
            found = await self.rooms.store.run(self.rooms.store.repository.load_newer, known)
        except SQLAlchemyError as wrong:
            log.warning("news_not_read", why=logs.safe_error_text(wrong))
            return [None] * len(numbers)
        for room, before, newer in zip(rooms, known, found, strict=True):
            try:
                if not await room.apply_remote_change(before, newer) and newer is not None:
                    # This process changed the table while the other processes' changes were being loaded, so load them
                    # again.
                    self._start_loading_changes(room.number)
            except Refusal:
                # The table was deleted; its viewers have been notified.
                continue
            except Exception:
                # One unreadable table must not keep the others from being updated.
                log.exception("news_not_understood", match=logs.match_log_name(room.session))
        return [None] * len(numbers)

    async def _load_missed_changes(self, asked: Sequence[None]) -> Sequence[None]:
        """Compare the revisions of all tables in memory with the database, and load the changes of those that differ.

        The revisions of a table differ if the message about a change was lost or has not arrived yet.

        Requests that arrive during a comparison wait. The next comparison answers all of them together, because a
        `Batcher` collects them and then calls this method once. Requests and results carry no data. So `asked` and the
        returned list just have one None for each request.
        """
        try:
            rooms = {room.number: room for room in self.rooms.all_in_memory()}
            found = await self.rooms.store.run(self.rooms.store.repository.revisions, list(rooms)) if rooms else {}
            for number, room in rooms.items():
                if found.get(number, -1) != room.session.record.revision:
                    self._start_loading_changes(number)
        except SQLAlchemyError as wrong:
            log.warning("tables_not_compared", why=logs.safe_error_text(wrong))
        return asked

    async def _compare_with_database_loop(self) -> None:
        while True:
            await asyncio.sleep(COMPARE_INTERVAL_WHILE_DOWN if self.bus.is_down else self.rooms.settings.look_every)
            self.on_messages_lost()

    # --- presence -------------------------------------------------------------------------------------------------

    def announce_presence(self, room: SharedTable) -> None:
        """Tell other processes which players and spectators of a table are connected to this process."""
        if self.bus.has_other_processes:
            self.bus.publish(Message(sender=self.id, here=[self._local_presence(room)]))

    def _local_presence(self, room: SharedTable) -> TablePresence:
        seats = room.session.presence.local_seats(self.rooms.now(), RECENT_REQUEST_TIME)
        return TablePresence(room.number, tuple(sorted(seats)), room.local_spectator_ids)

    def _apply_presence(self, process: int, here: TablePresence) -> None:
        room = self.rooms.in_memory(here.number)
        if room is None:
            return
        new = process not in room.processes
        room.processes[process] = here
        now = self.rooms.now()
        changed = room.session.presence.set_remote_seats(process, here.seats, now + PRESENCE_LIFETIME, now)
        if here.watching or room.remote_spectator_names:
            self.rooms.errand(room.load_remote_spectator_names())
        if changed:
            room.notify_subscribers()
        if new:
            # The other process has only now loaded the table, so it does not know yet which players are connected to
            # this process.
            self.announce_presence(room)

    async def _presence_loop(self) -> None:
        """Tell the other processes, at regular intervals, which players and spectators are connected to this process.

        Other processes send such reports, too. Also discard each report that has become older than `PRESENCE_LIFETIME`
        seconds. The players in it then no longer count as connected to the process that sent it.
        """
        while True:
            await asyncio.sleep(PRESENCE_INTERVAL)
            rooms = list(self.rooms.all_in_memory())
            if self.bus.has_other_processes:
                here = [self._local_presence(room) for room in rooms]
                self.bus.publish(Message(sender=self.id, here=[one for one in here if one.seats or one.watching]))
            for room in rooms:
                if room.session.presence.expire_remote_seats(self.rooms.now()):
                    room.notify_subscribers()
