"""Pieces as SVG: what a game's art says of them, put on the page.

A page carries one `sprite` of its game: every face there is, whether it lies on the table or not, so that the sprite
says nothing about hidden cards. A piece on the table then is a small ``<svg>`` that uses a symbol of it.
"""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from facedown.core.art import Art, Colour, Picture
from facedown.core.game_registry import art
from facedown.core.svg import text_card
from facedown.server.rendering.icons import svg_element


@lru_cache(maxsize=64)
def sprite(game: str) -> Markup:
    """All faces and the back of a game as symbols, in one hidden ``<svg>``. The same whatever lies on the table."""
    found = art(game)
    defs = f"<defs>{found.defs}</defs>" if found.defs else ""
    body = "".join(
        f'<symbol id="{game}-{symbol.name}" viewBox="{symbol.box}">{symbol.inside}</symbol>'
        for symbol in (*found.symbols, found.back)
    )
    return Markup(f'<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">{defs}{body}</svg>')


@lru_cache(2048)
def drawing(game: str, kind: str, face: str = "", *, small: bool = False, lying: bool = False) -> Markup:
    """The picture of one piece: a face by its code, or a back. A face that the game has no art for is written out."""
    found = art(game)
    if kind == "back":
        shown = Picture(f'<use href="#{game}-back"/>', found.back.box)
    else:
        shown = found.drawing(face, small, lying) or Picture(text_card(face))
    return svg_element("art", shown.box, shown.inside)


def has_face(game: str, face: str) -> bool:
    """Has a game a picture for this code of a face?"""
    return art(game).drawing(face, True, False) is not None


def emblem(game: str) -> Markup:
    """The emblem of a game's lid, 96 by 96; a game without one gets the mark of the backs."""
    return svg_element("emblem", "0 -3 96 102", art(game).emblem)


#: Where the house uses a colour of a game: its accent, its box, its cloth.
ROLE_COLOURS = {"accent": "accent", "lid": "lid", "lid2": "lid2", "cloth": "edge", "cloth2": "centre"}


def css_of(found: Art) -> str:
    """The colours of a game where the house uses them, those that its art asks for, and the rules that are its own.

    >>> css = "& .piece { color: var(--whist-ink); }"
    >>> print(css_of(Art("whist", {"lid": "#111111", "ink": ("#222222", "#333333"), "spade": "#000000"}, css=css)))
    :root{--whist-ink:light-dark(#222222,#333333)}
    [data-game="whist"]{--lid:#111111}
    [data-game="whist"] .piece { color: var(--whist-ink); }
    """

    def token(name: str, value: Colour) -> str:
        return f"--{name}:{value if isinstance(value, str) else f'light-dark({value[0]},{value[1]})'}"

    page = f'[data-game="{found.name}"]'
    drawn = "".join((found.css, found.emblem, found.back.inside, *(symbol.inside for symbol in found.symbols)))
    tokens = {f"{found.name}-{name}": value for name, value in found.colours.items()}
    own = ";".join(token(name, value) for name, value in tokens.items() if f"var(--{name})" in drawn)
    used = ";".join(token(use, found.colours[name]) for use, name in ROLE_COLOURS.items() if name in found.colours)
    parts = (own and f":root{{{own}}}", used and f"{page}{{{used}}}", found.css.strip().replace("&", page))
    return "\n".join(part for part in parts if part)
