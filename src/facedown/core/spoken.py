"""An action as a person says it: asked for, told, or made the subject of a sentence.

A game writes each action once, with its verbs in braces (`spoken("{swap} the yellow")`); the three forms follow.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from facedown.core.table import Sitter
from facedown.core.voice import capital, is_you, whose

_VERB = re.compile(r"\{(\w+)(?:\|(\w+)\|(\w+))?\}")
#: The forms that do not follow from the verb itself: what was done, and the doing.
_FORMS = {
    "bid": ("bid", "bidding"),
    "choose": ("chose", "choosing"),
    "draw": ("drew", "drawing"),
    "flip": ("flipped", "flipping"),
    "go": ("went", "going"),
    "keep": ("kept", "keeping"),
    "lay": ("laid", "laying"),
    "lead": ("led", "leading"),
    "leave": ("left", "leaving"),
    "move": ("moved", "moving"),
    "name": ("named", "naming"),
    "put": ("put", "putting"),
    "reply": ("replied", "replying"),
    "stop": ("stopped", "stopping"),
    "swap": ("swapped", "swapping"),
    "take": ("took", "taking"),
    "throw": ("threw", "throwing"),
}


@dataclass(frozen=True, slots=True)
class Spoken:
    """An action in words, without a full stop. Equal words are moves that a person cannot tell apart."""

    do: str
    """Asked for: "Swap the yellow and a red"."""
    done: str
    """Told, after a name: "swapped the yellow and a red"."""
    doing: str
    """As a subject, in the middle of a sentence: "swapping the yellow and a red"."""


def spoken(text: str) -> Spoken:
    """The three forms of a text whose verbs stand in braces.

    >>> spoken("{throw} the 9")
    Spoken(do='Throw the 9', done='threw the 9', doing='throwing the 9')

    A verb that is not known here brings its own forms.

    >>> spoken("{bet|bet|betting} a chip").doing
    'betting a chip'
    """
    asked = _VERB.sub(r"\1", text)
    done = _VERB.sub(lambda verb: verb[2] or _forms(verb[1])[0], text)
    doing = _VERB.sub(lambda verb: verb[3] or _forms(verb[1])[1], text)
    return Spoken(capital(asked), done, doing)


def _forms(verb: str) -> tuple[str, str]:
    return _FORMS.get(verb, (f"{verb}ed", f"{verb}ing"))


@dataclass(frozen=True, slots=True)
class Teller:
    """Whose action is told, and to whom: how seats are called in it."""

    sitters: Sequence[Sitter]
    actor: int
    reader: int

    def whose(self, seat: int) -> str:
        """A seat as an owner: "your", "Theo’s", or "their" for the one who acts, told to somebody else."""
        if seat == self.actor and not is_you(self.sitters, seat, self.reader):
            return "their"
        return whose(self.sitters, seat, self.reader, middle=True)

    @property
    def mine(self) -> str:
        """The one who acts, as an owner."""
        return self.whose(self.actor)
