"""Interface of a game: all parts that a game provides, as dataclasses and protocols.

A game's module ``info`` exports ``INFO`` (an `Info`, which can be shown without loading any rules). Its module ``game``
exports ``GAME`` (a `GameModule`). Optional parts have defaults here. `core.game_registry` finds and loads games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from facedown.core.action_phrases import ActionPhrase, PhraseContext
from facedown.core.advice import Solver
from facedown.core.counters import NO_COUNTERS, CounterSet
from facedown.core.features import Features
from facedown.core.i18n import N_, _
from facedown.core.match_limits import Limits
from facedown.core.options import OptionError, Options
from facedown.core.rule import rule
from facedown.core.ruleset import RuleSet, undealt_state
from facedown.core.score_sheet_questions import Sheet
from facedown.core.state import RUNNING, Position, State, View
from facedown.core.table import LogLine, Sitter, Table
from facedown.core.translation import Texts

P = TypeVar("P", bound=Position)


class Bot(Protocol):
    """A player program. It chooses actions and gets only views of what its seat knows, never a state."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """Return a legal action of `seat`. Equal arguments give equal actions.

        A bot with a time limit is an exception: on a busy machine it may choose another action. The bots of the level
        "master" may have such a limit when they play against people.
        """


@runtime_checkable
class EffortBot(Protocol):
    """A bot that can spend less time on a move than usual, for times when many tables wait for their bots."""

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """Return an action like `Bot.choose`, but use only a fraction of the usual search effort.

        `effort` is this fraction, above 0 and at most 1. What it reduces depends on the bot: the time for the move, the
        number of simulations, or the number of sampled deals.
        """


# --- what bots know about a game --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Policy(Generic[P]):
    """Greedy policy of a game: it chooses the move that looks best without looking ahead, given what the seat knows."""

    greedy: Callable[[P, int, NDArray[np.uint64]], int]
    """Compiled function (s, seat, q) → action. It reads only public fields and the cards that the seat knows, so a
    state and the seat's view give the same action. `q` is the state of a fast random number generator
    (`core.random_numbers`) for choices between equal moves."""
    reason: Callable[[View, int, int], str] = lambda view, seat, action: ""
    """Function (view, seat, action) → the reason for the policy's action in words; empty if it has none."""
    reckless: Callable[[P, int, int], bool] = rule(lambda s, seat, action: action < 0)
    """Compiled function (s, seat, action) → whether the action is reckless: it stakes the whole game or hand at once,
    so that a wrong guess loses it, or it has an aim that can no longer be reached. Level beginner never plays such an
    action at random. By default no action is reckless. Like `greedy`, the function reads only what the seat knows."""


@dataclass(frozen=True)
class Evaluation(Generic[P]):
    """Functions of a game with which search bots evaluate positions and choose the moves worth searching.

    A search bot judges a move by *rollouts*: it plays the rest of the round fast, many times. `round_is_terminal` says
    when a rollout may stop. `evaluate` says how good the position at that point is for each seat.
    """

    round_is_terminal: Callable[[P], bool]
    """Compiled function (s) → whether the round is decided, so that further play says nothing about earlier moves."""
    evaluate: Callable[[P, NDArray[np.float64]], None]
    """Compiled function (s, out): write the value of a position whose round is decided into `out`, for each seat: from
    0 to 1, higher is better."""
    rollout_policy: Callable[[P, int, NDArray[np.uint64]], int] | None = None
    """Compiled function with the arguments of `Policy.greedy`, fast enough for millions of rollouts. None means
    `Policy.greedy`."""
    equivalence_key: Callable[[View, int, int], Any] = lambda view, seat, action: action
    """Function (view, seat, action) → a key that is equal for moves with the same effect, as far as the seat knows."""
    promising: Callable[[View, int, Sequence[int]], list[int]] = lambda view, seat, legal: list(legal)
    """Function (view, seat, legal) → the moves worth searching, for games in which most of many legal moves are plainly
    bad."""
    standard_form: Callable[[P], None] = rule(lambda s: None)
    """Compiled function (s): change the position in place so that equivalent positions become equal, for exact solvers.
    It may reset fields that cannot affect the rest of the game. When it is called, no seat has a sealed choice (one
    that stays secret until all seats have chosen)."""
    win_probability: Callable[[View, int, float], float] | None = None
    """Function (view, seat, value) → the probability that the seat wins the match if the current round ends with this
    value (a result of `evaluate`). It rises with `value`. None if only the round can be evaluated."""
    turns: int = 0
    """For cooperative games in which fewer turns are better: the value 0 stands for this many turns more than the value
    1. If 0, a value is a probability."""


