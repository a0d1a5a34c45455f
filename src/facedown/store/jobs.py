"""Jobs, rows that a process claims for a while and whose lease it renews while it works; and the coach's reviews.

A job is there once for each kind, match and seat. Whoever is done deletes it; what a process took and did not speak of
any more is anybody's again. That it may be done twice must do no harm. After `TRIES` it is given up.
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
from facedown.store.engine import execute, fetch_all, fetch_value, upsert, writes, writing
from facedown.store.processes import now_of

log = logging.getLogger("facedown.store")

#: So often is a job begun before it is given up.
TRIES = 3
#: The seat of work that concerns all seats.
ALL_SEATS = -1


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work."""

    id: int
    kind: str
    match_id: int
    seat: int
    origin: str
    tries: int
    """How often it was begun."""


#: The columns of a job, in the order of its fields.
JOB = [schema.jobs.c[field.name] for field in fields(Job)]


class Jobs:
    """The work on a database. Every method is one transaction and may be called from any thread."""

    def __init__(self, engine: Engine, wall: Callable[[], float]) -> None:
        self._engine = engine
        self._wall = wall

    def _now(self) -> sa.ColumnElement[float]:
        return now_of(self._engine, self._wall)

    def _mine(self, job: Job, owner: int) -> sa.Update:
        return sa.update(schema.jobs).where(schema.jobs.c.id == job.id, schema.jobs.c.owner == owner)

    @writes
    def add(self, kind: str, match_id: int, seat: int, origin: str = "") -> bool:
        """Let something be done; again is no harm. False if there is no such match."""
        try:
            with writing(self._engine) as connection:
                key = {"kind": kind, "match_id": match_id, "seat": seat}
                upsert(connection, schema.jobs, key, {"origin": origin, "created": self._now()}, over=False)
        except IntegrityError:
            return False
        return True

    def there(self, kind: str, match_id: int, seat: int) -> bool:
        """Is it still to be done?"""
        jobs = schema.jobs.c
        this = (jobs.kind == kind) & (jobs.match_id == match_id) & (jobs.seat == seat)
        return bool(fetch_value(self._engine, sa.select(sa.exists().where(this))))

    def waiting(self, kind: str, most: int) -> list[Job]:
        """What nobody has taken, the oldest of every origin before any second one, and so on."""
        jobs = schema.jobs.c
        turn = sa.func.row_number().over(partition_by=jobs.origin, order_by=jobs.id)
        free = sa.select(*JOB).where(jobs.kind == kind, jobs.until < self._now()).order_by(turn, jobs.id)
        return [Job(*row) for row in fetch_all(self._engine, free.limit(most))]

    def count(self, kind: str, origin: str | None = None) -> int:
        """How much is to be done, of one origin or in all."""
        these = schema.jobs.c.kind == kind
        if origin is not None:
            these &= schema.jobs.c.origin == origin
        return int(fetch_value(self._engine, sa.select(sa.func.count()).where(these)))

    @writes
    def claim(self, kind: str, owner: int, lease: float, among: Sequence[int] | None = None) -> Job | None:
        """Take one that nobody has (`among` some, the first that is free): the same is never taken twice at a time."""
        jobs, now = schema.jobs.c, self._now()
        free = (jobs.kind == kind) & (jobs.until < now)
        if among is not None:
            free &= jobs.id.in_(among)
        # Whatever another process has locked just now is passed over.
        first = sa.select(jobs.id).where(free).order_by(jobs.id).limit(1).with_for_update(skip_locked=True)
        take = sa.update(schema.jobs).where(jobs.id.in_(first), jobs.until < now)
        take = take.values(owner=owner, until=now + lease, tries=jobs.tries + 1)
        with writing(self._engine) as connection:
            taken = [Job(*row) for row in connection.execute(take.returning(*JOB))]
            if not taken or taken[0].tries <= TRIES:
                return next(iter(taken), None)
            self._give_up(connection, taken[0], "whoever began it died each time")
            return None

    @writes
    def renew(self, job: Job, owner: int, lease: float) -> bool:
        """Say that it is still being done; False if it is somebody else's by now, or done."""
        return bool(execute(self._engine, self._mine(job, owner).values(until=self._now() + lease)))

    @writes
    def give_back(self, job: Job, owner: int) -> None:
        """Leave it to others, as if it had not been begun: this process ends."""
        free = self._mine(job, owner).values(owner=0, until=0.0, tries=schema.jobs.c.tries - 1)
        execute(self._engine, free)

    @writes
    def failed(self, job: Job, owner: int, why: str) -> bool:
        """It did not work: it is tried again, or given up; True if it was given up."""
        with writing(self._engine) as connection:
            if job.tries >= TRIES:
                self._give_up(connection, job, why)
                return True
            connection.execute(self._mine(job, owner).values(owner=0, until=0.0))
            return False

    @writes
    def finish(self, job: Job) -> None:
        """It is done: its fruit stands elsewhere."""
        execute(self._engine, sa.delete(schema.jobs).where(schema.jobs.c.id == job.id))

    def _give_up(self, connection: Connection, job: Job, why: str) -> None:
        connection.execute(sa.delete(schema.jobs).where(schema.jobs.c.id == job.id))
        what = f"{job.kind} of match {job.match_id}, seat {job.seat}"
        log.error("%s is given up after %d tries: %s", what, TRIES, why)


class Reviews:
    """What the coach found in finished matches, as numbers in JSON. Methods are transactions, for any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def found(self, match_id: int, seat: int) -> str | None:
        """What was found from a seat (-1: from all), or None."""
        its = (schema.reviews.c.match_id == match_id) & (schema.reviews.c.seat == seat)
        found: str | None = fetch_value(self._engine, sa.select(schema.reviews.c.found).where(its))
        return found

    @writes
    def keep(self, match_id: int, seat: int, found: str, now: float) -> None:
        """Write down what was found, in place of what an earlier program may have found."""
        # The match may be gone.
        with suppress(IntegrityError), writing(self._engine) as connection:
            upsert(connection, schema.reviews, {"match_id": match_id, "seat": seat}, {"found": found, "made": now})
