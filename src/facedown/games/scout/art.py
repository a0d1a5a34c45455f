"""Artwork of SCOUT as SVG. A card has two numbers, one for each way up. Higher numbers are on darker paper."""

from __future__ import annotations

import re

from facedown.core.art import Art, Colour, Picture, Symbol, TerminalFace, load_art_data
from facedown.core.svg_card_parts import CARD_BOX, GLEAM, PAPER, card_paper, numeral

DRAWN = load_art_data(__file__)
#: Colours of the card faces, the same in the light and the dark theme of the page: the paper colour of each number, and
#: the two colours in which numbers are printed.
INKS = {str(number): paper for number, paper in enumerate(DRAWN["papers"], 1)} | {"light": "#FFFBF3", "dark": "#2A140B"}
COLOURS: dict[str, Colour] = {**DRAWN["colours"], **INKS}

FACE = re.compile(r"(10|[1-9])/(10|[1-9])")


def numeral_light_or_dark(number: int) -> str:
    """Return the name of the colour in which a number is printed: "light" on the dark paper of high numbers, else
    "dark".
    """
    return "light" if number >= 9 else "dark"


def half_card_svg(number: int) -> str:
    """Return the SVG of the upper left half of a card, which shows the given number.

    The lower right half of a card is the same drawing for the other number, rotated by 180°.
    """
    colour = INKS[numeral_light_or_dark(number)]
    text, bar = str(number), number in (6, 9)
    return (
        f'<path d="M6 94V13a7 7 0 0 1 7-7H87a7 7 0 0 1 7 7V43.6Z" fill="{INKS[str(number)]}"/>'
        f'<g color="{colour}">{numeral(text, 11, 27, 35, stroke=4.8, bar=bar, anchor="start")}'
        f"{numeral(text, 90, 21.5, 18, stroke=4.6, bar=bar, anchor='end')}</g>"
    )


def picture(code: str, small: bool, lying: bool) -> Picture | None:
    """Return the picture of a card, or None if `code` is not a card.

    `code` is the two numbers of the card, the upper one first, such as "7/2". `small` and `lying` are ignored.
    """
    if not (match := FACE.fullmatch(code)):
        return None
    up, down = match.groups()
    lower = f'<use href="#scout-half-{down}" transform="rotate(180 50 70)"/>'
    return Picture(f'{card_paper()}<use href="#scout-half-{up}"/>{lower}')


def terminal_print(code: str) -> TerminalFace | None:
    """Return the terminal's picture of a card, one number above the other, or None if `code` is not a card.

    `code` is the two numbers of the card, the upper one first, such as "7/2".
    """
    if not (match := FACE.fullmatch(code)):
        return None
    up, down = match.groups()
    return TerminalFace(up, numeral_light_or_dark(int(up)), up, lower=(down, numeral_light_or_dark(int(down)), down))


SEVEN, TWO = numeral("7", 40, 29, 26), numeral("2", 40, 29, 22)
EMBLEM = DRAWN["emblem"].format(paper=PAPER, gleam=GLEAM, seven=SEVEN, two=TWO)
SYMBOLS = tuple(Symbol(f"half-{number}", CARD_BOX, half_card_svg(number)) for number in range(1, 11))
ART = Art("scout", COLOURS, EMBLEM, SYMBOLS, picture=picture, form="two", prints=terminal_print)
