"""Description of a `Table` in sentences for screen readers, which read text aloud line by line.

Screen readers cannot convey drawings or colours. A *piece* is anything that lies on the table: a card or a tile.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facedown.core.grammar import capital
from facedown.core.state import SPECTATOR
from facedown.core.table import Area, Piece, ScoreRow, SeatPanel, Table, Zone, touch_sequences
from facedown.core.translation import isolate_right_to_left
from facedown.terminal.i18n import N_, _, n_
from facedown.terminal.text_blocks import remove_bold_marks, typed_part_of_place_id

#: Words for flags in `Piece.marks` (special ways to draw the piece). They are read aloud after the name of the piece.
#: Other flags have no words.
MARK_WORDS = {"picked": N_("picked"), "chosen": N_("chosen"), "root": N_("root"), "faded": N_("does not count")}


def piece_text(piece: Piece) -> str:
    """Describe a piece in words: its name, its flags (such as "picked", "does not count"), and the text on it (`tag`).

    The tag is left out if the name already contains it.
    """
    said = "" if piece.kind == "gap" else piece.name
    if piece.kind == "slot" and said == _("face down"):
        said = _("empty")
    marks = [_(says) for mark, says in MARK_WORDS.items() if mark in piece.marks]
    tag = "" if piece.tag_said else piece.tag
    return ", ".join(part for part in (said, *marks, tag) if part)


def zone_sentences(zone: Zone) -> Iterator[str]:
    """Yield sentences about the cards in a zone (group of cards). A grid has one sentence per row."""
    label = remove_bold_marks(zone.label)
    if zone.kind == "heap":
        # Only the number of places is read aloud, because all tiles are face down. The player types the place of a tile
        # to pick it.
        places = _("{label}, places 1 to {last}.", label=label, last=len(zone.pieces))
        yield places if zone.pieces else (label or _("Empty")) + "."
        return
    if zone.kind == "pile":
        top, where = (piece_text(zone.pieces[0]), zone.pieces[0].where) if zone.pieces else (_("empty"), "")
        yield f"{capital(where) or label}: {top}{', ' + label if label and where else ''}."
        return
    head = label or remove_bold_marks(zone.note) or (zone.says if zone.brief else "")
    if zone.kind == "grid" and zone.columns:
        for row, at in enumerate(range(0, len(zone.pieces), zone.columns), 1):
            pieces = zone.pieces[at : at + zone.columns]
            said = (
                f"{typed_part_of_place_id(p.place)} {piece_text(p)}" if zone.area == "you" else piece_text(p)
                for p in pieces
            )
            yield _("Row {row}: {cards}.", row=row, cards="; ".join(said))
        return
    yield from _card_sentences(zone, label, capital(head))
    if zone.note and head != remove_bold_marks(zone.note) and zone.kind != "trick":
        yield f"{capital(remove_bold_marks(zone.note).rstrip('.'))}."


def _card_sentences(zone: Zone, label: str, list_heading: str) -> Iterator[str]:
    """Yield sentences about the cards of a zone (group of cards).

    * A trick: each card has a sentence of its own. The last sentence is `label`, the zone's label.
    * Any other zone: the cards are listed after `list_heading`, a short text that names the zone ("Your hand").

    Cards are numbered if the player types their numbers in moves.
    """
    cards = [p for p in zone.pieces if p.kind != "gap"]
    pieces = [piece_text(p) for p in cards]
    head = f"{list_heading}: " if list_heading else ""
    if zone.kind == "trick":
        yield from (f"{capital(piece.where)}: {piece_text(piece)}." for piece in cards)
        yield from ([f"{label}."] if label else [])
    elif len(cards) > 1 and zone.area == "hand":
        head = _("{cards}, places 1 to {last}:", cards=list_heading or _("Your cards"), last=len(cards))
        yield "\n".join([head, *(f"  {one}." for one in _numbered_card_texts(zone))])
    elif len(cards) > 1 and zone.area == "seat" and zone.columns:
        yield f"{head}{capital('; '.join(_numbered_card_texts(zone)))}."
    elif len(cards) > 1 and zone.area in ("left", "center", "right") and zone.kind == "row":
        head = _("{label}:", label=list_heading or _("On the table"))
        yield "\n".join([head, *(f"  {p.where}: {piece_text(p)}." for p in cards)])
    elif zone.kind == "cascade" and len(cards) > 1:
        rows = [_("row {number} {card}", number=p.row, card=piece_text(p)) if p.row else piece_text(p) for p in cards]
        yield f"{head}{'; '.join(rows)}."
    elif len(pieces) > 1 and len(set(pieces)) == 1:
        yield head + n_("{count} card, {name}.", "{count} cards, {name}.", len(pieces), name=pieces[0])
    elif pieces and pieces[0] and list_heading.endswith(pieces[0]):
        yield f"{list_heading}."
    elif pieces:
        yield f"{list_heading + ('. ' if ':' in list_heading else ': ') if list_heading else ''}{'; '.join(pieces)}."


#: Words that say who knows a card. The keys are flags in `Piece.marks`.
KNOWLEDGE_WORDS = {"all-see": N_("known to everyone"), "only-you": N_("known only to you")}


def _numbered_card_texts(zone: Zone) -> list[str]:
    """Return a text for each card of a zone, in the order of place numbers: the number, the card, and who knows it."""
    cards = [p for p in zone.pieces if p.kind != "gap"]
    numbers = [int(typed_part_of_place_id(p.place)) if zone.columns else i for i, p in enumerate(cards, 1)]
    known = ("".join(f", {_(KNOWLEDGE_WORDS[mark])}" for mark in p.marks if mark in KNOWLEDGE_WORDS) for p in cards)
    rows = sorted(zip(numbers, map(piece_text, cards), known, strict=True))
    return [_("place {number}: {card}", number=number, card=name + who) for number, name, who in rows]


def gap_numbering_sentences(table: Table) -> Iterator[str]:
    """If a legal move inserts a card into a gap of the hand, yield a sentence on how the gaps are numbered."""
    touched = {choice.touch for touches in touch_sequences(table.step) for choice in touches}
    gaps = [p for zone in table.zones if zone.area == "hand" for p in zone.pieces if p.kind == "gap"]
    if any(gap.place in touched for gap in gaps):
        told = N_(
            "To place a card you take, type how many cards should be to its left: 0 for the left end, {most} for "
            "the right end."
        )
        yield _(told, most=len(gaps) - 1)


def score_text_unless_shown(panel: SeatPanel, row: ScoreRow | None) -> str:
    """Return the score of a seat as text; empty if the seat's text (`panel.line`) or a badge shows it already."""
    said = row is None or panel.says_total or any(badge.of and badge.count == row.points for badge in panel.badges)
    return "" if row is None or said else row.total


