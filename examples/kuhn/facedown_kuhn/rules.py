"""The rules of Kuhn poker, compiled."""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from facedown.core.hidden_cards import put
from facedown.core.random_numbers import generator, given_or_random_seat, shuffle, stack_deck
from facedown.core.rule import rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import DECIDED, EVERYONE, I1, I2, RUNNING, Ints, Position
from facedown_kuhn.info import CARDS, KuhnOptions

KINDS = len(CARDS)
JACK, QUEEN, KING = range(KINDS)
# Slots 0 and 1 are the players' hands; slot 2 is the card left over.
PLAYERS, REST, SLOTS = 2, 2, 3
# Phases: no bet was made yet; a bet was made; the hand is over.
OPEN, RAISED, SCORING = range(3)
CHECK, BET, CALL, FOLD, CONTINUE = range(5)


class KuhnPosition(Position):
    """A match of Kuhn poker: chips in the pot, won in this hand, and won in all. Everything but the cards is public."""

    opt: KuhnOptions
    hand_number: I2
    phase: I1
    starter: I1
    paid: Annotated[Ints, "i1", (PLAYERS,)]
    score: Annotated[Ints, "i1", (PLAYERS,)]
    total: Annotated[Ints, "i2", (PLAYERS,)]
    card: Annotated[Ints, "i1", (SLOTS,)]
    known: Annotated[Ints, "i2", (SLOTS,)]


@rule
def deal(s: KuhnPosition, deck: NDArray[np.int64], first: int) -> None:
    """Take a chip from each player and deal. `deck` may list the first cards; `first` is the seat that starts."""
    s.starter = given_or_random_seat(s, first)
    cards = np.arange(KINDS)
    shuffle(generator(s.key, s.stream), cards, stack_deck(cards, KINDS, deck), KINDS, KINDS)
    s.stream += 1
    for seat in range(PLAYERS):
        put(s, seat, cards[seat], 1 << seat)
        s.paid[seat] = 1
        s.score[seat] = 0
    put(s, REST, cards[REST], 0)
    s.hand_number += 1
    s.phase = OPEN
    s.acting = 1 << s.starter


@rule
def legal(s: KuhnPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write to `out`, ascending, the legal actions of a seat. Return their number."""
    if not s.acting >> seat & 1:
        return 0
    out[0] = (CHECK, CALL, CONTINUE)[s.phase]
    out[1] = (BET, FOLD, CONTINUE)[s.phase]
    return 1 if s.phase == SCORING else 2


@rule
def apply(s: KuhnPosition, seat: int, action: int) -> None:
    """Apply a legal action of a seat to the position."""
    if action in (BET, CALL):
        s.paid[seat] += 1
    if action == CONTINUE:
        s.acting &= ~(1 << seat)
        if s.acting == 0:
            deal(s, np.empty(0, np.int64), 1 - s.starter)
    elif action == FOLD:
        end_hand(s, 1 - seat)
    elif action == CALL or (action == CHECK and seat != s.starter):
        s.known[0] = s.known[1] = EVERYONE
        end_hand(s, 0 if s.card[0] > s.card[1] else 1)
    else:
        s.phase = RAISED if action == BET else OPEN
        s.acting = 1 << (1 - seat)


@rule
def end_hand(s: KuhnPosition, winner: int) -> None:
    """Give the winner what the other player has put in. After the last hand the match is over."""
    for seat in range(PLAYERS):
        s.score[seat] = s.paid[1 - winner] if seat == winner else -s.paid[1 - winner]
        s.total[seat] += s.score[seat]
    s.phase = SCORING
    s.over = DECIDED if s.hand_number == s.opt.hands else RUNNING
    s.acting = 0 if s.over == DECIDED else (1 << PLAYERS) - 1


RULES = RuleSet(KuhnPosition, CONTINUE + 1, KINDS, lambda *_: [1] * KINDS, deal, legal, apply, pause=CONTINUE)
