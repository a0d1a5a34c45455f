"""Lessons by mouse, touch and keyboard: wrong touches, going back, and the first own move."""

from __future__ import annotations

from itertools import product
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.core.game_registry import catalogue
from facedown.play.lessons import has_lesson, lesson
from tests.browser.page_time import set_motion_rate, stop_clock, wait_for_frames
from tests.browser.players import DESKTOP, PATIENCE, PHONE, SIZES, Person
from tests.browser.test_accessibility import BOTH, check_accessibility
from tests.nightly_selection import mostly
from tests.not_none import given
from tests.server.http_server import Server, module_server
from tests.server.live_tables import GAME, serving_small_lesson

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
TAUGHT = [name for name in catalogue() if has_lesson(name)]
#: Each game's lesson with its input devices.
PLAYED = (*product(TAUGHT, ("touch", "keyboard")), ("detect", "mouse"))
#: Parameters of the daily runs, and further ones of the landing runs.
DAILY = (("uncovered", "touch"),)
LANDING = (("reveal", "keyboard"), ("scout", "touch"), ("detect", "mouse"))

#: The one thing that a step asks for.
LIT = ".asked"
#: The focused element, the highlighted ones, and the current step.
NOW = f"""() => {{
  const lit = [...document.querySelectorAll({LIT!r})].filter((e) => e.checkVisibility());
  return [document.activeElement.id, lit.map((e) => e.id), location.pathname];
}}"""
CHANGED = f"(before) => JSON.stringify(({NOW})()) !== JSON.stringify(before)"
#: Whether the question of a step is shown, or the end.
ASKED = f"() => document.querySelectorAll({LIT!r}).length > 0 || location.pathname.endsWith('/end')"
#: Whether the highlighted card is animated.
DIPS = "() => document.querySelector('#at-p0-a1').getAnimations().some((one) => one.playState === 'running')"
#: Page time in which all moves of a step are shown, in ms.
MOVES = 10_000

#: A server with one small lesson.
school = module_server(serving_small_lesson)


def open_page(
    browser: Browser, server: Server, path: str, means: str = "mouse", *, calm: bool = True, **window: object
) -> Person:
    """Open a page as a new visitor, with a clock that can be advanced. If `calm`, motion is reduced."""
    ada = Person(browser, server, 1, means, **window)
    ada.page.clock.install()
    if calm:
        ada.page.emulate_media(reduced_motion="reduce")
    ada.page.goto(server.origin + path)
    return ada


def wait_for_step(page: Page, number: str) -> None:
    """Wait until a step is shown with its question."""
    page.wait_for_url(f"**/learn/{GAME}/{number}")
    page.wait_for_function(ASKED)


