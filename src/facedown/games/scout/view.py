"""Functions that read a view of SCOUT (the position as one viewer may see it): cards, sets, and phrases for sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from facedown.core.grammar import capital, in_words, number_with_article
from facedown.core.rule import python_function
from facedown.core.state import EMPTY, UNKNOWN
from facedown.games.scout.i18n import N_, _, c_
from facedown.games.scout.info import PAIRS, TURNED, card_word
from facedown.games.scout.legal_actions import strength_from_first_number
from facedown.games.scout.state import MAX_SET, ScoutPosition, rounds_of, slot_of_discard_or_table_card

#: Names of matches (sets of equal numbers). The first name is for three cards, the next for four, and so on.
_ALIKE = (
    N_("three of a kind"),
    N_("four of a kind"),
    N_("five of a kind"),
    N_("six of a kind"),
    N_("seven of a kind"),
    N_("eight of a kind"),
    N_("nine of a kind"),
)
_FEWEST_ALIKE = 3
#: Uncompiled version of the function `rounds_of`. It returns the number of rounds in the match of a view. Compiled
#: functions reject a view that is a named tuple (`plain_view`).
rounds = python_function(rounds_of)


@dataclass(frozen=True, slots=True)
class Card:
    """A card, and which of its two numbers is up.

    `kind` is the index of its pair of numbers in the order 1/2, 1/3, …, 9/10. `flip` is 1 if the higher number is up,
    and 0 if the lower one is.
    """

    kind: int
    flip: int

    @property
    def up(self) -> int:
        """The number that is up. Only this number counts."""
        return PAIRS[self.kind][self.flip]

    @property
    def down(self) -> int:
        """The number at the other end of the card. It does not count while the card is this way up."""
        return PAIRS[self.kind][1 - self.flip]

    @property
    def code(self) -> str:
        """The code of the card's face, such as "7/2". The number that is up comes first."""
        return card_word(self.kind + TURNED * self.flip)

    @property
    def name(self) -> str:
        """The name of the card for a screen reader."""
        return _("{up} up, {down} down", up=self.up, down=self.down)

    def turned(self) -> Card:
        """Return the same card turned the other way up."""
        return Card(self.kind, 1 - self.flip)


def card_at(v: ScoutPosition, slot: int) -> Card | None:
    """Return the card in a slot (index of the field `card`); None if it is empty or the view does not show the card."""
    kind = v.card[slot]
    return None if kind in (EMPTY, UNKNOWN) else Card(kind, v.flip[slot])


def hand_of(v: ScoutPosition, seat: int) -> list[Card | None]:
    """Return a seat's hand from left to right. Cards that the view does not show are None."""
    first = v.aside + sum(v.hand[other] for other in range(seat))
    return [card_at(v, first + place) for place in range(v.hand[seat])]


def own_hand(v: ScoutPosition) -> list[Card]:
    """Return the viewer's own hand from left to right."""
    return [card for card in hand_of(v, v.viewer) if card is not None]


def active_set(v: ScoutPosition) -> list[Card]:
    """Return the cards of the Active Set (set on the table) from left to right."""
    cards = (card_at(v, slot_of_discard_or_table_card(v.out + i)) for i in range(v.active))
    return [card for card in cards if card is not None]


def leaders(points: Sequence[int]) -> list[int]:
    """Return the seats with the most points. `points` has the points of each seat."""
    return [seat for seat, own in enumerate(points) if own == max(points)]


def winners_of(v: ScoutPosition) -> list[int]:
    """Return the seats with the highest total of points in all rounds so far."""
    return leaders([v.total[seat] for seat in range(v.seats)])


def up_numbers(cards: Sequence[Card]) -> list[int]:
    """Return the number that is up on each card."""
    return [card.up for card in cards]


def join_numbers(numbers: Sequence[int]) -> str:
    """Return the numbers of a set as text, such as "5 6 7"."""
    return " ".join(str(n) for n in numbers)


def is_of_equal_numbers(numbers: Sequence[int]) -> bool:
    """Return whether a set, given by its numbers, is a match: two or more equal numbers."""
    return len(numbers) > 1 and numbers[0] == numbers[-1]


def is_valid_set(numbers: Sequence[int]) -> bool:
    """Return whether a row of numbers is a set (SCT-2): a single number, equal numbers, or a run in one direction.

    >>> is_valid_set([4, 3]), is_valid_set([5, 5, 5]), is_valid_set([4, 3, 5, 6])
    (True, True, False)
    """
    steps = {b - a for a, b in pairwise(numbers)}
    return 0 < len(numbers) <= MAX_SET and (not steps or (len(steps) == 1 and abs(min(steps)) <= 1))


def set_strength(numbers: Sequence[int]) -> int:
    """Return the strength of a set, given by its numbers from left to right. It is 0 for no numbers. Higher is better.

    The function `strength_from_first_number` in `legal_actions` says how strength is counted.
    """
    if not numbers:
        return 0
    step = numbers[1] - numbers[0] if len(numbers) > 1 else 0
    return strength_from_first_number(numbers[0], step, len(numbers))


