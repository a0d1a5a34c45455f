"""The look of Reveal: eight colours, each with a shape of its own, and the wild."""

from __future__ import annotations

from facedown.core.art import Art, Colour, Picture, Print, Switch, Symbol
from facedown.core.drawing import CARD, GLEAM, PAPER, paper, short
from facedown.games.reveal.naming import card_name
from facedown.games.reveal.texts import N_

#: Of each face: its colour, that of the signs on it (objects do not change with the theme), its shape, and its letter
#: for the setting that shows letters.
FACES = {
    "pink": ("#EA90C4", "#43102F", "flower", "P"),
    "white": ("#FAF9F5", "#6A5F52", "moon", "W"),
    "blue": ("#1759A2", "#F3F8FF", "drop", "B"),
    "yellow": ("#FEDD45", "#4A3500", "star", "Y"),
    "orange": ("#DD6300", "#2A0F00", "triangle", "O"),
    "black": ("#1C1917", "#F4EFE6", "diamond", "K"),
    "red": ("#A31512", "#FFECE6", "heart", "R"),
    "green": ("#409678", "#04241A", "leaf", "G"),
    "wild": ("#F1E9DB", "#251D16", "", ""),
}
CODES = tuple(FACES)
INKS = {code + part: ink for code, inks in FACES.items() for part, ink in zip(("", "-ink"), inks[:2], strict=True)}
COLOURS: dict[str, Colour] = {
    "accent": ("#6A3768", "#DDA9D8"),
    "edge": ("#E6DBE3", "#261D29"),
    "centre": ("#F0E8ED", "#34283A"),
    "lid": "#6A3768",
    "lid2": "#59295A",
    **INKS,
}

#: The shapes of the colours in a box of 24 by 24; `{panel}` is the colour that they lie on.
SHAPES = {
    "heart": '<path d="M12 21.6C5.2 16.2 1.6 12.6 1.6 8.4A5.4 5.4 0 0 1 12 6.1a5.4 5.4 0 0 1 10.4 2.3c0 4.2-3.6 7.8-10.4 13.2Z"/>',
    "drop": '<path d="M12 1.2C12 1.2 4.2 9.9 4.2 15.1a7.8 7.8 0 0 0 15.6 0C19.8 9.9 12 1.2 12 1.2Z"/>',
    "moon": '<path d="M14.8 1.9A10.4 10.4 0 1 0 22.2 15.2 8.6 8.6 0 0 1 14.8 1.9Z"/>',
    "leaf": '<path d="M3.4 20.6C.6 9.6 7.6 2.4 21.6 2.4 22.4 15.6 15.6 22.8 5.2 20.2Z"/>'
    '<path d="M2.2 22 15 9.2" fill="none" stroke="{panel}" stroke-width="1.9"/>',
    "triangle": '<path d="M12 3.2 21.8 20.4H2.2Z" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/>',
    "diamond": '<path d="M12 1.8 21 12 12 22.2 3 12Z" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/>',
    "star": '<polygon points="12 2.4 14.76 9 21.89 9.59 16.47 14.25 18.11 21.21 12 17.5 5.89 21.21 7.53 14.25 2.11 9.59 9.24 9"/>',
    "flower": '<circle cx="12" cy="6.3" r="4.75"/><circle cx="17.8" cy="10.51" r="4.75"/><circle cx="15.59" cy="17.34" r="4.75"/>'
    '<circle cx="8.41" cy="17.34" r="4.75"/><circle cx="6.2" cy="10.51" r="4.75"/>'
    '<circle cx="12" cy="12.4" r="3.4"/><circle cx="12" cy="12.4" r="2.5" fill="{panel}"/>',
}

#: Petals of the rosette, clockwise from the top.
PETALS = ("red", "orange", "yellow", "green", "blue", "black", "white", "pink")


