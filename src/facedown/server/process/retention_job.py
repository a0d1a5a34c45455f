"""What is old is deleted once an hour, as the settings say, a little at a time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from facedown.server.process import logs
from facedown.server.process.settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.store.retention import RetentionCounts, RetentionPolicy, delete_some

log = logs.logger()

#: How often, in seconds; each process at another time.
EVERY = 3600.0
#: Between two batches others have their turn.
BATCH_PAUSE = 0.2


async def run_retention_job(settings: ServerSettings, store: StoreThreads, now: Callable[[], float]) -> None:
    """Delete what is old, once an hour, until stopped."""
    while True:
        await asyncio.sleep(EVERY * random.uniform(0.5, 1.0))
        try:
            await delete_expired(settings, store, now)
        except Exception:
            log.exception("not_retired")


async def delete_expired(settings: ServerSettings, store: StoreThreads, now: Callable[[], float]) -> RetentionCounts:
    """Delete all that is too old now; how much that was."""
    keeping = RetentionPolicy(settings.keep_finished_days, settings.keep_lobby_days, settings.keep_people_days)
    total = RetentionCounts()
    if keeping == RetentionPolicy():
        return total
    while True:
        some = await store.run(delete_some, store.repository.engine, keeping, now())
        if some == RetentionCounts():
            return total
        total += some
        await asyncio.sleep(BATCH_PAUSE)
