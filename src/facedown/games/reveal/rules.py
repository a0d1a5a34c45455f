"""The rules of Reveal, compiled. Every ruling cited here (REV-…) is in ``docs/rules/reveal.md``.

A slot of the layout is the place of its card in the deal (rules 1.3), so that dealing a hand is the shuffle itself. The
play stack of a row, the hand taken from it and the row it is laid into are the same three slots: at first the cards'
places in the hand, then the columns.
"""

from __future__ import annotations

from typing import Annotated, Protocol

import numpy as np
from numpy.typing import NDArray

from facedown.core.chance import generator, shuffle, stack
from facedown.core.options import index_of
from facedown.core.rule import rule, wide
from facedown.core.state import (
    ABANDONED,
    DECIDED,
    EMPTY,
    EVERYONE,
    I1,
    MAX_SEATS,
    OPEN,
    RUNNING,
    U1,
    U2,
    Common,
    layout,
)
from facedown.games.reveal import OPTIONS
from facedown.games.reveal.deck import CUSTOM_INDEX, FULL, KINDS, LAID, MAX_CARDS, NEED, TICKET, WILD

SEATS = 2
ROWS = 3
COLUMNS = 3
BOTH = 3

# --- slots
BASE = 0
SIDES = BASE + ROWS * COLUMNS
FINALS = SIDES + SEATS * ROWS * COLUMNS
#: Behind the layout: the discard pile (bottom first), then the draw pile (its top first), then what earlier hands have
#: used up. A swap exchanges a card of a hand with the top of the draw pile, which so becomes the top discard.
STOCK = FINALS + SEATS
SLOTS = MAX_CARDS
assert STOCK == LAID

# --- phases
SWAP = 0
PLACE = 1
FINAL = 2
SCORING = 3

# --- actions
SWAP_SET = 0
"""Plus a mask of hand places: swap these cards (the empty mask: none)."""
STOP = SWAP_SET + 8
"""With ``swap_batch=no``: swap no more."""
PLACE_ALL = STOP + 1
"""Plus the number of an order (`ORDERS`): lay the three hand cards."""
ORDERS = np.array([(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)], np.int64)
"""The column of each hand card."""
CHOOSE = PLACE_ALL + len(ORDERS)
"""Plus a column: lay the Final Card at its end."""
CHOOSE_CONFIRM = CHOOSE + COLUMNS
"""Plus a column, with ``final_mode=alternate``: choose and confirm in one turn."""
CONFIRM = CHOOSE_CONFIRM + COLUMNS
CONTINUE = CONFIRM + 1
ACTIONS = CONTINUE + 1

#: Fewer counted cards than this are worth nothing (rules 1.5).
MINIMUM = 3
#: Guard against endless play (rules 1.7): hands in a match whose options set no bound.
HAND_CAP = 100

# --- final_mode
FINAL_OPEN = 0
FINAL_ALTERNATE = 1
FINAL_SEALED = 2

# --- options, as positions in the encoded array
_AT = {o.name: index_of(OPTIONS.options, o.name) for o in OPTIONS.options}
AT_DECK = _AT["deck"]
AT_PEEKING = _AT["peeking"]
AT_FINAL_UNLOCKS = _AT["final_unlocks"]
AT_FINAL_MODE = _AT["final_mode"]
AT_CAP = _AT["final_changes_cap"]
AT_SWAP_ORDER = _AT["swap_order"]
AT_SWAP_BATCH = _AT["swap_batch"]
AT_FIRST_DEALT = _AT["first_dealt"]
AT_RESHUFFLE = _AT["reshuffle"]
AT_END = _AT["end"]
AT_TIE = _AT["tie"]


