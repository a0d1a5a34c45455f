"""Card art as SVG: faces, backs, bones, emblems. Everything is drawn; nothing is set in a font.

A page carries one `sprite` of its game: every face there is, whether it lies on the table or not, so that the sprite
says nothing about hidden cards. A piece on the table then is a small ``<svg>`` that uses a symbol of it.

Faces are keyed by game and `core.table.Piece.face`: Detect's numbers ("7", "-2"), Reveal's colours ("red" … "wild"),
Reveille's bones ("64", the high end first), Uncovered!'s numbers ("3"), SCOUT's up and down numbers ("5/2").
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from markupsafe import Markup, escape

from facedown.server.look.icons import BACK_FOLD, BACK_MARK

#: Drawn digits in a box of 24 by 32.
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

#: Reveal's shapes in a box of 24 by 24, as filled paths.
SHAPES = {
    "heart": "M12 21.6C5.2 16.2 1.6 12.6 1.6 8.4A5.4 5.4 0 0 1 12 6.1a5.4 5.4 0 0 1 10.4 2.3c0 4.2-3.6 7.8-10.4 13.2Z",
    "drop": "M12 1.2C12 1.2 4.2 9.9 4.2 15.1a7.8 7.8 0 0 0 15.6 0C19.8 9.9 12 1.2 12 1.2Z",
    "moon": "M14.8 1.9A10.4 10.4 0 1 0 22.2 15.2 8.6 8.6 0 0 1 14.8 1.9Z",
    "leaf": "M3.4 20.6C.6 9.6 7.6 2.4 21.6 2.4 22.4 15.6 15.6 22.8 5.2 20.2Z",
    "triangle": "M12 3.2 21.8 20.4H2.2Z",
    "diamond": "M12 1.8 21 12 12 22.2 3 12Z",
}
#: The shape of each colour, and the letter of the colour letter setting.
COLOURS = {
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

#: Where pips stand in a half of a bone, 100 by 100.
PIPS = {
    0: (),
    1: ((50, 50),),
    2: ((26, 26), (74, 74)),
    3: ((26, 26), (50, 50), (74, 74)),
    4: ((26, 26), (74, 26), (26, 74), (74, 74)),
    5: ((26, 26), (74, 26), (50, 50), (26, 74), (74, 74)),
    6: ((26, 26), (74, 26), (26, 50), (74, 50), (26, 74), (74, 74)),
}

#: Numbers a Detect deck may hold; the ramp's colours stop at -2 and 12.
DETECT_NUMBERS = range(-10, 20)
GAMES = ("reveal", "detect", "reveille", "uncovered", "scout")


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def numeral_width(text: str) -> float:
    """The width of a drawn number, in units of a box 32 high."""
    return sum(ADVANCE.get(c, 23.0) for c in text) + 1


def numeral(
    text: str,
    x: float,
    y: float,
    size: float,
    *,
    stroke: float = 4.6,
    bar: bool = False,
    anchor: str = "middle",
) -> str:
    """A drawn number of box height `size` about (x, y); `bar` underlines it, so that 6 and 9 tell their way up."""
    scale = size / 32
    width = numeral_width(text)
    left = {"middle": -width / 2, "start": 0.0, "end": -width}[anchor]
    parts, offset = [], left
    for char in text:
        glyph = GLYPHS["6" if char == "9" else char]
        turn = " rotate(180 12 16)" if char == "9" else ""
        parts.append(f'<path d="{glyph}" transform="translate({_n(offset)} -16){turn}"/>')
        offset += ADVANCE.get(char, 23.0)
    if bar:
        parts.append(f'<path d="M{_n(left + 3)} 19.6H{_n(left + width - 4)}"/>')
    return (
        f'<g fill="none" stroke="currentColor" stroke-width="{_n(stroke)}" stroke-linecap="round" stroke-linejoin="round"'
        f' transform="translate({_n(x)} {_n(y)}) scale({_n(scale)})">{"".join(parts)}</g>'
    )


def shape(
    name: str,
    x: float,
    y: float,
    size: float,
    *,
    turned: bool = False,
    panel: str = "none",
) -> str:
    """One of Reveal's shapes, `size` wide, about (x, y), in the current colour."""
    scale = size / 24
    place = f"translate({_n(x)} {_n(y)}) scale({_n(scale)}){' rotate(180)' if turned else ''} translate(-12 -12)"
    if name == "star":
        points = " ".join(
            f"{_n(12 + r * math.sin(math.pi * i / 5))} {_n(12.8 - r * math.cos(math.pi * i / 5))}"
            for i, r in enumerate((10.4, 4.7) * 5)
        )
        inner = f'<polygon points="{points}"/>'
    elif name == "flower":
        inner = "".join(
            f'<circle cx="{_n(12 + 6.1 * math.sin(math.tau * i / 5))}" cy="{_n(12.4 - 6.1 * math.cos(math.tau * i / 5))}" r="4.75"/>'
            for i in range(5)
        )
        inner += f'<circle cx="12" cy="12.4" r="3.4"/><circle cx="12" cy="12.4" r="2.5" fill="{panel}"/>'
    elif name == "leaf":
        inner = (
            f'<path d="{SHAPES["leaf"]}"/><path d="M2.2 22 15 9.2" fill="none" stroke="{panel}" stroke-width="1.9"/>'
        )
    elif name in ("triangle", "diamond"):
        inner = f'<path d="{SHAPES[name]}" stroke="currentColor" stroke-width="1.6" stroke-linejoin="round"/>'
    else:
        inner = f'<path d="{SHAPES[name]}"/>'
    return f'<g fill="currentColor" transform="{place}">{inner}</g>'


