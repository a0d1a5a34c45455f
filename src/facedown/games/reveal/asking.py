"""What a person at a table of Reveal is asked, and what they may touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import numpy as np

from facedown.core.state import OPEN, RUNNING, SPECTATOR
from facedown.core.table import Ask, Choice, Path, Sitter, Step, steps_from_paths
from facedown.core.voice import acting_seats, are, in_words, listing, name_of, names_of
from facedown.games.reveal.counting import hand_sentence, result
from facedown.games.reveal.deck import NAMES
from facedown.games.reveal.rules import (
    ACTIONS,
    CHOOSE,
    CHOOSE_CONFIRM,
    COLUMNS,
    CONFIRM,
    CONTINUE,
    FINAL,
    FINAL_ALTERNATE,
    FINAL_SEALED,
    ORDERS,
    PLACE,
    PLACE_ALL,
    ROWS,
    SCORING,
    STOP,
    SWAP,
    SWAP_SET,
    legal,
    side,
)
from facedown.games.reveal.seeing import (
    base_slot,
    column_word,
    end_place,
    hand_place,
    kind_at,
    several,
    side_place,
)

Refusals = tuple[tuple[str, str], ...]


def step(view: Any, sitters: Sequence[Sitter]) -> Step:
    """The tree of touches of the viewer, or what they are waiting for."""
    viewer = int(view.viewer)
    if int(view.over) != RUNNING:
        return Step(result(view, sitters))
    actions: list[int] = []
    if viewer != SPECTATOR:
        out = np.empty(ACTIONS, np.int32)
        actions = [int(a) for a in out[: legal(view, viewer, out)]]
    if not actions:
        return _waiting(view, sitters)
    phase = int(view.phase)
    if phase == SWAP:
        return _swap_one(view, sitters) if int(view.one_by_one) else _swap(view, sitters, actions)
    if phase == PLACE:
        return _place(view, sitters, actions)
    if phase == FINAL:
        return _final(view, sitters, actions)
    return Step(
        hand_sentence(view, sitters),
        "The best colour of each column counts.",
        (Choice("continue", button=f"Continue to hand {int(view.hand_number) + 1}", primary=True, action=CONTINUE),),
        rule="scoring",
    )


def _waiting(view: Any, sitters: Sequence[Sitter]) -> Step:
    phase = int(view.phase)
    viewer = int(view.viewer)
    waiting = acting_seats(view)
    names = names_of(sitters, waiting, viewer)
    if phase == SCORING:
        return Step(
            hand_sentence(view, sitters),
            f"Waiting for {names_of(sitters, waiting, viewer, middle=True)} to go on.",
            rule="scoring",
        )
    mine = viewer != SPECTATOR and int(view.sealed[viewer]) != OPEN
    doing = {SWAP: "choosing what to swap", PLACE: "placing", FINAL: "choosing a column"}[phase]
    help_text = "You have chosen. Nothing happens before both have." if mine else ""
    if phase == FINAL and viewer != SPECTATOR and int(view.confirmed) >> viewer & 1:
        help_text = f"You have confirmed {column_word(int(view.choice[viewer]))}."
    rule = {SWAP: "swap", PLACE: "place", FINAL: "final"}[phase]
    return Step(f"{names} {are(sitters, waiting, viewer)} {doing}.", help_text, rule=rule)


def _other_has_chosen(view: Any, sitters: Sequence[Sitter]) -> str:
    """ "Mara has chosen." while the other seat waits for the viewer's sealed choice."""
    other = 1 - int(view.viewer)
    return f"{name_of(sitters, other, int(view.viewer))} has chosen. " if not int(view.acting) >> other & 1 else ""


def _hand(view: Any) -> list[str]:
    """The names of the viewer's hand cards."""
    viewer, row = int(view.viewer), int(view.row)
    return [NAMES[kind_at(view, side(viewer, row, place)) or 0] for place in range(COLUMNS)]


def _laid_refusals(view: Any) -> Refusals:
    """Why a row laid already cannot be touched."""
    viewer = int(view.viewer)
    reason = "Cards you have laid stay there until the Grand Reveal."
    return tuple(
        (side_place(viewer, row, column), reason)
        for row in range(min(int(view.row), ROWS))
        for column in range(COLUMNS)
    )


# --- swap -------------------------------------------------------------------------------------------------------------


def _cards(names: Sequence[str]) -> str:
    """Hand cards as the object of a question: "the red card", "the red and the blue card"."""
    if len(names) == COLUMNS:
        return "all three cards"
    return f"{listing([f'the {name}' for name in names])} card{'s' if len(set(names)) < len(names) else ''}"


