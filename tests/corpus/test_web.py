"""On the frozen database the server answers and sends what it did when the corpus was frozen."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.corpus import archive, database, web
from tests.selection import mostly

#: Games that are looked at every day.
DAILY = {"detect"}
GAMES = mostly(database.games(), DAILY)


@cache
def current(game: str) -> dict[str, Any]:
    """Return what the server answers and sends about the tables of a game."""
    return web.of_game(game)


def differences(frozen: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Return the first difference of each value, with its name."""
    assert list(found) == list(frozen)
    return [f"{name}: {wrong}" for name in frozen if (wrong := archive.first_difference(frozen[name], found[name]))]


@pytest.mark.parametrize("game", GAMES)
def test_the_api_gives_the_frozen_answers(game: str) -> None:
    frozen = archive.read_json(f"web/{game}-api.json.gz")
    wrong = differences(frozen, archive.plain(current(game)["api"]))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("game", GAMES)
def test_everybody_at_a_live_table_is_sent_the_frozen_messages(game: str) -> None:
    frozen = archive.read_json(f"web/{game}-live.json.gz")
    wrong = differences(frozen, archive.plain(current(game)["live"]))
    assert not wrong, "\n".join(wrong)


def test_games_schema_and_addresses_are_the_frozen_ones() -> None:
    found = web.general()
    assert {f"web/{name}" for name in found} == set(archive.names("web/*")) - set(archive.names("web/*-*"))
    for name, value in found.items():
        wrong = archive.first_difference(archive.read_json(f"web/{name}"), archive.plain(value), name)
        assert not wrong, wrong
