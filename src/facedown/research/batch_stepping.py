"""Stepping many matches in compiled code: what `research.batch` runs, in as many threads as it likes.

A batch is some tuples of arrays. Compiled code takes an array out of its tuple once, before its loop: doing so counts a
reference, which costs as much as a move.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.bots.observation import write_one_hot
from facedown.bots.observation_codegen import observe
from facedown.bots.simple_bots import greedy
from facedown.core import dispatch
from facedown.core.dispatch import lowest_acting
from facedown.core.hidden_cards import MAX_LEGAL, hide_unknown, mask_unseen
from facedown.core.random_numbers import quick_below
from facedown.core.rule import rule
from facedown.core.state import ABANDONED, MAX_SEATS, Position
from facedown.simulate.bot_matches import Actions, Ints, QuickGenerator
from facedown.simulate.random_playouts import deal_match


class Restart(IntEnum):
    """What becomes of a match that is over."""

    SAME_STEP = 0
    """The next one is dealt in the same step: the observation is its first one."""
    NEXT_STEP = 1
    """The next step deals the next one, whatever the action."""
    NEVER = 2
    """It stays as it is, and its actions are ignored, until `BatchEnv.reset` deals anew."""


class Player(IntEnum):
    """Who plays a seat."""

    CALLER = 0
    """Whoever calls `BatchEnv.step`."""
    RANDOM = 1
    GREEDY = 2
    """The game's greedy bot (level casual)."""


class Form(IntEnum):
    """How observations are written."""

    NONE = 0
    COMPACT = 1
    ONE_HOT = 2


#: The numbers kept for each match: which match it is, how many legal actions its seat has, whether it is to be dealt
#: (`TO_DEAL`), is over for good or was put in from elsewhere (`TO_SHOW`), its decisions, whether to show it anew.
NUMBER, LEGAL, WAITING, LENGTH, FRESH = range(5)
KEPT = 5
TO_DEAL = 1
OVER = 2
TO_SHOW = 3
#: Rules write a few numbers more into a list of legal actions than they count.
SPARE = 32
#: Matches are played and shown so many at a time, while they lie in the processor's nearest memory.
CHUNK = 32


class Matches(NamedTuple):
    """The matches of a batch, and what is kept of each beside its state."""

    states: Any
    kept: NDArray[np.int64]
    luck: NDArray[np.uint64]
    """A quick generator for the bots' choices."""
    paid: NDArray[np.float64]
    """The rewards so far, by seat."""
    legal: NDArray[np.int32]
    """The legal actions of the seat that is to act."""


class Settings(NamedTuple):
    """The settings of a batch that compiled code reads, as numbers."""

    pause: int
    restart: int
    by_round: int
    form: int
    shown: int
    """1: a seat observes what a person may look at now."""
    seats: int


class SharedConfig(NamedTuple):
    """What all matches of a batch have in common."""

    begun: Any
    masters: NDArray[np.uint32]
    """The key that the deals at each place follow from, eight words in a row."""
    settings: Settings
    players: NDArray[np.int64]
    one_hot_columns: NDArray[np.int32]
    """How observations are spread out (`bots.observation.Layout.spreading`)."""


class Buffers(NamedTuple):
    """What a step writes, a row for each match. All arrays are contiguous."""

    compact: NDArray[np.int16]
    """What the seat that is to act observes: (matches, numbers); no columns where the form is another one."""
    one_hot: NDArray[np.float32]
    mask: NDArray[np.int8]
    """1 for each legal action of that seat: (matches, actions)."""
    seat: NDArray[np.int8]
    """Which seat is to act; −1 where nobody is."""
    reward: NDArray[np.float32]
    """What each seat's return has changed by in this step: (matches, seats)."""
    done: NDArray[np.bool_]
    """Did the match (or the round) end in this step?"""
    truncated: NDArray[np.bool_]
    """Did it end at the engine's guard?"""
    length: NDArray[np.int32]
    """How many decisions a match that ended in this step had; 0 for the others."""


