"""Played lessons as a person has them: by mouse, touch and keys; a wrong touch, the way back, the first own move."""

from __future__ import annotations

from itertools import product
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.core.game_registry import catalogue
from facedown.play.lessons import has_lesson, lesson
from tests.browser.page_time import set_motion_rate, stop_clock, wait_for_frames
from tests.browser.players import DESKTOP, PATIENCE, PHONE, SIZES, Person
from tests.browser.test_access import BOTH, check
from tests.nightly_selection import mostly
from tests.not_none import given
from tests.server.http_server import Server, module_server
from tests.server.live_tables import GAME, serving_small_lesson

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
TAUGHT = [name for name in catalogue() if has_lesson(name)]
#: Each game's lesson, and by which means it is played.
PLAYED = (*product(TAUGHT, ("touch", "keyboard")), ("detect", "mouse"))
#: Parameters of the daily runs, and of the landing runs besides.
DAILY = (("uncovered", "touch"),)
LANDING = (("reveal", "keyboard"), ("scout", "touch"), ("detect", "mouse"))

#: The one thing that is asked for.
LIT = ".asked"
#: What has the focus, what is lit, and at which step.
NOW = f"""() => {{
  const lit = [...document.querySelectorAll({LIT!r})].filter((e) => e.checkVisibility());
  return [document.activeElement.id, lit.map((e) => e.id), location.pathname];
}}"""
CHANGED = f"(before) => JSON.stringify(({NOW})()) !== JSON.stringify(before)"
#: Is a step's question there, or the end?
ASKED = f"() => document.querySelectorAll({LIT!r}).length > 0 || location.pathname.endsWith('/end')"
#: Does the lit card move by itself?
DIPS = "() => document.querySelector('#at-p0-a1').getAnimations().some((one) => one.playState === 'running')"
#: Time of the page in which all moves of a step are shown, in ms.
MOVES = 10_000

#: A server with one small lesson.
school = module_server(serving_small_lesson)


def opened(
    browser: Browser, server: Server, path: str, means: str = "mouse", *, calm: bool = True, **window: object
) -> Person:
    """Somebody who has never been here opens a page whose clock can be turned; if it is `calm`, nothing travels."""
    ada = Person(browser, server, 1, means, **window)
    ada.page.clock.install()
    if calm:
        ada.page.emulate_media(reduced_motion="reduce")
    ada.page.goto(server.origin + path)
    return ada


def step(page: Page, number: str) -> None:
    """Wait until a step stands there, with what it asks."""
    page.wait_for_url(f"**/learn/{GAME}/{number}")
    page.wait_for_function(ASKED)


def go_on(ada: Person, moves: int = MOVES) -> str:
    """Touch what a step asks for by the person's own means, and wait until something has changed; what was so before.

    `moves`: for how long the moves that follow are shown, in ms.
    """
    page = ada.page
    page.wait_for_function(ASKED)
    before = focus, lit, _ = ada.look(NOW)
    assert lit == [focus], "one thing is lit, and the focus is on it"
    if ada.means == "keyboard":
        page.keyboard.press("Enter")
    else:
        ada.touch(f'[id="{focus}"]')
    page.clock.run_for(moves)
    page.wait_for_function(CHANGED, arg=before)
    return str(before)


@pytest.mark.parametrize(("game", "means"), mostly(PLAYED, DAILY, LANDING))
def test_a_lesson_leads_from_its_first_step_to_its_end(browser: Browser, server: Server, game: str, means: str) -> None:
    steps = given(lesson(game)).steps
    ada = opened(browser, server, f"/learn/{game}", means)
    page = ada.page
    seen = set()
    states: list[str] = []
    for _ in range(sum(len(step.path) for step in steps) + 4):
        page.wait_for_function(ASKED)
        if page.url.endswith("/end"):
            break
        seen.add(page.url.rpartition("/")[2])
        before = go_on(ada)
        # Whoever touches what has the focus comes on: nothing that was touched is offered again, to be taken back.
        assert before not in states, (before, states)
        states.append(before)
    expect(page.locator("#play-on")).to_be_focused()
    assert len(seen) == len(steps)
    check(page, f"{game}, the end")


