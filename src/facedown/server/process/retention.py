"""What is old is deleted once an hour, as the settings say, a little at a time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable

from facedown.server.process import logs
from facedown.server.process.settings import ServerSettings
from facedown.server.process.store_threads import StoreThreads
from facedown.store.retention import Keeping, Old, delete_some

log = logs.logger()

#: How often, in seconds; each process at another time.
EVERY = 3600.0
#: Between two batches others have their turn.
BREATH = 0.2


async def tidy(settings: ServerSettings, store: StoreThreads, now: Callable[[], float]) -> None:
    """Delete what is old, once an hour, until stopped."""
    while True:
        await asyncio.sleep(EVERY * random.uniform(0.5, 1.0))
        try:
            await tidy_once(settings, store, now)
        except Exception:
            log.exception("not_retired")


async def tidy_once(settings: ServerSettings, store: StoreThreads, now: Callable[[], float]) -> Old:
    """Delete all that is too old now; how much that was."""
    keeping = Keeping(settings.keep_finished_days, settings.keep_lobby_days, settings.keep_people_days)
    total = Old()
    if keeping == Keeping():
        return total
    while True:
        some = await store.run(delete_some, store.repository.engine, keeping, now())
        if some == Old():
            return total
        total += some
        await asyncio.sleep(BREATH)
