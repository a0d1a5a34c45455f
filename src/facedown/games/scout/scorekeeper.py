"""Scorekeeper for a round of SCOUT that is played with physical cards.

The players enter their score piles, coins and hands. The scorekeeper counts the cards, and builds a position
(`ScoutPosition`) with these numbers. The module `rules` then scores this position as the end of a round.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from facedown.core.grammar import digits, refuse_unknown_entries
from facedown.core.score_sheet_questions import Field, Group, Keep, Sheet, names_from_answers, player_name_questions
from facedown.core.scoresheet_input import (
    dealt_state,
    ending_seat,
    is_list_of_length,
    is_whole,
    load_score_example,
    overwrite_first_entries,
    player_names,
    require,
    require_whole_numbers,
    totals_before,
)
from facedown.core.state import RUNNING
from facedown.games.scout.i18n import N_, _, n_
from facedown.games.scout.info import (
    HAND_SIZES,
    INFO,
    ROUNDS,
    TURNED,
    TWO_PLAYERS,
    ScoutOptions,
    card_kind,
    card_word,
    is_in_full_deck,
)
from facedown.games.scout.rules import CHIPS, RULES, TURN_CAP, score_and_end_round
from facedown.games.scout.view import winners_of

#: Example input of `score`. The lists have an element for each player: the score pile, the hand, and the coins (with
#: two players the chips left).
#:
#: * A pile or hand is a number of cards, or a list of cards like "7/2".
#: * "ender" is the player, counted from 0, whose last card or unbeaten set ended the round; null if there is none.
#: * "round" is the number of the round.
#: * "totals" are the players' points before this round.
EXAMPLE = load_score_example(__file__)


def score(data: dict[str, Any]) -> dict[str, Any]:
    """Return the points of each player in a round, with explanations.

    `data` is the input, in the form of `EXAMPLE`. Raise `ValueError` if it is invalid.

    >>> result = score(EXAMPLE)
    >>> [row["points"] for row in result["players"]]
    [-2, 5, 3]
    >>> result["players"][0]["why"]
    '2 cards won + 1 coin − 5 cards in hand = −2.'
    """
    refuse_unknown_entries(data, EXAMPLE)
    piles, hands, coins = _read_won_hand_and_coin_counts(data)
    seats = len(hands)
    names, ender = _names_and_ender(data, hands)
    there, seen = HAND_SIZES[seats] * seats, sum(piles) + sum(hands)
    require(
        seen <= there, _("piles and hands contain {seen} cards, but only {there} were dealt", seen=seen, there=there)
    )
    for name, left in zip(names, coins, strict=True):
        many = N_("{name} has {left} chips left, but everyone starts a round with {chips}")
        require(seats > TWO_PLAYERS or left <= CHIPS, _(many, name=name, left=left, chips=CHIPS))
    totals = totals_before(data, seats, -TURN_CAP * seats, TURN_CAP)
    number = data.get("round", 1)
    require(is_whole(number, 1, ROUNDS[seats]), _("round must be a number from 1 to {last}", last=ROUNDS[seats]))
    state = dealt_state(RULES, seats, ScoutOptions.from_texts({}))
    for row, numbers in ((state.won, piles), (state.coins, coins), (state.hand, hands), (state.total, totals)):
        overwrite_first_entries(row, numbers)
    state.round_number = number
    score_and_end_round(state, ender)
    rows = [
        {
            "player": name,
            "points": state.score[seat],
            "total": state.total[seat],
            "why": _points_explanation(seats, piles[seat], coins[seat], hands[seat], seat == ender, state.score[seat]),
        }
        for seat, name in enumerate(names)
    ]
    over = state.over != RUNNING
    winners = [names[seat] for seat in winners_of(state)] if over else []
    return {"game": INFO.name, "players": rows, "over": over, "winners": winners}


def _points_explanation(seats: int, won: int, coins: int, cards: int, ended: bool, points: int) -> str:
    gained = n_("{count} coin", "{count} coins", coins)
    if seats == TWO_PLAYERS:
        gained = n_("{count} chip", "{count} chips", coins)
    values = {"cards": n_("{count} card won", "{count} cards won", won), "coins": gained, "points": digits(points)}
    if not ended:
        lost = n_("{count} card in hand", "{count} cards in hand", cards)
        return _("{cards} + {coins} − {hand} = {points}.", hand=lost, **values)
    if not cards:
        none = N_("{cards} + {coins} = {points}. No cards are left in hand: this player’s set ended the round.")
        return _(none, **values)
    return n_(
        "{cards} + {coins} = {points}. The {count} card in hand costs nothing: this player’s set ended the round.",
        "{cards} + {coins} = {points}. The {count} cards in hand cost nothing: this player’s set ended the round.",
        cards,
        **values,
    )


def _read_won_hand_and_coin_counts(data: dict[str, Any]) -> tuple[list[int], list[int], list[int]]:
    """Return three lists with an element for each player: number of cards won, number of cards in hand, and coins.

    In `data`, the cards won and the cards in hand are given as a number or as a list of cards. Raise `ValueError` if an
    entry is missing or invalid, if a listed card does not exist, or if a card is listed twice.
    """
    low, high = INFO.seats
    hands: Any = data.get("hands")
    piles: Any = data.get("piles")
    text = N_("hands must have {low} to {high} entries, each a number of cards or a list of cards like 7/2")
    require(isinstance(hands, list) and low <= len(hands) <= high, _(text, low=low, high=high))
    seats = len(hands)
    text = N_("piles must have {seats} entries, one per player, each a number of cards or a list of cards like 7/2")
    require(is_list_of_length(piles, seats), _(text, seats=seats))
    seen: set[int] = set()
    won = [_count_cards(pile, _("pile {number}", number=n), seats, seen) for n, pile in enumerate(piles, 1)]
    held = [_count_cards(hand, _("hand {number}", number=n), seats, seen) for n, hand in enumerate(hands, 1)]
    otherwise = _("coins must be {seats} whole numbers, one for each player", seats=seats)
    return won, held, require_whole_numbers(data.get("coins"), seats, 0, TURN_CAP, otherwise)


def _count_cards(cards: Any, what: str, seats: int, seen: set[int]) -> int:
    if is_whole(cards, 0):
        return cards
    text = N_("{what} must be a number of cards or a list of cards like 7/2, not {given!r}")
    require(isinstance(cards, list), _(text, what=what, given=cards))
    for word in cards:
        try:
            kind = card_kind(str(word)) % TURNED
        except ValueError as error:
            raise ValueError(f"{what}: {error}") from None
        card = f"{what}: {card_word(kind)}"
        require(
            is_in_full_deck(seats, kind), _("{card} is not in the deck for {seats} players", card=card, seats=seats)
        )
        require(kind not in seen, _("{card} is listed twice, but there is only one of each card", card=card))
        seen.add(kind)
    return len(cards)


def _names_and_ender(data: dict[str, Any], hands: list[int]) -> tuple[list[str], int]:
    """Return the names of the players, and the seat that ended the round (-1 if none did).

    `hands` has the number of cards in each hand. Raise `ValueError` if a seat has no cards left but did not end the
    round.
    """
    seats = len(hands)
    names = player_names(data, seats, _("players must be {seats} names, one for each hand", seats=seats))
    ender = ending_seat(data, seats)
    for seat, cards in enumerate(hands):
        text = N_("{name} has no cards left, so ender must be {seat}")
        require(cards > 0 or seat == ender, _(text, name=names[seat], seat=seat))
    return names, ender


def score_questions(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """Return the form that asks for the results of a round with `seats` players.

    `answers` are the entries so far, by field name. The questions contain the players' names that were entered.
    `parts`, the number of rounds to score, is not used, because the form always asks for one round.
    """
    names = names_from_answers(answers, seats)

    def each(what: str, low: int = 0, default: str = "", keep: Keep = "") -> tuple[Field, ...]:
        return tuple(Field((what, seat), name, low=low, default=default, keep=keep) for seat, name in enumerate(names))

    enders = (*((str(seat), name, seat) for seat, name in enumerate(names)), ("nobody", _("Nobody’s"), None))
    this_round = (
        Field(("round",), _("Round number"), default="1", low=1, high=seats, keep="next"),
        Field(("ender",), _("Whose set ended the round?"), "choice", choices=enders),
    )
    coins = _("Chips left") if seats == TWO_PLAYERS else _("Coins")
    counted = {"piles": _("Cards won"), "coins": coins, "hands": _("Cards left in hand")}
    return Sheet(
        (
            player_name_questions(seats),
            Group(_("Totals before this round"), each("totals", -9999, "0", "total"), columns=2),
            Group(_("The round"), this_round),
            *(Group(title, each(what), columns=2) for what, title in counted.items()),
        ),
        again=_("The next round"),
    )
