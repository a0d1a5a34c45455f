"""One table in memory: one request after the other, written down before it counts; who looks; alarms that ring."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from facedown.core.language import Later
from facedown.play import Change, Refusal, Session, TableRecord, lobby, usual
from facedown.play.i18n import Tell
from facedown.play.presence import BLINK
from facedown.play.timeout_messages import CLOSED
from facedown.server.cluster.bus import Here
from facedown.server.cluster.peers import Neighbours
from facedown.server.i18n import _
from facedown.server.process import logs
from facedown.server.process.broadcast_event import Bell
from facedown.server.process.clocks import Clock, SteadyClock
from facedown.server.process.metrics import Metrics, kind_of
from facedown.server.process.query_batching import Batcher
from facedown.server.process.settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.server.scheduling.compile_status import Preparations
from facedown.server.table import absence
from facedown.server.table.subscriber import Watcher
from facedown.server.table.table_loading import Complaints
from facedown.store import Conflict, Person
from facedown.store.errors import Unsettled
from facedown.store.row_conversion import Known, Newer

log = logs.logger()

TableRequest = Callable[[Session], Change | None]
#: How often a request is tried anew when another process changed the table first.
TRIES = 16
#: Seconds by which the clocks of a page may be behind; they are shown to a tenth.
HELD = 0.05
#: Seconds between two looks at what was saved, while the database does not answer.
SETTLED_AGAIN = 1.0


class Services(Protocol):
    """What a table needs of its process."""

    settings: ServerSettings
    clock: Clock
    now: SteadyClock
    metrics: Metrics
    store: StoreThreads
    writes: Batcher[Change, None]
    revisions: Batcher[int, int | None]
    complaints: Complaints
    preparations: Preparations
    neighbours: Neighbours
    closing: bool

    def errand(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a task until it is done or the server stops."""

    async def woken(self) -> None:
        """Let the clocks rest if the whole machine has slept."""

    async def pulse(self) -> None:
        """Write down that this process is alive."""

    async def room(self, code: str) -> Room:
        """The table of a code; `Refusal` if it is unknown."""

    async def read(self, code: str) -> tuple[Session, int, int]:
        """A table as it is stored, its number and the process that drives it."""

    def deleted(self, room: Room) -> None:
        """Remove a table from memory that is no longer stored."""

    async def play_bots(self, room: Room) -> None:
        """Let the bots of a table act as long as it is their turn; failures are logged."""


