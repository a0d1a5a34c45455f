"""Words that every game's sentences are made of: numbers, names, lists, "you" and "they"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from facedown.core.state import SPECTATOR, Position
from facedown.core.table import YOU, Sitter
from facedown.core.table import digits as digits
from facedown.core.table import possessive as possessive

_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def capital(text: str) -> str:
    """The text with a capital letter in front.

    >>> capital("bid 25")
    'Bid 25'
    """
    return text[:1].upper() + text[1:]


def in_words(number: int) -> str:
    """A small number in words, a larger one in digits.

    >>> in_words(3), in_words(25)
    ('three', '25')
    """
    return _SMALL[number] if 0 <= number < len(_SMALL) else digits(number)


def a_number(number: int) -> str:
    """A number as a thing with its article.

    >>> a_number(8), a_number(1), a_number(11), a_number(-1)
    ('an 8', 'a 1', 'an 11', 'a −1')
    """
    return f"{'an' if number in (8, 11, 18) or 80 <= number < 90 else 'a'} {digits(number)}"


def plural(count: int, one: str, many: str = "") -> str:
    """A counted thing.

    >>> plural(1, "card"), plural(3, "card")
    ('1 card', '3 cards')
    """
    return f"{digits(count)} {one if count == 1 else many or one + 's'}"


def listing(names: Sequence[str]) -> str:
    """Names in a row.

    >>> listing(["Ilse"]), listing(["Ilse", "Ravi", "you"])
    ('Ilse', 'Ilse, Ravi and you')
    """
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def is_you(sitters: Sequence[Sitter], seat: int, viewer: int) -> bool:
    """Is this seat spoken to as "you"?

    The viewer's own is; to somebody without a seat (a watcher, a replay) also the seat of a person called "You".
    """
    return seat == viewer or (viewer == SPECTATOR and sitters[seat].name.casefold() == "you")


def name_of(sitters: Sequence[Sitter], seat: int, viewer: int, middle: bool = False) -> str:
    """A seat's name for a viewer: "You" (in the middle of a sentence "you") or the name."""
    if is_you(sitters, seat, viewer):
        return "you" if middle else YOU
    name = sitters[seat].name
    # There is one "you" at a table: who is called so is somebody else to the others.
    return f"Player {seat + 1}" if name.casefold() == "you" else name


def names_of(sitters: Sequence[Sitter], seats: Sequence[int], viewer: int, middle: bool = False) -> str:
    """Seats in a row: "You, Ravi and Mara"."""
    return listing([name_of(sitters, seat, viewer, middle or at > 0) for at, seat in enumerate(seats)])


def whose(sitters: Sequence[Sitter], seat: int, viewer: int, middle: bool = False) -> str:
    """A seat as an owner: "Noor’s", "Iris’", "Your", "your"."""
    if is_you(sitters, seat, viewer):
        return "your" if middle else "Your"
    return possessive(name_of(sitters, seat, viewer))


def verb(sitters: Sequence[Sitter], seat: int, viewer: int, you: str, they: str) -> str:
    """The verb's form after `name_of`: "win" for you, "wins" for anybody else."""
    return you if is_you(sitters, seat, viewer) else they


def has(sitters: Sequence[Sitter], seats: Sequence[int], viewer: int) -> str:
    """ "have" for you or several, "has" for one other."""
    return "have" if len(seats) != 1 or is_you(sitters, seats[0], viewer) else "has"


def are(sitters: Sequence[Sitter], seats: Sequence[int], viewer: int) -> str:
    """ "are" for you or several, "is" for one other."""
    return "are" if len(seats) != 1 or is_you(sitters, seats[0], viewer) else "is"


def acting_seats(view: Position) -> list[int]:
    """The seats that are to act, as a view says."""
    return [seat for seat in range(view.seats) if view.acting >> seat & 1]


def known_entries(given: Mapping[str, object], example: Mapping[str, object]) -> None:
    """Raise `ValueError` if something is given that the example does not have."""
    for name in given:
        if name not in example:
            raise ValueError(f"there is no entry {name}: there are {', '.join(example)}")
