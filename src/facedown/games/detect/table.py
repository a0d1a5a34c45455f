"""Table of Detect as data for the page and the terminal. It is built from a viewer's view, never from a full state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facedown.core.grammar import digits, player_phrase
from facedown.core.state import RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Layout, Piece, ScoreRow, SeatPanel, Sitter, Slip, SlipRow, Table, Zone
from facedown.core.table_building import bare_table, choosing_panel, round_break_status, seat_panel, seats_from_the_left
from facedown.core.translation import cache_by_language, lru_cache_by_language
from facedown.games.detect.cards import number_of
from facedown.games.detect.i18n import N_, _
from facedown.games.detect.info import INFO, DoubleScope
from facedown.games.detect.prompts import step_of
from facedown.games.detect.rules import CELLS, COLUMNS, DRAWN_SLOT, PAIRS, ROWS, RULES, DetectPosition, Phase
from facedown.games.detect.view import (
    cell_place_id,
    cell_word,
    describe_cell,
    face_up_cells,
    face_up_sum,
    is_turn_phase,
    known_number,
    number_at,
    top_discard_number,
    winners_of,
)

#: Size of the cache of `_cached_cell_pieces`: number of grids.
GRIDS = 4096
PHASES = tuple(phase.name.lower() for phase in Phase)
#: Changes of phase, as (phase before an action, phase after it), that do not end a turn: if the same seat is to act
#: again, it is still the same turn.
TURN_CONTINUATIONS = frozenset({("turn", "drawn"), ("turn", "set"), ("drawn", "set")})


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """Return everything that the viewer sees on the table, except the log."""
    v = plain_view(view, DetectPosition)
    viewer, seats = v.viewer, v.seats
    others = [seat for seat in seats_from_the_left(v) if seat != viewer]
    own = [_grid(v, viewer, sitters)] if viewer != SPECTATOR else []
    over = v.over != RUNNING
    return replace(
        bare_table(INFO, v, PHASES[v.phase], step_of(v, RULES.legal_actions(view, viewer), sitters)),
        where=_progress_texts(v),
        seats=tuple(_panel(v, seat, sitters) for seat in range(seats)),
        zones=(*(_grid(v, seat, sitters) for seat in others), *_piles(v), *own),
        scores_title=_("Round {number} · match ends at 100, lowest total wins", number=v.round_number),
        scores=tuple(_score(v, seat) for seat in range(seats)),
        slips=tuple(_slip(v, seat, sitters) for seat in range(seats)) if v.phase == Phase.SCORING else (),
        layout=Layout("grids", coordinates=True, moment="opening" if v.phase == Phase.OPENING else ""),
        round=v.round_number,
        turn=v.turn if is_turn_phase(v) else None,
        winners=tuple(winners_of(v)) if over else (),
    )


def _progress_texts(v: DetectPosition) -> tuple[str, ...]:
    start = _("Round {number}", number=v.round_number)
    if v.over != RUNNING:
        return start, _("the match is over")
    if not is_turn_phase(v):
        return start, _("opening") if v.phase == Phase.OPENING else _("scoring")
    return (start, _("last turns")) if v.ender >= 0 else (start,)


def _panel(v: DetectPosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    if v.phase == Phase.OPENING:
        return choosing_panel(v, seat, sitters)
    if v.phase == Phase.SCORING:
        line = _("{points} this round", points=digits(v.score[seat]))
        state = round_break_status(v, seat, _("ready for the next round"))
        return seat_panel(v, seat, sitters, between=True, line=line, state=state, shows=v.score[seat])
    shows = face_up_sum(v, seat)
    state = _("ended the round") if seat == v.ender else ""
    return seat_panel(v, seat, sitters, line=_("{points} so far", points=digits(shows)), state=state, shows=shows)


def _grid(v: DetectPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    mine = seat == v.viewer
    picked = tuple(map(int, PAIRS[v.sealed[seat]])) if mine and v.sealed[seat] >= 0 else ()
    cells = _cells(v, seat, picked)
    pieces = tuple([cells[cell] for row in range(ROWS) for cell in _row(row)])
    says = _("{who:'Your} grid", who=player_phrase(sitters, seat, v.viewer))
    grid = Zone(f"grid-{seat}", "grid", "seat", pieces, seat=seat, columns=COLUMNS, size="small", says=says)
    return replace(grid, area="you", label=_("Your grid"), size="large", marks=("tray",)) if mine else grid


def _row(row: int) -> range:
    """Return the cells in a row of a grid, from left to right."""
    return range(row, CELLS, ROWS)


def _cells(v: DetectPosition, seat: int, picked: tuple[int, ...] = ()) -> tuple[Piece, ...]:
    """Return the cells of a seat's grid as pieces (cards and gaps on the page), in the order of the cells.

    `picked` are the cells that the viewer has chosen to flip.
    """
    cards = tuple([v.card[slot] for slot in range(seat * CELLS, (seat + 1) * CELLS)])
    return _cached_cell_pieces(seat, v.gone[seat], v.up[seat], cards, picked)


@lru_cache_by_language(GRIDS)
def _cached_cell_pieces(
    seat: int, gone: int, up: int, cards: tuple[int, ...], picked: tuple[int, ...]
) -> tuple[Piece, ...]:
    """Return a seat's grid as pieces (cards and gaps on the page). The result is cached: most moves change only one
    grid.

    * `gone` and `up`: bit masks of the removed cells and of the face-up cells.
    * `cards`: a kind (card number minus `LOWEST`) for each cell.
    * `picked`: the cells that the viewer has chosen to flip.
    """

    def piece(cell: int) -> Piece:
        place = cell_place_id(seat, cell)
        if gone >> cell & 1:
            return Piece(place, "gone", name=_("removed"), where=describe_cell(cell))
        if up >> cell & 1:
            return _card(place, number_of(cards[cell]), describe_cell(cell))
        return _card(place, None, describe_cell(cell), ("picked",) if cell in picked else ())

    return tuple([piece(cell) for cell in range(CELLS)])


@cache_by_language
def _card(place: str, number: int | None, lies: str, marks: tuple[str, ...] = ()) -> Piece:
    """Return a card as a piece (card on the page) with its number, or with its back if `number` is None.

    `place` is the id of its place on the page, and `lies` describes that place in words. `marks` are described in
    `Piece`.
    """
    if number is None:
        return Piece(place, "back", name=_("face down"), where=lies, marks=marks)
    return Piece(place, "face", str(number), digits(number), lies, marks)


def _piles(v: DetectPosition) -> list[Zone]:
    draws, discards = v.draw_count, v.discard_count
    draw = _card("draw", None, _("draw pile")) if draws else Piece("draw", "slot", name=_("empty"))
    empty = Piece("discard", "slot", name=_("empty"), where=_("discard pile"))
    top = _card("discard", top_discard_number(v), _("discard pile")) if discards else empty
    to_draw, discarded = _("**{count}** left", count=draws), _("**{count}** discarded", count=discards)
    return [
        Zone("draw-pile", "pile", "center", (draw,), label=to_draw, count=draws, says=_("Draw pile")),
        *([_drawn(v)] if v.phase == Phase.DRAWN else []),
        Zone("discard-pile", "pile", "center", (top,), label=discarded, count=discards, says=_("Discard pile")),
    ]


def _drawn(v: DetectPosition) -> Zone:
    number = number_at(v, DRAWN_SLOT)
    drawn = _("just drawn")
    marks, label = (("held",), drawn) if number is None else (("held", "only-you"), _("only you"))
    piece = _card("drawn", number, drawn, marks)
    return Zone("drawn-card", "row", "center", (piece,), label=label, says=_("The drawn card"))


# --- scores -----------------------------------------------------------------------------------------------------------


def _score(v: DetectPosition, seat: int) -> ScoreRow:
    won = v.over != RUNNING and seat in winners_of(v)
    if v.phase == Phase.OPENING:
        return ScoreRow(seat, v.total[seat], _("nothing flipped yet"), won)
    scored = v.phase == Phase.SCORING
    points = v.score[seat] if scored else face_up_sum(v, seat)
    shown = digits(points)
    line = _("{points} this round", points=shown) if scored else _("{points} showing this round", points=shown)
    return ScoreRow(seat, v.total[seat], line, won, points)


def _slip(v: DetectPosition, seat: int, sitters: Sequence[Sitter]) -> Slip:
    score, fewest = v.score[seat], min(list(v.score)[: v.seats])
    best, ended = score == fewest, seat == v.ender
    title = _("fewest points") if best else _("{points} in total", points=digits(v.total[seat]))
    title = _("ended the round") if ended else title
    rows = tuple(_slip_row(v, seat, row) for row in range(ROWS))
    plain = score == v.raw[seat] and not ended
    return Slip(seat, title, digits(score), rows, _sum_sentence(v, seat, sitters), best, plain)


def _slip_row(v: DetectPosition, seat: int, row: int) -> SlipRow:
    laid = _cells(v, seat)
    cells = [laid[cell]._replace(place=f"slip-{seat}-{cell_word(cell)}") for cell in _row(row)]
    subtotal = sum(known_number(v, seat * CELLS + cell) for cell in face_up_cells(v, seat) if cell in _row(row))
    return SlipRow(_("Row {number}", number=row + 1), tuple(cells), digits(subtotal))


def _sum_sentence(v: DetectPosition, seat: int, sitters: Sequence[Sitter]) -> str:
    raw, score = digits(v.raw[seat]), digits(v.score[seat])
    ender = player_phrase(sitters, seat, v.viewer)
    if score != raw:
        lower = [other for other in range(v.seats) if other != seat and v.raw[other] <= v.raw[seat]]
        others = player_phrase(sitters, lower, v.viewer)
        reason = _("{who} ended the round, but {others:you} did at least as well.", who=ender, others=others)
        whole = N_("**{raw}, doubled to {points}.**")
        cards = N_("**{raw}, raised to {points}: cards above zero count double.**")
        doubled = _(whole if v.opt.double_scope == DoubleScope.ROUND_TOTAL else cards, raw=raw, points=score)
        return f"{doubled} {reason}"
    if seat == v.ender:
        return _("**{points}.** {who} ended the round, but the points are not doubled.", points=raw, who=ender)
    return f"**{raw}.**"
