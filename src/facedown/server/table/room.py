"""Live table: a table in memory with its connections.

A `Room` handles requests one at a time, saves each change before applying it, sends changes to its connections, and
runs a timer for the absences and the clocks of the players.

Several processes may have the same table in memory. One of them is its driver: the process that makes the moves of the
table's bots and acts when a player's clock runs out.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from sqlalchemy.exc import SQLAlchemyError

from facedown.core.state import SPECTATOR
from facedown.core.translation import LazyText
from facedown.play import Change, Refusal, Session, TableRecord, default_level, lobby_host_actions
from facedown.play.i18n import TranslatableText
from facedown.play.presence import RELOAD_TIME
from facedown.play.records import has_delayed_view
from facedown.play.spectator_view import SpectatorView
from facedown.play.timeout_messages import CLOSED
from facedown.server.cluster.bus import TablePresence
from facedown.server.cluster.peers import Peers
from facedown.server.i18n import _
from facedown.server.process import logs
from facedown.server.process.broadcast_event import BroadcastEvent
from facedown.server.process.clocks import Clock, SteadyClock
from facedown.server.process.metrics import Metrics, mover_kind
from facedown.server.process.query_batching import Batcher
from facedown.server.process.server_settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.server.scheduling.game_compiler import GameCompiler
from facedown.server.table import absence_announcements
from facedown.server.table.subscriber import Subscriber
from facedown.server.table.table_loading import LoggedErrors
from facedown.store import Conflict, Person
from facedown.store.errors import CommitUnknown
from facedown.store.row_conversion import Newer, TableCursor

log = logs.logger()

ChangeFactory = Callable[[Session], Change | None]
#: Maximum number of attempts for a request. An attempt fails if another process has changed the table first.
TRIES = 16
#: Maximum age, in seconds, of the time used for clocks on pages. Pages show clocks in tenths of a second.
PAGE_TIME_TTL = 0.05
#: Seconds by which the table's timer fires later, so that the time for which it was set has certainly been reached.
TIMER_MARGIN = 0.02
#: Seconds between two attempts to read the saved table while the database does not answer.
SETTLE_RETRY_INTERVAL = 1.0


class Services(Protocol):
    """Protocol: the attributes and methods of `Rooms` (tables and services of the process) that a `Room` uses."""

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
        """Run a coroutine as a background task until it is done or the server stops."""

    async def pause_clocks_after_sleep(self) -> None:
        """Shift the seat clocks if the machine has slept, so that no player loses that time."""

    async def save_alive_time(self) -> None:
        """Save the current time as the last time at which the server was alive."""

    async def room(self, code: str) -> Room:
        """Return the table with this code, after loading it if necessary. Raise `Refusal` if the code is unknown."""

    async def read_stored(self, code: str) -> tuple[Session, int, int]:
        """Return a stored table as (session, database id of the table, database id of its driver).

        The driver is the process that runs the table's bots and clocks.
        """

    def remove_deleted(self, room: Room) -> None:
        """Remove a table from memory, because it was deleted from the database."""

    async def play_bots(self, room: Room) -> None:
        """Play the moves of a table's bots while it is their turn. Failures are logged."""


