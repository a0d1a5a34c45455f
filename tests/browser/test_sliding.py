"""A card that goes between others in a hand: dragged there by mouse or finger, slid by taps and by the arrow keys."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.page_time import box_of
from tests.browser.people import DESKTOP, PHONE, Person, Server
from tests.selection import mostly

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]

#: The cards of the hand and the gap that holds the scouted card, in the order in which they are seen.
ORDER = """() => [...document.querySelectorAll('.hand-area .piece')]
  .filter((e) => e.dataset.kind === 'face' || e.matches('.holds'))
  .map((e) => [e.getBoundingClientRect(), e])
  .sort(([a], [b]) => Math.abs(a.top - b.top) > 40 ? a.top - b.top : a.left - b.left)
  .map(([r, e]) => ({ id: e.id, holds: e.matches('.holds'), x: r.left + 8, y: r.top + r.height / 2 }))"""
#: Does the scouted card lie there, counted from the left? -1: nowhere in the hand.
LIES = f"(place) => ({ORDER})().findIndex((card) => card.holds) === place"


class Hand:
    """A person's pointer over the hand."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.page: Page = person.page
        self.finger = person.context.new_cdp_session(self.page) if person.means == "touch" else None

    def order(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.page.evaluate(ORDER)
        return found

    def place(self) -> int:
        """How many cards lie left of the scouted one; -1 where none is in the hand."""
        return next((i for i, card in enumerate(self.order()) if card["holds"]), -1)

    def lies(self, place: int) -> None:
        """Wait until the scouted card lies there."""
        self.page.wait_for_function(LIES, arg=place)

    def drag(self, start: tuple[float, float], *way: tuple[float, float]) -> None:
        points = [start]
        for end in way:
            last = points[-1]
            step = ((end[0] - last[0]) / 5, (end[1] - last[1]) / 5)
            points += [(last[0] + step[0] * k, last[1] + step[1] * k) for k in range(1, 6)]
        if self.finger is None:
            self.page.mouse.move(*start)
            self.page.mouse.down()
            for point in points[1:]:
                self.page.mouse.move(*point)
            self.page.mouse.up()
            return
        self._finger("touchStart", start)
        for point in points[1:]:
            self._finger("touchMove", point)
        self._finger("touchEnd")

    def _finger(self, kind: str, *points: tuple[float, float]) -> None:
        assert self.finger is not None
        self.finger.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
        )

    def spot(self, selector: str) -> tuple[float, float]:
        box = box_of(self.page.locator(selector).first)
        return box["x"] + 8, box["y"] + box["height"] / 2


@pytest.mark.parametrize("means", mostly(["mouse", "touch"], (), ["touch"]))
def test_a_scouted_card_is_slid(means: str, browser: Browser, server: Server, seed: int) -> None:
    device: dict[str, Any] = PHONE if means == "touch" else DESKTOP
    person = Person(browser, server, seed, means, **device)
    person.new_table("scout", "greedy", "greedy")
    person.ready()
    end = ".mid .piece.carried"
    person.play_until(lambda _seen: person.page.locator(end).count() > 0)
    hand = Hand(person)
    back = person.page.locator("#actions [data-back]")
    if back.count():
        back.click()
    person.rest()
    whole = hand.order()
    assert hand.place() == -1

    # From the table into the hand.
    hand.drag(hand.spot(end), (whole[2]["x"], whole[2]["y"]))
    hand.lies(2)
    assert not person.page.locator(".flying").count()
    held = hand.order()

    # Slid on inside the hand; carried away from it, it comes back to where it was.
    card = held[2]
    hand.drag((card["x"], card["y"]), (held[-1]["x"] + 60, held[-1]["y"]))
    hand.lies(len(whole))
    last = hand.order()[-1]
    hand.drag((last["x"], last["y"]), (last["x"], last["y"] - 260))
    hand.lies(len(whole))

    # A tap between cards, then the arrow keys.
    first = hand.order()[0]
    if means == "touch":
        person.page.touchscreen.tap(first["x"] - 4, first["y"])
    else:
        person.page.mouse.click(first["x"] - 4, first["y"])
    person.page.wait_for_selector(".hand-area .k-gap.holds:first-child")
    person.page.locator(".k-gap.holds").focus()
    person.page.keyboard.press("ArrowRight")
    person.page.keyboard.press("ArrowRight")
    person.page.keyboard.press("ArrowLeft")
    hand.lies(1)

    person.page.locator("#actions .primary").click()
    expect(person.page.locator(".hand-area .piece.k-face")).to_have_count(len(whole) + 1)
    assert not person.complaints
