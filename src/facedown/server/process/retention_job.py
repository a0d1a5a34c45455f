"""Hourly job that deletes old data in small batches, according to the retention settings."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from facedown.server.process import logs
from facedown.server.process.server_settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.store.retention import RetentionCounts, RetentionPolicy, delete_expired_batch

log = logs.logger()

#: Maximum seconds between two runs. The actual time is random, so that several processes run the job at different
#: times.
EVERY = 3600.0
#: Seconds of pause between two batches, in which other database work can run.
BATCH_PAUSE = 0.2


async def run_retention_job(settings: ServerSettings, store: StoreThreads, now: Callable[[], float]) -> None:
    """Delete data older than the retention settings allow, about once an hour, until cancelled.

    `now` returns Unix time in seconds.
    """
    while True:
        await asyncio.sleep(EVERY * random.uniform(0.5, 1.0))
        try:
            await delete_expired(settings, store, now)
        except Exception:
            log.exception("not_retired")


async def delete_expired(settings: ServerSettings, store: StoreThreads, now: Callable[[], float]) -> RetentionCounts:
    """Delete all data older than the retention settings allow, and return the number of deleted rows of each kind."""
    keeping = RetentionPolicy(settings.keep_finished_days, settings.keep_lobby_days, settings.keep_people_days)
    total = RetentionCounts()
    while True:
        some = await store.run(delete_expired_batch, store.repository.engine, keeping, now())
        if some == RetentionCounts():
            return total
        total += some
        await asyncio.sleep(BATCH_PAUSE)