def _swap(view: Any, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    most = int(view.row) + 1
    hand = _hand(view)
    paths: list[tuple[int, Path]] = []
    for action in actions:
        places = [p for p in range(COLUMNS) if (action - SWAP_SET) >> p & 1]
        if not places:
            paths.append((action, ("keep",)))
        else:
            paths += [(action, (*(hand_place(p) for p in order), "swap")) for order in permutations(places)]
    question = "Swap a card?" if most == 1 else f"Swap up to {in_words(most)} cards?"

    def ask(prefix: Path) -> Ask:
        if not prefix:
            text = _other_has_chosen(view, sitters) + "Touch what you want to be rid of."
            return Ask(question, text, "swap", (*_laid_refusals(view), *_too_early(view)), "set")
        names = [hand[int(place[-1]) - 1] for place in sorted(prefix)]
        instead = "the top card" if len(prefix) == 1 else f"the top {in_words(len(prefix))}"
        help_text = f"You draw {instead} of the pile instead."
        return Ask(f"Swap {_cards(names)}?", help_text, "swap", picks="set")

    def dress(path: Path, bare: Choice) -> Choice:
        if path[-1] == "keep":
            return replace(bare, button="Keep all three", primary=True)
        if path[-1] == "swap":
            count = len(path) - 1
            return replace(bare, button=f"Swap {count} card{'s' if count > 1 else ''}", primary=True)
        return bare

    return steps_from_paths(paths, ask, dress)


def _swap_one(view: Any, sitters: Sequence[Sitter]) -> Step:
    hand = _hand(view)
    done = int(view.swapped[int(view.viewer)])
    left = int(view.row) + 1 - done
    paths: list[tuple[int, Path]] = [(SWAP_SET + (1 << p), (hand_place(p), "swap")) for p in range(COLUMNS)]
    paths.append((STOP, ("stop",)))

    def ask(prefix: Path) -> Ask:
        if prefix:
            name = hand[int(prefix[0][-1]) - 1]
            return Ask(f"Swap the {name} card?", "You look at the new card before you go on.", "swap")
        question = "Swap a card?" if done == 0 else "Swap another card?"
        may = "This is the last one you may swap." if left == 1 else f"You may swap {in_words(left)}, one by one."
        return Ask(
            question,
            f"{_other_has_chosen(view, sitters)}{may}",
            "swap",
            (*_laid_refusals(view), *_too_early(view)),
        )

    def dress(path: Path, bare: Choice) -> Choice:
        if path[-1] == "stop":
            return replace(bare, button="Keep all three" if done == 0 else "Swap no more", primary=True)
        return replace(bare, button="Swap 1 card", primary=True) if path[-1] == "swap" else bare

    return steps_from_paths(paths, ask, dress)


def _too_early(view: Any) -> Refusals:
    """Why the row cannot be laid yet."""
    viewer, row = int(view.viewer), int(view.row)
    return tuple(
        (side_place(viewer, row, column), "First swap, or keep all three. Then you lay the row.")
        for column in range(COLUMNS)
    )


# --- place ------------------------------------------------------------------------------------------------------------


def _place(view: Any, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    viewer, row = int(view.viewer), int(view.row)
    hand = _hand(view)
    paths: list[tuple[int, Path]] = []
    for action in actions:
        order = [int(c) for c in ORDERS[action - PLACE_ALL]]
        for first, second in permutations(range(COLUMNS), 2):
            touches = [t for p in (first, second) for t in (hand_place(p), side_place(viewer, row, order[p]))]
            paths.append((action, (*touches, "place")))

    def ask(prefix: Path) -> Ask:
        if len(prefix) % 2:
            where = "Touch a lit place. Your third card takes what is left."
            return Ask(f"Where does the {hand[int(prefix[-1][-1]) - 1]} card go?", where, "place")
        if len(prefix) == 4:
            last = next(p for p in range(COLUMNS) if hand_place(p) not in prefix)
            left = next(c for c in range(COLUMNS) if side_place(viewer, row, c) not in prefix)
            chosen = (
                f" {_other_has_chosen(view, sitters)}You may still change your cards."
                if _other_has_chosen(view, sitters)
                else ""
            )
            return Ask("Place these three?", f"The {hand[last]} card goes {_to(left)}.{chosen}", "place")
        refusals = (*_laid_refusals(view), ("draw", "You have swapped already: now lay the row."))
        if not prefix:
            text = _other_has_chosen(view, sitters) + "Touch a card, then a lit place."
            return Ask("Which card goes first?", text, "place", refusals)
        return Ask("Which card next?", "Your third card takes what is left.", "place", refusals)

    def dress(path: Path, bare: Choice) -> Choice:
        return replace(bare, button="Place 3 cards", primary=True) if path[-1] == "place" else bare

    return _with_grey(steps_from_paths(paths, ask, dress), 0)


def _to(column: int) -> str:
    """Where a card goes: "left", "into the middle", "right"."""
    return ("left", "into the middle", "right")[column]


def _with_grey(found: Step, touches: int) -> Step:
    """The same tree with a grey button wherever the row is not complete."""
    if any(c.touch == "place" for c in found.choices):
        return found
    need = "Two cards" if touches < 2 else "One card"
    verb = "need" if touches < 2 else "needs"
    grey = Choice("place", button="Place 3 cards", primary=True, refuses=f"{need} still {verb} a place.")
    choices = tuple(replace(c, then=_with_grey(c.then, touches + 1)) if c.then else c for c in found.choices)
    return replace(found, choices=(*choices, grey))


# --- final round ------------------------------------------------------------------------------------------------------


def base_words(view: Any, column: int) -> str:
    """A column's base: "two reds and a yellow"."""
    kinds = [kind_at(view, base_slot(row, column)) for row in range(ROWS)]
    return several([k for k in kinds if k is not None])


def _final(view: Any, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    mode = int(view.final_mode)
    if mode == FINAL_SEALED:
        return _final_sealed(view, sitters)
    viewer = int(view.viewer)
    mine = int(view.choice[viewer])
    last = int(view.changes[viewer]) >= int(view.final_cap)
    # The column chosen already is not lit: the card lies there.
    others = [c for c in range(COLUMNS) if c != mine]
    paths: list[tuple[int, Path]] = []
    for column in others:
        place = end_place(viewer, column)
        if last:
            paths.append((CHOOSE + column, (place, "sure")))
        elif mode == FINAL_ALTERNATE:
            paths += [(CHOOSE + column, (place, "choose")), (CHOOSE_CONFIRM + column, (place, "sure"))]
        else:
            paths.append((CHOOSE + column, (place,)))
    if CONFIRM in actions:
        if mode == FINAL_ALTERNATE and not last:
            paths.append((CHOOSE + mine, ("stay",)))
        paths.append((CONFIRM, ("confirm",)))

    def ask(prefix: Path) -> Ask:
        if prefix:
            column = _column_of(prefix[0])
            final = "You may not move it again after that." if last else "Nobody knows your Final Card’s colour."
            return Ask(f"Choose {column_word(column)}?", f"Its base is {base_words(view, column)}. {final}", "final")
        warning = " Your next choice is final." if last else ""
        if mine < 0:
            return Ask(
                "Which column is yours?",
                "Touch a lit place to lay your Final Card there. Nobody knows its colour." + warning,
                "final",
                _laid_refusals(view),
            )
        return Ask(
            f"Stay with {column_word(mine)}?",
            f"It has {base_words(view, mine)} in its base. Touch a lit place to move your Final Card."
            f" Nobody knows its colour.{warning}",
            "final",
            (*_laid_refusals(view), (end_place(viewer, mine), "Your Final Card lies there already.")),
        )

    def dress(path: Path, bare: Choice) -> Choice:
        word = path[-1]
        if word == "confirm":
            return replace(bare, button=f"Confirm {column_word(mine)}", primary=True)
        if word == "stay":
            return replace(bare, button="Stay, not for good")
        column = _column_of(path[0])
        if word == "sure":
            return replace(bare, button=f"Confirm {column_word(column)}", primary=True)
        return replace(bare, button=f"Choose {column_word(column)}") if word == "choose" else bare

    return steps_from_paths(paths, ask, dress)


def _final_sealed(view: Any, sitters: Sequence[Sitter]) -> Step:
    viewer = int(view.viewer)
    paths: list[tuple[int, Path]] = [
        (CHOOSE + column, (end_place(viewer, column), "choose")) for column in range(COLUMNS)
    ]

    def ask(prefix: Path) -> Ask:
        if prefix:
            column = _column_of(prefix[0])
            return Ask(
                f"Choose {column_word(column)}?", f"Its base is {base_words(view, column)}. This is for good.", "final"
            )
        return Ask(
            "Which column is yours?",
            f"{_other_has_chosen(view, sitters)}Nobody sees your choice before both have chosen.",
            "final",
            _laid_refusals(view),
        )

    def dress(path: Path, bare: Choice) -> Choice:
        if path[-1] != "choose":
            return bare
        return replace(bare, button=f"Choose {column_word(_column_of(path[0]))}", primary=True)

    return steps_from_paths(paths, ask, dress)


def _column_of(place: str) -> int:
    """The column of an end's place id."""
    return "LCR".index(place[-1])
