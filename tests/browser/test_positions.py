"""Full tables on which something once lay over something else or out of the window, each at the size where it did."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from facedown.check.checks import Checks
from facedown.check.layout import Window, looked_at, positions

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("game", "seed", "position", "size"),
    [
        ("reveille", 3, "naming, 2 seats, match 0, move 18: viewer 0", (1024, 768)),
        ("reveille", 3, "naming, 2 seats, match 0, move 18: viewer 0", (320, 640)),
        ("reveille", 4, "naming, 2 seats, match 0, move 19: viewer 0", (390, 844)),
        ("detect", 3, "drawn, 8 seats, match 2, move 136: viewer 0", (768, 1024)),
        ("scout", 3, "scoring, 2 seats, match 0, move 19: viewer 0", (1440, 900)),
    ],
)
def test_all_of_it_is_to_be_seen(
    chromium_once: Browser, game: str, seed: int, position: str, size: tuple[int, int]
) -> None:
    checks = Checks(game, seed)
    shown = positions(checks.game, checks.chance("layout"))
    moment = next(moment for moment in shown if moment.name.startswith(position))
    window = Window(chromium_once)
    window.draw(moment.table)
    assert looked_at(window.page, moment.table.to_json(), size) == []
    window.page.close()