@rule
def play_to_next_decision(
    s: Position, settings: Settings, players: Ints, q: QuickGenerator, actions: Actions
) -> tuple[int, bool]:
    """Play pauses and the bots' moves until the caller's next decision; how many legal actions it has, and whether
    what the match has come to may have changed on the way (it does when a round ends, or the match).

    0: the match is over, or with `Settings.by_round` the round is. `q` is a quick generator, `actions` receives the
    legal ones; `settings` and `players` are the batch's.
    """
    pause = settings.pause
    scored = False
    seat = lowest_acting(s)
    while seat >= 0:
        n = dispatch.legal(s, seat, actions)
        if n == 1 and actions[0] == pause:
            if settings.by_round == 1:
                return 0, True
            scored = True
            dispatch.apply(s, seat, pause)
        elif players[seat] == Player.CALLER:
            return n, scored
        elif players[seat] == Player.RANDOM:
            dispatch.apply(s, seat, actions[quick_below(q, n)])
        else:
            dispatch.apply(s, seat, greedy(s, seat, q))
        seat = lowest_acting(s)
    return 0, True


@rule
def first_illegal_match(actions: Ints, legal: Actions, kept: Ints, first: int, end: int) -> int:
    """The first match from `first` to before `end` whose action is not legal; −1 if there is none.

    `actions` has one for each match, `legal` and `kept` are the batch's (`Matches`).
    """
    for i in range(first, end):
        n = kept[i, LEGAL]
        if n == 0:
            continue
        # They ascend: halve until one is left.
        low = 0
        while n > 1:
            half = n >> 1
            low += half if legal[i, low + half] <= actions[i] else 0
            n -= half
        if legal[i, low] != actions[i]:
            return i
    return -1


@rule
def make_view(room: Any, s: Position, viewer: int, shown: int) -> None:
    """Make the view of a seat in `room`, an array of one: of what it knows, or with `shown` of what it may look at."""
    room[0] = s
    view = room[0]
    if shown == 1:
        mask_unseen(view, viewer)
    else:
        hide_unknown(view, s, viewer)
    dispatch.put_viewer_slots_first(view, viewer)


@rule
def write_observations(matches: Matches, first: int, end: int, table: SharedConfig, scratch: Any, out: Buffers) -> None:
    """Write who is to act in each match, the legal actions as a mask, and what the seat observes.

    `scratch` has room for a record.
    """
    states, kept, legal, mask, seat_of = matches.states, matches.kept, matches.legal, out.mask, out.seat
    compact, one_hot, spreading = out.compact, out.one_hot, table.one_hot_columns
    form, shown = table.settings.form, table.settings.shown
    row = np.empty((1, len(spreading)), np.int16)
    for i in range(first, end):
        if kept[i, FRESH] == 0:
            continue
        n = kept[i, LEGAL]
        for action in range(mask.shape[1]):
            mask[i, action] = 0
        for k in range(n):
            mask[i, legal[i, k]] = 1
        s = states[i]
        seat = lowest_acting(s) if n > 0 else -1
        seat_of[i] = seat
        if seat < 0:
            for k in range(compact.shape[1]):
                compact[i, k] = 0
            for k in range(one_hot.shape[1]):
                one_hot[i, k] = 0.0
        elif form != Form.NONE:
            # What is observed is computed from the seat's view, never from the state.
            make_view(scratch, s, seat, shown)
            view = scratch[0]
            if form == Form.COMPACT:
                observe(view, compact, i)
            else:
                observe(view, row, 0)
                write_one_hot(row, 0, spreading, one_hot, i)


@rule
def deal_next(
    states: Any, i: int, kept: NDArray[np.int64], table: SharedConfig, q: NDArray[np.uint64], actions: NDArray[np.int32]
) -> int:
    """Deal the next match at place `i` of `states`, as `kept` counts them; how many actions its first seat has.

    `q`, a quick generator, receives the match's luck, and `actions` the legal actions. A match that the bots play alone
    has no decision for the caller: then the one after it is dealt.
    """
    n = 0
    while n == 0:
        states[i] = table.begun[0]
        deal_match(states[i], table.masters[i], kept[i, NUMBER], q)
        n, _ = play_to_next_decision(states[i], table.settings, table.players, q, actions)
        kept[i, NUMBER] += len(states) if n == 0 else 0
    return n


