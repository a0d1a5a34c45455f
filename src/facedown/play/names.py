"""Names, words and codes that people type."""

from __future__ import annotations

import re
import secrets
import unicodedata
from collections.abc import Sequence
from itertools import chain, count

from facedown.play.records import Refusal
from facedown.play.texts import _

NAME_LENGTH = 24
CHAT_LENGTH = 300
TOKEN_LENGTH = 64
#: Letters and digits that nobody confuses when reading a code aloud.
CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 4


def _tidy(text: str) -> str:
    """Printable characters only, runs of white space as one space."""
    # Cs: half a surrogate pair, which no store can encode; Cc, Cf: controls, also those that turn writing round.
    kept = "".join(" " if c.isspace() else c for c in text if c.isspace() or unicodedata.category(c)[0] != "C")
    return " ".join(kept.split())


def clean_name(text: str) -> str:
    """A nickname as it is shown; `Refusal` if it is empty or too long.

    >>> clean_name("  Mara   Lind ")
    'Mara Lind'
    """
    name = unicodedata.normalize("NFC", _tidy(text))
    if not name:
        raise Refusal("malformed", _("A name needs at least one letter."))
    if len(name) > NAME_LENGTH:
        wrong = _("A name has at most {most} letters, this one has {count}.", most=NAME_LENGTH, count=len(name))
        raise Refusal("malformed", wrong)
    return name


def clean_chat(text: str) -> str:
    """Something said, as it is shown; `Refusal` if it is empty or too long."""
    said = _tidy(text)
    if not said:
        raise Refusal("malformed", _("There is nothing to say in that."))
    if len(said) > CHAT_LENGTH:
        wrong = _("Say at most {most} letters at a time, this has {count}.", most=CHAT_LENGTH, count=len(said))
        raise Refusal("malformed", wrong)
    return said


def clean_token(text: str) -> str:
    """The token a sender gave a move; `Refusal` unless it is 1 to 64 printable ASCII characters."""
    if not re.fullmatch(rf"[!-~]{{1,{TOKEN_LENGTH}}}", text):
        wrong = _("A move's token is 1 to {most} printable ASCII characters without spaces.", most=TOKEN_LENGTH)
        raise Refusal("malformed", wrong)
    return text


def apart(name: str, taken: Sequence[str]) -> str:
    """The name, with a number behind it if somebody at the table has it already.

    >>> apart("Ravi", ["ravi", "Mara"])
    'Ravi 2'
    """
    names = {other.casefold() for other in taken}
    numbered = chain([name], (f"{name} {number}" for number in count(2)))
    return next(one for one in numbered if one.casefold() not in names)


def new_code(length: int = CODE_LENGTH) -> str:
    """A random table code. It invites; it is no credential."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(length))


def clean_code(text: str) -> str:
    """A code as it was meant: capitals, no spaces; letters that no code has are left for the look-up to miss.

    >>> clean_code(" k7qm ")
    'K7QM'
    """
    return re.sub(r"[\s-]", "", text).upper()[:16]
