"""The scorekeeper: a round of SCOUT played with real cards.

The points come from the very rules that the program plays: piles, coins and hands are put into a state, and the round
ends there.
"""

from __future__ import annotations

import math
from typing import Any, TypeGuard

from facedown.core.ruleset import begin
from facedown.core.seeds import SEED_BYTES
from facedown.core.state import RUNNING
from facedown.core.voice import known_entries, minus, plural
from facedown.games.scout.cards import HAND_OF, PAIRS, ROUNDS, TURNED, TWO_PLAYERS, card_kind, in_deck
from facedown.games.scout.dealing import CHIPS
from facedown.games.scout.info import INFO, ScoutOptions
from facedown.games.scout.rules import RULES, TURN_CAP, end_round
from facedown.games.scout.view import leaders

#: What `score` reads: in turn order each player's score pile and hand (a number of cards, or the cards themselves, like
#: "7/2"), their coins (two players: chips left), who ended the round, counted from 0 (showed their last card, or the
#: set that nobody beat; null: nobody), which round it was, the totals before it.
EXAMPLE: dict[str, Any] = {
    "players": ["Mara", "Noor", "Sol"],
    "piles": [2, 3, 6],
    "coins": [1, 2, 0],
    "hands": [["7/2", "4/9", "1/5", "8/3", "6/2"], [], 3],
    "ender": 1,
    "round": 2,
    "totals": [9, 4, -1],
}


def score(data: dict[str, Any]) -> dict[str, Any]:
    """The points of a round, explained; `ValueError` names what cannot be.

    >>> result = score(EXAMPLE)
    >>> [row["points"] for row in result["players"]]
    [-2, 5, 3]
    >>> result["players"][0]["why"]
    '2 cards won + 1 coin − 5 cards in hand = −2.'
    """
    known_entries(data, EXAMPLE)
    piles, hands, coins = _columns(data)
    seats = len(hands)
    names = _names(data, seats)
    ender = _ender(data, names, hands)
    _check(names, piles, hands, coins)
    totals = _whole_numbers(data.get("totals", [0] * seats), seats, "totals", -TURN_CAP * seats)
    state = begin(RULES, seats, ScoutOptions.chosen({}), bytes(SEED_BYTES))
    for seat in range(seats):
        state.won[seat], state.coins[seat], state.hand[seat] = piles[seat], coins[seat], hands[seat]
        state.total[seat] = totals[seat]
    state.round_number = _round(data, ROUNDS[seats])
    end_round(state, -1 if ender is None else ender)
    rows = [
        {
            "player": name,
            "points": state.score[seat],
            "total": state.total[seat],
            "why": _why(seats, piles[seat], coins[seat], hands[seat], seat == ender, state.score[seat]),
        }
        for seat, name in enumerate(names)
    ]
    over = state.over != RUNNING
    winners = [names[seat] for seat in leaders([state.total[seat] for seat in range(seats)])] if over else []
    return {"game": INFO.name, "players": rows, "over": over, "winners": winners}


def _why(seats: int, won: int, coins: int, cards: int, ended: bool, points: int) -> str:
    coin = "chip" if seats == TWO_PLAYERS else "coin"
    gained = f"{plural(won, 'card')} won + {plural(coins, coin)}"
    if not ended:
        return f"{gained} − {plural(cards, 'card')} in hand = {minus(points)}."
    hand = f"the {plural(cards, 'card')} in hand cost nothing" if cards else "no card is left"
    return f"{gained} = {minus(points)}; {hand}, because the round ended with this player’s set."


def _is_whole(value: Any, low: int, high: float = math.inf) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_row(value: Any, seats: int) -> TypeGuard[list[Any]]:
    return isinstance(value, list) and len(value) == seats


def _whole_numbers(value: Any, seats: int, what: str, lowest: int = 0) -> list[int]:
    if not _is_row(value, seats) or not all(_is_whole(n, lowest, TURN_CAP) for n in value):
        raise ValueError(f"{what} are {seats} whole numbers, one for each player")
    return list(value)


def _columns(data: dict[str, Any]) -> tuple[list[int], list[int], list[int]]:
    """Cards won, cards in hand and coins of each player; every card that is named must exist, and only once."""
    low, high = INFO.seats
    hands = data.get("hands")
    if not isinstance(hands, list) or not low <= len(hands) <= high:
        raise ValueError(f"hands are a list of {low} to {high}, each a number of cards or a list of cards like 7/2")
    seats = len(hands)
    piles = data.get("piles")
    if not _is_row(piles, seats):
        raise ValueError(f"piles are {seats}, one for each player, each a number of cards or a list of cards like 7/2")
    seen: set[int] = set()
    won = [_count(pile, f"pile {n}", seats, seen) for n, pile in enumerate(piles, 1)]
    held = [_count(hand, f"hand {n}", seats, seen) for n, hand in enumerate(hands, 1)]
    return won, held, _whole_numbers(data.get("coins"), seats, "coins")


def _count(cards: Any, what: str, seats: int, seen: set[int]) -> int:
    if _is_whole(cards, 0):
        return cards
    if not isinstance(cards, list):
        raise ValueError(f"{what} is a number of cards or a list of cards like 7/2, not {cards!r}")
    for word in cards:
        try:
            kind = card_kind(str(word)) % TURNED
        except ValueError as error:
            raise ValueError(f"{what}: {error}") from None
        low, high = PAIRS[kind]
        if not in_deck(seats, kind):
            raise ValueError(f"{what}: {low}/{high} is not in the deck of {seats} players")
        if kind in seen:
            raise ValueError(f"{what}: {low}/{high} is there twice, and there is one of each card")
        seen.add(kind)
    return len(cards)


def _names(data: dict[str, Any], seats: int) -> list[str]:
    names: list[str] = data.get("players", [f"Player {n + 1}" for n in range(seats)])
    if not _is_row(names, seats) or not all(isinstance(n, str) and n for n in names):
        raise ValueError(f"players are {seats} names, one for each hand")
    return names


def _ender(data: dict[str, Any], names: list[str], hands: list[int]) -> int | None:
    ender: int | None = data.get("ender")
    if ender is not None and not _is_whole(ender, 0, len(names) - 1):
        raise ValueError(f"ender is a seat from 0 to {len(names) - 1}, or null when nobody ended the round")
    for seat, cards in enumerate(hands):
        if cards == 0 and seat != ender:
            raise ValueError(f"{names[seat]} has no card left, so ender is {seat}")
    return ender


def _round(data: dict[str, Any], last: int) -> int:
    number: int = data.get("round", 1)
    if not _is_whole(number, 1, last):
        raise ValueError(f"round is a number from 1 to {last}")
    return number


def _check(names: list[str], piles: list[int], hands: list[int], coins: list[int]) -> None:
    seats = len(names)
    dealt = HAND_OF[seats] * seats
    seen = sum(piles) + sum(hands)
    if seen > dealt:
        raise ValueError(f"piles and hands have {seen} cards, but only {dealt} were dealt")
    if seats == TWO_PLAYERS:
        for name, left in zip(names, coins, strict=True):
            if left > CHIPS:
                raise ValueError(f"{name} has {left} chips left, but each starts a round with {CHIPS}")
