"""How smooth it is where it is hardest: eight grids on a phone whose processor is four times as slow.

A measurement, to be run by hand on a machine that does nothing else: `pytest -m alone tests/browser/test_frames.py -s`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from facedown.check.random_matches import play_randomly
from facedown.core.match import Match
from facedown.games.detect.rules import Phase
from tests.browser.cpu_trace import Stretch, mark, table_of, traced
from tests.browser.offline_pages import Drawn, played, table_message
from tests.browser.page_time import box_of
from tests.browser.players import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.alone, pytest.mark.timeout(300)]

SLOWER = 4
MOVES, TOUCHES, RUNS = 12, 6, 3
#: The most that a frame may take while something moves, and that a touch may wait for the first change, in ms.
FRAME, TOUCH = 50.0, 100.0

#: What happens at a table, named.
Happens = Callable[[Drawn], Iterator[str]]

#: Notes how long each frame took, and when the page changed after a touch.
NOTES = """() => {
  Object.assign(window, { __frames: [], __touched: 0, __changed: 0 });
  let last = 0;
  const note = (now) => { if (last) __frames.push(now - last); last = now; requestAnimationFrame(note); };
  requestAnimationFrame(note);
  addEventListener('pointerdown', (e) => { __touched = e.timeStamp; __changed = 0; }, true);
  new MutationObserver(() => {
    if (__changed || !__touched) return;
    __changed = -1;
    requestAnimationFrame(() => requestAnimationFrame((now) => (__changed = now)));
  }).observe(document.querySelector('#app'), { subtree: true, attributes: true, childList: true });
}"""
#: Nothing moves in this many frames in a row: a message is shown in three. Nothing is looked at while something moves,
#: which would take the time that is measured.
REST = """async () => {
  for (let still = 0; still < 6; still++) {
    await new Promise(requestAnimationFrame);
    const going = document.getAnimations()
      .filter((a) => a.playState === 'running' && a.effect.getComputedTiming().endTime < 1e6);
    if (going.length) still = 0;
    await Promise.allSettled(going.map((a) => a.finished));
  }
}"""


def phone(browser: Browser, match: Match, script: bytes | None = None) -> Drawn:
    """A table on a phone, maybe with another client module."""
    drawn = Drawn(browser, **PHONE, reduced_motion="no-preference")
    if script is not None:
        drawn.page.route("**/facedown.js*", lambda route: route.fulfill(body=script, content_type="text/javascript"))
    drawn.table(match).evaluate(REST)
    # The whole table once more, with which a server answers every page's `hello`.
    drawn.send(table_message(match))
    drawn.page.evaluate(REST)
    return drawn


def eight() -> Match:
    """Detect for eight, when everybody's turn has come once."""
    return played("detect", 8, lambda m: int(m.state.phase) != Phase.OPENING and m.ply > 16 and list(m.acting) == [0])


def others_move(drawn: Drawn) -> Iterator[str]:
    """Some moves of others, one after the other; the name of each before it comes."""
    match, chance = eight(), random.Random(1)
    for number in range(MOVES):
        play_randomly(match, chance, 1)
        message = table_message(match)
        yield f"move {number}"
        drawn.send(message)
        drawn.page.evaluate(REST)


def somebody_touches(drawn: Drawn) -> Iterator[str]:
    """A card of the discard pile is taken and given back, some times; the name of each touch before it."""
    box = box_of(drawn.page.locator("#at-discard"))
    for number in range(TOUCHES):
        yield f"touch {number}"
        drawn.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        drawn.page.evaluate(REST)


def measured(browser: Browser, happens: Happens) -> list[Stretch]:
    """What the main thread of a phone does at each move or touch."""
    drawn = phone(browser, eight())
    with traced(browser, drawn.page) as found:
        for name in happens(drawn):
            mark(drawn.page, name)
    drawn.close()
    return found


@pytest.mark.parametrize("happens", [others_move, somebody_touches])
def test_no_task_takes_longer_than_a_slow_phone_allows(browser: Browser, happens: Happens) -> None:
    """By the time that the thread has had a processor for, the best of three: what others do counts for nothing."""
    runs = [measured(browser, happens) for _ in range(RUNS)]
    for found in runs:
        print(f"\n{table_of(found)}")
    assert max(min(stretch.longest for stretch in same) for same in zip(*runs, strict=True)) <= FRAME / SLOWER


#: The longest frame since the last look, and how long the last touch waited for the frame that shows its change.
NOTED = "() => [Math.max(0, ...__frames.splice(0)), __changed - __touched]"


@pytest.mark.parametrize(
    ("happens", "noted", "most", "runs"), [(others_move, 0, FRAME, RUNS), (somebody_touches, 1, TOUCH, 1)]
)
def test_moves_are_smooth_and_touches_answered_at_once(
    browser: Browser, happens: Happens, noted: int, most: float, runs: int
) -> None:
    """Three times the same moves: what took long only once is another program's doing."""
    found: list[list[float]] = []
    for _ in range(runs):
        drawn = phone(browser, eight())
        page = drawn.page
        page.evaluate(NOTES)
        drawn.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.evaluate(REST)
        # The first look comes before anything has happened.
        _, *looks = [page.evaluate(NOTED)[noted] for _ in happens(drawn)]
        found.append([*looks, page.evaluate(NOTED)[noted]])
        drawn.close()
    best = [round(min(same)) for same in zip(*found, strict=True)]
    print("ms:", best, "of", [[round(ms) for ms in run] for run in found])
    assert 0 < min(best) <= max(best) <= most
