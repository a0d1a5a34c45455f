"""Artwork of Uncovered!: card faces with the numbers 1 to 4, each in its own colour and with that number of dots."""

from __future__ import annotations

from facedown.core.art import Art, Colour, Symbol, TerminalFace, load_art_data
from facedown.core.svg_card_parts import CARD_BOX, GLEAM, PAPER, card_paper, format_coordinate, numeral

DRAWN = load_art_data(__file__)
INKS = {
    code + part: ink for code, inks in DRAWN["faces"].items() for part, ink in zip(("", "-panel"), inks, strict=True)
}
COLOURS: dict[str, Colour] = {**DRAWN["colours"], **INKS}

CODES = "1234"


def face(code: str) -> str:
    """Return the SVG of a card face: the number `code` in a frame, with as many dots below it."""
    ink, panel = INKS[code], INKS[f"{code}-panel"]
    count = int(code)
    dots = "".join(
        f'<circle cx="{format_coordinate(50 + 12.5 * (i - (count - 1) / 2))}" cy="114" r="4.2" fill="currentColor"/>'
        for i in range(count)
    )
    return (
        f'{card_paper()}<g color="{ink}"><rect x="8" y="8" width="84" height="124" rx="6" fill="{panel}"/>'
        f'<rect x="9" y="9" width="82" height="122" rx="5" fill="none" stroke="currentColor" stroke-opacity=".55" stroke-width="1.8"/>'
        f"{numeral(code, 50, 62, 58, stroke=4.8)}{dots}</g>"
    )


def terminal_print(code: str) -> TerminalFace | None:
    """Return the terminal's picture of a card: its number in its colour. Return None if `code` is not "1" to "4"."""
    return TerminalFace(code, code, f"{code}-panel") if code and code in CODES else None


EMBLEM = DRAWN["emblem"].format(paper=PAPER, gleam=GLEAM)
SYMBOLS = tuple(Symbol(code, CARD_BOX, face(code)) for code in CODES)
ART = Art("uncovered", COLOURS, EMBLEM, SYMBOLS, form="number", width=4, prints=terminal_print)
