"""Translation of texts into the language of the reader.

Texts are written in English in the code and looked up in the catalogue of their package (``locale/de.po``, which
``tools/translations.py`` maintains and the build compiles). Each package defines once, in its module `i18n`::

    _ = Texts(__package__)

and then calls ``_("Keep the {card} or discard it?", card=digits(7))``. The language is a context variable: code that
writes for a reader runs inside ``with use_language(…)``. Notation, option names and data for programs are never
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

from facedown.core.context_keyed_cache import lru_cache_by_setting

#: Language of the texts in the code.
SOURCE_LANGUAGE = "en"
#: Package whose catalogue has the texts shared by all packages.
SHARED_PACKAGE = "facedown.core"
#: Locales for formatting numbers, dates and lists, for languages whose default variant is not wanted. British English
#: writes a list without a comma before "and".
_FORMAT_LOCALES = {"en": "en_GB"}

#: Unicode First Strong Isolate and Pop Directional Isolate: text between them does not change the direction of other
#: text.
FSI, PDI = "\u2068", "\u2069"
#: Characters of right-to-left scripts: the Unicode blocks of Hebrew, Arabic, Syriac, N’Ko, Adlam and similar scripts.
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")

P = ParamSpec("P")
R = TypeVar("R")

_language: ContextVar[str] = ContextVar("language", default=SOURCE_LANGUAGE)


class UnknownLanguage(ValueError):
    """Error: a language has no catalogue (translated texts). The error message lists the available languages."""


def language() -> str:
    """Return the code of the language that is set in the current context, such as "en" or "de"; by default "en".

    The context is that of the module `contextvars`: each thread and each asyncio task has its own.
    """
    return _language.get()


def set_language(wanted: str) -> Token[str]:
    """Set the language of the current context, such as an asyncio task. Return a token to restore the previous one.

    The token is for `ContextVar.reset`. Raises `UnknownLanguage` if there is no catalogue (translated texts) for the
    language.
    """
    if wanted not in languages():
        raise UnknownLanguage(f"unknown language {wanted}; available: {', '.join(languages())}")
    return _language.set(wanted)


@contextmanager
def use_language(wanted: str) -> Iterator[None]:
    """Use a language within a ``with`` block. Raises `UnknownLanguage` if it has no catalogue (translated texts).

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
    """Return a dictionary from the codes of the available languages to the languages' own names. English is first.

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
    """Return the available language that an ``Accept-Language`` header prefers, or English.

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


def formatting_locale() -> str:
    """Return the locale for formatting numbers, dates and lists in the current language."""
    return _FORMAT_LOCALES.get(language(), language() if language() in languages() else SOURCE_LANGUAGE)


# --- catalogues -------------------------------------------------------------------------------------------------------


@cache
def catalogue_of(package: str, code: str) -> gettext.NullTranslations:
    """Return the catalogue (translated texts) of `package` for the language `code`.

    A text that this catalogue lacks is looked up in the catalogue of `SHARED_PACKAGE`. A text that is missing there too
    stays in English.
    """
    found = _load_catalogue(resources.files(package) / "locale", code)
    if package == SHARED_PACKAGE:
        return found or gettext.NullTranslations()
    shared = catalogue_of(SHARED_PACKAGE, code)
    if found is None:
        return shared
    found.add_fallback(shared)
    return found


def _load_catalogue(folder: Traversable, code: str) -> gettext.NullTranslations | None:
    """Return the catalogue of the language `code` from a ``locale`` folder; None if it has no such catalogue.

    The compiled ``.mo`` file is used unless the ``.po`` file is newer, as after an edit. Then the ``.po`` file is
    compiled in memory.
    """
    written, compiled = folder / f"{code}.po", folder / f"{code}.mo"
    if compiled.is_file() and not _is_newer(written, compiled):
        with compiled.open("rb") as file:
            return gettext.GNUTranslations(file)
    if not written.is_file():
        return None
    return parse_catalogue(written.read_bytes(), code)


def _is_newer(one: Traversable, other: Traversable) -> bool:
    """Return whether the file `one` is newer than `other`; False for files in an archive, which have no time stamps."""
    if not (isinstance(one, Path) and isinstance(other, Path) and one.is_file()):
        return False
    return one.stat().st_mtime > other.stat().st_mtime


