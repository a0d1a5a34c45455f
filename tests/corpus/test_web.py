"""On the frozen database the server sends the same API answers and live messages as at the frozen commit."""

from __future__ import annotations

import pytest

from tests.corpus import archive, database, web
from tests.nightly_selection import mostly

#: Games that are tested every day.
DAILY = {"detect"}


@pytest.mark.parametrize("game", mostly(database.games(), DAILY))
def test_api_answers_and_websocket_messages_for_a_recorded_database_equal_the_recorded_ones(game: str) -> None:
    archive.check(web.files_of(game))


def test_list_of_games_openapi_schema_and_routes_equal_those_recorded_at_an_earlier_version() -> None:
    found = web.general_files()
    assert set(found) == set(archive.names("web/*")) - set(archive.names("web/*-*"))
    archive.check(found)