def maximal_sets(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return all sets in a row of numbers that have two or more cards and are not part of a longer set.

    They are given as (first index, last index).

    >>> maximal_sets([4, 2, 3, 7, 7, 1])
    [(1, 2), (3, 4)]
    """
    found: list[tuple[int, int]] = []
    for first in range(len(numbers) - 1):
        last = first
        while last + 1 < len(numbers) and is_valid_set(numbers[first : last + 2]):
            last += 1
        if last > first and not (found and found[-1][1] >= last):
            found.append((first, last))
    return found


def strongest_set_containing(numbers: Sequence[int], place: int) -> list[int]:
    """Return the strongest set in a row of numbers that contains the number at the index `place`.

    Of two equally strong sets, return the set that ends with the higher number.

    >>> strongest_set_containing([2, 3, 4, 5, 8, 8], 3)
    [2, 3, 4, 5]
    """
    sets = [list(numbers[first : last + 1]) for first, last in maximal_sets(numbers) if first <= place <= last]
    return max(sets, key=lambda found: (set_strength(found), found[-1]), default=[numbers[place]])


def text_of_set_with_card(hand: Sequence[Card], card: Card, place: int) -> str:
    """Return the strongest set that a card would form if it were put at `place` in a hand, as text such as "3 4 5".

    `place` is the number of cards to the left of the card. Return "" if the set would have only this card.
    """
    made = strongest_set_containing(up_numbers([*hand[:place], card, *hand[place:]]), place)
    return join_numbers(made) if len(made) > 1 else ""


def three_or_more_of_a_kind_phrase(numbers: Sequence[int]) -> str:
    """Return the name of a match (equal numbers) of three or more cards, such as "three of a kind"."""
    return _(_ALIKE[len(numbers) - _FEWEST_ALIKE])


def winning_set_phrase(numbers: Sequence[int]) -> str:
    """Return a phrase for the set that beats another one, such as "a run of three" or "a pair"."""
    if len(numbers) == 1:
        return number_with_article(numbers[0])
    if not is_of_equal_numbers(numbers):
        return _("a run of {count}", count=in_words(len(numbers)))
    return (
        c_("beats", "a pair")
        if len(numbers) == 2
        else c_("beats", "{alike}", alike=three_or_more_of_a_kind_phrase(numbers))
    )


def beaten_set_phrase(numbers: Sequence[int]) -> str:
    """Return a phrase for the set that is beaten by another one, such as "a run of three" or "a pair".

    In some languages it is inflected differently from the phrase for the winning set (`winning_set_phrase`).
    """
    if not is_of_equal_numbers(numbers):
        return winning_set_phrase(numbers)
    return (
        c_("is beaten", "a pair")
        if len(numbers) == 2
        else c_("is beaten", "{alike}", alike=three_or_more_of_a_kind_phrase(numbers))
    )


def set_bracket_caption(numbers: Sequence[int]) -> str:
    """Return the label of the bracket under a set in a hand, such as "pair", "run", "run of 3" or "three 6s"."""
    if len(numbers) == 2:
        return _("pair") if is_of_equal_numbers(numbers) else _("run")
    return set_phrase_for_question(numbers) if is_of_equal_numbers(numbers) else _("run of {count}", count=len(numbers))


def shown_set_phrase(numbers: Sequence[int]) -> str:
    """Return a phrase for a set in a line of the log.

    >>> shown_set_phrase([10]), shown_set_phrase([6, 6]), shown_set_phrase([5, 6, 7])
    ('a **10**', 'a pair of **6**s', 'the run **5 6 7**')
    """
    if len(numbers) == 1:
        return f"{number_with_article(numbers[0]).replace(' ', ' **')}**"
    if not is_of_equal_numbers(numbers):
        return _("the run **{numbers}**", numbers=join_numbers(numbers))
    if len(numbers) == 2:
        return _("a pair of **{number}**s", number=numbers[0])
    return _("{count} **{number}**s", count=in_words(len(numbers)), number=numbers[0])


def set_phrase_for_question(numbers: Sequence[int]) -> str:
    """Return a phrase for a set in a question, such as "three 8s", "5 6 7" or "the 9" in "Show the 9?"."""
    if len(numbers) == 1:
        return _("the {number}", number=numbers[0])
    if is_of_equal_numbers(numbers):
        return _("{count} {number}s", count=in_words(len(numbers)), number=numbers[0])
    return join_numbers(numbers)


def why_it_beats(mine: Sequence[int], theirs: Sequence[int]) -> str:
    """Return the sentence that says why the set `mine` beats the set `theirs`. Both are given by their numbers.

    >>> why_it_beats([8, 8, 8], [5, 6, 7])
    'Three of a kind beats a run of three.'
    >>> why_it_beats([5, 6, 7], [3, 4, 5]), why_it_beats([2, 3], [10])
    ('A higher run beats 3 4 5.', 'Two cards beat one.')
    """
    if len(mine) > len(theirs):
        many = capital(in_words(len(mine)))
        if len(theirs) == 1:
            return _("{many} cards beat one.", many=many)
        return _("{many} cards beat {few}.", many=many, few=in_words(len(theirs)))
    if len(mine) == 1 or (is_of_equal_numbers(mine) and not is_of_equal_numbers(theirs)):
        return _("{mine} beats {theirs}.", mine=capital(winning_set_phrase(mine)), theirs=beaten_set_phrase(theirs))
    if is_of_equal_numbers(mine):
        return _(
            "{mine} beat {theirs}.",
            mine=capital(set_phrase_for_question(mine)),
            theirs=set_phrase_for_question(theirs),
        )
    return _("A higher run beats {theirs}.", theirs=join_numbers(theirs))
