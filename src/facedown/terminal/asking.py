"""A line from the person at a terminal, and no signal missed meanwhile."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator
from types import FrameType

#: Seconds after which a signal is noticed at the latest.
#: Python's line editor looks for signals only when one wakes it from its wait for a key. One that comes while it still
#: takes a key in, or is about to wait, would be noticed with the next key: Ctrl-C typed fast did nothing once in a
#: hundred times.
NOTICED = 0.2


def line(prompt: str) -> str:
    """What the person types.

    Raises:
        EOFError: There is nothing more to come.
    """
    if not sys.stdin.isatty():
        return input(prompt)
    # Editing and history of the line, where the system has it.
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401
    with _kept(), _woken():
        return input(prompt)


@contextlib.contextmanager
def _kept() -> Iterator[None]:
    """Ctrl-C does not take keys from the line editor that it was told of already.

    It would wait for them and look for nothing else: no Ctrl-C was noticed any more, only another key.
    """
    try:
        import termios
    except ImportError:
        yield
        return
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    kept = [*before]
    kept[3] |= termios.NOFLSH
    termios.tcsetattr(keyboard, termios.TCSANOW, kept)
    try:
        yield
    except KeyboardInterrupt:
        # What Ctrl-C takes usually: nobody else is to read it.
        termios.tcflush(keyboard, termios.TCIFLUSH)
        raise
    finally:
        with contextlib.suppress(termios.error):
            # The window may be gone.
            termios.tcsetattr(keyboard, termios.TCSANOW, before)


@contextlib.contextmanager
def _woken() -> Iterator[None]:
    """Wake the line editor now and then, so that it looks for signals."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    # The handler stays: the last alarm may come when nobody waits any more.
    signal.signal(signal.SIGALRM, _alarm)
    signal.setitimer(signal.ITIMER_REAL, NOTICED, NOTICED)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _alarm(number: int, frame: FrameType | None) -> None:
    """Nothing is to be done: looking is all."""
