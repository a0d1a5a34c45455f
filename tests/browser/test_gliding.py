"""When a phase sets the table anew, its parts glide to their places on a fresh page; else they keep their places."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from facedown.check.layout import AT_REST, STILL
from facedown.core.match import Match
from facedown.games.reveal import rules as reveal
from facedown.games.uncovered.rules import Act
from tests.browser.drawn import Drawn, played, table_message
from tests.browser.looking import WATCH
from tests.browser.page_time import set_motion_rate, wait_for_frames
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PHONE, DESK = (390, 844), (1440, 900)
PLAYERS = {"reveal": 2, "detect": 2, "reveille": 2, "scout": 4}
#: Parameters of the landing runs, besides the daily ones.
LANDING = (("detect", DESK), ("scout", PHONE))

#: Where each part of the table lies.
PLACES = """() => Object.fromEntries(
  [...document.querySelectorAll('#board .lane, #board .zone[id], #board .piece[id], #prompt, #actions, #board .seat')]
    .map((e) => [e.id, e.getBoundingClientRect()]).filter(([, r]) => r.width && r.height)
    .map(([id, r]) => [id, [r.left, r.top, r.width, r.height].map(Math.round)]))"""

#: Notes at every frame by how much the page is wider or higher than the window.
BEYOND = """() => {
  window.__beyond = [0, 0];
  const { documentElement: root } = document;
  const note = () => {
    const now = [root.scrollWidth - root.clientWidth, root.scrollHeight - Math.max(innerHeight, root.clientHeight)];
    window.__beyond = window.__beyond.map((most, i) => Math.max(most, now[i]));
    requestAnimationFrame(note);
  };
  note();
}"""

#: Keeps a number of every frame in `__noted`, unless it is undefined.
NOTE = """() => {{
  window.__noted = [];
  const note = () => {{
    const now = {now};
    if (now !== undefined) window.__noted.push(Math.round(now));
    requestAnimationFrame(note);
  }};
  note();
}}"""
#: Where the prompt is, and where the last button ends.
NOTES = NOTE.format(now="document.querySelector('#prompt').getBoundingClientRect().top")
BUTTONS = NOTE.format(now="[...document.querySelectorAll('#actions .button')].at(-1)?.getBoundingClientRect().right")


def rest(page: Page) -> None:
    """Wait until nothing moves, of what was sent as well; steps are shown at once."""
    # A table is brought to the page in two frames, which a busy browser draws late: until then nothing moves, either.
    wait_for_frames(page)
    page.evaluate("document.querySelector('[data-all]')?.click()")
    wait_for_frames(page)
    page.wait_for_function(f"() => {STILL}")


def hands_of_reveal() -> tuple[list[dict[str, Any]], Match]:
    """What is sent when each phase of two hands begins, up to the second one's last cards, and the match there."""
    match, chance = Match("reveal", 2, seed=bytes(32)), random.Random(3)
    messages: list[dict[str, Any]] = []
    phases: list[int] = []
    while phases.count(reveal.Phase.FINAL) < 2:
        phase = int(match.state.phase)
        if not phases or phase != phases[-1]:
            phases.append(phase)
            messages.append(table_message(match))
        else:
            seat = chance.choice(match.acting)
            match.play(seat, chance.choice(match.legal(seat)))
    return messages, match


def phases(drawn: Drawn, match: Match, most: int) -> Iterator[None]:
    """Play a drawn match at random; whenever another phase begins, which is sent to the page, look on."""
    chance, phase, seen = random.Random(3), int(match.state.phase), 0
    while seen < most and not match.over:
        seat = chance.choice(match.acting)
        match.play(seat, chance.choice(match.legal(seat)))
        if int(match.state.phase) != phase:
            phase, seen = int(match.state.phase), seen + 1
            rest(drawn.page)
            drawn.send(table_message(match))
            drawn.shown()
            yield
    rest(drawn.page)
    assert seen >= 2


