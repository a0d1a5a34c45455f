"""How Reveille's bones, suits and contracts are said."""

from __future__ import annotations

from collections.abc import Iterable

from facedown.core.voice import listing, plural
from facedown.games.reveille.bones import BONES, COUNTER, DOUBLES, HIGH, LED_SUIT, LOW, NELLO, bone_name

#: A suit as it is led or named, and one bone of it.
MANY = ("blanks", "ones", "twos", "threes", "fours", "fives", "sixes", "doubles")
ONE = ("blank", "one", "two", "three", "four", "five", "six", "double")


def dotted(bone: int) -> str:
    """A bone as people read it.

    >>> dotted(25)
    '6·4'
    """
    return f"{HIGH[bone]}·{LOW[bone]}"


def face(bone: int) -> str:
    """The code of a bone's picture."""
    return bone_name(bone)


def tag(bone: int) -> str:
    """What is printed on a counter: "10", "5", or nothing."""
    return str(COUNTER[bone]) if COUNTER[bone] else ""


def aloud(bone: int) -> str:
    """A bone as it is read aloud.

    >>> aloud(25), aloud(0)
    ('6·4, counts ten', '0·0')
    """
    counts = {10: ", counts ten", 5: ", counts five"}
    return dotted(bone) + counts.get(int(COUNTER[bone]), "")


def those(bones: Iterable[int]) -> str:
    """Bones in a row: "6·4 and 3·2"."""
    return listing([dotted(bone) for bone in bones])


def members(bones: int) -> list[int]:
    """The bones of a set, highest first."""
    return [bone for bone in range(BONES - 1, -1, -1) if bones >> bone & 1]


def led(contract: int, bone: int) -> int:
    """The suit that a lead calls for."""
    return int(LED_SUIT[contract, bone])


def suit_led(contract: int, bone: int) -> str:
    """What a lead calls for, in words: "fives", "trumps", "doubles"."""
    suit = led(contract, bone)
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


assert MANY[DOUBLES] == "doubles"
