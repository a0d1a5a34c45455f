"""Game options: variants of the rules, written as text and passed to the rules as small integers.

An option offers *choices* and has a value, which is a string such as "off" or "hands(5)". The string consists of the
word for one choice and, for some choices, of *arguments*: the numbers in parentheses.

`OptionSet.from_texts` converts the values of all options into a record for the game's functions. For each option, the
record has the index of the choice that the value names and, if the rules need them, the arguments.
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

#: Smallest length of a parsed option value: the index of the choice and three arguments, with zeros for missing ones. A
#: subclass of `Option` may append further numbers, such as the number of cards of each kind in a deck.
PARSED_WIDTH = 4


class OptionError(ValueError):
    """Error: the game does not have this option or value. The error message lists those that it has."""

    def __init__(self, reason: str, option: str = "") -> None:
        super().__init__(reason)
        self.option = option
        """Name of the option that is wrong; empty if the error is about no particular option."""


@dataclass(frozen=True, slots=True)
class Argument:
    """Declaration of a number inside an option value, such as the 5 in ``hands(5)``: its name, bounds and default."""

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
    """One choice that an option offers, such as "off" or "hands(n)"."""

    word: str
    """Word for the choice in an option value, without arguments: "hands" in "hands(5)"."""
    says: str
    """Description for players, in one sentence."""
    arguments: tuple[Argument, ...] = ()
    form: str = ""
    """Text that forms show instead of `says`, if `says` describes how the value is written."""
    tells: str = ""
    """Description of a chosen value, with a placeholder and a noun for each argument: "after {0:hand}"."""

    def translate(self, texts: Texts) -> Value:
        """Return a copy with the descriptions and argument labels in the current language.

        `texts` is the function that translates the English texts. `word` and the names of the arguments stay the same.
        """
        arguments = tuple(replace(one, label=one.label and texts(one.label)) for one in self.arguments)
        says, form, tells = (text and texts(text) for text in (self.says, self.form, self.tells))
        return replace(self, says=says, form=form, tells=tells, arguments=arguments)

    @property
    def notation_with_argument_names(self) -> str:
        """This choice as text, with the names of its arguments instead of numbers: "hands(n)"."""
        return self.notation_with([a.name for a in self.arguments])

    @property
    def default_notation(self) -> str:
        """This choice as text, with its default arguments: "hands(5)", or only its word ("off") if it takes none."""
        return self.notation_with([a.default for a in self.arguments])

    def notation_with(self, inside: Iterable[object]) -> str:
        """Return this choice as text, with the arguments `inside` in parentheses: "hands(5)" for the argument 5.

        A choice without arguments is written as its word alone, and `inside` is ignored.
        """
        return f"{self.word}({','.join(map(str, inside))})" if self.arguments else self.word


@dataclass(frozen=True, slots=True)
class Option:
    """A game option, with the choices that it offers (`values`).

    The default value is the text `default`, such as "hands(5)". If that is empty, the default is the first choice with
    its default arguments.
    """

    name: str
    label: str
    """Short label for a form."""
    says: str
    """Description for players, in one sentence."""
    values: tuple[Value, ...]
    ruling: str = ""
    """Id of the ruling that the option is about; empty if none. A ruling is a numbered decision on a point that the
    printed rules leave open."""
    default: str = ""
    for_research: bool = False
    """Whether the option is only for experiments. Forms and pages do not offer it, but it can be set by name."""

    def translate(self, texts: Texts) -> Option:
        """Return a copy with the label, the description and the texts of all choices in the current language.

        `texts` is the function that translates the English texts.
        """
        values = tuple(value.translate(texts) for value in self.values)
        return replace(self, label=texts(self.label), says=texts(self.says), values=values)

    @property
    def default_text(self) -> str:
        """The default value in the notation of option values, such as "off" or "hands(5)"."""
        return self.default or self.values[0].default_notation

    @property
    def allowed(self) -> str:
        """All values that the option accepts, as text for an error message, such as "off | hands(n)"."""
        return " | ".join(v.notation_with_argument_names for v in self.values)

    def parse(self, text: str) -> tuple[int, ...]:
        """Convert an option value such as "hands(5)" to numbers: the index of the choice, then its arguments.

        Without parentheses, as in "hands", the arguments have their default values. Zeros are appended until there are
        `PARSED_WIDTH` numbers. Raises `OptionError`, which says what is allowed, if `text` is not a valid value.
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
        """Describe the option value `text` in words for players, such as "after 5 hands" for "hands(5)".

        Raises `OptionError` if `text` is not a valid value.

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
        """Return the option value `text` in canonical spelling: without extra spaces, and with all arguments.

        For example, " hands" becomes "hands(5)" if the choice has one argument with the default 5. Raises `OptionError`
        if `text` is not a valid value.
        """
        numbers = self.parse(text)
        value = self.values[numbers[0]]
        return value.notation_with(numbers[1 : 1 + len(value.arguments)])


class Reading(IntEnum):
    """Base class of enumerations that declare a game option. Each member is one choice that the option offers.

    A member is declared with a sentence that describes the choice to players, or with a result of `reading_value`. As
    an integer, the member is the index of the choice, from 0. In an option value, the choice is written as the name of
    the member in lower case, or as the `word` given to `reading_value`.

    The docstring of the subclass is the text, usually a question, that explains the option to players in forms. It may
    begin with the id of a ruling and a colon, as in "DET-1: Who goes first?". A ruling is a decision on a point that
    the printed rules leave open. Each member is then one way to read the rules; hence the name of this class.

    A subclass is declared with these keyword arguments:

    * `label`: short text for a form.
    * `default`: the default value, such as "hands(5)". If it is empty, the first choice is the default.
    * `kind`: subclass of `Option` that parses and writes values in its own way.
    * `for_research`: whether the option is only for experiments. Forms do not offer such an option.

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
        """Store the keyword arguments and the docstring of a new subclass. Later, `option` makes an `Option` from them.

        Each subclass declares one option of a game. `kind` is the class of the `Option`. `for_research` is true if the
        option is only for experiments. The docstring of `Reading` describes all keyword arguments.

        The docstring of the subclass is the question to players; it becomes `Option.says`. It may begin with the id of
        a ruling and a colon, as in "DET-1: Who goes first?". Then the id becomes `Option.ruling`, and `Option.says` is
        only the text after the colon. A ruling is a decision on a point that the printed rules leave open.
        """
        asked = re.fullmatch(r"(?:([A-Z]+-\d+): )?(.*)", " ".join((cls.__doc__ or "").split()))
        assert asked
        ruling = asked[1] or ""
        cls._asked = partial(
            kind, label=label, says=asked[2], ruling=ruling, default=default, for_research=for_research
        )

    def __new__(cls, meaning: str | Value) -> Reading:
        """Create the next member of a subclass. The member declares one choice of a game option.

        As an integer, the member is the index of the choice, from 0. `meaning` describes the choice to players. It is a
        sentence or a result of `reading_value`.
        """
        member = int.__new__(cls, len(cls.__members__))
        member._value_ = len(cls.__members__)
        member.meaning = Value("", meaning) if isinstance(meaning, str) else meaning
        return member

    @property
    def option_value(self) -> Value:
        """This member (one choice that the option offers) as a `Value`.

        The word for the choice, `Value.word`, is the one that was given to `reading_value`. If none was given, it is
        the name of the member in lower case.
        """
        return replace(self.meaning, word=self.meaning.word or self.name.lower())

    @classmethod
    def option(cls, name: str) -> Option:
        """Return an option called `name`. The choices that it offers are the members of this class."""
        return cls._asked(name=name, values=tuple(member.option_value for member in cls))