def rosette(x: float, y: float, size: float) -> str:
    """The wild's eight petals."""
    petals = "".join(
        f'<ellipse cx="12" cy="6" rx="2.9" ry="4.9" fill="var(--reveal-{colour})" transform="rotate({45 * i} 12 12)"/>'
        for i, colour in enumerate(PETALS)
    )
    return (
        f'<g transform="translate({_n(x)} {_n(y)}) scale({_n(size / 24)}) translate(-12 -12)" stroke="#251D16" stroke-width=".7">'
        f'{petals}<circle cx="12" cy="12" r="2.4" fill="#251D16"/></g>'
    )


def _paper() -> str:
    return '<rect x=".5" y=".5" width="99" height="139" rx="9.5" fill="var(--card)" stroke="#3C2812" stroke-opacity=".22"/>'


def reveal_face(code: str) -> str:
    """A card of Reveal, 100 by 140."""
    panel = f"var(--reveal-{code})"
    outline = ' stroke="var(--reveal-outline)" stroke-width="1.2"' if code in ("white", "wild") else ""
    rect = f'<rect x="6" y="6" width="88" height="128" rx="7" fill="{panel}"{outline}/>'
    if code == "wild":
        marks = rosette(50, 70, 62) + rosette(20.5, 20.5, 19) + rosette(79.5, 20.5, 19) + rosette(79.5, 119.5, 19)
        return _paper() + rect + marks
    name, letter = COLOURS[code]
    texture = f'<svg x="6" y="6" width="88" height="128" viewBox="6 6 88 128"><g opacity=".07">{shape(name, 50, 78, 126, panel="none")}</g></svg>'
    marks = (
        shape(name, 50, 70, 50, panel=panel)
        + shape(name, 20, 20, 17, panel=panel)
        + shape(name, 80, 20, 17, panel=panel)
        + shape(name, 80, 120, 17, turned=True, panel=panel)
    )
    word = f'<text class="letter" x="20" y="125" text-anchor="middle" font-size="17" font-weight="700" fill="currentColor">{letter}</text>'
    return f'{_paper()}{rect}<g style="color:var(--reveal-{code}-ink)">{texture}{marks}{word}</g>'.replace(
        f' style="color:var(--reveal-{code}-ink)"', f' color="var(--reveal-{code}-ink)"'
    )


def detect_token(number: int) -> str:
    """The name of the ramp's colour for a number."""
    held = max(-2, min(12, number))
    return f"detect-m{-held}" if held < 0 else f"detect-{held}"


def detect_ink(number: int) -> str:
    """The name of the numeral's colour."""
    return "detect-light" if number <= -1 or number >= 11 else "detect-dark"


