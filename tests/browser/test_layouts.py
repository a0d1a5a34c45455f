"""What stands where: hand and main button in sight, nothing on top of anything else, at the sizes people have."""

from __future__ import annotations

import random
from copy import copy
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from facedown.check.layout import LOOK, STILL, looked_at
from facedown.core.match import Match
from facedown.core.state import SPECTATOR
from facedown.games.detect import rules as detect
from facedown.games.reveal import rules as reveal
from facedown.games.reveille import rules as reveille
from facedown.games.reveille.words import MANY
from facedown.server import look
from facedown.server.look.model import Again
from facedown.server.look.replay import Replay
from tests.browser.drawn import Drawn, played, sitters, table_message
from tests.browser.page_time import SHOWN, box_of, stop_clock
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

PHONES = ((320, 640), (360, 740), (390, 844))
DESK = (1440, 900)

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
_OVER: dict[str, Match] = {}


def finished(game: str) -> Match:
    """A match of a game that is over, played once for all tests."""
    if game not in _OVER:
        seats, options = MATCHES[game]
        _OVER[game] = played(game, seats, lambda m: m.over, **options)
    return _OVER[game]


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
        seat = chance.choice(match.acting)
        match.play(seat, chance.choice(match.legal(seat)))
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


def auction() -> Match:
    """An auction after two bids."""
    return played("reveille", 2, lambda m: stands(m, reveille.Phase.AUCTION) and int(m.state.call_count) >= 2)


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
    match = auction()
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


# --- a finished match -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", mostly(PHONES, PHONES[:1], PHONES[2:], one=True), ids=str)
@pytest.mark.parametrize("ready", [False, True], ids=["the coach looks", "the coach has looked"])
def test_the_first_screen_of_a_finished_match(ready: bool, size: tuple[int, int], browser: Browser) -> None:
    match = played("reveal", 2, lambda m: m.over, end="hands(3)")
    seats = ((0, "You", True), (1, "Mara", False))
    coach = look.CoachPanel(
        "Your chance to win, hand by hand", seats=seats, graph=look.curve([], ["1", "2", "3"]), of=70
    )
    moments = tuple(
        look.CoachMoment(f"Hand {n}, row 3", "You laid the wild on the left.", change="−8") for n in (1, 2, 3)
    )
    told = replace(coach, ready=True, counts=((35, "decisions"), (27, "best"), (3, "costly")), moments=moments)
    drawn = Drawn(browser, *size)
    again = Again()
    sheet = Replay(match, sitters(2), SPECTATOR).rounds
    page = drawn.table(match, coach=told if ready else coach, sheet=sheet, replay_url="/m/K7QM", again=again)
    assert not unseen(page, ".result h2, .finished > .actions .button, .rounds tr")
    assert page.locator(".finished > .actions .primary").count() == 1, "the rematch is on the first screen"
    assert page.locator(".rounds tbody tr").count() == 2
    assert [len(row.rounds) for row in sheet] == [3, 3]
    assert [row.total for row in sheet] == [str(int(total)) for total in match.state.total]
    field = box_of(page.locator(".plot .field"))
    assert 145 <= field["height"] <= 155
    if size == (390, 844):
        assert field["y"] + field["height"] < 844, "the graph is on the first screen"
    before = page.evaluate(
        "[...document.querySelectorAll('.moments, .plot, .finished-columns')].map((e) => e.offsetTop)"
    )
    drawn.send(look.coach_message(told))
    page.wait_for_selector(".tally ul")
    after = page.evaluate(
        "[...document.querySelectorAll('.moments, .plot, .finished-columns')].map((e) => e.offsetTop)"
    )
    assert all(abs(one - other) <= 2 for one, other in zip(before, after, strict=True)), "nothing jumps"


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
    assert not unseen(page, ".tally-card, .tally-card .points, .counted-card:not(.coming), #actions .button")
    assert not overlaps(page, ".tallies", ".board .piece, #actions .button, #prompt")
    if size == DESK:
        rail = box_of(page.locator("#tallies"))
        assert rail["width"] == 424
        assert rail["height"] > 700, "the right third is not blank"
    page.clock.run_for(STEP)
    assert not unseen(page, ".tally-card, .tally-card .points, .counted-card:not(.coming), #actions .button")
    assert not overlaps(page, ".tallies", ".board .piece, #actions .button, #prompt")
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
        assert not unseen(page, ".tally-card, .counted-card:not(.coming), #actions .button")
        assert not overlaps(page, ".tallies", ".board .piece, #actions .button, #prompt")
        assert page.evaluate("document.documentElement.scrollHeight") == size[1]
        assert not page.locator(SHOWN_WHOLE).evaluate_all(
            "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).length"
        )
        page.clock.run_for(STEP)
    page.clock.run_for(ALL_STEPS)
    page.wait_for_selector("body:not(.stepping)")
    assert len(page.evaluate("[...docked]")) == 1, page.evaluate("[...docked]")
    assert page.evaluate("Math.max(...apart) - Math.min(...apart)") < 2, "the sums come with the words"
