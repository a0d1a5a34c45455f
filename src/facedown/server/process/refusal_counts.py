"""Process-wide counters of refused requests (rate limits, unknown codes and tokens), by kind."""

from __future__ import annotations

from collections import Counter
from threading import Lock

_lock = Lock()
_counted: Counter[str] = Counter()


def count(kind: str, many: int = 1) -> None:
    """Count `many` refusals of a kind."""
    with _lock:
        _counted[kind] += many


def counts() -> dict[str, int]:
    """Return the number of refusals of each kind since this process started."""
    with _lock:
        return dict(_counted)
