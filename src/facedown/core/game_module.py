"""The contract of a game: everything that a game brings, as plain dataclasses and protocols.

A game's module ``info`` exports ``INFO`` (an `Info`: what can be shown without loading any rule), its module ``game``
exports ``GAME`` (a `GameModule`). Optional parts have a default here. `core.game_registry` finds and loads games.
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
from facedown.core.language import Texts
from facedown.core.match_limits import Limits
from facedown.core.options import OptionError, Options
from facedown.core.rule import rule
from facedown.core.ruleset import RuleSet, undealt_state
from facedown.core.score_sheet import Sheet
from facedown.core.state import RUNNING, Position, State, View
from facedown.core.table import LogLine, Sitter, Table

P = TypeVar("P", bound=Position)


class Bot(Protocol):
    """Chooses actions, and sees nothing but views of what its seat knows."""

    def choose(self, game: GameModule, view: View, seat: int, seed: int) -> int:
        """A legal action of `seat`; the same arguments give the same action.

        A bot that thinks by the clock, as level master does at a table, may choose another one on a busy machine.
        """


@runtime_checkable
class EffortBot(Protocol):
    """A bot that can also do with less time than it would take: many wait for their bots at once."""

    def choose_within(self, game: GameModule, view: View, seat: int, seed: int, effort: float) -> int:
        """Like `Bot.choose`, with so much of the usual time and tries: above 0, at most 1."""


# --- what a game's bots know of it ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Policy(Generic[P]):
    """What looks best at once, by what the seat knows."""

    greedy: Callable[[P, int, NDArray[np.uint64]], int]
    """A rule (s, seat, q) → action. It reads public fields and the slots that the seat knows, so that it answers alike
    on a state and on the seat's view; `q` is a quick generator for choices between equals."""
    reason: Callable[[View, int, int], str] = lambda view, seat, action: ""
    """(view, seat, action): why the policy likes an action, in words; it need not say."""
    reckless: Callable[[P, int, int], bool] = rule(lambda s, seat, action: action < 0)
    """A rule (s, seat, action): does this action end a game or hand at once, or can it only fail? A beginner never
    takes such an action by chance. In most games there is none: no action is negative. Like `greedy` it reads what the
    seat knows."""


@dataclass(frozen=True)
class Evaluation(Generic[P]):
    """What positions are worth to each seat, for search: where a rollout may stop, and how good the result is."""

    round_is_terminal: Callable[[P], bool]
    """A rule: is the round decided, so that playing on says nothing about the moves before?"""
    evaluate: Callable[[P, NDArray[np.float64]], None]
    """A rule (s, out): what such a position is worth to each seat, from 0 to 1, higher is better."""
    rollout_policy: Callable[[P, int, NDArray[np.uint64]], int] | None = None
    """A rule like `Policy.greedy`, quick enough for millions of rollouts; the greedy one where there is none."""
    equivalence_key: Callable[[View, int, int], Any] = lambda view, seat, action: action
    """(view, seat, action): a key that moves share which come to the same, by what the seat knows."""
    promising: Callable[[View, int, Sequence[int]], list[int]] = lambda view, seat, legal: list(legal)
    """(view, seat, legal): the moves that are worth a thought, where most of very many are plainly poor."""
    standard_form: Callable[[P], None] = rule(lambda s: None)
    """A rule (s): write the one position that stands for all which come to the same, for exact solvers. What has no
    bearing on the rest of the game may be forgotten; nobody has chosen a sealed move."""
    win_probability: Callable[[View, int, float], float] | None = None
    """(view, seat, value): the chance to win the match, if the round is worth `value` to the seat; it rises with it.
    None where only the round can be judged."""
    turns: int = 0
    """Where all play together and win by few turns: the turns between a worth of 1 and of 0. 0: worth is a chance."""


@dataclass(frozen=True)
class Levels:
    """How much the bots of a game think, and bots of its own."""

    strong: int = 200
    """How often level strong tries moves before each of its own: enough to beat casual, and to be beaten by master."""
    master: int = 0
    """What level master stops at where more brings nothing; 0: it takes all its time."""
    expert: Callable[[Bot], Bot] | None = None
    """A bot that plays a part of the game exactly and leaves the rest to the one it is given."""
    search_bot: Callable[[int], Bot] | None = None
    """Instead of rollout search: the bot of so many looks at its moves; 0: as many as help."""
    networks: tuple[tuple[int, int, str], ...] = ()
    """What level master plays by instead: for so many to so many players, the weights of that name in the game's folder
    ``weights``."""
    worlds: int = 0
    """In so many imagined worlds level master looks a turn ahead of the network; 0: it plays what the network says."""


