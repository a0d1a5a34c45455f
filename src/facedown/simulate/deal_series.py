"""Series of deals between bots: the common base of contests (`simulate.contest`) and experiments (`experiment_setup`).

Each deal is played in every seating, that is, every distinct rotation of the bots around the table. So luck in the
cards and the advantages of certain seats affect all bots alike.

In a cooperative game each entrant is a team: one bot plays all seats, or several bots alternate over the seats
(``master+greedy``). All teams play the same deals.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, ClassVar

from facedown.bots import Bot
from facedown.core.game_registry import GameModule, Info
from facedown.core.game_registry import game as load_game
from facedown.core.game_registry import info as info_of
from facedown.core.match import Match
from facedown.simulate.bot_loader import (
    BUDGET_BOTS,
    LIMIT,
    BadEntrant,
    BotFailed,
    choose_legal_action,
    close_bot,
    make_bot,
)
from facedown.simulate.i18n import _

#: Backends that play deals: processes of this machine, or a Ray cluster.
HERE, RAY = "here", "ray"


@dataclass(frozen=True)
class Series:
    """Settings of a series of deals: game, bots, rules, and number of deals."""

    game: str
    bots: tuple[str, ...]
    """Name of the bot at each seat; if there are fewer names than seats, the last bot plays the remaining seats. In a
    cooperative game each name is a team (``a+b``: bots a and b alternate over the seats)."""
    seats: int = 0
    """Number of seats; 0: one per bot, but at least the smallest number that the game allows. In a cooperative game, 0
    stands for that smallest number."""
    options: Mapping[str, str] = field(default_factory=dict)
    rounds: int = 0
    """Stop each match after this many rounds (hands); 0: play whole matches."""
    deals: int = 1000
    seed: str = "experiment"
    makers: Mapping[str, Callable[[], Bot]] = field(default_factory=dict, compare=False)
    """Functions that create user-defined bots, by name of the bot. If several processes play, the functions must be
    picklable. All other names are made into bots by `simulate.bot_loader`."""
    folder: str = ""
    """Additional folder in which modules and programs of bots are searched for."""
    limit: float = LIMIT
    """Seconds that an external program may take for a move."""

    #: Exception class that the checks raise; set by subclasses. Its text gives the reason in one line.
    error: ClassVar[type[ValueError]] = ValueError

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields to pickle. Cached properties are left out, because they can be computed again."""
        return {name: self.__dict__[name] for name in (each.name for each in fields(self))}

    @cached_property
    def info(self) -> Info:
        """The game's description (`core.game_registry.Info`): title, seats and options."""
        return info_of(self.game)

    @cached_property
    def module(self) -> GameModule:
        """The loaded game: its rules, its texts and the code of its bots, for every number of seats and all options.

        Raise `UnknownGame` if there is no such game.
        """
        return load_game(self.game)

    @cached_property
    def seat_count(self) -> int:
        """Number of seats at the table: `seats`, or a default number if `seats` is 0.

        The default number is the number of bots, but at least the smallest number of seats that the game allows. In a
        cooperative game, the default is that smallest number, because each name in `bots` is a team.
        """
        low, _high = self.info.seats
        return self.seats or (low if self.info.together else max(low, len(self.bots)))

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """The distinct bot names, in order of first appearance; in a cooperative game, the distinct teams."""
        return tuple(dict.fromkeys(self.bots))

    @cached_property
    def lineup(self) -> tuple[int, ...]:
        """First arrangement of the bots at the table: for each seat, the index of its bot or team in `entrants`.

        If fewer bots (or teams) than seats are named, the last of them also plays the remaining seats.
        """
        named = [self.entrants.index(name) for name in self.bots]
        return (*named, *[named[-1]] * (self.seat_count - len(named)))

    @cached_property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """All seatings (arrangements of the bots at the table) in which each deal is played.

        A seating is a tuple with the index of the entrant (bot or team) at each seat.
        """
        if self.info.together:
            return tuple((team,) * self.seat_count for team in range(len(self.entrants)))
        turned = (self.lineup[-turn:] + self.lineup[:-turn] for turn in range(self.seat_count))
        return tuple(dict.fromkeys(turned))

    @cached_property
    def rule_sets(self) -> tuple[dict[str, str], ...]:
        """The rule sets to play. Each one is a dictionary: name of an option → value, for every option of the game.

        Here there is only one rule set; a subclass may have more. Raise `OptionError` for an option or value that the
        game does not have.
        """
        return (self.module.check_options(self.seat_count, dict(self.options)),)

    def players(self, entrant: int) -> tuple[str, ...]:
        """Return the names of the bots that play for the entrant with this index. There are several only for a team."""
        name = self.entrants[entrant]
        return tuple(name.split("+")) if self.info.together else (name,)

    @property
    def bot_names(self) -> list[str]:
        """The names of all bots in the order of `entrants`. An entrant is a bot or, in a cooperative game, a team.

        A team is replaced by the names of its bots. A bot that plays for several teams appears several times.
        """
        return [name for entrant in range(len(self.entrants)) for name in self.players(entrant)]

    def make_bot(self, name: str, side: int = 0) -> Bot:
        """Return a new bot for a name: from the function in `makers`, or else from `simulate.bot_loader`.

        `side` is the index of the rule set whose options are sent to the bot, if it is an external program.
        """
        if name in self.makers:
            return self.makers[name]()
        return make_bot(name, self.folder, self.rule_sets[side], self.limit)

    # --- checks -----------------------------------------------------------------------------------------------------

    def raise_error_if(self, wrong: bool, text: str) -> None:
        """If `wrong` is true, raise `self.error` (an exception class) with a text."""
        if wrong:
            raise self.error(text)

    def check_bot_count_and_numbers(self) -> None:
        """Raise `self.error` (an exception class) if the number of bots, deals, rounds or seats, or the time limit, is
        invalid.
        """
        self.raise_error_if(not self.bots or not all(self.bots), _("expected at least one bot"))
        self.raise_error_if(self.deals < 1, _("the number of deals must be at least 1, not {count}", count=self.deals))
        self.raise_error_if(
            not self.limit > 0, _("the time limit must be above 0 s, not {seconds:g} s", seconds=self.limit)
        )
        self.raise_error_if(
            self.rounds < 0, _("the number of rounds must be 0 or more, not {count}", count=self.rounds)
        )
        self.info.check_seats(self.seat_count)
        many = _("too many bots: {bots} for {places} seats", bots=len(self.bots), places=self.seat_count)
        self.raise_error_if(not self.info.together and len(self.bots) > self.seat_count, many)

    def check_backend(self, on: str, address: str | None) -> None:
        """Raise `self.error` (an exception class) if the choice of the backend, which plays the deals, is invalid.

        * `on`: name of the backend: "here" (this machine, without Ray) or "ray" (Ray). Any other name is invalid.
        * `address`: address of a running Ray cluster; None: Ray is started on this machine. With "here", any address is
          invalid.
        """
        self.raise_error_if(
            on not in (HERE, RAY), _("--on {place}: must be one of {places}", place=on, places=f"{HERE}, {RAY}")
        )
        self.raise_error_if(on == HERE and address is not None, _("a Ray address requires --on ray"))

    def try_out_bots(self, names: Iterable[str], match: Match) -> None:
        """Let each named bot choose the first move of `match`. Raise `self.error` (an exception class) if one fails."""
        info = self.info
        for name in names:
            counts = "@" in name and name.partition("@")[0] in BUDGET_BOTS
            counted = _("{name}: a number of simulations cannot be given for {game} bots", name=name, game=info.title)
            self.raise_error_if(info.together and counts, counted)
            try:
                player = self.make_bot(name)
            except BadEntrant as problem:
                raise self.error(str(problem)) from None
            try:
                choose_legal_action(player, match, match.acting[0], 0)
            except BotFailed as problem:
                wrong = _("{name} cannot play {game}: {problem}", name=name, game=info.title, problem=problem)
                raise self.error(wrong) from None
            finally:
                close_bot(player)


