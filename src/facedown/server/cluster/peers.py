"""The other processes on the same database: what they changed is read, who is there with them is shown."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine, Sequence
from typing import Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from facedown.play import Refusal, Session
from facedown.server.cluster.bus import Bus, Here, Message
from facedown.server.process import logs
from facedown.server.process.clocks import SteadyClock
from facedown.server.process.query_batching import Batcher
from facedown.server.process.settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.store import StoreError
from facedown.store.row_conversion import Known, Newer

log = logs.logger()

#: How often a process says who is there with it, and for how long it is believed, in seconds.
SAID_EVERY, BELIEVED = 10.0, 30.0
#: A program that asked for something within so many seconds is there.
LATELY = 15.0
#: While nothing is heard, tables are looked at so often, in seconds.
LOOK_WHILE_DEAF = 1.0
#: Those who take over from a process that ends do not come all at once, in seconds.
APART = 0.3


class SharedTable(Protocol):
    """A table in memory, as the exchange with other processes needs it."""

    session: Session
    number: int
    processes: dict[int, Here]
    watching_there: frozenset[str]

    @property
    def known(self) -> Known:
        """How far this process knows the table."""

    @property
    def watching_here(self) -> tuple[int, ...]:
        """The numbers of the people who watch with this process."""

    async def hear(self, known: Known, newer: Newer | None) -> bool:
        """Apply what others wrote since the table was `known`; False if it has changed here meanwhile."""

    async def name_watchers(self) -> None:
        """Read the names of those who watch with other processes."""

    def forget_process(self, process: int) -> bool:
        """Remove a process that has ended; returns whether the presence of a player changed."""

    def touch(self) -> None:
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

    def dismiss(self, person: int) -> int:
        """Close the connections of a person; returns their number."""

    async def sweep(self) -> None:
        """Take over the tables that no process drives."""

    def errand(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a task until it is done or the server stops."""


