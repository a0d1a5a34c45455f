"""Checks of the input of a scorekeeper (a game's module ``scorekeeper.py``, which scores games with real cards).

The input is a JSON object that describes a round or a match. The functions raise `ValueError` if it is invalid.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeGuard, TypeVar

import numpy as np

from facedown.core.i18n import _
from facedown.core.options import OptionError, OptionSet
from facedown.core.ruleset import P, RuleSet, undealt_state
from facedown.core.score_sheet_questions import names_from_answers
from facedown.core.seeds import SEED_BYTES
from facedown.core.state import NOBODY, Ints

O = TypeVar("O", bound=OptionSet)  # noqa: E741


def load_score_example(score_module: str) -> dict[str, Any]:
    """Return example data for a game's scorekeeper module: the contents of ``score.json`` in the same folder.

    `score_module` is the ``__file__`` of that module.
    """
    example: dict[str, Any] = json.loads(Path(score_module).with_name("score.json").read_text(encoding="utf-8"))
    return example


def require(fine: bool, otherwise: str) -> None:
    """Raise `ValueError` with the text `otherwise` unless the condition `fine` holds."""
    if not fine:
        raise ValueError(otherwise)


def is_whole(given: Any, low: int, high: float = math.inf) -> TypeGuard[int]:
    """Return whether a value is an integer (not a bool) from `low` to `high`.

    >>> is_whole(3, 1, 4), is_whole(-1, 0), is_whole(True, 0), is_whole("3", 0)
    (True, False, False, False)
    """
    return isinstance(given, int) and not isinstance(given, bool) and low <= given <= high


def is_list_of_length(given: Any, count: int) -> TypeGuard[list[Any]]:
    """Return whether a value is a list of `count` items."""
    return isinstance(given, list) and len(given) == count


def require_whole_numbers(given: Any, count: int, low: int, high: int, otherwise: str) -> list[int]:
    """Return `given` if it is a list of `count` integers from `low` to `high`. Otherwise raise `ValueError` with the
    text `otherwise`.
    """
    require(is_list_of_length(given, count) and all(is_whole(number, low, high) for number in given), otherwise)
    return list(given)


def player_names(data: dict[str, Any], seats: int, otherwise: str) -> list[str]:
    """Return the names of the players from ``data["players"]``.

    If this entry is missing, the names are "Player 1" and so on. Raises `ValueError` with the text `otherwise` unless
    the entry is a list of `seats` texts that are not blank.
    """
    names = data.get("players", names_from_answers({}, seats))
    require(
        is_list_of_length(names, seats) and all(isinstance(name, str) and name.strip() for name in names), otherwise
    )
    return list(names)


def totals_before(data: dict[str, Any], seats: int, low: int, high: int) -> list[int]:
    """Return each player's total before the round that is to be scored, from ``data["totals"]``.

    If this entry is missing, all totals are 0. Raises `ValueError` unless the entry is a list of `seats` integers from
    `low` to `high`.
    """
    otherwise = _("“totals” must be {seats} whole numbers, one for each player", seats=seats)
    return require_whole_numbers(data.get("totals", [0] * seats), seats, low, high, otherwise)


def ending_seat(data: dict[str, Any], seats: int) -> int:
    """Return the seat that ended the round, from ``data["ender"]``.

    If this entry is missing or null, return `NOBODY`. Raises `ValueError` if the entry is not a seat.
    """
    ender = data.get("ender")
    fine = ender is None or is_whole(ender, 0, seats - 1)
    require(fine, _("“ender” must be a seat from 0 to {last}, or null if nobody ended the round", last=seats - 1))
    return NOBODY if ender is None else int(ender)


def options_of(data: dict[str, Any], options: type[O]) -> O:
    """Return the record of the options in ``data["options"]``. Missing options get their defaults.

    Raises `OptionError` for an unknown option, for an invalid value, and for an option that is for experiments only.
    Raises plain `ValueError` if ``data["options"]`` is not a JSON object.
    """
    given = data.get("options", {})
    require(isinstance(given, dict), _("“options” must be a JSON object with option names and values"))
    for name in map(str, given):
        if options.declared.by_name(name).for_research:
            raise OptionError(
                _("{option} is for experiments only; games that use it cannot be scored here", option=name), name
            )
    return options.from_texts(options.declared.complete({str(name): str(value) for name, value in given.items()}))


def dealt_state(rules: RuleSet[P], seats: int, options: OptionSet) -> P:
    """Return a new state after an arbitrary deal, which is the same for equal arguments.

    The caller, a game's scorekeeper, must then overwrite the cards in this state with those on the real table.
    """
    state = undealt_state(rules, seats, options, bytes(SEED_BYTES))
    rules.deal(state, np.empty(0, np.int64), 0)
    return state


def overwrite_first_entries(row: Ints, numbers: Sequence[int]) -> None:
    """Write `numbers` into an array of a state, from index 0 on."""
    for at, number in enumerate(numbers):
        row[at] = number