class State(Common, Protocol):
    """A match of Reveal. Slots: base rows, both sides row by row, Final Cards, and the piles."""

    copies: Annotated[NDArray[np.uint8], "u1", (KINDS,)]
    """The deck: copies of each kind."""
    cards: U1
    peeking: U1
    final_unlocks: U1
    final_mode: U1
    final_cap: U1
    by_arrival: U1
    one_by_one: U1
    alternate_deal: U1
    deal_on: U1
    to_goal: U1
    end_at: U2
    """The number of hands, or the goal."""
    extra_hands: U1
    phase: U1
    row: U1
    """The row being played, 0 to 2; 3 from the final round on."""
    hand_number: U2
    live: U1
    """How many cards are left of the deck for this hand, the layout included (all, unless dealt on)."""
    drawn: U1
    """Cards swapped in this hand: on the discard pile and off the draw pile."""
    swapped: Annotated[NDArray[np.uint8], "u1", (SEATS,)]
    """How many cards each seat has swapped for this row."""
    first_in: I1
    """Who committed first to the swap under way (with ``swap_order=arrival``), or -1."""
    choice: Annotated[NDArray[np.int8], "i1", (SEATS,)]
    """The column of each Final Card, or -1."""
    confirmed: U1
    """A bit for each seat that has confirmed its column."""
    changes: Annotated[NDArray[np.uint8], "u1", (SEATS,)]
    """How often each seat has chosen in this final round."""
    score: Annotated[NDArray[np.int8], "i1", (SEATS,)]
    """The points of the hand scored last."""
    colour: Annotated[NDArray[np.int8], "i1", (SEATS,)]
    """The colour each seat scored with in that hand, or -1."""
    total: Annotated[NDArray[np.int16], "i2", (SEATS,)]
    card: Annotated[NDArray[np.uint8], "u1", (SLOTS,)]
    known: Annotated[NDArray[np.uint16], "u2", (SLOTS,)]


DTYPE = layout(State)


def _numbers(options: NDArray[np.int32]) -> tuple[int, int, int]:
    reading = int(options[AT_DECK])
    if reading == CUSTOM_INDEX:
        return int(options[AT_DECK + 1]), int(options[AT_DECK + 2]), int(options[AT_DECK + 3])
    return TICKET if reading else FULL


def check(seats: int, options: NDArray[np.int32]) -> str:
    """Why a match cannot be set up like this, or nothing (rules 1.2: a hand needs 41 cards)."""
    colours, copies, wilds = _numbers(options)
    cards = colours * copies + wilds
    if cards < NEED:
        return f"deck: {colours} colours of {copies} and {wilds} wilds are {cards} cards, a hand needs at least {NEED}"
    return f"deck: {cards} cards, there is room for {MAX_CARDS}" if cards > MAX_CARDS else ""


def deck(seats: int, options: NDArray[np.int32], counts: NDArray[np.int32]) -> None:
    """Write how many cards of each kind the deck has."""
    colours, copies, wilds = _numbers(options)
    counts[:] = 0
    counts[:colours] = copies
    counts[WILD] = wilds


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
    """Set up a match and deal its first hand. Chance picks no seat in Reveal: `first` has no effect (REV-13)."""
    s.seats = seats
    s.viewer = -1
    for i in range(8):
        s.key[i] = key[i]
    s.stream = 0
    s.over = RUNNING
    for seat in range(MAX_SEATS):
        s.sealed[seat] = OPEN
    colours, copies, wilds = FULL
    if options[AT_DECK] == 1:
        colours, copies, wilds = TICKET
    elif options[AT_DECK] == CUSTOM_INDEX:
        colours, copies, wilds = options[AT_DECK + 1], options[AT_DECK + 2], options[AT_DECK + 3]
    for kind in range(WILD):
        s.copies[kind] = copies if kind < colours else 0
    s.copies[WILD] = wilds
    s.cards = colours * copies + wilds
    s.peeking = options[AT_PEEKING]
    s.final_unlocks = options[AT_FINAL_UNLOCKS]
    s.final_mode = options[AT_FINAL_MODE]
    s.final_cap = options[AT_CAP + 1]
    s.by_arrival = options[AT_SWAP_ORDER]
    s.one_by_one = options[AT_SWAP_BATCH]
    s.alternate_deal = options[AT_FIRST_DEALT]
    s.deal_on = options[AT_RESHUFFLE]
    s.to_goal = options[AT_END]
    s.end_at = options[AT_END + 1]
    s.extra_hands = options[AT_TIE]
    for seat in range(SEATS):
        s.total[seat] = 0
        s.score[seat] = 0
        s.colour[seat] = -1
    s.hand_number = 0
    for slot in range(SLOTS):
        s.card[slot] = EMPTY
        s.known[slot] = EVERYONE
    s.live = 0
    s.drawn = 0
    next_hand(s, deck)


