"""Full-screen window in a terminal. It redraws all lines without scrolling, and reads a line that the player types."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from types import FrameType, ModuleType

from facedown.core.progress_line import disable_progress_lines

#: Longest delay, in seconds, before a signal is handled. Python's line editor handles a signal at once only if the
#: editor is waiting for a key. A signal that arrives while a key is processed would be handled only after the next key.
#: So in one of a hundred cases, a quickly typed Ctrl-C had no effect.
SIGNAL_CHECK_SECONDS = 0.2
#: Number of columns and rows of a terminal that does not report its size.
DEFAULT_SIZE = (80, 24)

_ENTER = "\x1b[?1049h"
_LEAVE = "\x1b[r\x1b[?1049l"


class Resized(Exception):
    """Exception raised when the terminal has a new size, so that the screen must be drawn again."""


class Window:
    """A window that covers the whole terminal until `close` is called."""

    def __init__(self) -> None:
        self.stream = sys.stdout
        self.is_open = False
        self.asking = False
        self.typed_before_resize = ""
        """Text that the player had typed when the window was last resized. `ask` puts it into the input line again."""

    def open(self) -> None:
        """Switch to the alternate screen of the terminal, and handle changes of the window size."""
        if self.is_open:
            return
        self.is_open = True
        disable_progress_lines()
        self.stream.write(_ENTER)
        if hasattr(signal, "SIGWINCH"):
            # Install the handler before the line editor is imported. The editor then installs its own handler, which
            # calls `_on_resize`.
            signal.signal(signal.SIGWINCH, self._on_resize)

    def close(self) -> None:
        """Switch back to the normal screen of the terminal."""
        if not self.is_open:
            return
        self.is_open = False
        if hasattr(signal, "SIGWINCH"):
            signal.signal(signal.SIGWINCH, signal.SIG_DFL)
        with contextlib.suppress(OSError):
            self.stream.write(_LEAVE)
            self.stream.flush()

    def _on_resize(self, number: int, frame: FrameType | None) -> None:
        if self.asking:
            raise Resized

    def size(self) -> tuple[int, int]:
        """Return the current number of columns and rows of the terminal."""
        try:
            columns, rows = os.get_terminal_size(self.stream.fileno())
        except (OSError, ValueError):
            return DEFAULT_SIZE
        return columns or DEFAULT_SIZE[0], rows or DEFAULT_SIZE[1]

    def draw(self, lines: Sequence[str]) -> None:
        """Draw `lines` from the top of the window, clear the last row, and move the cursor there for the input.

        Lines that do not fit above the last row are left out. Rows for which there is no line are empty.
        """
        self.open()
        _, height = self.size()
        # Only the rows above the last one can scroll, so pressing Enter in the last row does not scroll the window.
        parts = [f"\x1b[1;{max(2, height - 1)}r"]
        for row in range(1, height):
            parts.append(f"\x1b[{row};1H{lines[row - 1] if row <= len(lines) else ''}\x1b[0m\x1b[K")
        parts.append(f"\x1b[{height};1H\x1b[K")
        self.stream.write("".join(parts))
        self.stream.flush()

    def ask(self, prompt: str) -> str | None:
        """Return a line that the player types, or None if the window was resized. Then the caller must redraw and ask
        again.
        """
        editor = _line_editor()
        if editor:
            # A long input line scrolls sideways, because there is no row below it into which it could wrap.
            editor.parse_and_bind("set horizontal-scroll-mode on")
            editor.parse_and_bind("set enable-bracketed-paste off")
            # The hook, which inserts the text, must not be a Python function. The line editor discards exceptions that
            # such a hook raises, including Ctrl-C.
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


def _line_editor() -> ModuleType | None:
    """Return Python's line editor module (readline), or None if the system has none."""
    try:
        import readline
    except ImportError:
        return None
    return readline


# --- line input -------------------------------------------------------------------------------------------------------


def read_line(prompt: str) -> str:
    """Show a prompt and return the line that the player types.

    Raises:
        EOFError: The input has ended.
    """
    if not sys.stdin.isatty():
        return input(prompt)
    # Import the line editor, so that `input` supports editing and a history of lines.
    _line_editor()
    with _keep_keys_on_interrupt(), _interrupt_editor_periodically():
        return input(prompt)


@contextlib.contextmanager
def _keep_keys_on_interrupt() -> Iterator[None]:
    """Prevent the terminal from discarding typed keys on Ctrl-C while the ``with`` block runs.

    The line editor may already know that a key can be read. If the terminal then discarded this key, the editor would
    wait for another one. It would not react to Ctrl-C before the player pressed a key.

    If `KeyboardInterrupt` ends the block, the keys that have not been read are discarded at the end. On systems without
    the module `termios`, nothing is changed.
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
        # Discard the keys that have not been read, as Ctrl-C normally does. Otherwise the next program in this terminal
        # would read them.
        termios.tcflush(keyboard, termios.TCIFLUSH)
        raise
    finally:
        with contextlib.suppress(termios.error):
            # The terminal window may have been closed.
            termios.tcsetattr(keyboard, termios.TCSANOW, before)


@contextlib.contextmanager
def _interrupt_editor_periodically() -> Iterator[None]:
    """Interrupt the line editor periodically during the ``with`` block, so that it handles signals such as Ctrl-C.

    A timer sends the signal SIGALRM every `SIGNAL_CHECK_SECONDS`. On systems without such a timer, nothing is done.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    # The handler stays installed after the ``with`` block, because the last alarm may arrive after it.
    signal.signal(signal.SIGALRM, _ignore_alarm)
    signal.setitimer(signal.ITIMER_REAL, SIGNAL_CHECK_SECONDS, SIGNAL_CHECK_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _ignore_alarm(number: int, frame: FrameType | None) -> None:
    """Handle the signal SIGALRM, which a timer sends to interrupt the line editor, by doing nothing.

    Without a handler, the signal would end the program. With one, it only interrupts the line editor, which then
    handles other signals such as Ctrl-C.
    """