def reading_value(says: str, *arguments: Argument, word: str = "", form: str = "", tells: str = "") -> Value:
    """Return the declaration of one choice that a game option offers, for use in a subclass of `Reading`.

    Such a subclass is an enumeration that declares an option, with a member for each choice. Usually a member is
    declared with the sentence `says` alone. Use this function in these cases:

    * The choice has `arguments`: the numbers in parentheses, as in ``hands(5)``.
    * Players read different texts about the choice in different places.
    * The `word` for the choice, such as "hands" in ``hands(5)``, is not the name of the member in lower case.

    Three texts describe the choice to players:

    * `says` is shown in lists of all choices. It may explain how the choice is written.
    * `form` is shown in forms, where players do not write option values as text. If it is empty, forms show `says`.
    * `tells` is shown after the choice was made. It has a placeholder for each argument: "after {0:hand}". If it is
      empty, `form` is shown, or `says` if `form` is empty, too.
    """
    return Value(word, says, arguments, form, tells)


@dataclass(frozen=True, slots=True)
class _NumberField:
    """Declaration of an `OptionSet` field that contains one or more numbers of a parsed option value.

    `option` is the name of the option, and `at` is an index into the numbers that `Option.parse` returns. A field for a
    single number contains the number at this index. An array field contains all numbers from this index on.
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
    """Declare an array field of an `OptionSet` for numbers that are computed from the chosen value of `option`.

    `option` is the name of the option. Usually `Option.parse` converts an option value to `PARSED_WIDTH` numbers: the
    index of the choice, and its arguments. The option needs a subclass of `Option` whose method `parse` appends more
    numbers. For example, an option that chooses the deck appends the number of cards of each kind. The field contains
    the numbers that are appended.
    """
    return _NumberField(option, PARSED_WIDTH)


class OptionSet(Nested):
    """Base class for the record of a game's options. A game's subclass declares the options as fields of the record.

    The functions of the game read a field as ``s.opt.NAME`` in a state or view `s`, such as ``s.opt.tie``. There are
    two kinds of fields:

    * A *choice field* declares an option. Its type is an enumeration with a member for each choice that the option
      offers (a subclass of `Reading`). The field contains the index of the choice that was made.
    * A *number field* is declared with `argument_field` or `extra_numbers_field`. It contains other numbers from the
      value of an option: an argument, such as the 5 in ``hands(5)``, or numbers that are computed from the value, such
      as the number of cards of each kind in the chosen deck.

    The class attribute `declared` contains all options of the game, in the order of their fields. Forms and match files
    use this order too.
    """

    declared: ClassVar[Options]
    _numbers: ClassVar[dict[str, _NumberField]]

    def __init_subclass__(cls) -> None:
        """Set `declared` (the game's options) and `DTYPE` (NumPy layout) from the annotated fields of the subclass."""
        cls._numbers = {name: cls.__dict__.get(name, _NumberField(name, 0)) for name in cls.__annotations__}
        hints = get_type_hints(cls)
        readings = [name for name in cls._numbers if isinstance(hints[name], type) and issubclass(hints[name], Reading)]
        cls.declared = Options(tuple(hints[name].option(name) for name in readings), cls)
        set_nested_dtype(cls)

    @classmethod
    def from_texts(cls, given: Mapping[str, str]) -> Self:
        """Return the record of the option values in `given`, a mapping from option names to values such as "hands(5)".

        Missing options get their defaults; unknown names are ignored. Raises `OptionError` if a value is invalid.
        """
        declaration: Any = cls
        same: Self = _options_record(declaration, _text_pairs(given)).copy()
        return same


@dataclass(frozen=True, eq=False)
class Options:
    """All options of a game, in the order of their declaration.

    Iteration leaves out the options that are only for experiments (`Option.for_research`) and not offered to players.
    """

    options: tuple[Option, ...] = ()
    declaration: type[OptionSet] | None = None
    """Class that declares the options as fields of a record; None for a game without options."""

    def __iter__(self) -> Iterator[Option]:
        return (option for option in self.options if not option.for_research)

    def visible_options(self, chosen: Mapping[str, str]) -> Iterator[Option]:
        """Yield the options to show to players. `chosen` maps names of options to the values chosen for a match.

        An option that is offered to players is always yielded. An option that is only for experiments
        (`Option.for_research`) is yielded only if `chosen` contains a value for it.
        """
        return (option for option in self.options if not option.for_research or option.name in chosen)

    def translate(self, texts: Texts) -> Options:
        """Return a copy whose options have their labels and descriptions in the current language.

        `texts` is the function that translates the English texts. The names of the options and the words for their
        choices stay the same.
        """
        return replace(self, options=tuple(option.translate(texts) for option in self.options))

    def by_name(self, name: str) -> Option:
        """Return the option with this name. Raises `OptionError`, which lists all options, if the name is unknown."""
        for option in self.options:
            if option.name == name:
                return option
        known = ", ".join(o.name for o in self.options) or _("none")
        raise OptionError(_("unknown option {name}; available: {known}", name=name, known=known))

    def complete(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the value of each option in canonical spelling, by option name. Missing options get their defaults.

        An option that is only for experiments (`Option.for_research`) is left out if it has its default value. Raises
        `OptionError` for an unknown option or an invalid value.
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
