"""One table in memory: one request after the other, written down before it counts; who looks; alarms that ring."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from facedown.core.language import LazyText
from facedown.play import Change, Refusal, Session, TableRecord, default_level, lobby
from facedown.play.i18n import TranslatableText
from facedown.play.presence import RELOAD_TIME
from facedown.play.timeout_messages import CLOSED
from facedown.server.cluster.bus import TablePresence
from facedown.server.cluster.peers import Peers
from facedown.server.i18n import _
from facedown.server.process import logs
from facedown.server.process.broadcast_event import BroadcastEvent
from facedown.server.process.clocks import Clock, SteadyClock
from facedown.server.process.metrics import Metrics, mover_kind
from facedown.server.process.query_batching import Batcher
from facedown.server.process.settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.server.scheduling.game_compiler import GameCompiler
from facedown.server.table import absence
from facedown.server.table.subscriber import Subscriber
from facedown.server.table.table_loading import LoggedErrors
from facedown.store import Conflict, Person
from facedown.store.errors import CommitUnknown
from facedown.store.row_conversion import Newer, TableCursor

log = logs.logger()

ChangeFactory = Callable[[Session], Change | None]
#: How often a request is tried anew when another process changed the table first.
TRIES = 16
#: Seconds by which the clocks of a page may be behind; they are shown to a tenth.
PAGE_TIME_TTL = 0.05
#: Seconds between two looks at what was saved, while the database does not answer.
SETTLE_RETRY_INTERVAL = 1.0


class Services(Protocol):
    """What a table needs of its process."""

    settings: ServerSettings
    clock: Clock
    now: SteadyClock
    metrics: Metrics
    store: StoreThreads
    writes: Batcher[Change, None]
    revisions: Batcher[int, int | None]
    logged_errors: LoggedErrors
    preparations: GameCompiler
    peers: Peers
    closing: bool

    def errand(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a task until it is done or the server stops."""

    async def pause_clocks_after_sleep(self) -> None:
        """Let the clocks rest if the whole machine has slept."""

    async def pulse(self) -> None:
        """Write down that this process is alive."""

    async def room(self, code: str) -> Room:
        """The table of a code; `Refusal` if it is unknown."""

    async def read_stored(self, code: str) -> tuple[Session, int, int]:
        """A table as it is stored, its number and the process that drives it."""

    def remove_deleted(self, room: Room) -> None:
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
        self.processes: dict[int, TablePresence] = {}
        """The other processes that have this table in memory, with who is there with them."""
        self.remote_spectator_names: frozenset[str] = frozenset()
        """Who watches with other processes, by name."""
        self.subscribers: set[Subscriber] = set()
        self.successor: Room | None = None
        """The table where the same people play again, once somebody has asked."""
        self.predecessor: Room | None = None
        """The finished table whose people play again here."""
        self.is_deleted = False
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
        self.change_event = BroadcastEvent()
        """Rung when there are news for those who wait for them (`wait_for_change`)."""

    # --- requests ---------------------------------------------------------------------------------------------------

    async def request(self, make: ChangeFactory) -> Change | None:
        """Grant a request: write its change down, then apply it. `Refusal` if it cannot be granted.

        Once begun it is seen through, even if whoever asked is gone.
        """
        grant = asyncio.ensure_future(self._grant(make))
        try:
            return await asyncio.shield(grant)
        except asyncio.CancelledError:
            grant.add_done_callback(self._log_failed_request)
            raise

    async def _grant(self, make: ChangeFactory) -> Change | None:
        self.used, begun = self.services.clock.monotonic(), time.perf_counter()
        await self.services.pause_clocks_after_sleep()
        async with self._lock:
            for tried in range(TRIES):
                try:
                    change = make(self.session)
                except Refusal:
                    # What stands in the database decides, not what was heard of it.
                    if tried or not await self._read_newer():
                        raise
                    continue
                if change is None:
                    return None
                try:
                    await self._save_change(change)
                except Conflict:
                    await self._read_newer()
                except CommitUnknown:
                    self.services.errand(self._refresh_when_database_answers())
                    raise
                else:
                    self.driver = self.services.peers.id
                    before = self.session.record
                    self.session.apply(change)
                    self._reseat(before)
                    if change.move is not None:
                        self.services.metrics.count_move(self.session.record.game, mover_kind(change.move.token), begun)
                    self._publish_change(change, begun)
                    return change
        raise Refusal("conflict", _("Too much is happening at this table at once; try again."))

    # --- what other processes change --------------------------------------------------------------------------------

    @property
    def is_driver(self) -> bool:
        """Does this process see to what happens here by itself?"""
        return self.driver == self.services.peers.id

    @property
    def cursor(self) -> TableCursor:
        """How far this process knows the table."""
        return TableCursor(self.number, self.session.record, self.session.ply, self.session.chat_count)

    async def _save_change(self, change: Change) -> None:
        """Write a change down; `CommitUnknown` if the database hangs."""
        try:
            async with asyncio.timeout(self.services.settings.write_patience):
                await self.services.writes.submit(change)
        except TimeoutError:
            raise CommitUnknown("the database does not answer") from None

    async def _refresh_when_database_answers(self) -> None:
        """Show what stands, as soon as the database tells: nobody knows whether the last request does."""
        await self.services.writes.drain()
        while not self.services.closing:
            try:
                await self.refresh()
            except SQLAlchemyError as wrong:
                log.info("not_settled_yet", match=logs.match_log_name(self.session), why=logs.safe_error_text(wrong))
                await asyncio.sleep(SETTLE_RETRY_INTERVAL)
            else:
                return

    async def refresh_if_stale(self) -> None:
        """Know at least what anybody was answered before this was called; `Refusal` if the table was deleted.

        Whoever was told at another process that they have a seat, or that a match is over, may ask here next, sooner
        than this process hears of it.
        """
        others = self.services.peers.bus.has_other_processes
        if others and await self.services.revisions.submit(self.number) != self.session.record.revision:
            await self.refresh()

    async def refresh(self) -> None:
        """Read on, whatever there is."""
        async with self._lock:
            await self._read_newer()
        self.wake_bots_and_alarm()

    async def apply_remote_change(self, known: TableCursor, newer: Newer | None) -> bool:
        """Make come true what others wrote since the table was `cursor`; False if it has changed here meanwhile."""
        async with self._lock:
            if known.record is not self.session.record:
                return newer is not None and newer.record.revision <= self.session.record.revision
            await self._apply_newer(newer)
        await self.load_successor()
        self.wake_bots_and_alarm()
        return True

    async def _read_newer(self) -> bool:
        """Read what others wrote; was there anything? To be called while nothing else happens at this table."""
        before = self.session.record.revision
        await self._apply_newer(
            (await self.services.store.run(self.services.store.repository.load_newer, [self.cursor]))[0]
        )
        return self.session.record.revision != before

    async def _apply_newer(self, newer: Newer | None) -> None:
        if newer is None:
            self.services.remove_deleted(self)
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
            self.announce(LazyText(_, CLOSED, {}))
        for tell in tells:
            self.announce(tell)
        for said in newer.chat:
            for watcher in list(self.subscribers):
                watcher.send_chat(said)
        self.notify_subscribers()

    def _reseat(self, before: TableRecord) -> None:
        """Who is there follows the people whose seats have changed."""
        sat, sit = ([seat.person for seat in record.seats] for record in (before, self.session.record))
        if sat != sit:
            lines = [watcher.seat for watcher in self.subscribers]
            self.session.presence.reseat(sat, sit, [seat for seat in lines if seat is not None], self.services.now())

    async def load_successor(self) -> None:
        """Know the table where the same people play again, if somebody has asked for one."""
        code = self.session.record.successor
        if code and (self.successor is None or self.successor.session.code != code):
            with contextlib.suppress(Refusal):
                self.successor = await self.services.room(code)
                self.successor.predecessor = self

    async def _reload(self) -> None:
        try:
            session, self.number, self.driver = await self.services.read_stored(self.session.code)
        except Refusal as refusal:
            if refusal.code == "unknown":
                self.services.remove_deleted(self)
            raise
        session.presence = self.session.presence
        self.session = session
        self.pages.clear()

    def _publish_change(self, change: Change, begun: float) -> None:
        self.stamp = begun if change.move is not None else None
        for tell in change.announcements:
            self.announce(tell)
        if change.said is not None:
            for watcher in list(self.subscribers):
                watcher.send_chat(change.said)
            self.change_event.notify_all()
        else:
            self.notify_subscribers()
        self.services.peers.announce_change(self)
        self.stamp = None
        self.wake_bots()

    @property
    def spectator_names(self) -> tuple[str, ...]:
        """Who watches, by name, each once."""
        return tuple(sorted({person.name for person in self._spectators} | self.remote_spectator_names))

    @property
    def local_spectator_ids(self) -> tuple[int, ...]:
        """The numbers of the people who watch with this process, each once."""
        return tuple(sorted({person.id for person in self._spectators}))

    @property
    def _spectators(self) -> list[Person]:
        return [watcher.person for watcher in self.subscribers if watcher.person is not None and watcher.seat is None]

    async def load_remote_spectator_names(self) -> None:
        """Learn the names of those who watch with other processes."""
        people = {person for here in self.processes.values() for person in here.watching}
        found = await self.services.store.run(self.services.store.repository.names, list(people)) if people else {}
        before, self.remote_spectator_names = self.remote_spectator_names, frozenset(found.values())
        if before != self.remote_spectator_names:
            self.notify_subscribers()

    def forget_process(self, process: int) -> bool:
        """A process has ended; was anybody there with it?"""
        now = self.services.now()
        self.processes.pop(process, None)
        return self.session.presence.set_remote_seats(process, (), now, now)

    def page_time(self) -> float:
        """The time that pages show, held for a moment: all that are sent a change see the same clocks."""
        now = self.services.now()
        if self._moment is None or not 0 <= now - self._moment < PAGE_TIME_TTL:
            self._moment = now
        return self._moment

    # --- telling ----------------------------------------------------------------------------------------------------

    def announce(self, text: TranslatableText) -> None:
        """Announce something to everybody, each in their language."""
        for watcher in list(self.subscribers):
            watcher.announce(text)

    def notify_subscribers(self) -> None:
        """The table looks different now: everybody is shown it."""
        self._moment = None
        self.change_event.notify_all()
        for watcher in list(self.subscribers):
            watcher.on_change()
        if self.predecessor is not None:
            self.predecessor.notify_subscribers()
        self._set_alarm()

    async def wait_for_change(self, seconds: float) -> None:
        """Wait until something changes, for at most so many seconds, and not while the server stops."""
        if not self.services.closing:
            await self.change_event.wait(seconds)

    # --- who is there -----------------------------------------------------------------------------------------------

    def arrive(self, seat: int | None) -> None:
        """A connection of a seat opened, or (None) of somebody who watches."""
        presence, now = self.session.presence, self.services.now()
        shown = seat is None or presence.away_for(seat, now) >= RELOAD_TIME
        if seat is not None:
            if presence.is_recently_disconnected(seat, now):
                self.services.metrics.returns.inc()
            presence.connect(seat, now)
        self.services.peers.announce_presence(self)
        self.mark_viewed()
        if shown:
            self.notify_subscribers()
        else:
            # To the others this seat never was away.
            self._set_alarm()

    def depart(self, seat: int | None) -> None:
        """A connection of a seat closed, or (None) of somebody who watched."""
        self.used = self.looked = self.services.clock.monotonic()
        if seat is not None:
            self.session.presence.disconnect(seat, self.services.now())
        self.services.peers.announce_presence(self)
        if seat is None:
            self.notify_subscribers()
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
        ahead = (
            [time for time in absence.change_times(session) if time > now]
            if self.subscribers or self._frees_seats
            else []
        )
        if session.zero is not None and self.is_driver:
            # Also when nobody looks, and when it is past already.
            ahead.append(max(now, session.zero))
        if ahead:
            self._alarm = asyncio.get_running_loop().call_later(min(ahead) - now + 0.02, self._on_alarm)

    def _on_alarm(self) -> None:
        now = self.services.now()
        if self.is_driver and self.session.zero is not None and self.session.zero <= now:
            self.services.errand(self._apply_clock_timeout())
            return
        # If two processes do it, the second finds nothing left to do.
        if (self.is_driver or self.subscribers) and lobby.free_absent_seats(self.session, now) is not None:
            self.services.errand(self._free_seats())
        for said in absence.announcements(self.session, now):
            self.announce(said)
        self.notify_subscribers()

    async def _apply_clock_timeout(self) -> None:
        """A clock stands at zero. Whatever is written down first counts: this, or the move of whoever was late."""
        try:
            await self.services.pulse()
            level = default_level(self.services.settings.bots)
            if await self.request(lambda session: session.expire_clocks(level, self.services.now())) is None:
                self._set_alarm()
        except Exception as wrong:
            # The sweep comes back to this table.
            if self.services.logged_errors.add_if_new(self.session.code, wrong):
                log.exception("time_up_failed", match=logs.match_log_name(self.session))

    async def _free_seats(self) -> None:
        """Guests have been away for too long, and the host wishes their seats to be open then."""
        try:
            await self.request(lambda session: lobby.free_absent_seats(session, self.services.now()))
        except (Refusal, SQLAlchemyError) as wrong:
            # The host may still give them free.
            log.warning("seats_not_freed", match=logs.match_log_name(self.session), why=str(wrong))

    # --- bots -------------------------------------------------------------------------------------------------------

    def wake_bots(self) -> None:
        """See to it that the bots of this table act; again is no harm."""
        idle = (self._bots is None or self._bots.done()) and not self.has_paused_bots
        if idle and self.is_driver and not self.services.closing and self.session.bot_task() is not None:
            self._bots = asyncio.get_running_loop().create_task(self.services.play_bots(self))

    def wake_bots_and_alarm(self) -> None:
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
    def has_paused_bots(self) -> bool:
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
        return bool(self.subscribers) or (self.predecessor is not None and bool(self.predecessor.subscribers))

    def drop_caches(self) -> None:
        """Nobody looks, and nothing is under way: keep only what could not be worked out again."""
        if not self.busy and not self._lock.locked():
            self.pages.clear()
            self._lock = asyncio.Lock()
            self.session.drop_caches()

    def mark_viewed(self) -> None:
        """Somebody looks at this table: bots that waited for that go on, and this process drives them."""
        self.looked = self.services.clock.monotonic()
        if not self.is_driver and self.bots_only:
            # If another process drives it, too, the moves of one of the two are refused.
            self.driver = self.services.peers.id
        self.wake_bots()

    def close(self) -> None:
        """Stop what runs for this table."""
        for running in (self._alarm, self._bots):
            if running is not None:
                running.cancel()

    def _log_failed_request(self, grant: asyncio.Future[Change | None]) -> None:
        """Whoever asked is gone: a refusal is told to nobody, what broke is written down."""
        wrong = None if grant.cancelled() else grant.exception()
        if wrong is not None and not isinstance(wrong, Refusal):
            log.error("request_failed", match=logs.match_log_name(self.session), exc_info=wrong)
