"""Artwork of Reveille as SVG: bones (dominoes) upright or on their side, backs of bones, half bones for trump suits."""

from __future__ import annotations

from facedown.core.art import Art, Colour, Symbol, TerminalFace, load_art_data
from facedown.core.svg_card_parts import PAPER, back_mark, format_coordinate

DRAWN = load_art_data(__file__)
COLOURS: dict[str, Colour] = DRAWN["colours"]
BONE, EDGE = DRAWN["colours"]["bone"], "#C9B48D"
PIPS, CSS = DRAWN["pips"], DRAWN["css"]
STANDING, LYING, HALF = "0 0 100 207", "0 0 200 107", "0 0 100 106"


def pips_svg(count: int, x: float = 0, y: float = 0) -> str:
    """Return the SVG of the pips on one half of a bone; (x, y) is the upper left corner of that half."""
    return "".join(
        f'<circle cx="{format_coordinate(x + px)}" cy="{format_coordinate(y + py)}" r="9.2" fill="url(#pip)"/>'
        for px, py in PIPS[count]
    )


def _body(width: int, height: int, fill: str = BONE, edge: str = EDGE) -> str:
    return (
        f'<rect y="7" width="{width}" height="{height}" rx="13" fill="{edge}"/>'
        f'<rect width="{width}" height="{height}" rx="13" fill="{fill}"/>'
    )


def bone_marks_svg(code: str) -> str:
    """Return the SVG of the marks on an upright bone of 100 by 200 SVG units: frame, groove, brass pin and pips.

    `code` is the two digits of the bone. The first digit is the upper half.
    """
    return (
        '<rect x="1.2" y="1.2" width="97.6" height="197.6" rx="12" fill="none" stroke="#fff" stroke-opacity=".85" stroke-width="2.4"/>'
        '<path d="M14 100H86" stroke="#BF9A5B" stroke-width="2.8" stroke-linecap="round"/>'
        '<circle cx="50" cy="100" r="5" fill="var(--brass)" stroke="#A8782F" stroke-width="1.4"/>'
        f"{pips_svg(int(code[0]), 0, 1)}{pips_svg(int(code[1]), 0, 99)}"
    )


def bone_face_svg(code: str) -> str:
    """Return the SVG of an upright bone, face up, 100 by 207 SVG units.

    The face is 100 by 200. A strip of 7 units below it shows how thick the bone is. `code` is the two digits of the bone. The
    first digit is the upper half.
    """
    return _body(100, 200) + bone_marks_svg(code)


def lying_bone_svg(code: str) -> str:
    """Return the SVG of a face-up bone on its side, 200 by 107 SVG units.

    The face is 200 by 100. A strip of 7 units below it shows how thick the bone is. `code` is the two digits of the bone. The
    first digit is the left half.
    """
    return f'{_body(200, 100)}<g transform="translate(0 100) rotate(-90)">{bone_marks_svg(code)}</g>'


def bone_back_svg() -> str:
    """Return the SVG of a face-down bone, 100 by 207 SVG units.

    In the middle it has a diamond with the same drawing as every card back (`core.svg_card_parts.back_mark`). A strip
    of 7 units below the back shows how thick the bone is.
    """
    return (
        _body(100, 200, "var(--lid)", "#4A3008")
        + '<rect x="9" y="9" width="82" height="182" rx="7" fill="none" stroke="#FFFDF8" stroke-opacity=".22" stroke-width="1.6"/>'
        '<path d="M50 52 78 100 50 148 22 100Z" fill="none" stroke="#FFFDF8" stroke-opacity=".3" stroke-width="1.6"/>'
        + back_mark("var(--lid)", ".92", "translate(50 100) scale(1.15) translate(-12 -12)")
    )


def contract_picture_svg(code: str) -> str:
    """Return the SVG of the picture of a contract.

    For a trump suit (`code` is its digit) it is half a bone with that number of pips. For any other code it is the sign
    of nello (no trumps), a crossed-out sun.
    """
    marks = pips_svg(int(code)) if code.isdigit() else DRAWN["sun"].format(bone=BONE)
    return (
        f'<rect y="5" width="100" height="100" rx="20" fill="{EDGE}"/><rect width="100" height="100" rx="20" fill="{BONE}"'
        f' stroke="{EDGE}" stroke-width="2"/>{marks}'
    )


def terminal_print(code: str) -> TerminalFace | None:
    """Return the terminal's picture of a bone, its two digits with a dot between them, such as "6·4".

    Return None if `code` is not the two digits of a bone.
    """
    return TerminalFace("·".join(code), "pip", "bone") if len(code) == 2 else None


BONES = [f"{high}{low}" for high in range(7) for low in range(high + 1)]
SYMBOLS = (
    *(Symbol(code, STANDING, bone_face_svg(code)) for code in BONES),
    *(Symbol(f"{code}-lying", LYING, lying_bone_svg(code)) for code in BONES),
    *(Symbol(f"half-{name}", HALF, contract_picture_svg(name)) for name in (*"0123456", "nello")),
)
EMBLEM = DRAWN["emblem"].format(paper=PAPER)
BACK = Symbol("back", STANDING, bone_back_svg())
ART = Art(
    "reveille",
    COLOURS,
    EMBLEM,
    SYMBOLS,
    BACK,
    css=CSS,
    defs=DRAWN["pip"],
    form="halves",
    width=5,
    prints=terminal_print,
)
