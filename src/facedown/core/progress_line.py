"""Progress message on the error stream for a slow operation, shown only in a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

#: Number of seconds that an operation may take before its progress message is printed.
PRINT_DELAY = 0.8


class _LineSettings:
    """Setting for all progress messages of this process. If `enabled` is false, none of them is printed."""

    enabled = True


def disable_progress_lines() -> None:
    """Switch off the progress messages of this process.

    Programs that draw a full-screen interface or report progress themselves call this function.
    """
    _LineSettings.enabled = False


@contextmanager
def print_if_slow(text: str, patience: float = PRINT_DELAY) -> Iterator[None]:
    """Print `text` to the error stream if the ``with`` block takes longer than `patience` seconds.

    Nothing is printed if the error stream is not a terminal.
    """
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
