"""The rules of SCOUT, compiled. Every ruling cited here (SCT-…) is in ``docs/rules/scout.md``.

A Scout and Show is two actions inside: the Scout, offered only when a Show can follow it, and then that Show, which
nothing can come between. To everybody it is one turn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import generator, next_word, seat_by_chance, shuffle, stack
from facedown.core.options import OptionError
from facedown.core.rule import rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import DECIDED, EMPTY, EVERYONE, OPEN, RUNNING, UNKNOWN, Floats, Ints, View, record
from facedown.core.told import Told
from facedown.games.scout.cards import FACE, HAND_OF, KINDS, ONE_TWO, TURNED, TWO_PLAYERS, in_deck
from facedown.games.scout.info import FlipOrder, FlipPublic, ScoutInsertPublic, ScoutOptions, Start
from facedown.games.scout.joint import drop, leave, put_in, silence
from facedown.games.scout.sets import (
    MATCH,
    PER_CARD,
    active_strength,
    beating,
    can_show,
    goes_on,
    lowest,
    slice_strength,
    steps,
    strength_of,
)
from facedown.games.scout.state import (
    ASIDE,
    FLIPPING,
    LEFT_OVER,
    MAX_HAND,
    MAX_SET,
    NOT_HELD,
    PLAYERS,
    SCORING,
    SHOWING,
    SLOTS,
    TURN,
    ScoutPosition,
    base,
    number,
    row_end,
    table_slot,
)
from facedown.games.scout.worlds import is_consistent, place_known, pools

# --- actions
SHOW = 0
LEFT = 0
RIGHT = 1
#: Places where a scouted card can go: to the left of everything, or after any card but one more than a hand can take.
PLACES = MAX_HAND
SCOUT = SHOW + MAX_HAND * MAX_SET
SCOUT_AND_SHOW = SCOUT + 4 * PLACES
KEEP = SCOUT_AND_SHOW + 4 * PLACES
FLIP = KEEP + 1
CONTINUE = FLIP + 1
ACTIONS = CONTINUE + 1

#: Chips to scout with, for two players.
CHIPS = 3
ROUNDS_FOR_TWO = 2
#: The guard against endless play (rules 5.9): turns in a round.
TURN_CAP = 400
#: No list of actions is longer than this and one: a number cut off here is seen by the compiler to be no count from the
#: list's end, which it would have to look for at each of them.
LAST_OFFER = 1023
#: Random bits in one draw.
BITS = 32
HANDS: Ints = np.array(HAND_OF, np.int64)


def check(seats: int, options: ScoutOptions) -> None:
    """Raise `OptionError` if a match cannot be set up like this: the named starter needs a seat (SCT-13)."""
    named = options.start_seat
    if options.start == Start.NAMED and named >= seats:
        raise OptionError(f"start = named({named}): {seats} players have the seats 0 to {seats - 1}", "start")


def deck(seats: int, options: ScoutOptions) -> Sequence[int]:
    """How many cards of each kind the deck has (rules 5.2)."""
    return [1 if in_deck(seats, kind) else 0 for kind in range(KINDS)]


def plain(kind: int) -> int:
    """The kind in the deck of a card of an explicit deal, which may be turned."""
    return kind - TURNED if kind >= TURNED else kind


# --- dealing --------------------------------------------------------------------------------------------------------


@rule
def deal(s: ScoutPosition, deck: NDArray[np.int64], first: int) -> None:
    """Deal the first round; `first` is the start player where chance would pick, -1 for chance.

    `deck` names the first cards from the top, with `TURNED` added to those that lie with the higher number up.
    """
    starter = seat_by_chance(s, first)
    deal_round(s, deck)
    if s.opt.start == Start.NAMED:  # SCT-13
        starter = s.opt.start_seat
    elif s.opt.start == Start.HOLDER_1_2:
        holder = dealt_to(s, ONE_TWO)
        s.held[ONE_TWO] = ASIDE if holder < 0 else holder
        if holder >= 0:
            starter = holder
    s.starter = starter
    s.turn = starter


@rule
def dealt_to(s: ScoutPosition, kind: int) -> int:
    """Whose hand a card was dealt to, or -1 if it was set aside."""
    for seat in range(s.seats):
        first = base(s, seat)
        for place in range(s.hand[seat]):
            if s.card[first + place] == kind:
                return seat
    return -1


@rule
def deal_round(s: ScoutPosition, deck: NDArray[np.int64]) -> None:
    """Shuffle everything, turn each card by chance, deal whole hands (rules 5.3)."""
    seats = s.seats
    cards = np.empty(KINDS, np.int64)
    n = 0
    for kind in range(KINDS):
        cards[n] = kind
        if in_deck(seats, kind):
            n += 1
    g = generator(s.key, s.stream)
    s.stream += 1
    named = len(deck)
    if named > 0:
        kinds = np.empty(named, np.int64)
        for i in range(named):
            kinds[i] = deck[i] % TURNED
        named = stack(cards, n, kinds)
    shuffle(g, cards, named, n, n)

    # The ways up; there are more cards than bits in a word, and fewer than in two.
    turns = next_word(g) | next_word(g) << BITS

    # Loops of their own, so that each becomes a plain fill of memory.
    for slot in range(SLOTS):
        s.card[slot] = EMPTY
    for slot in range(SLOTS):
        s.flip[slot] = 0
    for slot in range(SLOTS):
        s.known[slot] = EVERYONE
    dealt = seats * HANDS[seats]
    s.aside = n - dealt
    for i in range(n):
        # The cards set aside come last, and lie before the hands.
        slot = i + s.aside if i < dealt else i - dealt
        s.card[slot] = cards[i]
        s.flip[slot] = deck[i] // TURNED if i < named else turns >> i & 1
    for slot in range(s.aside):
        s.known[slot] = 0
    give_hands(s)
    s.out = 0
    s.stuck_strength = 0
    s.stuck_first = 0
    s.stuck_cards = 0
    for kind in range(KINDS):
        s.held[kind] = NOT_HELD
    for kind in range(KINDS):
        s.way_up[kind] = -1
    silence(s)
    begin_round(s)


@rule
def give_hands(s: ScoutPosition) -> None:
    """The row behind the cards set aside is cut into hands: each seat knows its own."""
    each = HANDS[s.seats]
    for seat in range(s.seats):
        first = s.aside + seat * each
        for slot in range(first, first + each):
            s.known[slot] = 1 << seat


@rule
def deal_second(s: ScoutPosition) -> None:
    """Round two of two players: what is left goes out of play, the cards set aside become the hands (rules 5.7)."""
    s.out += s.active
    # The leavings in the order in which they go out, a row for each: kind, way up, and who knows it.
    leavings = np.empty((KINDS, 3), np.int64)
    n = 0
    for seat in range(TWO_PLAYERS):
        n = stuck_leavings(s, seat, leavings, n) if seat == s.stuck else sorted_leavings(s, seat, leavings, n)
    keep_held(s)
    for slot in range(s.aside, row_end(s)):
        empty(s, slot)
    for i in range(n):
        slot = table_slot(s.out)
        s.card[slot] = leavings[i, 0]
        s.flip[slot] = leavings[i, 1]
        s.known[slot] = leavings[i, 2]
        s.out += 1
    s.aside = 0
    give_hands(s)
    begin_round(s)


@rule
def stuck_leavings(s: ScoutPosition, seat: int, leavings: NDArray[np.int64], n: int) -> int:
    """Append the hand that could not go on; return the new count.

    That nothing in this row could be shown is still known: it keeps its order, its last card goes first.
    """
    first = base(s, seat)
    cards = s.hand[seat]
    s.stuck_strength = s.strength
    s.stuck_cards = cards
    s.stuck_first = table_slot(s.out + n + cards - 1)
    for slot in range(first + cards - 1, first - 1, -1):
        leavings[n, 0] = s.card[slot]
        leavings[n, 1] = s.flip[slot]
        leavings[n, 2] = 1 << seat
        n += 1
    return n


@rule
def sorted_leavings(s: ScoutPosition, seat: int, leavings: NDArray[np.int64], n: int) -> int:
    """Append a hand whose order says nothing any more; return the new count.

    Cards known to be in it go first, all in the order of their kinds.
    """
    first = base(s, seat)
    public = 0
    secret = 0
    for slot in range(first, first + s.hand[seat]):
        kind = s.card[slot]
        is_held = s.held[kind] == seat
        public |= is_held << kind
        secret |= (not is_held) << kind
    n = each_kind(public, EVERYONE, leavings, n)
    return each_kind(secret, 1 << seat, leavings, n)


@rule
def each_kind(kinds: int, who: int, leavings: NDArray[np.int64], n: int) -> int:
    """Append the cards of a set of kinds, which the seats of mask `who` know; return the new count."""
    while kinds != 0:
        leavings[n, 0] = lowest(kinds)
        leavings[n, 1] = 0
        leavings[n, 2] = who
        kinds &= kinds - 1
        n += 1
    return n


@rule
def keep_held(s: ScoutPosition) -> None:
    """Of the hands of round one only the stuck one still says something: what is known of it is kept."""
    for kind in range(KINDS):
        if s.stuck >= 0 and s.held[kind] == s.stuck:
            s.held[kind] = LEFT_OVER
        elif s.held[kind] != ASIDE:
            s.held[kind] = NOT_HELD
    for seat in range(TWO_PLAYERS):
        drop(s, seat, LEFT_OVER if seat == s.stuck else -1)


@rule
def empty(s: ScoutPosition, slot: int) -> None:
    """No card lies in this slot, for all to see."""
    s.card[slot] = EMPTY
    s.flip[slot] = 0
    s.known[slot] = EVERYONE


@rule
def begin_round(s: ScoutPosition) -> None:
    """The hands lie ready: everybody may flip."""
    seats = s.seats
    for seat in range(PLAYERS):
        s.hand[seat] = HANDS[seats] if seat < seats else 0
        s.won[seat] = 0
        s.coins[seat] = CHIPS if seats == TWO_PLAYERS and seat < seats else 0
        s.marker[seat] = 1 if seats > TWO_PLAYERS and seat < seats else 0
        s.flipped[seat] = -1
    s.round_number += 1
    s.turns = 0
    s.passes = 0
    s.active = 0
    s.strength = 0
    s.owner = -1
    s.shower = -1
    s.ender = -1
    s.stuck = -1
    s.last_seat = -1
    s.last_kind = -1
    s.last_flip = 0
    s.last_end = LEFT
    s.last_owner = -1
    s.last_only = 0
    s.last_place = -1
    s.last_turn = -1
    s.phase = FLIPPING
    s.acting = (1 << seats) - 1


@rule
def flip_hands(s: ScoutPosition) -> None:
    """All have chosen: turn the hands of those who flip (SCT-5, SCT-18), and the first turn begins."""
    for seat in range(s.seats):
        flips = s.sealed[seat] == FLIP
        s.sealed[seat] = OPEN
        s.flipped[seat] = flips if s.opt.flip_public == FlipPublic.YES else -1
        if flips:
            first = base(s, seat)
            cards = s.hand[seat]
            for slot in range(first, first + cards):
                s.flip[slot] = 1 - s.flip[slot]
            if s.opt.flip_order == FlipOrder.REVERSE:  # SCT-5
                for place in range(cards // 2):
                    swap(s, first + place, first + cards - 1 - place)
    s.phase = TURN
    s.turn = s.starter
    s.acting = 1 << s.turn


@rule
def swap(s: ScoutPosition, a: int, b: int) -> None:
    """Two cards of one hand change places."""
    kind, way = s.card[a], s.flip[a]
    s.card[a], s.flip[a] = s.card[b], s.flip[b]
    s.card[b], s.flip[b] = kind, way


# --- legal actions ----------------------------------------------------------------------------------------------------


@rule
def legal(s: ScoutPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat, ascending; return how many there are."""
    if not s.acting >> seat & 1:
        return 0
    if s.phase == FLIPPING:
        out[0] = KEEP
        out[1] = FLIP
        return 2
    if s.phase == SCORING:
        out[0] = CONTINUE
        return 1
    n = shows(s, seat, out)
    return scouts(s, seat, out, n) if s.phase == TURN and s.active > 0 else n


