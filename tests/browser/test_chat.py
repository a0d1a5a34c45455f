"""Chat on the page: a phrase in a phone's bar, the pages of the sheet, muting, silent games, quiet while typing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from facedown.core.match import Match
from facedown.play import chat
from facedown.server import rendering
from tests.browser.offline_pages import DESK, PHONE, Drawn
from tests.browser.page_time import box_of, stop_clock, wait_for_events
from tests.browser.players import PHONES, open_page_for
from tests.nightly_selection import mostly
from tests.server.http_server import Live, Server, lobby, shared_table

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


@pytest.fixture
def table_of_two(server: Server) -> Iterator[Callable[..., tuple[httpx.Client, httpx.Client, str]]]:
    """A function that makes a dealt table of Ada and Ben."""
    with server.client() as ada, server.client() as ben:

        def make(game: str = "reveal", **fields: str) -> tuple[httpx.Client, httpx.Client, str]:
            url = shared_table(ada, ben, game=game, **fields)
            with lobby(server, url, ada, ben) as lives:
                for live in lives:
                    live.send(type="ready", ready=True)
                    live.settle()
            return ada, ben, url

        yield make


@pytest.mark.parametrize("size", mostly(PHONES, ("small",), ()))
def test_chat_message_is_shown_for_four_seconds_in_the_top_bar_and_kept_in_the_chat_of_a_phone(
    size: str, browser: Browser, server: Server, table_of_two: Any
) -> None:
    ada, ben, url = table_of_two()
    page = open_page_for(browser, server, ada, url, size)
    expect(page.locator("#chat")).to_be_hidden()
    with Live(server, ben, url) as live:
        live.hello()
        stop_clock(page)
        live.send(type="chat", text="Well played")
        page.wait_for_selector("#heard")
        heard, bar, board = (box_of(page.locator(part)) for part in ("#heard", "#bar", "#board"))
        assert page.locator("#heard").inner_text().split() == ["B", "Ben", "Well", "played"]
        assert not page.locator("#heard > :last-child").evaluate("(words) => words.scrollWidth > words.clientWidth + 1")
        assert bar["y"] <= heard["y"] <= heard["y"] + heard["height"] <= board["y"] + 1, "nowhere over the cloth"
        assert page.locator(".bar .titles").evaluate("(e) => getComputedStyle(e).visibility") == "hidden"
        ring = page.locator("#seat-1 .token").evaluate("(e) => getComputedStyle(e).boxShadow")
        assert "5px" in ring, ring
        assert page.locator(".bar [data-open=log]").get_attribute("data-unread") == "1"
        expect(page.locator("#polite")).to_contain_text("Ben: Well played")
        live.send(type="chat", text="Thank you")
        expect(page.locator("#heard")).to_contain_text("Thank you")
        assert page.locator(".bar [data-open=log]").get_attribute("data-unread") == "2"
    # The words are shown for four seconds.
    page.clock.run_for(3980)
    expect(page.locator("#heard")).to_contain_text("Thank you")
    page.clock.run_for(60)
    expect(page.locator("#heard")).to_have_count(0)
    assert page.locator("#seat-1 .token.speaking").count() == 0
    # The sheet's third page: the chat, the phrases and a text field.
    page.click(".bar [data-open=log]")
    page.click(".pages [data-page=said]")
    expect(page.locator("#chat-lines li")).to_have_count(2)
    assert page.locator(".bar [data-open=log]").get_attribute("data-unread") is None
    for phrase in page.locator("[data-phrase]").all():
        box = box_of(phrase)
        assert box["height"] >= 44
    assert page.locator("[data-phrase]").count() == 8
    expect(page.locator("#say-text")).to_be_visible()
    page.click(".pages [data-page=scores]")
    expect(page.locator("#scores")).to_be_visible()
    expect(page.locator("#chat")).to_be_hidden()
    page.click(".pages [data-page=log]")
    expect(page.locator("#log")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth + 1")


@pytest.mark.slow
def test_chat_phrase_buttons_are_disabled_after_five_phrases_within_a_minute(
    browser: Browser, server: Server, table_of_two: Any
) -> None:
    ada, _, url = table_of_two()
    page = open_page_for(browser, server, ada, url, "phone")
    # All phrases are sent within a minute.
    stop_clock(page)
    for number in range(5):
        page.click(".bar [data-open=log]")
        page.click(".pages [data-page=said]")
        page.locator("[data-phrase]").nth(number).click()
        expect(page.locator("#chat-lines li")).to_have_count(number + 1)
        assert not page.evaluate("document.body.classList.contains('sheet-log')"), "one touch says it, and closes"
    page.click(".bar [data-open=log]")
    expect(page.locator("#a-moment")).to_have_text("Just a moment, please.")
    assert page.locator("[data-phrase][aria-disabled=true]").count() == 8
    assert page.locator("#heard").count() == 0, "one's own words do not come over the bar"


@pytest.mark.parametrize("size", mostly(["phone", "desktop"], (), ["phone"]))
def test_chat_lines_of_muted_players_or_spectators_are_hidden_and_counted(
    size: str, browser: Browser, server: Server, table_of_two: Any
) -> None:
    ada, ben, url = table_of_two(**{"watchers-talk": "on"})
    page = open_page_for(browser, server, ada, url, size)
    with server.client() as cleo, Live(server, ben, url) as live:
        cleo.post(f"{url}/watch")
        live.hello()
        with Live(server, cleo, url) as watching:
            watching.hello()
            expect(page.locator("#mute-watch")).to_have_count(1)
            live.send(type="chat", text="first")
            # The two lines come over two connections and may arrive in any order.
            expect(page.locator("#chat-lines li")).to_have_count(1)
            watching.send(type="chat", text="who leads?")
            expect(page.locator("#chat-lines li")).to_have_count(2)
            if size == "phone":
                page.click(".bar [data-open=log]")
                page.click(".pages [data-page=said]")
            expect(page.locator("#chat-lines li").last).to_contain_text(" (watching) who leads?")
            page.check("#mute-1")
            expect(page.locator("#hidden-lines")).to_contain_text("1 message from Ben is hidden")
            live.send(type="chat", text="second")
            expect(page.locator("#hidden-lines")).to_contain_text("2 messages from Ben are hidden")
            assert "Ben: second" not in page.locator("#polite").inner_text()
            page.check("#mute-watch")
            expect(page.locator("#hidden-lines")).to_contain_text("3 messages")
            # A redraw of the whole table does not show them again.
            live.send(type="ping")
            page.reload()
            expect(page.locator("#hidden-lines")).to_contain_text("3 messages")
            if size == "phone":
                page.click(".bar [data-open=log]")
                page.click(".pages [data-page=said]")
            page.click("#hidden-lines button")
            expect(page.locator("#chat-lines li:visible")).to_have_count(3)


def test_chat_lines_are_not_announced_to_screen_readers_while_the_player_is_typing(
    browser: Browser, server: Server, table_of_two: Any
) -> None:
    ada, ben, url = table_of_two()
    page = open_page_for(browser, server, ada, url, "desktop")
    with Live(server, ben, url) as live:
        live.hello()
        page.fill("#say-text", "I am just wri")
        live.send(type="chat", text="are you there?")
        expect(page.locator("#chat-lines li")).to_have_count(1)
        assert "are you there?" not in page.locator("#polite").inner_text()
        assert page.input_value("#say-text") == "I am just wri"
        page.locator("#say-text").blur()
        live.send(type="chat", text="hello?")
        expect(page.locator("#polite")).to_contain_text("Ben: hello?")


@pytest.mark.slow
def test_chat_of_a_game_played_in_silence_offers_only_the_allowed_phrases(browser: Browser) -> None:
    rests = rendering.ChatPanel(chat.PHRASES, chat.SILENT_GAME_PHRASES, "Uncovered! is played in silence.")
    match = Match("uncovered", 3, seed=bytes(32))
    page = Drawn(browser, *PHONE).table(match, talk=rests)
    page.click(".bar [data-open=log]")
    page.click(".pages [data-page=said]")
    expect(page.locator("#chat .rests")).to_have_text("Uncovered! is played in silence.")
    assert page.locator("#say-text").count() == 0
    assert page.locator("[data-phrase]:not([aria-disabled])").all_inner_texts() == list(chat.SILENT_GAME_PHRASES)
    drawn = Drawn(browser, *DESK)
    page = drawn.table(match, talk=rests)
    assert page.locator("[data-phrase]:visible").all_inner_texts() == list(chat.SILENT_GAME_PHRASES)
    page.click("[data-phrase=Hello]")
    wait_for_events(page, lambda: any(message == {"type": "chat", "text": "Hello"} for message in drawn.sent))
    page = drawn.table(match, talk=rendering.ChatPanel(chat.PHRASES, chat.SILENT_GAME_PHRASES))
    expect(page.locator("#say-text")).to_be_visible()
    assert not page.locator("[data-phrase]:visible").count(), "there is a line to write"
