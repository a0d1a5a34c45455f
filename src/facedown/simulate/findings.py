"""What an experiment found: plain values that a table, a report or a plot is made from.

`Findings` hold one rule set (`Side` A), or two on the same deals with the differences between them. Every figure is an
`Estimate`: a mean with its 95 % interval. Sentences (labels, notes) are in the language that was spoken when the
findings were made; keys never change.

>>> turns = Length("decisions", "Decisions in a match", Estimate(10.0, 9.0, 11.0), Histogram(8, 2, (1, 3)))
>>> turns.histogram.median, turns.histogram.bars
(10.333..., ((8, 1), (10, 3)))
"""

from __future__ import annotations

import json
import math
import types
import typing
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, TypeVar

from facedown.simulate.confidence import Estimate

T = TypeVar("T")

#: How a figure is to be read: as points, as a share from 0 to 1, or as so many a match (or round).
POINTS, SHARE, COUNT = "points", "share", "count"
#: What a figure is that nothing is known of: not a number, and any interval. JSON has null for it.
UNKNOWN = {"mean": math.nan, "low": -math.inf, "high": math.inf}
#: What figures are about.
SCORES, LENGTHS, SEATS, RULES, LUCK, ANSWERS = "scores", "lengths", "seats", "rules", "luck", "answers"
#: The text of a `Side` that says why its luck is not told.
NO_LUCK = "luck.none"


class BadFindings(ValueError):
    """A text that no findings were written to; it says why in one line."""


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
class Length:
    """How long matches (or rounds) are."""

    key: str
    label: str
    mean: Estimate
    histogram: Histogram


@dataclass(frozen=True, slots=True)
class Seat:
    """What a seat got, whoever sat there. In a game that is played together there are none."""

    seat: int
    """From 0."""
    score: Estimate
    """Its points in a match."""
    advantage: Estimate
    """Its points above the mean of all seats, match by match."""
    first: Estimate
    """Its share of first places; equal ones share it."""
    fair: float
    """The share of first places if the seat did not matter."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """What a bot got, wherever it sat."""

    name: str
    score: Estimate
    """Points in a match, the mean over the seats that it took. Played together: those of games won."""
    first: Estimate
    """Share of first places of each seat that it took; equal ones share it. Played together: of games won."""
    fair: float
    """The share of first places if the bot did not matter; not a number where all win or lose together."""


@dataclass(frozen=True, slots=True)
class Count:
    """How often a rule applied, or an answer to another question that the game's own counts give."""

    key: str
    label: str
    note: str
    """What it is counted in: "a round", "of the rounds" and the like."""
    unit: str
    """`COUNT`, `SHARE` or `POINTS`."""
    value: Estimate


