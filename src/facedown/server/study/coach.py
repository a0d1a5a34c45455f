"""The coach of a server: looks back at finished matches and gives hints, apart from the event loop.

A match is looked back at once from each seat that somebody asks for, one after the other, and what was found is kept
for a while; whoever asks meanwhile is told how far it has come.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from facedown.core.game import GameModule
from facedown.core.language import language
from facedown.core.state import View
from facedown.play import Refusal, Session
from facedown.server import logs
from facedown.server.study.reviewing import Reviewed, Sofar, look_back
from facedown.server.texts import _, said_in

log = logs.logger()

#: A table's code, the seat that is looked back from (None: all), and the language in which it is told.
Asked = tuple[str, int | None, str]

#: How often whoever waits is told how far the coach has come, in seconds.
TOLD_EVERY = 1.0


class Reader(Protocol):
    """Somebody who waits for a look back."""

    def reviewed(self) -> None:
        """The coach has come further, or is done."""


class Stopped(Exception):
    """The server stops: what is being looked at is let go."""


class Job:
    """A look back at one match from one seat: waiting, under way, done or failed."""

    def __init__(self, seat: int | None, of: int) -> None:
        self.seat = seat
        self.sofar = Sofar(0)
        """How far it has come."""
        self.of = of
        self.found: Reviewed | None = None
        self.failed = False
        self.readers: set[Reader] = set()
        self.task: asyncio.Task[None] | None = None

    @property
    def done(self) -> int:
        """The moves of the match that were looked at."""
        return self.sofar.done

    @property
    def ended(self) -> bool:
        """Is there nothing to wait for?"""
        return self.found is not None or self.failed

    def tell(self) -> None:
        """Tell whoever waits."""
        for reader in list(self.readers):
            reader.reviewed()
        if self.ended:
            self.readers.clear()


class Coach:
    """The looks back that are kept, and the thread that makes them."""

    def __init__(self, tries: int, kept: int, waiting: int) -> None:
        self.tries = tries
        self.kept = kept
        self.waiting = waiting
        self._jobs: OrderedDict[Asked, Job] = OrderedDict()
        self._pool = ThreadPoolExecutor(1, "facedown-coach")
        self._stopping = False

    def stop(self) -> None:
        """Let everything go."""
        self._stopping = True
        for job in self._jobs.values():
            if job.task is not None:
                job.task.cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def knows(self, session: Session, seat: int) -> bool:
        """Was it asked for already?"""
        return self._key(session, seat) in self._jobs

    def _key(self, session: Session, seat: int) -> Asked:
        return session.code, None if session.game.info.together else seat, language()

    def found(self, session: Session, seat: int) -> Reviewed | None:
        """What it has found from a seat, if it has looked already; nothing is begun."""
        job = self._jobs.get(self._key(session, seat))
        return None if job is None else job.found

    def job(self, session: Session, seat: int) -> Job:
        """The look back from a seat, begun if need be; `Refusal` while the match is running, or too many wait."""
        match = session.ended(_("This match is not over: the coach looks back at it when it ends."))
        if not 0 <= seat < match.seats:
            raise Refusal(
                "malformed", _("There is no seat {seat}: they go from 0 to {last}.", seat=seat, last=match.seats - 1)
            )
        asked = self._key(session, seat)
        job = self._jobs.get(asked)
        if job is None or job.failed:
            if sum(not other.ended for other in self._jobs.values()) >= self.waiting:
                raise Refusal("too-fast", _("The coach has many matches to look at. Ask again in a minute."))
            job = self._jobs[asked] = Job(asked[1], match.ply)
            job.task = asyncio.get_running_loop().create_task(self._work(job, session))
        self._jobs.move_to_end(asked)
        for key in [key for key, old in self._jobs.items() if old.ended][: max(0, len(self._jobs) - self.kept)]:
            if self._jobs[key] is not job:
                del self._jobs[key]
        return job

    async def _work(self, job: Job, session: Session) -> None:
        loop = asyncio.get_running_loop()
        match, memory, told = session.running, session.record.settings.memory, loop.time()

        def further(sofar: Sofar) -> None:
            nonlocal told
            if self._stopping:
                raise Stopped
            job.sofar = sofar
            if loop.time() - told >= TOLD_EVERY:
                told = loop.time()
                loop.call_soon_threadsafe(job.tell)

        try:
            given = (match, job.seat, session.sitters, self.tries, further, memory)
            work = loop.run_in_executor(self._pool, said_in, language(), look_back, *given)
            job.found = await work
            job.sofar = Sofar(job.of)
        except (Stopped, asyncio.CancelledError):
            job.failed = True
            raise asyncio.CancelledError from None
        except Exception:
            job.failed = True
            log.exception("no_review", match=logs.match_of(session))
        job.tell()

    async def wait(self, job: Job, seconds: float) -> None:
        """Wait until a job has ended, but no longer than so many seconds."""
        if job.task is not None:
            await asyncio.wait((job.task,), timeout=seconds)


def advice(
    game: GameModule,
    view: View,
    seat: int,
    seed: int,
    tries: int,
    tell: Callable[[int, int], None] = lambda done, of: None,
) -> list[Any]:
    """The moves of a seat, best first, from its view alone; `Refusal` where nothing can be said.

    `tell` is called with the worlds that are done, and how many there will be; what it raises ends the search.
    """
    from facedown.bots.coach import advise
    from facedown.core.coaching import NoCoach

    try:
        return advise(game, view, seat, seed, tries, tell=tell)
    except NoCoach as wrong:
        raise Refusal("conflict", _("There is no hint here: {why}.", why=wrong)) from None