def detect_face(code: str, *, small: bool = False) -> str:
    """A card of Detect; the small one is all panel and numeral."""
    number = int(code)
    fill, ink = f"var(--{detect_token(number)})", f"var(--{detect_ink(number)})"
    if small:
        size = min(66.0, 80 * 32 / numeral_width(code))
        return (
            f'<rect width="100" height="140" rx="9.5" fill="{fill}"/><rect x=".7" y=".7" width="98.6" height="138.6" rx="9"'
            f' fill="none" stroke="#3C2812" stroke-opacity=".16" stroke-width="1.4"/>'
            f'<g color="{ink}">{numeral(code, 50, 70, size, stroke=4.8)}</g>'
        )
    size = min(56.0, 74 * 32 / numeral_width(code))
    corner = numeral(code, 14, 22.5, 19, anchor="start")
    return (
        f'{_paper()}<rect x="6" y="6" width="88" height="128" rx="7" fill="{fill}"/>'
        f'<g color="{ink}">{numeral(code, 50, 70, size)}{corner}<g transform="rotate(180 50 70)">{corner}</g></g>'
    )


def uncovered_face(code: str) -> str:
    """A card of Uncovered!: a number, a frame, as many dots."""
    ink, panel = f"var(--uncovered-{code})", f"var(--uncovered-{code}-panel)"
    count = int(code)
    dots = "".join(
        f'<circle cx="{_n(50 + 12.5 * (i - (count - 1) / 2))}" cy="114" r="4.2" fill="currentColor"/>'
        for i in range(count)
    )
    return (
        f'{_paper()}<g color="{ink}"><rect x="8" y="8" width="84" height="124" rx="6" fill="{panel}"/>'
        f'<rect x="9" y="9" width="82" height="122" rx="5" fill="none" stroke="currentColor" stroke-opacity=".55" stroke-width="1.8"/>'
        f"{numeral(code, 50, 62, 58, stroke=4.8)}{dots}</g>"
    )


def scout_half(number: int) -> str:
    """The upper left half of a dual-index card; the lower right half is another one turned by 180°."""
    ink = "var(--scout-light)" if number >= 9 else "var(--scout-dark)"
    text, bar = str(number), number in (6, 9)
    return (
        f'<path d="M6 94V13a7 7 0 0 1 7-7H87a7 7 0 0 1 7 7V43.6Z" fill="var(--scout-{number})"/>'
        f'<g color="{ink}">{numeral(text, 11, 27, 35, stroke=4.8, bar=bar, anchor="start")}'
        f"{numeral(text, 90, 21.5, 18, stroke=4.6, bar=bar, anchor='end')}</g>"
    )


def scout_face(code: str) -> str:
    """A dual-index card, "up/down"."""
    up, down = code.split("/")
    return f'{_paper()}<use href="#scout-half-{int(up)}"/><use href="#scout-half-{int(down)}" transform="rotate(180 50 70)"/>'


def back(game: str) -> str:
    """The back of a game's cards; equal to itself when turned by 180° about (50, 70)."""
    lines = []
    for k in range(-9, 10):
        offset = 12.0 * k
        for slope in (1, -1):
            # y = 70 + slope·1.25·(x − 50 − offset), cut to the inner panel
            points = []
            for x in (9.0, 91.0):
                points.append((x, 70 + slope * 1.25 * (x - 50 - offset)))
            for y in (9.0, 131.0):
                points.append((50 + offset + (y - 70) / (slope * 1.25), y))
            inside = sorted({(round(x, 2), round(y, 2)) for x, y in points if 9 <= x <= 91 and 9 <= y <= 131})
            if len(inside) >= 2:
                (x0, y0), (x1, y1) = inside[0], inside[-1]
                lines.append(f"M{_n(x0)} {_n(y0)}L{_n(x1)} {_n(y1)}")
    mark = f'<path d="{BACK_MARK}" fill="#FFFDF8" fill-opacity=".9"/><path d="{BACK_FOLD}"/><path d="{BACK_FOLD}" transform="rotate(180 12 12)"/>'
    return (
        f'{_paper()}<rect x="6" y="6" width="88" height="128" rx="7" fill="var(--{game}-lid)"/>'
        f'<path d="{"".join(lines)}" stroke="#FFFDF8" stroke-opacity=".15" stroke-width="1.1" fill="none"/>'
        f'<rect x="10" y="10" width="80" height="120" rx="4" fill="none" stroke="#FFFDF8" stroke-opacity=".42" stroke-width="1"/>'
        f'<circle cx="50" cy="70" r="17" fill="var(--{game}-lid)" stroke="#FFFDF8" stroke-opacity=".55" stroke-width="1.2"/>'
        f'<g transform="translate(50 70) scale(.82) translate(-12 -12)" fill="var(--{game}-lid)" stroke="#FFFDF8" stroke-opacity=".9"'
        f' stroke-width=".9" stroke-linejoin="round">{mark}</g>'
    )


