"""Seat clocks on the page with default settings: they count down, warn at ten seconds and reach zero."""

from __future__ import annotations

import re
import time
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from facedown.server import rendering
from tests.browser import players
from tests.browser.offline_pages import DESK, PHONE, PHONES, Drawn, played, table_message
from tests.browser.page_time import stop_clock, wait_for_events, wait_for_frames
from tests.browser.players import Person
from tests.nightly_selection import mostly
from tests.waiting import wait_until

pytestmark = pytest.mark.browser

#: Time on a clock, in seconds.
CLOCK = 20
#: Time that the cards of a deal travel before a clock starts, in seconds.
DEALT = 2
#: Least time that the server is away, and tolerance for the time that is given back, in seconds. Clocks show whole
#: seconds, and a page arrives a moment after its request.
AWAY, COARSE = 5, 1
ZERO = "When time runs out, a bot will play this move for you."

#: Samples the clocks ten times a second and keeps the samples.
WATCH = """() => {
  const round = (v) => Math.round(v * 10) / 10;
  const box = (e) => {
    const r = e?.getBoundingClientRect();
    return r && [r.left, r.top, r.width, r.height].map(round);
  };
  const open = (e) => {
    const r = e.getBoundingClientRect();
    const top = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
    return e.contains(top) && e.scrollWidth <= e.clientWidth + 1
      && r.left >= 0 && r.top >= 0 && r.right <= innerWidth && r.bottom <= innerHeight;
  };
  window.seen = [];
  window.alarms = [];
  new MutationObserver(() => window.alarms.push(document.querySelector('#assertive').textContent))
    .observe(document.querySelector('#assertive'), { childList: true });
  const look = () => {
    const band = document.querySelector('#clock-band.runs');
    window.seen.push({
      at: performance.now() / 1000,
      alarms: [...window.alarms],
      prompt: document.querySelector('#prompt-words')?.textContent ?? '',
      help: document.querySelector('#prompt-help')?.textContent ?? '',
      chips: [...document.querySelectorAll('.seat [data-clock]')].map((e) => ({
        text: e.querySelector('b').textContent, runs: e.matches('.runs'), last: e.matches('.last'),
        yours: e.matches('.yours'), box: box(e), open: open(e),
        up: e.matches('.up') && Boolean(e.closest('.seat').querySelector('.standin')),
      })),
      band: band && box(band),
      dock: box(document.querySelector('.dock-back')),
      hand: box(document.querySelector('#app .you-area')),
      sideways: document.documentElement.scrollWidth > innerWidth,
    });
  };
  // Sample after the clocks: if the page has stood still for a while, they are due before this.
  setInterval(() => setTimeout(look), 100);
}"""


#: Every card with its label.
CARDS = "[...document.querySelectorAll('#app .piece[data-place]')].map((e) => `${e.id} ${e.ariaLabel}`)"


def clocks_of(left: float, wait: float = 0) -> dict[int, rendering.Clock]:
    """Return the clocks of three seats as seat 0 sees them. The first two seats are to choose."""
    return {
        seat: rendering.Clock(left, CLOCK, runs=seat < 2, wait=wait, yours=not seat, zero=ZERO if not seat else "")
        for seat in range(3)
    }


def mine(sample: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(chip for chip in sample["chips"] if chip["yours"])
    return found


@pytest.mark.parametrize("size", mostly([PHONE, DESK, PHONES[0]], [PHONE], [DESK], one=True), ids=str)
def test_own_clock_counts_down_to_zero_and_warns_once_a_turn(size: tuple[int, int], drawn: Drawn) -> None:
    # Time passes only when the test says so.
    stop_clock(drawn.page)
    match = played("detect", 3, lambda match: 0 in match.acting)
    page = drawn.table(match, clocks=clocks_of(CLOCK - 0.05, DEALT))
    page.evaluate(WATCH)
    page.clock.run_for(1000 * (DEALT + CLOCK + 1))
    samples = page.evaluate("() => window.seen")
    check_countdown(samples)
    assert any(chip["last"] and not chip["yours"] for s in samples for chip in s["chips"]), "another's chip is filled"
    warning = "Ten seconds left. Then a bot will play this move for you."
    assert samples[-1]["alarms"] == [warning], "said once"
    # The next turn has another clock. Another table in the same turn has the same clock.
    drawn.send(table_message(match, clocks=clocks_of(CLOCK - 0.05)))
    page.clock.run_for(1000 * (CLOCK - 5))
    assert page.evaluate("() => window.alarms") == [warning] * 2
    drawn.send(table_message(match, clocks=clocks_of(5)))
    page.clock.run_for(2500)
    samples = page.evaluate("() => window.seen")
    assert mine(samples[-1])["text"] == "0:03"
    assert samples[-1]["alarms"] == [warning] * 2
    assert all(chip["open"] for s in samples for chip in s["chips"]), "a clock is cut or covered"
    assert not any(s["sideways"] for s in samples)


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONES[0], PHONE, DESK], ids=str)
def test_expired_clock_stays_visible_while_a_bot_stands_in_for_the_player(size: tuple[int, int], drawn: Drawn) -> None:
    match = played("detect", 3, lambda match: 0 in match.acting)
    page = drawn.table(match, clocks=clocks_of(CLOCK) | {1: rendering.Clock(0, CLOCK, up=True, bot=True)})
    page.evaluate(WATCH)
    sight = page.wait_for_function("() => window.seen[0]").json_value()
    assert [chip["text"] for chip in sight["chips"] if chip["up"]] == ["0:00"]
    assert all(chip["open"] for chip in sight["chips"]), "a clock is cut or covered"
    assert not sight["sideways"]


