"""Artwork of Detect: card faces, in a scale of colours from the lowest to the highest number of the standard deck."""

from __future__ import annotations

from facedown.core.art import Art, Colour, Symbol, TerminalFace, load_art_data
from facedown.core.grammar import digits
from facedown.core.svg_card_parts import CARD_BOX, GLEAM, PAPER, card_paper, numeral, numeral_width

#: Numbers that a deck may contain. The colour scale covers -2 to 12. A lower or higher number gets the colour at that
#: end of the scale.
NUMBERS = range(-10, 20)
LOWEST, HIGHEST = -2, 12
DRAWN = load_art_data(__file__)


def ramp_colour_name(number: int) -> str:
    """Return the name of a number's colour on the colour scale, such as "5", or "m2" for -2.

    The scale covers -2 to 12. A lower or higher number gets the colour at that end of the scale.
    """
    return str(max(LOWEST, min(HIGHEST, number))).replace("-", "m")


#: Colours of the card faces, the same in the light and the dark theme.
INKS = {
    **{ramp_colour_name(number): colour for number, colour in enumerate(DRAWN["ramp"], LOWEST)},
    "light": "#FFFBF3",
    "dark": "#231A12",
}
COLOURS: dict[str, Colour] = {**DRAWN["colours"], **INKS}


def numeral_colour_name(number: int) -> str:
    """Return the name of the colour in which a number is printed: "light" or "dark", whichever is readable on the
    card.
    """
    return "light" if number <= -1 or number >= 11 else "dark"


def face(code: str, *, small: bool = False) -> str:
    """Return the SVG of the card with the number `code`, in a box of 100 by 140.

    The small version has no paper border and no corner numbers.
    """
    number = int(code)
    fill, colour = INKS[ramp_colour_name(number)], INKS[numeral_colour_name(number)]
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
        f'{card_paper()}<rect x="6" y="6" width="88" height="128" rx="7" fill="{fill}"/>'
        f'<g color="{colour}">{numeral(code, 50, 70, size)}{corner}<g transform="rotate(180 50 70)">{corner}</g></g>'
    )


def terminal_print(code: str) -> TerminalFace | None:
    """Return the terminal's drawing of the card with the number `code`, or None if `code` is not a number.

    Each number from -2 to 12 (the standard deck) has its own background colour. Any other number has the background of
    a blank card.
    """
    if not code.lstrip("-").isdigit():
        return None
    number = int(code)
    if not LOWEST <= number <= HIGHEST:
        return TerminalFace(digits(number), "dark", "card")
    return TerminalFace(digits(number), numeral_colour_name(number), ramp_colour_name(number))


EMBLEM = DRAWN["emblem"].format(
    paper=PAPER,
    gleam=GLEAM,
    top=numeral("5", 48, 14, 22),
    middle=numeral("5", 48, 48, 36),
    bottom=numeral("5", 48, 82, 22),
)

SYMBOLS = tuple(
    Symbol(f"{number}-s" if small else str(number), CARD_BOX, face(str(number), small=small))
    for number in NUMBERS
    for small in (False, True)
)
ART = Art("detect", COLOURS, EMBLEM, SYMBOLS, form="number", width=4, prints=terminal_print)
