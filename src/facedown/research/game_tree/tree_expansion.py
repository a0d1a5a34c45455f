"""Compiled expansion of a `GameTree`: finds the outcomes of each action and merges equal positions into one node."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.bots.evaluation_dispatch import standard_form
from facedown.bots.tree_search import find_key_or_free_entry
from facedown.core import rule_dispatch
from facedown.core.hidden_cards import MAX_KINDS, MAX_LEGAL, MAX_POOLS, to_known_view
from facedown.core.rule import rule, to_int64
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.state import EMPTY, MAX_SEATS, UNKNOWN, Position
from facedown.research.game_tree.lazy_tree import CHANCE, TERMINAL

SEATS = 2
BOTH = (1 << SEATS) - 1
#: Result codes of `expand`: success, arrays too small, and three features of games that are not supported
#: (`full_tree.REASONS`).
FINE, FULL, SHUFFLED, POOLED, SEEN = range(5)
#: Moduli (primes below 2 ** 31) and factors of the two halves of a hash. They are small enough that products stay below
#: 2 ** 63.
PRIMES = (2_147_483_647, 2_147_483_629)
FACTORS = (1_103_515_245, 1_299_709_387)


@rule
def combine_hash(h: int, number: int) -> int:
    """Return a 62-bit hash made from the 62-bit hash `h` and a whole number."""
    one = ((h >> 31) * FACTORS[0] + number % PRIMES[0] + 1) % PRIMES[0]
    two = ((h & 0x7FFFFFFF) * FACTORS[1] + number % PRIMES[1] + 7) % PRIMES[1]
    return one << 31 | two


@rule
def hash_of(words: NDArray[np.uint32]) -> int:
    """Return a 62-bit hash of a position, or of a view (what one seat knows of a position).

    `words` has the bytes of the position or view as 32-bit numbers.
    """
    one = two = 1
    for word in words:
        number = to_int64(word)
        one = (one * FACTORS[0] + number) % PRIMES[0]
        two = (two * FACTORS[1] + number) % PRIMES[1]
    return one << 31 | two


@rule
def find_slots_unknown_to_both_seats(s: Position, counts: NDArray[np.int32], hidden: NDArray[np.int64]) -> int:
    """Find the slots (indices in ``s.card``) of the position `s` whose cards are unknown to both seats.

    Return n, the number of these slots. Two arrays are overwritten:

    * `hidden`: the first n entries are the slots found, in ascending order.
    * ``counts[0, k]``: the number of cards of kind k in these slots. A kind is a number that equal cards share.

    Return −1 if the game is not supported because its unknown cards do not all come from the same set of cards (pool 0
    of `RuleSet.pool`).
    """
    counts[:] = 0
    rule_dispatch.pools(s, counts)
    n = 0
    for slot in range(len(s.card)):
        kind = s.card[slot]
        if kind == UNKNOWN:
            if rule_dispatch.pool(s, slot) != 0:
                return -1
            hidden[n] = slot
            n += 1
        elif kind != EMPTY:
            counts[0, kind] -= 1
    return n


@rule
def fill_hidden_slots(s: Position, counts: NDArray[np.int32], hidden: NDArray[np.int64]) -> None:
    """Replace each unknown card in the slots `hidden` by one of the remaining cards, in ascending order of their kind.

    A kind is a number that equal cards share. The remaining cards are those that neither seat can locate.

    * `s`: the position, which is changed.
    * `hidden`: slots as indices in ``s.card``. A slot whose card is known already is left unchanged.
    * ``counts[0, k]``: the number of remaining cards of kind k. The array is not changed.
    """
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
    """Return whether at least one seat knows which card is in a slot (index in ``s.card``), or that it is empty."""
    return s.known[slot] & BOTH != 0


class Work(NamedTuple):
    """Workspace for the expansion of a tree: two records, and the byte offsets of some of their fields.

    The first record is the game position that is being expanded. The second is a copy of it, reduced to what one seat
    knows.

    In some games, the cards of a position have properties besides their identity, such as which way up each card is
    (`RuleSet.faces`). Each property is a field of the record, with one byte for each entry of the field `card`. When a
    card becomes visible, its byte is a random number, and all its values are equally likely. These fields have
    different names in different games, so compiled code finds them by their byte offsets.
    """

    scratch: NDArray[Any]
    """Array of the two records."""
    words: NDArray[np.uint32]
    """The same two records as 32-bit words, a row for each record."""
    memory: NDArray[np.uint8]
    """The same two records as bytes, a row for each record."""
    first: NDArray[np.int64]
    """Byte offset of each face field in a record."""
    values: NDArray[np.int64]
    """Number of values of each face field; the values are 0 to n − 1."""
    ways: int
    """Number of combinations of the values of all face fields."""
    recall: bool
    """Whether histories merge only if each seat has seen and done the same in both."""


@rule
def set_face_fields_to_combination(work: Work, slot: int, way: int) -> None:
    """Set the face fields of one card in the first record of `work`, which is the position that is being expanded.

    A face field is a record field with a visible property of each card other than its identity, such as which way up
    the card is (see `Work`).

    * `slot`: the place of the card, an index in the record's field `card`.
    * `way`: the new values of all face fields for this card, encoded as one number from 0 to ``work.ways - 1``. With
      two face fields, the number is ``value[0] + n * value[1]``, where field 0 has n different values.
    """
    for field in range(len(work.first)):
        work.memory[0, work.first[field] + slot] = way % work.values[field]
        way //= work.values[field]


@rule
def blank_unknown_cards(s: Position, work: Work) -> None:
    """Remove everything from the position `s` that neither seat knows. `s` must be the first record of `work`.

    Cards that neither seat knows are replaced by `UNKNOWN`, the value for an unknown card. Their face fields (see
    `Work`) and the random key are set to 0.
    """
    for slot in range(len(s.card)):
        if not is_known_to_a_seat(s, slot):
            s.card[slot] = UNKNOWN
            set_face_fields_to_combination(work, slot, 0)
    for i in range(len(s.key)):
        s.key[i] = 0


class Level(NamedTuple):
    """Arrays of a tree level that is being built: its nodes, and the actions and outcomes that lead to them.

    A level has all nodes that are reached by the same number of actions.

    * Arrays with an entry for each node: `states` (position), `seen` (hashes of what each seat has seen and done),
      `payoff` (result of the match) and `over` (whether the match is over).
    * Arrays with an entry for each action: `action` (id) and `first` (index of its first outcome).
    * Arrays with an entry for each outcome of an action: `child` (index of the node) and `chance` (probability).
    * Hash table of the nodes: `keys` (hash of a node) and `at` (index of the node with this hash).

    These arrays are larger than their content. `used` has the numbers of nodes, actions and outcomes so far.
    """

    keys: NDArray[np.int64]
    """Hash of the node in each entry of the hash table; 0 for a free entry."""
    at: NDArray[np.int64]
    """Index of the node in each entry of the hash table."""
    states: NDArray[Any]
    """Position at each node, as a record."""
    seen: NDArray[np.int64]
    """Hash of everything that each seat has seen and done so far, by node and seat."""
    payoff: NDArray[np.float64]
    """At nodes where the match is over: half of seat 0's lead in points over seat 1; 0 at all other nodes."""
    over: NDArray[np.bool_]
    """Whether the match is over at each node."""
    action: NDArray[np.int32]
    """Legal actions at all nodes of the previous level, node after node; −1 for the deal."""
    first: NDArray[np.int64]
    """Index of the first outcome of each action."""
    child: NDArray[np.int64]
    """Index of the node that each outcome leads to."""
    chance: NDArray[np.float64]
    """Probability of each outcome."""
    used: NDArray[np.int64]
    """Number of nodes, number of actions and number of outcomes so far."""


