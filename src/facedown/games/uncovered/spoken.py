"""The actions of Uncovered! as a person says them, from the view of the seat that takes them."""

from __future__ import annotations

from typing import Any

from facedown.core.spoken import Spoken, Teller, spoken
from facedown.games.uncovered.fewest import PLACES
from facedown.games.uncovered.rules import LEAVE, SWAPS, UNCOVER
from facedown.games.uncovered.seen import number_at
from facedown.games.uncovered.words import swap_parts


def say(view: Any, action: int, teller: Teller) -> Spoken:
    """The action in words: "Swap your 2 at place 3 with Theo’s 4 at place 4"."""
    return spoken(_text(view, action, teller))


def _text(view: Any, action: int, teller: Teller) -> str:
    if action < SWAPS:
        place, other, theirs = swap_parts(action)
        return f"{{swap}} {_card(view, teller.actor, place, teller)} with {_card(view, other, theirs, teller)}"
    if action == UNCOVER:
        return "{uncover} all hands"
    number = int(view.deciding) % PLACES + 1
    return f"{{leave}} {teller.mine} {number} unturned" if action == LEAVE else f"{{turn}} {teller.mine} {number}"


def _card(view: Any, seat: int, place: int, teller: Teller) -> str:
    """A card with its owner and place: "Theo’s 4 at place 4", "your card at place 3"."""
    number = number_at(view, PLACES * seat + place)
    return f"{teller.whose(seat)} {'card' if number is None else number} at place {place + 1}"
