"""The scorekeeper: a game of Uncovered! with real cards, from the hands as dealt and the last turn number said."""

from __future__ import annotations

from typing import Any

from facedown.core.scoring import is_row, is_whole, need, options_of
from facedown.core.sheet import names_from
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
    need(isinstance(won, bool), "won is true or false: were all hands alike?")
    scoring, single = _options(data)
    line = best_line(hands, first, single)
    possible = not won or turns >= len(line)
    need(possible, f"these hands cannot be alike before turn {len(line)}, not at turn {turns}: look again at both")
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
    fine = isinstance(hands, list) and FEWEST_PLAYERS <= len(hands) <= MOST_PLAYERS
    need(fine, f"hands are a list of {FEWEST_PLAYERS} to {MOST_PLAYERS} hands of four cards, as they were dealt")
    for number, hand in enumerate(hands, 1):
        need(is_row(hand, PLACES), f"hand {number} is not four cards")
        for card in hand:
            fine = is_whole(card, 1, NUMBERS)
            need(fine, f"hand {number}: {card!r} is no card of this deck, which has 1 to {NUMBERS}")
    have = f"{in_words(len(hands))} players have {in_words(len(hands))}"
    for number in range(1, NUMBERS + 1):
        shown = sum(hand.count(number) for hand in hands)
        need(shown <= len(hands), f"the hands show {in_words(shown)} {number}s, {have} of each number")
    return tuple(tuple(hand) for hand in hands)


def _names(names: Any, seats: int) -> list[str]:
    if names is None:
        return names_from({}, seats)
    fine = is_row(names, seats) and all(isinstance(name, str) and name.strip() for name in names)
    need(fine, f"players are {seats} names, one for each hand")
    return [name.strip() for name in names]


def _whole(value: Any, what: str, most: int) -> int:
    need(is_whole(value, 0, most), f"{what} is a whole number from 0 to {most}")
    return int(value)


def _options(data: dict[str, Any]) -> tuple[Score, bool]:
    given = data.get("options", {})
    fine = isinstance(given, dict) and all(isinstance(value, str) for value in given.values())
    need(fine, "options are an object of names and texts")
    options = options_of(data, UncoveredOptions)
    return options.score, options.single_colour_win == SingleColourWin.YES


def _swap_words(swap: Swap, names: list[str]) -> str:
    seat, place, other, theirs = swap
    return f"{names[seat]}’s place {place + 1} with {names[other]}’s place {theirs + 1}"


def _why(turns: int, points: int | None, fewest: int, par: int, scoring: Score) -> str:
    swaps = "swap" if fewest == 1 else "swaps"
    known = f"With all cards known {in_words(fewest)} {swaps} would have done, made in turn"
    if points is None:
        return f"Lost at turn {turns}: a lost game has no score. {known}."
    if scoring == Score.RAW_TURNS:
        return f"Won at turn {turns}: the score is {plural(turns, 'swap')}."
    if scoring == Score.FREE_REGRET:
        ways = f"{in_words(par)} {'swap' if par == 1 else 'swaps'} would have done if anybody could swap at any time"
        return f"Won at turn {turns}. With all cards known {ways}: {turns} − {par} = {points}."
    perfect = " A perfect game." if points == 0 else ""
    return f"Won at turn {turns}. {known}: {turns} − {fewest} = {points}.{perfect}"
