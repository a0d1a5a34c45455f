"""The look of Uncovered!: four numbers, each in a colour, with as many dots."""

from __future__ import annotations

from facedown.core.art import Art, Colour, Picture, Print, Symbol
from facedown.core.drawing import CARD, GLEAM, PAPER, numeral, paper, short

#: The colours of each number and of the panel under it: objects do not change with the theme.
_FACES = {
    "1": ("#1759A2", "#E7EFF9"),
    "2": ("#B34E00", "#FCEBDD"),
    "3": ("#256B52", "#E1F0EA"),
    "4": ("#83286A", "#F6E5F1"),
}
INKS = {code + part: ink for code, inks in _FACES.items() for part, ink in zip(("", "-panel"), inks, strict=True)}
COLOURS: dict[str, Colour] = {
    "accent": ("#3A6233", "#A6D098"),
    "edge": ("#D9E3CE", "#1D281A"),
    "centre": ("#E8EEDF", "#2A3825"),
    "lid": "#3F6A38",
    "lid2": "#32572C",
    **INKS,
}

CODES = "1234"


def face(code: str) -> str:
    """A card: a number, a frame, as many dots."""
    ink, panel = INKS[code], INKS[f"{code}-panel"]
    count = int(code)
    dots = "".join(
        f'<circle cx="{short(50 + 12.5 * (i - (count - 1) / 2))}" cy="114" r="4.2" fill="currentColor"/>'
        for i in range(count)
    )
    return (
        f'{paper()}<g color="{ink}"><rect x="8" y="8" width="84" height="124" rx="6" fill="{panel}"/>'
        f'<rect x="9" y="9" width="82" height="122" rx="5" fill="none" stroke="currentColor" stroke-opacity=".55" stroke-width="1.8"/>'
        f"{numeral(code, 50, 62, 58, stroke=4.8)}{dots}</g>"
    )


def picture(code: str, small: bool, lying: bool) -> Picture | None:
    """A card by its number."""
    return Picture(f'<use href="#uncovered-{code}"/>') if code and code in CODES else None


def prints(code: str) -> Print | None:
    """A number in its colour."""
    return Print(code, code, f"{code}-panel") if code and code in CODES else None


EMBLEM = (
    f'<rect x="6" y="22" width="34" height="44" rx="5" fill="{PAPER}" fill-opacity=".32" transform="rotate(-15 23 44)"/>'
    f'<rect x="56" y="22" width="34" height="44" rx="5" fill="{PAPER}" fill-opacity=".32" transform="rotate(15 73 44)"/>'
    f'<path d="M32.5 1.500H63.500a5 5 0 0 1 5 5.500L64.5 51a5 5 0 0 1-5 4.500H36.500a5 5 0 0 1-5-4.500L27.5 7a5 5 0 0 1 5-5.500Z" fill="{PAPER}"/>'
    '<g fill="none" stroke="var(--lid)" stroke-width="3.6" stroke-linejoin="round"><path d="M33 28S38.5 18.5 48 18.5 63 28 63 28 57.5 37.5 48 37.5 33 28 33 28Z"/></g>'
    f'<circle cx="48" cy="28" r="5.6" fill="var(--lid)"/><circle cx="48" cy="78" r="12.5" fill="{GLEAM}"/>'
)

SYMBOLS = tuple(Symbol(code, CARD, face(code)) for code in CODES)
ART = Art("uncovered", COLOURS, EMBLEM, SYMBOLS, picture=picture, form="number", width=4, prints=prints)
