"""OpenSpiel games: importing this module registers ``facedown_<game>`` for every installed game.

>>> import pyspiel
>>> import facedown.research.openspiel as ours
>>> game = pyspiel.load_game(ours.GAMES[0] + "(length=round,deals=100)")
>>> state = game.new_initial_state()
>>> state.apply_action(7)
>>> words = [state.action_to_string(action) for action in state.legal_actions()]
>>> state.apply_action(state.string_to_action(words[-1]))
>>> state.current_player(), state.clone().legal_actions() == state.legal_actions()
(1, True)

The parameters are ``players``, the options of the game, and those in `PARAMETERS`. OpenSpiel uses parentheses for a
game inside a game. In the value of an option, parentheses are therefore written as brackets and commas as slashes:
``custom[3/12/5]`` stands for ``custom(3,12,5)``.

A state holds the position with all its secrets, as OpenSpiel requires. Everything that a player receives (legal
actions, strings, tensors) is computed from that player's view alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from facedown.bots.observation import layout_of
from facedown.core.game_registry import Info, catalogue
from facedown.core.game_registry import game as load_game
from facedown.core.match_limits import Limits
from facedown.core.state import EMPTY, SPECTATOR, UNKNOWN, Position, plain_fields
from facedown.research.game_tree import CHANCE, TERMINAL, Node, Tree, tree_of

try:
    import pyspiel
except ImportError as missing:
    raise ImportError("OpenSpiel is not installed: pip install 'facedown[openspiel]'") from missing

#: Prefix of the names of Facedown's games in OpenSpiel.
PREFIX = "facedown_"
#: Parameter value that means: use the option's default, which may depend on the number of players.
USUAL = "usual"

#: Parameters that every game has in addition to ``players`` and its options, with their defaults.
PARAMETERS: dict[str, Any] = {
    "length": "match",
    "returns": "score",
    "tensor": "one_hot",
    "deals": 0,
    "seed": 0,
    "pauses": False,
}
LENGTHS = ("match", "round")
#: Values of the parameter ``tensor``: the forms in which observations are written to tensors.
ONE_HOT, COMPACT = FORMS = ("one_hot", "compact")
#: Values of the parameter ``returns``, which selects what a player's return (the result of the game) is:
#:
#: * "score": the player's score;
#: * "difference": the player's score minus the mean score of the other players;
#: * "win": a number from −1 to 1 that depends only on who has won (`scores_to_returns`).
SCORE, DIFFERENCE, WIN = RETURNS = ("score", "difference", "win")

_SQUARE = str.maketrans("(),", "[]/")
_ROUND = str.maketrans("[]/", "(),")


def to_openspiel_value(value: str) -> str:
    """Return the value of an option in OpenSpiel's spelling. `from_openspiel_value` is the inverse.

    >>> to_openspiel_value("custom(3,12,5)"), from_openspiel_value("custom[3/12/5]")
    ('custom[3/12/5]', 'custom(3,12,5)')
    """
    return value.translate(_SQUARE)


def from_openspiel_value(text: str) -> str:
    """Return the value of an option in Facedown's spelling. `text` may be in that spelling or in OpenSpiel's."""
    return text.translate(_ROUND)


def default_parameters(info: Info) -> dict[str, Any]:
    """Return the parameters of a game in OpenSpiel, as {name: default}.

    They are ``players``, those in `PARAMETERS`, and the game's options. The text `USUAL` stands for a default that
    depends on the number of players. Raise `ValueError` if an option has the same name as another parameter.
    """
    own = {"players": info.seats[0], **PARAMETERS}
    options = {
        o.name: USUAL if o.name in info.options_by_seats else to_openspiel_value(o.default_text) for o in info.options
    }
    twice = sorted(own.keys() & options.keys())
    if twice:
        raise ValueError(f"{info.name} has an option {twice[0]}, which is a parameter of every game")
    return {**own, **options}


def game_type(info: Info, returns: str = SCORE) -> Any:
    """Return OpenSpiel's description of a game. The rules of the game are not loaded.

    `returns` selects what a player's return is (see `RETURNS`). A competitive game is described as general-sum if
    returns are scores, otherwise as zero-sum. A cooperative game is described as one with equal returns for all.
    """
    kind = pyspiel.GameType
    utility = kind.Utility.IDENTICAL if info.together else kind.Utility.GENERAL_SUM
    return kind(
        short_name=PREFIX + info.name,
        long_name=info.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=utility if returns == SCORE or info.together else kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        min_num_players=info.seats[0],
        max_num_players=info.seats[1],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification=default_parameters(info),
    )


# --- returns ---------------------------------------------------------------------------------------------------------


def scores_to_returns(returns: str, scores: Sequence[float], lost: float | None) -> list[float]:
    """Return each seat's return for the final `scores`. `returns` is "score", "difference" or "win" (see `RETURNS`).

    * "win", in a competitive game: each loser gets −1 / (seats − 1), and the winners share equally what the losers
      lose. So a sole winner gets 1, and the returns add up to 0.
    * "win", in a cooperative game: all seats get 1 if it was won, else −1.

    `lost` is the score of a lost cooperative game; it is None for a competitive game.
    """
    seats, total, best = len(scores), sum(scores), max(scores)
    if returns == SCORE:
        return list(scores)
    if returns == DIFFERENCE:
        return [score - (total - score) / (seats - 1) for score in scores]
    if lost is not None:
        return [1.0 if best > lost else -1.0] * seats
    winners = sum(score == best for score in scores)
    return [(seats / winners * (score == best) - 1) / (seats - 1) for score in scores]


def return_bounds(limits: Limits, returns: str) -> tuple[float, float]:
    """Return the lowest and the highest possible return of a seat. `limits` has the lowest and the highest score.

    `returns` says what a return is: the seat's score ("score"), the score minus the mean score of the other seats
    ("difference"), or a number from −1 to 1 that depends only on who has won ("win").
    """
    if returns == WIN:
        return -1.0, 1.0
    if returns == DIFFERENCE:
        return limits.lowest - limits.highest, limits.highest - limits.lowest
    return float(limits.lowest), float(limits.highest)


# --- game class ------------------------------------------------------------------------------------------------------


class FacedownGame(pyspiel.Game):  # type: ignore[misc]
    """A Facedown game in OpenSpiel, with a fixed number of players and fixed options."""

    of: ClassVar[str]
    """Name of the game in Facedown; set by the subclasses that `register` creates."""

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        loaded = load_game(self.of)
        info, usual = loaded.info, default_parameters(loaded.info)
        chosen = {**usual, **(given or {})}
        self.counted = _require_one_of("returns", chosen["returns"], RETURNS)
        """Kind of returns, one of `RETURNS`."""
        if info.together and self.counted == DIFFERENCE:
            raise ValueError(f"{info.title} is cooperative: returns = difference would be 0 for all players")
        options = {o.name: from_openspiel_value(chosen[o.name]) for o in info.options if chosen[o.name] != USUAL}
        length = _require_one_of("length", chosen["length"], LENGTHS)
        self.tree: Tree = tree_of(
            loaded,
            chosen["players"],
            options,
            one_round=length == LENGTHS[1],
            pauses=chosen["pauses"],
            seed=chosen["seed"],
            deals=chosen["deals"],
        )
        self.layout = layout_of(loaded, self.tree.seats, self.tree.options)
        """Position and meaning of each number in an observation, from which tensors are made."""
        self.compact = _require_one_of("tensor", chosen["tensor"], FORMS) == COMPACT
        """Whether tensors have the compact form and not the one-hot form."""
        self.outcomes = [[(i, 1.0 / n) for i in range(n)] for n in self.tree.outcomes_per_draw]
        """For each chance draw, the list of its outcomes as pairs (outcome, probability)."""
        limits = loaded.limits_of(self.tree.seats, self.tree.options, self.tree.one_round)
        low, high = return_bounds(limits, self.counted)
        kind = game_type(info, self.counted)
        facts = pyspiel.GameInfo(
            num_distinct_actions=loaded.actions,
            max_chance_outcomes=max(self.tree.outcomes_per_draw),
            num_players=self.tree.seats,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if kind.utility == pyspiel.GameType.Utility.ZERO_SUM else None,
            max_game_length=limits.actions,
        )
        # Parameters with default values are left out of the game's name in OpenSpiel.
        complete = {**chosen, **{option: to_openspiel_value(self.tree.options[option]) for option in options}}
        super().__init__(kind, facts, {key: value for key, value in complete.items() if value != usual[key]})

    def __reduce__(self) -> tuple[Any, ...]:
        return _load_game, (str(self),)

    def new_initial_state(self, text: str | None = None) -> FacedownState:
        """Return the state before the deal. Raise `ValueError` if a `text` is given: it cannot be read as a state."""
        if text:
            raise ValueError("a state cannot be created from text: use OpenSpiel’s serialised states")
        return FacedownState(self)

    def action_to_string(self, player: int, action: int) -> str:
        """Return an action, legal or not, in match file notation. A chance outcome becomes ``deal`` and its number."""
        return f"deal {action}" if player == CHANCE else self.tree.game.words.words(action)

    def tensor(self, node: Node, viewer: int) -> NDArray[np.float32]:
        """Return an array of numbers: what a viewer (seat or spectator) knows at a node. Before the deal, all are 0."""
        layout = self.layout
        if node.states is None:
            return np.zeros(layout.size if self.compact else layout.one_hot_size, np.float32)
        view = node.view(viewer)
        return layout.compact(view).astype(np.float32) if self.compact else layout.one_hot(view)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of chance nodes in a match: 1 or 4. Together they pick one of the possible deals.

        The parameter ``deals`` is the number of possible deals. If it is above 0, one node picks the deal. If it is 0,
        there are 2**32 possible deals, and each of four nodes picks one byte of the index of the deal.
        """
        return len(self.tree.outcomes_per_draw)

    def make_py_observer(self, kind: Any = None, given: Any = None) -> Observer | None:
        """Return an observer for the observation type `kind`; None if the type is not supported.

        All types with public information are supported. A type without public information is supported only if it has
        the private information of a single player, without perfect recall (memory of all earlier observations). If
        `kind` is None, public and one player's private information are included, without perfect recall.

        Raise `ValueError` if `given` is not empty, because observers take no parameters.
        """
        if given:
            raise ValueError(f"observers take no parameters, but got {', '.join(map(str, given))}")
        wanted = pyspiel.IIGObservationType(perfect_recall=False) if kind is None else kind
        nothing_public = not wanted.public_info
        if nothing_public and (wanted.perfect_recall or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER):
            return None
        return Observer(self, wanted)


