"""What a contest of the arena is: a series of deals, the share that it is to decide about, and when it stops."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from facedown.core.match import Match
from facedown.core.seeds import seed_from_text
from facedown.simulate.series import HERE, Series, wrong_place
from facedown.simulate.texts import _


class BadContest(ValueError):
    """A contest that cannot be held; the text says why in one line."""


@dataclass(frozen=True)
class Contest(Series):
    """Who plays what, and how long. The first bot is the one in question."""

    deals: int = 200
    """At most so many."""
    seed: str = "arena"
    stop: bool = True
    """Stop as soon as the result is significant."""
    claim: float | None = None
    """The share of first places in question; None: a fair one."""
    jobs: int = 1
    """Processes; on a cluster Ray knows itself how many there are."""
    on: str = HERE
    """Where the deals are played: `HERE`, or as tasks of `RAY`."""
    address: str | None = None
    """The address of a cluster of Ray that runs; None: one of this machine's own."""

    error: ClassVar[type[ValueError]] = BadContest

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """The bots as the table names them: each once, or numbered when all are the same."""
        if self._alike:
            return (f"{self.bots[0]} 1", f"{self.bots[0]} 2")
        return tuple(dict.fromkeys(self.bots))

    @property
    def _alike(self) -> bool:
        """Is there only one bot, which plays against itself?"""
        return len(set(self.bots)) == 1 and not self.info.together

    @cached_property
    def lineup(self) -> tuple[int, ...]:
        """The entrant at each seat before anybody moves round."""
        return (0, *([1] * (self.places - 1))) if self._alike else super().lineup

    @property
    def fair(self) -> float:
        """The share of first places that the first bot gets if it is as good as the others."""
        return self.lineup.count(0) / self.places

    @property
    def question(self) -> float:
        """The share that the contest is to decide about."""
        return self.fair if self.claim is None else self.claim

    def players(self, entrant: int) -> tuple[str, ...]:
        """The names of the bots that an entrant consists of (a team may have several)."""
        return (self.bots[0],) if self._alike else super().players(entrant)

    def check(self) -> None:
        """Raise `BadContest`, `UnknownBot`, `UnknownGame` or `OptionError`, in one line, if it cannot be held."""
        self.check_numbers()
        self.refuse_if(self.jobs < 1, _("{count} jobs: at least one is needed", count=self.jobs))
        wrong = wrong_place(self.on, self.address)
        self.refuse_if(bool(wrong), wrong)
        if self.claim is not None and not 0.0 < self.claim < 1.0:
            raise BadContest(_("a claim of {value:g} %: it lies between 0 and 100", value=100 * self.claim))
        together = _("{game} is won or lost together: it knows neither rounds nor claims", game=self.info.title)
        self.refuse_if(self.info.together and bool(self.rounds or self.claim is not None), together)
        match = self.match("check")
        for entrant in range(len(self.entrants)):
            for name in self.players(entrant):
                self.try_out(name, match)

    def match(self, deal: str) -> Match:
        """A new match on a deal of this contest."""
        return Match(self.module, self.places, dict(self.options), seed_from_text(f"{self.seed} deal {deal}"))
