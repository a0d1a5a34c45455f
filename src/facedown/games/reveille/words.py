"""Actions of Reveille in words: ``play 64``, ``pass``, ``bid 24``, ``trump 6``, ``nello``, ``claim``, ``pick 3``.

A bone is its two numbers; ``trump 6`` names sixes; places of the boneyard are counted from 1. Typed bones are read as
they are drawn, too: ``6·4``, ``4-6``, ``play 6 4``.
"""

from __future__ import annotations

import re

from facedown.games.reveille.bones import NUMBERS, bone_name, bone_named
from facedown.games.reveille.rules import (
    ACTIONS,
    BID,
    CLAIM,
    CONTINUE,
    HIGHEST_BID,
    LOWEST_BID,
    NAME,
    NAME_NELLO,
    PASS,
    PICK,
    PLAY,
    YARD_BONES,
)

#: What the terminal's help says of typing moves.
TYPING = "A bone is typed as 64, 6·4 or 6-4, with or without “play”; in the auction a number alone is a bid."

_BONE = re.compile(r"([0-6]) ?[·.:/|-]? ?([0-6])")
_PLAIN = {PASS: "pass", NAME_NELLO: "nello", CLAIM: "claim", CONTINUE: "continue"}
_NUMBERED = (
    # (verb, lowest number, highest, action of the lowest, what the number is)
    ("bid", LOWEST_BID, HIGHEST_BID, BID, "bid"),
    ("trump", 0, NUMBERS - 1, NAME, "suit"),
    ("pick", 1, YARD_BONES, PICK, "place"),
)


def words(action: int) -> str:
    """An action in the notation of match files.

    >>> words(PLAY), words(BID), words(NAME + 6), words(PICK), words(CLAIM)
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

    >>> parse("bid 42") == NAME - 1, parse("play 46") == parse("play 64") == parse("6·4") == parse("play 4 6")
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
