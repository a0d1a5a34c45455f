"""SVG drawings of pieces (cards and tiles), from the art of their game (`Art`: its drawings and colours).

A page contains one `sprite` with every card face of its game. The sprite also has the faces that are not on the table,
so it discloses nothing about hidden cards. Each piece on the table is a small ``<svg>`` that uses a symbol of the
sprite.
"""

from __future__ import annotations

from functools import lru_cache

from markupsafe import Markup

from facedown.core.art import Art, Colour, Picture
from facedown.core.game_registry import art
from facedown.core.svg_card_parts import text_card
from facedown.server.rendering.icons import svg_element


@lru_cache(maxsize=64)
def sprite(game: str) -> Markup:
    """Return all card faces and the card back of a game as symbols in a hidden ``<svg>``, whatever is on the table."""
    found = art(game)
    defs = f"<defs>{found.defs}</defs>" if found.defs else ""
    body = "".join(
        f'<symbol id="{game}-{symbol.name}" viewBox="{symbol.box}">{symbol.inside}</symbol>'
        for symbol in (*found.symbols, found.back)
    )
    return Markup(f'<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">{defs}{body}</svg>')


@lru_cache(2048)
def drawing(game: str, kind: str, face: str = "", *, small: bool = False, lying: bool = False) -> Markup:
    """Return the picture of a piece (card or tile): the back if `kind` is "back", else the face with the code `face`.

    `small`: the simplified drawing; `lying`: the landscape drawing. A face without a picture in the game's art is shown
    as text.
    """
    found = art(game)
    if kind == "back":
        shown = Picture(f'<use href="#{game}-back"/>', found.back.box)
    else:
        shown = found.drawing(face, small, lying) or Picture(text_card(face))
    return svg_element("art", shown.box, shown.inside)


def has_face(game: str, face: str) -> bool:
    """Return whether the game has a picture for this face code."""
    return art(game).drawing(face, True, False) is not None


def emblem(game: str) -> Markup:
    """Return a game's emblem as SVG: a drawing of 96 by 96 units, with 3 units of space above and below.

    The emblem is a small picture that pages show next to the game's name. If the game defines no emblem, return the
    default emblem: a card with folded corners. The cards of all games have the same sign in the middle of their backs.
    """
    return svg_element("emblem", "0 -3 96 102", art(game).emblem)


#: CSS variables through which the pages use a game's colours: name of the variable -> name of the colour in `Art`.
ROLE_COLOURS = {"accent": "accent", "lid": "lid", "lid2": "lid2", "cloth": "edge", "cloth2": "centre"}


def game_css_of(found: Art) -> str:
    """Return a game's CSS, from its art (drawings, colours and CSS).

    The CSS has up to three parts, in this order:

    * variables for the colours of the drawings, valid on the whole page (``:root``);
    * variables for the colours that the pages use (`ROLE_COLOURS`), valid only inside elements of the game;
    * the art's own rules (`Art.css`), with ``&`` replaced by the selector of these elements.

    >>> css = "& .piece { color: var(--whist-ink); }"
    >>> print(game_css_of(Art("whist", {"lid": "#111111", "ink": ("#222222", "#333333"), "spade": "#000000"}, css=css)))
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
