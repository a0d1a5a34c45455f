"""How often what was refused to whom asked for too much, or for something that nobody can have: counted by kind."""

from __future__ import annotations

from collections import Counter
from threading import Lock

_lock = Lock()
_counted: Counter[str] = Counter()


def count(kind: str, many: int = 1) -> None:
    """Something was refused."""
    with _lock:
        _counted[kind] += many


def counts() -> dict[str, int]:
    """How often each kind was refused since this process began."""
    with _lock:
        return dict(_counted)
