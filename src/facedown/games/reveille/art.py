"""The look of Reveille: bones that stand or lie, face up or down; half a bone for a suit."""

from __future__ import annotations

import re
from itertools import chain

from facedown.core.art import Art, Colour, Picture, Print, Symbol
from facedown.core.drawing import PAPER, fold, short

BONE, EDGE, GLOW = "#FFFAEC", "#C9B48D", "#E09A1B"
COLOURS: dict[str, Colour] = {
    "accent": ("#7D5110", "#E8B95F"),
    "edge": ("#E9DCC0", "#2A2113"),
    "centre": ("#F3EAD6", "#3A2E1B"),
    "lid": "#8A5A12",
    "lid2": "#73490A",
    "bone": BONE,
}

PIP = (
    '<radialGradient id="pip" cx=".38" cy=".34" r=".7"><stop offset="0" stop-color="#3A2E24"/>'
    '<stop offset=".6" stop-color="#2A2018"/></radialGradient>'
)
STANDING, LYING, HALF = "0 0 100 207", "0 0 200 107", "0 0 100 106"

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


def pips(count: int, x: float = 0, y: float = 0) -> str:
    """The pips of one half of a bone."""
    return "".join(
        f'<circle cx="{short(x + px)}" cy="{short(y + py)}" r="9.2" fill="url(#pip)"/>' for px, py in PIPS[count]
    )


def _body(width: int, height: int, fill: str = BONE, edge: str = EDGE) -> str:
    return (
        f'<rect y="7" width="{width}" height="{height}" rx="13" fill="{edge}"/>'
        f'<rect width="{width}" height="{height}" rx="13" fill="{fill}"/>'
    )


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
    return _body(100, 200) + bone_marks(code)


def bone_lying(code: str) -> str:
    """A bone on its side, 200 by 107: the first number to the left, the edge still below."""
    return f'{_body(200, 100)}<g transform="translate(0 100) rotate(-90)">{bone_marks(code)}</g>'


def bone_back() -> str:
    """A bone face down: the back mark in a diamond. Only the edge below says which side is nearer."""
    return (
        _body(100, 200, "var(--lid)", "#4A3008")
        + '<rect x="9" y="9" width="82" height="182" rx="7" fill="none" stroke="#FFFDF8" stroke-opacity=".22" stroke-width="1.6"/>'
        '<path d="M50 52 78 100 50 148 22 100Z" fill="none" stroke="#FFFDF8" stroke-opacity=".3" stroke-width="1.6"/>'
        + fold("var(--lid)", ".92", "translate(50 100) scale(1.15) translate(-12 -12)")
    )


#: A sun with a stroke through it, 100 by 100.
STRUCK_SUN = (
    '<g fill="none" stroke="var(--pip)" stroke-width="6" stroke-linecap="round"><circle cx="50" cy="50" r="15"/>'
    '<path d="M50 16v10M50 74v10M16 50h10M74 50h10M26 26l7 7M67 67l7 7M26 74l7-7M67 33l7-7"/>'
    f'<path d="M80 20 20 80" stroke="{BONE}" stroke-width="16"/><path d="M82 18 18 82"/></g>'
)


def half_bone(code: str) -> str:
    """Half a bone, for the trump; the half without a number is a struck sun: no trumps at all."""
    marks = pips(int(code)) if code.isdigit() else STRUCK_SUN
    return (
        f'<rect y="5" width="100" height="100" rx="20" fill="{EDGE}"/><rect width="100" height="100" rx="20" fill="{BONE}"'
        f' stroke="{EDGE}" stroke-width="2"/>{marks}'
    )


def picture(code: str, small: bool, lying: bool) -> Picture | None:
    """A bone by its halves ("64"), or half a one ("half-6", "half-nello")."""
    if code in HALVES:
        return Picture(f'<use href="#reveille-{code}"/>', HALF)
    if not re.fullmatch(r"[0-6][0-6]", code):
        return None
    high, low = sorted(code, reverse=True)
    return Picture(f'<use href="#reveille-{high}{low}{"-lying" if lying else ""}"/>', LYING if lying else STANDING)


def prints(code: str) -> Print | None:
    """The pips of both halves as digits."""
    return Print("·".join(code), "pip", "bone") if len(code) == 2 else None


def symbols() -> tuple[Symbol, ...]:
    """All bones, standing and lying, and the halves."""
    bones = [f"{high}{low}" for high in range(7) for low in range(high + 1)]
    standing = (Symbol(code, STANDING, bone_face(code)) for code in bones)
    lying = (Symbol(f"{code}-lying", LYING, bone_lying(code)) for code in bones)
    halves = (Symbol(name, HALF, half_bone(name.removeprefix("half-"))) for name in HALVES)
    return (*chain.from_iterable(zip(standing, lying, strict=True)), *halves)


HALVES = tuple(f"half-{name}" for name in (*range(7), "nello"))
RAYS = "".join(
    f'<path d="M48 26V12" transform="rotate({a} 48 46)" stroke="{GLOW}" stroke-width="5" stroke-linecap="round"/>'
    for a in (-60, -30, 0, 30, 60)
)
EMBLEM = (
    f'<rect x="24" y="-2" width="48" height="100" rx="8" fill="{PAPER}"/>'
    f'<svg x="25" y="1" width="46" height="46" viewBox="25 0 46 46">{RAYS}'
    f'<path d="M34 43a14 14 0 0 1 28 0Z" fill="{GLOW}"/>'
    '<path d="M30 46.500H66" stroke="var(--lid)" stroke-width="3" stroke-linecap="round"/></svg>'
    + "".join(
        f'<circle cx="{x}" cy="{y}" r="4.8" fill="var(--lid)"/>'
        for x, y in ((36, 60), (60, 60), (48, 73), (36, 86), (60, 86))
    )
)

CSS = """
& { --landing: bone; }
& .piece { --r: calc(var(--w) * .13); height: calc(var(--w) * 2.07); }
& .piece.m-lying, & .trick .piece { width: calc(var(--w) * 2); height: calc(var(--w) * 1.07); }
& .tag { right: 50%; translate: 50% 0; bottom: -7px; min-width: 24px; background: var(--accent); border-color: #F5E9CD; font-size: 12.5px; height: 21px; }
& .m-lying .tag { bottom: auto; top: -10px; right: 4px; translate: 0; }
& .stack { box-shadow: 1px 5px 0 -1px #4A3008, 2px 9px 0 -2px #3c2606; margin-bottom: 10px; }
& .row .pieces { gap: clamp(3px, 1.3vw, 8px); flex-wrap: nowrap; }
& .trick .k-slot { border-radius: 15px; }
"""

BACK = Symbol("back", STANDING, bone_back())
ART = Art("reveille", COLOURS, EMBLEM, symbols(), BACK, picture, CSS, PIP, "halves", 5, prints)
