"""Bots from their names, for the arena and for experiments.

A name is one of these:

- a level (``greedy``);
- a bot with a budget, here of 400 simulations per move: ``strong@400`` is the level ``strong``, ``search@400`` is
  information-set tree search with a cheap rollout policy (if the game has an exact solver for a position, both bots
  play perfectly there);
- the import path of a bot of your own (``my_module:Bot``);
- the file of a trained network (``run/network.npz``);
- the command line of a program that answers in lines of JSON (``program:python3 mybot.py``, see
  `simulate.external_bot`).

`make_bot` returns a new bot for a name. Each process that plays matches creates its own bots.

In matches with people, the rollout search of the level ``master`` has a time limit. If `make_bot` returns this bot, the
search is limited only by a number of simulations, so that the speed of the machine does not affect a result.
"""

from __future__ import annotations

import importlib
import operator
import re
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import facedown
from facedown.bots import Bot, bot
from facedown.bots.feature_dispatch import NoFeatures
from facedown.bots.levels import BotByGameAndSeats, choose_for_seat, lookahead_bot
from facedown.bots.weights_file import Misfit
from facedown.core.game_registry import GameModule
from facedown.core.game_registry import game as load_game
from facedown.core.match import Match
from facedown.core.translation import join_names
from facedown.simulate.external_bot import PREFIX, ProgramBot, ProgramError
from facedown.simulate.i18n import _

#: Seconds that an external program may take for a move, unless a contest sets another limit.
LIMIT = 10.0


#: Folder that contains the files of this package.
PACKAGE_FOLDER = str(Path(facedown.__file__).parent)


class BadEntrant(ValueError):
    """Error: a name does not stand for a bot, or its bot cannot be created. The text gives the reason in one line."""


class BotFailed(RuntimeError):
    """Error: a bot raised an exception or returned an illegal action. The text describes the failure in one line."""


def make_bot(name: str, folder: str = "", options: Mapping[str, str] | None = None, limit: float = LIMIT) -> Bot:
    """Return a new bot for a name (see the module for the kinds of names).

    Modules and programs are also searched for in `folder`. A program receives the `options` of the match, and may take
    `limit` seconds for a move. Raise `BadEntrant` if no bot can be made, or `UnknownBot` for an unknown level.
    """
    try:
        if name.startswith(PREFIX):
            return ProgramBot(name.removeprefix(PREFIX), folder, options, limit)
        if (network := load_trained_bot(name, folder)) is not None:
            return network
        if ":" in name:
            return import_bot(name, folder)
        return bot_with_budget(name) or bot(name, counted=True)
    except ProgramError as problem:
        raise BadEntrant(f"{name}: {problem}") from None
    except (Misfit, NoFeatures) as problem:
        raise BadEntrant(str(problem)) from None


def close_bot(player: Bot) -> None:
    """Call the method `close` of a bot, if it has one. For the bot of an external program, this ends the program."""
    end = getattr(player, "close", None)
    if callable(end):
        end()


# --- bots with a number of simulations, and trained bots --------------------------------------------------------------


def _make_search_bot(game: GameModule, simulations: int) -> Bot:
    from facedown.bots.search_common import Budget
    from facedown.bots.tree_search import SearchBot

    found = SearchBot(Budget(simulations), noise=0)
    return found if game.levels.expert is None else game.levels.expert(found)


BUDGET_BOTS: dict[str, Callable[[GameModule, int], Bot]] = {"strong": lookahead_bot, "search": _make_search_bot}


def load_trained_bot(name: str, folder: str = "") -> Bot | None:
    """Return the bot of a trained network, given the name of its file (``run/network.npz``); None for any other name.

    With ``run/network.npz@1`` the bot draws each move at random with the network's probabilities (temperature 1).
    Without ``@`` it plays the most probable move (temperature 0). The path is relative to `folder`. Raise `Misfit` if
    the file does not fit the game.

    >>> load_trained_bot("greedy") is None
    True
    """
    given = re.fullmatch(r"(.+\.npz)(?:@(\d+(?:\.\d+)?))?", name)
    if not given:
        return None
    from facedown.bots.network_bot import NetworkBot
    from facedown.bots.observation_network_bot import ObservationBot
    from facedown.bots.weights_file import load

    network, temperature = load(Path(folder, given[1])), float(given[2] or 0)
    if load_game(network.game).features is not None:
        return NetworkBot(network, temperature)
    return ObservationBot(network, temperature)


def bot_with_budget(name: str) -> Bot | None:
    """Return the bot for a name like ``strong@1600``. The number after ``@`` is the budget: simulations per move.

    Return None for a name without ``@``. Raise `BadEntrant` if the budget is not a whole number above zero, or if the
    text before ``@`` is not a kind of bot that takes a budget ("strong" or "search").

    >>> bot_with_budget("greedy") is None
    True
    """
    kind, at, number = name.partition("@")
    if not at:
        return None
    if kind not in BUDGET_BOTS:
        raise BadEntrant(
            _(
                "{name}: a number of simulations can be given only for {kinds}",
                name=name,
                kinds=join_names(list(BUDGET_BOTS)),
            )
        )
    if not (number.isascii() and number.isdigit() and int(number) > 0):
        raise BadEntrant(
            _("{name}: expected {kind}@ followed by a number of simulations above zero", name=name, kind=kind)
        )
    simulations = int(number)
    return BotByGameAndSeats(lambda game, seats: BUDGET_BOTS[kind](game, simulations))


