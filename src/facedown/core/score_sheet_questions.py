"""Score sheets: the questions that a player answers to score a game that was played with real cards.

A game's ``scorekeeper.py`` describes the questions as data and does not say how a page arranges them.
`data_from_answers` converts the answers to a dictionary, from which the function `score` in the game's
``scorekeeper.py`` computes the scores. So the code that shows a sheet, on a page or elsewhere, is the same for all
games.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from facedown.core.i18n import N_, _

#: Path of an answer in the data, such as ``("grids", 0, 2, 3)``; numbers are list indexes.
Path = tuple[str | int, ...]
Kind = Literal["name", "number", "choice", "faces", "switch"]
#: Initial answer on the sheet for the next round: "" none, "same" the same answer, "total" the player's new total,
#: "next" the answer plus 1.
Keep = Literal["", "same", "total", "next"]


class SheetError(ValueError):
    """Error: an answer is missing or invalid. The error message names the question."""


@dataclass(frozen=True, slots=True)
class Field:
    """One form field of a score sheet: a question to the player who fills in the sheet, and the answers it accepts."""

    path: Path
    label: str
    kind: Kind = "number"
    default: str = ""
    """Answer on a new sheet. It also replaces an empty answer of kind "name"."""
    low: int = 0
    high: int = 9999
    choices: tuple[tuple[str, str, Any], ...] = ()
    """Choices of a question of kind "choice" or "faces" (card faces), as (word in the form, label, value in the
    data)."""
    face: str = "{}"
    """For kind "faces": format string that turns a word of `choices` into the code of a card face. A word without such
    a face is shown by its label."""
    optional: bool = False
    """Whether the answer may be empty; the data then has no entry for it."""
    keep: Keep = ""

    @property
    def name(self) -> str:
        """Name of the form field.

        >>> Field(("grids", 0, 2), "").name
        'grids.0.2'
        """
        return ".".join(str(part) for part in self.path)


@dataclass(frozen=True, slots=True)
class Group:
    """Questions of a score sheet that are shown together under a title."""

    title: str
    fields: tuple[Field, ...]
    columns: int = 0
    """Number of columns; 0 lists the questions one below the other. In columns, a question of kind "faces" is drawn as
    a place for a card, which the player fills from a tray of card faces."""
    optional: bool = False
    """Whether the whole group is left out of the data if none of its questions is answered."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet: all questions that a player answers to score a match or round played with real cards.

    The questions depend on the number of players, and on the number of hands or rounds to score (`parts`).
    """

    groups: tuple[Group, ...]
    options: tuple[str, ...] = ()
    """Names of the game's options that affect the score."""
    parts: int = 1
    """Number of hands or rounds that the sheet asks for."""
    more: str = ""
    """Label of the button that adds a hand or round ("Another hand"); empty if the sheet always asks for one."""
    again: str = ""
    """Label of the button that starts the next round with the same players; empty if that makes no sense."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """All questions of the sheet, in order."""
        return tuple(question for group in self.groups for question in group.fields)


def player_name_questions(seats: int) -> Group:
    """Return the group of questions for the players' names. The names default to Player 1, Player 2 and so on."""
    names = (_("Player {number}", number=seat + 1) for seat in range(seats))
    fields = (Field(("players", seat), name, "name", keep="same") for seat, name in enumerate(names))
    return Group(_("Players"), tuple(fields), columns=2)


def names_from_answers(answers: Mapping[str, str], seats: int) -> list[str]:
    """Return the players' names that were entered on a score sheet; a missing name becomes "Player 1" and so on."""
    given = [answers.get(f"players.{seat}", "").strip() for seat in range(seats)]
    return [name or _("Player {number}", number=seat + 1) for seat, name in enumerate(given)]


def next_round_answers(sheet: Sheet, answers: Mapping[str, str], result: Mapping[str, Any]) -> dict[str, str]:
    """Return the initial answers on the sheet for the next round, by form-field name.

    For each question, `Field.keep` says what the initial answer is: none, the same answer as in `answers`, that answer
    plus 1, or the player's new total. The total is taken from `result`, which the game's function `score` returned for
    this round.
    """
    found = {}
    for question in sheet.fields:
        given = answers.get(question.name, question.default)
        if question.keep == "same":
            found[question.name] = given
        elif question.keep == "total":
            found[question.name] = str(result["players"][int(question.path[-1])]["total"])
        elif question.keep == "next":
            found[question.name] = str(int(given or 0) + 1)
    return found


def data_from_answers(sheet: Sheet, answers: Mapping[str, str]) -> dict[str, Any]:
    """Convert the answers on a score sheet to the data that the game's function `score` takes.

    `answers` maps the name of each form field to the text that was entered. Raises `SheetError`, which names the
    question, for a missing or invalid answer.

    >>> sheet = Sheet((Group("Cards", (Field(("hands", 0, 0), "First"), Field(("hands", 0, 1), "Second"))),))
    >>> data_from_answers(sheet, {"hands.0.0": "3", "hands.0.1": " 4"})
    {'hands': [[3, 4]]}
    """
    tree: dict[str | int, Any] = {}
    for group in sheet.groups:
        if group.optional and not any(answers.get(f.name, "").strip() for f in group.fields if f.kind != "switch"):
            continue
        for question in group.fields:
            text = answers.get(question.name, "").strip()
            may_lack = question.kind == "switch" or (question.optional and question.kind != "name")
            if text or not may_lack:
                _set_at_path(tree, question.path, _parse_answer(question, text, group))
    plain: dict[str, Any] = _dicts_to_lists(tree)
    return plain


def _parse_answer(question: Field, text: str, group: Group) -> Any:
    """Convert the answer `text` to the value that the game's function `score` expects for this question.

    Raises `SheetError` if the answer is missing or invalid. `group` is the group that contains the question; the error
    text begins with the group's title.
    """
    if question.kind == "switch":
        return True
    if question.kind == "name":
        return text or question.default or question.label
    if not text:
        raise SheetError(_("{title}: {label} is missing", title=group.title, label=question.label))
    where = _("{title}, {label}", title=group.title, label=question.label)
    if question.kind == "number":
        text = text.replace("−", "-")
        if not re.fullmatch(r"-?\d{1,6}", text) or not question.low <= int(text) <= question.high:
            wrong = N_("{where}: expected a whole number from {low} to {high}")
            raise SheetError(_(wrong, where=where, low=question.low, high=question.high))
        return int(text)
    values = {word: value for word, _shown, value in question.choices}
    if text not in values:
        raise SheetError(_("{where}: {text} is not one of the choices", where=where, text=text))
    return values[text]


def _set_at_path(tree: dict[str | int, Any], path: Path, value: Any) -> None:
    for part in path[:-1]:
        tree = tree.setdefault(part, {})
    tree[path[-1]] = value


def _dicts_to_lists(tree: Any) -> Any:
    """Convert each dictionary whose keys are all integers to a list of its values in key order, recursively.

    Numbers that are missing among the keys leave no gaps in the list. A dictionary that is empty or has a string key
    remains a dictionary. Any other object is returned unchanged.
    """
    if not isinstance(tree, dict):
        return tree
    if tree and all(isinstance(key, int) for key in tree):
        return [_dicts_to_lists(tree[key]) for key in sorted(tree)]
    return {key: _dicts_to_lists(value) for key, value in tree.items()}
