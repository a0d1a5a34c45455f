"""Finder of untranslated texts: pages are rendered in a language that marks every translated text.

A text for readers without a mark bypassed the catalogues and would be English in every language. Names of persons,
codes, notation and titles of games are the same in all languages; the caller passes them.
"""

from __future__ import annotations

import gettext
import json
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from typing import Any
from unittest.mock import patch

from facedown.core import translation

#: Code of the language in which every text is marked.
MARKED = "qq"
OPEN, SHUT = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
#: Attributes that are shown or read aloud.
READ = frozenset(
    {
        *("aria-label", "aria-valuetext", "title", "alt", "placeholder", "content", "label"),
        *("data-says", "data-open-name", "data-bot-name", "data-zero", "data-name", "data-on", "data-refuses"),
    }
)
#: Meta tags that are shown to readers.
_META = ("description", "og:title", "og:description", "og:image:alt")
#: Fields of a live message that programs read.
CODES = frozenset(
    ("type", "filler", "touch", "face", "sign", "lifts", "picks", "rule", "came", "html", "places", "place", "card")
)
#: Texts that are the same in every language: keys, the program's name, names of languages.
SAME = ("Facedown", "English", "Deutsch", MARKED.upper())
#: Inline elements, which do not end a text.
_INLINE = frozenset(("b", "i", "em", "strong", "u", "code"))
#: Elements with texts that are not from catalogues, such as guides.
_WRITTEN = frozenset(("script", "style", "article"))
_INNER = re.compile(rf"{OPEN}[^{OPEN}{SHUT}]*{SHUT}")
_WORD = re.compile(r"[^\W\d_]{2,}")


class Marking(gettext.NullTranslations):
    """A catalogue that translates a text into itself, with a mark. Placeholders stay."""

    def gettext(self, message: str) -> str:
        return f"{OPEN}{message}{SHUT}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


@contextmanager
def marked_language() -> Iterator[str]:
    """Add a language in which every text is marked, and return its code."""
    there = {**translation.languages(), MARKED: "⟦Marked⟧"}
    kept, catalogue = translation.catalogue_of, Marking()
    with (
        patch.object(translation, "languages", lambda: there),
        patch.object(
            translation, "catalogue_of", lambda package, code: catalogue if code == MARKED else kept(package, code)
        ),
        patch.dict(translation._FORMAT_LOCALES, {MARKED: "en_GB"}),
    ):
        yield MARKED


def unmarked_part(text: str, same: Collection[str] = ()) -> str:
    """Return the unmarked part of a text without the texts that are the same in all languages; empty without a word.

    >>> unmarked_part(f"{OPEN}Waiting for {OPEN}one{SHUT} of them{SHUT}: Ada, 7 cards", ["Ada"])
    ', 7 cards'
    """
    found, count = text, 1
    while count:
        found, count = _INNER.subn("", found)
    for name in sorted((*SAME, *same), key=len, reverse=True):
        found = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", found)
    # Lists of names are joined by the rules of the locale.
    found = re.sub(r"(?<!\w)and(?!\w)", "", found)
    return found.strip(" :") if _WORD.search(found) else ""


class _Page(HTMLParser):
    """All texts of a page for readers."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[tuple[str, str]] = []
        self._inside: list[str] = []
        self._line = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        self._breaks(tag)
        if tag in _WRITTEN:
            self._inside.append(tag)
        if tag == "meta" and (named.get("name") or named.get("property")) not in _META:
            return
        if tag == "small":
            # Here the attribute names the choice that the following words explain.
            named.pop("data-says", "")
        self.texts += [(f"{tag}[{name}]", value) for name, value in named.items() if name in READ]

    def handle_endtag(self, tag: str) -> None:
        self._breaks(tag)
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        """Collect a text, or the texts of a live message."""
        if not self._inside:
            self._line += data
        elif self._inside[-1] == "script" and data.lstrip().startswith("{"):
            self.texts += list(_read(json.loads(data)))

    def _breaks(self, tag: str) -> None:
        """End a text at the start or end of an element that is not inline."""
        if tag not in _INLINE:
            self.texts.append(("text", " ".join(self._line.split())))
            self._line = ""


def _read(value: Any, key: str = "message") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in CODES:
                yield from _read(inner, name)
    elif isinstance(value, list):
        # A refusal is a pair of a place and a reason.
        for inner in value[1:] if key == "refusals" and len(value) == 2 and isinstance(value[0], str) else value:
            yield from _read(inner, key)
    elif isinstance(value, str):
        yield key, value


def untranslated(page: str, same: Collection[str] = ()) -> list[str]:
    """Return the texts of a page in the marked language that no catalogue translated."""
    reader = _Page()
    reader.feed(page)
    reader.close()
    found = ((where, unmarked_part(text, same)) for where, text in reader.texts)
    return sorted({f"{where}: {text}" for where, text in found if text})


def untranslated_message(message: dict[str, Any], same: Collection[str] = ()) -> list[str]:
    """Return the same for a live message and its page."""
    pages = untranslated(str(message.get("html", "")) + str(message.get("last", "")), same)
    said = ((key, unmarked_part(text, same)) for key, text in _read({**message, "last": ""}))
    return sorted({*pages, *(f"{key}: {text}" for key, text in said if text)})
