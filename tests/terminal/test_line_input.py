"""Line input at a real terminal: signals are handled at any moment."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys

import pytest

pytest.importorskip("readline", reason="this system has no line editor")
pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")

#: The signal arrives after the line editor has checked for signals and before it waits for a key. A C function raises
#: it, so that no Python code runs that could handle it earlier.
SIGNAL_BEFORE_WAIT = """
import ctypes, functools, readline, signal
from facedown.terminal.terminal_window import read_line
def noticed(number, frame):
    raise InterruptedError(number)
number = getattr(signal, {name!r})
if number != signal.SIGINT:
    signal.signal(number, noticed)
editor = getattr(readline, {hook!r})
editor(functools.partial(ctypes.CDLL(None)["raise"], int(number)))
try:
    read_line("> ")
except (KeyboardInterrupt, InterruptedError):
    print("noticed")
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGWINCH"])
@pytest.mark.parametrize("hook", ["set_startup_hook", "set_pre_input_hook"])
def test_a_signal_that_arrives_just_before_waiting_for_a_key_interrupts_line_input(name: str, hook: str) -> None:
    keyboard, terminal = pty.openpty()
    program = [sys.executable, "-c", SIGNAL_BEFORE_WAIT.format(name=name, hook=hook)]
    try:
        done = subprocess.run(program, stdin=terminal, stdout=terminal, timeout=60)
        assert done.returncode == 0
        # A terminal may deliver the output in parts.
        _read_until(keyboard, b"noticed")
    finally:
        os.close(keyboard)
        os.close(terminal)


READ_LINE = """
from facedown.terminal.terminal_window import read_line
try:
    read_line("> ")
except KeyboardInterrupt:
    print("noticed")
"""


def test_ctrl_c_interrupts_line_input_after_typed_keys() -> None:
    termios = pytest.importorskip("termios")
    pid, keyboard = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-c", READ_LINE])
    try:
        _read_until(keyboard, b"> ")
        # If Ctrl-C discarded the keys, the line editor would wait for keys that it was promised.
        assert termios.tcgetattr(keyboard)[3] & termios.NOFLSH
        os.kill(pid, signal.SIGSTOP)
        os.write(keyboard, b"abc\x03")
        os.kill(pid, signal.SIGCONT)
        _read_until(keyboard, b"noticed")
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(keyboard)


def test_terminal_settings_are_restored_after_ctrl_c() -> None:
    termios = pytest.importorskip("termios")
    keyboard, terminal = pty.openpty()
    try:
        before = termios.tcgetattr(terminal)
        program = [sys.executable, "-c", READ_LINE]
        with subprocess.Popen(program, stdin=terminal, stdout=terminal, start_new_session=True) as asking:
            _read_until(keyboard, b"> ")
            os.write(keyboard, b"abc")
            _read_until(keyboard, b"abc")
            asking.send_signal(signal.SIGINT)
            _read_until(keyboard, b"noticed")
            assert asking.wait(timeout=60) == 0
        assert termios.tcgetattr(terminal) == before
        assert select.select([terminal], [], [], 0)[0] == []
    finally:
        os.close(keyboard)
        os.close(terminal)


def _read_until(file: int, sign: bytes) -> None:
    """Read until the output contains `sign`."""
    read = b""
    while sign not in read:
        assert select.select([file], [], [], 60)[0], read
        read += os.read(file, 4096)
