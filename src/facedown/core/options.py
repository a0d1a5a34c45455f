"""Game options: variants of the rules, written as text and passed to the rules as small integers.

The value of an option is always a text ("off", "hands(5)"). `OptionSet.from_texts` converts a set of values into a
record for the game's functions. For each option it has:

* the index of the chosen *reading* (one of the choices that the option offers);
* where the rules need them, the numbers inside the value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache, partial
from typing import Any, ClassVar, Self, get_type_hints

import numpy as np

from facedown.core.grammar import count_with_noun
from facedown.core.i18n import N_, _, n_
from facedown.core.state import Nested, set_nested_dtype
from facedown.core.translation import Texts

#: Smallest length of a parsed option value: the index of the reading (the choice) and three arguments, with zeros for
#: missing ones. A subclass of `Option` may append further numbers, such as the number of cards of each kind in a deck.
PARSED_WIDTH = 4


class OptionError(ValueError):
    """Error: the game does not have this option or value. The error message lists those that it has."""

    def __init__(self, reason: str, option: str = "") -> None:
        super().__init__(reason)
        self.option = option
        """Name of the option that is wrong; empty if the error is about no particular option."""


@dataclass(frozen=True, slots=True)
class Argument:
    """A number inside an option value, such as the 5 in ``hands(5)``."""

    name: str
    low: int
    high: int
    default: int
    label: str = ""
    """Label in a form; empty if `name` itself is a readable word."""
    written: str = ""
    """Initial text in a form, for an argument that players enter as a list of numbers. If empty, the argument is a
    single number."""


class _IntWithUnit(int):
    """An integer that formats itself with a noun: 3 with the format ``hand`` gives "3 hands".

    The format is the singular of an English noun that forms its plural with "s", or singular and plural:
    ``Runde|Runden``.
    """

    def __format__(self, counted: str) -> str:
        return count_with_noun(self, *counted.split("|")) if counted else str(int(self))


@dataclass(frozen=True, slots=True)
class Value:
    """One reading (choice) of an option."""

    word: str
    says: str
    arguments: tuple[Argument, ...] = ()
    form: str = ""
    """Text that forms show instead of `says`, if `says` describes the notation."""
    tells: str = ""
    """Description of a chosen value, with a placeholder and a noun for each argument: "after {0:hand}"."""

    def translate(self, texts: Texts) -> Value:
        """Return a copy with all sentences in the current language; `texts` translates them."""
        arguments = tuple(replace(one, label=one.label and texts(one.label)) for one in self.arguments)
        says, form, tells = (text and texts(text) for text in (self.says, self.form, self.tells))
        return replace(self, says=says, form=form, tells=tells, arguments=arguments)

    @property
    def notation_with_argument_names(self) -> str:
        """Notation of the value with argument names: "hands(n)"."""
        return self.notation_with([a.name for a in self.arguments])

    @property
    def default_notation(self) -> str:
        """Notation of the value with its default arguments."""
        return self.notation_with([a.default for a in self.arguments])

    def notation_with(self, inside: Iterable[object]) -> str:
        """Return the notation of the value with the arguments `inside`: "hands(5)"."""
        return f"{self.word}({','.join(map(str, inside))})" if self.arguments else self.word


@dataclass(frozen=True, slots=True)
class Option:
    """An option and its readings, the choices that it offers. The first one is the default unless `default` names
    another.
    """

    name: str
    label: str
    """Short label for a form."""
    says: str
    """Description for players, in one sentence."""
    values: tuple[Value, ...]
    ruling: str = ""
    """Id of the ruling (answer to a doubt in the rules) that the option is about; empty if none."""
    default: str = ""
    for_research: bool = False
    """Whether the option is only for experiments. Forms and pages do not offer it, but it can be set by name."""

    def translate(self, texts: Texts) -> Option:
        """Return a copy with all sentences in the current language; `texts` translates them."""
        values = tuple(value.translate(texts) for value in self.values)
        return replace(self, label=texts(self.label), says=texts(self.says), values=values)

    @property
    def default_text(self) -> str:
        """Notation of the default value."""
        return self.default or self.values[0].default_notation

    @property
    def allowed(self) -> str:
        """Notation of all readings, for an error message."""
        return " | ".join(v.notation_with_argument_names for v in self.values)

    def parse(self, text: str) -> tuple[int, ...]:
        """Return an option value, given in notation, as numbers: the index of its reading, then its arguments.

        The numbers are padded with zeros to `PARSED_WIDTH`. Raises `OptionError`, which lists the allowed values.
        """
        match = re.fullmatch(r"\s*([A-Za-z_0-9]+)\s*(?:\(([^()]*)\))?\s*", text)
        if match:
            for index, value in enumerate(self.values):
                if value.word == match[1]:
                    return (index, *self._parse_arguments(value, match[2]))
        wrong = N_("{option} must be {allowed}, not {given}")
        given = text.strip() or _("(empty)")
        raise OptionError(_(wrong, option=self.name, given=given, allowed=self.allowed))

    def _parse_arguments(self, value: Value, text: str | None) -> tuple[int, ...]:
        if text is None:
            given = [str(a.default) for a in value.arguments]
        else:
            given = [part.strip() for part in text.split(",")] if text.strip() else []
        said = {"option": self.name, "value": value.notation_with_argument_names}
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
                wrong = N_("{option}: {argument} in {value} must be a number from {low} to {high}, not {given}")
                raise OptionError(_(wrong, argument=argument.name, low=low, high=high, given=part, **said))
        return (*map(int, given), *[0] * (PARSED_WIDTH - 1 - len(given)))

    def describe_value(self, text: str) -> str:
        """Return a description for players of the value whose notation is `text`.

        The description is `Value.tells`, in which ``{0:hand}`` stands for the first argument and the noun "hand" in the
        singular or plural. An argument called "seat" is shown counted from 1. If `tells` is empty, the description is
        `Value.form`, or `Value.says` if `form` is empty too.

        >>> hands = Value("hands", "…", (Argument("n", 1, 9, 5),), tells="after {0:hand}")
        >>> option = Option("end", "Length", "…", (hands,))
        >>> [option.describe_value(text) for text in ("hands(3)", "hands(1)")]
        ['after 3 hands', 'after 1 hand']
        """
        numbers = self.parse(text)
        value = self.values[numbers[0]]
        if not value.tells:
            return value.form or value.says
        given = zip(value.arguments, numbers[1:], strict=False)
        return value.tells.format(*(_IntWithUnit(number + (argument.name == "seat")) for argument, number in given))

    def normalize(self, text: str) -> str:
        """Return a value in canonical notation: without extra spaces, and with all arguments."""
        numbers = self.parse(text)
        value = self.values[numbers[0]]
        return value.notation_with(numbers[1 : 1 + len(value.arguments)])


class Reading(IntEnum):
    """Base class for the readings (choices) of one option.

    A subclass declares one option, and its members are the choices. The value of a member is its index. The name of the
    member in lower case is the notation of the choice.

    The docstring of the subclass is the sentence, mostly a question, by which forms explain the option to players. It
    may begin with the id of a ruling (an answer to a doubt in the rules) and a colon, followed by the question.

    The arguments of the class are:

    * `label`: short text for a form.
    * `default`: notation of the default value. It is needed only if the default is not the first reading.
    * `kind`: subclass of `Option` that parses and writes values in its own way.
    * `for_research`: whether forms hide the option.

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
        """Store the description of the option, from the class arguments and the docstring."""
        asked = re.fullmatch(r"(?:([A-Z]+-\d+): )?(.*)", " ".join((cls.__doc__ or "").split()))
        assert asked
        ruling = asked[1] or ""
        cls._asked = partial(
            kind, label=label, says=asked[2], ruling=ruling, default=default, for_research=for_research
        )

    def __new__(cls, meaning: str | Value) -> Reading:
        """Create the member with the next index. `meaning` is a sentence, or a result of `reading_value`."""
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.meaning = Value("", meaning) if isinstance(meaning, str) else meaning
        return member

    @property
    def option_value(self) -> Value:
        """This member as a `Value` with its notation.

        The notation is the `word` that was given to `reading_value`, or else the name of the member in lower case.
        """
        return replace(self.meaning, word=self.meaning.word or self.name.lower())

    @classmethod
    def option(cls, name: str) -> Option:
        """Return an option called `name` that offers the readings (members) of this class."""
        return cls._asked(name=name, values=tuple(member.option_value for member in cls))


