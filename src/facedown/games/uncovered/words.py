"""Actions of Uncovered! as text, in match files and as a person says them.

``uncover``, ``swap 4 1 3``, ``turn``, ``leave``.

``swap 4 1 3``: the mover's place 4 with place 3 of seat 1. Places are counted from 1, seats from 0, as in match files.
"""

from __future__ import annotations

import re

from facedown.core.spoken import Spoken, Teller, spoken
from facedown.core.state import View
from facedown.games.uncovered.cards import LOWEST, MOST_PLAYERS, NUMBERS, PLACES, kind_of, number_of
from facedown.games.uncovered.rules import (
    ACTIONS,
    LEAVE,
    SWAPS,
    TURN,
    UNCOVER,
    UncoveredPosition,
    swap_action,
    swap_parts,
)
from facedown.games.uncovered.view import number_at, on_table

#: What the terminal's help says of typing moves.
TYPING = "“swap 1 wren 2” is your place 1 with Wren’s place 2; a name may be cut short."

#: The word of a move that is a seat, where people type a name.
SEAT_AT = {"swap": 2}

_PLAIN = {UNCOVER: "uncover", TURN: "turn", LEAVE: "leave"}


def words(action: int) -> str:
    """An action in the notation of match files.

    >>> words(UNCOVER), words(swap_action(3, 1, 2))
    ('uncover', 'swap 4 1 3')
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}")
    if action >= SWAPS:
        return _PLAIN[action]
    place, other, theirs = swap_parts(action)
    return f"swap {place + 1} {other} {theirs + 1}"


def _number(word: str, what: str, low: int, high: int) -> int:
    if not re.fullmatch(r"\d{1,3}", word) or not low <= int(word) <= high:
        raise ValueError(f"{word} is not {what}: they are {low} to {high}")
    return int(word)


def parse(text: str) -> int:
    """The action of a text; `ValueError` says what is wrong.

    >>> parse("swap 4 1 3") == swap_action(3, 1, 2)
    True
    """
    parts = text.strip().lower().split()
    if len(parts) == 1:
        for action, word in _PLAIN.items():
            if parts[0] == word:
                return action
    if len(parts) == 4 and parts[0] == "swap":
        place = _number(parts[1], "a place", 1, PLACES) - 1
        other = _number(parts[2], "a seat", 0, MOST_PLAYERS - 1)
        theirs = _number(parts[3], "a place", 1, PLACES) - 1
        return swap_action(place, other, theirs)
    raise ValueError(
        f"{text.strip()!r} is no move: uncover, turn, leave, or swap with your place, a seat and its place (swap 4 1 3)"
    )


def card_word(kind: int) -> str:
    """A card in the notation of explicit deals: its number."""
    return str(number_of(kind))


def card_kind(word: str) -> int:
    """The kind of a card's word."""
    return kind_of(_number(word, "a card's number", LOWEST, NUMBERS))


# --- as a person says it ----------------------------------------------------------------------------------------------


def say(view: View, action: int, teller: Teller) -> Spoken:
    """An action that is legal in the view of the seat that takes it, as a person says it:
    "Swap your 2 at place 3 with Theo’s 4 at place 4".
    """
    return spoken(_text(on_table(view), action, teller))


def _text(v: UncoveredPosition, action: int, teller: Teller) -> str:
    if action < SWAPS:
        place, other, theirs = swap_parts(action)
        return f"{{swap}} {_card(v, teller.actor, place, teller)} with {_card(v, other, theirs, teller)}"
    if action == UNCOVER:
        return "{uncover} all hands"
    number = v.deciding % PLACES + 1
    return f"{{leave}} {teller.mine} {number} unturned" if action == LEAVE else f"{{turn}} {teller.mine} {number}"


def _card(v: UncoveredPosition, seat: int, place: int, teller: Teller) -> str:
    """A card with its owner and place: "Theo’s 4 at place 4", "your card at place 3"."""
    number = number_at(v, PLACES * seat + place)
    return f"{teller.whose(seat)} {'card' if number is None else number} at place {place + 1}"
