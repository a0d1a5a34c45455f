"""What a person at a table of Reveal is asked, and what they may touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from facedown.core.state import OPEN, RUNNING, SPECTATOR
from facedown.core.table import Ask, Choice, Path, Sitter, Step, steps_from_paths
from facedown.core.voice import acting_seats, are, in_words, listing, name_of, names_of
from facedown.games.reveal.info import FinalMode, SwapBatch
from facedown.games.reveal.log import hand_sentence, result_of
from facedown.games.reveal.rules import (
    CHOOSE,
    CHOOSE_CONFIRM,
    COLUMNS,
    CONFIRM,
    CONTINUE,
    FINAL,
    ORDERS,
    PLACE,
    PLACE_ALL,
    ROWS,
    SCORING,
    STOP,
    SWAP,
    SWAP_SET,
    RevealPosition,
    base_slot,
    includes,
)
from facedown.games.reveal.view import (
    column_word,
    end_place,
    hand_names,
    hand_place,
    has_confirmed,
    is_acting,
    kind_at,
    several,
    side_place,
)

Refusals = tuple[tuple[str, str], ...]


def step_of(v: RevealPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked, who has these legal actions; without any, what is waited for."""
    if v.over != RUNNING:
        return Step(result_of(v, sitters))
    if not actions:
        return _waiting(v, sitters)
    if v.phase == SWAP:
        one_by_one = v.opt.swap_batch == SwapBatch.NO
        return _swap_one(v, sitters) if one_by_one else _swap(v, sitters, actions)
    if v.phase == PLACE:
        return _place(v, sitters, actions)
    if v.phase == FINAL:
        sealed = v.opt.final_mode == FinalMode.SEALED
        return _final_sealed(v, sitters) if sealed else _final(v, actions)
    return Step(
        hand_sentence(v, sitters),
        "The best colour of each column counts.",
        (Choice("continue", button=f"Continue to hand {v.hand_number + 1}", primary=True, action=CONTINUE),),
        rule="scoring",
    )


def _waiting(v: RevealPosition, sitters: Sequence[Sitter]) -> Step:
    viewer = v.viewer
    waiting = acting_seats(v)
    names = names_of(sitters, waiting, viewer)
    if v.phase == SCORING:
        return Step(
            hand_sentence(v, sitters),
            f"Waiting for {names_of(sitters, waiting, viewer, middle=True)} to go on.",
            rule="scoring",
        )
    mine = viewer != SPECTATOR and v.sealed[viewer] != OPEN
    doing = {SWAP: "choosing what to swap", PLACE: "placing", FINAL: "choosing a column"}[v.phase]
    help_text = "You have chosen. Nothing happens before both have." if mine else ""
    if v.phase == FINAL and viewer != SPECTATOR and has_confirmed(v, viewer):
        help_text = f"You have confirmed {column_word(v.choice[viewer])}."
    rule = {SWAP: "swap", PLACE: "place", FINAL: "final"}[v.phase]
    return Step(f"{names} {are(sitters, waiting, viewer)} {doing}.", help_text, rule=rule)


