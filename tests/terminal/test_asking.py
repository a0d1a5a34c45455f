"""A line from a person at a real terminal: signals are noticed whenever they come."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys

import pytest

pytest.importorskip("readline", reason="this system has no line editor")
pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")

#: The signal comes when the line editor has looked for signals and does not wait for a key yet: a function of C raises
#: it there, so that no Python runs that would notice it.
BEFORE_THE_WAIT = """
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
def test_a_signal_before_the_wait_for_a_key_is_noticed(name: str, hook: str) -> None:
    keyboard, terminal = pty.openpty()
    program = [sys.executable, "-c", BEFORE_THE_WAIT.format(name=name, hook=hook)]
    try:
        done = subprocess.run(program, stdin=terminal, stdout=terminal, timeout=60)
        assert done.returncode == 0
        # A terminal may hand out what was written bit by bit.
        _until(keyboard, b"noticed")
    finally:
        os.close(keyboard)
        os.close(terminal)


ASKED = """
from facedown.terminal.terminal_window import read_line
try:
    read_line("> ")
except KeyboardInterrupt:
    print("noticed")
"""


def test_keys_before_ctrl_c_neither_hold_it_up_nor_stay_for_the_next_reader() -> None:
    termios = pytest.importorskip("termios")
    pid, keyboard = pty.fork()
    if pid == 0:
        os.execv(sys.executable, [sys.executable, "-c", ASKED])
    try:
        _until(keyboard, b"> ")
        # Were they thrown away, the line editor could wait for them: it was told that they have come.
        assert termios.tcgetattr(keyboard)[3] & termios.NOFLSH
        os.kill(pid, signal.SIGSTOP)
        os.write(keyboard, b"abc\x03")
        os.kill(pid, signal.SIGCONT)
        _until(keyboard, b"noticed")
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.close(keyboard)


def test_the_terminal_is_given_back_as_it_was() -> None:
    termios = pytest.importorskip("termios")
    keyboard, terminal = pty.openpty()
    try:
        before = termios.tcgetattr(terminal)
        program = [sys.executable, "-c", ASKED]
        with subprocess.Popen(program, stdin=terminal, stdout=terminal, start_new_session=True) as asking:
            _until(keyboard, b"> ")
            os.write(keyboard, b"abc")
            _until(keyboard, b"abc")
            asking.send_signal(signal.SIGINT)
            _until(keyboard, b"noticed")
            assert asking.wait(timeout=60) == 0
        assert termios.tcgetattr(terminal) == before
        assert select.select([terminal], [], [], 0)[0] == []
    finally:
        os.close(keyboard)
        os.close(terminal)


def _until(file: int, sign: bytes) -> None:
    """Read until a sign has come."""
    read = b""
    while sign not in read:
        assert select.select([file], [], [], 60)[0], read
        read += os.read(file, 4096)
