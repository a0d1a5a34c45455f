"""Compiled expansion of a `GameTree`: the outcomes of an action, and which positions are one node."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation import standard_form
from facedown.bots.tree_search import find
from facedown.core import dispatch
from facedown.core.dispatch import lowest_acting
from facedown.core.hidden_cards import MAX_KINDS, MAX_LEGAL, MAX_POOLS, mask_unknown
from facedown.core.rule import rule, to_int64
from facedown.core.state import EMPTY, MAX_SEATS, UNKNOWN, Position
from facedown.research.game_tree.lazy_tree import CHANCE, TERMINAL

SEATS = 2
BOTH = (1 << SEATS) - 1
#: What can go wrong while a node is expanded: more room is needed; the game is not of the kind that is understood here.
FINE, FULL, SHUFFLED, POOLED, SEEN = range(5)
#: Two primes below 2 ** 31, by which words are hashed without overflow, and their factors.
PRIMES = (2_147_483_647, 2_147_483_629)
FACTORS = (1_103_515_245, 1_299_709_387)


@rule
def combine_hash(h: int, number: int) -> int:
    """A hash of 62 bits with one more whole number in it."""
    one = ((h >> 31) * FACTORS[0] + number % PRIMES[0] + 1) % PRIMES[0]
    two = ((h & 0x7FFFFFFF) * FACTORS[1] + number % PRIMES[1] + 7) % PRIMES[1]
    return one << 31 | two


@rule
def hash_of(words: NDArray[np.uint32]) -> int:
    """A hash of 62 bits of a record's words of 32 bits."""
    one = two = 1
    for word in words:
        number = to_int64(word)
        one = (one * FACTORS[0] + number) % PRIMES[0]
        two = (two * FACTORS[1] + number) % PRIMES[1]
    return one << 31 | two


@rule
def find_hidden_slots(s: Position, counts: NDArray[np.int32], hidden: NDArray[np.int64]) -> int:
    """Write which slots are `hidden` from both, and how many cards of each kind are left for them in ``counts[0]``.

    Returns how many slots those are; -1 if one of them holds a card of a pool of its own.
    """
    counts[:] = 0
    dispatch.pools(s, counts)
    n = 0
    for slot in range(len(s.card)):
        kind = s.card[slot]
        if kind == UNKNOWN:
            if dispatch.pool(s, slot) != 0:
                return -1
            hidden[n] = slot
            n += 1
        elif kind != EMPTY:
            counts[0, kind] -= 1
    return n


@rule
def fill_hidden_slots(s: Position, counts: NDArray[np.int32], hidden: NDArray[np.int64]) -> None:
    """Lay the cards that are left into the hidden slots that are still blank, kind by kind; `counts` is room."""
    kind = 0
    laid = 0
    for slot in hidden:
        if s.card[slot] != UNKNOWN:
            continue
        while laid == counts[0, kind]:
            kind += 1
            laid = 0
        s.card[slot] = kind
        laid += 1


@rule
def is_known_to_a_seat(s: Position, slot: int) -> bool:
    """Does a seat know what lies in this slot now, be it nothing?"""
    return s.known[slot] & BOTH != 0


class Work(NamedTuple):
    """Two records to work on, and how their memory is laid out.

    A card's face has more than its kind (`RuleSet.faces`): field by field, which way up it lies, for instance. Chance
    deals each of the values of such a field alike. Compiled code cannot name the fields of every game, so it writes
    them where they lie in a record: a byte for each slot.
    """

    scratch: NDArray[Any]
    words: NDArray[np.uint32]
    """The memory of both records, word by word."""
    memory: NDArray[np.uint8]
    """The same, byte by byte."""
    first: NDArray[np.int64]
    """Where in a record each field of a face begins."""
    values: NDArray[np.int64]
    """How many values it has, from 0."""
    ways: int
    """In how many ways a card may lie."""
    recall: bool
    """Are histories one node only if each seat has seen and done the same?"""


@rule
def set_face_variant(work: Work, slot: int, way: int) -> None:
    """Let the card in a slot of the first record lie in one of the ways it may; in the first where nothing is known."""
    for field in range(len(work.first)):
        work.memory[0, work.first[field] + slot] = way % work.values[field]
        way //= work.values[field]


