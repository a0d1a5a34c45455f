"""Actions as phrases for people, each in three forms: imperative, past tense and gerund.

A game writes each action once, with its verbs in braces: `action_phrase(_("{swap} the {card}"), context, card=…)`,
where `context` is a `PhraseContext`. The three English forms are derived from that text. A translated text contains all
three forms instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facedown.core.grammar import PlayerPhrase, capital, is_you, name_of, player_phrase, possessive
from facedown.core.i18n import _
from facedown.core.table import Sitter

_VERB = re.compile(r"\{(\w+)(?:\|(\w+)\|(\w+))?\}")
#: Past tense of irregular English verbs, indexed by the infinitive. The gerund of these verbs is regular.
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
#: Verbs that double their last letter before "-ing" and, unless irregular, before "-ed".
_CONSONANT_DOUBLING_VERBS = frozenset({"bid", "flip", "put", "stop", "swap"})


@dataclass(frozen=True, slots=True)
class ActionPhrase:
    """An action as a phrase without a full stop: in the imperative, in the past tense and as a gerund.

    Two legal actions have equal phrases only if the difference does not matter to a player.
    """

    imperative: str
    """Imperative form: "Swap the yellow and a red"."""
    past: str
    """Past tense, for use after a player's name: "swapped the yellow and a red"."""
    gerund: str
    """Gerund, for use inside a sentence: "swapping the yellow and a red"."""


def action_phrase(text: str, teller: PhraseContext | None = None, /, **values: object) -> ActionPhrase:
    """Return the three forms of the phrase `text`, with `values` filled in.

    In an English text, a word in braces that is not a key of `values` is a verb in the infinitive. The past tense and
    the gerund are derived from it.

    >>> action_phrase("{keep} the {card}", card=9)
    ActionPhrase(imperative='Keep the 9', past='kept the 9', gerund='keeping the 9')

    For a verb whose forms would be derived wrongly, give all three: infinitive, past tense, gerund.

    >>> action_phrase("{bet|bet|betting} a chip").gerund
    'betting a chip'

    A translated text contains three phrases, separated by " | ". There ``{who:…}`` stands for the acting player;
    `core.grammar.PlayerPhrase` describes the formats. `teller` says who that player is and who reads the phrase. It may
    be None if the text does not use ``{who}``.

    >>> reader = PhraseContext([Sitter("Ada"), Sitter("Theo")], 0, 0)
    >>> text = "Wirf die {card} ab | {who:hast|hat} die {card} abgeworfen | die {card} abzuwerfen"
    >>> action_phrase(text, reader, card=9).past
    'hast die 9 abgeworfen'
    """
    if " | " in text:
        if teller is not None:
            values = {"who": teller.actor_phrase, **values}
        do, done, doing = (part.strip().format(**values) for part in text.split(" | "))
        return ActionPhrase(capital(do), done, doing)
    asked, done, doing = (_conjugate_verbs(text, form, values).format(**values) for form in range(3))
    return ActionPhrase(capital(asked), done, doing)


def _conjugate_verbs(text: str, form: int, values: Mapping[str, object]) -> str:
    """Return `text` with each verb in braces put into the form number `form`: 0 imperative, 1 past tense, 2 gerund.

    A word in braces that is a key of `values` is not a verb and stays as it is.
    """

    def verb(found: re.Match[str]) -> str:
        if found[1] in values and not found[2]:
            return found[0]
        if not form:
            return found[1]
        return found[form + 1] or _past_and_gerund(found[1])[form - 1]

    return _VERB.sub(verb, text)


def _past_and_gerund(verb: str) -> tuple[str, str]:
    """Return the past tense and the gerund of an English verb, given as its infinitive."""
    stem = verb + verb[-1] if verb in _CONSONANT_DOUBLING_VERBS else verb.removesuffix("e")
    return _IRREGULAR_PAST.get(verb, f"{stem}ed"), f"{stem}ing"


@dataclass(frozen=True, slots=True)
class PhraseContext:
    """The player whose action a phrase describes (`actor`), and the `reader` of the phrase.

    Both are seat numbers; the reader may also be `SPECTATOR`. `sitters` are the players at all seats.
    """

    sitters: Sequence[Sitter]
    actor: int
    reader: int

    def possessive_of(self, seat: int) -> str:
        """Return the possessive of the player at `seat`: "your" for the reader, "their" for the acting player, else the
        name ("Theo’s").
        """
        if is_you(self.sitters, seat, self.reader):
            return "your"
        return _("their") if seat == self.actor else possessive(name_of(self.sitters, seat, self.reader))

    @property
    def actor_phrase(self) -> PlayerPhrase:
        """The acting player as a `PlayerPhrase`, which a text can format in several ways.

        In an English text, ``{who:you}`` gives "you" if the acting player is the reader, else the player's name. And
        ``{who:win|wins}`` gives "win" if the acting player is the reader, else "wins".
        """
        return player_phrase(self.sitters, self.actor, self.reader)

    def seat_phrase(self, seat: int) -> PlayerPhrase:
        """Return the player at `seat` as a `PlayerPhrase`, which a text can format in several ways.

        In an English text, ``{who:you}`` gives "you" if this player is the reader, else the player's name. And
        ``{who:win|wins}`` gives "win" if this player is the reader, else "wins".
        """
        return player_phrase(self.sitters, seat, self.reader)

    @property
    def actor_possessive(self) -> str:
        """The possessive of the acting player: "your" or "their"."""
        return self.possessive_of(self.actor)
