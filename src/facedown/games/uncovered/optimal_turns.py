"""Exact minimum number of turns in which a board of Uncovered! (the hands of all players) can be won.

The rules (section 4.7 of ``docs/rules/uncovered.md``) call this number T*. Each turn is one swap, so T* is the smallest
number of swaps that wins if the players take turns in order. The search for T* uses three lower bounds on the number of
swaps.

Definitions:

* Goal: a sequence of numbers that all hands are to have at the end. There are 24 such sequences. The bounds are
  computed for one of them at a time.
* Column i: the cards at place i of all hands. For a given goal, each card belongs in one of the four columns.
* Graph: its four nodes are the columns. Each card is an edge i → j, where i is the column in which the card is, and j
  is the column in which it belongs.
* Loop: an edge i → i, which is a card in its right column.
* Decomposition: a set of cycles of the graph such that each edge is in exactly one of these cycles. Each loop is a
  cycle of its own. The graph always has a decomposition, because each column has as many cards as belong in it.

First bound: the distance.

    distance = number of edges − largest number of cycles in a decomposition

* At the goal the distance is 0, because all edges are loops.
* A swap exchanges the start nodes of two edges, because each of the two cards moves to the place of the other. This
  changes the largest number of cycles by at most 1, and the number of edges not at all.

So each swap lowers the distance by at most 1, and the number of swaps to the goal is at least the distance.

Formula for the distance. Let e_ij be the number of edges i → j. The sum and the maximum are over the six pairs of
different columns i < j:

    distance = Σ max(e_ij, e_ji) − max |e_ij − e_ji|

Proof of the formula:

1. Leave out the loops. Each loop counts as one edge and as one cycle, so it does not change the distance.
2. Take out as many 2-cycles i → j → i as possible: min(e_ij, e_ji) for each pair of columns. Some decomposition with
   the largest number of cycles has all these 2-cycles. To see this, suppose that i → j and j → i are in two different
   cycles of a decomposition. Replace these two cycles by the 2-cycle i → j → i and by one or more cycles of all their
   other edges. The number of cycles does not become smaller.
3. Between two columns, |e_ij − e_ji| edges remain, all in the same direction. Suppose that some cycle remains. Draw one
   arrow for each pair of columns, in the direction of the remaining edges between them. If no edges remain between two
   columns, choose the direction of their arrow such that every column can be reached from every other one along arrows.
   Such a graph of six arrows (a strong tournament on four nodes) has only three cycles: two of length 3 and one of
   length 4. One arrow a → b is part of all three. So every remaining cycle has exactly one edge a → b, and the number
   of these cycles is |e_ab − e_ba|. A cycle has at most one edge between any other two columns, so no more edges remain
   between them than between a and b. Therefore the number of cycles is max |e_ij − e_ji|.
4. The number of edges that are not loops is Σ (e_ij + e_ji). Subtract Σ min(e_ij, e_ji) cycles (step 2) and
   max |e_ij − e_ji| cycles (step 3). The result is the formula, because the sum of two numbers less the smaller one is
   the larger one.

Second bound: the distance plus the number of waiting hands. A hand is complete if all its cards are in the right
columns. A hand waits if it is complete but its player has another turn, in which the player must swap a card of the
hand. At the end, when no turn is left, no hand waits. A swap can end the waiting only of the two hands whose cards it
exchanges. So there are three cases:

* Neither of the two hands waits. The swap lowers the distance by at most 1, and ends the waiting of no hand.
* One of the two hands waits. Its swapped card is a loop. If the other card is in another column, the swap joins the
  loop to the cycle of the other card, so the number of cycles does not grow. If both cards are in the same column, the
  graph stays the same. So the swap does not lower the distance, and it ends the waiting of at most one hand.
* Both hands wait. Both swapped cards are loops. If they are in different columns, the swap joins the two loops to one
  cycle. So it raises the distance by 1, and it ends the waiting of at most two hands. If they are in the same column,
  they are equal, and both hands stay complete. So the distance does not change, and at most the hand of the player
  who swapped stops waiting, if this was the player's last turn.

In every case the swap lowers the sum by at most 1. At the goal, after the last swap, the sum is 0. So the number of
swaps to the goal is at least the sum.

Third bound: touches. A swap touches the two hands whose cards it exchanges. A hand with m misplaced cards, whose player
has n more turns, must be touched by at least max(m, n) swaps. Each swap touches two hands. So the sum of max(m, n) over
all hands is at most twice the number of swaps.

The search is depth first, with iterative deepening over the number of turns. It tries the nearest goals first,
and the swaps that lower the distance first. It stores boards from which no solution was found. With six players it
visits a few dozen boards.

Hands of one number (ruling UNC-8). With the option `single_colour_win`, four players also win if each hand has all four
cards of one number. This adds 24 goals: the ways to assign the four numbers to the hands. For such a goal the nodes are
the hands instead of the columns. Everything else is the same.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from facedown.core.rule import rule
from facedown.games.uncovered.info import FEWEST_PLAYERS, LOWEST, MOST_PLAYERS, NUMBERS, PLACES

#: Hands of all seats, each with four numbers from 1 to 4.
Hands = tuple[tuple[int, ...], ...]
#: A swap of two cards: (seat, place of its card, other seat, place of the other seat's card), all counted from 0.
Swap = tuple[int, int, int, int]

#: Limit on the number of turns. No board needs as many. The hardest known boards, for six players, need 10.
MOST_TURNS = 31

#: Value of `mover` (seat to act) if any two players may swap at any time, without turn order.
ANYONE = 7

#: ``ORDERS[o, k − 1]`` is the column in which the number k belongs for the o-th of the 24 goals. If each hand is to
#: have a single number, it is the hand in which the number k belongs.
ORDERS = np.array(list(permutations(range(NUMBERS))), dtype=np.int64)

# For a given goal, a board is packed into an integer. Each place has 2 bits: the number of the node (column or hand) in
# which the card at this place belongs. So each hand has 8 bits. The places of all hands are numbered 4·hand + place.
HAND_BITS = 8
PLACE_BITS = 2
HAND_MASK = (1 << HAND_BITS) - 1
NODE_MASK = (1 << PLACE_BITS) - 1
MOST_PLACES = PLACES * MOST_PLAYERS
#: ``MISPLACED[a ^ b]`` is the number of places in which two packed hands a and b differ. If all cards of b are in the
#: right place, it is the number of misplaced cards of a.
MISPLACED = np.array([sum(x >> at & NODE_MASK != 0 for at in range(0, HAND_BITS, PLACE_BITS)) for x in range(256)])

#: ``NODES[by_hand, place]`` is the node of a place: its column if `by_hand` is 0, its hand if `by_hand` is 1.
NODES = np.array([[place // part % NUMBERS for place in range(MOST_PLACES)] for part in (1, PLACES)])
#: ``RIGHT[by_hand]`` is the packed board on which every card is in the node (column or hand) in which it belongs.
RIGHT = (NODES << PLACE_BITS * np.arange(MOST_PLACES)).sum(axis=1)

# An edge is a card. It leads from the node (column or hand) where the card is to the node where the card belongs.
# Besides the packed board, the search needs the edge counts: for each ordered pair of nodes, the number of edges from
# the first to the second. They are packed into another integer, with 4 bits for each count, because it is at most 6.
EDGE_BITS = 4
EDGE_MASK = (1 << EDGE_BITS) - 1
#: Constants for the packed edge counts (`pack_edges`). An edge leads from the node `tail` to the node `head`.
#:
#: * ``EDGE_AT[tail, head]``: index of the bit at which the count of edges from `tail` to `head` begins.
#: * ``EDGE[tail, head]``: the number to add to the packed counts, to raise this count by 1.
EDGE_AT = EDGE_BITS * np.arange(NUMBERS * NUMBERS).reshape(NUMBERS, NUMBERS)
EDGE = 1 << EDGE_AT

#: Number of entries in the hash table of boards from which no solution was found. It is a prime.
MEMORY = 16_381
#: Limit on the number of boards that a search visits, far above what any deal needs. Only an error in a lower bound can
#: make a search exceed it.
MOST_BOARDS = 5_000_000
#: Bit positions in the keys of this hash table (`memory_key`), after the bits of the board: the number of turns left,
#: the seat to act, and whether each hand is to have a single number.
TURNS_AT = HAND_BITS * MOST_PLAYERS
MOVER_AT = TURNS_AT + 5
GOAL_AT = MOVER_AT + 3

#: Elements of a search frame, an array for one depth of the search:
#:
#: * `BOARD`: the board at this depth, packed;
#: * `EDGES`: the edge counts of this board, packed by `pack_edges`;
#: * `DISTANCE`: the lower bound on the number of swaps from this board to the goal;
#: * `CHANGE`, `OWN` and `OTHER`: the swap at which `push_next_swap` continues to look for the next swap to try:
#:
#:   * `CHANGE`: by how much the swap changes the distance: −1, 0 or 1;
#:   * `OWN`: the slot (4 × hand + place) of the card that the player to move gives away;
#:   * `OTHER`: the slot of the card that this player receives. After a swap was tried, `OTHER` is greater by 1 than in
#:     that swap, and `CHANGE` and `OWN` are as in that swap.
BOARD, EDGES, DISTANCE, CHANGE, OWN, OTHER = range(6)


@rule
def pack_board(hands: NDArray[np.int64], order: int) -> int:
    """Return an integer that says, for each card of a board, in which node (group of places) the card belongs.

    A board is the hands of all players: ``hands[seat, place]`` is the number of a card, 1 to 4. At the goal of the
    search, all cards with the same number are in the same node. The nodes are numbered from 0 to 3:

    * If the goal is that all hands are alike, node i is column i: place i of all hands.
    * If the goal is that each hand has only one number (with four players), node i is hand i.

    `order` is an index in `ORDERS`, which says for each goal which number belongs in which node. The result has two
    bits for each card: for the card at place i of hand p, the bits from 2 × (4 × p + i) on. These two bits are the
    number of the node in which the card belongs.
    """
    board = 0
    for place in range(PLACES * len(hands)):
        board |= ORDERS[order, hands[place // PLACES, place % PLACES] - LOWEST] << (PLACE_BITS * place)
    return board


@rule
def target_node(board: int, place: int) -> int:
    """Return in which node (0 to 3) the card that is now at `place` must be when the goal is reached.

    A node is a group of places in which all cards have the same number at the goal. If the goal is that all hands are
    alike, node i is place i of all hands. If the goal is that each hand has only one number, node i is hand i.

    `board` has the present hands, packed by `pack_board` for the goal. `place` is 4 × hand + place in the hand.
    """
    return board >> PLACE_BITS * place & NODE_MASK


@rule
def pack_edges(board: int, players: int, by_hand: int) -> int:
    """Return the edge counts of a packed board, packed into an integer with four bits for each count.

    For two nodes i and j, the edge count says how many cards are in node i and belong in node j. If `by_hand` is 0, a
    node is a column (the same place of all hands). If `by_hand` is 1, a node is a hand.
    """
    edges = 0
    for place in range(PLACES * players):
        edges += EDGE[NODES[by_hand, place], target_node(board, place)]
    return edges


@rule
def swap_lower_bound(edges: int) -> int:
    """Return the distance of a board from the goal: a lower bound on the number of swaps that are needed to reach it.

    `edges` has counts of cards, packed by `pack_edges`: e_ij is the number of cards that are in node i and belong in
    node j. A node is a column (the same place of all hands) if the goal is that all hands are alike. It is a hand if
    the goal is that each hand has only one number.

    The distance is Σ max(e_ij, e_ji) − max |e_ij − e_ji|. The sum, and the maximum that is subtracted from it, are over
    all pairs of nodes i < j. The docstring of the module derives this formula.
    """
    total = steepest = 0
    for low in range(NUMBERS):
        for high in range(low + 1, NUMBERS):
            there, back = edges >> EDGE_AT[low, high] & EDGE_MASK, edges >> EDGE_AT[high, low] & EDGE_MASK
            total += max(there, back)
            steepest = max(steepest, abs(there - back))
    return total - steepest


@rule
def might_reach_goal(board: int, distance: int, mover: int, left: int, players: int, by_hand: int) -> bool:
    """Return whether a board can perhaps be brought to the goal by exactly `left` swaps. False means: certainly not.

    The test uses the lower bounds on the number of swaps that the docstring of the module derives. They depend on three
    facts:

    * the distance of the board from the goal;
    * the number of hands in which every card is already where it belongs, but whose players must still make a swap;
    * for each hand, how many swaps must at least exchange a card of this hand.

    Parameters:

    * `board`: the board (the hands of all players), packed by `pack_board` for the goal.
    * `distance`: the distance of the board from the goal, as returned by `swap_lower_bound`.
    * `mover`: the seat that makes the next swap, or `ANYONE` if there is no turn order.
    * `left`: the number of swaps that are left.
    * `players`: the number of hands.
    * `by_hand`: 1 if each hand is to have a single number, 0 if all hands are to be alike.
    """
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
def sort_seats_by_packed_hand(board: int, players: int) -> int:
    """Return the packed board with its hands sorted in ascending order of their packed values."""
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
    """Return the key of a packed board in the hash table of boards that cannot be won in exactly `left` turns.

    * `mover`: the seat to act, or `ANYONE` if there is no turn order.
    * `by_hand`: 1 if each hand is to have a single number, 0 if all hands are to be alike.

    If there is no turn order and all hands are to be alike, it does not matter which seat has which hand. Then the
    hands are sorted, so that boards with the same hands have the same key. The key is never 0, because 0 marks an empty
    entry.
    """
    if mover == ANYONE and by_hand == 0:
        board = sort_seats_by_packed_hand(board, players)
    return (board | left << TURNS_AT | mover << MOVER_AT | by_hand << GOAL_AT) + 1


@rule
def push_next_swap(frames: NDArray[np.int64], depth: int, mover: int, left: int, players: int, by_hand: int) -> bool:
    """Find the next swap to try in the search frame at `depth`, and put the board after this swap into the next frame.

    Return False if no swap is left to try. A search frame is a row of `frames`: the board at one depth of the search,
    and the next swap to try on this board (see `BOARD`).

    * `depth`: the number of swaps on the way from the first board of the search to this board.
    * `mover`: the seat to act. Each swap that is tried exchanges a card of this seat with a card of another seat. If
      `mover` is `ANYONE`, the swaps between any two seats are tried.
    * `left`: the number of turns left, including the turn of this swap.
    * `players`: the number of hands.
    * `by_hand`: the goal of the search. 0: all hands are alike. 1: each hand has a single number.

    Swaps after which the goal cannot be reached in the turns left are skipped (`might_reach_goal`). The distance of a
    board is a lower bound on the number of swaps to the goal. Swaps that lower the distance are tried first, then those
    that keep it, then those that raise it.
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
                continue  # moving a card away from where it belongs cannot lower the distance
            for other in range(max(own if mover == ANYONE else 0, frames[depth, OTHER]), places):
                other_tail, other_head = nodes[other], target_node(board, other)
                no_gain = head == other_head or other_tail == other_head
                if own // PLACES == other // PLACES or (change < 0 and no_gain):
                    continue
                # After a swap, each card is where the other card was, so the two edges have exchanged their start
                # nodes. The edges tail → head and other_tail → other_head become other_tail → head and
                # tail → other_head.
                after = edges - EDGE[tail, head] - EDGE[other_tail, other_head]
                after += EDGE[tail, other_head] + EDGE[other_tail, head]
                after_distance = swap_lower_bound(after)
                if after_distance != distance + change:
                    continue
                difference = head ^ other_head
                then = board ^ difference << PLACE_BITS * own ^ difference << PLACE_BITS * other
                if might_reach_goal(then, after_distance, following, left - 1, players, by_hand):
                    frames[depth, CHANGE], frames[depth, OWN], frames[depth, OTHER] = change, own, other + 1
                    put_frame(frames, depth + 1, then, after, after_distance)
                    return True
            frames[depth, OTHER] = 0
        frames[depth, OWN] = 0
    return False


