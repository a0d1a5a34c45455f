"""What stands where: hand and main button in sight, nothing on top of anything else, at the sizes people have."""

from __future__ import annotations

import functools
import random
from copy import copy
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page

from facedown.check.driver import play_randomly
from facedown.check.layout import LOOK, STILL, looked_at
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.games.detect import rules as detect
from facedown.games.reveal import rules as reveal
from facedown.games.reveille import rules as reveille
from facedown.games.reveille.words import MANY
from tests.browser.drawn import Drawn, played, sitters, table_message
from tests.browser.page_time import SHOWN, box_of, stop_clock
from tests.browser.people import PATIENCE, Person
from tests.selection import mostly
from tests.server.serving import KEEPS, Server

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PHONES = ((320, 640), (360, 740), (390, 844))
DESK = (1440, 900)
DESKS = ((1280, 720), (1366, 768), DESK, (1920, 1080))

#: Of the things that a selector names: those that are not whole in the window, or under something else.
OUT_OF_SIGHT = """(selector) => {
  const wrong = [];
  for (const thing of document.querySelectorAll(selector)) {
    if (!thing.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
      wrong.push(`${thing.id || thing.className} is not shown`);
      continue;
    }
    const r = thing.getBoundingClientRect();
    const name = thing.id || thing.textContent.trim();
    if (r.width < 1 || r.height < 1) wrong.push(`${name} has no size`);
    else if (r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1)
      wrong.push(`${name} leaves the window: ${[r.left, r.top, r.right, r.bottom].map(Math.round)}`);
    else {
      const spots = [[0.5, 0.5], [0.1, 0.1], [0.1, 0.5]].map(([x, y]) => [r.left + x * r.width, r.top + y * r.height]);
      const tops = spots.map(([x, y]) => document.elementFromPoint(x, y)).filter(Boolean);
      if (!tops.some((top) => thing.contains(top) || top.contains(thing))) wrong.push(`${name} is covered`);
    }
  }
  return wrong;
}"""

#: Pairs of things of two kinds that lie on each other.
TOUCHING = """([one, other]) => {
  const boxes = (q) => [...document.querySelectorAll(q)].filter((e) => e.checkVisibility({ visibilityProperty: true }))
    .map((e) => [e.id || e.className, e.getBoundingClientRect()]);
  const found = [];
  for (const [a, r] of boxes(one)) for (const [b, s] of boxes(other))
  {
    const across = Math.min(r.right, s.right) - Math.max(r.left, s.left);
    const down = Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top);
    if (across > 2 && down > 2) found.push(`${a} on ${b}`);
  }
  return found;
}"""


#: Won bones that stick out of the tray they lie in.
BEYOND_THEIR_TRAY = """() => [...document.querySelectorAll(".won-tray")].flatMap((tray) => {
  const f = tray.getBoundingClientRect();
  return [...tray.querySelectorAll(".piece")].filter((e) => {
    const r = e.getBoundingClientRect();
    return r.left < f.left || r.right > f.right || r.top < f.top || r.bottom > f.bottom;
  }).map((e) => e.ariaLabel);
})"""

#: The two looks, each taken in a frame in which nothing moves: what travels covers what it passes.
UNSEEN = f"(given) => {STILL} && [({OUT_OF_SIGHT})(given)]"
OVERLAPS = f"(given) => {STILL} && [({TOUCHING})(given)]"


def unseen(page: Page, selector: str) -> list[str]:
    """Which of these things a person does not see."""
    found: list[str] = page.wait_for_function(UNSEEN, arg=selector).json_value()[0]
    return found


def overlaps(page: Page, one: str, other: str) -> list[str]:
    """Which things of these two kinds lie on each other."""
    found: list[str] = page.wait_for_function(OVERLAPS, arg=[one, other]).json_value()[0]
    return found


def stands(match: Match, phase: int, **fields: int) -> bool:
    """Is it seat 0 who is asked, in this phase, and are these fields of the state so?"""
    return (
        0 in match.acting
        and int(match.state.phase) == phase
        and all(int(match.state[name]) == value for name, value in fields.items())
    )