@pytest.mark.parametrize(
    ("game", "players"), mostly([("reveal", 2), ("reveille", 2), ("scout", 4)], (), [("reveal", 2)])
)
def test_the_page_grows_by_nothing_that_glides(game: str, players: int, browser: Browser) -> None:
    match = Match(game, players, seed=bytes(32))
    drawn = Drawn(browser, 390, 844, reduced_motion="no-preference", is_mobile=True, has_touch=True)
    page = drawn.table(match)
    page.evaluate(BEYOND)
    for _ in phases(drawn, match, 5):
        pass
    beyond = page.evaluate("window.__beyond")
    assert beyond[0] <= 1, "the page scrolls sideways"
    assert beyond[1] <= 1, "the page is higher than the window"


@pytest.mark.parametrize(
    ("game", "size"), mostly(product(PLAYERS, (PHONE, DESK)), [("reveal", PHONE)], LANDING), ids=str
)
def test_what_glides_begins_where_it_was_seen(game: str, size: tuple[int, int], browser: Browser) -> None:
    """Also a card that lies upon what glides, and one that is turned over at its place meanwhile."""
    match = Match(game, PLAYERS[game], seed=bytes(32))
    drawn = Drawn(browser, *size, reduced_motion="no-preference")
    drawn.page.add_init_script(WATCH)
    page = drawn.table(match)
    page.evaluate(BEGINNINGS)
    for _ in phases(drawn, match, 8):
        pass
    assert page.evaluate("window.__glides") > 0
    assert [fault for fault in page.evaluate("window.__watch.faults") if "glide" in fault] == []


@pytest.mark.parametrize("size", mostly([PHONE, DESK], (), [PHONE], one=True), ids=str)
def test_what_glides_ends_where_a_fresh_page_draws_it(size: tuple[int, int], browser: Browser) -> None:
    messages, match = hands_of_reveal()
    drawn = Drawn(browser, *size, reduced_motion="no-preference")
    page = drawn.open(messages[0], "reveal")
    for message in messages[1:]:
        rest(page)
        drawn.send(message)
    rest(page)
    fresh = Drawn(browser, *size, reduced_motion="no-preference").table(match)
    rest(fresh)
    assert page.evaluate(PLACES) == fresh.evaluate(PLACES)


@pytest.mark.slow
def test_buttons_come_where_they_are_touched(browser: Browser) -> None:
    match, chance = Match("uncovered", 2, seed=bytes(32)), random.Random(3)
    drawn = Drawn(browser, 1440, 900, reduced_motion="no-preference")
    page = drawn.table(match)
    page.evaluate(BUTTONS)
    came = 0
    while came < 3 and not match.over:
        seat = match.acting[0]
        match.play(seat, chance.choice([action for action in match.legal(seat) if action != Act.UNCOVER]))
        came += 0 in match.acting
        rest(page)
        drawn.send(table_message(match))
        drawn.shown()
    rest(page)
    assert came == 3
    assert page.evaluate("window.__noted.length") > 0
    assert page.evaluate("[...new Set(window.__noted)]") == page.evaluate("window.__noted.slice(-1)"), (
        "nothing slides in"
    )


@pytest.mark.slow
def test_the_dock_is_seen_to_go_where_the_hand_is_put_down(browser: Browser) -> None:
    messages, _ = hands_of_reveal()
    drawn = Drawn(browser, 390, 844, reduced_motion="no-preference")
    page = drawn.open(messages[-2], "reveal")
    rest(page)
    page.evaluate(NOTES)
    # So slowly that a busy browser draws it on its way.
    set_motion_rate(page, 0.1)
    drawn.send(messages[-1])
    # On a busy machine the table takes a while to begin.
    page.wait_for_function("() => window.__noted.at(-1) !== window.__noted[0]")
    rest(page)
    tops = page.evaluate("window.__noted")
    first, last = tops[0], tops[-1]
    assert last > first + 50, "without a hand the dock is lower"
    between = [top for top in tops if first < top < last]
    assert len(between) >= 2, "it is seen on its way"
    assert tops == sorted(tops)


