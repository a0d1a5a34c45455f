"""Wrapping of long function signatures, so that each argument has its own line."""

from __future__ import annotations

import re
from html import unescape

#: Largest number of characters of a signature that stays in one line.
WIDE = 62
_SIGNATURE = re.compile(
    r'(<div class="[^"]*doc-signature[^"]*"><pre>(?:<span></span>)?<code>)(.*?)(</code></pre>)', re.DOTALL
)
#: Matches a part of HTML: a tag, an entity or a character. Tags do not count as visible characters.
_PART = re.compile(r"<[^>]*>|&\w+;|&#\w+;|.", re.DOTALL)


def fold_signatures(html: str) -> str:
    """Return the HTML of a page with its long signatures wrapped."""
    return _SIGNATURE.sub(lambda found: found[1] + fold(found[2]) + found[3], html)


def fold(code: str, wide: int = WIDE) -> str:
    """Return a signature with each argument on its own line, if it is longer than `wide` characters.

    >>> print(fold("<b>seat</b>(name: str, deal: dict[str, int]) -> None", 30))
    <b>seat</b>(
        name: str,
        deal: dict[str, int],
    ) -> None
    >>> fold("seat()", 3)
    'seat()'
    """
    if len(unescape(re.sub(r"<[^>]*>", "", code)).strip()) <= wide:
        return code
    parts, depth, done, skip = list[str](), 0, False, False
    for part in _PART.findall(code):
        if skip and part == " ":
            continue
        skip = skip and part.startswith("<")
        if not done and part in ("(", "[", "{"):
            depth += 1
            parts.append(part + "\n    " if depth == 1 else part)
            skip = depth == 1
        elif not done and part in (")", "]", "}"):
            depth -= 1
            done = depth == 0
            parts.append(("\n" if parts[-1].endswith("\n    ") else ",\n") + part if done else part)
        elif not done and part == "," and depth == 1:
            parts.append(",\n    ")
            skip = True
        else:
            parts.append(part)
    return re.sub(r"\n    (?=\n)", "", "".join(parts)).replace("(\n)", "()")
