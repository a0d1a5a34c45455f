"""All games as games of OpenSpiel: importing this module registers ``facedown_<game>`` for each that is installed.

>>> import pyspiel
>>> import facedown.research.openspiel as ours
>>> game = pyspiel.load_game(ours.GAMES[0] + "(length=round,deals=100)")
>>> state = game.new_initial_state()
>>> state.apply_action(7)
>>> words = [state.action_to_string(action) for action in state.legal_actions()]
>>> state.apply_action(state.string_to_action(words[-1]))
>>> state.current_player(), state.clone().legal_actions() == state.legal_actions()
(1, True)

Parameters, beside ``players`` and the game's own options, are those of `PARAMETERS`. An option's value is the game's
own word for it; in the text of a game brackets are square and commas are slashes, ``custom[3/12/5]``, since OpenSpiel
takes round ones for a game inside a game.

A state holds a position with all its secrets, as OpenSpiel wants it. What a player is given (legal actions, strings,
tensors) is made of that player's view alone.
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

#: What the names of our games begin with.
PREFIX = "facedown_"
#: The value of an option whose default depends on the number of players.
USUAL = "usual"

#: The parameters that every game has beside ``players`` and its options, and their defaults.
PARAMETERS: dict[str, Any] = {
    "length": "match",
    "returns": "score",
    "tensor": "one_hot",
    "deals": 0,
    "seed": 0,
    "pauses": False,
}
LENGTHS = ("match", "round")
#: The forms of the layout that tensors can have.
ONE_HOT, COMPACT = FORMS = ("one_hot", "compact")
#: What ``returns`` can be: the match's own scores; how far each is from the mean of the others; who won.
SCORE, DIFFERENCE, WIN = RETURNS = ("score", "difference", "win")

_SQUARE = str.maketrans("(),", "[]/")
_ROUND = str.maketrans("[]/", "(),")


def to_openspiel_value(value: str) -> str:
    """The value of an option as a text of OpenSpiel has it; `from_openspiel_value` reads it back.

    >>> to_openspiel_value("custom(3,12,5)"), from_openspiel_value("custom[3/12/5]")
    ('custom[3/12/5]', 'custom(3,12,5)')
    """
    return value.translate(_SQUARE)


def from_openspiel_value(text: str) -> str:
    """The value of an option, from a text that has it in either spelling."""
    return text.translate(_ROUND)


def parameters(info: Info) -> dict[str, Any]:
    """The parameters of a game and their defaults; `ValueError` where an option is named like one of ours."""
    own = {"players": info.seats[0], **PARAMETERS}
    options = {
        o.name: USUAL if o.name in info.options_by_seats else to_openspiel_value(o.default_text) for o in info.options
    }
    twice = sorted(own.keys() & options.keys())
    if twice:
        raise ValueError(f"{info.name} has an option {twice[0]}, which is a parameter of every game")
    return {**own, **options}


def game_type(info: Info, returns: str = SCORE) -> Any:
    """What OpenSpiel is told of a game before it is loaded; its rules are not."""
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
        parameter_specification=parameters(info),
    )


# --- returns ---------------------------------------------------------------------------------------------------------


def scores_to_returns(returns: str, scores: Sequence[float], lost: float | None) -> list[float]:
    """Scores as returns of a kind; with `lost`, the score of a lost game, all win or lose together.

    Who wins alone has 1, which the others pay in equal parts; played together, all have 1 or −1.
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


def bounds(limits: Limits, returns: str) -> tuple[float, float]:
    """The lowest and the highest return, counted like this."""
    if returns == WIN:
        return -1.0, 1.0
    if returns == DIFFERENCE:
        return limits.lowest - limits.highest, limits.highest - limits.lowest
    return float(limits.lowest), float(limits.highest)


# --- the game --------------------------------------------------------------------------------------------------------


class FacedownGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games for so many players, with its options."""

    of: ClassVar[str]
    """The game's name among ours."""

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        loaded = load_game(self.of)
        info, usual = loaded.info, parameters(loaded.info)
        chosen = {**usual, **(given or {})}
        self.counted = _one_of("returns", chosen["returns"], RETURNS)
        """How scores become returns."""
        if info.together and self.counted == DIFFERENCE:
            raise ValueError(f"{info.title} is won or lost together: returns = difference would be 0 for everybody")
        options = {o.name: from_openspiel_value(chosen[o.name]) for o in info.options if chosen[o.name] != USUAL}
        length = _one_of("length", chosen["length"], LENGTHS)
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
        """How views become tensors,"""
        self.compact = _one_of("tensor", chosen["tensor"], FORMS) == COMPACT
        """and in which form."""
        self.outcomes = [[(i, 1.0 / n) for i in range(n)] for n in self.tree.outcomes_per_draw]
        """What chance can draw, draw by draw, with the probability of each."""
        limits = loaded.limits_of(self.tree.seats, self.tree.options, self.tree.one_round)
        low, high = bounds(limits, self.counted)
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
        # What is usual is left out of the game's name.
        complete = {**chosen, **{option: to_openspiel_value(self.tree.options[option]) for option in options}}
        super().__init__(kind, facts, {key: value for key, value in complete.items() if value != usual[key]})

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)

    def new_initial_state(self, text: str | None = None) -> FacedownState:
        """The state before chance has dealt; `ValueError` for a text: no position of ours is written in one."""
        if text:
            raise ValueError("a state begins before the deal: OpenSpiel's serialised states have positions in them")
        return FacedownState(self)

    def action_to_string(self, player: int, action: int) -> str:
        """An action in the words of match files, legal or not; ``deal`` and the number for one of chance."""
        return f"deal {action}" if player == CHANCE else self.tree.game.words.words(action)

    def tensor(self, node: Node, viewer: int) -> NDArray[np.float32]:
        """What a viewer knows as a row of numbers; noughts before the deal."""
        layout = self.layout
        if node.states is None:
            return np.zeros(layout.size if self.compact else layout.one_hot_size, np.float32)
        view = node.view(viewer)
        return layout.compact(view).astype(np.float32) if self.compact else layout.one_hot(view)

    def max_chance_nodes_in_history(self) -> int:
        """How often chance draws before the deal."""
        return len(self.tree.outcomes_per_draw)

    def make_py_observer(self, kind: Any = None, given: Any = None) -> Observer | None:
        """What shows parts of states; None for what is not offered: a past that is
        not public without what is. `ValueError` for parameters: there are none.
        """
        if given:
            raise ValueError(f"observers have no parameters; given were {', '.join(map(str, given))}")
        wanted = pyspiel.IIGObservationType(perfect_recall=False) if kind is None else kind
        nothing_public = not wanted.public_info
        if nothing_public and (wanted.perfect_recall or wanted.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER):
            return None
        return Observer(self, wanted)


def _loaded(text: str) -> Any:
    return pyspiel.load_game(text)


def _one_of(name: str, given: str, allowed: Sequence[str]) -> str:
    if given not in allowed:
        raise ValueError(f"{name} = {given}: allowed are {', '.join(allowed)}")
    return given


# --- the state -------------------------------------------------------------------------------------------------------


