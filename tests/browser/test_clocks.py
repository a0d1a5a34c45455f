"""Clocks as people see them, with everything as it is by default: chips count, the last ten seconds, zero."""

from __future__ import annotations

import re
import time
from itertools import takewhile
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.people import DESKTOP, PATIENCE, PHONE, Person, Server

#: Long enough for a busy machine to show the deal before the last ten seconds.
CLOCK = 20
#: Clocks show whole seconds, and the page's and the test's begin at other moments.
COARSE = 3
SMALL = PHONE | {"viewport": {"width": 320, "height": 640}}

#: Looks at the clocks ten times a second, and keeps what it saw. Begun in the lobby: the deal starts the clocks.
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
  // After the clocks: where the page has stood still for a while, they are due before this.
  setInterval(() => setTimeout(look), 100);
}"""
#: The first sight from a number on of which something is so: its number, or nothing.
FOUND = """([from, name, words]) => {
  const at = window.seen.findIndex((sight, i) => i >= from && new RegExp(words).test(sight[name]));
  return at < 0 ? null : [at];
}"""

#: Nobody's time is up any more.
GOES_ON = "^(?!.*time was up)"


def sight(person: Person, name: str, words: str, since: int = 0) -> tuple[int, dict[str, Any]]:
    """The first of a person's sights with these words, and its number: however short, the page has seen it."""
    at: int = person.page.wait_for_function(FOUND, arg=[since, name, words]).json_value()[0]
    seen: dict[str, Any] = person.page.evaluate("(at) => window.seen[at]", at)
    return at, seen