@rule
def shows(s: ScoutPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write the Shows of a hand that beat the Active Set (SCT-2, SCT-3), ascending; return how many there are."""
    cards = s.hand[seat]
    beat = s.strength
    need = max(1, beat // PER_CARD)
    equal, rising, falling, above = steps(s, base(s, seat), cards, beat % MATCH)
    as_long, longer = beating(equal, rising, falling, above, cards, beat)
    n = 0
    if as_long | longer == 0:
        return n
    joined = longer & (equal & equal >> need | rising & rising >> need | falling & falling >> need)
    action = SHOW + need - 1
    for place in range(cards):
        n = offer(out, n, action, as_long >> place & 1)
        n = offer(out, n, action + 1, longer >> place & 1)
        if joined >> place & 1:
            # Sets with two cards more are rare; what they go on with is asked step by step.
            more = need
            while goes_on(equal, place, more) or goes_on(rising, place, more) or goes_on(falling, place, more):
                more += 1
                out[n] = action + more - need + 1
                n += 1
        action += MAX_SET
    return n


@rule
def offer(out: NDArray[np.int32], n: int, action: int, is_legal: int) -> int:
    """Write an action behind `n` others, and return how many there are then: one more if `is_legal` is 1.

    It is written always: hidden cards would make a branch hard to predict.
    """
    out[n & LAST_OFFER] = action
    return n + is_legal


@rule
def scouts(s: ScoutPosition, seat: int, out: NDArray[np.int32], n: int) -> int:
    """Append the Scouts, and the Scouts of Scout and Show (SCT-1)."""
    if s.seats == TWO_PLAYERS and s.coins[seat] == 0:
        return n
    ways = 4 if s.active > 1 else 2
    places = s.hand[seat] + 1
    for way in range(ways):
        for place in range(places):
            out[(n & LAST_OFFER) + place] = SCOUT + way * PLACES + place
        n += places
    if s.marker[seat] == 1:
        first = base(s, seat)
        for way in range(ways):
            fine = places_to_show(s, first, places - 1, way)
            for place in range(places):
                n = offer(out, n, SCOUT_AND_SHOW + way * PLACES + place, fine >> place & 1)
    return n


@rule
def places_to_show(s: ScoutPosition, first: int, cards: int, way: int) -> int:
    """Where a scouted card leaves a legal Show (SCT-9, SCT-10): a bit for each place that it can go to.

    A set that the card does not part still stands, or the card makes a new one.
    """
    right = way // 2
    beat = active_strength(s, 1 - right, right)
    slot = table_slot(s.out + (s.active - 1) * right)
    up = FACE[s.card[slot] + TURNED * (s.flip[slot] ^ way % 2)]
    if strength_of(1, False, up) > beat:
        return (1 << cards + 1) - 1
    need = beat // PER_CARD
    equal, rising, falling, above = steps(s, first, cards, beat % MATCH)
    as_long, longer = beating(equal, rising, falling, above, cards, beat)
    # To the right of the earliest end of such a set (the lowest bit), to the left of the latest start (all bits below).
    right_of = -((as_long & -as_long) << need) | -((longer & -longer) << need + 1)
    left_of = as_long | longer
    for shift in (1, 2, 4, 8, 16, 32):
        left_of |= left_of >> shift
    fine = right_of | left_of
    near = 0
    for place in range(cards):
        near |= (abs(number(s, first + place) - up) <= 1) << place
    near |= near << 1
    if need == 1:
        return fine | near
    near &= ~fine
    for place in range(cards + 1):
        if near >> place & 1 and makes_set(s, first, cards, place, up, beat):
            fine |= 1 << place
    return fine


@rule
def makes_set(s: ScoutPosition, first: int, cards: int, place: int, up: int, beat: int) -> bool:
    """Would a card with `up` up, put at this place of a hand, make a set that beats a strength?"""
    need = beat // PER_CARD
    for step in range(-1, 2):
        left = place
        while left > 0 and number(s, first + left - 1) == up - step * (place - left + 1):
            left -= 1
        right = place
        while right < cards and number(s, first + right) == up + step * (right - place + 1):
            right += 1
        length = right - left + 1
        if length > need or (length == need and slice_strength(up - step * (place - left), step, length) > beat):
            return True
    return False


# --- playing ----------------------------------------------------------------------------------------------------------


@rule
def apply(s: ScoutPosition, seat: int, action: int) -> None:
    """Play a legal action."""
    s.last_seat = seat
    if action < SCOUT:
        show(s, seat, action // MAX_SET, action % MAX_SET + 1)
    elif action < SCOUT_AND_SHOW:
        scout(s, seat, action - SCOUT)
        end_scout(s, seat)
    elif action < KEEP:
        scout(s, seat, action - SCOUT_AND_SHOW)
        s.marker[seat] = 0
        s.phase = SHOWING
    elif action < CONTINUE:
        s.sealed[seat] = action
        s.acting = s.acting & ~(1 << seat)
        if s.acting == 0:
            flip_hands(s)
    else:
        s.acting = s.acting & ~(1 << seat)
        if s.acting == 0:
            s.starter = (s.starter + 1) % s.seats
            if s.seats == TWO_PLAYERS:
                deal_second(s)
            else:
                deal_round(s, np.empty(0, np.int64))
            s.turn = s.starter


@rule
def show(s: ScoutPosition, seat: int, place: int, cards: int) -> None:
    """Win the Active Set and lay a slice of the own hand in its place (rules 5.5)."""
    s.won[seat] += s.active
    s.out += s.active
    first = base(s, seat) + place
    if s.opt.scout_insert_public == ScoutInsertPublic.YES:  # SCT-14
        leave(s, seat, first, cards)
    end = row_end(s) - cards
    for i in range(cards):
        slot = table_slot(s.out + i)
        kind = s.card[first + i]
        s.card[slot] = kind
        s.flip[slot] = s.flip[first + i]
        s.known[slot] = EVERYONE
        s.held[kind] = NOT_HELD
    for slot in range(first, end):
        s.card[slot] = s.card[slot + cards]
        s.flip[slot] = s.flip[slot + cards]
        s.known[slot] = s.known[slot + cards]
    for slot in range(end, end + cards):
        empty(s, slot)
    s.hand[seat] -= cards
    s.active = cards
    s.owner = seat
    s.shower = seat
    s.strength = active_strength(s, 0, 0)
    s.passes = 0
    s.turns += 1
    s.phase = TURN
    if s.hand[seat] == 0:
        end_round(s, seat)
    else:
        next_turn(s, seat + 1 if seat + 1 < s.seats else 0)


@rule
def scout(s: ScoutPosition, seat: int, way: int) -> None:
    """Take an end of the Active Set into the own hand; its owner gets a coin (SCT-11), for two it costs a chip."""
    place = way % PLACES
    turn = way // PLACES % 2
    right = way // PLACES // 2
    last = table_slot(s.out + s.active - 1)
    taken = last if right else table_slot(s.out)
    kind = s.card[taken]
    way_up = s.flip[taken]
    for i in range(taken - last):
        s.card[taken - i] = s.card[taken - i - 1]
        s.flip[taken - i] = s.flip[taken - i - 1]
    empty(s, last)
    first = base(s, seat)
    # Each hand from here on ends one slot later.
    border = first
    for other in range(seat, s.seats):
        border += s.hand[other]
        s.known[border] = 1 << other
    push, push_up = kind, way_up ^ turn
    for slot in range(first + place, border + 1):
        next_kind, next_up = s.card[slot], s.flip[slot]
        s.card[slot] = push
        s.flip[slot] = push_up
        push, push_up = next_kind, next_up
    s.last_kind = kind
    s.last_flip = way_up
    s.last_end = right
    s.last_owner = s.owner
    s.last_only = s.active == 1
    s.last_place = -1
    s.last_turn = -1
    s.held[kind] = seat
    if s.opt.scout_insert_public == ScoutInsertPublic.YES:  # SCT-14
        s.last_place = place
        s.last_turn = turn
        s.way_up[kind] = way_up ^ turn
        put_in(s, seat, kind, place)
    s.hand[seat] += 1
    s.active -= 1
    if s.seats == TWO_PLAYERS:
        s.coins[seat] -= 1
    else:
        s.coins[s.owner] += 1
    if s.active == 0:  # SCT-6
        s.owner = -1
    s.strength = active_strength(s, 0, 0)


@rule
def end_scout(s: ScoutPosition, seat: int) -> None:
    """After a plain Scout: the round ends when all others scouted in a row (SCT-7, SCT-8); two players go on."""
    s.turns += 1
    if s.seats == TWO_PLAYERS:
        next_turn(s, seat)
        return
    s.passes += 1
    if s.passes == s.seats - 1:
        end_round(s, s.shower)
    else:
        next_turn(s, seat + 1 if seat + 1 < s.seats else 0)


@rule
def next_turn(s: ScoutPosition, seat: int) -> None:
    """It is this seat's turn, unless it can do nothing (two players) or the guard is reached."""
    s.turn = seat
    s.acting = 1 << seat
    beat = s.strength
    no_chip = s.seats == TWO_PLAYERS and beat > 0 and s.coins[seat] == 0
    if no_chip and not can_show(s, base(s, seat), s.hand[seat], beat):
        s.stuck = seat
        end_round(s, s.shower)
    elif s.turns >= TURN_CAP:
        end_round(s, -1)


# --- the end of a round -----------------------------------------------------------------------------------------------


@rule
def rounds(s: ScoutPosition) -> int:
    """How many rounds the match has (rules 5.1)."""
    return ROUNDS_FOR_TWO if s.seats == TWO_PLAYERS else s.seats


@rule
def round_score(s: ScoutPosition, seat: int) -> int:
    """Cards won and coins (or chips left, SCT-17), less the cards in hand unless the seat ended the round."""
    gained = s.won[seat] + s.coins[seat]
    return gained if seat == s.ender else gained - s.hand[seat]


@rule
def end_round(s: ScoutPosition, ender: int) -> None:
    """Score the round (rules 5.6); after the last one everything is opened."""
    s.ender = ender
    for seat in range(s.seats):
        s.score[seat] = round_score(s, seat)
        s.total[seat] += s.score[seat]
    s.phase = SCORING
    s.acting = (1 << s.seats) - 1
    if s.round_number == rounds(s):
        s.over = DECIDED
        s.acting = 0
        for slot in range(SLOTS):
            s.known[slot] = EVERYONE
        for kind in range(KINDS):
            s.held[kind] = NOT_HELD


@rule
def returns(s: ScoutPosition, out: Floats) -> None:
    """Each seat's total."""
    for seat in range(s.seats):
        out[seat] = s.total[seat]


# --- what is seen -----------------------------------------------------------------------------------------------------


@rule
def shown(s: ScoutPosition, slot: int, viewer: int) -> bool:
    """Score piles lie face down, what was won is only remembered; in the end everything is open."""
    return s.over != RUNNING or SLOTS - 1 - slot >= s.out


@rule
def mask_recalled(s: ScoutPosition) -> None:
    """What only a good memory knows: which scouted cards are in which hand."""
    for kind in range(KINDS):
        s.held[kind] = NOT_HELD
        s.way_up[kind] = -1
    silence(s)
    mask_secrets(s, s.viewer)


@rule
def mask_secrets(s: ScoutPosition, viewer: int) -> None:
    """Which way up an unknown card lies is as secret as the card."""
    for slot in range(SLOTS):
        if s.card[slot] == UNKNOWN:
            s.flip[slot] = 0


# --- what the rules tell by themselves --------------------------------------------------------------------------------


def _starter_known(before: View | None, after: View) -> bool:
    return before is None and any(holder != NOT_HELD for holder in record(after, ScoutPosition).held)


def _stuck(before: View | None, after: View) -> bool:
    return before is not None and record(after, ScoutPosition).stuck >= 0


def _stuck_in_the_end(before: View | None, after: View) -> bool:
    return _stuck(before, after) and after.over != RUNNING


def _places_said(before: View | None, after: View) -> bool:
    return record(after, ScoutPosition).opt.scout_insert_public == ScoutInsertPublic.YES


TOLD = (
    Told(
        ("starter", "turn", "held"),
        "SCT-13: with start=holder_1_2 the player who was dealt the 1-2 starts",
        _starter_known,
    ),
    Told(
        ("stuck", "ender", "phase", "acting", "score", "total"),
        "rules 5.7: a player of two who can neither show nor scout ends the round",
        _stuck,
    ),
    Told(
        ("over", "card", "flip", "known", "held"),
        "rules 5.6: that was the last round, and everything is opened",
        _stuck_in_the_end,
    ),
    Told(
        ("last_place", "last_turn", "way_up", "said"),
        "SCT-14: with scout_insert_public=yes all see where a scouted card goes and which way up",
        _places_said,
        choice=True,
    ),
)

RULES = RuleSet(
    record=ScoutPosition,
    actions=ACTIONS,
    kinds=KINDS,
    deck=deck,
    check=check,
    plain=plain,
    turned=TURNED,
    deal=deal,
    legal=legal,
    apply=apply,
    returns=returns,
    shown=shown,
    mask_secrets=mask_secrets,
    mask_recalled=mask_recalled,
    pools=pools,
    place_known=place_known,
    is_consistent=is_consistent,
    pause=CONTINUE,
    faces=("card", "flip"),
    told=TOLD,
)
