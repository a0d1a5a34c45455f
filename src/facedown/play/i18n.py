"""The texts of tables where people sit, in the language of whoever reads them."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.language import Later, Texts, marked

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = marked

#: What a reader is told, said in their own language when it is told; or what is the same in all.
Tell = Later | str


def tell(message: str, **values: object) -> Later:
    """A marked sentence that each reader is shown in their own language."""
    return Later(_, message, values)


def all_of(names: Sequence[str]) -> str:
    """Names in a row, each joined to those before.

    >>> all_of(["Ada"]), all_of(["Ada", "Ben", "Cleo"])
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
    return _("It is not your turn. Waiting for {names} to choose.", names=all_of(names))
