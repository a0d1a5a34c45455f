"""SVG building blocks for the art of games: numerals, empty card faces, backs. Numerals are paths and need no font.

A card is drawn in a box of 100 by 140. Colours are CSS: a value such as ``#FFF9EC``, or a variable ``var(--name)``.
"""

from __future__ import annotations

from html import escape

#: SVG view box of a card.
CARD_BOX = "0 0 100 140"
#: The two colours of the emblem on the box lid of each game. Both are easy to see on a lid of any colour.
PAPER, GLEAM = "#FFF9EC", "var(--gleam)"

#: SVG path of a card with two folded corners: the drawing in the middle of every card back. It fits into a box of 24 by
#: 24. A rotation by 180° does not change it.
BACK_MARK = "M11.5 1.5H17A2.5 2.5 0 0 1 19.5 4V14.5L12.5 22.5H7A2.5 2.5 0 0 1 4.5 20V9.5Z"
#: SVG path of one folded corner of the card `BACK_MARK`. This corner is drawn twice, the second time rotated by 180°.
BACK_FOLD = "M19.5 14.5h-4.5a2.5 2.5 0 0 0-2.5 2.5v5.5Z"

#: SVG paths of the digits and the minus sign, 24 wide and 32 high. A 9 is drawn as a rotated 6.
GLYPHS = {
    "0": "M12 4C17 4 20 9 20 16S17 28 12 28 4 23 4 16 7 4 12 4Z",
    "1": "M4.5 10 11.5 4V28",
    "2": "M4.6 10.6C4.6 6.6 7.8 4 12 4c4.4 0 7.6 2.7 7.6 6.6 0 4-2.9 6.4-6.4 9.5L4.6 28H20",
    "3": "M4.8 4H19L11.4 13.2C16.4 13 20 16 20 20.4 20 25 16.6 28 12 28 8.2 28 5.3 26.2 4 23.2",
    "4": "M16 28V4L3.6 21H21",
    "5": "M18.6 4H7.2L6 15C7.7 13.5 9.8 12.7 12.1 12.7 16.7 12.7 20 15.8 20 20.2 20 24.8 16.6 28 12 28 8.4 28 5.5 26.4 4.2 23.5",
    "6": "M16.4 4C9.6 7.4 4.4 13.2 4.4 20.1 4.4 24.8 7.8 28 12.2 28 16.6 28 20 24.8 20 20.5S16.8 13 12.6 13C8.6 13 5.4 15.7 4.6 19",
    "7": "M4 4H20L10.4 28",
    "8": "M12 15.2C8 15.2 5.4 12.8 5.4 9.6S8.2 4 12 4s6.6 2.4 6.6 5.6-2.6 5.6-6.6 5.6C7.4 15.2 4 17.8 4 21.6S7.4 28 12 28s8-2.6 8-6.4-3.4-6.4-8-6.4Z",
    "-": "M4 16H15",
}
ADVANCE = {"1": 16.0, "-": 18.0}


