"""Contrast of the palette's design tokens, and drawings of card faces and backs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import combinations, product
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Page
from tests.server.http_server import missing
from tests.server.rendering.sample_tables import tables_of_every_phase

from facedown.core.art import Art
from facedown.core.game_registry import art as art_of
from facedown.core.game_registry import catalogue
from facedown.core.svg_card_parts import card_back
from facedown.games.detect.art import face as face_of
from facedown.games.detect.art import numeral_colour_name, ramp_colour_name
from facedown.games.reveal.art import CODES
from facedown.games.reveal.art import FACES as COLOURS
from facedown.server.rendering import STATIC, piece_svg
from facedown.server.rendering.design_token_reader import colour, tokens

Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
GAMES = ("reveal", "detect", "reveille", "uncovered", "scout")
TEXT, CONTROL = 4.5, 3.0

#: Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB.
VISIONS = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


def linear(value: str) -> NDArray[np.float64]:
    rgb = np.array([int(value[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def blend(top: str, share: float, bottom: str) -> str:
    """Blend `share` of one colour over another, as CSS does in sRGB."""
    a, b = ([int(v[i : i + 2], 16) for i in (1, 3, 5)] for v in (top, bottom))
    return "#" + "".join(f"{round(x * share + y * (1 - share)):02X}" for x, y in zip(a, b, strict=True))


def contrast(a: str, b: str) -> float:
    light, dark = sorted((float(linear(v) @ [0.2126, 0.7152, 0.0722]) for v in (a, b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(value: str, vision: str = "normal") -> tuple[float, float, float]:
    """CIELAB (D65) of a hex colour as a kind of eye sees it."""
    rgb = np.clip(VISIONS[vision] @ linear(value), 0, 1)
    xyz = (
        np.array(
            [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
        )
        @ rgb
    )
    t = xyz / [0.95047, 1.0, 1.08883]
    f = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return float(116 * f[1] - 16), float(500 * (f[0] - f[1])), float(200 * (f[1] - f[2]))


def ciede2000(one: tuple[float, float, float], two: tuple[float, float, float]) -> float:
    (l1, a1, b1), (l2, a2, b2) = one, two
    mean_c = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = 0.5 * (1 - math.sqrt(mean_c**7 / (mean_c**7 + 25**7)))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 if a or b else 0.0 for a, b in ((a1, b1), (a2, b2)))
    dl, dc = l2 - l1, c2 - c1
    dh = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    big_dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(dh) / 2)
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    if c1 * c2 == 0:
        hm = h1 + h2
    else:
        hm = (h1 + h2) / 2 if abs(h1 - h2) <= 180 else ((h1 + h2 + 360) / 2) % 360
    t = (
        1
        - 0.17 * math.cos(math.radians(hm - 30))
        + 0.24 * math.cos(math.radians(2 * hm))
        + 0.32 * math.cos(math.radians(3 * hm + 6))
        - 0.20 * math.cos(math.radians(4 * hm - 63))
    )
    sl = 1 + 0.015 * (lm - 50) ** 2 / math.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    rt = -2 * math.sqrt(cm**7 / (cm**7 + 25**7)) * math.sin(math.radians(60 * math.exp(-(((hm - 275) / 25) ** 2))))
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (big_dh / sh) ** 2 + rt * dc / sc * big_dh / sh)


def test_ciede2000_distance_matches_published_colour_pairs() -> None:
    # Sharma, Wu and Dalal 2005, pairs 1, 7 and 25.
    assert ciede2000((50, 2.6772, -79.7751), (50, 0, -82.7485)) == pytest.approx(2.0425, abs=1e-4)
    assert ciede2000((50, 0, 0), (50, -1, 2)) == pytest.approx(2.3669, abs=1e-4)
    assert ciede2000((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387)) == pytest.approx(1.2644, abs=1e-4)


def text_backgrounds(theme: Theme) -> dict[str, str]:
    """Return the backgrounds of text: page, panel, cloths and docks."""
    found = {"bg": colour("bg", theme), "panel": colour("panel", theme)}
    for game in GAMES:
        for part in ("edge", "centre"):
            cloth = colour(f"{game}-{part}", theme)
            found[f"{game}-{part}"] = cloth
            found[f"{game}-{part}-dock"] = blend(colour("panel", theme), 0.82, cloth)
    return found


@pytest.mark.parametrize("theme", THEMES)
def test_text_colours_have_enough_contrast_on_every_background(theme: Theme) -> None:
    for name, ground in text_backgrounds(theme).items():
        assert contrast(colour("ink", theme), ground) >= 10, (name, theme)
        assert contrast(colour("ink2", theme), ground) >= TEXT, (name, theme)


@pytest.mark.parametrize("theme", THEMES)
def test_accent_edge_and_focus_colours_contrast_with_every_background(theme: Theme) -> None:
    for game in (*GAMES, "home"):
        accent = colour(f"{game}-accent", theme)
        assert contrast(colour("on-accent", theme), accent) >= TEXT, game
        grounds = [colour("bg", theme), colour("panel", theme)]
        if game != "home":
            for part in ("edge", "centre"):
                cloth = colour(f"{game}-{part}", theme)
                grounds += [cloth, blend(colour("panel", theme), 0.82, cloth)]
        for ground in grounds:
            assert contrast(accent, ground) >= CONTROL, (game, ground)
            assert contrast(colour("edge", theme), ground) >= CONTROL - 0.2, (game, ground)
            assert contrast(colour("focus", theme), ground) >= CONTROL, (game, ground)
    for name in ("good", "bad"):
        for ground in ("bg", "panel"):
            assert contrast(colour(name, theme), colour(ground, theme)) >= TEXT


def test_numbers_and_letters_on_cards_contrast_with_the_card_colour() -> None:
    for game, part in product(GAMES, ("lid", "lid2")):
        assert contrast("#FFFDF8", colour(f"{game}-{part}")) >= TEXT, (game, part)
    for number in range(-2, 13):
        assert (
            contrast(colour(f"detect-{numeral_colour_name(number)}"), colour(f"detect-{ramp_colour_name(number)}"))
            >= 3.0
        ), number
    for number in range(1, 11):
        light = "scout-light" if number >= 9 else "scout-dark"
        assert contrast(colour(light), colour(f"scout-{number}")) >= TEXT, number
    for number in range(1, 5):
        assert contrast(colour(f"uncovered-{number}"), colour(f"uncovered-{number}-panel")) >= TEXT, number
    for name in CODES[:-1]:
        assert contrast(colour(f"reveal-{name}-ink"), colour(f"reveal-{name}")) >= 4.5, name
    lightness = [lab(colour(f"scout-{n}"))[0] for n in range(1, 11)]
    assert lightness == sorted(lightness, reverse=True)


@pytest.mark.parametrize(("vision", "least"), [("normal", 25.0), ("protan", 18.8), ("deutan", 19.1), ("tritan", 17.2)])
def test_eight_card_colours_of_the_game_reveal_are_distinguishable_with_every_colour_vision(
    vision: str, least: float
) -> None:
    seen = {name: lab(colour(f"reveal-{name}"), vision) for name in CODES[:-1]}
    closest = min((ciede2000(seen[a], seen[b]), a, b) for a, b in combinations(seen, 2))
    assert closest[0] >= least, closest


@pytest.mark.parametrize("vision", list(VISIONS))
def test_low_and_high_card_colours_of_the_game_detect_are_distinguishable(vision: str) -> None:
    low = [lab(colour(f"detect-{ramp_colour_name(n)}"), vision) for n in range(-2, 1)]
    high = [lab(colour(f"detect-{ramp_colour_name(n)}"), vision) for n in range(9, 13)]
    assert min(ciede2000(a, b) for a, b in product(low, high)) >= 36


def test_card_colours_are_the_same_in_light_and_dark_theme() -> None:
    changing = {name for name, value in tokens("light").items() if value != tokens("dark")[name]}
    assert not [n for n in changing if n.endswith(("-lid", "-lid2", "-ink")) or (n[-1].isdigit() and n != "ink2")]
    assert {"bg", "panel", "ink", "card"} <= changing


def test_only_tokens_css_defines_design_tokens() -> None:
    """A width with the name of a colour would hide the colour. Only a high-contrast rule may change tokens."""
    named = re.compile(r"(--[\w-]+)\s*:")
    meant = set(named.findall((STATIC / "tokens.css").read_text("utf-8")))
    contrast = re.compile(r"@media \(prefers-contrast: more\) \{.*\}")
    for sheet in sorted(STATIC.glob("*.css")):
        if sheet.name != "tokens.css":
            again = meant & set(named.findall(contrast.sub("", sheet.read_text("utf-8"))))
            assert not again, f"{sheet.name} gives {again} another meaning"


FACES = {
    "reveal": list(CODES),
    "detect": [str(n) for n in range(-2, 13)],
    "reveille": [f"{a}{b}" for a in range(7) for b in range(a + 1)],
    "uncovered": list("1234"),
    "scout": [f"{a}/{b}" for a, b in product(range(1, 11), repeat=2) if a != b],
}


@pytest.mark.parametrize("game", FACES)
def test_every_card_face_has_a_distinct_drawing_and_tables_show_only_faces_with_drawings(game: str) -> None:
    drawings = {face: str(piece_svg.drawing(game, "face", face)) for face in FACES[game]}
    symbols = re.findall(r'<symbol id="([^"]+)" viewBox="[^"]+">(.*?)</symbol>', piece_svg.sprite(game))
    assert len(dict(symbols)) == len(symbols)
    assert all(len(drawing) > 80 for _, drawing in symbols)
    for face, drawing in drawings.items():
        used = set(re.findall(r'href="#([^"]+)"', drawing))
        assert used, face
        assert used <= dict(symbols).keys(), face
    assert len(set(drawings.values())) == len(drawings)
    for name, table in tables_of_every_phase(game).items():
        for zone in table.zones:
            for piece in zone.pieces:
                assert piece.kind != "face" or piece.face in FACES[game], (name, piece)


def test_card_back_drawings_do_not_depend_on_the_face_and_games_without_art_get_plain_ones() -> None:
    for game in FACES:
        assert (
            piece_svg.drawing(game, "back")
            == piece_svg.drawing(game, "back", "7")
            == piece_svg.drawing(game, "back", "secret")
        )
    letters = [letter for *_, letter in COLOURS.values() if letter]
    assert sorted(letters) == sorted("PWBYOKRG")
    assert set(FACES) == set(catalogue())
    # A game without art gets a plain drawing with the escaped name of the face.
    assert missing(piece_svg.drawing("whist", "face", "<b>"), "&lt;b&gt;", "<b>") == ["<b>"]
    assert missing(piece_svg.sprite("whist"), '<symbol id="whist-back"', 'fill="var(--lid)"') == []
    assert piece_svg.emblem("whist") == piece_svg.emblem("home")
    assert piece_svg.game_css_of(Art("whist")) == ""


# --- card backs rotated by 180° in a real browser ---------------------------------------------------------------------


#: Largest difference (0 to 255) between a spot and its opposite: antialiased edges of round corners may differ.
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


def standalone_image(drawing: str, width: int, height: int) -> str:
    """Return a drawing as a standalone image with its design tokens filled in."""
    filled = re.sub(r"var\(--([\w-]+)\)", lambda m: tokens()["home-lid" if m[1] == "lid" else m[1]], drawing)
    size = f'viewBox="0 0 {width} {height}" width="{width * 4}" height="{height * 4}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{filled}</svg>'


@pytest.fixture
def page(chromium_once: Browser) -> Iterator[Page]:
    opened = chromium_once.new_page()
    yield opened
    opened.close()


def rotation_difference(page: Page, drawing: str, height: int) -> tuple[float, float]:
    """Return the largest difference from the drawing rotated by 180°, and the share of inked pixels."""
    worst, inked = page.evaluate(COMPARE, [standalone_image(drawing, 100, height), 400, 4 * height])
    return worst, inked


#: Drawings of card backs with their heights; the back of a bone without its edge.
BACKS = {
    game: (card_back(f"var(--{game}-lid)"), 140) for game in ("reveal", "detect", "uncovered", "scout", "home")
} | {"reveille": (re.sub(r'y="7" (width="100" height="200")', r"\1", art_of("reveille").back.inside), 200)}


@pytest.mark.browser
@pytest.mark.parametrize("name", BACKS)
def test_card_back_looks_the_same_upside_down(page: Page, name: str) -> None:
    worst, inked = rotation_difference(page, *BACKS[name])
    assert inked > 0.9
    assert worst < ANTIALIASING


@pytest.mark.browser
def test_symmetry_check_for_card_backs_reports_a_difference_for_a_numbered_card_face(page: Page) -> None:
    assert rotation_difference(page, face_of("7"), 140)[0] > 4 * ANTIALIASING
