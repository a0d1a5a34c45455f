"""Whole matches in Chromium: by mouse, by keyboard, by touch on a phone, and between players with a link."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Browser

from facedown.core.game_registry import catalogue, info
from tests.awkward_names import AWKWARD
from tests.browser.players import Person
from tests.nightly_selection import mostly
from tests.server.http_server import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
GAMES = tuple(catalogue())

#: Options of the shortest whole match of each game. Detect is played to 100 points by default.
SHORT: dict[str, dict[str, str]] = {"reveal": {"end": "hands", "end-hands-0": "2"}}

#: Input devices and games, and the parameters of the daily runs and further ones of the landing runs.
PLAYED = tuple(product(("mouse", "keyboard", "touch"), GAMES))
DAILY = (("mouse", "scout"), ("keyboard", "reveille"), ("touch", "scout"))
LANDING = (*product(("mouse", "keyboard"), ("detect", "uncovered")), ("touch", "reveille"), ("touch", "uncovered"))
#: Tables whose players come by a link: the game and the number of players.
TOGETHER = (("detect", 2), ("scout", 4), ("uncovered", 6))


def over(seen: dict[str, Any]) -> bool:
    return bool(seen["over"])


def next_round(seen: dict[str, Any]) -> bool:
    """Return whether the first round is over: the bar names a later one, or the match is over."""
    number = re.search(r"(?:Round|Hand) (\d+)", seen["title"])
    return over(seen) or (number is not None and int(number[1]) > 1)


def bots(game: str) -> list[str]:
    return ["greedy"] * (info(game).seats[0] - 1)


@pytest.mark.parametrize(("means", "game"), mostly(PLAYED, DAILY, LANDING))
def test_match_can_be_played_by_mouse_keyboard_or_touch(
    means: str, game: str, browser: Browser, server: Server, seed: int
) -> None:
    """A whole match by mouse, and a round by keyboard and by touch on a phone."""
    whole = means == "mouse"
    person = Person(browser, server, seed, means)
    person.new_table(game, *bots(game), **(SHORT.get(game, {}) if whole else {}))
    person.ready()

    def done(seen: dict[str, Any]) -> bool:
        assert not seen["sideways"], "the page scrolls sideways"
        return over(seen) if whole else next_round(seen)

    person.play_until(done)
    assert not whole or person.page.locator("text=Play").count(), "one can play again"


@pytest.mark.parametrize(("game", "seats"), mostly(TOGETHER, (), TOGETHER[:1]))
def test_players_in_several_browsers_play_each_other_by_a_link(
    game: str, seats: int, browser: Browser, server: Server, seed: int
) -> None:
    host, *guests = (Person(browser, server, seed + number) for number in range(seats))
    url = host.new_table(game, *["open"] * len(guests))
    for guest, name in zip(guests, ("Ben", *AWKWARD), strict=False):
        guest.sit_down(url, name)
    for person in (host, *guests):
        person.ready()
    host.play_until(next_round, tuple(guests))
    assert "Ben" in host.page.inner_text("body")
    assert all("Ada" in guest.page.inner_text("body") for guest in guests)
