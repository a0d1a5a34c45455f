"""Findings of an experiment: the statistics measured under each rule set, as data for reports and plots.

An experiment has one rule set (A), or two (A and B) that were played on the same deals. A `Findings` object has a
`Side` for each rule set and, if there are two, the differences between them. The value of every statistic (`Figure`) is
an `Estimate`: a mean with its 95 % interval.

Labels and notes are in the language that was active when the findings were computed. The keys that identify the
statistics are the same in every language.

>>> turns = Histogram(start=8, width=2, counts=(1, 3))
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

#: Units of a statistic: points, a share from 0 to 1, or a number of events per match (or round).
POINTS, SHARE, COUNT = "points", "share", "count"
#: Groups of statistics, which are the sections of the report's table.
SCORES, LENGTHS, SEATS, RULES, LUCK, ANSWERS = "scores", "lengths", "seats", "rules", "luck", "answers"


class BadFindings(ValueError):
    """Error: a text is not valid JSON of `Findings` (the results of an experiment).

    The error text gives the reason in one line.
    """


def _replace_nulls_in_estimate(value: Any) -> Any:
    """Restore an estimate read from JSON, in which null stands for NaN or infinity, because JSON has neither.

    Each null is replaced by the value of the same field in `UNKNOWN`. Return `value` unchanged if it is not a JSON
    object.
    """
    if not isinstance(value, dict):
        return value
    return {end: getattr(UNKNOWN, end) if found is None else found for end, found in value.items()}


_Estimate = Annotated[Estimate, BeforeValidator(_replace_nulls_in_estimate)]


@dataclass(frozen=True, slots=True)
class Option:
    """An option of the game, and its value under one rule set."""

    name: str
    value: str
    label: str
    """Description of the option."""
    says: str
    """Description of the value."""


@dataclass(frozen=True, slots=True)
class Histogram:
    """Histogram of integers with bars of equal width. ``counts[bar]`` is the number of values in the bar of that index.

    A value that is too large for the last bar is in no bar; `beyond` is the number of these values.
    """

    start: int
    """Smallest number that the first bar covers."""
    width: int
    """Number of consecutive integers per bar."""
    counts: tuple[int, ...]
    beyond: int = 0
    """Number of values that are too large for the last bar. These few outliers have no bars, so that the bars stay
    narrow."""

    @property
    def bars(self) -> tuple[tuple[int, int], ...]:
        """The bars as pairs: the smallest number that the bar covers, and the number of values in it."""
        return tuple((self.start + i * self.width, count) for i, count in enumerate(self.counts))

    @property
    def total(self) -> int:
        """Number of all values, including those that are too large for the last bar."""
        return sum(self.counts) + self.beyond

    @property
    def median(self) -> float:
        """Median of the values; NaN if there are none. Within its bar it is interpolated linearly."""
        half, seen = self.total / 2, 0
        for least, count in self.bars:
            if count and seen + count >= half:
                return least + (self.width - 1) * (half - seen) / count
            seen += count
        return math.nan


@dataclass(frozen=True, slots=True)
class Figure:
    """A statistic under one rule set: its estimated value and its description."""

    key: str
    """Identifier of the statistic: ``length.decisions``, ``rule.…``, ``answer.…``, ``shared``, ``seat.0.score`` (also
    ``advantage``, ``first``), ``bot.0.score`` (also ``first``) or ``luck.deal``; seats and bots are numbered from 0."""
    group: str
    """Section of the table: `SCORES`, `LENGTHS`, `SEATS`, `RULES`, `LUCK` or `ANSWERS`."""
    label: str
    note: str
    """Unit that the value refers to, in words, such as "a round" or "of the rounds"."""
    unit: str
    """Unit of the value: `POINTS`, `SHARE` or `COUNT`."""
    value: _Estimate
    even: float | None = None
    """Neutral value: the value that the statistic would have if all seats and bots were equally good, such as equal
    shares of first places or an advantage of zero. The statistic is tested against it. None if there is no such
    value."""

    @property
    def is_significant(self) -> bool:
        """Whether the 95 % interval excludes `even`, the value if all seats and bots were equally good.

        False if there is no such value (`even` is None).
        """
        return self.even is not None and self.value.excludes(self.even)

    @property
    def seat_or_bot_number(self) -> int:
        """Index (from 0) of the seat or bot that the statistic describes.

        Raises `ValueError` or `IndexError` for a statistic that describes neither a seat nor a bot.
        """
        return int(self.key.split(".")[1])


@dataclass(frozen=True)
class Side:
    """All findings under one rule set."""

    options: tuple[Option, ...]
    """All options of the game; `named` lists those under study."""
    named: tuple[str, ...]
    """Names of the options under study: those that were given or, with two rule sets, those that differ."""
    matches: int
    """Number of matches (or single rounds) that were played."""
    abandoned: int
    """Number of matches that the engine ended by its limit against endless play. They are included in all
    statistics."""
    figures: tuple[Figure, ...]
    """Statistics in the order of the report's table. Those of group `LUCK` are the shares of the variance of results
    that each cause explains. These shares add up to 1. They are missing if each deal was played only once, or if for
    every deal all repeats with the same seating of the bots ended with the same scores."""
    histograms: dict[str, Histogram]
    """Distributions of the number of decisions and of rounds in a match, by the key of the statistic."""
    no_luck: str = ""
    """Explanation of why the statistics of group `LUCK` are missing although deals were repeated; else empty."""

    def select_by_key(self, prefix: str, suffix: str = "") -> list[Figure]:
        """Return the statistics whose keys start with `prefix` and end with `suffix`."""
        return [each for each in self.figures if each.key.startswith(prefix) and each.key.endswith(suffix)]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the report's table: a statistic under rule sets A and B, and the difference B minus A on the same deals.

    `b` and `difference` are None if there is only one rule set.
    """

    a: Figure
    b: Figure | None = None
    difference: Estimate | None = None

    @property
    def is_significant(self) -> bool:
        """Whether the 95 % interval of the difference between the two rule sets excludes zero.

        With a single rule set: whether the 95 % interval of the statistic excludes its neutral value (`Figure.even`);
        False if the statistic has no neutral value.
        """
        return self.a.is_significant if self.difference is None else self.difference.excludes(0.0)


