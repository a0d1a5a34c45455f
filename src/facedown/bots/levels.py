"""Bot levels: the playing strengths that a player can choose for a bot, such as beginner or master.

A level selects a bot for each game and number of seats.

* The bots of the levels "beginner" and "casual" play without search.
* The bots of the levels "strong" and "master" use rollout search (`bots.rollout_search`), unless the game defines its
  own search bot (`Levels.search_bot`). If the game comes with a trained neural network, the bot of the level "master"
  uses the network instead.
* If a game defines an exact solver for some of its positions (`Levels.expert`), the bots with rollout search
  use the solver there, and play these positions without mistakes.
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
    """One bot level, such as beginner or master: its name, its texts for players, and whether web forms list it."""

    key: str
    label: str
    says: str
    """A few words on how the bot plays, shown to players."""
    offered: bool = True
    """Whether web forms list the level among the bots to choose from. If not, it can still be requested by name."""
    usual: bool = False
    """Whether the level is preselected in web forms that list the bots to choose from."""
    slow: bool = False
    """Whether the bots of the level search, so that a move may take about a second."""


class UnknownBot(KeyError):
    """Error: no level has this name. The text lists the names that exist."""

    def __str__(self) -> str:
        return str(self.args[0])


#: Time limit, in seconds, of the rollout search of the level "master" for one move, on one core. The slowest move must
#: stay below two seconds.
MASTER_SECONDS = 1.0
#: Number of simulations for a move of the level "master" if results must not depend on time, as in contests, and the
#: game sets no number of its own (`Levels.master`). About this number fits into one second.
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
        """Return the action that the bot for this game and number of seats chooses with less effort than usual.

        `effort`, above 0 and at most 1, is a share of the bot's usual time and number of simulations. A bot that cannot
        reduce its effort ignores it (`core.bot.choose_with_effort`).
        """
        return choose_with_effort(self._bot(game, view), game, view, seat, seed, effort)

    def _bot(self, game: GameModule, view: View) -> Bot:
        table = game.name, int(view.seats)
        if table not in self._made:
            self._made[table] = self._pick(game, table[1])
        return self._made[table]


def strong_bot_for(game: GameModule, seats: int) -> Bot:
    """Return the bot of the level "strong" for `game`.

    `seats` is not used. It is a parameter only because `BotByGameAndSeats` calls the function with it.
    """
    return lookahead_bot(game, game.levels.strong)


def master_bot_for(game: GameModule, seats: int, counted: bool = False) -> Bot:
    """Return the bot of the level "master" for `game` with `seats` players.

    If the game comes with a trained neural network for this number of players (`Levels.networks`), the bot
    uses the network. Otherwise the bot searches (`lookahead_bot`). It also searches if the network does not support the
    options or the deck of the match.

    By default, rollout search has a time limit (`MASTER_SECONDS`), so the moves depend on the speed of the machine. If
    `counted` is true, rollout search is limited only by a number of simulations, so that the moves are reproducible.
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
    """Return a bot that uses rollout search, or an exact solver in those positions that the solver can handle.

    Only some games have a solver (`Levels.expert`). The search for a move stops after `simulations` or after `seconds`,
    whichever comes first. 0 means no such limit; at least one limit must be above 0. A simulation tries one move in one
    sampled world (random full deal).

    If the game defines its own search bot (`Levels.search_bot`), return that bot instead. Then `simulations` is the
    bot's search effort (0 for the maximum), and `seconds` is ignored.
    """
    if game.levels.search_bot is not None:
        return game.levels.search_bot(simulations)
    from facedown.bots.rollout_search import RolloutSearchBot
    from facedown.bots.search_common import Budget

    # `game.levels.strong` is the smallest number of simulations for a move, also when a busy server reduces the effort.
    # With fewer simulations, search can play worse than the level "casual" (docs/thinking.md).
    found = RolloutSearchBot(Budget(simulations, seconds), game.levels.strong)
    return found if game.levels.expert is None else game.levels.expert(found)


#: All levels, weakest first. The levels "random" and "greedy" are for contests between bots. Web forms do not list
#: them, but a host can request them by name.
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

    In some games, the bot of the level "master" searches for at most one second (`MASTER_SECONDS`). On a slow or busy
    machine, the same seed may then give another move. If `counted` is true, a number of simulations is the only limit.
    Then the same seed always gives the same move, as contests and experiments need.
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
