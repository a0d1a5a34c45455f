"""The look of SCOUT: cards of two numbers, one for each way up; stronger is darker."""

from __future__ import annotations

import re

from facedown.core.art import Art, Colour, Picture, Print, Symbol
from facedown.core.drawing import CARD, GLEAM, PAPER, numeral, paper

#: The colours of the faces: objects do not change with the theme. First the paper under each number.
PAPERS = ["#F6EFE1", "#F5E5C9", "#F5DAB1", "#F5CF99", "#F1B97C", "#EDA162", "#E7874C", "#D1693A", "#B34A2B", "#952A1E"]
INKS = {str(number): paper for number, paper in enumerate(PAPERS, 1)} | {"light": "#FFFBF3", "dark": "#2A140B"}
COLOURS: dict[str, Colour] = {
    "accent": ("#A0391F", "#F3A084"),
    "edge": ("#F0DACD", "#301E17"),
    "centre": ("#F7E9E0", "#432B21"),
    "lid": "#A83D22",
    "lid2": "#8D3019",
    **INKS,
}

FACE = re.compile(r"(10|[1-9])/(10|[1-9])")


def ink(number: int) -> str:
    """The name of the numeral's colour."""
    return "light" if number >= 9 else "dark"


def half(number: int) -> str:
    """The upper left half of a dual-index card; the lower right half is another one turned by 180°."""
    colour = INKS[ink(number)]
    text, bar = str(number), number in (6, 9)
    return (
        f'<path d="M6 94V13a7 7 0 0 1 7-7H87a7 7 0 0 1 7 7V43.6Z" fill="{INKS[str(number)]}"/>'
        f'<g color="{colour}">{numeral(text, 11, 27, 35, stroke=4.8, bar=bar, anchor="start")}'
        f"{numeral(text, 90, 21.5, 18, stroke=4.6, bar=bar, anchor='end')}</g>"
    )


def picture(code: str, small: bool, lying: bool) -> Picture | None:
    """A card by its numbers, "up/down"."""
    if not (match := FACE.fullmatch(code)):
        return None
    up, down = match.groups()
    lower = f'<use href="#scout-half-{down}" transform="rotate(180 50 70)"/>'
    return Picture(f'{paper()}<use href="#scout-half-{up}"/>{lower}')


def prints(code: str) -> Print | None:
    """The number that counts above the other."""
    if not (match := FACE.fullmatch(code)):
        return None
    up, down = match.groups()
    return Print(up, ink(int(up)), up, lower=(down, ink(int(down)), down))


EMBLEM = (
    f'<rect x="6" y="26" width="36" height="54" rx="5" fill="{PAPER}" fill-opacity=".3" transform="rotate(-20 24 53)"/>'
    f'<rect x="54" y="26" width="36" height="54" rx="5" fill="{PAPER}" fill-opacity=".3" transform="rotate(20 72 53)"/>'
    f'<path d="M26 61V18a5 5 0 0 1 5-5H65a5 5 0 0 1 5 5V36Z" fill="{PAPER}"/>'
    f'<path d="M70 36V75a5 5 0 0 1-5 5H31a5 5 0 0 1-5-5V61Z" fill="{GLEAM}"/>'
    f'<g color="var(--lid)">{numeral("7", 40, 29, 26)}<g transform="rotate(180 48 46.5)">{numeral("2", 40, 29, 22)}</g></g>'
)

SYMBOLS = tuple(Symbol(f"half-{number}", CARD, half(number)) for number in range(1, 11))
ART = Art("scout", COLOURS, EMBLEM, SYMBOLS, picture=picture, form="two", prints=prints)
