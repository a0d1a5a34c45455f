"""Animation speed, marks of the last move, reasons why a thing cannot be touched, and turn marks of the browser tab."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.core.match import Match
from facedown.games.detect.rules import Phase
from tests.browser.offline_pages import DESK, PHONE, Drawn, played, table_message
from tests.browser.page_time import SHOWN, set_motion_rate, stop_clock
from tests.nightly_selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

#: Durations of the card flights above the table, in ms.
PATHS = """() => document.getAnimations().filter((a) => a.id !== 'waits' && a.effect.target?.dataset?.to)
  .map((a) => Math.round(a.effect.getTiming().duration))"""
REASON = "First decide about the card you drew."
#: Factor of each animation speed, with and without the system's setting for reduced motion.
PACES = [
    ("calm", "no-preference", 1.6),
    ("usual", "no-preference", 1.0),
    ("quick", "no-preference", 0.5),
    ("none", "no-preference", 0.0),
    ("usual", "reduce", 0.0),
]
#: Time for which a reason is shown, in ms.
READ = 3000
#: More than the number of Tab stops of a page.
STOPS = 200


def others_turn() -> Match:
    """Return a match of Detect for three on another player's turn, with cards face up."""
    return played("detect", 3, lambda m: int(m.state.phase) == Phase.TURN and m.ply > 24 and list(m.acting) == [1])


def faces_by_place(message: dict[str, Any]) -> list[str]:
    """Return the places that hold a face-up card, with their faces."""
    return re.findall(r'data-place="[^"]+" data-kind="face" data-face="[^"]+"', message["html"])


def message_after_a_card_moves(match: Match) -> dict[str, Any]:
    """Play on until a card changes its place, and return the table message."""
    chance = random.Random(2)
    before = faces_by_place(table_message(match))
    while faces_by_place(message := table_message(match)) == before:
        seat = match.acting[0]
        match.play(seat, chance.choice(match.legal(seat)))
    return message


