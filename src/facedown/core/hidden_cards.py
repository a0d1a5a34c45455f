"""Hidden cards: what each viewer knows, the view of each viewer, and sampling of worlds (full deals) that fit a view.

* A slot is the index of a card position.
* `card[slot]` is the kind (a number that equal cards share) of the card there.
* `known[slot]` is a bit mask of the seats, and the spectator, that know the card.

Everything that players, bots and hints get is computed from the results of `known_view` and `shown_view`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from facedown.core import rule_dispatch
from facedown.core.random_numbers import generator, random_below, shuffle
from facedown.core.rule import rule
from facedown.core.rule_dispatch import rules_of
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

#: Upper limits on the number of kinds of cards, and of pools (sets of cards from which unknown cards were drawn), in
#: any game.
MAX_KINDS = 120
MAX_POOLS = 8
#: ``VIEWER_BITS[viewer]`` is the bit of a seat, or of the spectator, in the bit masks of the state's field `known`.
#: `UNKNOWN_INT8` is `UNKNOWN` as a signed byte.
VIEWER_BITS = np.array([1 << viewer for viewer in range(SPECTATOR + 1)], np.int16)
UNKNOWN_INT8: int = np.int8(UNKNOWN)  # type: ignore[assignment]
#: Number of random deals that `sample_world_into` tries before it gives up. Late in a long match only one in tens of
#: thousands may fit the view.
MAX_TRIES = 4_000_000


@rule
def put(s: Position, slot: int, kind: int, who: int) -> None:
    """Put a card of `kind` into a slot (card position). Exactly the viewers in the bit mask `who` know it."""
    s.card[slot] = kind
    s.known[slot] = who


@rule
def clear_slot_publicly(s: Position, slot: int) -> None:
    """Remove the card from a slot (card position). All viewers then know that the slot is empty."""
    s.card[slot] = EMPTY
    s.known[slot] = EVERYONE


@rule
def move(s: Position, source: int, target: int, also: int) -> None:
    """Move the card in the slot (card position) `source` to the slot `target`. The slot `source` is then empty.

    Viewers who knew the card still know it. In addition, the viewers in the bit mask `also` learn it.
    """
    s.card[target] = s.card[source]
    s.known[target] = s.known[source] | also
    s.card[source] = EMPTY
    s.known[source] = EVERYONE


@rule
def knows(s: Position, slot: int, viewer: int) -> bool:
    """Return whether the rules have recorded, in the field `known`, that the viewer knows the card in a slot.

    A slot is a card position. `viewer` is a seat or `SPECTATOR`. A card that the viewer has seen can stay known while
    it lies face down. A card that the viewer could only deduce is not known. An empty slot is known to all viewers.
    """
    return s.known[slot] >> viewer & 1 == 1


@rule
def hide_unknown(view: Position, s: Position, viewer: int) -> None:
    """Hide in `view` everything that `viewer` does not know of the state `s`.

    * Unknown cards become `UNKNOWN`.
    * The words of the shuffle key become 0.
    * Secret choices of other seats become `COMMITTED`.
    * The game resets its other secret fields (`RuleSet.mask_secrets`).

    `view` is a copy of `s`, or `s` itself. Values are read from `s`, because reading from a copy that was just written
    would be slower.
    """
    known, card, seen = s.known, s.card, view.card
    bit = VIEWER_BITS[viewer]
    for slot in range(len(card)):
        # `bit` and `UNKNOWN_INT8` have the integer sizes of the arrays, so the processor can handle many slots at once.
        # A conditional expression avoids branches that the processor cannot predict.
        seen[slot] = card[slot] if known[slot] & bit != 0 else UNKNOWN_INT8
    for i in range(len(s.key)):
        view.key[i] = 0
    for seat in range(len(s.sealed)):
        if seat != viewer and s.sealed[seat] != OPEN:
            view.sealed[seat] = COMMITTED
    rule_dispatch.mask_secrets(view, viewer)
    view.viewer = viewer


@rule
def to_known_view(s: Position, viewer: int) -> None:
    """Change `s`, which must be a copy of a state, into the view of all that `viewer` knows."""
    hide_unknown(s, s, viewer)


@rule
def to_shown_view(s: Position, viewer: int) -> None:
    """Change `s`, which must be a copy of a state, into the view of what is visible to `viewer` now (`shown_view`)."""
    to_known_view(s, viewer)
    for slot in range(len(s.card)):
        if s.card[slot] < EMPTY and not rule_dispatch.shown(s, slot, viewer):
            s.card[slot] = UNKNOWN
    rule_dispatch.mask_recalled(s)


@rule
def deal_unknown_cards(s: Position, g: NDArray[np.uint32]) -> None:
    """Replace each unknown card of the view `s`, in place, by a random card that may be there.

    First, `RuleSet.place_known` places the cards whose slot (card position) the viewer can infer, exactly or in part.
    For example, a card that must be in a certain hand is put into a random slot of that hand. Then every other slot
    with an unknown card gets a random card of its pool: the set of cards from which the card in this slot was drawn
    (`RuleSet.pool`). Cards that are already in other slots are not used again.

    The result may still contradict other knowledge of the viewer (`RuleSet.is_consistent`). `g` is the state of a
    random number generator (`core.random_numbers.generator`).
    """
    rule_dispatch.place_known(s, g)
    counts = np.zeros((MAX_POOLS, MAX_KINDS), np.int32)
    rule_dispatch.pools(s, counts)
    holes = np.zeros(MAX_POOLS, np.int32)
    slots = len(s.card)
    for slot in range(slots):
        kind = s.card[slot]
        if kind == UNKNOWN:
            holes[rule_dispatch.pool(s, slot)] += 1
        elif kind != EMPTY:
            counts[rule_dispatch.pool(s, slot), kind] -= 1
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
            if s.card[slot] == UNKNOWN and rule_dispatch.pool(s, slot) == p:
                s.card[slot] = left[n]
                n += 1


@rule
def sample_world_into(out: NDArray[Any], view: View, g: NDArray[np.uint32]) -> bool:
    """Write a random world (full deal) that fits `view` into ``out[0]``. Return whether one was found.

    `out` is an array with one entry. `g` is the state of a random number generator (`core.random_numbers.generator`).
    The world also gets a new random shuffle key, so that its later shuffles are random.
    """
    viewer = view.viewer
    for _ in range(MAX_TRIES):
        out[0] = view
        s = out[0]
        deal_unknown_cards(s, g)
        s.viewer = NOBODY
        for i in range(8):
            s.key[i] = random_below(g, 65536) * 65536 + random_below(g, 65536)
        for seat in range(len(s.sealed)):
            if s.sealed[seat] == COMMITTED:
                randomize_sealed_choice(s, seat, g)
        if rule_dispatch.is_consistent(s, viewer):
            return True
    return False


@rule
def redeal_into(out: NDArray[Any], view: View, key: NDArray[np.uint32]) -> bool:
    """Write a random world (full deal) that fits `view` into ``out[0]``. Return whether one was found.

    `out` is an array with one entry. `key` is eight 32-bit words, from which the random generator is made. This
    compiled function is for calls from Python; compiled code calls `sample_world_into` instead.
    """
    return sample_world_into(out, view, generator(key, 0))


@rule
def randomize_sealed_choice(s: Position, seat: int, g: NDArray[np.uint32]) -> None:
    """Set the sealed choice of a seat to a uniformly random legal action.

    A sealed choice is an action that stays secret until all seats have chosen. `s` is a world (full
    deal) that is being sampled from a view. The view shows that the seat has chosen, but not which action. `g` is the
    state of a random number generator (`core.random_numbers.generator`).
    """
    s.sealed[seat] = OPEN
    acting = s.acting
    s.acting = acting | 1 << seat
    actions = np.empty(MAX_LEGAL, np.int32)
    n = rule_dispatch.legal(s, seat, actions)
    s.acting = acting
    s.sealed[seat] = actions[random_below(g, n)]


#: Length of a buffer for legal actions: in no game can a seat have more legal actions.
MAX_LEGAL = 1024


def known_view(state: State, viewer: int) -> View:
    """Return the view of all that `viewer` (a seat or `SPECTATOR`) knows, including cards seen earlier.

    Cards that the viewer has seen and has not lost track of are visible in this view, even if they are face down or
    covered now. `shown_view` hides such cards.
    """
    return _view(state, viewer, to_known_view)


def shown_view(state: State, viewer: int) -> View:
    """Return the view of what is visible to `viewer` (a seat or `SPECTATOR`) at this moment.

    Cards that the viewer has seen earlier, but that are face down or covered now, are hidden in this view. Pages show
    this view unless the memory aid is on, which keeps seen cards shown. Bots get the `known_view`.
    """
    return _view(state, viewer, to_shown_view)


def _view(state: State, viewer: int, make: Callable[[Position, int], None]) -> View:
    if state.viewer != NOBODY:
        raise ValueError("expected a state, not a view")
    if not (0 <= viewer < state.seats or viewer == SPECTATOR):
        raise ValueError(f"there is no seat {viewer} at a table with {state.seats} seats")
    out = copy(state)
    make(out, viewer)
    # This is the only place where the type of a state changes to that of a view.
    return cast(View, out)


def redeal(view: View, key: NDArray[np.uint32]) -> State:
    """Return a uniformly random state that fits everything the viewer of `view` knows.

    `view` is a result of `known_view`. `key` is an array of eight 32-bit words; equal keys give equal states.

    Raises:
        TypeError, ValueError: `view` is a state, or `key` has the wrong type or shape.
        RuntimeError: No state that fits was found.
    """
    if view.viewer == NOBODY:
        raise ValueError("expected a view, not a state")
    given: object = key
    if not isinstance(given, np.ndarray) or given.shape != (8,) or given.dtype != np.uint32:
        raise TypeError(
            "the key of a redeal must be an array of eight np.uint32; random_numbers.key_of makes one from 32 bytes"
        )
    out: NDArray[Any] = np.zeros(1, rules_of(view).dtype)
    if not redeal_into(out, view, key):
        raise RuntimeError("no possible deal fits this view")
    found: State = out[0]
    return found