@rule
def blank_unknown_cards(s: Position, work: Work) -> None:
    """Blank what no seat knows of the first record, which is `s`."""
    for slot in range(len(s.card)):
        if not is_known_to_a_seat(s, slot):
            s.card[slot] = UNKNOWN
            set_face_variant(work, slot, 0)
    for i in range(len(s.key)):
        s.key[i] = 0


class Level(NamedTuple):
    """The nodes of a level in the making, and how they are reached; room for more than there are.

    `keys` and `at` are the hash table of nodes. Each action (`action`, of the level before) leads to the outcomes from
    `first` on: a node and its chance. `used` counts the nodes, actions and outcomes there are.
    """

    keys: NDArray[np.int64]
    at: NDArray[np.int64]
    states: NDArray[Any]
    seen: NDArray[np.int64]
    """What each seat has seen and done so far, as a hash, by node and seat."""
    payoff: NDArray[np.float64]
    over: NDArray[np.bool_]
    action: NDArray[np.int32]
    first: NDArray[np.int64]
    child: NDArray[np.int64]
    chance: NDArray[np.float64]
    used: NDArray[np.int64]


class Edges(NamedTuple):
    """The nodes of a tree, the actions between them, and the sets of nodes that a seat cannot tell apart, as arrays."""

    levels: NDArray[np.int64]
    """The first node of each level, and the number of all nodes."""
    seat: NDArray[np.int8]
    """Who is to act: a seat, `CHANCE`, or `TERMINAL`."""
    payoff: NDArray[np.float64]
    """Where the match is over: half of what seat 0 is ahead of seat 1."""
    first_action: NDArray[np.int64]
    """The first action of each node; one more entry at the end."""
    first_outcome: NDArray[np.int64]
    """The first outcome of each action; one more entry at the end."""
    child: NDArray[np.int64]
    chance: NDArray[np.float64]
    set_of: NDArray[np.int64]
    """The information set of each node; -1 where no seat is to act."""
    set_seat: NDArray[np.int8]
    set_level: NDArray[np.int64]
    """The first set of each level; one more entry at the end."""
    first_place: NDArray[np.int64]
    """The place of each set's first action in a strategy; one more entry at the end."""


@rule
def find_or_add_node(level: Level, work: Work, before: NDArray[np.int64], move: int) -> int:
    """Find the node of the position in the first record of `work`, or make it; -1 if there is no room.

    `before` is what each seat had seen; `move` names the seat and its action, 0 the deal.
    """
    scratch, words, recall = work.scratch, work.words, work.recall
    keys, at, states, seen, payoff, over, _action, _first, _child, _chance, used = level
    s = scratch[0]
    key = 1
    now = np.zeros(SEATS, np.int64)
    worth = 0.0
    if s.over != 0:
        points = np.zeros(MAX_SEATS, np.float64)
        dispatch.returns(s, points)
        worth = (points[0] - points[1]) / 2
        # Matches that end alike are one node.
        key = combine_hash(2, int(np.rint(worth * 1024)))
    else:
        blank_unknown_cards(s, work)
        if not recall:
            standard_form(s)
        for seat in range(SEATS):
            scratch[1] = s
            mask_unknown(scratch[1], seat)
            now[seat] = hash_of(words[1])
            if recall:
                own = move if move % SEATS == seat else 0
                now[seat] = combine_hash(combine_hash(combine_hash(1, before[seat]), own), now[seat])
        key = hash_of(words[0])
        if recall:
            key = combine_hash(combine_hash(combine_hash(1, key), now[0]), now[1])
    place = find(keys, key)
    node: int = at[place]
    if keys[place] == key:
        return node
    if used[0] == len(states):
        return -1
    node = used[0]
    used[0] += 1
    keys[place] = key
    at[place] = node
    states[node] = s
    payoff[node] = worth
    over[node] = s.over != 0
    for seat in range(SEATS):
        seen[node, seat] = now[seat]
    return node


@rule
def add_outcome(level: Level, start: int, node: int, chance: float) -> None:
    """Note that an action, whose outcomes begin at `start`, leads to a node with this chance."""
    for i in range(start, level.used[2]):
        if level.child[i] == node:
            level.chance[i] += chance
            return
    level.child[level.used[2]] = node
    level.chance[level.used[2]] = chance
    level.used[2] += 1


