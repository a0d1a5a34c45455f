"""Words that every game's sentences are made of: numbers, names, lists, "you" and "they"."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.table import Sitter

MINUS = "\u2212"
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def minus(number: int) -> str:
    """A number with a real minus sign.

    >>> minus(-2), minus(7)
    ('−2', '7')
    """
    return f"{MINUS}{-number}" if number < 0 else str(number)


digits = minus


def in_words(number: int) -> str:
    """A small number in words, a larger one in digits.

    >>> in_words(3), in_words(25)
    ('three', '25')
    """
    return _SMALL[number] if 0 <= number < len(_SMALL) else minus(number)


def a_number(number: int) -> str:
    """A number as a thing with its article.

    >>> a_number(8), a_number(1), a_number(11), a_number(-1)
    ('an 8', 'a 1', 'an 11', 'a −1')
    """
    return f"{'an' if number in (8, 11, 18) or 80 <= number < 90 else 'a'} {minus(number)}"


def plural(count: int, one: str, many: str = "") -> str:
    """A counted thing.

    >>> plural(1, "card"), plural(3, "card")
    ('1 card', '3 cards')
    """
    return f"{minus(count)} {one if count == 1 else many or one + 's'}"


def listing(names: Sequence[str]) -> str:
    """Names in a row.

    >>> listing(["Ilse"]), listing(["Ilse", "Ravi", "you"])
    ('Ilse', 'Ilse, Ravi and you')
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def name_of(sitters: Sequence[Sitter], seat: int, viewer: int, middle: bool = False) -> str:
    """A seat's name for a viewer: "You" (in the middle of a sentence "you") or the name."""
    if seat == viewer:
        return "you" if middle else "You"
    return sitters[seat].name


def verb(seat: int, viewer: int, you: str, they: str) -> str:
    """The verb's form after `name_of`: "win" for you, "wins" for anybody else."""
    return you if seat == viewer else they


def has(seats: Sequence[int], viewer: int) -> str:
    """ "have" for you or several, "has" for one other."""
    return "have" if len(seats) != 1 or seats[0] == viewer else "has"


def are(count: int) -> str:
    """ "is" or "are"."""
    return "is" if count == 1 else "are"
