"""A game that the house does not know gets a good page: whatever lies there, all that can be pressed is in sight."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import pytest
from plain_tables import PLAIN
from playwright.sync_api import Browser, Page
from tests.browser.drawn import Drawn

from facedown.server import look

pytestmark = pytest.mark.browser
SIZES = ((320, 640), (390, 844), (768, 1024), (1024, 768), (1280, 800), (1440, 900))

#: What of the page cannot be pressed where it stands: (what, why).
HIDDEN = """() => {
  const wrong = [];
  const seen = (element, what, least = 24) => {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const inside = box.left >= 0 && box.right <= innerWidth + 0.5 && box.top >= 0 && box.bottom <= innerHeight + 0.5;
    if (box.width < least || box.height < least) wrong.push([what, `is ${box.width} by ${box.height}`]);
    else if (!inside) wrong.push([what, "is outside"]);
    else if (!element.contains(document.elementFromPoint(x, y))) wrong.push([what, "is covered"]);
  };
  const pressed = [...document.querySelectorAll("#actions > .button")].filter((button) => button.offsetParent);
  for (const button of pressed) seen(button, button.textContent);
  for (const piece of document.querySelectorAll(".piece.can")) {
    const box = piece.getBoundingClientRect();
    const found = document.elementsFromPoint(box.left + 10, box.top + 12);
    if (!found.includes(piece)) wrong.push([piece.id, "is out of sight"]);
  }
  for (const line of document.querySelectorAll("#prompt .words > *")) if (line.textContent) seen(line, line.id, 12);
  if (document.documentElement.scrollWidth > innerWidth) wrong.push(["the page", "scrolls sideways"]);
  if (document.documentElement.scrollHeight > innerHeight) wrong.push(["the page", "is longer than the screen"]);
  return [wrong, pressed.map((button) => button.textContent)];
}"""


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("name", PLAIN)
def test_all_that_can_be_pressed_is_in_sight(chromium_once: Browser, name: str, size: tuple[int, int]) -> None:
    table, _ = PLAIN[name]
    message = look.table_message(table, look.TableContext(code="K7QM"), version=1)
    with closing(Drawn(chromium_once, *size)) as drawn:
        wrong, buttons = hidden(drawn.open(message, table.game))
    assert not wrong
    # What can be touched on the table needs no second button where there is little room.
    places = {piece.place for zone in table.zones for piece in zone.pieces}
    assert {choice.button for choice in table.step.choices if choice.touch not in places} <= set(buttons)


def hidden(page: Page) -> Any:
    """Return what of a page cannot be pressed, and the texts of its buttons."""
    page.add_style_tag(content="*{animation:none!important;transition:none!important}")
    page.evaluate("document.fonts.ready")
    page.wait_for_function("() => document.querySelector('#actions > .button')")
    return page.evaluate(HIDDEN)