def parse_catalogue(written: bytes, code: str) -> gettext.GNUTranslations:
    """Compile `written`, the contents of a ``.po`` file for the language `code`, and return the catalogue."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    write_mo(compiled, read_po(io.BytesIO(written), locale=code))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


@dataclass(frozen=True, slots=True)
class Texts:
    """Translation function for the texts of one package.

    >>> _ = Texts("facedown.core")
    >>> _("Seat {number}", number=2)
    'Seat 2'
    """

    package: str

    def __call__(self, message: str, /, **values: object) -> str:
        """Return a text in the current language with placeholders such as ``{number}`` replaced by `values`.

        If no values are given, braces are left as they are.
        """
        code = _language.get()
        said = message if code == SOURCE_LANGUAGE else catalogue_of(self.package, code).gettext(message)
        return _fill_placeholders(said, values) if values else said

    def plural(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Return the singular or plural form of a text in the current language, as `count` requires.

        The placeholder ``{count}`` is replaced by `count`.

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
        """Return the translation of a text that is ambiguous in English; `context` tells translators which meaning is
        intended.
        """
        code = _language.get()
        said = message if code == SOURCE_LANGUAGE else catalogue_of(self.package, code).pgettext(context, message)
        return _fill_placeholders(said, values) if values else said


def isolate_right_to_left(text: str) -> str:
    r"""Enclose a name in Unicode isolates (U+2068, U+2069) if it contains right-to-left text; else return it unchanged.

    Inside isolates, the name does not change the order of the words around it, which run from left to right. Isolates
    are for output only: names are stored, compared and sent to programs without them.

    >>> isolate_right_to_left("Ann 2")
    'Ann 2'
    >>> isolate_right_to_left("\u05d3\u05e0\u05d4 2") == "\u2068\u05d3\u05e0\u05d4 2\u2069"
    True
    """
    if text.isascii() or FSI in text or not _RIGHT_TO_LEFT.search(text):
        return text
    return f"{FSI}{text}{PDI}"


def _fill_placeholders(text: str, values: Mapping[str, object]) -> str:
    """Return a text with its placeholders filled in.

    Values with right-to-left script are enclosed in Unicode isolate characters (`isolate_right_to_left`).
    """
    said = text.format(**values)
    if said.isascii() or not _RIGHT_TO_LEFT.search(said):
        return said
    return text.format(
        **{key: isolate_right_to_left(value) if isinstance(value, str) else value for key, value in values.items()}
    )


def gettext_noop(message: str, /) -> str:
    """Return `message` unchanged.

    Modules import this function as ``N_``. The tool that collects texts for the translation catalogues finds the calls
    of ``N_``. The code translates such a text later, where it is shown.
    """
    return message


def cache_by_language(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function that returns translations: cache like `functools.cache`, with separate entries for each
    language.
    """
    return lru_cache_by_language(None)(function)


def lru_cache_by_language(most: int | None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator like `functools.lru_cache` with separate entries for each language.

    `most` is the largest number of entries, counted over all languages; None means no limit.
    """
    return lru_cache_by_setting(_language.get, most)


# --- deferred translation ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LazyText:
    """A text that is translated only when `str` is called, in the language that is current then.

    This lets several readers get the same text, each in their own language.

    >>> str(LazyText(Texts("facedown.core"), gettext_noop("Seat {number}"), {"number": 2}))
    'Seat 2'
    """

    texts: Callable[..., str]
    message: str
    values: Mapping[str, object]

    def __str__(self) -> str:
        """Return the text in the current language."""
        return self.texts(self.message, **self.values)


# --- numbers and lists ------------------------------------------------------------------------------------------------


def join_names(names: Sequence[str]) -> str:
    """Return names as a list in a sentence, in the current language.

    >>> join_names(["Ilse"]), join_names(["Ilse", "Ravi", "you"])
    ('Ilse', 'Ilse, Ravi and you')
    """
    apart = [isolate_right_to_left(name) for name in names]
    if len(apart) < 2:
        return "".join(apart)
    from babel.lists import format_list

    return str(format_list(apart, locale=formatting_locale()))


def decimal(number: float, places: int | None = None) -> str:
    """Return a number in the format of the current language, with a typographic minus sign.

    `places` is the number of decimal places; None keeps all that the number has.

    >>> decimal(1234.5), decimal(-0.25, 1), decimal(12)
    ('1,234.5', '−0.2', '12')
    """
    from babel.numbers import format_decimal

    pattern = None if places is None else "#,##0" + ("." + "0" * places if places else "")
    return str(format_decimal(number, format=pattern, locale=formatting_locale())).replace("-", "\N{MINUS SIGN}")


def percent(share: float) -> str:
    """Return a share from 0 to 1 as a percentage in the format of the current language.

    >>> percent(0.625)
    '62 %'
    """
    return f"{decimal(100 * share, 0)} %"