@pytest.mark.parametrize("game", mostly(TAUGHT, ("scout",), ("detect", "reveal")))
def test_the_last_sentence_comes_with_the_last_cards(browser: Browser, server: Server, game: str) -> None:
    found = given(lesson(game))
    ada = opened(browser, server, f"/learn/{game}/{len(found.steps)}", "keyboard", calm=False)
    page = ada.page
    for _ in found.steps[-1].path:
        go_on(ada, 0)
    seen = []
    while not seen or not seen[-1][0]:
        page.clock.run_for(50)
        wait_for_frames(page)
        seen.append((page.locator("#play-on").count(), page.locator("#prompt-words").inner_text()))
        assert len(seen) < 200
    # The way on, the sentence and the cards are there at once: nobody waits for one of them.
    assert seen[-1][1] == found.end.partition(". ")[0].rstrip(".") + "."
    assert page.locator("#app").evaluate("(e) => e.innerHTML.includes('lesson-end')")
    page.locator("#play-on").click()
    page.wait_for_url("**/t/*", timeout=1000 * PATIENCE)
    page.wait_for_selector("#prompt-words:not(:empty)")


#: Touches in another order than the lesson asks for them, and what is said after them.
OTHER_ORDERS = (
    ("detect", 1, ("p0-c2", "p0-a1"), "Now flip them."),
    ("reveal", 2, ("hand-2", "p0-C1", "hand-3", "p0-R1"), "The wild goes in the middle. Place all three."),
    ("scout", 2, ("hand-2", "hand-1"), "Show 4 4: Wren’s 6 is yours, and worth a point."),
    ("scout", 4, ("hand-4", "hand-2"), "Show 6 7 8: three cards, three points."),
)


@pytest.mark.parametrize(
    ("game", "step", "touches", "prompt"), mostly(OTHER_ORDERS, (OTHER_ORDERS[0],), OTHER_ORDERS[1:])
)
def test_touches_are_taken_in_any_order(
    browser: Browser, server: Server, game: str, step: int, touches: tuple[str, ...], prompt: str
) -> None:
    ada = opened(browser, server, f"/learn/{game}/{step}", "touch")
    page = ada.page
    page.wait_for_function(ASKED)
    for touch in touches:
        assert page.locator("#app .piece.lit:not(.asked)").count() == 0, "one thing is lit, however many would do"
        ada.touch(f"#at-{touch}")
    expect(page.locator("#prompt-words")).to_have_text(prompt)
    expect(page.locator("#prompt-help")).to_be_hidden()
    page.locator(LIT).click()
    page.clock.run_for(MOVES)
    page.wait_for_function(f"() => !location.pathname.endsWith('/{step}')")


@pytest.mark.slow
def test_what_the_script_writes_is_in_the_readers_language(browser: Browser, server: Server) -> None:
    ada = opened(browser, server, "/learn/reveal/2", "keyboard", locale="de-DE")
    for _ in range(2):
        go_on(ada)
    assert ada.page.locator("#button-back").inner_text() == "Zurücknehmen"
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator("#polite")).to_contain_text("Zurückgenommen.")


@pytest.mark.slow
def test_two_touches_lead_to_the_first_own_move(browser: Browser, school: Server) -> None:
    page, other = (Person(browser, school, 1, "touch").page for _ in range(2))
    page.goto(f"{school.origin}/")
    moves: list[str] = []
    page.on("request", lambda request: moves.append(urlsplit(request.url).path))
    # The first touch: the card that lies on home.
    page.locator(".lesson-lit").tap()
    step(page, "4")
    assert any(url.endswith("/4/table") for url in moves)
    # It was made: the 12 lies on the discard pile, and the next step asks for the next one.
    expect(page.locator("#prompt-words")).to_have_text("Draw again.")
    # Or by the button, and then the lit thing.
    other.goto(f"{school.origin}/")
    other.locator("#lesson-link").tap()
    other.wait_for_selector("#app .piece.lit")
    other.locator("#app .piece.lit").tap()
    expect(other.locator("#prompt-words")).to_have_text("And this one.")


def test_a_wrong_touch_is_answered_and_nothing_moves(browser: Browser, school: Server) -> None:
    ada = Person(browser, school, 1)
    page, prompt = ada.page, ada.page.locator("#prompt-words")
    page.goto(f"{school.origin}/learn/{GAME}/3")
    step(page, "3")
    stop_clock(page)
    for touch, answer in (("b1", "That one stays. Touch the 12."), ("c2", "The 5 is not bad. Touch the 12.")):
        ada.touch(f"#at-p0-{touch}")
        expect(prompt).to_have_text(answer)
    # After three seconds the question is back.
    page.clock.run_for(3000)
    expect(prompt).to_have_text("Touch the 12: the 1 takes its place.")
    assert page.url.endswith("/3")
    # The third one: the lit card shows itself, and is still about it when it is looked at.
    set_motion_rate(page, 0)
    ada.touch("#at-draw")
    page.wait_for_function(DIPS)


