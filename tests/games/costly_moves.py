"""Questions before costly moves, for tests that compute from the rules when a game must ask them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from facedown.check.random_matches import SITTERS
from facedown.core import hidden_cards
from facedown.core.match import Match
from facedown.core.random_numbers import key_of
from facedown.core.rule_dispatch import apply
from facedown.core.state import State, copy
from facedown.core.table import TouchStep, has_confirmation, touch_sequences
from facedown.core.translation import use_language

#: The question of a prompt: its text, its help text, and the text of the button.
Question = tuple[str, str, str]


def random_positions(match: Match, rnd: random.Random, plies: int) -> Iterator[int]:
    """Play random moves in a match, at most `plies`. Yield the seat that moves next in each position."""
    for _ in range(plies):
        if match.over:
            return
        seat = rnd.choice(match.acting)
        yield seat
        match.play(seat, rnd.choice(match.legal(seat)))


def state_after(state: State, seat: int, action: int) -> State:
    """Return the state after an action."""
    after = copy(state)
    apply(after, seat, action)
    return after


def questions_in(step: TouchStep) -> dict[int, Question]:
    """Return the question before each action that is not made at once.

    An action is asked about on all ways through the prompt or on none, always with the same question.
    """
    found: dict[int, set[Question | None]] = {}
    for touched in touch_sequences(step):
        asks = touched[-2].then if len(touched) > 1 and has_confirmation(touched[-2]) else None
        question = (asks.prompt, asks.help, touched[-1].button) if asks else None
        assert touched[-1].action is not None
        found.setdefault(touched[-1].action, set()).add(question)
    assert all(len(asked) == 1 for asked in found.values())
    return {action: question for action, asked in found.items() for question in asked if question}


def questions_at(match: Match, seat: int, rnd: random.Random) -> dict[int, Question]:
    """Return the questions at the table of a seat, with the checks that hold for every game.

    They have a prompt, a help text and a button in every language, and are the same whatever the hidden cards are.
    """
    sitters = SITTERS[: match.seats]
    step = match.table(seat, sitters).step
    found = questions_in(step)
    if not found:
        return found
    with use_language("de"):
        german = questions_in(match.table(seat, sitters).step)
    assert german.keys() == found.keys()
    for action, english in found.items():
        for text, translated in zip(english, german[action], strict=True):
            assert text
            assert text != translated, text
        for asked, costs, _button in (english, german[action]):
            assert asked.endswith("?")
            assert costs.endswith(".")
    world = hidden_cards.redeal(hidden_cards.known_view(match.state, seat), key_of(rnd.randbytes(32)))
    assert match.game.tables.table(hidden_cards.shown_view(world, seat), sitters).step == step
    return found