def format_coordinate(value: float) -> str:
    """Return a number as text for an SVG path, with at most two decimal places."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def numeral_width(text: str) -> float:
    """Return the width of a number drawn with digits of height 32 (`GLYPHS`)."""
    return sum(ADVANCE.get(c, 23.0) for c in text) + 1


def numeral(
    text: str, x: float, y: float, size: float, *, stroke: float = 4.6, bar: bool = False, anchor: str = "middle"
) -> str:
    """Return the SVG of a number with digits of height `size`. `text` consists of digits and "-".

    * `x`: the middle, start or end of the number, as `anchor` says.
    * `y`: its vertical middle.
    * `stroke`: the line width, relative to digits of height 32.
    * `bar`: underline the number, so that 6 and 9 cannot be confused.
    """
    scale = size / 32
    width = numeral_width(text)
    left = {"middle": -width / 2, "start": 0.0, "end": -width}[anchor]
    parts, offset = [], left
    for char in text:
        glyph = GLYPHS["6" if char == "9" else char]
        turn = " rotate(180 12 16)" if char == "9" else ""
        parts.append(f'<path d="{glyph}" transform="translate({format_coordinate(offset)} -16){turn}"/>')
        offset += ADVANCE.get(char, 23.0)
    if bar:
        parts.append(f'<path d="M{format_coordinate(left + 3)} 19.6H{format_coordinate(left + width - 4)}"/>')
    return (
        f'<g fill="none" stroke="currentColor" stroke-width="{format_coordinate(stroke)}" stroke-linecap="round" stroke-linejoin="round"'
        f' transform="translate({format_coordinate(x)} {format_coordinate(y)}) scale({format_coordinate(scale)})">{"".join(parts)}</g>'
    )


def card_paper() -> str:
    """Return the SVG of an empty card face, on which games draw: 100 by 140, with an edge and round corners."""
    return '<rect x=".5" y=".5" width="99" height="139" rx="9.5" fill="var(--card)" stroke="#3C2812" stroke-opacity=".22"/>'


def text_card(face: str) -> str:
    """Return the SVG of a card for which there is no drawing: an empty card face with the code `face` as text."""
    return (
        f'{card_paper()}<text x="50" y="80" text-anchor="middle" font-size="{30 if len(face) < 4 else 18}" font-weight="600"'
        f' fill="#251D16">{escape(face)}</text>'
    )


def back_mark(lid: str, opacity: str, placed: str) -> str:
    """Return the SVG of the drawing in the middle of every card back: a white card with two folded corners.

    * `lid`: the CSS colour of the card back. The folded corners are filled with the same colour.
    * `opacity`: how opaque the white is, from 0 to 1.
    * `placed`: an SVG transform that moves the drawing to its place.
    """
    mark = f'<path d="{BACK_MARK}" fill="#FFFDF8" fill-opacity="{opacity}"/><path d="{BACK_FOLD}"/>'
    return (
        f'<g transform="{placed}" fill="{lid}" stroke="#FFFDF8" stroke-opacity=".9"'
        f' stroke-width=".9" stroke-linejoin="round">{mark}<path d="{BACK_FOLD}" transform="rotate(180 12 12)"/></g>'
    )


def card_back(lid: str) -> str:
    """Return the SVG of a card back in the CSS colour `lid`. A rotation by 180° about (50, 70) does not change it."""
    lines = []
    for k in range(-9, 10):
        offset = 12.0 * k
        for slope in (1, -1):
            # A diagonal line through the point (50 + offset, 70), with the slope 1.25 or −1.25. The line is clipped to
            # the inner panel: x from 9 to 91, y from 9 to 131. The offsets are multiples of 12 on both sides of 0, so
            # the pattern of all lines is symmetric about the card's centre (50, 70).
            points = [(x, 70 + slope * 1.25 * (x - 50 - offset)) for x in (9.0, 91.0)]
            points += [(50 + offset + (y - 70) / (slope * 1.25), y) for y in (9.0, 131.0)]
            inside = sorted({(round(x, 2), round(y, 2)) for x, y in points if 9 <= x <= 91 and 9 <= y <= 131})
            if len(inside) >= 2:
                (x0, y0), (x1, y1) = inside[0], inside[-1]
                lines.append(
                    f"M{format_coordinate(x0)} {format_coordinate(y0)}L{format_coordinate(x1)} {format_coordinate(y1)}"
                )
    return (
        f'{card_paper()}<rect x="6" y="6" width="88" height="128" rx="7" fill="{lid}"/>'
        f'<path d="{"".join(lines)}" stroke="#FFFDF8" stroke-opacity=".15" stroke-width="1.1" fill="none"/>'
        f'<rect x="10" y="10" width="80" height="120" rx="4" fill="none" stroke="#FFFDF8" stroke-opacity=".42" stroke-width="1"/>'
        f'<circle cx="50" cy="70" r="17" fill="{lid}" stroke="#FFFDF8" stroke-opacity=".55" stroke-width="1.2"/>'
        f"{back_mark(lid, '.9', 'translate(50 70) scale(.82) translate(-12 -12)')}"
    )