def reading_value(says: str, *arguments: Argument, word: str = "", form: str = "", tells: str = "") -> Value:
    """Return the `Value` for a member of a `Reading` class, which is one of the choices that an option offers.

    A member needs a `Value` if it has `arguments` (numbers, as in ``hands(5)``) or a notation `word` other than its
    name in lower case. Otherwise the sentence `says` is enough.

    Three texts describe the choice for players:

    * `says` is shown in lists of all choices. It may explain the notation.
    * `form` is shown in forms, which do not use the notation. If it is empty, forms show `says`.
    * `tells` is shown after the choice was made. It has a placeholder for each number: "after {0:hand}". If it is
      empty, `form` is shown, or `says` if `form` is empty, too.
    """
    return Value(word, says, arguments, form, tells)


@dataclass(frozen=True, slots=True)
class _NumberField:
    """Declaration of an `OptionSet` field: which of the numbers that `Option.parse` returns the field contains.

    `option` is the name of the option. A field for a single number contains the number at index `at`. A field that is
    an array contains all numbers from index `at` on.
    """

    option: str
    at: int


def argument_field(option: str, at: int = 0) -> Any:
    """Declare an `OptionSet` field for a number inside the chosen value of `option`, such as the 5 in ``hands(5)``.

    `option` is the name of the option. `at` is the index of this number among the numbers inside the value. The field
    is 0 if the value has no such number.
    """
    return _NumberField(option, 1 + at)


