"""The seam between processes: which table changed, and up to where. Nothing secret ever crosses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Listener = Callable[[str, int], None]


class Bus(Protocol):
    """Tells every process that a table changed. A message that is lost or sent twice does no harm."""

    def publish(self, code: str, revision: int) -> None:
        """Table `code` now stands at `revision`."""

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` on the event loop with every message; returns how to stop that."""


class LocalBus:
    """A bus within one process."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []

    def publish(self, code: str, revision: int) -> None:
        """Tell everybody here."""
        for listener in list(self._listeners):
            listener(code, revision)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with every message; returns how to stop that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)
