"""Series of deals between bots, shared by contests (`simulate.contest`) and experiments (`experiment_setup`).

Every deal is played in every way round the table to seat the bots, so that luck in the cards and in the seat falls on
all alike. In a game that is played together each name is a team: its bot sits on all seats, or several do in turn
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
from facedown.simulate.bot_loader import BUDGET_BOTS, LIMIT, BadEntrant, BotFailed, choose_legal_action, close, make_bot
from facedown.simulate.i18n import _

#: Where deals are played: on this machine, by processes of this program; on a cluster.
HERE, RAY = "here", "ray"


@dataclass(frozen=True)
class Series:
    """Who plays what, and how long."""

    game: str
    bots: tuple[str, ...]
    """The bot at each seat; if they are fewer than the seats, the last one takes the rest. In a game that is played
    together each is a team (``a+b``: its bots sit in turn)."""
    seats: int = 0
    """0: as many as there are bots, or as the game needs."""
    options: Mapping[str, str] = field(default_factory=dict)
    rounds: int = 0
    """Stop a match after this many rounds (hands); 0: whole matches."""
    deals: int = 1000
    seed: str = "experiment"
    makers: Mapping[str, Callable[[], Bot]] = field(default_factory=dict, compare=False)
    """Bots of your own by name (picklable, for several processes); `simulate.bot_loader` makes those of other names."""
    folder: str = ""
    """An extra folder for the modules and programs of bots."""
    limit: float = LIMIT
    """Seconds that a program may take for a move."""

    #: What `check` raises; its text says in one line what is wrong.
    error: ClassVar[type[ValueError]] = ValueError

    def __getstate__(self) -> dict[str, Any]:
        """Without what can be computed again elsewhere."""
        return {name: self.__dict__[name] for name in (each.name for each in fields(self))}

    @cached_property
    def info(self) -> Info:
        """What is known of the game."""
        return info_of(self.game)

    @cached_property
    def module(self) -> GameModule:
        """The game with its rules."""
        return load_game(self.game)

    @cached_property
    def places(self) -> int:
        """How many sit at the table."""
        low, _high = self.info.seats
        return self.seats or (low if self.info.together else max(low, len(self.bots)))

    @cached_property
    def entrants(self) -> tuple[str, ...]:
        """The bots (together: the teams), each once."""
        return tuple(dict.fromkeys(self.bots))

    @cached_property
    def lineup(self) -> tuple[int, ...]:
        """The entrant at each seat before anybody moves round; the last one takes the seats that are left."""
        named = [self.entrants.index(name) for name in self.bots]
        return (*named, *[named[-1]] * (self.places - len(named)))

    @cached_property
    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Every way round the table in which a deal is played: the entrant at each seat."""
        if self.info.together:
            return tuple((team,) * self.places for team in range(len(self.entrants)))
        turned = (self.lineup[-turn:] + self.lineup[:-turn] for turn in range(self.places))
        return tuple(dict.fromkeys(turned))

    @cached_property
    def rule_sets(self) -> tuple[dict[str, str], ...]:
        """The complete options of each rule set; `OptionError` for what the game does not have."""
        return (self.module.check_options(self.places, dict(self.options)),)

    def players(self, entrant: int) -> tuple[str, ...]:
        """The names of the bots that an entrant consists of (a team may have several)."""
        name = self.entrants[entrant]
        return tuple(name.split("+")) if self.info.together else (name,)

    @property
    def names(self) -> list[str]:
        """The names of all bots, entrant by entrant."""
        return [name for entrant in range(len(self.entrants)) for name in self.players(entrant)]

    def make(self, name: str, side: int = 0) -> Bot:
        """The bot of a name: of `makers`, or what `simulate.bot_loader` makes of it under the options of a rule set."""
        if name in self.makers:
            return self.makers[name]()
        return make_bot(name, self.folder, self.rule_sets[side], self.limit)

    # --- what can be played -----------------------------------------------------------------------------------------

    def refuse_if(self, wrong: bool, text: str) -> None:
        """Raise the series' error with this text if something is wrong."""
        if wrong:
            raise self.error(text)

    def check_numbers(self) -> None:
        """Raise the series' error if it has no bots, too many, or numbers that cannot be."""
        self.refuse_if(not self.bots or not all(self.bots), _("name at least one bot"))
        self.refuse_if(self.deals < 1, _("{count} deals: at least one is needed", count=self.deals))
        self.refuse_if(not self.limit > 0, _("a limit of {seconds:g} s: it lies above 0", seconds=self.limit))
        self.refuse_if(self.rounds < 0, _("{count} rounds: a match has at least one", count=self.rounds))
        self.info.check_seats(self.places)
        many = _("{bots} bots for {places} seats", bots=len(self.bots), places=self.places)
        self.refuse_if(not self.info.together and len(self.bots) > self.places, many)

    def check_backend(self, on: str, address: str | None) -> None:
        """Raise the series' error if deals cannot be played there."""
        self.refuse_if(on not in (HERE, RAY), _("on {place}: there are {places}", place=on, places=f"{HERE}, {RAY}"))
        self.refuse_if(on == HERE and address is not None, _("an address is for a cluster: say --on ray, too"))

    def try_out(self, names: Iterable[str], match: Match) -> None:
        """Let each bot choose the first move of a match; raise the series' error if one cannot."""
        info = self.info
        for name in names:
            counts = "@" in name and name.partition("@")[0] in BUDGET_BOTS
            counted = _("{name}: in {game} no bot counts simulations", name=name, game=info.title)
            self.refuse_if(info.together and counts, counted)
            try:
                player = self.make(name)
            except BadEntrant as problem:
                raise self.error(str(problem)) from None
            try:
                choose_legal_action(player, match, match.acting[0], 0)
            except BotFailed as problem:
                wrong = _("{name} cannot play {game}: {problem}", name=name, game=info.title, problem=problem)
                raise self.error(wrong) from None
            finally:
                close(player)


# --- a match of bots that are asked move by move ----------------------------------------------------------------------


def choice_seed(*numbers: object) -> int:
    """The seed of one choice of a bot: by the seed, the deal, the game on that deal, and the move."""
    text = " ".join(map(str, numbers))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=6).digest(), "little")


def play_moves(
    match: Match, choose: Callable[[int], int], rounds: int = 0, end: float = math.inf
) -> Iterator[tuple[int, int | None]]:
    """Play a match to its end, or for `rounds` rounds (0: all), or until `end` on the performance counter.

    `choose` is asked for the action of a seat that has several. Yields the seat and the action before it is played,
    and no action after each round.
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