class Room:
    """One table in memory, with the open connections of the pages and programs that show it or play at it."""

    def __init__(self, services: Services, session: Session, number: int, driver: int) -> None:
        self.services = services
        self.session = session
        self.number = number
        """Database id of the table. Processes name tables by this id in messages, because it gives no access, unlike
        the code.
        """
        self.driver = driver
        """Database id of the process that runs the bots and timers of this table."""
        self.processes: dict[int, TablePresence] = {}
        """Other processes with this table in memory, by process id: the seats and spectators connected to each."""
        self.remote_spectator_names: frozenset[str] = frozenset()
        """Names of the spectators connected to other processes."""
        self.subscribers: set[Subscriber] = set()
        self.successor: Room | None = None
        """Table of the next match, once a player has asked for a rematch."""
        self.predecessor: Room | None = None
        """If this table is a rematch: the table of the finished match before it."""
        self.is_deleted = False
        """Whether the table was deleted from the database."""
        self.used = services.clock.monotonic()
        self.looked = float("-inf")
        """Time at which a visitor last viewed the table (`Clock.monotonic`)."""
        self.pages: dict[tuple[int, str, int | None], Any] = {}
        """Latest page made for each viewer, by (viewer, language, seat that a spectator will take over); emptied while
        no page is open."""
        self._spectator_view: SpectatorView | None = None
        """What spectators see if they see the match later than the players; None while it is not needed."""
        self._moment: float | None = None
        self.stamp: float | None = None
        """While a move is sent to connections: time at which it was received (`time.perf_counter`); otherwise None."""
        self._lock = asyncio.Lock()
        self._bots: asyncio.Task[None] | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self.change_event = BroadcastEvent()
        """Event that wakes all tasks in `wait_for_change` after a change."""

    # --- requests ---------------------------------------------------------------------------------------------------

    async def request_change(self, make: ChangeFactory) -> Change | None:
        """Handle a request: make a change to the session, save it, then apply it. Return the change.

        `make` makes the change. It returns None if there is nothing to change, and raises `Refusal` for a request that
        is not allowed. The request is completed even if the caller is cancelled.
        """
        grant = asyncio.ensure_future(self._make_save_and_apply_change(make))
        try:
            return await asyncio.shield(grant)
        except asyncio.CancelledError:
            grant.add_done_callback(self._log_failed_request)
            raise

    async def _make_save_and_apply_change(self, make: ChangeFactory) -> Change | None:
        self.used, begun = self.services.clock.monotonic(), time.perf_counter()
        await self.services.pause_clocks_after_sleep()
        async with self._lock:
            for tried in range(TRIES):
                try:
                    change = make(self.session)
                except Refusal:
                    # This process may not have the latest changes, so the refusal may be wrong. Read the database once,
                    # and try again if it contained newer changes.
                    if tried or not await self._read_and_apply_newer():
                        raise
                    continue
                if change is None:
                    return None
                try:
                    await self._save_change(change)
                except Conflict:
                    await self._read_and_apply_newer()
                except CommitUnknown:
                    self.services.errand(self._refresh_when_database_answers())
                    raise
                else:
                    self.driver = self.services.peers.id
                    before = self.session.record
                    self.session.apply(change)
                    self._move_presence_to_new_seats(before)
                    if change.move is not None:
                        self.services.metrics.count_and_time_saved_move(
                            self.session.record.game, mover_kind(change.move.token), begun
                        )
                    self._publish_change(change, begun)
                    return change
        raise Refusal("conflict", _("Too much is happening at this table at once. Try again."))

    # --- changes by other processes -----------------------------------------------------------------------------------

    @property
    def is_driver(self) -> bool:
        """Whether this process runs the bots and timers of this table."""
        return self.driver == self.services.peers.id

    @property
    def cursor(self) -> TableCursor:
        """Position up to which this process has loaded the table from the database. It is used to load only newer data.

        The position consists of the table's database id, the table's record as this process last loaded or saved it,
        and the numbers of moves and chat messages in memory.
        """
        return TableCursor(self.number, self.session.record, self.session.ply, self.session.chat_count)

    async def _save_change(self, change: Change) -> None:
        """Save a change.

        Raise `CommitUnknown` if the database does not answer in time. Then it is unknown whether the change is saved.
        """
        try:
            async with asyncio.timeout(self.services.settings.write_patience):
                await self.services.writes.submit(change)
        except TimeoutError:
            raise CommitUnknown("the database does not answer") from None

    async def _refresh_when_database_answers(self) -> None:
        """Wait until the database answers again, then read the stored table and send it to the connections.

        This is used when it is unknown whether the last change was saved.
        """
        await self.services.writes.drain()
        while not self.services.closing:
            try:
                await self.refresh()
            except SQLAlchemyError as wrong:
                log.info("not_settled_yet", match=logs.match_log_name(self.session), why=logs.safe_error_text(wrong))
                await asyncio.sleep(SETTLE_RETRY_INTERVAL)
            else:
                return

    async def refresh_if_database_is_newer(self) -> None:
        """Load the changes that other processes have saved, if there are any. Raise `Refusal` if the table was deleted.

        Call this before answering a request. Another process may have confirmed to the client that a change is saved.
        The client's next request may come to this process, before the other process's message about the change. The
        answer must nevertheless contain the change.
        """
        others = self.services.peers.bus.has_other_processes
        if others and await self.services.revisions.submit(self.number) != self.session.record.revision:
            await self.refresh()

    async def refresh(self) -> None:
        """Load the changes that other processes have saved in the database, and send them to all connections.

        Then start the bots if a bot is to move, and set the table's timer (see `wake_bots_and_alarm`).

        Raise `Refusal` if the table was deleted.
        """
        async with self._lock:
            await self._read_and_apply_newer()
        self.wake_bots_and_alarm()

    async def apply_remote_change(self, known: TableCursor, newer: Newer | None) -> bool:
        """Apply the changes that other processes have saved in the database since the state `known` of this table.

        `newer` contains these changes; None means that the table was deleted. Return False if nothing was applied,
        because this process itself has changed the table since `known`: the caller must load the changes again.
        """
        async with self._lock:
            if known.record is not self.session.record:
                return newer is not None and newer.record.revision <= self.session.record.revision
            await self._apply_newer(newer)
        await self.load_successor()
        self.wake_bots_and_alarm()
        return True

    async def _read_and_apply_newer(self) -> bool:
        """Read and apply the changes that other processes saved. Return whether there were any.

        The caller holds the lock.
        """
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
            self._move_presence_to_new_seats(before)
        except ValueError:
            # The stored moves do not continue those of the session, because the database was restored from a backup.
            # Reload the table.
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

    def _move_presence_to_new_seats(self, before: TableRecord) -> None:
        """If persons have changed seats since `before`, move the data on who is connected or away to the new seats."""
        sat, sit = ([seat.person for seat in record.seats] for record in (before, self.session.record))
        if sat != sit:
            lines = [watcher.seat for watcher in self.subscribers]
            self.session.presence.reseat(sat, sit, [seat for seat in lines if seat is not None], self.services.now())

    async def load_successor(self) -> None:
        """Set `successor` to the table of the next match, if a player has asked for one."""
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
            for watcher in self._delayed_spectators:
                # Otherwise the page would show the message only after a move that they do not see yet.
                watcher.on_change()
            self.change_event.notify_all()
        else:
            self.notify_subscribers()
        self.services.peers.announce_change(self)
        self.stamp = None
        self.wake_bots()

    @property
    def spectator_names(self) -> tuple[str, ...]:
        """Names of all spectators in all processes, sorted and without duplicates."""
        return tuple(sorted({person.name for person in self._local_spectators} | self.remote_spectator_names))

    def spectator_names_seen_by(self, viewer: int) -> tuple[str, ...]:
        """Return the names of all spectators as a viewer (a seat or `SPECTATOR`) may know them.

        A spectator who took a bot's seat over in a round that other spectators do not see yet still counts for them.
        """
        names, view = self.spectator_names, self._spectator_view
        if view is None or not has_delayed_view(self.session.record, viewer):
            return names
        newcomers = [seat for seat in view.hidden_newcomers if self.session.presence.connected(seat)]
        return tuple(sorted({*names, *(self.session.record.seats[seat].name for seat in newcomers)}))

    @property
    def local_spectator_ids(self) -> tuple[int, ...]:
        """Person ids of the spectators connected to this process, sorted and without duplicates."""
        return tuple(sorted({person.id for person in self._local_spectators}))

    @property
    def _local_spectators(self) -> list[Person]:
        return [watcher.person for watcher in self.subscribers if watcher.person is not None and watcher.seat is None]

    async def load_remote_spectator_names(self) -> None:
        """Load the names of this table's spectators who are connected to other processes.

        If the names have changed, update all pages that show this table and are connected to this process.
        """
        people = {person for here in self.processes.values() for person in here.watching}
        found = (
            await self.services.store.run(self.services.store.repository.person_names, list(people)) if people else {}
        )
        before, self.remote_spectator_names = self.remote_spectator_names, frozenset(found.values())
        if before != self.remote_spectator_names:
            self.notify_subscribers()

    def forget_process(self, process: int) -> bool:
        """Forget which players and spectators were connected to another process, because that process is shutting down.

        Return True if at least one of these players now has no connection to any other process. The caller must then
        update the pages, because this player may be absent. The player may also still be connected to this process;
        that is not checked here.

        The spectators' names (`remote_spectator_names`) are not updated.
        """
        now = self.services.now()
        self.processes.pop(process, None)
        return self.session.presence.set_remote_seats(process, (), now, now)

    def time_for_page_clocks(self) -> float:
        """Return the current Unix time, in seconds, for the clocks on pages.

        It stays the same for up to `PAGE_TIME_TTL` seconds, so that all pages sent after one change show equal times.
        """
        now = self.services.now()
        if self._moment is None or not 0 <= now - self._moment < PAGE_TIME_TTL:
            self._moment = now
        return self._moment

    # --- what viewers see ---------------------------------------------------------------------------------------------

    def session_seen_by(self, viewer: int) -> Session:
        """Return the session from which everything is computed that a viewer (a seat or `SPECTATOR`) is sent.

        For spectators who see the match later than the players it is another session, which has only what they may see
        by now. Announce to them what has become visible.
        """
        if not has_delayed_view(self.session.record, viewer):
            return self.session
        view, now = self._spectator_view, self.services.now()
        if view is None or view.live is not self.session:
            view = self._spectator_view = SpectatorView(self.session, now)
        for tell in view.advance(now):
            for watcher in self._delayed_spectators:
                watcher.announce(tell)
        return view.session

    @property
    def _delayed_spectators(self) -> list[Subscriber]:
        """The connections of spectators who see the match later than the players."""
        delayed = has_delayed_view(self.session.record, SPECTATOR)
        return [watcher for watcher in self.subscribers if watcher.seat is None] if delayed else []

    # --- notification -------------------------------------------------------------------------------------------------

    def announce(self, text: TranslatableText) -> None:
        """Send a text to all clients that are connected to this process, each in its language, with their next update.

        Screen readers read the text aloud. Spectators who see the match later than the players do not get the text, but
        announcements of their own (see `session_seen_by`).
        """
        delayed = self._delayed_spectators
        for watcher in list(self.subscribers):
            if watcher not in delayed:
                watcher.announce(text)

    def notify_subscribers(self) -> None:
        """Send the changed table to all its connections, and wake the tasks that wait for a change.

        If this table is a rematch, also update the pages of the finished match before it: they show who has agreed.
        Then set the table's timer (see `wake_bots_and_alarm`).
        """
        self._moment = None
        self.change_event.notify_all()
        for watcher in list(self.subscribers):
            watcher.on_change()
        if self.predecessor is not None:
            self.predecessor.notify_subscribers()
        self._set_alarm_for_next_event()

    async def wait_for_change(self, seconds: float) -> None:
        """Wait until the table changes or the server begins to shut down, but at most `seconds`.

        At a table whose spectators see the match later than the players, also return when they may see the next move.
        Return at once if the server is already shutting down.
        """
        if self._delay_ends is not None:
            seconds = min(seconds, max(0.0, self._delay_ends - self.services.now()) + TIMER_MARGIN)
        if not self.services.closing:
            await self.change_event.wait(seconds)

    @property
    def _delay_ends(self) -> float | None:
        """Unix time at which spectators may see the next move; None if it is not known, or if no spectator waits."""
        view = self._spectator_view
        return None if view is None or view.live is not self.session else view.next_move_time

    # --- presence -----------------------------------------------------------------------------------------------------

    def record_opened_connection(self, seat: int | None) -> None:
        """Record that the player at `seat` opened a connection; `seat` None stands for a spectator."""
        presence, now = self.session.presence, self.services.now()
        shown = seat is None or presence.away_for(seat, now) >= RELOAD_TIME
        if seat is not None:
            if presence.is_recently_disconnected(seat, now):
                self.services.metrics.returns.inc()
            presence.connect(seat, now)
        self.services.peers.announce_presence(self)
        self.record_view_and_resume_bots()
        if shown:
            self.notify_subscribers()
        else:
            # The absence was too short to be shown to the other players, so nothing has to be sent.
            self._set_alarm_for_next_event()

    def record_closed_connection(self, seat: int | None) -> None:
        """Record that a connection of the player at `seat` closed; `seat` None stands for a spectator."""
        self.used = self.looked = self.services.clock.monotonic()
        if seat is not None:
            self.session.presence.disconnect(seat, self.services.now())
        self.services.peers.announce_presence(self)
        if seat is None:
            self.notify_subscribers()
        else:
            self._set_alarm_for_next_event()

    def _set_alarm_for_next_event(self) -> None:
        """Replace the table's timer by one for the next time at which this process must act without a request.

        The process must act in these cases:

        * A player has been absent so long that the pages must mark the player as away, that the absence must be
          announced to the other players, or that the seat may be freed.
        * A player's clock runs out, and this process is the table's driver: the one that runs the bots and clocks.
        * Connected spectators may see a move that the players have seen before.

        Set no new timer if no such case is to be expected, if the match is finished, or during a shutdown.
        """
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        session, now = self.session, self.services.now()
        if session.record.status == "finished" or self.services.closing:
            return
        ahead = (
            [time for time in absence_announcements.display_change_times(session) if time > now]
            if self.subscribers or self._opens_seats_automatically
            else []
        )
        if session.next_expiry_time is not None and self.is_driver:
            # The consequence of a clock at zero takes effect even if no page is open, and at once if it is overdue.
            ahead.append(max(now, session.next_expiry_time))
        if self._delayed_spectators:
            self.session_seen_by(SPECTATOR)
            if self._delay_ends is not None:
                ahead.append(max(now, self._delay_ends))
        if ahead:
            self._alarm = asyncio.get_running_loop().call_later(min(ahead) - now + TIMER_MARGIN, self._on_alarm)

    def _on_alarm(self) -> None:
        now = self.services.now()
        if self.is_driver and self.session.next_expiry_time is not None and self.session.next_expiry_time <= now:
            self.services.errand(self._apply_clock_timeout())
            return
        # Two processes may try to free the same seats; the second one finds nothing to do.
        if (self.is_driver or self.subscribers) and lobby_host_actions.open_long_absent_seats(
            self.session, now
        ) is not None:
            self.services.errand(self._open_seats_of_absent_guests())
        for said in absence_announcements.due_announcements(self.session, now):
            self.announce(said)
        if delayed := self._delayed_spectators:
            for said in absence_announcements.due_announcements(self.session_seen_by(SPECTATOR), now):
                for watcher in delayed:
                    watcher.announce(said)
        self.notify_subscribers()

    async def _apply_clock_timeout(self) -> None:
        """Apply the consequence of a player's clock that has run out. Log an error instead of raising it.

        The consequence depends on the table's setting `at_zero`: a bot plays the rest of the turn, a bot takes over the
        seat, or the player may still move. If the time for reading the scores of a round has run out, a bot confirms
        that the next round may begin.

        If the late player's move is saved before the consequence, there is no consequence, and only the table's timer
        is set again.
        """
        try:
            await self.services.save_alive_time()
            level = default_level(self.services.settings.bots)
            if await self.request_change(lambda session: session.expire_clocks(level, self.services.now())) is None:
                self._set_alarm_for_next_event()
        except Exception as wrong:
            # `Rooms.sweep` will try again with this table.
            if self.services.logged_errors.add_if_new(self.session.code, wrong):
                log.exception("time_up_failed", match=logs.match_log_name(self.session))

    async def _open_seats_of_absent_guests(self) -> None:
        """Before the deal: free the seats of guests who have been away too long, if the host has enabled that.

        Guests are the players other than the host.
        """
        try:
            await self.request_change(
                lambda session: lobby_host_actions.open_long_absent_seats(session, self.services.now())
            )
        except (Refusal, SQLAlchemyError) as wrong:
            # Only log the failure: the host can still free these seats by hand.
            log.warning("seats_not_freed", match=logs.match_log_name(self.session), why=str(wrong))

    # --- bots -------------------------------------------------------------------------------------------------------

    def wake_bots(self) -> None:
        """Start the bots of this table if a bot is to move and this process is the table's driver.

        The driver is the one process that runs the bots and clocks of the table. Do nothing if the bots are already
        playing, if they are paused (`has_paused_bots`), or during a shutdown.
        """
        idle = (self._bots is None or self._bots.done()) and not self.has_paused_bots
        if idle and self.is_driver and not self.services.closing and self.session.bot_task() is not None:
            self._bots = asyncio.get_running_loop().create_task(self.services.play_bots(self))

    def wake_bots_and_alarm(self) -> None:
        """Start the bots if a bot is to move (`wake_bots`), and set the table's timer.

        The timer is set to the earliest of these times:

        * A player's clock runs out, and this process is the one that runs the clocks of this table.
        * The pages must mark an absent player as away, or the other players must get an announcement about the absence.
        * Before the deal, the seat of an absent player may be freed.

        Repeated calls are harmless: bots that are running are not started again, and the timer is only replaced.
        """
        self.wake_bots()
        self._set_alarm_for_next_event()

    @property
    def bots_only(self) -> bool:
        """Whether no person plays here: each seat is free, has a bot or a stand-in bot, or was left by its player."""
        return all(seat.kind != "person" or seat.left or seat.standin for seat in self.session.record.seats)

    @property
    def is_shown_on_any_page(self) -> bool:
        """Whether a page shows this table now, or did so within the last `unseen_for` seconds (a setting).

        Open pages count, no matter to which process they are connected. A page that is closed by now counts only if it
        was connected to this process. For a rematch, open pages of the finished match before it count as well.
        """
        lately = self.services.clock.monotonic() - self.looked < self.services.settings.unseen_for
        return self._has_local_pages or lately or any(here.seats or here.watching for here in self.processes.values())

    @property
    def has_paused_bots(self) -> bool:
        """Whether the bots are paused: only bots play here, and no page shows the table (`is_shown_on_any_page`)."""
        return self.bots_only and not self.is_shown_on_any_page

    @property
    def must_stay_in_memory(self) -> bool:
        """Whether this process must keep the table in memory.

        That is so in these cases:

        * A page connected to this process shows the table.
        * The table's bots are playing.
        * A timer is set after which the seat of an absent guest may be freed. Without the table, the timer would be
          lost (see `_opens_seats_automatically`).
        """
        acts = self._bots is not None and not self._bots.done()
        return self._has_local_pages or acts or (self._opens_seats_automatically and self._alarm is not None)

    @property
    def _opens_seats_automatically(self) -> bool:
        """Whether the seats of guests who are absent for too long are freed automatically at this table.

        Seats are freed only before the deal, and only if the host has enabled that. They are freed even while no page
        shows the table. Guests are the players other than the host. Any player can take a freed seat.
        """
        record = self.session.record
        return record.status == "lobby" and record.settings.free_away

    @property
    def _has_local_pages(self) -> bool:
        """Whether a page connected to this process shows this table or, for a rematch, the finished match before it."""
        return bool(self.subscribers) or (self.predecessor is not None and bool(self.predecessor.subscribers))

    def drop_caches_if_unused(self) -> None:
        """Drop cached data, which can be computed again, unless the table is in use."""
        if not self.must_stay_in_memory and not self._lock.locked():
            self.pages.clear()
            self._lock = asyncio.Lock()
            self._spectator_view = None
            self.session.drop_caches()

    def record_view_and_resume_bots(self) -> None:
        """Record that a visitor views this table. If its bots were paused, let them play on in this process."""
        self.looked = self.services.clock.monotonic()
        if not self.is_driver and self.bots_only:
            # Another process may drive the table at the same time, but the database accepts each move only once.
            self.driver = self.services.peers.id
        self.wake_bots()

    def cancel_timer_and_bots(self) -> None:
        """Cancel the table's timer, and stop its bots without playing the move that is being computed.

        Call this when this process drops the table from memory or shuts down.
        """
        for running in (self._alarm, self._bots):
            if running is not None:
                running.cancel()

    def _log_failed_request(self, grant: asyncio.Future[Change | None]) -> None:
        """Log the error of a failed request whose caller was cancelled and so cannot receive the error.

        `grant` is the future of the request's result. A `Refusal` is not logged, because it is a normal answer, not a
        failure.
        """
        wrong = None if grant.cancelled() else grant.exception()
        if wrong is not None and not isinstance(wrong, Refusal):
            log.error("request_failed", match=logs.match_log_name(self.session), exc_info=wrong)