def shape(name: str, x: float, y: float, size: float, *, turned: bool = False, panel: str = "none") -> str:
    """One of the shapes, `size` wide, about (x, y), in the current colour."""
    turn = " rotate(180)" if turned else ""
    place = f"translate({short(x)} {short(y)}) scale({short(size / 24)}){turn} translate(-12 -12)"
    return f'<g fill="currentColor" transform="{place}">{SHAPES[name].format(panel=panel)}</g>'


def rosette(x: float, y: float, size: float) -> str:
    """The wild's eight petals."""
    petals = "".join(
        f'<ellipse cx="12" cy="6" rx="2.9" ry="4.9" fill="{INKS[colour]}" transform="rotate({45 * i} 12 12)"/>'
        for i, colour in enumerate(PETALS)
    )
    return (
        f'<g transform="translate({short(x)} {short(y)}) scale({short(size / 24)}) translate(-12 -12)" stroke="#251D16" stroke-width=".7">'
        f'{petals}<circle cx="12" cy="12" r="2.4" fill="#251D16"/></g>'
    )


def face(code: str) -> str:
    """A card: a colour by its name, or the wild."""
    panel, ink = INKS[code], INKS[f"{code}-ink"]
    outline = ' stroke="#B9A98F" stroke-width="1.2"' if code in ("white", "wild") else ""
    rect = f'<rect x="6" y="6" width="88" height="128" rx="7" fill="{panel}"{outline}/>'
    if code == "wild":
        corners = ((20.5, 20.5), (79.5, 20.5), (79.5, 119.5))
        return paper() + rect + rosette(50, 70, 62) + "".join(rosette(x, y, 19) for x, y in corners)
    _panel, _ink, name, letter = FACES[code]
    texture = f'<svg x="6" y="6" width="88" height="128" viewBox="6 6 88 128"><g opacity=".07">{shape(name, 50, 78, 126, panel="none")}</g></svg>'
    marks = shape(name, 50, 70, 50, panel=panel) + "".join(
        shape(name, x, y, 17, turned=y == 120, panel=panel) for x, y in ((20, 20), (80, 20), (80, 120))
    )
    word = f'<text class="letter" x="20" y="125" text-anchor="middle" font-size="17" font-weight="700" fill="currentColor">{letter}</text>'
    return f'{paper()}{rect}<g color="{ink}">{texture}{marks}{word}</g>'


def picture(code: str, small: bool, lying: bool) -> Picture | None:
    """A card by its colour."""
    return Picture(f'<use href="#reveal-{code}"/>') if code in CODES else None


def prints(code: str) -> Print | None:
    """The word of a colour, in it."""
    return Print(card_name(CODES.index(code)), f"{code}-ink", code) if code in CODES else None


EMBLEM = (
    f'<rect x="4" y="14" width="50" height="70" rx="7" fill="{PAPER}" fill-opacity=".34" transform="rotate(-13 29 49)"/>'
    f'<g transform="rotate(8 58 48)"><path d="M40 9H76a7 7 0 0 1 7 7V62L66 84H40a7 7 0 0 1-7-7V16a7 7 0 0 1 7-7Z" fill="{PAPER}"/>'
    f'<path d="M83 62 66 84c-.500-6 .500-11-3-17 6-4 13-1.5 20-5Z" fill="{GLEAM}"/>'
    f'<g color="var(--lid)">{shape("heart", 57, 38, 26)}</g></g>'
)

#: In the corners of the cards stand letters, for whoever turns them on; what is inherited reaches into used symbols.
CSS = """
.letter { display: var(--letters, none); }
[data-letters="on"] & { --letters: block; }
"""

SYMBOLS = tuple(Symbol(code, CARD, face(code)) for code in CODES)
LETTERS = (Switch("letters", N_("Colour letters"), "A"),)
ART = Art("reveal", COLOURS, EMBLEM, SYMBOLS, picture=picture, css=CSS, width=8, prints=prints, switches=LETTERS)
