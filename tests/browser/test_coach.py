"""The coach in the browser: the graph and the moments of a finished match, and a hint whose cards are marked."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import Person, Server
from tests.browser.test_access import check
from tests.browser.test_whole_matches import over
from tests.browser.windows import SMALL

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]


def at_reveal(
    browser: Browser, server: Server, seed: int, hands: int = 1, hints: bool = False, **context: object
) -> Person:
    """Somebody who plays so many hands of Reveal against a bot."""
    person = Person(browser, server, seed, "mouse", **context)
    form: dict[str, Any] = {
        "game": "reveal",
        "name": "Ada",
        "seat-0": "you",
        "seat-1": "greedy",
        "clock": "0",
        "spectators": "on",
    }
    form |= {"option-end": "hands", "option-end-hands-0": str(hands)} | ({"hints": "on"} if hints else {})
    answer = person.context.request.post(f"{server.origin}/tables", form=form, headers={"Origin": server.origin})
    assert answer.ok, answer.text()
    person.page.goto(answer.url)
    return person


def _ask(person: Person) -> None:
    """Press H; what is asked before the line is up is sent when it is."""
    person.page.keyboard.press("h")
    expect(person.page.locator("#polite")).to_contain_text("The coach is thinking.")


@pytest.mark.slow
def test_a_finished_match_shows_its_graph_and_its_moments(browser: Browser, fresh_server: Server, seed: int) -> None:
    person = at_reveal(browser, fresh_server, seed)
    person.play_until(over)
    page = person.page
    page.wait_for_selector(".tally ul")
    assert page.locator(".plot .trace").count() == 1
    assert page.locator(".plot .pins g").count() == page.locator(".moments li:not(.none)").count() <= 3
    decisions = page.locator(".tally li").first.inner_text()
    assert page.locator("#coach table tbody tr").count() == int(decisions.split()[0]) > 0
    check(page, "finished, desktop")
    page.click(".whose button:has-text('Juniper')")
    expect(page.locator("#chances-title")).to_have_text("Juniper’s chance to win, hand by hand")
    page.wait_for_selector(".tally ul")
    phone = person.context.browser
    assert phone is not None
    themes: tuple[Literal["light", "dark"], ...] = ("light", "dark")
    for theme in themes:
        small = phone.new_context(**SMALL, color_scheme=theme)
        small.add_cookies(
            [{"name": c["name"], "value": c["value"], "url": fresh_server.origin} for c in person.context.cookies()]
        )
        narrow = small.new_page()
        narrow.goto(page.url)
        narrow.wait_for_selector(".tally ul")
        check(narrow, f"finished, small, {theme}")
        small.close()
    assert not person.complaints


@pytest.mark.slow
def test_a_hint_marks_its_cards_until_the_table_changes(browser: Browser, fresh_server: Server, seed: int) -> None:
    person = at_reveal(browser, fresh_server, seed, hints=True)
    page = person.page
    page.wait_for_selector(".lamp.lit")
    _ask(person)
    page.wait_for_selector("#hint:not([hidden]) .more")
    check(page, "where to look")
    page.keyboard.press("h")
    check(page, "what speaks for it")
    page.keyboard.press("h")
    best = page.locator("#hint .best .words").inner_text()
    assert best in page.locator("#polite").inner_text()
    assert page.locator(".hinted").count() > 0
    check(page, "a hint")
    page.keyboard.press("Escape")
    assert page.locator(".hinted").count() == 0
    assert not page.locator("#hint").is_visible()
    page.click(".bar [data-hint]")
    page.wait_for_selector("#hint:not([hidden])")
    before = page.locator("#log-lines li").count()
    person.play_until(lambda _: page.locator("#log-lines li").count() > before)
    assert page.locator(".hinted").count() == 0, "the table has changed"
    assert not person.complaints
