"""Prompts of Reveal: the question to a player, and the places and buttons from which the player chooses.

A prompt also has the reasons why other places and buttons cannot be chosen now.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, permutations

from facedown.core.bit_masks import includes
from facedown.core.grammar import acting_seats, capital, in_words, player_phrase
from facedown.core.state import OPEN, RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Choice, Refusals, Sitter, TouchPath, TouchStep, refusals_for, steps_from_paths
from facedown.core.table_building import continue_step
from facedown.core.translation import cache_by_language
from facedown.games.reveal.cards import card_list_phrase, card_subject, column_after_with, the_cards, the_column
from facedown.games.reveal.costly_moves import confirm_if_costly
from facedown.games.reveal.i18n import N_, _, n_
from facedown.games.reveal.info import FinalMode, SwapBatch
from facedown.games.reveal.log import hand_result_and_totals_sentence, match_result_sentence
from facedown.games.reveal.rules import COLUMNS, ORDERS, Act, Phase, RevealPosition, base_slot, keeps_unplayed_places
from facedown.games.reveal.view import (
    end_place_id,
    final_place_id,
    hand_kinds_by_place_id,
    hand_place_id,
    has_confirmed,
    side_place_id,
)

SWAP_FIRST = N_("First swap cards, or keep all three. Then place your three cards.")
SWAPPED = N_("You’ve already swapped: now place your three cards.")
LAID = N_("Cards you’ve placed stay put until the Grand Reveal.")


# --- reasons for refused moves ----------------------------------------------------------------------------------------


def refusal(view: View, action: int) -> str:
    """Return why the viewer, who is to act, may not take an action, as one sentence; "" if the action is legal."""
    v = plain_view(view, RevealPosition)
    kind, number = Act.decode(action)
    if v.phase == Phase.SCORING:
        return "" if kind == Act.CONTINUE else _hand_counted_reason(v)
    if kind == Act.CONTINUE:
        return _("Hand {number} is still being played: you can continue once it is scored.", number=v.hand_number)
    if v.phase == Phase.SWAP:
        return _swap_refusal(v, kind, number)
    if v.phase == Phase.PLACE:
        if kind == Act.PLACE and keeps_unplayed_places(number, v.columns):
            return ""
        return _(SWAPPED) if kind in (Act.SWAP, Act.STOP) else _too_early_for_column_reason(v)
    return _final_round_refusal(v, kind, number)


def _hand_counted_reason(v: RevealPosition) -> str:
    return _("Hand {number} has been scored: continue to the next one.", number=v.hand_number)


def _swap_refusal(v: RevealPosition, act: int, places_mask: int) -> str:
    one_by_one = v.opt.swap_batch == SwapBatch.NO
    cards = places_mask.bit_count()
    if act == Act.PLACE:
        return _(SWAP_FIRST)
    if act == Act.STOP:
        return (
            ""
            if one_by_one
            else _("At this table, all cards are swapped at once: choose the ones to swap, or keep all three.")
        )
    if act != Act.SWAP:
        return _too_early_for_column_reason(v)
    if places_mask < 1 << v.columns and (cards == 1 if one_by_one else cards <= v.row + 1):
        return ""
    if not one_by_one:
        return _too_many_swaps_reason(v, cards)
    if places_mask:
        return _("At this table, cards are swapped one by one, not {number} at once.", number=in_words(cards))
    if v.swapped[v.viewer]:
        return _("At this table, cards are swapped one by one: stop when you are done.")
    return _("At this table, cards are swapped one by one: to keep all three, stop right away.")


def _too_many_swaps_reason(v: RevealPosition, count: int) -> str:
    row, wanted = in_words(v.row + 1), in_words(count)
    return n_(
        "In round {row} you may swap at most one card, not {wanted}.",
        "In round {row} you may swap at most {row} cards, not {wanted}.",
        v.row + 1,
        row=row,
        wanted=wanted,
    )


def _too_early_for_column_reason(v: RevealPosition) -> str:
    """Return why the viewer cannot choose a column yet: the cards of some rows are still to be placed."""
    left = v.rows - v.row
    return n_(
        "You choose a column once all rows are filled: {number} row to go.",
        "You choose a column once all rows are filled: {number} rows to go.",
        left,
        number=in_words(left),
    )


def _final_round_refusal(v: RevealPosition, act: int, column: int) -> str:
    confirmed_at_once = act == Act.CHOOSE_CONFIRM and v.opt.final_mode == FinalMode.ALTERNATE
    if (act == Act.CHOOSE or confirmed_at_once) and column < v.columns:
        return ""
    if act == Act.CONFIRM and v.choice[v.viewer] >= 0:
        return ""
    if act in (Act.SWAP, Act.STOP):
        return _("All three rows are filled: there is nothing left to swap.")
    if act == Act.PLACE:
        return _("All three rows are filled: only your Final Card is left.")
    if v.opt.final_mode == FinalMode.SEALED:
        return _("At this table, you both choose once, in secret: there is nothing to confirm.")
    if act == Act.CHOOSE_CONFIRM:
        return _("At this table, you may both move at any time: first choose a column, then confirm it.")
    return _("Your Final Card has no column yet: choose one first.")


# --- touches ----------------------------------------------------------------------------------------------------------


def refusals(v: RevealPosition, prefix: TouchPath, sitters: Sequence[Sitter]) -> Refusals:
    """Return pairs (id, reason) for places on the page that the viewer cannot select now.

    The id is the one that the page uses for the place. The reason is a text for the viewer.

    `prefix` are the places that the viewer has already selected for this move. The result is empty for a spectator and
    after the match.
    """
    if v.viewer == SPECTATOR or v.over != RUNNING:
        return ()
    if not v.acting >> v.viewer & 1:
        return refusals_for(_viewer_place_ids(v), _waiting_reason(v, sitters))
    if v.phase == Phase.SCORING:
        return refusals_for(_viewer_place_ids(v), _hand_counted_reason(v))
    laid = _filled_rows_refusals(v.viewer, v.row, v.columns)
    if v.phase == Phase.SWAP:
        return (*laid, *refusals_for(_row_place_ids(v), _(SWAP_FIRST)))
    if v.phase == Phase.PLACE:
        return (*laid, *_placing_refusals(v, prefix), ("draw", _(SWAPPED)))
    mine = v.choice[v.viewer]
    if mine < 0:
        return (*laid, (final_place_id(v.viewer), _("Choose the end of a column for your Final Card.")))
    return (*laid, (end_place_id(v.viewer, mine), _("Your Final Card is already in that column.")))


def waiting_sentence(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """Return a sentence that says what the players who are to act are doing, for example "Mara is placing cards."."""
    waiting = player_phrase(sitters, acting_seats(v), v.viewer)
    if v.phase == Phase.SWAP:
        return _("{who} {who:are|is} choosing what to swap.", who=waiting)
    if v.phase == Phase.PLACE:
        return _("{who} {who:are|is} placing cards.", who=waiting)
    return _("{who} {who:are|is} choosing a column.", who=waiting)


def own_choice_sentence(v: RevealPosition) -> str:
    """Return the sentence that says what the viewer has already chosen or confirmed; "" if nothing.

    Only call this when the viewer is not to act.
    """
    if has_confirmed(v, v.viewer):
        return _("You’ve confirmed {column}.", column=the_column(v.choice[v.viewer]))
    if v.sealed[v.viewer] != OPEN:
        return _("You’ve chosen. Waiting for the other player.")
    return ""


def _waiting_reason(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """Return why the viewer, who is not to act, can select nothing now. The text names the players who are to act."""
    waiting = player_phrase(sitters, acting_seats(v), v.viewer)
    if v.phase == Phase.SCORING:
        return _("You’re ready for the next hand. {who} {who:are|is} still looking at the cards.", who=waiting)
    if has_confirmed(v, v.viewer):
        text = N_("You’ve confirmed {column}. {who} {who:are|is} still choosing.")
        return _(text, column=the_column(v.choice[v.viewer]), who=waiting)
    return waiting_sentence(v, sitters)


def _placing_refusals(v: RevealPosition, prefix: TouchPath) -> Refusals:
    """Return pairs (id, reason) for places on the page that the viewer cannot select now, while placing hand cards.

    The id is the one that the page uses for the place. The reason is a text for the viewer. The viewer selects a hand
    card, then its place in the row, then the next card, and so on. `prefix` are the places selected so far.

    * If the viewer must select a hand card next, the result has the free places in the row.
    * If the viewer must select a place in the row next, the result has the hand cards that are not selected yet.
    * If only one hand card is left, the result is empty. The viewer need not select this card, because it gets the last
      free place by itself.
    """
    if len(prefix) == 2 * (v.columns - 1):
        return ()
    if len(prefix) % 2 == 0:
        return refusals_for(
            (place for place in _row_place_ids(v) if place not in prefix), _("First choose a card to place.")
        )
    touched = card_subject(hand_kinds_by_place_id(v)[prefix[-1]])
    reason = _("Now choose where {card} goes.", card=touched)
    return refusals_for((place for place in _hand_place_ids(v) if place not in prefix), reason)


@cache_by_language
def _filled_rows_refusals(seat: int, rows: int, columns: int) -> Refusals:
    """Return a pair (id, reason) for each place on a seat's side in the first `rows` rows, which already have cards.

    The id is the one that the page uses for the place. The reason is a text that tells the player why this place cannot
    be selected: placed cards stay where they are until the Grand Reveal. Each row has `columns` places.
    """
    return refusals_for((side_place_id(seat, row, column) for row in range(rows) for column in range(columns)), _(LAID))


def _row_place_ids(v: RevealPosition) -> list[str]:
    """Return the ids of the places of the current row, where the viewer is to put the hand cards."""
    return [side_place_id(v.viewer, v.row, column) for column in range(v.columns)]


def _hand_place_ids(v: RevealPosition) -> list[str]:
    return [hand_place_id(place) for place in range(v.columns)]


def _viewer_place_ids(v: RevealPosition) -> list[str]:
    """Return the ids of the places on the page that belong to the viewer and can have cards now.

    * The places on the viewer's side, in the rows placed so far and in the current row.
    * Until all rows have been placed: the places of the viewer's hand cards.
    * In the final round: the places for the viewer's Final Card at the ends of the columns.
    """
    rows = range(min(v.row + 1, v.rows))
    laid = [side_place_id(v.viewer, row, column) for row in rows for column in range(v.columns)]
    if v.row < v.rows:
        return [*_hand_place_ids(v), *laid]
    ends = [end_place_id(v.viewer, column) for column in range(v.columns)]
    return [*laid, *([] if v.phase == Phase.SCORING else ends)]


def step_of(v: RevealPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> TouchStep:
    """Return the prompt for the viewer, with the places and buttons whose selection leads to each of the legal
    `actions`.

    If `actions` is empty, the prompt says which players still have to act, or how the match ended.
    """
    if v.over != RUNNING:
        return TouchStep(match_result_sentence(v, sitters))
    if v.phase == Phase.SCORING:
        said, further = (
            hand_result_and_totals_sentence(v, sitters),
            _("Continue to hand {number}", number=v.hand_number + 1),
        )
        step = continue_step(v, actions, sitters, said, further, "scoring", _("Each column scores in its best colour."))
        return step._replace(refusals=refusals(v, (), sitters))
    if not actions:
        return _waiting_step(v, sitters)
    steps = {Phase.SWAP: _swap_step, Phase.PLACE: _placing_step, Phase.FINAL: _final_round_step}
    return steps[Phase(v.phase)](v, sitters, actions)


def _waiting_step(v: RevealPosition, sitters: Sequence[Sitter]) -> TouchStep:
    help_text = "" if v.viewer == SPECTATOR else own_choice_sentence(v)
    refused = refusals(v, (), sitters)
    return TouchStep(waiting_sentence(v, sitters), help_text, rule=Phase(v.phase).name.lower(), refusals=refused)


def _with_other_has_chosen(v: RevealPosition, sitters: Sequence[Sitter], text: str) -> str:
    """Return `text`. If the other player has already made a secret choice, put a sentence before it that says so.

    An example of this sentence is "Mara has chosen.".
    """
    return f"{_other_has_chosen_sentence(v, sitters)} {text}".strip()


def _other_has_chosen_sentence(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    other = 1 - v.viewer
    return "" if v.acting >> other & 1 else _("{who} has chosen.", who=player_phrase(sitters, other, v.viewer))


def _as_main_button(bare: Choice, **buttons: str) -> Choice:
    """Return the choice `bare`, which has no label yet, as the main button of its prompt with the label from `buttons`.

    `buttons` maps ids of buttons to labels. The id of `bare` is `bare.touch`. If `buttons` has no label for this id,
    return `bare` unchanged.
    """
    return bare._replace(button=buttons[bare.touch], primary=True) if bare.touch in buttons else bare


# --- swapping ---------------------------------------------------------------------------------------------------------


def _swap_step(v: RevealPosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> TouchStep:
    """Return the prompt for swapping: the viewer selects hand cards, then the button that swaps them.

    Another button keeps all cards. With ``swap_batch=no`` only one card is selected before the button.
    """
    one_by_one = v.opt.swap_batch == SwapBatch.NO
    hand, done = hand_kinds_by_place_id(v), v.swapped[v.viewer]
    left = v.row + 1 - done
    paths: list[tuple[int, TouchPath]] = []
    for action in actions:
        touched = [place for at, place in enumerate(hand) if includes(action - Act.SWAP, at)]
        button = "swap" if touched else "stop" if one_by_one else "keep"
        paths += [(action, (*order, button)) for order in permutations(touched)]
    refused = refusals(v, (), sitters)

    def ask(prefix: TouchPath) -> TouchStep:
        step = TouchStep(*(swapping(prefix) if prefix else first()), rule="swap")
        if one_by_one:
            return step._replace(refusals=refused)
        return step._replace(refusals=() if prefix else refused, picks="set")

    def first() -> tuple[str, str]:
        question, text = _("Swap a card?"), _("Choose what you want to swap.")
        if one_by_one:
            question = _("Swap another card?") if done else question
            text = _("You may swap up to {number} cards, one by one.", number=in_words(left))
            text = _("This is the last card you may swap.") if left == 1 else text
        elif left > 1:
            question = _("Swap up to {number} cards?", number=in_words(left))
        return question, _with_other_has_chosen(v, sitters, text)

    def swapping(touched: TouchPath) -> tuple[str, str]:
        question = _("Swap {cards}?", cards=the_cards([hand[place] for place in sorted(touched)[:2]]))
        instead = _("You’ll draw the top card of the draw pile.")
        if one_by_one:
            instead = _("You’ll see the new card before you continue.")
        elif len(touched) > 1:
            instead = _("You’ll draw {number} new cards.", number=in_words(len(touched)))
        return _("Swap all three cards?") if len(touched) == COLUMNS else question, instead

    def dress(path: TouchPath, bare: Choice) -> Choice:
        swap = n_("Swap {count} card", "Swap {count} cards", len(path) - 1)
        stop = _("Stop swapping") if done else _("Keep all three")
        return _as_main_button(bare, keep=stop, stop=stop, swap=swap)

    return steps_from_paths(paths, ask, dress)


# --- placing ----------------------------------------------------------------------------------------------------------


def _placing_step(v: RevealPosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> TouchStep:
    """Return the prompt for placing the hand: the viewer selects a card, then its place, then the next card.

    The last card gets the last free place by itself. A button completes the move.
    """
    hand = hand_kinds_by_place_id(v)
    row = [side_place_id(v.viewer, v.row, column) for column in range(v.columns)]
    paths: list[tuple[int, TouchPath]] = []
    for action in actions:
        pairs = list(zip(hand, (row[column] for column in ORDERS[action - Act.PLACE]), strict=False))
        paths += [(action, (*chain(*laid), "place")) for laid in permutations(pairs, v.columns - 1)]
    place = Choice("place", button=_("Place 3 cards"), primary=True)

    def unfinished(step: TouchStep, touched: int) -> TouchStep:
        """Return `step` with a disabled button "place", because cards are still to be placed.

        `touched` is the number of places on the page that the viewer has selected so far.
        """
        waits = _("One card still needs a place.") if touched > 1 else _("Two cards still need a place.")
        return step._replace(choices=(*step.choices, place._replace(refuses=waits)))

    def dress(path: TouchPath, bare: Choice) -> Choice:
        if bare.then is None:
            return place._replace(action=bare.action)
        return bare if bare.then.choices[0].touch == "place" else bare._replace(then=unfinished(bare.then, len(path)))

    def ask(touched: TouchPath) -> TouchStep:
        return question(touched)._replace(rule="place", refusals=refusals(v, touched, sitters))

    def question(touched: TouchPath) -> TouchStep:
        if len(touched) % 2:
            where = _("Choose a highlighted place. Your third card goes in the remaining one.")
            return TouchStep(_("Where does {card} go?", card=card_subject(hand[touched[-1]])), where)
        if len(touched) == 2 * (v.columns - 1):
            last = next(kind for place, kind in hand.items() if place not in touched)
            left = next(column for column, place in enumerate(row) if place not in touched)
            goes = N_("{card} goes on the left."), N_("{card} goes in the middle."), N_("{card} goes on the right.")
            text, waits = capital(_(goes[left], card=card_subject(last))), _other_has_chosen_sentence(v, sitters)
            chosen = [waits, _("You can still rearrange the cards.")] if waits else []
            return TouchStep(_("Place these three?"), " ".join([text, *chosen]))
        if not touched:
            text = _with_other_has_chosen(v, sitters, _("Choose a card, then a highlighted place."))
            return TouchStep(_("Which card first?"), text)
        return TouchStep(_("Which card next?"), _("Your third card goes in the remaining place."))

    return unfinished(steps_from_paths(paths, ask, dress), 0)


# --- the final round --------------------------------------------------------------------------------------------------


def _base_cards_phrase(v: RevealPosition, column: int) -> str:
    """Return the base cards of a column as the subject of a sentence, for example "two reds and a yellow"."""
    return card_list_phrase([v.card[base_slot(row, column)] for row in range(v.rows)])


def _final_round_step(v: RevealPosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> TouchStep:
    mine = v.choice[v.viewer]
    sealed = v.opt.final_mode == FinalMode.SEALED
    last = not sealed and v.changes[v.viewer] >= v.opt.most_changes
    # The columns, by the id of the place at the column's end. The viewer puts the Final Card on one of these places.
    ends = {end_place_id(v.viewer, column): column for column in range(v.columns)}

    def ask(prefix: TouchPath) -> TouchStep:
        return asked(prefix)._replace(rule="final", refusals=refusals(v, prefix, sitters))

    def asked(prefix: TouchPath) -> TouchStep:
        if prefix:
            column = ends[prefix[0]]
            for_good = _("Your Final Card can’t move again.") if last else _("Nobody knows your Final Card’s colour.")
            for_good = _("No going back.") if sealed else for_good
            base = _("The base has {cards}.", cards=_base_cards_phrase(v, column))
            return TouchStep(_("Choose {column}?", column=the_column(column)), f"{base} {for_good}")
        unknown = [_("Nobody knows its colour."), *([_("Your next choice is final.")] if last else [])]
        if mine >= 0:
            text = _("Its base has {cards}.", cards=_base_cards_phrase(v, mine))
            text = " ".join([text, _("Choose a highlighted place to move your Final Card."), *unknown])
            return TouchStep(_("Stay with {column}?", column=column_after_with(mine)), text)
        text = " ".join([_("Choose a highlighted place for your Final Card."), *unknown])
        if sealed:
            text = _with_other_has_chosen(v, sitters, _("Your choice is secret until you’ve both chosen."))
        return TouchStep(_("Which column will you choose?"), text)

    def dress(path: TouchPath, bare: Choice) -> Choice:
        chosen = ends.get(path[0], mine)
        column = the_column(chosen)
        if bare.touch == "stay":
            return bare._replace(button=_("Stay for now"))
        if bare.touch == "choose":
            bare = bare._replace(button=capital(_("Choose {column}", column=column)), primary=sealed)
            return confirm_if_costly(v, bare, chosen) if sealed else bare
        confirm = capital(_("Confirm {column}", column=column))
        button = _as_main_button(bare, confirm=confirm, sure=confirm)
        return confirm_if_costly(v, button, chosen) if button.button else button

    paths: list[tuple[int, TouchPath]] = []
    alternate = v.opt.final_mode == FinalMode.ALTERNATE and not last
    for place, column in ends.items():
        # The column that the viewer has chosen already is not offered, because the Final Card is already at its end.
        if column != mine:
            once_more = ("sure",) if last else ("choose",) if sealed or alternate else ()
            paths.append((Act.CHOOSE + column, (place, *once_more)))
            paths += [(Act.CHOOSE_CONFIRM + column, (place, "sure"))] if alternate else []
    if Act.CONFIRM in actions:
        paths += [(Act.CHOOSE + mine, ("stay",))] if alternate else []
        paths.append((Act.CONFIRM, ("confirm",)))
    return steps_from_paths(paths, ask, dress)
