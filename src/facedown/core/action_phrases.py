"""An action as a person says it: asked for, told, or made the subject of a sentence.

A game writes each action once, with its verbs in braces (`spoken(_("{swap} the {card}"), teller, card=…)`); the three
forms follow. A translation writes the three of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facedown.core.grammar import Who, capital, is_you, name_of, possessive, who
from facedown.core.i18n import _
from facedown.core.table import Sitter

_VERB = re.compile(r"\{(\w+)(?:\|(\w+)\|(\w+))?\}")
#: What was done, where it does not follow from the verb.
_PAST = {
    "bid": "bid",
    "choose": "chose",
    "draw": "drew",
    "go": "went",
    "keep": "kept",
    "lay": "placed",
    "lead": "led",
    "leave": "left",
    "put": "put",
    "reply": "replied",
    "take": "took",
}
#: Verbs whose last letter is doubled before an ending.
_DOUBLED = frozenset({"bid", "flip", "put", "stop", "swap"})


@dataclass(frozen=True, slots=True)
class Spoken:
    """An action in words, without a full stop. Equal words are moves that a person cannot tell apart."""

    do: str
    """Asked for: "Swap the yellow and a red"."""
    done: str
    """Told, after a name: "swapped the yellow and a red"."""
    doing: str
    """As a subject, in the middle of a sentence: "swapping the yellow and a red"."""


def spoken(text: str, teller: Teller | None = None, /, **values: object) -> Spoken:
    """The three forms of a text, with its values filled in.

    Verbs stand in braces that are no values; their forms are the English ones.

    >>> spoken("{keep} the {card}", card=9)
    Spoken(do='Keep the 9', done='kept the 9', doing='keeping the 9')

    A verb that is not known here brings its own forms.

    >>> spoken("{bet|bet|betting} a chip").doing
    'betting a chip'

    Other languages (and whoever wants to) write all three, with bars between; ``{who:…}`` in them is the one who acts,
    for the reader (`core.grammar.Who`).

    >>> reader = Teller([Sitter("Ada"), Sitter("Theo")], 0, 0)
    >>> spoken("Wirf die {card} ab | {who:hast|hat} die {card} abgeworfen | die {card} abzuwerfen", reader, card=9).done
    'hast die 9 abgeworfen'
    """
    if " | " in text:
        if teller is not None:
            values = {"who": teller.who, **values}
        do, done, doing = (part.strip().format(**values) for part in text.split(" | "))
        return Spoken(capital(do), done, doing)
    asked, done, doing = (_conjugated(text, form, values).format(**values) for form in range(3))
    return Spoken(capital(asked), done, doing)


def _conjugated(text: str, form: int, values: Mapping[str, object]) -> str:
    """The text with the form of its verbs: 0 asked for, 1 told, 2 doing."""

    def verb(found: re.Match[str]) -> str:
        if found[1] in values and not found[2]:
            return found[0]
        if not form:
            return found[1]
        return found[form + 1] or _forms(found[1])[form - 1]

    return _VERB.sub(verb, text)


def _forms(verb: str) -> tuple[str, str]:
    """What was done, and the doing."""
    stem = verb + verb[-1] if verb in _DOUBLED else verb.removesuffix("e")
    return _PAST.get(verb, f"{stem}ed"), f"{stem}ing"


@dataclass(frozen=True, slots=True)
class Teller:
    """Whose action is told, and to whom: how seats are called in it."""

    sitters: Sequence[Sitter]
    actor: int
    reader: int

    def whose(self, seat: int) -> str:
        """A seat as an owner: "your", "Theo’s", or "their" for the one who acts, told to somebody else."""
        if is_you(self.sitters, seat, self.reader):
            return "your"
        return _("their") if seat == self.actor else possessive(name_of(self.sitters, seat, self.reader))

    @property
    def who(self) -> Who:
        """The one who acts, in a sentence."""
        return who(self.sitters, self.actor, self.reader)

    def owner(self, seat: int) -> Who:
        """A seat as an owner in a sentence (``{who:'your}``)."""
        return who(self.sitters, seat, self.reader)

    @property
    def mine(self) -> str:
        """The one who acts, as an owner."""
        return self.whose(self.actor)
