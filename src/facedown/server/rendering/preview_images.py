"""Link previews: pictures of 1200 × 630 px that chat programs and search engines show next to a link.

The pictures are composed as SVG from the same art as the pages, in the light theme, and rendered to PNG by resvg. A
picture shows a match as a `Table`, so it discloses no more than the table's viewer saw. A picture without a `Table`
shows card backs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from markupsafe import escape

from facedown.core.game_registry import art, catalogue
from facedown.core.svg_card_parts import numeral
from facedown.core.table import Piece, Table, Zone
from facedown.server.rendering import table_layout
from facedown.server.rendering.assets import DIST_DIR
from facedown.server.rendering.design_token_reader import tokens
from facedown.server.rendering.icons import brand
from facedown.server.rendering.piece_svg import ROLE_COLOURS, drawing, sprite

WIDTH, HEIGHT = 1200, 630
MARGIN = 60
#: Right edge of the text in the left part of the picture, in px from the picture's left edge.
TEXT_RIGHT = 600
#: Box in the right part of the picture that contains the table: (x, y, width, height) in px.
TABLE_BOX = (700, 50, 440, 530)
#: Font sizes to try for the heading, largest first, in px.
HEADING_SIZES = (78, 70, 62, 54, 46)
#: Maximum number of lines of the heading.
MAX_HEADING_LINES = 4
SERIF, SANS = "Crimson Pro", "Inter"
_FONTS = tuple(str(DIST_DIR / name) for name in ("serif.ttf", "sans.ttf", "sans-bold.ttf"))
#: Text that the bundled fonts (`_FONTS`) can show. Other text needs the fonts of the operating system.
_LATIN = re.compile(r"[\u0000-\u024f\u1e00-\u1eff\u2000-\u206f\u20ac\u2190-\u2193\u2212]*")
_VAR = re.compile(r"var\(--([\w-]+)(?:,\s*([^()]*))?\)")
#: Estimated widths of the serif font's characters, as fractions of the font size: narrow ones, broad ones, capitals and
#: digits, all others.
_NARROW, _BROAD, _TALL, _USUAL = 0.27, 0.8, 0.6, 0.47

_GRADIENTS = (
    '<defs><radialGradient id="cloth" cx=".58" cy=".42" r=".75"><stop offset="0" stop-color="var(--cloth2)"/>'
    '<stop offset="1" stop-color="var(--cloth)"/></radialGradient><linearGradient id="lid" x2="0" y2="1">'
    '<stop offset="0" stop-color="var(--lid)"/><stop offset="1" stop-color="var(--lid2)"/></linearGradient></defs>'
)
#: Largest number of touchable pieces that are marked with rings. If there are more, no piece is marked.
MAX_RINGS = 6

#: Space between pieces, in SVG units (a card is 100 units wide).
GAP = 14.0
#: Margin around the table for rings and numbered discs (pins) that extend beyond a piece, in SVG units (a card is 100
#: units wide).
SVG_MARGIN = 26.0


class Preview(NamedTuple):
    """Content of the picture that chat apps show for a link to this site: texts, and the table of a match."""

    game: str
    """Name of the game; "" for the site itself, with the emblems of all games."""
    heading: str
    """Heading of a few words."""
    text_after_name: str = ""
    """Short text that follows the game's name on the same line, such as "Round 2"; may be empty."""
    line: str = ""
    """Line below the heading."""
    table: Table | None = None
    """Table that is shown at the right, as its viewer sees it; None for card backs."""


class _Block(NamedTuple):
    """A laid-out part of the picture: its size, and its SVG with the origin at its top left."""

    width: float
    height: float
    inside: str

    def svg_at(self, x: float, y: float) -> str:
        """Return the SVG with its top left corner at (x, y)."""
        return f'<g transform="translate({x:.1f} {y:.1f})">{self.inside}</g>' if self.inside else ""


# --- table ------------------------------------------------------------------------------------------------------------


def _piece_block(game: str, piece: Piece, lit: frozenset[str]) -> _Block:
    """Return the drawing of a piece (card or tile): 100 units wide, or 200 if it is wider than high.

    The piece is marked with a ring if `lit` contains its place.
    """
    if piece.kind in ("slot", "gap", "gone"):
        if piece.kind != "slot" and piece.place not in lit:
            return _Block(100, 140, "")
        lines = 'stroke="#251D16" stroke-opacity=".3" stroke-dasharray="6 5"', 'stroke="var(--accent)" stroke-width="4"'
        place = '<rect x="2" y="2" width="96" height="136" rx="9" fill="#FFFDF8" fill-opacity=".5"'
        return _Block(100, 140, f"{place} {lines[piece.place in lit]}/>")
    lying = "lying" in piece.marks
    shown = str(drawing(game, piece.kind, piece.face, lying=lying))
    found = re.search(r'viewBox="([-\d.]+) ([-\d.]+) ([\d.]+) ([\d.]+)"', shown)
    assert found
    wide, high = float(found[3]), float(found[4])
    width = 200.0 if wide > high else 100.0
    height = width * high / wide
    placed = shown.replace("<svg ", f'<svg width="{width:g}" height="{height:g}" ', 1)
    if piece.place in lit:
        placed += (
            f'<rect x="-5" y="-5" width="{width + 10:g}" height="{height + 10:g}" rx="14" fill="none"'
            ' stroke="var(--accent)" stroke-width="5"/>'
        )
    if "faded" in piece.marks:
        placed = f'<g opacity=".45">{placed}</g>'
    return _Block(width, height, placed + "".join(map(_numbered_pin_svg, piece.marks)))


