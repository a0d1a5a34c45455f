"""Names, words and codes that people type."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from itertools import chain, count

from facedown.play.i18n import _
from facedown.play.records import need
from facedown.play.unicode_safety import confusable_skeletons, strip_invisible

NAME_LENGTH = 24
CHAT_LENGTH = 300
TOKEN_LENGTH = 64
#: Of what is longer than this not even the length is told.
LONGEST_TYPED = 2000
#: What a table calls whoever reads, in every language that is spoken here.
RESERVED_NAMES = ("You", "Du")
_RESERVED_SKELETONS = frozenset[str]().union(*map(confusable_skeletons, RESERVED_NAMES))
#: Letters and digits that nobody confuses when reading a code aloud.
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
#: With eight of 31 letters a code is one of 8.5e11, too many to guess; earlier tables have four.
CODE_LENGTH = 8
#: A code is said and shown in groups of so many.
CODE_GROUP = 4
CODE_LONGEST = 16


def clean_name(text: str) -> str:
    """A nickname as it is shown; `Refusal` if nothing of it can be seen, if it is too long, or everybody's own.

    >>> clean_name("  Mara   Lind ")
    'Mara Lind'
    """
    name = strip_invisible(text[:LONGEST_TYPED])
    need(bool(name), "malformed", _("A name needs at least one letter."))
    wrong = _("A name has at most {most} letters, this one has {count}.", most=NAME_LENGTH, count=len(name))
    need(len(name) <= NAME_LENGTH, "malformed", wrong)
    wrong = _("At a table everybody is “{you}” to themselves. Please choose another name.", you=name)
    need(not confusable_skeletons(name) & _RESERVED_SKELETONS, "malformed", wrong)
    return name


def clean_chat(text: str) -> str:
    """Something said, as it is shown; `Refusal` if it is empty or too long."""
    said = strip_invisible(text[:LONGEST_TYPED])
    need(bool(said), "malformed", _("That message is empty."))
    wrong = _("A message has at most {most} characters, this one has {count}.", most=CHAT_LENGTH, count=len(said))
    need(len(said) <= CHAT_LENGTH, "malformed", wrong)
    return said


def clean_token(text: str) -> str:
    """The token a sender gave a move; `Refusal` unless it is 1 to 64 printable ASCII characters."""
    wrong = _("A move’s token is 1 to {most} printable ASCII characters without spaces.", most=TOKEN_LENGTH)
    need(re.fullmatch(rf"[!-~]{{1,{TOKEN_LENGTH}}}", text) is not None, "malformed", wrong)
    return text


def unique_name(name: str, taken: Sequence[str]) -> str:
    """The name, with a number behind it if somebody at the table has it already, or one that looks the same.

    >>> unique_name("Ravi", ["ravi", "Mara"])
    'Ravi 2'
    """
    there = frozenset[str]().union(*map(confusable_skeletons, taken))
    numbered = chain([name], (f"{name} {number}" for number in count(2)))
    return next(one for one in numbered if not confusable_skeletons(one) & there)


def new_code() -> str:
    """A random table code. It invites; it is no credential."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def clean_code(text: str) -> str:
    """A code as it was meant: capitals, no spaces; letters that no code has are left for the look-up to miss.

    >>> clean_code(" k7qm-4xpn ")
    'K7QM4XPN'
    """
    return re.sub(r"[\s\u2010-\u2015-]", "", text[:64]).upper()[:CODE_LONGEST]


def is_code(text: str) -> bool:
    r"""Can there be a table of this code?

    >>> is_code("K7QM4XPN"), is_code("K7QM\0"), is_code("")
    (True, False, False)
    """
    return text.isascii() and text.isalnum()


def shown_code(code: str) -> str:
    """A code as it is said aloud and shown: in groups of four, which no line breaks apart.

    >>> shown_code("K7QM4XPN").split(), shown_code("K7QM")
    (['K7QM', '4XPN'], 'K7QM')
    """
    return "\N{NO-BREAK SPACE}".join(code[at : at + CODE_GROUP] for at in range(0, len(code), CODE_GROUP))
