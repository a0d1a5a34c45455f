"""Gettext functions for the texts of the package `facedown.play`, and texts that are translated separately for each
reader.
"""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.translation import LazyText, Texts, gettext_noop, join_names

_ = Texts(__package__)
n_ = _.plural
c_ = _.context
N_ = gettext_noop

#: A text for several readers. A `LazyText` is translated into each reader's language when it is shown. A string is
#: shown to all readers unchanged.
TranslatableText = LazyText | str


def translatable_text(message: str, **values: object) -> LazyText:
    """Return a sentence that is translated only when it is shown, into the reader's language. `values` fill its
    placeholders.
    """
    return LazyText(_, message, values)


def join_with_and(names: Sequence[str]) -> str:
    """Join names into one text, with the commas and the word for "and" of the active language.

    >>> join_with_and(["Ada"]), join_with_and(["Ada", "Ben", "Cleo"])
    ('Ada', 'Ada, Ben and Cleo')
    """
    return join_names(names)


def not_your_turn_message(names: Sequence[str]) -> str:
    """Return the message for a move out of turn, with the names of the players whose turn it is."""
    if len(names) == 1:
        return _("It’s not your turn. Waiting for {name} to choose.", name=names[0])
    return _("It’s not your turn. Waiting for {names} to choose.", names=join_with_and(names))
