"""A word to whoever waits at a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: So long does nobody wonder, in seconds.
PATIENCE = 0.8


@contextmanager
def said_if_long(text: str, patience: float = PATIENCE) -> Iterator[None]:
    """Say on the error stream what is being done, if it takes a while and somebody sits there."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    timer = threading.Timer(patience, print, (text,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
