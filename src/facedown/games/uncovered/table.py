"""A view of Uncovered! as a table. Nothing here ever sees a state."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.state import RUNNING, SPECTATOR, View
from facedown.core.table import Layout, Panel, Piece, SeatPanel, Sitter, Slip, SlipRow, Table, Zone
from facedown.core.voice import in_words, name_of, plural, whose
from facedown.games.uncovered.cards import PLACES
from facedown.games.uncovered.info import INFO, Mode, Score
from facedown.games.uncovered.log import best_words, owner_place, result_of
from facedown.games.uncovered.prompts import step_of
from facedown.games.uncovered.rules import FINISHED, PLAYING, RULES, TURNING, UncoveredPosition
from facedown.games.uncovered.view import (
    MODES,
    acting_seat,
    all_see,
    all_shown,
    dealt_hands,
    goal_of,
    hands,
    next_turn_of,
    number_at,
    on_table,
    only_viewer_sees,
    place_id,
    places,
    reversed_places,
)

PHASES = {PLAYING: "playing", TURNING: "turning", FINISHED: "finished"}


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """What the viewer sees, without the log."""
    v = on_table(view)
    viewer = v.viewer
    seats = v.seats
    over = v.over != RUNNING
    # The next player's hand is on top, your own in the dock.
    order = [(viewer + k) % seats for k in range(1, seats)] if viewer != SPECTATOR else list(range(seats))
    zones = [_hand(v, seat, sitters) for seat in order]
    if viewer != SPECTATOR:
        zones.append(_hand(v, viewer, sitters))
    return Table(
        game=INFO.name,
        title=INFO.title,
        where=_where(v),
        viewer=viewer,
        phase=PHASES[v.phase],
        seats=tuple(_panel(v, seat, sitters) for seat in range(seats)),
        zones=tuple(zones),
        step=step_of(v, RULES.legal_actions(view, viewer), sitters),
        panels=_panels(v, sitters),
        scores_title="All hands alike wins",
        scores_note=_score_note(v),
        slips=tuple(_slip(v, seat, sitters) for seat in range(seats)) if over else (),
        over=over,
        result=result_of(v, sitters) if over else "",
        layout=Layout("bands", columns=PLACES, backwards=reversed_places(v)),
        round=1,
        winners=tuple(range(seats)) if over and v.won == 1 else (),
    )


def _where(v: UncoveredPosition) -> tuple[str, ...]:
    start = "The game is over" if v.over != RUNNING else f"Turn {v.turn}"
    return start, MODES[v.opt.mode], f"{in_words(v.seats)} players"


def _score_note(v: UncoveredPosition) -> str:
    if v.opt.score == Score.RAW_TURNS:
        return "Score: swaps made. Fewer are better."
    how = "" if v.opt.score == Score.REGRET else " if anybody could swap at any time"
    return f"Score: swaps made, less the fewest that could have done it{how}. 0 is perfect."


def _panel(v: UncoveredPosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    acting = acting_seat(v)
    line = state = ""
    if v.over == RUNNING:
        turn = next_turn_of(v, seat)
        next_up = turn == v.turn + 1
        line = f"next, turn {turn}" if next_up else f"turn {turn}"
        if v.phase == TURNING and seat == acting:
            state = "choosing"
    return SeatPanel(
        seat=seat,
        name=name_of(sitters, seat, v.viewer),
        you=seat == v.viewer,
        bot=sitters[seat].bot,
        acting=seat == acting,
        line=line,
        state=state,
    )


# --- hands ------------------------------------------------------------------------------------------------------------


def _hand(v: UncoveredPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    mine = seat == v.viewer
    return Zone(
        id=f"hand-{seat}",
        kind="row",
        area="hand" if mine else "seat",
        pieces=tuple(_card(v, seat, place, sitters) for place in places(v)),
        label="Your hand" if mine else "",
        seat=seat,
        columns=PLACES,
        size="large" if mine else "normal",
        marks=("reversed",) if reversed_places(v) else (),
        says=f"{whose(sitters, seat, v.viewer)} hand",
    )


def _card(v: UncoveredPosition, seat: int, place: int, sitters: Sequence[Sitter]) -> Piece:
    slot = PLACES * seat + place
    where = owner_place(v, slot, sitters)
    marks = []
    over = v.over != RUNNING
    if slot in (v.swapped, v.swapped_with) and not over:
        marks.append("changed")
    number = number_at(v, slot)
    if number is None:
        return Piece(place_id(seat, place), "back", where=where, marks=tuple(marks))
    if not over and v.opt.mode != Mode.BEGINNER:
        if all_see(v, slot):
            marks.append("all-see")
        elif only_viewer_sees(v, slot):
            marks.append("only-you")
    turned = v.turned[slot] == 1
    if turned:
        marks.append("turned")
    name = f"{number}, turned" if turned else str(number)
    return Piece(place_id(seat, place), "face", str(number), name, where, tuple(marks), "turned" if turned else "")


# --- beside the cards -------------------------------------------------------------------------------------------------


def _panels(v: UncoveredPosition, sitters: Sequence[Sitter]) -> tuple[Panel, ...]:
    if v.over != RUNNING:
        words = best_words(v, sitters)
        return (Panel("best", "note", "right", {"text": words}),) if words else ()
    viewer = v.viewer
    first = 0 if viewer == SPECTATOR else viewer
    seats = v.seats
    swaps = v.turn
    dial = {
        "turn": swaps,
        "says": "no swaps yet" if swaps == 0 else f"{in_words(swaps)} {'swap' if swaps == 1 else 'swaps'}",
        "order": [(first + k) % seats for k in range(seats)],
        "note": "Seats in turn order, counter-clockwise",
    }
    panels = [Panel("dial", "dial", "right", dial)]
    items = []
    if v.opt.mode != Mode.BEGINNER:
        items.append(["all-see", "all see"])
        if viewer != SPECTATOR:
            items.append(["only-you", "only you"])
    if items:
        panels.append(Panel("legend", "legend", "hand", {"items": items}))
    return tuple(panels)


# --- the end ----------------------------------------------------------------------------------------------------------


def _slip(v: UncoveredPosition, seat: int, sitters: Sequence[Sitter]) -> Slip:
    """A hand as it was dealt and as it was uncovered; cards that do not fit the nearest goal are marked."""
    assert all_shown(v)
    now, dealt = hands(v)[seat], dealt_hands(v)[seat]
    goal = goal_of(v)
    wrong = [place for place in range(PLACES) if now[place] != goal[seat][place]]
    # As they lie on the table: in intermediate place 1 is at the right.
    order = places(v)
    rows = (
        SlipRow("Dealt", tuple(_slip_card(seat, "dealt", place, dealt[place]) for place in order)),
        SlipRow(
            "Uncovered",
            tuple(_slip_card(seat, "now", place, now[place], ("faded",) if place in wrong else ()) for place in order),
        ),
    )
    fits = "every card fits" if not wrong else f"{plural(len(wrong), 'card')} out of place"
    return Slip(seat, fits, " ".join(str(now[place]) for place in order), rows)


def _slip_card(seat: int, row: str, place: int, number: int, marks: tuple[str, ...] = ()) -> Piece:
    return Piece(f"slip-{seat}-{row}-{place + 1}", "face", str(number), str(number), f"place {place + 1}", marks)
