"""Control of a page's time: stop and advance its clock, slow its motion, wait for frames.

Some parts of a page follow a clock that the test controls:

* Timers, dates and the frames that a script requests follow Playwright's clock once it is stopped.
  ``page.clock.run_for(3000)`` advances them by three seconds.
* Animations and transitions follow the document's own timeline, whose rate is set over the DevTools protocol.

Layout, paint and messages follow neither, so a test waits for frames.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from playwright.sync_api import ElementHandle, FloatRect, Locator, Page

from tests.waiting import PATIENCE, wait_until

#: Counts real frames of a page, even while its clock is stopped. Playwright polls once in each frame that is drawn.
FRAMES = """([count, wait]) => {
  const drawn = (window.__drawn ??= {});
  drawn[wait] = (drawn[wait] ?? 0) + 1;
  return drawn[wait] > count;
}"""
#: Numbers that distinguish one wait for frames from another.
WAITS = itertools.count()
#: The clock stops this many seconds ahead. Even on a busy machine that moment has not passed when the call arrives.
AHEAD = 15
#: Page time for showing a message, in ms: three stages, each in its own frame.
SHOWN = 100


def stop_clock(page: Page) -> None:
    """Stop timers, dates and script frames in all pages of the window. `page.clock.run_for` advances them.

    Timers that already run keep real time. To stop them too, call this before the page is opened.
    """
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + AHEAD)


def set_motion_rate(page: Page, rate: float) -> None:
    """Run all animations and transitions at a multiple of their speed. At 0 they stay where they are."""
    devtools = page.context.new_cdp_session(page)
    devtools.send("Animation.enable")
    devtools.send("Animation.setPlaybackRate", {"playbackRate": rate})


def wait_for_frames(page: Page, count: int = 2) -> None:
    """Wait until the browser has drawn `count` frames of the page."""
    page.wait_for_function(FRAMES, arg=[count, next(WAITS)], timeout=1000 * PATIENCE)


def box_of(thing: Locator | ElementHandle) -> FloatRect:
    """Return where an element is in the window, in CSS pixels; fail if it is not rendered."""
    box = thing.bounding_box()
    assert box is not None, f"{thing} is not rendered"
    return box


def wait_for_events(page: Page, condition: Callable[[], object]) -> None:
    """Wait until a condition holds that depends on Playwright's events, which are handled only during its calls."""

    def look() -> object:
        wait_for_frames(page, 1)
        return condition()

    if not condition():
        wait_until(look)
