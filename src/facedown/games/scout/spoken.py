"""SCOUT's actions as a person says them, from the view of the seat that takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from facedown.core.spoken import Spoken, Teller, spoken
from facedown.games.scout.reading import Card, active_set, asked_words, in_a_row, own_hand, set_through, ups
from facedown.games.scout.rules import FLIP, KEEP, SCOUT, SCOUT_AND_SHOW
from facedown.games.scout.words import scout_parts, show_parts

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def say(view: Any, action: int, teller: Teller) -> Spoken:
    """The action in words: "Show three 8s", "Scout the 5 and put it between the 4 and the 6, for 4 5 6"."""
    return spoken(_text(view, action, teller))


def _text(view: Any, action: int, teller: Teller) -> str:
    if action < SCOUT:
        first, last = show_parts(action)
        return f"{{show}} {_which(ups(own_hand(view)), first - 1, last)}"
    if action < KEEP:
        return _scout(view, action, teller)
    if action == KEEP:
        return f"{{keep}} {teller.mine} hand as dealt"
    return f"{{flip}} {teller.mine} hand" if action == FLIP else "{go} on to the next round"


def _which(hand: Sequence[int], first: int, end: int) -> str:
    """A slice of the hand; which one, where another reads alike: "the 9", "the second 9", "three 8s"."""
    numbers = list(hand[first:end])
    alike = [at for at in range(len(hand)) if list(hand[at : at + len(numbers)]) == numbers]
    said = asked_words(numbers)
    if len(alike) == 1:
        return said
    which = _ORDINALS[alike.index(first)]
    return f"the {which} {numbers[0]}" if len(numbers) == 1 else f"the {which} {in_a_row(numbers)}"


def _scout(view: Any, action: int, teller: Teller) -> str:
    end, turned, place = scout_parts(action)
    hand, cards = own_hand(view), active_set(view)
    card = cards[-1 if end else 0]
    side = f"{('left', 'right')[end]} " if len(cards) > 1 and cards[0].up == cards[-1].up else ""
    laid = card.turned() if turned else card
    turn = f", turned to {laid.up}," if turned else ""
    made = set_through(ups([*hand[:place], laid, *hand[place:]]), place)
    gain = f", for {in_a_row(made)}" if len(made) > 1 else ""
    show = ", and {show} at once" if action >= SCOUT_AND_SHOW else ""
    joined = "," if show else " and"
    return f"{{scout}} the {side}{card.up}{joined} {{put}} it{turn} {_where(hand, place, teller)}{gain}{show}"


def between(hand: Sequence[Card], place: int) -> str:
    """A place in a hand by its neighbours: "before the 5", "between the 4 and the 6"."""
    if not hand:
        return "in your empty hand"
    if place == 0:
        return f"before the {hand[0].up}"
    if place == len(hand):
        return f"after the {hand[-1].up}"
    return f"between the {hand[place - 1].up} and the {hand[place].up}"


def _where(hand: Sequence[Card], place: int, teller: Teller) -> str:
    """The same, counted where two gaps have the same neighbours."""
    if not hand:
        return f"in {teller.mine} empty hand"
    said = between(hand, place)
    alike = [gap for gap in range(len(hand) + 1) if between(hand, gap) == said]
    return said if len(alike) == 1 else f"{said}, as card {place + 1} of {teller.mine} hand"