def _numbered_pin_svg(mark: str) -> str:
    """Return the SVG of a small disc with the number N if `mark` is "pin-N"; "" for any other mark of a piece.

    The disc (pin) is drawn on the piece, so that a text can refer to the piece by this number.
    """
    kind, _, number = mark.partition("-")
    if kind != "pin":
        return ""
    inside = numeral(number, 24, -8, 19, stroke=5).replace("currentColor", "#FFFDF8")
    return f'<circle cx="24" cy="-8" r="15" fill="#1C1917" stroke="#FFFDF8" stroke-width="2.5"/>{inside}'


def _join_side_by_side_or_below(
    blocks: Sequence[_Block], down: bool, gap: float = GAP, visible_before_next: Sequence[float] = ()
) -> _Block:
    """Return one block that contains the given blocks in a row or, if `down` is true, in a column.

    * `gap`: the space between two blocks. It is used only if `visible_before_next` is empty.
    * `visible_before_next`: for each block, the distance from its start to the start of the next block. A distance
      smaller than the block makes the two blocks overlap. The last value is not used.

    In a row the blocks are centred vertically, in a column horizontally.
    """
    blocks = [block for block in blocks if block.width]
    sizes = [(block.height, block.width) if down else (block.width, block.height) for block in blocks]
    across = max((wide for _long, wide in sizes), default=0.0)
    at, end, parts = 0.0, 0.0, []
    for number, (block, (long, wide)) in enumerate(zip(blocks, sizes, strict=True)):
        side = (across - wide) / 2
        parts.append(block.svg_at(side, at) if down else block.svg_at(at, side))
        end = at + long
        at = at + visible_before_next[number] if visible_before_next else end + gap
    inside = "".join(parts)
    return _Block(across, end, inside) if down else _Block(end, across, inside)


_hstack = partial(_join_side_by_side_or_below, down=False)
_vstack = partial(_join_side_by_side_or_below, down=True)


def _zone_block(game: str, zone: Zone, lit: frozenset[str]) -> _Block:
    """Return the drawing of a zone (group of cards). Pieces whose places are in `lit` are marked with rings."""
    pieces = [piece for piece in zone.pieces if piece.kind != "gap" or piece.place in lit]
    blocks = [_piece_block(game, piece, lit) for piece in pieces]
    if not blocks or zone.kind == "pairs":
        return _Block(0, 0, "")
    if zone.kind == "heap":
        return _scale_block(_arrange_in_rows(blocks[:12], 6), 0.5)
    if zone.kind == "pile":
        sheets = "".join(
            f'<rect x="{-3 * k}" y="{5 * k}" width="100" height="{blocks[0].height}" rx="9.5" fill="#E9E2D6"'
            ' stroke="#3C2812" stroke-opacity=".22"/>'
            for k in (2, 1)
        )
        return _Block(100, blocks[0].height + 10, sheets + blocks[0].inside)
    if zone.kind == "grid" and zone.columns:
        return _arrange_in_rows(blocks, zone.columns)
    if zone.kind == "cascade":
        strips = [52.0 if piece.kind == "face" else 22.0 for piece in pieces]
        return _vstack(blocks, visible_before_next=strips)
    if zone.kind == "fan" or len(blocks) > 6:
        strip = min(86.0, 700.0 / len(blocks)) if zone.area != "seat" else min(40.0, 320.0 / len(blocks))
        return _hstack(blocks, visible_before_next=[strip] * len(blocks))
    return _hstack(blocks)


def _arrange_in_rows(blocks: Sequence[_Block], columns: int, gap: float = GAP, below: float = GAP) -> _Block:
    """Return one block with the given blocks in rows of `columns` blocks each.

    `gap` is the space between the blocks of a row, `below` the space between rows.
    """
    return _vstack([_hstack(blocks[at : at + columns], gap=gap) for at in range(0, len(blocks), columns)], gap=below)


def _scale_block(block: _Block, by: float) -> _Block:
    return _Block(block.width * by, block.height * by, f'<g transform="scale({by})">{block.inside}</g>')


