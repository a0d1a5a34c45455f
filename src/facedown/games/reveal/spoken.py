"""Reveal's actions as a person says them, from the view of the seat that takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core.spoken import Spoken, Teller, spoken
from facedown.core.voice import in_words, listing
from facedown.games.reveal.deck import NAMES
from facedown.games.reveal.rules import (
    CHOOSE,
    CHOOSE_CONFIRM,
    COLUMNS,
    CONFIRM,
    ORDERS,
    PLACE_ALL,
    STOP,
    SWAP_SET,
    side,
)
from facedown.games.reveal.seeing import column_word, kind_at

_TO = ("on the left", "in the middle", "on the right")


def say(view: Any, action: int, teller: Teller) -> Spoken:
    """The action in words: "Swap the yellow and a red". Cards of one colour are not told apart."""
    return spoken(_text(view, action))


def _text(view: Any, action: int) -> str:
    seat = int(view.viewer)
    if action == STOP:
        return "{swap} no more" if int(view.swapped[seat]) else "{keep} all three cards"
    if action < STOP:
        return _swap(_hand(view), [place for place in range(COLUMNS) if (action - SWAP_SET) >> place & 1])
    if action < CHOOSE:
        return _lay(_hand(view), [int(column) for column in ORDERS[action - PLACE_ALL]])
    mine = int(view.choice[seat])
    if action == CONFIRM:
        return f"{{confirm}} {column_word(mine)}"
    if action >= CHOOSE_CONFIRM + COLUMNS:
        return "{go} on to the next hand"
    if action >= CHOOSE_CONFIRM:
        return f"{{choose}} {column_word(action - CHOOSE_CONFIRM)} for good"
    column = column_word(action - CHOOSE)
    if mine < 0:
        return f"{{choose}} {column}"
    return f"{{stay}} with {column}" if mine == action - CHOOSE else f"{{move}} to {column}"


def _hand(view: Any) -> list[str]:
    seat, row = int(view.viewer), int(view.row)
    return [NAMES[kind_at(view, side(seat, row, place)) or 0] for place in range(COLUMNS)]


def _swap(hand: Sequence[str], places: Sequence[int]) -> str:
    if not places:
        return "{keep} all three cards"
    if len(places) == COLUMNS:
        return "{swap} all three cards"
    chosen = [hand[place] for place in places]
    parts = [_some(name, chosen.count(name), hand.count(name)) for name in sorted(set(chosen), key=hand.index)]
    return f"{{swap}} {listing(parts)}"


def _some(name: str, chosen: int, held: int) -> str:
    """So many of the cards of a colour: "the yellow", "a red", "two reds", "both reds"."""
    if held == 1:
        return f"the {name}"
    if chosen == 1:
        return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"
    return f"both {name}s" if chosen == held else f"{in_words(chosen)} {name}s"


def _lay(hand: Sequence[str], columns: Sequence[int]) -> str:
    if len(set(hand)) == 1:
        return f"{{lay}} the three {hand[0]}s"
    parts = []
    for column in range(COLUMNS):
        name = hand[list(columns).index(column)]
        parts.append(f"{_some(name, 1, hand.count(name))} {_TO[column]}")
    return f"{{lay}} {listing(parts)}"