# --- by import path ---------------------------------------------------------------------------------------------------


def import_bot(path: str, folder: str = "") -> Bot:
    """Return the bot at an import path ``module:name``. The name is a class or function without arguments, or a bot
    object.

    The module is also searched for in `folder`. Raise `BadEntrant` if the module or the name does not exist, if it
    cannot be loaded, or if it is not a bot.
    """
    module, _colon, name = path.partition(":")
    if not module or not name or not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        raise BadEntrant(_("{path}: expected MODULE:NAME, such as my_module:Bot", path=path))
    found: Any = _import_bot_module(path, module, folder)
    for part in name.split("."):
        if not hasattr(found, part):
            raise BadEntrant(_("{path}: the module {module} has no {name}", path=path, module=module, name=name))
        found = getattr(found, part)
    if isinstance(found, type) or (callable(found) and not _has_choose_method(found)):
        try:
            found = found()
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - code of another author may raise any exception
            wrong = _("{path}: cannot create the bot: {problem}", path=path, problem=describe_error(problem))
            raise BadEntrant(wrong) from None
    if not _has_choose_method(found):
        raise BadEntrant(_("{path} is not a bot: it has no method choose(game, view, seat, seed)", path=path))
    player: Bot = found
    return player


def _has_choose_method(found: object) -> bool:
    return callable(getattr(found, "choose", None))


def _import_bot_module(path: str, module: str, folder: str) -> Any:
    if folder and folder not in sys.path:
        # As for ``python -m``, the folder is the first in the search path, so its files take precedence. It stays in
        # the path, because the bot may import other files of the folder later.
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as problem:
        if problem.name is not None and (module == problem.name or module.startswith(f"{problem.name}.")):
            raise BadEntrant(_("{path}: module {module} not found", path=path, module=problem.name)) from None
        wrong: BaseException = problem
    except (Exception, SystemExit) as problem:  # noqa: BLE001 - code of another author may raise any exception
        wrong = problem
    raise BadEntrant(
        _(
            "{path}: cannot import module {module}: {problem}",
            path=path,
            module=module,
            problem=describe_error(wrong),
        )
    ) from None


def describe_error(problem: BaseException) -> str:
    """Return one line about an error in a bot author's code: its type and message, and the file and line that raised
    it.
    """
    text = " ".join(str(problem).split())
    kind = type(problem).__name__
    said = f"{kind}: {text}" if text else kind
    frames = [frame for frame in traceback.extract_tb(problem.__traceback__) if not _is_library_file(frame.filename)]
    if isinstance(problem, SyntaxError) or not frames:
        return said
    return _("{said} ({file}, line {line})", said=said, file=Path(frames[-1].filename).name, line=frames[-1].lineno)


def _is_library_file(file: str) -> bool:
    """Return whether a file belongs to this package or to an installed one, and not to the bot's author."""
    return file.startswith(("<", PACKAGE_FOLDER)) or "site-packages" in file


# --- one choice -------------------------------------------------------------------------------------------------------


def choose_legal_action(player: Bot, match: Match, seat: int, seed: int) -> int:
    """Return the legal action that a bot chooses at `seat`. `seed` determines its random choices.

    Raise `BotFailed` if the bot raises an exception, or if its answer is not a legal action. The error text says what
    the bot did.
    """
    try:
        answer: Any = choose_for_seat(player, match, seat, seed)
    except ProgramError as problem:
        raise BotFailed(str(problem)) from None
    except Exception as problem:
        raise BotFailed(_bot_error_text(problem)) from problem
    try:
        action = operator.index(answer)
    except TypeError:
        raise BotFailed(
            _("the bot answered {answer}, which is not an action", answer=_shortened_repr(answer))
        ) from None
    if action not in match.legal(seat):
        raise BotFailed(_illegal_action_text(match, seat, action))
    return action


def _bot_error_text(problem: Exception) -> str:
    """Return a text about an exception that a bot raised.

    Bots of this package explain in their message why they cannot play a game, so the message is enough. For other bots,
    the type, file and line are added to help their author.
    """
    *_rest, last = traceback.extract_tb(problem.__traceback__)
    if isinstance(problem, LookupError | ValueError) and last.filename.startswith(PACKAGE_FOLDER):
        return str(problem)
    return _("the bot raised {problem}", problem=describe_error(problem))


def _shortened_repr(answer: object) -> str:
    text = " ".join(repr(answer).split())
    return text if len(text) <= 60 else f"{text[:59]}…"


def _illegal_action_text(match: Match, seat: int, action: int) -> str:
    why = match.game.why_not(match.known(seat), action)
    if not 0 <= action < match.game.actions:
        return _("the bot chose action {action}: {why}", action=action, why=why)
    words = match.game.words.words(action)
    return _(
        "the bot chose action {action} (“{words}”), which is not legal: {why}", action=action, words=words, why=why
    )
