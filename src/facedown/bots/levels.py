"""The bots that can be seated, by name.

A level is a plan: which bot plays which game. Beginner and casual look no further than the next move. Strong and
master think ahead (`bots.rollout_search`, or a bot of the game's own), and where a game's solver reaches they play
without a mistake.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from facedown.bots.i18n import N_, _
from facedown.core.bot import Bot, choose_with_effort
from facedown.core.game_registry import GameModule
from facedown.core.match import Match
from facedown.core.state import View


@dataclass(frozen=True, slots=True)
class Level:
    """A strength that a person can pick."""

    key: str
    label: str
    says: str
    """How it plays, in a few words."""
    offered: bool = True
    """Does a form offer it? Others can be named all the same."""
    usual: bool = False
    """Is it the one that a form begins with?"""
    slow: bool = False
    """Does it think ahead, for longer than a moment?"""


class UnknownBot(KeyError):
    """No bot of that name; the text names the ones there are."""

    def __str__(self) -> str:
        return str(self.args[0])


#: How long level master thinks about a move, in seconds on one core; the slowest is to stay under two.
MASTER_SECONDS = 1.0
#: So often it tries moves instead where results are compared and no clock may decide: about as often as in a second.
MASTER_SIMULATIONS = 20_000


class BotByGameAndSeats:
    """Plays at each table by the bot that `pick` makes for its game and number of seats; made when first asked."""

    def __init__(self, pick: Callable[[GameModule, int], Bot]) -> None:
        self._pick = pick
        self._made: dict[tuple[str, int], Bot] = {}

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """The choice of the table's bot."""
        return self._bot(game, view).choose(game, view, seat, seed)

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """The same with a share of its usual effort."""
        return choose_with_effort(self._bot(game, view), game, view, seat, seed, effort)

    def _bot(self, game: GameModule, view: View) -> Bot:
        table = game.name, int(view.seats)
        if table not in self._made:
            self._made[table] = self._pick(game, table[1])
        return self._made[table]


def strong_at(game: GameModule, seats: int) -> Bot:
    """A bot that thinks ahead for a moment."""
    return lookahead_bot(game, game.levels.strong)


def master_at(game: GameModule, seats: int, counted: bool = False) -> Bot:
    """The best that there is: the network of this number of players (`core.bot.Levels`), or a bot with time to think.

    With `counted` that bot has no clock: it stops at a number of simulations.
    """
    levels = game.levels
    if counted:
        otherwise = lookahead_bot(game, levels.master or (0 if levels.search_bot is not None else MASTER_SIMULATIONS))
    else:
        otherwise = lookahead_bot(game, levels.master, MASTER_SECONDS)
    file = next((file for few, many, file in levels.networks if few <= seats <= many), None)
    if file is None:
        return otherwise
    from facedown.bots.critic_search import CriticSearchBot
    from facedown.bots.network_bot import NetworkBot
    from facedown.bots.weights_file import shipped

    network = shipped(game.name, file)
    if levels.worlds:
        return CriticSearchBot(network, levels.worlds, otherwise)
    return NetworkBot(network, otherwise=otherwise)


def lookahead_bot(game: GameModule, simulations: int, seconds: float = 0.0) -> Bot:
    """A bot that thinks ahead, and plays without a mistake where a solver of the game reaches.

    It stops at so many simulations or after so many seconds; 0: no such limit. In a game with a thinking bot of its own
    a simulation is another look at the moves in question.
    """
    if game.levels.search_bot is not None:
        return game.levels.search_bot(simulations)
    from facedown.bots.rollout_search import RolloutSearchBot
    from facedown.bots.search_common import Budget

    # With less than level strong tries it may play worse than casual (docs/thinking.md).
    found = RolloutSearchBot(Budget(simulations, seconds), game.levels.strong)
    return found if game.levels.expert is None else game.levels.expert(found)


#: The levels, weakest first; the first two are for the arena and for tables that name them.
LEVELS = (
    Level("random", N_("Random"), N_("plays any legal move"), offered=False),
    Level("greedy", N_("Greedy"), N_("plays the obvious move"), offered=False),
    Level("beginner", N_("Beginner"), N_("often plays at random")),
    Level("casual", N_("Casual"), N_("plays the obvious move"), usual=True),
    Level("strong", N_("Strong"), N_("thinks ahead for a moment"), slow=True),
    Level("master", N_("Master"), N_("thinks ahead, rarely errs"), slow=True),
)


def bot(name: str, *, counted: bool = False) -> Bot:
    """The bot of a level; `UnknownBot` (a `KeyError`) names the levels there are.

    Level master thinks for a second at most, so that on a slow or busy machine it may choose another move for the same
    seed. With `counted` it counts simulations instead, as contests and experiments do: the same seed, the same move.
    """
    from facedown.bots.simple_bots import BeginnerBot, GreedyBot, RandomBot

    match name:
        case "random":
            return RandomBot()
        case "greedy" | "casual":
            return GreedyBot()
        case "beginner":
            return BeginnerBot()
        case "strong":
            return BotByGameAndSeats(strong_at)
        case "master":
            return BotByGameAndSeats(partial(master_at, counted=counted))
    there = ", ".join(level.key for level in LEVELS)
    raise UnknownBot(_("unknown bot {name}: there are {levels}", name=name, levels=there))


def choose_for_seat(bot: Bot, match: Match, seat: int, seed: int) -> int:
    """The choice of a bot that sits at `seat`, from what that seat knows."""
    return bot.choose(match.game, match.known(seat), seat, seed)