def pips(count: int, x: float = 0, y: float = 0) -> str:
    """The pips of one half of a bone."""
    return "".join(f'<circle cx="{_n(x + px)}" cy="{_n(y + py)}" r="9.2" fill="url(#pip)"/>' for px, py in PIPS[count])


def _bone_body(fill: str, edge: str) -> str:
    return f'<rect y="7" width="100" height="200" rx="13" fill="{edge}"/><rect width="100" height="200" rx="13" fill="{fill}"/>'


def bone_marks(code: str) -> str:
    """Pips, groove and pin of a bone standing, 100 by 200, the first number up."""
    return (
        '<rect x="1.2" y="1.2" width="97.6" height="197.6" rx="12" fill="none" stroke="#fff" stroke-opacity=".85" stroke-width="2.4"/>'
        '<path d="M14 100H86" stroke="#BF9A5B" stroke-width="2.8" stroke-linecap="round"/>'
        '<circle cx="50" cy="100" r="5" fill="var(--brass)" stroke="#A8782F" stroke-width="1.4"/>'
        f"{pips(int(code[0]), 0, 1)}{pips(int(code[1]), 0, 99)}"
    )


def bone_face(code: str) -> str:
    """A bone standing, 100 by 207 with its edge."""
    return _bone_body("var(--bone)", "var(--bone-edge)") + bone_marks(code)


def bone_lying(code: str) -> str:
    """A bone on its side, 200 by 107: the first number to the left, the edge still below."""
    return (
        '<rect y="7" width="200" height="100" rx="13" fill="var(--bone-edge)"/><rect width="200" height="100" rx="13" fill="var(--bone)"/>'
        f'<g transform="translate(0 100) rotate(-90)">{bone_marks(code)}</g>'
    )


def bone_back() -> str:
    """A bone face down: the back mark in a diamond. Only the edge below says which side is nearer."""
    mark = f'<path d="{BACK_MARK}" fill="#FFFDF8" fill-opacity=".92"/><path d="{BACK_FOLD}"/><path d="{BACK_FOLD}" transform="rotate(180 12 12)"/>'
    return (
        _bone_body("var(--reveille-lid)", "#4A3008")
        + '<rect x="9" y="9" width="82" height="182" rx="7" fill="none" stroke="#FFFDF8" stroke-opacity=".22" stroke-width="1.6"/>'
        '<path d="M50 52 78 100 50 148 22 100Z" fill="none" stroke="#FFFDF8" stroke-opacity=".3" stroke-width="1.6"/>'
        '<g transform="translate(50 100) scale(1.15) translate(-12 -12)" fill="var(--reveille-lid)" stroke="#FFFDF8" stroke-opacity=".9"'
        f' stroke-width=".9" stroke-linejoin="round">{mark}</g>'
    )


#: A sun with a stroke through it, 100 by 100.
STRUCK_SUN = (
    '<g fill="none" stroke="var(--pip)" stroke-width="6" stroke-linecap="round"><circle cx="50" cy="50" r="15"/>'
    '<path d="M50 16v10M50 74v10M16 50h10M74 50h10M26 26l7 7M67 67l7 7M26 74l7-7M67 33l7-7"/>'
    '<path d="M80 20 20 80" stroke="var(--bone)" stroke-width="16"/><path d="M82 18 18 82"/></g>'
)


