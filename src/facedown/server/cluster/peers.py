"""The other processes on the same database: what they changed is read, who is there with them is shown."""

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
from facedown.server.process.settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.store import StoreError
from facedown.store.row_conversion import Newer, TableCursor

log = logs.logger()

#: How often a process says who is there with it, and for how long it is believed, in seconds.
PRESENCE_INTERVAL, PRESENCE_LIFETIME = 10.0, 30.0
#: A program that asked for something within so many seconds is there.
RECENT_REQUEST_TIME = 15.0
#: While nothing is heard, tables are looked at so often, in seconds.
COMPARE_INTERVAL_WHILE_DOWN = 1.0
#: Those who take over from a process that ends do not come all at once, in seconds.
MAX_TAKEOVER_DELAY = 0.3


class SharedTable(Protocol):
    """A table in memory, as the exchange with other processes needs it."""

    session: Session
    number: int
    processes: dict[int, TablePresence]
    remote_spectator_names: frozenset[str]

    @property
    def cursor(self) -> TableCursor:
        """How far this process knows the table."""

    @property
    def local_spectator_ids(self) -> tuple[int, ...]:
        """The numbers of the people who watch with this process."""

    async def apply_remote_change(self, known: TableCursor, newer: Newer | None) -> bool:
        """Apply what others wrote since the table was `cursor`; False if it has changed here meanwhile."""

    async def load_remote_spectator_names(self) -> None:
        """Read the names of those who watch with other processes."""

    def forget_process(self, process: int) -> bool:
        """Remove a process that has ended; returns whether the presence of a player changed."""

    def notify_subscribers(self) -> None:
        """Show the table as it is now on all its pages."""


class Tables(Protocol):
    """What the exchange with other processes needs of the tables of this one."""

    settings: ServerSettings
    store: StoreThreads
    now: SteadyClock

    def in_memory(self, number: int) -> SharedTable | None:
        """The table of a number, if this process has it in memory."""

    def all_in_memory(self) -> Sequence[SharedTable]:
        """All tables that this process has in memory."""

    def close_connections_of(self, person: int) -> int:
        """Close the connections of a person; returns their number."""

    async def sweep(self) -> None:
        """Take over the tables that no process drives."""

    def errand(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a task until it is done or the server stops."""


class Peers:
    """This process among those that share its database and its bus."""

    def __init__(self, rooms: Tables, bus: Bus) -> None:
        self.rooms = rooms
        self.bus = bus
        self._reads: Batcher[int, None] = Batcher(self._read_tables)
        self._looks: Batcher[None, None] = Batcher(self._compare_revisions)

    @property
    def id(self) -> int:
        """The number of this process."""
        return self.rooms.store.repository.processes.id

    async def start(self) -> None:
        """Become one of them; `StoreError` where that cannot be."""
        # A database for one process: who was written down before has died, but for those on the same bus.
        alone = self.rooms.store.repository.processes.is_single_process and not self.bus.listeners
        await self.rooms.store.run(self._register, alone)
        self.bus.listeners.append(self)
        await self.bus.start(self.id)
        self.rooms.errand(self._presence_loop())
        self.rooms.errand(self._compare_loop())

    async def stop(self) -> None:
        """Leave: what was driven here is anybody's."""
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

    async def renew_lease(self) -> None:
        """Say in the database that this process is alive."""
        if not await self.rooms.store.run(self.rooms.store.repository.processes.renew_lease):
            log.warning("taken_for_dead")
            try:
                await self.rooms.store.run(self._register)
            except StoreError as wrong:
                log.error("not_registered", why=str(wrong))

    # --- what others tell -----------------------------------------------------------------------------------------

    def announce_change(self, room: SharedTable) -> None:
        """Tell the others that a table changed here."""
        self.bus.publish(Message(sender=self.id, news={room.number: room.session.record.revision}))

    def announce_dismissal(self, person: int) -> None:
        """Tell the others that somebody's key is worth nothing any more."""
        self.bus.publish(Message(sender=self.id, dismissed=[person]))

    def on_message(self, message: Message) -> None:
        """Another process told something."""
        if message.sender == self.id:
            return
        for number, revision in message.news.items():
            room = self.rooms.in_memory(number)
            if room is not None and room.session.record.revision < revision:
                self._read(number)
        for person in message.dismissed:
            self.rooms.close_connections_of(person)
        for here in message.here:
            self._apply_presence(message.sender, here)
        if message.leaves:
            for room in self.rooms.all_in_memory():
                if room.forget_process(message.sender):
                    room.notify_subscribers()
            self.rooms.errand(self._take_over())

    def on_messages_lost(self) -> None:
        """What was told while the line was down was not heard."""
        self.rooms.errand(self._looks.submit(None))

    async def _take_over(self) -> None:
        await asyncio.sleep(random.uniform(0, MAX_TAKEOVER_DELAY))
        await self.rooms.sweep()

    # --- reading --------------------------------------------------------------------------------------------------

    def _read(self, number: int) -> None:
        self.rooms.errand(self._reads.submit(number))

    async def _read_tables(self, numbers: Sequence[int]) -> list[None]:
        """Read what others changed at tables of these numbers."""
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
                    # Something was written here meanwhile.
                    self._read(room.number)
            except Refusal:
                # The table is gone; whoever was there has been told.
                continue
            except Exception:
                # One table that cannot be read must not keep the others waiting.
                log.exception("news_not_understood", match=logs.match_log_name(room.session))
        return [None] * len(numbers)

    async def _compare_revisions(self, asked: Sequence[None]) -> Sequence[None]:
        """Compare the tables in memory with those in the database: somebody may have been silent."""
        try:
            rooms = {room.number: room for room in self.rooms.all_in_memory()}
            found = await self.rooms.store.run(self.rooms.store.repository.revisions, list(rooms)) if rooms else {}
            for number, room in rooms.items():
                if found.get(number, -1) != room.session.record.revision:
                    self._read(number)
        except SQLAlchemyError as wrong:
            log.warning("tables_not_compared", why=logs.safe_error_text(wrong))
        return asked

    async def _compare_loop(self) -> None:
        while True:
            await asyncio.sleep(COMPARE_INTERVAL_WHILE_DOWN if self.bus.is_down else self.rooms.settings.look_every)
            self.on_messages_lost()

    # --- who is there ---------------------------------------------------------------------------------------------

    def announce_presence(self, room: SharedTable) -> None:
        """Tell the others who is at a table here."""
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
            # It has just opened the table: it does not know yet who is here.
            self.announce_presence(room)

    async def _presence_loop(self) -> None:
        """Say who is there again and again: whoever does not is not believed for long."""
        while True:
            await asyncio.sleep(PRESENCE_INTERVAL)
            rooms = list(self.rooms.all_in_memory())
            if self.bus.has_other_processes:
                here = [self._local_presence(room) for room in rooms]
                self.bus.publish(Message(sender=self.id, here=[one for one in here if one.seats or one.watching]))
            for room in rooms:
                if room.session.presence.expire_remote_seats(self.rooms.now()):
                    room.notify_subscribers()
