"""The language that is spoken: every text for people, in the words of whoever reads it.

The texts of a package are written in English where they are used, and looked up in the package's own catalogues
(``locale/de.po`` beside its modules, made by ``tools/translations.py``, compiled by the build). A package says once

    _ = Texts(__package__)      # its module `texts`

and then ``_("Keep the {card} or discard it?", card=digits(7))``. The language is that of the running context: whoever
speaks for a reader does so inside `use_language`. Notation, names of options and what programs read are never
translated.
"""

from __future__ import annotations

import gettext
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar, Token
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import ParamSpec, TypeVar

from facedown.core.context_cache import lru_cache_by_setting

#: The language that the program is written in.
SOURCE_LANGUAGE = "en"
#: Whose catalogue holds what all packages say.
SHARED_PACKAGE = "facedown.core"
#: Where formats differ from those of the language at large: no comma before "and".
_FORMAT_LOCALES = {"en": "en_GB"}

#: First strong isolate and pop directional isolate: what stands between them turns nothing else round.
FSI, PDI = "\u2068", "\u2069"
#: Letters that are written from right to left: the blocks of Hebrew, Arabic, Syriac, N’Ko, Adlam and the like.
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")

P = ParamSpec("P")
R = TypeVar("R")

_language: ContextVar[str] = ContextVar("language", default=SOURCE_LANGUAGE)


class UnknownLanguage(ValueError):
    """A language that Facedown does not speak; the text names those it does."""


def language() -> str:
    """The language of the running context: "en", "de"."""
    return _language.get()


def set_language(wanted: str) -> Token[str]:
    """Speak a language from now on, in this task; `UnknownLanguage` names the ones there are."""
    if wanted not in languages():
        raise UnknownLanguage(f"unknown language {wanted}: there are {', '.join(languages())}")
    return _language.set(wanted)


@contextmanager
def use_language(wanted: str) -> Iterator[None]:
    """Speak a language in this block; `UnknownLanguage` names the ones there are.

    >>> with use_language("de"):
    ...     language()
    'de'
    """
    token = set_language(wanted)
    try:
        yield
    finally:
        _language.reset(token)


@lru_cache(maxsize=1)
def languages() -> dict[str, str]:
    """The languages that are spoken, each with its own name for itself, the source first.

    >>> list(languages().items())
    [('en', 'English'), ('de', 'Deutsch')]
    """
    from babel import Locale

    there = resources.files(SHARED_PACKAGE) / "locale"
    found = {item.name.partition(".")[0] for item in there.iterdir()} if there.is_dir() else set()
    names = {
        code: str(Locale.parse(code).get_display_name(code))
        for code in (SOURCE_LANGUAGE, *sorted(found - {SOURCE_LANGUAGE}))
    }
    return {code: name[:1].upper() + name[1:] for code, name in names.items()}


def best_language(accepted: str) -> str:
    """The language for somebody whose browser accepts these (``Accept-Language``); the source for any other.

    >>> best_language("fr-CH, de;q=0.8, en;q=0.5"), best_language("fr"), best_language("de-AT;q=0.9,en;q=0.4")
    ('de', 'en', 'de')
    """
    spoken = languages()
    weights: dict[str, float] = {}
    for part in accepted.split(",")[:20]:
        tag, _, rest = part.strip().partition(";")
        code = tag.strip().lower().partition("-")[0]
        with suppress(ValueError):
            weights[code] = max(weights.get(code, 0.0), float(rest.strip().removeprefix("q=") or 1))
    return max(
        (code for code in weights if weights[code] and code in spoken), key=weights.__getitem__, default=SOURCE_LANGUAGE
    )


def format_locale() -> str:
    """The locale by whose rules numbers, dates and lists are written now."""
    return _FORMAT_LOCALES.get(language(), language() if language() in languages() else SOURCE_LANGUAGE)


# --- catalogues -------------------------------------------------------------------------------------------------------


@cache
def catalogue_of(package: str, code: str) -> gettext.NullTranslations:
    """The texts of a package in a language; what it lacks, the shared ones may have, else it is said in English."""
    found = _load_catalogue(resources.files(package) / "locale", code)
    if package == SHARED_PACKAGE:
        return found or gettext.NullTranslations()
    shared = catalogue_of(SHARED_PACKAGE, code)
    if found is None:
        return shared
    found.add_fallback(shared)
    return found


def _load_catalogue(folder: Traversable, code: str) -> gettext.NullTranslations | None:
    """A catalogue as the build compiled it; in a clone, where the written one is newer, that one."""
    written, compiled = folder / f"{code}.po", folder / f"{code}.mo"
    if compiled.is_file() and not _is_newer(written, compiled):
        with compiled.open("rb") as file:
            return gettext.GNUTranslations(file)
    if not written.is_file():
        return None
    return parse_catalogue(written.read_bytes(), code)


