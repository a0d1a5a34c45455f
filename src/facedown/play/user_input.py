"""Validation and clean-up of input from people and programs: names, chat messages, table codes and move tokens.

A program that plays through the HTTP API can send a token, a text of its choice, with each move. If the program repeats
the request with the same token, the move is not played again.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from itertools import chain, count

from facedown.play.i18n import _
from facedown.play.records import require
from facedown.play.unicode_safety import confusable_skeletons, strip_invisible

NAME_LENGTH = 24
CHAT_LENGTH = 300
TOKEN_LENGTH = 64
#: Number of characters to which longer input is cut before it is checked.
LONGEST_TYPED = 2000
#: Words by which pages address their reader, in every supported language. No player may have such a name.
RESERVED_NAMES = ("You", "Du")
_RESERVED_SKELETONS = frozenset[str]().union(*map(confusable_skeletons, RESERVED_NAMES))
#: Letters and digits of table codes. Those that are easily confused when read aloud are left out.
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
#: Length of new codes. With 31 possible characters there are 8.5e11 codes of length 8, too many to guess. Codes of old
#: tables have four characters.
CODE_LENGTH = 8
#: Number of characters in each group of a code as displayed.
CODE_GROUP = 4
CODE_LONGEST = 16


def clean_name(text: str) -> str:
    """Return a nickname without invisible characters or superfluous spaces.

    White space at both ends is removed. Any other run of white space becomes one space. Raise `Refusal` if the result
    is empty, has more than `NAME_LENGTH` characters, or is or looks like one of `RESERVED_NAMES`.

    >>> clean_name("  Mara   Lind ")
    'Mara Lind'
    """
    name = strip_invisible(text[:LONGEST_TYPED])
    require(bool(name), "malformed", _("A name can’t be empty."))
    wrong = _("A name can have at most {most} characters; this one has {count}.", most=NAME_LENGTH, count=len(name))
    require(len(name) <= NAME_LENGTH, "malformed", wrong)
    wrong = _("“{you}” can’t be used as a name. Please choose another one.", you=name)
    require(not confusable_skeletons(name) & _RESERVED_SKELETONS, "malformed", wrong)
    return name


def clean_chat(text: str) -> str:
    """Return a chat message without invisible characters or superfluous spaces.

    White space at both ends is removed. Any other run of white space, including line breaks, becomes one space. Raise
    `Refusal` if the result is empty or has more than `CHAT_LENGTH` characters.
    """
    said = strip_invisible(text[:LONGEST_TYPED])
    require(bool(said), "malformed", _("The message is empty."))
    wrong = _("A message can have at most {most} characters; this one has {count}.", most=CHAT_LENGTH, count=len(said))
    require(len(said) <= CHAT_LENGTH, "malformed", wrong)
    return said


def validate_token(text: str) -> str:
    """Return the token that a client sent with a move, unchanged.

    Raise `Refusal` unless the token has 1 to 64 printable ASCII characters and no spaces.
    """
    wrong = _("A move’s token must have 1 to {most} printable ASCII characters and no spaces.", most=TOKEN_LENGTH)
    require(re.fullmatch(rf"[!-~]{{1,{TOKEN_LENGTH}}}", text) is not None, "malformed", wrong)
    return text


def unique_name(name: str, taken: Sequence[str]) -> str:
    """Return the name, or the name with a number appended if a name in `taken` is the same or looks the same.

    >>> unique_name("Ravi", ["ravi", "Mara"])
    'Ravi 2'
    """
    there = frozenset[str]().union(*map(confusable_skeletons, taken))
    numbered = chain([name], (f"{name} {number}" for number in count(2)))
    return next(one for one in numbered if not confusable_skeletons(one) & there)


def new_code() -> str:
    """Return a random table code. It serves as an invitation and is not a credential."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def clean_code(text: str) -> str:
    """Return a typed table code in capitals, without spaces and dashes. Characters that occur in no code are kept.

    >>> clean_code(" k7qm-4xpn ")
    'K7QM4XPN'
    """
    return re.sub(r"[\s\u2010-\u2015-]", "", text[:64]).upper()[:CODE_LONGEST]


def is_ascii_letters_and_digits(text: str) -> bool:
    r"""Return whether a text could be a table code: one or more ASCII letters and digits.

    >>> is_ascii_letters_and_digits("K7QM4XPN"), is_ascii_letters_and_digits("K7QM\0"), is_ascii_letters_and_digits("")
    (True, False, False)
    """
    return text.isascii() and text.isalnum()


def format_code(code: str) -> str:
    """Return a table code for display, in groups of four characters joined by no-break spaces.

    >>> format_code("K7QM4XPN").split(), format_code("K7QM")
    (['K7QM', '4XPN'], 'K7QM')
    """
    return "\N{NO-BREAK SPACE}".join(code[at : at + CODE_GROUP] for at in range(0, len(code), CODE_GROUP))