@rule
def put_frame(frames: NDArray[np.int64], depth: int, board: int, edges: int, distance: int) -> None:
    """Write a board to the search frame (row of `frames`) at `depth`, and mark all its swaps as untried.

    * `board`: the board (the hands of all players), packed by `pack_board`.
    * `edges`: the edge counts of the board, packed by `pack_edges`. They say, for all nodes i and j, how many cards are
      in node i and belong in node j. If the goal is that all hands are alike, the nodes are the four columns (the same
      place of all hands). If the goal is that each hand has only one number, the nodes are the four hands.
    * `distance`: the lower bound on the number of swaps to the goal, as returned by `swap_lower_bound`.
    """
    frames[depth, BOARD], frames[depth, EDGES], frames[depth, DISTANCE] = board, edges, distance
    frames[depth, CHANGE], frames[depth, OWN], frames[depth, OTHER] = -1, 0, 0


@rule
def search_exact_turns(
    frames: NDArray[np.int64], mover: int, turns: int, players: int, by_hand: int, memory: NDArray[np.int64]
) -> bool:
    """Return whether exactly `turns` swaps reach the goal from the board in the first frame.

    The goal is the one for which `pack_board` packed this board. The caller must have checked this board with
    `might_reach_goal`. The search is depth first. It uses one frame (row of `frames`) for each turn instead of
    recursion. Raise `RuntimeError` if more than `MOST_BOARDS` boards are visited.

    Parameters:

    * `frames`: the search frames. The first one has the board, written by `put_frame`.
    * `mover`: the seat to act, or `ANYONE`.
    * `turns`: the number of swaps.
    * `players`: the number of hands.
    * `by_hand`: 1 if each hand is to have a single number, 0 if all hands are to be alike.
    * `memory`: the hash table of boards without a solution, followed by one element that counts the boards visited.

    If the result is True, the first `turns` frames have the swaps of the solution. The swap in a frame exchanges the
    cards in two slots (4 × hand + place). The frame has these slots in two elements:

    * `OWN`: the slot in the hand of the player to move. If `mover` is `ANYONE`, it is the lower one of the two slots.
    * `OTHER`: the other slot plus 1, because the search would continue there.
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
def is_valid_deal(hands: NDArray[np.int64]) -> bool:
    """Return whether `hands` are 2 to 6 hands of four cards, with as many cards of each number as there are hands."""
    players = len(hands)
    for number in range(LOWEST, LOWEST + NUMBERS):
        if np.sum(hands == number) != players:
            return False
    return FEWEST_PLAYERS <= players <= MOST_PLAYERS and hands.shape[1] == PLACES


@rule
def write_shortest_winning_swaps(
    hands: NDArray[np.int64], mover: int, single_colour_win: bool, line: NDArray[np.int64]
) -> int:
    """Write to `line` a shortest sequence of swaps that wins. Return its length, the fewest turns (T* in the rules).

    * ``hands[p, i]``: the number (1 to 4) at place i of seat p.
    * `mover`: the seat to act. The seats after it follow in order, and each must swap. If `mover` is `ANYONE`, any two
      players may swap at any time.
    * `single_colour_win`: if True, four players also win if each hand has all four cards of one number (ruling UNC-8).
    * `line`: must have `MOST_TURNS` rows of 4 elements. Each row receives a swap: seat, place of its card, other seat,
      place of the other seat's card, all counted from 0.

    Return −1 if `hands` is not a valid deal or `mover` is not a seat.
    """
    players = len(hands)
    if not is_valid_deal(hands) or mover < 0 or (mover >= players and mover != ANYONE):
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
    # `memory` is the hash table, followed by one element that counts the boards visited.
    memory = np.zeros(MEMORY + 1, np.int64)
    for turns in range(nearest, MOST_TURNS + 1):
        for near in range(nearest, turns + 1):  # the nearest goals first
            for goal in range(goals):
                by_hand = goal // len(ORDERS)
                if starts[goal, DISTANCE] == near and might_reach_goal(
                    starts[goal, BOARD], near, mover, turns, players, by_hand
                ):
                    frames[0] = starts[goal]
                    if search_exact_turns(frames, mover, turns, players, by_hand, memory):
                        for turn in range(turns):
                            line[turn, :2] = divmod(frames[turn, OWN], PLACES)
                            line[turn, 2:] = divmod(frames[turn, OTHER] - 1, PLACES)
                        return turns
    return -1


@rule
def fewest_turns(hands: NDArray[np.int64], mover: int, single_colour_win: bool) -> int:
    """Return the fewest turns in which the players can win from these hands (T* in rules 4.7).

    `hands` and `mover` are as in `write_shortest_winning_swaps`. Return −1 if they are invalid. If `single_colour_win`
    is True, four players also win if each hand has all four cards of one number (ruling UNC-8).

    The search takes about 0.01 ms for most hands, but a few ms for the hardest. So rules should call this function only
    when a game is over.
    """
    return write_shortest_winning_swaps(hands, mover, single_colour_win, np.empty((MOST_TURNS, 4), np.int64))


@lru_cache(maxsize=512)
def shortest_winning_swaps(hands: Hands, first: int, single_colour_win: bool = False) -> tuple[Swap, ...]:
    """Return a shortest sequence of swaps that wins from a deal. Its length is the fewest turns (T* in the rules).

    Each swap is a tuple: the seat, the place of its card, the other seat, and the place of the other seat's card. Seats
    and places are counted from 0.

    `first` is the seat that has the first turn, or `ANYONE` if any two players may swap at any time. If
    `single_colour_win` is True, four players also win if each hand has all four cards of one number (ruling UNC-8).
    In this name, "colour" means a number. Raise `ValueError` if the hands are not a valid deal or `first` is not a
    seat.

    >>> shortest_winning_swaps(((1, 2, 3, 3), (1, 2, 4, 4)), 0)
    ((0, 3, 1, 2),)
    """
    line = np.zeros((MOST_TURNS, 4), np.int64)
    turns = write_shortest_winning_swaps(np.array(hands, np.int64), first, single_colour_win, line)
    if turns < 0:
        raise ValueError(f"no deal of Uncovered!: {hands}")
    return tuple((seat, place, other, theirs) for seat, place, other, theirs in line[:turns].tolist())
