"""Text forms of Detect's actions: the notation of match files, and phrases for players.

Examples of the notation:

* ``open a1 c3``: flip two cards at the start.
* ``take b2``: put the top discard into cell b2.
* ``draw``: draw a card.
* ``keep a3``: put the drawn card into cell a3.
* ``throw d1``: discard the drawn card and flip cell d1.
* ``remove`` and ``leave``: remove or keep a column of three equal cards.

A cell is named by its column letter and row number, as the terminal prints them at the edges of a grid.
"""

from __future__ import annotations

import re

from facedown.core.action_phrases import ActionPhrase, PhraseContext, action_phrase
from facedown.core.grammar import digits
from facedown.core.scoresheet_input import require
from facedown.core.state import View, plain_view
from facedown.games.detect.cards import HIGHEST, LOWEST, kind_of, number_of
from facedown.games.detect.i18n import N_, _, c_
from facedown.games.detect.rules import ACTIONS, CELLS, DRAWN_SLOT, PAIRS, Act, DetectPosition
from facedown.games.detect.view import (
    cell_word,
    completes_column,
    describe_cell,
    is_face_down,
    known_number,
    number_on_undecided_set,
    top_discard_number,
)

#: Paragraph in the terminal's help that explains how to type moves.
TYPING = N_(
    "Once you’ve drawn a card, “a3” is short for “keep a3”. “throw a3” discards the drawn card and flips the card "
    "in a3."
)

_CELLS = {cell_word(cell): cell for cell in range(CELLS)}


def action_notation(action: int) -> str:
    """Return an action (a number) in the notation of match files. Raise `ValueError` if there is no such action.

    >>> action_notation(Act.DRAW), action_notation(Act.KEEP + 2), action_notation(Act.OPEN_PAIR)
    ('draw', 'keep a3', 'open a1 a2')
    """
    require(0 <= action < ACTIONS, f"there is no action {action}")
    match Act.decode(action):
        case Act.OPEN_PAIR, pair:
            return " ".join(["open", *map(cell_word, PAIRS[pair])])
        case ((Act.TAKE | Act.KEEP | Act.THROW as kind), cell):
            return f"{kind.name.lower()} {cell_word(cell)}"
        case kind, _added:
            return kind.name.lower()


def parse(text: str) -> int:
    """Return the action that a text in match-file notation names.

    Raise `ValueError` with the reason if the text names no action.

    >>> parse("keep a3") == Act.KEEP + 2
    True
    """
    match text.lower().split():
        case ["draw" | "remove" | "leave" | "continue" as verb]:
            return int(Act[verb.upper()])
        case ["take" | "keep" | "throw" as verb, word]:
            return Act[verb.upper()] + _parse_cell(word)
        case ["open", one, other]:
            pair = sorted((_parse_cell(one), _parse_cell(other)))
            require(pair[0] != pair[1], _("“open” needs two different cells, such as “open a1 b2”"))
            return Act.OPEN_PAIR + int(PAIRS.tolist().index(pair))
    wrong = N_(
        "{text!r} is not a move; expected one of: open a1 b2, take a1, draw, keep a1, throw a1, remove, leave, continue"
    )
    raise ValueError(_(wrong, text=text.strip()))


def _parse_cell(word: str) -> int:
    last = cell_word(CELLS - 1)
    require(word in _CELLS, _("{word} is not a cell; expected a1 to {last}", word=word or _("(empty)"), last=last))
    return _CELLS[word]


def card_word(kind: int) -> str:
    """Return how a match file writes a card in its list of dealt cards (header ``Deal``): as the number on the card.

    `kind` is that number minus `LOWEST`.
    """
    return str(number_of(kind))


def card_kind(word: str) -> int:
    """Return the kind of a card (its number minus `LOWEST`) from its text in a match file's list of dealt cards.

    The text is the number on the card. Raise `ValueError` if it is not a card number.
    """
    wrong = _("{word} is not a number from {low} to {high}", word=word or _("(empty)"), low=LOWEST, high=HIGHEST)
    require(bool(re.fullmatch(r"[+-]?\d{1,2}", word)) and LOWEST <= int(word) <= HIGHEST, wrong)
    return kind_of(int(word))


# --- phrases for players ----------------------------------------------------------------------------------------------


def describe_action(view: View, action: int, teller: PhraseContext) -> ActionPhrase:
    """Return a phrase for an action, such as "Keep the 4 in place of the 9 in row 2, column 3".

    `view` is the view of the seat that takes the action, and the action must be legal in it. `teller` says who that
    player is and who reads the phrase.
    """
    v = plain_view(view, DetectPosition)
    match Act.decode(action):
        case Act.OPEN_PAIR, pair:
            first, second = map(describe_cell, PAIRS[pair])
            said = _("{flip} the cards in {first} and in {second}")
            return action_phrase(said, teller, first=first, second=second)
        case Act.TAKE, cell:
            said = _("{take} the {card} to replace {place}")
            made = _("{take} the {card} to replace {place}, making three {card}s")
            return _describe_placement(v, teller, (said, made), top_discard_number(v) or 0, cell)
        case Act.DRAW, _added:
            return action_phrase(_("{draw} a card"), teller)
        case Act.KEEP, cell:
            said = _("{keep} the {card} to replace {place}")
            made = _("{keep} the {card} to replace {place}, making three {card}s")
            return _describe_placement(v, teller, (said, made), known_number(v, DRAWN_SLOT), cell)
        case Act.THROW, cell:
            said = _("{discard} the {card} and {flip} the card in {place}")
            return action_phrase(said, teller, card=digits(known_number(v, DRAWN_SLOT)), place=describe_cell(cell))
        case (Act.REMOVE | Act.LEAVE) as kind, _added:
            said = _("{remove} the three {card}s") if kind == Act.REMOVE else _("{keep} the three {card}s")
            return action_phrase(said, teller, card=digits(number_on_undecided_set(v)))
    return action_phrase(_("{continue} to the next round"), teller)


def _describe_placement(
    v: DetectPosition, teller: PhraseContext, plain_and_completing_texts: tuple[str, str], number: int, cell: int
) -> ActionPhrase:
    """Return the phrase for placing a card with `number` in a cell of the viewer's grid.

    `plain_and_completing_texts` are two templates. The second is used if the card completes a column of equal face-up
    cards, otherwise the first. `teller` says who acts and who reads the phrase.
    """
    slot = v.viewer * CELLS + cell
    if is_face_down(v, v.viewer, cell):
        place = c_("in place of", "the face-down card in {where}", where=describe_cell(cell))
    else:
        place = c_(
            "in place of", "the {card} in {where}", card=digits(known_number(v, slot)), where=describe_cell(cell)
        )
    return action_phrase(
        plain_and_completing_texts[completes_column(v, v.viewer, cell, number)],
        teller,
        card=digits(number),
        place=place,
    )
