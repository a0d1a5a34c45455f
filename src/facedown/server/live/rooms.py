"""All tables that a process has in memory: read when somebody asks for them, swept, beaten, closed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from facedown.bots.rehearsal import rules
from facedown.core import game as registry
from facedown.core.language import Later, language
from facedown.play import Change, Played, Refusal, Session, TableRecord, new_code
from facedown.play.names import shown_code
from facedown.server import logs, retention
from facedown.server.clock import SYSTEM_CLOCK, Clock
from facedown.server.live import botplay
from facedown.server.live.asking import Asking
from facedown.server.live.bus import Bus, LocalBus
from facedown.server.live.doorway import Doorway
from facedown.server.live.neighbours import Neighbours
from facedown.server.live.painter import Painter
from facedown.server.live.reading import Complaints, broken, opened
from facedown.server.live.room import Room, Watcher
from facedown.server.live.writing import WriteQueue
from facedown.server.metrics import Metrics
from facedown.server.settings import ServerSettings
from facedown.server.steady import SteadyClock
from facedown.server.study.coach import Coach
from facedown.server.texts import N_, _, said_in
from facedown.server.thinking import Thinking
from facedown.server.thinking.elsewhere import Elsewhere
from facedown.server.thinking.origins import Origins
from facedown.server.thinking.preparations import Preparations
from facedown.store import Conflict, Repository
from facedown.store.checked import Unreadable
from facedown.store.writers import is_writer

log = logs.logger()

Result = TypeVar("Result")
#: So many codes are tried for a new table.
TRIES = 8
#: So often in the time that a line may be silent it is seen whether it has been for so long.
LISTENS = 4


class Rooms:
    """All tables of this process, read from the repository when somebody asks for them."""

    def __init__(
        self,
        repository: Repository,
        settings: ServerSettings,
        bus: Bus | None = None,
        clock: Clock = SYSTEM_CLOCK,
        metrics: Metrics | None = None,
    ) -> None:
        self.repository = repository
        self.settings = settings
        self.neighbours = Neighbours(self, bus or LocalBus())
        self.clock = clock
        self.now = SteadyClock(clock)
        self.metrics = metrics or Metrics()
        self.closing = False
        self._rooms: dict[str, Room] = {}
        self._numbers: dict[int, Room] = {}
        self.dismissals = 0
        """How often it was said that the lines of somebody are to be closed."""
        self._opening: dict[str, asyncio.Task[Room]] = {}
        # Those who only read wait for nobody who writes.
        self.store_pools = {
            "read": ThreadPoolExecutor(4, "facedown-read"),
            "write": ThreadPoolExecutor(3, "facedown-write"),
        }
        self.writes = WriteQueue(self._write_together)
        self._tables = Asking(lambda codes: self.in_store(repository.load_all, codes))
        self.people = Asking(lambda tokens: self.in_store(repository.people, tokens))
        """Who has which browser's token."""
        self.revisions = Asking(lambda numbers: self.in_store(repository.revisions, numbers))
        """How often a table has changed, by its number."""
        self.thinking = Thinking(settings, waited=self.metrics.waited)
        self.metrics.lanes |= {"quick": partial(self.thinking.waiting, "quick")}
        self.metrics.lanes |= {"slow": partial(self.thinking.waiting, "slow")}
        self.elsewhere = Elsewhere(self)
        self.preparations = Preparations(self)
        self.origins = Origins()
        self.doorway = Doorway()
        self.painter = Painter()
        self.complaints = Complaints()
        self.coach = Coach(self)
        self._sweeper: asyncio.Task[None] | None = None
        self._errands: set[asyncio.Task[None]] = set()
        self._warm: dict[str, asyncio.Future[None]] = {}
        self.metrics.look_at(self)
        self._alive: float | None = None
        """When this server was last known to be alive."""
        self._silent = False
        """It could not be written down lately that it is."""
        self._heart: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin: find the tables whose bots are to act, or whose clocks run."""
        if self.settings.warm_up:
            self.preparations.begin()
            self.errand(self._warm_all())
        await self.neighbours.start()
        self.origins.key = await self.in_store(self.repository.key, Origins.NAME)
        if not await self.in_store(self.repository.processes.others):
            await self.in_store(self.repository.rest_clocks, self.now())
        self.coach.start()
        self._alive = self.now()
        self._heart = self.errand(self._beat())
        self._sweeper = self.errand(self._sweep())
        self.errand(self._listen())
        self.errand(self.metrics.watch_loop())
        self.errand(retention.tidy(self))

    def take_leave(self) -> None:
        """Nothing new is begun here; whoever waits for news is told at once that there are none."""
        self.closing = True
        for room in self.all_in_memory():
            room.ring()

    async def stop(self) -> None:
        """End: nothing that was acknowledged is lost by it."""
        self.take_leave()
        for errand in self._errands:
            errand.cancel()
        if self._heart:
            with contextlib.suppress(Exception):
                await self.in_store(self.repository.pulse, self.now())
        self.preparations.stop()
        for room in self._rooms.values():
            room.close()
        await self.coach.stop()
        await self.neighbours.stop()
        for pool in self.store_pools.values():
            await asyncio.get_running_loop().run_in_executor(None, pool.shutdown)
        self.thinking.stop()

    async def in_store(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Let the repository do something without holding up the event loop."""
        pool = self.store_pools["write" if is_writer(work) else "read"]
        return await asyncio.get_running_loop().run_in_executor(pool, said_in, language(), work, *arguments)

    async def _write_together(self, changes: Sequence[Change]) -> list[Conflict | None]:
        with self.metrics.writing(len(changes)):
            return await self.in_store(self.repository.write_all, changes)

    async def warm(self, game: str) -> None:
        """Have a game's rules loaded and compiled, without holding up the event loop; an unknown game is let pass."""
        if game in registry.catalogue():
            done = self._warm.get(game)
            if done is None or (done.done() and (done.cancelled() or done.exception() is not None)):
                self._warm[game] = asyncio.ensure_future(self.thinking.prepare(rules, game))
            await asyncio.shield(self._warm[game])

    async def _warm_all(self) -> None:
        """First the rules of all games, which every table needs; then what a first bot or hint would wait for."""
        await asyncio.gather(*map(self._warm_early, registry.catalogue()))
        await self.preparations.run()

    async def _warm_early(self, game: str) -> None:
        try:
            await self.warm(game)
        except Exception:
            # Whoever opens a table of this game is told; the others go on.
            log.exception("rules_not_loaded", game=game)

    def errand(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something on the side."""
        errand = asyncio.get_running_loop().create_task(work)
        self._errands.add(errand)
        errand.add_done_callback(self._errands.discard)
        return errand

    async def read(self, code: str) -> tuple[Session, int, int]:
        """A table as it is written down, its number and the process that drives it.

        `Refusal` if there is none, or none that can be read.
        """
        try:
            found = await self._tables.ask(code)
            if isinstance(found, Unreadable):
                raise found
            if found is None:
                raise Refusal("unknown", Later(_, N_("There is no table {code}."), {"code": shown_code(code)}))
            await self.warm(found.record.game)
            return opened(found, self.settings.bots, self.now()), found.number, found.driver
        except (Refusal, SQLAlchemyError):
            raise
        except Exception as wrong:
            if self.complaints.first(code, wrong):
                log.exception("table_not_readable", match=await self._named(code))
            raise broken(code) from None

    def in_memory(self, number: int) -> Room | None:
        """The table of a number, if this process has it in memory."""
        return self._numbers.get(number)

    def all_in_memory(self) -> list[Room]:
        """All tables that this process has in memory."""
        return list(self._rooms.values())

    def forget(self, room: Room) -> None:
        """Put a table out of memory."""
        room.close()
        self._rooms.pop(room.session.code, None)
        self._numbers.pop(room.number, None)

    async def room(self, code: str) -> Room:
        """The table of a code; `Refusal` if there is none."""
        room = self._rooms.get(code)
        if room is None:
            if code not in self._opening:
                self._opening[code] = asyncio.ensure_future(self._open(code))
            room = await asyncio.shield(self._opening[code])
        room.used = self.clock.monotonic()
        return room

    async def _open(self, code: str) -> Room:
        try:
            room = self._rooms[code] = Room(self, *await self.read(code))
            self._numbers[room.number] = room
        finally:
            del self._opening[code]
        self.neighbours.here(room)
        room.wake()
        return room

    def deleted(self, room: Room) -> None:
        """A table is not written down any more: whoever is there is told so."""
        room.gone = True
        self.forget(room)
        room.touch()

    async def add(self, record: TableRecord, moves: Sequence[Played] = ()) -> Room:
        """Write a new table down under a code that no other has, with the moves that it begins with."""
        for _attempt in range(TRIES):
            try:
                await self.in_store(self.repository.create, record, moves)
                room = await self.room(record.code)
                # Whoever makes a table looks at it.
                room.look()
                return room
            except Conflict:
                # One in a million million may be taken; two are not.
                record = replace(record, code=new_code())
        raise Refusal("conflict", _("No table can be opened right now; try again."))

    def dismiss(self, person: int) -> int:
        """Close the lines that a person has open with this process; how many there were."""
        self.dismissals += 1
        theirs = [watcher for watcher in self.watchers() if watcher.belongs_to(person)]
        for watcher in theirs:
            watcher.dismiss()
        return len(theirs)

    def watchers(self) -> list[Watcher]:
        """Everybody who looks at a table of this process."""
        return [watcher for room in self._rooms.values() for watcher in room.watchers]

    async def reread(self, code: str) -> Room | None:
        """Read a table again that changed beside its room, which is returned if there is one in memory.

        One that cannot be read any more is let go.
        """
        room = self._rooms.get(code)
        if room is not None:
            try:
                await room.again()
            except Refusal:
                self.forget(room)
                return None
        return room

    async def _listen(self) -> None:
        """One clock for all lines: a timer for each, set anew at every message, would cost more than the message."""
        while True:
            await asyncio.sleep(self.settings.silence / LISTENS)
            for watcher in self.watchers():
                watcher.listen(self.clock.monotonic())

    async def _sweep(self) -> None:
        while True:
            try:
                await self.sweep()
                for room in self.all_in_memory():
                    unused = self.clock.monotonic() - room.used
                    if not room.busy and unused > self.settings.idle:
                        self.forget(room)
                    elif unused > self.settings.rests:
                        room.rest()
            except Exception:
                log.exception("sweep_failed")
            await asyncio.sleep(self.settings.sweep)

    async def sweep(self) -> None:
        """See to the tables that this process drives, and to those that nobody drives any more."""
        soon = self.now() + 2 * self.settings.sweep
        for code in await self.in_store(self.repository.processes.adopt, soon):
            await self._find(code)
        for room in self.all_in_memory():
            if botplay.alone(room) and botplay.watched(room):
                # Nobody takes these over unless somebody looks.
                taken = [] if room.drives else await self.in_store(self.repository.processes.take, [room.number])
                if taken:
                    room.driver = self.neighbours.id
                room.wake_bots()

    async def pulse(self) -> None:
        """Write down that we are alive.

        After a sleep of the whole machine, or while nothing could be written down, the clocks have rested, too.
        """
        now, last = self.now(), self._alive
        self._alive = now
        away = last is not None and (self._slept(now, last) or self._silent)
        rested: list[str] = []
        try:
            # While others are alive, so is the table.
            if away and not await self.in_store(self.repository.processes.others):
                rested = await self.in_store(self.repository.rest_clocks, now, last)
            else:
                await self.in_store(self.repository.pulse, now)
        except Exception:
            # Of two that fail at the same time the second one was told of the first one's moment.
            self._alive = None if last is None or self._alive is None else min(self._alive, last)
            self._silent = True
            raise
        self._silent = False
        for code in rested:
            if code in self._rooms:
                await self._rooms[code].again()

    async def woken(self) -> None:
        """Before anything is granted: if the whole machine has slept, the clocks have rested."""
        if self._alive is not None and self._slept(self.now(), self._alive) and not self._silent:
            with contextlib.suppress(SQLAlchemyError):
                await self.pulse()

    def _slept(self, now: float, last: float) -> bool:
        return now - last >= 4 * self.settings.pulse

    def _compare_clocks(self) -> None:
        if step := self.now.compare():
            self.metrics.steps.inc()
            log.warning("clock_set", by=round(step, 1), off=round(self.now.off, 1))

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(self.settings.pulse)
            await self.beat()

    async def beat(self) -> None:
        """Say that this process is alive: to whoever keeps the clocks, and to the other processes."""
        self._compare_clocks()
        try:
            # First what notices that nothing can be written down.
            try:
                await self.pulse()
            finally:
                await self.neighbours.beat()
        except Exception:
            log.exception("pulse_failed")

    async def _find(self, code: str) -> None:
        try:
            room = await self.room(code)
            room.driver = self.neighbours.id
            room.wake()
        except Exception as wrong:
            # One table that cannot be read must not keep the others waiting, nor fill the log.
            if self.complaints.first(code, wrong):
                log.exception("table_not_opened", match=await self._named(code))

    async def _named(self, code: str) -> str:
        """What a match that cannot be opened is called in the log."""
        try:
            return logs.named_by(await self.in_store(self.repository.commitment, code))
        except SQLAlchemyError:
            return ""