class Edges(NamedTuple):
    """Tree as arrays: nodes, their actions, the outcomes of each action (edges to the next nodes), information sets.

    Nodes, actions, outcomes and information sets each have indices from 0.
    """

    levels: NDArray[np.int64]
    """Index of the first node of each level; the last entry is the number of nodes."""
    seat: NDArray[np.int8]
    """Seat to act at each node, or `CHANCE` or `TERMINAL`."""
    payoff: NDArray[np.float64]
    """At nodes where the match is over: half of seat 0's lead in points over seat 1; 0 at all other nodes."""
    first_action: NDArray[np.int64]
    """Index of the first action of each node; the last entry is the number of actions."""
    first_outcome: NDArray[np.int64]
    """Index of the first outcome of each action; the last entry is the number of outcomes."""
    child: NDArray[np.int64]
    """Index of the node that each outcome leads to."""
    chance: NDArray[np.float64]
    """Probability of each outcome."""
    set_of: NDArray[np.int64]
    """Index of the information set of each node; −1 if no seat acts at the node."""
    set_seat: NDArray[np.int8]
    """Seat to act in each information set."""
    set_level: NDArray[np.int64]
    """Index of the first information set of each level; the last entry is the number of sets."""
    first_place: NDArray[np.int64]
    """Index, in a strategy, of the first action of each information set; the last entry is the length of a strategy."""


