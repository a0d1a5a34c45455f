"""Text forms of Reveille's actions and bones (dominoes): match-file notation, typed moves, and phrases for players.

The notation is ``play 64``, ``pass``, ``bid 24``, ``trump 6``, ``nello``, ``claim``, ``pick 3`` or ``continue``.

A bone is written as its two numbers. ``trump 6`` makes sixes trumps. ``pick 3`` takes the third bone of the boneyard
(the face-down stock). Players may also type ``6·4``, ``4-6`` or ``play 6 4`` for ``play 64``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from facedown.core.action_phrases import ActionPhrase, PhraseContext, action_phrase
from facedown.core.state import View, plain_view
from facedown.core.translation import join_names
from facedown.games.reveille.cards import COUNTER_POINTS, DOUBLES, NUMBERS, bone_name, bone_named, is_trump, led_suit
from facedown.games.reveille.i18n import N_, _, n_
from facedown.games.reveille.rules import ACTIONS, HIGHEST_BID, LOWEST_BID, YARD_BONES, Act, Phase, ReveillePosition
from facedown.games.reveille.view import led_bone

#: Paragraph in the terminal's help that explains how to type moves.
TYPING = N_(
    "Type a bone as 64, 6·4 or 6-4, with or without “play” in front. In the auction, a number by itself is a bid."
)

_BONE = re.compile(r"([0-6]) ?[·.:/|-]? ?([0-6])")
#: Kinds of actions that are written with a number after the word, such as ``bid 24``. The values are (lowest number,
#: highest number, error text for any other number).
_NUMBERED = {
    Act.BID: (LOWEST_BID, HIGHEST_BID, N_("{number} is not a valid bid; expected {low} to {high}")),
    Act.TRUMP: (0, NUMBERS - 1, N_("{number} is not a suit; expected {low} to {high}")),
    Act.PICK: (1, YARD_BONES, N_("{number} is not the number of a bone in the boneyard; expected {low} to {high}")),
}
_KINDS = {kind.name.lower(): kind for kind in Act}


def action_notation(action: int) -> str:
    """Return the notation of an action in match files. Raise `ValueError` if there is no such action.

    >>> action_notation(Act.PLAY), action_notation(Act.BID), action_notation(Act.TRUMP + 6)
    ('play 00', 'bid 4', 'trump 6')
    >>> action_notation(Act.PICK), action_notation(Act.CLAIM)
    ('pick 1', 'claim')
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(_("action {action} does not exist", action=action))
    kind, number = Act.decode(action)
    word = kind.name.lower()
    if kind == Act.PLAY:
        return f"{word} {bone_name(number)}"
    return f"{word} {_NUMBERED[kind][0] + number}" if kind in _NUMBERED else word


def parse(text: str) -> int:
    """Return the action (an integer) that a text names, in match-file notation or as a player may type it.

    Raise `ValueError` with the reason if the text names no action.

    >>> parse("bid 42") == Act.BID + 38, parse("play 46") == parse("play 64") == parse("6·4") == parse("play 4 6")
    (True, True)
    """
    parts = text.strip().lower().split()
    drawn = _BONE.fullmatch(" ".join(parts).removeprefix("play "))
    if drawn and (parts[0] == "play" or not drawn[0].isdigit()):
        return Act.PLAY + parse_bone(drawn[1] + drawn[2])
    match parts:
        case ["play", bone]:
            return Act.PLAY + parse_bone(bone)
        case ["bid" | "trump" | "pick" as word, number]:
            low, high, otherwise = _NUMBERED[_KINDS[word]]
            if not re.fullmatch(r"\d{1,2}", number) or not low <= int(number) <= high:
                raise ValueError(_(otherwise, number=number, low=low, high=high))
            return _KINDS[word] + int(number) - low
        case ["pass" | "nello" | "claim" | "continue" as word]:
            return _KINDS[word].value
    wanted = "play 64, pass, bid 24, trump 6, nello, claim, pick 1, continue"
    raise ValueError(_("{text!r} is not a move; expected one of: {wanted}", text=text.strip(), wanted=wanted))


def parse_bone(word: str) -> int:
    """Return the bone (a number from 0 to 27) named by `word`, its two digits in either order.

    Raise `ValueError` if no bone has this name.
    """
    try:
        return bone_named(word)
    except ValueError:
        nothing = N_("expected a bone: two digits from 0 to 6, such as 64")
        text = N_("{word} is not a bone; expected two digits from 0 to 6, such as 64") if word else nothing
        raise ValueError(_(text, word=word)) from None


# --- phrases for bones, suits and contracts ---------------------------------------------------------------------------

