"""Words that every game's sentences are made of: numbers, names, lists, "you" and "they"."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facedown.core.i18n import N_, _
from facedown.core.language import kept_in_language, listed
from facedown.core.state import SPECTATOR, Position
from facedown.core.table import Sitter
from facedown.core.table import digits as digits
from facedown.core.table import possessive as possessive

#: Joins the parts of an emoji of several signs.
ZWJ = "\u200d"

_SMALL = (
    N_("no"),
    N_("one"),
    N_("two"),
    N_("three"),
    N_("four"),
    N_("five"),
    N_("six"),
    N_("seven"),
    N_("eight"),
    N_("nine"),
    N_("ten"),
    N_("eleven"),
    N_("twelve"),
)


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
    return _(_SMALL[number]) if 0 <= number < len(_SMALL) else digits(number)


def a_number(number: int) -> str:
    """A number as a thing with its article.

    >>> a_number(8), a_number(1), a_number(11), a_number(-1)
    ('an 8', 'a 1', 'an 11', 'a −1')
    """
    if number in (8, 11, 18) or 80 <= number < 90:
        return _("an {number}", number=digits(number))
    return _("a {number}", number=digits(number))


def plural(count: int, one: str, many: str = "") -> str:
    """A counted thing, in English alone: texts for people take `Texts.plural`.

    >>> plural(1, "card"), plural(3, "card")
    ('1 card', '3 cards')
    """
    return f"{digits(count)} {one if count == 1 else many or one + 's'}"


#: Names in a row: "Ilse, Ravi and you".
listing = listed

#: Most characters of a name in a label; a longer one ends in an ellipsis.
LABEL = 12
#: Most characters of a name in a sentence, by the number of names in the row: one, two, and so on.
LONGEST = (17, 17, LABEL, LABEL, 8)
#: How many names, each as it stands in sentences, are kept: those of a few hundred tables.
WHO_KEPT = 4096


def shortened(name: str, most: int = LABEL) -> str:
    """A name for a label: a long one is cut, but never inside a letter with its marks or an emoji of several signs.

    >>> shortened("Maximiliane"), shortened("Bartholomew-James")
    ('Maximiliane', 'Bartholomew…')
    """
    if len(name) <= most:
        return name
    cut = most - 1
    while cut > 1 and (name[cut - 1] == ZWJ or unicodedata.category(name[cut]) in ("Cf", "Mn", "Mc", "Me", "Sk")):
        cut -= 1
    return f"{name[:cut].rstrip()}…"


@dataclass(frozen=True, slots=True)
class Who:
    """One seat or several in a sentence, spoken to or spoken of.

    A text says by a format how they stand in it, so that one text serves all of them, and a translation may put them
    elsewhere. With *you* the reader:

    ``{who}``
        at the beginning of a sentence: "You", "Noor", "Noor and you"; long names are shortened
    ``{who:you}``
        elsewhere, with what the reader is called there ("you"; in German "du", "dich" or "dir"): "you", "Noor"
    ``{who:win|wins|win|win}``
        the form of a verb, for the reader alone, one other, several others, and several with the reader among them; a
        third one that is left out is the first, a fourth the third
    ``{who:'Your}``
        the owner, with what it is for the reader: "Your", "Noor’s"

    >>> you, noor = Who((), True), Who(("Noor",))
    >>> text = "{who} {who:win|wins}, {who:'your} cards are open: well done, {who:you}."
    >>> text.format(who=you)
    'You win, your cards are open: well done, you.'
    >>> text.format(who=noor)
    'Noor wins, Noor’s cards are open: well done, Noor.'
    """

    names: tuple[str, ...]
    """What the others are called, and what the reader is called where they are one of several (""), in order."""
    you: bool = False
    """Is it the reader alone?"""

    def __str__(self) -> str:
        """The name or names at the beginning of a sentence."""
        return _formatted(self, "")

    def __format__(self, how: str) -> str:
        """How they stand in a sentence; see the class."""
        return _formatted(self, how)

    @property
    def brief(self) -> Who:
        """The same with long names shortened, for a label or a button.

        >>> f"{Who(('Bartholomew-James',)).brief} won"
        'Bartholomew… won'
        """
        return Who(tuple(map(shortened, self.names)), self.you)


@kept_in_language(WHO_KEPT)
def _formatted(who: Who, how: str) -> str:
    if not how:
        return _named(who, _("You"), _("you"))
    if how[0] == "'":
        return how[1:] if who.you else possessive(_named(who, _("you"), _("you")))
    if "|" in how:
        forms = how.split("|")
        at = 0 if who.you else 1 if len(who.names) == 1 else 3 if "" in who.names else 2
        while at >= len(forms):
            at = 2 if at == 3 else 0
        return forms[at]
    return _named(who, how, how)


def _named(who: Who, first: str, later: str) -> str:
    if who.you:
        return first
    most = LONGEST[min(len(who.names), len(LONGEST)) - 1]
    names = [shortened(name, most) for name in who.names]
    return listed([name or (later if at else first) for at, name in enumerate(names)])


def who(sitters: Sequence[Sitter], seats: int | Sequence[int], viewer: int) -> Who:
    """A seat, or several in their order, as a viewer is told of them."""
    several = [seats] if isinstance(seats, int) else list(seats)
    if len(several) == 1 and is_you(sitters, several[0], viewer):
        return Who((), True)
    return Who(tuple("" if is_you(sitters, seat, viewer) else name_of(sitters, seat, viewer) for seat in several))


def is_you(sitters: Sequence[Sitter], seat: int, viewer: int) -> bool:
    """Is this seat spoken to as "you"?

    The viewer's own is; to somebody without a seat (a watcher, a replay) also the seat of a person called "You".
    """
    return seat == viewer or (viewer == SPECTATOR and sitters[seat].name.casefold() in ("you", _("you")))


def name_of(sitters: Sequence[Sitter], seat: int, viewer: int, middle: bool = False) -> str:
    """A seat's name for a viewer, standing alone: "You" (in the middle of a sentence "you") or the name."""
    if is_you(sitters, seat, viewer):
        return _("you") if middle else _("You")
    name = sitters[seat].name
    # There is one "you" at a table: who is called so is somebody else to the others.
    return _("Player {number}", number=seat + 1) if name.casefold() in ("you", _("you")) else name


def acting_seats(view: Position) -> list[int]:
    """The seats that are to act, as a view says."""
    return [seat for seat in range(view.seats) if view.acting >> seat & 1]


def known_entries(given: Mapping[str, object], example: Mapping[str, object]) -> None:
    """Raise `ValueError` if something is given that the example does not have."""
    for name in given:
        if name not in example:
            raise ValueError(_("there is no entry {name}: there are {entries}", name=name, entries=", ".join(example)))