@pytest.mark.slow
def test_restarted_server_restores_the_same_table_and_does_not_charge_downtime_to_the_clock(
    fresh_server: players.Server, browser: Browser
) -> None:
    """A lost connection does not stop a clock. `tests/server/test_restart.py` tests at length that no move is lost."""
    ada = Person(browser, fresh_server, 3, "touch")
    ada.page.clock.install()
    ada.new_table("detect", "greedy", clock="300+10")
    for _ in range(8):
        ada.play_until(lambda seen: bool(seen["lit"]))
        ada.act()
        wait_for_frames(ada.page, 6)
    ada.play_until(lambda seen: bool(seen["lit"]))
    chip = ada.page.locator(".seat [data-clock].yours.runs b")
    expect(chip).to_have_count(1)
    # The clock is running. The time that a new page gets from the server is the time left at `begun` or later.
    begun = time.monotonic()
    ada.page.reload()
    had = float(ada.page.get_attribute(".seat [data-clock].yours", "data-left") or 0)
    before = ada.page.evaluate(CARDS)
    fresh_server.kill()
    killed = time.monotonic()
    expect(ada.page.locator("#offline .words")).to_have_text(
        re.compile(r"^Connection lost with \d:\d\d left on your clock\. You keep your seat\. Trying again")
    )
    # The clock runs on while the page receives nothing.
    ada.page.clock.run_for(12_000)
    expect(chip).to_have_text(re.compile(f"^({'|'.join(figures(left) for left in range(int(had) - 10))})$"))
    wait_until(lambda: time.monotonic() - killed > AWAY)
    away = time.monotonic() - killed
    fresh_server.start()
    ada.page.evaluate("() => dispatchEvent(new Event('online'))")  # Otherwise the page may wait for long.
    expect(ada.page.locator("body")).not_to_have_class(re.compile("is-offline"))

    def given_back() -> bool:
        """Return whether the page shows the time left since `begun`, without the time that the server was away."""
        return seconds(chip.text_content() or "") >= had - (time.monotonic() - begun) + away - COARSE

    wait_for_events(ada.page, given_back)
    ada.page.reload()
    ada.page.wait_for_selector("#board")
    assert ada.page.evaluate(CARDS) == before, "what was acknowledged is still there"
    ada.complaints.clear()  # The console reports the lost connection.


def seconds(figures: str) -> int:
    minutes, rest = figures.split(":")
    return 60 * int(minutes) + int(rest)


def figures(left: int) -> str:
    return f"{left // 60}:{left % 60:02}"


def check_countdown(samples: list[dict[str, Any]]) -> None:
    """Check one player's own clock from the deal to a second after zero."""
    running = [s for s in samples if s["chips"] and mine(s)["runs"]]
    left = [seconds(mine(s)["text"]) for s in running]
    assert left[0] == CLOCK
    assert all(0 <= before - after <= 1 for before, after in pairwise(left)), "a second was left out"
    assert left[-1] == 0, "it counts down to zero"
    # The first second ends later: clocks do not run while cards are dealt.
    changes = [
        now["at"]
        for (was, now), (before, after) in zip(pairwise(running), pairwise(left), strict=True)
        if before != after
    ]
    assert changes[0] - running[0]["at"] == pytest.approx(DEALT + 1, abs=0.4)
    assert all(0.7 <= after - before <= 1.3 for before, after in pairwise(changes)), "seconds are as long as seconds"
    last = [s for s in running if mine(s)["last"]]
    before = [s for s in running if not mine(s)["last"]]
    assert all(seconds(mine(s)["text"]) >= 11 for s in before)
    assert all(seconds(mine(s)["text"]) <= 10 for s in last)
    assert all(mine(s)["box"][2:] == [66, 34] for s in last), "yours grows"
    assert all(mine(s)["box"][3] == 22 for s in before)
    assert {s["help"] for s in last} == {ZERO}
    assert all(s["band"] is None for s in before)
    widths = [s["band"][2] for s in last]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) >= 9
    assert widths[0] >= 0.85 * last[0]["dock"][2]
    assert all(s["band"][3] == 5 and abs(s["band"][1] - s["dock"][1]) <= 1 for s in last), "on the dock's upper edge"
    assert len({tuple(s["hand"]) for s in running}) == 1, "the hand moved under the thumb"
