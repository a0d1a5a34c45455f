"""HTML of pieces: cards, tiles, empty places and gaps between cards.

A table has up to 150 pieces; building their HTML in Python is faster than by a template.
"""

from __future__ import annotations

from markupsafe import Markup, escape

from facedown.core.table import Piece, Zone
from facedown.core.translation import lru_cache_by_language
from facedown.server.i18n import c_
from facedown.server.rendering import table_layout
from facedown.server.rendering.icons import icon
from facedown.server.rendering.piece_svg import drawing

#: Number of pieces whose HTML is cached. Caching helps because most pieces of a zone are unchanged after a move.
CACHED_PIECES = 8192
#: HTML of the arrows where a long hand of cards continues in a second row.
ROW_BREAK = (
    '<i class="rowbreak" aria-hidden="true">'
    '<svg class="hook out" viewBox="0 0 20 40" aria-hidden="true">'
    '<path d="M2 6H8a6 6 0 0 1 6 6V36M9 31l5 5 5-5"/></svg>'
    '<svg class="hook in" viewBox="0 0 20 40" aria-hidden="true">'
    '<path d="M4 2V28a6 6 0 0 0 6 6h7M12 29l5 5 5-5"/></svg>'
    "</i>"
)


@lru_cache_by_language(CACHED_PIECES)
def piece(
    p: Piece,
    game: str,
    small: bool = False,
    in_static_picture: bool = False,
    lying: bool = False,
    untouchable: bool = False,
) -> Markup:
    """Return the HTML of a piece (a card, a tile, an empty place or a gap). Usually it is a button.

    * `untouchable`: return an image that the arrow keys can still reach. This is used if the player cannot touch the
      piece at any step of the current decision.
    * `in_static_picture`: return an image for a static picture. It has no id, and the arrow keys cannot reach it.
    * `small`: use the simplified drawing.
    * `lying`: use the landscape drawing.
    """
    tag = "span" if in_static_picture or untouchable else "button"
    classes = "".join(f" m-{escape(mark)}" for mark in p.marks)
    head = f'class="piece k-{p.kind}{classes}"'
    if in_static_picture:
        head = f'role="img" {head}'
    else:
        role = 'role="img" tabindex="-1"' if untouchable else 'type="button" tabindex="-1" aria-disabled="true"'
        head = f'{role} id="at-{p.place}" {head} data-place="{p.place}" data-kind="{p.kind}"'
        if p.kind == "face":
            head += f' data-face="{p.face}"'
        if p.came:
            head += f' data-came="{p.came}"'
    inside = "".join(_piece_content(p, game, small, in_static_picture, lying or "lying" in p.marks))
    return Markup(f'<{tag} {head} aria-label="{escape(table_layout.piece_aria_label(p))}">{inside}</{tag}>')


def _piece_content(p: Piece, game: str, small: bool, still: bool, lying: bool) -> list[str]:
    """Return the HTML inside the element of a piece (card or tile), as strings to be joined.

    It consists of the drawing, icons or labels for some of the `marks`, and the `tag`. A mark is a name such as
    "only-you" (only the viewer sees the face). The tag is a small label on the piece, such as its points.

    * `small`: use the simplified drawing.
    * `lying`: use the landscape drawing.
    * `still`: the piece belongs to a static picture. Only there, marks that begin with "pin-" or "word-" are shown: as
      a label with the rest of the mark.
    """
    found: list[str] = []
    if p.kind in ("face", "back"):
        found.append(drawing(game, p.kind, p.face, small=small, lying=lying))
    elif p.kind == "gone":
        found.append('<i class="dot"></i>')
    if not p.marks and not p.tag:
        return found
    if "only-you" in p.marks and "held" not in p.marks:
        found.append(f'<i class="sees">{icon("eye-off")}</i>')
    elif "all-see" in p.marks:
        found.append(f'<i class="sees">{icon("eye")}</i>')
    if "root" in p.marks:
        word = c_("a tree of cards", "root")
        found.append(f'<b class="root">{escape(word)}</b>')
    for kind in ("pin", "word") if still else ():
        for mark in p.marks:
            if mark.startswith(f"{kind}-"):
                found.append(f'<b class="{kind}" aria-hidden="true">{escape(mark.removeprefix(f"{kind}-"))}</b>')
    if p.tag:
        found.append(f'<b class="tag">{icon("check") if "confirmed" in p.marks else ""}{escape(p.tag)}</b>')
    return found


def zone_pieces_html(z: Zone, game: str, small: bool, still: bool, touches: frozenset[str]) -> Markup:
    """Return the HTML of all pieces (cards, tiles, gaps) of a zone, which is a group of pieces such as a hand.

    * `touches`: the ids of the zones and places that the player can touch (click or tap). A piece is a button if
      `touches` contains its place or its zone; otherwise it is an image. The zone does not count if "option" is in
      `Zone.marks`: the page then has one button for the whole zone, which this function does not return.
    * `small`: use the simplified drawings.
    * `still`: the zone belongs to a static picture. All its pieces are images, and all gaps between cards are shown.
      Otherwise, only the gaps that can be touched are shown.
    """
    whole, broken, cards, drawn = (
        z.id in touches and "option" not in z.marks,
        table_layout.first_row_card_count(z),
        0,
        [],
    )
    for at, p in enumerate(z.pieces):
        untouchable = not (whole or p.place in touches)
        if p.kind == "gap":
            if untouchable and not still:
                # On a live table, leave out a gap into which no card can be put now. A static picture shows all gaps.
                continue
        else:
            if broken and cards == broken:
                drawn.append(ROW_BREAK)
            cards += 1
        if z.kind == "trick":
            label = z.label if not at and p.kind != "slot" else z.note or p.where
            named = f'<span class="label">{table_layout.bold_marks_to_html(label)}</span>'
            drawn.append(f'<span class="played">{piece(p, game, small, still, True, untouchable)}{named}</span>')
        else:
            drawn.append(piece(p, game, small, still, False, untouchable))
    return Markup("".join(drawn))
