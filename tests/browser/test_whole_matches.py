"""Whole matches in Chromium: by mouse, by keyboard alone, by touch on a phone, and together by a link."""

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

#: The shortest match of each game that still is a whole one; Detect is played to 100 points as it stands.
SHORT: dict[str, dict[str, str]] = {"reveal": {"end": "hands", "end-hands-0": "2"}}

#: By which means each game is played; parameters of the daily runs, and of the landing runs besides.
PLAYED = tuple(product(("mouse", "keyboard", "touch"), GAMES))
DAILY = (("mouse", "scout"), ("keyboard", "reveille"), ("touch", "scout"))
LANDING = (*product(("mouse", "keyboard"), ("detect", "uncovered")), ("touch", "reveille"), ("touch", "uncovered"))
#: Tables that people come to by a link: the game, and how many they are.
TOGETHER = (("detect", 2), ("scout", 4), ("uncovered", 6))


def over(seen: dict[str, Any]) -> bool:
    return bool(seen["over"])


def next_round(seen: dict[str, Any]) -> bool:
    """The first round is done: a later one is named in the bar, or the match is over."""
    number = re.search(r"(?:Round|Hand) (\d+)", seen["title"])
    return over(seen) or (number is not None and int(number[1]) > 1)


def bots(game: str) -> list[str]:
    return ["greedy"] * (info(game).seats[0] - 1)


@pytest.mark.parametrize(("means", "game"), mostly(PLAYED, DAILY, LANDING))
def test_a_match_is_played(means: str, game: str, browser: Browser, server: Server, seed: int) -> None:
    """A whole one by mouse, a round by keyboard alone and by touch on a phone."""
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
def test_browsers_play_each_other_by_a_link(game: str, seats: int, browser: Browser, server: Server, seed: int) -> None:
    host, *guests = (Person(browser, server, seed + number) for number in range(seats))
    url = host.new_table(game, *["open"] * len(guests))
    for guest, name in zip(guests, ("Ben", *AWKWARD), strict=False):
        guest.sit_down(url, name)
    for person in (host, *guests):
        person.ready()
    host.play_until(next_round, tuple(guests))
    assert "Ben" in host.page.inner_text("body")
    assert all("Ada" in guest.page.inner_text("body") for guest in guests)
