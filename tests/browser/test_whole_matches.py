"""Whole matches in Chromium: by mouse, by keyboard alone, by touch on a phone, and together by a link."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser

from facedown.core.game import catalogue, info
from tests.browser.page_time import wait_for_frames
from tests.browser.people import Person, Server
from tests.names import AWKWARD
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
GAMES = tuple(catalogue())

#: The shortest match of each game that still is a whole one; Detect is played to 100 points as it stands.
SHORT: dict[str, dict[str, str]] = {"reveal": {"end": "hands", "end-hands-0": "2"}}

#: Games of the daily runs by means of input.
DAILY = {"mouse": ("scout",), "keyboard": ("reveille",), "touch": ("scout",)}
#: Further games of the landing runs.
LANDING = {
    "mouse": ("detect", "uncovered"),
    "keyboard": ("detect", "uncovered"),
    "touch": ("reveille", "uncovered"),
}


def over(seen: dict[str, Any]) -> bool:
    return bool(seen["over"])


def next_round(seen: dict[str, Any]) -> bool:
    """The first round is done: a later one is named in the bar, or the match is over."""
    number = re.search(r"(?:Round|Hand) (\d+)", seen["title"])
    return over(seen) or (number is not None and int(number[1]) > 1)


def bots(game: str) -> list[str]:
    return ["greedy"] * (info(game).seats[0] - 1)


@pytest.mark.parametrize("game", mostly(GAMES, DAILY["mouse"], LANDING["mouse"]))
def test_a_whole_match_by_mouse(game: str, browser: Browser, server: Server, seed: int) -> None:
    person = Person(browser, server, seed)
    person.new_table(game, *bots(game), **SHORT.get(game, {}))
    person.ready()
    person.play_until(over)
    assert person.page.locator("text=Play").count(), "one can play again"


@pytest.mark.parametrize("game", mostly(GAMES, DAILY["keyboard"], LANDING["keyboard"]))
def test_a_round_by_keyboard_alone(game: str, browser: Browser, server: Server, seed: int) -> None:
    person = Person(browser, server, seed, means="keyboard")
    person.new_table(game, *bots(game))
    person.ready()
    person.play_until(next_round)


@pytest.mark.parametrize("game", mostly(GAMES, DAILY["touch"], LANDING["touch"]))
def test_a_round_by_touch_on_a_phone(game: str, browser: Browser, server: Server, seed: int) -> None:
    person = Person(browser, server, seed, means="touch")
    person.new_table(game, *bots(game))
    person.ready()

    def done(seen: dict[str, Any]) -> bool:
        assert not seen["sideways"], "the page scrolls sideways"
        return next_round(seen)

    person.play_until(done)


@pytest.mark.slow
def test_two_browsers_play_each_other_by_a_link(browser: Browser, server: Server, seed: int) -> None:
    ada, ben = Person(browser, server, seed), Person(browser, server, seed + 1)
    url = ada.new_table("detect", "open")
    ben.sit_down(url, "Ben")
    ada.ready()
    ben.ready()
    ada.play_until(next_round, (ben,))
    assert "Ben" in ada.page.inner_text("body")
    assert "Ada" in ben.page.inner_text("body")


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "people"), [("scout", 4), ("uncovered", 6)])
def test_many_browsers_at_one_table(game: str, people: int, browser: Browser, server: Server, seed: int) -> None:
    host = Person(browser, server, seed)
    url = host.new_table(game, *["open"] * (people - 1))
    guests = tuple(Person(browser, server, seed + n) for n in range(1, people))
    for number, guest in enumerate(guests):
        guest.sit_down(url, AWKWARD[number])
    for person in (host, *guests):
        person.ready()
    host.play_until(next_round, guests)


@pytest.mark.slow
def test_a_killed_server_comes_back_to_the_same_table(browser: Browser, fresh_server: Server, seed: int) -> None:
    person = Person(browser, fresh_server, seed)
    url = person.new_table("detect", "greedy")
    person.ready()
    turns = 0
    for _ in range(3):
        person.play_until(lambda seen: bool(seen["lit"]))
        for _ in range(6):
            person.act()
            wait_for_frames(person.page, 6)
        person.play_until(lambda seen: bool(seen["lit"]))
        before = _cards(person)
        fresh_server.kill()
        person.page.wait_for_selector("body.is-offline")
        fresh_server.start()
        person.page.goto(url)
        person.page.wait_for_selector("#board")
        assert _cards(person) == before, "what was acknowledged is still there"
        person.complaints.clear()  # the lost line is told in the console
        turns += 1
    assert turns == 3


def _cards(person: Person) -> list[str]:
    found: list[str] = person.page.eval_on_selector_all(
        "#app .piece[data-place]", "(all) => all.map((e) => e.id + ' ' + e.getAttribute('aria-label'))"
    )
    return found


def test_a_reload_comes_back_to_the_same_table(browser: Browser, server: Server, seed: int) -> None:
    person = Person(browser, server, seed)
    person.new_table("detect", "greedy")
    person.ready()
    for _ in range(8):
        person.act()
        wait_for_frames(person.page, 5)
    person.play_until(lambda seen: bool(seen["lit"]))
    before = _cards(person)
    person.page.reload()
    person.page.wait_for_selector("#board")
    assert _cards(person) == before
