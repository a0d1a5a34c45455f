"""Feedback on touches: touched cards are marked and announced, the focus stays, and few Tab stops precede the hand."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from facedown.check.page_layout import PAGE_AT_REST
from facedown.core.game_registry import catalogue
from facedown.core.match import Match
from facedown.games.reveal import rules as reveal
from facedown.games.scout import state as scout
from facedown.play import chat
from facedown.server import rendering
from tests.browser.offline_pages import DESK, PHONE, Drawn, played, table_message
from tests.browser.page_time import box_of, stop_clock, wait_for_events, wait_for_frames
from tests.browser.players import DESKTOP, Person, Window
from tests.browser.players import PHONE as TOUCHED
from tests.browser.test_layouts import is_asked_in
from tests.browser.test_whole_matches import bots
from tests.nightly_selection import mostly
from tests.server.http_server import Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(600)]
GAMES = tuple(catalogue())

#: The focused element, touched cards that are not marked as pressed, and Tab stops on things that do nothing.
STANDS = """() => {
  const all = (q) => [...document.querySelectorAll(q)];
  const seen = (e) => e.checkVisibility({ visibilityProperty: true });
  const idle = (e) => e.matches('.piece') && !e.matches('.can, [aria-pressed=true], :focus')
    && !e.closest('.hand-area');
  return {
    over: !!document.querySelector('form[action$="/again"]'),
    focus: document.activeElement?.closest('#app') ? document.activeElement.id || document.activeElement.className : '',
    unpressed: all('#app button:is(.touched, .picked, .spanned)').filter((e) => e.ariaPressed !== 'true')
      .map((e) => e.id),
    idle: all('#app [tabindex="0"]').filter(seen).filter(idle).map((e) => e.id),
    gaps: all('#app .k-gap').filter((e) => seen(e) && !e.matches('.lit, .holds')).map((e) => e.id),
  };
}"""


@pytest.mark.parametrize("game", mostly(GAMES, ("scout",), ("detect", "reveille")))
def test_touched_cards_are_marked_as_pressed_and_keyboard_focus_stays_inside_the_table(
    game: str, browser: Browser, server: Server, seed: int
) -> None:
    person = Person(browser, server, seed, means="keyboard")
    person.new_table(game, *bots(game))
    person.ready()
    touches = 0
    for _ in range(400):
        person.wait_for_turn()
        if not person.act():
            continue
        touches += 1
        wait_for_frames(person.page, 4)
        stands: dict[str, Any] = person.look(STANDS)
        if stands["over"] or touches > 16:
            break
        assert stands["focus"], "the focus fell to the page"
        assert not stands["unpressed"], stands
        assert not stands["idle"], stands
        assert not stands["gaps"], stands
    assert touches


def let_other_player_choose(drawn: Drawn, match: Match) -> None:
    """Play a move of the second player and wait until the page shows it."""
    match.play(1, match.legal(1)[0])
    drawn.send(table_message(match))
    drawn.page.wait_for_function("() => document.querySelector('.others').textContent.includes('has chosen')")


@pytest.mark.slow
def test_final_card_of_the_game_reveal_is_shown_face_down_where_it_was_laid(drawn: Drawn) -> None:
    match = played("reveal", 2, lambda m: int(m.state.phase) == reveal.Phase.FINAL and 0 in m.acting)
    page = drawn.table(match)
    assert page.locator("#app .lane .k-slot.lit").count() == 3
    place = page.locator("#app .lane .k-slot.lit").first.get_attribute("id")
    page.click(f'[id="{place}"]')
    match.play(0, drawn.moves()[0])
    drawn.send(table_message(match))
    card = page.locator(f'[id="{place}"].k-back > .art')
    card.wait_for()
    box = box_of(card)
    assert box["width"] > 30
    assert box["height"] > 40


@pytest.mark.parametrize("phase", [reveal.Phase.SWAP, reveal.Phase.PLACE])
def test_selected_cards_stay_selected_when_another_player_makes_a_choice(phase: int, drawn: Drawn) -> None:
    match = played("reveal", 2, lambda m: int(m.state.phase) == phase and set(m.acting) == {0, 1})
    page = drawn.table(match)
    page.locator("#app .piece.can").first.click()
    touched = "[...document.querySelectorAll('#app :is(.touched, .picked, .holds)')].map((e) => e.id)"
    before = page.evaluate(touched)
    assert before
    let_other_player_choose(drawn, match)
    assert page.evaluate(touched) == before


@pytest.mark.parametrize(("game", "before"), [("reveal", 0), ("reveal", 2), ("detect", 2)])
def test_button_held_down_while_another_player_makes_a_choice_takes_effect_on_release(
    game: str, before: int, drawn: Drawn
) -> None:
    match = played(game, 3 if game != "reveal" else 2, lambda m: {0, 1} <= set(m.acting))
    page = drawn.table(match)
    for _ in range(before):
        free = page.locator("#app .piece.can:not(.touched, .picked)")
        if free.count():
            free.first.click()
    buttons = page.locator("#actions .button:not([aria-disabled=true], .doubled)")
    box = box_of(buttons.last)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    let_other_player_choose(drawn, match)
    told = len(drawn.sent)
    words = page.locator("#app").inner_text()
    page.mouse.up()
    wait_for_events(page, lambda: len(drawn.sent) > told or page.locator("#app").inner_text() != words)


def press_before_connected(browser: Browser, button: str) -> Drawn:
    """Open a page and press a button while its connection is still being opened."""
    match = played("reveal", 2, lambda m: int(m.state.phase) == reveal.Phase.SWAP and set(m.acting) == {0, 1})
    drawn = Drawn(browser, *DESK)
    drawn.slow = True
    # On a desktop, a silent game offers phrases, too.
    page = drawn.table(
        match, hints=True, talk=rendering.ChatPanel(chat.PHRASES, chat.SILENT_GAME_PHRASES, "It is played in silence.")
    )
    page.locator(button).first.click()
    wait_for_frames(page)
    assert not drawn.sent
    return drawn


@pytest.mark.parametrize(
    ("button", "asked"), [("[data-button=keep]", "move"), ("[data-hint]", "hint"), ("[data-phrase=Hello]", "chat")]
)
def test_message_of_a_button_pressed_before_the_connection_opens_is_sent_once_it_is_open(
    button: str, asked: str, browser: Browser
) -> None:
    drawn = press_before_connected(browser, button)
    drawn.answer()
    wait_for_events(drawn.page, lambda: len(drawn.sent) > 1)
    assert [message["type"] for message in drawn.sent[:2]] == ["hello", asked]


def test_button_pressed_before_the_connection_opens_is_usable_again_if_the_connection_fails(browser: Browser) -> None:
    drawn = press_before_connected(browser, "[data-button=keep]")
    stop_clock(drawn.page)
    drawn.hang_up()
    prompt = drawn.page.locator("#prompt-words")
    expect(prompt).to_have_text("No connection. Nothing was sent.")
    expect(drawn.page.locator("body.is-offline [data-button=keep]:not([disabled])")).to_have_count(1)
    assert not [message for message in drawn.sent if message["type"] == "move"]
    drawn.answer()


def test_hint_request_is_withdrawn_if_the_connection_fails_to_open(browser: Browser) -> None:
    drawn = press_before_connected(browser, "[data-hint]")
    expect(drawn.page.locator("#hint")).to_be_visible()
    drawn.hang_up()
    expect(drawn.page.locator("#hint")).to_be_hidden()
    drawn.answer()


#: Pictures whose aspect ratio on the page is not that of their drawing.
STRETCHED = """() => [...document.querySelectorAll('#app svg.art')].filter((art) => {
  const { width, height } = art.viewBox.baseVal;
  const style = getComputedStyle(art);
  const there = parseFloat(style.width) / parseFloat(style.height);
  return there && Math.abs(Math.log(there / (width / height))) > 0.1;
}).map((art) => art.closest('.piece').id)"""


@pytest.mark.parametrize(("size", "lead"), mostly(product((PHONE, DESK), (True, False)), [(PHONE, True)]), ids=str)
def test_played_domino_keeps_its_aspect_ratio_before_the_server_confirms_the_move(
    lead: bool, size: tuple[int, int], drawn: Drawn
) -> None:
    """A domino is upright in the hand and flat in the trick. It is not stretched in between."""
    match = played("reveille", 2, lambda m: m.ply > 2 and m.acting == [0] and (m.state.leader == 0) == lead)
    page = drawn.table(match)
    assert page.evaluate(STRETCHED) == []
    page.locator(".hand-area .piece.can").first.click()
    assert page.evaluate(STRETCHED) == []
    page.locator("#actions .button.primary").first.click()
    assert drawn.moves()
    assert page.evaluate(STRETCHED) == []


#: The ids of things that are touched now, and of things that can be touched.
TOUCHES = """() => {
  const all = (q) => [...document.querySelectorAll(q)].filter((e) => e.checkVisibility()).map((e) => e.id);
  return { chosen: all('#app :is(.piece, .option)[aria-pressed=true]'),
    can: all('#app :is(.piece.can, .zone:is(.lit, .picked) .option)[aria-label]') };
}"""
#: Number of seats and condition of positions in which a touch can replace another one.
REPLACED: dict[str, tuple[int, Callable[[Match], bool]]] = {
    "reveal": (2, lambda m: int(m.state.phase) == reveal.Phase.PLACE),
    "detect": (4, lambda m: m.ply == 0),
    "reveille": (2, lambda m: m.ply > 2 and len(m.legal(0)) > 4),
    "uncovered": (4, lambda m: m.ply > 1 and len(m.legal(0)) > 2),
    "scout": (3, lambda m: m.ply > 4 and len(m.legal(0)) > 6),
}


@pytest.mark.parametrize("game", GAMES)
def test_touch_that_replaces_a_selected_card_is_announced_with_the_names_of_both(
    game: str, browser: Browser, seed: int
) -> None:
    seats, asks = REPLACED[game]
    match = played(game, seats, lambda m: 0 in m.acting and asks(m))
    chance = random.Random(seed)
    replaced = 0
    drawn = Drawn(browser, *DESK)
    for _ in range(24):
        drawn.sent.clear()
        page = drawn.table(match)
        chosen = page.evaluate(TOUCHES)["chosen"]
        for _ in range(12):
            can = page.evaluate(TOUCHES)["can"]
            if not can:
                break
            thing = chance.choice(can)
            label = page.get_attribute(f'[id="{thing}"]', "aria-label")
            page.locator(f'[id="{thing}"]').dispatch_event("click")
            before, chosen = chosen, page.evaluate(TOUCHES)["chosen"]
            if any(message["type"] == "move" for message in drawn.sent) or page.locator("#actions [disabled]").count():
                break
            said = page.locator("#polite p").last.inner_text()
            assert said.startswith(f"{label}, {'chosen' if thing in chosen else 'taken back'}"), (said, before, chosen)
            gone = set(before) - set(chosen)
            if thing in chosen and len(gone) == 1:
                replaced += 1
                other = page.get_attribute(f'[id="{gone.pop()}"]', "aria-label")
                assert said.startswith(f"{label}, chosen instead of {other}. "), said
        if replaced > 1:
            break
    assert replaced, "nothing was replaced"


# --- a card put into a hand: dragged by mouse or finger, moved by taps and arrow keys ---------------------------------

#: The cards of the hand, and the gap that holds the scouted card, in reading order.
ORDER = """() => [...document.querySelectorAll('.hand-area .piece')]
  .filter((e) => e.dataset.kind === 'face' || e.matches('.holds'))
  .map((e) => [e.getBoundingClientRect(), e])
  .sort(([a], [b]) => Math.abs(a.top - b.top) > 40 ? a.top - b.top : a.left - b.left)
  .map(([r, e]) => ({ id: e.id, holds: e.matches('.holds'), x: r.left + 8, y: r.top + r.height / 2 }))"""
#: Whether the scouted card is at a place, counted from the left. -1: not in the hand.
LIES = f"(place) => ({ORDER})().findIndex((card) => card.holds) === place"


class Hand:
    """A pointer over the hand: a mouse, or a finger on a phone."""

    def __init__(self, page: Page, finger: bool) -> None:
        self.page = page
        self.finger = page.context.new_cdp_session(page) if finger else None

    def order(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate(ORDER)
        return found

    def wait_for_place(self, place: int) -> None:
        """Wait until the scouted card is at a place."""
        self.page.wait_for_function(LIES, arg=place)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        if self.finger is None:
            self.page.mouse.move(*start)
            self.page.mouse.down()
            self.page.mouse.move(*end, steps=5)
            self.page.mouse.up()
            return
        self._finger("touchStart", start)
        for point in np.linspace(start, end, 6)[1:].tolist():
            self._finger("touchMove", point)
        self._finger("touchEnd")

    def _finger(self, kind: str, *points: Sequence[float]) -> None:
        assert self.finger is not None
        self.finger.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        )


@pytest.mark.parametrize("window", mostly([DESKTOP, TOUCHED], (), [TOUCHED]), ids=["mouse", "touch"])
def test_scouted_card_is_put_into_the_hand_by_dragging_tapping_and_arrow_keys(window: Window, browser: Browser) -> None:
    match = played("scout", 3, lambda m: is_asked_in(m, scout.Phase.TURN) and int(m.state.active) == 2)
    drawn = Drawn(browser, **window)
    page = drawn.table(match)
    page.wait_for_function(PAGE_AT_REST)
    hand = Hand(page, finger=window is TOUCHED)
    whole = hand.order()
    hand.wait_for_place(-1)

    # From the table into the hand.
    end = box_of(page.locator(".mid .piece.carried").first)
    hand.drag((end["x"] + 8, end["y"] + end["height"] / 2), (whole[2]["x"], whole[2]["y"]))
    hand.wait_for_place(2)
    assert not page.locator(".flying").count()
    held = hand.order()

    # Moved inside the hand. Dragged out of the hand, it returns to its place.
    card = held[2]
    hand.drag((card["x"], card["y"]), (held[-1]["x"] + 60, held[-1]["y"]))
    hand.wait_for_place(len(whole))
    last = hand.order()[-1]
    hand.drag((last["x"], last["y"]), (last["x"], last["y"] - 260))
    hand.wait_for_place(len(whole))

    # A tap between cards, then the arrow keys.
    first = hand.order()[0]
    tap = page.mouse.click if hand.finger is None else page.touchscreen.tap
    tap(first["x"] - 4, first["y"])
    page.wait_for_selector(".hand-area .k-gap.holds:first-child")
    page.locator(".k-gap.holds").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    hand.wait_for_place(1)

    page.locator("#actions .primary").click()
    match.play(0, drawn.moves()[0])
    drawn.send(table_message(match))
    expect(page.locator(".hand-area .piece.k-face")).to_have_count(len(whole) + 1)
