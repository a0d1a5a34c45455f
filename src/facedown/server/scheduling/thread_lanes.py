"""Two lanes with threads of their own: quick answers never wait behind slow ones, and in each lane time is shared out.

The compiled rules let others run beside them. All threads have the same priority with the operating system: one that
is passed over on a busy machine while it holds the interpreter's lock holds up the event loop as long. Under load the
slow lane thinks less about each move (`effort`) rather than let everybody wait longer.
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

from facedown.core.language import language
from facedown.play import Refusal
from facedown.server.i18n import _, said_in
from facedown.server.process.settings import ServerSettings
from facedown.server.scheduling.fair_queue import FairQueue, Rank, Share

Result = TypeVar("Result")
Lane = Literal["quick", "slow"]
#: What a piece of work is taken to need until it is known, in seconds.
EXPECTED: dict[Lane, float] = {"quick": 0.02, "slow": 1.0}
#: No bot is asked to think with a smaller share of its effort.
LEAST_EFFORT = 0.05


@dataclass(eq=False)
class Ticket(Generic[Result]):
    """A piece of work that waits for its turn, runs, or is done."""

    share: Share
    work: Callable[[], Result]
    asked: float = 0.0
    done: Future[Result] = field(default_factory=Future)

    def run(self) -> None:
        """Do it in this thread, whatever comes of it; nothing if it was cancelled."""
        if not self.done.set_running_or_notify_cancel():
            return
        try:
            self.done.set_result(self.work())
        except BaseException as wrong:  # noqa: BLE001 (this thread goes on, and the caller gets the error)
            if not isinstance(wrong, Exception):
                # It would end the loop, or look like a cancellation.
                wrong = RuntimeError(f"the work ended with {type(wrong).__name__}: {wrong}")
            self.done.set_exception(wrong)


class _Threads:
    """The threads of a lane, and what waits for them."""

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
        """Do a piece of work when its turn comes; cancelled before that, it is never begun."""
        spoken = language()
        ticket: Ticket[Result] = Ticket(share, lambda: said_in(spoken, work, *arguments), time.perf_counter())
        with self.lock:
            if self._stopping:
                raise asyncio.CancelledError
            self.queue.put(share, ticket)
            if not self._started:
                self._started = True
                for number in range(self.size):
                    threading.Thread(target=self._serve, name=f"facedown-{self.lane}-{number}", daemon=True).start()
            self.lock.notify()
        try:
            return await asyncio.wrap_future(ticket.done)
        finally:
            with self.lock:
                self.queue.remove(share, ticket)

    def stop(self) -> None:
        """Begin nothing more."""
        with self.lock:
            self._stopping = True
            while (ticket := self.queue.next()) is not None:
                ticket.done.cancel()
            self.lock.notify_all()

    def _serve(self) -> None:
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
    """The lanes of a process."""

    def __init__(
        self, settings: ServerSettings, waited: Callable[[str, float], None] = lambda lane, seconds: None
    ) -> None:
        """`waited` is told of everything whose turn comes, how long that took, from whichever thread."""
        self.settings = settings
        slow = settings.slow_threads or max(1, (os.cpu_count() or 1) - 1)
        self._lanes: dict[Lane, _Threads] = {
            "quick": _Threads("quick", settings.quick_threads, waited),
            "slow": _Threads("slow", slow, waited),
        }
        self._warm = _Threads("quick", 1, lambda lane, seconds: None)

    def stop(self) -> None:
        """Let go what waits; what runs is run to its end, for nobody."""
        for lane in (*self._lanes.values(), self._warm):
            lane.stop()

    async def quick(self, share: Share, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do what takes a moment."""
        return await self._lanes["quick"].run(share, work, *arguments)

    async def slow(self, share: Share, work: Callable[..., Result], *arguments: Any) -> Result:
        """Do what takes its time; cancelled before its turn comes, it is never begun."""
        return await self._lanes["slow"].run(share, work, *arguments)

    async def run_preparation(self, work: Callable[..., Result], *arguments: Any) -> Result:
        """Load or compile something, beside both lanes."""
        return await self._warm.run(Share(), work, *arguments)

    def refuse_if_full(self, origin: str) -> None:
        """`Refusal` where so much of somebody waits already that more is not taken on."""
        if self._lanes["slow"].queue.count_origin(origin) >= self.settings.questions_waiting:
            raise Refusal("too-fast", _("The coach still thinks about what you asked before. Ask again in a minute."))

    def waiting(self, lane: Lane) -> int:
        """How much waits in a lane."""
        return len(self._lanes[lane].queue)

    def running(self, lane: Lane) -> int:
        """How much is being done in a lane."""
        return self._lanes[lane].running

    def effort(self, needs: float = EXPECTED["slow"]) -> float:
        """The share of its usual effort that a slow bot whose turn has come may take.

        All who wait (and this one) are to be answered within `slow_patience`, if each needs so many seconds.
        """
        slow = self._lanes["slow"]
        ahead = (slow.queue.waiting(Rank.WATCHED) + slow.running) * needs / slow.size
        return max(LEAST_EFFORT, min(1.0, self.settings.slow_patience / ahead if ahead else 1.0))