def _table_block(table: Table) -> _Block:
    """Return the drawing of a whole table: the other players above, then the middle, and the viewer's cards below."""
    game, lit = table.game, table_layout.touchable_ids(table.step)
    if sum(piece.place in lit for zone in table.zones for piece in zone.pieces) > MAX_RINGS:
        # If there were rings around this many pieces, they would not highlight anything.
        lit = frozenset()
    found = table_layout.arrangement_of(table)
    others = [_hstack([_zone_block(game, zone, lit) for zone in other.zones]) for other in found.others]
    middle = [
        _area_item_block(game, thing, lit)
        for name in ("left", "center", "right")
        for thing in found.area_contents(name)
    ]
    own = [_area_item_block(game, thing, lit) for name in ("you", "hand") for thing in found.area_contents(name)]
    if table.layout.kind == "bands":
        return _vstack([*others, *own], gap=24)
    columns = 1 if len(others) == 1 else 2 if len(others) in (2, 4) else 3
    # In the layouts "fans" and "trick" the other players' hands are face down and show nothing, so draw them smallest.
    small = 0.5 if table.layout.kind in ("fans", "trick") else 1.0 if len(others) == 1 else 0.8
    above = _scale_block(_arrange_in_rows(others, columns, 40, 30), small)
    return _vstack([above, _hstack(middle, gap=40), *own], gap=36)


def _area_item_block(game: str, thing: Any, lit: frozenset[str]) -> _Block:
    if isinstance(thing, Zone):
        return _zone_block(game, thing, lit)
    if isinstance(thing, table_layout.ZoneGroup):
        return _vstack([_zone_block(game, zone, lit) for zone in thing.zones])
    return _Block(0, 0, "")


def _all_game_lids() -> _Block:
    """Return the drawing for the preview of the site itself: one picture for each game, three in a row.

    Each picture looks like the lid of a game box: a rounded rectangle in the game's colour, with the game's emblem.
    """
    lids = [
        _Block(
            150,
            190,
            f'<rect width="150" height="190" rx="20" fill="var(--{info.name}-lid)"/>'
            f'<svg x="27" y="42" width="96" height="102" viewBox="0 -3 96 102">{art(info.name).emblem}</svg>',
        )
        for info in catalogue().values()
    ]
    return _arrange_in_rows(lids, 3, 24, 24)


def _card_backs(game: str) -> _Block:
    """Return rows of card backs. They are shown in place of a running match, which strangers must not see."""
    return _arrange_in_rows([_piece_block(game, Piece(f"back-{at}", "back"), frozenset()) for at in range(12)], 4)


# --- text -------------------------------------------------------------------------------------------------------------


def _text_width(text: str) -> float:
    """Return the estimated width of a text in the serif font, as a multiple of the font size."""

    def letter(sign: str) -> float:
        if sign in "iljtfrI.,:;'’!|() ":
            return _NARROW
        if sign in "mwMWQO":
            return _BROAD
        return _TALL if sign.isupper() or sign.isdigit() or ord(sign) > 0x2FF else _USUAL

    return sum(map(letter, text))


def wrap_text(text: str, width: float) -> list[str]:
    """Break a text into lines no wider than `width`, given as a multiple of the font size.

    A word that is wider than a line is shortened.

    >>> wrap_text("Which column would you choose?", 7.4)
    ['Which column', 'would you', 'choose?']
    """
    lines = [""]
    for given in text.split():
        word = given
        while _text_width(word) > width:
            word = word[:-2] + "…"
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _text_width(longer) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _fit_heading(text: str) -> tuple[int, list[str]]:
    """Return (font size, lines) for the largest font size at which a heading fits.

    If it fits at none, the smallest size is used and the last line ends in an ellipsis.
    """
    lines: list[str] = []
    for size in HEADING_SIZES:
        lines = wrap_text(text, (TEXT_RIGHT - MARGIN) / size)
        if len(lines) * size <= 4.4 * HEADING_SIZES[0] - 40 and len(lines) <= MAX_HEADING_LINES:
            return size, lines
    return HEADING_SIZES[-1], [*lines[: MAX_HEADING_LINES - 1], lines[MAX_HEADING_LINES - 1] + " …"]


def _game_title_svg(preview: Preview) -> str:
    """Return the SVG of the game's emblem and name, followed by `preview.text_after_name`, such as "Round 2"."""
    info = catalogue()[preview.game]
    return (
        f'<rect x="{MARGIN}" y="56" width="48" height="48" rx="11" fill="url(#lid)"/>'
        f'<svg x="{MARGIN + 6}" y="60" width="36" height="38" viewBox="0 -3 96 102">{art(preview.game).emblem}</svg>'
        f'<text x="{MARGIN + 64}" y="88" font-family="{SANS}" font-size="22"><tspan font-weight="700" fill="#251D16">'
        f'{escape(info.title)}</tspan> <tspan fill="#5F5347">{escape(preview.text_after_name)}</tspan></text>'
    )


