"""Actions of Uncovered! in words: ``uncover``, ``swap 4 1 3``, ``turn``, ``leave``.

``swap 4 1 3``: the mover's place 4 with place 3 of seat 1. Places are counted from 1, seats from 0, as in match files.
"""

from __future__ import annotations

import re

from facedown.games.uncovered import MOST_SEATS
from facedown.games.uncovered.fewest import NUMBERS, PLACES
from facedown.games.uncovered.rules import ACTIONS, LEAVE, PAIRS, SWAPS, TURN, UNCOVER

#: What the terminal's help says of typing moves.
TYPING = "“swap 1 wren 2” is your place 1 with Wren’s place 2; a name may be cut short."

#: The word of a move that is a seat, where people type a name.
SEAT_AT = {"swap": 2}

_PLAIN = {UNCOVER: "uncover", TURN: "turn", LEAVE: "leave"}


def swap_action(place: int, other: int, theirs: int) -> int:
    """The swap of the mover's place with a place of another seat, places counted from 0."""
    return PAIRS * other + PLACES * place + theirs


def swap_parts(action: int) -> tuple[int, int, int]:
    """The mover's place, the other seat and its place, all counted from 0.

    >>> swap_parts(swap_action(3, 1, 2))
    (3, 1, 2)
    """
    return action // PLACES % PLACES, action // PAIRS, action % PLACES


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
        other = _number(parts[2], "a seat", 0, MOST_SEATS - 1)
        theirs = _number(parts[3], "a place", 1, PLACES) - 1
        return swap_action(place, other, theirs)
    raise ValueError(
        f"{text.strip()!r} is no move: uncover, turn, leave, or swap with your place, a seat and its place (swap 4 1 3)"
    )


def card_word(kind: int) -> str:
    """A card in the notation of explicit deals: its number."""
    return str(kind + 1)


def card_kind(word: str) -> int:
    """The kind of a card's word."""
    return _number(word, "a card's number", 1, NUMBERS) - 1
