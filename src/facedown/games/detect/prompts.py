"""What a player of Detect is asked, and what may be touched."""

from __future__ import annotations

from collections.abc import Sequence

from facedown.core.language import cached_in_language
from facedown.core.state import OPEN, RUNNING, SPECTATOR
from facedown.core.table import Choice, Path, Refusals, Sitter, Step, steps_from_paths
from facedown.core.usual import choosing, going_on
from facedown.core.voice import digits
from facedown.games.detect.log import result_of, round_sentence
from facedown.games.detect.reasons import refusals
from facedown.games.detect.rules import HAND, PAIRS, Act, DetectPosition, Phase
from facedown.games.detect.texts import _
from facedown.games.detect.view import cell_place, completes, decided_about, number_seen, top_discard


def step_of(v: DetectPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    """What the viewer is asked, who has these legal actions; without any, what is waited for."""
    if v.over != RUNNING:
        return Step(result_of(v, sitters))
    if v.phase == Phase.SCORING:
        help_text = _("Take your time. The next round starts once everyone taps Continue.")
        further = _("Continue to round {number}", number=v.round_number + 1)
        step = going_on(v, actions, sitters, round_sentence(v, sitters), further, "score", help_text)
        return step._replace(refusals=refusals(v, sitters))
    if not actions:
        return _waiting(v, sitters)
    if v.phase == Phase.OPENING:
        return _two_cards(v.viewer, tuple(actions), refusals(v, sitters))
    steps = {Phase.TURN: _turn_step, Phase.DRAWN: _drawn_step, Phase.SET: _set_step}
    return steps[Phase(v.phase)](v, actions, sitters)


def _waiting(v: DetectPosition, sitters: Sequence[Sitter]) -> Step:
    if v.phase == Phase.OPENING:
        mine = v.viewer != SPECTATOR and v.sealed[v.viewer] != OPEN
        help_text = _("You’ve chosen. Cards flip once everyone has.") if mine else _("Everyone flips two cards.")
        return Step(choosing(v, sitters), help_text, rule="opening", refusals=refusals(v, sitters))
    return Step(choosing(v, sitters), rule="turn", refusals=refusals(v, sitters))


@cached_in_language
def _two_cards(seat: int, actions: tuple[int, ...], refused: Refusals) -> Step:
    """The same in every round: any two of the seat's cards, in either order."""
    paths: list[tuple[int, Path]] = []
    for action in actions:
        a, b = (cell_place(seat, cell) for cell in PAIRS[action - Act.OPEN_PAIR])
        paths += [(action, (a, b, "turn-two")), (action, (b, a, "turn-two"))]

    def ask(prefix: Path) -> Step:
        questions = _("Which two cards do you flip?"), _("And which other one?"), _("Flip these two?")
        help_text = _("Nobody sees them until everyone has chosen. The highest sum starts.")
        return Step(questions[len(prefix)], help_text, rule="opening", refusals=refused, picks="set")

    def dress(path: Path, bare: Choice) -> Choice:
        return bare._replace(button=_("Flip two cards"), primary=True) if path[-1] == "turn-two" else bare

    return steps_from_paths(paths, ask, dress)


def _turn_step(v: DetectPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    top = top_discard(v)
    paths: list[tuple[int, Path]] = [
        (action, ("draw",) if action == Act.DRAW else ("discard", cell_place(v.viewer, action - Act.TAKE)))
        for action in actions
    ]
    last = " " + _("It is your last turn.") if v.ender >= 0 else ""

    def ask(prefix: Path) -> Step:
        refused = refusals(v, sitters, prefix)
        if top is None:
            return Step(_("Draw a card."), _("The discard pile is empty.") + last, rule="draw", refusals=refused)
        if prefix:
            help_text = _("Touch a place in your grid. The card there goes on the discard pile.")
            return Step(_("Where does the {card} go?", card=digits(top)), help_text, rule="take", refusals=refused)
        help_text = _("Touch the discard pile to take its top card, or the draw pile to draw a new one.")
        return Step(_("Take the {card} or draw?", card=digits(top)), help_text + last, rule="turn", refusals=refused)

    def dress(path: Path, bare: Choice) -> Choice:
        if path == ("draw",):
            return bare._replace(button=_("Draw a card"))
        return _with_consequence(v, bare, top) if len(path) == 2 else bare

    return steps_from_paths(paths, ask, dress)


def _drawn_step(v: DetectPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    number = number_seen(v, HAND)
    drawn = digits(number)
    paths: list[tuple[int, Path]] = []
    for action in actions:
        kind, cell = Act.of(action)
        place = cell_place(v.viewer, cell)
        paths.append((action, (place,) if kind == Act.KEEP else ("discard", place)))

    def ask(prefix: Path) -> Step:
        refused = refusals(v, sitters, prefix)
        if prefix:
            goes = _("The {card} goes on the discard pile.", card=drawn)
            return Step(_("Which card do you flip?"), goes, rule="throw", refusals=refused)
        keep = _("Touch a place in your grid to keep it.")
        throw = _("Touch the discard pile to discard it and flip one of your cards.")
        return Step(_("Keep the {card} or discard it?", card=drawn), f"{keep} {throw}", rule="keep", refusals=refused)

    def dress(path: Path, bare: Choice) -> Choice:
        if path == ("discard",):
            return bare._replace(button=_("Discard the {card}", card=drawn), sign="swap")
        return _with_consequence(v, bare, number) if len(path) == 1 else bare

    return steps_from_paths(paths, ask, dress)


def _with_consequence(v: DetectPosition, bare: Choice, number: int | None) -> Choice:
    """The choice with what comes of laying this number where its action lays it."""
    if bare.action is None or number is None or not completes(v, v.viewer, Act.of(bare.action)[1], number):
        return bare
    return bare._replace(says=_("three {card}s", card=digits(number)))


def _set_step(v: DetectPosition, actions: Sequence[int], sitters: Sequence[Sitter]) -> Step:
    number = decided_about(v)
    help_text = _("Decide now: you’re asked again only if you complete this column once more.")
    away = Choice("remove", button=_("Remove them"), primary=number > 0, action=Act.REMOVE.value)
    leave = Choice("leave", button=_("Keep them"), primary=number <= 0, action=Act.LEAVE.value)
    question = _("Remove the three {card}s?", card=digits(number))
    return Step(question, help_text, (away, leave), "set", refusals(v, sitters))
