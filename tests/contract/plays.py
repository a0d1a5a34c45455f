"""Matches that Hypothesis draws: seats, options, seed and choices, so that a failure late in a match shrinks.

A choice is a number; it picks a seat and an action among those there are. Zero is the first of them: what does not
matter for a failure becomes zero, and what comes after it is cut off.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import hypothesis.strategies as st

from facedown.core.game import game
from facedown.core.match import Match
from facedown.core.options import Option, OptionError

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
