"""Tests do not wait in real time: few sleeps, and a reason beside each."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
#: A call that waits in real time, of Python, an event loop or a page; also inside a program that a test starts.
SLEEP = re.compile(r"\b(?:sleep|wait_for_timeout)\(")
#: A reason is a comment of some words on the same line.
REASON = re.compile(r"#\s*\S+(?:\s+\S+){3,}")
FEWER_THAN = 15


def sleeps(text: str) -> list[str]:
    """The lines of a file that sleep."""
    return [line.strip() for line in text.splitlines() if SLEEP.search(line.partition("#")[0])]


def test_there_are_few_sleeps_and_each_has_a_reason() -> None:
    files = [path for path in sorted(TESTS.rglob("*.py")) if path != Path(__file__)]
    found = [f"{path.relative_to(TESTS)}: {line}" for path in files for line in sleeps(path.read_text("utf-8"))]
    assert len(found) < FEWER_THAN, found
    assert [line for line in found if not REASON.search(line)] == []


def test_a_sleep_is_found() -> None:
    text = "time.sleep(1)\nawait asyncio.sleep(0)  # why\npage.wait_for_timeout(5)\n# sleep(1)\nasleep = 1\n"
    assert len(sleeps(text)) == 3
    assert len(sleeps("run('import time; time.sleep(9)')")) == 1