@dataclass(frozen=True)
class Findings:
    """All findings of an experiment so far: its settings, and the statistics of each rule set."""

    question: str
    """Title of the report; empty if none was given."""
    game: str
    title: str
    """Title of the game."""
    together: bool
    """Whether the game is cooperative: all players win or lose together."""
    places: int
    """Number of seats at the table."""
    bots: tuple[str, ...]
    """Name of the bot at each seat in the first seating (arrangement of the bots at the table); in a cooperative game,
    the names of the teams."""
    rounds: int
    """Number of rounds played of each match; 0: whole matches."""
    unit: str
    """Content of one result, in words: "round", "match", or "3 × hand" for three hands."""
    seed: str
    deals: int
    """Number of deals played so far."""
    asked: int
    """Number of deals requested; larger than `deals` while the experiment runs."""
    repeats: int
    """Number of times that each deal was played in each seating (rotation of the bots around the table)."""
    seatings: int
    """Number of seatings (rotations of the bots around the table) in which each deal was played."""
    package: str
    """Version of the facedown package."""
    version: int
    """Version of the game's rules."""
    a: Side
    b: Side | None = None
    differences: dict[str, _Estimate] = field(default_factory=dict)
    """Differences B minus A on the same deals, by the key of the statistic; empty if there is only one rule set."""
    seconds: float = field(default=0.0, compare=False)
    """Running time in seconds."""
    made: str = field(default="", compare=False)
    """Date of the run (ISO 8601); empty if unknown."""

    @property
    def sides(self) -> list[Side]:
        """The findings under each rule set: `a`, and also `b` if the experiment compares two rule sets."""
        return [self.a] if self.b is None else [self.a, self.b]

    @property
    def running(self) -> bool:
        """Whether some of the requested deals are still to be played."""
        return self.deals < self.asked

    def rows(self) -> list[Row]:
        """Return one row per statistic. With two rule sets, statistics that only one of them has are left out."""
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
        """Whether any statistic or any difference between two rule sets is significant."""
        return any(row.is_significant for row in self.rows())

    def json(self, indent: int | None = None) -> str:
        """Return the findings as JSON text, which `findings_from_json` reads. `indent` is that of `json.dumps`."""
        # Pydantic writes null for NaN and infinities; Python's own JSON writer would write them as invalid JSON.
        return json.dumps(json.loads(_adapter().dump_json(self)), indent=indent, ensure_ascii=False)


@cache
def _adapter() -> TypeAdapter[Findings]:
    return TypeAdapter(Findings)


def findings_from_json(text: str) -> Findings:
    """Return findings from their JSON text. Raise `BadFindings` with the first error if the text is invalid.

    >>> findings_from_json("[]")
    Traceback (most recent call last):
    facedown.simulate.findings.BadFindings: not valid findings: Input should be an object
    """
    try:
        return _adapter().validate_json(text)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise BadFindings(f"not valid findings: {where + ': ' if where else ''}{first['msg']}") from None
