"""Why not? What the rules of SCOUT say to a move or a touch that is not for now: from the seat's own view alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from facedown.core.state import RUNNING, SPECTATOR, View, plain_view
from facedown.core.table import Refusals, Sitter, refused
from facedown.core.usual import choosing
from facedown.core.voice import acting_seats, capital, who
from facedown.games.scout import view
from facedown.games.scout.cards import TWO_PLAYERS
from facedown.games.scout.offers import Act
from facedown.games.scout.state import Phase, ScoutPosition
from facedown.games.scout.texts import N_, _, n_
from facedown.games.scout.words import scout_parts, show_parts

ROUND_OVER = N_("This round is over. The next one starts once everyone taps Continue.")

# --- places on the table ----------------------------------------------------------------------------------------------


def hand_place(place: int) -> str:
    """The id of a place in the viewer's hand, from 0; the words count from 1."""
    return f"hand-{place + 1}"


def gap_place(place: int) -> str:
    """The id of the gap that has so many cards to its left."""
    return f"gap-{place}"


def active_place(place: int) -> str:
    """The id of a place in the Active Set, from 0."""
    return f"active-{place + 1}"


# --- moves ------------------------------------------------------------------------------------------------------------


def refusal(known: View, action: int) -> str:
    """Why the seat whose view it is, which is to act, may not take an action that is not legal: one sentence."""
    v = plain_view(known, ScoutPosition)
    kind = Act.of(action)[0]
    if v.phase == Phase.FLIP:
        return _("First choose which way up to play this hand.")
    if v.phase == Phase.SCORING:
        return _(ROUND_OVER)
    if kind == Act.CONTINUE:
        return _("This round is not over yet.")
    if kind in (Act.KEEP, Act.FLIP):
        return _("You can flip your hand only before the first turn. Now its cards stay as they are.")
    if kind == Act.SHOW:
        return _no_show(v, *show_parts(action))
    return _no_scout(v, action)


def _no_show(v: ScoutPosition, first: int, last: int) -> str:
    hand = view.ups(view.own_hand(v))
    if last > len(hand):
        return _cards_in_hand(len(hand))
    mine = hand[first - 1 : last]
    if not view.is_set(mine):
        return _("{cards} is not a set: it takes equal numbers, or a run up or down.", cards=view.in_a_row(mine))
    return too_weak(mine, view.ups(view.active_set(v)))


def _no_scout(v: ScoutPosition, action: int) -> str:
    both = action >= Act.SCOUT_AND_SHOW
    if reason := _why_no_scout(v):
        return reason
    if both and v.seats == TWO_PLAYERS:
        return _("With two players there is no Scout and Show: after a scout it is still your turn.")
    if both and v.marker[v.viewer] == 0:
        return _("You’ve already used Scout and Show this round.")
    end, turned, place = scout_parts(action)
    cards = view.active_set(v)
    if end and len(cards) == 1:
        return _("The set has one card only: scout it as its left one.")
    if place > v.hand[v.viewer]:
        return _cards_in_hand(v.hand[v.viewer])
    card, left = (cards[-1], cards[:-1]) if end else (cards[0], cards[1:])
    number = card.down if turned else card.up
    against = view.in_a_row(view.ups(left))
    return _("With the {number} there, nothing in your hand beats {left}.", number=number, left=against)


def _why_no_scout(v: ScoutPosition) -> str:
    """Why no card at all may be scouted in a turn; nothing if one may."""
    if v.active == 0:
        return _("There is no set to scout from: show a card or a set.")
    if v.phase == Phase.SHOW:
        active = view.in_a_row(view.ups(view.active_set(v)))
        return _("You’ve scouted: now show something that beats {active}.", active=active)
    if v.seats == TWO_PLAYERS and v.coins[v.viewer] == 0:
        return _("You have no chips left to scout with.")
    return ""