class Neighbours:
    """This process among those that share its database and its bus."""

    def __init__(self, rooms: Tables, bus: Bus) -> None:
        self.rooms = rooms
        self.bus = bus
        self._reads: Batcher[int, None] = Batcher(self._read_tables)
        self._looks: Batcher[None, None] = Batcher(self._look)

    @property
    def id(self) -> int:
        """The number of this process."""
        return self.rooms.store.repository.processes.id

    async def start(self) -> None:
        """Become one of them; `StoreError` where that cannot be."""
        # A database for one process: who was written down before has died, but for those on the same bus.
        alone = self.rooms.store.repository.processes.alone and not self.bus.listeners
        await self.rooms.store.run(self._register, alone)
        self.bus.listeners.append(self)
        await self.bus.start(self.id)
        self.rooms.errand(self._say())
        self.rooms.errand(self._keep_looking())

    async def stop(self) -> None:
        """Leave: what was driven here is anybody's."""
        if self not in self.bus.listeners:
            return
        self.bus.listeners.remove(self)
        try:
            await self.rooms.store.run(self.rooms.store.repository.processes.leave)
        except SQLAlchemyError as wrong:
            log.warning("leave_not_taken", why=logs.words_of(wrong))
        self.bus.publish(Message(sender=self.id, leaves=True))
        await self.bus.stop()

    def _register(self, alone: bool = False) -> None:
        self.rooms.store.repository.processes.register(self.bus.name, alone=alone)

    async def beat(self) -> None:
        """Say in the database that this process is alive."""
        if not await self.rooms.store.run(self.rooms.store.repository.processes.beat):
            log.warning("taken_for_dead")
            try:
                await self.rooms.store.run(self._register)
            except StoreError as wrong:
                log.error("not_registered", why=str(wrong))

    # --- what others tell -----------------------------------------------------------------------------------------

    def changed(self, room: SharedTable) -> None:
        """Tell the others that a table changed here."""
        self.bus.publish(Message(sender=self.id, news={room.number: room.session.record.revision}))

    def dismissed(self, person: int) -> None:
        """Tell the others that somebody's key is worth nothing any more."""
        self.bus.publish(Message(sender=self.id, dismissed=[person]))

    def heard(self, message: Message) -> None:
        """Another process told something."""
        if message.sender == self.id:
            return
        for number, revision in message.news.items():
            room = self.rooms.in_memory(number)
            if room is not None and room.session.record.revision < revision:
                self._read(number)
        for person in message.dismissed:
            self.rooms.dismiss(person)
        for here in message.here:
            self._heard_of(message.sender, here)
        if message.leaves:
            for room in self.rooms.all_in_memory():
                if room.forget_process(message.sender):
                    room.touch()
            self.rooms.errand(self._take_over())

    def missed(self) -> None:
        """What was told while the line was down was not heard."""
        self.rooms.errand(self._looks.submit(None))

    async def _take_over(self) -> None:
        await asyncio.sleep(random.uniform(0, APART))
        await self.rooms.sweep()

    # --- reading --------------------------------------------------------------------------------------------------

    def _read(self, number: int) -> None:
        self.rooms.errand(self._reads.submit(number))

    async def _read_tables(self, numbers: Sequence[int]) -> list[None]:
        """Read what others changed at tables of these numbers."""
        rooms = [room for number in dict.fromkeys(numbers) if (room := self.rooms.in_memory(number)) is not None]
        known: list[Known] = [room.known for room in rooms]
        try:
            found = await self.rooms.store.run(self.rooms.store.repository.newer, known)
        except SQLAlchemyError as wrong:
            log.warning("news_not_read", why=logs.words_of(wrong))
            return [None] * len(numbers)
        for room, before, newer in zip(rooms, known, found, strict=True):
            try:
                if not await room.hear(before, newer) and newer is not None:
                    # Something was written here meanwhile.
                    self._read(room.number)
            except Refusal:
                # The table is gone; whoever was there has been told.
                continue
            except Exception:
                # One table that cannot be read must not keep the others waiting.
                log.exception("news_not_understood", match=logs.match_of(room.session))
        return [None] * len(numbers)

    async def _look(self, asked: Sequence[None]) -> Sequence[None]:
        """Compare the tables in memory with those in the database: somebody may have been silent."""
        try:
            rooms = {room.number: room for room in self.rooms.all_in_memory()}
            found = await self.rooms.store.run(self.rooms.store.repository.revisions, list(rooms)) if rooms else {}
            for number, room in rooms.items():
                if found.get(number, -1) != room.session.record.revision:
                    self._read(number)
        except SQLAlchemyError as wrong:
            log.warning("tables_not_compared", why=logs.words_of(wrong))
        return asked

    async def _keep_looking(self) -> None:
        while True:
            await asyncio.sleep(LOOK_WHILE_DEAF if self.bus.deaf else self.rooms.settings.look_every)
            self.missed()

    # --- who is there ---------------------------------------------------------------------------------------------

    def here(self, room: SharedTable) -> None:
        """Tell the others who is at a table here."""
        if self.bus.far:
            self.bus.publish(Message(sender=self.id, here=[self._here(room)]))

    def _here(self, room: SharedTable) -> Here:
        seats = room.session.presence.here(self.rooms.now(), LATELY)
        return Here(room.number, tuple(sorted(seats)), room.watching_here)

    def _heard_of(self, process: int, here: Here) -> None:
        room = self.rooms.in_memory(here.number)
        if room is None:
            return
        new = process not in room.processes
        room.processes[process] = here
        now = self.rooms.now()
        changed = room.session.presence.elsewhere(process, here.seats, now + BELIEVED, now)
        if here.watching or room.watching_there:
            self.rooms.errand(room.name_watchers())
        if changed:
            room.touch()
        if new:
            # It has just opened the table: it does not know yet who is here.
            self.here(room)

    async def _say(self) -> None:
        """Say who is there again and again: whoever does not is not believed for long."""
        while True:
            await asyncio.sleep(SAID_EVERY)
            rooms = list(self.rooms.all_in_memory())
            if self.bus.far:
                here = [self._here(room) for room in rooms]
                self.bus.publish(Message(sender=self.id, here=[one for one in here if one.seats or one.watching]))
            for room in rooms:
                if room.session.presence.forget(self.rooms.now()):
                    room.touch()
