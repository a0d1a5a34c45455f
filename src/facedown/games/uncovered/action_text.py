"""Text forms of the actions of Uncovered!: the notation of match files, and phrases for players.

The notation has four moves:

* ``uncover``: uncover all hands.
* ``swap 4 1 3``: swap the mover's card at place 4 with the card at place 3 of seat 1.
* ``turn``: after a swap has moved a card to the place of its number, turn this card so that it faces its owner.
* ``leave``: leave this card as it is.

A player chooses between ``turn`` and ``leave`` only with the option ``turning=choice``, and for one card at a time. So
these moves need not name the card. In match files, places are counted from 1 and seats from 0.
"""

from __future__ import annotations

import re

from facedown.core.action_phrases import ActionPhrase, PhraseContext, action_phrase
from facedown.core.scoresheet_input import require
from facedown.core.state import View
from facedown.games.uncovered.i18n import N_, _
from facedown.games.uncovered.info import LOWEST, MOST_PLAYERS, NUMBERS, PLACES, kind_of, number_on
from facedown.games.uncovered.rules import ACTIONS, Act, UncoveredPosition, decode_swap, encode_swap, slots_of_swap
from facedown.games.uncovered.view import number_at, position_without_remembered_cards

#: Paragraph in the terminal's help that explains how to type moves.
TYPING = N_(
    "“swap 1 wren 2” swaps your card in position 1 with Wren’s card in position 2. You can shorten players’ names."
)

#: Maps the first word of a move to the index of the word that names a seat. There players may also type a player's
#: name.
SEAT_AT = {"swap": 2}

NO_PLACE = N_("{word} is not a position; expected {low} to {high}")


def action_notation(action: int) -> str:
    """Return the notation of an action in match files. Raise `ValueError` if there is no such action.

    >>> action_notation(Act.UNCOVER), action_notation(encode_swap(3, 1, 2))
    ('uncover', 'swap 4 1 3')
    """
    require(0 <= action < ACTIONS, _("action {action} does not exist", action=action))
    if action >= Act.UNCOVER:
        return Act(action).name.lower()
    place, other, theirs = decode_swap(action)
    return f"swap {place + 1} {other} {theirs + 1}"


def _parse_number(word: str, wrong: str, low: int, high: int) -> int:
    require(bool(re.fullmatch(r"\d{1,3}", word)) and low <= int(word) <= high, _(wrong, word=word, low=low, high=high))
    return int(word)


def parse(text: str) -> int:
    """Return the action (an integer) that a text in match-file notation names.

    Raise `ValueError` with the reason if the text names no action.

    >>> parse("swap 4 1 3") == encode_swap(3, 1, 2)
    True
    """
    match text.lower().split():
        case ["uncover" | "turn" | "leave" as word]:
            return Act[word.upper()].value
        case ["swap", place, other, theirs]:
            own = _parse_number(place, NO_PLACE, 1, PLACES) - 1
            seat = _parse_number(
                other, N_("{word} is not a seat number; expected {low} to {high}"), 0, MOST_PLAYERS - 1
            )
            return encode_swap(own, seat, _parse_number(theirs, NO_PLACE, 1, PLACES) - 1)
    wrong = N_(
        "{text} is not a move; expected uncover, turn, leave, or swap followed by your position, the other player’s "
        "seat and their position, such as swap 4 1 3"
    )
    raise ValueError(_(wrong, text=repr(text.strip())))


def card_word(kind: int) -> str:
    """Return the text for a card in a list of cards to be dealt (header `Deal` of a match file): its number.

    `kind` is the number minus 1.
    """
    return str(number_on(kind))


def card_kind(word: str) -> int:
    """Convert the text of a card, its number from "1" to "4", to the kind: the number minus 1.

    The header `Deal` of a match file lists cards by these texts. `card_word` is the opposite conversion.

    Raise `ValueError` if `word` is not a number from 1 to 4.
    """
    return kind_of(_parse_number(word, N_("{word} is not a card number; expected {low} to {high}"), LOWEST, NUMBERS))


# --- phrases for players ----------------------------------------------------------------------------------------------


def describe_action(view: View, action: int, teller: PhraseContext) -> ActionPhrase:
    """Return a phrase for an action, such as "Swap your 2 in position 3 with Theo’s 4 in position 4".

    `view` is the view of the seat that takes the action. The action must be legal in it. `teller` has the acting player
    and the reader of the phrase.
    """
    v = position_without_remembered_cards(view)
    number = v.deciding % PLACES + 1
    match Act.decode(action)[0]:
        case Act.SWAP:
            return _describe_swap(v, *slots_of_swap(teller.actor, action), teller)
        case Act.UNCOVER:
            return action_phrase(_("{uncover} all hands"), teller)
        case Act.LEAVE:
            return action_phrase(
                _("{leave} {mine} {number} as it is"), teller, mine=teller.actor_possessive, number=number
            )
        case _:
            return action_phrase(_("{turn} {mine} {number}"), teller, mine=teller.actor_possessive, number=number)


#: Phrases for a swap. The parts of the key say whether the mover sees the number on the card that the mover gives away,
#: and whether the mover sees the number on the other card.
_SWAPS = {
    (True, True): N_("{swap} {mine} {number} in position {place} with {other:'your} {second} in position {theirs}"),
    (True, False): N_("{swap} {mine} {number} in position {place} with {other:'your} card in position {theirs}"),
    (False, True): N_("{swap} {mine} card in position {place} with {other:'your} {second} in position {theirs}"),
    (False, False): N_("{swap} {mine} card in position {place} with {other:'your} card in position {theirs}"),
}


def _describe_swap(v: UncoveredPosition, own: int, theirs: int, teller: PhraseContext) -> ActionPhrase:
    number, second = number_at(v, own), number_at(v, theirs)
    text, other = _(_SWAPS[number is not None, second is not None]), teller.seat_phrase(theirs // PLACES)
    places = {"place": own % PLACES + 1, "theirs": theirs % PLACES + 1}
    return action_phrase(
        text, teller, mine=teller.actor_possessive, number=number, other=other, second=second, **places
    )
