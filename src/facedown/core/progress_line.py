"""A line on the error stream about something that takes a while, for a person at a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: Seconds after which a person begins to wonder.
PRINT_DELAY = 0.8


class _LineSettings:
    """Are lines printed?"""

    enabled = True


def disable_progress_lines() -> None:
    """Print nothing from now on: this program draws its own window, or says itself what it does."""
    _LineSettings.enabled = False


@contextmanager
def print_if_slow(text: str, patience: float = PRINT_DELAY) -> Iterator[None]:
    """Print `text` to the error stream, if that is a terminal, once the block has taken `patience` seconds."""
    if not _LineSettings.enabled or sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    timer = threading.Timer(patience, print, (text,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