class Room:
    """One table in memory, with the connections that show it."""

    def __init__(self, services: Services, session: Session, number: int, driver: int) -> None:
        self.services = services
        self.session = session
        self.number = number
        """By which processes speak of it."""
        self.driver = driver
        """The process that sees to what happens here by itself."""
        self.processes: dict[int, Here] = {}
        """The other processes that have this table in memory, with who is there with them."""
        self.watching_there: frozenset[str] = frozenset()
        """Who watches with other processes, by name."""
        self.watchers: set[Watcher] = set()
        self.following: Room | None = None
        """The table where the same people play again, once somebody has asked."""
        self.forerunner: Room | None = None
        """The finished table whose people play again here."""
        self.gone = False
        """It was deleted by whoever runs the server."""
        self.used = services.clock.monotonic()
        self.looked = float("-inf")
        """When somebody asked to see the table last."""
        self.pages: dict[tuple[int, str], Any] = {}
        """What each viewer's page showed last, by viewer and language; emptied while no page is open."""
        self._moment: float | None = None
        self.stamp: float | None = None
        """When what is being told arrived (`time.perf_counter`), if it is a move."""
        self._lock = asyncio.Lock()
        self._bots: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self.bell = Bell()
        """Rung when there are news for those who wait for them (`news`)."""

    # --- requests ---------------------------------------------------------------------------------------------------

    async def request(self, make: TableRequest) -> Change | None:
        """Grant a request: write its change down, then apply it. `Refusal` if it cannot be granted.

        Once begun it is seen through, even if whoever asked is gone.
        """
        grant = asyncio.ensure_future(self._grant(make))
        try:
            return await asyncio.shield(grant)
        except asyncio.CancelledError:
            grant.add_done_callback(self._unheard)
            raise

    async def _grant(self, make: TableRequest) -> Change | None:
        self.used, begun = self.services.clock.monotonic(), time.perf_counter()
        await self.services.woken()
        async with self._lock:
            for tried in range(TRIES):
                try:
                    change = make(self.session)
                except Refusal:
                    # What stands in the database decides, not what was heard of it.
                    if tried or not await self._read_on():
                        raise
                    continue
                if change is None:
                    return None
                try:
                    await self._written(change)
                except Conflict:
                    await self._read_on()
                except Unsettled:
                    self.services.errand(self._settle())
                    raise
                else:
                    self.driver = self.services.neighbours.id
                    before = self.session.record
                    self.session.apply(change)
                    self._reseat(before)
                    if change.move is not None:
                        self.services.metrics.moved(self.session.record.game, kind_of(change.move.token), begun)
                    self._after(change, begun)
                    return change
        raise Refusal("conflict", _("Too much is happening at this table at once; try again."))

    # --- what other processes change --------------------------------------------------------------------------------

    @property
    def drives(self) -> bool:
        """Does this process see to what happens here by itself?"""
        return self.driver == self.services.neighbours.id

    @property
    def known(self) -> Known:
        """How far this process knows the table."""
        return Known(self.number, self.session.record, self.session.ply, self.session.said)

    async def _written(self, change: Change) -> None:
        """Write a change down; `Unsettled` if the database hangs."""
        try:
            async with asyncio.timeout(self.services.settings.write_patience):
                await self.services.writes.submit(change)
        except TimeoutError:
            raise Unsettled("the database does not answer") from None

    async def _settle(self) -> None:
        """Show what stands, as soon as the database tells: nobody knows whether the last request does."""
        await self.services.writes.drain()
        while not self.services.closing:
            try:
                await self.again()
            except SQLAlchemyError as wrong:
                log.info("not_settled_yet", match=logs.match_of(self.session), why=logs.words_of(wrong))
                await asyncio.sleep(SETTLED_AGAIN)
            else:
                return

    async def up_to_date(self) -> None:
        """Know at least what anybody was answered before this was called; `Refusal` if the table was deleted.

        Whoever was told at another process that they have a seat, or that a match is over, may ask here next, sooner
        than this process hears of it.
        """
        others = self.services.neighbours.bus.far
        if others and await self.services.revisions.submit(self.number) != self.session.record.revision:
            await self.again()

    async def again(self) -> None:
        """Read on, whatever there is."""
        async with self._lock:
            await self._read_on()
        self.wake()

    async def hear(self, known: Known, newer: Newer | None) -> bool:
        """Make come true what others wrote since the table was `known`; False if it has changed here meanwhile."""
        async with self._lock:
            if known.record is not self.session.record:
                return newer is not None and newer.record.revision <= self.session.record.revision
            await self._make_true(newer)
        await self.catch_up()
        self.wake()
        return True

    async def _read_on(self) -> bool:
        """Read what others wrote; was there anything? To be called while nothing else happens at this table."""
        before = self.session.record.revision
        await self._make_true((await self.services.store.run(self.services.store.repository.newer, [self.known]))[0])
        return self.session.record.revision != before

    async def _make_true(self, newer: Newer | None) -> None:
        if newer is None:
            self.services.deleted(self)
            raise Refusal("closed", _("This table no longer exists."))
        self.driver = newer.driver
        if newer.record.revision == self.session.record.revision:
            return
        was_closed, before = self.session.closed, self.session.record
        try:
            tells = self.session.catch_up(newer.record, newer.moves, newer.chat)
            self._reseat(before)
        except ValueError:
            # What is written down does not follow what we know: the database was put back to an earlier day.
            await self._reload()
            tells = []
        if self.session.closed and not was_closed:
            self.tell(Later(_, CLOSED, {}))
        for tell in tells:
            self.tell(tell)
        for said in newer.chat:
            for watcher in list(self.watchers):
                watcher.said(said)
        self.touch()

    def _reseat(self, before: TableRecord) -> None:
        """Who is there follows the people whose seats have changed."""
        sat, sit = ([seat.person for seat in record.seats] for record in (before, self.session.record))
        if sat != sit:
            lines = [watcher.seat for watcher in self.watchers]
            self.session.presence.reseat(sat, sit, [seat for seat in lines if seat is not None], self.services.now())

    async def catch_up(self) -> None:
        """Know the table where the same people play again, if somebody has asked for one."""
        code = self.session.record.successor
        if code and (self.following is None or self.following.session.code != code):
            with contextlib.suppress(Refusal):
                self.following = await self.services.room(code)
                self.following.forerunner = self

    async def _reload(self) -> None:
        try:
            session, self.number, self.driver = await self.services.read(self.session.code)
        except Refusal as refusal:
            if refusal.code == "unknown":
                self.services.deleted(self)
            raise
        session.presence = self.session.presence
        self.session = session
        self.pages.clear()

    def _after(self, change: Change, begun: float) -> None:
        self.stamp = begun if change.move is not None else None
        for tell in change.tells:
            self.tell(tell)
        if change.said is not None:
            for watcher in list(self.watchers):
                watcher.said(change.said)
            self.bell.ring()
        else:
            self.touch()
        self.services.neighbours.changed(self)
        self.stamp = None
        self.wake_bots()

    @property
    def watching(self) -> tuple[str, ...]:
        """Who watches, by name, each once."""
        return tuple(sorted({person.name for person in self._spectators} | self.watching_there))

    @property
    def watching_here(self) -> tuple[int, ...]:
        """The numbers of the people who watch with this process, each once."""
        return tuple(sorted({person.id for person in self._spectators}))

    @property
    def _spectators(self) -> list[Person]:
        return [watcher.person for watcher in self.watchers if watcher.person is not None and watcher.seat is None]

    async def name_watchers(self) -> None:
        """Learn the names of those who watch with other processes."""
        people = {person for here in self.processes.values() for person in here.watching}
        found = await self.services.store.run(self.services.store.repository.names, list(people)) if people else {}
        before, self.watching_there = self.watching_there, frozenset(found.values())
        if before != self.watching_there:
            self.touch()

    def forget_process(self, process: int) -> bool:
        """A process has ended; was anybody there with it?"""
        now = self.services.now()
        self.processes.pop(process, None)
        return self.session.presence.elsewhere(process, (), now, now)

    def page_time(self) -> float:
        """The time that pages show, held for a moment: all that are sent a change see the same clocks."""
        now = self.services.now()
        if self._moment is None or not 0 <= now - self._moment < HELD:
            self._moment = now
        return self._moment

    # --- telling ----------------------------------------------------------------------------------------------------

    def tell(self, text: Tell) -> None:
        """Announce something to everybody, each in their language."""
        for watcher in list(self.watchers):
            watcher.tell(text)

    def touch(self) -> None:
        """The table looks different now: everybody is shown it."""
        self._moment = None
        self.bell.ring()
        for watcher in list(self.watchers):
            watcher.changed()
        if self.forerunner is not None:
            self.forerunner.touch()
        self._set_alarm()

    async def news(self, seconds: float) -> None:
        """Wait until something changes, for at most so many seconds, and not while the server stops."""
        if not self.services.closing:
            await self.bell.wait(seconds)

    # --- who is there -----------------------------------------------------------------------------------------------

    def arrive(self, seat: int | None) -> None:
        """A connection of a seat opened, or (None) of somebody who watches."""
        presence, now = self.session.presence, self.services.now()
        shown = seat is None or presence.away_for(seat, now) >= BLINK
        if seat is not None:
            if presence.returns(seat, now):
                self.services.metrics.returns.inc()
            presence.connect(seat, now)
        self.services.neighbours.here(self)
        self.look()
        if shown:
            self.touch()
        else:
            # To the others this seat never was away.
            self._set_alarm()

    def depart(self, seat: int | None) -> None:
        """A connection of a seat closed, or (None) of somebody who watched."""
        self.used = self.looked = self.services.clock.monotonic()
        if seat is not None:
            self.session.presence.disconnect(seat, self.services.now())
        self.services.neighbours.here(self)
        if seat is None:
            self.touch()
        else:
            self._set_alarm()

    def _set_alarm(self) -> None:
        """Wake up when somebody's absence begins to show, a grace time is half over or over, a clock runs out."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        session, now = self.session, self.services.now()
        if session.record.status == "finished" or self.services.closing:
            return
        ahead = [time for time in absence.times(session) if time > now] if self.watchers or self._frees_seats else []
        if session.zero is not None and self.drives:
            # Also when nobody looks, and when it is past already.
            ahead.append(max(now, session.zero))
        if ahead:
            self._alarm = asyncio.get_running_loop().call_later(min(ahead) - now + 0.02, self._ring)

    def _ring(self) -> None:
        now = self.services.now()
        if self.drives and self.session.zero is not None and self.session.zero <= now:
            self.services.errand(self._run_out())
            return
        # If two processes do it, the second finds nothing left to do.
        if (self.drives or self.watchers) and lobby.free_seats(self.session, now) is not None:
            self.services.errand(self._free_seats())
        for said in absence.announcements(self.session, now):
            self.tell(said)
        self.touch()

    async def _run_out(self) -> None:
        """A clock stands at zero. Whatever is written down first counts: this, or the move of whoever was late."""
        try:
            await self.services.pulse()
            level = usual(self.services.settings.bots)
            if await self.request(lambda session: session.run_out(level, self.services.now())) is None:
                self._set_alarm()
        except Exception as wrong:
            # The sweep comes back to this table.
            if self.services.complaints.first(self.session.code, wrong):
                log.exception("time_up_failed", match=logs.match_of(self.session))

    async def _free_seats(self) -> None:
        """Guests have been away for too long, and the host wishes their seats to be open then."""
        try:
            await self.request(lambda session: lobby.free_seats(session, self.services.now()))
        except (Refusal, SQLAlchemyError) as wrong:
            # The host may still give them free.
            log.warning("seats_not_freed", match=logs.match_of(self.session), why=str(wrong))

    # --- bots -------------------------------------------------------------------------------------------------------

    def wake_bots(self) -> None:
        """See to it that the bots of this table act; again is no harm."""
        idle = (self._bots is None or self._bots.done()) and not self.rests
        if idle and self.drives and not self.services.closing and self.session.bot_task() is not None:
            self._bots = asyncio.get_running_loop().create_task(self.services.play_bots(self))

    def wake(self) -> None:
        """See to it that what is to happen here by itself does; again is no harm."""
        self.wake_bots()
        self._set_alarm()

    @property
    def bots_only(self) -> bool:
        """Can no person with a seat come and play it?"""
        return all(seat.kind != "person" or seat.left or seat.standin for seat in self.session.record.seats)

    @property
    def watched(self) -> bool:
        """Does a page show this table, in any process, or did one ask for it a moment ago?"""
        lately = self.services.clock.monotonic() - self.looked < self.services.settings.unseen_for
        return self._has_pages or lately or any(here.seats or here.watching for here in self.processes.values())

    @property
    def rests(self) -> bool:
        """Do the bots wait until a page shows this table?"""
        return self.bots_only and not self.watched

    @property
    def busy(self) -> bool:
        """Is a page open, a bot about to act, or a seat to be opened soon?"""
        acts = self._bots is not None and not self._bots.done()
        return self._has_pages or acts or (self._frees_seats and self._alarm is not None)

    @property
    def _frees_seats(self) -> bool:
        """Are seats of absent guests opened by themselves, also while no page is open?"""
        record = self.session.record
        return record.status == "lobby" and record.settings.free_away

    @property
    def _has_pages(self) -> bool:
        """Does a page of this process show this table, or the finished one before it?"""
        return bool(self.watchers) or (self.forerunner is not None and bool(self.forerunner.watchers))

    def rest(self) -> None:
        """Nobody looks, and nothing is under way: keep only what could not be worked out again."""
        if not self.busy and not self._lock.locked():
            self.pages.clear()
            self._lock = asyncio.Lock()
            self.session.rest()

    def look(self) -> None:
        """Somebody looks at this table: bots that waited for that go on, and this process drives them."""
        self.looked = self.services.clock.monotonic()
        if not self.drives and self.bots_only:
            # If another process drives it, too, the moves of one of the two are refused.
            self.driver = self.services.neighbours.id
        self.wake_bots()

    def close(self) -> None:
        """Stop what runs for this table."""
        for running in (self._alarm, self._bots):
            if running is not None:
                running.cancel()

    def _unheard(self, grant: asyncio.Future[Change | None]) -> None:
        """Whoever asked is gone: a refusal is told to nobody, what broke is written down."""
        wrong = None if grant.cancelled() else grant.exception()
        if wrong is not None and not isinstance(wrong, Refusal):
            log.error("request_failed", match=logs.match_of(self.session), exc_info=wrong)
