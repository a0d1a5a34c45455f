"""What is sent of a page to all who are shown the same of it, encoded once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any
from weakref import ref

from pydantic_core import to_json

from facedown.server.live import messages
from facedown.server.look import Drawn, plain

#: What differs from one line to the next.
_OWN = {"type", "version", "say", "filler"}


class _Forms:
    """A page as it is sent: whole, in parts, and as what makes it out of a page before."""

    def __init__(self) -> None:
        self.whole = ""
        self.parts = ""
        self.since: tuple[ref[Drawn], str] | None = None


#: The pages that were sent last, so many of them: all who look at a table are sent its page within a moment. A page in
#: this form takes more memory than all else of its table.
FORMS_KEPT = 64
_FORMS: OrderedDict[Drawn, _Forms] = OrderedDict()


def table_message(
    page: Drawn, *, version: int, say: Iterable[str] = (), before: Drawn | None = None, patches: bool = False
) -> messages.Encoded:
    """The message with a page for one line; with `patches` only what changed since the page `before`."""
    return messages.Encoded(version, [plain(line) for line in say], _shared(page, before, patches))


def _shared(page: Drawn, before: Drawn | None, patches: bool) -> str:
    """What all who show the page `before` are sent of this one."""
    forms = _FORMS.setdefault(page, _Forms())
    _FORMS.move_to_end(page)
    if len(_FORMS) > FORMS_KEPT:
        _FORMS.popitem(last=False)
    if not patches:
        forms.whole = forms.whole or encoded(page.message(version=0))
        return forms.whole
    if before is None:
        forms.parts = forms.parts or encoded(page.message_since(None, version=0))
        return forms.parts
    if forms.since is None or forms.since[0]() is not before:
        forms.since = ref(before), encoded(page.message_since(before, version=0))
    return forms.since[1]


def encoded(message: Mapping[str, Any]) -> str:
    """Of a message with a table the fields that all are sent, as JSON without the braces."""
    return to_json({name: value for name, value in message.items() if name not in _OWN}).decode()[1:-1]
