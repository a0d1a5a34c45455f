"""Tuning of Python's cyclic garbage collector: a separate thread runs the collector, at long intervals.

By default the collector runs whenever the number of objects has grown enough, and scans all objects that are still
alive. With a thousand tables in memory, such a run pauses the server for a second and finds little. A page of a table
is built from thousands of Python objects, but hardly any of them is part of a reference cycle. All others are freed by
reference counting.

The thread that this module starts waits at least `SHORTEST` seconds between two collections. After a long collection it
waits even longer, so that collections take at most the fraction `SHARE` of the time.
"""

from __future__ import annotations

import ctypes
import gc
import os
import threading
import time
from collections.abc import Callable

#: Minimum seconds between two collections. The interval is long because the whole process pauses during a collection.
#: Little garbage builds up meanwhile: a move leaves nearly none, and a request leaves about 50 objects.
SHORTEST = 120.0
#: Maximum fraction of the running time of the process that collections may take.
SHARE = 0.001
#: Number of new objects after which Python itself runs a collection, without waiting for the collector thread.
MANY = 1_000_000
#: C function that returns free memory to the system; None if the system has no such function. Without it, freed buffers
#: between small long-lived objects would stay allocated.
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