def choose_pace(page: Page, pace: str) -> None:
    """Choose an animation speed in the menu and close the menu."""
    page.locator("[data-open=menu]").click()
    page.locator(f"[data-pace-set={pace}]").click()
    expect(page.locator(f"[data-pace-set={pace}]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")


@pytest.mark.parametrize(("pace", "motion", "times"), mostly(PACES, [PACES[1], PACES[4]]))
def test_animation_speed_chosen_in_the_menu_applies_at_once_and_is_remembered(
    pace: str, motion: str, times: float, browser: Browser
) -> None:
    match = others_turn()
    drawn = Drawn(browser, *PHONE, reduced_motion=motion)
    page = drawn.table(match)
    choose_pace(page, pace)
    # Flights last until they have been checked.
    set_motion_rate(page, 0)
    drawn.send(message_after_a_card_moves(match))
    page.wait_for_selector(".haloed")
    paths: list[int] = page.evaluate(PATHS)
    assert bool(paths) == bool(times)
    for path in paths:
        assert 260 * times - 1 <= path <= 720 * times + 1
    assert drawn.context.cookies()[0]["value"] == pace, "it is kept"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.pace") == pace


def test_touch_on_the_background_ends_card_animations_and_keeps_highlights_of_the_last_move(browser: Browser) -> None:
    match = others_turn()
    drawn = Drawn(browser, *PHONE, reduced_motion="no-preference")
    page = drawn.table(match)
    choose_pace(page, "calm")
    # Flights last until the touch, and the second move comes within three seconds.
    set_motion_rate(page, 0)
    stop_clock(page)
    drawn.send(message_after_a_card_moves(match))
    page.clock.run_for(SHOWN)
    page.wait_for_selector(".flight")
    page.mouse.click(5, 400)
    assert page.locator(".flight").count() == 0
    first = page.locator(".haloed").evaluate_all("(all) => all.map((e) => e.id)")
    assert first
    drawn.send(message_after_a_card_moves(match))
    page.clock.run_for(SHOWN)
    page.wait_for_function(
        "(first) => [...document.querySelectorAll('.haloed')].some((e) => !first.includes(e.id))", arg=first
    )
    for place in first:
        expect(page.locator(f"#{place}")).to_have_class(re.compile("haloed"))


def with_refusals(message: dict[str, Any], *refusals: tuple[str, str]) -> dict[str, Any]:
    """Return a table message with given reasons why some things may not be touched."""
    return {**message, "version": message["version"] + 1, "step": {**message["step"], "refusals": list(refusals)}}


@pytest.mark.parametrize("size", mostly([PHONE, DESK], [PHONE], one=True), ids=str)
def test_touch_on_a_disabled_card_pile_while_waiting_shows_the_reason_for_three_seconds(
    size: tuple[int, int], drawn: Drawn
) -> None:
    match = others_turn()
    page = drawn.open(with_refusals(table_message(match), ("discard", REASON)), "detect")
    prompt = page.locator("#prompt-words")
    waits = prompt.inner_text()
    assert "choosing" in waits
    thing = page.locator("#at-discard")
    expect(thing).to_have_attribute("aria-disabled", "true")
    expect(thing).to_have_attribute("aria-description", REASON)
    stop_clock(page)
    thing.click(force=True)
    expect(prompt).to_have_text(REASON)
    assert page.locator("#polite p").last.inner_text() == REASON
    # When another table arrives, the reason stays.
    drawn.send(with_refusals(table_message(match), ("discard", REASON)))
    page.clock.run_for(SHOWN)
    expect(prompt).to_have_text(REASON)
    # A reason is shown for three seconds.
    page.clock.run_for(READ - 20 - SHOWN)
    assert prompt.inner_text() == REASON
    page.clock.run_for(20)
    expect(prompt).to_have_text(waits)
    # A thing without a reason shows none.
    page.locator("#at-deck, [data-zone] .k-back[data-place]").first.click(force=True)
    assert prompt.inner_text() == waits
    # The keyboard shows the reason, too.
    for _ in range(STOPS):
        if page.evaluate("document.activeElement.id") == "at-discard":
            break
        page.keyboard.press("Tab")
    expect(thing).to_be_focused()
    for key in ("Enter", "Space"):
        page.keyboard.press(key)
        expect(prompt).to_have_text(REASON)
        page.clock.run_for(READ)
        expect(prompt).to_have_text(waits)
    page.keyboard.press("ArrowLeft")
    expect(thing).not_to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(thing).to_be_focused()
    assert not [m for m in drawn.sent if m["type"] == "move"]


def test_reason_why_a_card_is_disabled_in_the_second_step_of_a_move_is_shown_only_then(drawn: Drawn) -> None:
    match = played("detect", 3, lambda m: int(m.state.phase) == Phase.TURN and m.ply > 24 and list(m.acting) == [0])
    message = table_message(match)
    first = next(choice for choice in message["step"]["choices"] if choice.get("then"))
    inner = {**first, "then": {**first["then"], "refusals": [("p1-a1", REASON)]}}
    step = {**message["step"], "choices": [inner if c is first else c for c in message["step"]["choices"]]}
    page = drawn.open({**message, "step": step}, "detect")
    page.locator("#at-p1-a1").click(force=True)
    expect(page.locator("#prompt-words")).not_to_have_text(REASON)
    page.locator(f"#at-{first['touch']}").click()
    asked = page.locator("#prompt-words").inner_text()
    stop_clock(page)
    page.locator("#at-p1-a1").click(force=True)
    expect(page.locator("#prompt-words")).to_have_text(REASON)
    page.clock.run_for(READ)
    expect(page.locator("#prompt-words")).to_have_text(asked)


def test_tab_title_icon_and_app_badge_show_that_it_is_your_turn(drawn: Drawn) -> None:
    match = played("detect", 3, lambda m: int(m.state.phase) == Phase.TURN and m.ply > 24 and list(m.acting) == [2])
    drawn.page.add_init_script(
        "window.__badge = []; navigator.setAppBadge = (n) => (__badge.push(n), Promise.resolve());"
        "navigator.clearAppBadge = () => (__badge.push(0), Promise.resolve());"
    )
    page = drawn.table(match)
    icon = page.locator("link[rel=icon]")
    rest = icon.get_attribute("href")
    while list(match.acting) != [0]:
        seat = match.acting[0]
        match.play(seat, match.legal(seat)[0])
    mine = table_message(match)
    drawn.send(mine)
    page.wait_for_function("() => document.title.startsWith('● ')")
    assert icon.get_attribute("href") != rest
    match.play(0, match.legal(0)[0])
    while 0 in match.acting:
        match.play(0, match.legal(0)[0])
    drawn.send(table_message(match))
    page.wait_for_function("() => !document.title.startsWith('● ')")
    assert icon.get_attribute("href") == rest
    assert page.evaluate("__badge") == [1, 0]
