"""What an experiment found: a table of figures for each rule set, plain values that a report or a plot is made from.

`Findings` hold one rule set (`Side` A), or two on the same deals with the differences between them. Every figure is an
`Estimate`: a mean with its 95 % interval. Sentences (labels, notes) are in the language that was spoken when the
findings were made; keys never change.

>>> turns = Histogram(8, 2, (1, 3))
>>> turns.median, turns.bars
(10.333..., ((8, 1), (10, 3)))
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Any

from pydantic import BeforeValidator, TypeAdapter, ValidationError

from facedown.simulate.confidence_intervals import UNKNOWN, Estimate

#: How a figure is to be read: as points, as a share from 0 to 1, or as a number per match (or round).
POINTS, SHARE, COUNT = "points", "share", "count"
#: What figures are about.
SCORES, LENGTHS, SEATS, RULES, LUCK, ANSWERS = "scores", "lengths", "seats", "rules", "luck", "answers"


class BadFindings(ValueError):
    """A text that no findings were written to; it says why in one line."""


def _fill_unknown(value: Any) -> Any:
    """Put the numbers that JSON lacks back into an estimate."""
    if not isinstance(value, dict):
        return value
    return {end: getattr(UNKNOWN, end) if found is None else found for end, found in value.items()}


_Estimate = Annotated[Estimate, BeforeValidator(_fill_unknown)]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the game, as it was chosen."""

    name: str
    value: str
    label: str
    """What the option is about, in words."""
    says: str
    """What the value means, in words."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """How often whole numbers came up, in bars of equal width."""

    start: int
    """The least number of the first bar."""
    width: int
    """How many numbers share a bar."""
    counts: tuple[int, ...]
    beyond: int = 0
    """How many numbers lie above the last bar: a few that are far off do not make all bars wide."""

    @property
    def bars(self) -> tuple[tuple[int, int], ...]:
        """Each bar: its least number, and how many fell into it."""
        return tuple((self.start + i * self.width, count) for i, count in enumerate(self.counts))

    @property
    def total(self) -> int:
        """How many numbers there are, those beyond included."""
        return sum(self.counts) + self.beyond

    @property
    def median(self) -> float:
        """The number in the middle; within a bar of several numbers in proportion. NaN where nothing was counted."""
        half, seen = self.total / 2, 0
        for least, count in self.bars:
            if count and seen + count >= half:
                return least + (self.width - 1) * (half - seen) / count
            seen += count
        return math.nan


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table: a measured figure under one rule set."""

    key: str
    """``length.decisions``, ``rule.…``, ``answer.…``, ``shared``, ``seat.0.score`` (also ``advantage``, ``first``),
    ``bot.0.score`` (also ``first``) or ``luck.deal``; seats and bots count from 0."""
    group: str
    """`SCORES`, `LENGTHS`, `SEATS`, `RULES`, `LUCK` or `ANSWERS`."""
    label: str
    note: str
    """What it is counted in: "a round", "of the rounds" and the like."""
    unit: str
    """`POINTS`, `SHARE` or `COUNT`."""
    value: _Estimate
    even: float | None = None
    """The value that would say that nothing is the matter (a fair share, no advantage), if any."""

    @property
    def is_significant(self) -> bool:
        """Does the interval exclude what would be even?"""
        return self.even is not None and self.value.excludes(self.even)

    @property
    def seat_or_bot(self) -> int:
        """The number of the seat or the bot, from 0; `ValueError` for a figure of neither."""
        return int(self.key.split(".")[1])


@dataclass(frozen=True)
class Side:
    """All that was found under one rule set."""

    options: tuple[Option, ...]
    """All options; `named` has those that were asked for."""
    named: tuple[str, ...]
    """The names of the options that were given (or, of two rule sets, that differ)."""
    matches: int
    """How many matches (or single rounds) were played to an end."""
    abandoned: int
    """How many the rules' guard against endless play ended; they count like the others."""
    figures: tuple[Figure, ...]
    """In the order in which they are to be read. The shares of luck are together 1; they are missing if no deal was
    played twice, or every repeat came out the same."""
    histograms: dict[str, Histogram]
    """The distribution of each length, by the key of its figure."""
    no_luck: str = ""
    """Why luck is not measured although deals were repeated."""

    def select(self, prefix: str, suffix: str = "") -> list[Figure]:
        """The figures whose keys begin and end with these texts."""
        return [each for each in self.figures if each.key.startswith(prefix) and each.key.endswith(suffix)]


@dataclass(frozen=True, slots=True)
class Row:
    """A figure under A, under B, and the paired difference; without a second rule set B and difference are None."""

    a: Figure
    b: Figure | None = None
    difference: Estimate | None = None

    @property
    def is_significant(self) -> bool:
        """Does the interval exclude zero (of one rule set: what would be even)?"""
        return self.a.is_significant if self.difference is None else self.difference.excludes(0.0)


@dataclass(frozen=True)
class Findings:
    """All that an experiment found, so far."""

    question: str
    """The title of the report; empty where nobody asked one."""
    game: str
    title: str
    """The game's own name."""
    together: bool
    """Do all win or lose together?"""
    places: int
    """How many sit at the table."""
    bots: tuple[str, ...]
    """The bot at each seat before anybody moves round; of a game that is played together, the teams."""
    rounds: int
    """So many rounds were played of each match; 0: whole matches."""
    unit: str
    """What one result is, in words: "round", "hand", "match" and the like."""
    seed: str
    deals: int
    """How many deals were played."""
    asked: int
    """How many were asked for; above `deals` while the experiment runs."""
    repeats: int
    """How often each deal was played in each seating."""
    seatings: int
    """In how many ways the bots were seated at each deal."""
    package: str
    """The version of the package."""
    version: int
    """The version of the game's rules."""
    a: Side
    b: Side | None = None
    differences: dict[str, _Estimate] = field(default_factory=dict)
    """B minus A on the same deals, by the key of the figure."""
    seconds: float = field(default=0.0, compare=False)
    """How long it took."""
    made: str = field(default="", compare=False)
    """The day on which it was run (ISO 8601); empty where that is not known."""

    @property
    def sides(self) -> list[Side]:
        """A, and B if there are two rule sets."""
        return [self.a] if self.b is None else [self.a, self.b]

    @property
    def running(self) -> bool:
        """Are there deals left to play?"""
        return self.deals < self.asked

    def rows(self) -> list[Row]:
        """Every figure; of two rule sets those that both have, each with its difference."""
        if self.b is None:
            return [Row(figure) for figure in self.a.figures]
        other = {figure.key: figure for figure in self.b.figures}
        return [
            Row(figure, other[figure.key], self.differences.get(figure.key))
            for figure in self.a.figures
            if figure.key in other
        ]

    @property
    def is_conclusive(self) -> bool:
        """Can these deals tell the two rule sets apart in anything?"""
        return any(row.is_significant for row in self.rows())

    def json(self, indent: int | None = None) -> str:
        """As JSON; `read` makes the same findings of it again."""
        # Pydantic writes null for infinities and what is not a number.
        return json.dumps(json.loads(_adapter().dump_json(self)), indent=indent, ensure_ascii=False)


@cache
def _adapter() -> TypeAdapter[Findings]:
    return TypeAdapter(Findings)


def read(text: str) -> Findings:
    """The findings of a JSON text; `BadFindings` says in one line why it has none.

    >>> read("[]")
    Traceback (most recent call last):
    facedown.simulate.findings.BadFindings: these are no findings: Input should be an object
    """
    try:
        return _adapter().validate_json(text)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadFindings(f"these are no findings: {where + ': ' if where else ''}{first['msg']}") from None