def too_weak(mine: Sequence[int], theirs: Sequence[int]) -> str:
    """Why a set does not beat the Active Set, in a sentence.

    >>> too_weak([4], [5, 6]), too_weak([4, 4], [5, 6, 7])
    ('The 4 does not beat 5 6.', 'A pair does not beat a run of three.')
    >>> too_weak([4, 5, 6], [5, 6, 7])
    '4 5 6 is not higher than 5 6 7.'
    """
    against = view.in_a_row(theirs)
    if len(mine) == 1:
        return _("The {number} does not beat {theirs}.", number=mine[0], theirs=against)
    if len(mine) == len(theirs) and view.is_match(mine) == view.is_match(theirs):
        return _("{mine} is not higher than {theirs}.", mine=view.in_a_row(mine), theirs=against)
    against = view.beaten_words(theirs)
    return _("{mine} does not beat {theirs}.", mine=capital(view.sized_words(mine)), theirs=against)


def _cards_in_hand(cards: int) -> str:
    return n_("Your hand has only {count} card.", "Your hand has only {count} cards.", cards)


# --- touches ----------------------------------------------------------------------------------------------------------


def waiting(v: ScoutPosition, sitters: Sequence[Sitter]) -> str:
    """Whom the viewer waits for, in a sentence."""
    if v.phase == Phase.SHOW:
        return _("{who} scouted and will now show.", who=who(sitters, v.turn, v.viewer))
    if v.phase == Phase.SCORING:
        return _("Waiting for {who:you} to continue.", who=who(sitters, acting_seats(v), v.viewer))
    return choosing(v, sitters)


def refusals(v: ScoutPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Refusals:
    """(touch, reason) for whatever lies before the viewer, is touched at other times, and is not offered first now."""
    if v.viewer == SPECTATOR or v.over != RUNNING:
        return ()
    if not actions:
        chosen = v.phase == Phase.FLIP
        return _all(v, _("You’ve chosen. The first turn starts once everyone has.") if chosen else waiting(v, sitters))
    if v.phase == Phase.SCORING:
        return _all(v, _(ROUND_OVER))
    if v.phase == Phase.FLIP:
        return ()
    return tuple(_in_turn(v, actions))


def _all(v: ScoutPosition, reason: str) -> Refusals:
    """The same reason for every card that one may touch in a turn."""
    hand = (hand_place(place) for place in range(v.hand[v.viewer]))
    return refused((*hand, *(active_place(place) for place in range(v.active))), reason)


def _in_turn(v: ScoutPosition, actions: Sequence[int]) -> Iterator[tuple[str, str]]:
    """In a turn: cards that begin no Show, cards that may not be scouted, gaps before a card is taken."""
    slices = [show_parts(action) for action in actions if action < Act.SCOUT]
    ends = {place - 1 for ends in slices for place in ends}
    hand, theirs = view.ups(view.own_hand(v)), view.ups(view.active_set(v))
    for place in range(len(hand)):
        if place not in ends:
            yield hand_place(place), _not_an_end(hand, place, slices, theirs)
    if not theirs:
        return
    closed = _why_no_scout(v)
    if closed:
        yield from ((active_place(place), closed) for place in sorted({0, v.active - 1}))
    for place in range(1, v.active - 1):
        yield active_place(place), closed or _("Only the left or the right card of a set may be scouted.")
    if not closed:
        first = _("First touch an end of the set, then put that card here.")
        yield from ((gap_place(place), first) for place in range(len(hand) + 1))


def _not_an_end(hand: Sequence[int], place: int, slices: Sequence[tuple[int, int]], theirs: Sequence[int]) -> str:
    """Why no Show begins or ends with this card of the hand."""
    for first, last in slices:
        if first <= place + 1 <= last:
            cards = view.in_a_row(hand[first - 1 : last])
            return _("Touch the first or the last card of {cards} to show it.", cards=cards)
    return too_weak(view.set_through(hand, place), theirs)


def onto_cards(v: ScoutPosition, reason: str) -> Refusals:
    """The same reason for every card of the viewer's hand."""
    return refused(map(hand_place, range(v.hand[v.viewer])), reason)


def beside_gaps(v: ScoutPosition, number: int) -> Refusals:
    """While a card is scouted: it goes into a gap, not onto a card."""
    return onto_cards(v, _("Touch a gap beside it: the {number} goes between your cards.", number=number))