def mine(sample: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(chip for chip in sample["chips"] if chip["yours"])
    return found


@pytest.mark.parametrize(
    "small", [pytest.param(PHONE, id="390"), pytest.param(SMALL, id="320", marks=pytest.mark.slow)]
)
def test_two_people_sit_a_minute_out(server: Server, browser: Browser, small: dict[str, Any]) -> None:
    ada = Person(browser, server, 1, "mouse", **DESKTOP)
    noor = Person(browser, server, 2, "touch", **small)
    url = ada.new_table("detect", "open", "casual", clock=str(CLOCK))
    noor.sit_down(url, "Noor")
    both = (ada, noor)
    for person in both:
        person.page.evaluate(WATCH)
    noor.ready()
    ada.ready()
    since = []
    for person in both:
        at, _ = sight(person, "prompt", r"^Which two cards do you turn up\?$")
        at, _ = sight(person, "prompt", r"^Your time was up\.$", at)
        at, _ = sight(person, "prompt", GOES_ON, at)
        since.append(at)
    # On a busy machine the next clock may have run before this is looked at.
    all_along = [person.page.evaluate("() => window.seen") for person in both]
    first = [list(takewhile(lambda s: "time was up" not in s["prompt"], samples)) for samples in all_along]
    for samples, all_of in zip(first, all_along, strict=True):
        the_last_ten_seconds(samples, all_of[len(samples)]["at"])
    # A bot has chosen for each of them. Now somebody's turn begins, and runs out, too.
    for person in both:
        expect(person.page.locator("#log-lines li").first).to_be_attached()
    for samples in first:
        assert len(warnings(samples[-1]["alarms"])) == 1, "said once"
    for person in both:
        expect(person.page.locator(".bar .titles p")).not_to_contain_text("opening")
    moves = [person.page.locator("#log-lines li").count() for person in both]
    ups = [sight(person, "prompt", "time was up", at) for person, at in zip(both, since, strict=True)]
    # It is told which seat it was, until the next move; and whoever was late reads what the bot did.
    i, j = (0, 1) if ups[0][1]["prompt"] == "Your time was up." else (1, 0)
    late, other, name = both[i], both[j], ("Ada", "Noor")[i]
    told = ups[j][1]
    assert told["prompt"] == f"{name}’s time was up."
    assert told["help"] == f"A bot plays this one move for {name}, who is back at the next turn."
    assert [chip["text"] for chip in told["chips"] if chip["up"]] == ["0:00"]
    sight(late, "help", r"^Your time was up: a bot .*next turn\.$", ups[i][0])
    expect(other.page.locator("#log-lines li")).not_to_have_count(moves[j])
    ends = [sight(person, "prompt", GOES_ON, at) for person, (at, _) in zip(both, ups, strict=True)]
    watched = [s for s in other.page.evaluate("() => window.seen") if not s["prompt"].startswith("Your time")]
    assert any(chip["last"] and not chip["yours"] for s in watched for chip in s["chips"]), "its chip is filled"
    for person in both:
        samples = person.page.evaluate("() => window.seen")
        assert all(chip["open"] for s in samples for chip in s["chips"]), "a clock is cut or covered"
        assert not any(s["sideways"] for s in samples)
        assert not person.complaints
    for _, after in ends:
        assert len(warnings(after["alarms"])) in (1, 2), "once for each of their clocks"


def test_a_lost_line_does_not_stop_a_clock_and_a_server_that_was_away_gives_its_time_back(
    fresh_server: Server, browser: Browser
) -> None:
    ada = Person(browser, fresh_server, 3, "touch", **PHONE)
    ada.new_table("detect", "casual", clock="300+10")
    chip = ada.page.locator(".seat [data-clock].yours b")
    expect(chip).to_have_text(re.compile(r"^4:\d\d$"))
    had, begun = seconds(chip.text_content() or ""), time.monotonic()
    fresh_server.kill()
    killed = time.monotonic()
    expect(ada.page.locator("#offline .words")).to_have_text(
        re.compile(r"^The line dropped\. \d:\d\d is running\. Your seat is kept; we try again")
    )
    ada.page.wait_for_timeout(12_000)
    # It runs on while nothing is heard.
    expect(chip).to_have_text(re.compile(f"^({'|'.join(figures(left) for left in range(had - 10))})$"))
    away = time.monotonic() - killed
    fresh_server.start()
    ada.page.evaluate("() => dispatchEvent(new Event('online'))")  # else the page may wait for long
    expect(ada.page.locator("body")).not_to_have_class(re.compile("is-offline"))
    until = time.monotonic() + PATIENCE
    # However long the page took to come back: what it shows is the time since then, but for the time that was lost.
    while seconds(chip.text_content() or "") < had - (time.monotonic() - begun) + away - COARSE:
        assert time.monotonic() < until, "the time that the server was away is lost"
        ada.page.wait_for_timeout(100)


def warnings(said: list[str]) -> list[str]:
    """What was announced of the last seconds; on a busy machine the first of them may be past."""
    last = r"(Ten seconds|[2-9] seconds|1 second)\. Then a bot plays this one move for you\."
    return [text for text in said if re.fullmatch(last, text)]


def seconds(figures: str) -> int:
    minutes, rest = figures.split(":")
    return 60 * int(minutes) + int(rest)


def figures(left: int) -> str:
    return f"{left // 60}:{left % 60:02}"


def the_last_ten_seconds(samples: list[dict[str, Any]], over: float) -> None:
    """What one person saw of their own clock, from the deal to zero; when they saw that it was over."""
    running = [s for s in samples if s["chips"] and mine(s)["runs"]]
    left = [seconds(mine(s)["text"]) for s in running]
    assert left[0] >= 11, "looked at too late"
    for i in range(1, len(running)):
        # Where the page itself stood still for longer, nobody could see what was left out.
        still = running[i]["at"] - running[i - 1]["at"]
        assert 0 <= left[i - 1] - left[i] <= 1 + int(still), "a second was left out"
    assert left[-1] <= 2 + int(over - running[-1]["at"]), "it counts down to zero"
    # The first second is longer: nothing runs down while the cards are dealt.
    begun = next(i for i, seconds_left in enumerate(left) if seconds_left < left[0])
    took = running[-1]["at"] - running[begun]["at"]
    assert abs(left[begun] - left[-1] - took) <= 1.5, "seconds are as long as seconds"
    last = [s for s in running if mine(s)["last"]]
    before = [s for s in running if not mine(s)["last"]]
    assert all(seconds(mine(s)["text"]) >= 11 for s in before)
    assert all(seconds(mine(s)["text"]) <= 10 for s in last)
    assert all(mine(s)["box"][2:] == [66, 34] for s in last), "yours grows"
    assert all(mine(s)["box"][3] == 22 for s in before)
    assert {s["help"] for s in last} == {"At zero a bot plays this one move for you."}
    assert all(s["band"] is None for s in before)
    widths = [s["band"][2] for s in last]
    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) >= min(9, len({mine(s)["text"] for s in last}))
    assert widths[0] >= (seconds(mine(last[0])["text"]) / 10 - 0.15) * last[0]["dock"][2]
    assert all(s["band"][3] == 5 and abs(s["band"][1] - s["dock"][1]) <= 1 for s in last), "on the dock's upper edge"
    assert len({tuple(s["hand"]) for s in running}) == 1, "the hand moved under the thumb"
