"""Scorekeeper for a game of Uncovered! that is played with physical cards.

The players enter the hands as they were dealt, the last turn number, and whether they won. The last turn number is the
number of swaps made. The score is this number minus the smallest number of swaps that could have won the game if all
cards had been face up. With the option ``score=raw_turns`` nothing is subtracted. A lost game has no score.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from facedown.core.grammar import PlayerPhrase, in_words, refuse_unknown_entries
from facedown.core.score_sheet_questions import Field, Group, Sheet, names_from_answers, player_name_questions
from facedown.core.scoresheet_input import (
    is_list_of_length,
    is_whole,
    load_score_example,
    options_of,
    player_names,
    require,
)
from facedown.core.table import possessive
from facedown.games.uncovered.i18n import N_, _, n_
from facedown.games.uncovered.info import (
    FEWEST_PLAYERS,
    INFO,
    MOST_PLAYERS,
    NUMBERS,
    PLACES,
    Score,
    SingleColourWin,
    UncoveredOptions,
)
from facedown.games.uncovered.log import swap_phrase
from facedown.games.uncovered.optimal_turns import ANYONE, Hands, shortest_winning_swaps

#: Example input of `score`. It has these entries:
#:
#: * the names of the players, seat by seat in turn order;
#: * the hands as they were dealt, in the same order, each from place 1 to place 4;
#: * the last turn number, counted from 0;
#: * whether the players won;
#: * the seat that had turn 0;
#: * the options `score` and `single_colour_win`.
EXAMPLE = load_score_example(__file__)

#: Largest turn number that is accepted. A larger one must be a typing error.
MAX_TURN_NUMBER = 9999


def score(data: dict[str, Any]) -> dict[str, Any]:
    """Return the score of a game, with an explanation and a shortest sequence of swaps that wins.

    `data` is the input, in the form of `EXAMPLE`. Raise `ValueError` if it is invalid.

    >>> result = score(EXAMPLE)
    >>> result["fewest"], result["score"]
    (2, 2)
    >>> result["why"]
    'Won on turn 4. With all cards face up, two swaps in turn order would have been enough: 4 − 2 = 2.'
    >>> result["line"][1]
    'the cards in Ravi’s position 4 and Mara’s position 3'
    """
    refuse_unknown_entries(data, EXAMPLE)
    hands = _read_hands(data.get("hands"))
    otherwise = _("players must be {seats} names, one for each hand", seats=len(hands))
    names = [name.strip() for name in player_names(data, len(hands), otherwise)]
    wrong = N_("turns (the last turn number called out, counted from 0) must be a whole number from 0 to {most}")
    turns = _require_whole_number(data.get("turns"), wrong, MAX_TURN_NUMBER)
    wrong = N_("first (the seat that took turn 0) must be a whole number from 0 to {most}")
    first = _require_whole_number(data.get("first", 0), wrong, len(hands) - 1)
    won = data.get("won", True)
    require(isinstance(won, bool), _("won must be true or false (did all hands match?)"))
    given = data.get("options", {})
    fine = isinstance(given, dict) and all(isinstance(value, str) for value in given.values())
    require(fine, _("options must be an object with string values"))
    chosen = options_of(data, UncoveredOptions)
    scoring, single = chosen.score, chosen.single_colour_win == SingleColourWin.YES
    line = shortest_winning_swaps(hands, first, single)
    wrong = N_(
        "these hands cannot all match before turn {fewest}, so turn {turns} is impossible: check the hands and the turn"
    )
    require(not won or turns >= len(line), _(wrong, fewest=len(line), turns=turns))
    mover = ANYONE if scoring == Score.FREE_REGRET else first
    par = 0 if scoring == Score.RAW_TURNS else len(shortest_winning_swaps(hands, mover, single))
    points = turns - par if won else None
    return {
        "game": INFO.name,
        "won": won,
        "turns": turns,
        "fewest": len(line),
        "score": points,
        "line": [
            swap_phrase(PlayerPhrase((names[seat],)), place, PlayerPhrase((names[other],)), theirs)
            for seat, place, other, theirs in line
        ],
        "why": _score_explanation(turns, points, len(line), par, scoring),
    }


def _read_hands(hands: Any) -> Hands:
    fine = isinstance(hands, list) and FEWEST_PLAYERS <= len(hands) <= MOST_PLAYERS
    wrong = N_("hands must be a list of {low} to {high} hands of four cards, as they were dealt")
    require(fine, _(wrong, low=FEWEST_PLAYERS, high=MOST_PLAYERS))
    for number, hand in enumerate(hands, 1):
        require(is_list_of_length(hand, PLACES), _("hand {number} must have four cards", number=number))
        for card in hand:
            wrong = N_("hand {number}: {card} is not a card in this deck; expected 1 to {last}")
            require(is_whole(card, 1, NUMBERS), _(wrong, number=number, card=repr(card), last=NUMBERS))
    players = len(hands)
    for number in range(1, NUMBERS + 1):
        shown = sum(hand.count(number) for hand in hands)
        wrong = N_("the hands have {shown} {number}s, but there are only {players} of each number")
        require(shown <= players, _(wrong, shown=in_words(shown), number=number, players=in_words(players)))
    return tuple(tuple(hand) for hand in hands)


def _require_whole_number(value: Any, otherwise: str, most: int) -> int:
    require(is_whole(value, 0, most), _(otherwise, most=most))
    return int(value)


def _score_explanation(turns: int, points: int | None, fewest: int, par: int, scoring: Score) -> str:
    if points is None:
        lost = _("Lost on turn {turn}: a lost game has no score.", turn=turns)
        return f"{lost} {_fewest_swaps_sentence(fewest)}"
    if scoring == Score.RAW_TURNS:
        return n_(
            "Won on turn {turn}. Score: {count}.",
            "Won on turn {turn}. Score: {count}.",
            turns,
            turn=turns,
        )
    found = [
        _("Won on turn {turn}.", turn=turns),
        _score_calculation_sentence(par, turns, points, in_turn=scoring == Score.REGRET),
    ]
    if points == 0 and scoring == Score.REGRET:
        found.append(_("A perfect game."))
    return " ".join(found)


def _fewest_swaps_sentence(fewest: int) -> str:
    """Return the sentence that says that `fewest` swaps in turn order would have been enough to win."""
    if fewest == 0:
        return _("With all cards face up, no swap would have been needed.")
    return n_(
        "With all cards face up, {count} swap in turn order would have been enough.",
        "With all cards face up, {count} swaps in turn order would have been enough.",
        fewest,
        count=in_words(fewest),
    )


def _score_calculation_sentence(fewest: int, turns: int, points: int, in_turn: bool) -> str:
    """Return the sentence that says how few swaps could have won the game, and how the score is computed.

    * `fewest`: the smallest number of swaps that could have won the game if all cards had been face up.
    * `turns`: the last turn number of the game, which is the number of swaps made.
    * `points`: the score, which is `turns` − `fewest`.
    * `in_turn`: True if `fewest` is for players who take turns, False if any two players may swap at any time.
    """
    given = {"count": in_words(fewest), "turns": turns, "fewest": fewest, "score": points}
    if fewest == 0:
        none = N_("With all cards face up, no swap would have been needed: {turns} − 0 = {score}.")
        free = N_("With all cards face up and no turn order, no swaps would have been needed: {turns} − 0 = {score}.")
        return _(none if in_turn else free, **given)
    if in_turn:
        return n_(
            "With all cards face up, {count} swap in turn order would have been enough: {turns} − {fewest} = {score}.",
            "With all cards face up, {count} swaps in turn order would have been enough: {turns} − {fewest} = {score}.",
            fewest,
            **given,
        )
    return n_(
        "With all cards face up and no turn order, {count} swap would have been enough: {turns} − {fewest} = {score}.",
        "With all cards face up and no turn order, {count} swaps would have been enough: {turns} − {fewest} = {score}.",
        fewest,
        **given,
    )


def score_questions(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """Return the form that asks for the hands and the result of a game with `seats` players.

    `answers` are the entries so far, by field name. The questions contain the players' names that were entered.
    `parts`, the number of games to score, is not used, because the form always asks for one game.
    """
    names = names_from_answers(answers, seats)
    people = tuple((str(seat), name, seat) for seat, name in enumerate(names))
    ends = (("yes", _("Yes, won"), True), ("no", _("No, lost"), False))
    game = (
        Field(("turns",), _("The last turn number called out")),
        Field(("won",), _("Did all hands match?"), "choice", choices=ends),
        Field(("first",), _("Who took turn 0?"), "choice", default="0", choices=people),
    )
    hands = (_hand_question_group(seat, name) for seat, name in enumerate(names))
    groups = (player_name_questions(seats), *hands, Group(_("The game"), game))
    return Sheet(groups, options=("score", "single_colour_win"))


def _hand_question_group(seat: int, name: str) -> Group:
    cards = tuple((str(number), str(number), number) for number in range(1, NUMBERS + 1))
    places = (
        Field(("hands", seat, place), _("position {number}", number=place + 1), "faces", choices=cards)
        for place in range(PLACES)
    )
    note = "" if seat else _("Enter the players in turn order, and each hand starting from position 1.")
    return Group(_("{whose} hand as dealt", whose=possessive(name)), tuple(places), columns=PLACES, note=note)
