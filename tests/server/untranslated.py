"""Texts that go through no catalogue: pages are drawn in a language in which every text that does comes back marked.

What people read on a page and stands in no mark was written past the catalogues, and would be English in every
language. Names that people have, codes, notation and titles of games are the same in all: whoever asks names them.
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

from facedown.core import language

#: The language in which every text is marked.
MARKED = "qq"
OPEN, SHUT = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
#: Attributes that people read or hear.
READ = frozenset(
    {
        *("aria-label", "aria-valuetext", "title", "alt", "placeholder", "content", "label"),
        *("data-says", "data-open-name", "data-bot-name", "data-zero", "data-name", "data-on", "data-refuses"),
    }
)
#: Of what a page says of itself, the parts that people read.
_META = ("description", "og:title", "og:description", "og:image:alt")
#: In a live message: the fields that programs read.
CODES = frozenset(
    ("type", "filler", "touch", "face", "sign", "lifts", "picks", "rule", "came", "html", "places", "place", "card")
)
#: What is the same in every language: keys of a keyboard, the program itself, names of languages.
SAME = ("Facedown", "English", "Deutsch", MARKED.upper())
#: What stands inside a line: a text goes on through them.
_INLINE = frozenset(("b", "i", "em", "strong", "u", "code"))
#: What people wrote, in one language or in files for each: a guide's text.
_WRITTEN = frozenset(("script", "style", "article"))
_INNER = re.compile(rf"{OPEN}[^{OPEN}{SHUT}]*{SHUT}")
_WORD = re.compile(r"[^\W\d_]{2,}")


class Marking(gettext.NullTranslations):
    """A catalogue that translates a text into itself, marked; what is to be filled in stays as it is."""

    def gettext(self, message: str) -> str:
        return f"{OPEN}{message}{SHUT}"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)


@contextmanager
def marking() -> Iterator[str]:
    """In this block there is one language more, in which every text is marked: its code."""
    there = {**language.languages(), MARKED: "⟦Marked⟧"}
    kept, catalogue = language.catalogue_of, Marking()
    with (
        patch.object(language, "languages", lambda: there),
        patch.object(
            language, "catalogue_of", lambda package, code: catalogue if code == MARKED else kept(package, code)
        ),
        patch.dict(language._FORMAT_LOCALES, {MARKED: "en_GB"}),
    ):
        yield MARKED


def left_over(text: str, same: Collection[str] = ()) -> str:
    """What stands in no mark, without what is the same in all languages; nothing where no word is left.

    >>> left_over(f"{OPEN}Waiting for {OPEN}one{SHUT} of them{SHUT}: Ada, 7 cards", ["Ada"])
    ', 7 cards'
    """
    found, count = text, 1
    while count:
        found, count = _INNER.subn("", found)
    for name in sorted((*SAME, *same), key=len, reverse=True):
        found = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", found)
    # Names in a row are put together by the language's own rules.
    found = re.sub(r"(?<!\w)and(?!\w)", "", found)
    return found.strip(" :") if _WORD.search(found) else ""


class _Page(HTMLParser):
    """All that people read on a page."""

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
            # Here it names the choice that the words below are about.
            named.pop("data-says", "")
        self.texts += [(f"{tag}[{name}]", value) for name, value in named.items() if name in READ]

    def handle_endtag(self, tag: str) -> None:
        self._breaks(tag)
        if self._inside and self._inside[-1] == tag:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        """A text; of a live message what is read in it."""
        if not self._inside:
            self._line += data
        elif self._inside[-1] == "script" and data.lstrip().startswith("{"):
            self.texts += list(_read(json.loads(data)))

    def _breaks(self, tag: str) -> None:
        """A line ends where an element begins or ends that does not stand in it."""
        if tag not in _INLINE:
            self.texts.append(("text", " ".join(self._line.split())))
            self._line = ""


def _read(value: Any, key: str = "message") -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in CODES:
                yield from _read(inner, name)
    elif isinstance(value, list):
        # A refusal is a place, and why it may not be touched.
        for inner in value[1:] if key == "refusals" and len(value) == 2 and isinstance(value[0], str) else value:
            yield from _read(inner, key)
    elif isinstance(value, str):
        yield key, value


def untranslated(page: str, same: Collection[str] = ()) -> list[str]:
    """What people read on a page that was drawn in the marked language, and that went through no catalogue."""
    reader = _Page()
    reader.feed(page)
    reader.close()
    found = ((where, left_over(text, same)) for where, text in reader.texts)
    return sorted({f"{where}: {text}" for where, text in found if text})


def untranslated_message(message: dict[str, Any], same: Collection[str] = ()) -> list[str]:
    """The same of a live message, its page included."""
    pages = untranslated(str(message.get("html", "")) + str(message.get("last", "")), same)
    said = ((key, left_over(text, same)) for key, text in _read({**message, "last": ""}))
    return sorted({*pages, *(f"{key}: {text}" for key, text in said if text)})
