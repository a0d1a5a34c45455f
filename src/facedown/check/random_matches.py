"""Random matches of any registered game, which the checks examine."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from facedown.core.game_registry import catalogue, game
from facedown.core.match import Match
from facedown.core.options import Option, OptionError
from facedown.core.state import State, copy
from facedown.core.table import Sitter

#: Names of all registered games.
GAMES = tuple(catalogue())
#: Names of the players, by seat.
NAMES = ("Ilse", "Ravi", "Juniper", "Mara", "Theo", "Noor", "Sol", "Wren")
SITTERS = tuple(Sitter(name, bot=name == "Juniper") for name in NAMES)


def random_value(option: Option, rnd: random.Random) -> str:
    """Return a random value of an option as text, with random numbers for its arguments, such as "hands(5)"."""
    value = rnd.choice(option.values)
    return value.notation_with([rnd.choice((a.default, rnd.randint(a.low, a.high))) for a in value.arguments])


#: Names of the games that have research options.
GAMES_WITH_RESEARCH_OPTIONS = tuple(
    name for name in GAMES if any(option.for_research for option in catalogue()[name].options.options)
)


def random_non_default_value(option: Option, rnd: random.Random) -> str:
    """Return a random value of an option as text, such as "hands(5)", other than the option's default."""
    while option.normalize(value := random_value(option, rnd)) == option.normalize(option.default_text):
        pass
    return value


def match_with_random_options(name: str, rnd: random.Random, research: bool = False) -> Match:
    """Return a match with random options, before its first move.

    If `research` is true, all options that are only for experiments (`Option.for_research`) are set too, each to a
    value other than its default.
    """
    info = game(name).info
    while True:
        seats = rnd.randint(*info.seats)
        options = {o.name: random_value(o, rnd) for o in info.options if rnd.random() < 0.5}
        try:
            if research:
                options |= {o.name: random_non_default_value(o, rnd) for o in info.options.options if o.for_research}
            return Match(name, seats, options, seed=rnd.randbytes(32))
        except OptionError:
            continue


def play_randomly(match: Match, rnd: random.Random, plies: int) -> None:
    """Play random legal actions in a match, at most `plies`, or until the match is over."""
    for _ in range(plies):
        if match.over:
            return
        seat = rnd.choice(match.acting)
        match.play(seat, rnd.choice(match.legal(seat)))


def iterate_random_play(match: Match, rnd: random.Random, plies: int) -> Iterator[int]:
    """Play random moves in a match. In each position, yield the number of moves that have been played so far.

    The first number is 0, for the current position; moves from before the call are not counted. Stop after `plies`
    positions, or after the position in which the match is over.
    """
    for moment in range(plies):
        yield moment
        if match.over:
            return
        play_randomly(match, rnd, 1)


@dataclass(frozen=True)
class Situation:
    """A random position of a random match, and the state before the last move."""

    match: Match
    before: State
    seed: int

    def __str__(self) -> str:
        return f"{self.match.game.name}, seed {self.seed}, options {self.match.options}, ply {self.match.ply}"


def random_situations(name: str, seed: int, count: int, research: bool = False) -> Iterator[Situation]:
    """Yield `count` random positions of a game, from all phases of many random matches (`match_with_random_options`).

    The match of a `Situation` changes when the next `Situation` is generated. If `research` is true, all options
    that are only for experiments (`Option.for_research`) have values other than their defaults.
    """
    rnd = random.Random(f"{name} {seed}")
    found = 0
    while found < count:
        match = match_with_random_options(name, rnd, research)
        while found < count:
            play_randomly(match, rnd, rnd.randint(0, 12))
            if match.over:
                break
            before = copy(match.state)
            play_randomly(match, rnd, 1)
            yield Situation(match, before, seed)
            found += 1
            if rnd.random() < 0.02:
                break
