"""The scorekeeper: a game of Uncovered! with real cards, from the hands as dealt and the last turn number said."""

from __future__ import annotations

from typing import Any

from facedown.core.voice import in_words, known_entries, plural
from facedown.games.uncovered.cards import FEWEST_PLAYERS, MOST_PLAYERS, NUMBERS, PLACES
from facedown.games.uncovered.fewest import ANYONE
from facedown.games.uncovered.info import INFO, Score, SingleColourWin, UncoveredOptions
from facedown.games.uncovered.par import Hands, Swap, best_line

#: What `score` reads: the dealt hands in turn order, position 1 first; the last turn number said (from 0); whether all
#: hands turned out alike; who had turn 0; the options that the score depends on (`score`, `single_colour_win`).
EXAMPLE: dict[str, Any] = {
    "players": ["Ilse", "Ravi", "Mara"],
    "hands": [[1, 2, 3, 4], [1, 2, 3, 3], [1, 2, 4, 4]],
    "turns": 4,
    "won": True,
    "first": 0,
    "options": {},
}

#: Nobody plays on for so many turns; it keeps slips of the pen out.
MOST_TURNS_SAID = 9999


def score(data: dict[str, Any]) -> dict[str, Any]:
    """The score of a game, explained; `ValueError` names what cannot be.

    >>> result = score(EXAMPLE)
    >>> result["fewest"], result["score"]
    (2, 2)
    >>> result["why"]
    'Won at turn 4. With all cards known two swaps would have done, made in turn: 4 − 2 = 2.'
    >>> result["line"][1]
    'Ravi’s place 4 with Mara’s place 3'
    """
    known_entries(data, EXAMPLE)
    hands = _hands(data.get("hands"))
    names = _names(data.get("players"), len(hands))
    turns = _whole(data.get("turns"), "turns (the last turn number said, counted from 0)", MOST_TURNS_SAID)
    first = _whole(data.get("first", 0), "first (the seat that had turn 0)", len(hands) - 1)
    won = data.get("won", True)
    if not isinstance(won, bool):
        raise ValueError("won is true or false: were all hands alike?")
    scoring, single = _options(data.get("options", {}))
    line = best_line(hands, first, single)
    if won and turns < len(line):
        raise ValueError(
            f"these hands cannot be alike before turn {len(line)}, not at turn {turns}: look again at both"
        )
    mover = ANYONE if scoring == Score.FREE_REGRET else first
    par = 0 if scoring == Score.RAW_TURNS else len(best_line(hands, mover, single))
    points = turns - par if won else None
    return {
        "game": INFO.name,
        "won": won,
        "turns": turns,
        "fewest": len(line),
        "score": points,
        "line": [_swap_words(swap, names) for swap in line],
        "why": _why(turns, points, len(line), par, scoring),
    }


def _hands(hands: Any) -> Hands:
    if not isinstance(hands, list) or not FEWEST_PLAYERS <= len(hands) <= MOST_PLAYERS:
        raise ValueError(
            f"hands are a list of {FEWEST_PLAYERS} to {MOST_PLAYERS} hands of four cards, as they were dealt"
        )
    for number, hand in enumerate(hands, 1):
        if not isinstance(hand, list) or len(hand) != PLACES:
            raise ValueError(f"hand {number} is not four cards")
        for card in hand:
            if not isinstance(card, int) or isinstance(card, bool) or not 1 <= card <= NUMBERS:
                raise ValueError(f"hand {number}: {card!r} is no card of this deck, which has 1 to {NUMBERS}")
    cards = [card for hand in hands for card in hand]
    for number in range(1, NUMBERS + 1):
        if cards.count(number) > len(hands):
            have = f"{in_words(len(hands))} players have {in_words(len(hands))}"
            raise ValueError(f"the hands show {in_words(cards.count(number))} {number}s, {have} of each number")
    return tuple(tuple(hand) for hand in hands)


def _names(names: Any, seats: int) -> list[str]:
    if names is None:
        return [f"Player {seat + 1}" for seat in range(seats)]
    if not isinstance(names, list) or len(names) != seats or not all(isinstance(n, str) and n.strip() for n in names):
        raise ValueError(f"players are {seats} names, one for each hand")
    return [name.strip() for name in names]


def _whole(value: Any, what: str, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError(f"{what} is a whole number from 0 to {most}")
    return value


def _options(given: Any) -> tuple[Score, bool]:
    if not isinstance(given, dict) or not all(isinstance(v, str) for v in given.values()):
        raise ValueError("options are an object of names and texts")
    options = UncoveredOptions.chosen(INFO.options.complete(given))
    return options.score, options.single_colour_win == SingleColourWin.YES


def _swap_words(swap: Swap, names: list[str]) -> str:
    seat, place, other, theirs = swap
    return f"{names[seat]}’s place {place + 1} with {names[other]}’s place {theirs + 1}"


def _why(turns: int, points: int | None, fewest: int, par: int, scoring: Score) -> str:
    known = (
        f"With all cards known {in_words(fewest)} {'swap' if fewest == 1 else 'swaps'} would have done, made in turn"
    )
    if points is None:
        return f"Lost at turn {turns}: a lost game has no score. {known}."
    if scoring == Score.RAW_TURNS:
        return f"Won at turn {turns}: the score is {plural(turns, 'swap')}."
    if scoring == Score.FREE_REGRET:
        ways = f"{in_words(par)} {'swap' if par == 1 else 'swaps'} would have done if anybody could swap at any time"
        return f"Won at turn {turns}. With all cards known {ways}: {turns} − {par} = {points}."
    perfect = " A perfect game." if points == 0 else ""
    return f"Won at turn {turns}. {known}: {turns} − {fewest} = {points}.{perfect}"