def extra_numbers_field(option: str) -> Any:
    """Declare an array field of an `OptionSet` for numbers that only some options have, such as the cards of a deck.

    `option` is the name of the option. `Option.parse` returns `PARSED_WIDTH` numbers. If a subclass of `Option` returns
    more numbers, the ones after the first `PARSED_WIDTH` are stored in this field. For example, an option that chooses
    the deck returns the number of cards of each kind.
    """
    return _NumberField(option, PARSED_WIDTH)


class OptionSet(Nested):
    """Base class of the declaration of a game's options.

    The functions of the game read each option as a field of ``s.opt`` in a state or view `s`, such as ``s.opt.tie``.
    Its value is the index of the chosen reading (choice) of the option.

    Each field is annotated with a subclass of `Reading`. Forms and match files have the options in the order of the
    fields. `declared` is the resulting `Options`.
    """

    declared: ClassVar[Options]
    _numbers: ClassVar[dict[str, _NumberField]]

    def __init_subclass__(cls) -> None:
        """Set `declared` and the NumPy layout from the annotated fields of the subclass."""
        cls._numbers = {name: cls.__dict__.get(name, _NumberField(name, 0)) for name in cls.__annotations__}
        hints = get_type_hints(cls)
        readings = [name for name in cls._numbers if isinstance(hints[name], type) and issubclass(hints[name], Reading)]
        cls.declared = Options(tuple(hints[name].option(name) for name in readings), cls)
        set_nested_dtype(cls)

    @classmethod
    def from_texts(cls, given: Mapping[str, str]) -> Self:
        """Return the record of the option values `given`, by option name. Missing options get their defaults.

        Raises `OptionError` if a value is invalid.
        """
        declaration: Any = cls
        same: Self = _options_record(declaration, _text_pairs(given)).copy()
        return same


@dataclass(frozen=True, eq=False)
class Options:
    """All options of a game, in the order of their declaration. Iteration leaves out options that are for research
    only.
    """

    options: tuple[Option, ...] = ()
    declaration: type[OptionSet] | None = None
    """Class that declares the options as fields of a record; None for a game without options."""

    def __iter__(self) -> Iterator[Option]:
        return (option for option in self.options if not option.for_research)

    def visible_options(self, chosen: Mapping[str, str]) -> Iterator[Option]:
        """Yield the options that are offered to players, and those for research that `chosen` contains."""
        return (option for option in self.options if not option.for_research or option.name in chosen)

    def translate(self, texts: Texts) -> Options:
        """Return a copy with all sentences in the current language; `texts` translates them."""
        return replace(self, options=tuple(option.translate(texts) for option in self.options))

    def by_name(self, name: str) -> Option:
        """Return the option with this name. Raises `OptionError`, which lists all options."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(o.name for o in self.options) or _("none")
        raise OptionError(_("unknown option {name}; available: {known}", name=name, known=known))

    def complete(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the value of each option in canonical notation, by option name. Missing options get their defaults.

        An option for research is left out if it has its default value.
        """
        return dict(_complete_options(self, _text_pairs(given)))


def _text_pairs(given: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value)) for name, value in given.items())


# Cached, because for each match this is called several times with the same options.
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
