"""Registry of the tables in the memory of this process.

The registry has these tasks:

* Load a table from the database at its first use in this process.
* Drop a table from memory when it is unused.
* Start the bots and timers of the tables whose driver is this process. The database names at most one process as the
  driver of a table.
* Send the heartbeat of this process, which shows the other processes that it is alive.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import replace
from typing import Any

from prometheus_client.core import Metric
from sqlalchemy.exc import SQLAlchemyError

from facedown.core.translation import LazyText
from facedown.play import Change, Refusal, Session, StoredMove, TableRecord, new_code
from facedown.play.user_input import format_code
from facedown.server.cluster.bus import Bus
from facedown.server.cluster.peers import Peers
from facedown.server.cluster.worker_delegation import WorkerStatus
from facedown.server.i18n import N_, _
from facedown.server.notices.notice_sender import Notices
from facedown.server.process import logs, refusal_counts, retention_job
from facedown.server.process.admission_queue import MAX_ADMITTED
from facedown.server.process.clocks import SYSTEM_CLOCK, Clock, SteadyClock
from facedown.server.process.metrics import Metrics, counter, gauge
from facedown.server.process.query_batching import REST, Batcher, lookup_batcher
from facedown.server.process.render_queue import RenderQueue
from facedown.server.process.server_settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.server.scheduling import ThreadLanes
from facedown.server.scheduling.client_address_hash import Origins
from facedown.server.scheduling.game_compiler import GameCompiler
from facedown.server.scheduling.thread_lanes import EXPECTED
from facedown.server.table.bot_turns import BotTurns
from facedown.server.table.open_tables import OpenTables
from facedown.server.table.review_jobs import ReviewWork
from facedown.server.table.review_requests import Coach
from facedown.server.table.room import Room
from facedown.server.table.subscriber import Subscriber
from facedown.server.table.table_loading import LoggedErrors, session_from_stored_table, unreadable_table_refusal
from facedown.store import Conflict, Repository
from facedown.store.row_conversion import StoredTable

log = logs.logger()

#: Number of codes that are tried for a new table.
TRIES = 8
#: A connection is closed if it is silent for too long (setting `silence`). In that time, all connections are checked
#: this many times.
SILENCE_CHECKS = 4
#: Number of times between two sweeps that free seats at open tables are offered to the persons who look for one.
SEAT_OFFERS_PER_SWEEP = 10


class Rooms:
    """All tables in the memory of this process (`Room`), with the services that they share."""

    def __init__(
        self,
        repository: Repository,
        settings: ServerSettings,
        bus: Bus | None = None,
        clock: Clock = SYSTEM_CLOCK,
        metrics: Metrics | None = None,
    ) -> None:
        self.settings = settings
        self.store = StoreThreads(repository)
        self.clock = clock
        self.now = SteadyClock(clock)
        self.peers = Peers(self, bus or Bus())
        self.metrics = metrics or Metrics()
        self.closing = False
        self._rooms: dict[str, Room] = {}
        self._numbers: dict[int, Room] = {}
        self.dismissals = 0
        """Number of calls of `close_connections_of`.

        If this number grew while a connection was being opened, the connection's credentials are checked again.
        """
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self.writes = Batcher(self._write_changes_together, REST)
        self._tables: Batcher[str, StoredTable | None] = lookup_batcher(
            lambda codes: self.store.run(repository.load_all, codes)
        )
        self.people = lookup_batcher(lambda tokens: self.store.run(repository.people_by_browser_token, tokens))
        """Batched lookup of persons by the token of their browser's cookie."""
        self.revisions = lookup_batcher(lambda numbers: self.store.run(repository.revisions, numbers))
        """Batched lookup of the revisions of tables, by the tables' database ids."""
        self.thinking = ThreadLanes(settings, waited=self.metrics.record_thread_wait)
        self.elsewhere = WorkerStatus(settings, self.store)
        self.preparations = GameCompiler(self.thinking, self.errand, self._games_of_rooms, self._update_pages_of_game)
        self._bot_turns = BotTurns(self.thinking, self.elsewhere)
        self.origins = Origins()
        self.admissions = asyncio.Semaphore(MAX_ADMITTED)
        """Limits how many connections are being opened at the same time (until the table has been sent to them)."""
        self.renders = RenderQueue()
        self.logged_errors = LoggedErrors()
        self.coach = Coach(ReviewWork(settings, self.store, self.thinking, self.preparations, self.elsewhere, self.now))
        self.open_tables = OpenTables(self.store, settings, clock, self.now)
        self.notices = Notices(settings, self.store, self.now, self.metrics.notices)
        self._sweeper: asyncio.Task[None] | None = None
        self._errands: set[asyncio.Task[None]] = set()
        self.metrics.add_collector(self._metrics_of_process)
        self._alive: float | None = None
        """Time at which this server was last known to be alive."""
        self._silent = False
        """Whether the last heartbeat could not be saved."""
        self._heart: asyncio.Task[None] | None = None

    @property
    def repository(self) -> Repository:
        """The repository, which gives access to the database.

        Its methods block. So call them on a thread: ``await rooms.store.run(method, *arguments)``.
        """
        return self.store.repository

    async def start(self) -> None:
        """Register this process in the database, and start its background tasks.

        Some of these tasks are:

        * load the rules of all games, and compile the code of the games (if the setting `warm_up` is on);
        * review finished matches;
        * take over tables whose bots and clocks no living process runs (see `sweep`);
        * send the heartbeat, close silent connections, and delete old data.

        If no other process is alive, first shift the seat clocks by the time during which no server was running, so
        that no player loses that time. Raise `StoreError` if the process cannot be registered.
        """
        if self.settings.warm_up:
            self.preparations.find_and_interpret_uncompiled_games()
            self.errand(self.preparations.load_rules_and_compile_all())
        await self.peers.start()
        self.origins.key = await self.store.run(self.store.repository.shared_secret_key, Origins.NAME)
        if not await self.store.run(self.store.repository.processes.other_live_ids):
            await self.store.run(self.store.repository.shift_clocks_by_downtime, self.now())
        self.coach.work.start()
        await self.notices.start()
        self._alive = self.now()
        self._heart = self.errand(self._heartbeat_forever())
        self._sweeper = self.errand(self._sweep_periodically())
        self.errand(self._offer_seats_periodically())
        self.errand(self._keep_closing_silent_connections())
        self.errand(self.metrics.keep_measuring_event_loop_delay())
        self.errand(retention_job.run_retention_job(self.settings, self.store, self.now))

    def begin_shutdown(self) -> None:
        """Begin the shutdown: start no bots and set no timers from now on, and wake all requests that wait for changes.

        These requests are then answered at once, so they do not delay the shutdown. Other requests are still handled.
        """
        self.closing = True
        for room in self.all_in_memory():
            room.change_event.notify_all()

    async def stop(self) -> None:
        """Stop all tasks and threads.

        No acknowledged change is lost: changes are saved before they are acknowledged.
        """
        self.begin_shutdown()
        for errand in self._errands:
            errand.cancel()
        if self._heart:
            with contextlib.suppress(Exception):
                await self.store.run(self.store.repository.save_alive_time_if_clocks_run, self.now())
        self.preparations.stop()
        for room in self._rooms.values():
            room.cancel_timer_and_bots()
        await self.coach.stop()
        await self.notices.stop()
        await self.peers.stop()
        await self.store.close()
        self.thinking.stop()

    async def _write_changes_together(self, changes: Sequence[Change]) -> list[Conflict | None]:
        with self.metrics.count_and_time_write(len(changes)):
            return await self.store.run(self.store.repository.write_all, changes)

    async def play_bots(self, room: Room) -> None:
        """Play the moves of a table's bots while it is their turn. Failures are logged."""
        try:
            await self._bot_turns.play(room)
        except Exception as wrong:
            # The next `sweep` tries again with this table. The log tells the operator what failed.
            if self.logged_errors.add_if_new(room.session.code, wrong):
                log.exception("bot_failed", match=logs.match_log_name(room.session))

    def _update_pages_of_game(self, game: str) -> None:
        """Update the pages of all tables of a game, because they show the progress of compiling the game's code."""
        for room in self.all_in_memory():
            if room.session.record.game == game:
                room.notify_subscribers()

    def errand(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Run a coroutine as a background task, which is cancelled when the server stops."""
        errand = asyncio.get_running_loop().create_task(work)
        self._errands.add(errand)
        errand.add_done_callback(self._errands.discard)
        return errand

    async def read_stored(self, code: str) -> tuple[Session, int, int]:
        """Return a stored table as (session, database id of the table, database id of its driver).

        The driver is the process that runs the table's bots and clocks. Raise `Refusal` if the table does not exist or
        cannot be read.
        """
        try:
            found = await self._tables.submit(code)
            if found is None:
                raise Refusal("unknown", LazyText(_, N_("Table {code} does not exist."), {"code": format_code(code)}))
            await self.preparations.load_rules(found.record.game)
            return session_from_stored_table(found, self.settings.bots, self.now()), found.number, found.driver
        except (Refusal, SQLAlchemyError):
            raise
        except Exception as wrong:
            if self.logged_errors.add_if_new(code, wrong):
                log.exception("table_not_readable", match=await self._match_log_name(code))
            raise unreadable_table_refusal(code) from None

    def in_memory(self, number: int) -> Room | None:
        """Return the table with the database id `number`; None if it is not in this process's memory."""
        return self._numbers.get(number)

    def _games_of_rooms(self) -> set[str]:
        return {room.session.record.game for room in self._rooms.values()}

    def all_in_memory(self) -> list[Room]:
        """Return all tables in the memory of this process.

        The returned list stays the same if tables are loaded or dropped later.
        """
        return list(self._rooms.values())

    def drop_from_memory(self, room: Room) -> None:
        """Drop a table from memory, and cancel its timer and bots. The table is loaded again at its next use."""
        room.cancel_timer_and_bots()
        self._rooms.pop(room.session.code, None)
        self._numbers.pop(room.number, None)

    async def room(self, code: str) -> Room:
        """Return the table with this code; load it from the database if it is not in memory.

        Raise `Refusal` if no table has this code, or if the table cannot be read.
        """
        room = self._rooms.get(code)
        if room is None:
            if code not in self._opening:
                self._opening[code] = asyncio.ensure_future(self._load_room(code))
            room = await asyncio.shield(self._opening[code])
        room.used = self.clock.monotonic()
        return room

    async def _load_room(self, code: str) -> Room:
        try:
            room = self._rooms[code] = Room(self, *await self.read_stored(code))
            self._numbers[room.number] = room
        finally:
            del self._opening[code]
        self.peers.announce_presence(room)
        room.wake_bots_and_alarm()
        return room

    def remove_deleted(self, room: Room) -> None:
        """Remove from memory a table that was deleted from the database, and notify its connections."""
        room.is_deleted = True
        self.drop_from_memory(room)
        room.notify_subscribers()

    async def store_new_table(self, record: TableRecord, moves: Sequence[StoredMove] = ()) -> Room:
        """Store a new table and return it. `moves` are moves that were already made, if any.

        If another table already has the code in `record`, the new table gets another code.
        """
        for _attempt in range(TRIES):
            try:
                await self.store.run(self.store.repository.create, record, moves)
                room = await self.room(record.code)
                # The host's browser is redirected to the table, so count it as viewed.
                room.record_view_and_resume_bots()
                return room
            except Conflict:
                # Another table already has this random code, which is very unlikely. Try another code.
                record = replace(record, code=new_code())
        raise Refusal("conflict", _("No new tables can be opened right now. Try again."))

    def close_connections_of(self, person: int) -> int:
        """Close the connections of a person to this process, and return their number."""
        self.dismissals += 1
        theirs = [
            watcher for watcher in self.subscribers() if watcher.person is not None and watcher.person.id == person
        ]
        for watcher in theirs:
            watcher.close_because_access_revoked()
        return len(theirs)

    def subscribers(self) -> list[Subscriber]:
        """Return all connections to the tables in the memory of this process."""
        return [watcher for room in self._rooms.values() for watcher in room.subscribers]

    async def reread_room_in_memory(self, code: str) -> Room | None:
        """Update this process's copy of a game table from the database, and return this copy.

        Call this after the table was changed directly in the database, for example when a person's data were erased.
        Return None if the process has no copy of the table in memory. If the table can no longer be loaded, remove the
        copy from memory and return None.
        """
        room = self._rooms.get(code)
        if room is not None:
            try:
                await room.refresh()
            except Refusal:
                self.drop_from_memory(room)
                return None
        return room

    def _metrics_of_process(self) -> Iterator[Metric]:
        """Yield the metrics of this process: tables, connections, players, clock, queues, errors and refusals."""
        tables, lines, people = Counter({"lobby": 0, "running": 0, "finished": 0}), 0, 0
        for room in self.all_in_memory():
            tables[room.session.record.status] += 1
            lines += len(room.subscribers)
            people += sum(room.session.presence.connected(seat) for seat in range(len(room.session.record.seats)))
        yield gauge("facedown_tables", "Tables in memory.", tables, "status")
        yield gauge("facedown_lines", "Open WebSocket connections.", {"": lines})
        yield gauge("facedown_people", "Seats whose player has the table open.", {"": people})
        off = {"": self.now.offset}
        yield gauge(
            "facedown_clock_off_seconds", "Seconds by which the system clock is ahead of the server's clock.", off
        )
        errors = self.store.repository.health.errors
        yield counter("facedown_database_errors", "Database errors, by reason.", errors, "why")
        waiting = self.store.waiting_counts_by_pool()
        yield gauge("facedown_store_waiting", "Database requests waiting for a thread.", waiting, "kind")
        thoughts: dict[str, int] = {lane: self.thinking.waiting_count(lane) for lane in EXPECTED}
        yield gauge("facedown_thinking_waiting", "Computations waiting for a thread.", thoughts, "lane")
        refused = refusal_counts.refusal_counts_by_kind()
        yield counter("facedown_refusals", "Requests refused, by kind.", refused, "kind")

    async def _keep_closing_silent_connections(self) -> None:
        """Close connections on which nothing is received any more.

        One task checks all of them, because a timer for each connection, restarted at each message, would cost more.
        """
        while True:
            await asyncio.sleep(self.settings.silence / SILENCE_CHECKS)
            for watcher in self.subscribers():
                watcher.close_if_silent(self.clock.monotonic())

    async def _sweep_periodically(self) -> None:
        while True:
            try:
                await self.sweep()
            except Exception:
                log.exception("sweep_failed")
            await asyncio.sleep(self.settings.sweep)

    async def _offer_seats_periodically(self) -> None:
        while True:
            await asyncio.sleep(self.settings.sweep / SEAT_OFFERS_PER_SWEEP)
            try:
                await self.open_tables.offer_seats()
            except Exception as wrong:
                # The next attempt comes soon, so the same error is logged only once.
                if self.logged_errors.add_if_new("", wrong):
                    log.exception("seats_not_offered")

    async def sweep(self) -> None:
        """Take over tables whose driver is dead, start bots and timers, and drop unused tables from memory.

        The driver of a table is the process that runs its bots and clocks.

        * This process becomes the driver of a table whose driver is dead, if a bot is to move there or a clock soon
          runs out. If only bots play at the table, this is done only while a page shows the table.
        * At the tables that this process drives, bots that are to move are started if they are not running. So a bot's
          move that failed before is tried again. Timers are set for clocks that soon run out.
        * A table is dropped if it was not used for `idle` seconds (a setting), unless `Room.must_stay_in_memory` is
          true.
        * Tables whose hosts list them stay in the list of open tables.
        """
        soon = self.now() + 2 * self.settings.sweep
        await self.open_tables.keep_listed(self.all_in_memory())
        for code in await self.store.run(self.store.repository.processes.take_over_due_tables, soon):
            await self._take_over_room(code)
        for room in self.all_in_memory():
            if room.bots_only and room.is_shown_on_any_page:
                # A table where only bots play is taken over only while a page shows it.
                taken = (
                    []
                    if room.is_driver
                    else await self.store.run(self.store.repository.processes.take_over_undriven, [room.number])
                )
                if taken:
                    room.driver = self.peers.id
                room.wake_bots()
        for room in self.all_in_memory():
            unused = self.clock.monotonic() - room.used
            if not room.must_stay_in_memory and unused > self.settings.idle:
                self.drop_from_memory(room)
            elif unused > self.settings.rests:
                room.drop_caches_if_unused()

    async def save_alive_time(self) -> None:
        """Save the current time, as the last time at which this server was known to be alive.

        If the machine slept, or the time could not be saved for a while, shift the seat clocks by that period, so that
        no player loses time. Don't shift them if another server process was alive meanwhile.
        """
        now, last = self.now(), self._alive
        self._alive = now
        away = last is not None and (self._has_machine_slept(now, last) or self._silent)
        rested: list[str] = []
        try:
            # If another server process is alive, it has kept the clocks running, so do not shift them.
            if away and not await self.store.run(self.store.repository.processes.other_live_ids):
                rested = await self.store.run(self.store.repository.shift_clocks_by_downtime, now, last)
            else:
                await self.store.run(self.store.repository.save_alive_time_if_clocks_run, now)
        except Exception:
            # Nothing was saved, so the newest saved time is still `last`. If another call has failed meanwhile,
            # `self._alive` may be an older time; keep the older of the two times.
            self._alive = None if last is None or self._alive is None else min(self._alive, last)
            self._silent = True
            raise
        self._silent = False
        for code in rested:
            if code in self._rooms:
                await self._rooms[code].refresh()

    async def pause_clocks_after_sleep(self) -> None:
        """Shift the seat clocks if the machine has slept, so that no player loses that time.

        Called before a request is handled.
        """
        if self._alive is not None and self._has_machine_slept(self.now(), self._alive) and not self._silent:
            with contextlib.suppress(SQLAlchemyError):
                await self.save_alive_time()

    def _has_machine_slept(self, now: float, last: float) -> bool:
        return now - last >= 4 * self.settings.pulse

    async def _heartbeat_forever(self) -> None:
        while True:
            await asyncio.sleep(self.settings.pulse)
            await self.perform_heartbeat()

    async def perform_heartbeat(self) -> None:
        """Do the work of one heartbeat of this process. Errors are logged, not raised.

        * Adjust the rate of the server's own clock (`now`), so that it approaches the system clock.
        * Save the time at which this server was last alive (`save_alive_time`).
        * Renew this process's lease, except during a shutdown. The lease is the time until which the other processes
          assume that this process is alive.
        """
        if step := self.now.resync():
            self.metrics.steps.inc()
            log.warning("clock_set", by=round(step, 1), off=round(self.now.offset, 1))
        try:
            # `save_alive_time` also records whether the database accepts writes, so call it first: a failed renewal of
            # the lease must not skip it.
            try:
                await self.save_alive_time()
            finally:
                if not self.closing:
                    await self.peers.renew_lease_or_reregister()
        except Exception:
            log.exception("pulse_failed")

    async def _take_over_room(self, code: str) -> None:
        try:
            room = await self.room(code)
            room.driver = self.peers.id
            room.wake_bots_and_alarm()
        except Exception as wrong:
            # One unreadable table must not stop the others, and its error is logged only once.
            if self.logged_errors.add_if_new(code, wrong):
                log.exception("table_not_opened", match=await self._match_log_name(code))

    async def _match_log_name(self, code: str) -> str:
        """Return the name of a table's match in the server log: the first digits of the published hash of its seed.

        The log does not name the code of a table, because the code gives access to the table. Use this method for a
        table that cannot be opened: it reads only the hash from the database. Return "" if the table does not exist or
        the database does not answer.
        """
        try:
            return logs.match_log_name_from_commitment(await self.store.run(self.store.repository.commitment, code))
        except SQLAlchemyError:
            return ""
