"""Rules of SCOUT: compiled functions that take a `ScoutPosition`. Rulings (SCT-…) are in ``docs/rules/scout.md``.

A Scout and Show is two actions: a Scout, which is legal only if a Show can follow, and then a Show. No other action can
come between them. To the players they are one turn.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from facedown.core.bit_masks import includes, mark_acted_is_last, next_seat, set_all_acting, set_only_acting
from facedown.core.disclosures import Disclosure
from facedown.core.options import OptionError
from facedown.core.random_numbers import generator, given_or_random_seat, next_word, shuffle, stack_deck
from facedown.core.rule import rule
from facedown.core.ruleset import RuleSet
from facedown.core.state import DECIDED, EMPTY, EVERYONE, OPEN, RUNNING, UNKNOWN, Ints, View, cast_record
from facedown.games.scout import legal_actions
from facedown.games.scout.info import (
    BITS,
    KINDS,
    ONE_TWO,
    TURNED,
    TWO_PLAYERS,
    Deck,
    FlipOrder,
    FlipPublic,
    Hands,
    ScoutInsertPublic,
    ScoutOptions,
    Start,
    is_in_full_deck,
)
from facedown.games.scout.legal_actions import CHOICES, PLACES, Act, legal_turn_actions
from facedown.games.scout.possible_worlds import (
    WORD_BITS,
    append_insertion_entry,
    append_removal_entries,
    drop_or_move_knowledge_entries,
    forget_places,
    is_consistent,
    place_known,
    pools,
)
from facedown.games.scout.state import (
    ASIDE,
    LEFT_OVER,
    MAX_SET,
    NOT_HELD,
    PLAYERS,
    SLOTS,
    Phase,
    ScoutPosition,
    cards_per_hand,
    clear_slot,
    hand_start,
    is_in_deck,
    make_gap,
    remove_card_and_close_gap,
    rounds_of,
    slot_of_discard_or_table_card,
)

#: Number of chips that each player gets in a round of a two-player match. A Scout costs a chip.
CHIPS = 3


@rule
def deal_round(s: ScoutPosition, cards_on_top: NDArray[np.int64]) -> None:
    """Shuffle the deck, give each card a random way up, and deal the hands (rules 5.3).

    `cards_on_top` lists cards that are not random: they are dealt first, in this order. It may be empty. Each element
    is the index of a card's pair of numbers. `TURNED` is added to it if the card has its higher number up.
    """
    s.card[:] = EMPTY
    cards = np.empty(KINDS, np.int64)
    n = 0
    for kind in range(KINDS):
        if is_in_deck(s, kind):
            cards[n] = kind
            n += 1
    named = stack_deck(cards, n, cards_on_top % TURNED)
    g = generator(s.key, s.stream)
    s.stream += 1
    shuffle(g, cards, named, n, n)
    # The way up of each card is a random bit. There are more than 32 cards, so two random integers are needed.
    sides = next_word(g) | next_word(g) << WORD_BITS
    s.flip[:] = 0
    s.known[:] = EVERYONE
    dealt = s.seats * cards_per_hand(s)
    s.aside = n - dealt
    # The cards set aside are the last cards of the deck, but in `s.card` they come before the hands.
    for i in range(n):
        slot = i + s.aside if i < dealt else i - dealt
        s.card[slot] = cards[i]
        s.flip[slot] = sides >> i & 1 if i >= named else cards_on_top[i] // TURNED
    s.known[: s.aside] = 0
    show_hands_to_owners(s)
    s.out = s.stuck_strength = s.stuck_first = s.stuck_cards = 0
    s.held[:] = NOT_HELD
    s.way_up[:] = -1
    forget_places(s)
    begin_round(s)


@rule
def make_holder_public(s: ScoutPosition, kind: int) -> int:
    """Let all players know which hand a card was dealt to, or that it was set aside (field `held`).

    `kind` is the card: the index of its pair of numbers. The hands must have just been dealt, and the card must be in
    the deck. Return the seat of the hand, or a negative number if the card was set aside.
    """
    slot = 0
    while s.card[slot] != kind:
        slot += 1
    holder = (slot - s.aside) // cards_per_hand(s)
    s.held[kind] = ASIDE if holder < 0 else holder
    return holder


@rule
def show_hands_to_owners(s: ScoutPosition) -> None:
    """Set the field `known` so that each seat knows the cards of its own hand. All hands must have just been dealt."""
    each = cards_per_hand(s)
    for seat in range(s.seats):
        first = s.aside + seat * each
        s.known[first : first + each] = 1 << seat


@rule
def begin_round(s: ScoutPosition) -> None:
    """Reset the fields for a new round, in which every seat first chooses whether to keep or to flip its hand.

    The caller has already dealt the cards, and chooses the seat that starts. Points of earlier rounds stay unchanged.
    """
    s.hand[:] = s.won[:] = s.coins[:] = s.marker[:] = 0
    s.flipped[:] = -1
    s.hand[: s.seats] = cards_per_hand(s)
    if s.seats == TWO_PLAYERS:
        s.coins[:TWO_PLAYERS] = CHIPS if s.opt.hands == Hands.FULL else s.opt.chips
    else:
        s.marker[: s.seats] = 1
    s.round_number += 1
    s.turns = s.passes = s.active = s.strength = 0
    s.owner = s.shower = s.ender = s.stuck = -1
    s.last_seat = s.last_kind = s.last_owner = s.last_place = s.last_turn = -1
    s.last_flip = s.last_end = s.last_only = 0
    s.phase = Phase.FLIP
    set_all_acting(s)


@rule
def start_round_two_from_cards_set_aside(s: ScoutPosition) -> None:
    """Start the second round of a match of two players (rules 5.7).

    The cards left in the hands go out of play, and the cards set aside become the new hands.
    """
    s.out += s.active
    # The hands are cleared in `s` before any card is discarded, because discarded cards may be written to the same
    # slots. So the hands are read from copies.
    card, flip = s.card.copy(), s.flip.copy()
    for slot in range(s.aside, hand_start(s, TWO_PLAYERS)):
        clear_slot(s, slot)
    for seat in range(TWO_PLAYERS):
        if seat == s.stuck:
            discard_stuck_hand(s, seat, card, flip)
        else:
            discard_hand_sorted(s, seat, card)
    keep_only_stuck_hand_knowledge(s)
    s.aside = 0
    show_hands_to_owners(s)
    begin_round(s)


@rule
def discard(s: ScoutPosition, kind: int, way_up: int, known_by: int) -> None:
    """Put a card out of play, in the next free slot (index of the field `card`) for cards out of play.

    * `kind`: the card, as the index of its pair of numbers.
    * `way_up`: 1 if the higher number of the card is up, else 0.
    * `known_by`: the bit mask of the seats that know the card, or `EVERYONE`.
    """
    slot = slot_of_discard_or_table_card(s.out)
    s.card[slot] = kind
    s.flip[slot] = way_up
    s.known[slot] = known_by
    s.out += 1


@rule
def discard_stuck_hand(s: ScoutPosition, seat: int, card: Ints, flip: Ints) -> None:
    """Put a stuck hand out of play, and keep the order of its cards.

    A hand is stuck if its player can neither show nor scout. The order matters, because all players know that the hand
    had no legal Show. Cards out of play fill the slots (indices of the field `card`) from the last slot downwards. So
    the last card of the hand is discarded first. Thus the order of the cards by slot is the same as their order in the
    hand.

    The hand is read from `card` and `flip`. They are copies of `s.card` and `s.flip` that the caller made before it
    cleared the hands in `s`. Three fields of `s` are set, which describe the stuck hand in round two:

    * `stuck_strength`: the strength of the set that the hand could not beat;
    * `stuck_cards`: the number of cards in the hand;
    * `stuck_first`: the slot that has the first card of the hand now.
    """
    first = hand_start(s, seat)
    for slot in range(first + s.hand[seat] - 1, first - 1, -1):
        discard(s, card[slot], flip[slot], 1 << seat)
    s.stuck_strength = s.strength
    s.stuck_cards = s.hand[seat]
    s.stuck_first = slot_of_discard_or_table_card(s.out - 1)


@rule
def discard_hand_sorted(s: ScoutPosition, seat: int, card: Ints) -> None:
    """Put a hand out of play. Its cards are sorted, because the order that they had in the hand no longer matters.

    The cards that all players know to be in the hand are put out of play first, then the others. Each of these two
    groups is in ascending order of kind (index of a pair of numbers).

    The hand is read from `card`. This is a copy of `s.card` that the caller made before it cleared the hands in `s`.
    """
    first = hand_start(s, seat)
    public = secret = 0
    for slot in range(first, first + s.hand[seat]):
        kind = card[slot]
        is_held = s.held[kind] == seat
        public |= is_held << kind
        secret |= (not is_held) << kind
    remove_kinds_from_play(s, public, EVERYONE)
    remove_kinds_from_play(s, secret, 1 << seat)


@rule
def remove_kinds_from_play(s: ScoutPosition, kinds: int, known_by: int) -> None:
    """Put several cards out of play, the lowest kind first. A kind is the index of a card's pair of numbers.

    `kinds` is the bit mask of the cards' kinds. `known_by` is the bit mask of the seats that know these cards, or
    `EVERYONE`. All cards are stored with the lower number up, because which way up they are no longer matters.
    """
    kind = 0
    while kinds >> kind:
        if includes(kinds, kind):
            discard(s, kind, 0, known_by)
        kind += 1


@rule
def keep_only_stuck_hand_knowledge(s: ScoutPosition) -> None:
    """After round one, keep what all players know about the cards of a stuck hand, and forget it for other hands.

    A stuck hand is one with which its player could neither show nor scout.
    """
    for kind in range(KINDS):
        if s.stuck >= 0 and s.held[kind] == s.stuck:
            s.held[kind] = LEFT_OVER
        elif s.held[kind] != ASIDE:
            s.held[kind] = NOT_HELD
    for seat in range(TWO_PLAYERS):
        drop_or_move_knowledge_entries(s, seat, LEFT_OVER if seat == s.stuck else -1)


#: Largest number of turns in a round. The limit stops endless rounds (rules 5.9).
TURN_CAP = 400
#: Bit mask for slots (indices of the field `card`). If an index is masked, the compiler omits the check for negative
#: indices.
ANY_SLOT = 63


def check(seats: int, options: ScoutOptions) -> None:
    """Raise `OptionError` if a match with these options is not possible.

    * If the options name the seat that starts, this seat must exist.
    * If the holder of the card 1/2 starts (ruling SCT-13), the deck must have this card.
    * Small hands (ruling SCT-19) are for two players only, and the deck must have enough cards for them.
    * A deck other than the full one (ruling SCT-19) is allowed only with small hands.
    """
    named = options.start_seat
    if options.start == Start.NAMED and named >= seats:
        raise OptionError(f"start = named({named}): the seats of {seats} players are 0 to {seats - 1}", "start")
    cards = deck(seats, options)
    if options.hands == Hands.FULL and options.deck != Deck.FULL:
        raise OptionError("deck: a custom deck needs small hands", "deck")
    if options.hands == Hands.SMALL and seats != TWO_PLAYERS:
        raise OptionError(f"hands: small hands are for two players, not {seats}", "hands")
    if options.hands == Hands.SMALL and sum(cards) < seats * options.cards:
        raise OptionError(f"deck: {sum(cards)} cards are too few for two hands of {options.cards}", "deck")
    if options.start == Start.HOLDER_1_2 and not cards[ONE_TWO]:
        raise OptionError("start = holder_1_2: the deck has no 1/2", "start")


def deck(seats: int, options: ScoutOptions) -> Sequence[int]:
    """Return the number of cards of each kind in the deck, 1 or 0, indexed by kind (rules 5.2, ruling SCT-19)."""
    if options.deck != Deck.FULL:
        return [int(options.kinds[kind // BITS]) >> kind % BITS & 1 for kind in range(KINDS)]
    return [1 if is_in_full_deck(seats, kind) else 0 for kind in range(KINDS)]


def unturned_kind(kind: int) -> int:
    """Return `kind` without `TURNED`, which is added to the kind of a card if its higher number is up."""
    return kind - TURNED if kind >= TURNED else kind


# --- dealing --------------------------------------------------------------------------------------------------------


@rule
def deal(s: ScoutPosition, deck: NDArray[np.int64], first: int) -> None:
    """Deal the first round. `first` is the seat that starts (-1 for a random one), unless the options decide this.

    `deck` lists the cards to be dealt first. It may be empty. All other cards are dealt at random. Each element of
    `deck` is the index of a card's pair of numbers. `TURNED` is added to it if the card has its higher number up.
    """
    starter = given_or_random_seat(s, first)
    deal_round(s, deck)
    if s.opt.start == Start.NAMED:  # SCT-13
        starter = s.opt.start_seat
    elif s.opt.start == Start.HOLDER_1_2:
        holder = make_holder_public(s, ONE_TWO)
        starter = holder if holder >= 0 else starter
    s.starter = s.turn = starter


@rule
def flip_chosen_hands(s: ScoutPosition) -> None:
    """Flip the hands of the seats that chose to flip (rulings SCT-5 and SCT-18), and start the first turn.

    Call this when all seats have chosen.
    """
    for seat in range(s.seats):
        flips = s.sealed[seat] == Act.FLIP
        s.sealed[seat] = OPEN
        s.flipped[seat] = flips if s.opt.flip_public == FlipPublic.YES else -1
        if flips:
            first = hand_start(s, seat)
            cards = s.hand[seat]
            for slot in range(first, first + cards):
                s.flip[slot] = 1 - s.flip[slot]
            if s.opt.flip_order == FlipOrder.REVERSE:  # SCT-5
                for place in range(cards // 2):
                    left, right = first + place, first + cards - 1 - place
                    s.card[left], s.card[right] = s.card[right], s.card[left]
                    s.flip[left], s.flip[right] = s.flip[right], s.flip[left]
    s.phase = Phase.TURN
    s.turn = s.starter
    set_only_acting(s, s.turn)


# --- legal actions ----------------------------------------------------------------------------------------------------


@rule
def legal(s: ScoutPosition, seat: int, out: NDArray[np.int32]) -> int:
    """Write to `out` the legal actions of a seat, in ascending order. Return how many there are."""
    if not includes(s.acting, seat):
        return 0
    if s.phase == Phase.FLIP:
        out[0], out[1] = Act.KEEP, Act.FLIP
        return 2
    if s.phase == Phase.SCORING:
        out[0] = Act.CONTINUE
        return 1
    return legal_turn_actions(s, seat, out)


# --- playing ----------------------------------------------------------------------------------------------------------


@rule
def apply(s: ScoutPosition, seat: int, action: int) -> None:
    """Carry out a legal action of a seat: change the position in place, as the rules say.

    If the action ends the turn, the round or the match, also do what the rules require then, such as scoring the round.
    """
    s.last_seat = seat
    if action < Act.SCOUT:
        apply_show(s, seat, action // MAX_SET, action % MAX_SET + 1)
    elif action < Act.SCOUT_AND_SHOW:
        apply_scout(s, seat, action - Act.SCOUT)
        end_scout_turn(s, seat)
    elif action < Act.KEEP:
        apply_scout(s, seat, action - Act.SCOUT_AND_SHOW)
        s.marker[seat] = 0
        s.phase = Phase.SHOW
    elif action < Act.CONTINUE:
        s.sealed[seat] = action
        if mark_acted_is_last(s, seat):
            flip_chosen_hands(s)
    elif mark_acted_is_last(s, seat):
        s.starter = s.turn = next_seat(s, s.starter)
        if s.seats == TWO_PLAYERS:
            start_round_two_from_cards_set_aside(s)
        else:
            deal_round(s, np.empty(0, np.int64))


@rule
def apply_show(s: ScoutPosition, seat: int, place: int, cards: int) -> None:
    """Win the cards of the Active Set (set on the table), and replace it by `cards` cards of the hand (rules 5.5).

    `place` is the place of the first of these cards in the hand, from 0.
    """
    s.won[seat] += s.active
    s.out += s.active
    first = max(hand_start(s, seat) + place, 0)
    if s.opt.scout_insert_public == ScoutInsertPublic.YES:  # SCT-14
        append_removal_entries(s, seat, first, cards)
    end = hand_start(s, PLAYERS)
    for i in range(cards):
        slot = slot_of_discard_or_table_card(s.out + i)
        kind = s.card[first]
        s.card[slot] = kind
        s.flip[slot] = s.flip[first]
        s.known[slot] = EVERYONE
        s.held[kind] = NOT_HELD
        remove_card_and_close_gap(s, first, end)
        end -= 1
        clear_slot(s, end)
    s.hand[seat] -= cards
    s.active = cards
    s.owner = s.shower = seat
    s.strength = legal_actions.active_set_strength(s, 0, 0)
    s.passes = 0
    s.turns += 1
    s.phase = Phase.TURN
    if s.hand[seat] == 0:
        score_and_end_round(s, seat)
    else:
        give_turn_or_end_round(s, next_seat(s, seat))


@rule
def apply_scout(s: ScoutPosition, seat: int, way: int) -> None:
    """Take the card at an end of the Active Set (set on the table) into the hand.

    `way` is the parameter of an action `Act.SCOUT` or `Act.SCOUT_AND_SHOW`: ``(2 * end + turned) * PLACES + place``.

    * `end`: 0 for the left end of the set, 1 for the right end.
    * `turned`: 1 if the card is turned the other way up, else 0.
    * `place`: the number of cards in the hand that are to the left of the new card.

    With two players, the seat pays a chip. With more players, the owner of the set gets a coin, also for a Scout and
    Show (ruling SCT-11).
    """
    place = way % PLACES
    turn = way // PLACES % 2
    right = way // PLACES // 2
    last = slot_of_discard_or_table_card(s.out + s.active - 1)
    taken = last if right else slot_of_discard_or_table_card(s.out)
    kind = s.card[taken]
    way_up = s.flip[taken]
    make_gap(s, last, taken)
    clear_slot(s, last)
    slot = hand_start(s, seat) + place
    end = hand_start(s, PLAYERS)
    make_gap(s, slot, end)
    s.card[slot] = kind
    s.flip[slot] = way_up ^ turn
    # The inserted card makes this hand one slot (index of `s.card`) longer, and shifts all later hands by one slot. So
    # this hand and all later hands end one slot later than before. The new last slot of each is marked as known to the
    # owner of the hand. For other hands the loop writes the old value back: skipping them would need a branch that the
    # processor often mispredicts.
    border = s.aside
    for other in range(PLAYERS):
        border += s.hand[other]
        is_later = (other >= seat) & (other < s.seats)
        s.known[border & ANY_SLOT] = 1 << other if is_later else s.known[border & ANY_SLOT]
    s.last_kind, s.last_flip, s.last_end = kind, way_up, right
    s.last_owner, s.last_only = s.owner, s.active == 1
    s.last_place = s.last_turn = -1
    s.held[kind] = seat
    if s.opt.scout_insert_public == ScoutInsertPublic.YES:  # SCT-14
        s.last_place, s.last_turn = place, turn
        s.way_up[kind] = way_up ^ turn
        append_insertion_entry(s, seat, kind, place)
    s.hand[seat] += 1
    s.active -= 1
    if s.seats == TWO_PLAYERS:
        s.coins[seat] -= 1
    else:
        s.coins[s.owner] += 1
    if s.active == 0:  # SCT-6
        s.owner = -1
    s.strength = legal_actions.active_set_strength(s, 0, 0)


@rule
def end_scout_turn(s: ScoutPosition, seat: int) -> None:
    """End the turn of a seat that made a plain Scout (with no Show after it), and start the next turn.

    * With two players, the same seat has the next turn.
    * With more players, the next seat has the next turn. But if all seats other than the last one to show have now
      scouted in a row, the round ends (rulings SCT-7 and SCT-8).
    """
    s.turns += 1
    if s.seats > TWO_PLAYERS:
        s.passes += 1
        seat = next_seat(s, seat)
    if s.passes == s.seats - 1:
        score_and_end_round(s, s.shower)
    else:
        give_turn_or_end_round(s, seat)


@rule
def give_turn_or_end_round(s: ScoutPosition, seat: int) -> None:
    """Give the turn to a seat, or end the round.

    With two players, the round ends if the seat can neither show nor scout. The round also ends after `TURN_CAP` turns.
    """
    s.turn = seat
    set_only_acting(s, seat)
    beat = s.strength
    no_chip = s.seats == TWO_PLAYERS and beat > 0 and s.coins[seat] == 0
    if no_chip and not legal_actions.can_show(s, hand_start(s, seat), s.hand[seat], beat):
        s.stuck = seat
        score_and_end_round(s, s.shower)
    elif s.turns >= TURN_CAP:
        score_and_end_round(s, -1)


# --- the end of a round -----------------------------------------------------------------------------------------------


@rule
def score_and_end_round(s: ScoutPosition, ender: int) -> None:
    """Score the round (rules 5.6). After the last round, end the match and show all cards.

    Each seat scores the cards that it has won, plus its coins, minus the cards in its hand. With two players, it scores
    its chips instead of coins (ruling SCT-17). The seat `ender`, which ended the round, does not subtract its hand.
    `ender` is -1 if no seat ended the round.
    """
    s.ender = ender
    for seat in range(s.seats):
        s.score[seat] = s.won[seat] + s.coins[seat] - (0 if seat == ender else s.hand[seat])
        s.total[seat] += s.score[seat]
    s.phase = Phase.SCORING
    set_all_acting(s)
    if s.round_number == rounds_of(s):
        s.over = DECIDED
        s.acting = 0
        s.known[:] = EVERYONE
        s.held[:] = NOT_HELD


# --- visibility -------------------------------------------------------------------------------------------------------


@rule
def shown(s: ScoutPosition, slot: int, viewer: int) -> bool:
    """Return whether a viewer who knows the card in a slot (index of the field `card`) also sees it on the table now.

    Until the match is over, cards out of play are hidden from all players, even from those who remember them.
    """
    return s.over != RUNNING or slot <= slot_of_discard_or_table_card(s.out)


@rule
def mask_recalled(s: ScoutPosition) -> None:
    """In a view without memory (only what the viewer can see now), remove the facts about hidden cards in hands.

    The players learnt these facts earlier, for example when a card was scouted. The table does not show them now. Three
    fields have such facts, and get the value that means "not known":

    * `held` (in which hand a card is): `NOT_HELD`;
    * `way_up` (which number of a card is up): -1;
    * `said` (at which places of a hand a card can be): no entries.

    In all slots whose card is hidden (`UNKNOWN`) in the view, `flip` (1 if the higher number is up) is set to 0.
    """
    s.held[:] = NOT_HELD
    s.way_up[:] = -1
    forget_places(s)
    mask_secrets(s, s.viewer)


@rule
def mask_secrets(s: ScoutPosition, viewer: int) -> None:
    """In a view, set `flip` (1 if the higher number is up) to 0 in all slots whose card is hidden (`UNKNOWN`).

    Which number is up is as secret as the card itself. `viewer` is not used, because the caller has already hidden the
    cards that the viewer does not know.
    """
    for slot in range(SLOTS):
        s.flip[slot] = 0 if s.card[slot] == UNKNOWN else s.flip[slot]


@rule
def put_viewer_slots_first(s: ScoutPosition, viewer: int) -> None:
    """Rotate the order of the hands in the fields `card` and `flip`, so that the viewer's hand is the first one.

    The cards set aside stay before all hands.
    """
    first = s.aside
    end = hand_start(s, s.seats)
    start = hand_start(s, min(viewer, s.seats))
    if not first < start < end:
        return
    card, flip = s.card.copy(), s.flip.copy()
    for slot in range(first, end):
        source = slot - first + start
        source -= (end - first) * (source >= end)
        s.card[slot], s.flip[slot] = card[source], flip[source]


# --- information that the rules disclose ------------------------------------------------------------------------------


def _player_is_stuck_now(before: View | None, after: View) -> bool:
    return before is not None and cast_record(after, ScoutPosition).stuck >= 0


TOLD = (
    Disclosure(
        ("starter", "turn", "held"),
        "SCT-13: with start=holder_1_2 the player who was dealt the 1-2 starts",
        lambda before, after: (
            before is None and any(held != NOT_HELD for held in cast_record(after, ScoutPosition).held)
        ),
    ),
    Disclosure(
        ("stuck", "ender", "phase", "acting", "score", "total"),
        "rules 5.7: a player of two who can neither show nor scout ends the round",
        _player_is_stuck_now,
    ),
    Disclosure(
        ("over", "card", "flip", "known", "held"),
        "rules 5.6: that was the last round, and everything is opened",
        lambda before, after: _player_is_stuck_now(before, after) and after.over != RUNNING,
    ),
    Disclosure(
        ("last_place", "last_turn", "way_up", "said"),
        "SCT-14: with scout_insert_public=yes all see where a scouted card goes and which way up",
        lambda _before, after: cast_record(after, ScoutPosition).opt.scout_insert_public == ScoutInsertPublic.YES,
        choice=True,
    ),
)

RULES = RuleSet(
    record=ScoutPosition,
    actions=Act.CONTINUE + 1,
    kinds=KINDS,
    deck=deck,
    check=check,
    unturned_kind=unturned_kind,
    turned_offset=TURNED,
    deal=deal,
    legal=legal,
    apply=apply,
    shown=shown,
    mask_secrets=mask_secrets,
    mask_recalled=mask_recalled,
    pools=pools,
    place_known=place_known,
    is_consistent=is_consistent,
    put_viewer_slots_first=put_viewer_slots_first,
    pause=Act.CONTINUE,
    action_kinds=Act,
    choices=CHOICES,
    faces=("card", "flip"),
    disclosures=TOLD,
)
