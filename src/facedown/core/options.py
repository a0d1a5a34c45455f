"""Options of a game: named readings of its rules, written as text, handed to the rules as small integers.

An option's value is always a text ("off", "hands(5)"). `OptionSet.from_texts` turns a set of values into the record
that rules read: for each option which choice it is, and where the rules ask for them the numbers in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache, partial
from typing import Any, ClassVar, Self, get_type_hints

import numpy as np

from facedown.core.grammar import plural
from facedown.core.i18n import N_, _, n_
from facedown.core.language import Texts
from facedown.core.state import Nested, set_nested_dtype

#: Numbers of the parsed value of any option: the choice and up to three arguments. Those of a deck come behind them.
PARSED_WIDTH = 4


class OptionError(ValueError):
    """An option or value that the game does not have; the text names what it has."""

    def __init__(self, reason: str, option: str = "") -> None:
        super().__init__(reason)
        self.option = option
        """The name of the option that it is about, where it is about one."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A number inside a value: ``hands(5)``."""

    name: str
    low: int
    high: int
    default: int
    label: str = ""
    """What it is, for a form; its name where that is a word for people already."""
    written: str = ""
    """Of a text with many numbers: what a form begins with. Empty: the argument is one number."""


class _IntWithUnit(int):
    """A number that is written with what it counts: ``{0:hand}``, or with both forms, ``{0:Runde|Runden}``."""

    def __format__(self, counted: str) -> str:
        return plural(self, *counted.split("|")) if counted else str(int(self))


@dataclass(frozen=True, slots=True)
class Value:
    """One reading that an option offers."""

    word: str
    says: str
    arguments: tuple[Argument, ...] = ()
    form: str = ""
    """What a form says in place of `says`, where that speaks of how the value is written."""
    tells: str = ""
    """How a chosen value is told, with its numbers, and what is counted: "after {0:hand}"."""

    def translate(self, texts: Texts) -> Value:
        """The same reading, its sentences in the language that is spoken."""
        arguments = tuple(replace(one, label=one.label and texts(one.label)) for one in self.arguments)
        says, form, tells = (text and texts(text) for text in (self.says, self.form, self.tells))
        return replace(self, says=says, form=form, tells=tells, arguments=arguments)

    @property
    def pattern(self) -> str:
        """How it is written: "hands(n)"."""
        return self.spell([a.name for a in self.arguments])

    @property
    def text(self) -> str:
        """The value with its default arguments."""
        return self.spell([a.default for a in self.arguments])

    def spell(self, inside: Iterable[object]) -> str:
        """The value with these arguments."""
        return f"{self.word}({','.join(map(str, inside))})" if self.arguments else self.word


