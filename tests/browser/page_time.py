"""A page on which time stands still, or passes slowly: what lasts for seconds lasts until it has been looked at.

A busy machine may need longer from one look to the next than a reason is read, a phrase is heard or a card flies.
"""

from __future__ import annotations

from playwright.sync_api import Page

#: The page's clocks stand, and its timers of so many ms and more begin only when it is let go.
HOLD = """(least) => {
  const { setTimeout: begin, clearTimeout: end } = window;
  const date = Date.now;
  const [day, moment] = [date(), performance.now()];
  Date.now = () => day;
  performance.now = () => moment;
  const held = new Map();
  const begun = new Map();
  let number = 0;
  window.setTimeout = (what, when, ...about) => {
    if (!(when >= least)) return begin(what, when, ...about);
    number -= 1;
    held.set(number, [what, when, ...about]);
    return number;
  };
  window.clearTimeout = (timer) => held.delete(timer) || end(begun.get(timer) ?? timer);
  window.__letGo = () => {
    window.setTimeout = begin;
    Date.now = date;
    delete performance.now;
    for (const [timer, about] of held) begun.set(timer, begin(...about));
    held.clear();
  };
}"""


def hold(page: Page, least: int = 500) -> None:
    """Let time stand still: what the page does after so many ms it does only after `let_go`."""
    page.evaluate(HOLD, least)


def let_go(page: Page) -> None:
    """Time passes again: what was held begins now."""
    page.evaluate("window.__letGo()")


def at_pace(page: Page, pace: float) -> None:
    """Let everything move at so many times its pace; at 0 it stays where it is, and ends only if it is hurried."""
    line = page.context.new_cdp_session(page)
    line.send("Animation.enable")
    line.send("Animation.setPlaybackRate", {"playbackRate": pace})
