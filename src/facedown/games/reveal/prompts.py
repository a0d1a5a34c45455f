"""What a person at a table of Reveal is asked, and what they may touch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from facedown.core.state import OPEN, RUNNING, SPECTATOR
from facedown.core.table import Choice, Path, Sitter, Step, steps_from_paths
from facedown.core.usual import going_on
from facedown.core.voice import acting_seats, are, in_words, listing, name_of, names_of, plural
from facedown.games.reveal.info import FinalMode, SwapBatch
from facedown.games.reveal.log import hand_sentence, result_of
from facedown.games.reveal.rules import COLUMNS, ORDERS, ROWS, Act, Phase, RevealPosition, base_slot, includes
from facedown.games.reveal.texts import _
from facedown.games.reveal.view import column_word, end_place, hand_by_place, has_confirmed, several, side_place

Refusals = tuple[tuple[str, str], ...]


def step_of(v: RevealPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked, who has these legal actions; without any, what is waited for."""
    if v.over != RUNNING:
        return Step(result_of(v, sitters))
    if v.phase == Phase.SCORING:
        said, further = hand_sentence(v, sitters), _("Continue to hand {number}", number=v.hand_number + 1)
        return going_on(v, actions, sitters, said, further, "scoring", "The best colour of each column counts.")
    if not actions:
        return _waiting(v, sitters)
    if v.phase == Phase.SWAP:
        one_by_one = v.opt.swap_batch == SwapBatch.NO
        return _swap_one(v, sitters) if one_by_one else _swap(v, sitters, actions)
    if v.phase == Phase.PLACE:
        return _place(v, sitters, actions)
    return _final(v, sitters, actions)


def _waiting(v: RevealPosition, sitters: Sequence[Sitter]) -> Step:
    viewer, waiting = v.viewer, acting_seats(v)
    help_text = ""
    if viewer != SPECTATOR and has_confirmed(v, viewer):
        help_text = f"You have confirmed {column_word(v.choice[viewer])}."
    elif viewer != SPECTATOR and v.sealed[viewer] != OPEN:
        help_text = "You have chosen. Nothing happens before both have."
    doing = ("choosing what to swap", "placing", "choosing a column")[v.phase]
    text = f"{names_of(sitters, waiting, viewer)} {are(sitters, waiting, viewer)} {doing}."
    return Step(text, help_text, rule=Phase(v.phase).name.lower())


def _other_has_chosen(v: RevealPosition, sitters: Sequence[Sitter]) -> str:
    """ "Mara has chosen." while the other seat waits for the viewer's sealed choice."""
    other = 1 - v.viewer
    return "" if v.acting >> other & 1 else f"{name_of(sitters, other, v.viewer)} has chosen. "


def _laid_refusals(v: RevealPosition) -> Refusals:
    """Why a row laid already cannot be touched."""
    reason = "Cards you have laid stay there until the Grand Reveal."
    return tuple((side_place(v.viewer, row, column), reason) for row in range(v.row) for column in range(COLUMNS))


def _main(bare: Choice, **buttons: str) -> Choice:
    """A touch that is one of these buttons as the main one; any other as it is."""
    return bare._replace(button=buttons[bare.touch], primary=True) if bare.touch in buttons else bare


# --- swap -------------------------------------------------------------------------------------------------------------


def _cards(names: Sequence[str]) -> str:
    """Hand cards as the object of a question: "the red card", "the red and the blue card"."""
    if len(names) == COLUMNS:
        return "all three cards"
    return f"{listing([f'the {name}' for name in names])} card{'s' if len(set(names)) < len(names) else ''}"


def _swap_refusals(v: RevealPosition) -> Refusals:
    """Why a row laid already cannot be touched, nor the next one be laid yet."""
    reason = "First swap, or keep all three. Then you lay the row."
    return (*_laid_refusals(v), *((side_place(v.viewer, v.row, column), reason) for column in range(COLUMNS)))


