"""What a player of Uncovered! is asked, and what may be touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facedown.core.state import RUNNING
from facedown.core.table import Ask, Choice, Path, Sitter, Step, steps_from_paths
from facedown.core.voice import are, name_of, plural
from facedown.games.uncovered.cards import PLACES, number_of
from facedown.games.uncovered.info import Mode, SwapVisibility, Turning
from facedown.games.uncovered.log import result_of
from facedown.games.uncovered.rules import LEAVE, SWAPS, TURN, TURNING, UncoveredPosition, swap_parts
from facedown.games.uncovered.view import acting_seat, alike_so_far, number_at, place_id, shown_numbers

UNCOVER_TOUCH = "uncover"
SURE_TOUCH = "uncover-now"


def step_of(v: UncoveredPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked, who has these legal actions; without any, what is waited for."""
    if v.over != RUNNING:
        return Step(result_of(v, sitters))
    if not actions:
        return _waiting(v, sitters)
    if v.phase == TURNING:
        return _turning(v)
    return _playing(v, actions)


def _waiting(v: UncoveredPosition, sitters: Sequence[Sitter]) -> Step:
    seat = acting_seat(v)
    name = name_of(sitters, seat, v.viewer)
    if v.phase == TURNING:
        return Step(f"{name} may turn a card.", rule="turning")
    return Step(f"{name} {are(sitters, [seat], v.viewer)} choosing.", rule="turn")


def _turning(v: UncoveredPosition) -> Step:
    slot = v.deciding
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


def _playing(v: UncoveredPosition, actions: Sequence[int]) -> Step:
    viewer = v.viewer
    paths: list[tuple[int, Path]] = []
    slot_at = {place_id(slot // PLACES, slot % PLACES): slot for slot in range(PLACES * v.seats)}
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
            return Ask("Uncover all hands now?", _uncovering(v), "uncover")
        if prefix:
            place = slot_at[prefix[0]] % PLACES
            number = number_at(v, slot_at[prefix[0]])
            card = f"your {number}" if number is not None else f"the card at your place {place + 1}"
            return Ask(f"Swap {card} with which card?", _swapping(v), "swap", _not_within(v, place))
        first = "First touch the card of yours that goes there."
        refusals = tuple((place, first) for place, slot in slot_at.items() if slot // PLACES != viewer)
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
            return replace(bare, says=_consequence(v, slot_at[path[0]], slot_at[path[1]]))
        return bare

    return steps_from_paths(paths, ask, dress)


def _not_within(v: UncoveredPosition, touched: int) -> tuple[tuple[str, str], ...]:
    """Why the other places of the viewer's hand cannot be touched after one of them."""
    others = (place_id(v.viewer, place) for place in range(PLACES) if place != touched)
    return tuple((card, "Cards of one hand cannot change places with each other.") for card in others)


def _swapping(v: UncoveredPosition) -> str:
    if v.opt.mode == Mode.BEGINNER:
        return "The two cards change places, each taking the other’s."
    if v.opt.swap_visibility == SwapVisibility.FACE_DOWN:
        return "The two cards change places face down: only you and the other player see them."
    return "The two cards change places face up: everyone sees both."


def _consequence(v: UncoveredPosition, own: int, theirs: int) -> str:
    """Whether a swap brings a card home that is turned then, by what the viewer is shown."""
    if v.opt.mode != Mode.INTERMEDIATE or v.opt.turning == Turning.OFF:
        return ""
    homes = _is_home(v, own, theirs) + _is_home(v, theirs, own)
    turned = "may be turned" if v.opt.turning == Turning.CHOICE else "turned"
    return ("", turned, f"both {turned}")[homes]


def _is_home(v: UncoveredPosition, source: int, target: int) -> bool:
    """Would the card at `source` lie where its number says at `target`, as far as the viewer is shown?"""
    return number_at(v, source) == number_of(target % PLACES)


def _uncovering(v: UncoveredPosition) -> str:
    """What uncovering would mean, by what the viewer is shown."""
    sure = alike_so_far(v)
    if sure:
        return "All hands are alike, as far as you can tell without a doubt: this wins."
    if sure is False:
        return "The cards you see are not alike: this loses the game for everybody."
    hidden = shown_numbers(v).count(None)
    return f"{plural(hidden, 'card')} you do not see. If the hands are not all alike, the game is lost for everybody."
