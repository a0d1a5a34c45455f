"""App icons: the logo on the site's background, as PNG of any size, for home screens that don't accept SVG."""

from __future__ import annotations

from functools import lru_cache

import resvg_py

from facedown.server.rendering.design_token_reader import colour, tokens

#: Widths (= heights) of the app icons in px.
SIZES = (192, 512)
#: Width of the central part of a maskable icon that every mask leaves visible, as a fraction of the icon's width.
SAFE_ZONE = 0.8
#: Width and height of the card in the logo (the paths below), in SVG units.
_WIDE, _HIGH = 25.0, 34.0
_CARD = "M5 1H22a4 4 0 0 1 4 4V22L16 35H5a4 4 0 0 1-4-4V5A4 4 0 0 1 5 1Z"
_FOLD = "M26 22 16 35V27a5 5 0 0 1 5-5Z"


def icon_svg(maskable: bool = False) -> str:
    """Return the app icon as SVG, 100 by 100 units: a face-down card with one corner folded up.

    `maskable`: the system may cut the icon to any shape, so the background reaches the edges and the card is within the
    part that no shape cuts off.
    """
    high = 62.0 * (SAFE_ZONE if maskable else 1.0)
    scale = high / _HIGH
    left, top = 50 - (1 + _WIDE / 2) * scale, 50 - (1 + _HIGH / 2) * scale
    corner = 0 if maskable else 22
    lid, lower = colour("home-lid"), colour("home-lid2")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<linearGradient id="lid" x2="0" y2="1"><stop stop-color="{lid}"/><stop offset="1" stop-color="{lower}"/>'
        f'</linearGradient><rect width="100" height="100" rx="{corner}" fill="url(#lid)"/>'
        f'<g transform="translate({left:.2f} {top:.2f}) scale({scale:.4f})">'
        f'<path d="{_CARD}" fill="{colour("card")}"/><path d="{_FOLD}" fill="{tokens()["gleam"]}"/></g></svg>'
    )


@lru_cache(maxsize=8)
def icon_png(size: int, maskable: bool = False) -> bytes:
    """Return the app icon (see `icon_svg`) as PNG, `size` px wide and high."""
    return bytes(resvg_py.svg_to_bytes(svg_string=icon_svg(maskable), width=size, height=size, skip_system_fonts=True))
