"""Assets that the documentation site has in common with the game's web pages: colours, fonts and logo."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from facedown import __version__
from facedown.core.game_registry import catalogue
from facedown.server.rendering.assets import DIST_DIR
from facedown.server.rendering.design_token_reader import Theme, tokens
from facedown.server.rendering.icons import brand

ROOT = Path(__file__).resolve().parents[2]
#: Colour schemes of the site's theme (Material for MkDocs), each with the corresponding theme of the game's web pages.
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
    """Return the variables of the page templates: version, titles of games, and logo."""
    return {"version": __version__, "games": [info.title for info in catalogue().values()], "brand": brand()}


def assets() -> dict[str, str | bytes]:
    """Return the generated asset files, by their path on the site."""
    letters = font_stylesheet()
    found: dict[str, str | bytes] = {"assets/tokens.css": colours(), "assets/mark.svg": mark()}
    found["assets/letters.css"] = letters.read_text("utf-8")
    for name in re.findall(r'url\("?\./([^")]+)', str(found["assets/letters.css"])):
        found[f"assets/{name}"] = (letters.parent / name).read_bytes()
    return found


def font_stylesheet() -> Path:
    """Return the path of the stylesheet with the serif font of the game's web pages. If it is missing, those assets are
    built first.
    """
    found = DIST_DIR / "fonts.css"
    if not found.exists():
        sys.path.insert(0, str(ROOT))
        import hatch_build

        hatch_build.build()
    return found


def colours() -> str:
    """Return a stylesheet with the default colours and the colours of each game, for the light and the dark scheme."""
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
    """Return the logo as an SVG file."""
    light = str(brand()).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return light.replace("currentColor", tokens()["ink"]).replace("var(--bg)", tokens()["bg"])
