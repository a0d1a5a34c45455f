"""The whole window of a terminal: drawn line by line, never scrolled, and the line that a person types."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from types import FrameType, ModuleType

from facedown.core.progress_line import disable_progress_lines

#: Seconds after which a signal is noticed at the latest.
#: Python's line editor looks for signals only when one wakes it from its wait for a key. One that comes while it still
#: takes a key in, or is about to wait, would be noticed with the next key: Ctrl-C typed fast did nothing once in a
#: hundred times.
SIGNAL_CHECK_SECONDS = 0.2
#: The size of a terminal that does not say how large it is.
DEFAULT_SIZE = (80, 24)

_ENTER = "\x1b[?1049h"
_LEAVE = "\x1b[r\x1b[?1049l"


class Resized(Exception):
    """The window has another size now: the question is put again."""


class Window:
    """A window that is taken over until `close`."""

    def __init__(self) -> None:
        self.stream = sys.stdout
        self.is_open = False
        self.asking = False
        self.typed_before_resize = ""
        """What was typed when the window changed its size."""

    def open(self) -> None:
        """Take the window over."""
        if self.is_open:
            return
        self.is_open = True
        disable_progress_lines()
        self.stream.write(_ENTER)
        if hasattr(signal, "SIGWINCH"):
            # Before the line editor is loaded: it keeps the handler that it finds, and calls it.
            signal.signal(signal.SIGWINCH, self._resized)

    def close(self) -> None:
        """Give the window back as it was."""
        if not self.is_open:
            return
        self.is_open = False
        if hasattr(signal, "SIGWINCH"):
            signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            self.stream.write(_LEAVE)
            self.stream.flush()

    def _resized(self, number: int, frame: FrameType | None) -> None:
        if self.asking:
            raise Resized

    def size(self) -> tuple[int, int]:
        """Columns and rows, as they are now."""
        try:
            columns, rows = os.get_terminal_size(self.stream.fileno())
        except (OSError, ValueError):
            return DEFAULT_SIZE
        return columns or DEFAULT_SIZE[0], rows or DEFAULT_SIZE[1]

    def draw(self, lines: Sequence[str]) -> None:
        """Draw all rows but the last; the cursor stands in the last one."""
        self.open()
        _, height = self.size()
        # All rows but the last may scroll: so Enter in the last one moves nothing.
        parts = [f"\x1b[1;{max(2, height - 1)}r"]
        for row in range(1, height):
            parts.append(f"\x1b[{row};1H{lines[row - 1] if row <= len(lines) else ''}\x1b[0m\x1b[K")
        parts.append(f"\x1b[{height};1H\x1b[K")
        self.stream.write("".join(parts))
        self.stream.flush()

    def ask(self, prompt: str) -> str | None:
        """A line from the person, or nothing when the window was resized: then it is drawn and asked again."""
        editor = _editor()
        if editor:
            # A long line moves sideways: below the last row no line is left.
            editor.parse_and_bind("set horizontal-scroll-mode on")
            editor.parse_and_bind("set enable-bracketed-paste off")
            # No function of ours: the line editor drops what is raised in it, an interrupt too.
            editor.set_startup_hook(
                partial(editor.insert_text, self.typed_before_resize) if self.typed_before_resize else None
            )
        self.typed_before_resize = ""
        try:
            self.asking = True
            return read_line(prompt)
        except Resized:
            self.typed_before_resize = editor.get_line_buffer() if editor else ""
            return None
        finally:
            self.asking = False


def _editor() -> ModuleType | None:
    """The line editor, where the system has one."""
    try:
        import readline
    except ImportError:
        return None
    return readline


# --- a typed line -----------------------------------------------------------------------------------------------------


def read_line(prompt: str) -> str:
    """What the person types.

    Raises:
        EOFError: There is nothing more to come.
    """
    if not sys.stdin.isatty():
        return input(prompt)
    # Editing and history of the line, where the system has it.
    _editor()
    with _keep_keys_on_interrupt(), _wake_periodically():
        return input(prompt)


@contextlib.contextmanager
def _keep_keys_on_interrupt() -> Iterator[None]:
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
def _wake_periodically() -> Iterator[None]:
    """Wake the line editor now and then, so that it looks for signals."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    # The handler stays: the last alarm may come when nobody waits any more.
    signal.signal(signal.SIGALRM, _alarm)
    signal.setitimer(signal.ITIMER_REAL, SIGNAL_CHECK_SECONDS, SIGNAL_CHECK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _alarm(number: int, frame: FrameType | None) -> None:
    """Nothing is to be done: looking is all."""