# --- the game itself --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Words:
    """Actions and cards as text."""

    words: Callable[[int], str]
    """An action in the notation of match files."""
    parse: Callable[[str], int]
    """The action of a text; `ValueError` with a reason. ``parse(words(a)) == a``."""
    card_word: Callable[[int], str]
    """A kind of card in the notation of explicit deals."""
    card_kind: Callable[[str], int]
    """The kind of a card's word; `ValueError` with a reason."""
    say: Callable[[View, int, PhraseContext], ActionPhrase]
    """An action that is legal in the view of the seat that takes it, as a person says it."""
    parse_turn: Callable[[str], Sequence[int]] | None = None
    """The actions of a text that may name several as one turn; where there is none, every move is one action."""
    why_not: Callable[[View, int], str] | None = None
    """Why the seat whose view it is may not take this action now, in one sentence, from the rules' own reasons and the
    view alone; asked only of a seat that is to act, and of an action that is not legal. The error of an illegal move,
    the page (`Step.refusals`), the terminal and the API all say this."""
    typing: str = ""
    """What the terminal's help says of typing moves."""
    seat_at: Mapping[str, int] = field(default_factory=dict)
    """By the first word of a move that names a seat: which of its words that is, from 0."""
    summarize_moves: Callable[[Sequence[str]], list[str]] | None = None
    """Very many legal moves in a few words, where the terminal's own way of counting them up says too little."""


@dataclass(frozen=True, slots=True)
class ObservedAction:
    """One action, as a viewer witnessed it: the views before and after, who acted, and the action if it was open."""

    before: View
    after: View
    viewer: int
    seat: int
    action: int | None
    """The raw action for the seat that took it, and for others if the action is public; else None."""


@dataclass(frozen=True)
class Tables:
    """Views as tables and moves as log lines. Every view here is one of what the viewer may look at now."""

    table: Callable[[View, Sequence[Sitter]], Table]
    """What the viewer sees, without the log."""
    tell: Callable[[ObservedAction, Sequence[Sitter]], Sequence[LogLine]]
    """The log lines of one action, for the viewer of the happening."""
    is_public_action: Callable[[int], bool] = lambda action: True
    """Is this action's wording public the moment it is taken?"""
    same_turn_phases: frozenset[tuple[str, str]] = frozenset()
    """The pairs of phases between which a turn goes on if the same seat is still to act; every other action begins a
    new turn (for clocks)."""
    text_only_phases: frozenset[str] = frozenset()
    """The phases in which a legal action may be left to words: nothing on the table offers it to be touched."""
    phases: tuple[str, ...] = ()
    """The names of the record's phases, by the number in its field `phase`; "scoring" is the one between two rounds."""


@dataclass(frozen=True)
class Scorekeeper:
    """A game played with real cards, scored."""

    score: Callable[[dict[str, Any]], dict[str, Any]]
    """The points, and how they came about; `ValueError` says what is wrong with the data."""
    example: dict[str, Any]
    """Data that can be scored."""
    sheet: Callable[[int, int, Mapping[str, str]], Sheet]
    """(seats, parts, answers): what a person is asked."""


@dataclass(frozen=True, slots=True)
class Info:
    """What can be said of a game without loading its rules."""

    name: str
    title: str
    tagline: str
    seats: tuple[int, int]
    options: Options = field(default_factory=Options)
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
    mode: str = ""
    """The option that is offered first where a table is opened; empty for a game that is played in one way."""
    aided: bool = False
    """Is the memory aid on at first where all others are bots?"""
    order: int = 100
    """Where it stands among the games: lower ones come first, equal ones by their names."""
    minutes: int = 0
    """About how long a match takes; 0 if unknown."""
    complexity: float = 0.0
    """How hard the game is, from 1 to 5, as its text says; 0 if it does not say."""
    authors: str = ""
    """Who made the game, where its text asks to be told."""

    def check_seats(self, seats: int) -> None:
        """Raise `OptionError` when that many cannot play."""
        low, high = self.seats
        if not low <= seats <= high:
            wrong = N_("{game} is for {low} to {high} players, not {seats}")
            if low == high:
                wrong = N_("{game} is for {count} players, not {seats}")
            raise OptionError(_(wrong, game=self.title, count=low, low=low, high=high, seats=seats))

    def translate(self, texts: Texts) -> Info:
        """The same, its sentences in the language that is spoken."""
        return replace(self, tagline=texts(self.tagline), options=self.options.translate(texts))

    @property
    def options_by_seats(self) -> frozenset[str]:
        """The options whose default depends on the number of seats."""
        if self.defaults is None:
            return frozenset()
        low, high = self.seats
        return frozenset(name for seats in range(low, high + 1) for name in self.defaults(seats))

    def complete(self, seats: int, given: Mapping[str, str]) -> dict[str, str]:
        """All options in canonical spelling, filled in with the defaults for so many seats."""
        usual = self.defaults(seats) if self.defaults is not None else {}
        return self.options.complete({**usual, **given})

    def options_record(self, options: Mapping[str, str]) -> Any:
        """The record of complete options that rules read; None for a game without any."""
        declaration = self.options.declaration
        return None if declaration is None else declaration.from_texts(options)


