"""What a player of Detect is asked, and what may be touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from facedown.core.state import OPEN, RUNNING, SPECTATOR
from facedown.core.table import Ask, Choice, Path, Sitter, Step, steps_from_paths
from facedown.core.voice import acting_seats, are, digits, names_of
from facedown.games.detect.log import result_of, round_sentence
from facedown.games.detect.rules import (
    CELLS,
    CONTINUE,
    DRAW,
    DRAWN,
    HAND,
    KEEP,
    LEAVE,
    OPENING,
    PAIRS,
    REMOVE,
    ROWS,
    SCORING,
    SET,
    TAKE,
    THROW,
    TURN,
    DetectPosition,
)
from facedown.games.detect.view import cell_place, completes, number_at, plural_number, top_discard


def step_of(v: DetectPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked, who has these legal actions; without any, what is waited for."""
    if v.over != RUNNING:
        return Step(result_of(v, sitters))
    phase = v.phase
    if not actions:
        return _waiting(v, sitters)
    if phase == OPENING:
        return _opening_step(v, actions)
    if phase == TURN:
        return _turn_step(v, actions)
    if phase == DRAWN:
        return _drawn_step(v, actions)
    if phase == SET:
        return _set_step(v)
    next_round = v.round_number + 1
    return Step(
        round_sentence(v, sitters),
        "Look as long as you like: the next round begins when everybody has gone on.",
        (Choice("continue", button=f"Continue to round {next_round}", primary=True, action=CONTINUE),),
        rule="score",
    )


def _waiting(v: DetectPosition, sitters: Sequence[Sitter]) -> Step:
    phase = v.phase
    viewer = v.viewer
    waiting = acting_seats(v)
    names = names_of(sitters, waiting, viewer)
    if phase == SCORING:
        return Step(
            round_sentence(v, sitters),
            f"Waiting for {names_of(sitters, waiting, viewer, middle=True)} to go on.",
            rule="score",
        )
    if phase == OPENING:
        mine = viewer != SPECTATOR and v.sealed[viewer] != OPEN
        help_text = "You have chosen. Nothing turns before all have." if mine else "Each turns two cards up."
        return Step(f"{names} {are(sitters, waiting, viewer)} choosing.", help_text, rule="opening")
    return Step(f"{names} {are(sitters, waiting, viewer)} choosing.", rule="turn")


def _opening_step(v: DetectPosition, actions: Sequence[int]) -> Step:
    viewer = v.viewer
    paths: list[tuple[int, Path]] = []
    for action in actions:
        a, b = (cell_place(v, viewer, c) for c in PAIRS[action])
        paths += [(action, (a, b, "turn-two")), (action, (b, a, "turn-two"))]

    def ask(prefix: Path) -> Ask:
        question = ("Which two cards do you turn up?", "And which other one?", "Turn these two?")[len(prefix)]
        help_text = "Nobody sees which before all have chosen. The highest sum plays first."
        return Ask(question, help_text, "opening", picks="set")

    def dress(path: Path, bare: Choice) -> Choice:
        return replace(bare, button="Turn two cards", primary=True) if path[-1] == "turn-two" else bare

    return steps_from_paths(paths, ask, dress)


def _turn_step(v: DetectPosition, actions: Sequence[int]) -> Step:
    viewer = v.viewer
    top = top_discard(v)
    paths: list[tuple[int, Path]] = []
    for action in actions:
        paths.append((action, ("draw",) if action == DRAW else ("discard", cell_place(v, viewer, action - TAKE))))
    last = " It is your last turn." if v.ender >= 0 else ""

    def ask(prefix: Path) -> Ask:
        if prefix:
            return Ask(
                f"Where does the {digits(top or 0)} go?",
                "Touch a place in your grid. The card that lies there goes on the discard pile.",
                "take",
            )
        if top is None:
            return Ask("Draw a card.", "The discard pile is empty." + last, "draw")
        return Ask(
            f"Take the {digits(top)}, or draw?",
            "Touch the discard pile to take its top card, or the draw pile to look at a new one." + last,
            "turn",
        )

    def dress(path: Path, bare: Choice) -> Choice:
        if path == ("draw",):
            return replace(bare, button="Draw a card")
        if len(path) == 2 and top is not None:
            return replace(bare, says=_consequence(v, viewer, path[1], top))
        return bare

    return steps_from_paths(paths, ask, dress)


def _drawn_step(v: DetectPosition, actions: Sequence[int]) -> Step:
    viewer = v.viewer
    number = number_at(v, HAND)
    assert number is not None
    paths: list[tuple[int, Path]] = []
    for action in actions:
        if action < THROW:
            paths.append((action, (cell_place(v, viewer, action - KEEP),)))
        else:
            paths.append((action, ("discard", cell_place(v, viewer, action - THROW))))

    def ask(prefix: Path) -> Ask:
        if prefix:
            return Ask("Which card do you turn up?", f"The {digits(number)} goes on the discard pile.", "throw")
        return Ask(
            f"Keep the {digits(number)}, or throw it?",
            "Touch a place in your grid to keep it. Touch the discard pile to throw it and turn one of your cards.",
            "keep",
        )

    def dress(path: Path, bare: Choice) -> Choice:
        if path == ("discard",):
            return replace(bare, button=f"Throw the {digits(number)}", sign="swap")
        if len(path) == 1:
            return replace(bare, says=_consequence(v, viewer, path[0], number))
        return bare

    return steps_from_paths(paths, ask, dress)


def _consequence(v: DetectPosition, seat: int, place: str, number: int) -> str:
    cell = next(cell for cell in range(CELLS) if cell_place(v, seat, cell) == place)
    return f"three {plural_number(number)}" if completes(v, seat, cell, number) else ""


def _set_step(v: DetectPosition) -> Step:
    viewer = v.viewer
    number = number_at(v, viewer * CELLS + v.column * ROWS)
    assert number is not None
    return Step(
        f"Take the three {plural_number(number)} away?",
        "You decide now: the column is asked about again only when it is completed anew.",
        (
            Choice("remove", button="Take them away", primary=number > 0, action=REMOVE),
            Choice("leave", button="Leave them", primary=number <= 0, action=LEAVE),
        ),
        rule="set",
    )
