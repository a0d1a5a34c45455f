"""Parts of sentences that all games use: numbers in words, players' names, and the forms of "you"."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from facedown.core.i18n import N_, _
from facedown.core.state import SPECTATOR, Position
from facedown.core.table import Sitter
from facedown.core.table import digits as digits
from facedown.core.table import possessive as possessive
from facedown.core.translation import join_names, lru_cache_by_language

#: Zero-width joiner, which connects the parts of a composed emoji.
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
    """Return the text with its first letter in upper case.

    >>> capital("bid 25")
    'Bid 25'
    """
    return text[:1].upper() + text[1:]


def in_words(number: int) -> str:
    """Return a number from 0 to 12 as a word, and any other number in digits. The word for 0 is "no".

    The word is in the current language.

    >>> in_words(3), in_words(25)
    ('three', '25')
    """
    return _(_NUMBER_WORDS[number]) if 0 <= number < len(_NUMBER_WORDS) else digits(number)


def number_with_article(number: int) -> str:
    """Return a number with the indefinite article.

    >>> number_with_article(8), number_with_article(1), number_with_article(11), number_with_article(-1)
    ('an 8', 'a 1', 'an 11', 'a −1')
    """
    if number in (8, 11, 18) or 80 <= number < 90:
        return _("an {number}", number=digits(number))
    return _("a {number}", number=digits(number))


def count_with_noun(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun, in English only. Texts for players use `Texts.plural` instead.

    >>> count_with_noun(1, "card"), count_with_noun(3, "card")
    ('1 card', '3 cards')
    """
    return f"{digits(count)} {one if count == 1 else many or one + 's'}"


#: Longest name in a label, in characters; a longer one is cut and ends in an ellipsis.
MAX_LABEL_LENGTH = 12
#: Longest name in a sentence, in characters, if the sentence lists one, two, three, four, or five and more names.
MAX_NAME_LENGTHS = (17, 17, MAX_LABEL_LENGTH, MAX_LABEL_LENGTH, 8)
#: Number of formatted phrases kept in the cache, enough for a few hundred tables.
PHRASE_CACHE_SIZE = 4096


def truncate_name(name: str, most: int = MAX_LABEL_LENGTH) -> str:
    """Return a name for a label, cut to `most` characters.

    The cut never separates a letter from its combining marks, nor the parts of a composed emoji.

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
    """One or several players in a sentence; the reader may be among them.

    A text contains placeholders for the phrase, such as ``{who}``. The part of a placeholder after the colon, its
    *format*, selects the form of the phrase. So one text serves every case, and a translation may use other forms or
    another order. These are the placeholders:

    * ``{who}``, for the beginning of a sentence, gives "You", "Noor" or "Noor and you". Long names are shortened.
    * ``{who:you}``, for any other place, gives "you", "Noor" or "Noor and you". The format is the word for the reader;
      in a German text it is "du", "dich" or "dir".
    * ``{who:win|wins|win|win}`` gives a verb. The format has the forms for the reader alone, for one other player, for
      several others, and for several including the reader. If the third form is missing, the first is used. If the
      fourth is missing, the third is used.
    * ``{who:'Your}`` gives the possessive: "Your" or "Noor’s". The format is an apostrophe and the possessive for the
      reader.

    >>> you, noor = PlayerPhrase((), True), PlayerPhrase(("Noor",))
    >>> text = "{who} {who:win|wins}, {who:'your} cards are open: well done, {who:you}."
    >>> text.format(who=you)
    'You win, your cards are open: well done, you.'
    >>> text.format(who=noor)
    'Noor wins, Noor’s cards are open: well done, Noor.'
    """

    names: tuple[str, ...]
    """Names of the players in order. An empty name stands for the reader among several players."""
    you: bool = False
    """Whether the phrase is about the reader alone."""

    def __str__(self) -> str:
        """Return the form for the beginning of a sentence: "You", "Noor", "Noor and you"."""
        return _format_phrase(self, "")

    def __format__(self, how: str) -> str:
        """Return the form of the phrase that the format `how` selects; the docstring of the class lists the formats."""
        return _format_phrase(self, how)

    @property
    def brief(self) -> PlayerPhrase:
        """The same phrase with long names shortened further, for a label or a button.

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
    """Return the phrase that names one player or several players in a text: "you", "Noor" or "Noor and you".

    `seats` is the seat of one player, or the seats of several players in the order in which the text names them.
    `viewer` is the reader of the text, who is called "you" (`is_you`). Placeholders in the text select the form of the
    phrase (`PlayerPhrase`).
    """
    several = [seats] if isinstance(seats, int) else list(seats)
    if len(several) == 1 and is_you(sitters, several[0], viewer):
        return PlayerPhrase((), True)
    return PlayerPhrase(
        tuple("" if is_you(sitters, seat, viewer) else name_of(sitters, seat, viewer) for seat in several)
    )


def is_you(sitters: Sequence[Sitter], seat: int, viewer: int) -> bool:
    """Return whether a text for `viewer` addresses the player at `seat` as "you".

    The player at the viewer's own seat is addressed as "you". If the viewer is `SPECTATOR`, a player named "You" is
    addressed as "you": this is the default name of the person in a match in the terminal.
    """
    return seat == viewer or (viewer == SPECTATOR and sitters[seat].name.casefold() in ("you", _("you")))


def name_of(sitters: Sequence[Sitter], seat: int, viewer: int, middle: bool = False) -> str:
    """Return the name of the player at `seat` in a text for `viewer`.

    The viewer is "You" or, if `middle` is true (in the middle of a sentence), "you".
    """
    if is_you(sitters, seat, viewer):
        return _("you") if middle else _("You")
    name = sitters[seat].name
    # A player named "You" is shown to other players as "Player N" (N is the seat, counted from 1), so that "you" always
    # means the reader.
    return _("Player {number}", number=seat + 1) if name.casefold() in ("you", _("you")) else name


def acting_seats(view: Position) -> list[int]:
    """Return the seats that are to act in this view, ascending."""
    return [seat for seat in range(view.seats) if view.acting >> seat & 1]


def refuse_unknown_entries(given: Mapping[str, object], example: Mapping[str, object]) -> None:
    """Raise `ValueError` if `given` has a key that `example` does not have.

    `given` is what a player entered in a score sheet, as a JSON object; `example` is such an object with all keys.
    """
    for name in given:
        if name not in example:
            raise ValueError(_("unknown entry {name}; allowed: {entries}", name=name, entries=", ".join(example)))
