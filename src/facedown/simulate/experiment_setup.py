"""What an experiment is: everything that decides its result, and nothing else.

An experiment plays deals number 0 and on of a seed. Each deal is played in every way round the table to seat the bots,
and each of these several times where it is to be `repeats`; under two rule sets if there are two. A *chunk* is a run of
deals that is played, kept and summed in one piece. Where it is played, and in what order, changes no figure.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

import facedown
from facedown.bots.simple_bots import ANYTHING, ANYTHING_TOGETHER
from facedown.core.match import Match
from facedown.core.random_numbers import key_of
from facedown.core.seeds import seed_from_text
from facedown.simulate.bot_matches import ALWAYS_RANDOM
from facedown.simulate.deal_series import Series
from facedown.simulate.i18n import _
from facedown.simulate.random_playouts import KEY_WORDS, match_key

#: The matches of a chunk: of single rounds between compiled bots, of whole matches, and between other bots.
ROUNDS_A_CHUNK, MATCHES_A_CHUNK, SLOW_A_CHUNK = 20_000, 2_000, 20
#: A deal's number is one word of a generator's block.
MOST_DEALS = 1 << 32
#: The names of the two rule sets.
SIDES = ("a", "b")
#: The form of manifests and parts.
FORMAT_VERSION = 1


class BadExperiment(ValueError):
    """An experiment that cannot be run; the text says why in one line."""


@dataclass(frozen=True)
class Setup(Series):
    """Who plays what, under which rules, and how often."""

    other: Mapping[str, str] | None = None
    """The options of the second rule set, if there are two."""
    repeats: int = 1
    """How often each deal is played in each seating, with other choices of the bots."""
    size: int = 0
    """Deals in a chunk; 0: as many as fit the work."""

    error: ClassVar[type[ValueError]] = BadExperiment

    @property
    def games_per_deal(self) -> int:
        """How many matches are played on a deal, under each rule set."""
        return len(self.seatings) * self.repeats

    @cached_property
    def rule_sets(self) -> tuple[dict[str, str], ...]:
        """The complete options of each rule set; `OptionError` for what the game does not have."""
        given = [self.options] if self.other is None else [self.options, self.other]
        return tuple(self.module.check_options(self.places, dict(options)) for options in given)

    @property
    def named_options(self) -> tuple[str, ...]:
        """The options that are in question: those that differ between two rule sets, or those that were given."""
        if self.other is None:
            return tuple(self.options)
        a, b = self.rule_sets
        return tuple(name for name in a if a[name] != b[name])

    def seat_bots(self, seating: int) -> tuple[str, ...]:
        """The name of the bot at each seat."""
        names = [self.entrants[entrant] for entrant in self.seatings[seating]]
        if not self.info.together:
            return tuple(names)
        team = self.players(self.seatings[seating][0])
        return tuple(team[seat % len(team)] for seat in range(self.places))

    def random_percent(self, name: str) -> int | None:
        """How many moves of a hundred a compiled bot makes by chance; None for a bot that is not compiled."""
        if name in self.makers:
            return None
        beginner = ANYTHING_TOGETHER if self.info.together else ANYTHING
        found = {"random": ALWAYS_RANDOM, "greedy": 0, "casual": 0, "beginner": beginner}.get(name)
        return found if name == "random" or self.module.policy is not None else None

    @cached_property
    def compiled(self) -> bool:
        """Can all bots be played in one compiled loop?"""
        return all(self.random_percent(name) is not None for name in self.names)

    # --- deals and chunks -------------------------------------------------------------------------------------------

    @cached_property
    def master_key(self) -> NDArray[np.uint32]:
        """The key of all deals."""
        return key_of(seed_from_text(self.seed))

    def match(self, deal: int, side: int = 0) -> Match:
        """A deal's match as it begins under a rule set, to be played move by move."""
        key = np.empty(KEY_WORDS, np.uint32)
        match_key(self.master_key, deal, 0, key, np.empty(1, np.uint64))
        return Match(self.module, self.places, self.rule_sets[side], key.astype("<u4").tobytes())

    @cached_property
    def chunk_size(self) -> int:
        """How many deals a chunk has; the last one may have fewer."""
        if self.size:
            return self.size
        matches = (ROUNDS_A_CHUNK if self.rounds else MATCHES_A_CHUNK) if self.compiled else SLOW_A_CHUNK
        return max(1, matches // (self.games_per_deal * len(self.rule_sets)))

    @property
    def chunks(self) -> int:
        """How many chunks there are."""
        return -(-self.deals // self.chunk_size)

    def deals_of(self, chunk: int) -> range:
        """The numbers of a chunk's deals."""
        first = chunk * self.chunk_size
        return range(first, min(self.deals, first + self.chunk_size))

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """Everything that decides the result, as JSON has it."""
        return {
            "form": FORMAT_VERSION,
            "package": facedown.__version__,
            "game": self.game,
            "version": self.info.version,
            "bots": list(self.bots),
            "seats": self.places,
            "options": list(self.rule_sets),
            "rounds": self.rounds,
            "deals": self.deals,
            "repeats": self.repeats,
            "seed": self.seed,
            "chunk": self.chunk_size,
        }

    @cached_property
    def manifest_line(self) -> str:
        """The manifest in one line: parts carry it, so that none is taken for one of another experiment."""
        return json.dumps(self.manifest, sort_keys=True, ensure_ascii=False)

    # --- what can be run --------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise `BadExperiment`, `UnknownGame`, `UnknownBot` or `OptionError`, in one line, if it cannot be run."""
        self.check_numbers()
        self.refuse_if(self.repeats < 1, _("{count} repeats: a deal is played at least once", count=self.repeats))
        self.refuse_if(self.size < 0, _("a chunk of {count} deals: it has at least one", count=self.size))
        self.refuse_if(self.deals > MOST_DEALS, _("{count} deals: there are {most}", count=self.deals, most=MOST_DEALS))
        no_rounds = _("{game} is not played in rounds: leave them out", game=self.info.title)
        self.refuse_if(bool(self.rounds) and self.module.rules.pause < 0, no_rounds)
        # The options are looked at before anything is said of them.
        match = self.match(0)
        same = _("A and B are the same rules: there is nothing to compare")
        self.refuse_if(self.other is not None and not self.named_options, same)
        self.try_out([name for name in self.names if self.random_percent(name) is None], match)
