"""File permissions and the lock of an SQLite database."""

from __future__ import annotations

import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from facedown.store import Repository, StoreError, new_token, url_of
from facedown.store.sqlite_files import lock_database
from tests.store.conftest import served_elsewhere


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """Set the usual umask, under which new files are world-readable."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_new_database_files_and_folder_are_accessible_to_the_owner_only(tmp_path: Path) -> None:
    folder = tmp_path / "cards"
    with lock_database(url_of(folder)):
        repository = Repository(url_of(folder))
        repository.store_new_person("Ada", new_token(), 1.0)
        found = {path.name: mode(path) for path in folder.iterdir()}
        repository.close()
    assert {"facedown.sqlite3", "facedown.sqlite3-wal", "facedown.sqlite3-shm", "facedown.sqlite3.lock"} <= set(found)
    assert set(found.values()) == {0o600}
    assert mode(folder) == 0o700


def test_existing_database_folder_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    Repository(url_of(tmp_path)).close()
    assert mode(tmp_path) == 0o750


@pytest.mark.parametrize(("before", "after"), [(0o644, 0o600), (0o640, 0o640)], ids=["everybody", "group"])
def test_world_readable_database_becomes_private_with_a_warning(
    before: int, after: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A file that is readable by a group keeps its permissions."""
    Repository(url_of(tmp_path)).close()
    file = tmp_path / "facedown.sqlite3"
    file.chmod(before)
    with caplog.at_level(logging.WARNING):
        Repository(url_of(tmp_path)).close()
    assert mode(file) == after
    assert ("now only its owner can" in caplog.text) == (before != after)


def test_second_server_on_one_database_file_is_refused_with_the_process_id(tmp_path: Path) -> None:
    url = url_of(tmp_path)
    with served_elsewhere(url) as holder:
        for _again in range(2):
            told = rf"another Facedown server uses this database \(process {holder.pid}\)"
            with pytest.raises(StoreError, match=told):
                lock_database(url).__enter__()
        holder.kill()
        holder.wait()
        # The lock ended with its process.
        with lock_database(url):
            pass
