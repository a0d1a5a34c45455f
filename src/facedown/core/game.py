"""The contract of a game, and the registry of games.

A game is a package below ``facedown.games`` whose ``__init__`` says what can be said without loading any rule
(`Info`), with the modules ``rules`` (compiled), ``words`` (actions as text), ``spoken`` (actions as a person says
them), ``table`` (views as tables, log lines) and the text ``guide.md``. Putting the package there registers it:
everything else — pages, terminal, bots, tests — finds it by the registry.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from types import ModuleType
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from facedown.core.options import OptionError, Options
from facedown.core.spoken import Spoken, Teller
from facedown.core.table import Line, Sitter, Table


class Words(Protocol):
    """A game's ``words`` module."""

    def words(self, action: int) -> str:
        """An action in the notation of match files."""

    def parse(self, text: str) -> int:
        """The action of a text; `ValueError` with a reason. ``parse(words(a)) == a``."""

    def card_word(self, kind: int) -> str:
        """A kind of card in the notation of explicit deals."""

    def card_kind(self, word: str) -> int:
        """The kind of a card's word; `ValueError` with a reason."""


@dataclass(frozen=True, slots=True)
class Happening:
    """One action, as a viewer witnessed it: the views before and after, who acted, and the action if it was open."""

    before: Any
    after: Any
    viewer: int
    seat: int
    action: int | None
    """The raw action, given to the seat that took it, and to others if it is `open_to` them; None otherwise."""


class Tables(Protocol):
    """A game's ``table`` module. Every argument called `view` comes from `look` (what the viewer may look at).

    ``GOES_ON``, where it stands, names the pairs of phases between which a turn goes on if the same seat is still to
    act; every other action begins a new turn (for clocks).
    """

    def table(self, view: Any, sitters: Sequence[Sitter]) -> Table:
        """What the viewer of `view` sees, without the log."""

    def tell(self, happening: Happening, sitters: Sequence[Sitter]) -> Sequence[Line]:
        """The log lines of one action, for the viewer of the happening."""

    def open_to(self, action: int) -> bool:
        """Is this action's wording public the moment it is taken?"""


class Speech(Protocol):
    """A game's ``spoken`` module."""

    def say(self, view: Any, action: int, teller: Teller) -> Spoken:
        """An action that is legal in the view of the seat that takes it, as a person says it."""


@dataclass(frozen=True, slots=True)
class Info:
    """What can be said of a game without loading its rules."""

    name: str
    title: str
    tagline: str
    seats: tuple[int, int]
    options: Options
    version: int = 1
    """The version of the rules; a match names it, so that an upgrade never changes a running match."""
    together: bool = False
    """Everybody wins or loses together."""
    silent: bool = False
    """Played in silence: nobody talks until the match is over."""
    unit: str = "round"
    """What the match is made of: "round", "hand" or "game"."""
    defaults: Callable[[int], Mapping[str, str]] | None = None
    """Defaults that depend on the number of seats, where a game has any; they go before those of `options`."""

    def check_seats(self, seats: int) -> None:
        """Raise `OptionError` when that many cannot play."""
        low, high = self.seats
        if not low <= seats <= high:
            allowed = f"{low}" if low == high else f"{low} to {high}"
            raise OptionError(f"{self.title} is for {allowed} players, not {seats}")

    @property
    def by_seats(self) -> frozenset[str]:
        """The options whose default depends on the number of seats."""
        if self.defaults is None:
            return frozenset()
        low, high = self.seats
        return frozenset(name for seats in range(low, high + 1) for name in self.defaults(seats))

    def complete(self, seats: int, given: Mapping[str, str]) -> dict[str, str]:
        """All options in canonical spelling, filled in with the defaults for so many seats."""
        usual = self.defaults(seats) if self.defaults is not None else {}
        return self.options.complete({**usual, **given})


