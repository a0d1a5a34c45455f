"""Non-interference of moves and deals: what they make public must not depend on cards that the viewer has not seen.

A sampled world (a random full deal that fits a view) copies the public fields of the view. So if a game writes a hidden
card into a public field, the check of a single position (`check.view_leaks`) cannot find it.

The check plays the same action twice: in the true state, and in a sampled world with the same sealed choices (choices
that are secret until all have chosen). This gives the viewer two views. If both show the same cards, all their other
fields must be equal too. Disclosures that the rules intend are declared (`core.disclosures`).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from facedown.check.view_leaks import log_lines, viewers
from facedown.core import hidden_cards
from facedown.core.disclosures import disclosed_fields
from facedown.core.game_registry import GameModule
from facedown.core.match import Match, Move
from facedown.core.state import EMPTY, UNKNOWN, State, View, copy, to_bytes

#: Possible numbers of hidden cards that are dealt again for another world (full deal); all others stay. With so few
#: changes, an action that is legal in the true state is more often legal in that world too.
FEW_CARD_COUNTS = (2, 3, 4)


@dataclass(frozen=True)
class Difference:
    """A field whose values differ between a viewer's views of two states, although both views show the same cards.

    The cause can only be something that is hidden from the viewer, so the field reveals hidden information. `declared`
    says whether the game's rules intend this (`core.disclosures`). If they do not, the field is a leak.
    """

    viewer: int
    field: str
    declared: bool

    def __str__(self) -> str:
        return f"{self.field}, for viewer {self.viewer}"


def other_world(game: GameModule, state: State, viewer: int, rnd: random.Random) -> State:
    """Return another random world (full deal) that fits what `viewer` knows.

    At random, all hidden cards are dealt again, or only a few of them. Sealed choices, which are secret until all seats
    have chosen, stay as they are.
    """
    view = hidden_cards.known_view(state, viewer)
    hidden = [slot for slot, kind in enumerate(view.card) if kind == UNKNOWN]
    few = rnd.choice(FEW_CARD_COUNTS)
    if rnd.random() < 0.6 and len(hidden) > few:
        view = _view_hiding_only(game, state, viewer, rnd.sample(hidden, few))
    world = hidden_cards.redeal(view, np.frombuffer(rnd.randbytes(32), np.uint32).copy())
    fields: Any = world
    fields.sealed[:] = state.sealed
    if rnd.random() < 0.5:
        world.key[:] = state.key
    return world


def _view_hiding_only(game: GameModule, state: State, viewer: int, hidden: Sequence[int]) -> View:
    """Return a view for `viewer` in which only the cards in the slots (card positions) `hidden` are unknown.

    It shows more than the viewer knows. So a world (full deal) that fits it also fits what the viewer knows.
    """
    seen: Any = copy(state)
    for slot in hidden:
        seen.card[slot] = UNKNOWN
    seen.viewer = viewer
    game.rules.mask_secrets(seen, viewer)
    made: View = seen
    return made


def state_after(game: GameModule, state: State, seat: int, action: int) -> State:
    """Return the state after `seat` has taken the legal action `action`. The argument `state` does not change."""
    out = copy(state)
    game.rules.apply(out, seat, action)
    return out


def visible_face_numbers(game: GameModule, view: View) -> NDArray[np.int64]:
    """Return one number for each slot (card position) of a view: equal numbers mean cards with equal faces.

    The number combines the values of the record fields that `RuleSet.faces` names, eight bits each. It is -1 for an
    empty slot and for an unknown card.
    """
    fields: Any = view
    card = fields.card.astype(np.int64)
    face = card.copy()
    for number, name in enumerate(game.rules.faces[1:], 1):
        face += fields[name].astype(np.int64) << 8 * number
    return np.where((card == EMPTY) | (card == UNKNOWN), -1, face)


def has_same_visible_cards(game: GameModule, before: View | None, one: View, two: View) -> bool:
    """Return whether a viewer sees the same cards in the two views `one` and `two`.

    The check plays a move or a deal twice, with a difference that is hidden from the viewer, such as other hidden
    cards. `one` and `two` are the viewer's views after the two runs. The other fields of the views must be equal only
    if this function returns True. A viewer who sees different cards after the two runs has learned different things, so
    a difference in other fields is no leak.

    `before` is the viewer's view before the move, which is the same for both runs; None if the views follow a deal.

    If the views show different numbers of cards, only the slots (card positions) whose card is visible in both views
    are compared. Each of them must have the same card in both views.

    If the views show equally many cards, both must show the same cards. They may be in different slots, except in three
    cases: after a deal, after a shuffle, and if at least two cards became visible. In these cases the slots must be the
    same too, because the viewer may have learned which card is where.
    """
    faces1, faces2 = visible_face_numbers(game, one), visible_face_numbers(game, two)
    old = np.array([], np.int64) if before is None else visible_face_numbers(game, before)
    kinds = np.unique(np.concatenate([faces1, faces2, old]))
    kinds = kinds[kinds >= 0]
    counts = [(part[None, :] == kinds[:, None]).sum(axis=1) for part in (faces1, faces2)]
    if counts[0].sum() != counts[1].sum():
        both = (faces1 >= 0) & (faces2 >= 0)
        return bool((faces1 == faces2)[both].all())
    if (counts[0] != counts[1]).any():
        return False
    was = (old[None, :] == kinds[:, None]).sum(axis=1)
    fresh = int(np.maximum(counts[0] - was, 0).sum())
    shuffled = before is None or before.stream != one.stream
    return bool((faces1 == faces2).all()) or (fresh < 2 and not shuffled)


def view_differences(
    game: GameModule, before: View | None, one: State, two: State, viewer: int, choice: bool = False
) -> Iterator[Difference]:
    """Yield the fields that differ between a viewer's views of the states `one` and `two`.

    The check plays a move or a deal twice, with a difference that is hidden from the viewer. `one` and `two` are the
    states after the two runs. Yield nothing if the viewer does not see the same cards in both
    (`has_same_visible_cards`). A yielded field is a leak, unless the game declares that the field may disclose hidden
    information (`Difference.declared`, `core.disclosures`).

    * `before`: the viewer's view before the move, which is the same for both runs; None if the states follow a deal.
    * `choice`: True if the hidden difference is a secret choice of another player, False if it is in the cards.
    """
    view1, view2 = hidden_cards.known_view(one, viewer), hidden_cards.known_view(two, viewer)
    if to_bytes(view1) == to_bytes(view2) or not has_same_visible_cards(game, before, view1, view2):
        return
    allowed = disclosed_fields(game.rules.disclosures, before, view1, choice) | disclosed_fields(
        game.rules.disclosures, before, view2, choice
    )
    fields1, fields2 = (cast(Any, view) for view in (view1, view2))
    for name in fields1.dtype.names:
        if np.asarray(fields1[name]).tobytes() != np.asarray(fields2[name]).tobytes():
            yield Difference(viewer, name, name in allowed)


def leaks_in_step(match: Match, rnd: random.Random) -> Iterator[Difference]:
    """Play the same random action twice: in the match's state, and in another world (full deal).

    The other world fits everything that a randomly chosen viewer knows. Yield the fields that then differ between this
    viewer's two views, although both show the same cards (`view_differences`). Such a field is a leak, unless the game
    declares that the field may disclose hidden information (`Difference.declared`). The match does not change.

    Yield nothing if the acting seat has no action that is legal in both the state and the other world.
    """
    game = match.game
    viewer = rnd.choice(viewers(match))
    before = hidden_cards.known_view(match.state, viewer)
    world = other_world(game, match.state, viewer, rnd)
    seat = rnd.choice(match.acting)
    both = sorted(set(game.legal(match.state, seat)) & set(game.legal(world, seat)))
    if both:
        action = rnd.choice(both)
        one, two = state_after(game, match.state, seat, action), state_after(game, world, seat, action)
        yield from view_differences(game, before, one, two, viewer)


def leaks_of_private_choice(match: Match, rnd: random.Random) -> Iterator[Difference]:
    """Check that another viewer cannot tell which of two secret actions a random seat has chosen.

    Play each of the two actions from the same state, and compare the viewer's two views of the results. If both show
    the same cards, yield each field that differs (`view_differences`). Such a field is a leak, unless the game declares
    that the field may disclose the choice (`Difference.declared`). The match does not change.

    The viewer is chosen at random. Yield nothing in these cases:

    * The chosen viewer is the seat itself.
    * The seat has fewer than two secret actions.
    * The game's log lines for the viewer differ after the two actions, so the choice is no secret.
    """
    game = match.game
    viewer = rnd.choice(viewers(match))
    seat = rnd.choice(match.acting)
    private = [action for action in match.legal(seat) if not game.tables.is_public_action(action)]
    if seat == viewer or len(private) < 2:
        return
    moves = [Move(seat, action) for action in rnd.sample(private, 2)]
    one, two = (state_after(game, match.state, seat, move.action) for move in moves)
    lines = [log_lines(match, match.state, state, move, viewer) for state, move in zip((one, two), moves, strict=True)]
    if lines[0] == lines[1]:
        yield from view_differences(game, hidden_cards.known_view(match.state, viewer), one, two, viewer, choice=True)


def leaks_in_deal(name: str, seats: int, options: dict[str, str], rnd: random.Random) -> Iterator[Difference]:
    """Deal a shuffled deck twice, with two random cards of the deck exchanged in the second deal.

    For each viewer, yield the fields that differ between the viewer's views of the two deals, although both show the
    same cards (`view_differences`). Such a field is a leak, unless the game declares that the field may disclose hidden
    information (`Difference.declared`).
    """
    seed, first = rnd.randbytes(32), rnd.randrange(seats)
    game = Match(name, seats, options, seed).game
    turned = game.rules.turned_offset
    counts = game.deck(seats, game.check_options(seats, options))
    deck = [int(kind) + turned * rnd.randrange(2) for kind in np.flatnonzero(counts) for _ in range(counts[kind])]
    rnd.shuffle(deck)
    other = list(deck)
    places = rnd.sample(range(len(deck)), 2)
    for place, from_place in zip(places, reversed(places), strict=True):
        other[place] = deck[from_place]
    one, two = (Match(name, seats, options, seed, cards, first) for cards in (deck, other))
    for viewer in viewers(one):
        yield from view_differences(game, None, one.state, two.state, viewer)
