"""An action as a person says it: asked for, told, or made the subject of a sentence.

A game writes each action once, with its verbs in braces (`action_phrase(_("{swap} the {card}"), teller, card=…)`); the
three forms follow. A translation writes the three of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facedown.core.grammar import PlayerPhrase, capital, is_you, name_of, player_phrase, possessive
from facedown.core.i18n import _
from facedown.core.table import Sitter

_VERB = re.compile(r"\{(\w+)(?:\|(\w+)\|(\w+))?\}")
#: What was done, where it does not follow from the verb.
_IRREGULAR_PAST = {
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
_CONSONANT_DOUBLING_VERBS = frozenset({"bid", "flip", "put", "stop", "swap"})


@dataclass(frozen=True, slots=True)
class ActionPhrase:
    """An action in words, without a full stop. Equal words are moves that a person cannot tell apart."""

    imperative: str
    """Asked for: "Swap the yellow and a red"."""
    past: str
    """Told, after a name: "swapped the yellow and a red"."""
    gerund: str
    """As a subject, in the middle of a sentence: "swapping the yellow and a red"."""


def action_phrase(text: str, teller: PhraseContext | None = None, /, **values: object) -> ActionPhrase:
    """The three forms of a text, with its values filled in.

    Verbs stand in braces that are no values; their forms are the English ones.

    >>> action_phrase("{keep} the {card}", card=9)
    Spoken(do='Keep the 9', done='kept the 9', doing='keeping the 9')

    A verb that is not known here brings its own forms.

    >>> action_phrase("{bet|bet|betting} a chip").doing
    'betting a chip'

    Other languages (and whoever wants to) write all three, with bars between; ``{who:…}`` in them is the one who acts,
    for the reader (`core.grammar.PlayerPhrase`).

    >>> reader = PhraseContext([Sitter("Ada"), Sitter("Theo")], 0, 0)
    >>> action_phrase("Wirf die {card} ab | {player_phrase:hast|hat} die {card} abgeworfen | die {card} abzuwerfen",
    reader, card=9).done 'hast die 9 abgeworfen'
    """
    if " | " in text:
        if teller is not None:
            values = {"who": teller.actor_phrase, **values}
        do, done, doing = (part.strip().format(**values) for part in text.split(" | "))
        return ActionPhrase(capital(do), done, doing)
    asked, done, doing = (_conjugate_verbs(text, form, values).format(**values) for form in range(3))
    return ActionPhrase(capital(asked), done, doing)


def _conjugate_verbs(text: str, form: int, values: Mapping[str, object]) -> str:
    """The text with the form of its verbs: 0 asked for, 1 told, 2 doing."""

    def verb(found: re.Match[str]) -> str:
        if found[1] in values and not found[2]:
            return found[0]
        if not form:
            return found[1]
        return found[form + 1] or _past_and_gerund(found[1])[form - 1]

    return _VERB.sub(verb, text)


def _past_and_gerund(verb: str) -> tuple[str, str]:
    """What was done, and the doing."""
    stem = verb + verb[-1] if verb in _CONSONANT_DOUBLING_VERBS else verb.removesuffix("e")
    return _IRREGULAR_PAST.get(verb, f"{stem}ed"), f"{stem}ing"


@dataclass(frozen=True, slots=True)
class PhraseContext:
    """Whose action is told, and to whom: how seats are called in it."""

    sitters: Sequence[Sitter]
    actor: int
    reader: int

    def possessive_of(self, seat: int) -> str:
        """A seat as an owner: "your", "Theo’s", or "their" for the one who acts, told to somebody else."""
        if is_you(self.sitters, seat, self.reader):
            return "your"
        return _("their") if seat == self.actor else possessive(name_of(self.sitters, seat, self.reader))

    @property
    def actor_phrase(self) -> PlayerPhrase:
        """The one who acts, in a sentence."""
        return player_phrase(self.sitters, self.actor, self.reader)

    def seat_phrase(self, seat: int) -> PlayerPhrase:
        """A seat as an owner in a sentence (``{who:'your}``)."""
        return player_phrase(self.sitters, seat, self.reader)

    @property
    def actor_possessive(self) -> str:
        """The one who acts, as an owner."""
        return self.possessive_of(self.actor)
