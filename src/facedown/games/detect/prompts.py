"""Prompts of Detect: the question to a player, and the places and buttons from which the player chooses.

A prompt also has the reasons why other places and buttons cannot be chosen now.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facedown.core.grammar import acting_seats, digits, player_phrase
from facedown.core.state import OPEN, RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Choice, Refusals, Sitter, TouchPath, TouchStep, refusals_for, steps_from_paths
from facedown.core.table_building import choosing_sentence, continue_step
from facedown.core.translation import cache_by_language
from facedown.games.detect.costly_moves import confirm_if_costly
from facedown.games.detect.i18n import N_, _
from facedown.games.detect.info import SetOptional
from facedown.games.detect.log import match_result_sentence, round_winners_sentence
from facedown.games.detect.rules import CELLS, DRAWN_SLOT, PAIRS, ROWS, Act, DetectPosition, Phase
from facedown.games.detect.view import (
    cell_place_id,
    completes_column,
    describe_cell,
    is_face_down,
    known_number,
    number_on_undecided_set,
    top_discard_number,
)

FIRST_TWO = N_("First choose two cards in your grid to flip.")
SCORED = N_("This round is over. The next one starts once everyone is ready.")
EMPTY = N_("The discard pile is empty: draw a card.")


def refusal(view: View, action: int) -> str:
    """Return why the viewer, who is to act, may not take an action, as one sentence; "" if the action is legal."""
    v = plain_view(view, DetectPosition)
    kind, number = Act.decode(action)
    if v.phase == Phase.SCORING:
        return "" if kind == Act.CONTINUE else _(SCORED)
    if kind == Act.CONTINUE:
        return _("This round isn’t over yet: it ends when somebody has no face-down cards left.")
    if v.phase == Phase.OPENING:
        outside = kind != Act.OPEN_PAIR or any(v.outside >> int(cell) & 1 for cell in PAIRS[number])
        return _(FIRST_TWO) if outside else ""
    if kind == Act.OPEN_PAIR:
        return _("You’ve already flipped your first two cards.")
    if v.phase == Phase.SET:
        return "" if kind in (Act.REMOVE, Act.LEAVE) else _undecided_set_reason(number_on_undecided_set(v))
    if kind in (Act.REMOVE, Act.LEAVE):
        if v.opt.set_optional == SetOptional.NO:
            return _("Three equal numbers in a column are removed at once: there is nothing to decide.")
        return _("You can only choose what to do with a column right after completing a set in it.")
    if kind in (Act.TAKE, Act.DRAW):
        if v.phase == Phase.DRAWN:
            return _already_drawn_reason(known_number(v, DRAWN_SLOT))
        if kind == Act.DRAW:
            return ""
        return _cannot_place_reason(v, number) if v.discard_count else _(EMPTY)
    if v.phase == Phase.TURN:
        return _no_card_drawn_reason(top_discard_number(v))
    return _cannot_place_reason(v, number) if kind == Act.KEEP else _cannot_flip_reason(v, number)


def refusals(v: DetectPosition, sitters: Sequence[Sitter], touched: TouchPath = ()) -> Refusals:
    """Return pairs (id of a place on the page, text that says why the viewer cannot select this place now).

    `touched` are the places that the viewer has already selected for this move. The result is empty for a spectator and
    after the match.
    """
    if v.viewer == SPECTATOR or v.over != RUNNING:
        return ()
    if not v.acting >> v.viewer & 1:
        return _refusals_for_all_places(v.viewer, _waiting_reason(v, sitters))
    match v.phase:
        case Phase.OPENING:
            return refusals_for(("draw", "discard"), _(FIRST_TWO))
        case Phase.TURN:
            return tuple(_turn_refusals(v, touched))
        case Phase.DRAWN:
            return tuple(_drawn_card_refusals(v, touched))
        case Phase.SET:
            return _refusals_for_all_places(v.viewer, _undecided_set_reason(number_on_undecided_set(v)))
    return _refusals_for_all_places(v.viewer, _(SCORED))


@cache_by_language
def _refusals_for_all_places(seat: int, reason: str) -> Refusals:
    """Return pairs (id of a place on the page, `reason`), for every cell of a seat's grid and for both piles.

    `reason` is a text that says why the viewer can select none of these places now.
    """
    return refusals_for((*(cell_place_id(seat, cell) for cell in range(CELLS)), "draw", "discard"), reason)


def _waiting_reason(v: DetectPosition, sitters: Sequence[Sitter]) -> str:
    if v.phase == Phase.OPENING:
        return _("You’ve chosen. Cards flip once everyone has.")
    if v.phase == Phase.SCORING:
        return _("Waiting for {who:you} to continue.", who=player_phrase(sitters, acting_seats(v), v.viewer))
    return choosing_sentence(v, sitters)


def _turn_refusals(v: DetectPosition, touched: TouchPath) -> Iterator[tuple[str, str]]:
    """Yield (id of a place on the page, reason) for each place that the viewer cannot select at the start of a turn.

    The reason is a text that says why.

    To draw a card, the viewer selects the draw pile. To take the top discard, the viewer selects the discard pile and
    then a cell for the card. If `touched` is not empty, the viewer has already selected the discard pile.
    """
    top = top_discard_number(v)
    taken = bool(touched)
    if top is None:
        yield "discard", _(EMPTY)
    elif taken:
        yield "draw", _("You’re taking the {card}: choose it again to put it back.", card=digits(top))
    for cell in range(CELLS):
        if v.gone[v.viewer] >> cell & 1:
            yield cell_place_id(v.viewer, cell), _cannot_place_reason(v, cell)
        elif not taken:
            yield cell_place_id(v.viewer, cell), _no_card_drawn_reason(top)


def _drawn_card_refusals(v: DetectPosition, touched: TouchPath) -> Iterator[tuple[str, str]]:
    """Yield (id of a place on the page, reason) for each place that the viewer cannot select after drawing a card.

    The reason is a text that says why.

    To keep the drawn card, the viewer selects a cell for it. To discard it, the viewer selects the discard pile and
    then a cell with a face-down card. This move turns that card face up. If `touched` is not empty, the viewer has
    already selected the discard pile.
    """
    drawn = known_number(v, DRAWN_SLOT)
    yield "draw", _already_drawn_reason(drawn)
    if not touched:
        yield "drawn", _already_drawn_reason(drawn)
    for cell in range(CELLS):
        if reason := _cannot_flip_reason(v, cell) if touched else _cannot_place_reason(v, cell):
            yield cell_place_id(v.viewer, cell), reason


# --- reasons for refused moves ----------------------------------------------------------------------------------------


def _undecided_set_reason(number: int) -> str:
    return _("First choose what to do with the three {card}s: remove them or keep them.", card=digits(number))


def _no_card_drawn_reason(top: int | None) -> str:
    """Return why no card can be placed, discarded or flipped before a card is taken or drawn.

    `top` is the number on top of the discard pile, or None if the pile is empty.
    """
    if top is None:
        return _("First draw a card: the discard pile is empty.")
    return _("First take the {card} from the discard pile, or draw a card.", card=digits(top))


def _already_drawn_reason(number: int) -> str:
    return _("First put the {card} in your grid or discard it.", card=digits(number))


def _cannot_place_reason(v: DetectPosition, cell: int) -> str:
    """Return why the viewer cannot place a card in a cell of their own grid, or "" if this is possible.

    There are two possible reasons: a small grid does not have this cell, or the column of the cell has been removed.
    """
    if v.outside >> cell & 1:
        return _("That cell doesn’t exist: this grid is smaller than usual.")
    if v.gone[v.viewer] >> cell & 1:
        return _("Column {column} has been removed: there’s no card there.", column=cell // ROWS + 1)
    return ""


def _cannot_flip_reason(v: DetectPosition, cell: int) -> str:
    """Return why the viewer cannot flip the card in a cell of their own grid, or "" if this is possible.

    There are two possible reasons: the cell has no card, or its card is face up already.
    """
    if v.gone[v.viewer] >> cell & 1 or is_face_down(v, v.viewer, cell):
        return _cannot_place_reason(v, cell)
    card = digits(known_number(v, v.viewer * CELLS + cell))
    return _("The {card} in {where} is already face up: flip a face-down card.", card=card, where=describe_cell(cell))


def step_of(v: DetectPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> TouchStep:
    """Return the prompt for the viewer, with the places and buttons whose selection leads to each of the legal
    `actions`.

    If `actions` is empty, the prompt says which players still have to act, or how the match ended.
    """
    if v.over != RUNNING:
        return TouchStep(match_result_sentence(v, sitters))
    if v.phase == Phase.SCORING:
        help_text = _("Take your time. The next round starts once everyone is ready.")
        further = _("Continue to round {number}", number=v.round_number + 1)
        step = continue_step(v, actions, sitters, round_winners_sentence(v, sitters), further, "score", help_text)
        return step._replace(refusals=refusals(v, sitters))
    if not actions:
        return _waiting_step(v, sitters)
    if v.phase == Phase.OPENING:
        return _opening_pair_step(v.viewer, tuple(actions), refusals(v, sitters))
    steps = {Phase.TURN: _turn_step, Phase.DRAWN: _drawn_card_step, Phase.SET: _undecided_set_step}
    return steps[Phase(v.phase)](v, actions, sitters)


def _waiting_step(v: DetectPosition, sitters: Sequence[Sitter]) -> TouchStep:
    if v.phase == Phase.OPENING:
        mine = v.viewer != SPECTATOR and v.sealed[v.viewer] != OPEN
        help_text = _("You’ve chosen. Cards flip once everyone has.") if mine else _("Everyone flips two cards.")
        return TouchStep(choosing_sentence(v, sitters), help_text, rule="opening", refusals=refusals(v, sitters))
    return TouchStep(choosing_sentence(v, sitters), rule="turn", refusals=refusals(v, sitters))


@cache_by_language
def _opening_pair_step(seat: int, actions: tuple[int, ...], refused: Refusals) -> TouchStep:
    """Return the prompt for the first two cards to flip: the viewer selects them in either order, then a button.

    `refused` has pairs (id of a place on the page, text that says why the viewer cannot select this place).
    """
    paths: list[tuple[int, TouchPath]] = []
    for action in actions:
        a, b = (cell_place_id(seat, cell) for cell in PAIRS[action - Act.OPEN_PAIR])
        paths += [(action, (a, b, "turn-two")), (action, (b, a, "turn-two"))]

    def ask(prefix: TouchPath) -> TouchStep:
        questions = _("Which two cards will you flip?"), _("And the second card?"), _("Flip these two?")
        help_text = _("Nobody sees the cards until everyone has chosen. Whoever has the highest total starts.")
        return TouchStep(questions[len(prefix)], help_text, rule="opening", refusals=refused, picks="set")

    def dress(path: TouchPath, bare: Choice) -> Choice:
        return bare._replace(button=_("Flip two cards"), primary=True) if path[-1] == "turn-two" else bare

    return steps_from_paths(paths, ask, dress)


def _turn_step(v: DetectPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> TouchStep:
    top = top_discard_number(v)
    paths: list[tuple[int, TouchPath]] = [
        (action, ("draw",) if action == Act.DRAW else ("discard", cell_place_id(v.viewer, action - Act.TAKE)))
        for action in actions
    ]
    last = " " + _("This is your last turn.") if v.ender >= 0 else ""

    def ask(prefix: TouchPath) -> TouchStep:
        refused = refusals(v, sitters, prefix)
        if top is None:
            return TouchStep(_("Draw a card."), _("The discard pile is empty.") + last, rule="draw", refusals=refused)
        if prefix:
            help_text = _("Choose a place in your grid. The card there goes on the discard pile.")
            return TouchStep(_("Where does the {card} go?", card=digits(top)), help_text, rule="take", refusals=refused)
        help_text = _("Choose the discard pile to take its top card, or the draw pile for a new one.")
        return TouchStep(
            _("Take the {card} or draw?", card=digits(top)), help_text + last, rule="turn", refusals=refused
        )

    def dress(path: TouchPath, bare: Choice) -> Choice:
        if path == ("draw",):
            return bare._replace(button=_("Draw a card"))
        return confirm_if_costly(v, _with_completed_column_note(v, bare, top), sitters) if len(path) == 2 else bare

    return steps_from_paths(paths, ask, dress)


def _drawn_card_step(v: DetectPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> TouchStep:
    number = known_number(v, DRAWN_SLOT)
    drawn = digits(number)
    paths: list[tuple[int, TouchPath]] = []
    for action in actions:
        kind, cell = Act.decode(action)
        place = cell_place_id(v.viewer, cell)
        paths.append((action, (place,) if kind == Act.KEEP else ("discard", place)))

    def ask(prefix: TouchPath) -> TouchStep:
        refused = refusals(v, sitters, prefix)
        if prefix:
            goes = _("The {card} goes on the discard pile.", card=drawn)
            return TouchStep(_("Which card will you flip?"), goes, rule="throw", refusals=refused)
        keep = _("To keep it, choose a place in your grid.")
        throw = _("Or choose the discard pile and flip a card.")
        return TouchStep(
            _("Keep the {card} or discard it?", card=drawn), f"{keep} {throw}", rule="keep", refusals=refused
        )

    def dress(path: TouchPath, bare: Choice) -> Choice:
        if path == ("discard",):
            return bare._replace(button=_("Discard the {card}", card=drawn), sign="swap")
        kept = _with_completed_column_note(v, bare, number) if len(path) == 1 else bare
        return confirm_if_costly(v, kept, sitters)

    return steps_from_paths(paths, ask, dress)


def _with_completed_column_note(v: DetectPosition, bare: Choice, number: int | None) -> Choice:
    """Return a copy of `bare` with a note such as "three 7s" if the choice completes a column of equal cards.

    The choice `bare` places a card in a cell. `number` is the number on the card, or None if it is not known. If it is
    None, or if the card completes no column, return `bare` itself.
    """
    if bare.action is None or number is None or not completes_column(v, v.viewer, Act.decode(bare.action)[1], number):
        return bare
    return bare._replace(says=_("three {card}s", card=digits(number)))


def _undecided_set_step(v: DetectPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> TouchStep:
    number = number_on_undecided_set(v)
    help_text = _("Decide now: you’ll be asked again only if you complete another set in this column.")
    away = Choice("remove", button=_("Remove them"), primary=number > 0, action=Act.REMOVE.value)
    leave = Choice("leave", button=_("Keep them"), primary=number <= 0, action=Act.LEAVE.value)
    question = _("Remove the three {card}s?", card=digits(number))
    return TouchStep(question, help_text, (away, leave), "set", refusals(v, sitters))
