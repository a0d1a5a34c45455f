"""A view of Detect as a table. Nothing here ever sees a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from facedown.core.state import RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Layout, Piece, ScoreRow, SeatPanel, Sitter, Slip, SlipRow, Table, Zone
from facedown.core.voice import digits, has, name_of, names_of, verb, whose
from facedown.games.detect.info import INFO, DoubleScope
from facedown.games.detect.log import result_of
from facedown.games.detect.prompts import step_of
from facedown.games.detect.rules import (
    CELLS,
    COLUMNS,
    DRAWN,
    HAND,
    OPENING,
    PAIRS,
    ROWS,
    RULES,
    SCORING,
    SET,
    TURN,
    DetectPosition,
)
from facedown.games.detect.view import (
    LETTERS,
    cell_place,
    in_turns,
    is_down,
    number_at,
    open_sum,
    top_discard,
    winners_of,
)

PHASES = {OPENING: "opening", TURN: "turn", DRAWN: "drawn", SET: "set", SCORING: "scoring"}
#: From which phase to which a turn goes on, if the same seat is still to act.
GOES_ON = frozenset({("turn", "drawn"), ("turn", "set"), ("drawn", "set")})


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """What the viewer sees, without the log."""
    v = plain_view(view, DetectPosition)
    viewer = v.viewer
    seats = v.seats
    # Others follow in turn order, from the viewer's left.
    order = [(viewer + k) % seats for k in range(1, seats)] if viewer != SPECTATOR else list(range(seats))
    zones = [_grid(v, seat, sitters, mine=False) for seat in order]
    zones += _piles(v)
    if viewer != SPECTATOR:
        zones.append(_grid(v, viewer, sitters, mine=True))
    over = v.over != RUNNING
    return Table(
        game=INFO.name,
        title=INFO.title,
        where=_where(v),
        viewer=viewer,
        phase=PHASES[v.phase],
        seats=tuple(_panel(v, seat, sitters) for seat in range(seats)),
        zones=tuple(zones),
        step=step_of(v, RULES.legal_actions(view, viewer), sitters),
        scores_title=f"Round {v.round_number} · lowest total wins at 100",
        scores=_scores(v, sitters),
        slips=_slips(v, sitters) if v.phase == SCORING else (),
        over=over,
        result=result_of(v, sitters) if over else "",
        layout=Layout("grids", coordinates=True, moment="opening" if v.phase == OPENING else ""),
        round=v.round_number,
        turn=v.turn if in_turns(v) else None,
        winners=tuple(winners_of(v)) if over else (),
    )


def _where(v: DetectPosition) -> tuple[str, ...]:
    start = f"Round {v.round_number}"
    if v.over != RUNNING:
        return start, "the match is over"
    if not in_turns(v):
        return start, "opening" if v.phase == OPENING else "scoring"
    return (start, "last turns") if v.ender >= 0 else (start,)


def _panel(v: DetectPosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    phase = v.phase
    acting = v.acting >> seat & 1 == 1
    state = ""
    done: Literal["", "chosen", "ready"] = ""
    shows: int | None = open_sum(v, seat)
    line = f"shows {digits(open_sum(v, seat))}"
    if phase == OPENING:
        line, shows = "", None
        state, done = ("choosing", "") if acting else ("has chosen", "chosen")
    elif phase == SCORING:
        shows = v.score[seat]
        line = f"{digits(shows)} this round"
        if v.over == RUNNING:
            state, done = ("looking at the cards", "") if acting else ("ready for the next round", "ready")
    elif seat == v.ender:
        state = "ended the round"
    return SeatPanel(
        seat=seat,
        name=name_of(sitters, seat, v.viewer),
        you=seat == v.viewer,
        bot=sitters[seat].bot,
        acting=acting and phase != SCORING,
        line=line,
        state=state,
        done=done,
        shows=shows,
    )


def _grid(v: DetectPosition, seat: int, sitters: Sequence[Sitter], mine: bool) -> Zone:
    pieces = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            pieces.append(_cell(v, seat, column * ROWS + row, mine))
    return Zone(
        id=f"grid-{seat}",
        kind="grid",
        area="you" if mine else "seat",
        pieces=tuple(pieces),
        label="Your grid" if mine else "",
        seat=seat,
        columns=COLUMNS,
        size="large" if mine else "small",
        marks=("tray",) if mine else (),
        says=f"{whose(sitters, seat, v.viewer)} grid",
    )


def _cell(v: DetectPosition, seat: int, cell: int, mine: bool) -> Piece:
    place = cell_place(v, seat, cell)
    where = f"row {cell % ROWS + 1}, column {cell // ROWS + 1}"
    if v.gone[seat] >> cell & 1:
        return Piece(place, "gone", name="removed", where=where)
    if is_down(v, seat, cell):
        picked = mine and v.sealed[seat] >= 0 and cell in PAIRS[v.sealed[seat]]
        return Piece(place, "back", where=where, marks=("picked",) if picked else ())
    number = number_at(v, seat * CELLS + cell)
    assert number is not None
    return Piece(place, "face", str(number), digits(number), where)


def _piles(v: DetectPosition) -> list[Zone]:
    draws = v.draw_count
    discards = v.discard_count
    top = top_discard(v)
    draw_pieces = (Piece("draw", "back", where="draw pile"),) if draws else (Piece("draw", "slot", name="empty"),)
    zones = [
        Zone("draw-pile", "pile", "center", draw_pieces, label=f"**{draws}** to draw", count=draws, says="Draw pile")
    ]
    if v.phase == DRAWN:
        zones.append(_drawn(v))
    shown = (
        (Piece("discard", "face", str(top), digits(top), "discard pile"),)
        if top is not None
        else (Piece("discard", "slot", name="empty", where="discard pile"),)
    )
    label = f"**{discards}** discarded"
    zones.append(Zone("discard-pile", "pile", "center", shown, label=label, count=discards, says="Discard pile"))
    return zones


def _drawn(v: DetectPosition) -> Zone:
    number = number_at(v, HAND)
    if number is None:
        piece = Piece("drawn", "back", where="just drawn", marks=("held",))
        return Zone("drawn-card", "row", "center", (piece,), label="just drawn", says="The drawn card")
    piece = Piece("drawn", "face", str(number), digits(number), "just drawn", marks=("held", "only-you"))
    return Zone("drawn-card", "row", "center", (piece,), label="only you", says="The drawn card")


# --- scores -----------------------------------------------------------------------------------------------------------


def _scores(v: DetectPosition, sitters: Sequence[Sitter]) -> tuple[ScoreRow, ...]:
    scoring = v.phase == SCORING
    over = v.over != RUNNING
    best = winners_of(v)
    rows = []
    for seat in range(v.seats):
        points = v.score[seat] if scoring else open_sum(v, seat)
        if scoring:
            line = f"{digits(points)} this round"
        elif v.phase == OPENING:
            line = "none turned up yet"
        else:
            line = f"shows {digits(points)} this round"
        told = None if v.phase == OPENING else points
        rows.append(ScoreRow(seat, v.total[seat], line, winner=over and seat in best, round=told))
    return tuple(rows)


def _slips(v: DetectPosition, sitters: Sequence[Sitter]) -> tuple[Slip, ...]:
    viewer = v.viewer
    slips = []
    for seat in range(v.seats):
        rows = []
        for row in range(ROWS):
            pieces = tuple(
                replace(_cell(v, seat, column * ROWS + row, False), place=f"slip-{seat}-{LETTERS[column]}{row + 1}")
                for column in range(COLUMNS)
            )
            subtotal = sum(
                number_at(v, seat * CELLS + column * ROWS + row) or 0
                for column in range(COLUMNS)
                if v.up[seat] >> (column * ROWS + row) & 1
            )
            rows.append(SlipRow(f"Row {row + 1}", pieces, digits(subtotal)))
        raw, score = v.raw[seat], v.score[seat]
        best = score == min(v.score[other] for other in range(v.seats))
        ended = "ended the round" if seat == v.ender else ""
        title = ended or ("fewest" if best else f"{digits(v.total[seat])} in all")
        sums = _sum_sentence(v, seat, raw, score, sitters, viewer)
        plain = score == raw and seat != v.ender
        slips.append(Slip(seat, title, digits(score), tuple(rows), sums, best, plain))
    return tuple(slips)


def _sum_sentence(v: DetectPosition, seat: int, raw: int, score: int, sitters: Sequence[Sitter], viewer: int) -> str:
    name = name_of(sitters, seat, viewer)
    if score != raw:
        what = "doubled" if v.opt.double_scope == DoubleScope.ROUND_TOTAL else "with the cards above zero doubled"
        lower = [s for s in range(v.seats) if s != seat and v.raw[s] <= raw]
        others = names_of(sitters, lower, viewer, middle=True)
        return (
            f"**{digits(raw)}, {what}: {digits(score)}.** {name} ended the round,"
            f" but {others} {has(sitters, lower, viewer)} no more."
        )
    if seat == v.ender:
        keeps = verb(sitters, seat, viewer, "keep", "keeps")
        return f"**{digits(raw)}.** {name} ended the round and {keeps} it undoubled."
    return f"**{digits(raw)}.**"