def do_step(ada: Person, moves: int = MOVES) -> str:
    """Touch what a step asks for and wait for a change. Returns the situation before it.

    `moves` is the page time for showing the moves that follow, in ms.
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
def test_lesson_can_be_played_from_its_first_step_to_its_end(
    browser: Browser, server: Server, game: str, means: str
) -> None:
    steps = given(lesson(game)).steps
    ada = open_page(browser, server, f"/learn/{game}", means)
    page = ada.page
    seen = set()
    states: list[str] = []
    for _ in range(sum(len(step.path) for step in steps) + 4):
        page.wait_for_function(ASKED)
        if page.url.endswith("/end"):
            break
        seen.add(page.url.rpartition("/")[2])
        before = do_step(ada)
        # Touching the focused thing always leads on: a touched thing is not offered again to be taken back.
        assert before not in states, (before, states)
        states.append(before)
    expect(page.locator("#play-on")).to_be_focused()
    assert len(seen) == len(steps)
    check_accessibility(page, f"{game}, the end")


@pytest.mark.parametrize("game", mostly(TAUGHT, ("scout",), ("detect", "reveal")))
def test_last_sentence_of_a_lesson_appears_together_with_the_last_cards(
    browser: Browser, server: Server, game: str
) -> None:
    found = given(lesson(game))
    ada = open_page(browser, server, f"/learn/{game}/{len(found.steps)}", "keyboard", calm=False)
    page = ada.page
    for _ in found.steps[-1].path:
        do_step(ada, 0)
    seen = []
    while not seen or not seen[-1][0]:
        page.clock.run_for(50)
        wait_for_frames(page)
        seen.append((page.locator("#play-on").count(), page.locator("#prompt-words").inner_text()))
        assert len(seen) < 200
    # The link to go on, the sentence and the cards appear at the same time.
    assert seen[-1][1] == found.end.partition(". ")[0].rstrip(".") + "."
    assert page.locator("#app").evaluate("(e) => e.innerHTML.includes('lesson-end')")
    page.locator("#play-on").click()
    page.wait_for_url("**/t/*", timeout=1000 * PATIENCE)
    page.wait_for_selector("#prompt-words:not(:empty)")


#: Touches in another order than the lesson asks for, and the prompt after them.
OTHER_ORDERS = (
    ("detect", 1, ("p0-c2", "p0-a1"), "Flip both cards."),
    ("reveal", 2, ("hand-2", "p0-C1", "hand-3", "p0-R1"), "The wild goes in the middle. Place all three cards."),
    ("scout", 2, ("hand-2", "hand-1"), "Show 4 4 to win Wren’s 6. It’s worth a point."),
    ("scout", 4, ("hand-4", "hand-2"), "Show 6 7 8: three cards, three points."),
)


@pytest.mark.parametrize(
    ("game", "step", "touches", "prompt"), mostly(OTHER_ORDERS, (OTHER_ORDERS[0],), OTHER_ORDERS[1:])
)
def test_lesson_accepts_the_touches_of_a_move_in_any_order(
    browser: Browser, server: Server, game: str, step: int, touches: tuple[str, ...], prompt: str
) -> None:
    ada = open_page(browser, server, f"/learn/{game}/{step}", "touch")
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
def test_lesson_texts_written_by_the_page_script_are_in_the_readers_language(browser: Browser, server: Server) -> None:
    ada = open_page(browser, server, "/learn/reveal/2", "keyboard", locale="de-DE")
    for _ in range(2):
        do_step(ada)
    assert ada.page.locator("#button-back").inner_text() == "Zurücknehmen"
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator("#polite")).to_contain_text("Zurückgenommen.")


@pytest.mark.slow
def test_first_own_move_of_a_lesson_takes_at_most_two_touches_from_the_home_page(
    browser: Browser, school: Server
) -> None:
    page, other = (Person(browser, school, 1, "touch").page for _ in range(2))
    page.goto(f"{school.origin}/")
    moves: list[str] = []
    page.on("request", lambda request: moves.append(urlsplit(request.url).path))
    # The first way: touch the card on the home page.
    page.locator(".lesson-lit").tap()
    wait_for_step(page, "4")
    assert any(url.endswith("/4/table") for url in moves)
    # The move was made: the 12 is on the discard pile, and the next step asks for the next move.
    expect(page.locator("#prompt-words")).to_have_text("Draw again.")
    # The second way: touch the button, and then the highlighted thing.
    other.goto(f"{school.origin}/")
    other.locator("#lesson-link").tap()
    other.wait_for_selector("#app .piece.lit")
    other.locator("#app .piece.lit").tap()
    expect(other.locator("#prompt-words")).to_have_text("And this one.")


def test_wrong_touch_in_a_lesson_shows_an_explanation_and_does_not_advance_the_step(
    browser: Browser, school: Server
) -> None:
    ada = Person(browser, school, 1)
    page, prompt = ada.page, ada.page.locator("#prompt-words")
    page.goto(f"{school.origin}/learn/{GAME}/3")
    wait_for_step(page, "3")
    stop_clock(page)
    for touch, answer in (("b1", "That one stays. Touch the 12."), ("c2", "The 5 is not bad. Touch the 12.")):
        ada.touch(f"#at-p0-{touch}")
        expect(prompt).to_have_text(answer)
    # After three seconds the question returns.
    page.clock.run_for(3000)
    expect(prompt).to_have_text("Touch the 12: the 1 takes its place.")
    assert page.url.endswith("/3")
    # The third wrong touch animates the highlighted card. At rate 0 the animation lasts until it is checked.
    set_motion_rate(page, 0)
    ada.touch("#at-draw")
    page.wait_for_function(DIPS)


def test_steps_of_a_lesson_can_be_revisited_by_history_buttons_and_links(browser: Browser, school: Server) -> None:
    ada = open_page(browser, school, f"/learn/{GAME}/2")
    page, third = ada.page, ada.page.locator("#dots a").nth(2)
    do_step(ada)
    wait_for_step(page, "3")
    page.go_back()
    wait_for_step(page, "2")
    expect(page.locator("#prompt-words")).to_have_text("Look at a new card: touch the draw pile.")
    page.go_forward()
    wait_for_step(page, "3")
    page.locator("#bar [data-step]").click()
    wait_for_step(page, "2")
    third.click()
    wait_for_step(page, "4")
    expect(third).to_have_attribute("aria-current", "step")
    expect(third).to_have_attribute("aria-label", "step 3 of 3")
    page.locator(".lesson-steps a").first.click()
    wait_for_step(page, "1")


@pytest.mark.slow
def test_language_in_the_address_of_a_lesson_also_applies_to_its_later_steps(browser: Browser, school: Server) -> None:
    ada = open_page(browser, school, f"/learn/{GAME}/2?lang=de")
    third = ada.page.locator("#dots a").nth(2)
    do_step(ada)
    ada.page.wait_for_url("**/learn/*/3*")
    ada.page.wait_for_selector(LIT)
    expect(third).to_have_attribute("aria-label", "Schritt 3 von 3")
    ada.page.reload()
    expect(third).to_have_attribute("aria-label", "Schritt 3 von 3")


def test_escape_leaves_a_lesson_only_when_pressed_twice(browser: Browser, school: Server) -> None:
    page = Person(browser, school, 1).page
    page.goto(f"{school.origin}/learn/{GAME}/4")
    wait_for_step(page, "4")
    # The second press comes within four seconds.
    stop_clock(page)
    page.keyboard.press("Escape")
    expect(page.locator("#prompt-words")).to_have_text("Skip the lesson? Press Escape once more.")
    page.keyboard.press("Escape")
    page.wait_for_url(f"{school.origin}/")
    expect(page.locator("section.tables")).to_contain_text("You stopped at step 3 of 3.")
    page.locator(".tables .table-row").click()
    wait_for_step(page, "4")


@pytest.mark.slow
def test_prompt_of_a_lesson_step_is_announced_to_screen_readers_with_its_reason(
    browser: Browser, school: Server
) -> None:
    ada = open_page(browser, school, f"/learn/{GAME}/3")
    heard = ada.page.locator("#polite")
    wait_for_step(ada.page, "3")
    ada.page.clock.run_for(MOVES)
    expect(heard).to_contain_text("Touch the 12: the 1 takes its place. A low sum wins. This makes yours eleven less.")
    do_step(ada)
    wait_for_step(ada.page, "4")
    expect(heard).to_contain_text("Juniper drew and discarded a 7, then flipped a 4.")
    expect(heard).to_contain_text("Draw again. Juniper discarded a 7: you can do better.")


@pytest.mark.slow
def test_quick_play_offers_the_lesson_first_to_a_new_visitor(browser: Browser, school: Server) -> None:
    page = Person(browser, school, 1).page
    page.goto(f"{school.origin}/")
    page.locator(".quick .button").click()
    expect(page.locator("#learn-first")).to_be_visible()
    page.locator("#learn-first button", has_text="Play now").click()
    page.wait_for_url("**/t/*")


#: Keys typed on the home page, the window, and the address that they lead to.
TYPED = (
    ("jzzzz yyyy", PHONE, "/join?code=ZZZZYYYY"),
    ("jzzzz yyyy", DESKTOP, "/join?code=ZZZZYYYY"),
    ("g2", DESKTOP, "/new/detect"),
    ("l", DESKTOP, f"/learn/{GAME}"),
)


@pytest.mark.parametrize(("keys", "window", "leads"), mostly(TYPED, (), TYPED[:1] + TYPED[2:]), ids=str)
def test_shortcuts_and_table_codes_typed_on_the_home_page_open_their_pages(
    browser: Browser, school: Server, keys: str, window: dict[str, object], leads: str
) -> None:
    page = browser.new_context(**window).new_page()
    page.goto(f"{school.origin}/")
    # The second key of a shortcut comes within a second and a half.
    stop_clock(page)
    page.keyboard.type(keys)
    page.wait_for_url(school.origin + leads)


@pytest.mark.parametrize("size", mostly(SIZES, (), ("small",)))
def test_lesson_pages_pass_the_accessibility_check_and_show_what_to_touch_inside_the_window(
    browser: Browser, school: Server, size: str
) -> None:
    page = browser.new_context(**SIZES[size]).new_page()
    inside = "(e) => { const r = e.getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight + 1; }"
    parts = {"/": [], "/learn": []} | {f"/learn/{GAME}/{number}": [LIT, "#dots"] for number in range(1, 6)}
    for path, shown in (parts | {f"/learn/{GAME}/end": ["#play-on"]}).items():
        page.goto(school.origin + path)
        for part in shown:
            page.wait_for_selector(part)
            assert page.locator(part).first.evaluate(inside), (path, part)
        wait_for_frames(page)
        check_accessibility(page, f"{path}, {size}", *BOTH)
