"""Uncovered!'s deck: one card of each number 1 to 4 for every player, and hands of four (rules 4.2)."""

from __future__ import annotations

FEWEST_PLAYERS = 2
MOST_PLAYERS = 6
#: Cards of a hand; its places are counted from 0 in programs, from 1 by people.
PLACES = 4
NUMBERS = 4
LOWEST = 1
#: Kinds of cards: the numbers 1..4 are kinds 0..3, so that a card at home at place k is of kind k.
KINDS = NUMBERS


def kind_of(number: int) -> int:
    """The kind of a number."""
    return number - LOWEST


def number_of(kind: int) -> int:
    """The number on a kind of card."""
    return kind + LOWEST
