"""Scorekeeper for a round of Detect that is played with physical cards.

It puts the entered cards into a position, which the rules of the program then score as in any match.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from facedown.core.grammar import digits, possessive, refuse_unknown_entries
from facedown.core.score_sheet_questions import Field, Group, Sheet, names_from_answers, player_name_questions
from facedown.core.scoresheet_input import (
    dealt_state,
    ending_seat,
    is_list_of_length,
    is_whole,
    load_score_example,
    options_of,
    overwrite_first_entries,
    player_names,
    require,
    totals_before,
)
from facedown.core.state import EMPTY, EVERYONE, RUNNING
from facedown.core.translation import join_names
from facedown.games.detect.cards import HIGHEST, LOWEST, STANDARD, kind_of
from facedown.games.detect.i18n import N_, _
from facedown.games.detect.info import DetectOptions
from facedown.games.detect.rules import CELLS, COLUMNS, ROWS, RULES, DetectPosition, end_round
from facedown.games.detect.view import describe_cell, winners_of

#: Example input of `score`: the grids row by row (null for a card of a removed column), the player who ended the round,
#: and the totals before the round.
EXAMPLE = load_score_example(__file__)


def score(data: dict[str, Any]) -> dict[str, Any]:
    """Return the points of each player in a round, with an explanation. `data` has the same entries as `EXAMPLE`.

    Raise `ValueError` if an entry is missing, has the wrong form, or cannot occur in the game.

    >>> result = score(EXAMPLE)
    >>> [row["points"] for row in result["players"]]
    [100, 38]
    >>> result["players"][0]["why"]
    'Ilse ended the round with 50, doubled to 100 because Ravi has 38.'
    """
    refuse_unknown_entries(data, EXAMPLE)
    grids = _read_grids(data)
    seats = range(len(grids))
    names = player_names(
        data, len(seats), _("players must be a list of {seats} names, one for each grid", seats=len(seats))
    )
    ender = ending_seat(data, len(seats))
    totals = totals_before(data, len(seats), -9999, 9999)
    state = _position_from_grids(grids, options_of(data, DetectOptions))
    state.ender = ender
    overwrite_first_entries(state.total, totals)
    end_round(state)
    rows = [
        {
            "player": names[seat],
            "cards": state.raw[seat],
            "points": state.score[seat],
            "total": state.total[seat],
            "removed": [column + 1 for column in range(COLUMNS) if state.gone[seat] >> (ROWS * column) & 1],
            "why": _score_explanation(state, names, seat),
        }
        for seat in seats
    ]
    over = state.over != RUNNING
    winners = [names[seat] for seat in winners_of(state)] if over else []
    return {"game": "detect", "players": rows, "over": over, "winners": winners}


def _read_grids(data: dict[str, Any]) -> list[list[list[int | None]]]:
    grids: Any = data.get("grids")
    fine = isinstance(grids, list) and 2 <= len(grids) <= 8
    require(fine, _("grids must be a list of 2 to 8 grids, each with three rows of four cards"))
    for number, grid in enumerate(grids, 1):
        fine = is_list_of_length(grid, ROWS) and all(is_list_of_length(row, COLUMNS) for row in grid)
        require(fine, _("grid {number} must have three rows of four cards", number=number))
        for card in (card for row in grid for card in row):
            fine = card is None or is_whole(card, LOWEST, HIGHEST)
            require(fine, _("grid {number}: {card!r} is not a card in this deck", number=number, card=card))
        for at, column in enumerate(zip(*grid, strict=True), 1):
            wrong = N_("grid {number}: column {column} must be removed completely or not at all")
            require(column.count(None) in (0, ROWS), _(wrong, number=number, column=at))
    return list(grids)


def _position_from_grids(grids: list[list[list[int | None]]], chosen: DetectOptions) -> DetectPosition:
    """Return a position in which each seat has a grid of face-up cards. `chosen` are the options.

    ``grids[seat][row][column]`` is the number of a card, or None in a removed column. Raise `ValueError` if the deck
    has too few cards of a number.
    """
    state = dealt_state(RULES, len(grids), chosen)
    left = list(chosen.copies)
    for seat, grid in enumerate(grids):
        for cell in range(CELLS):
            number = grid[cell % ROWS][cell // ROWS]
            slot = seat * CELLS + cell
            state.known[slot] = EVERYONE
            if number is None:
                state.card[slot] = EMPTY
                state.gone[seat] |= 1 << cell
                continue
            kind = kind_of(number)
            left[kind] -= 1
            wrong = N_("the deck has {copies} cards numbered {card}, but the grids show more")
            require(left[kind] >= 0, _(wrong, copies=chosen.copies[kind], card=digits(number)))
            state.card[slot] = kind
            state.up[seat] |= 1 << cell
    return state


def _score_explanation(state: DetectPosition, names: list[str], seat: int) -> str:
    name, raw, points = names[seat], state.raw[seat], state.score[seat]
    if seat != state.ender:
        return _("{owner} cards add up to {points}.", owner=possessive(name), points=digits(points))
    others = [(names[other], state.raw[other]) for other in range(len(names)) if other != seat]
    if points == raw:
        if all(has >= raw for _name, has in others):
            return _("{name} ended the round with {points}: nobody has fewer points.", name=name, points=digits(points))
        return _(
            "{name} ended the round with {points}: a total of zero or less is not doubled.",
            name=name,
            points=digits(points),
        )
    fewer = join_names(
        [_("{name} has {points}", name=other, points=digits(has)) for other, has in others if has <= raw]
    )
    said = N_("{name} ended the round with {raw}, doubled to {points} because {fewer}.")
    return _(said, name=name, raw=digits(raw), fewer=fewer, points=digits(points))


def score_questions(seats: int, parts: int, answers: Mapping[str, str]) -> Sheet:
    """Return the form that asks for the grids of a round with `seats` players.

    `answers` are the form's fields so far, of which only the players' names are used. `parts`, the number of rounds to
    score, is not used, because the form always asks for one round.
    """
    names = names_from_answers(answers, seats)
    enders = (*((str(seat), name, seat) for seat, name in enumerate(names)), ("nobody", _("Nobody"), None))
    totals = (Field(("totals", s), name, default="0", low=-9999, keep="total") for s, name in enumerate(names))
    return Sheet(
        (
            player_name_questions(seats),
            Group(_("Totals before this round"), tuple(totals), columns=2),
            Group(_("The round"), (Field(("ender",), _("Who ended the round?"), "choice", choices=enders),)),
            *(_grid_questions(seat, name) for seat, name in enumerate(names)),
        ),
        options=("set_on_final_reveal", "ender_tie", "double_scope", "tie"),
        again=_("The next round"),
    )


def _grid_questions(seat: int, name: str) -> Group:
    # The form offers only the numbers of the standard deck; the JSON API also scores other decks.
    cards = (*((str(number), digits(number), number) for number in STANDARD), ("gone", _("no card"), None))
    cells = (
        Field(("grids", seat, row, column), describe_cell(ROWS * column + row), "faces", choices=cards)
        for row in range(ROWS)
        for column in range(COLUMNS)
    )
    note = _("Enter all cards, row by row; choose “no card” where a column was removed.")
    return Group(_("{owner} cards", owner=possessive(name)), tuple(cells), columns=COLUMNS, note=note)
