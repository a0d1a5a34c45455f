"""A score sheet is data: what a person is asked who scores a game played with real cards, without saying how it looks.

A game's ``sheet.py`` describes the questions; `data_from_answers` turns the answers into the data that the game's
``score.py`` reads. A page, or any other form, knows no game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from facedown.core.i18n import N_, _

#: Where an answer goes in the data: ``("grids", 0, 2, 3)``; numbers count in lists.
Path = tuple[str | int, ...]
Kind = Literal["name", "number", "choice", "faces", "switch"]
#: What happens to an answer when the next round is scored: it goes, it stays, it becomes the new total, it counts on.
Keep = Literal["", "same", "total", "next"]


class SheetError(ValueError):
    """An answer that is missing or cannot be read; the text names the question."""


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a score sheet."""

    path: Path
    label: str
    kind: Kind = "number"
    default: str = ""
    """What a fresh sheet answers. A name left empty is its default, too."""
    low: int = 0
    high: int = 9999
    choices: tuple[tuple[str, str, Any], ...] = ()
    """Of "choice" and "faces": (word in the form, what it is called, value in the data)."""
    face: str = "{}"
    """Of "faces": the code of the face for a word. A word without a face is shown as it is called."""
    optional: bool = False
    """May be left empty; then nothing stands in the data."""
    keep: Keep = ""

    @property
    def name(self) -> str:
        """The name of the answer in a form.

        >>> Field(("grids", 0, 2), "").name
        'grids.0.2'
        """
        return ".".join(str(part) for part in self.path)


@dataclass(frozen=True, slots=True)
class Group:
    """Questions that stand together."""

    title: str
    fields: tuple[Field, ...]
    columns: int = 0
    """Number of columns; 0: one below the other. Side by side, "faces" are places to be filled from one tray."""
    optional: bool = False
    """Left out as a whole when none of it is answered."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """All questions for so many players and parts."""

    groups: tuple[Group, ...]
    options: tuple[str, ...] = ()
    """The options of the game that change the score."""
    parts: int = 1
    """How many hands (or the like) are asked for."""
    more: str = ""
    """Words for one part more ("Another hand"); empty where there is only one."""
    again: str = ""
    """Words for scoring the next round with the same players; empty where that makes no sense."""

    @property
    def fields(self) -> tuple[Field, ...]:
        """All questions, in their order."""
        return tuple(question for group in self.groups for question in group.fields)


def player_questions(seats: int) -> Group:
    """The group that asks for names; whoever is not named is Player 1, Player 2 and so on."""
    names = (_("Player {number}", number=seat + 1) for seat in range(seats))
    fields = (Field(("players", seat), name, "name", keep="same") for seat, name in enumerate(names))
    return Group(_("Players"), tuple(fields), columns=2)


def names_from_answers(answers: Mapping[str, str], seats: int) -> list[str]:
    """What the players are called, for the words of a sheet."""
    given = [answers.get(f"players.{seat}", "").strip() for seat in range(seats)]
    return [name or _("Player {number}", number=seat + 1) for seat, name in enumerate(given)]


def next_round_answers(sheet: Sheet, answers: Mapping[str, str], result: Mapping[str, Any]) -> dict[str, str]:
    """The answers for the next round: names stay, totals are those of the result."""
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
    """The data that a game's scorekeeper reads, from answers by name; `SheetError` names what is missing.

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
    """What goes into the data."""
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
            wrong = N_("{where}: a whole number from {low} to {high} is expected")
            raise SheetError(_(wrong, where=where, low=question.low, high=question.high))
        return int(text)
    values = {word: value for word, _shown, value in question.choices}
    if text not in values:
        raise SheetError(_("{where}: {text} is none of the choices", where=where, text=text))
    return values[text]


def _set_at_path(tree: dict[str | int, Any], path: Path, value: Any) -> None:
    for part in path[:-1]:
        tree = tree.setdefault(part, {})
    tree[path[-1]] = value


def _dicts_to_lists(tree: Any) -> Any:
    """Dictionaries whose keys are numbers become lists."""
    if not isinstance(tree, dict):
        return tree
    if tree and all(isinstance(key, int) for key in tree):
        return [_dicts_to_lists(tree[key]) for key in sorted(tree)]
    return {key: _dicts_to_lists(value) for key, value in tree.items()}
