"""Thread pools ("lanes") of a process: "quick" for short and "slow" for long computations, each with a fair queue.

Short computations thus never wait for long ones. Compiled rules release the interpreter lock (GIL). Under load, bots
in the slow lane think for a shorter time (`allowed_effort_fraction`), so that waiting times stay short.

All threads keep the same priority in the operating system. If a thread of lower priority were suspended while it holds
the GIL, it would block the event loop.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

from facedown.core.translation import language
from facedown.play import Refusal
from facedown.server.i18n import _, run_in_language
from facedown.server.process.server_settings import ServerSettings
from facedown.server.scheduling.fair_queue import FairQueue, Rank, Share

Result = TypeVar("Result")
Lane = Literal["quick", "slow"]
#: Estimated seconds of a computation before its time is known, for each lane (thread pool).
EXPECTED: dict[Lane, float] = {"quick": 0.02, "slow": 1.0}
#: Smallest effort of a bot under load, as a fraction of the usual amount of computation.
LEAST_EFFORT = 0.05


@dataclass(eq=False)
class Ticket(Generic[Result]):
    """One computation that is waiting, running or done."""

    share: Share
    work: Callable[[], Result]
    asked: float = 0.0
    done: Future[Result] = field(default_factory=Future)

    def run(self) -> None:
        """Run the computation in this thread and store its result or exception; do nothing if it was cancelled."""
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            self.done.set_result(self.work())
        except BaseException as wrong:  # noqa: BLE001 (the thread must survive; the caller gets the error)
            if not isinstance(wrong, Exception):
                # `KeyboardInterrupt` or `SystemExit` would stop the event loop, and `CancelledError` would look like a
                # cancellation.
                wrong = RuntimeError(f"the work ended with {type(wrong).__name__}: {wrong}")
            self.done.set_exception(wrong)


class _Threads:
    """Threads of one lane (thread pool), and the queue of computations that wait for them."""

    def __init__(self, lane: Lane, size: int, waited: Callable[[str, float], None]) -> None:
        self.lane = lane
        self.waited = waited
        self.size = size
        self.running = 0
        self.queue: FairQueue[Ticket[Any]] = FairQueue(EXPECTED[lane])
        self.lock = threading.Condition()
        self._started = False
        self._stopping = False

    async def run(self, share: Share, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run a computation when its turn in the queue comes, and return its result.

        If the caller is cancelled before this turn, the computation never starts.
        """
        spoken = language()
        ticket: Ticket[Result] = Ticket(share, lambda: run_in_language(spoken, work, *arguments), time.perf_counter())
        with self.lock:
            if self._stopping:
                raise asyncio.CancelledError
            self.queue.put(share, ticket)
            if not self._started:
                self._started = True
                for number in range(self.size):
                    threading.Thread(
                        target=self._run_tickets_until_stopped, name=f"facedown-{self.lane}-{number}", daemon=True
                    ).start()
            self.lock.notify()
        try:
            return await asyncio.wrap_future(ticket.done)
        finally:
            with self.lock:
                self.queue.remove(share, ticket)

    def stop(self) -> None:
        """Cancel all waiting computations and start no more."""
        with self.lock:
            self._stopping = True
            while (ticket := self.queue.next()) is not None:
                ticket.done.cancel()
            self.lock.notify_all()

    def _run_tickets_until_stopped(self) -> None:
        while True:
            with self.lock:
                while (ticket := self.queue.next()) is None:
                    if self._stopping:
                        return
                    self.lock.wait()
                self.running += 1
            begun = time.perf_counter()
            self.waited(self.lane, begun - ticket.asked)
            ticket.run()
            with self.lock:
                self.running -= 1
                self.queue.record_time(ticket.share, time.perf_counter() - begun)
            del ticket


class ThreadLanes:
    """Computing threads of one process: a pool for short computations, a pool for long ones, and one more thread.

    The pools are named "quick" and "slow". The other thread loads and compiles code.

    Each pool divides its time equally among origins (hashed client addresses), then among their tables. The `Share` of
    a computation names the origin and the table to which the time is charged, and the priority of the computation.
    """

    def __init__(
        self, settings: ServerSettings, waited: Callable[[str, float], None] = lambda lane, seconds: None
    ) -> None:
        """`waited(lane, seconds)` is called when a computation in the pool `lane` ("quick" or "slow") starts.

        `seconds` is the time for which the computation waited in the queue. The call is made in the computation's
        thread.
        """
        self.settings = settings
        slow = settings.slow_threads or max(1, (os.cpu_count() or 1) - 1)
        self._lanes: dict[Lane, _Threads] = {
            "quick": _Threads("quick", settings.quick_threads, waited),
            "slow": _Threads("slow", slow, waited),
        }
        self._warm = _Threads("quick", 1, lambda lane, seconds: None)

    def stop(self) -> None:
        """Cancel waiting computations. Running ones finish, but their results are not used."""
        for lane in (*self._lanes.values(), self._warm):
            lane.stop()

    async def run_in_quick_lane(self, share: Share, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run a computation of a few milliseconds in the pool for short computations, and return its result.

        `share` sets the priority, and names two accounts to which the computing time is charged: an origin (hashed
        client address) and a table. If the caller is cancelled before the computation starts, the computation never
        starts.
        """
        return await self._lanes["quick"].run(share, work, *arguments)

    async def run_in_slow_lane(self, share: Share, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run a computation that may take seconds in the pool for long computations, and return its result.

        `share` sets the priority, and names two accounts to which the computing time is charged: an origin (hashed
        client address) and a table. If the caller is cancelled before the computation starts, the computation never
        starts.
        """
        return await self._lanes["slow"].run(share, work, *arguments)

    async def run_preparation(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Run `work`, which loads or compiles code, on a thread that is reserved for such work. Return its result.

        Several calls run one after the other. They never delay the computations in the "quick" and "slow" pools.
        """
        return await self._warm.run(Share(), work, *arguments)

    def refuse_too_many_waiting_of_origin(self, origin: str) -> None:
        """Raise `Refusal` if too many long computations for this origin (hashed address) are waiting."""
        if self._lanes["slow"].queue.waiting_count_of_origin(origin) >= self.settings.questions_waiting:
            raise Refusal("too-fast", _("The coach is still thinking about your last question. Ask again in a minute."))

    def waiting_count(self, lane: Lane) -> int:
        """Return the number of computations that wait in a lane (thread pool)."""
        return len(self._lanes[lane].queue)

    def running_count(self, lane: Lane) -> int:
        """Return the number of computations that run in a lane (thread pool)."""
        return self._lanes[lane].running

    def allowed_effort_fraction(self, needs: float = EXPECTED["slow"]) -> float:
        """Return how much a bot in the pool for long computations may compute now, as a fraction of the usual amount.

        The result is 1 if the pool is expected to finish its pending computations within `slow_patience` seconds (a
        setting). Otherwise it is the fraction with which the pool would just meet this limit, but at least
        `LEAST_EFFORT`.

        The pending computations are those that run now, and those in the queue whose results a viewer waits for. Each
        is expected to take `needs` seconds at the usual amount of computation.
        """
        slow = self._lanes["slow"]
        ahead = (slow.queue.waiting(Rank.WATCHED) + slow.running) * needs / slow.size
        return max(LEAST_EFFORT, min(1.0, self.settings.slow_patience / ahead if ahead else 1.0))
