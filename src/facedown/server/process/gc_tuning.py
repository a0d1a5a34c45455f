"""Tuning of Python's cyclic garbage collector: rare collections on a separate thread, rarer the longer they take.

A page consists of thousands of objects, but hardly any is part of a reference cycle, and all others are freed by
reference counting. By default the collector runs after a certain growth in objects and scans all that are still alive:
with a thousand tables that is nearly everything, and pauses the server for a second.
"""

from __future__ import annotations

import ctypes
import gc
import os
import threading
import time
from collections.abc import Callable

#: Minimum seconds between two collections. Moves leave nearly no garbage, requests about 50 objects, and the whole
#: process pauses during a collection.
SHORTEST = 120.0
#: Maximum fraction of the time spent on collections.
SHARE = 0.001
#: Number of new objects after which Python collects without waiting for the thread.
MANY = 1_000_000
#: C function that returns free memory to the system, if available. Small long-lived objects between freed buffers would
#: otherwise keep that memory allocated.
_TRIM: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None


def collect_and_trim() -> float:
    """Run the garbage collector and return free memory to the system. Return the seconds that this took."""
    begun = time.monotonic()
    gc.collect()
    if _TRIM is not None:
        _TRIM(0)
    return time.monotonic() - begun


def start_collector_thread() -> None:
    """Start the thread that collects garbage in this process.

    All existing objects, mostly modules, are excluded from collection, because they live as long as the process.
    """
    gc.freeze()
    gc.set_threshold(MANY)
    threading.Thread(target=_collect_loop, name="circles", daemon=True).start()


def _collect_loop() -> None:
    wait = SHORTEST
    while True:
        time.sleep(wait)
        wait = max(SHORTEST, collect_and_trim() / SHARE)