def _load_game(text: str) -> Any:
    return pyspiel.load_game(text)


def _require_one_of(name: str, given: str, allowed: Sequence[str]) -> str:
    if given not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {given}")
    return given


# --- state class -----------------------------------------------------------------------------------------------------


class FacedownState(pyspiel.State):  # type: ignore[misc]
    """State in OpenSpiel: holds a node of the game tree. OpenSpiel's base class holds the history of actions."""

    def __init__(self, game: FacedownGame) -> None:
        super().__init__(game)
        self.node = game.tree.root
        """Node of the game tree: the position with all its secrets. Copies of a state share their immutable node."""

    @property
    def _game(self) -> FacedownGame:
        return cast(FacedownGame, self.get_game())

    # The methods below replace OpenSpiel's own. Those are slower: they call Python several times for one result.

    def current_player(self) -> int:
        """Return the seat to act; before the deal `pyspiel.PlayerId.CHANCE`, and after the end `TERMINAL`."""
        return self.node.player

    def is_terminal(self) -> bool:
        """Return whether the match is over. With the parameter ``length=round``, a match ends after its first round."""
        return self.node.player == TERMINAL

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions of `player` in ascending order. If `player` is None, the player to act is meant.

        * At a chance node, return the outcomes of chance, whatever `player` is.
        * After the end, return an empty list.
        * At all other nodes, return an empty list for a seat that is not to act, and raise `SpielError` if `player` is
          negative.
        """
        node = self.node
        if player is None or player == node.player or node.player == CHANCE:
            return list(node.legal)
        if player < 0 and node.player != TERMINAL:
            raise pyspiel.SpielError(f"Called LegalActions for pseudo-player {player}")
        return []

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.legal) if player == self.node.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return all chance outcomes as pairs (outcome, probability). Raise `SpielError` if chance is not to act."""
        if self.node.player != CHANCE:
            raise pyspiel.SpielError("chance is not to act")
        return self._game.outcomes[len(self.node.drawn)]

    def _apply_action(self, action: int) -> None:
        self.node = self.node.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._game.action_to_string(player, action)

    def returns(self) -> list[float]:
        """Return each player's return; zeros before the end."""
        node = self.node
        if node.player != TERMINAL:
            return [0.0] * node.tree.seats
        return scores_to_returns(self._game.counted, node.returns(), node.tree.game.rules.loss_return)

    def __str__(self) -> str:
        """Return the whole position in one line, with all secrets."""
        node = self.node
        if node.states is None:
            return " ".join(["before the deal", *map(str, node.drawn)])
        return position_text(node.tree, node.states[0])

    # --- strings and tensors of a player ----------------------------------------------------------------------------

    def _resolve_player(self, player: int | None) -> int:
        """Return `player`, or the player to act if `player` is None. Raise `SpielError` if the result is not a seat."""
        found = self.node.player if player is None else player
        if found < 0:
            raise pyspiel.SpielError(f"player >= 0: there is no player {found}")
        if found >= self.node.tree.seats:
            raise pyspiel.SpielError(f"player < {self.node.tree.seats}: there is no player {found}")
        return found

    def information_state_string(self, player: int | None = None) -> str:
        """Return a hash, as text, of everything that a player (None: the one to act) has seen and done so far."""
        return memory_hash_text(self.node, self._resolve_player(player))

    def observation_string(self, player: int | None = None) -> str:
        """Return one line of text: what a player (None: the one to act) knows now. It is empty before the deal."""
        seat = self._resolve_player(player)
        return "" if self.node.states is None else position_text(self.node.tree, self.node.view(seat))

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return `observation_tensor`. That list of numbers already includes all cards that the player saw before."""
        return self.observation_tensor(player)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return a list of numbers: what a player (None: the one to act) knows now.

        The game's parameter ``tensor`` selects the form of this list: "one_hot" or "compact".
        """
        found: list[float] = self._game.tensor(self.node, self._resolve_player(player)).tolist()
        return found

    # --- resampling -------------------------------------------------------------------------------------------------

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> FacedownState:
        """Return a random state that the player cannot distinguish from this one.

        All cards that the player does not know are dealt again. If no cards have been dealt yet, the new state has the
        same position as this one. The history of the new state is empty, because the moves that lead to it are unknown.
        `sampler` is a function that returns a random number from 0 to 1 at each call.
        """
        seat, game = self._resolve_player(player), self._game
        found = game.new_initial_state()
        if self.node.states is None:
            found.node = self.node
            return found
        words = [min(int(sampler() * 2.0**32), 2**32 - 1) for _ in range(8)]
        found.node = self.node.redealt(seat, np.array(words, np.uint32))
        return found