@dataclass(frozen=True)
class Game:
    """A game with everything loaded."""

    info: Info
    rules: ModuleType
    words: Words
    tables: Tables
    speech: Speech

    @property
    def name(self) -> str:
        """The registry name."""
        return self.info.name

    @property
    def dtype(self) -> np.dtype[Any]:
        """The layout of a state."""
        return cast("np.dtype[Any]", self.rules.DTYPE)

    @property
    def actions(self) -> int:
        """How many different actions there are."""
        return int(self.rules.ACTIONS)

    def legal(self, state: Any, seat: int) -> list[int]:
        """The legal actions of a seat, ascending; of a state or of that seat's own view, alike."""
        out = np.empty(self.actions, np.int32)
        legal: list[int] = out[: self.rules.legal(state, seat, out)].tolist()
        return legal

    def spoken(self, view: Any, action: int, sitters: Sequence[Sitter], reader: int | None = None) -> Spoken:
        """An action that is legal in a seat's own view in a person's words ("Swap the yellow and a red").

        They are said to the seat itself ("your 2"), or of it to another `reader` ("their 2"). Equal words are moves
        that nobody would tell apart.
        """
        actor = int(view.viewer)
        return self.speech.say(view, action, Teller(sitters, actor, actor if reader is None else reader))

    def acting(self, state: Any) -> list[int]:
        """The seats that are to act."""
        return [seat for seat in range(int(state.seats)) if int(state.acting) >> seat & 1]

    def returns(self, state: Any) -> list[float]:
        """The final scores, higher is better."""
        out = np.zeros(int(state.seats), np.float64)
        self.rules.returns(state, out)
        return [float(x) for x in out]

    def check_options(self, seats: int, options: dict[str, str]) -> dict[str, str]:
        """Complete options in canonical spelling; `OptionError` if the game cannot be played so."""
        self.info.check_seats(seats)
        complete = self.info.complete(seats, options)
        check = getattr(self.rules, "check", None)
        if check is not None:
            reason = check(seats, self.info.options.encode(complete))
            if reason:
                wrong = OptionError(str(reason))
                wrong.option = next((o.name for o in self.info.options if o.name in str(reason).split(" ")), "")
                raise wrong
        return complete

    def deck(self, seats: int, options: dict[str, str]) -> NDArray[np.int32]:
        """How many cards of each kind a match with these options has, as an array over kinds."""
        counts = np.zeros(int(self.rules.KINDS), np.int32)
        self.rules.deck(seats, self.info.options.encode(options), counts)
        return counts


class UnknownGame(KeyError):
    """No game of that name; the text names the ones there are."""

    def __str__(self) -> str:
        return str(self.args[0])


@lru_cache(maxsize=1)
def catalogue() -> dict[str, Info]:
    """All games by name, in the order of the house, without loading any rules."""
    import facedown.games as shelf

    found: dict[str, Info] = {}
    for module in pkgutil.iter_modules(shelf.__path__):
        if module.ispkg:
            package = importlib.import_module(f"facedown.games.{module.name}")
            info = getattr(package, "INFO", None)
            if isinstance(info, Info):
                found[info.name] = info
    order = ("reveal", "detect", "reveille", "uncovered", "scout")
    return dict(sorted(found.items(), key=lambda item: (order.index(item[0]) if item[0] in order else 99, item[0])))


def info(name: str) -> Info:
    """The information on a game; `UnknownGame` names the ones there are."""
    games = catalogue()
    if name not in games:
        raise UnknownGame(f"unknown game {name}: there are {', '.join(games) or 'none'}")
    return games[name]


@cache
def game(name: str) -> Game:
    """A game with its rules loaded and known to the generic functions."""
    from facedown.core.generic import register_rules

    found = info(name)
    package = f"facedown.games.{name}"
    rules = importlib.import_module(f"{package}.rules")
    register_rules(rules)
    words = cast(Words, importlib.import_module(f"{package}.words"))
    tables = cast(Tables, importlib.import_module(f"{package}.table"))
    speech = cast(Speech, importlib.import_module(f"{package}.spoken"))
    return Game(found, rules, words, tables, speech)
