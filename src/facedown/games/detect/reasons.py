"""Why something cannot be done now: the same sentences for a move that is typed and for a place that is touched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facedown.core.language import cached_in_language
from facedown.core.state import RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Path, Refusals, Sitter, refused
from facedown.core.usual import choosing
from facedown.core.voice import acting_seats, digits, who
from facedown.games.detect.info import SetOptional
from facedown.games.detect.rules import CELLS, HAND, ROWS, Act, DetectPosition, Phase
from facedown.games.detect.texts import N_, _
from facedown.games.detect.view import cell_place, decided_about, is_down, number_seen, top_discard, where

FIRST_TWO = N_("First choose two cards in your grid to flip.")
SCORED = N_("This round is over. The next one starts once everyone taps Continue.")
EMPTY = N_("The discard pile is empty: draw a card.")


def refusal(view: View, action: int) -> str:
    """Why the seat whose view it is, which is to act, may not take an action that is not legal: one sentence."""
    v = plain_view(view, DetectPosition)
    kind, number = Act.of(action)
    if v.phase == Phase.SCORING:
        return _(SCORED)
    if kind == Act.CONTINUE:
        return _("This round is not over yet: it ends when somebody has no face-down card left.")
    if v.phase == Phase.OPENING:
        return _(FIRST_TWO)
    if kind == Act.OPEN_PAIR:
        return _("You flipped your first two cards when this round began.")
    if v.phase == Phase.SET:
        return _decide(decided_about(v))
    if kind in (Act.REMOVE, Act.LEAVE):
        if v.opt.set_optional == SetOptional.NO:
            return _("Three equal numbers in a column are removed at once: there is nothing to decide.")
        return _("You decide about a column only when you have just made its three cards equal.")
    if kind in (Act.TAKE, Act.DRAW):
        if v.phase == Phase.DRAWN:
            return _drawn(number_seen(v, HAND))
        return _gone(v, number) if v.discard_count else _(EMPTY)
    if v.phase == Phase.TURN:
        return _nothing_drawn(top_discard(v))
    return _gone(v, number) if kind == Act.KEEP else _closed(v, number)


def refusals(v: DetectPosition, sitters: Sequence[Sitter], touched: Path = ()) -> Refusals:
    """(touch, reason) for all that the viewer may touch at other times, but not after these touches."""
    if v.viewer == SPECTATOR or v.over != RUNNING:
        return ()
    if not v.acting >> v.viewer & 1:
        return _all_places(v.viewer, _waiting(v, sitters))
    match v.phase:
        case Phase.OPENING:
            return refused(("draw", "discard"), _(FIRST_TWO))
        case Phase.TURN:
            return tuple(_turn(v, touched))
        case Phase.DRAWN:
            return tuple(_drawn_card(v, touched))
        case Phase.SET:
            return _all_places(v.viewer, _decide(decided_about(v)))
    return _all_places(v.viewer, _(SCORED))


@cached_in_language
def _all_places(seat: int, reason: str) -> Refusals:
    """The same reason for a seat's whole grid and both piles."""
    return refused((*(cell_place(seat, cell) for cell in range(CELLS)), "draw", "discard"), reason)


def _waiting(v: DetectPosition, sitters: Sequence[Sitter]) -> str:
    if v.phase == Phase.OPENING:
        return _("You’ve chosen. Cards flip once everyone has.")
    if v.phase == Phase.SCORING:
        return _("Waiting for {who:you} to continue.", who=who(sitters, acting_seats(v), v.viewer))
    return choosing(v, sitters)


def _turn(v: DetectPosition, touched: Path) -> Iterator[tuple[str, str]]:
    """Before anything is taken or drawn: first the pile, then the place."""
    top = top_discard(v)
    taken = bool(touched)
    if top is None:
        yield "discard", _(EMPTY)
    elif taken:
        yield "draw", _("You are taking the {card}: touch it again to leave it there.", card=digits(top))
    for cell in range(CELLS):
        if v.gone[v.viewer] >> cell & 1:
            yield cell_place(v.viewer, cell), _gone(v, cell)
        elif not taken:
            yield cell_place(v.viewer, cell), _nothing_drawn(top)


def _drawn_card(v: DetectPosition, touched: Path) -> Iterator[tuple[str, str]]:
    """With a card in the air: it goes to a place, or on the discard pile."""
    drawn = number_seen(v, HAND)
    yield "draw", _drawn(drawn)
    if not touched:
        yield "drawn", _drawn(drawn)
    for cell in range(CELLS):
        if reason := _closed(v, cell) if touched else _gone(v, cell):
            yield cell_place(v.viewer, cell), reason


# --- the sentences ----------------------------------------------------------------------------------------------------


def _decide(number: int) -> str:
    return _("First decide about the three {card}s: remove them or keep them.", card=digits(number))


def _nothing_drawn(top: int | None) -> str:
    """Something would be laid, thrown or turned, and there is nothing to lay yet."""
    if top is None:
        return _("First draw a card: the discard pile is empty.")
    return _("First take the {card} from the discard pile, or draw a card.", card=digits(top))


def _drawn(number: int) -> str:
    return _("You drew the {card}: keep it in your grid or discard it.", card=digits(number))


def _gone(v: DetectPosition, cell: int) -> str:
    """Why a cell takes no card: no card lies there; "" if one does."""
    if v.outside >> cell & 1:
        return _("This grid is smaller: it has no such place.")
    if v.gone[v.viewer] >> cell & 1:
        return _("Column {column} is gone: no card lies there.", column=cell // ROWS + 1)
    return ""


def _closed(v: DetectPosition, cell: int) -> str:
    """Why a cell has no card to flip: it is gone, or its card is face up; "" if its card is face down."""
    if v.gone[v.viewer] >> cell & 1 or is_down(v, v.viewer, cell):
        return _gone(v, cell)
    card = digits(number_seen(v, v.viewer * CELLS + cell))
    return _("The {card} in {where} is face up already: flip a face-down card.", card=card, where=where(cell))
