"""What a contest of the arena is: who plays what, in which seatings, and how long.

Every deal is played as often as there are different ways round the table to seat the bots, so that luck in the cards
and in the seat falls on all alike. In a game that is played together each name is a team: its bot sits on all seats,
or several do in turn (``master+greedy``). All teams play the same deals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

from facedown.bots import Bot
from facedown.core.game import Info
from facedown.core.game import game as load_game
from facedown.core.game import info as info_of
from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.simulate.entrants import LIMIT, BadEntrant, Maker
from facedown.simulate.seating import HERE, filled, places_of, seatings_of, try_out, wrong_place
from facedown.simulate.texts import _


class BadContest(ValueError):
    """A contest that cannot be held; the text says why in one line."""


@dataclass(frozen=True)
class Contest:
    """Who plays what, and how long."""

    game: str
    bots: tuple[str, ...]
    """The first is the one in question. Where they are fewer than the seats, the last one takes the rest."""
    seats: int = 0
    """0: as many as there are bots, or as the game needs."""
    options: Mapping[str, str] = field(default_factory=dict)
    rounds: int = 0
    """Stop a match after so many rounds (hands) and compare the points; 0: whole matches."""
    deals: int = 200
    """At most so many."""
    seed: str = "arena"
    stop: bool = True
    """Stop as soon as the result is significant."""
    claim: float | None = None
    """The share of first places in question; None: a fair one."""
    jobs: int = 1
    """Processes; on a cluster Ray knows itself how many there are."""
    makers: Mapping[str, Callable[[], Bot]] = field(default_factory=dict)
    """Bots of your own by name (picklable, for several jobs); other names are made by `simulate.entrants`."""
    folder: str = ""
    """Where the modules and programs of bots lie, beside those that are found anyway."""
    limit: float = LIMIT
    """Seconds that a program may take for a move."""
    on: str = HERE
    """Where the deals are played: `HERE`, or as tasks of `RAY`."""
    address: str | None = None
    """The address of a cluster of Ray that runs; None: one of this machine's own."""

    @cached_property
    def info(self) -> Info:
        """What is known of the game."""
        return info_of(self.game)

    @cached_property
    def places(self) -> int:
        """How many sit at the table."""
        return places_of(self.info, len(self.bots), self.seats)

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """The bots as the table names them: each once, or numbered when all are the same."""
        if len(set(self.bots)) == 1 and not self.info.together:
            return (f"{self.bots[0]} 1", f"{self.bots[0]} 2")
        return tuple(dict.fromkeys(self.bots))

    @cached_property
    def lineup(self) -> tuple[int, ...]:
        """The entrant at each seat before anybody moves round."""
        if len(set(self.bots)) == 1:
            return (0, *([1] * (self.places - 1)))
        return filled([self.entrants.index(name) for name in self.bots], self.places)

    @cached_property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Every way round the table in which a deal is played: the entrant at each seat."""
        if self.info.together:
            return tuple((team,) * self.places for team in range(len(self.entrants)))
        return seatings_of(self.lineup)

    @property
    def fair(self) -> float:
        """The share of first places that the first bot gets if it is as good as the others."""
        return self.lineup.count(0) / self.places

    @property
    def question(self) -> float:
        """The share that the contest is to decide about."""
        return self.fair if self.claim is None else self.claim

    def named(self, entrant: int) -> tuple[str, ...]:
        """The names of the bots that an entrant consists of (a team may have several)."""
        name = self.entrants[entrant]
        if self.info.together:
            return tuple(name.split("+"))
        return (name if name in self.bots else name.rsplit(" ", 1)[0],)

    def make(self, name: str) -> Bot:
        """The bot of a name: of `makers`, or what `simulate.entrants` makes of it."""
        if name in self.makers:
            return self.makers[name]()
        return Maker(name, self.folder, self.info.complete(self.places, self.options), self.limit)()

    def check(self) -> None:
        """Raise `BadContest`, `UnknownBot`, `UnknownGame` or `OptionError`, in one line, if it cannot be held."""
        if not self.bots:
            raise BadContest(_("name at least one bot"))
        if self.deals < 1:
            raise BadContest(_("{count} deals: at least one is needed", count=self.deals))
        if self.jobs < 1:
            raise BadContest(_("{count} jobs: at least one is needed", count=self.jobs))
        if not self.limit > 0:
            raise BadContest(_("a limit of {seconds:g} s: it lies above 0", seconds=self.limit))
        wrong = wrong_place(self.on, self.address)
        if wrong:
            raise BadContest(wrong)
        if self.rounds < 0:
            raise BadContest(_("{count} rounds: a match has at least one", count=self.rounds))
        if self.claim is not None and not 0.0 < self.claim < 1.0:
            raise BadContest(_("a claim of {value:g} %: it lies between 0 and 100", value=100 * self.claim))
        if self.info.together and (self.rounds or self.claim is not None):
            raise BadContest(
                _("{game} is won or lost together: it knows neither rounds nor claims", game=self.info.title)
            )
        if not self.info.together and len(self.bots) > self.places:
            raise BadContest(_("{bots} bots for {places} seats", bots=len(self.bots), places=self.places))
        match = self.match("check")
        for entrant in range(len(self.entrants)):
            for name in self.named(entrant):
                try:
                    try_out(name, partial(self.make, name), self.info, match)
                except BadEntrant as problem:
                    raise BadContest(str(problem)) from None

    def match(self, deal: str) -> Match:
        """A new match on a deal of this contest."""
        return Match(load_game(self.game), self.places, dict(self.options), seed_from_text(f"{self.seed} deal {deal}"))
