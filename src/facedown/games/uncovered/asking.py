"""What a player of Uncovered! is asked, and what they may touch. Nothing here ever sees a state."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from facedown.core.state import RUNNING, SPECTATOR
from facedown.core.table import Ask, Choice, Path, Sitter, Step, steps_from_paths
from facedown.core.voice import are, name_of, plural
from facedown.games.uncovered.fewest import PLACES
from facedown.games.uncovered.rules import (
    ACTIONS,
    BEGINNER,
    CHOICE,
    INTERMEDIATE,
    LEAVE,
    NEVER,
    SWAPS,
    TURN,
    TURNING,
    legal,
)
from facedown.games.uncovered.seen import acting_seat, alike_so_far, number_at, place_id, shown_numbers
from facedown.games.uncovered.telling import result
from facedown.games.uncovered.words import swap_parts

UNCOVER_TOUCH = "uncover"
SURE_TOUCH = "uncover-now"


def step(view: Any, sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked now."""
    viewer = int(view.viewer)
    if int(view.over) != RUNNING:
        return Step(result(view, sitters))
    actions: list[int] = []
    if viewer != SPECTATOR:
        out = np.empty(ACTIONS, np.int32)
        actions = [int(a) for a in out[: legal(view, viewer, out)]]
    if not actions:
        return _waiting(view, sitters)
    if int(view.phase) == TURNING:
        return _turning(view)
    return _playing(view, actions)


def _waiting(view: Any, sitters: Sequence[Sitter]) -> Step:
    seat = acting_seat(view)
    name = name_of(sitters, seat, int(view.viewer))
    if int(view.phase) == TURNING:
        return Step(f"{name} may turn a card.", rule="turning")
    return Step(f"{name} {are(sitters, [seat], int(view.viewer))} choosing.", rule="turn")


def _turning(view: Any) -> Step:
    slot = int(view.deciding)
    number = slot % PLACES + 1
    return Step(
        f"Turn your {number} to face you?",
        f"It has come to place {number}. Turned, it tells everybody that it lies where its number says. Only now.",
        (
            Choice("leave", button=f"Leave the {number}", action=LEAVE),
            Choice("turn", button=f"Turn the {number}", primary=True, action=TURN),
        ),
        rule="turning",
    )


def _playing(view: Any, actions: Sequence[int]) -> Step:
    viewer = int(view.viewer)
    paths: list[tuple[int, Path]] = []
    for action in actions:
        if action < SWAPS:
            place, other, theirs = swap_parts(action)
            paths.append((action, (place_id(viewer, place), place_id(other, theirs))))
        else:
            own = [place_id(viewer, place) for place in range(PLACES)]
            paths += [(action, (card, UNCOVER_TOUCH, SURE_TOUCH)) for card in own]
            paths.append((action, (UNCOVER_TOUCH, SURE_TOUCH)))

    def ask(prefix: Path) -> Ask:
        if UNCOVER_TOUCH in prefix:
            return Ask("Uncover all hands now?", _uncovering(view), "uncover")
        if prefix:
            number = number_at(view, PLACES * viewer + int(prefix[0][-1]) - 1)
            card = f"your {number}" if number is not None else f"the card at your place {prefix[0][-1]}"
            return Ask(f"Swap {card} with which card?", _swapping(view), "swap", _not_within(view, prefix[0]))
        first = "First touch the card of yours that goes there."
        refusals = tuple(
            (place_id(seat, place), first)
            for seat in range(int(view.seats))
            if seat != viewer
            for place in range(PLACES)
        )
        return Ask(
            "Swap a card, or uncover?",
            "Touch one of your cards, then the card of somebody else that it changes places with.",
            "turn",
            refusals,
        )

    def dress(path: Path, bare: Choice) -> Choice:
        if path[-1] == UNCOVER_TOUCH:
            return replace(bare, button="Uncover", sign="eye")
        if path[-1] == SURE_TOUCH:
            return replace(bare, button="Uncover all", primary=True, sign="eye")
        if len(path) == 2:
            return replace(bare, says=_consequence(view, path[0], path[1]))
        return bare

    return steps_from_paths(paths, ask, dress)


def _not_within(view: Any, touched: str) -> tuple[tuple[str, str], ...]:
    viewer = int(view.viewer)
    own = (place_id(viewer, place) for place in range(PLACES))
    return tuple((card, "Cards of one hand cannot change places with each other.") for card in own if card != touched)


def _swapping(view: Any) -> str:
    if int(view.mode) == BEGINNER:
        return "The two cards change places, each taking the other’s."
    if int(view.face_down):
        return "The two cards change places face down: only you and the other player see them."
    return "The two cards change places face up: everyone sees both."


def _slot_of(touch: str) -> int:
    seat, place = touch[1:].split("-")
    return PLACES * int(seat) + int(place) - 1


def _consequence(view: Any, own: str, theirs: str) -> str:
    """Whether a swap brings a card home that is turned then, by what the viewer is shown."""
    if int(view.mode) != INTERMEDIATE or int(view.turning) == NEVER:
        return ""
    mine, other = number_at(view, _slot_of(own)), number_at(view, _slot_of(theirs))
    homes = (mine == int(theirs[-1])) + (other == int(own[-1]))
    turned = "may be turned" if int(view.turning) == CHOICE else "turned"
    return ("", turned, f"both {turned}")[homes]


def _uncovering(view: Any) -> str:
    """What uncovering would mean, by what the viewer is shown."""
    sure = alike_so_far(view)
    if sure:
        return "All hands are alike, as far as you can tell without a doubt: this wins."
    if sure is False:
        return "The cards you see are not alike: this loses the game for everybody."
    hidden = shown_numbers(view).count(None)
    return f"{plural(hidden, 'card')} you do not see. If the hands are not all alike, the game is lost for everybody."
