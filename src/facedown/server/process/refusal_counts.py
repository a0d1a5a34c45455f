"""Process-wide counters of refused requests, by kind: a short name of the reason, such as "wrong-codes"."""

from __future__ import annotations

from collections import Counter
from threading import Lock

_lock = Lock()
_counted: Counter[str] = Counter()


def count_refusals(kind: str, many: int = 1) -> None:
    """Count `many` refused requests. `kind` is a short name of the reason, such as "wrong-codes"."""
    with _lock:
        _counted[kind] += many


def refusal_counts_by_kind() -> dict[str, int]:
    """Return how many requests this process has refused since it started, by kind (short name of the reason)."""
    with _lock:
        return dict(_counted)
