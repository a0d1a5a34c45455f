"""Non-interference for every registered game, with all options at random; and proof that it would catch a leak."""

from __future__ import annotations

import random

import numpy as np
import pytest

from facedown.check.driver import FOR_RESEARCH, GAMES, random_match, situations
from facedown.check.interference import Extra, MakeView, as_sent, interferences, viewers
from facedown.core import slots
from facedown.core.state import SPECTATOR, State, View, copy
from tests.conftest import TIMES

#: Random situations a game, each looked at by a random seat or a spectator.
EVERYDAY = 150
THOROUGH = 450 * TIMES


def key_for(seed: int) -> np.ndarray:
    return np.frombuffer(random.Random(seed).randbytes(32), np.uint32).copy()


def check(name: str, seed: int, count: int, extra: Extra = as_sent, research: bool = False) -> None:
    print(f"seed {seed}")
    for number, situation in enumerate(situations(name, seed, count, research=research)):
        watched = [random.Random(number).choice(viewers(situation.match))]
        found = list(interferences(situation.match, situation.before, key_for(number), extra=extra, watched=watched))
        assert not found, f"{situation}: {'; '.join(found)}"


@pytest.mark.parametrize("name", GAMES)
def test_nothing_shown_depends_on_what_is_hidden(name: str) -> None:
    check(name, random.SystemRandom().randrange(10**9), EVERYDAY)


@pytest.mark.parametrize("name", FOR_RESEARCH)
def test_nothing_shown_of_small_variants_depends_on_what_is_hidden(name: str) -> None:
    check(name, random.SystemRandom().randrange(10**9), EVERYDAY, research=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_nothing_shown_depends_on_what_is_hidden_at_length(name: str) -> None:
    check(name, random.SystemRandom().randrange(10**9), THOROUGH)


def forgetful(slot: int) -> MakeView:
    """A planted leak: a `known_view` that forgets to blank one slot."""

    def known_view(state: State, viewer: int) -> View:
        view = slots.known_view(state, viewer)
        view.card[slot] = copy(state).card[slot]
        return view

    return known_view


@pytest.mark.parametrize("name", GAMES)
def test_a_planted_leak_of_one_slot_is_caught(name: str) -> None:
    """A `known_view` that forgets to blank one hidden slot: some other world has another card there."""
    rnd = random.Random(5)
    caught = 0
    for number in range(40):
        match = random_match(name, rnd)
        view = slots.known_view(match.state, 0)
        hidden = [i for i, kind in enumerate(view.card) if kind == slots.UNKNOWN]
        if not hidden:
            continue
        leaks = forgetful(rnd.choice(hidden))
        caught += any(interferences(match, match.state, key_for(number), known=leaks))
    assert caught > 0, "no leak was planted"
    assert caught >= 5


@pytest.mark.parametrize("name", GAMES)
def test_a_leak_to_the_spectator_alone_is_caught(name: str) -> None:
    rnd = random.Random(7)
    caught = 0
    for number in range(20):
        match = random_match(name, rnd)
        hidden = np.flatnonzero(slots.known_view(match.state, SPECTATOR).card == slots.UNKNOWN).tolist()
        if not hidden:
            continue
        leaks = forgetful(rnd.choice(hidden))

        def known_view(state: State, viewer: int, leaks: MakeView = leaks) -> View:
            return leaks(state, viewer) if viewer == SPECTATOR else slots.known_view(state, viewer)

        caught += any(interferences(match, match.state, key_for(number), known=known_view))
    assert caught >= 5


@pytest.mark.parametrize("name", GAMES)
def test_a_page_that_prints_hidden_card_ids_is_caught(name: str) -> None:
    rnd = random.Random(6)
    caught = 0
    for number in range(20):
        match = random_match(name, rnd)

        def leak(match, state, viewer):
            return {"page": " ".join(f"<i id=card-{kind}>" for kind in state.card).encode()}

        caught += any("page" in name for name in interferences(match, match.state, key_for(number), extra=leak))
    assert caught >= 5
