"""The texts of tables where people sit, in the language of whoever reads them."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.language import LazyText, Texts, gettext_noop

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = gettext_noop

#: What a reader is told, said in their own language when it is told; or what is the same in all.
TranslatableText = LazyText | str


def translatable_text(message: str, **values: object) -> LazyText:
    """A marked sentence that each reader is shown in their own language."""
    return LazyText(_, message, values)


def join_with_and(names: Sequence[str]) -> str:
    """Names in a row, each joined to those before.

    >>> join_with_and(["Ada"]), join_with_and(["Ada", "Ben", "Cleo"])
    ('Ada', 'Ada and Ben and Cleo')
    """
    found = "".join(names[:1])
    for name in names[1:]:
        found = _("{some} and {another}", some=found, another=name)
    return found


def not_your_turn(names: Sequence[str]) -> str:
    """Why somebody may not move, with the names of those who are to."""
    if len(names) == 1:
        return _("It is not your turn. Waiting for {name} to choose.", name=names[0])
    return _("It is not your turn. Waiting for {names} to choose.", names=join_with_and(names))