@dataclass(frozen=True, slots=True)
class Option:
    """One option: its readings, the default first unless `default` says otherwise."""

    name: str
    label: str
    """A few words for a form."""
    says: str
    """One sentence for a person."""
    values: tuple[Value, ...]
    ruling: str = ""
    """The ruling's id in the rules document."""
    default: str = ""
    for_research: bool = False
    """Is it for experiments only? Then no form and no page offers it; it can be named all the same."""

    def translate(self, texts: Texts) -> Option:
        """The same option, its sentences in the language that is spoken."""
        values = tuple(value.translate(texts) for value in self.values)
        return replace(self, label=texts(self.label), says=texts(self.says), values=values)

    @property
    def default_text(self) -> str:
        """The default, written out."""
        return self.default or self.values[0].text

    @property
    def allowed(self) -> str:
        """All readings, for a message."""
        return " | ".join(v.pattern for v in self.values)

    def parse(self, text: str) -> tuple[int, ...]:
        """The numbers of a value; raises `OptionError` naming the allowed ones."""
        match = re.fullmatch(r"\s*([A-Za-z_0-9]+)\s*(?:\(([^()]*)\))?\s*", text)
        if match:
            for index, value in enumerate(self.values):
                if value.word == match[1]:
                    return (index, *self._arguments(value, match[2]))
        wrong = N_("{option} = {given}: allowed are {allowed}")
        given = text.strip() or _("(nothing)")
        raise OptionError(_(wrong, option=self.name, given=given, allowed=self.allowed))

    def _arguments(self, value: Value, text: str | None) -> tuple[int, ...]:
        if text is None:
            given = [str(a.default) for a in value.arguments]
        else:
            given = [part.strip() for part in text.split(",")] if text.strip() else []
        said = {"option": self.name, "value": value.pattern}
        if len(given) != len(value.arguments):
            wrong = n_(
                "{option}: {value} takes {count} number, not {given}",
                "{option}: {value} takes {count} numbers, not {given}",
                len(value.arguments),
                given=len(given),
                **said,
            )
            raise OptionError(wrong)
        for argument, part in zip(value.arguments, given, strict=True):
            low, high = argument.low, argument.high
            if not re.fullmatch(r"[+-]?\d{1,9}", part) or not low <= int(part) <= high:
                wrong = N_("{option}: {argument} in {value} is a number from {low} to {high}, not {given}")
                raise OptionError(_(wrong, argument=argument.name, low=low, high=high, given=part, **said))
        return (*map(int, given), *[0] * (PARSED_WIDTH - 1 - len(given)))

    def describe_value(self, text: str) -> str:
        """A value in words for people: no spelling, seats counted from one.

        >>> hands = Value("hands", "…", (Argument("n", 1, 9, 5),), tells="after {0:hand}")
        >>> [Option("end", "Length", "…", (hands,)).told(text) for text in ("hands(3)", "hands(1)")]
        ['after 3 hands', 'after 1 hand']
        """
        numbers = self.parse(text)
        value = self.values[numbers[0]]
        if not value.tells:
            return value.form or value.says
        given = zip(value.arguments, numbers[1:], strict=False)
        return value.tells.format(*(_IntWithUnit(number + (argument.name == "seat")) for argument, number in given))

    def normalize(self, text: str) -> str:
        """The value in its one canonical spelling."""
        numbers = self.parse(text)
        value = self.values[numbers[0]]
        return value.spell(numbers[1 : 1 + len(value.arguments)])


class Reading(IntEnum):
    """The readings that one option offers, as its members' numbers; a member's name in small letters is its word.

    The class says what the option asks: `label` is a few words for a form, the docstring a sentence for a person, after
    the id of the ruling if there is one. `default` is for one that is not the first reading, `kind` for an option that
    reads and writes its values in its own way, `for_research` for one that no form offers.

    >>> class Tie(Reading, label="Ties"):
    ...     '''What happens when both are equal?'''
    ...     SHARE = "they share the win"
    ...     EXTRA_ROUND = "play on until one is alone"
    >>> Tie.EXTRA_ROUND == 1, Tie.EXTRA_ROUND.meaning.says
    (True, 'play on until one is alone')
    >>> asked = Tie.option("tie")
    >>> asked.says, asked.allowed
    ('What happens when both are equal?', 'share | extra_round')
    """

    meaning: Value
    _asked: ClassVar[Callable[..., Option]]

    def __init_subclass__(
        cls, *, label: str = "", default: str = "", kind: type[Option] = Option, for_research: bool = False
    ) -> None:
        """Keep what the class says of its option."""
        asked = re.fullmatch(r"(?:([A-Z]+-\d+): )?(.*)", " ".join((cls.__doc__ or "").split()))
        assert asked
        ruling = asked[1] or ""
        cls._asked = partial(
            kind, label=label, says=asked[2], ruling=ruling, default=default, for_research=for_research
        )

    def __new__(cls, meaning: str | Value) -> Reading:
        """The next number; `meaning` is one sentence, or a `reading` with numbers in it."""
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.meaning = Value("", meaning) if isinstance(meaning, str) else meaning
        return member

    @property
    def option_value(self) -> Value:
        """The value that stands for it in texts."""
        return replace(self.meaning, word=self.meaning.word or self.name.lower())

    @classmethod
    def option(cls, name: str) -> Option:
        """The option that offers these readings under a name."""
        return cls._asked(name=name, values=tuple(member.option_value for member in cls))


