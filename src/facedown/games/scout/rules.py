"""The rules of SCOUT, compiled. Every ruling cited here (SCT-…) is in ``docs/rules/scout.md``.

A Scout and Show is two actions inside: the Scout, offered only when a Show can follow it, and then that Show, which
nothing can come between. To everybody it is one turn.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import below, generator, next_word, shuffle, stack
from facedown.core.options import index_of
from facedown.core.rule import rule
from facedown.core.state import DECIDED, EMPTY, EVERYONE, MAX_SEATS, OPEN, RUNNING, UNKNOWN
from facedown.core.told import Told
from facedown.games.scout import OPTIONS
from facedown.games.scout.deck import FACE, HAND_OF, KINDS, ONE_TWO, TURNED, TWO_PLAYERS, deck_of, in_deck, wide
from facedown.games.scout.joint import drop, leave, put_in, silence
from facedown.games.scout.state import (
    ASIDE,
    DTYPE,
    FLIPPING,
    LEFT_OVER,
    MATCH,
    MAX_HAND,
    MAX_SET,
    NOT_HELD,
    PER_CARD,
    PLAYERS,
    SCORING,
    SHOWING,
    SLOTS,
    TURN,
    State,
    active_strength,
    base,
    beating,
    can_show,
    number,
    row_end,
    slice_strength,
    steps,
    strength_of,
    table_slot,
)
from facedown.games.scout.worlds import fits, pool, pools, settle

__all__ = ["DTYPE", "KINDS", "fits", "pool", "pools", "settle"]

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
#: Random bits in one draw.
BITS = 32
_HANDS = np.array(HAND_OF, np.int64)

# --- options, as positions in the encoded array
AT_START = index_of(OPTIONS.options, "start")
AT_FLIP_PUBLIC = index_of(OPTIONS.options, "flip_public")
AT_FLIP_ORDER = index_of(OPTIONS.options, "flip_order")
AT_INSERT_PUBLIC = index_of(OPTIONS.options, "scout_insert_public")
START_RANDOM = 0
START_HOLDER = 1
START_NAMED = 2

#: A face is a card and which way up it lies.
FACES = ("card", "flip")
TOLD = (
    Told(
        ("starter", "turn", "held"),
        "SCT-13: with start=holder_1_2 the player who was dealt the 1-2 starts",
        lambda before, after: before is None and bool((after.held != NOT_HELD).any()),
    ),
    Told(
        ("stuck", "ender", "phase", "acting", "score", "total"),
        "rules 5.7: a player of two who can neither show nor scout ends the round",
        lambda before, after: before is not None and after.stuck >= 0,
    ),
    Told(
        ("over", "card", "flip", "known", "held"),
        "rules 5.6: that was the last round, and everything is opened",
        lambda before, after: before is not None and after.stuck >= 0 and after.over != RUNNING,
    ),
    Told(
        ("last_place", "last_turn", "way_up", "said"),
        "SCT-14: with scout_insert_public=yes all see where a scouted card goes and which way up",
        lambda before, after: after.insert_public == 1,
        choice=True,
    ),
)


def check(seats: int, options: NDArray[np.int32]) -> str:
    """Why a match cannot be set up like this, or nothing: the named starter needs a seat (SCT-13)."""
    named = int(options[AT_START + 1])
    if int(options[AT_START]) == START_NAMED and named >= seats:
        return f"start = named({named}): {seats} players have the seats 0 to {seats - 1}"
    return ""


def deck(seats: int, options: NDArray[np.int32], counts: NDArray[np.int32]) -> None:
    """Write how many cards of each kind the deck has (rules 5.2)."""
    deck_of(seats, counts)


def plain(kind: int) -> int:
    """The kind in the deck of a card of an explicit deal, which may be turned."""
    return kind - TURNED if kind >= TURNED else kind


# --- dealing --------------------------------------------------------------------------------------------------------


@rule
def deal(
    s: State,
    seats: int,
    options: NDArray[np.int32],
    key: NDArray[np.uint32],
    deck: NDArray[np.uint8],
    first: int,
) -> None:
    """Set up a match and deal its first round; `first` is the start player where chance would pick, -1 for chance.

    `deck` names the first cards from the top, with `TURNED` added to those that lie with the higher number up.
    """
    s.seats = seats
    s.viewer = -1
    for i in range(8):
        s.key[i] = key[i]
    s.insert_public = options[AT_INSERT_PUBLIC]
    s.flip_public = 1 - options[AT_FLIP_PUBLIC]
    s.reverse_flip = options[AT_FLIP_ORDER]
    s.over = RUNNING
    s.round_number = 0
    s.stream = 0
    for seat in range(MAX_SEATS):
        s.sealed[seat] = OPEN
    for seat in range(PLAYERS):
        s.total[seat] = 0
        s.score[seat] = 0
    picked = first
    if picked < 0:
        picked = below(generator(s.key, wide(s.stream)), seats)
    s.stream += 1
    deal_round(s, deck)
    start = wide(options[AT_START])
    if start == START_NAMED:
        picked = wide(options[AT_START + 1])
    elif start == START_HOLDER:
        holder = dealt_to(s, ONE_TWO)
        s.held[ONE_TWO] = ASIDE if holder < 0 else holder
        if holder >= 0:
            picked = holder
    s.starter = picked
    s.turn = picked


@rule
def dealt_to(s: State, kind: int) -> int:
    """Whose hand a card was dealt to, or -1 if it was set aside."""
    for seat in range(wide(s.seats)):
        first = base(s, seat)
        for place in range(wide(s.hand[seat])):
            if s.card[first + place] == kind:
                return seat
    return -1


@rule
def deal_round(s: State, deck: NDArray[np.uint8]) -> None:
    """Shuffle everything, turn each card by chance, deal whole hands (rules 5.3)."""
    seats = wide(s.seats)
    cards = np.empty(KINDS, np.uint8)
    n = 0
    for kind in range(KINDS):
        cards[n] = kind
        if in_deck(seats, kind):
            n += 1
    g = generator(s.key, wide(s.stream))
    s.stream += 1
    named = len(deck)
    if named > 0:
        kinds = np.empty(named, np.uint8)
        for i in range(named):
            kinds[i] = wide(deck[i]) % TURNED
        named = stack(cards, n, kinds)
    shuffle(g, cards, named, n, n)

    for slot in range(SLOTS):
        s.card[slot] = EMPTY
    for slot in range(SLOTS):
        s.flip[slot] = 0
    for slot in range(SLOTS):
        s.known[slot] = EVERYONE
    each = _HANDS[seats]
    s.aside = n - seats * each
    bits = 0
    for i in range(n):
        if i % BITS == 0:
            bits = next_word(g)
        # The cards set aside lie before the hands.
        slot = i + wide(s.aside) if i < seats * each else i - seats * each
        s.card[slot] = cards[i]
        s.flip[slot] = wide(deck[i]) // TURNED if i < named else bits >> i % BITS & 1
        s.known[slot] = 1 << i // each if i < seats * each else 0
    s.out = 0
    s.stuck_strength = 0
    s.stuck_first = 0
    s.stuck_cards = 0
    for kind in range(KINDS):
        s.held[kind] = NOT_HELD
    for kind in range(KINDS):
        s.way_up[kind] = -1
    silence(s)
    begin(s)


@rule
def deal_second(s: State) -> None:
    """Round two of two players: what is left goes out of play, the cards set aside become the hands (rules 5.7)."""
    s.out += s.active
    # The leavings in the order in which they go out: kind, way up, and who knows it.
    leavings = np.empty((KINDS, 3), np.int64)
    n = 0
    for seat in range(TWO_PLAYERS):
        first = base(s, seat)
        cards = wide(s.hand[seat])
        if seat == s.stuck:
            # That nothing in this row could be shown is still known: it keeps its order, its last card goes first.
            s.stuck_strength = s.strength
            s.stuck_cards = cards
            s.stuck_first = table_slot(wide(s.out) + n + cards - 1)
            for slot in range(first + cards - 1, first - 1, -1):
                leavings[n] = (wide(s.card[slot]), wide(s.flip[slot]), 1 << seat)
                n += 1
        else:
            # A row that says nothing any more: cards known to be in it first, all in the order of their kinds.
            for public in range(1, -1, -1):
                for kind in range(KINDS):
                    for slot in range(first, first + cards):
                        if s.card[slot] == kind and (s.held[kind] == seat) == (public == 1):
                            leavings[n] = (kind, 0, EVERYONE if public == 1 else 1 << seat)
                            n += 1
    keep_held(s)
    for slot in range(wide(s.aside), row_end(s)):
        empty(s, slot)
    for i in range(n):
        slot = table_slot(wide(s.out))
        s.card[slot] = leavings[i, 0]
        s.flip[slot] = leavings[i, 1]
        s.known[slot] = leavings[i, 2]
        s.out += 1
    for slot in range(wide(s.aside)):
        s.known[slot] = 1 << slot // _HANDS[TWO_PLAYERS]
    s.aside = 0
    begin(s)


@rule
def keep_held(s: State) -> None:
    """Of the hands of round one only the stuck one still says something: what is known of it is kept."""
    for kind in range(KINDS):
        if s.stuck >= 0 and s.held[kind] == s.stuck:
            s.held[kind] = LEFT_OVER
        elif s.held[kind] != ASIDE:
            s.held[kind] = NOT_HELD
    for seat in range(TWO_PLAYERS):
        drop(s, seat, LEFT_OVER if seat == s.stuck else -1)


@rule
def empty(s: State, slot: int) -> None:
    """No card lies in this slot, for all to see."""
    s.card[slot] = EMPTY
    s.flip[slot] = 0
    s.known[slot] = EVERYONE


@rule
def begin(s: State) -> None:
    """The hands lie ready: everybody may flip."""
    seats = wide(s.seats)
    for seat in range(PLAYERS):
        s.hand[seat] = _HANDS[seats] if seat < seats else 0
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
def flip_hands(s: State) -> None:
    """All have chosen: turn the hands of those who flip (SCT-5, SCT-18), and the first turn begins."""
    for seat in range(wide(s.seats)):
        flips = s.sealed[seat] == FLIP
        s.sealed[seat] = OPEN
        s.flipped[seat] = int(flips) if s.flip_public == 1 else -1
        if flips:
            first = base(s, seat)
            cards = wide(s.hand[seat])
            for slot in range(first, first + cards):
                s.flip[slot] = 1 - wide(s.flip[slot])
            if s.reverse_flip == 1:
                for place in range(cards // 2):
                    swap(s, first + place, first + cards - 1 - place)
    s.phase = TURN
    s.turn = s.starter
    s.acting = 1 << wide(s.turn)


@rule
def swap(s: State, a: int, b: int) -> None:
    """Two cards of one hand change places."""
    kind, way = int(s.card[a]), int(s.flip[a])
    s.card[a], s.flip[a] = s.card[b], s.flip[b]
    s.card[b], s.flip[b] = kind, way


# --- legal actions ----------------------------------------------------------------------------------------------------


@rule
def legal(s: State, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat, ascending; return how many there are."""
    if not int(s.acting) >> seat & 1:
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
def shows(s: State, seat: int, out: NDArray[np.int32]) -> int:
    """Write the Shows of a hand that beat the Active Set (SCT-2, SCT-3), ascending; return how many there are."""
    cards = wide(s.hand[seat])
    beat = wide(s.strength)
    need: int = max(1, beat // PER_CARD)
    equal, rising, falling, above = steps(s, base(s, seat), cards, beat % MATCH)
    as_long, longer = beating(equal, rising, falling, above, cards, beat)
    n = 0
    if as_long | longer == 0:
        return n
    joined = longer & (equal & equal >> need | rising & rising >> need | falling & falling >> need)
    action = SHOW + need - 1
    for place in range(cards):
        # Written always, counted if it is one.
        out[n] = action
        n += as_long >> place & 1
        out[n] = action + 1
        n += longer >> place & 1
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
def goes_on(same: int, place: int, steps: int) -> bool:
    """Are this step of a row and as many after it all the same?"""
    run = (1 << steps + 1) - 1
    return same >> place & run == run


@rule
def scouts(s: State, seat: int, out: NDArray[np.int32], n: int) -> int:
    """Append the Scouts, and the Scouts of Scout and Show (SCT-1)."""
    if s.seats == TWO_PLAYERS and s.coins[seat] == 0:
        return n
    ways = 4 if s.active > 1 else 2
    places = wide(s.hand[seat]) + 1
    for way in range(ways):
        for place in range(places):
            out[n + place] = SCOUT + way * PLACES + place
        n += places
    if s.marker[seat] == 1:
        first = base(s, seat)
        for way in range(ways):
            fine = places_to_show(s, first, places - 1, way)
            for place in range(places):
                out[n] = SCOUT_AND_SHOW + way * PLACES + place
                n += fine >> place & 1
    return n


@rule
def places_to_show(s: State, first: int, cards: int, way: int) -> int:
    """Where a scouted card leaves a legal Show (SCT-9, SCT-10): a bit for each place that it can go to.

    A set that the card does not part still stands, or the card makes a new one.
    """
    right = way // 2
    beat = active_strength(s, 1 - right, right)
    slot = table_slot(int(s.out) + (int(s.active) - 1) * right)
    up = FACE[wide(s.card[slot]) + TURNED * (wide(s.flip[slot]) ^ way % 2)]
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
        near |= int(abs(number(s, first + place) - up) <= 1) << place
    near |= near << 1
    if need == 1:
        return fine | near
    near &= ~fine
    for place in range(cards + 1):
        if near >> place & 1 and makes_set(s, first, cards, place, up, beat):
            fine |= 1 << place
    return fine


@rule
def makes_set(s: State, first: int, cards: int, place: int, up: int, beat: int) -> bool:
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
def apply(s: State, seat: int, action: int) -> None:
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
        s.acting = int(s.acting) & ~(1 << seat)
        if s.acting == 0:
            flip_hands(s)
    else:
        s.acting = int(s.acting) & ~(1 << seat)
        if s.acting == 0:
            s.starter = (int(s.starter) + 1) % int(s.seats)
            if s.seats == TWO_PLAYERS:
                deal_second(s)
            else:
                deal_round(s, np.empty(0, np.uint8))
            s.turn = s.starter


@rule
def show(s: State, seat: int, place: int, cards: int) -> None:
    """Win the Active Set and lay a slice of the own hand in its place (rules 5.5)."""
    s.won[seat] += s.active
    s.out += s.active
    first = base(s, seat) + place
    if s.insert_public == 1:
        leave(s, seat, first, cards)
    end = row_end(s) - cards
    for i in range(cards):
        slot = table_slot(int(s.out) + i)
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
def scout(s: State, seat: int, way: int) -> None:
    """Take an end of the Active Set into the own hand; its owner gets a coin (SCT-11), for two it costs a chip."""
    place = wide(way) % PLACES
    turn = way // PLACES % 2
    right = way // PLACES // 2
    last = table_slot(int(s.out) + int(s.active) - 1)
    taken = last if right else table_slot(int(s.out))
    kind = int(s.card[taken])
    way_up = int(s.flip[taken])
    for i in range(taken - last):
        s.card[taken - i] = s.card[taken - i - 1]
        s.flip[taken - i] = s.flip[taken - i - 1]
    empty(s, last)
    first = base(s, seat)
    # Each hand from here on ends one slot later.
    border = first
    for other in range(seat, wide(s.seats)):
        border += wide(s.hand[other])
        s.known[border] = 1 << other
    push, push_up = kind, way_up ^ turn
    for slot in range(first + place, border + 1):
        next_kind, next_up = wide(s.card[slot]), wide(s.flip[slot])
        s.card[slot] = push
        s.flip[slot] = push_up
        push, push_up = next_kind, next_up
    s.last_kind = kind
    s.last_flip = way_up
    s.last_end = right
    s.last_owner = s.owner
    s.last_only = int(s.active == 1)
    s.last_place = -1
    s.last_turn = -1
    s.held[kind] = seat
    if s.insert_public == 1:  # SCT-14
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
def end_scout(s: State, seat: int) -> None:
    """After a plain Scout: the round ends when all others scouted in a row (SCT-7, SCT-8); two players go on."""
    s.turns += 1
    if s.seats == TWO_PLAYERS:
        next_turn(s, seat)
        return
    s.passes += 1
    if int(s.passes) == int(s.seats) - 1:
        end_round(s, wide(s.shower))
    else:
        next_turn(s, seat + 1 if seat + 1 < s.seats else 0)


@rule
def next_turn(s: State, seat: int) -> None:
    """It is this seat's turn, unless it can do nothing (two players) or the guard is reached."""
    s.turn = seat
    s.acting = 1 << seat
    beat = wide(s.strength)
    no_chip = s.seats == TWO_PLAYERS and beat > 0 and s.coins[seat] == 0
    if no_chip and not can_show(s, base(s, seat), wide(s.hand[seat]), beat):
        s.stuck = seat
        end_round(s, wide(s.shower))
    elif s.turns >= TURN_CAP:
        end_round(s, -1)


# --- the end of a round -----------------------------------------------------------------------------------------------


@rule
def rounds(s: State) -> int:
    """How many rounds the match has (rules 5.1)."""
    return ROUNDS_FOR_TWO if s.seats == TWO_PLAYERS else int(s.seats)


@rule
def round_score(s: State, seat: int) -> int:
    """Cards won and coins (or chips left, SCT-17), less the cards in hand unless the seat ended the round."""
    gained = int(s.won[seat]) + int(s.coins[seat])
    return gained if seat == s.ender else gained - int(s.hand[seat])


@rule
def end_round(s: State, ender: int) -> None:
    """Score the round (rules 5.6); after the last one everything is opened."""
    s.ender = ender
    for seat in range(wide(s.seats)):
        s.score[seat] = round_score(s, seat)
        s.total[seat] += s.score[seat]
    s.phase = SCORING
    s.acting = (1 << wide(s.seats)) - 1
    if int(s.round_number) == rounds(s):
        s.over = DECIDED
        s.acting = 0
        for slot in range(SLOTS):
            s.known[slot] = EVERYONE
        for kind in range(KINDS):
            s.held[kind] = NOT_HELD


@rule
def returns(s: State, out: NDArray[np.float64]) -> None:
    """Each seat's total."""
    for seat in range(wide(s.seats)):
        out[seat] = float(s.total[seat])


# --- what is seen -----------------------------------------------------------------------------------------------------


@rule
def shown(s: State, slot: int, viewer: int) -> bool:
    """Score piles lie face down, what was won is only remembered; in the end everything is open."""
    return s.over != RUNNING or SLOTS - 1 - slot >= int(s.out)


@rule
def forget(s: State) -> None:
    """What only a good memory knows: which scouted cards are in which hand."""
    for kind in range(KINDS):
        s.held[kind] = NOT_HELD
        s.way_up[kind] = -1
    silence(s)
    conceal(s, wide(s.viewer))


@rule
def conceal(s: State, viewer: int) -> None:
    """Which way up an unknown card lies is as secret as the card."""
    for slot in range(SLOTS):
        if s.card[slot] == UNKNOWN:
            s.flip[slot] = 0
