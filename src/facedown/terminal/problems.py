"""Bad input in a terminal: one line on the error stream, and the exit code 2."""

from __future__ import annotations

#: The exit codes: all went well; something else failed; the input was bad.
FINE = 0
FAILED = 1
BAD_INPUT = 2


class Problem(Exception):
    """Something the caller can put right; its text is the one line they read."""

    def __init__(self, text: str, code: int = BAD_INPUT) -> None:
        super().__init__(text)
        self.code = code


class Left(BaseException):
    """The person leaves the table, or is made to: no `except Exception` on the way keeps them there."""
