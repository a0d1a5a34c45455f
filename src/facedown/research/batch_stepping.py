"""Compiled stepping of many matches: the inner loop of `research.batch`, safe to run in several threads.

The data of a batch is stored in a few named tuples of arrays. Every access to a field of a tuple updates a reference
count, which takes as long as playing a move. So compiled code takes each array out of its tuple only once, before a
loop.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from facedown.bots.observation import write_one_hot
from facedown.bots.observation_codegen import observe
from facedown.bots.simple_bots import greedy
from facedown.core import rule_dispatch
from facedown.core.hidden_cards import MAX_LEGAL, hide_unknown, to_shown_view
from facedown.core.random_numbers import quick_randint
from facedown.core.rule import rule
from facedown.core.rule_dispatch import lowest_acting
from facedown.core.state import ABANDONED, MAX_SEATS, Position
from facedown.simulate.bot_matches import Actions, Ints, QuickGenerator
from facedown.simulate.random_playouts import deal_match


class Restart(IntEnum):
    """Choice of when the next match replaces a match that is over: in the same step, in the next step or never."""

    SAME_STEP = 0
    """The step that ends a match also deals the next one, and returns the first observation of the next match."""
    NEXT_STEP = 1
    """The step after the end of a match deals the next one, and ignores the action given for this match."""
    NEVER = 2
    """The match stays over, and actions for it are ignored, until `BatchEnv.reset` deals a new one."""


class Player(IntEnum):
    """Kind of player at a seat: the caller of `BatchEnv.step`, the random bot or the greedy bot."""

    CALLER = 0
    """The caller of `BatchEnv.step` chooses the actions."""
    RANDOM = 1
    GREEDY = 2
    """The game's greedy bot (level casual)."""


class Form(IntEnum):
    """Form of the observations (`bots.observation`).

    * `NONE`: no observations are computed.
    * `COMPACT`: the numbers of the view as 16-bit integers.
    * `ONE_HOT`: the same numbers, encoded as floats from 0 to 1.
    """

    NONE = 0
    COMPACT = 1
    ONE_HOT = 2


#: Columns of `Matches.kept`:
#:
#: * `NUMBER`: the number of the match, from which its deal is derived;
#: * `LEGAL`: the number of legal actions;
#: * `WAITING`: 0 while the match is running; `TO_DEAL` if the next match must be dealt; `OVER` if the match is over for
#:   good; `TO_SHOW` if the caller has set a new state (`BatchEnv.state`), whose legal actions must be computed;
#: * `LENGTH`: the number of decisions played;
#: * `FRESH`: 1 if the match has changed, so that its output arrays must be rewritten; 0 if they are current.
NUMBER, LEGAL, WAITING, LENGTH, FRESH = range(5)
KEPT = 5
TO_DEAL = 1
OVER = 2
TO_SHOW = 3
#: Number of extra elements at the end of an array of legal actions. The rules of a game may write meaningless numbers
#: after the last legal action.
SPARE = 32
#: Number of matches that are played and then observed at a time. These few stay in the processor's cache.
CHUNK = 32


class Matches(NamedTuple):
    """The matches of a batch. Each array has an element or a row for each match."""

    states: Any
    kept: NDArray[np.int64]
    """Bookkeeping of each match, in columns whose indices are the constants `NUMBER` to `FRESH`."""
    luck: NDArray[np.uint64]
    """State of the fast random number generator for the bots' choices, one per match."""
    paid: NDArray[np.float64]
    """Sum of the rewards so far, by match and seat."""
    legal: NDArray[np.int32]
    """Legal actions of the seat to act, one row per match. Column `LEGAL` of `kept` has their number."""


class Settings(NamedTuple):
    """Settings of a batch as numbers, for compiled code (see `BatchEnv`)."""

    pause: int
    """Id of the pause action, which only confirms that the next round may begin; negative if the game has none."""
    restart: int
    """A value of `Restart`."""
    by_round: int
    """1 if an episode is one round, 0 if it is a match."""
    form: int
    """A value of `Form`."""
    shown: int
    """1 if a seat observes only the cards whose faces it can see at present, 0 if also those that it saw before."""
    seats: int


class SharedConfig(NamedTuple):
    """Data of a batch that stepping does not change.

    It contains what the deals are made from (the state before the deal, and random keys), the settings, the kind of
    player at each seat (the caller or a bot), and the one-hot encoding of observations.
    """

    begun: Any
    """Array of one record: the state of a match before the deal."""
    masters: NDArray[np.uint32]
    """Key from which the keys of all deals at an index of the batch are derived: one row of eight 32-bit words per
    index."""
    settings: Settings
    players: NDArray[np.int64]
    """The `Player` at each seat."""
    one_hot_encodings: NDArray[np.int32]
    """Encoding of observations in one-hot form (`bots.observation.ObservationLayout.one_hot_encodings`)."""


