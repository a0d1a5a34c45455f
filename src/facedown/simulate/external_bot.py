"""Bots that are external programs in any language. They read requests and write answers, each as one line of JSON.

A running program plays many matches, one after another, in any seat. All lines are JSON objects in UTF-8. In this
example, ``>`` marks lines that the program reads, and ``<`` marks lines that it writes::

    > {"type": "hello", "protocol": 1, "facedown": "1.0", "limit": 10.0}
    < {"type": "hello", "protocol": 1, "name": "My bot"}
    > {"type": "choose", "game": "GAME", "rules": 1, "options": {...}, "seats": 2, "seat": 0, "seed": 12,
       "view": {...}, "legal": [{"action": 7, "words": "open a1 b1"}, ...]}
    < {"action": 7}

The requests have these fields:

* ``limit``: number of seconds in which the program must answer each "choose". The answer to "hello" may take 20
  seconds, or ``limit`` if that is longer.
* ``rules``, ``options``: version of the game's rules, and the options of the match.
* ``seats``, ``seat``: number of seats, and the seat that must choose, counted from 0.
* ``seed``: number for the random choices of the bot.
* ``view``: the fields of the game's record as the seat knows them. Hidden information is left out.
* ``legal``: the legal actions. The answer is the number of one of them, or its words: ``{"words": "open a1 b1"}``.

At the end the program's input is closed. A program that does not exit within half a second is killed.

A program fails if it does not start, exits, answers too late, or sends an invalid answer. Each failure raises
`ProgramError` with a one-line text. The program is then killed together with all processes that it started.
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
from facedown.core.state import View, marker_field_name, plain_fields
from facedown.simulate.i18n import _

#: Prefix of the name of a bot that is an external program; the rest of the name is its command line.
PREFIX = "program:"
#: Version of the protocol.
PROTOCOL = 1
#: Seconds that a program may take to start and answer "hello". If its limit for a move is longer, that limit applies.
START_SECONDS = 20.0
#: Seconds that a program may keep running after its input was closed.
GRACE_SECONDS = 0.5
#: Seconds to wait for a program's exit status after it closed its output. It is generous for busy machines.
EXIT_SECONDS = 5.0
#: Longest answer that is accepted, in bytes.
MAX_LINE_BYTES = 1 << 16


class ProgramError(RuntimeError):
    """Error: an external program failed to play. The text describes the failure in one line."""


def action_request_message(
    game: GameModule, view: View, seat: int, seed: int, options: Mapping[str, str]
) -> dict[str, Any]:
    """Return the message that asks an external bot for one action. Its content comes only from the view of `seat`.

    `seed` is for the random choices of the bot; `options` are the options of the match.

    Raise `NotAView` if `view` is a state or the view of another seat.
    """
    check_view(view, seat)
    hidden = {marker_field_name(game.rules.record), "key"}
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
    """A bot that is an external program.

    The program is started when the bot must choose an action for the first time. It is ended by `close`, or when this
    process ends.
    """

    def __init__(
        self, command: str, folder: str = "", options: Mapping[str, str] | None = None, limit: float = 10.0
    ) -> None:
        """Create the bot without starting its program.

        * `command`: the command line. It is split as a shell would split it, but no shell runs it.
        * `folder`: the working directory; empty for the current one.
        * `options`: the options of the match, which are sent to the program.
        * `limit`: number of seconds that the program may take for a move.

        Raise `ProgramError` if the command line is empty or malformed.
        """
        try:
            self.command = shlex.split(command)
        except ValueError as problem:
            raise ProgramError(
                _("{command} is not a valid command line: {problem}", command=command, problem=problem)
            ) from None
        if not self.command:
            raise ProgramError(_("expected a command line, such as program:python3 mybot.py"))
        self.folder = folder
        self.options = dict(options or {})
        self.limit = limit
        self._running: _Running | None = None

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Ask the program for an action and return it. The action may be illegal, so the caller must check it.

        Raise `ProgramError` if the program does not start, exits, answers too late, or sends no valid action. The
        program is then ended; the next call starts it again.
        """
        asked = action_request_message(game, view, seat, seed, self.options)
        try:
            if self._running is None:
                self._running = _Running(self.command, self.folder)
                # End the program even if `close` is never called: when this bot is garbage collected or the interpreter
                # exits.
                weakref.finalize(self, self._running.end)
                self._exchange_hello(self._running)
            return self._parse_answered_action(game, self._running.ask(asked, self.limit))
        except ProgramError:
            self.close()
            raise

    def _exchange_hello(self, running: _Running) -> None:
        hello = {"type": "hello", "protocol": PROTOCOL, "facedown": facedown.__version__, "limit": self.limit}
        answer = running.ask(hello, max(START_SECONDS, self.limit))
        if answer.get("type") != "hello" or answer.get("protocol") != PROTOCOL:
            asked = json.dumps({"type": "hello", "protocol": PROTOCOL})
            raise ProgramError(
                _(
                    "expected {asked} as the first line, not {line}",
                    asked=asked,
                    line=_printable_excerpt(json.dumps(answer)),
                )
            )

    def _parse_answered_action(self, game: GameModule, answer: Mapping[str, Any]) -> int:
        action, words = answer.get("action"), answer.get("words")
        if isinstance(action, int) and not isinstance(action, bool):
            return action
        if isinstance(words, str):
            try:
                return game.words.parse(words)
            except ValueError as problem:
                raise ProgramError(
                    _("the program answered “{words}”: {problem}", words=_printable_excerpt(words), problem=problem)
                ) from None
        raise ProgramError(
            _("the answer has neither an action nor words: {line}", line=_printable_excerpt(json.dumps(answer)))
        )

    def close(self) -> None:
        """End the program and all processes that it started. The next call of `choose` starts the program again."""
        if self._running is not None:
            self._running.end()
            self._running = None


