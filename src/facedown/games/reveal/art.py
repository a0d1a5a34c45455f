"""Artwork of Reveal: card faces in eight colours, each with its own shape, and the wild card."""

from __future__ import annotations

from facedown.core.art import Art, Colour, Switch, Symbol, TerminalFace, load_art_data
from facedown.core.svg_card_parts import CARD_BOX, GLEAM, PAPER, card_paper, format_coordinate
from facedown.games.reveal.cards import card_name
from facedown.games.reveal.i18n import N_

DRAWN = load_art_data(__file__)
#: Look of each card face, by its code (colour name or "wild"): background colour, colour of the shapes on it, name of
#: the shape, and letter printed in a corner.
FACES: dict[str, tuple[str, str, str, str]] = DRAWN["faces"]
CODES = tuple(FACES)
INKS = {code + part: ink for code, inks in FACES.items() for part, ink in zip(("", "-ink"), inks[:2], strict=True)}
COLOURS: dict[str, Colour] = {**DRAWN["colours"], **INKS}

#: Colours of the eight petals on the wild card, clockwise from the top.
PETALS = ("red", "orange", "yellow", "green", "blue", "black", "white", "pink")


def shape(name: str, x: float, y: float, size: float, *, turned: bool = False, panel: str = "none") -> str:
    """Return the SVG of a named shape, `size` wide, centred at (x, y), in the CSS colour ``currentColor``.

    `turned` rotates it by 180°. `panel` is the colour of details inside the shape.
    """
    turn = " rotate(180)" if turned else ""
    place = f"translate({format_coordinate(x)} {format_coordinate(y)}) scale({format_coordinate(size / 24)}){turn} translate(-12 -12)"
    return f'<g fill="currentColor" transform="{place}">{DRAWN["shapes"][name].format(panel=panel)}</g>'


def rosette(x: float, y: float, size: float) -> str:
    """Return the SVG of the wild card's rosette of eight petals, `size` wide, centred at (x, y)."""
    petals = "".join(
        f'<ellipse cx="12" cy="6" rx="2.9" ry="4.9" fill="{INKS[colour]}" transform="rotate({45 * i} 12 12)"/>'
        for i, colour in enumerate(PETALS)
    )
    return (
        f'<g transform="translate({format_coordinate(x)} {format_coordinate(y)}) scale({format_coordinate(size / 24)}) translate(-12 -12)" stroke="#251D16" stroke-width=".7">'
        f'{petals}<circle cx="12" cy="12" r="2.4" fill="#251D16"/></g>'
    )


def face(code: str) -> str:
    """Return the SVG of the card with this code: a colour name, or "wild"."""
    panel, ink = INKS[code], INKS[f"{code}-ink"]
    outline = ' stroke="#B9A98F" stroke-width="1.2"' if code in ("white", "wild") else ""
    rect = f'<rect x="6" y="6" width="88" height="128" rx="7" fill="{panel}"{outline}/>'
    if code == "wild":
        corners = ((20.5, 20.5), (79.5, 20.5), (79.5, 119.5))
        return card_paper() + rect + rosette(50, 70, 62) + "".join(rosette(x, y, 19) for x, y in corners)
    _panel, _ink, name, letter = FACES[code]
    texture = f'<svg x="6" y="6" width="88" height="128" viewBox="6 6 88 128"><g opacity=".07">{shape(name, 50, 78, 126, panel="none")}</g></svg>'
    marks = shape(name, 50, 70, 50, panel=panel) + "".join(
        shape(name, x, y, 17, turned=y == 120, panel=panel) for x, y in ((20, 20), (80, 20), (80, 120))
    )
    word = f'<text class="letter" x="20" y="125" text-anchor="middle" font-size="17" font-weight="700" fill="currentColor">{letter}</text>'
    return f'{card_paper()}{rect}<g color="{ink}">{texture}{marks}{word}</g>'


def terminal_print(code: str) -> TerminalFace | None:
    """Return the face of a card in a terminal: the name of its colour, on a background of this colour.

    `code` is a colour name in English, or "wild". Return None for any other code.
    """
    return TerminalFace(card_name(CODES.index(code)), f"{code}-ink", code) if code in CODES else None


EMBLEM = DRAWN["emblem"].format(paper=PAPER, gleam=GLEAM, heart=shape("heart", 57, 38, 26))
SYMBOLS = tuple(Symbol(code, CARD_BOX, face(code)) for code in CODES)
LETTERS = (Switch("letters", N_("Letters on cards"), "A"),)
ART = Art("reveal", COLOURS, EMBLEM, SYMBOLS, css=DRAWN["css"], width=8, prints=terminal_print, switches=LETTERS)
