"""``facedown play`` in a real pseudo-terminal: the screen is checked after each move."""

from __future__ import annotations

import os
import random
import re
import select
import signal
import struct
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from facedown.check.random_matches import SITTERS
from facedown.core.match import Match
from facedown.core.match_file import read
from tests.nightly_selection import mostly

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
pyte = pytest.importorskip("pyte")

#: Longest time to wait for the next prompt on a busy machine, in seconds.
PATIENCE = 120


class Terminal:
    """A pseudo-terminal of a given size that runs ``facedown``."""

    def __init__(self, columns: int, rows: int, data: Path, *arguments: str) -> None:
        self.screen = pyte.HistoryScreen(columns, rows, history=1000)
        self.stream = pyte.ByteStream(self.screen)
        self.sent = bytearray()
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            self._size(0, columns, rows)
            environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
            environment |= {"TERM": "xterm-256color", "FACEDOWN_DATA": str(data), "PYTHONWARNINGS": "default"}
            os.execve(sys.executable, [sys.executable, "-m", "facedown", *arguments], environment)

    def _size(self, file: int, columns: int, rows: int) -> None:
        import fcntl
        import termios

        fcntl.ioctl(file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def lines(self) -> list[str]:
        """The lines on the screen."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.lines)

    def read(self, seconds: float) -> bool:
        """Read output for at most `seconds`; return False if there was none, or at the end."""
        if not select.select([self.file], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self.file, 65536)
        except OSError:
            return False
        self.sent += data
        self.stream.feed(data)
        return bool(data)

    def wait(self, sign: str = "", typed: str = "›", since: int = 0) -> None:
        """Wait for a prompt after the first `since` bytes, for `sign` on the screen, and for the program to be
        quiet.
        """
        until = time.monotonic() + PATIENCE
        cleared = f"\x1b[{self.screen.lines};1H\x1b[K".encode()
        while time.monotonic() < until:
            while self.read(0.15):
                pass
            asked = cleared in self.sent[since:] and self.lines[-1] == typed
            if asked and "The others are thinking" not in self.text and sign in self.text:
                return
        raise AssertionError(f"no question:\n{self.text}")

    def type(self, line: str, sign: str = "") -> None:
        """Type a line, and wait for the next prompt."""
        since = len(self.sent)
        os.write(self.file, line.encode() + b"\r")
        self.wait(sign, since=since)

    def resize(self, columns: int, rows: int, sign: str, typed: str) -> None:
        """Resize the window."""
        since = len(self.sent)
        self.screen.resize(rows, columns)
        self._size(self.file, columns, rows)
        self.wait(sign, typed, since)

    def end(self) -> int:
        """Read to the end; return the exit code."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if not self.read(0.2):
                pid, status = os.waitpid(self.pid, os.WNOHANG)
                if pid:
                    self.pid = 0
                    # The program may have written its last output between the two checks.
                    while self.read(0):
                        pass
                    return os.waitstatus_to_exitcode(status)
        raise AssertionError(f"it does not end:\n{self.text}")

    def close(self) -> None:
        """Kill the program if it still runs."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.file)


@contextmanager
def terminal(columns: int, rows: int, data: Path, *arguments: str) -> Iterator[Terminal]:
    """A terminal for a test."""
    one = Terminal(columns, rows, data, *arguments)
    try:
        yield one
    finally:
        one.close()


def read_saved_match(data: Path) -> Match:
    """Return the match in the saved file."""
    (path,) = data.rglob("*.match")
    return read(path.read_text(encoding="utf-8")).match


def check_screen(one: Terminal, title: str) -> None:
    """Check that the screen is complete: title, rules, prompt and input line, without scrolling."""
    lines = one.lines
    width, height = one.screen.columns, one.screen.lines
    assert lines[0].startswith(f" {title}  "), one.text
    assert lines[1] == "─" * width, one.text
    assert sum(line == "─" * width for line in lines) == 2, one.text
    assert lines[-1] == "›", one.text
    assert (one.screen.cursor.y, one.screen.cursor.x) == (height - 1, 2)
    assert "? help" in one.text or "Enter" in one.text, one.text
    assert len(one.screen.history.top) == 0


@pytest.mark.parametrize(
    ("game", "title", "size"),
    mostly(
        [("scout", "SCOUT", (80, 24)), ("reveal", "Reveal", (80, 24)), ("uncovered", "Uncovered!", (60, 20))],
        [("scout", "SCOUT", (80, 24))],
    ),
)
def test_every_screen_of_a_whole_match_is_drawn_completely_in_a_real_terminal(
    game: str, title: str, size: tuple[int, int], tmp_path: Path, seed: int
) -> None:
    choose = random.Random(seed)
    options = {"reveal": ["--options", "end=hands(1)"]}.get(game, [])
    with terminal(*size, tmp_path, "play", game, "--seed", f"{seed}", "--bots", "greedy", *options) as one:
        one.wait()
        check_screen(one, title)
        for _ in range(400):
            match = read_saved_match(tmp_path)
            if match.over:
                break
            assert match.acting == [0]
            action = choose.choice(match.legal(0))
            one.type(match.game.words.words(action))
            if "again to do it anyway" in " ".join(one.text.split()):
                one.type(match.game.words.words(action))
            check_screen(one, title)
            now = read_saved_match(tmp_path)
            assert now.moves[match.ply].action == action
            table = now.table(0, SITTERS[: now.seats])
            hand = [p for zone in table.zones if zone.area == "hand" for p in zone.pieces]
            for piece in hand:
                if piece.kind == "face" and game == "reveal" and not now.over and not table.slips:
                    assert piece.face in one.text
        assert read_saved_match(tmp_path).over
        assert "The match is over. Press Enter to leave the table." in one.text
        os.write(one.file, b"\r")
        assert one.end() == 0
        assert b"Traceback" not in one.sent
        (path,) = tmp_path.rglob("*.match")
        assert f"Check it with: facedown verify {path}" in one.sent.decode()


@pytest.mark.slow
def test_the_table_is_redrawn_and_typed_text_is_kept_when_the_window_is_resized(tmp_path: Path) -> None:
    with terminal(80, 24, tmp_path, "play", "scout", "--seats", "3", "--seed", "resized") as one:
        one.wait()
        one.type("keep", "? help")
        check_screen(one, "SCOUT")
        os.write(one.file, b"show")
        while not one.lines[-1].endswith("show"):
            one.read(0.2)
        for columns, rows in ((120, 40), (60, 20), (100, 30)):
            one.resize(columns, rows, "─" * columns, "› show")
            assert one.lines[0].startswith(" SCOUT  ")
            assert sum(line == "─" * columns for line in one.lines) == 2
        one.resize(50, 12, "too small", "› show")
        assert "The window is too small: enlarge it to 60 × 20" in one.text
        one.resize(80, 24, "─" * 80, "› show")
        one.type(" 1")
        assert read_saved_match(tmp_path).moves[-1].seat != 0 or "show 1" in read_saved_match(
            tmp_path
        ).game.words.words(read_saved_match(tmp_path).moves[-1].action)


def test_long_output_is_paged_and_enter_returns_to_the_table(tmp_path: Path) -> None:
    with terminal(80, 24, tmp_path, "play", "detect", "--seed", "pages") as one:
        one.wait()
        one.type("?")
        assert "  undo     take back your last move if nothing hidden was seen since" in one.text
        one.type("", "Press Enter to go back to the table")
        one.type("", "? help")
        check_screen(one, "Detect")
        one.type("rules", "Press Enter for more")
        first = one.text
        one.type("")
        assert one.text != first
        one.type("zzz")
        assert "'zzz' is not a move" in one.text
        # Help for valid moves is shown with the error.
        assert "? help" in one.text
        looked = len(one.screen.history.top)
        assert looked == 0


def test_the_final_table_is_drawn_after_bots_have_played_on_for_a_player_who_resigned(tmp_path: Path) -> None:
    with terminal(80, 24, tmp_path, "play", "scout", "--seats", "3", "--seed", "resigned", "--bots", "greedy") as one:
        one.wait()
        one.type("keep", "? help")
        one.type("resign", "If you resign, bots play the match to its end.")
        one.type("resign", "The match is over. Press Enter to leave the table.")
        check_screen(one, "SCOUT")
        os.write(one.file, b"\r")
        assert one.end() == 0
        assert "Juniper wins with a total of" in one.sent.decode().rsplit("\x1b[?1049l", 1)[1]
        assert read_saved_match(tmp_path).over


def test_ctrl_c_restores_the_terminal_and_prints_the_path_of_the_saved_match(tmp_path: Path) -> None:
    with terminal(80, 24, tmp_path, "play", "detect", "--seed", "stopped") as one:
        one.wait()
        one.type("a1 b1", "? help")
        os.write(one.file, b"\x03")
        assert one.end() == 0
        (path,) = tmp_path.rglob("*.match")
        said = one.sent.decode().rsplit("\x1b[?1049l", 1)[1]
        assert re.sub(r"\x1b\[\?\d+[hl]", "", said).strip() == (
            f"Saved: {path}. Resume with: facedown play --resume detect-1"
        )
        assert read_saved_match(tmp_path).ply >= 2
