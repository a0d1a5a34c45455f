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
from facedown.games.reveille.cards import COUNTER, HIGH, LED_SUIT, LOW, NELLO, NUMBERS, bone_name, bone_named
from facedown.games.reveille.rules import (
    ACTIONS,
    BID,
    CLAIM,
    CONTINUE,
    DRAW,
    HIGHEST_BID,
    LOWEST_BID,
    NAME,
    NAME_NELLO,
    PASS,
    PICK,
    PLAY,
    YARD_BONES,
    ReveillePosition,
)
from facedown.games.reveille.view import lead

#: What the terminal's help says of typing moves.
TYPING = "A bone is typed as 64, 6·4 or 6-4, with or without “play”; in the auction a number alone is a bid."

_BONE = re.compile(r"([0-6]) ?[·.:/|-]? ?([0-6])")
_PLAIN = {PASS: "pass", NAME_NELLO: "nello", CLAIM: "claim", CONTINUE: "continue"}
_NUMBERED = (
    # (verb, lowest number, highest, action of the lowest, what the number is)
    ("bid", LOWEST_BID, HIGHEST_BID, BID + LOWEST_BID, "bid"),
    ("trump", 0, NUMBERS - 1, NAME, "suit"),
    ("pick", 1, YARD_BONES, PICK, "place"),
)


def words(action: int) -> str:
    """An action in the notation of match files.

    >>> words(PLAY), words(BID + 4), words(NAME + 6), words(PICK), words(CLAIM)
    ('play 00', 'bid 4', 'trump 6', 'pick 1', 'claim')
    """
    if not 0 <= action < ACTIONS:
        raise ValueError(f"there is no action {action}")
    if action in _PLAIN:
        return _PLAIN[action]
    if action < PASS:
        return f"play {bone_name(action - PLAY)}"
    for verb, low, high, first, _ in _NUMBERED:
        if first <= action <= first + high - low:
            return f"{verb} {action - first + low}"
    raise AssertionError(action)


def parse(text: str) -> int:
    """The action of a text; `ValueError` says what is wrong.

    >>> parse("bid 42") == BID + 42, parse("play 46") == parse("play 64") == parse("6·4") == parse("play 4 6")
    (True, True)
    """
    parts = text.strip().lower().split()
    drawn = _BONE.fullmatch(" ".join(parts).removeprefix("play "))
    if drawn and (parts[0] == "play" or not drawn[0].isdigit()):
        return PLAY + card_kind(drawn[1] + drawn[2])
    if len(parts) == 1:
        for action, word in _PLAIN.items():
            if parts[0] == word:
                return action
    if len(parts) == 2:
        if parts[0] == "play":
            return PLAY + card_kind(parts[1])
        for verb, low, high, first, what in _NUMBERED:
            if parts[0] == verb:
                if not re.fullmatch(r"\d{1,2}", parts[1]) or not low <= int(parts[1]) <= high:
                    raise ValueError(f"{parts[1]} is no {what}: they go from {low} to {high}")
                return first + int(parts[1]) - low
    raise ValueError(f"{text.strip()!r} is no move: play 64, pass, bid 24, trump 6, nello, claim, pick 1, continue")


def card_word(kind: int) -> str:
    """A bone in the notation of explicit deals: its two numbers, the higher first."""
    return bone_name(kind)


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
    return f"{HIGH[bone]}·{LOW[bone]}"


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
    suit = LED_SUIT[contract, bone]
    return "trumps" if suit == contract and contract < NELLO else MANY[suit]


def one_of(contract: int, suit: int) -> str:
    """One bone of a suit, in words: "five", "trump", "double"."""
    return "trump" if suit == contract and contract < NELLO else ONE[suit]


def contract_words(contract: int) -> str:
    """A contract in a sentence: "sixes are trumps", "nello"."""
    return "nello" if contract == NELLO else f"{MANY[contract]} are trumps"


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
    if action < PASS:
        bone = dotted(action - PLAY)
        return f"{{lead}} the {bone}" if lead(v) is None else f"{{reply}} with the {bone}"
    if action == PASS:
        return "{pass}"
    if action < NAME:
        return f"{{bid}} {action - BID}"
    if action < CLAIM:
        contract = action - NAME
        return "{play} nello" if contract == NELLO else f"{{name}} {MANY[contract]} as trumps"
    if action == CLAIM:
        return "{claim} the hand"
    if action == CONTINUE:
        return "{go} on to the next hand"
    verb = "{draw}" if v.phase == DRAW else "{turn} up"
    return f"{verb} the bone at place {action - PICK + 1} of the boneyard"