class Buffers(NamedTuple):
    """Output arrays of a step, a row for each match. All arrays are contiguous."""

    compact: NDArray[np.int16]
    """Compact observation of the seat to act, of shape (matches, numbers); no columns if another form is chosen."""
    one_hot: NDArray[np.float32]
    """One-hot observation of the seat to act, of shape (matches, numbers); no columns if another form is chosen."""
    mask: NDArray[np.int8]
    """Mask of legal actions of the seat to act, of shape (matches, actions); 1 for a legal action."""
    seat: NDArray[np.int8]
    """Seat to act, or −1 if none is."""
    reward: NDArray[np.float32]
    """Change of each seat's return in this step, of shape (matches, seats)."""
    done: NDArray[np.bool_]
    """Whether the match (or the round) ended in this step; with `Restart.NEVER`, whether it is over."""
    truncated: NDArray[np.bool_]
    """Whether the engine ended the match in this step without a winner, because it reached the limit against endless
    play."""
    length: NDArray[np.int32]
    """Number of decisions in a match that ended in this step; 0 for all other matches."""


@rule
def play_to_next_decision(
    s: Position, settings: Settings, players: Ints, q: QuickGenerator, actions: Actions
) -> tuple[int, bool]:
    """Play the bots' moves and the pause actions in the state `s` until the caller has to choose.

    The pause action only confirms that the next round may begin.

    Write the caller's legal actions to `actions`. Return their number, and whether the scores may have changed because
    a round or the match ended. The number is 0 if the match is over, or if `Settings.by_round` is set and the round is
    over.

    `players` has the `Player` at each seat. `q` is the state of the match's fast random number generator.
    """
    pause = settings.pause
    scored = False
    seat = lowest_acting(s)
    while seat >= 0:
        n = rule_dispatch.legal(s, seat, actions)
        if n == 1 and actions[0] == pause:
            if settings.by_round == 1:
                return 0, True
            scored = True
            rule_dispatch.apply(s, seat, pause)
        elif players[seat] == Player.CALLER:
            return n, scored
        elif players[seat] == Player.RANDOM:
            rule_dispatch.apply(s, seat, actions[quick_randint(q, n)])
        else:
            rule_dispatch.apply(s, seat, greedy(s, seat, q))
        seat = lowest_acting(s)
    return 0, True


@rule
def first_illegal_match(actions: Ints, legal: Actions, kept: Ints, first: int, end: int) -> int:
    """Return the index of the first match from `first` to `end` − 1 whose action is not legal; −1 if all are legal.

    `actions` has an action for each match of the batch. `legal` has the legal actions of each match, and `kept` their
    number (fields of `Matches`). If a match waits for no action, any action is accepted for it.
    """
    for i in range(first, end):
        n = kept[i, LEGAL]
        if n == 0:
            continue
        # The legal actions ascend, so a binary search finds the action.
        low = 0
        while n > 1:
            half = n >> 1
            low += half if legal[i, low + half] <= actions[i] else 0
            n -= half
        if legal[i, low] != actions[i]:
            return i
    return -1


@rule
def write_seat_view(out: Any, s: Position, viewer: int, visible_cards_only: int) -> None:
    """Write the view of a seat (what it knows of the position `s`) to `out`, with the seat's own slots first.

    * `out`: an array of one record.
    * `viewer`: the seat.
    * `visible_cards_only`: if 1, the view has only the cards whose faces the seat can see at present. If 0, it also has
      the cards that the seat saw before.

    A slot is the index of a card position in the record.
    """
    out[0] = s
    view = out[0]
    if visible_cards_only == 1:
        to_shown_view(view, viewer)
    else:
        hide_unknown(view, s, viewer)
    rule_dispatch.put_viewer_slots_first(view, viewer)


@rule
def write_observations(matches: Matches, first: int, end: int, table: SharedConfig, scratch: Any, out: Buffers) -> None:
    """Write to `out` what the caller needs for the next decision in each match from index `first` to `end` − 1.

    These data are written for each match:

    * the seat to act, or −1 if no seat is to act
    * the mask of legal actions: 1 for each legal action, else 0
    * the observation of the seat to act, in the form that the settings require; zeros if no seat is to act

    Matches that have not changed since they were last written are skipped. `scratch`, an array of one record, is
    overwritten.
    """
    states, kept, legal, mask, seat_of = matches.states, matches.kept, matches.legal, out.mask, out.seat
    compact, one_hot, spreading = out.compact, out.one_hot, table.one_hot_encodings
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
            # The observation is computed from the seat's view, never from the state, so that it contains no secrets.
            write_seat_view(scratch, s, seat, shown)
            view = scratch[0]
            if form == Form.COMPACT:
                observe(view, compact, i)
            else:
                observe(view, row, 0)
                write_one_hot(row, 0, spreading, one_hot, i)