@dataclass(frozen=True)
class Levels:
    """Settings of the bot levels strong and master in one game: search effort, neural networks and the game's own bots.

    The search effort is a number of simulations or of sampled worlds (random full deals that fit what the seat knows).
    A game may replace the general search bot with its own, or have a bot that solves a part of the game exactly.
    """

    strong: int = 200
    """Simulations that level strong runs for each move: enough to beat level casual, too few to beat level master."""
    master: int = 0
    """Simulations after which level master stops, because more do not help. 0 means that it uses its full time."""
    expert: Callable[[Bot], Bot] | None = None
    """Function (bot) → a bot that solves a part of the game exactly and leaves all other moves to the given bot."""
    search_bot: Callable[[int], Bot] | None = None
    """Function (n) → the game's own search bot, which replaces rollout search. The search effort n is counted in
    simulations or in stages of the search; 0 asks for as many as improve its play."""
    networks: tuple[tuple[int, int, str], ...] = ()
    """Neural networks for level master, as (fewest seats, most seats, name of the weights in the game's folder
    ``weights``)."""
    worlds: int = 0
    """Sampled worlds in which level master searches one turn ahead of the network. 0 means that it plays the network's
    move."""


# --- the game itself --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Words:
    """Texts for a game's actions and cards: their notation in match files, and phrases for players."""

    words: Callable[[int], str]
    """Function (action) → the action in the notation of match files."""
    parse: Callable[[str], int]
    """Function (text) → the action with this notation; `ValueError` with a reason if no action has it. It is the
    inverse of `words`."""
    card_word: Callable[[int], str]
    """Function (card) → the notation of a card in the header ``Deal`` of a match file. `card` is the kind of
    the card, an integer from 0. In games whose cards can be dealt either way up, a card has two numbers instead, one
    for each way up (`RuleSet.unturned_kind`)."""
    card_kind: Callable[[str], int]
    """Function (text) → the number of the card with this notation; `ValueError` with a reason if no card has it. It is
    the inverse of `card_word`."""
    say: Callable[[View, int, PhraseContext], ActionPhrase]
    """Function (view, action, context) → the phrase for an action that is legal in the acting seat's view."""
    parse_turn: Callable[[str], Sequence[int]] | None = None
    """Function (text) → the actions of one turn, for games in which a typed text may name several actions. None if
    every text is a single action."""
    why_not: Callable[[View, int], str] | None = None
    """Function (view, action) → the reason why the view's seat may not play the action now, in one sentence. The reason
    follows from the view alone. The function is called only if the seat is to act and the action is not legal. The
    error text of an illegal move, the page (`TouchStep.refusals`), the terminal and the API all show the reason."""
    typing: str = ""
    """Sentences that explain how to type moves, for the terminal's help."""
    seat_at: Mapping[str, int] = field(default_factory=dict)
    """For moves whose notation contains a seat number: maps the first word of the notation to the index of the word
    that is the seat number, from 0. The terminal shows the player's name instead of that word."""
    summarize_moves: Callable[[Sequence[str]], list[str]] | None = None
    """Function (moves) → a short description of very many legal moves, for games in which the terminal's own summary
    says too little."""


@dataclass(frozen=True, slots=True)
class ObservedAction:
    """One action as one viewer observed it: the viewer's views before and after the action, and who took it.

    The views show only what is visible to the viewer (`core.hidden_cards.shown_view`). If the viewer does not learn
    which action was taken, `action` is None.
    """

    before: View
    after: View
    viewer: int
    seat: int
    action: int | None
    """The action, for the seat that took it and, if the action is public, for all viewers; else None."""


@dataclass(frozen=True)
class Tables:
    """Conversion of views into tables (`core.table.Table`), and of moves into log lines.

    A table shows only cards that are in the view from which it is made. There are two kinds of views for tables:

    * usually, a view with the cards that are visible to the viewer at this moment;
    * with the memory aid (a setting of the match), a view with all cards that the viewer knows, also from earlier.

    Log lines are always made from views with the visible cards only.
    """

    table: Callable[[View, Sequence[Sitter]], Table]
    """Function (view, sitters) → the table that the viewer sees, without the log."""
    tell: Callable[[ObservedAction, Sequence[Sitter]], Sequence[LogLine]]
    """Function (observed, sitters) → the log lines of one action, for its viewer."""
    is_public_action: Callable[[int], bool] = lambda action: True
    """Function (action) → whether everyone learns which action it is as soon as it is taken."""
    same_turn_phases: frozenset[tuple[str, str]] = frozenset()
    """Pairs (phase before an action, phase after it). If a seat is to act again after such an action, its turn
    continues. After every other action a new turn begins. Clocks use this."""
    text_only_phases: frozenset[str] = frozenset()
    """Phases in which some legal actions cannot be touched on the table and must be typed."""
    phases: tuple[str, ...] = ()
    """Names of the phases, indexed by the state's field `phase`. "scoring" is the phase between two rounds."""


