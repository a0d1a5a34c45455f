"""The scorekeeper: a hand of Reveal played with real cards.

The points come from the very rules that the program plays: the columns are laid into a state, and the hand ends there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from facedown.core.options import OptionError
from facedown.core.ruleset import begin
from facedown.core.seeds import SEED_BYTES
from facedown.core.state import NOBODY, RUNNING
from facedown.core.table import Sitter
from facedown.games.reveal.cards import NAMES
from facedown.games.reveal.info import RevealOptions
from facedown.games.reveal.log import sum_sentence
from facedown.games.reveal.rules import (
    FINALS,
    ROWS,
    RULES,
    SEATS,
    RevealPosition,
    base_slot,
    check,
    deal,
    grand_reveal,
    side,
)
from facedown.games.reveal.view import BASE_PART, COLUMN_LETTERS, COLUMN_NAMES, FINAL_PART, count_seat, winners_of
from facedown.games.reveal.words import card_kind

#: What `score` reads: of each column that somebody chose its base and both sides (row 1 first), the Final Cards, the
#: chosen columns, the totals before the hand, and the number of the hand. Cards are colours or "wild"; L, C and R are
#: the columns.
EXAMPLE: dict[str, Any] = {
    "players": ["Ilse", "Mara"],
    "columns": {
        "L": {"base": ["red", "yellow", "red"], "sides": [["green", "red", "red"], ["red", "pink", "yellow"]]},
        "C": {"base": ["blue", "wild", "green"], "sides": [["orange", "white", "blue"], ["blue", "blue", "black"]]},
    },
    "choices": ["L", "C"],
    "finals": ["wild", "pink"],
    "totals": [7, 8],
    "hand": 2,
    "options": {},
}

_SLIP_PARTS = ("base", "own side", "other side", "Final Card")


def score(data: dict[str, Any]) -> dict[str, Any]:
    """The points of a hand, explained card by card; `ValueError` names what cannot be.

    >>> result = score(EXAMPLE)
    >>> [row["points"] for row in result["players"]]
    [6, 5]
    >>> result["players"][0]["why"]
    '2 + 2 + 1 + 1. Ilse’s own red cards opened Mara’s side.'
    """
    for name in data:
        if name not in EXAMPLE:
            raise ValueError(f"{name} is not asked for: there are {', '.join(EXAMPLE)}")
    names = _pair(data, "players", ["Player 1", "Player 2"])
    if not all(isinstance(name, str) and name.strip() for name in names):
        raise ValueError("players are two names")
    choices = [_column(letter) for letter in _pair(data, "choices")]
    totals = _pair(data, "totals", [0, 0])
    if not all(_whole(total, 0, 9999) for total in totals):
        raise ValueError("totals are two whole numbers, from 0")
    hand = data.get("hand", 1)
    if not _whole(hand, 1, 1000):
        raise ValueError("hand is the number of the hand, from 1")
    state = _dealt(data.get("options", {}))
    _lay(state, _all_cards(data, choices))
    for seat in range(SEATS):
        state.choice[seat] = choices[seat]
        state.total[seat] = totals[seat]
    state.hand_number = hand
    grand_reveal(state)
    first, second = state.score
    return {
        "game": "reveal",
        "players": [_explained(state, seat, names) for seat in range(SEATS)],
        "hand": "drawn" if first == second else names[second > first],
        "over": state.over != RUNNING,
        "winners": [names[seat] for seat in winners_of(state)],
    }


def _explained(state: RevealPosition, seat: int, names: list[str]) -> dict[str, Any]:
    count = count_seat(state, seat)
    number = 0
    shown = []
    for part, cards in enumerate(count.parts):
        for row, (kind, counts) in enumerate(cards):
            number += counts
            said: dict[str, Any] = {"card": NAMES[kind], "from": _SLIP_PARTS[part]}
            if part != FINAL_PART:
                said["row"] = row + 1
            said["counts"] = number if counts else None
            if part == BASE_PART and row == count.root_row:
                said["root"] = True
            shown.append(said)
    return {
        "player": names[seat],
        "column": COLUMN_NAMES[count.column],
        "colour": NAMES[count.root] if count.points and count.root is not None else None,
        "points": state.score[seat],
        "total": state.total[seat],
        "subtotals": {name: count.subtotal(part) for part, name in enumerate(_SLIP_PARTS)},
        "cards": shown,
        "why": sum_sentence(count, NOBODY, [Sitter(name) for name in names]).replace("**", ""),
    }


# --- reading what was given -------------------------------------------------------------------------------------------


def _pair(data: dict[str, Any], name: str, default: list[Any] | None = None) -> list[Any]:
    found = data.get(name, default)
    if not isinstance(found, list) or len(found) != SEATS:
        raise ValueError(f"{name} are two, one for each player" if name in data else f"{name} is missing")
    return found


def _column(letter: Any) -> int:
    if not isinstance(letter, str) or letter.upper() not in tuple(COLUMN_LETTERS):
        raise ValueError(f"choices: {letter!r} is no column: they are L, C and R")
    return COLUMN_LETTERS.index(letter.upper())


def _whole(given: Any, low: int, high: int) -> bool:
    """Is this a whole number in a range?"""
    return isinstance(given, int) and not isinstance(given, bool) and low <= given <= high


def _kind(word: Any, where: str) -> int:
    try:
        return card_kind(word)
    except AttributeError:
        raise ValueError(f"{where}: {word!r} is no card: they are {', '.join(NAMES)}") from None
    except ValueError as problem:
        raise ValueError(f"{where}: {problem}") from None


def _three(found: Any, where: str) -> list[int]:
    if not isinstance(found, list) or len(found) != ROWS:
        raise ValueError(f"{where}: three cards are expected, row 1 first")
    return [_kind(word, where) for word in found]


def _all_cards(data: dict[str, Any], choices: list[int]) -> dict[int, int]:
    """The kinds of the slots that were given."""
    columns = data.get("columns")
    if not isinstance(columns, dict):
        raise ValueError("columns are an object: of L, C, R those that somebody chose, with base and sides")
    laid: dict[int, int] = {}
    for letter, given in columns.items():
        if str(letter).upper() not in tuple(COLUMN_LETTERS):
            raise ValueError(f"columns: {letter} is no column: they are L, C and R")
        if not isinstance(given, dict) or set(given) != {"base", "sides"}:
            raise ValueError(f"column {letter}: it has a base of three cards and two sides of three")
        column = _column(str(letter))
        for row, kind in enumerate(_three(given["base"], f"column {letter}, base")):
            laid[base_slot(row, column)] = kind
        if not isinstance(given["sides"], list) or len(given["sides"]) != SEATS:
            raise ValueError(f"column {letter}: sides are two, one for each player")
        for seat, cards in enumerate(given["sides"]):
            for row, kind in enumerate(_three(cards, f"column {letter}, side of player {seat + 1}")):
                laid[side(seat, row, column)] = kind
    for column in choices:
        if base_slot(0, column) not in laid:
            raise ValueError(f"columns: {COLUMN_LETTERS[column]} was chosen, but its cards are missing")
    for seat, word in enumerate(_pair(data, "finals")):
        laid[FINALS + seat] = _kind(word, f"Final Card of player {seat + 1}")
    return laid


def _dealt(options: Any) -> RevealPosition:
    """A dealt state with these options."""
    if not isinstance(options, dict):
        raise ValueError("options are an object of names and values")
    try:
        chosen = RevealOptions.chosen(RevealOptions.declared.complete({str(k): str(v) for k, v in options.items()}))
        check(SEATS, chosen)
    except OptionError as problem:
        raise ValueError(f"options: {problem}") from None
    state = begin(RULES, SEATS, chosen, bytes(SEED_BYTES))
    deal(state, np.empty(0, np.int64), 0)
    return state


def _lay(state: RevealPosition, laid: dict[int, int]) -> None:
    for kind, copies in enumerate(state.opt.copies):
        shown = list(laid.values()).count(kind)
        if shown > copies:
            raise ValueError(f"the deck has {copies} {NAMES[kind]}s, the columns show {shown}")
    for slot, kind in laid.items():
        state.card[slot] = kind