@rule
def deal_next_match(
    states: Any, i: int, kept: NDArray[np.int64], table: SharedConfig, q: NDArray[np.uint64], actions: NDArray[np.int32]
) -> int:
    """Deal the next match at index `i` of `states`, and let the bots play until the caller has to choose an action.

    Return the number of legal actions that the caller then has. Two arrays are overwritten:

    * `actions`: becomes these legal actions.
    * `q`: becomes the state of the new match's fast random number generator.

    `table` has the data that all matches of the batch share. `kept` has the bookkeeping of all matches
    (`Matches.kept`). Its column `NUMBER` is the number of the match to deal. If this match ends before the caller has
    to choose, the number of matches in the batch is added to `NUMBER`, and the match with that number is dealt instead.
    """
    n = 0
    while n == 0:
        states[i] = table.begun[0]
        deal_match(states[i], table.masters[i], kept[i, NUMBER], q)
        n, _ = play_to_next_decision(states[i], table.settings, table.players, q, actions)
        kept[i, NUMBER] += len(states) if n == 0 else 0
    return n


@rule
def play_action_in_matches(
    first: int, end: int, matches: Matches, table: SharedConfig, actions: NDArray[np.int64], out: Buffers
) -> None:
    """Play one action in each of the matches from `first` to `end` − 1, and write the rewards to `out`.

    `actions` has one action per match of the batch. When a match is over, ``table.settings.restart`` (a value of
    `Restart`) says whether the next one is dealt in the same step, in the next step or not at all.

    If `actions` is empty, no action is played, and running matches do not change.

    Three kinds of matches need no action. If `actions` has one for such a match, it is ignored:

    * A match that waits for a deal is dealt.
    * In a match whose state the caller has replaced (`BatchEnv.state`), the bots play until the caller has to choose.
    * A match that is over for good stays as it is.
    """
    # Unpack the tuples once, because each access to a field updates a reference count.
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
            # The match is over for good, or it is running and there is no action to play.
            done[i] = waiting == OVER
            continue
        done[i] = False
        truncated[i] = False
        length[i] = 0
        q[0] = luck[i]
        n = 0
        if waiting == 0:
            rule_dispatch.apply(s, lowest_acting(s), actions[i])
            kept[i, LENGTH] += 1
            # In most steps the caller makes the next decision too, and no round has ended. Checking for this common
            # case first saves a function call.
            seat = lowest_acting(s)
            n = rule_dispatch.legal(s, seat, offered) if seat >= 0 else 0
            scored = n == 0 or (n == 1 and offered[0] == pause)
            if scored or players[seat] != Player.CALLER:
                n, scored = play_to_next_decision(s, settings, players, q, offered)
            if scored:
                # A reward is the change of the return, so the rewards of a match add up to its return.
                rule_dispatch.returns(s, points)
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
            n = deal_next_match(states, i, kept, table, q, offered)
        luck[i] = q[0]
        kept[i, LEGAL] = n
        kept[i, FRESH] = 1
        for k in range(n):
            legal[i, k] = offered[k]


@rule
def step_matches(
    first: int, end: int, matches: Matches, table: SharedConfig, scratch: Any, actions: NDArray[np.int64], out: Buffers
) -> None:
    """Play one action in each of the matches from `first` to `end` − 1, and write all results to `out`.

    The results are the rewards of this step, and what the caller needs for the next decision (`write_observations`).

    `actions` has one action per match of the batch. If it is empty, no action is played, and running matches do not
    change.

    Three kinds of matches need no action. If `actions` has one for such a match, it is ignored:

    * A match that waits for a deal is dealt.
    * In a match whose state the caller has replaced (`BatchEnv.state`), the bots play until the caller has to choose.
    * A match that is over for good stays as it is.

    `scratch`, an array of one record, is overwritten.
    """
    for start in range(first, end, CHUNK):
        stop = min(start + CHUNK, end)
        play_action_in_matches(start, stop, matches, table, actions, out)
        write_observations(matches, start, stop, table, scratch, out)


@rule
def sample_actions(legal: Actions, kept: Ints, q: QuickGenerator, actions: Ints) -> None:
    """Write a random legal action for each match to `actions`; 0 for matches in which no seat is to act.

    `q` is the state of a fast random number generator. Each call changes this state. `legal` has the legal actions of
    each match, and `kept` their number (fields of `Matches`).
    """
    for i in range(len(actions)):
        n = kept[i, LEGAL]
        actions[i] = legal[i, quick_randint(q, n)] if n > 0 else 0