def _is_newer(one: Traversable, other: Traversable) -> bool:
    """Is a file newer than another? What is packed into an archive is not."""
    if not (isinstance(one, Path) and isinstance(other, Path) and one.is_file()):
        return False
    return one.stat().st_mtime > other.stat().st_mtime


def parse_catalogue(written: bytes, code: str) -> gettext.GNUTranslations:
    """The texts in the bytes of a written catalogue (``.po``)."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(written), locale=code))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


@dataclass(frozen=True, slots=True)
class Texts:
    """The texts of one package.

    >>> _ = Texts("facedown.core")
    >>> _("Seat {number}", number=2)
    'Seat 2'
    """

    package: str

    def __call__(self, message: str, /, **values: object) -> str:
        """A text in the language that is spoken, its ``{names}`` filled in; without values it is left as it is."""
        code = _language.get()
        said = message if code == SOURCE_LANGUAGE else catalogue_of(self.package, code).gettext(message)
        return _fill_placeholders(said, values) if values else said

    def plural(self, one: str, many: str, count: int, /, **values: object) -> str:
        """A text for so many; ``{count}`` is filled in, too.

        >>> Texts("facedown.core").plural("{count} card", "{count} cards", 3)
        '3 cards'
        """
        code = _language.get()
        if code == SOURCE_LANGUAGE:
            said = one if count == 1 else many
        else:
            said = catalogue_of(self.package, code).ngettext(one, many, count)
        return _fill_placeholders(said, {"count": count, **values})

    def context(self, context: str, message: str, /, **values: object) -> str:
        """A text whose words mean something else elsewhere: `context` says what they mean here."""
        code = _language.get()
        said = message if code == SOURCE_LANGUAGE else catalogue_of(self.package, code).pgettext(context, message)
        return _fill_placeholders(said, values) if values else said


def isolate_right_to_left(text: str) -> str:
    r"""A name among other words, between isolates (U+2068, U+2069) if it is written from right to left.

    Every sentence of Facedown is written from left to right, so other names need none. Isolates belong to output: names
    are stored, compared and sent to programs without them.

    >>> isolate_right_to_left("Ann 2"), isolate_right_to_left("\u05d3\u05e0\u05d4 2") == "\u2068\u05d3\u05e0\u05d4
    2\u2069" ('Ann 2', True)
    """
    if text.isascii() or FSI in text or not _RIGHT_TO_LEFT.search(text):
        return text
    return f"{FSI}{text}{PDI}"


def _fill_placeholders(text: str, values: Mapping[str, object]) -> str:
    """A text with its values in it, those apart that are written from right to left."""
    said = text.format(**values)
    if said.isascii() or not _RIGHT_TO_LEFT.search(said):
        return said
    return text.format(
        **{key: isolate_right_to_left(value) if isinstance(value, str) else value for key, value in values.items()}
    )


def gettext_noop(message: str, /) -> str:
    """A text that is written here and translated where it is used (imported as ``N_``)."""
    return message


def cache_by_language(function: Callable[P, R]) -> Callable[P, R]:
    """`functools.cache` for a function that speaks: it keeps an answer for each language."""
    return lru_cache_by_language(None)(function)


def lru_cache_by_language(most: int | None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """`functools.lru_cache` for a function that speaks: it keeps so many answers, each in the language it was given."""
    return lru_cache_by_setting(_language.get, most)


# --- said later -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LazyText:
    """A text that several readers are told, each in their own language: `str` says it in the one that is spoken then.

    >>> str(LazyText(Texts("facedown.core"), gettext_noop("Seat {number}"), {"number": 2}))
    'Seat 2'
    """

    texts: Callable[..., str]
    message: str
    values: Mapping[str, object]

    def __str__(self) -> str:
        """The text, now."""
        return self.texts(self.message, **self.values)


# --- numbers and lists ------------------------------------------------------------------------------------------------


def join_names(names: Sequence[str]) -> str:
    """Names in a row, as the language puts them.

    >>> join_names(["Ilse"]), join_names(["Ilse", "Ravi", "you"])
    ('Ilse', 'Ilse, Ravi and you')
    """
    apart = [isolate_right_to_left(name) for name in names]
    if len(apart) < 2:
        return "".join(apart)
    from babel.lists import format_list

    return str(format_list(apart, locale=format_locale()))


def decimal(number: float, places: int | None = None) -> str:
    """A number as the language writes it, with a real minus sign; `places` after the point, or as many as it has.

    >>> decimal(1234.5), decimal(-0.25, 1), decimal(12)
    ('1,234.5', '−0.2', '12')
    """
    from babel.numbers import format_decimal

    pattern = None if places is None else "#,##0" + ("." + "0" * places if places else "")
    return str(format_decimal(number, format=pattern, locale=format_locale())).replace("-", "\N{MINUS SIGN}")


def percent(share: float) -> str:
    """A share as a percentage.

    >>> percent(0.625)
    '62 %'
    """
    return f"{decimal(100 * share, 0)} %"