def test_going_back_is_free(browser: Browser, school: Server) -> None:
    ada = opened(browser, school, f"/learn/{GAME}/2")
    page, third = ada.page, ada.page.locator("#dots a").nth(2)
    go_on(ada)
    step(page, "3")
    page.go_back()
    step(page, "2")
    expect(page.locator("#prompt-words")).to_have_text("Look at a new card: touch the draw pile.")
    page.go_forward()
    step(page, "3")
    page.locator("#bar [data-step]").click()
    step(page, "2")
    third.click()
    step(page, "4")
    expect(third).to_have_attribute("aria-current", "step")
    expect(third).to_have_attribute("aria-label", "step 3 of 3")
    page.locator(".lesson-steps a").first.click()
    step(page, "1")


@pytest.mark.slow
def test_it_goes_on_in_the_language_of_its_address(browser: Browser, school: Server) -> None:
    ada = opened(browser, school, f"/learn/{GAME}/2?lang=de")
    third = ada.page.locator("#dots a").nth(2)
    go_on(ada)
    ada.page.wait_for_url("**/learn/*/3*")
    ada.page.wait_for_selector(LIT)
    expect(third).to_have_attribute("aria-label", "Schritt 3 von 3")
    ada.page.reload()
    expect(third).to_have_attribute("aria-label", "Schritt 3 von 3")


def test_escape_asks_once(browser: Browser, school: Server) -> None:
    page = Person(browser, school, 1).page
    page.goto(f"{school.origin}/learn/{GAME}/4")
    step(page, "4")
    # Once more within four seconds.
    stop_clock(page)
    page.keyboard.press("Escape")
    expect(page.locator("#prompt-words")).to_have_text("Skip the lesson? Press Escape once more.")
    page.keyboard.press("Escape")
    page.wait_for_url(f"{school.origin}/")
    expect(page.locator(".tables")).to_contain_text("You stopped at step 3 of 3.")
    page.locator(".tables .table-row").click()
    step(page, "4")


@pytest.mark.slow
def test_what_is_asked_is_said_with_its_reason(browser: Browser, school: Server) -> None:
    ada = opened(browser, school, f"/learn/{GAME}/3")
    heard = ada.page.locator("#polite")
    step(ada.page, "3")
    ada.page.clock.run_for(MOVES)
    expect(heard).to_contain_text("Touch the 12: the 1 takes its place. A low sum wins. This makes yours eleven less.")
    go_on(ada)
    step(ada.page, "4")
    expect(heard).to_contain_text("Juniper drew and discarded a 7, then flipped a 4.")
    expect(heard).to_contain_text("Draw again. Juniper discarded a 7: you can do better.")


@pytest.mark.slow
def test_quick_play_offers_the_lesson_first(browser: Browser, school: Server) -> None:
    page = Person(browser, school, 1).page
    page.goto(f"{school.origin}/")
    page.locator(".quick .button").click()
    expect(page.locator("#learn-first")).to_be_visible()
    page.locator("#learn-first button", has_text="Play now").click()
    page.wait_for_url("**/t/*")


#: What is typed on home, in which window, and where that leads.
TYPED = (
    ("jzzzz yyyy", PHONE, "/join?code=ZZZZYYYY"),
    ("jzzzz yyyy", DESKTOP, "/join?code=ZZZZYYYY"),
    ("g2", DESKTOP, "/new/detect"),
    ("l", DESKTOP, f"/learn/{GAME}"),
)


@pytest.mark.parametrize(("keys", "window", "leads"), mostly(TYPED, (), TYPED[:1] + TYPED[2:]), ids=str)
def test_keys_of_home_and_a_code_lead_on_at_once(
    browser: Browser, school: Server, keys: str, window: dict[str, object], leads: str
) -> None:
    page = browser.new_context(**window).new_page()
    page.goto(f"{school.origin}/")
    # The second key of two comes within a second and a half.
    stop_clock(page)
    page.keyboard.type(keys)
    page.wait_for_url(school.origin + leads)


@pytest.mark.parametrize("size", mostly(SIZES, (), ("small",)))
def test_axe_finds_nothing_and_what_is_lit_is_in_the_window(browser: Browser, school: Server, size: str) -> None:
    page = browser.new_context(**SIZES[size]).new_page()
    inside = "(e) => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight + 1; }"
    parts = {"/": [], "/learn": []} | {f"/learn/{GAME}/{number}": [LIT, "#dots"] for number in range(1, 6)}
    for path, shown in (parts | {f"/learn/{GAME}/end": ["#play-on"]}).items():
        page.goto(school.origin + path)
        for part in shown:
            page.wait_for_selector(part)
            assert page.locator(part).first.evaluate(inside), (path, part)
        wait_for_frames(page)
        check(page, f"{path}, {size}", *BOTH)