@rule
def play_and_count_seen(
    s: Position, counts: NDArray[np.int32], hidden: NDArray[np.int64], seat: int, action: int
) -> int:
    """Lay what is left into the `hidden` slots, play an action (-1: the deal); return how many are seen then.

    `counts` is room for the cards that are left.
    """
    fill_hidden_slots(s, counts, hidden)
    if action >= 0:
        dispatch.apply(s, seat, action)
    seen = 0
    for slot in hidden:
        seen += is_known_to_a_seat(s, slot)
    return seen


@rule
def outcomes(level: Level, state: Position, before: NDArray[np.int64], seat: int, action: int, work: Work) -> int:
    """Write all that an action (-1: the deal) may lead to, with its chance; ``FINE``, or what is wrong (`REASONS`).

    `before` is what each seat had seen.
    """
    scratch, ways = work.scratch, work.ways
    counts = np.zeros((MAX_POOLS, MAX_KINDS), np.int32)
    slots = np.empty(len(state.card), np.int64)
    left = find_hidden_slots(state, counts, slots)
    if left < 0:
        return POOLED
    hidden = slots[:left]
    # Played once to find out which hidden cards come to be seen.
    scratch[0] = state
    shown = np.empty(play_and_count_seen(scratch[0], counts, hidden, seat, action), np.int64)
    many = 0
    for slot in hidden:
        if is_known_to_a_seat(scratch[0], slot):
            shown[many] = slot
            many += 1
    # Then with every choice of faces for those, the first slot's slowest: each kind in each way in which it may lie.
    chosen = np.full(many + 1, -1, np.int64)
    chances = np.ones(many + 1, np.float64)
    start = level.used[2]
    at = 0
    while at >= 0:
        face = MAX_KINDS * ways
        if at == many:
            scratch[0] = state
            s = scratch[0]
            for i in range(many):
                s.card[shown[i]] = chosen[i] // ways
                set_face_variant(work, shown[i], chosen[i] % ways)
            seen = play_and_count_seen(s, counts, hidden, seat, action)
            if s.stream != state.stream:
                return SHUFFLED
            if seen != many:
                return SEEN
            if level.used[2] == len(level.child):
                return FULL
            node = find_or_add_node(level, work, before, action * SEATS + seat + SEATS)
            if node < 0:
                return FULL
            add_outcome(level, start, node, chances[many])
        else:
            face = chosen[at] + 1
            while face < MAX_KINDS * ways and counts[0, face // ways] == 0:
                face += 1
        if face < MAX_KINDS * ways:
            chosen[at] = face
            chances[at + 1] = chances[at] * counts[0, face // ways] / (left * ways)
            counts[0, face // ways] -= 1
            left -= 1
            at += 1
            chosen[at] = -1
        else:
            at -= 1
            if at >= 0:
                counts[0, chosen[at] // ways] += 1
                left += 1
    return FINE


@rule
def expand(
    nodes: Level, deal: bool, level: Level, seats: NDArray[np.int8], firsts: NDArray[np.int64], work: Work
) -> int:
    """Compiled entry: expand the `nodes` of a level into the next `level`; ``FINE``, or what is wrong (`outcomes`).

    `seats` and `firsts` receive who is to act in each node, and where its actions begin in the next level. With `deal`
    the one node is that before the deal, at which chance is to act.
    """
    states, seen, over = nodes.states, nodes.seen, nodes.over
    legal = np.empty(MAX_LEGAL, np.int32)
    for node in range(len(seats)):
        firsts[node] = level.used[1]
        seats[node] = TERMINAL
        if over[node]:
            continue
        seat, n = 0, 1
        if deal:
            seats[node], legal[0] = CHANCE, -1
        else:
            seats[node] = seat = lowest_acting(states[node])
            n = dispatch.legal(states[node], seat, legal)
        if level.used[1] + n > len(level.action):
            return FULL
        for i in range(n):
            level.action[level.used[1]] = legal[i]
            level.first[level.used[1]] = level.used[2]
            level.used[1] += 1
            found = outcomes(level, states[node], seen[node], seat, legal[i], work)
            if found != FINE:
                return found
    return FINE


@rule
def mask_all(states: NDArray[Any], seats: NDArray[np.int8]) -> None:
    """Turn each of `states` into the view of the seat that `seats` names beside it."""
    for i in range(len(states)):
        mask_unknown(states[i], seats[i])
