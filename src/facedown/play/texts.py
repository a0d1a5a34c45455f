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


def all_of(names: Sequence[str]) -> str:
    """Names in a row, each joined to those before.

    >>> all_of(["Ada"]), all_of(["Ada", "Ben", "Cleo"])
    ('Ada', 'Ada and Ben and Cleo')
    """
    found = "".join(names[:1])
    for name in names[1:]:
        found = _("{some} and {another}", some=found, another=name)
    return found
