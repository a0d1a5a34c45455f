"""Process-wide counters of refused requests, by kind: a short name of the reason, such as "wrong-codes"."""

from __future__ import annotations

from collections import Counter
from threading import Lock

_lock = Lock()
_counted: Counter[str] = Counter()


def count_refusals(kind: str, many: int = 1) -> None:
    """Count `many` refusals. `kind` is a short name of the reason, such as "wrong-codes"."""
    with _lock:
        _counted[kind] += many


def refusal_counts_by_kind() -> dict[str, int]:
    """Return the number of refusals by kind (short name of the reason) since this process started."""
    with _lock:
        return dict(_counted)
