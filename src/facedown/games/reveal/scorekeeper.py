"""Scorekeeper for a hand of Reveal that is played with physical cards.

It puts the entered cards into a position, which the rules of the program then score as in any match.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from facedown.core.grammar import capital, possessive
from facedown.core.options import OptionError
from facedown.core.score_sheet_questions import Field, Group, Sheet, names_from_answers, player_name_questions
from facedown.core.scoresheet_input import (
    dealt_state,
    is_list_of_length,
    is_whole,
    load_score_example,
    options_of,
    overwrite_first_entries,
    player_names,
    require,
    require_whole_numbers,
)
from facedown.core.state import NOBODY, RUNNING
from facedown.core.table import Sitter
from facedown.games.reveal.action_text import card_kind
from facedown.games.reveal.cards import NAMES, WILD, card_name, colour_adjective, column_position_word, column_title
from facedown.games.reveal.i18n import N_, _
from facedown.games.reveal.info import RevealOptions
from facedown.games.reveal.log import column_points_sentence
from facedown.games.reveal.rules import FINALS, ROWS, RULES, SEATS, RevealPosition, base_slot, grand_reveal, side_slot
from facedown.games.reveal.view import BASE_PART, COLUMN_LETTERS, COLUMN_NAMES, FINAL_PART, column_count, winners_of

#: Example input of `score`. It has the base and both sides of each chosen column (row 1 first), the Final Cards, the
#: chosen columns, the totals before the hand, and the number of the hand.
#:
#: * Cards are colour names or "wild".
#: * Columns are L, C and R.
EXAMPLE = load_score_example(__file__)

_SLIP_PARTS = ("base", "own side", "other side", "Final Card")


def score(data: dict[str, Any]) -> dict[str, Any]:
    """Return the points of a hand, explained card by card. `data` has the same entries as `EXAMPLE`.

    Raise `ValueError` if an entry is missing, has the wrong form, or cannot occur in the game.

    >>> result = score(EXAMPLE)
    >>> [row["points"] for row in result["players"]]
    [6, 5]
    >>> result["players"][0]["why"]
    '2 + 2 + 1 + 1. Ilse’s own red cards opened Mara’s side.'
    """
    for name in data:
        require(
            name in EXAMPLE, _("unknown entry {name}; expected one of: {names}", name=name, names=", ".join(EXAMPLE))
        )
    names = player_names(data, SEATS, _("players must be a list of two names"))
    choices = [_parse_column(letter) for letter in _require_list_of_two(data, "choices")]
    otherwise = _("totals must be two whole numbers, each 0 or more")
    totals = require_whole_numbers(data.get("totals", [0] * SEATS), SEATS, 0, 9999, otherwise)
    hand = data.get("hand", 1)
    require(is_whole(hand, 1, 1000), _("hand must be the number of the hand, 1 or more"))
    try:
        chosen = options_of(data, RevealOptions)
        RULES.check(SEATS, chosen)
    except OptionError as problem:
        raise ValueError(_("options: {problem}", problem=problem)) from None
    state = dealt_state(RULES, SEATS, chosen)
    _check_and_lay_cards(state, _kinds_by_slot(data, choices))
    overwrite_first_entries(state.choice, choices)
    overwrite_first_entries(state.total, totals)
    state.hand_number = hand
    grand_reveal(state)
    first, second = state.score
    return {
        "game": "reveal",
        "players": [_seat_result(state, seat, names) for seat in range(SEATS)],
        "hand": "drawn" if first == second else names[second > first],
        "over": state.over != RUNNING,
        "winners": [names[seat] for seat in winners_of(state)],
    }


def _seat_result(state: RevealPosition, seat: int, names: list[str]) -> dict[str, Any]:
    count = column_count(state, seat)
    number = 0
    shown = []
    for part, cards in enumerate(count.parts):
        for row, (_place, kind, counts) in enumerate(cards):
            number += counts
            place = {} if part == FINAL_PART else {"row": row + 1}
            root = {"root": True} if part == BASE_PART and row == count.root_row else {}
            said = {"card": NAMES[kind], "from": _SLIP_PARTS[part], **place, "counts": number if counts else None}
            shown.append(said | root)
    return {
        "player": names[seat],
        "column": COLUMN_NAMES[count.column],
        "colour": NAMES[count.root] if count.points and count.root is not None else None,
        "points": state.score[seat],
        "total": state.total[seat],
        "subtotals": {name: count.subtotal(part) for part, name in enumerate(_SLIP_PARTS)},
        "cards": shown,
        "why": column_points_sentence(count, NOBODY, [Sitter(name) for name in names]).replace("**", ""),
    }


# --- reading the input ------------------------------------------------------------------------------------------------


def _require_list_of_two(data: dict[str, Any], name: str) -> list[Any]:
    require(name in data, _("{name} is missing", name=name))
    require(is_list_of_length(data[name], SEATS), _("{name} must have two entries, one for each player", name=name))
    return list(data[name])


def _parse_column(letter: Any) -> int:
    fine = isinstance(letter, str) and letter.upper() in tuple(COLUMN_LETTERS)
    require(fine, _("choices: {letter!r} is not a column; expected L, C or R", letter=letter))
    return COLUMN_LETTERS.index(letter.upper())


def _parse_kind(word: Any, where: str) -> int:
    text = N_("{where}: {word!r} is not a card; expected one of: {cards}")
    require(isinstance(word, str), _(text, where=where, word=word, cards=", ".join(NAMES)))
    try:
        return card_kind(word)
    except ValueError as problem:
        raise ValueError(f"{where}: {problem}") from None


def _parse_three_kinds(found: Any, where: str) -> list[int]:
    require(is_list_of_length(found, ROWS), _("{where}: expected three cards, starting with row 1", where=where))
    return [_parse_kind(word, where) for word in found]


def _kinds_by_slot(data: dict[str, Any], choices: list[int]) -> dict[int, int]:
    """Return the cards that were entered, as a dictionary from slots (card positions) to kinds of cards.

    A slot is an index of the array `card` of a position. A kind is the index of a colour, or `WILD`. `choices` are the
    columns that the players chose. Raise `ValueError` if cards are missing or invalid.
    """
    columns: Any = data.get("columns")
    fine = isinstance(columns, dict)
    require(
        fine,
        _("columns must be an object with one entry, containing base and sides, for each chosen column (L, C or R)"),
    )
    laid: dict[int, int] = {}
    for letter, given in columns.items():
        strange = _("columns: {letter} is not a column; expected L, C or R", letter=letter)
        require(str(letter).upper() in tuple(COLUMN_LETTERS), strange)
        fine = isinstance(given, dict) and set(given) == {"base", "sides"}
        require(
            fine, _("column {letter} must have a base of three cards and two sides of three cards each", letter=letter)
        )
        column = _parse_column(str(letter))
        base = _parse_three_kinds(given["base"], _("column {letter}, base", letter=letter))
        laid |= {base_slot(row, column): kind for row, kind in enumerate(base)}
        two = _("column {letter}: expected two sides, one for each player", letter=letter)
        require(is_list_of_length(given["sides"], SEATS), two)
        for seat, cards in enumerate(given["sides"]):
            kinds = _parse_three_kinds(
                cards, _("column {letter}, side of player {number}", letter=letter, number=seat + 1)
            )
            laid |= {side_slot(seat, row, column): kind for row, kind in enumerate(kinds)}
    for column in choices:
        missing = _("columns: {letter} was chosen, but its cards are missing", letter=COLUMN_LETTERS[column])
        require(base_slot(0, column) in laid, missing)
    for seat, word in enumerate(_require_list_of_two(data, "finals")):
        laid[FINALS + seat] = _parse_kind(word, _("Final Card of player {number}", number=seat + 1))
    return laid


def _check_and_lay_cards(state: RevealPosition, laid: dict[int, int]) -> None:
    for kind, copies in enumerate(state.opt.copies):
        shown = list(laid.values()).count(kind)
        wilds = N_("the deck has {copies} wilds, but {shown} were entered")
        coloured = N_("the deck has {copies} {colour}s, but {shown} were entered")
        colour = "" if kind == WILD else colour_adjective(kind)
        many = _(wilds if kind == WILD else coloured, copies=copies, colour=colour, shown=shown)
        require(shown <= copies, many)
    for slot, kind in laid.items():
        state.card[slot] = kind


def score_questions(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """Return the form that asks for the cards of a hand.

    `answers` are the form's fields so far, of which only the players' names are used. `parts`, the number of hands to
    score, is not used, because the form always asks for one hand.
    """
    names = names_from_answers(answers, seats)
    faces = tuple((name, card_name(kind), name) for kind, name in enumerate(NAMES))
    totals = (Field(("totals", s), name, default="0", keep="total") for s, name in enumerate(names))
    hand = Field(("hand",), _("Hand number"), default="1", low=1, high=1000, keep="next")
    letters = tuple((letter, capital(column_position_word(at)), letter) for at, letter in enumerate(COLUMN_LETTERS))
    choices = (Field(("choices", s), name, "choice", choices=letters) for s, name in enumerate(names))
    finals = (
        Field(("finals", s), _("{owner} Final Card", owner=possessive(name)), "faces", choices=faces)
        for s, name in enumerate(names)
    )
    return Sheet(
        (
            player_name_questions(seats),
            Group(_("Before this hand"), (*totals, hand), columns=3, note=_("The totals so far.")),
            Group(_("Which column did each player choose?"), tuple(choices), columns=2),
            Group(_("Final Cards"), tuple(finals)),
            *(_column_questions(column, names, faces) for column in range(len(COLUMN_LETTERS))),
        ),
        options=("deck", "final_unlocks", "end", "tie"),
        again=_("The next hand"),
    )


def _column_questions(column: int, names: list[str], faces: tuple[tuple[str, str, str], ...]) -> Group:
    letter = COLUMN_LETTERS[column]

    def card(label: str, *where: str | int) -> Field:
        return Field(("columns", letter, *where), label, "faces", choices=faces)

    base = (card(_("Base, card {number}", number=row + 1), "base", row) for row in range(ROWS))
    sides = (
        card(_("{owner} side, card {number}", owner=possessive(name), number=row + 1), "sides", seat, row)
        for seat, name in enumerate(names)
        for row in range(ROWS)
    )
    note = _("Fill this in only if somebody chose this column. The order of the rows does not affect the points.")
    return Group(capital(column_title(column)), (*base, *sides), optional=True, note=note)
