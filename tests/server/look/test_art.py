"""Faces and backs: every face is drawn, and no back tells which way up it lies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

import pytest
from fixtures import gallery
from playwright.sync_api import Browser, Page

from facedown.core.art import Art
from facedown.core.drawing import back
from facedown.core.game import art as art_of
from facedown.core.game import catalogue
from facedown.games.detect.art import face as face_of
from facedown.games.reveal.art import CODES
from facedown.games.reveal.art import FACES as COLOURS
from facedown.server.look import art
from facedown.server.look.tokens import tokens

FACES = {
    "reveal": list(CODES),
    "detect": [str(n) for n in range(-2, 13)],
    "reveille": [f"{a}{b}" for a in range(7) for b in range(7)],
    "uncovered": list("1234"),
    "scout": [f"{a}/{b}" for a, b in product(range(1, 11), repeat=2) if a != b],
}


@pytest.mark.parametrize("game", FACES)
def test_every_face_has_its_own_picture(game: str) -> None:
    drawings = {face: str(art.drawing(game, "face", face)) for face in FACES[game]}
    symbols = set(re.findall(r'<symbol id="([^"]+)"', art.sprite(game)))
    for face, drawing in drawings.items():
        used = re.findall(r'href="#([^"]+)"', drawing)
        assert used, face
        assert set(used) <= symbols, face
    different = len(set(drawings.values()))
    assert different == (28 if game == "reveille" else len(drawings))


@pytest.mark.parametrize("game", FACES)
def test_symbols_of_a_sprite_are_unique_and_drawn(game: str) -> None:
    symbols = re.findall(r'<symbol id="([^"]+)" viewBox="[^"]+">(.*?)</symbol>', art.sprite(game))
    assert len({name for name, _ in symbols}) == len(symbols)
    assert all(len(drawing) > 80 for _, drawing in symbols)


def test_a_back_says_nothing() -> None:
    for game in FACES:
        assert art.drawing(game, "back") == art.drawing(game, "back", "7") == art.drawing(game, "back", "secret")


def test_an_unknown_face_is_written_out_and_escaped() -> None:
    assert "&lt;b&gt;" in art.drawing("whist", "face", "<b>")
    assert "<b>" not in art.drawing("whist", "face", "<b>")


def test_the_colour_letters_are_all_different() -> None:
    letters = [letter for *_, letter in COLOURS.values() if letter]
    assert sorted(letters) == sorted("PWBYOKRG")


@pytest.mark.parametrize("game", FACES)
def test_tables_use_only_known_faces(game: str) -> None:
    for name, table in gallery(game).items():
        for zone in table.zones:
            for piece in zone.pieces:
                assert piece.kind != "face" or piece.face in FACES[game], (name, piece)


def test_every_game_of_the_house_has_art() -> None:
    assert set(FACES) == set(catalogue())


def test_a_game_without_art_is_drawn_plainly() -> None:
    assert '<symbol id="whist-back"' in art.sprite("whist")
    assert 'fill="var(--lid)"' in art.sprite("whist")
    assert art.emblem("whist") == art.emblem("home")
    assert art.css_of(Art("whist")) == ""


# --- backs turned by 180° in a real browser ---------------------------------------------------------------------------


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


@pytest.mark.browser
@pytest.mark.parametrize("game", ["reveal", "detect", "uncovered", "scout", "home"])
def test_a_back_is_equal_to_itself_turned(page: object, game: str) -> None:
    worst, inked = page.evaluate(COMPARE, [standing(back(f"var(--{game}-lid)"), 100, 140), 400, 560])  # type: ignore[attr-defined]
    assert inked > 0.9
    assert worst < ANTIALIASING, game


@pytest.mark.browser
def test_a_bone_face_down_is_equal_to_itself_turned_but_for_its_edge(page: object) -> None:
    body = art_of("reveille").back.inside.replace(
        'y="7" width="100" height="200" rx="13"', 'width="100" height="200" rx="13"'
    )
    worst, inked = page.evaluate(COMPARE, [standing(body, 100, 200), 400, 800])  # type: ignore[attr-defined]
    assert inked > 0.9
    assert worst < ANTIALIASING


@pytest.mark.browser
def test_a_face_is_not_equal_to_itself_turned(page: object) -> None:
    worst, _ = page.evaluate(COMPARE, [standing(face_of("7"), 100, 140), 400, 560])  # type: ignore[attr-defined]
    assert worst > 4 * ANTIALIASING
