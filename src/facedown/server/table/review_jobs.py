"""Review jobs: any process may analyse a finished match, in short time slices, and store the analysis.

The stored analysis has only numbers and no texts, so that a review in any language can be made from it. A process
claims a job for a limited time (a lease) and renews the lease while it works.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from facedown.bots.warm_up import COACH
from facedown.play import Session
from facedown.server.cluster.worker_delegation import WorkerStatus
from facedown.server.process import logs
from facedown.server.process.broadcast_event import BroadcastEvent
from facedown.server.process.server_settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.server.scheduling import Rank, Share, ThreadLanes
from facedown.server.scheduling.game_compiler import GameCompiler
from facedown.store.jobs import ALL_SEATS, Job
from facedown.study.match_analysis import Analysis, AnalyzedMove, moves_from_json, moves_to_json
from facedown.study.review import ReviewBuilder, ReviewProgress

log = logs.logger()

#: Length of a time slice of an analysis in seconds; other work gets its turn between two slices.
SLICE = 0.1
#: Seconds between two reports of an analysis' progress.
PROGRESS_INTERVAL = 1.0
#: Maximum number of jobs that one process works on at the same time. There is at most one for each client address from
#: which tables were opened.
MAX_CONCURRENT_JOBS = 8
#: Maximum number of waiting jobs that are read to choose the next ones.
MAX_JOBS_EXAMINED = 200


class ReviewWork:
    """Background service of this process that runs review jobs: it analyses finished matches and stores the analyses.

    It also reads stored analyses, and reports the progress of its jobs. Requests for reviews (`Coach`) use both.
    """

    KIND = "review"

    def __init__(
        self,
        settings: ServerSettings,
        store: StoreThreads,
        thinking: ThreadLanes,
        preparations: GameCompiler,
        elsewhere: WorkerStatus,
        now: Callable[[], float],
    ) -> None:
        self.settings = settings
        self.store = store
        self.thinking = thinking
        self._preparations = preparations
        self._elsewhere = elsewhere
        self._now = now
        self._bell = asyncio.Event()
        self._progress = BroadcastEvent()
        self._sofar: dict[tuple[int, int], ReviewProgress] = {}
        """Progress of the jobs under way in this process, by match id and seat (−1: all seats)."""
        self._origins: set[str] = set()
        """Origins of the jobs under way in this process, at most one job for each. An origin is the hashed address of
        the client that opened the table."""
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start the background task that looks for waiting jobs and runs them."""
        self._start_background_task(self._take_jobs_forever())

    async def stop(self) -> None:
        """Cancel the jobs under way in this process and release them, so that other processes can take them."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def wake(self) -> None:
        """Make the background task look for jobs at once. Call this after adding a job."""
        self._bell.set()

    def _start_background_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # --- results and progress -----------------------------------------------------------------------------------------

    async def stored_analysis(self, match: int, seat: int) -> Sequence[AnalyzedMove] | None:
        """Return the stored analysis of a seat's decisions (−1: of all seats) in a match; None if none is stored.

        `match` is the database id of the match.
        """
        text = await self.store.run(self.store.repository.reviews.review_json, match, seat)
        return None if text is None else moves_from_json(text)

    async def wait_for_any_job_progress(self, match: int, seat: int) -> ReviewProgress | None:
        """Wait until any review job of this process makes progress, then return the progress of the job for `seat`.

        `match` is the database id of the match. `seat` −1 means the job for the decisions of all seats. Return None if
        this process is not working on the job.

        All jobs notify the same event, so the returned progress may be the same as before. The wait takes at most
        `jobs_every` seconds (a setting).
        """
        await self._progress.wait(self.settings.jobs_every)
        return self._sofar.get((match, seat))

    # --- computation --------------------------------------------------------------------------------------------------

    async def _take_jobs_forever(self) -> None:
        """Look for waiting review jobs in a loop and start them, until cancelled. Errors are logged.

        * The loop looks for jobs when `wake` is called, and at least every `jobs_every` seconds (a setting).
        * Several jobs may run at the same time, at most `MAX_CONCURRENT_JOBS`. Of these, at most one may have the same
          origin (hashed address of the client that opened the table).
        * If worker processes do the reviews (`WorkerStatus.should_delegate`), the loop starts no jobs.
        """
        while True:
            self._bell.clear()
            try:
                for job in await self._waiting_jobs_unless_delegated():
                    if job.origin not in self._origins and len(self._origins) < MAX_CONCURRENT_JOBS:
                        self._origins.add(job.origin)
                        self._start_background_task(self._claim_and_run_job(job))
            except SQLAlchemyError as wrong:
                log.warning("not_looked_for_work", why=logs.safe_error_text(wrong))
            except Exception:
                log.exception("not_looked_for_work")
            # Not `asyncio.wait_for`: before Python 3.12 it ignores a cancellation at the moment when the event is set.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self.settings.jobs_every):
                    await self._bell.wait()

    async def _waiting_jobs_unless_delegated(self) -> list[Job]:
        if await self._elsewhere.should_delegate():
            return []
        return await self.store.run(self.store.repository.jobs.unclaimed_in_fair_order, self.KIND, MAX_JOBS_EXAMINED)

    async def _claim_and_run_job(self, waiting: Job) -> None:
        me = self.store.repository.processes.id
        try:
            job = await self._claim(waiting, me)
            if job is not None:
                await self._run_job(job, me)
                self._bell.set()
        except SQLAlchemyError as wrong:
            # The job's lease will expire, and then some process takes the job again.
            log.warning("review_not_written", why=logs.safe_error_text(wrong))
        finally:
            self._origins.discard(waiting.origin)
            self._progress.notify_all()

    async def _claim(self, waiting: Job, me: int) -> Job | None:
        """Claim and return a job for the process `me`; return None if another process has it.

        If the calling asyncio task is cancelled during the claim, the job is released again.
        """
        jobs = self.store.repository.jobs
        lease = self.settings.job_lease
        taking = asyncio.ensure_future(self.store.run(jobs.claim, self.KIND, me, lease, (waiting.id,)))
        try:
            return await asyncio.shield(taking)
        except asyncio.CancelledError:
            if (job := await taking) is not None:
                await self.store.run(jobs.give_back, job, me)
            raise

    async def _run_job(self, job: Job, me: int) -> None:
        jobs = self.store.repository.jobs
        renewing = asyncio.get_running_loop().create_task(self._renew_lease_until_cancelled(job, me))
        try:
            found = await self._analyze_unless_stored(job)
            if found is not None:
                keep, now = self.store.repository.reviews.store_review_json, self._now()
                await self.store.run(keep, job.match_id, job.seat, moves_to_json(found), now)
            await self.store.run(jobs.delete_finished, job)
        except asyncio.CancelledError:
            await self.store.run(jobs.give_back, job, me)
            raise
        except SQLAlchemyError:
            raise
        except Exception as wrong:
            log.exception("review_failed", number=job.match_id, seat=job.seat)
            await self.store.run(jobs.free_or_delete_failed, job, me, f"{type(wrong).__name__}: {wrong}")
        finally:
            renewing.cancel()
            self._sofar.pop((job.match_id, job.seat), None)

    async def _analyze_unless_stored(self, job: Job) -> Sequence[AnalyzedMove] | None:
        """Return the analysis of a job's match; None if the match is gone or its analysis is stored already."""
        loaded = await self.store.run(self.store.repository.load_by_table_id, job.match_id)
        if loaded is None or await self.stored_analysis(job.match_id, job.seat) is not None:
            return None
        await self._preparations.load_rules(loaded.record.game)
        await self._preparations.wait_until_compiled(loaded.record.game, COACH)
        share = Share(job.origin, f"{self.KIND} {loaded.record.code}", Rank.LATER)
        seat = None if job.seat == ALL_SEATS else job.seat

        def begin() -> tuple[Analysis, ReviewBuilder]:
            session = Session(loaded.record, loaded.moves)
            tries = self.settings.review_tries
            return Analysis(session.dealt_match, seat, tries), ReviewBuilder(session.dealt_match, session.sitters)

        analysis, walk = await self.thinking.run_in_slow_lane(share, begin)
        loop = asyncio.get_running_loop()
        told = loop.time()
        while not await self.thinking.run_in_slow_lane(share, analysis.run_for, SLICE):
            if loop.time() - told >= PROGRESS_INTERVAL:
                told = loop.time()
                sofar = await self.thinking.run_in_slow_lane(share, walk.progress_so_far, seat, analysis)
                self._sofar[job.match_id, job.seat] = sofar
                self._progress.notify_all()
        return analysis.found

    async def _renew_lease_until_cancelled(self, job: Job, me: int) -> None:
        """Renew this process's lease of a job three times per lease period, until cancelled.

        The lease keeps other processes from claiming the job. `me` is the id of this process in the database. A failed
        renewal is ignored; the next one may succeed.
        """
        lease = self.settings.job_lease
        while True:
            await asyncio.sleep(lease / 3)
            with contextlib.suppress(SQLAlchemyError):
                await self.store.run(self.store.repository.jobs.renew_lease, job, me, lease)