@rule
def shuffle_all(s: State, deck: NDArray[np.uint8]) -> None:
    """Shuffle all cards straight into the layout; `deck` may name the first ones from the top."""
    n = 0
    for kind in range(KINDS):
        for _ in range(s.copies[kind]):
            s.card[n] = kind
            n += 1
    # With a fresh shuffle for every hand nobody ever sees a card below the 41st.
    stop = n if s.deal_on == 1 else NEED
    shuffle(generator(s.key, wide(s.stream)), s.card, stack(s.card, n, deck), n, stop)
    s.stream += 1
    for slot in range(n):
        s.known[slot] = 0
    s.live = n


@rule
def begin_row(s: State) -> None:
    """REVEAL and DRAW: the base row is turned up (REV-9), each player takes the row's play stack."""
    row = int(s.row)
    for column in range(COLUMNS):
        s.known[ROWS * row + column] = EVERYONE
        for seat in range(SEATS):
            s.known[side(seat, row, column)] = 1 << seat
    s.swapped[0] = 0
    s.swapped[1] = 0
    s.first_in = -1
    s.phase = SWAP
    s.acting = BOTH


@rule
def next_hand(s: State, deck: NDArray[np.uint8]) -> None:
    """Shuffle everything, or deal on from the draw pile while it lasts (REV-14)."""
    used = LAID + int(s.drawn)
    left = int(s.live) - used
    if s.deal_on == 0 or left < NEED:
        shuffle_all(s, deck)
    else:
        kinds = np.empty(NEED, np.uint8)
        who = np.empty(NEED, np.uint16)
        for i in range(used):
            kinds[i] = s.card[i]
            who[i] = s.known[i]
        for i in range(left):
            s.card[i] = s.card[i + used]
            s.known[i] = s.known[i + used]
        for i in range(used):
            s.card[left + i] = kinds[i]
            s.known[left + i] = who[i]
        s.live = left
    s.hand_number += 1
    if s.alternate_deal == 1 and s.hand_number % 2 == 0:  # REV-13
        for slot in range(SIDES, STOCK, SEATS):
            kind = s.card[slot]
            s.card[slot] = s.card[slot + 1]
            s.card[slot + 1] = kind
    s.drawn = 0
    s.confirmed = 0
    for seat in range(SEATS):
        s.choice[seat] = -1
        s.changes[seat] = 0
    s.row = 0
    begin_row(s)


@rule
def side(seat: int, row: int, place: int) -> int:
    """The slot of a seat's side: place in the hand or column of a row."""
    return SIDES + SEATS * (ROWS * row + place) + seat


# --- legal actions ----------------------------------------------------------------------------------------------------


@rule
def legal(s: State, seat: int, out: NDArray[np.int32]) -> int:
    """Write the legal actions of a seat, ascending; return how many there are."""
    if not int(s.acting) >> seat & 1:
        return 0
    n = 0
    if s.phase == SWAP:
        if s.one_by_one == 1:  # REV-8
            for place in range(COLUMNS):
                out[place] = SWAP_SET + (1 << place)
            out[COLUMNS] = STOP
            return COLUMNS + 1
        for places in range(1 << COLUMNS):
            if (places & 1) + (places >> 1 & 1) + (places >> 2) <= int(s.row) + 1:
                out[n] = SWAP_SET + places
                n += 1
        return n
    if s.phase == PLACE:
        for i in range(len(ORDERS)):
            out[i] = PLACE_ALL + i
        return len(ORDERS)
    if s.phase == FINAL:
        for column in range(COLUMNS):
            out[column] = CHOOSE + column
        n = COLUMNS
        if s.final_mode == FINAL_ALTERNATE:
            for column in range(COLUMNS):
                out[n] = CHOOSE_CONFIRM + column
                n += 1
        if s.choice[seat] >= 0:
            out[n] = CONFIRM
            n += 1
        return n
    out[0] = CONTINUE
    return 1


