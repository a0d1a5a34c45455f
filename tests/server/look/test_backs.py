"""Backs turned by 180° in a real browser: a back that tells which way up it lies would give SCOUT's hands away."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from facedown.core.drawing import back
from facedown.core.game import art
from facedown.games.detect.art import face
from facedown.server.look.tokens import tokens

pytestmark = pytest.mark.browser

#: How far a spot of one unit may be from its opposite, of 255: edges of round corners fall differently on pixels.
ANTIALIASING = 30

COMPARE = """async ([svg, width, height]) => {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
  await image.decode();
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0, width, height);
  const pixels = context.getImageData(0, 0, width, height).data;
  const side = 4, across = width / side, down = height / side;
  const blocks = new Float64Array(across * down * 4);
  let inked = 0;
  for (let i = 0; i < width * height; i++) {
    const block = Math.floor(i / width / side) * across + Math.floor((i % width) / side);
    for (let c = 0; c < 4; c++) blocks[4 * block + c] += pixels[4 * i + c] / side ** 2;
    if (pixels[4 * i + 3] > 128) inked++;
  }
  let worst = 0;
  for (let i = 0; i < across * down; i++)
    for (let c = 0; c < 4; c++)
      worst = Math.max(worst, Math.abs(blocks[4 * i + c] - blocks[4 * (across * down - 1 - i) + c]));
  return [worst, inked / (width * height)];
}"""


def standing(drawing: str, width: int, height: int) -> str:
    """A drawing as an image of its own, its tokens filled in."""
    filled = re.sub(r"var\(--([\w-]+)\)", lambda m: tokens()["home-lid" if m[1] == "lid" else m[1]], drawing)
    size = f'viewBox="0 0 {width} {height}" width="{width * 4}" height="{height * 4}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{filled}</svg>'


@pytest.fixture
def page(chromium_once: Browser) -> Iterator[Page]:
    opened = chromium_once.new_page()
    yield opened
    opened.close()


@pytest.mark.parametrize("game", ["reveal", "detect", "uncovered", "scout", "home"])
def test_a_back_is_equal_to_itself_turned(page: object, game: str) -> None:
    worst, inked = page.evaluate(COMPARE, [standing(back(f"var(--{game}-lid)"), 100, 140), 400, 560])  # type: ignore[attr-defined]
    assert inked > 0.9
    assert worst < ANTIALIASING, game


def test_a_bone_face_down_is_equal_to_itself_turned_but_for_its_edge(page: object) -> None:
    body = art("reveille").back.inside.replace(
        'y="7" width="100" height="200" rx="13"', 'width="100" height="200" rx="13"'
    )
    worst, inked = page.evaluate(COMPARE, [standing(body, 100, 200), 400, 800])  # type: ignore[attr-defined]
    assert inked > 0.9
    assert worst < ANTIALIASING


def test_a_face_is_not_equal_to_itself_turned(page: object) -> None:
    worst, _ = page.evaluate(COMPARE, [standing(face("7"), 100, 140), 400, 560])  # type: ignore[attr-defined]
    assert worst > 4 * ANTIALIASING
