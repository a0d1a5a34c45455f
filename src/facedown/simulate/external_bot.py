"""Bots that are programs of their own, in any language: asked in one line of JSON, answering in one.

The program is started once, and plays every match of its seat in turn. All lines are JSON objects in UTF-8::

    > {"type": "hello", "protocol": 1, "facedown": "1.0", "limit": 10.0}
    < {"type": "hello", "protocol": 1, "name": "My bot"}
    > {"type": "choose", "game": "GAME", "rules": 1, "options": {...}, "seats": 2, "seat": 0, "seed": 12,
       "view": {...}, "legal": [{"action": 7, "words": "open a1 b1"}, ...]}
    < {"action": 7}

Instead of the number of an action it may answer its words: ``{"words": "open a1 b1"}``. ``view`` has the fields of the
game's record as its seat knows them: what it does not know is not in the line. At the end the program's input is
closed; it is ended if it goes on for long.

Every way in which it may go wrong is a `ProgramError` in one line: it does not start, ends, answers late, or answers
what is no answer. After that it is ended, with all that it started.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Mapping
from typing import IO, Any

import facedown
from facedown.core.bot import check_view
from facedown.core.game_registry import GameModule
from facedown.core.state import View, plain_fields, type_mark
from facedown.simulate.i18n import _

#: What a name begins with that is the command line of a program.
PREFIX = "program:"
#: The version of what is said line by line.
PROTOCOL = 1
#: Seconds that a program may take to start and say hello, if it has no more for a move.
START_SECONDS = 20.0
#: Seconds that it may go on after its input was closed.
GRACE_SECONDS = 0.5
#: Seconds between the end of what it says and its own end, at most: a busy machine takes its time.
EXIT_SECONDS = 5.0
#: The longest line that is an answer, in bytes.
MAX_LINE_BYTES = 1 << 16


class ProgramError(RuntimeError):
    """A program that does not play; the text says what it did, in one line."""


def choose_message(game: GameModule, view: View, seat: int, seed: int, options: Mapping[str, str]) -> dict[str, Any]:
    """What a program is asked: made of the view of its seat and of nothing else. `NotAView` for anything but that."""
    check_view(view, seat)
    hidden = {type_mark(game.rules.record), "key"}
    return {
        "type": "choose",
        "game": game.name,
        "rules": game.info.version,
        "options": dict(options),
        "seats": int(view.seats),
        "seat": seat,
        "seed": seed,
        "view": {name: value for name, value in plain_fields(view).items() if name not in hidden},
        "legal": [{"action": action, "words": game.words.words(action)} for action in game.legal(view, seat)],
    }


class ProgramBot:
    """A program as a bot. It is started at its first choice, and ends with `close` (or with this process)."""

    def __init__(
        self, command: str, folder: str = "", options: Mapping[str, str] | None = None, limit: float = 10.0
    ) -> None:
        """The command line is split as a shell would split it; no shell runs it. `ProgramError` if there is none."""
        try:
            self.command = shlex.split(command)
        except ValueError as problem:
            raise ProgramError(_("{command} is no command line: {problem}", command=command, problem=problem)) from None
        if not self.command:
            raise ProgramError(_("write the command line of a program, as in program:python3 mybot.py"))
        self.folder = folder
        self.options = dict(options or {})
        self.limit = limit
        self._running: _Running | None = None

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """What the program answers, a legal action or not; `ProgramError` if that is no action, or comes too late."""
        asked = choose_message(game, view, seat, seed, self.options)
        try:
            if self._running is None:
                self._running = _Running(self.command, self.folder)
                # Also without a call of `close`: when this bot is garbage, or the interpreter ends.
                weakref.finalize(self, self._running.end)
                self._greet(self._running)
            return self._action(game, self._running.ask(asked, self.limit))
        except ProgramError:
            self.close()
            raise

    def _greet(self, running: _Running) -> None:
        hello = {"type": "hello", "protocol": PROTOCOL, "facedown": facedown.__version__, "limit": self.limit}
        answer = running.ask(hello, max(START_SECONDS, self.limit))
        if answer.get("type") != "hello" or answer.get("protocol") != PROTOCOL:
            asked = json.dumps({"type": "hello", "protocol": PROTOCOL})
            raise ProgramError(
                _("its first line was no {asked}: {line}", asked=asked, line=_printable_excerpt(json.dumps(answer)))
            )

    def _action(self, game: GameModule, answer: Mapping[str, Any]) -> int:
        action, words = answer.get("action"), answer.get("words")
        if isinstance(action, int) and not isinstance(action, bool):
            return action
        if isinstance(words, str):
            try:
                return game.words.parse(words)
            except ValueError as problem:
                raise ProgramError(
                    _("it answered “{words}”: {problem}", words=_printable_excerpt(words), problem=problem)
                ) from None
        raise ProgramError(
            _("it answered neither an action nor words: {line}", line=_printable_excerpt(json.dumps(answer)))
        )

    def close(self) -> None:
        """End the program, and all that it started. It starts anew if it is asked again."""
        if self._running is not None:
            self._running.end()
            self._running = None


class _Running:
    """A program that runs. A line is written and its answer read by a thread, so that no program is waited for."""

    def __init__(self, command: list[str], folder: str) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - it is open as long as the program runs
        try:
            # A session of its own: what it starts ends with it, and Ctrl-C is for us.
            self._process = subprocess.Popen(
                command,
                cwd=folder or None,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,
            )
        except OSError as problem:
            self._errors.close()
            reason = problem.strerror or str(problem)
            raise ProgramError(_("{program} does not start: {problem}", program=command[0], problem=reason)) from None
        self._thread: threading.Thread | None = None
        self._ended = False

    def _write_and_read(self, line: bytes, answers: list[bytes]) -> None:
        """Write a line and read its answer; an empty answer is the program's end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # What it wrote before it ended is read, too.
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(line)
            self._process.stdin.flush()
        with contextlib.suppress(OSError, ValueError):
            answers.append(self._process.stdout.readline(MAX_LINE_BYTES))
        if self._ended:
            self._close()

    def ask(self, line: Mapping[str, Any], limit: float) -> dict[str, Any]:
        """The answer to a line, within so many seconds; `ProgramError` if it is none."""
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        answers: list[bytes] = []
        self._thread = threading.Thread(target=self._write_and_read, args=(text, answers), daemon=True)
        self._thread.start()
        self._thread.join(limit)
        if self._thread.is_alive():
            raise ProgramError(_("it did not answer within {seconds:g} s", seconds=limit))
        answer = answers[0] if answers else b""
        if not answer:
            raise ProgramError(self._exit_text())
        try:
            found = json.loads(answer)
        except ValueError:
            found = None
        if not isinstance(found, dict) or not answer.endswith(b"\n"):
            raise ProgramError(_("it answered what is no line of JSON: {line}", line=_printable_excerpt(_text(answer))))
        return found

    def _exit_text(self) -> str:
        """How it ended: its exit status, and the last line of its errors."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_SECONDS)
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 4096))
        said = [line for line in _text(self._errors.read()).splitlines() if line.strip()]
        status = self._process.returncode
        if status is None:
            told = _("it closed its output")
        elif status < 0:
            told = _("it was ended by signal {signal}", signal=-status)
        else:
            told = _("it ended with status {status}", status=status)
        return _("{told}: {line}", told=told, line=_printable_excerpt(said[-1].strip())) if said else told

    def end(self) -> None:
        """Close its input, and end it if it goes on; nothing of it is left."""
        assert self._process.stdin is not None
        if self._ended:
            return
        if self._process.poll() is None and not self._is_busy():
            with contextlib.suppress(OSError):
                self._process.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(GRACE_SECONDS)
        self._ended = True
        self._kill()
        self._process.wait()
        if self._thread is not None:
            self._thread.join(GRACE_SECONDS)
        # What left the program's session may hold on to its output. A stream cannot be closed under the thread that
        # reads it: the thread does it then.
        if not self._is_busy():
            self._close()

    def _is_busy(self) -> bool:
        """Is a line still being written or its answer waited for?"""
        return self._thread is not None and self._thread.is_alive()

    def _close(self) -> None:
        for stream in (self._errors, self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError, ValueError):
                stream.close()  # type: ignore[union-attr]

    def _kill(self) -> None:
        """End the program with its children, whether it runs itself or not."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        elif self._process.poll() is None:
            self._process.kill()


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _printable_excerpt(text: str) -> str:
    """A line of somebody else's, short enough for a message."""
    line = "".join(char if char.isprintable() else "\ufffd" for char in text.strip())
    return line if len(line) <= 100 else f"{line[:99]}…"
