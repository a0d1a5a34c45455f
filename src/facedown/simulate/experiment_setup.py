"""Setup of an experiment: all settings that determine its result, and no others.

The seed determines a series of deals, numbered from 0. An experiment plays the first deals of this series. Each deal is
played under one or two rule sets, in every seating (rotation of the bots around the table), and `repeats` times in each
seating.

A *chunk* is a range of consecutive deals that is played, saved and summed as one unit. The result depends neither on
the machine nor on the order in which chunks are played.
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
from facedown.bots.simple_bots import ANYTHING_TOGETHER, RANDOM_PERCENT
from facedown.core.match import Match
from facedown.core.random_numbers import key_of
from facedown.core.seeds import seed_from_text
from facedown.simulate.bot_matches import ALWAYS_RANDOM
from facedown.simulate.deal_series import Series
from facedown.simulate.i18n import _
from facedown.simulate.random_playouts import KEY_WORDS, write_key_and_seed_generator

#: Target numbers of matches (not of rounds) in a chunk, the unit in which deals are played and saved:
#:
#: * `ROUNDS_A_CHUNK`: if all bots are compiled and each match stops after a set number of rounds.
#: * `MATCHES_A_CHUNK`: if all bots are compiled and play whole matches.
#: * `SLOW_A_CHUNK`: if any bot is not compiled.
ROUNDS_A_CHUNK, MATCHES_A_CHUNK, SLOW_A_CHUNK = 20_000, 2_000, 20
#: Largest number of deals. The random generator takes the number of a deal as one 32-bit word.
MOST_DEALS = 1 << 32
#: Names of the two rule sets.
SIDES = ("a", "b")
#: Version of the format of an experiment's files: the manifest with its settings, and one file per chunk.
FORMAT_VERSION = 1


class BadExperiment(ValueError):
    """Error: an experiment cannot be run. The text gives the reason in one line."""


@dataclass(frozen=True)
class Setup(Series):
    """Settings of an experiment: game, bots, rules, and number of deals."""

    other: Mapping[str, str] | None = None
    """Options of the second rule set; None if there is only one rule set."""
    repeats: int = 1
    """Number of times that each deal is played in each seating, with different random choices of the bots."""
    size: int = 0
    """Number of deals per chunk; 0: chosen by the type of the bots and the length of the matches."""

    error: ClassVar[type[ValueError]] = BadExperiment

    @property
    def matches_per_deal(self) -> int:
        """Number of matches played on each deal under each rule set."""
        return len(self.seatings) * self.repeats

    @cached_property
    def rule_sets(self) -> tuple[dict[str, str], ...]:
        """The rule sets to play, each as the complete options by name.

        Raise `OptionError` for an option or value that the game does not have.
        """
        given = [self.options] if self.other is None else [self.options, self.other]
        return tuple(self.module.check_options(self.seat_count, dict(options)) for options in given)

    @property
    def studied_option_names(self) -> tuple[str, ...]:
        """Names of the options under study: the options in which the two rule sets differ.

        If there is only one rule set: the options that the caller has set.
        """
        if self.other is None:
            return tuple(self.options)
        a, b = self.rule_sets
        return tuple(name for name in a if a[name] != b[name])

    def bot_names_by_seat(self, seating: int) -> tuple[str, ...]:
        """Return the name of the bot at each seat in the seating (rotation of the bots) with this index."""
        names = [self.entrants[entrant] for entrant in self.seatings[seating]]
        if not self.info.together:
            return tuple(names)
        team = self.players(self.seatings[seating][0])
        return tuple(team[seat % len(team)] for seat in range(self.seat_count))

    def random_move_percent(self, name: str) -> int | None:
        """Return the percentage of moves that the bot called `name` plays at random; None if it is not a compiled bot.

        A compiled bot can play in the compiled loop of `bot_matches`. The compiled bots are these levels: "random" (100
        per cent), "beginner" (`RANDOM_PERCENT`; in cooperative games `ANYTHING_TOGETHER`), "greedy" and "casual" (0 per
        cent). If the game has no greedy policy, only "random" is a compiled bot. A user-defined bot (`makers`) is never
        a compiled bot.
        """
        if name in self.makers:
            return None
        beginner = ANYTHING_TOGETHER if self.info.together else RANDOM_PERCENT
        found = {"random": ALWAYS_RANDOM, "greedy": 0, "casual": 0, "beginner": beginner}.get(name)
        return found if name == "random" or self.module.policy is not None else None

    @cached_property
    def can_play_compiled(self) -> bool:
        """Whether every bot is greedy, random or a mixture of both, so that one compiled loop can play all matches."""
        return all(self.random_move_percent(name) is not None for name in self.bot_names)

    # --- deals and chunks -------------------------------------------------------------------------------------------

    @cached_property
    def master_key(self) -> NDArray[np.uint32]:
        """Key from which the random keys of all deals are derived: eight 32-bit words."""
        return key_of(seed_from_text(self.seed))

    def new_match(self, deal: int, side: int = 0) -> Match:
        """Return a new match, before its first move, with the cards of deal number `deal` (from 0).

        `side` says which of the experiment's rule sets the match uses: 0 for the first (A), 1 for the second (B).
        """
        key = np.empty(KEY_WORDS, np.uint32)
        write_key_and_seed_generator(self.master_key, deal, 0, key, np.empty(1, np.uint64))
        return Match(self.module, self.seat_count, self.rule_sets[side], key.astype("<u4").tobytes())

    @cached_property
    def chunk_size(self) -> int:
        """Number of deals per chunk (unit in which deals are played and saved); the last chunk may have fewer."""
        if self.size:
            return self.size
        matches = (ROUNDS_A_CHUNK if self.rounds else MATCHES_A_CHUNK) if self.can_play_compiled else SLOW_A_CHUNK
        return max(1, matches // (self.matches_per_deal * len(self.rule_sets)))

    @property
    def chunk_count(self) -> int:
        """Number of chunks (ranges of deals that are played and saved as one unit) in the whole experiment."""
        return -(-self.deals // self.chunk_size)

    def deals_of(self, chunk: int) -> range:
        """Return the numbers of the deals that belong to chunk `chunk`. A chunk is a range of deals."""
        first = chunk * self.chunk_size
        return range(first, min(self.deals, first + self.chunk_size))

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """All settings that determine the result, as values that can be written as JSON."""
        return {
            "form": FORMAT_VERSION,
            "package": facedown.__version__,
            "game": self.game,
            "version": self.info.version,
            "bots": list(self.bots),
            "seats": self.seat_count,
            "options": list(self.rule_sets),
            "rounds": self.rounds,
            "deals": self.deals,
            "repeats": self.repeats,
            "seed": self.seed,
            "chunk": self.chunk_size,
        }

    @cached_property
    def manifest_line(self) -> str:
        """The settings in `manifest` as one line of JSON, with sorted keys.

        The line is stored in the file of every chunk (range of deals), so that files of different experiments cannot be
        mixed up.
        """
        return json.dumps(self.manifest, sort_keys=True, ensure_ascii=False)

    # --- checks -----------------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Raise `BadExperiment`, `UnknownGame`, `UnknownBot` or `OptionError`, with a one-line text, if the experiment
        cannot be run.
        """
        self.check_bot_count_and_numbers()
        self.raise_error_if(
            self.repeats < 1, _("the number of repeats must be at least 1, not {count}", count=self.repeats)
        )
        self.raise_error_if(
            self.size < 0, _("the number of deals per chunk must be 0 or more, not {count}", count=self.size)
        )
        self.raise_error_if(
            self.deals > MOST_DEALS,
            _("the number of deals must be at most {most}, not {count}", count=self.deals, most=MOST_DEALS),
        )
        no_rounds = _("{game} is not played in rounds; leave out --rounds", game=self.info.title)
        self.raise_error_if(bool(self.rounds) and self.module.rules.pause < 0, no_rounds)
        # Creating a match checks that the options are valid. Only then can the options of the two rule sets be
        # compared.
        match = self.new_match(0)
        same = _("A and B have the same rules; there is nothing to compare")
        self.raise_error_if(self.other is not None and not self.studied_option_names, same)
        self.try_out_bots([name for name in self.bot_names if self.random_move_percent(name) is None], match)
