"""Queue of jobs in the database, which processes claim, and the stored results of the coach's reviews.

No two jobs have the same kind, match and seat. A process claims a job for a limited time (the lease), renews the lease
while it works, and deletes the job when it is done. After `TRIES` attempts the job is deleted.

If the lease expires, any process may claim the job again. So a job must be safe to run twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError

from facedown.store import schema
from facedown.store.engine import execute, fetch_all, fetch_value, mark_as_writer, upsert, write_transaction
from facedown.store.processes import current_time_expression

log = logging.getLogger("facedown.store")

#: Number of failed attempts after which a job is deleted.
TRIES = 3
#: Value of `seat` for a job about all seats of a match.
ALL_SEATS = -1


@dataclass(frozen=True, slots=True)
class Job:
    """One job in the queue, such as the analysis of a finished match for one seat.

    `match_id` is the database id of the match, and `origin` the hashed IP address of the client that caused the job.
    """

    id: int
    kind: str
    match_id: int
    seat: int
    origin: str
    tries: int
    """Number of times that a process has claimed the job."""


#: Columns of the table of jobs, in the order of the fields of `Job`.
JOB = [schema.jobs.c[field.name] for field in fields(Job)]


class Jobs:
    """The queue of jobs in the database. Each method runs one transaction and may be called from any thread.

    `wall` is a function that returns the current Unix time in seconds. On SQLite it decides when leases expire; on
    PostgreSQL the clock of the database does.
    """

    def __init__(self, engine: Engine, wall: Callable[[], float]) -> None:
        self._engine = engine
        self._wall = wall

    def _now(self) -> sa.ColumnElement[float]:
        return current_time_expression(self._engine, self._wall)

    def _update_statement_if_owner(self, job: Job, owner: int) -> sa.Update:
        return sa.update(schema.jobs).where(schema.jobs.c.id == job.id, schema.jobs.c.owner == owner)

    @mark_as_writer
    def add(self, kind: str, match_id: int, seat: int, origin: str = "") -> bool:
        """Add a job for a match and a seat. `kind` says what is to be done, such as "review".

        If the queue already has a job of the same kind for this match and seat, leave that job unchanged.

        Return whether the match exists. If it does not exist, no job is added. `origin` is the hashed address of the
        client that caused the job.
        """
        try:
            with write_transaction(self._engine) as connection:
                key = {"kind": kind, "match_id": match_id, "seat": seat}
                upsert(connection, schema.jobs, key, {"origin": origin, "created": self._now()}, over=False)
        except IntegrityError:
            return False
        return True

    def exists(self, kind: str, match_id: int, seat: int) -> bool:
        """Return whether there is a job of this kind for this match and seat, waiting or running."""
        jobs = schema.jobs.c
        this = (jobs.kind == kind) & (jobs.match_id == match_id) & (jobs.seat == seat)
        return bool(fetch_value(self._engine, sa.select(sa.exists().where(this))))

    def unclaimed_in_fair_order(self, kind: str, most: int) -> list[Job]:
        """Return up to `most` unclaimed jobs with the given `kind`, in an order that is fair to all clients.

        First comes the oldest job of each origin (hashed client address), then the second oldest of each, and so on.
        """
        jobs = schema.jobs.c
        turn = sa.func.row_number().over(partition_by=jobs.origin, order_by=jobs.id)
        free = sa.select(*JOB).where(jobs.kind == kind, jobs.until < self._now()).order_by(turn, jobs.id)
        return [Job(*row) for row in fetch_all(self._engine, free.limit(most))]

    def count_waiting_and_running(self, kind: str, origin: str | None = None) -> int:
        """Return the number of jobs with the given `kind`, waiting or running.

        With `origin`, count only those that were caused by the client with this hashed address.
        """
        these = schema.jobs.c.kind == kind
        if origin is not None:
            these &= schema.jobs.c.origin == origin
        return int(fetch_value(self._engine, sa.select(sa.func.count()).where(these)))

    @mark_as_writer
    def claim(self, kind: str, owner: int, lease: float, among: Sequence[int] | None = None) -> Job | None:
        """Claim the oldest unclaimed job with the given `kind` for a process. Return the job; None if no job is free.

        `owner` is the id of the process. The lease lasts `lease` seconds. With `among`, only jobs with these ids are
        considered. No job is claimed by two processes at the same time.
        """
        jobs, now = schema.jobs.c, self._now()
        free = (jobs.kind == kind) & (jobs.until < now)
        if among is not None:
            free &= jobs.id.in_(among)
        # Skip rows that another process has locked at this moment.
        first = sa.select(jobs.id).where(free).order_by(jobs.id).limit(1).with_for_update(skip_locked=True)
        take = sa.update(schema.jobs).where(jobs.id.in_(first), jobs.until < now)
        take = take.values(owner=owner, until=now + lease, tries=jobs.tries + 1)
        with write_transaction(self._engine) as connection:
            taken = [Job(*row) for row in connection.execute(take.returning(*JOB))]
            if not taken or taken[0].tries <= TRIES:
                return next(iter(taken), None)
            self._give_up(connection, taken[0], "the process died at every try")
            return None

    @mark_as_writer
    def renew_lease(self, job: Job, owner: int, lease: float) -> bool:
        """Extend the lease of a job to `lease` seconds from now.

        Return False if the job is gone, or if a process other than `owner` has claimed it.
        """
        return bool(
            execute(self._engine, self._update_statement_if_owner(job, owner).values(until=self._now() + lease))
        )

    @mark_as_writer
    def give_back(self, job: Job, owner: int) -> None:
        """Release a job that the process `owner` has claimed, without counting the attempt, because the process is
        shutting down.
        """
        free = self._update_statement_if_owner(job, owner).values(owner=0, until=0.0, tries=schema.jobs.c.tries - 1)
        execute(self._engine, free)

    @mark_as_writer
    def free_or_delete_failed(self, job: Job, owner: int, why: str) -> bool:
        """Record that an attempt of the process `owner` failed, for the reason `why`. The job becomes free again, or is
        deleted after its last attempt.

        Return whether it was deleted.
        """
        with write_transaction(self._engine) as connection:
            if job.tries >= TRIES:
                self._give_up(connection, job, why)
                return True
            connection.execute(self._update_statement_if_owner(job, owner).values(owner=0, until=0.0))
            return False

    @mark_as_writer
    def delete_finished(self, job: Job) -> None:
        """Delete a job that is done, even if another process has claimed it by now.

        The caller must store the result of the job first.
        """
        execute(self._engine, sa.delete(schema.jobs).where(schema.jobs.c.id == job.id))

    def _give_up(self, connection: Connection, job: Job, why: str) -> None:
        connection.execute(sa.delete(schema.jobs).where(schema.jobs.c.id == job.id))
        what = f"{job.kind} of match {job.match_id}, seat {job.seat}"
        log.error("gave up %s after %d tries: %s", what, TRIES, why)


class Reviews:
    """Stored results of the coach's reviews of finished matches, as JSON texts (`study.match_analysis.moves_to_json`).

    Such a text contains the evaluation of each decision in numbers, without sentences in any language.

    Each method runs one transaction and may be called from any thread.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def review_json(self, match_id: int, seat: int) -> str | None:
        """Return the JSON text of the review of a match for a seat (−1: for all seats), or None if none is stored."""
        its = (schema.reviews.c.match_id == match_id) & (schema.reviews.c.seat == seat)
        found: str | None = fetch_value(self._engine, sa.select(schema.reviews.c.found).where(its))
        return found

    @mark_as_writer
    def store_review_json(self, match_id: int, seat: int, found: str, now: float) -> None:
        """Store the JSON text of the review of a match for a seat (−1: for all seats), replacing an older one."""
        # An IntegrityError is ignored: it means that the match was deleted meanwhile.
        with suppress(IntegrityError), write_transaction(self._engine) as connection:
            upsert(connection, schema.reviews, {"match_id": match_id, "seat": seat}, {"found": found, "made": now})