# --- observations ----------------------------------------------------------------------------------------------------


def memory_hash_text(node: Node, viewer: int) -> str:
    """Return a short text. It is equal for two nodes only if `viewer` (or `SPECTATOR`) saw and did the same in both."""
    who = "public" if viewer == SPECTATOR else f"player {viewer}"
    return f"{who} {node.memory_hash(viewer).hex()}"


def position_text(tree: Tree, position: Position) -> str:
    """Return a position in one line: the name and values of each field.

    A card is given by its name, an unknown card by ``?``, an empty slot by ``.``. Eight zeros in a row become ``0*8``.
    """
    parts = []
    for name, found in plain_fields(position).items():
        value = [_card_text(tree, kind) for kind in found] if name == "card" else found
        if name not in ("key", "opt", "seats") and not name.startswith("of_"):
            parts.append(f"{name}={_run_length_text(value) if isinstance(value, list) else value}")
    return "; ".join(parts)


def _run_length_text(row: list[Any]) -> str:
    runs = [(value, len(list(run))) for value, run in groupby(row)]
    return " ".join(str(value) if count == 1 else f"{value}*{count}" for value, count in runs)


def _card_text(tree: Tree, kind: int) -> str:
    return "?" if kind == UNKNOWN else "." if kind == EMPTY else tree.game.words.card_word(kind)