@dataclass(frozen=True)
class Scorekeeper:
    """Score sheet of a game, with which players score a match or round that they played with real cards.

    `sheet` returns the questions that a player answers. `score` computes the points from the answers.
    """

    score: Callable[[dict[str, Any]], dict[str, Any]]
    """Function (data) → the points and their breakdown; `ValueError` if the data is invalid. Data and result are JSON
    objects."""
    example: dict[str, Any]
    """Valid example of the data that `score` takes."""
    sheet: Callable[[int, int, Mapping[str, str]], Sheet]
    """Function (seats, parts, answers) → the questions of the score sheet. `parts` is the number of hands or rounds to
    score. `answers` are those entered so far, by the name of the form field."""


@dataclass(frozen=True, slots=True)
class Info:
    """Facts about a game that can be shown without loading its rules."""

    name: str
    title: str
    tagline: str
    seats: tuple[int, int]
    options: Options = field(default_factory=Options)
    version: int = 1
    """Version of the rules. Each match stores it, so that an upgrade never changes a running match."""
    together: bool = False
    """Whether the game is cooperative: all players win or lose together."""
    silent: bool = False
    """Whether players must not talk until the match is over."""
    unit: str = "round"
    """Name of the units that a match consists of: "round", "hand" or "game"."""
    defaults: Callable[[int], Mapping[str, str]] | None = None
    """Function (seats) → defaults that depend on the number of seats. They override the defaults of `options`."""
    mode: str = ""
    """Name of the option that the page for a new table asks for first, or an empty text."""
    aided: bool = False
    """Whether the memory aid, which keeps seen cards shown, is on by default at tables where all other players are
    bots."""
    order: int = 100
    """Position in lists of games: lower numbers first, games with equal numbers by name."""
    minutes: int = 0
    """Approximate length of a match in minutes; 0 if unknown."""
    complexity: float = 0.0
    """Difficulty of the game from 1 to 5, as stated by its publisher; 0 if not stated."""
    authors: str = ""
    """Designers of the game, if its licence asks for credit."""

    def check_seats(self, seats: int) -> None:
        """Raise `OptionError` if the game cannot be played with this number of seats."""
        low, high = self.seats
        if not low <= seats <= high:
            wrong = N_("{game} is for {low} to {high} players, not {seats}")
            if low == high:
                wrong = N_("{game} is for {count} players, not {seats}")
            raise OptionError(_(wrong, game=self.title, count=low, low=low, high=high, seats=seats))

    def translate(self, texts: Texts) -> Info:
        """Return a copy with the tagline and the options in the current language.

        `texts` is the function that translates the English texts.
        """
        return replace(self, tagline=texts(self.tagline), options=self.options.translate(texts))

    @property
    def options_by_seats(self) -> frozenset[str]:
        """Names of the options whose default depends on the number of seats."""
        if self.defaults is None:
            return frozenset()
        low, high = self.seats
        return frozenset(name for seats in range(low, high + 1) for name in self.defaults(seats))

    def complete(self, seats: int, given: Mapping[str, str]) -> dict[str, str]:
        """Return the value of each option in canonical spelling, by option name.

        Options that are not `given` get their defaults for this number of seats. An option that is only for experiments
        is left out if it has its default value. Raises `OptionError` for an unknown option or an invalid value.
        """
        usual = self.defaults(seats) if self.defaults is not None else {}
        return self.options.complete({**usual, **given})

    def options_record(self, options: Mapping[str, str]) -> Any:
        """Return a complete set of options as a record for the game's functions; None for a game without options."""
        declaration = self.options.declaration
        return None if declaration is None else declaration.from_texts(options)