def _text_svg(preview: Preview) -> Iterator[str]:
    """Yield the SVG elements at the left, from top to bottom: game's name, heading, line of text, the site's logo."""
    if preview.game:
        yield _game_title_svg(preview)
    size, lines = _fit_heading(preview.heading)
    y = 160 + 0.62 * size
    for line in lines:
        yield (
            f'<text x="{MARGIN}" y="{y:.0f}" font-family="{SERIF}" font-size="{size}" fill="#251D16">'
            f"{escape(line)}</text>"
        )
        y += size
    said = wrap_text(preview.line, 22.5)
    for part in said[:2]:
        yield f'<text x="{MARGIN}" y="{y:.0f}" font-family="{SANS}" font-size="25" fill="#5F5347">{escape(part)}</text>'
        y += 34
    mark = str(brand()).replace("<svg ", f'<svg x="{MARGIN}" y="535" width="29" height="38" color="#251D16" ', 1)
    yield f'{mark}<text x="{MARGIN + 42}" y="564" font-family="{SERIF}" font-size="32" fill="#251D16">Facedown</text>'


# --- the picture ------------------------------------------------------------------------------------------------------


def preview_svg(preview: Preview) -> str:
    """Return a preview as SVG, with colour values in place of CSS variables.

    >>> game = next(iter(catalogue()))
    >>> 'var(' in preview_svg(Preview(game, "Ada invites you"))
    False
    """
    game = preview.game
    left, top, wide, high = TABLE_BOX
    things = (
        _all_game_lids() if not game else _card_backs(game) if preview.table is None else _table_block(preview.table)
    )
    scale = min(wide / max(things.width, 1), high / max(things.height, 1), 0.95)
    x, y = left + (wide - scale * things.width) / 2, top + (high - scale * things.height) / 2
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">',
        _GRADIENTS,
        str(sprite(game)) if game else "",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="url(#cloth)"/>',
        f'<g transform="translate({x:.1f} {y:.1f}) scale({scale:.3f})">{things.inside}</g>',
        *_text_svg(preview),
        "</svg>",
    )
    return _resolve_colours("".join(parts), game)


def table_svg(table: Table) -> str:
    """Return a table as an SVG picture without background, in the colours of the light theme.

    Of the cards, the picture shows only the faces that `table.viewer` sees.
    """
    things = _table_block(table)
    wide, high = things.width + 2 * SVG_MARGIN, things.height + 2 * SVG_MARGIN
    used = set(re.findall(r'href="#([^"]+)"', things.inside))
    faces = re.sub(
        r'<symbol id="([^"]+)".*?</symbol>',
        lambda found: found[0] if found[1] in used else "",
        str(sprite(table.game)),
        flags=re.DOTALL,
    )
    return _resolve_colours(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-SVG_MARGIN:g} {-SVG_MARGIN:g} {wide:.1f} {high:.1f}"'
        f' width="{wide:.0f}" height="{high:.0f}">{faces}{things.inside}</svg>',
        table.game,
    )


def _resolve_colours(svg: str, game: str) -> str:
    """Return an SVG with all CSS variables replaced by their values in the light theme."""
    known = tokens("light")
    page, ink = known["bg"], known["ink"]
    house = {"cloth": page, "cloth2": page, "accent": ink, "lid": ink, "lid2": ink}
    own = {use: known[f"{game}-{name}"] for use, name in ROLE_COLOURS.items() if f"{game}-{name}" in known}
    known = {**house, **known, **own}

    def value(found: re.Match[str]) -> str:
        return known.get(found[1], found[2] or "#251D16")

    while _VAR.search(svg):
        svg = _VAR.sub(value, svg)
    return svg.replace("currentColor", "#251D16") if "currentColor" in svg and " color=" not in svg else svg


def preview_png(preview: Preview) -> bytes:
    """Return a preview as PNG. It takes about 0.2 s, so call it outside the event loop."""
    texts = f"{preview.heading}{preview.text_after_name}{preview.line}"
    return _render_png(preview_svg(preview), _LATIN.fullmatch(texts) is not None)


@lru_cache(maxsize=64)
def _render_png(svg: str, latin: bool) -> bytes:
    """Render an SVG to PNG. If `latin`, the bundled fonts suffice, so the operating system's fonts are not loaded."""
    import resvg_py

    found: bytes = resvg_py.svg_to_bytes(
        svg_string=svg,
        width=WIDTH,
        height=HEIGHT,
        font_files=list(_FONTS),
        skip_system_fonts=latin,
        font_family=SANS,
        languages=["en"],
    )
    return bytes(found)
