"""The look of Detect: numbers on a ramp of colours from the lowest to the highest."""

from __future__ import annotations

import re

from facedown.core.art import Art, Colour, Picture, Print, Symbol
from facedown.core.drawing import CARD, GLEAM, PAPER, numeral, numeral_width, paper
from facedown.core.voice import digits

#: Numbers a deck may hold; the ramp's colours stop at -2 and 12.
NUMBERS = range(-10, 20)
LOWEST, HIGHEST = -2, 12
_RAMP = """
    #2D3478 #445695 #D2EDF4 #ACE2E1 #A2E2D3 #A0E1C0 #A8E0A9 #C2E08F
    #E2DB75 #EFC758 #F2AC42 #E98A2E #D96526 #BA4225 #951E22
"""


def token(number: int) -> str:
    """The name of the ramp's colour for a number."""
    return str(max(LOWEST, min(HIGHEST, number))).replace("-", "m")


#: The colours of the faces: objects do not change with the theme.
INKS = {
    **{token(number): colour for number, colour in enumerate(_RAMP.split(), LOWEST)},
    "light": "#FFFBF3",
    "dark": "#231A12",
}
COLOURS: dict[str, Colour] = {
    "accent": ("#1C5C68", "#88CBD6"),
    "edge": ("#D3E1E2", "#172629"),
    "centre": ("#E4EDEC", "#203539"),
    "lid": "#1F6370",
    "lid2": "#174E59",
    **INKS,
}


def ink(number: int) -> str:
    """The name of the numeral's colour."""
    return "light" if number <= -1 or number >= 11 else "dark"


def face(code: str, *, small: bool = False) -> str:
    """A card; the small one is all panel and numeral."""
    number = int(code)
    fill, colour = INKS[token(number)], INKS[ink(number)]
    if small:
        size = min(66.0, 80 * 32 / numeral_width(code))
        return (
            f'<rect width="100" height="140" rx="9.5" fill="{fill}"/><rect x=".7" y=".7" width="98.6" height="138.6" rx="9"'
            f' fill="none" stroke="#3C2812" stroke-opacity=".16" stroke-width="1.4"/>'
            f'<g color="{colour}">{numeral(code, 50, 70, size, stroke=4.8)}</g>'
        )
    size = min(56.0, 74 * 32 / numeral_width(code))
    corner = numeral(code, 14, 22.5, 19, anchor="start")
    return (
        f'{paper()}<rect x="6" y="6" width="88" height="128" rx="7" fill="{fill}"/>'
        f'<g color="{colour}">{numeral(code, 50, 70, size)}{corner}<g transform="rotate(180 50 70)">{corner}</g></g>'
    )


def picture(code: str, small: bool, lying: bool) -> Picture | None:
    """A card by its number; one that no usual deck has is drawn where it lies."""
    if not re.fullmatch(r"-?\d{1,2}", code):
        return None
    if int(code) not in NUMBERS:
        return Picture(face(code, small=small))
    return Picture(f'<use href="#detect-{int(code)}{"-s" if small else ""}"/>')


def prints(code: str) -> Print | None:
    """A number on its colour of the ramp; beyond its ends, on paper."""
    if not code.lstrip("-").isdigit():
        return None
    number = int(code)
    if not LOWEST <= number <= HIGHEST:
        return Print(digits(number), "dark", "card")
    return Print(digits(number), ink(number), token(number))


_TILE = '<rect x="{x}" y="{y}" width="23" height="29" rx="4.5" fill="{fill}" fill-opacity="{o}"/>'
TILES = "".join(_TILE.format(x=x, y=y, fill=PAPER, o=0.32) for x in (8, 65) for y in (0, 33.5, 67)) + "".join(
    _TILE.format(x=36.5, y=y, fill=PAPER, o=1) for y in (0, 33.5, 67)
)
EMBLEM = (
    f'{TILES}<g color="var(--lid)">{numeral("5", 48, 14, 22)}{numeral("5", 48, 82, 22)}</g>'
    f'<path d="M67 68 84 85" stroke="{GLEAM}" stroke-width="8" stroke-linecap="round"/>'
    f'<circle cx="48" cy="48" r="25" fill="{PAPER}" stroke="{GLEAM}" stroke-width="7"/>'
    f'<g color="var(--lid)">{numeral("5", 48, 48, 36)}</g>'
)

SYMBOLS = tuple(
    Symbol(f"{number}-s" if small else str(number), CARD, face(str(number), small=small))
    for number in NUMBERS
    for small in (False, True)
)
ART = Art("detect", COLOURS, EMBLEM, SYMBOLS, picture=picture, form="number", width=4, prints=prints)
