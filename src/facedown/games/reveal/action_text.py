"""Text forms of Reveal's actions: the notation of match files, and phrases for players.

Examples of the notation: ``swap none``, ``swap 1 3``, ``stop`` (swap no more cards in this row), ``place L R C``,
``choose L`` (put the Final Card at a column), ``confirm`` (make that choice final).

Hand cards are numbered 1, 2, 3 from the left. The columns are L (left), C (centre) and R (right), the same for both
players. ``place L R C`` places the first card left, the second right and the third in the centre.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.action_phrases import ActionPhrase, PhraseContext, action_phrase
from facedown.core.bit_masks import includes
from facedown.core.scoresheet_input import require
from facedown.core.state import View, plain_view
from facedown.core.translation import join_names
from facedown.games.reveal.cards import (
    NAMES,
    WILD,
    chosen_cards_phrase,
    colour_adjective,
    column_after_with,
    the_column,
)
from facedown.games.reveal.i18n import _
from facedown.games.reveal.rules import ACTIONS, COLUMNS, ORDERS, Act, RevealPosition
from facedown.games.reveal.view import COLUMN_LETTERS, hand_kinds

#: Letters of the eight colours, in their order, as printed on the cards if colour letters are switched on. The last
#: sign, "*", stands for a wild card.
CARD_LETTERS = "PWBYOKRG*"

_PLAIN: dict[int, str] = {Act.SWAP: "swap none", Act.STOP: "stop", Act.CONFIRM: "confirm", Act.CONTINUE: "continue"}


def action_notation(action: int) -> str:
    """Return an action (a number) in the notation of match files. Raise `ValueError` if there is no such action.

    >>> action_notation(Act.SWAP + 5), action_notation(Act.PLACE + 1)
    ('swap 1 3', 'place L R C')
    >>> action_notation(Act.CHOOSE), action_notation(Act.CHOOSE_CONFIRM + 2)
    ('choose L', 'choose R confirm')
    """
    require(0 <= action < ACTIONS, _("action {action} does not exist", action=action))
    if action in _PLAIN:
        return _PLAIN[action]
    kind, number = Act.decode(action)
    if kind == Act.SWAP:
        return " ".join(["swap", *(str(place + 1) for place in swapped_places(number))])
    if kind == Act.PLACE:
        return " ".join(["place", *(COLUMN_LETTERS[column] for column in ORDERS[number])])
    return f"choose {COLUMN_LETTERS[number]}{' confirm' if kind == Act.CHOOSE_CONFIRM else ''}"


def swapped_places(mask: int) -> list[int]:
    """Return the places of hand cards (from 0) that are set in a bit mask, in ascending order."""
    return [place for place in range(COLUMNS) if includes(mask, place)]


def parse(text: str) -> int:
    """Return the action that a text in match-file notation names.

    Raise `ValueError` with the reason if the text names no action.

    >>> parse("swap 3 1") == Act.SWAP + 5, parse("place lrc") == Act.PLACE + 1
    (True, True)
    """
    parts = text.lower().replace(",", " ").split()
    for action, word in _PLAIN.items():
        if parts == word.split():
            return int(action)
    match parts:
        case ["swap", *rest] if rest:
            return Act.SWAP + _parse_places_mask("".join(rest))
        case ["place", *rest] if rest:
            return Act.PLACE + _parse_order("".join(rest))
        case ["choose", letter]:
            return Act.CHOOSE + _parse_column(letter)
        case ["choose", letter, "confirm"]:
            return Act.CHOOSE_CONFIRM + _parse_column(letter)
    known = "swap none, swap 1 3, stop, place L R C, choose L, choose L confirm, confirm, continue"
    raise ValueError(_("{given!r} is not a move; expected one of: {known}", given=text.strip(), known=known))


def _parse_places_mask(text: str) -> int:
    for letter in text:
        require(letter in "123", _("{letter} is not a card in your hand; expected 1, 2 or 3", letter=letter))
        require(text.count(letter) == 1, _("card {letter} is listed twice", letter=letter))
    return sum(1 << "123".index(letter) for letter in text)


def _parse_order(text: str) -> int:
    columns = [_parse_column(letter) for letter in text]
    each_once = _(
        "“place” needs each of the columns L, C and R once, in the order of your cards: for example, “place L R C”"
    )
    require(columns in ORDERS.tolist(), each_once)
    return int(ORDERS.tolist().index(columns))


def _parse_column(letter: str) -> int:
    index = COLUMN_LETTERS.find(letter.upper())
    require(len(letter) == 1 and index >= 0, _("{letter} is not a column; expected L, C or R", letter=letter))
    return index


def card_word(kind: int) -> str:
    """Return how a match file writes a card in its list of dealt cards (header ``Deal``): as its colour, or "wild".

    `kind` is the index of the colour, or `WILD`.

    >>> card_word(0), card_word(8)
    ('pink', 'wild')
    """
    return NAMES[kind]


def card_kind(word: str) -> int:
    """Return the kind of card (index of its colour, or `WILD`) that a word names.

    The colour letters (P W B Y O K R G, and * for wild) are accepted too. Raise `ValueError` if the word names no card.

    >>> card_kind("red"), card_kind("K"), card_kind("*")
    (6, 5, 8)
    """
    plain = word.strip().lower()
    kinds = {name: kind for names in (NAMES, CARD_LETTERS.lower()) for kind, name in enumerate(names)}
    require(
        plain in kinds,
        _("{word} is not a card; expected one of: {cards}", word=word or _("(empty)"), cards=", ".join(NAMES)),
    )
    return kinds[plain]


# --- phrases for players ----------------------------------------------------------------------------------------------


def describe_action(view: View, action: int, teller: PhraseContext) -> ActionPhrase:
    """Return a phrase for an action, such as "Swap the yellow and a red".

    `view` is the view of the seat that takes the action, and the action must be legal in it. `teller` says who that
    player is and who reads the phrase. The phrase does not say which of several cards of the same colour is meant.
    """
    v = plain_view(view, RevealPosition)
    mine = v.choice[v.viewer]
    kind, number = Act.decode(action)
    match kind:
        case Act.SWAP:
            return _describe_swap(hand_kinds(v), swapped_places(number), teller)
        case Act.STOP if v.swapped[v.viewer]:
            return action_phrase(_("{stop} swapping"), teller)
        case Act.STOP:
            return action_phrase(_("{keep} all three cards"), teller)
        case Act.PLACE:
            return _describe_placement(hand_kinds(v), ORDERS[number].tolist(), teller)
        case Act.CHOOSE if mine == number:
            return action_phrase(_("{stay} with {column}"), teller, column=column_after_with(mine))
        case Act.CHOOSE if mine >= 0:
            return action_phrase(_("{move} to {column}"), teller, column=the_column(number))
        case Act.CHOOSE:
            return action_phrase(_("{choose} {column}"), teller, column=the_column(number))
        case Act.CHOOSE_CONFIRM:
            return action_phrase(_("{choose} {column} and {confirm} it"), teller, column=the_column(number))
        case Act.CONFIRM:
            return action_phrase(_("{confirm} {column}"), teller, column=the_column(mine))
    return action_phrase(_("{continue} to the next hand"), teller)


def _describe_swap(hand: Sequence[int], places: Sequence[int], teller: PhraseContext) -> ActionPhrase:
    if not places:
        return action_phrase(_("{keep} all three cards"), teller)
    if len(places) == COLUMNS:
        return action_phrase(_("{swap} all three cards"), teller)
    chosen = [hand[place] for place in places]
    parts = [
        chosen_cards_phrase(kind, chosen.count(kind), hand.count(kind)) for kind in sorted(set(chosen), key=hand.index)
    ]
    return action_phrase(_("{swap} {cards}"), teller, cards=join_names(parts))


def _describe_placement(hand: Sequence[int], columns: Sequence[int], teller: PhraseContext) -> ActionPhrase:
    if len(hand) < COLUMNS:
        left, middle = (
            chosen_cards_phrase(hand[columns.index(at)], 1, hand.count(hand[columns.index(at)])) for at in range(2)
        )
        text = _("{place} {left} on the left and {middle} in the middle")
        return action_phrase(text, teller, left=left, middle=middle)
    if len(set(hand)) == 1:
        if hand[0] == WILD:
            return action_phrase(_("{place} the three wilds"), teller)
        return action_phrase(_("{place} the three {colour}s"), teller, colour=colour_adjective(hand[0]))
    kinds = [hand[columns.index(column)] for column in range(COLUMNS)]
    left, middle, right = (chosen_cards_phrase(kind, 1, hand.count(kind)) for kind in kinds)
    text = _("{place} {left} on the left, {middle} in the middle and {right} on the right")
    return action_phrase(text, teller, left=left, middle=middle, right=right)