class _Running:
    """A running external program.

    A thread writes each request and reads the answer, so that a program that hangs cannot block the caller.
    """

    def __init__(self, command: list[str], folder: str) -> None:
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - it stays open as long as the program runs
        try:
            # The program runs in a session of its own. So it can be killed together with its child processes, and
            # Ctrl-C in the terminal does not reach it.
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
            raise ProgramError(_("cannot start {program}: {problem}", program=command[0], problem=reason)) from None
        self._thread: threading.Thread | None = None
        self._ended = False

    def _write_and_read(self, line: bytes, answers: list[bytes]) -> None:
        """Write a line to the program and append its answer to `answers`.

        An empty answer means that the program has closed its output.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # Even if writing fails because the program has exited, its last output is still read.
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(line)
            self._process.stdin.flush()
        with contextlib.suppress(OSError, ValueError):
            answers.append(self._process.stdout.readline(MAX_LINE_BYTES))
        if self._ended:
            self._close_streams()

    def ask(self, line: Mapping[str, Any], limit: float) -> dict[str, Any]:
        """Send a request and return the answer, which must arrive within `limit` seconds.

        Raise `ProgramError` if it arrives too late or is not a line of JSON.
        """
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        answers: list[bytes] = []
        self._thread = threading.Thread(target=self._write_and_read, args=(text, answers), daemon=True)
        self._thread.start()
        self._thread.join(limit)
        if self._thread.is_alive():
            raise ProgramError(_("the program did not answer within {seconds:g} s", seconds=limit))
        answer = answers[0] if answers else b""
        if not answer:
            raise ProgramError(self._exit_text())
        try:
            found = json.loads(answer)
        except ValueError:
            found = None
        if not isinstance(found, dict) or not answer.endswith(b"\n"):
            raise ProgramError(
                _("the answer is not a line of JSON: {line}", line=_printable_excerpt(_decode_utf8(answer)))
            )
        return found

    def _exit_text(self) -> str:
        """Describe in one line why the program sent no answer, for the text of a `ProgramError`.

        The line says one of three things: the program's exit status, the signal that killed the program, or that a
        running program closed its output. Then it quotes the last line of the program's error output, if there is any.
        """
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(EXIT_SECONDS)
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 4096))
        said = [line for line in _decode_utf8(self._errors.read()).splitlines() if line.strip()]
        status = self._process.returncode
        if status is None:
            told = _("the program closed its output")
        elif status < 0:
            told = _("the program was killed by signal {signal}", signal=-status)
        else:
            told = _("the program exited with status {status}", status=status)
        return _("{told}: {line}", told=told, line=_printable_excerpt(said[-1].strip())) if said else told

    def end(self) -> None:
        """End the program and its child processes. Repeated calls do nothing.

        If the program has answered the last request, close its input and give it `GRACE_SECONDS` to exit. Then kill the
        program and the child processes that are still running. If the program has not answered yet, do not wait: kill
        the program and its child processes at once.
        """
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
        # Do not close a stream while the thread reads it. The thread may still wait for output, because a child process
        # outside the program's session can keep the output open. In this case the thread closes the streams when it
        # finishes.
        if not self._is_busy():
            self._close_streams()

    def _is_busy(self) -> bool:
        """Return whether the thread is still writing a request or waiting for its answer."""
        return self._thread is not None and self._thread.is_alive()

    def _close_streams(self) -> None:
        for stream in (self._errors, self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError, ValueError):
                stream.close()  # type: ignore[union-attr]

    def _kill(self) -> None:
        """Kill the program and its child processes, even if the program itself has already exited."""
        if hasattr(os, "killpg"):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        elif self._process.poll() is None:
            self._process.kill()


def _decode_utf8(raw: bytes) -> str:
    return raw.decode("utf-8", "replace")


def _printable_excerpt(text: str) -> str:
    """Return a line of a program's output, with unprintable characters replaced, shortened to 100 characters."""
    line = "".join(char if char.isprintable() else "\ufffd" for char in text.strip())
    return line if len(line) <= 100 else f"{line[:99]}…"
