"""When the garbage collector looks for circles: rarely, and the more rarely the longer it takes.

A page is thousands of objects, and hardly any of them stands in a circle; what stands in none goes by itself. Left to
itself the collector looks whenever there are so many more objects than before, and then it looks through all that was
made since and is still there: with a thousand tables that is nearly everything, and everybody waits for a second.
"""

from __future__ import annotations

import ctypes
import gc
import os
import threading
import time
from collections.abc import Callable

#: It is looked at most so often, in seconds: a move leaves next to nothing, a request some 50 objects, and everybody
#: waits for as long as a look takes.
SHORTEST = 120.0
#: Looking takes no more than this share of the time.
SHARE = 0.001
#: Number of new objects after which Python collects at once.
MANY = 1_000_000
#: Gives memory that is free back to the machine, with the C libraries that can: where pages were packed and sent, small
#: things that stay keep the room between them taken.
_TRIM: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None


def collect_and_trim() -> float:
    """Look for circles now, and give back what is free; returns how many seconds that took."""
    begun = time.monotonic()
    gc.collect()
    if _TRIM is not None:
        _TRIM(0)
    return time.monotonic() - begun


def start_collector_thread() -> None:
    """From now on circles are looked for in this process by a thread of its own.

    What is there already, the modules above all, stays as long as the process does, and is not looked through.
    """
    gc.freeze()
    gc.set_threshold(MANY)
    threading.Thread(target=_collect_loop, name="circles", daemon=True).start()


def _collect_loop() -> None:
    wait = SHORTEST
    while True:
        time.sleep(wait)
        wait = max(SHORTEST, collect_and_trim() / SHARE)