# --- playing ----------------------------------------------------------------------------------------------------------


@rule
def apply(s: State, seat: int, action: int) -> None:
    """Play a legal action."""
    rest = int(s.acting) & ~(1 << seat)
    if s.phase == FINAL and s.final_mode != FINAL_SEALED:
        settle_column(s, seat, action)
        return
    s.acting = rest
    if s.phase == SCORING:
        if rest == 0:
            next_hand(s, np.empty(0, np.uint8))
        return
    s.sealed[seat] = action
    if s.by_arrival == 1 and s.phase == SWAP and s.first_in < 0:
        s.first_in = seat
    if rest == 0:
        if s.phase == SWAP:
            swap_all(s)
        elif s.phase == PLACE:
            place_all(s)
        else:
            show_columns(s)


@rule
def swap_all(s: State) -> None:
    """All have chosen: discard and draw, one seat after the other (REV-7)."""
    first = 0
    if s.first_in > 0:
        first = 1
    going_on = 0
    for turn in range(SEATS):
        seat = first ^ turn
        action = int(s.sealed[seat])
        if action == OPEN:
            continue
        s.sealed[seat] = OPEN
        if action != STOP:
            swap(s, seat, action - SWAP_SET)
            if s.one_by_one == 1 and s.swapped[seat] <= s.row:
                going_on |= 1 << seat
    s.first_in = -1
    s.acting = going_on
    if going_on == 0:
        s.phase = PLACE
        s.acting = BOTH


@rule
def swap(s: State, seat: int, places: int) -> None:
    """Discard the hand cards at these places face down and draw as many, the lowest place first."""
    for place in range(COLUMNS):
        if places >> place & 1:
            held = side(seat, int(s.row), place)
            pile = STOCK + int(s.drawn)
            kind = s.card[held]
            s.card[held] = s.card[pile]
            s.card[pile] = kind
            s.known[held] = 1 << seat
            s.known[pile] = 1 << seat
            s.drawn += 1
            s.swapped[seat] += 1


@rule
def place_all(s: State) -> None:
    """Both have chosen: lay the hands face down into the row, one card in each column (REV-10, REV-11)."""
    row = int(s.row)
    for seat in range(SEATS):
        order = int(s.sealed[seat]) - PLACE_ALL
        s.sealed[seat] = OPEN
        a = s.card[side(seat, row, 0)]
        b = s.card[side(seat, row, 1)]
        c = s.card[side(seat, row, 2)]
        s.card[side(seat, row, ORDERS[order, 0])] = a
        s.card[side(seat, row, ORDERS[order, 1])] = b
        s.card[side(seat, row, ORDERS[order, 2])] = c
    s.row = row + 1
    if s.row < ROWS:
        begin_row(s)
    else:
        s.phase = FINAL
        s.acting = 1 if s.final_mode == FINAL_ALTERNATE else BOTH


@rule
def settle_column(s: State, seat: int, action: int) -> None:
    """The open final round (REV-6): choose a column, confirm it, or both."""
    if action == CONFIRM:
        s.confirmed = int(s.confirmed) | 1 << seat
    else:
        sure = action >= CHOOSE_CONFIRM or s.changes[seat] >= s.final_cap
        s.choice[seat] = (action - CHOOSE) % COLUMNS
        s.changes[seat] += 1
        if sure:
            s.confirmed = int(s.confirmed) | 1 << seat
    waiting = BOTH & ~int(s.confirmed)
    if waiting == 0:
        grand_reveal(s)
    elif s.final_mode == FINAL_ALTERNATE and waiting == BOTH:
        s.acting = BOTH & ~(1 << seat)
    else:
        s.acting = waiting


@rule
def show_columns(s: State) -> None:
    """The sealed final round: both choices are shown, and stand (REV-6)."""
    for seat in range(SEATS):
        s.choice[seat] = int(s.sealed[seat]) - CHOOSE
        s.changes[seat] = 1
        s.sealed[seat] = OPEN
    s.confirmed = BOTH
    grand_reveal(s)