def half_bone(code: str) -> str:
    """Half a bone, for the trump; the half without a number is a struck sun: no trumps at all."""
    count = int(code) if code.isdigit() else 0
    marks = pips(count) if code.isdigit() else STRUCK_SUN
    return (
        '<rect y="5" width="100" height="100" rx="20" fill="var(--bone-edge)"/><rect width="100" height="100" rx="20" fill="var(--bone)"'
        f' stroke="var(--bone-edge)" stroke-width="2"/>{marks}'
    )


@lru_cache(maxsize=16)
def sprite(game: str) -> Markup:
    """All faces and the back of a game as symbols, in one hidden ``<svg>``. The same whatever lies on the table."""
    symbols: list[tuple[str, str, str]] = []
    card = "0 0 100 140"
    if game == "reveal":
        symbols += [(f"reveal-{code}", card, reveal_face(code)) for code in (*COLOURS, "wild")]
    elif game == "detect":
        for number in DETECT_NUMBERS:
            symbols.append((face_id("detect", str(number)), card, detect_face(str(number))))
            symbols.append(
                (
                    face_id("detect", str(number)) + "-s",
                    card,
                    detect_face(str(number), small=True),
                )
            )
    elif game == "uncovered":
        symbols += [(f"uncovered-{code}", card, uncovered_face(code)) for code in "1234"]
    elif game == "scout":
        symbols += [(f"scout-half-{n}", card, scout_half(n)) for n in range(1, 11)]
    elif game == "reveille":
        for high in range(7):
            for low in range(high + 1):
                code = f"{high}{low}"
                symbols.append((f"reveille-{code}", "0 0 100 207", bone_face(code)))
                symbols.append((f"reveille-{code}-lying", "0 0 200 107", bone_lying(code)))
        halves = [*map(str, range(7)), "nello"]
        symbols += [(f"reveille-half-{code}", "0 0 100 106", half_bone(code)) for code in halves]
    if game == "reveille":
        symbols.append(("reveille-back", "0 0 100 207", bone_back()))
    else:
        symbols.append((f"{game}-back", card, back(game if game in GAMES else "home")))
    defs = (
        '<defs><radialGradient id="pip" cx=".38" cy=".34" r=".7"><stop offset="0" stop-color="#3A2E24"/>'
        '<stop offset=".6" stop-color="#2A2018"/></radialGradient></defs>'
    )
    body = "".join(f'<symbol id="{name}" viewBox="{box}">{drawing}</symbol>' for name, box, drawing in symbols)
    return Markup(f'<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false">{defs}{body}</svg>')


def face_id(game: str, face: str) -> str:
    """The symbol of a face in the sprite."""
    return f"{game}-{face.replace('-', 'm')}"


_KNOWN = {
    "reveal": re.compile("|".join((*COLOURS, "wild"))),
    "detect": re.compile(r"-?\d{1,2}"),
    "reveille": re.compile(r"[0-6][0-6]"),
    "uncovered": re.compile("[1-4]"),
    "scout": re.compile(r"(10|[1-9])/(10|[1-9])"),
}


def drawing(game: str, kind: str, face: str = "", *, small: bool = False, lying: bool = False) -> Markup:
    """The picture of one piece: a face by its code, or a back. A face that the game has no art for is written out."""
    if game == "reveille":
        box = "0 0 200 107" if lying and kind == "face" else "0 0 100 207"
    else:
        box = "0 0 100 140"
    if kind == "back":
        inner = f'<use href="#{game}-back"/>'
    elif game in _KNOWN and _KNOWN[game].fullmatch(face):
        if game == "scout":
            inner = scout_face(face)
        elif game == "reveille":
            high, low = sorted(face, reverse=True)
            inner = f'<use href="#reveille-{high}{low}{"-lying" if lying else ""}"/>'
        elif game == "detect" and int(face) not in DETECT_NUMBERS:
            inner = detect_face(face, small=small)
        else:
            inner = f'<use href="#{face_id(game, face)}{"-s" if small and game == "detect" else ""}"/>'
    else:
        inner = (
            f'{_paper()}<text x="50" y="80" text-anchor="middle" font-size="{30 if len(face) < 4 else 18}" font-weight="600"'
            f' fill="#251D16">{escape(face)}</text>'
        )
    return Markup(f'<svg class="art" viewBox="{box}" aria-hidden="true" focusable="false">{inner}</svg>')
