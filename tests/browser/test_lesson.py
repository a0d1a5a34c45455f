"""A played lesson as a person has it: by mouse, by touch, by keys; a wrong touch, the way back, the first own move."""

from __future__ import annotations

import json
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.page_time import set_motion_rate, stop_clock, wait_for_frames
from tests.browser.people import DESKTOP, PHONE, Person
from tests.browser.people import Server as Serving
from tests.browser.test_access import check
from tests.browser.windows import SIZES
from tests.selection import mostly
from tests.server.serving import Server, module_server
from tests.server.teaching import GAME, teaching

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]

#: The one thing that is asked for.
LIT = ".asked"
#: What has the focus, and what is lit.
FOCUS = f"""() => {{
  const lit = [...document.querySelectorAll({LIT!r})].filter((e) => e.checkVisibility());
  return [document.activeElement.id, lit.map((e) => e.id)];
}}"""
#: Does the lit card move by itself?
DIPS = "() => document.querySelector('#at-p0-a1').getAnimations().some((one) => one.playState === 'running')"
END = "You know enough."
#: Time of the page in which all moves of a step are shown, in ms.
MOVES = 10_000


server = module_server(teaching)


def person(browser: Browser, server: Server, means: str = "mouse") -> Person:
    """Somebody who has never been here."""
    return Person(browser, cast(Serving, server), 1, means)


def calm(page: Page) -> None:
    """What travels is there at once."""
    page.emulate_media(reduced_motion="reduce")


def step(page: Page, number: str) -> None:
    """Wait until a step stands there, with what it asks."""
    page.wait_for_url(f"**/learn/{GAME}/{number}")
    if number != "end":
        page.wait_for_function(f"() => document.querySelectorAll({LIT!r}).length > 0")


def do(one: Person) -> None:
    """Touch what is lit by the person's own means."""
    _focus, lit = one.look(FOCUS)
    if one.means == "keyboard":
        one.page.keyboard.press("Enter")
    else:
        one.touch(f'[id="{lit[0]}"]')


@pytest.mark.parametrize("means", mostly(["mouse", "touch", "keyboard"], ["touch"], ["keyboard"]))
def test_a_lesson_is_played_to_its_end(browser: Browser, server: Server, means: str) -> None:
    ada = person(browser, server, means)
    page = ada.page
    calm(page)
    page.clock.install()
    page.goto(f"{server.origin}/learn/{GAME}")
    seen = []
    for _ in range(20):
        page.wait_for_function(
            f"() => document.querySelectorAll({LIT!r}).length > 0 || location.pathname.endsWith('/end')"
        )
        if page.url.endswith("/end"):
            break
        focus, lit = ada.look(FOCUS)
        # One thing is lit, and the focus is on it.
        assert focus in lit, (focus, lit)
        assert len(lit) == 1
        seen.append((page.url.rpartition("/")[2], lit[0]))
        do(ada)
        page.clock.run_for(MOVES)
        page.wait_for_function(f"(before) => JSON.stringify(({FOCUS})()) !== before", arg=_json([focus, lit]))
    expect(page.locator("#prompt-words")).to_have_text(END)
    assert [thing for _, thing in seen][:3] == ["at-p0-a1", "at-p0-c2", "button-turn-two"]
    assert {"2", "3", "4", "5"} <= {number for number, _ in seen}
    assert ada.look(FOCUS)[0] == "play-on"
    assert not ada.complaints
    page.locator("#play-on").click()
    page.wait_for_url("**/t/*")
    expect(page.locator("#prompt-words")).to_contain_text("Which two cards do you flip?")


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


@pytest.mark.slow
def test_two_touches_lead_to_the_first_own_move(browser: Browser, server: Server) -> None:
    ada = person(browser, server, "touch")
    page = ada.page
    page.goto(f"{server.origin}/")
    moves: list[str] = []
    page.on("request", lambda request: moves.append(urlsplit(request.url).path))
    # The first touch: the card that lies on home.
    page.locator(".lesson-lit").tap()
    step(page, "4")
    assert any(url.endswith("/4/table") for url in moves)
    # It was made: the 12 lies on the discard pile, and the next step asks for the next one.
    expect(page.locator("#prompt-words")).to_have_text("Draw again.")
    page.goto(f"{server.origin}/")
    # Or by the button, and then the lit thing.
    context = browser.new_context(**PHONE)
    other = context.new_page()
    other.goto(f"{server.origin}/")
    other.locator("#lesson-link").tap()
    other.wait_for_selector("#app .piece.lit")
    other.locator("#app .piece.lit").tap()
    expect(other.locator("#prompt-words")).to_have_text("And this one.")


def test_a_wrong_touch_is_answered_and_nothing_moves(browser: Browser, server: Server) -> None:
    ada = person(browser, server)
    page = ada.page
    page.goto(f"{server.origin}/learn/{GAME}/3")
    step(page, "3")
    stop_clock(page)
    ada.touch("#at-p0-b1")
    expect(page.locator("#prompt-words")).to_have_text("That one stays. Touch the 12.")
    ada.touch("#at-p0-c2")
    expect(page.locator("#prompt-words")).to_have_text("The 5 is not bad. Touch the 12.")
    # After three seconds the question is back.
    page.clock.run_for(3000)
    expect(page.locator("#prompt-words")).to_have_text("Touch the 12: the 1 takes its place.")
    assert page.url.endswith("/3")
    # The third one: the lit card shows itself, and is still about it when it is looked at.
    set_motion_rate(page, 0)
    ada.touch("#at-draw")
    page.wait_for_function(DIPS)
    assert not ada.complaints


