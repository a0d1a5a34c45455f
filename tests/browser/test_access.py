"""axe-core finds nothing, nothing scrolls sideways, and the hand with its button is in view, in both themes."""

from __future__ import annotations

from itertools import product
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from facedown.core.game import catalogue
from tests.browser.page_time import box_of
from tests.browser.people import PHONE, Person, Server
from tests.browser.test_whole_matches import bots
from tests.browser.windows import SIZES
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
GAMES = tuple(catalogue())

BOTH: tuple[Literal["light", "dark"], ...] = ("light", "dark")
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
#: Parameters of the landing runs: each game at one size.
LANDING = (
    ("detect", "small"),
    ("reveal", "phone"),
    ("reveille", "desktop"),
    ("scout", "small"),
    ("uncovered", "phone"),
)


def check(page: Page, what: str, *themes: Literal["light", "dark"]) -> None:
    """axe finds nothing in each of these themes (without any: in the page’s own), and nothing scrolls sideways."""
    for theme in themes or (None,):
        if theme is not None:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        # A second theme changes colours alone.
        again = theme is not None and theme != themes[0]
        found = Axe().run(page, options=COLOURS) if again else Axe().run(page)
        assert found.violations_count == 0, f"{what}, {theme}:\n{found.generate_report()}"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1"), (
        f"{what} scrolls sideways"
    )


@pytest.mark.parametrize("size", mostly(SIZES, (), ("phone",)))
def test_the_pages_around_a_table(size: str, browser: Browser, server: Server) -> None:
    person = Person(browser, server, 1, "mouse", **SIZES[size])
    for address in ("/", "/new/detect", "/guide/detect", "/score", "/score/reveal", "/score/detect", "/nothing-here"):
        person.page.goto(server.origin + address)
        check(person.page, f"{address}, {size}", *BOTH)


def test_the_menu_of_a_table(browser: Browser, server: Server) -> None:
    person = Person(browser, server, 1, "touch", **PHONE)
    person.new_table("reveal", "greedy")
    page = person.page
    page.tap("[data-open=menu]")
    check(page, "menu", *BOTH)
    # What a game lets a person turn on is on at once, and the next page has it, too.
    assert page.get_attribute("[data-switch]", "aria-pressed") == "false"
    page.tap("[data-switch]")
    assert page.get_attribute("[data-switch]", "aria-pressed") == "true"
    assert page.evaluate("document.documentElement.dataset.letters") == "on"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.letters") == "on"


@pytest.mark.parametrize("size", mostly(SIZES, (), ("small",)))
def test_detect_from_the_lobby_to_the_scoring(size: str, browser: Browser, server: Server) -> None:
    person = Person(browser, server, 7, "mouse", **SIZES[size])
    person.new_table("detect", "open", "greedy")
    check(person.page, f"lobby, {size}", *BOTH)
    if size == "small":  # There is no room for the picture code: it opens by touch.
        person.page.locator("[data-open=picture]").focus()
        person.page.keyboard.press("Enter")
        assert person.page.locator("dialog#picture[open] .qr").is_visible()
        check(person.page, "picture code", *BOTH)
        person.page.keyboard.press("Escape")
        assert not person.page.locator("dialog#picture").is_visible()
    guest = Person(browser, server, 8)
    guest.sit_down(person.page.url, "Ben")
    person.ready()
    guest.ready()
    person.play_until(lambda seen: bool(seen["lit"]), (guest,))
    check(person.page, f"opening, {size}", *BOTH)
    for _ in range(30):
        person.act()
        guest.act()
    person.play_until(lambda seen: bool(seen["lit"]), (guest,))
    check(person.page, f"in play, {size}", *BOTH)
    if size != "desktop":
        _in_view(person.page)
    person.play_until(lambda seen: "scoring" in seen["title"] or seen["over"], (guest,))
    check(person.page, f"scoring, {size}", *BOTH)


def _in_view(page: Page) -> None:
    """The hand and the buttons can be used without scrolling."""
    height = page.evaluate("innerHeight")
    for selector in ("#prompt", "#actions .button"):
        for box in (box_of(e) for e in page.query_selector_all(selector) if e.is_visible()):
            assert box["y"] + box["height"] <= height + 1, f"{selector} is below the edge"


@pytest.mark.parametrize(("game", "size"), mostly(product(GAMES, SIZES), (), LANDING))
def test_every_game_in_play(game: str, size: str, browser: Browser, server: Server, seed: int) -> None:
    person = Person(browser, server, seed, "mouse", **SIZES[size])
    person.page.goto(f"{server.origin}/guide/{game}")
    check(person.page, f"guide of {game}, {size}")
    person.new_table(game, *bots(game))
    person.ready()
    for _ in range(4):
        person.play_until(lambda seen: bool(seen["lit"] or seen["buttons"] or seen["over"]))
        check(person.page, f"{game}, {size}: {person.glance()['prompt']}")
        if person.glance()["over"]:  # Uncovered! is over as soon as somebody uncovers.
            break
        for _ in range(5):
            person.act()
