"""Frame times in the hardest case: eight grids on a phone whose processor is four times slower.

A measurement, to be run by hand on an idle machine: `pytest -m alone tests/browser/test_frame_times.py -s`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser

from facedown.check.random_matches import play_randomly
from facedown.core.match import Match
from facedown.games.detect.rules import Phase
from tests.browser.cpu_trace import TraceSegment, format_table, mark, record_trace
from tests.browser.offline_pages import Drawn, played, table_message
from tests.browser.page_time import box_of
from tests.browser.players import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.alone, pytest.mark.timeout(300)]

SLOWER = 4
MOVES, TOUCHES, RUNS = 12, 6, 3
#: Largest duration of a frame while something moves, and largest delay between a touch and the first change, in ms.
FRAME, TOUCH = 50.0, 100.0

#: Does something at a table. Yields the name of each action before it.
Happens = Callable[[Drawn], Iterator[str]]

#: Records the duration of each frame, and when the page changed after a touch.
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
#: Waits until nothing has moved for six frames (a message takes three). It does not poll during motion, which would
#: cost the time that is measured.
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
    """Open a table on a phone, optionally with another client module."""
    drawn = Drawn(browser, **PHONE, reduced_motion="no-preference")
    if script is not None:
        drawn.page.route("**/facedown.js*", lambda route: route.fulfill(body=script, content_type="text/javascript"))
    drawn.table(match).evaluate(REST)
    # Send the whole table again, as a server does after every page's `hello`.
    drawn.send(table_message(match))
    drawn.page.evaluate(REST)
    return drawn


def match_of_eight() -> Match:
    """Return a match of Detect for eight after each player's first turn."""
    return played("detect", 8, lambda m: int(m.state.phase) != Phase.OPENING and m.ply > 16 and list(m.acting) == [0])


def others_move(drawn: Drawn) -> Iterator[str]:
    """Play some moves of other players, one after the other. Yield the name of each before it is sent."""
    match, chance = match_of_eight(), random.Random(1)
    for number in range(MOVES):
        play_randomly(match, chance, 1)
        message = table_message(match)
        yield f"move {number}"
        drawn.send(message)
        drawn.page.evaluate(REST)


def touch_discard_pile(drawn: Drawn) -> Iterator[str]:
    """Take a card of the discard pile and give it back, several times. Yield the name of each touch before it."""
    box = box_of(drawn.page.locator("#at-discard"))
    for number in range(TOUCHES):
        yield f"touch {number}"
        drawn.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        drawn.page.evaluate(REST)


def measure(browser: Browser, happens: Happens) -> list[TraceSegment]:
    """Return the work of a phone's main thread at each move or touch."""
    drawn = phone(browser, match_of_eight())
    with record_trace(browser, drawn.page) as found:
        for name in happens(drawn):
            mark(drawn.page, name)
    drawn.close()
    return found


@pytest.mark.parametrize("happens", [others_move, touch_discard_pile])
def test_no_main_thread_task_exceeds_the_frame_time_of_a_slow_phone(browser: Browser, happens: Happens) -> None:
    """Uses the thread's CPU time, and the best of three runs, so that other programs do not matter."""
    runs = [measure(browser, happens) for _ in range(RUNS)]
    for found in runs:
        print(f"\n{format_table(found)}")
    assert max(min(stretch.longest for stretch in same) for same in zip(*runs, strict=True)) <= FRAME / SLOWER


#: The longest frame since the last reading, and the delay of the last touch until its change was drawn.
NOTED = "() => [Math.max(0, ...__frames.splice(0)), __changed - __touched]"


@pytest.mark.parametrize(
    ("happens", "noted", "most", "runs"), [(others_move, 0, FRAME, RUNS), (touch_discard_pile, 1, TOUCH, 1)]
)
def test_frames_of_other_players_moves_take_at_most_50_ms_and_touches_take_effect_in_100_ms(
    browser: Browser, happens: Happens, noted: int, most: float, runs: int
) -> None:
    """Repeats the same moves three times. A frame that is slow only once is due to another program."""
    found: list[list[float]] = []
    for _ in range(runs):
        drawn = phone(browser, match_of_eight())
        page = drawn.page
        page.evaluate(NOTES)
        drawn.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.evaluate(REST)
        # The first reading comes before any action.
        _, *looks = [page.evaluate(NOTED)[noted] for _ in happens(drawn)]
        found.append([*looks, page.evaluate(NOTED)[noted]])
        drawn.close()
    best = [round(min(same)) for same in zip(*found, strict=True)]
    print("ms:", best, "of", [[round(ms) for ms in run] for run in found])
    assert 0 < min(best) <= max(best) <= most
