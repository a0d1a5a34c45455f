"""Replays: moving by buttons, slider and keys, automatic playback, views of other seats, and sharing by a link."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.core.game_registry import catalogue, info
from tests.browser.offline_pages import Drawn, played
from tests.browser.page_time import box_of, stop_clock
from tests.browser.players import SIZES, open_page_for
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.nightly_selection import mostly
from tests.server.http_server import Server, finished, module_server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]


server = module_server(review_tries=2)

#: Time for which a button says that its link is copied, in ms.
COPIED = 1500
#: Scripts that imitate a page without encryption, and a system with its own share sheet.
PLAIN = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
SHEET = "Object.defineProperty(navigator, 'share', {value: async (told) => { window.told = told; }})"


@pytest.fixture
def at_the_end(browser: Browser, server: Server) -> Callable[[str], Page]:
    """Return a function that opens a finished one-hand match of Reveal in a window of a size."""

    def opened(size: str) -> Page:
        with server.client() as ada:
            page = open_page_for(browser, server, ada, finished(server, ada), size)
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        return page

    return opened


def code_of(page: Page) -> str:
    return page.url.partition("?")[0].rpartition("/")[2]


def cards(page: Page) -> list[str]:
    found: list[str] = page.eval_on_selector_all("#app .piece", "(all) => all.map((e) => e.ariaLabel)")
    return found


@pytest.mark.slow
def test_replay_steps_through_moves_by_buttons_keys_slider_and_playback_and_shows_other_seats(
    at_the_end: Callable[[str], Page],
) -> None:
    page = at_the_end("desktop")
    page.click("text=Replay")
    where = page.locator(".said-now p")
    last = int(page.get_attribute("#replay", "data-last") or "0")
    expect(where).to_have_text(f"Move 0 of {last}, as you saw it")
    dealt = cards(page)

    page.click("[aria-label='One move forward']")
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

    # The slider, by mouse and by keys.
    strip = page.locator("#replay-move")
    box = box_of(strip)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(where).not_to_contain_text("Move 0 of")
    middle = int(strip.input_value())
    assert abs(middle - last / 2) <= 1
    strip.focus()
    page.keyboard.press("ArrowLeft")
    expect(where).to_have_text(f"Move {middle - 1} of {last}, as you saw it")

    # From the other seat, the own hand is a row of card backs.
    page.click("[data-eyes='1']:not(#replay):visible")
    expect(where).to_contain_text("as Juniper saw it")
    page.click("[data-eyes='all']:not(#replay):visible")
    expect(where).to_have_text(f"Move {middle - 1} of {last}, as everyone saw it")

    # Automatic playback until it is stopped.
    page.click("[data-play]")
    expect(where).not_to_contain_text(f"Move {middle - 1} of")
    page.click("[data-play]")
    expect(page.locator("[data-play]")).to_have_attribute("aria-label", "Play")


#: All text of the page as it was sent, and as it is shown.
WORDS = """async () => [new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html"), document]
    .map((page) => page.querySelector("#app").textContent.replace(/\\s+/g, " "))"""


@pytest.mark.parametrize("game", mostly(catalogue(), ("reveal",), ("scout",)))
def test_replay_shows_exactly_the_text_that_the_server_sent(game: str, browser: Browser) -> None:
    match = played(game, info(game).seats[0], lambda match: match.over)
    drawn = Drawn(browser, 1440, 900)
    for ply in (0, match.ply // 2, match.ply):
        sent, shown = drawn.replay(match, ply).evaluate(WORDS)
        assert shown == sent


@pytest.mark.nightly
def test_replay_passes_the_accessibility_check_and_shows_its_buttons_at_all_sizes(browser: Browser) -> None:
    match = played("reveal", 2, lambda match: match.over)
    for size, window in SIZES.items():
        drawn = Drawn(browser, **window)
        for ply in (0, 9):
            page = drawn.replay(match, ply)
            check_accessibility(page, f"replay, {size}", *BOTH)
            dock = box_of(page.locator(".transport"))
            assert dock["y"] + dock["height"] <= window["viewport"]["height"] + 1, "the buttons are in view"


def copied(page: Page, says: str = "Copied") -> str:
    """Tap the share button, check that it reports the copy, and return the copied link. The clock stands still."""
    stop_clock(page)
    page.tap("[data-share]")
    expect(page.locator("[data-share]")).to_have_attribute("data-copied", says)
    other = page.context.new_page()
    other.goto(urljoin(page.url, "/learn"))
    other.bring_to_front()
    link: str = other.evaluate("navigator.clipboard.readText()")
    other.close()
    return link


@pytest.mark.slow
def test_share_button_of_a_replay_copies_a_link_to_the_shown_move_and_confirms_it(
    server: Server, at_the_end: Callable[[str], Page]
) -> None:
    page = at_the_end("phone")
    there = f"{server.origin}/m/{code_of(page)}"
    page.goto(f"{there}?ply=2&eyes=1")
    page.tap("[aria-label='One move forward']")
    page.wait_for_url("**?ply=3&eyes=1")
    page.evaluate("() => { window.__setTimeout = window.setTimeout.bind(window); }")
    assert copied(page) == f"{there}?ply=3&eyes=1"
    expect(page.locator("#polite")).to_contain_text("Copied")
    # The button's timer stands still. axe needs its own timers.
    page.evaluate("() => { window.setTimeout = window.__setTimeout; }")
    check_accessibility(page, "a replay, its link copied", *BOTH)
    expect(page.locator("[data-share]")).to_have_attribute("data-copied", "Copied")
    page.clock.run_for(COPIED)
    expect(page.locator("[data-share]")).not_to_have_attribute("data-copied", "Copied")


@pytest.mark.slow
def test_share_button_works_without_clipboard_access_and_is_translated_to_german(
    server: Server, at_the_end: Callable[[str], Page]
) -> None:
    page = at_the_end("phone")
    page.add_init_script(PLAIN)
    page.reload()
    there = f"{server.origin}/m/{code_of(page)}"
    assert copied(page) == there
    page.goto(f"{there}?lang=de")
    expect(page.locator("[data-share]")).to_have_attribute("aria-label", "Teilen")
    copied(page, "Kopiert")


@pytest.mark.slow
def test_share_button_of_a_replay_opens_the_share_dialog_of_the_operating_system(
    server: Server, at_the_end: Callable[[str], Page]
) -> None:
    page = at_the_end("phone")
    page.add_init_script(SHEET)
    page.reload()
    page.tap("[data-share]")
    page.wait_for_function("() => window.told")
    assert page.evaluate("window.told.url") == f"{server.origin}/m/{code_of(page)}"
    assert page.get_attribute("[data-share]", "data-copied") is None