def reading(says: str, *arguments: Argument, word: str = "", form: str = "", tells: str = "") -> Value:
    """A reading with numbers in it, or one whose word is not its member's name."""
    return Value(word, says, arguments, form, tells)


@dataclass(frozen=True, slots=True)
class _NumberField:
    """A field's number, or its row of numbers: where it begins in the parsed value of an option."""

    option: str
    at: int


def argument_field(option: str, at: int = 0) -> Any:
    """Declare the number in the chosen value of an option: its argument `at`, from 0."""
    return _NumberField(option, 1 + at)


def extra_numbers_field(option: str) -> Any:
    """Declare the row of numbers that an option with its own way of reading gives beyond its arguments."""
    return _NumberField(option, PARSED_WIDTH)


class OptionSet(Nested):
    """The options of a game, each declared once: a field of every position (``s.opt.tie``), a form, a word in files.

    Each field is annotated with its `Reading`, in the order of forms and files. `declared` has them as `Options`.
    """

    declared: ClassVar[Options]
    _numbers: ClassVar[dict[str, _NumberField]]

    def __init_subclass__(cls) -> None:
        """Find the options that the class declares."""
        cls._numbers = {name: cls.__dict__.get(name, _NumberField(name, 0)) for name in cls.__annotations__}
        hints = get_type_hints(cls)
        readings = [name for name in cls._numbers if isinstance(hints[name], type) and issubclass(hints[name], Reading)]
        cls.declared = Options(tuple(hints[name].option(name) for name in readings), cls)
        set_nested_dtype(cls)

    @classmethod
    def from_texts(cls, given: Mapping[str, str]) -> Self:
        """The record of these values, defaults filled in; `OptionError` names what is wrong."""
        declaration: Any = cls
        same: Self = _options_record(declaration, _text_pairs(given)).copy()
        return same


@dataclass(frozen=True, eq=False)
class Options:
    """The options of a game, in the order in which they are encoded. To go through them is to see what is offered."""

    options: tuple[Option, ...] = ()
    declaration: type[OptionSet] | None = None
    """Where they are declared as fields of the rules."""

    def __iter__(self) -> Iterator[Option]:
        return (option for option in self.options if not option.for_research)

    def visible_options(self, chosen: Mapping[str, str]) -> Iterator[Option]:
        """Those that are offered, and those for research that a match has `from_texts`."""
        return (option for option in self.options if not option.for_research or option.name in chosen)

    def translate(self, texts: Texts) -> Options:
        """The same options, their sentences in the language that is spoken."""
        return replace(self, options=tuple(option.translate(texts) for option in self.options))

    def by_name(self, name: str) -> Option:
        """The option of that name; raises `OptionError` naming the ones there are."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(o.name for o in self.options) or _("none")
        raise OptionError(_("unknown option {name}: this game has {known}", name=name, known=known))

    def complete(self, given: Mapping[str, str]) -> dict[str, str]:
        """All options in their canonical spelling, defaults filled in; those for research only where they are used."""
        return dict(_complete_options(self, _text_pairs(given)))


def _text_pairs(given: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in given.items())


# Every match asks several times for the same few sets of options.
@lru_cache(maxsize=1024)
def _complete_options(options: Options, given: tuple[tuple[str, str], ...]) -> dict[str, str]:
    chosen = dict(given)
    for name in chosen:
        options.by_name(name)
    full = {}
    for option in options.options:
        try:
            usual = option.normalize(option.default_text)
            text = option.normalize(chosen[option.name]) if option.name in chosen else usual
        except OptionError as wrong:
            wrong.option = option.name
            raise
        if not option.for_research or text != usual:
            full[option.name] = text
    return full


@lru_cache(maxsize=1024)
def _options_record(declaration: type[OptionSet], given: tuple[tuple[str, str], ...]) -> Any:
    chosen = dict(given)
    numbers = {one.name: one.parse(chosen.get(one.name, one.default_text)) for one in declaration.declared.options}
    found = np.zeros(1, declaration.DTYPE)[0]
    for name, of in declaration._numbers.items():
        value = numbers[of.option][of.at :]
        found[name] = value if declaration.DTYPE[name].shape else value[0]
    return found
