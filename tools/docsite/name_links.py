"""Conversion of names in backticks to links to their documentation."""

from __future__ import annotations

import re
from collections.abc import Callable

#: Text that is left unchanged: fenced code, code in double backticks, links.
_LEFT = re.compile(r"^(```|~~~).*?^\1\s*$|``.+?``|\[[^\]\n]*\]\([^)\n]*\)", re.MULTILINE | re.DOTALL)
_TICKED = re.compile(r"`([A-Za-z_][\w.]*?)(\(\))?`")


def link_names(markdown: str, address: Callable[[str], str | None]) -> str:
    """Return the text with a link for each name in backticks for which `address` returns a full name.

    The links are optional: if the site has no page for a full name, it shows the name without a link.

    >>> link_names("See `core.hidden_cards`, and ``core``.", {"core.hidden_cards": "facedown.core.hidden_cards"}.get)
    'See <autoref identifier="facedown.core.hidden_cards" optional><code>core.hidden_cards</code></autoref>, and
    ``core``.'
    """
    parts, at = [], 0
    for left in _LEFT.finditer(markdown):
        parts += [_TICKED.sub(lambda found: _link(found, address), markdown[at : left.start()]), left[0]]
        at = left.end()
    return "".join([*parts, _TICKED.sub(lambda found: _link(found, address), markdown[at:])])


def _link(found: re.Match[str], address: Callable[[str], str | None]) -> str:
    to = address(found[1])
    if to is None:
        return found[0]
    return f'<autoref identifier="{to}" optional><code>{found[1]}{found[2] or ""}</code></autoref>'
