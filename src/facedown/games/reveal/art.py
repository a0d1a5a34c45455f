"""The look of Reveal: eight colours, each with a shape of its own, and the wild."""

from __future__ import annotations

import math

from facedown.core.art import Art, Colour, Picture, Print, Switch, Symbol
from facedown.core.drawing import CARD, GLEAM, PAPER, paper, short
from facedown.games.reveal.naming import card_name
from facedown.games.reveal.texts import N_

#: The colours of each face and of the signs on it: objects do not change with the theme.
_FACES = {
    "pink": ("#EA90C4", "#43102F"),
    "white": ("#FAF9F5", "#6A5F52"),
    "blue": ("#1759A2", "#F3F8FF"),
    "yellow": ("#FEDD45", "#4A3500"),
    "orange": ("#DD6300", "#2A0F00"),
    "black": ("#1C1917", "#F4EFE6"),
    "red": ("#A31512", "#FFECE6"),
    "green": ("#409678", "#04241A"),
    "wild": ("#F1E9DB", "#251D16"),
}
INKS = {name + part: ink for name, inks in _FACES.items() for part, ink in zip(("", "-ink"), inks, strict=True)}
COLOURS: dict[str, Colour] = {
    "accent": ("#6A3768", "#DDA9D8"),
    "edge": ("#E6DBE3", "#261D29"),
    "centre": ("#F0E8ED", "#34283A"),
    "lid": "#6A3768",
    "lid2": "#59295A",
    **INKS,
}

#: The shapes of the colours in a box of 24 by 24, as filled paths.
SHAPES = {
    "heart": "M12 21.6C5.2 16.2 1.6 12.6 1.6 8.4A5.4 5.4 0 0 1 12 6.1a5.4 5.4 0 0 1 10.4 2.3c0 4.2-3.6 7.8-10.4 13.2Z",
    "drop": "M12 1.2C12 1.2 4.2 9.9 4.2 15.1a7.8 7.8 0 0 0 15.6 0C19.8 9.9 12 1.2 12 1.2Z",
    "moon": "M14.8 1.9A10.4 10.4 0 1 0 22.2 15.2 8.6 8.6 0 0 1 14.8 1.9Z",
    "leaf": "M3.4 20.6C.6 9.6 7.6 2.4 21.6 2.4 22.4 15.6 15.6 22.8 5.2 20.2Z",
    "triangle": "M12 3.2 21.8 20.4H2.2Z",
    "diamond": "M12 1.8 21 12 12 22.2 3 12Z",
}

#: The shape of each colour, and the letter of the colour letter setting.
SHAPE_AND_LETTER = {
    "pink": ("flower", "P"),
    "white": ("moon", "W"),
    "blue": ("drop", "B"),
    "yellow": ("star", "Y"),
    "orange": ("triangle", "O"),
    "black": ("diamond", "K"),
    "red": ("heart", "R"),
    "green": ("leaf", "G"),
}

#: Petals of the rosette, clockwise from the top.
PETALS = ("red", "orange", "yellow", "green", "blue", "black", "white", "pink")


def shape(name: str, x: float, y: float, size: float, *, turned: bool = False, panel: str = "none") -> str:
    """One of the shapes, `size` wide, about (x, y), in the current colour."""
    turn = " rotate(180)" if turned else ""
    place = f"translate({short(x)} {short(y)}) scale({short(size / 24)}){turn} translate(-12 -12)"
    if name == "star":
        points = " ".join(
            f"{short(12 + r * math.sin(math.pi * i / 5))} {short(12.8 - r * math.cos(math.pi * i / 5))}"
            for i, r in enumerate((10.4, 4.7) * 5)
        )
        inner = f'<polygon points="{points}"/>'
    elif name == "flower":
        inner = "".join(
            f'<circle cx="{short(12 + 6.1 * math.sin(math.tau * i / 5))}" cy="{short(12.4 - 6.1 * math.cos(math.tau * i / 5))}" r="4.75"/>'
            for i in range(5)
        )
        inner += f'<circle cx="12" cy="12.4" r="3.4"/><circle cx="12" cy="12.4" r="2.5" fill="{panel}"/>'
    elif name == "leaf":
        vein = f'<path d="M2.2 22 15 9.2" fill="none" stroke="{panel}" stroke-width="1.9"/>'
        inner = f'<path d="{SHAPES["leaf"]}"/>{vein}'
    elif name in ("triangle", "diamond"):
        inner = f'<path d="{SHAPES[name]}" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/>'
    else:
        inner = f'<path d="{SHAPES[name]}"/>'
    return f'<g fill="currentColor" transform="{place}">{inner}</g>'


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
    name, letter = SHAPE_AND_LETTER[code]
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


CODES = (*SHAPE_AND_LETTER, "wild")
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
