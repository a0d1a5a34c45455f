"""Who may read what holds secrets."""

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
def careless() -> Iterator[None]:
    """The usual umask, under which everybody may read what is made without thought."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_database_and_all_beside_it_is_its_owners(tmp_path: Path) -> None:
    folder = tmp_path / "cards"
    with lock_database(url_of(folder)):
        repository = Repository(url_of(folder))
        repository.new_person("Ada", new_token(), 1.0)
        found = {path.name: mode(path) for path in folder.iterdir()}
        repository.close()
    assert {"facedown.sqlite3", "facedown.sqlite3-wal", "facedown.sqlite3-shm", "facedown.sqlite3.lock"} <= set(found)
    assert set(found.values()) == {0o600}
    assert mode(folder) == 0o700


def test_a_folder_that_somebody_chose_stays_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o750)
    Repository(url_of(tmp_path)).close()
    assert mode(tmp_path) == 0o750


@pytest.mark.parametrize(("before", "after"), [(0o644, 0o600), (0o640, 0o640)], ids=["everybody", "group"])
def test_a_database_that_everybody_could_read_is_closed_and_said_so(
    before: int, after: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """One that was given to a group stays the group's."""
    Repository(url_of(tmp_path)).close()
    file = tmp_path / "facedown.sqlite3"
    file.chmod(before)
    with caplog.at_level(logging.WARNING):
        Repository(url_of(tmp_path)).close()
    assert mode(file) == after
    assert ("now only its owner can" in caplog.text) == (before != after)


def test_a_second_server_on_one_file_is_told_who_serves_it(tmp_path: Path) -> None:
    url = url_of(tmp_path)
    with served_elsewhere(url) as holder:
        for _again in range(2):
            told = rf"another Facedown server uses this database \(process {holder.pid}\)"
            with pytest.raises(StoreError, match=told):
                lock_database(url).__enter__()
        holder.kill()
        holder.wait()
        # The lock went with the process.
        with lock_database(url):
            pass
