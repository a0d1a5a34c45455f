"""Table of Uncovered! as data for the page and the terminal: hands, panels and scores.

The table is built from the view of one viewer, never from a state with all cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facedown.core.grammar import in_words, player_phrase
from facedown.core.state import RUNNING, SPECTATOR, View
from facedown.core.table import Layout, Panel, Piece, SeatPanel, Sitter, Slip, SlipRow, Table, Zone
from facedown.core.table_building import bare_table, seat_panel, seats_from_the_left
from facedown.games.uncovered.i18n import _, n_
from facedown.games.uncovered.info import INFO, PLACES, Mode, Score
from facedown.games.uncovered.log import shortest_win_sentence
from facedown.games.uncovered.prompts import step_of
from facedown.games.uncovered.rules import RULES, Phase, UncoveredPosition
from facedown.games.uncovered.view import (
    MODES,
    current_or_next_turn_of,
    dealt_hands,
    goal_with_fewest_wrong_cards,
    hands,
    has_reversed_places,
    number_at,
    place_id,
    places_left_to_right,
    position_without_remembered_cards,
    shown_numbers,
    visibility_mark,
)

PHASES = tuple(phase.name.lower() for phase in Phase)


def table(view: View, sitters: Sequence[Sitter]) -> Table:
    """Return the table as the viewer of `view` sees it: hands, panels and scores. The log is added elsewhere.

    `sitters` has the name of the player at each seat, and whether the player is a bot.
    """
    v = position_without_remembered_cards(view)
    seats, over = v.seats, v.over != RUNNING
    return replace(
        bare_table(INFO, v, PHASES[v.phase], step_of(v, RULES.legal_actions(view, v.viewer), sitters)),
        where=_turn_mode_and_players_texts(v),
        seats=tuple(_panel(v, seat, sitters) for seat in range(seats)),
        # The next player's hand is drawn at the top, the viewer's own hand at the bottom.
        zones=tuple(_hand(v, seat, sitters) for seat in seats_from_the_left(v)),
        panels=_panels(v, sitters),
        scores_title=_("Matching hands win"),
        scores_note=_scoring_rule_note(v),
        slips=tuple(_slip(v, seat, sitters) for seat in range(seats)) if over else (),
        layout=Layout("bands", columns=PLACES, backwards=has_reversed_places(v)),
        round=1,
        winners=tuple(range(seats)) if over and v.won == 1 else (),
    )


def _turn_mode_and_players_texts(v: UncoveredPosition) -> tuple[str, ...]:
    start = _("The game is over") if v.over != RUNNING else _("Turn {turn}", turn=v.turn)
    return start, _(MODES[v.opt.mode]), _("{count} players", count=in_words(v.seats))


def _scoring_rule_note(v: UncoveredPosition) -> str:
    if v.opt.score == Score.RAW_TURNS:
        return _("Score: swaps made. Fewer is better.")
    if v.opt.score == Score.REGRET:
        return _("Score: swaps made minus the fewest possible. 0 is perfect.")
    return _("Score: swaps made minus the fewest possible if turn order is ignored. 0 is perfect.")


def _panel(v: UncoveredPosition, seat: int, sitters: Sequence[Sitter]) -> SeatPanel:
    if v.over != RUNNING:
        return seat_panel(v, seat, sitters)
    turn = current_or_next_turn_of(v, seat)
    line = _("next: turn {turn}", turn=turn) if turn == v.turn + 1 else _("turn {turn}", turn=turn)
    turning = v.phase == Phase.TURNING and v.acting >> seat & 1
    return seat_panel(v, seat, sitters, line=line, state=_("choosing") if turning else "")


# --- hands ------------------------------------------------------------------------------------------------------------


def _hand(v: UncoveredPosition, seat: int, sitters: Sequence[Sitter]) -> Zone:
    pieces = tuple(_card(v, PLACES * seat + place, sitters) for place in places_left_to_right(v))
    marks = ("reversed",) if has_reversed_places(v) else ()
    says = _("{who:'Your} hand", who=player_phrase(sitters, seat, v.viewer))
    theirs = Zone(f"hand-{seat}", "row", "seat", pieces, seat=seat, columns=PLACES, marks=marks, says=says)
    return replace(theirs, area="hand", label=_("Your hand"), size="large") if seat == v.viewer else theirs


def _card(v: UncoveredPosition, slot: int, sitters: Sequence[Sitter]) -> Piece:
    owner = player_phrase(sitters, slot // PLACES, v.viewer)
    where = _("{who:'your} position {place}", who=owner, place=slot % PLACES + 1)
    over = v.over != RUNNING
    marks = ["changed"] if slot in (v.swapped, v.swapped_with) and not over else []
    number = number_at(v, slot)
    if number is None:
        return Piece(place_id(slot), "back", name=_("face down"), where=where, marks=tuple(marks))
    if not over and v.opt.mode != Mode.BEGINNER:
        marks.append(visibility_mark(v, slot))
    tag, name = "", str(number)
    if v.turned[slot]:
        marks.append("turned")
        tag, name = _("turned"), _("{number}, turned", number=number)
    return Piece(place_id(slot), "face", str(number), name, where, tuple(filter(None, marks)), tag)


# --- panels -----------------------------------------------------------------------------------------------------------


def _panels(v: UncoveredPosition, sitters: Sequence[Sitter]) -> tuple[Panel, ...]:
    if v.over != RUNNING:
        words = shortest_win_sentence(v, sitters)
        return (Panel("best", "note", "right", {"text": words}),) if words else ()
    swaps, first = v.turn, 0 if v.viewer == SPECTATOR else v.viewer
    says = n_("{count} swap", "{count} swaps", swaps, count=in_words(swaps)) if swaps else _("no swaps yet")
    order, note = [(first + k) % v.seats for k in range(v.seats)], _("Seats in turn order, anticlockwise")
    dial = {"turn": swaps, "says": says, "order": order, "note": note}
    panels = [Panel("dial", "dial", "right", dial)]
    if v.opt.mode != Mode.BEGINNER:
        items = [["all-see", _("everyone")], ["only-you", _("only you")]]
        panels.append(Panel("legend", "legend", "hand", {"items": items[: 1 if v.viewer == SPECTATOR else 2]}))
    return tuple(panels)


# --- slips at the end -------------------------------------------------------------------------------------------------


def _slip(v: UncoveredPosition, seat: int, sitters: Sequence[Sitter]) -> Slip:
    """Return the result of one seat, shown when the game is over: two rows of cards, and the number of wrong cards.

    The first row is the hand as it was dealt. The second row is the hand at the end of the game. All cards are face up.

    A card of the second row is wrong if the nearest winning position has another number at its place. This is the
    winning position that differs from the hands of all seats in the fewest cards (`goal_with_fewest_wrong_cards`).
    Wrong cards are drawn faded.
    """
    assert None not in shown_numbers(v)
    now, dealt = hands(v)[seat], dealt_hands(v)[seat]
    goal = goal_with_fewest_wrong_cards(v)
    wrong = [place for place in range(PLACES) if now[place] != goal[seat][place]]
    # The cards are in the order in which they are on the table. In intermediate mode place 1 is at the right.
    order = places_left_to_right(v)
    was = tuple(_slip_card(seat, "dealt", place, dealt[place]) for place in order)
    lie = tuple(_slip_card(seat, "now", place, now[place], ("faded",) if place in wrong else ()) for place in order)
    rows = (SlipRow(_("Dealt"), was), SlipRow(_("Uncovered"), lie))
    fits = _("every card in place")
    if wrong:
        fits = n_("{count} card out of place", "{count} cards out of place", len(wrong))
    return Slip(seat, fits, " ".join(str(now[place]) for place in order), rows)


def _slip_card(seat: int, row: str, place: int, number: int, marks: tuple[str, ...] = ()) -> Piece:
    where = _("position {place}", place=place + 1)
    return Piece(f"slip-{seat}-{row}-{place + 1}", "face", str(number), str(number), where, marks)
