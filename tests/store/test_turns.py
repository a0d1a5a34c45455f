"""Writers of one process wait for each other, however long SQLite itself would wait."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from facedown.store import Repository, url_of
from facedown.store.health import PATIENCE


def test_a_writer_waits_its_turn_longer_than_for_a_strangers_lock(tmp_path: Path) -> None:
    repository, begun = Repository(url_of(tmp_path)), threading.Event()

    def slow() -> None:
        with repository._writing():
            begun.set()
            time.sleep(1.3 * PATIENCE)

    writer = threading.Thread(target=slow)
    writer.start()
    begun.wait()
    try:
        assert repository.new_person("Ada", None, 1.0).name == "Ada"
    finally:
        writer.join()
        repository.close()
