"""The scorekeeper: a round of SCOUT played with real cards.

The points come from the very rules that the program plays: piles, coins and hands are put into a state, and the round
ends there.
"""

from __future__ import annotations

import math
from typing import Any

from facedown.core.ruleset import begin
from facedown.core.seeds import SEED_BYTES
from facedown.core.state import RUNNING
from facedown.core.voice import known_entries, minus, plural
from facedown.games.scout.cards import HAND_OF, ROUNDS, TURNED, TWO_PLAYERS, card_kind, card_word, in_deck
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
    names, ender = _people(data, hands)
    dealt, seen = HAND_OF[seats] * seats, sum(piles) + sum(hands)
    _need(seen <= dealt, f"piles and hands have {seen} cards, but only {dealt} were dealt")
    for name, left in zip(names, coins, strict=True):
        fine = seats > TWO_PLAYERS or left <= CHIPS
        _need(fine, f"{name} has {left} chips left, but each starts a round with {CHIPS}")
    totals = _whole_numbers(data.get("totals", [0] * seats), seats, "totals", -TURN_CAP * seats)
    number = data.get("round", 1)
    _need(_is_whole(number, 1, ROUNDS[seats]), f"round is a number from 1 to {ROUNDS[seats]}")
    state = begin(RULES, seats, ScoutOptions.chosen({}), bytes(SEED_BYTES))
    for seat in range(seats):
        state.won[seat], state.coins[seat], state.hand[seat] = piles[seat], coins[seat], hands[seat]
        state.total[seat] = totals[seat]
    state.round_number = number
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
    gained = f"{plural(won, 'card')} won + {plural(coins, 'chip' if seats == TWO_PLAYERS else 'coin')}"
    if not ended:
        return f"{gained} − {plural(cards, 'card')} in hand = {minus(points)}."
    hand = f"the {plural(cards, 'card')} in hand cost nothing" if cards else "no card is left"
    return f"{gained} = {minus(points)}; {hand}, because the round ended with this player’s set."


def _need(fine: bool, otherwise: str) -> None:
    if not fine:
        raise ValueError(otherwise)


def _is_whole(value: Any, low: int, high: float = math.inf) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_row(value: Any, seats: int) -> bool:
    return isinstance(value, list) and len(value) == seats


def _whole_numbers(value: Any, seats: int, what: str, lowest: int = 0) -> list[int]:
    fine = _is_row(value, seats) and all(_is_whole(n, lowest, TURN_CAP) for n in value)
    _need(fine, f"{what} are {seats} whole numbers, one for each player")
    return list(value)


def _columns(data: dict[str, Any]) -> tuple[list[int], list[int], list[int]]:
    """Cards won, cards in hand and coins of each player; every card that is named must exist, and only once."""
    low, high = INFO.seats
    hands: Any = data.get("hands")
    piles: Any = data.get("piles")
    each = "each a number of cards or a list of cards like 7/2"
    _need(isinstance(hands, list) and low <= len(hands) <= high, f"hands are a list of {low} to {high}, {each}")
    seats = len(hands)
    _need(_is_row(piles, seats), f"piles are {seats}, one for each player, {each}")
    seen: set[int] = set()
    won = [_count(pile, f"pile {n}", seats, seen) for n, pile in enumerate(piles, 1)]
    held = [_count(hand, f"hand {n}", seats, seen) for n, hand in enumerate(hands, 1)]
    return won, held, _whole_numbers(data.get("coins"), seats, "coins")


def _count(cards: Any, what: str, seats: int, seen: set[int]) -> int:
    if _is_whole(cards, 0):
        return int(cards)
    _need(isinstance(cards, list), f"{what} is a number of cards or a list of cards like 7/2, not {cards!r}")
    for word in cards:
        try:
            kind = card_kind(str(word)) % TURNED
        except ValueError as error:
            raise ValueError(f"{what}: {error}") from None
        card = f"{what}: {card_word(kind)}"
        _need(in_deck(seats, kind), f"{card} is not in the deck of {seats} players")
        _need(kind not in seen, f"{card} is there twice, and there is one of each card")
        seen.add(kind)
    return len(cards)


def _people(data: dict[str, Any], hands: list[int]) -> tuple[list[str], int | None]:
    """The names, and who ended the round."""
    seats = len(hands)
    names = data.get("players", [f"Player {n + 1}" for n in range(seats)])
    named = _is_row(names, seats) and all(isinstance(name, str) and name for name in names)
    _need(named, f"players are {seats} names, one for each hand")
    ender = data.get("ender")
    fine = ender is None or _is_whole(ender, 0, seats - 1)
    _need(fine, f"ender is a seat from 0 to {seats - 1}, or null when nobody ended the round")
    for seat, cards in enumerate(hands):
        _need(cards > 0 or seat == ender, f"{names[seat]} has no card left, so ender is {seat}")
    return names, ender