#: Counts what a script sets in motion, and keeps the names of what would not stand at its beginning until it begins.
BEGINNINGS = """() => {
  Object.assign(window, { __moves: 0, __glides: 0, __bare: [] });
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    const path = animate.call(this, frames, timing);
    window.__moves++;
    if (path.id === "glide") window.__glides++;
    // Held before its beginning: whoever looks later finds it there, however busy the browser is.
    if (window.__held && this.matches(window.__held)) { path.pause(); path.currentTime = -1; }
    if (!["backwards", "both"].includes(path.effect.getTiming().fill)) window.__bare.push(this.id || this.className);
    return path;
  };
}"""


@pytest.mark.slow
def test_what_moves_stands_where_it_was_until_it_begins(browser: Browser) -> None:
    """A busy browser draws a frame before that: in it everything stood where it would end."""
    messages, _ = hands_of_reveal()
    drawn = Drawn(browser, 390, 844, reduced_motion="no-preference")
    page = drawn.open(messages[0], "reveal")
    page.evaluate(BEGINNINGS)
    for message in messages[1:-1]:
        drawn.send(message)
        rest(page)
    top = page.evaluate("document.querySelector('#prompt').getBoundingClientRect().top")
    page.evaluate("window.__held = '#prompt'")
    drawn.send(messages[-1])
    page.wait_for_function("() => document.querySelector('#prompt').getAnimations().length")
    assert page.evaluate("document.querySelector('#prompt').getBoundingClientRect().top") == pytest.approx(top, abs=1)
    assert page.evaluate("window.__moves") > 20
    assert page.evaluate("[...new Set(window.__bare)]") == []


#: Gathers what the browser counts as shifts of the layout.
GATHER = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((e) => e.value)))
    .observe({ type: "layout-shift" });
}"""
#: The upper left corner of a thing.
CORNER = """(id) => {
  const r = document.getElementById(id).getBoundingClientRect();
  return [Math.round(r.left), Math.round(r.top)];
}"""


def goes_on(drawn: Drawn, page: Page, match: Match) -> None:
    """The match as it stands now comes to the page, and rests there."""
    drawn.send(table_message(match))
    drawn.shown()
    page.wait_for_function(AT_REST)


def choose_first(match: Match) -> None:
    """Every seat that is to act takes its first move."""
    for seat in match.acting:
        match.play(seat, match.legal(seat)[0])


@pytest.mark.parametrize("size", [(360, 740), (390, 844)], ids=str)
def test_the_piles_of_detect_keep_their_places_after_the_opening(size: tuple[int, int], browser: Browser) -> None:
    # They moved by 14 px when the row of buttons gave its room to the cards.
    match = Match("detect", 2, seed=bytes(32))
    drawn = Drawn(browser, *size, reduced_motion="reduce")
    page = drawn.table(match)
    before = [page.evaluate(CORNER, pile) for pile in ("zone-draw-pile", "zone-discard-pile")]
    choose_first(match)
    goes_on(drawn, page, match)
    assert [page.evaluate(CORNER, pile) for pile in ("zone-draw-pile", "zone-discard-pile")] == before


def test_the_pile_aside_keeps_its_place_after_the_flip(browser: Browser) -> None:
    # It moved by 230 px at the first deal.
    match = Match("scout", 2, seed=bytes(32))
    drawn = Drawn(browser, 1440, 900, reduced_motion="reduce")
    page = drawn.table(match)
    before = page.evaluate(CORNER, "zone-set-aside")
    choose_first(match)
    goes_on(drawn, page, match)
    after = page.evaluate(CORNER, "zone-set-aside")
    assert max(abs(one - other) for one, other in zip(before, after, strict=True)) <= 2, (before, after)


@pytest.mark.parametrize("size", [(390, 844), (1440, 900)], ids=str)
def test_uncovered_ends_without_a_shift(size: tuple[int, int], browser: Browser) -> None:
    match = played("uncovered", 2, lambda m: 0 in m.acting and Act.UNCOVER in m.legal(0) and m.ply > 6)
    drawn = Drawn(browser, *size)
    page = drawn.table(match)
    page.evaluate(GATHER)
    match.play(0, Act.UNCOVER.value)
    goes_on(drawn, page, match)
    page.wait_for_selector(".finished")
    page.wait_for_function(AT_REST)
    assert sum(page.evaluate("shifts")) < 0.05
