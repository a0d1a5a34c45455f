"""Words that every game's sentences are made of: numbers, names, lists, "you" and "they"."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facedown.core.i18n import N_, _
from facedown.core.language import join_names, lru_cache_by_language
from facedown.core.state import SPECTATOR, Position
from facedown.core.table import Sitter
from facedown.core.table import digits as digits
from facedown.core.table import possessive as possessive

#: Joins the parts of an emoji of several signs.
ZWJ = "\u200d"

_NUMBER_WORDS = (
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
    return _(_NUMBER_WORDS[number]) if 0 <= number < len(_NUMBER_WORDS) else digits(number)


def number_with_article(number: int) -> str:
    """A number as a thing with its article.

    >>> number_with_article(8), number_with_article(1), number_with_article(11), number_with_article(-1)
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


#: Most characters of a name in a label; a longer one ends in an ellipsis.
MAX_LABEL_LENGTH = 12
#: Most characters of a name in a sentence, by the number of names in the row: one, two, and so on.
MAX_NAME_LENGTHS = (17, 17, MAX_LABEL_LENGTH, MAX_LABEL_LENGTH, 8)
#: How many names, each as it stands in sentences, are kept: those of a few hundred tables.
PHRASE_CACHE_SIZE = 4096


def truncate_name(name: str, most: int = MAX_LABEL_LENGTH) -> str:
    """A name for a label: a long one is cut, but never inside a letter with its marks or an emoji of several signs.

    >>> truncate_name("Maximiliane"), truncate_name("Bartholomew-James")
    ('Maximiliane', 'Bartholomew…')
    """
    if len(name) <= most:
        return name
    cut = most - 1
    while cut > 1 and (name[cut - 1] == ZWJ or unicodedata.category(name[cut]) in ("Cf", "Mn", "Mc", "Me", "Sk")):
        cut -= 1
    return f"{name[:cut].rstrip()}…"


@dataclass(frozen=True, slots=True)
class PlayerPhrase:
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

    >>> you, noor = PlayerPhrase((), True), PlayerPhrase(("Noor",))
    >>> text = "{player_phrase} {player_phrase:win|wins}, {player_phrase:'your} cards are open: well done,
    {player_phrase:you}."
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
        return _format_phrase(self, "")

    def __format__(self, how: str) -> str:
        """How they stand in a sentence; see the class."""
        return _format_phrase(self, how)

    @property
    def brief(self) -> PlayerPhrase:
        """The same with long names shortened, for a label or a button.

        >>> f"{PlayerPhrase(('Bartholomew-James',)).brief} won"
        'Bartholomew… won'
        """
        return PlayerPhrase(tuple(map(truncate_name, self.names)), self.you)


@lru_cache_by_language(PHRASE_CACHE_SIZE)
def _format_phrase(who: PlayerPhrase, how: str) -> str:
    if not how:
        return _phrase_names(who, _("You"), _("you"))
    if how[0] == "'":
        return how[1:] if who.you else possessive(_phrase_names(who, _("you"), _("you")))
    if "|" in how:
        forms = how.split("|")
        at = 0 if who.you else 1 if len(who.names) == 1 else 3 if "" in who.names else 2
        while at >= len(forms):
            at = 2 if at == 3 else 0
        return forms[at]
    return _phrase_names(who, how, how)


def _phrase_names(who: PlayerPhrase, first: str, later: str) -> str:
    if who.you:
        return first
    most = MAX_NAME_LENGTHS[min(len(who.names), len(MAX_NAME_LENGTHS)) - 1]
    names = [truncate_name(name, most) for name in who.names]
    return join_names([name or (later if at else first) for at, name in enumerate(names)])


def player_phrase(sitters: Sequence[Sitter], seats: int | Sequence[int], viewer: int) -> PlayerPhrase:
    """A seat, or several in their order, as a viewer is told of them."""
    several = [seats] if isinstance(seats, int) else list(seats)
    if len(several) == 1 and is_you(sitters, several[0], viewer):
        return PlayerPhrase((), True)
    return PlayerPhrase(
        tuple("" if is_you(sitters, seat, viewer) else name_of(sitters, seat, viewer) for seat in several)
    )


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


def check_entry_names(given: Mapping[str, object], example: Mapping[str, object]) -> None:
    """Raise `ValueError` if something is given that the example does not have."""
    for name in given:
        if name not in example:
            raise ValueError(_("there is no entry {name}: there are {entries}", name=name, entries=", ".join(example)))