@rule
def play_matches(
    first: int, end: int, matches: Matches, table: SharedConfig, actions: NDArray[np.int64], out: Buffers
) -> None:
    """Play `actions` in the matches from `first` to before `end`; without any, deal the ones that are to be dealt."""
    # Taken out of their tuples once: doing so counts a reference.
    states, kept, luck, paid, legal = matches
    settings, players = table.settings, table.players
    reward, done, truncated, length = out.reward, out.done, out.truncated, out.length
    offered, points = np.empty(MAX_LEGAL + SPARE, np.int32), np.empty(MAX_SEATS, np.float64)
    q = np.empty(1, np.uint64)
    restart, pause, seats, count = settings.restart, settings.pause, settings.seats, len(states)
    for i in range(first, end):
        s = states[i]
        waiting = kept[i, WAITING]
        kept[i, FRESH] = 0
        for seat in range(seats):
            reward[i, seat] = 0.0
        if waiting == OVER or (waiting == 0 and len(actions) == 0):
            # Nothing is to be done, or nothing happens any more.
            done[i] = waiting == OVER
            continue
        done[i] = False
        truncated[i] = False
        length[i] = 0
        q[0] = luck[i]
        n = 0
        if waiting == 0:
            dispatch.apply(s, lowest_acting(s), actions[i])
            kept[i, LENGTH] += 1
            # Most often the next decision is the caller's, and nothing was scored. Asked here, that spares a call.
            seat = lowest_acting(s)
            n = dispatch.legal(s, seat, offered) if seat >= 0 else 0
            scored = n == 0 or (n == 1 and offered[0] == pause)
            if scored or players[seat] != Player.CALLER:
                n, scored = play_to_next_decision(s, settings, players, q, offered)
            if scored:
                # The rewards: what the returns have changed by; their sum is the return.
                dispatch.returns(s, points)
                for seat in range(seats):
                    reward[i, seat] = points[seat] - paid[i, seat]
                    paid[i, seat] = points[seat]
            if n == 0:
                done[i] = True
                truncated[i] = s.over == ABANDONED
                length[i] = kept[i, LENGTH]
                kept[i, NUMBER] += count
                waiting = TO_DEAL
                kept[i, WAITING] = OVER if restart == Restart.NEVER else TO_DEAL
        if waiting == TO_SHOW:
            kept[i, WAITING] = 0
            n, _ = play_to_next_decision(s, settings, players, q, offered)
        if waiting == TO_DEAL and (restart == Restart.SAME_STEP or not done[i]):
            kept[i, WAITING] = 0
            kept[i, LENGTH] = 0
            for seat in range(seats):
                paid[i, seat] = 0.0
            n = deal_next(states, i, kept, table, q, offered)
        luck[i] = q[0]
        kept[i, LEGAL] = n
        kept[i, FRESH] = 1
        for k in range(n):
            legal[i, k] = offered[k]


@rule
def step_matches(
    first: int, end: int, matches: Matches, table: SharedConfig, scratch: Any, actions: NDArray[np.int64], out: Buffers
) -> None:
    """Compiled entry: play `actions` in the matches from `first` to before `end`; without any (`actions` is empty) deal
    the ones that are to be dealt. Then write what is to be seen of them. `scratch` has room for a record.
    """
    for start in range(first, end, CHUNK):
        stop = min(start + CHUNK, end)
        play_matches(start, stop, matches, table, actions, out)
        write_observations(matches, start, stop, table, scratch, out)


@rule
def sample_actions(legal: Actions, kept: Ints, q: QuickGenerator, actions: Ints) -> None:
    """Compiled entry: a random legal action for each match into `actions` (0 where nobody acts).

    `q` is a quick generator, `legal` and `kept` are the batch's (`Matches`).
    """
    for i in range(len(actions)):
        n = kept[i, LEGAL]
        actions[i] = legal[i, quick_below(q, n)] if n > 0 else 0