# --- the end of a hand ------------------------------------------------------------------------------------------------


@rule
def grand_reveal(s: State) -> None:
    """Turn everything up and score; the four steps decide nothing, a table shows them one after the other."""
    for slot in range(STOCK):
        s.known[slot] = EVERYONE
    for seat in range(SEATS):
        score_seat(s, seat)
        s.total[seat] += s.score[seat]
    s.phase = SCORING
    s.acting = BOTH
    end_match(s)


@rule
def score_seat(s: State, seat: int) -> None:
    """Points of a seat for the hand: its best colour with a scoring root, 0 below the minimum (rules 1.5, REV-1)."""
    column = int(s.choice[seat])
    best = 0
    s.colour[seat] = -1
    for row in range(ROWS):
        root = int(s.card[ROWS * row + column])
        if root != WILD:  # REV-2: a wild is never a root
            counted = counted_with(s, seat, column, root)
            if counted > best:
                best = counted
                if best >= MINIMUM:
                    s.colour[seat] = root
    s.score[seat] = best if best >= MINIMUM else 0


@rule
def counted_with(s: State, seat: int, column: int, root: int) -> int:
    """How many cards count for a seat in a column with a root of this colour: those of the colour, and wilds."""
    base = 0
    own = 0
    opposite = 0
    for row in range(ROWS):
        kind = s.card[ROWS * row + column]
        base += (kind == root) | (kind == WILD)
        kind = s.card[side(seat, row, column)]
        own += (kind == root) | (kind == WILD)
        kind = s.card[side(1 - seat, row, column)]
        opposite += (kind == root) | (kind == WILD)
    kind = s.card[FINALS + seat]
    final = 1 if (kind == root) | (kind == WILD) else 0
    if own == 0 and not (s.final_unlocks == 1 and final == 1):  # REV-3, REV-4
        opposite = 0
    return base + own + opposite + final


@rule
def end_match(s: State) -> None:
    """Over after the set number of hands or at the goal, unless equal totals are played off (REV-15)."""
    first = int(s.total[0])
    second = int(s.total[1])
    done = max(first, second) >= s.end_at if s.to_goal == 1 else s.hand_number >= s.end_at
    if done and not (s.extra_hands == 1 and first == second):
        s.over = DECIDED
    elif s.hand_number >= HAND_CAP:
        s.over = ABANDONED
    if s.over != RUNNING:
        s.acting = 0


@rule
def returns(s: State, out: NDArray[np.float64]) -> None:
    """Each seat's total. Nobody wins an abandoned match: both zero."""
    for seat in range(SEATS):
        out[seat] = 0.0 if s.over == ABANDONED else float(s.total[seat])


# --- what is seen, and the worlds that fit it -------------------------------------------------------------------------


@rule
def shown(s: State, slot: int, viewer: int) -> bool:
    """A card you have laid is not looked at again without peeking; discards and used cards never are (rules 1.6)."""
    if slot >= STOCK:
        return False
    if s.phase == SCORING or slot < SIDES or s.peeking == 1:
        return True
    # The hand; a row laid already lies face down.
    return s.row < ROWS and (slot - SIDES) // (SEATS * ROWS) == s.row


@rule
def forget(s: State) -> None:
    """Nothing public lies outside the table but the used cards, which `shown` keeps."""


@rule
def conceal(s: State, viewer: int) -> None:
    """Reveal has no secrets outside slots and sealed choices."""


@rule
def pool(s: State, slot: int) -> int:
    """All cards are shuffled together."""
    return 0


@rule
def pools(s: State, counts: NDArray[np.int32]) -> None:
    """The whole deck is one pool."""
    for kind in range(KINDS):
        counts[0, kind] = s.copies[kind]


@rule
def settle(s: State, g: NDArray[np.uint32]) -> None:
    """No card of Reveal is known to be somewhere without its place."""


@rule
def fits(s: State, viewer: int) -> bool:
    """Every filling fits: nothing in Reveal says more about a hidden card."""
    return True
