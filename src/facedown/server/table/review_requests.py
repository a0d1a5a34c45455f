"""Requests for the coach's reviews of finished matches.

The analysis of a match is stored in the database as numbers, without texts. So every process can make a review in any
language from it, even after a restart.

If an analysis is not stored yet, any process on the same database may compute it. Meanwhile, the process that requested
the analysis waits for the result. The pages show the progress only if the requesting process computes the analysis
itself.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence

from facedown.core.translation import language
from facedown.play import Refusal, Session
from facedown.server.i18n import _
from facedown.server.process import logs
from facedown.server.scheduling import Share
from facedown.server.table.review_jobs import ReviewWork
from facedown.store.jobs import ALL_SEATS
from facedown.study.match_analysis import AnalyzedMove
from facedown.study.review import FullReview, ReviewProgress, review_match

log = logs.logger()

#: Key of a review: table code, seat (None: all seats) and language.
ReviewKey = tuple[str, int | None, str]


#: Longest time, in seconds, that a page waits for a review. It is enough if the analysis is stored and only the texts
#: of the review have to be made.
PAGE_WAITS = 0.4


class ReviewRequest:
    """Request for the review of one seat's decisions in a match: waiting, in progress, done or failed."""

    def __init__(self, seat: int | None, of: int, origin: str = "") -> None:
        self.seat = seat
        self.sofar = ReviewProgress(0)
        """Progress of the review."""
        self.of = of
        self.origin = origin
        self.found: FullReview | None = None
        self.failed = False
        self.readers: set[Callable[[], None]] = set()
        """Callbacks for progress and for the end of the review."""
        self.task: asyncio.Task[None] | None = None

    @property
    def ended(self) -> bool:
        """Whether the review is done or failed."""
        return self.found is not None or self.failed

    def call_callbacks(self) -> None:
        """Tell all `readers` that the review has progressed or ended, by calling them. After the end, remove them."""
        for reader in list(self.readers):
            reader()
        if self.ended:
            self.readers.clear()


class Coach:
    """Registry of the requests for reviews of finished matches in this process.

    It holds all requests in progress and the newest requests that have ended.
    """

    def __init__(self, work: ReviewWork) -> None:
        self.work = work
        self._jobs: OrderedDict[ReviewKey, ReviewRequest] = OrderedDict()

    async def stop(self) -> None:
        """Cancel the requests for reviews in this process, and the review jobs on which this process works.

        The jobs stay in the database, so other processes can take them over.
        """
        tasks = [job.task for job in self._jobs.values() if job.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.work.stop()

    def has_request(self, session: Session, seat: int) -> bool:
        """Return whether the review of a seat's decisions, in the current language, was requested already."""
        return self._key(session, seat) in self._jobs

    def _key(self, session: Session, seat: int) -> ReviewKey:
        return session.code, None if session.game.info.together else seat, language()

    def finished_review_in_memory(self, session: Session, seat: int) -> FullReview | None:
        """Return the finished review of a seat's decisions if it is in memory, else None. Do not request one."""
        job = self._jobs.get(self._key(session, seat))
        return None if job is None else job.found

    def request_review(self, session: Session, seat: int, again: bool = False) -> ReviewRequest:
        """Return the request for the review of a seat's decisions in a match. If there is no request, start a new one.

        A failed review is tried again only if `again` is true (the player asked for it). Raise `Refusal` for an unknown
        seat, while the match is running, or if too many reviews wait.
        """
        match = session.require_ended_match(_("This match is not over yet. The coach will review it when it ends."))
        if not 0 <= seat < match.seats:
            raise Refusal(
                "malformed",
                _("Seat {seat} does not exist: seats are numbered 0 to {last}.", seat=seat, last=match.seats - 1),
            )
        asked = self._key(session, seat)
        job = self._jobs.get(asked)
        if job is None or (job.failed and again):
            self._require_capacity(session.record.origin)
            job = self._jobs[asked] = ReviewRequest(asked[1], match.ply, session.record.origin)
            job.task = asyncio.get_running_loop().create_task(self._run_review(job, session))
        self._jobs.move_to_end(asked)
        ended = [key for key, old in self._jobs.items() if old.ended and old is not job]
        for key in ended[: max(0, len(self._jobs) - self.work.settings.reviews_kept)]:
            del self._jobs[key]
        return job

    def _require_capacity(self, origin: str) -> None:
        waiting = [job for job in self._jobs.values() if not job.ended]
        if len(waiting) >= self.work.settings.reviews_waiting:
            raise Refusal("too-fast", _("The coach has many matches to review. Ask again in a minute."))
        if sum(job.origin == origin for job in waiting) >= self.work.settings.reviews_of_origin:
            raise Refusal("too-fast", _("The coach is still reviewing the matches you asked about earlier."))

    async def _run_review(self, job: ReviewRequest, session: Session) -> None:
        match, sitters, memory = session.dealt_match, session.sitters, session.record.settings.memory
        try:
            found = await self._load_or_await_analysis(job, session)
            if found is not None:
                # The moves before a player took a seat over are those of a bot.
                found = [one for one in found if one.ply >= session.record.seats[one.seat].since]
                share = Share(job.origin, session.code)
                job.found = await self.work.thinking.run_in_slow_lane(
                    share, review_match, match, job.seat, sitters, found, memory
                )
                job.sofar = ReviewProgress(job.of)
        except Exception:
            log.exception("no_review", match=logs.match_log_name(session))
        finally:
            job.failed = job.found is None
        job.call_callbacks()

    async def _load_or_await_analysis(self, job: ReviewRequest, session: Session) -> Sequence[AnalyzedMove] | None:
        """Return the analysis of a match: the stored one if there is one, else wait until some process has computed it.

        Return None if the match was deleted or the job of computing the analysis was given up.
        """
        seat, store = ALL_SEATS if job.seat is None else job.seat, self.work.store
        number = await store.run(store.repository.table_id, session.code)
        if number is None:
            return None
        if (found := await self.work.stored_analysis(number, seat)) is not None:
            return found
        jobs, waits = store.repository.jobs, True
        await store.run(jobs.add, self.work.KIND, number, seat, job.origin)
        self.work.wake()
        while found is None and waits:
            if (sofar := await self.work.wait_for_any_job_progress(number, seat)) is not None:
                job.sofar = sofar
                job.call_callbacks()
            # Look for the job first, then for the result. A job is removed after its result is stored. So if the job is
            # missing, the result is found. In the other order, both could happen between the two queries, and neither
            # the result nor the job would be found.
            waits = await store.run(jobs.exists, self.work.KIND, number, seat)
            found = await self.work.stored_analysis(number, seat)
        return found

    async def wait_for_review_end(self, job: ReviewRequest, seconds: float = PAGE_WAITS) -> None:
        """Wait until a review has ended, for at most `seconds`."""
        if job.task is not None:
            await asyncio.wait((job.task,), timeout=seconds)
