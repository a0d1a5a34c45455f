"""Names in ticks that become links to where they are told of."""

from __future__ import annotations

import re
from collections.abc import Callable

#: Text that is left as it stands: fences, code in double ticks, links.
_LEFT = re.compile(r"^(```|~~~).*?^\1\s*$|``.+?``|\[[^\]\n]*\]\([^)\n]*\)", re.MULTILINE | re.DOTALL)
_TICKED = re.compile(r"`([A-Za-z_][\w.]*?)(\(\))?`")


def link_names(markdown: str, address: Callable[[str], str | None]) -> str:
    """The same text; each name in ticks that has an address leads there, if that has a page.

    >>> link_names("See `core.hidden_cards`, and ``core``.", {"core.slots": "facedown.core.hidden_cards"}.get)
    'See <autoref identifier="facedown.core.hidden_cards" optional><code>core.slots</code></autoref>, and ``core``.'
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
