"""What the site takes from the table: its colours, its letters, its mark."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from facedown import __version__
from facedown.core.game_registry import catalogue
from facedown.server.rendering.assets import DIST_DIR
from facedown.server.rendering.design_tokens import Theme, tokens
from facedown.server.rendering.icons import brand

ROOT = Path(__file__).resolve().parents[2]
#: The schemes of Material, and what the house calls them.
SCHEMES: dict[str, Theme] = {"default": "light", "slate": "dark"}
HOUSE_COLOURS = (
    "bg",
    "panel",
    "ink",
    "ink2",
    "line",
    "edge",
    "card",
    "good",
    "bad",
    "focus",
    "on-accent",
    "home-accent",
)


def template_variables() -> dict[str, Any]:
    """What the templates tell."""
    return {"version": __version__, "games": [info.title for info in catalogue().values()], "brand": brand()}


def assets() -> dict[str, str | bytes]:
    """The files that are written for the site, by their places on it."""
    letters = font_stylesheet()
    found: dict[str, str | bytes] = {"assets/tokens.css": colours(), "assets/mark.svg": mark()}
    found["assets/letters.css"] = letters.read_text("utf-8")
    for name in re.findall(r'url\("?\./([^")]+)', str(found["assets/letters.css"])):
        found[f"assets/{name}"] = (letters.parent / name).read_bytes()
    return found


def font_stylesheet() -> Path:
    """The stylesheet of the table's serif; the bundle is built if it is not there yet."""
    found = DIST_DIR / "fonts.css"
    if not found.exists():
        sys.path.insert(0, str(ROOT))
        import hatch_build

        hatch_build.build()
    return found


def colours() -> str:
    """The tokens of the house, and the cloth and accent of each game, for both schemes."""
    parts = []
    for scheme, theme in SCHEMES.items():
        known = tokens(theme)
        own = [f"--{name}: {known[name]};" for name in HOUSE_COLOURS]
        for game in catalogue():
            own += [f"--{game}-{part}: {known[f'{game}-{part}']};" for part in ("accent", "edge", "centre")]
        parts.append(f'[data-md-color-scheme="{scheme}"] {{ {" ".join(own)} }}')
    parts += [
        f'[data-game="{game}"] {{ --accent: var(--{game}-accent); --cloth: var(--{game}-edge);'
        f" --cloth2: var(--{game}-centre); }}"
        for game in catalogue()
    ]
    serif = tokens()["serif"]
    sans = tokens()["sans"]
    return "\n".join([*parts, f":root {{ --serif: {serif}; --sans: {sans}; }}"]) + "\n"


def mark() -> str:
    """The brand as a picture of its own."""
    light = str(brand()).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return light.replace("currentColor", tokens()["ink"]).replace("var(--bg)", tokens()["bg"])
