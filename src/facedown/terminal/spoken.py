"""Any `Table` in sentences, for a screen reader: no colours, no drawings, nothing that stands beside something else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from facedown.core.state import SPECTATOR
from facedown.core.table import Area, Piece, SeatPanel, Table, Zone
from facedown.core.voice import in_words
from facedown.terminal.blocks import plain, tail_of

_ROW = re.compile(r" row \d+")


def named(piece: Piece) -> str:
    """A piece in words."""
    said = {"slot": piece.name if piece.name != "face down" else "empty", "gap": ""}.get(piece.kind, piece.name)
    marks: list[str] = [m for m in ("picked", "chosen", "root") if m in piece.marks]
    if "faded" in piece.marks:
        marks.append("does not count")
    # A name may say what the tag says: "5·5, counts ten".
    tag = "" if piece.tag.isdigit() and in_words(int(piece.tag)) in said.split() else piece.tag
    return ", ".join(part for part in (said, *marks, tag) if part)


def zone_sentences(zone: Zone) -> Iterator[str]:
    """What lies in a zone, a sentence for each row."""
    label = plain(zone.label)
    if zone.kind in ("pile", "heap"):
        top = named(zone.pieces[0]) if zone.pieces else "empty"
        where = zone.pieces[0].where if zone.pieces else ""
        yield f"{where[:1].upper()}{where[1:] or label}: {top}{', ' + label if label and where else ''}."
        return
    head = label or plain(zone.note) or _place(zone)
    said = head[:1].upper() + head[1:]
    if zone.kind == "grid" and zone.columns:
        for row, at in enumerate(range(0, len(zone.pieces), zone.columns), 1):
            pieces = [
                f"{tail_of(p.place)} {named(p)}" if zone.area == "you" else named(p)
                for p in zone.pieces[at : at + zone.columns]
            ]
            yield f"Row {row}: {'; '.join(pieces)}."
        return
    pieces = [named(p) for p in zone.pieces if p.kind != "gap"]
    if pieces and len(set(pieces)) == 1 and len(pieces) > 1:
        yield f"{said + ': ' if said else ''}{len(pieces)} cards, {pieces[0]}."
    elif pieces:
        yield f"{said + ': ' if said else ''}{'; '.join(pieces)}."
    if zone.note and head != plain(zone.note):
        yield f"{plain(zone.note).rstrip('.')}."


def _place(zone: Zone) -> str:
    """Where the rows of a zone without a label lie: "your row 1, left" is one of "Your, left"."""
    where = zone.pieces[0].where if zone.pieces else ""
    place, rows = _ROW.subn("", where)
    return place[:1].upper() + place[1:] if rows else ""


def says_score(panel: SeatPanel, score: str) -> bool:
    """Does a line of a seat begin with its score already?"""
    # Marks are the score of their game; cards and coins are not, though there may be as many.
    said = (panel.line, *(badge.says for badge in panel.badges if badge.of))
    return any(one.startswith(f"{score} ") for one in said)


def own_sentences(table: Table, areas: Sequence[Area] = ("you", "hand")) -> list[str]:
    """What lies before the viewer: the hand, the grid, or the readings of a hand to choose from."""
    if table.viewer == SPECTATOR:
        return []
    return [
        sentence
        for zone in table.zones
        if zone.area in areas and zone.seat in (table.viewer, None)
        for sentence in zone_sentences(zone)
    ]


def table_sentences(table: Table) -> Iterator[str]:
    """The whole table, read from top to bottom."""
    parts = [part[:1].upper() + part[1:] for part in (table.title, *table.subtitle.split(" · ")) if part]
    yield f"{'. '.join(parts)}."
    scores = {row.seat: row.total for row in table.scores}
    for panel in sorted(table.seats, key=lambda p: p.you):
        score = scores.get(panel.seat, "")
        if says_score(panel, score):
            score = ""
        about = [score, panel.line, panel.state, *(badge.says for badge in panel.badges)]
        bot = ", a bot" if panel.bot else ""
        yield f"{panel.name}{bot}: {', '.join(part for part in about if part) or 'nothing yet'}."
        if panel.seat == table.viewer:
            yield from own_sentences(table)
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
            yield f"{plain(str(text)).rstrip('.')}."
    for slip in table.slips:
        name = next((p.name for p in table.seats if p.seat == slip.seat), "")
        yield f"{name}: {slip.points}. {plain(slip.sum)}".strip()
    if table.result:
        yield plain(table.result)
