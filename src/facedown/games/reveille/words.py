"""Actions and bones of Reveille as text, in match files and as a person says them.

``play 64``, ``pass``, ``bid 24``, ``trump 6``, ``nello``, ``claim``, ``pick 3``.

A bone is its two numbers; ``trump 6`` names sixes; places of the boneyard are counted from 1. Typed bones are read as
they are drawn, too: ``6·4``, ``4-6``, ``play 6 4``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from facedown.core.spoken import Spoken, Teller, spoken
from facedown.core.state import View, plain_view
from facedown.core.voice import listing, plural
from facedown.games.reveille.cards import COUNTER, NUMBERS, bone_name, bone_named, is_trump, led_suit
from facedown.games.reveille.rules import ACTIONS, HIGHEST_BID, LOWEST_BID, YARD_BONES, Act, Phase, ReveillePosition
from facedown.games.reveille.view import lead

#: What the terminal's help says of typing moves.
TYPING = "A bone is typed as 64, 6·4 or 6-4, with or without “play”; in the auction a number alone is a bid."

_BONE = re.compile(r"([0-6]) ?[·.:/|-]? ?([0-6])")
#: The actions with a number: the lowest, the highest, and what the number is.
_NUMBERED = {
    Act.BID: (LOWEST_BID, HIGHEST_BID, "bid"),
    Act.TRUMP: (0, NUMBERS - 1, "suit"),
    Act.PICK: (1, YARD_BONES, "place"),
}
_KINDS = {kind.name.lower(): kind for kind in Act}


def words(action: int) -> str:
    """An action in the notation of match files.

    >>> words(Act.PLAY), words(Act.BID), words(Act.TRUMP + 6), words(Act.PICK), words(Act.CLAIM)
    ('play 00', 'bid 4', 'trump 6', 'pick 1', 'claim')
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}")
    kind, number = Act.of(action)
    word = kind.name.lower()
    if kind == Act.PLAY:
        return f"{word} {bone_name(number)}"
    return f"{word} {_NUMBERED[kind][0] + number}" if kind in _NUMBERED else word


def parse(text: str) -> int:
    """The action of a text; `ValueError` says what is wrong.

    >>> parse("bid 42") == Act.BID + 38, parse("play 46") == parse("play 64") == parse("6·4") == parse("play 4 6")
    (True, True)
    """
    parts = text.strip().lower().split()
    drawn = _BONE.fullmatch(" ".join(parts).removeprefix("play "))
    if drawn and (parts[0] == "play" or not drawn[0].isdigit()):
        return Act.PLAY + card_kind(drawn[1] + drawn[2])
    match parts:
        case ["play", bone]:
            return Act.PLAY + card_kind(bone)
        case ["bid" | "trump" | "pick" as word, number]:
            low, high, what = _NUMBERED[_KINDS[word]]
            if not re.fullmatch(r"\d{1,2}", number) or not low <= int(number) <= high:
                raise ValueError(f"{number} is no {what}: they go from {low} to {high}")
            return _KINDS[word] + int(number) - low
        case ["pass" | "nello" | "claim" | "continue" as word]:
            return _KINDS[word].value
    raise ValueError(f"{text.strip()!r} is no move: play 64, pass, bid 24, trump 6, nello, claim, pick 1, continue")


def card_kind(word: str) -> int:
    """The kind of a bone's word, its numbers in either order."""
    try:
        return bone_named(word)
    except ValueError:
        raise ValueError(f"{word or 'nothing'} is no bone: two digits from 0 to 6 are wanted, such as 64") from None


# --- bones, suits and contracts as a person says them -----------------------------------------------------------------

#: A suit as it is led or named, and one bone of it; the last is that of the doubles (`cards.DOUBLES`).
MANY = ("blanks", "ones", "twos", "threes", "fours", "fives", "sixes", "doubles")
ONE = ("blank", "one", "two", "three", "four", "five", "six", "double")


def dotted(bone: int) -> str:
    """A bone as people read it.

    >>> dotted(25)
    '6·4'
    """
    return "·".join(bone_name(bone))


def tag(bone: int) -> str:
    """What is printed on a counter: "10", "5", or nothing."""
    return str(COUNTER[bone]) if COUNTER[bone] else ""


def aloud(bone: int) -> str:
    """A bone as it is read aloud.

    >>> aloud(25), aloud(0)
    ('6·4, counts ten', '0·0')
    """
    counts = {0: "", 5: ", counts five", 10: ", counts ten"}
    return dotted(bone) + counts[COUNTER[bone]]


def those(bones: Iterable[int]) -> str:
    """Bones in a row: "6·4 and 3·2"."""
    return listing([dotted(bone) for bone in bones])


def suit_led(contract: int, bone: int) -> str:
    """What a lead calls for, in words: "fives", "trumps", "doubles"."""
    return "trumps" if is_trump(contract, bone) else MANY[led_suit(contract, bone)]


def one_led(contract: int, bone: int) -> str:
    """One bone of the suit that a lead calls for, in words: "five", "trump", "double"."""
    return "trump" if is_trump(contract, bone) else ONE[led_suit(contract, bone)]


def points(count: int) -> str:
    """Counted points: "1 point", "23 points"."""
    return plural(count, "point")


def marks(count: int) -> str:
    """Counted marks: "1 mark", "7 marks"."""
    return plural(count, "mark")


def say(view: View, action: int, teller: Teller) -> Spoken:
    """An action that is legal in the view of the seat that takes it, as a person says it: "Lead the 6·4"."""
    return spoken(_text(plain_view(view, ReveillePosition), action))


def _text(v: ReveillePosition, action: int) -> str:
    kind, number = Act.of(action)
    match kind:
        case Act.PLAY:
            bone = dotted(number)
            return f"{{lead}} the {bone}" if lead(v) is None else f"{{reply}} with the {bone}"
        case Act.BID:
            return f"{{bid}} {LOWEST_BID + number}"
        case Act.TRUMP:
            return f"{{name}} {MANY[number]} as trumps"
        case Act.PICK:
            verb = "{draw}" if v.phase == Phase.DRAWING else "{turn} up"
            return f"{verb} the bone at place {number + 1} of the boneyard"
    return {
        Act.PASS: "{pass}",
        Act.NELLO: "{play} nello",
        Act.CLAIM: "{claim} the hand",
        Act.CONTINUE: "{go} on to the next hand",
    }[kind]
