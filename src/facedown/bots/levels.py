"""Bot levels: the playing strengths that a player can choose for a bot, such as beginner or master.

A level selects a bot for each game and number of seats.

* Beginner and casual do not search.
* Strong and master search (`bots.rollout_search`, a network, or a bot that the game defines). Where a game has an exact
  solver, they use it and play without mistakes.
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
    """One bot level, such as beginner or master: its name, its texts for players, and whether forms offer it."""

    key: str
    label: str
    says: str
    """A few words on how the bot plays, shown to players."""
    offered: bool = True
    """Whether forms list the level among the bots to choose from. If not, it can still be requested by name."""
    usual: bool = False
    """Whether the level is preselected in forms that list the bots to choose from."""
    slow: bool = False
    """Whether the level searches, so that a move may take a second or so."""


class UnknownBot(KeyError):
    """Error: no level has this name. The text lists the names that exist."""

    def __str__(self) -> str:
        return str(self.args[0])


#: Seconds that level master searches for one move, on one core. The slowest move must stay below two seconds.
MASTER_SECONDS = 1.0
#: Number of simulations after which level master stops if results must not depend on time, as in contests. About this
#: many fit into one second.
MASTER_SIMULATIONS = 20_000


class BotByGameAndSeats:
    """A bot that delegates to another bot, chosen by game and number of seats.

    `pick(game, seats)` creates the bot when a view of that game and number of seats first appears.
    """

    def __init__(self, pick: Callable[[GameModule, int], Bot]) -> None:
        self._pick = pick
        self._made: dict[tuple[str, int], Bot] = {}

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return the action that the bot for this game and number of seats chooses."""
        return self._bot(game, view).choose(game, view, seat, seed)

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """Return the action of the bot for this game and number of seats, using the share `effort` (0 to 1) of its
        usual effort.
        """
        return choose_with_effort(self._bot(game, view), game, view, seat, seed, effort)

    def _bot(self, game: GameModule, view: View) -> Bot:
        table = game.name, int(view.seats)
        if table not in self._made:
            self._made[table] = self._pick(game, table[1])
        return self._made[table]


def strong_bot_for(game: GameModule, seats: int) -> Bot:
    """Return the bot of level strong for `game`. It is the same for any number of `seats`."""
    return lookahead_bot(game, game.levels.strong)


def master_bot_for(game: GameModule, seats: int, counted: bool = False) -> Bot:
    """Return the bot of level master for `game` with `seats` players.

    It plays by the network that comes with the game for this number of players (`core.bot.Levels`), or else by search.
    If `counted` is true, the search stops after a number of simulations and not after a time, so that its moves are
    reproducible.
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
    from facedown.bots.weights_file import load_shipped_weights

    network = load_shipped_weights(game.name, file)
    if levels.worlds:
        return CriticSearchBot(network, levels.worlds, otherwise)
    return NetworkBot(network, otherwise=otherwise)


def lookahead_bot(game: GameModule, simulations: int, seconds: float = 0.0) -> Bot:
    """Return a bot that plays the moves of an exact solver where the game has one for the position, else searches.

    The search stops after `simulations` or after `seconds`, whichever comes first; 0 means no such limit. If the game
    defines its own search bot (`core.bot.Levels.search_bot`), that bot is returned instead. Then `simulations` is its
    search effort (0 for the maximum), and `seconds` is ignored.
    """
    if game.levels.search_bot is not None:
        return game.levels.search_bot(simulations)
    from facedown.bots.rollout_search import RolloutSearchBot
    from facedown.bots.search_common import Budget

    # `game.levels.strong` is the smallest number of simulations for a move, also when a busy server reduces the effort.
    # With fewer simulations, search can play worse than level casual (docs/thinking.md).
    found = RolloutSearchBot(Budget(simulations, seconds), game.levels.strong)
    return found if game.levels.expert is None else game.levels.expert(found)


#: All levels, weakest first. Random and greedy are for contests between bots. Forms do not list them, but a host can
#: request them by name.
LEVELS = (
    Level("random", N_("Random"), N_("plays a random legal move"), offered=False),
    Level("greedy", N_("Greedy"), N_("plays the obvious move"), offered=False),
    Level("beginner", N_("Beginner"), N_("often plays at random")),
    Level("casual", N_("Casual"), N_("plays the obvious move"), usual=True),
    Level("strong", N_("Strong"), N_("takes a moment to think ahead"), slow=True),
    Level("master", N_("Master"), N_("thinks ahead and is rarely wrong"), slow=True),
)


def bot(name: str, *, counted: bool = False) -> Bot:
    """Return the bot of the level `name`. Raise `UnknownBot`, a `KeyError`, if no level has this name.

    Level master stops after a second, so on a slow or busy machine it may choose different moves for the same seed.
    With `counted` it stops after a number of simulations: the same seed then gives the same move, as contests and
    experiments need.
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
            return BotByGameAndSeats(strong_bot_for)
        case "master":
            return BotByGameAndSeats(partial(master_bot_for, counted=counted))
    there = ", ".join(level.key for level in LEVELS)
    raise UnknownBot(_("unknown bot {name}; available: {levels}", name=name, levels=there))


def choose_for_seat(bot: Bot, match: Match, seat: int, seed: int) -> int:
    """Return the action that `bot` chooses for `seat` from the seat's own view of `match`."""
    return bot.choose(match.game, match.known(seat), seat, seed)