# --- Reveal: hand and button without scrolling ------------------------------------------------------------------------

REVEAL = [
    ("swap, row 3", lambda m: stands(m, reveal.Phase.SWAP, row=2)),
    ("place, row 1", lambda m: stands(m, reveal.Phase.PLACE, row=0)),
    ("place, row 3", lambda m: stands(m, reveal.Phase.PLACE, row=2)),
]


@pytest.mark.parametrize("size", mostly(PHONES, PHONES[:1], PHONES[2:], one=True), ids=str)
@pytest.mark.parametrize(("name", "until"), REVEAL, ids=[name for name, _ in REVEAL])
def test_the_hand_of_reveal_and_its_button_need_no_scrolling(
    name: str, until: Any, size: tuple[int, int], browser: Browser
) -> None:
    page = Drawn(browser, *size).table(played("reveal", 2, until))
    assert page.locator("#zone-hand .piece").count() == 3
    assert page.locator("#actions .button").count() >= 1
    assert not unseen(page, "#zone-hand .piece, #actions .button, #prompt-words")
    assert not unseen(page, "#app .lane, .mid .pile .label, .mid .row .label")
    assert not overlaps(page, "#zone-hand .piece", "#actions .button, .mid .piece")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("size", mostly(PHONES, PHONES[:1], PHONES[2:], one=True), ids=str)
def test_the_final_round_of_reveal_needs_no_scrolling(size: tuple[int, int], browser: Browser) -> None:
    drawn = Drawn(browser, *size)
    page = drawn.table(played("reveal", 2, lambda m: stands(m, reveal.Phase.FINAL)))
    assert page.locator(".lane .k-slot.lit").count() == 3
    assert not unseen(page, "#prompt-words, #app .lane")
    page = drawn.table(played("reveal", 2, may_confirm))
    assert "Confirm" in page.locator("#actions .primary").inner_text()
    assert not unseen(page, "#actions .button, #prompt-words, #app .lane")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


# --- replays: the hand is a block of the dock -------------------------------------------------------------------------

MATCHES: dict[str, tuple[int, dict[str, str]]] = {
    "reveal": (2, {"end": "hands(1)"}),
    "detect": (2, {}),
    "reveille": (2, {}),
    "uncovered": (4, {}),
    "scout": (4, {}),
}


@functools.cache
def finished(game: str) -> Match:
    """A match of a game that is over, played once for all tests."""
    seats, options = MATCHES[game]
    return played(game, seats, lambda m: m.over, **options)


@pytest.mark.parametrize("size", mostly([*PHONES, DESK], (), [PHONES[0], DESK], one=True), ids=str)
@pytest.mark.parametrize("game", MATCHES)
def test_a_replay_shows_hand_and_table_side_by_side(game: str, size: tuple[int, int], browser: Browser) -> None:
    match = finished(game)
    drawn = Drawn(browser, *size)
    for ply in (0, 9, 24):
        page = drawn.replay(match, min(ply, match.ply))
        hand = "#zone-hand .piece:not(.k-gap), .in-hand .piece:not(.k-gap)"
        assert not unseen(page, hand), (game, ply)
        assert not unseen(page, "#replay .said-now h2, #replay .transport > *, #replay-move")
        eyes_stand = ".rail" if size == DESK else ".replay"
        assert not unseen(page, f"{eyes_stand} .eyes .token, .again-from button"), (game, ply)
        others = ".board .piece, .said-now, .replay-strip .field, .transport, .eyes"
        assert not overlaps(page, hand, others), (game, ply)
        assert not overlaps(page, ".said-now h2", ".replay-strip .field, .transport, .eyes")
        eyes = page.locator(".eyes:visible")
        assert eyes.count() == 1, "one row of eyes"
        if size == DESK:
            scores = box_of(page.locator("#scores"))
            box = box_of(eyes)
            assert box["x"] >= scores["x"] - 1, "the eyes stand in the rail"
            assert box["y"] >= scores["y"] + scores["height"]