@rule
def find_or_add_node(level: Level, work: Work, before: NDArray[np.int64], move: int) -> int:
    """Return the index of the node for the position in the first record of `work`, and add the node to `level` if it
    is new.

    * `before`: for each seat, the hash of what it had seen and done at the previous node.
    * `move`: ``(action + 1) * SEATS + seat`` for the action that led here and the seat that played it; 0 for the deal.

    Return −1 if the arrays of `level` are full.
    """
    scratch, words, recall = work.scratch, work.words, work.recall
    keys, at, states, seen, payoff, over, _action, _first, _child, _chance, used = level
    s = scratch[0]
    key = 1
    now = np.zeros(SEATS, np.int64)
    worth = 0.0
    if s.over != 0:
        points = np.zeros(MAX_SEATS, np.float64)
        rule_dispatch.returns(s, points)
        worth = (points[0] - points[1]) / 2
        # All positions in which the match is over with the same result share one node, so their key is a hash of the
        # result alone. Results count as different if they differ by at least 1/1024. The 2 marks a finished match.
        key = combine_hash(2, int(np.rint(worth * 1024)))
    else:
        blank_unknown_cards(s, work)
        if not recall:
            standard_form(s)
        for seat in range(SEATS):
            scratch[1] = s
            to_known_view(scratch[1], seat)
            now[seat] = hash_of(words[1])
            if recall:
                own = move if move % SEATS == seat else 0
                now[seat] = combine_hash(combine_hash(combine_hash(1, before[seat]), own), now[seat])
        key = hash_of(words[0])
        if recall:
            key = combine_hash(combine_hash(combine_hash(1, key), now[0]), now[1])
    place = find_key_or_free_entry(keys, key)
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
    """Add an outcome to the action that is being expanded: `node` with the probability `chance`.

    `start` is the index of the action's first outcome. If an outcome with this node exists already, its probability is
    increased instead.
    """
    for i in range(start, level.used[2]):
        if level.child[i] == node:
            level.chance[i] += chance
            return
    level.child[level.used[2]] = node
    level.chance[level.used[2]] = chance
    level.used[2] += 1


