"""Waits of the tests: each ends as soon as its condition holds, and fails only after minutes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

#: Longest wait for anything, in seconds: a busy machine may take many times as long as an idle one.
PATIENCE = 180.0
#: Pause between two looks at a condition, in seconds.
PAUSE = 0.01


def wait_until(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Wait until a condition is true. Raises `AssertionError` after `patience` seconds."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, f"still not true after {patience:.0f} s"
        time.sleep(PAUSE)  # Real time: the condition is about another thread, process or socket.


async def wait_until_async(condition: Callable[[], object], patience: float = PATIENCE) -> None:
    """Wait inside an event loop until a condition is true. Raises `AssertionError` after `patience` seconds."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, f"still not true after {patience:.0f} s"
        await asyncio.sleep(PAUSE)  # Real time: the condition may be about another thread.


async def run_ready_tasks(rounds: int = 20) -> None:
    """Let the event loop run everything that is ready, `rounds` times in a row."""
    for _ in range(rounds):
        await asyncio.sleep(0)  # No time passes: this only gives the loop a turn.
