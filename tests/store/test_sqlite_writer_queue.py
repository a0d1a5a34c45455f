"""Writers of one process queue for longer than SQLite's lock timeout."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from facedown.store import Repository, engine, url_of
from facedown.store.engine import LockWait
from tests.waiting import PATIENCE, wait_until


class ObservedLock:
    """A lock that shows whether a thread waits for it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.awaited = threading.Event()

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):
            self.awaited.set()
            self.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


def test_writer_waits_for_another_writer_of_its_process_beyond_the_sqlite_lock_timeout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, begun, may_end, lock = (
        Repository(url_of(tmp_path)),
        threading.Event(),
        threading.Event(),
        ObservedLock(),
    )
    # The timeout for locks of other programs is zero.
    monkeypatch.setattr(LockWait, "next_timeout", lambda self: 0.0)
    monkeypatch.setitem(engine._WRITER_LOCKS, repository.engine, lock)

    def slow() -> None:
        with repository._write_transaction():
            begun.set()
            assert may_end.wait(PATIENCE)

    with ThreadPoolExecutor(2) as threads:
        writer = threads.submit(slow)
        assert begun.wait(PATIENCE)
        other = threads.submit(repository.store_new_person, "Ada", None, 1.0)
        wait_until(lambda: lock.awaited.is_set() or other.done())
        may_end.set()
        assert other.result(PATIENCE).name == "Ada"
        writer.result(PATIENCE)
    repository.close()