@rule
def fill_slots_play_and_count_revealed(
    s: Position, counts: NDArray[np.int32], hidden: NDArray[np.int64], seat: int, action: int
) -> int:
    """Fill the slots `hidden` with cards, play an action of `seat`, and return how many of these slots it reveals.

    A slot is revealed if at least one seat knows, after the action, which card is in it or that it is empty. The cards
    are not random: they are used in ascending order of their kind, a number that equal cards share. Any order would do,
    because a game is supported only if the number of revealed slots does not depend on these cards.

    * `s`: the position, which is changed.
    * `hidden`: slots as indices in ``s.card``. A slot whose card is known already keeps this card.
    * ``counts[0, k]``: the number of remaining cards of kind k, from which the slots are filled. These are the cards
      that neither seat can locate. The array is not changed.
    * `action`: an action of `seat`. If it is −1, no action is played, and the slots revealed by the deal are counted.
    """
    fill_hidden_slots(s, counts, hidden)
    if action >= 0:
        rule_dispatch.apply(s, seat, action)
    seen = 0
    for slot in hidden:
        seen += is_known_to_a_seat(s, slot)
    return seen


@rule
def write_outcomes(level: Level, state: Position, before: NDArray[np.int64], seat: int, action: int, work: Work) -> int:
    """Find all outcomes of an action of `seat` in the position `state`, and add them to `level`.

    The outcomes differ in the cards that the action shows to a seat. Each outcome leads to a node, with a probability.
    This node is also added to `level`, unless `level` has it already.

    * `level`: the level of the tree to which the action leads. A level has all nodes that are reached by the same
      number of actions.
    * `before`: for each seat, the hash of what it had seen and done before the action.
    * `action`: an action of `seat`. If it is −1, no action is played, and the outcomes are those of the deal.
    * `work`: the workspace for copies of the position. The old contents of its two records do not matter.

    Return `FINE` on success, `FULL` if the arrays of `level` are too small, or a key of `full_tree.REASONS`, which says
    why the game is not supported.
    """
    scratch, ways = work.scratch, work.ways
    counts = np.zeros((MAX_POOLS, MAX_KINDS), np.int32)
    slots = np.empty(len(state.card), np.int64)
    left = find_slots_unknown_to_both_seats(state, counts, slots)
    if left < 0:
        return POOLED
    hidden = slots[:left]
    # Play the action once to find out which of the hidden cards it shows to a seat.
    scratch[0] = state
    shown = np.empty(fill_slots_play_and_count_revealed(scratch[0], counts, hidden, seat, action), np.int64)
    many = 0
    for slot in hidden:
        if is_known_to_a_seat(scratch[0], slot):
            shown[many] = slot
            many += 1
    # Play the action again for every combination of faces (kind and orientation) of the cards shown. The order is that
    # of nested loops: the outermost loop is over the faces of the first card shown, the innermost one over those of the
    # last.
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
                set_face_fields_to_combination(work, shown[i], chosen[i] % ways)
            seen = fill_slots_play_and_count_revealed(s, counts, hidden, seat, action)
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
    """Expand every node of a tree level, `nodes`. The results are written to three other arguments.

    * `level`, the next level: the legal actions at the nodes, the outcomes of each action, and the nodes reached
    * `seats`: the seat to act at each of the nodes
    * `firsts`: for each of the nodes, the index of its first action in ``level.action``

    With `deal`, `nodes` has only the node before the deal, at which chance acts. Return `FINE` on success, `FULL` if
    the arrays of `level` are too small, or a key of `full_tree.REASONS`, which says why the game is not supported.
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
            n = rule_dispatch.legal(states[node], seat, legal)
        if level.used[1] + n > len(level.action):
            return FULL
        for i in range(n):
            level.action[level.used[1]] = legal[i]
            level.first[level.used[1]] = level.used[2]
            level.used[1] += 1
            found = write_outcomes(level, states[node], seen[node], seat, legal[i], work)
            if found != FINE:
                return found
    return FINE


@rule
def replace_states_by_views(states: NDArray[Any], seats: NDArray[np.int8]) -> None:
    """Replace each record of `states` by the view of the seat at the same index of `seats`."""
    for i in range(len(states)):
        to_known_view(states[i], seats[i])
