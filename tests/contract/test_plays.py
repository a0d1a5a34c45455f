"""The laws of the contract on matches that Hypothesis draws; and proof that it finds a late defect and shrinks it.

A choice is a number; it picks a seat and an action among those there are. Zero is the first of them: what does not
matter for a failure becomes zero, and what comes after it is cut off.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, find, given, settings

from facedown.check import laws
from facedown.check.driver import GAMES
from facedown.check.interference import interferences, viewers
from facedown.check.steps import in_a_step, of_a_choice
from facedown.core import slots
from facedown.core.game import game
from facedown.core.match import Match
from facedown.core.options import Option, OptionError
from facedown.core.state import SPECTATOR, copy
from facedown.games.detect.rules import HAND
from tests.conftest import TIMES

#: More than any game has legal actions for all seats together.
MOST_CHOICES = 4_095
PLIES = 160


@dataclass(frozen=True)
class Play:
    """A match to be played, as Hypothesis shows it."""

    game: str
    seats: int
    options: dict[str, str]
    seed: int
    choices: list[int]
    salt: int
    """For whatever else a law needs chance for."""

    def start(self) -> Match:
        """The match before its first move."""
        return Match(self.game, self.seats, self.options, self.seed.to_bytes(32, "little"))

    def moments(self) -> Iterator[Match]:
        """The match at each of its moments, the deal included; the same match, played on."""
        match = self.start()
        yield match
        for choice in self.choices:
            if match.over:
                return
            moves = [(seat, action) for seat in match.acting for action in match.legal(seat)]
            match.play(*moves[choice % len(moves)])
            yield match


@st.composite
def readings(draw: st.DrawFn, option: Option) -> str:
    """One of an option's readings, with its arguments."""
    value = draw(st.sampled_from(option.values))
    if not value.arguments:
        return value.word
    arguments = [draw(st.integers(a.low, a.high) | st.just(a.default)) for a in value.arguments]
    return f"{value.word}({','.join(map(str, arguments))})"


@st.composite
def plays(draw: st.DrawFn, name: str, plies: int = PLIES) -> Play:
    """Any match of a game: the least is the fewest seats, the default options, and no move."""
    info = game(name).info
    seats = draw(st.integers(*info.seats))
    given = draw(st.fixed_dictionaries({}, optional={option.name: readings(option) for option in info.options}))
    try:
        game(name).check_options(seats, given)
    except OptionError:
        given = {}
    seed = draw(st.integers(0, 2**32 - 1))
    length = draw(st.integers(0, plies))
    choices = draw(st.lists(st.integers(0, MOST_CHOICES), min_size=length, max_size=length))
    return Play(name, seats, given, seed, choices, draw(st.integers(0, 255)))


EVERYDAY = settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
THOROUGH = settings(EVERYDAY, max_examples=60 * TIMES)


def all_along(play: Play) -> None:
    """Hold a whole match to the laws: those of a moment and of a step at every ply."""
    for match in play.moments():
        broken = [*laws.conserved(match), *laws.legality(match), *laws.views(match)]
        assert not broken, "; ".join(broken)
        if not match.over:
            rnd = random.Random(f"{play.salt} {match.ply}")
            for found in (*in_a_step(match, rnd), *of_a_choice(match, rnd)):
                assert found.declared, f"a step tells a hidden card in {found}"


def at_rest(play: Play) -> None:
    """Hold the last moment of a match to non-interference: everything shown to one viewer."""
    before = match = play.start()
    state = copy(match.state)
    for match in play.moments():
        before, state = state, copy(match.state)
    watched = viewers(match)[play.salt % (match.seats + 1)]
    key = np.frombuffer(random.Random(play.salt).randbytes(32), np.uint32).copy()
    found = list(interferences(match, before, key, watched=[watched]))
    assert not found, f"not from the view: {'; '.join(found)}"


LAWS = {"all along": all_along, "at rest": at_rest}


@pytest.mark.parametrize(
    "length", [EVERYDAY, pytest.param(THOROUGH, marks=pytest.mark.slow)], ids=["soon", "at length"]
)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", GAMES)
def test_any_match_obeys_the_laws(name: str, law: str, length: settings) -> None:
    length(given(play=plays(name))(LAWS[law]))()


@settings(EVERYDAY, max_examples=200)
@given(data=st.data(), name=st.sampled_from(GAMES))
def test_what_cannot_be_played_is_refused_and_changes_nothing(data: st.DataObject, name: str) -> None:
    *_, match = data.draw(plays(name, 40)).moments()
    seat = data.draw(st.integers(-2, 9))
    action = data.draw(st.integers(-2, match.game.actions + 1))
    if seat in match.acting and action in match.legal(seat):
        return
    before = match.state.tobytes()
    with pytest.raises(ValueError, match=r"\S"):
        match.play(seat, action)
    assert match.state.tobytes() == before


# --- a defect far into a match is found, and shrinks ------------------------------------------------------------------

#: Hands with two passes, the shortest there are: fourteen bones of stage one, the passes, and both go on.
SHORTEST_HAND = 14 + 2 + 2
FIFTH = 5
SEARCH = settings(
    max_examples=3_000,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate, Phase.shrink],
)


def broken(play: Play) -> bool:
    return any(any(laws.conserved(match)) for match in play.moments())


@pytest.mark.slow
def test_a_defect_of_the_fifth_hand_shrinks_to_the_shortest_way_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bone is lost when the fifth hand of Reveille is dealt: met after some 140 moves, shown after 72 plain ones."""
    true = Match.play

    def losing(self: Match, seat: int, action: int) -> None:
        true(self, seat, action)
        if self.state.hand_number >= FIFTH:
            self.state.card[0] = self.state.card[1]

    monkeypatch.setattr(Match, "play", losing)
    least = find(plays("reveille"), broken, settings=SEARCH)
    assert len(least.choices) == (FIFTH - 1) * SHORTEST_HAND
    assert not any(least.choices), "what does not matter is the first choice there is"
    assert least.options == {}
    assert least.salt == least.seed == 0


def test_a_leak_shrinks_to_the_move_that_tells_it() -> None:
    """A view that shows the card drawn in Detect to all: the shortest match is the opening and one draw."""
    drawn = HAND

    def leaks(play: Play) -> bool:
        for match in play.moments():
            world = slots.redeal(match.known(SPECTATOR), np.arange(8, dtype=np.uint32))
            if world.card[drawn] != match.state.card[drawn]:
                return True
        return False

    least = find(plays("detect"), leaks, settings=SEARCH)
    assert len(least.choices) == least.seats + 1
    assert sum(choice != 0 for choice in least.choices) == 1, "the draw"