@dataclass(frozen=True, repr=False)
class GameModule:
    """Everything that a game brings. Its art and its guide are found beside it, by `art` and `guide`."""

    info: Info
    # Each game has a record type of its own; records find their rules, not the other way round.
    rules: RuleSet[Any]
    words: Words
    tables: Tables
    policy: Policy[Any] | None = None
    """What its greedy bot plays; without one only random bots sit down."""
    evaluation: Evaluation[Any] | None = None
    """What positions are worth; without one no bot thinks ahead, and the coach is silent."""
    levels: Levels = field(default_factory=Levels)
    features: Features[Any] | None = None
    """How it is told to a network; without them one is trained on what the batch environment tells of any game."""
    solver: Solver = field(default_factory=Solver)
    limits: Callable[[int, Any, bool], Limits] | None = None
    """(seats, options, one_round): what no match, or no first round, exceeds; frameworks for learners want to know."""
    scorekeeper: Scorekeeper | None = None
    counts: CounterSet[Any] = NO_COUNTERS
    """What experiments count of it."""

    def __repr__(self) -> str:
        return f"<GameModule {self.name}, rules version {self.info.version}>"

    @property
    def name(self) -> str:
        """The name by which the registry knows it."""
        return self.info.name

    @property
    def dtype(self) -> np.dtype[Any]:
        """The layout of a record."""
        return self.rules.dtype

    @property
    def actions(self) -> int:
        """How many different actions there are."""
        return self.rules.actions

    def legal(self, position: Position, seat: int) -> list[int]:
        """The legal actions of a seat, ascending; of a state or of that seat's own view, alike."""
        return self.rules.legal_actions(position, seat)

    def action_phrase(
        self, view: View, action: int, sitters: Sequence[Sitter], reader: int | None = None
    ) -> ActionPhrase:
        """An action that is legal in a seat's own view in a person's words ("Swap the yellow and a red").

        They are said to the seat itself ("your 2"), or of it to another `reader` ("their 2"). Equal words are moves
        that nobody would tell apart.
        """
        return self.words.say(
            view, action, PhraseContext(sitters, view.viewer, view.viewer if reader is None else reader)
        )

    def why_not(self, view: View, action: int) -> str:
        """Why the seat whose view it is may not take this action now, in one sentence; nothing if it may."""
        seat = int(view.viewer)
        if view.over != RUNNING:
            return _("The match is over.")
        if not 0 <= action < self.actions:
            return _("There is no action {action}: they go from 0 to {last}.", action=action, last=self.actions - 1)
        if seat not in self.acting(view):
            return _("It is not your turn.")
        if action in self.legal(view, seat):
            return ""
        reason = self.words.why_not(view, action) if self.words.why_not else ""
        return reason or _("The rules do not allow it now.")

    def acting(self, position: Position) -> list[int]:
        """The seats that are to act."""
        return [seat for seat in range(position.seats) if position.acting >> seat & 1]

    def returns(self, position: Position) -> list[float]:
        """The final scores, higher is better."""
        out = np.zeros(position.seats, np.float64)
        self.rules.returns(position, out)
        return [float(x) for x in out]

    def check_options(self, seats: int, options: Mapping[str, str]) -> dict[str, str]:
        """Complete options in canonical spelling; `OptionError` if the game cannot be played so."""
        self.info.check_seats(seats)
        complete = self.info.complete(seats, options)
        self.rules.check(seats, self.info.options_record(complete))
        return complete

    def undealt_state(self, seats: int, options: Mapping[str, str], seed: bytes) -> State:
        """A state with all that every match with these complete options and this seed begins with: not dealt yet."""
        state: State = undealt_state(self.rules, seats, self.info.options_record(options), seed)
        return state

    def limits_of(self, seats: int, options: Mapping[str, str], one_round: bool = False) -> Limits:
        """What no match with these complete options exceeds, or no first round of one."""
        return Limits() if self.limits is None else self.limits(seats, self.info.options_record(options), one_round)

    def deck(self, seats: int, options: Mapping[str, str]) -> NDArray[np.int64]:
        """How many cards of each kind a match with these complete options has, as an array over kinds."""
        return np.array(self.rules.deck(seats, self.info.options_record(options)), np.int64)
