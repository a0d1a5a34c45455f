"""Time on a page under test: stop its clock and turn it on, slow its motion down, wait by its frames.

Timers, dates and the frames that a script asks for follow Playwright's clock once it is stopped:
``page.clock.run_for(3000)`` is three seconds of them. Animations and transitions follow the document's own timeline,
whose rate is set over the DevTools protocol. Layout, paint and messages follow neither; a test waits for frames.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable

from playwright.sync_api import ElementHandle, FloatRect, Locator, Page

from tests.waiting import PATIENCE, wait_until

#: Real frames of a page, also while its clock is stopped. Playwright looks once in each frame that the browser draws.
FRAMES = """([count, wait]) => {
  const drawn = (window.__drawn ??= {});
  drawn[wait] = (drawn[wait] ?? 0) + 1;
  return drawn[wait] > count;
}"""
#: Tells one wait for frames from another.
WAITS = itertools.count()
#: The clock stops this many seconds ahead: a busy machine must not have passed that moment before the call arrives.
AHEAD = 15
#: How much of the page's time a message needs to be shown: three stages, each in a frame of its own.
SHOWN = 100


def stop_clock(page: Page) -> None:
    """Stop timers, dates and the frames of scripts, in all pages of the window; `page.clock.run_for` turns them on.

    Timers that run already keep real time: to stop these too, call it before the page is opened.
    """
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() / 1000") + AHEAD)


def set_motion_rate(page: Page, rate: float) -> None:
    """Run all animations and transitions at a multiple of their speed; at 0 they stay where they are."""
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
    """Wait until a condition holds that Playwright's events bring about: they are handled only during its calls."""

    def look() -> object:
        wait_for_frames(page, 1)
        return condition()

    if not condition():
        wait_until(look)