def _other_has_chosen(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """ "Mara has chosen." while the other seat waits for the viewer's sealed choice."""
    other = 1 - v.viewer
    return "" if is_acting(v, other) else f"{name_of(sitters, other, v.viewer)} has chosen. "


def _laid_refusals(v: RevealPosition) -> Refusals:
    """Why a row laid already cannot be touched."""
    reason = "Cards you have laid stay there until the Grand Reveal."
    return tuple(
        (side_place(v.viewer, row, column), reason) for row in range(min(v.row, ROWS)) for column in range(COLUMNS)
    )


# --- swap -------------------------------------------------------------------------------------------------------------


def _cards(names: Sequence[str]) -> str:
    """Hand cards as the object of a question: "the red card", "the red and the blue card"."""
    if len(names) == COLUMNS:
        return "all three cards"
    return f"{listing([f'the {name}' for name in names])} card{'s' if len(set(names)) < len(names) else ''}"


def _hand_by_place(v: RevealPosition) -> dict[str, str]:
    """The names of the viewer's hand cards, by where they lie."""
    return {hand_place(place): name for place, name in enumerate(hand_names(v))}


def _swap(v: RevealPosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    most = v.row + 1
    hand = _hand_by_place(v)
    paths: list[tuple[int, Path]] = []
    for action in actions:
        touched = [place for at, place in enumerate(hand) if includes(action - SWAP_SET, at)]
        if not touched:
            paths.append((action, ("keep",)))
        else:
            paths += [(action, (*order, "swap")) for order in permutations(touched)]
    question = "Swap a card?" if most == 1 else f"Swap up to {in_words(most)} cards?"

    def ask(prefix: Path) -> Ask:
        if not prefix:
            text = _other_has_chosen(v, sitters) + "Touch what you want to be rid of."
            return Ask(question, text, "swap", (*_laid_refusals(v), *_too_early(v)), "set")
        names = [hand[place] for place in sorted(prefix)]
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


def _swap_one(v: RevealPosition, sitters: Sequence[Sitter]) -> Step:
    hand = _hand_by_place(v)
    done = v.swapped[v.viewer]
    left = v.row + 1 - done
    paths: list[tuple[int, Path]] = [(SWAP_SET + (1 << at), (place, "swap")) for at, place in enumerate(hand)]
    paths.append((STOP, ("stop",)))

    def ask(prefix: Path) -> Ask:
        if prefix:
            return Ask(f"Swap the {hand[prefix[0]]} card?", "You look at the new card before you go on.", "swap")
        question = "Swap a card?" if done == 0 else "Swap another card?"
        may = "This is the last one you may swap." if left == 1 else f"You may swap {in_words(left)}, one by one."
        return Ask(
            question,
            f"{_other_has_chosen(v, sitters)}{may}",
            "swap",
            (*_laid_refusals(v), *_too_early(v)),
        )

    def dress(path: Path, bare: Choice) -> Choice:
        if path[-1] == "stop":
            return replace(bare, button="Keep all three" if done == 0 else "Swap no more", primary=True)
        return replace(bare, button="Swap 1 card", primary=True) if path[-1] == "swap" else bare

    return steps_from_paths(paths, ask, dress)


def _too_early(v: RevealPosition) -> Refusals:
    """Why the row cannot be laid yet."""
    return tuple(
        (side_place(v.viewer, v.row, column), "First swap, or keep all three. Then you lay the row.")
        for column in range(COLUMNS)
    )


# --- place ------------------------------------------------------------------------------------------------------------


def _place(v: RevealPosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    hand = _hand_by_place(v)
    held = list(hand)
    row = [side_place(v.viewer, v.row, column) for column in range(COLUMNS)]
    paths: list[tuple[int, Path]] = []
    for action in actions:
        order = ORDERS[action - PLACE_ALL]
        for first, second in permutations(range(COLUMNS), 2):
            touches = [touch for place in (first, second) for touch in (held[place], row[order[place]])]
            paths.append((action, (*touches, "place")))

    def ask(prefix: Path) -> Ask:
        if len(prefix) % 2:
            where = "Touch a lit place. Your third card takes what is left."
            return Ask(f"Where does the {hand[prefix[-1]]} card go?", where, "place")
        if len(prefix) == 4:
            last = next(name for place, name in hand.items() if place not in prefix)
            left = next(column for column, place in enumerate(row) if place not in prefix)
            waits = _other_has_chosen(v, sitters)
            chosen = f" {waits}You may still change your cards." if waits else ""
            return Ask("Place these three?", f"The {last} card goes {_to(left)}.{chosen}", "place")
        refusals = (*_laid_refusals(v), ("draw", "You have swapped already: now lay the row."))
        if not prefix:
            text = _other_has_chosen(v, sitters) + "Touch a card, then a lit place."
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


def _base_words(v: RevealPosition, column: int) -> str:
    """A column's base: "two reds and a yellow"."""
    kinds = [kind_at(v, base_slot(row, column)) for row in range(ROWS)]
    return several([k for k in kinds if k is not None])


def _ends(v: RevealPosition) -> dict[str, int]:
    """The columns, by the place at their end where the viewer lays the Final Card."""
    return {end_place(v.viewer, column): column for column in range(COLUMNS)}


def _final(v: RevealPosition, actions: Sequence[int]) -> Step:
    mine = v.choice[v.viewer]
    last = v.changes[v.viewer] >= v.opt.most_changes
    ends = _ends(v)

    def ask(prefix: Path) -> Ask:
        if prefix:
            column = ends[prefix[0]]
            final = "You may not move it again after that." if last else "Nobody knows your Final Card’s colour."
            return Ask(f"Choose {column_word(column)}?", f"Its base is {_base_words(v, column)}. {final}", "final")
        warning = " Your next choice is final." if last else ""
        if mine < 0:
            return Ask(
                "Which column is yours?",
                "Touch a lit place to lay your Final Card there. Nobody knows its colour." + warning,
                "final",
                _laid_refusals(v),
            )
        return Ask(
            f"Stay with {column_word(mine)}?",
            f"It has {_base_words(v, mine)} in its base. Touch a lit place to move your Final Card."
            f" Nobody knows its colour.{warning}",
            "final",
            (*_laid_refusals(v), (end_place(v.viewer, mine), "Your Final Card lies there already.")),
        )

    def dress(path: Path, bare: Choice) -> Choice:
        word = path[-1]
        if word == "confirm":
            return replace(bare, button=f"Confirm {column_word(mine)}", primary=True)
        if word == "stay":
            return replace(bare, button="Stay, not for good")
        column = column_word(ends[path[0]])
        if word == "sure":
            return replace(bare, button=f"Confirm {column}", primary=True)
        return replace(bare, button=f"Choose {column}") if word == "choose" else bare

    return steps_from_paths(_final_paths(v, actions, ends, mine, last), ask, dress)


def _final_paths(
    v: RevealPosition, actions: Sequence[int], ends: dict[str, int], mine: int, last: bool
) -> list[tuple[int, Path]]:
    """The ways to touch a choice of column; with `last` the next one is final and is asked about once more."""
    alternate = v.opt.final_mode == FinalMode.ALTERNATE
    paths: list[tuple[int, Path]] = []
    for place, column in ends.items():
        # The column chosen already is not lit: the card lies there.
        if column == mine:
            continue
        if last:
            paths.append((CHOOSE + column, (place, "sure")))
        elif alternate:
            paths += [(CHOOSE + column, (place, "choose")), (CHOOSE_CONFIRM + column, (place, "sure"))]
        else:
            paths.append((CHOOSE + column, (place,)))
    if CONFIRM in actions:
        if alternate and not last:
            paths.append((CHOOSE + mine, ("stay",)))
        paths.append((CONFIRM, ("confirm",)))
    return paths


def _final_sealed(v: RevealPosition, sitters: Sequence[Sitter]) -> Step:
    ends = _ends(v)
    paths: list[tuple[int, Path]] = [(CHOOSE + column, (place, "choose")) for place, column in ends.items()]

    def ask(prefix: Path) -> Ask:
        if prefix:
            column = ends[prefix[0]]
            return Ask(
                f"Choose {column_word(column)}?", f"Its base is {_base_words(v, column)}. This is for good.", "final"
            )
        return Ask(
            "Which column is yours?",
            f"{_other_has_chosen(v, sitters)}Nobody sees your choice before both have chosen.",
            "final",
            _laid_refusals(v),
        )

    def dress(path: Path, bare: Choice) -> Choice:
        if path[-1] != "choose":
            return bare
        return replace(bare, button=f"Choose {column_word(ends[path[0]])}", primary=True)

    return steps_from_paths(paths, ask, dress)