# --- matches, move by move --------------------------------------------------------------------------------------------


def bot_choice_seed(*numbers: object) -> int:
    """Return the random seed for one choice of a bot: a hash of `numbers`.

    `numbers` are, in this order:

    * the seed of the series;
    * the number of the deal;
    * the number of the match among the matches on that deal;
    * the number of moves played before.
    """
    text = " ".join(map(str, numbers))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "little")


def play_moves(
    match: Match, choose: Callable[[int], int], rounds: int = 0, end: float = math.inf
) -> Iterator[tuple[int, int | None]]:
    """Play a match move by move and yield what happens.

    The yielded pairs are:

    * (seat, action): before each move.
    * (seat, None): at the end of a round, if another round follows. `seat` is the first seat that must confirm that the
      next round may begin. In a game without such confirmations, this pair is never yielded.
    * (−1, None): at the end of the match. This pair is not yielded if playing stops earlier because of `rounds` or
      `end`.

    The parameters are:

    * `choose`: function that gets a seat with several legal actions and returns the action to play. It is not called
      for a seat with a single legal action; this action is played at once.
    * `rounds`: number of rounds after which playing stops; 0: play the whole match.
    * `end`: time of `time.perf_counter` after which no further move is played.
    """
    pause, done, pausing = match.game.rules.pause, 0, False
    while not match.over and time.perf_counter() < end:
        seat = match.acting[0]
        legal = match.legal(seat)
        action = legal[0] if len(legal) == 1 else choose(seat)
        if action == pause and not pausing:
            done += 1
            yield seat, None
            if done == rounds:
                return
        pausing = action == pause
        yield seat, action
        match.play(seat, action)
    if match.over:
        yield -1, None
