"""A finished match moved through in the browser: by its buttons, by the strip, by keys, by itself, from other seats."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.core.game import catalogue, info
from tests.browser.drawn import Drawn, played
from tests.browser.page_time import box_of
from tests.browser.people import Person, Server
from tests.browser.test_access import BOTH, check
from tests.browser.test_whole_matches import over
from tests.browser.windows import SIZES
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


def at_the_end(browser: Browser, server: Server, seed: int) -> Person:
    """Somebody whose match of Reveal, of one hand, is over."""
    person = Person(browser, server, seed)
    person.new_table("reveal", "greedy", **{"end": "hands", "end-hands-0": "1"})
    person.play_until(over)
    return person


def cards(page: Page) -> list[str]:
    found: list[str] = page.eval_on_selector_all("#app .piece", "(all) => all.map((e) => e.ariaLabel)")
    return found


@pytest.mark.slow
def test_a_match_is_moved_through(browser: Browser, server: Server, seed: int) -> None:
    person = at_the_end(browser, server, seed)
    page = person.page
    page.click("text=Replay")
    where = page.locator(".said-now p")
    expect(where).to_have_text("Move 0 of " + str(page.get_attribute("#replay", "data-last")) + ", as you saw it")
    dealt = cards(page)
    last = int(page.get_attribute("#replay", "data-last") or "0")

    page.click("[aria-label='One move on']")
    expect(where).to_have_text(f"Move 1 of {last}, as you saw it")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(where).to_have_text(f"Move 3 of {last}, as you saw it")
    assert page.url.endswith("?ply=3&eyes=0")
    here = cards(page)
    page.reload()
    assert cards(page) == here, "an address is a moment"

    page.keyboard.press("End")
    expect(where).to_have_text(f"Move {last} of {last}, as you saw it")
    page.keyboard.press("Home")
    expect(where).to_have_text(f"Move 0 of {last}, as you saw it")
    assert cards(page) == dealt

    # The strip: a range of moves, for the mouse and for the keys.
    strip = page.locator("#replay-move")
    box = box_of(strip)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(where).not_to_contain_text("Move 0 of")
    middle = int(strip.input_value())
    assert abs(middle - last / 2) <= 1
    strip.focus()
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text(f"Move {middle - 1} of {last}, as you saw it")

    # From the other seat the own hand is a row of backs, and the other way round.
    page.click("[data-eyes='1']:not(#replay):visible")
    expect(where).to_contain_text("as Juniper saw it")
    page.click("[data-eyes='all']:not(#replay):visible")
    expect(where).to_have_text(f"Move {middle - 1} of {last}, as all could see it")

    # By itself, until it is stopped.
    page.click("[data-play]")
    expect(where).not_to_contain_text(f"Move {middle - 1} of")
    page.click("[data-play]")
    expect(page.locator("[data-play]")).to_have_attribute("aria-label", "Play")
    assert not person.complaints


#: Everything that the page was sent in words, and everything that it shows, in words.
WORDS = """(html) => [new DOMParser().parseFromString(html, "text/html"), document]
    .map((page) => page.querySelector("#app").textContent.replace(/\\s+/g, " "))"""


@pytest.mark.parametrize("game", mostly(catalogue(), ("reveal",), ("scout",)))
def test_the_page_shows_the_words_that_it_was_sent(game: str, browser: Browser) -> None:
    match = played(game, info(game).seats[0], lambda match: match.over)
    drawn = Drawn(browser, 1440, 900)
    for ply in (0, match.ply // 2, match.ply):
        sent, shown = drawn.replay(match, ply).evaluate(WORDS, drawn.html)
        assert shown == sent


@pytest.mark.nightly
def test_a_moment_that_mattered_leads_to_its_move(browser: Browser, fresh_server: Server, seed: int) -> None:
    person = at_the_end(browser, fresh_server, seed)
    page = person.page
    page.wait_for_selector(".tally ul")
    links = page.locator(".moments h3 a")
    if links.count():
        words = links.first.inner_text()
        links.first.click()
        assert "hand" in words.lower()
        expect(page.locator(".said-now p")).to_contain_text("as you saw it")
        expect(page.locator(".replay-moves .now, .said-now h2").first).to_be_visible()
    assert not person.complaints


@pytest.mark.nightly
def test_a_replay_can_be_used_by_all(browser: Browser, server: Server, seed: int) -> None:
    person = at_the_end(browser, server, seed)
    code = person.page.url.rsplit("/", 1)[1]
    for size, context in SIZES.items():
        visitor = Person(browser, server, seed, "mouse", **context)
        for ply in (0, 9):
            visitor.page.goto(f"{server.origin}/m/{code}?ply={ply}&eyes=0")
            check(visitor.page, f"replay, {size}", *BOTH)
            dock = box_of(visitor.page.locator(".transport"))
            assert dock["y"] + dock["height"] <= context["viewport"]["height"] + 1, "the buttons are in view"
        assert not visitor.complaints


#: How far the lowest card reaches below the table, and where the ways through the match stand.
DOCK = """() => {
  const board = document.querySelector("#board");
  const low = [...board.querySelectorAll(".piece")].filter((e) => e.checkVisibility({ visibilityProperty: true }))
    .map((e) => e.getBoundingClientRect().bottom);
  const box = (q) => {
    const r = document.querySelector(q)?.getBoundingClientRect();
    return r && [r.left, r.top, r.height];
  };
  return { below: Math.max(...low) - board.getBoundingClientRect().bottom,
    play: box(".round-play"), again: box(".again-from .chip-button") };
}"""


@pytest.mark.parametrize("size", mostly([(1440, 900), (1280, 650)], (), [(1440, 900)], one=True), ids=str)
@pytest.mark.parametrize(("game", "seats"), mostly([("reveal", 2), ("detect", 3)], (), [("reveal", 2)]))
def test_every_card_of_a_replay_is_in_sight_and_its_buttons_stay(
    game: str, seats: int, size: tuple[int, int], browser: Browser
) -> None:
    match = played(game, seats, lambda match: match.over)
    drawn = Drawn(browser, *size)
    # A hand, the final round, the cards face up, and the next hand.
    seen = [drawn.replay(match, ply).evaluate(DOCK) for ply in (0, 6, 14, 18, 22)]
    assert all(each["below"] <= 0 for each in seen), seen
    assert all(each["play"] == seen[0]["play"] and each["again"] == seen[0]["again"] for each in seen), seen
