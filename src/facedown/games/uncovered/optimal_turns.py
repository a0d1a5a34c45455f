"""The least number of turns in which a board of Uncovered! can be won: T* of rules 4.7, exactly.

Method. There are 24 sequences that all hands could end in. Fix one. Every card then has a place (a column, 1..4) where
it belongs, and a card at column i that belongs to column j is an *edge* i → j of a graph on four nodes; a card that
lies right is a loop. As many cards lie in a column as belong there, so the edges fall apart into cycles. A swap
exchanges the heads of two edges: it splits one cycle into two, joins two into one, or leaves their number as it is. At
the end all 4N edges are loops, 4N cycles. Hence

    distance = edges − (most cycles they fall apart into)            [loops left out on both sides]

is a lower bound on the swaps needed, and no swap lowers it by more than one. On four nodes the most cycles are easily
counted. Opposite edges i → j, j → i pair off: min(e_ij, e_ji) cycles for each pair of nodes (were two opposite edges in
different cycles, the rest of those two would join to a cycle: nothing is lost). What is left has edges in one direction
at most between any two nodes, and in such a graph on four nodes all cycles have an edge in common (a strong tournament
on four nodes has just two 3-cycles and one 4-cycle, and one edge lies in all three). So every way to take the rest
apart has as many cycles as that edge has copies, max |e_ij − e_ji|:

    distance = misplaced − Σ min(e_ij, e_ji) − max |e_ij − e_ji| = Σ max(e_ij, e_ji) − max |e_ij − e_ji|

Turn order costs more. *Waiting*: a hand that lies right and still has a turn will have to touch one of its right cards,
and a swap that moves a right card never lowers the distance (its loop is a cycle of its own, which the swap joins to
another). One swap settles that for two such hands only by raising the distance by one. So distance + waiting hands is a
lower bound still. *Touches*: a hand with m misplaced cards and n turns to come takes part in at least max(m, n) of the
swaps, and in one swap take part two hands.

A depth-first search with iterative deepening over the number of turns, nearest sequences first, swaps that lower the
distance first, remembers boards that failed. It needs a few dozen boards for six players.

In the single-colour goal (four players, UNC-8) the same holds with hands for columns: a number belongs into the hand
that is to collect it, and the nodes are the hands.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.games.uncovered.info import FEWEST_PLAYERS, LOWEST, MOST_PLAYERS, NUMBERS, PLACES

#: Numbers 1..4, a row for each seat.
Hands = tuple[tuple[int, ...], ...]
#: Seat, its place, the other seat, its place, all counted from 0.
Swap = tuple[int, int, int, int]

#: More than any board needs (the hardest boards known, of six players, need 10).
MOST_TURNS = 31

#: In place of a mover: every swap may be made by anybody (the least number of swaps, turn order ignored).
ANYONE = 7

#: ORDERS[o, k − 1]: the column (or hand) where number k belongs in the o-th of the 24 goals.
ORDERS = np.array(list(permutations(range(NUMBERS))), dtype=np.int64)

# A board is packed into an integer once a goal is fixed: 8 bits a hand, in them 2 bits a place: the node (column or
# hand) where the card at that place belongs. Places are also counted through: place 4·hand + i.
HAND_BITS = 8
PLACE_BITS = 2
HAND_MASK = (1 << HAND_BITS) - 1
NODE_MASK = (1 << PLACE_BITS) - 1
MOST_PLACES = PLACES * MOST_PLAYERS
#: MISPLACED[packed hand ^ packed right hand]: the number of places that differ.
MISPLACED = np.array([sum(x >> at & NODE_MASK != 0 for at in range(0, HAND_BITS, PLACE_BITS)) for x in range(256)])

#: NODES[by_hand, place]: the node that a place is part of: its column, or its hand (of which there are four then).
NODES = np.array([[place // part % NUMBERS for place in range(MOST_PLACES)] for part in (1, PLACES)])
#: RIGHT[by_hand]: the packed board on which every card lies where it belongs.
RIGHT = (NODES << PLACE_BITS * np.arange(MOST_PLACES)).sum(axis=1)

# The edges are packed into another integer: 4 bits for the number of those (at most six) from each node to each.
EDGE_BITS = 4
EDGE_MASK = (1 << EDGE_BITS) - 1
#: EDGE_AT[tail, head]: where they stand; EDGE[tail, head]: one of them.
EDGE_AT = EDGE_BITS * np.arange(NUMBERS * NUMBERS).reshape(NUMBERS, NUMBERS)
EDGE = 1 << EDGE_AT

#: Slots of the memory of failed boards (a prime), and how a failed board is packed.
MEMORY = 16_381
#: No deal needs nearly so many boards. A bound that is too strict would have the search go on for ever: then it stops.
MOST_BOARDS = 5_000_000
TURNS_AT = HAND_BITS * MOST_PLAYERS
MOVER_AT = TURNS_AT + 5
GOAL_AT = MOVER_AT + 3

#: Columns of a frame of the search: packed board and edges, their distance, and the swap that is tried next: one that
#: changes the distance by so much, of this place with that one.
BOARD, EDGES, DISTANCE, CHANGE, OWN, OTHER = range(6)


@rule
def pack_board(hands: NDArray[np.int64], order: int) -> int:
    """The board as seen from the goal `order`: for every card the node where it belongs."""
    board = 0
    for place in range(PLACES * len(hands)):
        board |= ORDERS[order, hands[place // PLACES, place % PLACES] - LOWEST] << (PLACE_BITS * place)
    return board


@rule
def target_node(board: int, place: int) -> int:
    """The node where the card at a place belongs."""
    return board >> PLACE_BITS * place & NODE_MASK


@rule
def pack_edges(board: int, players: int, by_hand: int) -> int:
    """How many edges go from each node to each. Nodes are columns, or hands if `by_hand` is 1."""
    edges = 0
    for place in range(PLACES * players):
        edges += EDGE[NODES[by_hand, place], target_node(board, place)]
    return edges


@rule
def swap_lower_bound(edges: int) -> int:
    """Σ max(e_ij, e_ji) − max |e_ij − e_ji|: no fewer swaps will do."""
    total = steepest = 0
    for low in range(NUMBERS):
        for high in range(low + 1, NUMBERS):
            there, back = edges >> EDGE_AT[low, high] & EDGE_MASK, edges >> EDGE_AT[high, low] & EDGE_MASK
            total += max(there, back)
            steepest = max(steepest, abs(there - back))
    return total - steepest


@rule
def can_reach_goal(board: int, distance: int, mover: int, left: int, players: int, by_hand: int) -> bool:
    """False only if no line of exactly `left` swaps reaches the goal: distance, waiting hands, touches."""
    touches = 0
    waiting = 0
    wrong = board ^ RIGHT[by_hand]
    for hand in range(players):
        misplaced = MISPLACED[wrong >> HAND_BITS * hand & HAND_MASK]
        if misplaced > left:
            return False
        wait = hand - mover if hand >= mover else hand - mover + players
        turns = (left - wait + players - 1) // players if mover != ANYONE else 0
        waiting += misplaced == 0 and turns > 0
        touches += max(misplaced, turns)
    return distance + waiting <= left and touches <= 2 * left


@rule
def sort_hands(board: int, players: int) -> int:
    """The same hands in ascending order of their packed values."""
    ordered = 0
    for done in range(players):
        hand = board >> HAND_BITS * done & HAND_MASK
        at = done
        while at > 0 and (ordered >> HAND_BITS * (at - 1) & HAND_MASK) > hand:
            at -= 1
        low = ordered & ((1 << (HAND_BITS * at)) - 1)
        ordered = low | hand << (HAND_BITS * at) | (ordered ^ low) << HAND_BITS
    return ordered


@rule
def memory_key(board: int, mover: int, left: int, players: int, by_hand: int) -> int:
    """What has failed: this board with this mover and so many turns. Never 0, which is an empty slot.

    Where anybody may move and the goal is a sequence, seats mean nothing: the hands are put in order.
    """
    if mover == ANYONE and by_hand == 0:
        board = sort_hands(board, players)
    return (board | left << TURNS_AT | mover << MOVER_AT | by_hand << GOAL_AT) + 1


@rule
def push_next_swap(frames: NDArray[np.int64], depth: int, mover: int, left: int, players: int, by_hand: int) -> bool:
    """Find the next swap worth a try in the frame at `depth`, and put the board after it into the frame below.

    Tried are first the swaps that lower the distance, then those that keep it, then those that raise it. False when
    there is none left.
    """
    board, edges, distance = frames[depth, BOARD], frames[depth, EDGES], frames[depth, DISTANCE]
    nodes = NODES[by_hand]
    following = mover if mover == ANYONE else (mover + 1) % players
    places = PLACES * players
    first, end = (0, places) if mover == ANYONE else (PLACES * mover, PLACES * (mover + 1))
    for change in range(frames[depth, CHANGE], min(1, left - 1 - distance) + 1):
        for own in range(max(first, frames[depth, OWN]), end):
            tail, head = nodes[own], target_node(board, own)
            if change < 0 and head == tail:
                continue  # a right card cannot lower the distance
            for other in range(max(own if mover == ANYONE else 0, frames[depth, OTHER]), places):
                other_tail, other_head = nodes[other], target_node(board, other)
                no_gain = head == other_head or other_tail == other_head
                if own // PLACES == other // PLACES or (change < 0 and no_gain):
                    continue
                # The two edges exchange their heads.
                after = edges - EDGE[tail, head] - EDGE[other_tail, other_head]
                after += EDGE[tail, other_head] + EDGE[other_tail, head]
                after_distance = swap_lower_bound(after)
                if after_distance != distance + change:
                    continue
                difference = head ^ other_head
                then = board ^ difference << PLACE_BITS * own ^ difference << PLACE_BITS * other
                if can_reach_goal(then, after_distance, following, left - 1, players, by_hand):
                    frames[depth, CHANGE], frames[depth, OWN], frames[depth, OTHER] = change, own, other + 1
                    put_frame(frames, depth + 1, then, after, after_distance)
                    return True
            frames[depth, OTHER] = 0
        frames[depth, OWN] = 0
    return False


@rule
def put_frame(frames: NDArray[np.int64], depth: int, board: int, edges: int, distance: int) -> None:
    """Begin a frame: none of its swaps has been tried."""
    frames[depth, BOARD], frames[depth, EDGES], frames[depth, DISTANCE] = board, edges, distance
    frames[depth, CHANGE], frames[depth, OWN], frames[depth, OTHER] = -1, 0, 0


@rule
def search(
    frames: NDArray[np.int64], mover: int, turns: int, players: int, by_hand: int, memory: NDArray[np.int64]
) -> bool:
    """Whether exactly `turns` swaps reach the goal from the board in frame 0, found `can_reach_goal` by the caller.

    Depth first, with a frame for each turn instead of recursion. If so, the frames hold the line.
    """
    depth = 0
    while 0 <= depth < turns:
        memory[MEMORY] += 1
        if memory[MEMORY] > MOST_BOARDS:
            raise RuntimeError("the search for the fewest turns does not end: a bound is too strict")
        to_move = mover if mover == ANYONE else (mover + depth) % players
        key = memory_key(frames[depth, BOARD], to_move, turns - depth, players, by_hand)
        if memory[key % MEMORY] != key and push_next_swap(frames, depth, to_move, turns - depth, players, by_hand):
            depth += 1
        else:
            memory[key % MEMORY] = key
            depth -= 1
    return depth == turns


@rule
def is_deal(hands: NDArray[np.int64]) -> bool:
    """Whether these are 2..6 hands of four with as many cards of each number 1..4 as there are hands."""
    players = len(hands)
    for number in range(LOWEST, LOWEST + NUMBERS):
        if np.sum(hands == number) != players:
            return False
    return FEWEST_PLAYERS <= players <= MOST_PLAYERS and hands.shape[1] == PLACES


@rule
def write_best_line(hands: NDArray[np.int64], mover: int, single_colour_win: bool, line: NDArray[np.int64]) -> int:
    """T* of a board, and one line that wins in so many turns.

    `hands[p, i]` is the number 1..4 at place i of seat p. `mover` is the seat to act, after it the seats follow in
    turn, each with a swap; with `ANYONE` anybody may make any swap. `line` (`MOST_TURNS` × 4) receives the swaps in
    order: seat, its place, the other seat, its place, all counted from 0. Returns −1 if `hands` is no deal or the mover
    no seat.
    """
    players = len(hands)
    if not is_deal(hands) or mover < 0 or (mover >= players and mover != ANYONE):
        return -1
    goals = 2 * len(ORDERS) if single_colour_win and players == NUMBERS else len(ORDERS)
    starts = np.zeros((goals, 6), np.int64)
    nearest = MOST_TURNS
    for goal in range(goals):
        board = pack_board(hands, goal % len(ORDERS))
        edges = pack_edges(board, players, goal // len(ORDERS))
        put_frame(starts, goal, board, edges, swap_lower_bound(edges))
        nearest = min(nearest, starts[goal, DISTANCE])
    frames = np.zeros((MOST_TURNS + 1, 6), np.int64)
    # Behind the failed boards: how many were looked at.
    memory = np.zeros(MEMORY + 1, np.int64)
    for turns in range(nearest, MOST_TURNS + 1):
        for near in range(nearest, turns + 1):  # the nearest goals first
            for goal in range(goals):
                by_hand = goal // len(ORDERS)
                if starts[goal, DISTANCE] == near and can_reach_goal(
                    starts[goal, BOARD], near, mover, turns, players, by_hand
                ):
                    frames[0] = starts[goal]
                    if search(frames, mover, turns, players, by_hand, memory):
                        for turn in range(turns):
                            line[turn, :2] = divmod(frames[turn, OWN], PLACES)
                            line[turn, 2:] = divmod(frames[turn, OTHER] - 1, PLACES)
                        return turns
    return -1


@rule
def fewest_turns(hands: NDArray[np.int64], mover: int, single_colour_win: bool) -> int:
    """T* of a board (rules 4.7): the least turn number at which the hands can be uncovered and won.

    `hands` and `mover` as for `write_best_line`. Takes about 0.01 ms for most boards, a few ms for the hardest: a game
    should ask once it is over and the score is wanted, not in every state.
    """
    return write_best_line(hands, mover, single_colour_win, np.empty((MOST_TURNS, 4), np.int64))


@lru_cache(maxsize=512)
def best_line(hands: Hands, first: int, single_colour_win: bool = False) -> tuple[Swap, ...]:
    """A shortest line of swaps that wins a deal; its length is T*.

    `first` has turn 0, or is `ANYONE` where turn order is ignored. `ValueError` if the hands are no deal.

    >>> best_line(((1, 2, 3, 3), (1, 2, 4, 4)), 0)
    ((0, 3, 1, 2),)
    """
    line = np.zeros((MOST_TURNS, 4), np.int64)
    turns = write_best_line(np.array(hands, np.int64), first, single_colour_win, line)
    if turns < 0:
        raise ValueError(f"no deal of Uncovered!: {hands}")
    return tuple((seat, place, other, theirs) for seat, place, other, theirs in line[:turns].tolist())
