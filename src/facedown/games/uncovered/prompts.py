"""Prompts of Uncovered!: the question to a player, and the places and buttons from which the player chooses.

A prompt also has the reasons why other places and buttons cannot be chosen now. In the code, a touch is the choice of a
place or button, and a refusal is such a reason.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.grammar import acting_seats, player_phrase
from facedown.core.state import RUNNING, View, plain_view
from facedown.core.table import (
    CONFIRM_SUFFIX,
    Choice,
    Refusals,
    Sitter,
    TouchPath,
    TouchStep,
    refusals_for,
    steps_from_paths,
)
from facedown.core.table_building import choosing_sentence
from facedown.games.uncovered.i18n import N_, _, c_, n_
from facedown.games.uncovered.info import PLACES, Mode, SwapVisibility, Turning, number_on
from facedown.games.uncovered.log import match_result_sentence
from facedown.games.uncovered.rules import Act, Phase, UncoveredPosition, decode_swap, slots_of_swap
from facedown.games.uncovered.view import number_at, place_id, shown_numbers, would_uncovering_win

#: Ids of the two buttons for uncovering, which ends the game for everybody. The first button asks the player to confirm
#: this, unless the cards that the viewer sees prove that it wins. The second button uncovers all hands.
UNCOVER_TOUCH = "uncover"
SURE_TOUCH = UNCOVER_TOUCH + CONFIRM_SUFFIX

WITHIN = N_("You can’t swap two cards in the same hand.")


# --- reasons why actions are not allowed ------------------------------------------------------------------------------


def refusal(view: View, action: int) -> str:
    """Return the sentence that says why the viewer, who is to act, may not take an action; "" if it is legal."""
    v = plain_view(view, UncoveredPosition)
    if v.phase == Phase.TURNING:
        return "" if action in (Act.TURN, Act.LEAVE) else _decide_turning_first_text(v)
    if action >= Act.UNCOVER:
        return "" if action == Act.UNCOVER else _why_nothing_to_turn(v)
    place, other, theirs = decode_swap(action)
    if other >= v.seats:
        return _(
            "There is no seat {seat} at this table: seats are numbered from 0 to {last}.", seat=other, last=v.seats - 1
        )
    if other != v.viewer:
        return ""
    if place == theirs:
        return _("You can’t swap a card with itself: choose a card from another hand.")
    return _(WITHIN)


def _decide_turning_first_text(v: UncoveredPosition) -> str:
    return _("First choose what to do with your {number}: turn it or leave it.", number=v.deciding % PLACES + 1)


def _why_nothing_to_turn(v: UncoveredPosition) -> str:
    if v.opt.mode == Mode.BEGINNER:
        return _("All cards are face up in this mode, so none are ever turned.")
    if v.opt.mode == Mode.ADVANCED:
        return _("You see your own cards in this mode, so none are ever turned.")
    if v.opt.turning == Turning.OFF:
        return _("Cards are never turned at this table.")
    if v.opt.turning == Turning.AUTO:
        return _("There is nothing to decide: a card that lands in the position matching its number is always turned.")
    return _("A card may be turned only right after a swap has moved it to the position matching its number.")


# --- reasons why places cannot be chosen, and the prompt --------------------------------------------------------------


def refusals(v: UncoveredPosition, sitters: Sequence[Sitter], prefix: TouchPath = ()) -> Refusals:
    """Return (place, reason) for each place on the table that the viewer cannot choose now.

    `prefix` are the places and buttons that the viewer has already chosen for this move. The result is empty for a
    spectator.
    """
    if not 0 <= v.viewer < v.seats:
        return ()
    slots, own = list(range(PLACES * v.seats)), range(PLACES * v.viewer, PLACES * (v.viewer + 1))
    if not v.acting >> v.viewer & 1:
        reason = waiting_sentence(v, sitters)
    elif v.phase == Phase.TURNING:
        reason = _decide_turning_first_text(v)
    elif UNCOVER_TOUCH in prefix:
        reason = _("To swap a card, first go back a step.")
    elif prefix:
        slots, reason = [slot for slot in own if place_id(slot) != prefix[0]], _(WITHIN)
    else:
        slots, reason = [slot for slot in slots if slot not in own], _("First choose one of your own cards.")
    return refusals_for(map(place_id, slots), reason)


def waiting_sentence(v: UncoveredPosition, sitters: Sequence[Sitter]) -> str:
    """Return the sentence that says whose move the game is waiting for. Call this only if the viewer is not to act."""
    if v.phase == Phase.TURNING:
        return _("{who} may turn a card.", who=player_phrase(sitters, acting_seats(v), v.viewer))
    return choosing_sentence(v, sitters)


def step_of(v: UncoveredPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> TouchStep:
    """Return the prompt for the viewer, with the places and buttons by which each of the legal `actions` can be chosen.

    If `actions` is empty, the prompt says whose move the game is waiting for, or how the game ended.
    """
    if v.over != RUNNING:
        return TouchStep(match_result_sentence(v, sitters))
    if not actions:
        rule = "turning" if v.phase == Phase.TURNING else "turn"
        return TouchStep(waiting_sentence(v, sitters), rule=rule, refusals=refusals(v, sitters))
    return _turn_card_step(v, sitters) if v.phase == Phase.TURNING else _swap_or_uncover_step(v, sitters, actions)


def _turn_card_step(v: UncoveredPosition, sitters: Sequence[Sitter]) -> TouchStep:
    number = v.deciding % PLACES + 1
    leave = Choice("leave", button=_("Don’t turn the {number}", number=number), action=Act.LEAVE.value)
    turn = Choice("turn", button=_("Turn the {number}", number=number), primary=True, action=Act.TURN.value)
    question = _("Turn your {number} to face you?", number=number)
    help_text = _(
        "Your card is in position {number}, where it belongs. Turn it to let everybody know. This is your only chance.",
        number=number,
    )
    return TouchStep(question, help_text, (leave, turn), "turning", refusals(v, sitters))


def _swap_or_uncover_step(v: UncoveredPosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> TouchStep:
    paths: list[tuple[int, TouchPath]] = []
    slot_at = {place_id(slot): slot for slot in range(PLACES * v.seats)}
    own_cards = [card for card, slot in slot_at.items() if slot // PLACES == v.viewer]
    uncover = (UNCOVER_TOUCH,) if would_uncovering_win(v) else (UNCOVER_TOUCH, SURE_TOUCH)
    for action in actions:
        if action < Act.UNCOVER:
            own, theirs = slots_of_swap(v.viewer, action)
            paths.append((action, (place_id(own), place_id(theirs))))
        else:
            paths += [(action, (card, *uncover)) for card in own_cards]
            paths.append((action, uncover))

    def ask(prefix: TouchPath) -> TouchStep:
        refused = refusals(v, sitters, prefix)
        if UNCOVER_TOUCH in prefix:
            return TouchStep(_("Uncover all hands now?"), _uncovering_help(v), rule="uncover", refusals=refused)
        if prefix:
            slot = slot_at[prefix[0]]
            number = number_at(v, slot)
            seen = N_("Swap your {number} with which card?")
            unseen = N_("Swap your card in position {place} with which card?")
            asked = _(unseen if number is None else seen, number=number, place=slot % PLACES + 1)
            return TouchStep(asked, _swap_help(v), rule="swap", refusals=refused)
        help_text = _("Choose one of your cards, then another player’s card to swap it with.")
        return TouchStep(_("Swap a card or uncover?"), help_text, rule="turn", refusals=refused)

    def dress(path: TouchPath, bare: Choice) -> Choice:
        if len(path) == 2 and path[1] in slot_at:
            return bare._replace(says=_swap_consequence_note(v, slot_at[path[0]], slot_at[path[1]]))
        buttons = {UNCOVER_TOUCH: _("Uncover"), SURE_TOUCH: _("Uncover all")}
        if path[-1] in buttons:
            return bare._replace(button=buttons[path[-1]], primary=path[-1] == SURE_TOUCH, sign="eye")
        return bare

    return steps_from_paths(paths, ask, dress)


def _swap_help(v: UncoveredPosition) -> str:
    if v.opt.mode == Mode.BEGINNER:
        return _("The two cards change places.")
    if v.opt.swap_visibility == SwapVisibility.FACE_DOWN:
        return _("The two cards change places face down: only you and the other player see them.")
    return _("The two cards change places face up: everyone sees both.")


def _swap_consequence_note(v: UncoveredPosition, own: int, theirs: int) -> str:
    """Return a note that says whether a swap would turn one or both of its cards to face their new owners.

    In intermediate mode, a card is turned if the swap moves it to the place (1 to 4) that is equal to its number. The
    note ignores cards that the viewer does not see:

    * "turned" or "both turned": the swap would turn one card or both.
    * "may be turned" or "both may be turned": the same with ``turning=choice``, where the new owner of a card decides.
    * "": the swap would turn no card that the viewer sees, or cards are never turned in this game.

    `own` is the slot of the viewer's card, and `theirs` is the slot of the other player's card. A slot is the integer
    4 × seat + place − 1.
    """
    if v.opt.mode != Mode.INTERMEDIATE or v.opt.turning == Turning.OFF:
        return ""
    homes = _would_match_place(v, own, theirs) + _would_match_place(v, theirs, own)
    if v.opt.turning == Turning.CHOICE:
        return ("", _("may be turned"), _("both may be turned"))[homes]
    return ("", c_("by a swap", "turned"), _("both turned"))[homes]


def _would_match_place(v: UncoveredPosition, source: int, target: int) -> bool:
    """Return whether the card in the slot `source` would match its place if a swap moved it to the slot `target`.

    Places are numbered from 1 to 4. A card matches the place that is equal to its number. A slot is the integer
    4 × seat + place − 1. The result is False if the viewer does not see the card.
    """
    return number_at(v, source) == number_on(target % PLACES)


def _uncovering_help(v: UncoveredPosition) -> str:
    """Return the sentence that says that uncovering now loses, or that the viewer sees too few cards to know.

    Do not call this if uncovering is certain to win.
    """
    if would_uncovering_win(v) is False:
        return _("The cards you see don’t match, so uncovering loses the game for everybody.")
    hidden = shown_numbers(v).count(None)
    return n_(
        "You can’t see {count} of the cards. If the hands don’t all match, everybody loses.",
        "You can’t see {count} of the cards. If the hands don’t all match, everybody loses.",
        hidden,
    )