def _swap(v: RevealPosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    most = v.row + 1
    hand = hand_by_place(v)
    paths: list[tuple[int, Path]] = []
    for action in actions:
        touched = [place for at, place in enumerate(hand) if includes(action - Act.SWAP, at)]
        paths += [(action, (*order, "swap") if order else ("keep",)) for order in permutations(touched)]

    def ask(prefix: Path) -> Step:
        if not prefix:
            question = "Swap a card?" if most == 1 else f"Swap up to {in_words(most)} cards?"
            text = _other_has_chosen(v, sitters) + "Touch what you want to be rid of."
            return Step(question, text, rule="swap", refusals=_swap_refusals(v), picks="set")
        instead = "the top card" if len(prefix) == 1 else f"the top {in_words(len(prefix))}"
        question = f"Swap {_cards([hand[place] for place in sorted(prefix)])}?"
        return Step(question, f"You draw {instead} of the pile instead.", rule="swap", picks="set")

    def dress(path: Path, bare: Choice) -> Choice:
        return _main(bare, keep="Keep all three", swap=f"Swap {plural(len(path) - 1, 'card')}")

    return steps_from_paths(paths, ask, dress)


def _swap_one(v: RevealPosition, sitters: Sequence[Sitter]) -> Step:
    hand = hand_by_place(v)
    done = v.swapped[v.viewer]
    left = v.row + 1 - done
    paths: list[tuple[int, Path]] = [(Act.SWAP + (1 << at), (place, "swap")) for at, place in enumerate(hand)]
    paths.append((Act.STOP, ("stop",)))

    def ask(prefix: Path) -> Step:
        if prefix:
            return Step(f"Swap the {hand[prefix[0]]} card?", "You look at the new card before you go on.", rule="swap")
        may = "This is the last one you may swap." if left == 1 else f"You may swap {in_words(left)}, one by one."
        question = "Swap another card?" if done else "Swap a card?"
        return Step(question, _other_has_chosen(v, sitters) + may, rule="swap", refusals=_swap_refusals(v))

    def dress(path: Path, bare: Choice) -> Choice:
        return _main(bare, stop="Swap no more" if done else "Keep all three", swap="Swap 1 card")

    return steps_from_paths(paths, ask, dress)


# --- place ------------------------------------------------------------------------------------------------------------


def _place(v: RevealPosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    hand = hand_by_place(v)
    held = list(hand)
    row = [side_place(v.viewer, v.row, column) for column in range(COLUMNS)]
    paths: list[tuple[int, Path]] = []
    for action in actions:
        order = ORDERS[action - Act.PLACE]
        for two in permutations(range(COLUMNS), 2):
            touches = [touch for place in two for touch in (held[place], row[order[place]])]
            paths.append((action, (*touches, "place")))

    def ask(prefix: Path) -> Step:
        if len(prefix) % 2:
            where = "Touch a lit place. Your third card takes what is left."
            return Step(f"Where does the {hand[prefix[-1]]} card go?", where, rule="place")
        waits = _other_has_chosen(v, sitters)
        if len(prefix) == 4:
            last = next(name for place, name in hand.items() if place not in prefix)
            left = next(column for column, place in enumerate(row) if place not in prefix)
            to = ("left", "into the middle", "right")[left]
            chosen = f" {waits}You may still change your cards." if waits else ""
            return Step("Place these three?", f"The {last} card goes {to}.{chosen}", rule="place")
        refusals = (*_laid_refusals(v), ("draw", "You have swapped already: now lay the row."))
        if not prefix:
            return Step(
                "Which card goes first?", f"{waits}Touch a card, then a lit place.", rule="place", refusals=refusals
            )
        return Step("Which card next?", "Your third card takes what is left.", rule="place", refusals=refusals)

    return _with_grey(steps_from_paths(paths, ask, lambda path, bare: _main(bare, place="Place 3 cards")), 0)


def _with_grey(found: Step, touches: int) -> Step:
    """The same tree with a grey button wherever the row is not complete."""
    if any(c.touch == "place" for c in found.choices):
        return found
    need = "Two cards still need" if touches < 2 else "One card still needs"
    grey = Choice("place", button="Place 3 cards", primary=True, refuses=f"{need} a place.")
    choices = tuple(c._replace(then=_with_grey(c.then, touches + 1)) if c.then else c for c in found.choices)
    return found._replace(choices=(*choices, grey))


# --- final round ------------------------------------------------------------------------------------------------------


def _base_words(v: RevealPosition, column: int) -> str:
    """A column's base: "two reds and a yellow"."""
    return several([v.card[base_slot(row, column)] for row in range(ROWS)])


def _final(v: RevealPosition, sitters: Sequence[Sitter], actions: Sequence[int]) -> Step:
    mine = v.choice[v.viewer]
    sealed = v.opt.final_mode == FinalMode.SEALED
    last = not sealed and v.changes[v.viewer] >= v.opt.most_changes
    # The columns, by the place at their end where the viewer lays the Final Card.
    ends = {end_place(v.viewer, column): column for column in range(COLUMNS)}

    def ask(prefix: Path) -> Step:
        if prefix:
            column = ends[prefix[0]]
            final = "You may not move it again after that." if last else "Nobody knows your Final Card’s colour."
            text = f"Its base is {_base_words(v, column)}. {'This is for good.' if sealed else final}"
            return Step(f"Choose {column_word(column)}?", text, rule="final")
        colour = "Nobody knows its colour." + (" Your next choice is final." if last else "")
        if mine >= 0:
            text = f"It has {_base_words(v, mine)} in its base. Touch a lit place to move your Final Card. {colour}"
            there = end_place(v.viewer, mine), "Your Final Card lies there already."
            return Step(f"Stay with {column_word(mine)}?", text, rule="final", refusals=(*_laid_refusals(v), there))
        text = f"Touch a lit place to lay your Final Card there. {colour}"
        if sealed:
            text = f"{_other_has_chosen(v, sitters)}Nobody sees your choice before both have chosen."
        return Step("Which column is yours?", text, rule="final", refusals=_laid_refusals(v))

    def dress(path: Path, bare: Choice) -> Choice:
        column = column_word(ends.get(path[0], mine))
        if bare.touch == "stay":
            return bare._replace(button="Stay, not for good")
        if bare.touch == "choose":
            return bare._replace(button=f"Choose {column}", primary=sealed)
        return _main(bare, confirm=f"Confirm {column}", sure=f"Confirm {column}")

    alternate = v.opt.final_mode == FinalMode.ALTERNATE
    paths: list[tuple[int, Path]] = []
    for place, column in ends.items():
        # The column chosen already is not lit: the card lies there. A last choice is asked about once more.
        if column == mine:
            continue
        if last:
            paths.append((Act.CHOOSE + column, (place, "sure")))
        elif alternate:
            paths += [(Act.CHOOSE + column, (place, "choose")), (Act.CHOOSE_CONFIRM + column, (place, "sure"))]
        else:
            paths.append((Act.CHOOSE + column, (place, "choose") if sealed else (place,)))
    if Act.CONFIRM in actions:
        if alternate and not last:
            paths.append((Act.CHOOSE + mine, ("stay",)))
        paths.append((Act.CONFIRM, ("confirm",)))
    return steps_from_paths(paths, ask, dress)