@dataclass(frozen=True, slots=True)
class Part:
    """A share of the variance of the result, and what explains it."""

    key: str
    """``deal``, ``seat``, ``bots`` or ``rest`` (the choices in between, and chance after the deal)."""
    label: str
    share: Estimate


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of a table: a measured figure under one rule set."""

    key: str
    group: str
    """`SCORES`, `LENGTHS`, `SEATS`, `RULES`, `LUCK` or `ANSWERS`."""
    label: str
    note: str
    unit: str
    """`POINTS`, `SHARE` or `COUNT`."""
    value: Estimate
    even: float | None = None
    """The value that would say that nothing is the matter (a fair share, no advantage), where there is one."""


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
    seats: tuple[Seat, ...]
    bots: tuple[Entrant, ...]
    lengths: tuple[Length, ...]
    shared: Estimate
    """The share of matches in which the first place is shared."""
    counts: tuple[Count, ...]
    """How often each rule applied."""
    luck: tuple[Part, ...]
    """The shares of the variance of a seat's points, together 1; empty where no deal was played twice, or every repeat
    came out the same."""
    answers: tuple[Count, ...] = ()
    """What only this game can be asked."""
    texts: dict[str, str] = field(default_factory=dict)
    """The labels and notes of the figures that every game has, by ``key.label`` and ``key.note``; and by `NO_LUCK` why
    luck is not told, if every repeat of a deal came out the same."""

    def figures(self) -> Iterator[Figure]:
        """Every figure as a line of a table, in the order in which it is to be read."""
        for length in self.lengths:
            yield Figure(f"length.{length.key}", LENGTHS, length.label, "", COUNT, length.mean)
        for count in self.counts:
            yield Figure(f"rule.{count.key}", RULES, count.label, count.note, count.unit, count.value)
        for count in self.answers:
            yield Figure(f"answer.{count.key}", ANSWERS, count.label, count.note, count.unit, count.value)
        if self.seats:
            yield self._common("shared", SEATS, SHARE, self.shared)
        for seat in self.seats:
            yield self._common(f"seat.{seat.seat}.score", SCORES, POINTS, seat.score)
            yield self._common(f"seat.{seat.seat}.advantage", SEATS, POINTS, seat.advantage, 0.0)
            yield self._common(f"seat.{seat.seat}.first", SEATS, SHARE, seat.first, seat.fair)
        for i, bot in enumerate(self.bots):
            fair = None if math.isnan(bot.fair) else bot.fair
            yield self._common(f"bot.{i}.score", SCORES, POINTS, bot.score)
            # Where all seats are one bot's, its share of first places is no figure.
            if len(self.bots) > 1 or not self.seats:
                yield self._common(f"bot.{i}.first", SCORES, SHARE, bot.first, fair)
        for part in self.luck:
            yield Figure(f"luck.{part.key}", LUCK, part.label, self.texts.get("luck.note", ""), SHARE, part.share)

    def _common(self, key: str, group: str, unit: str, value: Estimate, even: float | None = None) -> Figure:
        label, note = self.texts.get(f"{key}.label", key), self.texts.get(f"{key}.note", "")
        return Figure(key, group, label, note, unit, value, even)


@dataclass(frozen=True, slots=True)
class Difference:
    """B minus A, on the same deals."""

    key: str
    """The key of a `Figure`."""
    value: Estimate


@dataclass(frozen=True, slots=True)
class Row:
    """A figure under A, under B, and the paired difference; without a second rule set B and difference are None."""

    a: Figure
    b: Figure | None = None
    difference: Estimate | None = None

    @property
    def told(self) -> bool:
        """Does the interval leave nought out (of one rule set: what would be even)?"""
        if self.difference is not None:
            return self.difference.decides(0.0)
        return self.a.even is not None and self.a.value.decides(self.a.even)


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
    differences: tuple[Difference, ...] = ()
    seconds: float = field(default=0.0, compare=False)
    """How long it took."""
    made: str = field(default="", compare=False)
    """The day on which it was run (ISO 8601); empty where that is not known."""

    @property
    def running(self) -> bool:
        """Are there deals left to play?"""
        return self.deals < self.asked

    def rows(self) -> list[Row]:
        """Every figure; of two rule sets those that both have, each with its difference."""
        if self.b is None:
            return [Row(figure) for figure in self.a.figures()]
        other = {figure.key: figure for figure in self.b.figures()}
        by_key = {each.key: each.value for each in self.differences}
        return [
            Row(figure, other[figure.key], by_key.get(figure.key)) for figure in self.a.figures() if figure.key in other
        ]

    @property
    def told(self) -> bool:
        """Can these deals tell the two rule sets apart in anything?"""
        return any(row.told for row in self.rows())

    def json(self, indent: int | None = None) -> str:
        """As JSON; `read` makes the same findings of it again."""
        return json.dumps(_plain(self), indent=indent, ensure_ascii=False, allow_nan=False)


def read(text: str) -> Findings:
    """The findings of a JSON text; `BadFindings` says in one line why it has none.

    >>> read("[]")
    Traceback (most recent call last):
    facedown.simulate.findings.BadFindings: these are no findings: an object is expected
    """
    try:
        found = _made(Findings, json.loads(text))
    except json.JSONDecodeError as problem:
        raise BadFindings(f"these are no findings: no JSON in line {problem.lineno}") from None
    except (TypeError, KeyError, ValueError) as problem:
        raise BadFindings(f"these are no findings: {problem}") from None
    return typing.cast(Findings, found)


def _plain(value: Any) -> Any:
    """A value as JSON has it; numbers that JSON lacks become null."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def _made(kind: Any, value: Any) -> Any:
    """The value of a declared type from its JSON; `TypeError`, `KeyError` or `ValueError` if it is none."""
    if is_dataclass(kind):
        if not isinstance(value, dict):
            raise TypeError("an object is expected")
        if kind is Estimate:
            return Estimate(*(value[end] if value[end] is not None else open_ for end, open_ in UNKNOWN.items()))
        hints = typing.get_type_hints(kind)
        return typing.cast(Any, kind)(**{each.name: _made(hints[each.name], value[each.name]) for each in fields(kind)})
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin in (types.UnionType, typing.Union):
        return None if value is None else _made(next(each for each in inner if each is not type(None)), value)
    if origin is tuple:
        return tuple(_made(inner[0], each) for each in value)
    if origin is dict:
        return {str(key): _made(inner[1], each) for key, each in value.items()}
    if kind is float:
        return math.nan if value is None else float(value)
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value