def own_card_sentences(table: Table, areas: Sequence[Area] = ("you", "hand")) -> list[str]:
    """Return sentences about the viewer's own cards in these `areas` of the table.

    While the viewer chooses which way up to hold the hand, both ways are described. For a spectator there are no
    sentences.
    """
    if table.viewer == SPECTATOR:
        return []
    mine = (zone for zone in table.zones if zone.area in areas and zone.seat in (table.viewer, None))
    return [*(sentence for zone in mine for sentence in zone_sentences(zone)), *gap_numbering_sentences(table)]


def table_sentences(table: Table) -> Iterator[str]:
    """Yield sentences about the whole table, from top to bottom."""
    parts = [capital(part) for part in (table.title, *table.where, table.turn_words) if part]
    yield f"{'. '.join(parts)}.".replace("!.", "!").replace("?.", "?")
    scores = {row.seat: row for row in table.scores}
    for panel in sorted(table.seats, key=lambda p: p.you):
        badges = (badge.says for badge in panel.badges)
        about = [score_text_unless_shown(panel, scores.get(panel.seat)), panel.line, panel.state, *badges]
        told = ", ".join(part for part in about if part) or _("nothing yet")
        name = _("{name}, a bot", name=panel.name) if panel.bot else isolate_right_to_left(panel.name)
        yield f"{name}: {told}."
        if panel.seat == table.viewer:
            yield from own_card_sentences(table)
            continue
        for zone in table.zones:
            if zone.seat == panel.seat and zone.area in ("seat", "you", "hand"):
                yield from zone_sentences(zone)
    for zone in table.zones:
        if zone.area in ("left", "center", "right"):
            yield from zone_sentences(zone)
    for one in table.panels:
        text = one.data.get("text") or one.data.get("says") or one.data.get("title")
        if text:
            yield f"{capital(remove_bold_marks(str(text)).rstrip('.'))}."
    names = {panel.seat: isolate_right_to_left(panel.name) for panel in table.seats}
    for slip in table.slips:
        yield f"{names.get(slip.seat, '')}: {slip.points}. {remove_bold_marks(slip.sum)}".strip()
    if table.result:
        yield remove_bold_marks(table.result)