#: Plural names of the suits 0 to 6, then of the doubles (index `DOUBLES`) and of trumps (index `TRUMP_SUIT`).
#: `SUIT_SINGULARS` has the singular names in the same order.
SUIT_PLURALS = (
    N_("blanks"),
    N_("ones"),
    N_("twos"),
    N_("threes"),
    N_("fours"),
    N_("fives"),
    N_("sixes"),
    N_("doubles"),
    N_("trumps"),
)
SUIT_SINGULARS = (
    N_("blank"),
    N_("one"),
    N_("two"),
    N_("three"),
    N_("four"),
    N_("five"),
    N_("six"),
    N_("double"),
    N_("trump"),
)
#: Index of the word "trumps" in `SUIT_PLURALS` and `SUIT_SINGULARS`, for texts that do not say which suit is trumps.
TRUMP_SUIT = DOUBLES + 1


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit as a word in translated sentences. A format code in the sentence selects the form of the word.

    ``{suit}``
        its plural: "fives", "trumps", "doubles"
    ``{suit:one}``
        its singular: "five", "trump", "double"
    ``{suit:eine|einen}``
        an article for languages with grammatical gender: the first form for a number, the second for doubles and trumps

    >>> fives, trumps = Suit(5), Suit(TRUMP_SUIT)
    >>> "You hold no {suit:one}, for {suit} are led.".format(suit=fives)
    'You hold no five, for fives are led.'
    >>> "{a:eine|einen} {b:eine|einen}".format(a=fives, b=trumps)
    'eine einen'
    """

    number: int
    """Index in `SUIT_PLURALS`: a suit from 0 to 6, `DOUBLES`, or `TRUMP_SUIT`."""

    def __str__(self) -> str:
        """Return the name of the suit in the plural."""
        return _(SUIT_PLURALS[self.number])

    def __format__(self, how: str) -> str:
        """Return the name of the suit in the form that the format code `how` selects, or a word that fits the name.

        * "one": the singular, such as "five".
        * Two words with "|" between them, such as "eine|einen": the first word if the suit is a number, the second for
          doubles and trumps. Translations need this for languages in which the names have different genders.
        * Any other code, or none: the plural, such as "fives".
        """
        if "|" in how:
            return how.split("|")[self.number >= DOUBLES]
        return _(SUIT_SINGULARS[self.number]) if how == "one" else str(self)


def led_suit_word(contract: int, bone: int) -> Suit:
    """Return the suit to follow after `bone` was led, as a word for sentences. It is "trumps" if the bone is a trump.

    `contract` is a trump suit (0 to 6), `NELLO` or `NO_CONTRACT`.
    """
    return Suit(TRUMP_SUIT if is_trump(contract, bone) else led_suit(contract, bone))


def bone_label(bone: int) -> str:
    """Return the text that players see for a bone (a number from 0 to 27).

    >>> bone_label(25)
    '6·4'
    """
    return "·".join(bone_name(bone))


def counter_points_tag(bone: int) -> str:
    """Return "10" or "5" for a counter (a bone that scores 10 or 5 points by itself), and "" for any other bone."""
    return str(COUNTER_POINTS[bone]) if COUNTER_POINTS[bone] else ""


def spoken_bone_name(bone: int) -> str:
    """Return the name of a bone as a screen reader reads it aloud, with the points that it scores by itself.

    >>> spoken_bone_name(25), spoken_bone_name(0)
    ('6·4, worth ten', '0·0')
    """
    match COUNTER_POINTS[bone]:
        case 5:
            return _("{bone}, worth five", bone=bone_label(bone))
        case 10:
            return _("{bone}, worth ten", bone=bone_label(bone))
    return bone_label(bone)


def join_bone_labels(bones: Iterable[int]) -> str:
    """Return a list of bones as text, such as "6·4 and 3·2"."""
    return join_names([bone_label(bone) for bone in bones])


def points_text(count: int) -> str:
    """Return a number of points as text, such as "1 point" or "23 points"."""
    return n_("{count} point", "{count} points", count)


#: Phrases of the kinds of actions that are described by the same words in every position.
_PLAIN = {
    Act.PASS: N_("{pass}"),
    Act.NELLO: N_("{play} nello"),
    Act.CLAIM: N_("{claim} the hand"),
    Act.CONTINUE: N_("{continue} to the next hand"),
}


def describe_action(view: View, action: int, teller: PhraseContext) -> ActionPhrase:
    """Return a phrase for an action, such as "Lead the 6·4".

    `view` is the view of the seat that takes the action. The action must be legal in it. `teller` has the acting player
    and the reader of the phrase.
    """
    v = plain_view(view, ReveillePosition)
    kind, number = Act.decode(action)
    match kind:
        case Act.PLAY:
            text = _("{lead} the {bone}") if led_bone(v) is None else _("{reply} with the {bone}")
            return action_phrase(text, teller, bone=bone_label(number))
        case Act.BID:
            return action_phrase(_("{bid} {number}"), teller, number=LOWEST_BID + number)
        case Act.TRUMP:
            return action_phrase(_("{name} {suit} as trumps"), teller, suit=Suit(number))
        case Act.PICK:
            text = _("{reveal} bone {number} from the boneyard")
            if v.phase == Phase.DRAWING:
                text = _("{draw} bone {number} from the boneyard")
            return action_phrase(text, teller, number=number + 1)
    return action_phrase(_(_PLAIN[kind]), teller)
