"""A view of Uncovered! as a table. Nothing here ever sees a state; what happened in words is in `telling`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core.state import RUNNING, SPECTATOR
from facedown.core.table import Panel, Piece, SeatPanel, Sitter, Slip, SlipRow, Table, Zone
from facedown.core.voice import in_words, name_of, plural, whose
from facedown.games.uncovered import INFO
from facedown.games.uncovered.asking import step
from facedown.games.uncovered.fewest import PLACES
from facedown.games.uncovered.rules import BEGINNER, FINISHED, PLAYING, RAW_TURNS, REGRET, TURNING
from facedown.games.uncovered.seen import (
    MODES,
    acting_seat,
    all_see,
    all_shown,
    dealt_hands,
    goal_of,
    hands,
    next_turn_of,
    number_at,
    only_viewer_sees,
    place_id,
    places,
    reversed_places,
)
from facedown.games.uncovered.telling import best_words, open_to, owner_place, result, tell

__all__ = ["open_to", "table", "tell"]

PHASES = {PLAYING: "playing", TURNING: "turning", FINISHED: "finished"}


def table(view: Any, sitters: Sequence[Sitter]) -> Table:
    """What the viewer of `view` sees, without the log."""
    viewer = int(view.viewer)
    seats = int(view.seats)
    over = int(view.over) != RUNNING
    # The next player's hand is on top, your own in the dock.
    order = [(viewer + k) % seats for k in range(1, seats)] if viewer != SPECTATOR else list(range(seats))
    zones = [_hand(view, seat, sitters) for seat in order]
    if viewer != SPECTATOR:
        zones.append(_hand(view, viewer, sitters))
    return Table(
        game=INFO.name,
        title=INFO.title,
        subtitle=_subtitle(view),
        viewer=viewer,
        phase=PHASES[int(view.phase)],
        seats=tuple(_panel(view, seat, sitters) for seat in range(seats)),
        zones=tuple(zones),
        step=step(view, sitters),
        panels=_panels(view, sitters),
        scores_title="All hands alike wins",
        scores_note=_score_note(view),
        slips=tuple(_slip(view, seat, sitters) for seat in range(seats)) if over else (),
        over=over,
        result=result(view, sitters) if over else "",
    )


def _subtitle(view: Any) -> str:
    start = "The game is over" if int(view.over) != RUNNING else f"Turn {int(view.turn)}"
    return f"{start} · {MODES[int(view.mode)]} · {in_words(int(view.seats))} players"


def _score_note(view: Any) -> str:
    scoring = int(view.scoring)
    if scoring == RAW_TURNS:
        return "Score: swaps made. Fewer are better."
    how = "" if scoring == REGRET else " if anybody could swap at any time"
    return f"Score: swaps made, less the fewest that could have done it{how}. 0 is perfect."


def _panel(view: Any, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    acting = acting_seat(view)
    line = state = ""
    if int(view.over) == RUNNING:
        turn = next_turn_of(view, seat)
        next_up = turn == int(view.turn) + 1
        line = f"next, turn {turn}" if next_up else f"turn {turn}"
        if int(view.phase) == TURNING and seat == acting:
            state = "choosing"
    return SeatPanel(
        seat=seat,
        name=name_of(sitters, seat, int(view.viewer)),
        you=seat == int(view.viewer),
        bot=sitters[seat].bot,
        acting=seat == acting,
        line=line,
        state=state,
    )


# --- hands ------------------------------------------------------------------------------------------------------------


def _hand(view: Any, seat: int, sitters: Sequence[Sitter]) -> Zone:
    mine = seat == int(view.viewer)
    return Zone(
        id=f"hand-{seat}",
        kind="row",
        area="hand" if mine else "seat",
        pieces=tuple(_card(view, seat, place, sitters) for place in places(view)),
        label="Your hand" if mine else "",
        seat=seat,
        columns=PLACES,
        size="large" if mine else "normal",
        marks=("reversed",) if reversed_places(view) else (),
        says=f"{whose(sitters, seat, int(view.viewer))} hand",
    )


def _card(view: Any, seat: int, place: int, sitters: Sequence[Sitter]) -> Piece:
    slot = PLACES * seat + place
    where = owner_place(view, slot, sitters)
    marks = []
    over = int(view.over) != RUNNING
    if slot in (int(view.swapped), int(view.swapped_with)) and not over:
        marks.append("changed")
    number = number_at(view, slot)
    if number is None:
        return Piece(place_id(seat, place), "back", where=where, marks=tuple(marks))
    if not over and int(view.mode) != BEGINNER:
        if all_see(view, slot):
            marks.append("all-see")
        elif only_viewer_sees(view, slot):
            marks.append("only-you")
    turned = bool(view.turned[slot])
    if turned:
        marks.append("turned")
    name = f"{number}, turned" if turned else str(number)
    return Piece(place_id(seat, place), "face", str(number), name, where, tuple(marks), "turned" if turned else "")


# --- beside the cards -------------------------------------------------------------------------------------------------


def _panels(view: Any, sitters: Sequence[Sitter]) -> tuple[Panel, ...]:
    if int(view.over) != RUNNING:
        words = best_words(view, sitters)
        return (Panel("best", "note", "right", {"text": words}),) if words else ()
    viewer = int(view.viewer)
    first = 0 if viewer == SPECTATOR else viewer
    seats = int(view.seats)
    swaps = int(view.turn)
    dial = {
        "turn": swaps,
        "says": "no swaps yet" if swaps == 0 else f"{in_words(swaps)} {'swap' if swaps == 1 else 'swaps'}",
        "order": [(first + k) % seats for k in range(seats)],
        "note": "Seats in turn order, counter-clockwise",
    }
    panels = [Panel("dial", "dial", "right", dial)]
    items = []
    if int(view.mode) != BEGINNER:
        items.append(["all-see", "all see"])
        if viewer != SPECTATOR:
            items.append(["only-you", "only you"])
    if items:
        panels.append(Panel("legend", "legend", "hand", {"items": items}))
    return tuple(panels)


# --- the end ----------------------------------------------------------------------------------------------------------


def _slip(view: Any, seat: int, sitters: Sequence[Sitter]) -> Slip:
    """A hand as it was dealt and as it was uncovered; cards that do not fit the nearest goal are marked."""
    assert all_shown(view)
    now, dealt = hands(view)[seat], dealt_hands(view)[seat]
    goal = goal_of(view)
    wrong = [place for place in range(PLACES) if now[place] != goal[seat][place]]
    # As they lie on the table: in intermediate place 1 is at the right.
    order = places(view)
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