@dataclass(frozen=True, repr=False)
class GameModule:
    """All parts of a game except its art and its guide.

    `core.game_registry` finds the art and the guide by the game's name.
    """

    info: Info
    # `Any` stands for the game's record type. `core.rule_dispatch` finds the rules by the record type of a position.
    rules: RuleSet[Any]
    words: Words
    tables: Tables
    policy: Policy[Any] | None = None
    """Policy of the greedy bot. Without one, only random bots can play."""
    evaluation: Evaluation[Any] | None = None
    """Evaluation of positions. Without one, no bot searches and the coach gives no advice."""
    levels: Levels = field(default_factory=Levels)
    features: Features[Any] | None = None
    """Neural-network input. Without it, networks are trained on the generic observation (`bots.observation`)."""
    solver: Solver = field(default_factory=Solver)
    limits: Callable[[int, Any, bool], Limits] | None = None
    """Function (seats, options, one_round) → limits on the length and scores of a match or, if `one_round` is true, of
    its first round. Learning frameworks need them. None: the default limits."""
    scorekeeper: Scorekeeper | None = None
    counts: CounterSet[Any] = NO_COUNTERS
    """Counters for experiments."""

    def __repr__(self) -> str:
        return f"<GameModule {self.name}, rules version {self.info.version}>"

    @property
    def name(self) -> str:
        """Name of the game in the registry."""
        return self.info.name

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy dtype of the game's states and views."""
        return self.rules.dtype

    @property
    def actions(self) -> int:
        """Number of all actions of the game, legal or not. An action is an integer from 0 to ``actions - 1``."""
        return self.rules.actions

    def legal(self, position: Position, seat: int) -> list[int]:
        """Return the legal actions of a seat, ascending. A state and the seat's own view give the same list."""
        return self.rules.legal_actions(position, seat)

    def action_phrase(
        self, view: View, action: int, sitters: Sequence[Sitter], reader: int | None = None
    ) -> ActionPhrase:
        """Return the phrase for an action that is legal in a seat's own view ("Swap the yellow and a red").

        The phrase addresses the acting player ("your 2") or, if given, another `reader` ("their 2").

        Two actions have equal phrases only if the difference does not matter to a player: for example, if each
        action swaps one of two red cards.
        """
        return self.words.say(
            view, action, PhraseContext(sitters, view.viewer, view.viewer if reader is None else reader)
        )

    def why_not(self, view: View, action: int) -> str:
        """Return why the view's seat may not play the action now, in one sentence; empty if the action is legal."""
        seat = int(view.viewer)
        if view.over != RUNNING:
            return _("The match is over.")
        if not 0 <= action < self.actions:
            return _(
                "Action {action} does not exist; actions are numbered 0 to {last}.",
                action=action,
                last=self.actions - 1,
            )
        if seat not in self.acting(view):
            return _("It’s not your turn.")
        if action in self.legal(view, seat):
            return ""
        reason = self.words.why_not(view, action) if self.words.why_not else ""
        return reason or _("The rules don’t allow that move now.")

    def acting(self, position: Position) -> list[int]:
        """Return the seats that are to act, ascending."""
        return [seat for seat in range(position.seats) if position.acting >> seat & 1]

    def returns(self, position: Position) -> list[float]:
        """Return the final score of each seat; higher is better."""
        out = np.zeros(position.seats, np.float64)
        self.rules.returns(position, out)
        return [float(x) for x in out]

    def check_options(self, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        """Return the value of each option in canonical spelling, by option name. Missing options get their defaults.

        For example, "hands" becomes "hands(5)" if 5 is its default number. An option that is only for experiments is
        left out if it has its default value. Raises `OptionError` if the game cannot be played with this number of
        seats and these options.
        """
        self.info.check_seats(seats)
        complete = self.info.complete(seats, options)
        self.rules.check(seats, self.info.options_record(complete))
        return complete

    def undealt_state(self, seats: int, options: Mapping[str, str], seed: bytes) -> State:
        """Return a new state with the seats, the options and the shuffle key filled in, before any card is dealt.

        `options` must have a value for every option. `seed` is the 32 bytes from which the key is made.
        """
        state: State = undealt_state(self.rules, seats, self.info.options_record(options), seed)
        return state

    def limits_of(self, seats: int, options: Mapping[str, str], one_round: bool = False) -> Limits:
        """Return limits on the length and scores of a match with these options.

        If `one_round` is true, the limits are those of a match that ends after its first round. `options` must be
        complete.
        """
        return Limits() if self.limits is None else self.limits(seats, self.info.options_record(options), one_round)

    def deck(self, seats: int, options: Mapping[str, str]) -> NDArray[np.int64]:
        """Return the number of cards of each kind in the deck, indexed by kind. `options` must be complete."""
        return np.array(self.rules.deck(seats, self.info.options_record(options)), np.int64)