class FacedownState(pyspiel.State):  # type: ignore[misc]
    """A node of the tree, and OpenSpiel's own history of how it was reached."""

    def __init__(self, game: FacedownGame) -> None:
        super().__init__(game)
        # All there is of a state: OpenSpiel copies a state by a copy of this, and a node copies itself for nothing.
        self.node = game.tree.root
        """The position, with every secret in it."""

    @property
    def _game(self) -> FacedownGame:
        return cast(FacedownGame, self.get_game())

    # What OpenSpiel would ask back in several steps is answered here in one.

    def current_player(self) -> int:
        """The seat to act, or `pyspiel.PlayerId.CHANCE`, or `TERMINAL`."""
        return self.node.player

    def is_terminal(self) -> bool:
        """Is the match, or its first round, over?"""
        return self.node.player == TERMINAL

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of the player to act, ascending; none of anybody else's; `SpielError` for no player."""
        node = self.node
        if player is None or player == node.player or node.player == CHANCE:
            return list(node.legal)
        if player < 0 and node.player != TERMINAL:
            raise pyspiel.SpielError(f"Called LegalActions for pseudo-player {player}")
        return []

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.legal) if player == self.node.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """What chance can draw, and with what probability; `SpielError` where it is not to draw."""
        if self.node.player != CHANCE:
            raise pyspiel.SpielError("chance is not to act")
        return self._game.outcomes[len(self.node.drawn)]

    def _apply_action(self, action: int) -> None:
        self.node = self.node.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._game.action_to_string(player, action)

    def returns(self) -> list[float]:
        """What each player has got by the end; noughts before it."""
        node = self.node
        if node.player != TERMINAL:
            return [0.0] * node.tree.seats
        return scores_to_returns(self._game.counted, node.returns(), node.tree.game.rules.loss_return)

    def __str__(self) -> str:
        """The whole position, in one line."""
        node = self.node
        if node.states is None:
            return " ".join(["before the deal", *map(str, node.drawn)])
        return in_words(node.tree, node.states[0])

    # --- what a player is given -------------------------------------------------------------------------------------

    def _resolve_player(self, player: int | None) -> int:
        """The player who is asked about; OpenSpiel's own error if there is no such player."""
        found = self.node.player if player is None else player
        if found < 0:
            raise pyspiel.SpielError(f"player >= 0: there is no player {found}")
        if found >= self.node.tree.seats:
            raise pyspiel.SpielError(f"player < {self.node.tree.seats}: there is no player {found}")
        return found

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player has seen and done so far, as a hash: equal for equal pasts alone."""
        return memory_of(self.node, self._resolve_player(player))

    def observation_string(self, player: int | None = None) -> str:
        """What a player knows now, in one line."""
        seat = self._resolve_player(player)
        return "" if self.node.states is None else in_words(self.node.tree, self.node.view(seat))

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """What a player knows now, all cards seen before included: the same numbers as the observation's."""
        return self.observation_tensor(player)

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """What a player knows now, in the form of the layout that the game was asked for."""
        found: list[float] = self._game.tensor(self.node, self._resolve_player(player)).tolist()
        return found

    # --- other worlds -----------------------------------------------------------------------------------------------

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> FacedownState:
        """A random state that the player cannot tell from this one; `sampler` gives random numbers from 0 to 1.

        It has no history: how the others came to what they hold in that world is not said. Before the deal, the same.
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


def memory_of(node: Node, viewer: int) -> str:
    """What a viewer remembers, as a short text."""
    who = "public" if viewer == SPECTATOR else f"player {viewer}"
    return f"{who} {node.memory(viewer).hex()}"


def in_words(tree: Tree, position: Position) -> str:
    """A position in one line: its fields, cards by their names, ``?`` for what is not known and ``.`` for no card.

    Equal ones in a row are counted: ``0*8``.
    """
    parts = []
    for name, found in plain_fields(position).items():
        value = [_card(tree, kind) for kind in found] if name == "card" else found
        if name not in ("key", "opt", "seats") and not name.startswith("of_"):
            parts.append(f"{name}={_run_length_text(value) if isinstance(value, list) else value}")
    return "; ".join(parts)


def _run_length_text(row: list[Any]) -> str:
    runs = [(value, len(list(run))) for value, run in groupby(row)]
    return " ".join(str(value) if count == 1 else f"{value}*{count}" for value, count in runs)


def _card(tree: Tree, kind: int) -> str:
    return "?" if kind == UNKNOWN else "." if kind == EMPTY else tree.game.words.card_word(kind)


def private_information_text(node: Node, seat: int) -> str:
    """What a seat knows and a spectator does not, in one line: field, place, and what stands there."""
    tree = node.tree
    mine, public = plain_fields(node.view(seat)), plain_fields(node.view(SPECTATOR))
    parts = []
    for name, value in mine.items():
        if isinstance(value, list) and value != public[name]:
            own = [(at, x) for at, (x, y) in enumerate(zip(value, public[name], strict=True)) if x != y]
            parts += [f"{name}[{at}]={_card(tree, x) if name == 'card' else x}" for at, x in own]
    return " ".join([f"player {seat}", *parts])


class Observer:
    """What OpenSpiel's observation types ask for: public, of one player or of all, now or remembered."""

    def __init__(self, game: FacedownGame, kind: Any) -> None:
        self._game = game
        self._recall = bool(kind.perfect_recall)
        self._private = kind.private_info
        self._public = bool(kind.public_info)
        rows = game.tree.seats if self._private == pyspiel.PrivateInfoType.ALL_PLAYERS else 1
        self.tensor = np.tile(game.tensor(game.tree.root, SPECTATOR), rows)
        """A view in the layout's form; of all players, one after the other. Without what is public it is what the
        player's own numbers are more than a spectator's."""
        self.dict = {"observation": self.tensor}

    def _viewers(self, node: Node, player: int) -> Sequence[int]:
        if self._private == pyspiel.PrivateInfoType.NONE:
            return (SPECTATOR,)
        return range(node.tree.seats) if self._private == pyspiel.PrivateInfoType.ALL_PLAYERS else (player,)

    def set_from(self, state: FacedownState, player: int) -> None:
        """Fill the tensor with what a state is to the player."""
        node = state.node
        self.tensor[:] = np.concatenate([self._game.tensor(node, viewer) for viewer in self._viewers(node, player)])
        if not self._public:
            self.tensor -= self._game.tensor(node, SPECTATOR)

    def string_from(self, state: FacedownState, player: int) -> str:
        """What a state is to the player, in one line."""
        node = state.node
        if node.states is None:
            return ""
        if not self._public:
            return private_information_text(node, player)
        viewers = self._viewers(node, player)
        if self._recall:
            return " ".join(memory_of(node, viewer) for viewer in viewers)
        return " | ".join(in_words(node.tree, node.view(viewer)) for viewer in viewers)


# --- registered ------------------------------------------------------------------------------------------------------


def register(infos: Iterable[Info]) -> list[str]:
    """Make games known to OpenSpiel; their names there."""
    names = []
    for info in infos:
        kind = game_type(info)
        # A class of its own: OpenSpiel lets go of it after Python has ended, when nothing may be freed any more, and a
        # class is still held by itself then.
        pyspiel.register_game(kind, type(FacedownGame.__name__, (FacedownGame,), {"of": info.name}))
        names.append(kind.short_name)
    return names


#: The names of our games in OpenSpiel.
GAMES = tuple(register(catalogue().values()))