def test_going_back_is_free(browser: Browser, server: Server) -> None:
    ada = person(browser, server)
    page = ada.page
    calm(page)
    page.goto(f"{server.origin}/learn/{GAME}/2")
    step(page, "2")
    do(ada)
    step(page, "3")
    page.go_back()
    step(page, "2")
    expect(page.locator("#prompt-words")).to_have_text("Look at a new card: touch the draw pile.")
    page.go_forward()
    step(page, "3")
    page.locator("#bar [data-step]").click()
    step(page, "2")
    page.locator("#dots a").nth(2).click()
    step(page, "4")
    expect(page.locator("#dots a").nth(2)).to_have_attribute("aria-current", "step")
    expect(page.locator("#dots a").nth(2)).to_have_attribute("aria-label", "step 3 of 3")
    page.locator(".lesson-steps a").first.click()
    step(page, "1")
    assert not ada.complaints


@pytest.mark.slow
def test_it_goes_on_in_the_language_of_its_address(browser: Browser, server: Server) -> None:
    ada = person(browser, server)
    page = ada.page
    calm(page)
    page.goto(f"{server.origin}/learn/{GAME}/2?lang=de")
    page.wait_for_selector(LIT)
    do(ada)
    page.wait_for_url("**/learn/*/3*")
    page.wait_for_selector(LIT)
    expect(page.locator("#dots a").nth(2)).to_have_attribute("aria-label", "Schritt 3 von 3")
    page.reload()
    expect(page.locator("#dots a").nth(2)).to_have_attribute("aria-label", "Schritt 3 von 3")
    assert not ada.complaints


def test_escape_asks_once(browser: Browser, server: Server) -> None:
    ada = person(browser, server)
    page = ada.page
    page.goto(f"{server.origin}/learn/{GAME}/4")
    step(page, "4")
    # Once more within four seconds.
    stop_clock(page)
    page.keyboard.press("Escape")
    expect(page.locator("#prompt-words")).to_have_text("Skip the lesson? Press Escape once more.")
    page.keyboard.press("Escape")
    page.wait_for_url(f"{server.origin}/")
    expect(page.locator(".tables")).to_contain_text("You stopped at step 3 of 3.")
    page.locator(".tables .table-row").click()
    step(page, "4")


@pytest.mark.slow
def test_what_is_asked_is_said_with_its_reason(browser: Browser, server: Server) -> None:
    ada = person(browser, server)
    page = ada.page
    calm(page)
    page.clock.install()
    page.goto(f"{server.origin}/learn/{GAME}/3")
    step(page, "3")
    page.clock.run_for(MOVES)
    heard = page.locator("#polite")
    expect(heard).to_contain_text("Touch the 12: the 1 takes its place. A low sum wins. This makes yours eleven less.")
    do(ada)
    page.clock.run_for(MOVES)
    step(page, "4")
    expect(heard).to_contain_text("Juniper drew and discarded a 7, then flipped a 4.")
    expect(heard).to_contain_text("Draw again. Juniper discarded a 7: you can do better.")


@pytest.mark.slow
def test_quick_play_offers_the_lesson_first(browser: Browser, server: Server) -> None:
    ada = person(browser, server)
    page = ada.page
    page.goto(f"{server.origin}/")
    page.locator(".quick .button").click()
    expect(page.locator("#learn-first")).to_be_visible()
    page.locator("#learn-first button", has_text="Play at once").click()
    page.wait_for_url("**/t/*")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "leads"),
    [(("g", "2"), "/new/detect"), (("l",), f"/learn/{GAME}")],
)
def test_keys_of_home(browser: Browser, server: Server, keys: tuple[str, ...], leads: str) -> None:
    ada = person(browser, server, "keyboard")
    ada.page.goto(f"{server.origin}/")
    # The second key of two comes within a second and a half.
    stop_clock(ada.page)
    for key in keys:
        ada.page.keyboard.press(key)
    ada.page.wait_for_url(f"{server.origin}{leads}")


@pytest.mark.parametrize("window", mostly([PHONE, DESKTOP], (), [PHONE]), ids=["phone", "desktop"])
def test_a_code_is_typed_at_once(browser: Browser, server: Server, window: dict[str, Any]) -> None:
    ada = Person(browser, cast(Serving, server), 1, **window)
    ada.page.goto(f"{server.origin}/")
    ada.page.keyboard.press("j")
    ada.page.keyboard.type("zzzz yyyy")
    ada.page.wait_for_url("**/join?code=ZZZZYYYY")


@pytest.mark.parametrize("size", mostly(SIZES, (), ("phone",)))
def test_nothing_is_found_by_axe_and_nothing_is_cut(browser: Browser, server: Server, size: str) -> None:
    context = browser.new_context(**SIZES[size])
    page = context.new_page()
    for path in ("/", "/learn", f"/learn/{GAME}", f"/learn/{GAME}/3", f"/learn/{GAME}/5", f"/learn/{GAME}/end"):
        page.goto(server.origin + path)
        wait_for_frames(page)
        check(page, f"{path}, {size}", "light", "dark")


@pytest.mark.parametrize("size", mostly(["phone", "small"], (), ["small"]))
def test_what_is_lit_is_in_the_window(browser: Browser, server: Server, size: str) -> None:
    page = browser.new_context(**SIZES[size]).new_page()

    def inside(selector: str) -> bool:
        seen = "(e) => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight + 1; }"
        return bool(page.locator(selector).first.evaluate(seen))

    for number in range(1, 6):
        page.goto(f"{server.origin}/learn/{GAME}/{number}")
        step(page, str(number))
        assert inside(LIT), number
        assert inside("#dots"), number
    page.goto(f"{server.origin}/learn/{GAME}/end")
    assert inside("#play-on")
