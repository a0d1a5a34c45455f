"""Text forms of SCOUT's actions: the notation of match files, typed moves, and phrases for players.

Examples are ``show 4-6``, ``scout left kept at 5``, ``scout right turned at 0 and show``, ``keep``, ``flip`` and
``continue``. "turned" means that the scouted card is put into the hand the other way up, "kept" that it is not.

* The shown cards are given by their places in the hand, counted from 1.
* The number after "at" is the number of cards that will be to the left of a scouted card. So it is 0 for the left end
  of the hand.
* A whole Scout and Show, such as ``scout left kept at 0 and show 2-3``, is two actions. `parse_turn` returns both.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from facedown.core.action_phrases import ActionPhrase, PhraseContext, action_phrase
from facedown.core.state import View, plain_view
from facedown.games.scout.i18n import N_, _, c_
from facedown.games.scout.legal_actions import PLACES, Act
from facedown.games.scout.state import MAX_HAND, MAX_SET, ScoutPosition
from facedown.games.scout.view import (
    Card,
    active_set,
    join_numbers,
    own_hand,
    set_phrase_for_question,
    text_of_set_with_card,
    up_numbers,
)

#: Paragraph in the terminal's help that explains how to type moves.
TYPING = N_(
    "“show 2-4” shows cards 2 to 4 of your hand; “show 9 8 7” shows the cards with those numbers. “scout left 4” "
    "takes the left card of the set on the table and puts it after your fourth card, the same way up; “scout left 4 "
    "turned” turns it upside down, “scout left 0” puts it first in your hand, and “and show” at the end makes the "
    "move a Scout and Show."
)

_PLAIN = {kind.name.lower(): kind.value for kind in (Act.KEEP, Act.FLIP, Act.CONTINUE)}
_ENDS = ("left", "right")
_TURNS = ("kept", "turned")
_TURN_WORDS = {"kept": 0, "up": 0, "turned": 1, "down": 1}
_AND_SHOW = "and show"
_ORDINALS = (
    N_("first"),
    N_("second"),
    N_("third"),
    N_("fourth"),
    N_("fifth"),
    N_("sixth"),
    N_("seventh"),
    N_("eighth"),
)
_HELP = "show 4-6, scout left kept at 5, scout right turned at 0 and show 2-3, keep, flip, continue"


def encode_show(first: int, last: int) -> int:
    """Return the action that shows the cards at the places from `first` to `last`, counted from 1.

    Raise `ValueError` if `first` is not a place in a hand, if `last` is before `first`, or if the set would have more
    than `MAX_SET` cards.

    >>> action_notation(encode_show(4, 6)), action_notation(encode_show(2, 2))
    ('show 4-6', 'show 2')
    """
    move = f"show {first}-{last}"
    if not 1 <= first <= last or first > MAX_HAND:
        text = N_("{move}: expected positions from 1 to {last}, the lower one first")
        raise ValueError(_(text, move=move, last=MAX_HAND))
    if last - first >= MAX_SET:
        raise ValueError(_("{move}: a set has at most {count} cards", move=move, count=MAX_SET))
    return Act.SHOW + (first - 1) * MAX_SET + last - first


def decode_scout(action: int) -> tuple[int, int, int]:
    """Return (end, turn, place) of an action that scouts a card.

    * `end`: 0 for the left card of the Active Set (set on the table), 1 for the right card.
    * `turn`: 1 if the card is put into the hand the other way up, else 0.
    * `place`: where the card is put into the hand, as the number of cards to the left of it.
    """
    way, place = divmod(Act.decode(action)[1], PLACES)
    return way // 2, way % 2, place


def decode_show(action: int) -> tuple[int, int]:
    """Return (first, last): the places in the hand of the first and the last card that a Show shows, counted from 1."""
    before, more = divmod(action - Act.SHOW, MAX_SET)
    return before + 1, before + 1 + more


def action_notation(action: int) -> str:
    """Return the notation of an action in match files. Raise `ValueError` if there is no such action."""
    kind = Act.decode(action)[0]
    if action > Act.CONTINUE:
        raise ValueError(_("action {action} does not exist", action=action))
    if kind == Act.SHOW:
        first, last = decode_show(action)
        return f"show {first}" if first == last else f"show {first}-{last}"
    if kind >= Act.KEEP:
        return kind.name.lower()
    end, turn, place = decode_scout(action)
    scouted = f"scout {_ENDS[end]} {_TURNS[turn]} at {place}"
    return f"{scouted} {_AND_SHOW}" if kind == Act.SCOUT_AND_SHOW else scouted


def parse(text: str) -> int:
    """Return the action (an integer) that a text in match-file notation names.

    Short forms such as ``scout left 4 turned`` and ``show 6-4`` are accepted too. Raise `ValueError` with the reason if
    the text names no action.

    >>> parse("scout left kept at 5") == Act.SCOUT + 5
    True
    >>> action_notation(parse("scout left 4 turned")), action_notation(parse("scout r 0"))
    ('scout left turned at 4', 'scout right kept at 0')
    >>> action_notation(parse("show 6-4"))
    'show 4-6'
    """
    word = " ".join(text.strip().lower().replace("–", "-").split())
    if word in _PLAIN:
        return _PLAIN[word]
    match = re.fullmatch(r"show (\d{1,2})(?: ?- ?(\d{1,2}))?", word)
    if match:
        return encode_show(*sorted((int(match[1]), int(match[2] or match[1]))))
    match = re.fullmatch(
        r"scout (left|right|l|r)(?: (kept|turned))?(?: at)? (\d{1,2})"
        r"(?: (up|down|kept|turned))?(,? and show| and|,? show)?",
        word,
    )
    if match and not (match[2] and match[4]):
        end, turn, place = "lr".index(match[1][0]), _TURN_WORDS[match[2] or match[4] or "kept"], int(match[3])
        if place >= PLACES:
            wrong = N_("{place} is not a position; expected 0 to {last}")
            raise ValueError(_(wrong, place=place, last=PLACES - 1))
        return (Act.SCOUT_AND_SHOW if match[5] else Act.SCOUT) + (2 * end + turn) * PLACES + place
    raise ValueError(_("{text!r} is not a move; expected one of: {moves}", text=text.strip(), moves=_HELP))


def summarize_legal_moves(legal: Sequence[str]) -> list[str]:
    """Return a short list of the legal moves for the terminal. All Shows are listed, largest set first; Scouts are
    summarized.

    `legal` are the legal moves in match-file notation.

    >>> summarize_legal_moves(["show 1", "show 2", "show 3-5", "show 3-4"])
    ['show 3-5', 'show 3-4', 'show 1', 'show 2']
    >>> summarize_legal_moves(["scout left kept at 0", "scout left kept at 1", "scout left turned at 0 and show"])
    ['scout left 0 to 1', 'optionally with “turned”', 'optionally with “and show”']
    """
    actions = [parse(text) for text in legal]
    shows = [action for action in actions if action < Act.SCOUT]
    scouts = [decode_scout(action) for action in actions if Act.SCOUT <= action < Act.KEEP]
    said = [action_notation(action) for action in sorted(shows, key=lambda action: action % MAX_SET, reverse=True)]
    for end, side in enumerate(_ENDS):
        places = [place for of, turned, place in scouts if of == end]
        if places:
            said.append(_("scout {side} 0 to {last}", side=side, last=max(places)))
    if any(turned for of, turned, place in scouts):
        said.append(_("optionally with “turned”"))
    if any(Act.SCOUT_AND_SHOW <= action < Act.KEEP for action in actions):
        said.append(_("optionally with “and show”"))
    return [*said, *(action_notation(action) for action in actions if action >= Act.KEEP)]


def parse_turn(text: str) -> tuple[int, ...]:
    """Return the actions of a whole turn that a text names: two for a Scout and Show, otherwise one.

    >>> [action_notation(a) for a in parse_turn("scout left kept at 0 and show 2-3")]
    ['scout left kept at 0 and show', 'show 2-3']
    >>> [action_notation(a) for a in parse_turn("scout left 4, show 4-6")]
    ['scout left kept at 4 and show', 'show 4-6']
    >>> [action_notation(a) for a in parse_turn("show 4")]
    ['show 4']
    """
    match = re.fullmatch(r"\s*(scout .*?)\s*(?:,|\band\b|,\s*and)\s*(show\s+\d.*)", text, re.IGNORECASE)
    if match:
        return parse(f"{match[1]} {_AND_SHOW}"), parse(match[2])
    return (parse(text),)


# --- phrases for actions ----------------------------------------------------------------------------------------------


def describe_action(view: View, action: int, teller: PhraseContext) -> ActionPhrase:
    """Return a phrase for an action, such as "Show three 8s" or "Scout the 5 and put it before the 6, making 5 6".

    `view` is the view of the seat that takes the action. The action must be legal in it. `teller` says who acts and who
    reads the phrase.
    """
    v = plain_view(view, ScoutPosition)
    match Act.decode(action)[0]:
        case Act.SHOW:
            first, last = decode_show(action)
            return action_phrase(
                _("{show} {cards}"), teller, cards=_slice_phrase(up_numbers(own_hand(v)), first - 1, last)
            )
        case Act.KEEP:
            return action_phrase(_("{keep} {mine} hand as dealt"), teller, mine=teller.actor_possessive)
        case Act.FLIP:
            return action_phrase(_("{flip} {mine} hand"), teller, mine=teller.actor_possessive)
        case Act.CONTINUE:
            return action_phrase(_("{continue} to the next round"), teller)
    return _describe_scout(v, action, teller)


def _slice_phrase(hand: Sequence[int], first: int, end: int) -> str:
    """Return a phrase for neighbouring cards of a hand, such as "the 9" or "three 8s".

    `hand` are the numbers on the hand's cards. The cards are those from place `first` (from 0) up to, but not
    including, `end`. If the same numbers are also at another place, the phrase says which cards are meant, such as "the
    second 9".
    """
    numbers = list(hand[first:end])
    alike = [at for at in range(len(hand)) if list(hand[at : at + len(numbers)]) == numbers]
    if len(alike) == 1:
        return set_phrase_for_question(numbers)
    return _("the {which} {numbers}", which=_(_ORDINALS[alike.index(first)]), numbers=join_numbers(numbers))


def _describe_scout(v: ScoutPosition, action: int, teller: PhraseContext) -> ActionPhrase:
    end, turned, place = decode_scout(action)
    hand, cards = own_hand(v), active_set(v)
    card = cards[-1 if end else 0]
    laid = card.turned() if turned else card
    made = text_of_set_with_card(hand, laid, place)
    text = _(_SCOUTS[action >= Act.SCOUT_AND_SHOW, bool(turned), bool(made)])
    taken = _("the {number}", number=card.up)
    if len(cards) > 1 and cards[0].up == cards[-1].up:
        taken = _("the right {number}", number=card.up) if end else _("the left {number}", number=card.up)
    return action_phrase(
        text, teller, card=taken, where=_destination_phrase(hand, place, teller), up=laid.up, made=made
    )


#: Phrases for Scouts. The parts of the key say whether a Show follows, whether the card is put in the other way up, and
#: whether the card makes a set in the hand.
_SCOUTS = {
    (False, False, False): N_("{scout} {card} and {put} it {where}"),
    (False, False, True): N_("{scout} {card} and {put} it {where}, making {made}"),
    (False, True, False): N_("{scout} {card}, {turn} it to {up} and {put} it {where}"),
    (False, True, True): N_("{scout} {card}, {turn} it to {up} and {put} it {where}, making {made}"),
    (True, False, False): N_("{scout} {card}, {put} it {where} and {show} a set straight away"),
    (True, False, True): N_("{scout} {card}, {put} it {where}, making {made}, and {show} a set straight away"),
    (True, True, False): N_("{scout} {card}, {turn} it to {up}, {put} it {where} and {show} a set straight away"),
    (True, True, True): N_(
        "{scout} {card}, {turn} it to {up}, {put} it {where}, making {made}, and {show} a set straight away"
    ),
}


def gap_phrase(hand: Sequence[Card], place: int) -> str:
    """Return a phrase for a gap in the player's own hand, such as "before the 5" or "between the 4 and the 6".

    `place` is the number of cards to the left of the gap.
    """
    if not hand:
        return c_("lies", "in your empty hand")
    if place == 0:
        return c_("lies", "before the {number}", number=hand[0].up)
    if place == len(hand):
        return c_("lies", "after the {number}", number=hand[-1].up)
    left, right = hand[place - 1].up, hand[place].up
    return c_("lies", "between the {left} and the {right}", left=left, right=right)


def _destination_phrase(hand: Sequence[Card], place: int, teller: PhraseContext) -> str:
    """Return a phrase for the gap in a hand into which a scouted card goes, such as "between the 4 and the 6".

    `place` is the number of cards to the left of the gap. If another gap of the hand is between the same two numbers,
    the phrase also says which place the card will have. `teller` says who acts and who reads the phrase.
    """
    if not hand:
        return c_("goes", "in {mine} empty hand", mine=teller.actor_possessive)
    if place == 0:
        return c_("goes", "before the {number}", number=hand[0].up)
    if place == len(hand):
        return c_("goes", "after the {number}", number=hand[-1].up)
    left, right = hand[place - 1].up, hand[place].up
    said = c_("goes", "between the {left} and the {right}", left=left, right=right)
    alike = [gap for gap in range(1, len(hand)) if (hand[gap - 1].up, hand[gap].up) == (left, right)]
    if len(alike) == 1:
        return said
    return c_(
        "goes", "{where}, as card {place} in {mine} hand", where=said, place=place + 1, mine=teller.actor_possessive
    )