def private_information_text(node: Node, seat: int) -> str:
    """Return one line with all values that a seat knows and a spectator does not, each as ``field[index]=value``."""
    tree = node.tree
    mine, public = plain_fields(node.view(seat)), plain_fields(node.view(SPECTATOR))
    parts = []
    for name, value in mine.items():
        if isinstance(value, list) and value != public[name]:
            own = [(at, x) for at, (x, y) in enumerate(zip(value, public[name], strict=True)) if x != y]
            parts += [f"{name}[{at}]={_card_text(tree, x) if name == 'card' else x}" for at, x in own]
    return " ".join([f"player {seat}", *parts])


class Observer:
    """Observer of states. It gives each observation in two forms: as an array of numbers, and as a text.

    The observation type (`kind`) says whether public information is included. It also says whose private information is
    included: that of no player, of one player or of all players. With perfect recall, the text is a hash of everything
    seen so far. Without perfect recall, the text describes what is known now.
    """

    def __init__(self, game: FacedownGame, kind: Any) -> None:
        self._game = game
        self._recall = bool(kind.perfect_recall)
        self._private = kind.private_info
        self._public = bool(kind.public_info)
        rows = game.tree.seats if self._private == pyspiel.PrivateInfoType.ALL_PLAYERS else 1
        self.tensor = np.tile(game.tensor(game.tree.root, SPECTATOR), rows)
        """The current observation as an array of numbers (`FacedownGame.tensor`). An observer of all players has the
        arrays of all players, one after another. Without public information, the array has the player's numbers minus
        the spectator's."""
        self.dict = {"observation": self.tensor}

    def _viewers_to_include(self, node: Node, player: int) -> Sequence[int]:
        if self._private == pyspiel.PrivateInfoType.NONE:
            return (SPECTATOR,)
        return range(node.tree.seats) if self._private == pyspiel.PrivateInfoType.ALL_PLAYERS else (player,)

    def set_from(self, state: FacedownState, player: int) -> None:
        """Write the observation of `state` to `tensor`. `player` is the observing seat.

        `player` has no effect if the observation type includes the private information of no player or of all players.
        """
        node = state.node
        self.tensor[:] = np.concatenate(
            [self._game.tensor(node, viewer) for viewer in self._viewers_to_include(node, player)]
        )
        if not self._public:
            self.tensor -= self._game.tensor(node, SPECTATOR)

    def string_from(self, state: FacedownState, player: int) -> str:
        """Return the observation of `state` in one line; empty before the deal. `player` is the observing seat."""
        node = state.node
        if node.states is None:
            return ""
        if not self._public:
            return private_information_text(node, player)
        viewers = self._viewers_to_include(node, player)
        if self._recall:
            return " ".join(memory_hash_text(node, viewer) for viewer in viewers)
        return " | ".join(position_text(node.tree, node.view(viewer)) for viewer in viewers)


# --- registration ----------------------------------------------------------------------------------------------------


def register(infos: Iterable[Info]) -> list[str]:
    """Register games with OpenSpiel and return their names there."""
    names = []
    for info in infos:
        kind = game_type(info)
        # Register a class for each game, not a function that creates the game. OpenSpiel drops its reference to the
        # registered object only after the interpreter has shut down, when it is no longer safe to free a Python object.
        # A dropped reference would free a function. It does not free a class, because a class also refers to itself.
        pyspiel.register_game(kind, type(FacedownGame.__name__, (FacedownGame,), {"of": info.name}))
        names.append(kind.short_name)
    return names


#: Names of Facedown's games in OpenSpiel.
GAMES = tuple(register(catalogue().values()))
