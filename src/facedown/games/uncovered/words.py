"""Actions of Uncovered! as text, in match files and as a person says them.

``uncover``, ``swap 4 1 3``, ``turn``, ``leave``.

``swap 4 1 3``: the mover's place 4 with place 3 of seat 1. Places are counted from 1, seats from 0, as in match files.
"""

from __future__ import annotations

import re

from facedown.core.spoken import Spoken, Teller, spoken
from facedown.core.state import View
from facedown.games.uncovered.cards import LOWEST, MOST_PLAYERS, NUMBERS, PLACES, kind_of, number_of
from facedown.games.uncovered.rules import ACTIONS, Act, UncoveredPosition, swap_action, swap_parts, swap_slots
from facedown.games.uncovered.view import number_at, on_table

#: What the terminal's help says of typing moves.
TYPING = "“swap 1 wren 2” is your place 1 with Wren’s place 2; a name may be cut short."

#: The word of a move that is a seat, where people type a name.
SEAT_AT = {"swap": 2}


def words(action: int) -> str:
    """An action in the notation of match files.

    >>> words(Act.UNCOVER), words(swap_action(3, 1, 2))
    ('uncover', 'swap 4 1 3')
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}")
    if action >= Act.UNCOVER:
        return Act(action).name.lower()
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
    match text.lower().split():
        case ["uncover" | "turn" | "leave" as word]:
            return Act[word.upper()].value
        case ["swap", place, other, theirs]:
            own = _number(place, "a place", 1, PLACES) - 1
            seat = _number(other, "a seat", 0, MOST_PLAYERS - 1)
            return swap_action(own, seat, _number(theirs, "a place", 1, PLACES) - 1)
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
    v = on_table(view)
    number = v.deciding % PLACES + 1
    match Act.of(action):
        case Act.SWAP, _:
            own, theirs = (_card(v, slot, teller) for slot in swap_slots(teller.actor, action))
            return spoken(f"{{swap}} {own} with {theirs}")
        case Act.UNCOVER, _:
            return spoken("{uncover} all hands")
        case Act.LEAVE, _:
            return spoken(f"{{leave}} {teller.mine} {number} unturned")
        case _:
            return spoken(f"{{turn}} {teller.mine} {number}")


def _card(v: UncoveredPosition, slot: int, teller: Teller) -> str:
    """A card with its owner and place: "Theo’s 4 at place 4", "your card at place 3"."""
    return f"{teller.whose(slot // PLACES)} {number_at(v, slot) or 'card'} at place {slot % PLACES + 1}"