# --- Detect: a round of many is counted in a low window ---------------------------------------------------------------


def counted(seats: int, number: int) -> Match:
    """The first round of many, counted: with who ended it in the upper row of grids, or in the lower one."""
    match, chance = Match("detect", seats, seed=number.to_bytes(32, "big")), random.Random(number)
    while int(match.state.phase) != detect.Phase.SCORING:
        play_randomly(match, chance, 1)
    return match


@pytest.mark.parametrize(("seats", "number"), mostly([(8, 11), (8, 12), (7, 12), (7, 13), (7, 26)], (), [(8, 11)]))
def test_the_piles_lie_between_two_rows_of_counted_grids(seats: int, number: int, browser: Browser) -> None:
    drawn = Drawn(browser, 1280, 650, reduced_motion="reduce")
    match = counted(seats, number)
    page = drawn.table(match)
    said = match.table(0, sitters(seats)).with_log(match.log(0, sitters(seats))).to_json()
    for height in (650, 720, 768, 810, 900):
        page.set_viewport_size({"width": 1280, "height": height})
        page.wait_for_function(f"() => {STILL}")
        assert page.evaluate(LOOK, said) == [], height


# --- Reveille: won bones, half-bones for the trumps, what is burnt beside the bids ------------------------------------


@pytest.mark.slow
def test_won_bones_use_the_room_of_their_tray(browser: Browser) -> None:
    match = played("reveille", 2, lambda m: stands(m, reveille.Phase.STAGE_TWO) and int(m.state.tricks.max()) == 5)
    drawn = Drawn(browser, 390, 844)
    page = drawn.table(match)
    many = page.locator(".won-tray .tricks").filter(has=page.locator(".pair:nth-child(5)"))
    heights = many.locator(".piece").evaluate_all("(all) => all.map((e) => e.getBoundingClientRect().height)")
    assert len(heights) == 10
    assert min(heights) > 16, "as large as four tricks are"
    for size in (*PHONES, (414, 736), (768, 1024)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        assert not unseen(page, ".won-tray .piece"), size
        assert page.evaluate(BEYOND_THEIR_TRAY) == [], size


@pytest.mark.slow
@pytest.mark.parametrize("viewer", [0, SPECTATOR])
def test_six_won_tricks_lie_above_the_dock_in_low_windows(viewer: int, browser: Browser) -> None:
    match = played("reveille", 2, lambda m: stands(m, reveille.Phase.STAGE_TWO) and int(m.state.tricks.max()) == 6)
    page = Drawn(browser, *DESK).table(match, viewer)
    said = match.table(viewer, sitters(2)).to_json()
    for size in ((1280, 650), (1280, 720), (1280, 800), (1366, 650), (1440, 760), DESK):
        assert looked_at(page, said, size) == []


@pytest.mark.parametrize("size", mostly([*PHONES, DESK], PHONES[2:], [DESK], one=True), ids=str)
def test_trumps_are_chosen_by_half_bones(size: tuple[int, int], browser: Browser) -> None:
    match = played("reveille", 2, lambda m: stands(m, reveille.Phase.NAMING) and int(m.state.high) < 42)
    drawn = Drawn(browser, *size)
    page = drawn.table(match)
    faces = page.locator("#faces .face")
    assert faces.count() == 7
    assert not page.locator("input[type=range]").count()
    for box in (box_of(faces.nth(i)) for i in range(7)):
        assert box["width"] >= 44
        assert box["height"] >= 44
    for _ in ("with the number held most", "with another one"):
        assert not unseen(page, "#faces .face, #zone-hand .piece, #actions .button")
        assert not overlaps(page, "#faces .face", "#zone-hand .piece, .prompt, .actions .button")
        chosen = page.locator("#faces [aria-checked=true]")
        assert chosen.count() == 1
        number = str(chosen.get_attribute("data-number"))
        bones = page.eval_on_selector_all("#zone-hand .piece", "(all) => all.map((e) => [e.dataset.face, e.className])")
        for face, looks in bones:
            assert ("raised" in looks) == (number in face)
            assert ("dimmed" in looks) == (number not in face) or chosen.inner_text() == "0"
        assert chosen.inner_text() == str(sum(number in face for face, _ in bones))
        button = page.locator("#actions .primary")
        assert button.get_attribute("data-button") == f"suit-{number}"
        assert button.inner_text() == f"Name {MANY[int(number)]}"
        page.keyboard.press("4" if number != "4" else "3")
    page.locator("#faces .face").last.click()
    assert page.locator("#actions .primary").inner_text() == "Name blanks"
    page.locator("#actions .primary").click()
    assert drawn.moves() == [reveille.Act.TRUMP]


@pytest.mark.parametrize("size", mostly([PHONES[0], DESK], (), PHONES[:1], one=True), ids=str)
def test_nello_is_an_eighth_half_bone(size: tuple[int, int], browser: Browser) -> None:
    page = Drawn(browser, *size).table(
        played("reveille", 2, lambda m: stands(m, reveille.Phase.NAMING) and int(m.state.high) == 42)
    )
    assert page.locator("#faces .face").count() == 8
    page.keyboard.press("n")
    assert page.locator("#actions .primary").inner_text() == "Play nello"
    assert not unseen(page, "#faces .face, #zone-hand .piece, #actions .button")


@pytest.mark.parametrize("size", mostly([*PHONES, DESK], (), [PHONES[0], DESK], one=True), ids=str)
def test_the_auction_says_what_is_gone(size: tuple[int, int], browser: Browser) -> None:
    match = played("reveille", 2, lambda m: stands(m, reveille.Phase.AUCTION) and int(m.state.call_count) >= 2)
    drawn = Drawn(browser, *size)
    page = drawn.table(match, memory=True)
    assert page.locator("#panel-gone .piece").count() == 14
    assert page.locator("#panel-offered .piece").count() >= 1
    seen = ".tray .piece, .tray h2, #zone-hand .piece, #actions .button, .ladder li:last-child"
    assert not unseen(page, seen)
    assert not overlaps(page, ".tray", ".ladder li, .seat .person, #prompt, .stages, .others .piece")
    assert not overlaps(page, "#panel-gone", "#panel-offered")
    page = drawn.table(match, memory=False)
    assert not page.locator(".tray").count(), "only the memory aid remembers"
    pile = page.locator("#zone-burnt-tricks")
    assert "7 tricks burnt" in pile.inner_text().replace("\n", " ")
    assert not unseen(page, "#zone-burnt-tricks .label, #zone-hand .piece, #actions .button")


# --- cards turned in steps: the rail is not blank ---------------------------------------------------------------------


def may_confirm(match: Match) -> bool:
    """May the first seat confirm its column in Reveal's final round?"""
    return stands(match, reveal.Phase.FINAL) and reveal.Act.CONFIRM in match.legal(0)


def last_to_confirm(match: Match) -> bool:
    """Do the cards of Reveal's final round turn as soon as the first seat confirms?"""
    return may_confirm(match) and int(match.state.confirmed) == 2


def confirmed(match: Match) -> Match:
    """What follows when the first seat confirms."""
    then = copy(match)
    then.play(0, reveal.Act.CONFIRM.value)
    return then


def sums_of(match: Match) -> list[list[dict[str, Any]]]:
    """Everybody's sum before the first step, and after each."""
    panel = next(p for p in match.table(0, sitters(2)).panels if p.kind == "steps")
    return [panel.data["sums"], *(step["sums"] for step in panel.data["steps"])]


def counts_most(match: Match) -> int:
    """How many cards the higher sum counts."""
    return max(len(each["cards"]) for each in sums_of(match)[-1])


def the_sums_are_seen(page: Page) -> None:
    """Check that the sums, their cards and the button are seen, and that the sums lie over nothing."""
    assert not unseen(page, ".tally-card, .tally-card .points, .counted-card:not(.coming), #actions .button")
    assert not overlaps(page, ".tallies", ".board .piece, #actions .button, #prompt")


@pytest.mark.parametrize("size", mostly([PHONES[2], DESK], PHONES[2:], [DESK], one=True), ids=str)
def test_sums_grow_while_the_cards_are_turned(size: tuple[int, int], browser: Browser) -> None:
    match = played("reveal", 2, last_to_confirm)
    drawn = Drawn(browser, *size)
    page = drawn.table(match)
    match.play(0, reveal.Act.CONFIRM.value)
    # The first cards are turned when the beginning has been looked at.
    stop_clock(page)
    drawn.send(table_message(match))
    page.clock.run_for(SHOWN)
    page.wait_for_selector("#tallies")
    started = page.locator(".counted-card").count()
    page.wait_for_function("() => !document.body.classList.contains('gliding')")
    board = page.locator("#board").bounding_box()
    button = box_of(page.locator("#actions [data-all]"))
    assert page.locator(".tally-card").count() == 2
    the_sums_are_seen(page)
    if size == DESK:
        rail = box_of(page.locator("#tallies"))
        assert rail["width"] == 424
        assert rail["height"] > 700, "the right third is not blank"
    page.clock.run_for(STEP)
    the_sums_are_seen(page)
    page.clock.run_for(ALL_STEPS)
    page.wait_for_selector("#actions :text('Turn again')")
    sums = sums_of(match)
    assert started == sum(len(each["cards"]) for each in sums[0])
    assert [int(each["sum"]) for each in sums[-1]] == [int(points) for points in match.state.score]
    assert page.locator("#board").bounding_box() == board or size != DESK, "the table keeps its width"
    on = box_of(page.locator("#actions .primary"))
    if size == DESK:
        assert abs(on["x"] + on["width"] - button["x"] - button["width"]) < 2, "where Continue comes later"
    assert not page.locator("#tallies").count()


#: Where each part of the dock lies in every frame in which cards are turned in steps, once nothing glides any more; and
#: how far the sums lie below the words, from the first frame on.
DOCKED = """() => {
  window.docked = new Set();
  window.apart = [];
  const parts = ['#prompt', '#tallies', '#actions', '.tally-card', '.counted-cards'];
  // Every frame that is drawn, also while the clock of the page's script stands still.
  const frame = window.requestAnimationFrame.bind(window);
  const look = () => {
    const stands = document.body.matches('.stepping:not(.gliding)');
    const box = (q) => document.querySelector(q).getBoundingClientRect();
    if (stands) docked.add(parts.map((q) => [q, Math.round(box(q).top), Math.round(box(q).bottom)].join(' ')).join());
    if (document.querySelector('#tallies')) apart.push(box('#tallies').top - box('#prompt').bottom);
    frame(look);
  };
  look();
}"""
#: From one step of the cards to the next, and how long all of them take at most, in ms.
STEP, ALL_STEPS = 600, 20_000
SHOWN_WHOLE = ".tally-card .name, .tally-card .line, .tally-line > .now, .counted-card:not(.coming) b, #prompt-words"


@pytest.mark.parametrize("viewer", [0, SPECTATOR])
@pytest.mark.parametrize("size", mostly(PHONES, (), PHONES[:1], one=True), ids=str)
def test_the_sums_have_one_place_on_a_phone(size: tuple[int, int], viewer: int, browser: Browser) -> None:
    # Six cards and more once took a second row of the dock, which went down with its button below the window's edge.
    match = played("reveal", 2, lambda m: last_to_confirm(m) and counts_most(confirmed(m)) >= 6)
    drawn = Drawn(browser, *size)
    page = drawn.table(match, viewer)
    page.evaluate(DOCKED)
    # The first cards are turned when the beginning has been looked at.
    stop_clock(page)
    drawn.send(table_message(confirmed(match), viewer))
    page.clock.run_for(SHOWN)
    page.wait_for_selector("body.stepping:not(.gliding)")
    for _ in range(3):
        the_sums_are_seen(page)
        assert page.evaluate("document.documentElement.scrollHeight") == size[1]
        assert not page.locator(SHOWN_WHOLE).evaluate_all(
            "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).length"
        )
        page.clock.run_for(STEP)
    page.clock.run_for(ALL_STEPS)
    page.wait_for_selector("body:not(.stepping)")
    assert len(page.evaluate("[...docked]")) == 1, page.evaluate("[...docked]")
    assert page.evaluate("Math.max(...apart) - Math.min(...apart)") < 2, "the sums come with the words"


# --- a desk: what stands beside the hand, where a card waits, light that hides nothing --------------------------------


@pytest.mark.parametrize(
    "size", mostly([(1024, 768), (1366, 768), (1440, 900)], [(1440, 900)], [(1024, 768)], one=True), ids=str
)
def test_both_buttons_of_uncovered_stand_beside_the_hand(size: tuple[int, int], browser: Browser) -> None:
    page = Drawn(browser, *size).table(played("uncovered", 4, lambda m: 0 in m.acting and m.ply > 0))
    page.click("#actions .button")
    assert page.locator("#actions .button").count() == 2
    assert not unseen(page, "#actions .button, #zone-hand .piece, .others .piece")
    assert not overlaps(page, "#actions .button", "#zone-hand .piece, .others .piece, .rail > *")


def test_your_final_card_waits_on_your_side(browser: Browser) -> None:
    match = played("reveal", 2, lambda m: stands(m, reveal.Phase.FINAL))
    match.play(1, next(action for action in match.legal(1)))
    assert 0 in match.acting
    page = Drawn(browser, 1440, 900).table(match)
    card = box_of(page.locator("#zone-final-card-0"))
    assert not page.locator("#zone-final-card-1").count()
    board = box_of(page.locator("#board"))
    assert card["y"] > board["y"] + board["height"] / 2


def test_light_around_a_zone_hides_none_of_its_cards(browser: Browser) -> None:
    page = Drawn(browser, 1440, 900).table(played("detect", 4, lambda m: 0 in m.acting))
    lit = page.locator(".zone.lit")
    assert lit.count()
    opacities = """(zone) => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSKeyframesRule && rule.name === getComputedStyle(zone).animationName)
      .flatMap((rule) => [...rule.cssRules].map((frame) => frame.style.opacity))"""
    assert lit.first.evaluate(opacities) == [""]


@pytest.mark.parametrize(
    "size", mostly([(1280, 720), (1366, 768), (1440, 900), (1920, 1080)], (), [(1280, 720)], one=True), ids=str
)
def test_at_a_lobby_the_code_the_rules_and_what_may_be_said_stand_apart(
    size: tuple[int, int], browser: Browser, server: Server
) -> None:
    person = Person(browser, server, 7, viewport={"width": size[0], "height": size[1]})
    person.new_table("detect", "open", "open")
    page = person.page
    # Talk is there where somebody hears it.
    with httpx.Client(headers={"origin": server.origin}, cookies=KEEPS, timeout=PATIENCE) as guest:
        assert guest.post(f"{page.url}/sit", data={"name": "Ben"}).status_code == 303
    page.wait_for_selector("#phrases")
    cards = [".invite", ".lobby-rail .house", ".lobby-rail .talk"]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        assert not overlaps(page, cards[one], cards[other])
    for words in ("Hello", "Well played"):
        page.click(f"[data-phrase='{words}']")
    page.wait_for_selector("#chat-lines li:nth-child(2)")
    lines = page.locator(".invite .link-box, .house dd, #say-text, #phrases button")
    assert lines.count() > 10
    for at in range(lines.count()):
        line = lines.nth(at)
        line.scroll_into_view_if_needed()
        # Whoever points at it meets it, and nothing that lies over it.
        line.click(trial=True, timeout=1000 * PATIENCE)
