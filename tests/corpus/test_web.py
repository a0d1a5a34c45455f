"""On the frozen database the server answers and sends what it did when the corpus was frozen."""

from __future__ import annotations

import pytest

from tests.corpus import archive, database, web
from tests.nightly_selection import mostly

#: Games that are looked at every day.
DAILY = {"detect"}


@pytest.mark.parametrize("game", mostly(database.games(), DAILY))
def test_the_api_gives_the_frozen_answers_and_live_tables_the_frozen_messages(game: str) -> None:
    archive.check(web.files_of(game))


def test_games_schema_and_addresses_are_the_frozen_ones() -> None:
    found = web.general_files()
    assert set(found) == set(archive.names("web/*")) - set(archive.names("web/*-*"))
    archive.check(found)
