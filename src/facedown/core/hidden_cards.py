"""Cards in slots: who knows what, the view of it, and all the worlds that fit a view.

`card[slot]` says which kind of card lies in a slot, `known[slot]` has a bit for each seat (and the spectator) that
knows it. Everything a person, a bot or a hint is shown is computed from what `known_view` or `shown_view` returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from facedown.core import dispatch
from facedown.core.dispatch import rules_of
from facedown.core.random_numbers import below, generator, shuffle
from facedown.core.rule import rule
from facedown.core.state import (
    COMMITTED,
    EMPTY,
    EVERYONE,
    NOBODY,
    OPEN,
    SPECTATOR,
    UNKNOWN,
    Position,
    State,
    View,
    copy,
)

#: More kinds and pools than any game has.
MAX_KINDS = 120
MAX_POOLS = 8
#: The bit of each seat, and of the spectator, in `known`; what lies in a slot that nobody is told of.
VIEWER_BITS = np.array([1 << viewer for viewer in range(SPECTATOR + 1)], np.int16)
UNKNOWN_INT8: int = np.int8(UNKNOWN)  # type: ignore[assignment]
#: `redeal` gives up looking for a world that fits after this many tries. Late in a long match,
#: where much is ruled out, one in tens of thousands may fit.
MAX_TRIES = 4_000_000


@rule
def put(s: Position, slot: int, kind: int, who: int) -> None:
    """Lay a card of `kind` into a slot; the seats of mask `who` know it."""
    s.card[slot] = kind
    s.known[slot] = who


@rule
def clear(s: Position, slot: int) -> None:
    """Empty a slot. That nothing lies there is public."""
    s.card[slot] = EMPTY
    s.known[slot] = EVERYONE


@rule
def move(s: Position, source: int, target: int, also: int) -> None:
    """Move a card; who knew it still does, and the seats of mask `also` see it now."""
    s.card[target] = s.card[source]
    s.known[target] = s.known[source] | also
    s.card[source] = EMPTY
    s.known[source] = EVERYONE


@rule
def knows(s: Position, slot: int, viewer: int) -> bool:
    """Does the viewer know the card in this slot?"""
    return s.known[slot] >> viewer & 1 == 1


@rule
def hide_unknown(view: Position, s: Position, viewer: int) -> None:
    """Turn `view`, a copy of `s` or `s` itself, into the view of `viewer`: blank unknown slots, the key and others'
    sealed choices.

    What is blanked is read off `s`: a processor waits for what was written to a copy a moment ago.
    """
    known, card, seen = s.known, s.card, view.card
    bit = VIEWER_BITS[viewer]
    for slot in range(len(card)):
        # Like `knows`, but in numbers as small as the record's: a processor takes many at a time. And written in any
        # case, for whether a card is known is hard to predict.
        seen[slot] = card[slot] if known[slot] & bit != 0 else UNKNOWN_INT8
    for i in range(len(s.key)):
        view.key[i] = 0
    for seat in range(len(s.sealed)):
        if seat != viewer and s.sealed[seat] != OPEN:
            view.sealed[seat] = COMMITTED
    dispatch.mask_secrets(view, viewer)
    view.viewer = viewer


@rule
def mask_unknown(s: Position, viewer: int) -> None:
    """Turn a copy of a state into the view of `viewer`: all that it knows."""
    hide_unknown(s, s, viewer)


@rule
def mask_unseen(s: Position, viewer: int) -> None:
    """Turn a copy of a state into the view of what `viewer` may look at now (SPEC's `view`)."""
    mask_unknown(s, viewer)
    for slot in range(len(s.card)):
        if s.card[slot] < EMPTY and not dispatch.shown(s, slot, viewer):
            s.card[slot] = UNKNOWN
    dispatch.mask_recalled(s)


@rule
def deal_unknown_cards(s: Position, g: NDArray[np.uint32]) -> None:
    """Fill the holes of a view with a uniformly random arrangement of the cards that each pool has left.

    `g` is a generator of `core.random_numbers`.
    """
    dispatch.place_known(s, g)
    counts = np.zeros((MAX_POOLS, MAX_KINDS), np.int32)
    dispatch.pools(s, counts)
    holes = np.zeros(MAX_POOLS, np.int32)
    slots = len(s.card)
    for slot in range(slots):
        kind = s.card[slot]
        if kind == UNKNOWN:
            holes[dispatch.pool(s, slot)] += 1
        elif kind != EMPTY:
            counts[dispatch.pool(s, slot), kind] -= 1
    left = np.empty(slots, np.int64)
    for p in range(MAX_POOLS):
        if holes[p] == 0:
            continue
        n = 0
        for kind in range(MAX_KINDS):
            for _ in range(counts[p, kind]):
                left[n] = kind
                n += 1
        shuffle(g, left, 0, n, holes[p])
        n = 0
        for slot in range(slots):
            if s.card[slot] == UNKNOWN and dispatch.pool(s, slot) == p:
                s.card[slot] = left[n]
                n += 1


@rule
def sample_world_into(out: NDArray[Any], view: View, g: NDArray[np.uint32]) -> bool:
    """Write a random world that fits `view` into `out` (a one-element array); False if none is found.

    `g` is a generator of `core.random_numbers`. The world's own key is drawn, too, so that later shuffles in it are
    random.
    """
    viewer = view.viewer
    for _ in range(MAX_TRIES):
        out[0] = view
        s = out[0]
        deal_unknown_cards(s, g)
        s.viewer = NOBODY
        for i in range(8):
            s.key[i] = below(g, 65536) * 65536 + below(g, 65536)
        for seat in range(len(s.sealed)):
            if s.sealed[seat] == COMMITTED:
                guess_sealed(s, seat, g)
        if dispatch.is_consistent(s, viewer):
            return True
    return False


@rule
def redeal_into(out: NDArray[Any], view: View, key: NDArray[np.uint32]) -> bool:
    """Compiled entry: `sample_world_into` with a generator of the eight words of `key`; the world goes into `out`."""
    return sample_world_into(out, view, generator(key, 0))


@rule
def guess_sealed(s: Position, seat: int, g: NDArray[np.uint32]) -> None:
    """Give a seat whose sealed choice is unknown a uniformly random one among those it could have made.

    `g` is a generator of `core.random_numbers`.
    """
    s.sealed[seat] = OPEN
    acting = s.acting
    s.acting = acting | 1 << seat
    actions = np.empty(MAX_LEGAL, np.int32)
    n = dispatch.legal(s, seat, actions)
    s.acting = acting
    s.sealed[seat] = actions[below(g, n)]


#: Room for the legal actions of a seat in any game.
MAX_LEGAL = 1024


def known_view(state: State, viewer: int) -> View:
    """The state with holes in it: all that `viewer` (a seat or `SPECTATOR`) knows, with perfect recall."""
    return _view(state, viewer, mask_unknown)


def shown_view(state: State, viewer: int) -> View:
    """The view a person is shown: what `viewer` may look at now."""
    return _view(state, viewer, mask_unseen)


def _view(state: State, viewer: int, make: Callable[[Position, int], None]) -> View:
    if state.viewer != NOBODY:
        raise ValueError("a view is made from a state, not from another view")
    if not (0 <= viewer < state.seats or viewer == SPECTATOR):
        raise ValueError(f"no seat {viewer} at a table of {state.seats}")
    out = copy(state)
    make(out, viewer)
    # The one place where a record that was a state becomes a view.
    return cast(View, out)


def redeal(view: View, key: NDArray[np.uint32]) -> State:
    """A uniformly random state that fits everything the viewer of `view` knows (`view` comes from `known_view`).

    `key` is eight words, of which the same world comes each time.

    Raises:
        TypeError, ValueError: It is no such view: a state, or what somebody may look at.
        RuntimeError: No world was found that fits.
    """
    if view.viewer == NOBODY:
        raise ValueError("a redeal starts from a view")
    given: object = key
    if not isinstance(given, np.ndarray) or given.shape != (8,) or given.dtype != np.uint32:
        raise TypeError(
            "the key of a redeal is an array of eight np.uint32, as chance.key_of makes of a seed's 32 bytes"
        )
    out: NDArray[Any] = np.zeros(1, rules_of(view).dtype)
    if not redeal_into(out, view, key):
        raise RuntimeError("no world fits this view")
    found: State = out[0]
    return found
